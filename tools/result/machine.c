// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: what about this machine a result depends on.
#include <dirent.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/machine-private.h"

#define FILE_MAX (4u << 20)

void machine_set_line(struct json_object *to, const char *key, const char *root,
		      const char *path)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", root, path);

	if (line && *line)
		json_set_str(to, key, line);
}

void machine_set_number(struct json_object *to, const char *key, const char *root,
			const char *path)
{
	int64_t value = io_read_number(INT64_MIN, "%s/%s", root, path);

	if (value != INT64_MIN)
		json_set_int(to, key, value);
}

void machine_set_chosen(struct json_object *to, const char *key, const char *root,
			const char *path)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", root, path);
	char *open = line ? strchr(line, '[') : NULL;

	if (open)
		open[strcspn(open, "]")] = '\0';
	if (line && *line)
		json_set_str(to, key, open ? open + 1 : line);
}

int machine_read(const char *root, const char *path, struct strbuf *to)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", root, path);

	return io_read_file(full, to, FILE_MAX);
}

char *machine_field(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *l = text; l && *l; l = strchr(l, '\n'), l = l ? l + 1 : NULL) {
		const char *p = l + len;

		if (strncmp(l, key, len) != 0)
			continue;
		p += strspn(p, " \t");
		if (*p != ':')
			continue;
		p++;
		p += strspn(p, " \t");
		return mem_strndup(p, strcspn(p, "\n"));
	}
	return NULL;
}

static int in_order(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

void machine_each(const char *root, const char *path, const char *prefix,
		  void (*each)(const char *dir, const char *name, void *arg), void *arg)
{
	_cleanup_free_ char *dir = mem_printf("%s/%s", root, path);
	struct dirent **names = NULL;
	int n = scandir(dir, &names, NULL, in_order);

	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.' &&
		    strncmp(names[i]->d_name, prefix, strlen(prefix)) == 0)
			each(dir, names[i]->d_name, arg);
		free(names[i]);
	}
	free(names);
}

static struct json_object *clock_record(const char *root)
{
	static const char folder[] = "sys/devices/system/clocksource/clocksource0";
	_cleanup_free_ char *suspect = mem_printf("%s" MACHINE_CLOCK_SUSPECT, root);
	_cleanup_free_ char *current = mem_printf("%s/current_clocksource", folder);
	_cleanup_free_ char *all = mem_printf("%s/available_clocksource", folder);
	struct json_object *o = json_new();
	char wall[21];

	clock_wall(wall);
	json_set_str(o, "from", "/sys/devices/system/clocksource");
	machine_set_line(o, "source", root, current);
	machine_set_line(o, "available", root, all);
	json_set_str(o, "wall", wall);
	json_set_bool(o, "suspect", io_exists(suspect));
	return o;
}

struct json_object *machine_json(const char *root)
{
	struct json_object *o = json_new();
	const char *from;
	_cleanup_free_ char *id = machine_id_from(root, &from);

	json_set_str(o, "id", id);
	json_set_str(o, "id_from", from);
	json_set(o, "kernel", machine_kernel(root));
	json_set(o, "image", machine_image(root));
	json_set(o, "cpu", machine_cpu(root));
	json_set(o, "memory", machine_memory(root));
	json_set(o, "mitigations", machine_mitigations(root));
	json_set(o, "firmware", machine_firmware(root));
	json_set(o, "clock", clock_record(root));
	json_set(o, "power", machine_power(root));
	json_set(o, "block", machine_block(root));
	json_set(o, "tools", machine_tools(root));
	json_set(o, "interrupts", machine_interrupts(root));
	return o;
}

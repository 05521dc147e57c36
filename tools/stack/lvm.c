// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the lvm program on one device and nothing else.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "common/process.h"
#include "stack/lvm.h"

#define LVM_ARGS_MAX 24
#define LVM_TIMEOUT  (UINT64_C(120) * 1000000000)

// Dots and the like in a path are no pattern: a class of one character holds them.
static void add_pattern(struct strbuf *to, const char *path)
{
	for (; *path; path++)
		strbuf_printf(to, strchr(".+*?()[]|^$", *path) ? "[%c]" : "%c", *path);
}

void lvm_config(const struct lvm *lvm, struct strbuf *to)
{
	strbuf_puts(to, "devices { dir=\"/dev\" scan=[\"/dev\"] "
			"obtain_device_list_from_udev=0 "
			"external_device_info_source=\"none\" use_devicesfile=0 ");
	strbuf_puts(to, "filter=[\"a|^");
	add_pattern(to, lvm->device);
	strbuf_puts(to, "$|\",\"r|.*|\"] global_filter=[\"a|^");
	add_pattern(to, lvm->device);
	strbuf_puts(to, "$|\",\"r|.*|\"] } "
			"backup { backup=0 archive=0 } "
			"activation { udev_sync=0 udev_rules=0 verify_udev_operations=0 "
			"monitoring=0 retry_deactivation=1 ");
	if (lvm->read_only)
		strbuf_printf(to, "read_only_volume_list=[\"%s\"] ", lvm->read_only);
	strbuf_printf(to,
		      "} global { use_lvmlockd=0 use_lvmpolld=0 "
		      "locking_dir=\"/run/lock/lvm\" event_activation=0 notify_dbus=0 "
		      "system_id_source=\"none\" metadata_read_only=%d }",
		      lvm->read_only ? 1 : 0);
}

int lvm_run(const struct lvm *lvm, const char *const *argv, struct strbuf *out,
	    struct err *err)
{
	_cleanup_strbuf_ struct strbuf config = { 0 };
	const char *args[LVM_ARGS_MAX] = { "lvm", argv[0], "--config" };
	_cleanup_process_ struct process p = { .argv = args, .timeout_ns = LVM_TIMEOUT };
	size_t n = 4;
	int r;

	lvm_config(lvm, &config);
	args[3] = strbuf_str(&config);
	for (size_t i = 1; argv[i]; i++) {
		if (n + 1 >= LVM_ARGS_MAX)
			return err_set(err, -E2BIG, "too many arguments for lvm");
		args[n++] = argv[i];
	}
	io_make_dirs("/run/lock/lvm");
	r = process_run(&p, err);
	if (r == -ENOENT)
		return err_set(err, r, "the program lvm is not in this image");
	if (r < 0)
		return err_prefix(err, r, "lvm %s on %s", argv[0], lvm->device);
	if (out)
		strbuf_add(out, strbuf_str(&p.out), p.out.len);
	return 0;
}

static void add_doubled(struct strbuf *to, const char *name)
{
	for (; *name; name++)
		strbuf_printf(to, *name == '-' ? "--" : "%c", *name);
}

char *lvm_map_name(const char *vg, const char *lv)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };

	add_doubled(&b, vg);
	strbuf_puts(&b, "-");
	add_doubled(&b, lv);
	return strbuf_take(&b);
}

// Takes "a--b-c" apart into "a-b" and "c"; NULL when there is no single dash.
static char *split_map(const char *map, char **lv)
{
	char *vg = mem_strdup(map), *to = vg;

	*lv = NULL;
	for (const char *p = map; *p; p++) {
		*to++ = *p;
		if (*p != '-')
			continue;
		if (p[1] == '-') {
			p++;
		} else if (!*lv) {
			to[-1] = '\0';
			*lv = to;
		}
	}
	*to = '\0';
	if (*lv)
		return vg;
	free(vg);
	return NULL;
}

void lvm_remove_links(const char *map)
{
	char *lv, there[512];
	_cleanup_free_ char *vg = split_map(map, &lv);
	_cleanup_free_ char *dir = vg ? mem_printf("/dev/%s", vg) : NULL;
	_cleanup_free_ char *link = vg ? mem_printf("%s/%s", dir, lv) : NULL;
	_cleanup_free_ char *node = mem_printf("/dev/mapper/%s", map);
	ssize_t n = link ? readlink(link, there, sizeof(there)) : -1;

	if (n < 0 || (size_t)n != strlen(node) || memcmp(there, node, (size_t)n) != 0)
		return;
	unlink(link);
	rmdir(dir); // fails while other volumes are there
}

struct json_object *lvm_rows(const char *text, size_t len, const char *what,
			     struct err *err)
{
	_cleanup_json_ struct json_object *o = json_parse_text(text, len, err);
	struct json_object *reports = json_get(o, "report"), *rows;

	if (!o)
		return NULL;
	if (!json_object_is_type(reports, json_type_array) ||
	    json_object_array_length(reports) == 0) {
		err_set(err, -EBADMSG, "lvm printed JSON without a report");
		return NULL;
	}
	rows = json_get(json_object_array_get_idx(reports, 0), what);
	if (!json_object_is_type(rows, json_type_array)) {
		err_set(err, -EBADMSG, "lvm's report has no rows of \"%s\"", what);
		return NULL;
	}
	return json_object_get(rows);
}

int lvm_uint(const struct json_object *row, const char *key, uint64_t *ret)
{
	const char *text = json_get_str(row, key);

	return text ? number_uint(text, ret) : -EINVAL;
}

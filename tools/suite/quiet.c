// SPDX-License-Identifier: GPL-3.0-or-later
// Takes out of the machine what would disturb measurements.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <glob.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/quiet.h"

// Dirty memory at which writers are held back, and at which write-back starts. The
// kernel's defaults are parts of all memory, so that two machines would differ; these are
// the same wherever memory allows it.
#define DIRTY_MOST      (UINT64_C(256) << 20) // bytes, but at most the kernel's 20 %
#define BACKGROUND_MOST (UINT64_C(64) << 20)  // and 10 %

struct rule {
	const char *what, *pattern, *value, *why;
};

// "always [madvise] never" -> "madvise"
static char *chosen(char *line)
{
	char *open = line ? strchr(line, '[') : NULL;

	if (!open)
		return mem_strdup(line);
	return mem_strndup(open + 1, strcspn(open + 1, "]"));
}

static char *read_value(const char *path)
{
	_cleanup_free_ char *line = io_read_line("%s", path);

	return chosen(line);
}

static void apply(const struct rule *rule, const char *path, struct json_object *to)
{
	_cleanup_free_ char *before = read_value(path), *after = NULL;
	struct json_object *o;

	if (!before)
		return;
	if (strcmp(before, rule->value) != 0)
		io_write_file(path, rule->value);
	after = read_value(path);
	o = json_new();
	json_set_str(o, "what", rule->what);
	json_set_str(o, "file", path);
	json_set_str(o, "before", before);
	json_set_str(o, "after", after);
	json_set_bool(o, "done", after && strcmp(after, rule->value) == 0);
	json_set_str(o, "why", rule->why);
	json_append(to, o);
}

static void apply_all(const struct rule *rule, const char *root, struct json_object *to)
{
	_cleanup_free_ char *pattern = mem_printf("%s/%s", root, rule->pattern);
	glob_t found = { 0 };

	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			apply(rule, found.gl_pathv[i], to);
	globfree(&found);
}

static uint64_t total_memory(const char *root)
{
	_cleanup_free_ char *line = io_read_line("%s/proc/meminfo", root);
	unsigned long long kib = 0;

	return line && sscanf(line, "MemTotal: %llu kB", &kib) == 1 ? (uint64_t)kib << 10
								    : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct json_object *quiet_machine(const char *root)
{
	uint64_t memory = total_memory(root) & ~(uint64_t)0xfffff; // whole MiB
	_cleanup_free_ char *dirty =
		mem_printf("%" PRIu64, least(DIRTY_MOST, memory / 5));
	_cleanup_free_ char *background =
		mem_printf("%" PRIu64, least(BACKGROUND_MOST, memory / 10));
	const struct rule rules[] = {
		{ "CPU governor",
		  "sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
		  "performance",
		  "a CPU that starts slowly slows what is measured first" },
		{ "CPU energy preference",
		  "sys/devices/system/cpu/cpufreq/policy*/energy_performance_preference",
		  "performance", "the same, for CPUs that choose by themselves" },
		{ "huge pages", "sys/kernel/mm/transparent_hugepage/enabled", "never",
		  "khugepaged takes CPU time when it likes" },
		{ "same-page merging", "sys/kernel/mm/ksm/run", "0",
		  "ksmd takes CPU time when it likes" },
		{ "NUMA balancing", "proc/sys/kernel/numa_balancing", "0",
		  "it unmaps pages to see who uses them" },
		{ "dirty memory", "proc/sys/vm/dirty_bytes", dirty,
		  "the default is a part of all memory" },
		{ "dirty memory for write-back", "proc/sys/vm/dirty_background_bytes",
		  background, "the default is a part of all memory" },
	};
	struct json_object *list = json_new_array();

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (memory || !strstr(rules[i].pattern, "dirty"))
			apply_all(&rules[i], root, list);
	return list;
}

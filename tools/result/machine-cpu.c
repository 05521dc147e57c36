// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: processors, their frequency rules and throttle counters, NUMA.
#include <ctype.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/machine-moving.h"
#include "result/machine-private.h"

#define CPU_DIR "sys/devices/system/cpu"

static int64_t count_lines(const char *text, const char *key)
{
	int64_t n = 0;

	for (const char *l = text; l && *l; l = strchr(l, '\n'), l = l ? l + 1 : NULL)
		n += strncmp(l, key, strlen(key)) == 0;
	return n;
}

// Flags that decide how fast a cipher or a checksum can be, and which kernel fits.
static void set_flags(struct json_object *to, const char *flags)
{
	static const char *const wanted[] = {
		"aes",     "vaes",       "pclmulqdq", "vpclmulqdq",   "sha_ni",
		"sse2",    "ssse3",      "sse4_2",    "avx",          "avx2",
		"avx512f", "pae",        "lm",        "nx",           "rdrand",
		"rdseed",  "hypervisor", "tsc",       "constant_tsc", "nonstop_tsc",
	};
	_cleanup_free_ char *copy = mem_strdup(flags ? flags : "");
	struct json_object *array = json_new_array();
	char *save = NULL;

	for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
			if (strcmp(w, wanted[i]) == 0)
				json_append_str(array, w);
	json_set(to, "flags", array);
}

static void set_frequency(struct json_object *to, const char *root)
{
	static const struct {
		const char *key, *file;
	} rows[] = {
		{ "governor", "cpu0/cpufreq/scaling_governor" },
		{ "frequency_driver", "cpu0/cpufreq/scaling_driver" },
		{ "energy_preference", "cpu0/cpufreq/energy_performance_preference" },
		{ "pstate_intel", "intel_pstate/status" },
		{ "pstate_amd", "amd_pstate/status" },
		{ "no_turbo", "intel_pstate/no_turbo" },
		{ "boost", "cpufreq/boost" },
		{ "smt", "smt/control" },
		{ "online", "online" },
		{ "idle_driver", "cpuidle/current_driver" },
		{ "idle_governor", "cpuidle/current_governor" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path = mem_printf(CPU_DIR "/%s", rows[i].file);

		machine_set_line(to, rows[i].key, root, path);
	}
	machine_set_number(to, "max_frequency_khz", root,
			   CPU_DIR "/cpu0/cpufreq/cpuinfo_max_freq");
	machine_set_number(to, "min_frequency_khz", root,
			   CPU_DIR "/cpu0/cpufreq/cpuinfo_min_freq");
	machine_set_number(to, "max_allowed_khz", root,
			   CPU_DIR "/cpu0/cpufreq/scaling_max_freq");
}

static void add_node(const char *dir, const char *name, void *arg)
{
	_cleanup_free_ char *path = mem_printf("%s/cpulist", name);

	if (isdigit((unsigned char)name[4]))
		machine_set_line(arg, name, dir, path);
}

struct json_object *machine_cpu(const char *root)
{
	static const struct {
		const char *key, *field;
	} rows[] = {
		{ "model", "model name" },         { "vendor", "vendor_id" },
		{ "family", "cpu family" },        { "model_number", "model" },
		{ "stepping", "stepping" },        { "microcode", "microcode" },
		{ "physical_cores", "cpu cores" },
	};
	_cleanup_free_ char *flags = NULL;
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new(), *nodes = json_new();

	json_set_str(o, "from", "/proc/cpuinfo, /sys/devices/system/cpu");
	machine_read(root, "proc/cpuinfo", &text);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *value =
			machine_field(strbuf_str(&text), rows[i].field);

		if (value)
			json_set_str(o, rows[i].key, value);
	}
	json_set_int(o, "cpus", count_lines(strbuf_str(&text), "processor"));
	flags = machine_field(strbuf_str(&text), "flags");
	set_flags(o, flags);
	set_frequency(o, root);
	machine_each(root, "sys/devices/system/node", "node", add_node, nodes);
	json_set(o, "numa", nodes);
	return o;
}

struct moving {
	int64_t core, package; // throttle counts over all CPUs; -1: not told
	int64_t least, most;   // kHz now
};

static void add_up(int64_t *sum, int64_t value)
{
	if (value >= 0)
		*sum = (*sum < 0 ? 0 : *sum) + value;
}

static void add_cpu(const char *dir, const char *name, void *arg)
{
	struct moving *m = arg;
	int64_t khz;

	if (!isdigit((unsigned char)name[3]))
		return;
	add_up(&m->core, io_read_number(-1, "%s/%s/thermal_throttle/core_throttle_count",
					dir, name));
	add_up(&m->package,
	       io_read_number(-1, "%s/%s/thermal_throttle/package_throttle_count", dir,
			      name));
	khz = io_read_number(-1, "%s/%s/cpufreq/scaling_cur_freq", dir, name);
	if (khz > 0 && (m->least < 0 || khz < m->least))
		m->least = khz;
	if (khz > m->most)
		m->most = khz;
}

void machine_cpu_moving(const char *root, struct json_object *to)
{
	struct moving m = { -1, -1, -1, -1 };

	machine_each(root, CPU_DIR, "cpu", add_cpu, &m);
	if (m.core >= 0)
		json_set_int(to, "core_throttle_count", m.core);
	if (m.package >= 0)
		json_set_int(to, "package_throttle_count", m.package);
	if (m.least > 0) {
		json_set_int(to, "slowest_khz", m.least);
		json_set_int(to, "fastest_khz", m.most);
	}
	machine_set_line(to, "governor", root, CPU_DIR "/cpu0/cpufreq/scaling_governor");
}

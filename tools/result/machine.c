// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: what about this machine a result depends on.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "common/cmdline.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "result/machine-private.h"

#define CPUINFO_MAX (4u << 20) // bytes: hundreds of CPUs at a few KiB each

// A member from a one-line file; absent when there is no such file.
static void set_line(struct json_object *to, const char *key, const char *root,
		     const char *path)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", root, path);

	if (line && *line)
		json_set_str(to, key, line);
}

// The command line, less what might be a secret although secrets are refused there.
static void set_cmdline(struct json_object *to, const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/cmdline", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct cmdline c = { 0 };

	if (cmdline_load(&c, path) < 0)
		return;
	for (size_t i = 0; i < c.n; i++) {
		const char *value = c.items[i].value;

		if (value && cmdline_is_secret(c.items[i].key))
			value = "[removed]";
		strbuf_printf(&text, "%s%s", i ? " " : "", c.items[i].key);
		if (value)
			strbuf_printf(&text, strchr(value, ' ') ? "=\"%s\"" : "=%s",
				      value);
	}
	json_set_str(to, "cmdline", strbuf_str(&text));
	cmdline_done(&c);
}

static struct json_object *kernel(const char *root)
{
	struct json_object *o = json_new();

	json_set_str(o, "from", "/proc/version, /proc/cmdline");
	set_line(o, "version", root, "proc/version");
	set_line(o, "release", root, "proc/sys/kernel/osrelease");
	set_cmdline(o, root);
	return o;
}

// The value of "key : value" in the text; NULL when there is none. The caller frees.
static char *field(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *l = text; l && *l; l = strchr(l, '\n'), l += l != NULL) {
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

static int64_t count_lines(const char *text, const char *key)
{
	int64_t n = 0;

	for (const char *l = text; l && *l; l = strchr(l, '\n'), l += l != NULL)
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

static struct json_object *cpu(const char *root)
{
	static const struct {
		const char *key, *field;
	} rows[] = {
		{ "model", "model name" },         { "vendor", "vendor_id" },
		{ "family", "cpu family" },        { "model_number", "model" },
		{ "stepping", "stepping" },        { "microcode", "microcode" },
		{ "physical_cores", "cpu cores" },
	};
	_cleanup_free_ char *path = mem_printf("%s/proc/cpuinfo", root);
	_cleanup_free_ char *flags = NULL;
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new();

	json_set_str(o, "from", "/proc/cpuinfo, /sys/devices/system/cpu");
	if (io_read_file(path, &text, CPUINFO_MAX) < 0)
		return o;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *value = field(strbuf_str(&text), rows[i].field);

		if (value)
			json_set_str(o, rows[i].key, value);
	}
	json_set_int(o, "cpus", count_lines(strbuf_str(&text), "processor"));
	flags = field(strbuf_str(&text), "flags");
	set_flags(o, flags);
	set_line(o, "governor", root,
		 "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	set_line(o, "frequency_driver", root,
		 "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
	set_line(o, "max_frequency_khz", root,
		 "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
	set_line(o, "no_turbo", root, "sys/devices/system/cpu/intel_pstate/no_turbo");
	set_line(o, "boost", root, "sys/devices/system/cpu/cpufreq/boost");
	set_line(o, "smt", root, "sys/devices/system/cpu/smt/control");
	return o;
}

static void set_kib(struct json_object *to, const char *key, const char *text,
		    const char *name)
{
	_cleanup_free_ char *value = field(text, name);
	uint64_t kib;

	if (!value)
		return;
	value[strcspn(value, " ")] = '\0'; // "248684 kB"
	if (number_uint(value, &kib) == 0 && kib < UINT64_MAX / 1024)
		json_set_uint(to, key, kib * 1024);
}

static struct json_object *memory(const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/meminfo", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new();

	json_set_str(o, "from", "/proc/meminfo (what the kernel can use), in bytes");
	if (io_read_file(path, &text, CPUINFO_MAX) < 0)
		return o;
	set_kib(o, "total", strbuf_str(&text), "MemTotal");
	set_kib(o, "available", strbuf_str(&text), "MemAvailable");
	set_kib(o, "swap", strbuf_str(&text), "SwapTotal");
	return o;
}

static struct json_object *mitigations(const char *root)
{
	static const char folder[] = "sys/devices/system/cpu/vulnerabilities";
	_cleanup_free_ char *path = mem_printf("%s/%s", root, folder);
	struct json_object *o = json_new();
	struct dirent **names = NULL;
	int n = scandir(path, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		_cleanup_free_ char *file = mem_printf("%s/%s", folder, names[i]->d_name);

		if (names[i]->d_name[0] != '.')
			set_line(o, names[i]->d_name, root, file);
		free(names[i]);
	}
	free(names);
	return o;
}

// 1, 0, or -1 where there is no Secure Boot (BIOS).
static int secure_boot(const char *root)
{
	_cleanup_free_ char *path =
		mem_printf("%s/sys/firmware/efi/efivars/"
			   "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
			   root);
	_cleanup_strbuf_ struct strbuf value = { 0 };

	// Four bytes of attributes, then the value.
	if (io_read_file(path, &value, 64) < 0 || value.len < 5)
		return -1;
	return value.data[4] == 1;
}

static struct json_object *firmware(const char *root)
{
	static const struct {
		const char *key, *file;
	} rows[] = {
		{ "bios_vendor", "bios_vendor" },
		{ "bios_version", "bios_version" },
		{ "bios_date", "bios_date" },
		{ "vendor", "sys_vendor" },
		{ "product", "product_name" },
		{ "product_version", "product_version" },
		{ "serial", "product_serial" },
		{ "uuid", "product_uuid" },
		{ "board_vendor", "board_vendor" },
		{ "board", "board_name" },
	};
	_cleanup_free_ char *efi = mem_printf("%s/sys/firmware/efi", root);
	struct json_object *o = json_new();
	int secure = secure_boot(root);

	json_set_str(o, "from", "/sys/class/dmi/id, /sys/firmware/efi");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *value =
			io_read_line("%s/sys/class/dmi/id/%s", root, rows[i].file);

		if (value && *value)
			json_set_str(o, rows[i].key, value);
	}
	json_set_str(o, "boot", io_exists(efi) ? "efi" : "bios");
	if (secure >= 0)
		json_set_bool(o, "secure_boot", secure);
	return o;
}

static struct json_object *clock_record(const char *root)
{
	_cleanup_free_ char *suspect = mem_printf("%s" MACHINE_CLOCK_SUSPECT, root);
	struct json_object *o = json_new();
	char wall[21];

	clock_wall(wall);
	json_set_str(o, "from", "/sys/devices/system/clocksource");
	set_line(o, "source", root,
		 "sys/devices/system/clocksource/clocksource0/current_clocksource");
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
	json_set(o, "kernel", kernel(root));
	json_set(o, "cpu", cpu(root));
	json_set(o, "memory", memory(root));
	json_set(o, "mitigations", mitigations(root));
	json_set(o, "firmware", firmware(root));
	json_set(o, "clock", clock_record(root));
	return o;
}

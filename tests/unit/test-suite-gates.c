// SPDX-License-Identifier: GPL-3.0-or-later
// Gates: numbers that cannot be, ciphers without the CPU's help, disturbed runs. Rows of
// public reports are named by their symptom.
#include "sysroot.h"

#include "common/clock.h"
#include "suite/gate.h"
#include "suite/health.h"
#include "suite/quiet.h"
#include "suite/run.h"
#include "suite/watch.h"

static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_test test = { .name = (char[]){ "t" }, .engine = (char[]){ "fio" } };

static struct run passed(void)
{
	return (struct run){
		.arm = &arm,
		.test = &test,
		.outcome = OUTCOME_PASSED,
		.started_ns = CLOCK_SECOND,
		.ended_ns = 11 * CLOCK_SECOND,
		.detail = json_new(),
	};
}

static void rate(struct run *run, const char *name, double value)
{
	metric_add(&run->metrics, name, "B/s", BETTER_HIGHER, BOUND_EXACT, value);
}

// "name: words" of every gate (or flag), one a line.
static char *list(const struct json_object *array)
{
	struct strbuf all = { 0 };
	size_t n = array ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(array, i);

		strbuf_printf(&all, "%s: %s\n", json_get_str(o, "name"),
			      json_get_str(o, "words"));
	}
	return all.len ? strbuf_take(&all) : mem_strdup("");
}

// Exactly these, in this order, each a prefix of a line; "" for none.
static void has(const struct json_object *array, const char *want)
{
	_cleanup_free_ char *all = list(array), *copy = mem_strdup(want);
	const char *line = all;
	char *save = NULL;

	for (char *w = strtok_r(copy, "\n", &save); w; w = strtok_r(NULL, "\n", &save)) {
		if (!line || strncmp(line, w, strlen(w)) != 0)
			fail_msg("wanted \"%s\", have \"%s\"", want, all);
		line = strchr(line, '\n') + 1;
	}
	if (*line)
		fail_msg("wanted \"%s\", have \"%s\"", want, all);
}

// 5.6 GB/s on a USB disk, 500 MB/s on a stick.
static void faster_than_the_link(void **state)
{
	struct gate_facts f = { .link_rate = 60e6, .link_text = "USB 480 Mbit/s" };
	struct run run = passed();

	(void)state;
	rate(&run, "read", 5.6e9);
	rate(&run, "write", 59e6);
	rate(&run, "disk_cached", 9e9); // hdparm -T: memory, and it says so
	metric_add(&run.metrics, "read_iops", "1/s", BETTER_HIGHER, BOUND_EXACT, 9e9);
	gate_numbers(&run, &f);
	has(run.gates, "link: read = 5.60 GB/s is more than USB 480 Mbit/s carries "
		       "(60.0 MB/s)");
	has(run.flags, "");
	run_done(&run);
	run = passed();
	rate(&run, "read", 5.6e9);
	f.emulated = true; // a guest's link is only claimed
	gate_numbers(&run, &f);
	has(run.gates, "");
	has(run.flags, "link: ");
	run_done(&run);
	run = passed();
	rate(&run, "read", 5.6e9);
	f.link_rate = 0; // not known
	gate_numbers(&run, &f);
	has(run.flags, "");
	run_done(&run);
}

// Cache speed reported as the disk's.
static void cache_that_was_not_dropped(void **state)
{
	static const struct {
		uint64_t said, moved;
		bool known;
		const char *gates;
	} rows[] = {
		{ 512 << 20, 12 << 20, true,
		  "cache: fio says that it read 537 MB, but only 12.6 MB came to the "
		  "device" },
		{ 512 << 20, 0, true, "cache: " },
		{ 512 << 20, 300 << 20, true, "" }, // read-ahead's tail stays in memory
		{ 512 << 20, 0, false, "" },        // no block device below
		{ 1 << 20, 0, true, "" },           // too little to tell
		{ 0, 0, true, "" },                 // the tool does not say
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run run = passed();
		struct gate_facts f = { .moved_known = rows[i].known };

		run.read_bytes = rows[i].said;
		f.moved.read_bytes = rows[i].moved;
		gate_numbers(&run, &f);
		has(run.gates, rows[i].gates);
		run_done(&run);
	}
}

static void operations_in_no_time(void **state)
{
	static const struct gate_facts none;
	struct run run = passed();

	(void)state;
	run.too_quick = true;
	gate_numbers(&run, &none);
	has(run.gates, "cache: some operations took less than a microsecond");
	run_done(&run);
}

static void no_time_and_no_rate(void **state)
{
	static const struct gate_facts none;
	struct run run = passed();

	(void)state;
	run.ended_ns = run.started_ns;
	rate(&run, "read", 0);
	gate_numbers(&run, &none);
	has(run.gates, "zero-time: the run took\nzero-time: read = 0 B/s");
	run_done(&run);
	run = passed(); // blank rows, "0.00 KB/s": a run that failed has no numbers
	run.outcome = OUTCOME_FAILED;
	rate(&run, "read", 0);
	gate_numbers(&run, &none);
	has(run.gates, "");
	run_done(&run);
}

static void a_cpu_hog_is_named(void **state)
{
	_cleanup_json_ struct json_object *account = json_new();
	struct json_object *programs = json_new();
	struct gate_facts f = { .account = account, .cpu_known = true };
	struct run run = passed();

	(void)state;
	json_set_double(programs, "backup", 4.5);
	json_set_double(programs, "init", 0.01);
	json_set(account, "programs", programs);
	json_set_double(account, "programs_s", 4.51);
	gate_numbers(&run, &f);
	has(run.gates, "cpu-hog: the program backup used 4.50 s of CPU time in a run of "
		       "10.00 s");
	run_done(&run);
	run = passed();
	f.cpu_known = false; // without a cgroup the tool itself looks like one
	gate_numbers(&run, &f);
	has(run.gates, "");
	run_done(&run);
	run = passed();
	f.cpu_known = true;
	json_set_double(account, "programs_s", 0.19);
	gate_numbers(&run, &f);
	has(run.gates, "");
	run_done(&run);
}

#define ENTRY(name, driver, prio, refs)                                          \
	"name         : " name "\ndriver       : " driver                        \
	"\nmodule       : kernel\npriority     : " prio "\nrefcnt       : " refs \
	"\nselftest     : passed\ninternal     : no\ntype         : skcipher\n\n"
#define WITH_AES    "processor : 0\nflags : fpu aes avx\n"
#define WITHOUT_AES "processor : 0\nflags : fpu avx aesop\n"

static const struct {
	const char *crypto, *cpu, *spec, *gates, *flags;
} ciphers[] = {
	{ ENTRY("xts(aes)", "xts-aes-aesni", "401", "2"), WITH_AES, "aes-xts-plain64", "",
	  "" },
	// Software AES although the CPU has instructions for it.
	{ ENTRY("xts(aes)", "xts(ecb(aes-generic))", "100", "2"), WITH_AES,
	  "aes-xts-plain64",
	  "generic-cipher: xts(aes) is computed by xts(ecb(aes-generic))", "" },
	{ ENTRY("cbc(aes)", "cbc(ecb(aes-fixed-time))", "100", "2"), WITH_AES,
	  "aes-cbc-plain64", "generic-cipher: ", "" },
	{ ENTRY("cbc(aes)", "cbc(aes-fixed-time)", "100", "2"), WITH_AES, "aes",
	  "generic-cipher: ", "" },
	{ ENTRY("xts(aes)", "xts(ecb(aes-generic))", "100", "2"), WITHOUT_AES,
	  "aes-xts-plain64", "", "" }, // there is nothing better
	// Only the words about AES count.
	{ ENTRY("essiv(cbc(aes),sha256)", "essiv(cbc-aes-aesni,sha256-generic)", "401",
		"2"),
	  WITH_AES, "aes-cbc-essiv:sha256", "", "" },
	{ ENTRY("essiv(cbc(aes),sha256)", "essiv(cbc(aes-generic),sha256-generic)", "100",
		"2"),
	  WITH_AES, "aes-cbc-essiv:sha256", "generic-cipher: ", "" },
	// The better driver came after the mapping: the one that is used counts.
	{ ENTRY("xts(aes)", "xts-aes-aesni", "401", "1")
		  ENTRY("xts(aes)", "xts(ecb(aes-generic))", "100", "2"),
	  WITH_AES, "aes-xts-plain64", "generic-cipher: ", "" },
	{ ENTRY("xts(serpent)", "xts-serpent-avx", "500", "1")
		  ENTRY("xts(serpent)", "xts(ecb(serpent-generic))", "100", "2"),
	  WITH_AES, "serpent-xts-plain64", "",
	  "slow-cipher: xts(serpent) is computed by xts(ecb(serpent-generic)) although "
	  "the kernel has xts-serpent-avx" },
	{ ENTRY("xts(aes)", "xts-aes-aesni", "401", "2"), WITH_AES,
	  "capi:xts(aes)-plain64", "", "" },
	{ "", WITH_AES, "aes-xts-plain64", "", "unknown-cipher: " },
};

static void software_aes_is_bound_despite_instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ciphers); i++) {
		_cleanup_free_ char *text = mem_printf(
			"[{\"kind\":\"disk\"},{\"table\":[{\"target\":\"crypt\","
			"\"args\":\"%s - 0 8:1 0\"},{\"target\":\"linear\"}]}]",
			ciphers[i].spec);
		_cleanup_json_ struct json_object *layers =
			json_parse_text(text, strlen(text), NULL);
		struct run run = passed();

		sysroot_file("proc/crypto", ciphers[i].crypto);
		sysroot_file("proc/cpuinfo", ciphers[i].cpu);
		gate_ciphers(&run, layers, sysroot);
		has(run.gates, ciphers[i].gates);
		has(run.flags, ciphers[i].flags);
		assert_string_equal(
			json_get_str(json_object_array_get_idx(
					     json_get(run.detail, "crypto"), 0),
				     "spec"),
			ciphers[i].spec);
		run_done(&run);
	}
}

#define RUN(arm, stack, value)                                                        \
	"{\"kind\":\"run\",\"outcome\":\"passed\",\"arm\":\"" arm                     \
	"\",\"stack\":\"" stack "\",\"test\":\"t\",\"metrics\":[{\"name\":\"read\","  \
	"\"unit\":\"B/s\",\"better\":\"higher\",\"bound\":\"exact\",\"value\":" value \
	"}]}"

// "Encrypted reads are faster."
static void faster_than_the_bare_disk(void **state)
{
	static const char text[] =
		"[" RUN("raw", "disk", "100e6") "," RUN("raw", "disk", "104e6") "," RUN(
			"c", "disk/luks2",
			"109e6") "," RUN("c", "disk/luks2",
					 "110e6") "," RUN("c", "disk/luks2", "900e6") "]";
	_cleanup_json_ struct json_object *runs =
		json_parse_text(text, sizeof(text) - 1, NULL);

	(void)state;
	gate_campaign(runs);
	for (size_t i = 0; i < 5; i++) {
		struct json_object *o = json_object_array_get_idx(runs, i);

		has(json_get(o, "gates"),
		    i == 4 ? "raw: read = 900 MB/s is faster than the bare disk (at "
			     "most 104 MB/s)"
			   : "");
		has(json_get(o, "flags"), i == 3 ? "raw: read = 110 MB/s" : "");
	}
}

#define DISKSTATS                                                     \
	"   8       0 sda 100 0 2000 5 10 0 80 4 0 9 9 0 0 0 0 0 0\n" \
	"   8       1 sda1 90 0 1000 5 10 0 80 4 0 9 9 0 0 0 0 0 0\n" \
	"   8      16 sdb %s 0 0 0 0 0 0\n 253 0 dm-0 1 0 8 0 0 0 0 0 0 1 1\nbad\n"

static void put_machine(const char *sdb, const char *swapped, const char *throttles,
			const char *online, const char *action)
{
	_cleanup_free_ char *disks = mem_printf(DISKSTATS, sdb);
	_cleanup_free_ char *vm = mem_printf(
		"nr_dirty 10\nnr_writeback 0\npswpin %s\npswpout 0\n", swapped);

	sysroot_file("proc/diskstats", disks);
	sysroot_file("proc/vmstat", vm);
	sysroot_file("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
		     throttles);
	sysroot_file("sys/class/power_supply/AC/type", "Mains\n");
	sysroot_file("sys/class/power_supply/AC/online", online);
	sysroot_file("sys/class/power_supply/BAT0/type", "Battery\n");
	sysroot_file("sys/class/power_supply/BAT0/status", "Discharging\n");
	sysroot_file("sys/block/md0/md/sync_action", action);
	sysroot_file("sys/class/block/sda1/partition", "1\n");
}

static void compared(struct run *run, const char *const *own)
{
	struct watch before, after;

	watch_take(&before, sysroot);
	put_machine("9 0 90000 1 1 0 8 1 0 1 1", "44", "7", "0", "resync\n");
	watch_take(&after, sysroot);
	before.wall_offset_ns -= 5 * (int64_t)CLOCK_SECOND;
	watch_compare(run, &before, &after, own, sysroot);
	watch_done(&before);
	watch_done(&after);
}

static void everything_that_disturbs_is_named(void **state)
{
	static const char *const own[] = { "sda", "sda1", "dm-0", NULL };
	struct run run = passed();

	(void)state;
	put_machine("1 0 8 1 1 0 8 1 0 1 1", "40", "5", "1", "idle\n");
	compared(&run, own);
	has(run.gates, "other-disk: sdb, which is not part of this arm, moved 46.1 MB\n"
		       "swap: 4 pages were swapped\n"
		       "throttled: the CPU was throttled 2 times\n"
		       "clock: the wall clock was set by +5.0\n"
		       "power: the machine went from mains to battery\n"
		       "resync: an array was resynchronising: md0 (resync)");
	has(run.flags, "");
	assert_non_null(json_get(json_get(run.detail, "devices"), "dm-0"));
	assert_non_null(json_get(json_get(run.detail, "other_disks"), "sdb"));
	run_done(&run);
}

// Lower writes on battery.
static void battery_all_the_time_is_a_flag(void **state)
{
	static const char *const own[] = { "sda", "sda1", "dm-0", "sdb", NULL };
	struct watch w;
	struct run run = passed();

	(void)state;
	put_machine("1 0 8 1 1 0 8 1 0 1 1", "0", "0", "0", "idle\n");
	watch_take(&w, sysroot);
	watch_compare(&run, &w, &w, own, sysroot);
	has(run.gates, "");
	has(run.flags, "power: the machine runs on battery");
	run_done(&run);
	w.dirty = UINT64_C(100) << 20;
	run = passed();
	watch_compare(&run, &w, &w, own, sysroot);
	has(run.gates, "writeback: 105 MB of others' data");
	run_done(&run);
	watch_done(&w);
}

static void put_le(unsigned char *to, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)(v >> (8 * i));
}

static struct json_object *ata_health(unsigned crc, unsigned celsius)
{
	static const unsigned ids[] = { 5, 9, 194, 199, 241 };
	uint64_t raw[] = { 1, 1234, 0x2d00170000u | celsius, crc, 77 };
	unsigned char data[512] = { 0x10 }, sum = 0;
	struct json_object *o = json_new();

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		data[2 + 12 * i] = (unsigned char)ids[i];
		put_le(data + 2 + 12 * i + 5, raw[i], 6);
	}
	for (size_t i = 0; i < 511; i++)
		sum = (unsigned char)(sum + data[i]);
	assert_int_equal(health_parse_ata(data, o), -EBADMSG);
	data[511] = (unsigned char)(0x100 - sum);
	assert_int_equal(health_parse_ata(data, o), 0);
	return o;
}

static void damage_during_a_run(void **state)
{
	_cleanup_json_ struct json_object *before = json_new(), *after = json_new();
	struct json_object *sda = ata_health(3, 41);
	unsigned char log[512] = { 0 };
	struct run run = passed();

	(void)state;
	assert_int_equal(json_get_int(sda, "celsius", 0), 41);
	assert_int_equal(json_get_int(sda, "hours", 0), 1234);
	assert_int_equal(json_get_int(sda, "crc_errors", 0), 3);
	json_set(before, "sda", sda);
	json_set(after, "sda", ata_health(5, 43));
	put_le(log + 1, 273 + 52, 2);
	put_le(log + 48, 2, 8);
	put_le(log + 192, 9, 4);
	json_set(before, "nvme0n1", json_new());
	json_set(after, "nvme0n1", json_new());
	health_parse_nvme(log, json_get(after, "nvme0n1"));
	assert_int_equal(json_get_int(json_get(after, "nvme0n1"), "celsius", 0), 52);
	assert_float_equal(
		json_get_double(json_get(after, "nvme0n1"), "written_bytes", 0), 1024000,
		0);
	health_compare(&run, before, after);
	has(run.gates, "media: sda counted during the run: 2 more transfers failed");
	has(run.flags, "hot: nvme0n1 was above its temperature limit");
	run_done(&run);
	run = passed();
	health_compare(&run, NULL, after);
	has(run.gates, "");
	run_done(&run);
}

static const char *quietened(struct json_object *rules, const char *what)
{
	for (size_t i = 0; i < json_object_array_length(rules); i++) {
		struct json_object *o = json_object_array_get_idx(rules, i);

		if (strcmp(json_get_str(o, "what"), what) == 0)
			return json_line(o);
	}
	return "";
}

static void what_is_removed_is_shown_removed(void **state)
{
	_cleanup_json_ struct json_object *rules = NULL;

	(void)state;
	sysroot_file("proc/meminfo", "MemTotal:        4194304 kB\n");
	sysroot_file("proc/sys/vm/dirty_bytes", "0\n");
	sysroot_file("sys/kernel/mm/ksm/run", "1\n");
	sysroot_file("sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
		     "powersave\n");
	sysroot_file("sys/devices/system/cpu/cpufreq/policy1/scaling_governor",
		     "performance\n");
	rules = quiet_machine(sysroot);
	assert_int_equal(json_object_array_length(rules), 4);
	assert_non_null(strstr(quietened(rules, "dirty memory"),
			       "\"before\":\"0\",\"after\":\"268435456\",\"done\":true"));
	assert_non_null(strstr(quietened(rules, "same-page merging"),
			       "\"before\":\"1\",\"after\":\"0\",\"done\":true"));
	assert_non_null(strstr(quietened(rules, "CPU governor"), "\"powersave\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faster_than_the_link),
		cmocka_unit_test(cache_that_was_not_dropped),
		cmocka_unit_test(operations_in_no_time),
		cmocka_unit_test(no_time_and_no_rate),
		cmocka_unit_test(a_cpu_hog_is_named),
		cmocka_unit_test_setup_teardown(
			software_aes_is_bound_despite_instructions, sysroot_new,
			sysroot_done),
		cmocka_unit_test(faster_than_the_bare_disk),
		cmocka_unit_test_setup_teardown(everything_that_disturbs_is_named,
						sysroot_new, sysroot_done),
		cmocka_unit_test_setup_teardown(battery_all_the_time_is_a_flag,
						sysroot_new, sysroot_done),
		cmocka_unit_test(damage_during_a_run),
		cmocka_unit_test_setup_teardown(what_is_removed_is_shown_removed,
						sysroot_new, sysroot_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

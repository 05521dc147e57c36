// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU account: who is counted as what, and recorded machines before and after.
#include "sysroot.h"

#include "suite/cpu.h"

static const struct {
	const char *thread, *family;
} families[] = {
	{ "kworker/u4:1-kcryptd-253:0", "kcryptd" },
	{ "kworker/u4:1+kcryptd-253:0", "kcryptd" },
	{ "kworker/3:0-kcryptd_io-253:12", "kcryptd_io" },
	{ "kworker/u8:3+flush-8:0", "flush" },
	{ "kworker/0:1H-kblockd", "kblockd" },
	{ "kworker/u4:2-events_unbound", "events_unbound" },
	{ "kworker/u4:2", "kworker/u" }, // Linux before 4.18
	{ "kworker/1:2", "kworker" },
	{ "kworker/R-kcryptd-253:0", "kcryptd" }, // a rescuer, since Linux 6.9
	{ "dmcrypt_write/253:0", "dmcrypt_write" },
	{ "dmcrypt_write/2", "dmcrypt_write" },
	{ "md0_raid10", "md" },
	{ "md127_raid6", "md" },
	{ "md0_resync", "md" },
	{ "mdadm", "mdadm" },
	{ "loop12", "loop" },
	{ "jbd2/dm-0-8", "jbd2" },
	{ "xfsaild/dm-3", "xfsaild" },
	{ "ksoftirqd/1", "ksoftirqd" },
	{ "kswapd0", "kswapd" },
	{ "scsi_eh_12", "scsi_eh" },
	{ "irq/24-nvme0q1", "irq" },
	{ "ext4lazyinit", "ext4lazyinit" },
	{ "7", "7" },
	{ "", "" },
};

static void threads_are_counted_by_family(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		char name[CPU_TASK_NAME];

		cpu_task_class(families[i].thread, name);
		if (strcmp(name, families[i].family) != 0)
			fail_msg("%s: %s, not %s", families[i].thread, name,
				 families[i].family);
	}
}

#define TAIL                                                                             \
	" 20 0 1 0 %d 0 0 18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 17 0 0 " \
	"0"                                                                              \
	" 0 0 0 0 0 0 0 0 0 0 0\n"
#define KTHREAD "S 2 0 0 0 -1 69238880 0 0 0 0 "
#define PROGRAM "R 1 12 12 0 -1 4194560 88 0 0 0 "

static void names_may_hold_anything(void **state)
{
	struct cpu_task t;

	(void)state;
	assert_int_equal(cpu_task_parse("17 (a) S (b) " KTHREAD "5 7 0 0"
					" 20 0 1 0 99 0 0",
					&t),
			 0);
	assert_int_equal(t.pid, 17);
	assert_string_equal(t.name, "a) S (b");
	assert_true(t.kernel);
	assert_int_equal(t.ticks, 12);
	assert_int_equal(t.start, 99);
	assert_true(cpu_task_parse("17 (bash) S 1 2 3", &t) < 0);
	assert_true(cpu_task_parse("bash", &t) < 0);
	assert_true(cpu_task_parse("1 )(", &t) < 0);
	assert_true(cpu_task_parse("", &t) < 0);
}

static void times_of_old_and_new_kernels(void **state)
{
	struct cpu_times t;

	(void)state;
	assert_int_equal(cpu_times_parse("cpu  10 20 30 40 50 60 70 80 9 9\n"
					 "cpu0 1 1 1 1 1 1 1 1 1 1\ncpu1 1 1 1\n"
					 "intr 500 1 2 3\nctxt 600\nbtime 7\n"
					 "processes 900\n",
					 &t),
			 0);
	assert_int_equal(t.user + t.nice + t.system, 60);
	assert_int_equal(t.idle, 40);
	assert_int_equal(t.steal, 80);
	assert_int_equal(t.cpus, 2);
	assert_int_equal(t.interrupts, 500);
	assert_int_equal(t.switches, 600);
	assert_int_equal(t.forks, 900);
	assert_int_equal(cpu_times_parse("cpu 1 2 3 4\ncpu0 1 2 3 4\n", &t), 0);
	assert_int_equal(t.softirq, 0);
	assert_true(cpu_times_parse("intr 5\n", &t) < 0);
	assert_true(cpu_times_parse("", &t) < 0);
}

// Two CPUs for 10 s, of which 12 s were idle, 1 s waited, 2 s were taken by a hypervisor.
static void busy_is_what_was_not_idle(void **state)
{
	double tick = (double)sysconf(_SC_CLK_TCK);
	struct cpu_times a = { .idle = 1000, .iowait = 50, .steal = 7, .cpus = 2 };
	struct cpu_times b = a;

	(void)state;
	b.idle += (uint64_t)(12 * tick);
	b.iowait += (uint64_t)tick;
	b.steal += (uint64_t)(2 * tick);
	assert_float_equal(cpu_busy_seconds(&a, &b, 10), 5, 0.001);
	assert_float_equal(cpu_busy_seconds(&a, &b, 5), 0, 0.001); // clocks disagree
	b.iowait = 0;                                              // it may run backwards
	assert_float_equal(cpu_busy_seconds(&a, &b, 10), 6, 0.6);
}

static void put_task(int pid, const char *name, bool kernel, unsigned ticks, int start)
{
	_cleanup_free_ char *path = mem_printf("proc/%d/stat", pid);
	_cleanup_free_ char *head = mem_printf("%d (%s) %s0 %u 0 0", pid, name,
					       kernel ? KTHREAD : PROGRAM, ticks);
	_cleanup_free_ char *tail = mem_printf(TAIL, start);
	_cleanup_free_ char *line = mem_printf("%s%s", head, tail);

	sysroot_file(path, line);
}

static void put_schedstat(int pid, const char *text)
{
	_cleanup_free_ char *path = mem_printf("proc/%d/schedstat", pid);

	sysroot_file(path, text);
}

static double member(struct json_object *o, const char *list, const char *name)
{
	return json_get_double(json_get(o, list), name, -1);
}

static void begin_recorded(struct cpu_account *a)
{
	static char cgroup[80];

	cpu_root = sysroot;
	snprintf(cgroup, sizeof(cgroup), "%s/cg", sysroot);
	sysroot_file("proc/stat", "cpu  0 0 0 0 0 0 0\ncpu0 0 0 0 0\nintr 10\n");
	sysroot_file("cg/cgroup.procs", "");
	put_task(20, "kworker/u4:1-events_unbound", true, 100, 1);
	put_schedstat(20, "1000000000 5 5\n");
	put_task(21, "dmcrypt_write/253:0", true, 10, 1);
	put_task(22, "kworker/0:1-events", true, 50, 1);
	put_task(30, "init", false, 5, 1);
	cpu_begin(a, cgroup);
}

// The worker has changed its name, one thread ended, one pid was given to another, the
// benchmark came, and so did a program that nobody asked for.
static void who_spent_it(void **state)
{
	static const struct cpu_baseline none;
	struct cpu_account a;
	_cleanup_json_ struct json_object *o = NULL;

	(void)state;
	begin_recorded(&a);
	sysroot_file("cg/cgroup.procs", "40\n");
	put_task(20, "kworker/u4:1+kcryptd-253:0", true, 100, 1);
	put_schedstat(20, "3500000000 5 5\n");
	put_task(21, "dmcrypt_write/253:0", true, 60, 1);
	put_task(22, "md0_raid1", true, 40, 700); // pid 22 is another one now
	put_task(40, "fio", false, 1000, 800);
	put_task(41, "hog", false, 300, 800);
	sysroot_file("proc/stat", "cpu  0 0 0 0 0 20 30\ncpu0 0 0 0 0\nintr 77\n");
	o = cpu_end(&a, 10.0, &none);
	assert_non_null(o);
	assert_float_equal(member(o, "threads", "kcryptd"), 2.5, 1e-6); // to the ns
	assert_float_equal(member(o, "threads", "dmcrypt_write"), 0.5, 1e-6);
	assert_float_equal(member(o, "threads", "md"), 0.4, 1e-6);
	assert_float_equal(member(o, "threads", "events"), -1, 0);
	assert_float_equal(member(o, "programs", "hog"), 3, 1e-6);
	assert_float_equal(member(o, "programs", "fio"), -1, 0);
	assert_float_equal(member(o, "programs", "init"), -1, 0);
	assert_float_equal(json_get_double(o, "threads_s", 0), 3.4, 1e-6);
	assert_float_equal(json_get_double(o, "programs_s", 0), 3, 1e-6);
	assert_float_equal(json_get_double(o, "benchmark_s", 0), 10, 0);
	assert_float_equal(json_get_double(o, "irq_s", 0), 0.2, 1e-6);
	assert_float_equal(json_get_double(o, "softirq_s", 0), 0.3, 1e-6);
	assert_int_equal(json_get_int(o, "interrupts", 0), 67);
	assert_int_equal(json_get_int(o, "ended_threads", 0), 1);
	assert_false(a.lazy_init);
	cpu_done(&a);
}

// Encryption ran all the time; at the end the worker wrote something back.
static void a_worker_is_counted_for_what_it_did_in_the_run(void **state)
{
	static const struct cpu_baseline none;
	struct cpu_account a;
	_cleanup_json_ struct json_object *o = NULL;

	(void)state;
	begin_recorded(&a);
	put_task(20, "kworker/u4:1+kcryptd-253:0", true, 100, 1);
	put_schedstat(20, "3000000000 5 5\n");
	cpu_look(&a);
	put_task(20, "kworker/u4:1-flush-8:0", true, 100, 1);
	put_schedstat(20, "3500000000 5 5\n");
	cpu_look(&a); // too soon: a look may not cost what it measures
	o = cpu_end(&a, 0, &none);
	assert_int_equal(json_get_int(o, "looks", 0), 3);
	assert_float_equal(member(o, "threads", "kcryptd"), 2.5, 1e-6);
	assert_float_equal(member(o, "threads", "flush"), -1, 0);
	cpu_done(&a);
}

static void lazy_initialisation_is_seen(void **state)
{
	static const struct cpu_baseline none;
	struct cpu_account a;

	(void)state;
	begin_recorded(&a);
	put_task(50, "ext4lazyinit", true, 1, 900);
	json_object_put(cpu_end(&a, 0, &none));
	assert_true(a.lazy_init);
	cpu_done(&a);
}

static void without_proc_there_is_no_account(void **state)
{
	static const struct cpu_baseline none;
	struct metric_list list = { 0 };
	struct cpu_account a;

	(void)state;
	cpu_root = "/nonexistent";
	cpu_begin(&a, NULL);
	cpu_look(&a);
	assert_null(cpu_end(&a, 1, &none));
	cpu_metrics(NULL, 1 << 30, &list);
	assert_int_equal(list.n, 0);
	cpu_done(&a);
}

static void metrics_per_gib(void **state)
{
	_cleanup_json_ struct json_object *o = json_new();
	struct metric_list list = { 0 };

	(void)state;
	json_set_double(o, "net_s", 3);
	cpu_metrics(o, UINT64_C(1) << 31, &list);
	assert_float_equal(metric_find(&list, "cpu")->value, 3, 0);
	assert_string_equal(metric_find(&list, "cpu")->unit, "s");
	assert_float_equal(metric_find(&list, "cpu_per_gib")->value, 1.5, 1e-9);
	assert_string_equal(metric_find(&list, "cpu_per_gib")->unit, "s/GiB");
	assert_int_equal(metric_find(&list, "cpu_per_gib")->better, BETTER_LOWER);
	metric_list_done(&list);
	cpu_metrics(o, 4096, &list); // nothing was moved: no rate
	assert_null(metric_find(&list, "cpu_per_gib"));
	metric_list_done(&list);
}

// This very process spins for a known time: the account of the live machine holds it.
static void the_live_machine_is_counted(void **state)
{
	static const struct cpu_baseline none;
	struct cpu_account a;
	_cleanup_json_ struct json_object *o = NULL;
	volatile unsigned spin = 0;
	double own;

	(void)state;
	cpu_root = "";
	cpu_begin(&a, NULL);
	while (spin < 200u << 20)
		spin++;
	o = cpu_end(&a, -1, &none);
	own = json_get_double(o, "assay_s", 0);
	assert_true(own > 0.01);
	// other work on this host can only add; a tick and the looks are the error
	assert_true(json_get_double(o, "total_s", 0) > own * 0.7 - 0.03);
	assert_true(json_get_int(o, "looks", 0) == 2);
	cpu_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_counted_by_family),
		cmocka_unit_test(names_may_hold_anything),
		cmocka_unit_test(times_of_old_and_new_kernels),
		cmocka_unit_test(busy_is_what_was_not_idle),
		cmocka_unit_test_setup_teardown(who_spent_it, sysroot_new, sysroot_done),
		cmocka_unit_test_setup_teardown(
			a_worker_is_counted_for_what_it_did_in_the_run, sysroot_new,
			sysroot_done),
		cmocka_unit_test_setup_teardown(lazy_initialisation_is_seen, sysroot_new,
						sysroot_done),
		cmocka_unit_test(without_proc_there_is_no_account),
		cmocka_unit_test(metrics_per_gib),
		cmocka_unit_test(the_live_machine_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

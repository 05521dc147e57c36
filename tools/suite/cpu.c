// SPDX-License-Identifier: GPL-3.0-or-later
// CPU truth: the account of one run.
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "suite/cpu-ledger.h"

#define GIB        ((double)(1 << 30))
#define LEAST_MOVE ((uint64_t)1 << 20) // bytes; below that a rate per GiB says nothing
#define STAT_MAX   ((size_t)1 << 20)   // of /proc/stat: a line per CPU and one of IRQs

// A look may cost one part in so many of the time: what measures must not be measured.
#define LOOK_COST   400
#define LOOK_LEAST  (CLOCK_SECOND / 2) // at the kernel's workers
#define FULL_LEAST  (2 * CLOCK_SECOND) // at all tasks
#define SHARES_KEPT 20

const char *cpu_root = "";

static double tick(void)
{
	return 1.0 / (double)sysconf(_SC_CLK_TCK);
}

static double seconds(uint64_t ns)
{
	return (double)ns / CLOCK_SECOND;
}

static uint64_t used(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * CLOCK_SECOND +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

static int read_times(struct cpu_times *ret, uint64_t *at_ns)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/stat", cpu_root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int r;

	*at_ns = clock_mono_ns();
	r = io_read_file(path, &text, STAT_MAX);
	return r < 0 ? r : cpu_times_parse(strbuf_str(&text), ret);
}

// The difference of two readings, in seconds; a counter that ran backwards (iowait may)
// counts as still.
static double since(uint64_t now, uint64_t then)
{
	return now > then ? (double)(now - then) * tick() : 0;
}

static double busy_ticks(const struct cpu_times *a, const struct cpu_times *b)
{
	return since(b->user + b->nice + b->system + b->irq + b->softirq,
		     a->user + a->nice + a->system + a->irq + a->softirq);
}

void cpu_baseline_measure(uint64_t duration_ns, struct cpu_baseline *ret)
{
	const struct timespec pause = {
		.tv_sec = (time_t)(duration_ns / CLOCK_SECOND),
		.tv_nsec = (long)(duration_ns % CLOCK_SECOND),
	};
	struct cpu_times a, b;
	uint64_t start, end, own = used(RUSAGE_SELF);
	double rate;

	*ret = (struct cpu_baseline){ 0 };
	if (!duration_ns || read_times(&a, &start) < 0)
		return;
	nanosleep(&pause, NULL);
	if (read_times(&b, &end) < 0 || end <= start)
		return;
	ret->seconds = seconds(end - start);
	rate = (cpu_busy_seconds(&a, &b, ret->seconds) -
		seconds(used(RUSAGE_SELF) - own)) /
	       ret->seconds;
	ret->rate = rate > 0 ? rate : 0;
	ret->error = tick() / ret->seconds;
}

struct json_object *cpu_baseline_json(const struct cpu_baseline *b)
{
	struct json_object *o = json_new();

	json_set_str(o, "from", "/proc/stat, before the first run, nothing else running");
	json_set_double(o, "cpus_busy", b->rate);
	json_set_double(o, "error", b->error);
	json_set_double(o, "measured_s", b->seconds);
	return o;
}

void cpu_begin(struct cpu_account *a, const char *cgroup)
{
	*a = (struct cpu_account){ .cgroup = cgroup };
	a->bad = cpu_ledger_look(a, false) < 0;
	a->next_full_ns = clock_mono_ns() + FULL_LEAST;
	a->own_ns = used(RUSAGE_SELF);
	a->children_ns = used(RUSAGE_CHILDREN);
	if (read_times(&a->first, &a->first_ns) < 0)
		a->bad = true;
}

// When to look again after a look that took from `start` to now.
static uint64_t again(uint64_t start, uint64_t least)
{
	uint64_t end = clock_mono_ns(), pause = (end - start) * LOOK_COST;

	return end + (pause > least ? pause : least);
}

void cpu_look(struct cpu_account *a)
{
	uint64_t now = clock_mono_ns();

	if (a->bad || now < a->next_ns)
		return;
	if (now >= a->next_full_ns) {
		cpu_ledger_look(a, true);
		a->next_full_ns = again(now, FULL_LEAST);
	} else {
		cpu_ledger_look_at_workers(a);
	}
	a->next_ns = again(now, LOOK_LEAST);
}

static int by_time(const void *a, const void *b)
{
	const struct cpu_share *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

// Lists the shares of one kind, the largest first; returns their sum.
static double list_shares(const struct cpu_account *a, bool kernel,
			  struct json_object *to, const char *key)
{
	struct json_object *list = json_new();
	double sum = 0;

	for (size_t i = 0; i < a->n_shares; i++) {
		const struct cpu_share *s = &a->shares[i];

		if (s->kernel != kernel)
			continue;
		sum += seconds(s->ns);
		if (s->ns && json_object_object_length(list) < SHARES_KEPT)
			json_set_double(list, s->name, seconds(s->ns));
	}
	json_set(to, key, list);
	return sum;
}

static void describe(struct json_object *o, const struct cpu_account *a,
		     const struct cpu_times *last)
{
	json_set_uint(o, "interrupts", last->interrupts - a->first.interrupts);
	json_set_uint(o, "context_switches", last->switches - a->first.switches);
	json_set_uint(o, "forks", last->forks - a->first.forks);
	json_set_uint(o, "cpus", last->cpus);
	json_set_double(o, "resolution_s", tick());
	json_set_uint(o, "looks", a->looks);
	json_set_uint(o, "ended_threads", a->ended);
	json_set_str(o, "from",
		     "/proc/stat, its cgroup, /proc/PID/schedstat; a kworker counts for "
		     "the queue it was seen at");
}

struct json_object *cpu_end(struct cpu_account *a, double benchmark_s,
			    const struct cpu_baseline *b)
{
	struct cpu_times last = { 0 };
	uint64_t end = 0;
	double elapsed, total, base, own, net, irq, softirq, threads, programs;
	struct json_object *o;

	if (a->bad || read_times(&last, &end) < 0)
		return NULL;
	own = seconds(used(RUSAGE_SELF) - a->own_ns);
	if (benchmark_s < 0)
		benchmark_s = seconds(used(RUSAGE_CHILDREN) - a->children_ns);
	cpu_ledger_look(a, false);
	if (a->n_shares)
		qsort(a->shares, a->n_shares, sizeof(*a->shares), by_time);
	o = json_new();
	elapsed = seconds(end - a->first_ns);
	total = cpu_busy_seconds(&a->first, &last, elapsed);
	base = b->rate * elapsed;
	net = total - base - own;
	irq = since(last.irq, a->first.irq);
	softirq = since(last.softirq, a->first.softirq);
	json_set_double(o, "net_s", net > 0 ? net : 0);
	json_set_double(o, "error_s", tick() + b->error * elapsed);
	json_set_double(o, "total_s", total);
	json_set_double(o, "ticks_s", busy_ticks(&a->first, &last));
	json_set_double(o, "baseline_s", base);
	json_set_double(o, "assay_s", own);
	json_set_double(o, "elapsed_s", elapsed);
	json_set_double(o, "benchmark_s", benchmark_s);
	threads = list_shares(a, true, o, "threads");
	programs = list_shares(a, false, o, "programs");
	json_set_double(o, "threads_s", threads);
	json_set_double(o, "programs_s", programs);
	json_set_double(o, "irq_s", irq);
	json_set_double(o, "softirq_s", softirq);
	json_set_double(o, "unattributed_s",
			total - own - benchmark_s - threads - programs - irq - softirq);
	json_set_double(o, "iowait_s", since(last.iowait, a->first.iowait));
	json_set_double(o, "steal_s", since(last.steal, a->first.steal));
	describe(o, a, &last);
	return o;
}

void cpu_metrics(const struct json_object *account, uint64_t bytes,
		 struct metric_list *to)
{
	double net = json_get_double(account, "net_s", -1);

	if (net < 0)
		return;
	metric_add(to, "cpu", "s", BETTER_LOWER, BOUND_EXACT, net);
	if (bytes >= LEAST_MOVE)
		metric_add(to, "cpu_per_gib", "s/GiB", BETTER_LOWER, BOUND_EXACT,
			   net / ((double)bytes / GIB));
}

void cpu_done(struct cpu_account *a)
{
	free(a->known);
	free(a->shares);
	*a = (struct cpu_account){ 0 };
}

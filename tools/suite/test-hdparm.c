// SPDX-License-Identifier: GPL-3.0-or-later
// Engine hdparm: sequential reads of the raw disk and of the top of the stack.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "suite/engines.h"
#include "suite/hdparm-text.h"
#include "suite/run.h"

static const struct param_spec params[] = {
	{ .key = "direct",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "read past the page cache (hdparm --direct)" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static const struct hdparm_timing *find(const struct hdparm_timing *t, size_t n,
					bool cached)
{
	for (size_t i = 0; i < n; i++)
		if (t[i].cached == cached && t[i].rate > 0)
			return &t[i];
	return NULL;
}

static void add_one(struct run *run, const char *where, const char *what,
		    const struct hdparm_timing *t)
{
	_cleanup_free_ char *name = mem_printf("%s_%s", where, what);

	metric_add(&run->metrics, name, "B/s", BETTER_HIGHER, BOUND_EXACT, t->rate);
}

// The first line on stderr: hdparm complains of ioctls that NVMe, dm and md do not have
// and then measures all the same.
static char *complaint(const struct process *p)
{
	return mem_strndup(strbuf_str(&p->err_out),
			   strcspn(strbuf_str(&p->err_out), "\r\n"));
}

// Times one device. False when there is no number; the run is then ended.
static bool time_device(struct run *run, const char *where, const char *path, bool direct)
{
	const char *argv[] = { "hdparm", "-tT", direct ? "--direct" : path,
			       direct ? path : NULL, NULL };
	_cleanup_free_ char *raw = mem_printf("hdparm-%s", where), *said = NULL;
	struct hdparm_timing t[HDPARM_TIMINGS];
	const struct hdparm_timing *cached, *buffered;
	struct process p = { .argv = argv };
	int r = run_tool(run, raw, &p);
	bool ran = p.end == PROCESS_EXITED && (r == 0 || r == -EIO);
	size_t n = hdparm_text_parse(p.out.data, p.out.len, t);

	said = complaint(&p);
	process_done(&p);
	if (!ran)
		return false;
	cached = find(t, n, true);
	buffered = find(t, n, false);
	if (cached)
		add_one(run, where, "cached", cached);
	if (buffered) {
		const char *top = stack_device(run->stack);

		add_one(run, where, "buffered", buffered);
		if (top && strcmp(path, top) == 0)
			run->read_bytes += (uint64_t)buffered->bytes;
	}
	if (*said)
		run_note(run, "hdparm on %s: %s", path, said);
	if (cached && buffered)
		return true;
	run_end(run, OUTCOME_FAILED, "hdparm gave no time for %s reads of %s%s%s",
		buffered ? "cached" : "disk", path, *said ? ": " : "", said);
	return false;
}

static void run_hdparm(struct run *run)
{
	const struct plan_test *test = run->test;
	bool direct = param_bool(test->params, test->n, params, "direct");
	const char *top = stack_device(run->stack);

	run_cap(run, 0);
	for (size_t i = 0; i < run->stack->n_targets; i++) {
		_cleanup_free_ char *where =
			i ? mem_printf("disk%zu", i + 1) : mem_strdup("disk");

		if (!time_device(run, where, target_path(run->stack->targets[i]), direct))
			return;
	}
	if (top && !time_device(run, "top", top, direct))
		return;
	if (run->metrics.n)
		run_end(run, OUTCOME_PASSED, NULL);
	else
		run_end(run, OUTCOME_FAILED, "there is no device to read");
}

// Cached and uncached reads of disk and top device, three seconds and some each.
static double seconds(const struct plan_test *test _unused_, double rate _unused_)
{
	return 14;
}

const struct test_ops test_hdparm = {
	.engine = "hdparm",
	.help = "sequential reads of the raw disk and of the top of the stack",
	.place = TEST_ON_DEVICE,
	.params = params,
	.seconds = seconds,
	.run = run_hdparm,
};

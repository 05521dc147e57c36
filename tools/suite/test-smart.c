// SPDX-License-Identifier: GPL-3.0-or-later
// Engine smart: what the disks say of their own health, and what has grown since they
// were asked last in this campaign. Put one test of it first and one last, and every
// block has a reading before and after it.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/mem.h"
#include "suite/engines.h"
#include "suite/run.h"
#include "suite/smart-json.h"

#define POLL_EVERY (10 * CLOCK_SECOND)
#define DISKS_MAX  64

static const char *const selftests[] = { "none", "short", "long", "conveyance", NULL };

static const struct param_spec params[] = {
	{ .key = "self-test",
	  .type = PARAM_WORD,
	  .fallback = "none",
	  .choices = selftests,
	  .help = "have the disk test itself, too, and wait for it (long: hours)" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

// The reading before this one, of each disk by its name in the kernel: all disks of a
// campaign keep theirs.
static struct last {
	char path[64];
	struct smart_reading reading;
} last[DISKS_MAX];

static struct last *last_of(const char *path)
{
	for (size_t i = 0; i < DISKS_MAX; i++) {
		if (!*last[i].path)
			snprintf(last[i].path, sizeof(last[i].path), "%s", path);
		if (strcmp(last[i].path, path) == 0)
			return &last[i];
	}
	return NULL;
}

// One call of smartctl. The document, or NULL with the run ended. Its exit status is a
// set of bits, of which only the lowest two mean that it did not work.
static struct json_object *ask(struct run *run, const char *path, const char *const *argv,
			       const char *name, unsigned *bits)
{
	struct process p = { .argv = argv };
	struct err err = { 0 };
	struct json_object *doc = NULL;
	int r = run_tool(run, name, &p);

	*bits = p.end == PROCESS_EXITED ? (unsigned)p.status : 0;
	if (r == 0 || (r == -EIO && p.end == PROCESS_EXITED)) {
		doc = json_parse_text(strbuf_str(&p.out), p.out.len, &err);
		if (!doc)
			run_end(run, OUTCOME_FAILED, "smartctl on %s gave no JSON: %s",
				path, err.text);
		else
			run_end(run, OUTCOME_NOT_RUN, NULL); // not yet: only bits
	}
	process_done(&p);
	return doc;
}

static void add_values(struct run *run, const char *where, const struct smart_reading *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct smart_value *v = &r->values[i];
		_cleanup_free_ char *name = mem_printf("%s_%s", where, v->name);

		metric_add(&run->metrics, name, v->unit,
			   v->spoils ? BETTER_LOWER : BETTER_NEITHER, BOUND_EXACT,
			   v->value);
	}
}

// What does not end the run but belongs into the report.
static void remark(struct run *run, const char *path, unsigned bits)
{
	if (bits & SMART_EXIT_COMMAND)
		run_note(run, "%s refused a part of what smartctl asked", path);
	if (bits & SMART_EXIT_PAST)
		run_warn(run, "%s: an attribute was below its threshold in the past",
			 path);
	if (bits & SMART_EXIT_ERROR_LOG)
		run_warn(run, "%s: its error log holds errors", path);
	if (bits & SMART_EXIT_SELFTEST)
		run_warn(run, "%s: its self-test log holds failures", path);
}

// Is the disk well, and as well as before? If not, the run is ended.
static bool judge(struct run *run, const char *path, unsigned bits,
		  const struct smart_reading *now)
{
	_cleanup_strbuf_ struct strbuf grown = { 0 };
	struct last *before = last_of(path);

	if (before && before->reading.supported)
		smart_grown(&before->reading, now, &grown);
	if (before)
		before->reading = *now;
	if (before)
		before->reading.protocol = NULL; // belongs to the document
	if (now->health == SMART_FAILING || bits & SMART_EXIT_FAILING)
		run_end(run, OUTCOME_FAILED,
			"%s says itself that it is failing: save what is on it and "
			"replace it",
			path);
	else if (bits & SMART_EXIT_PREFAIL)
		run_end(run, OUTCOME_FAILED,
			"%s: an attribute that foretells failure is below its threshold",
			path);
	else if (grown.len)
		run_end(run, OUTCOME_FAILED,
			"%s: %s since the last reading: what was measured in between is "
			"not to be trusted",
			path, strbuf_str(&grown));
	else
		return true;
	return false;
}

// 1: read and well; 0: the disk has nothing of the kind; -1: the run is ended.
static int read_disk(struct run *run, const char *where, const char *path)
{
	const char *argv[] = { "smartctl", "--json", "--all", path, NULL };
	_cleanup_free_ char *name = mem_printf("smart-%s", where);
	_cleanup_strbuf_ struct strbuf said = { 0 };
	_cleanup_json_ struct json_object *doc = NULL;
	struct smart_reading now;
	unsigned bits;

	doc = ask(run, path, argv, name, &bits);
	if (!doc)
		return -1;
	smart_json_messages(doc, &said);
	smart_json_read(doc, &now);
	if (!now.supported) {
		run_note(run, "%s tells nothing of its health%s%s", path,
			 said.len ? ": " : "", strbuf_str(&said));
		return 0;
	}
	if (bits & (SMART_EXIT_USAGE | SMART_EXIT_OPEN)) {
		run_end(run, OUTCOME_FAILED, "smartctl on %s: %s", path,
			said.len ? strbuf_str(&said) : "it gave no reason");
		return -1;
	}
	json_set_str(run->detail, where, now.protocol);
	add_values(run, where, &now);
	remark(run, path, bits);
	return judge(run, path, bits, &now) ? 1 : -1;
}

// Waits for the self-test that was begun; polls, because no disk sends word.
static void await_selftest(struct run *run, const char *where, const char *path)
{
	const char *argv[] = { "smartctl", "--json", "--all", path, NULL };
	_cleanup_free_ char *name = mem_printf("smart-%s-selftest", where);
	const struct timespec step = { .tv_sec = POLL_EVERY / CLOCK_SECOND };
	uint64_t end = clock_mono_ns() + run->timeout_ns;

	for (;;) {
		_cleanup_json_ struct json_object *doc = NULL;
		enum smart_selftest state;
		unsigned bits, remaining;
		const char *text;

		doc = ask(run, path, argv, name, &bits);
		if (!doc)
			return;
		state = smart_json_selftest(doc, &remaining, &text);
		if (state == SELFTEST_FAILED)
			run_end(run, OUTCOME_FAILED, "%s: its self-test: %s", path,
				text ? text : "failed");
		else if (state == SELFTEST_NONE)
			run_note(run, "%s keeps no record of its self-test", path);
		else if (clock_mono_ns() >= end)
			run_end(run, OUTCOME_ABORTED,
				"%s: its self-test still runs, %u %% remain", path,
				remaining);
		if (state != SELFTEST_RUNNING || run->outcome != OUTCOME_NOT_RUN)
			return;
		run->total = 100;
		run->done = 100 - remaining;
		if (run->tick)
			run->tick(run->tick_arg);
		nanosleep(&step, NULL);
	}
}

// False when the run is ended.
static bool selftest(struct run *run, const char *where, const char *path,
		     const char *which)
{
	const char *argv[] = { "smartctl", "--json", "--test", which, path, NULL };
	_cleanup_free_ char *name = mem_printf("smart-%s-start", where);
	_cleanup_strbuf_ struct strbuf said = { 0 };
	_cleanup_json_ struct json_object *doc = NULL;
	unsigned bits;

	doc = ask(run, path, argv, name, &bits);
	if (!doc)
		return false;
	if (bits & (SMART_EXIT_USAGE | SMART_EXIT_OPEN | SMART_EXIT_COMMAND)) {
		smart_json_messages(doc, &said);
		run_note(run, "%s: no %s self-test%s%s", path, which,
			 said.len ? ": " : "", strbuf_str(&said));
		return true;
	}
	await_selftest(run, where, path);
	return run->outcome == OUTCOME_NOT_RUN;
}

static void run_smart(struct run *run)
{
	const char *which = test_param(run->test, params, "self-test");
	size_t read = 0;

	for (size_t i = 0; i < run->stack->n_targets; i++) {
		const char *path = target_path(run->stack->targets[i]);
		_cleanup_free_ char *where =
			i ? mem_printf("disk%zu", i + 1) : mem_strdup("disk");
		int one = read_disk(run, where, path);

		if (one > 0 && strcmp(which, "none") != 0 &&
		    !selftest(run, where, path, which))
			one = -1;
		if (one < 0)
			return;
		read += (size_t)one;
	}
	if (read)
		run_end(run, OUTCOME_PASSED, NULL);
	else
		run_end(run, OUTCOME_SKIPPED,
			"no disk of this arm tells anything of its health (SMART)");
}

const struct test_ops test_smart = {
	.engine = "smart",
	.help = "the disks' own health, and what has grown since they were asked last",
	.place = TEST_ON_DEVICE,
	.params = params,
	.run = run_smart,
};

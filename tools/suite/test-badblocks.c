// SPDX-License-Identifier: GPL-3.0-or-later
// Engine badblocks: every block of the top of the stack read, or written and read back.
// Its verdict comes from the counters: badblocks ends with 0 whatever it found.
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "stack/node.h"
#include "suite/badblocks-text.h"
#include "suite/engines.h"
#include "suite/run.h"

#define AT_ONCE (UINT64_C(4) << 20) // bytes of one request, if the plan does not say

// A list of bad blocks longer than that tells no more.
#define MOST_BAD "1000"

enum mode { MODE_READ, MODE_NON_DESTRUCTIVE, MODE_WRITE };

static const char *const modes[] = { "read", "non-destructive", "write", NULL };

static const struct param_spec params[] = {
	{ .key = "mode",
	  .type = PARAM_WORD,
	  .fallback = "read",
	  .choices = modes,
	  .help = "read only; write and put back what was there; or write over it" },
	{ .key = "pattern",
	  .type = PARAM_TEXT,
	  .fallback = "all",
	  .help = "written with mode = write: all (0xaa 0x55 0xff 0x00), random, or one "
		  "number such as 0xaa; random repeats one buffer: to fill a disk with "
		  "random data take engine fill" },
	{ .key = "blocks-at-once",
	  .type = PARAM_UINT,
	  .min = 1,
	  .max = 1 << 20,
	  .help = "badblocks -c; default 4 MiB" },
	{ .key = "block-size",
	  .type = PARAM_SIZE,
	  .min = 512,
	  .max = 16 << 20,
	  .help = "badblocks -b; default 4096, or more where 32 bits do not count the "
		  "blocks" },
	TEST_TIMEOUT_PARAM("1000h"),
	TEST_CAP_PARAM,
	{ 0 },
};

static enum mode mode_of(const struct plan_test *test)
{
	const char *word = test_param(test, params, "mode");

	for (unsigned i = 0; modes[i]; i++)
		if (word && strcmp(word, modes[i]) == 0)
			return (enum mode)i;
	return MODE_READ; // another word was a fault
}

static const char *refused(const struct plan_test *test, const struct plan_arm *arm)
{
	return mode_of(test) == MODE_READ ? NULL : test_refused_bare(arm);
}

static bool pattern_known(const char *p)
{
	uint64_t v;

	return strcmp(p, "all") == 0 || strcmp(p, "random") == 0 ||
	       (p[0] == '0' && p[1] == 'x' && p[2] && strlen(p) <= 10 &&
		strspn(p + 2, "0123456789abcdefABCDEF") == strlen(p + 2)) ||
	       number_uint(p, &v) == 0;
}

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	const char *pattern = test_param(test, params, "pattern");
	const char *block = plan_param(test->params, test->n, "block-size");
	uint64_t size;

	if (!pattern_known(pattern))
		fault_add(faults, file, test->line,
			  "test %s: pattern = \"%s\" is not all, random or a number such "
			  "as 0xaa",
			  test->name, pattern);
	if (block && number_size(block, &size) == 0 && (size & (size - 1)))
		fault_add(faults, file, test->line,
			  "test %s: block-size = %s is no power of two", test->name,
			  block);
}

struct job {
	struct run *run;
	struct process process;
	unsigned phases; // in all
};

// Once a second: how far is it?
static void tick(void *arg)
{
	struct job *job = arg;
	struct badblocks_text t;

	badblocks_text_compact(&job->process.err_out);
	badblocks_text_parse(strbuf_str(&job->process.err_out), job->process.err_out.len,
			     &t);
	job->run->total = UINT64_C(10000) * job->phases;
	job->run->done = UINT64_C(10000) * t.phases + (uint64_t)(t.percent * 100);
	if (job->run->tick)
		job->run->tick(job->run->tick_arg);
}

static void add_count(struct run *run, const char *name, uint64_t n)
{
	metric_add(&run->metrics, name, "", BETTER_LOWER, BOUND_EXACT, (double)n);
}

static void judge(struct run *run, const struct job *job, uint64_t size, bool ended)
{
	const struct strbuf *said = &job->process.err_out;
	uint64_t ns = job->process.ended_ns - job->process.started_ns;
	struct badblocks_text t;

	badblocks_text_parse(strbuf_str(said), said->len, &t);
	if (!t.complete) {
		if (ended)
			run_end(run, OUTCOME_FAILED,
				"badblocks ended without saying what it found");
		return;
	}
	add_count(run, "bad_blocks", t.found);
	add_count(run, "read_errors", t.read);
	add_count(run, "write_errors", t.write);
	add_count(run, "compare_errors", t.compare);
	if (ns > 0)
		metric_add(&run->metrics, "speed", "B/s", BETTER_HIGHER, BOUND_EXACT,
			   (double)size * job->phases / ((double)ns / 1e9));
	if (t.found || t.read || t.write || t.compare)
		run_end(run, OUTCOME_FAILED,
			"%" PRIu64 " bad blocks: %" PRIu64 " could not be read, %" PRIu64
			" not be written, %" PRIu64 " gave back something else; their "
			"numbers are in badblocks.out",
			t.found, t.read, t.write, t.compare);
	else
		run_end(run, OUTCOME_PASSED, NULL);
}

static void run_on(struct run *run, const char *device, uint64_t size)
{
	const struct plan_test *test = run->test;
	enum mode mode = mode_of(test);
	const char *pattern = test_param(test, params, "pattern");
	bool one = mode == MODE_WRITE && strcmp(pattern, "all") != 0;
	uint64_t block = param_size(test->params, test->n, params, "block-size");
	uint64_t at_once = param_uint(test->params, test->n, params, "blocks-at-once");
	_cleanup_free_ char *b = NULL, *c = NULL;
	struct job job = { .run = run };
	const char *argv[16] = { "badblocks", "-s", "-v", "-e", MOST_BAD };
	size_t n = 5;
	int r;

	if (!block)
		block = badblocks_block_size(size, node_logical_sector(device));
	if (!at_once)
		at_once = block < AT_ONCE ? AT_ONCE / block : 1;
	b = mem_printf("%" PRIu64, block);
	c = mem_printf("%" PRIu64, at_once);
	argv[n++] = "-b";
	argv[n++] = b;
	argv[n++] = "-c";
	argv[n++] = c;
	if (mode != MODE_READ)
		argv[n++] = mode == MODE_WRITE ? "-w" : "-n";
	if (one) {
		argv[n++] = "-t";
		argv[n++] = pattern;
	}
	argv[n] = device;
	job.phases = mode != MODE_WRITE ? 1 : one ? 2 : 8;
	job.process = (struct process){ .argv = argv, .tick = tick, .tick_arg = &job };
	json_set_uint(run->detail, "block_size", block);
	json_set_uint(run->detail, "size", size);
	r = run_tool(run, "badblocks", &job.process);
	if (r == 0 || (r == -EIO && job.process.end == PROCESS_EXITED))
		judge(run, &job, size, r == 0);
	process_done(&job.process);
	run->total = 0;
}

static void run_badblocks(struct run *run)
{
	const char *device = stack_device(run->stack);
	struct err err = { 0 };
	uint64_t size;

	if (!device || node_size(device, &size, &err) < 0) {
		run_end(run, OUTCOME_FAILED, "there is no device to look at: %s",
			err.text);
		return;
	}
	if (mode_of(run->test) != MODE_READ && run_may_overwrite(run, device) < 0)
		return;
	run_cap(run, 0);
	run_on(run, device, size);
}

const struct test_ops test_badblocks = {
	.engine = "badblocks",
	.help = "every block of the top of the stack read, or written and read back",
	.place = TEST_ON_DEVICE,
	.params = params,
	.check = check,
	.refused = refused,
	.run = run_badblocks,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Engine fio: one job with any of fio's own options, on a file or on the top device.
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/engines.h"
#include "suite/fio-job.h"
#include "suite/fio-json.h"
#include "suite/fio-keys.h"
#include "suite/run.h"
#include "suite/steady.h"

#define OUTPUT_MAX ((size_t)32 << 20) // json+ of one job is some 100 kB

static const struct param_spec params[] = {
	{ .key = "steady",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "repeat in rounds until five of them are as steady as SNIA asks, 25 "
		  "at most" },
	{ .key = "round",
	  .type = PARAM_DURATION,
	  .fallback = "60s",
	  .help = "how long one round takes, with steady = yes" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

// A round has its own length.
static void check_steady(const struct plan_test *test, const char *file,
			 struct fault_list *faults)
{
	static const char *const not_with[] = { "runtime", "time_based",  "ramp_time",
						"loops",   "steadystate", "ss" };

	if (!param_bool(test->params, test->n, params, "steady"))
		return;
	if (param_duration(test->params, test->n, params, "round") < CLOCK_SECOND)
		fault_add(faults, file, test->line,
			  "test %s: round must be a second or more", test->name);
	for (size_t i = 0; i < ARRAY_SIZE(not_with); i++)
		if (plan_param(test->params, test->n, not_with[i]))
			fault_add(faults, file, test->line,
				  "test %s: steady = yes goes in rounds, so %s does not "
				  "go with it",
				  test->name, not_with[i]);
}

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	check_steady(test, file, faults);
	for (size_t i = 0; i < test->n; i++) {
		const struct plan_param *p = &test->params[i];
		_cleanup_strbuf_ struct strbuf why = { 0 };
		uint64_t size;

		if (test_param_known(params, p->key))
			continue;
		for (size_t j = 0; j < i; j++)
			if (strcmp(test->params[j].key, p->key) == 0)
				fault_add(faults, file, p->line,
					  "test %s: %s is given twice", test->name,
					  p->key);
		if (!fio_key_allowed(p, &why))
			fault_add(faults, file, p->line, "test %s: %s", test->name,
				  strbuf_str(&why));
		else if (strcmp(p->key, "size") == 0 &&
			 (!p->value || number_size(p->value, &size) < 0 || !size))
			fault_add(faults, file, p->line,
				  "test %s: size = \"%s\" is not a size such as 512M",
				  test->name, p->value ? p->value : "");
	}
}

// Without O_DIRECT (eCryptfs, tmpfs) fio would only say "Invalid argument".
static bool takes_direct(const char *path)
{
	_cleanup_close_ int fd =
		open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_DIRECT, 0600);

	return fd >= 0 || errno != EINVAL;
}

static int prepare_file(struct run *run, struct fio_job *job)
{
	job->path = mem_printf("%s/assay-fio.dat", stack_dir(run->stack));
	job->is_file = true;
	fio_job_defaults(job, run->test);
	unlink(job->path);
	if (run_need_space(run, stack_dir(run->stack), job->size) < 0)
		return -ENOSPC;
	if (job->direct && !plan_param(run->test->params, run->test->n, "direct") &&
	    !takes_direct(job->path)) {
		job->direct = false;
		run_note(run, "this filesystem takes no O_DIRECT: the page cache is part "
			      "of the figures");
	}
	return 0;
}

static int prepare_device(struct run *run, struct fio_job *job)
{
	if (!stack_device(run->stack)) {
		run_end(run, OUTCOME_SKIPPED, "this arm has no device to test");
		return -ENODEV;
	}
	job->path = mem_strdup(stack_device(run->stack));
	fio_job_defaults(job, run->test);
	job->readonly = !job->writes;
	return job->writes ? run_may_overwrite(run, job->path) : 0;
}

static int prepare(struct run *run, struct fio_job *job)
{
	const char *rw = fio_job_rw(run->test);

	if (fio_writes(rw) && !run_may_write(run)) {
		run_end(run, OUTCOME_SKIPPED,
			"rw = %s writes, and this arm is opened to be read only", rw);
		return -EROFS;
	}
	if (stack_dir(run->stack) && run_may_write(run))
		return prepare_file(run, job);
	return prepare_device(run, job);
}

// All that was asked for must have been moved: one large request can be cut short.
static bool moved_all(struct run *run, const struct fio_job *job, uint64_t bytes)
{
	if (!job->exact || bytes >= job->size - job->size / 100)
		return true;
	run_end(run, OUTCOME_FAILED, "fio moved only %" PRIu64 " of %" PRIu64 " bytes",
		bytes, job->size);
	return false;
}

static void take_output(struct run *run, const struct fio_job *job,
			const struct strbuf *text, bool ended_well)
{
	_cleanup_json_ struct json_object *doc = NULL;
	struct err err = { 0 };

	doc = fio_json_find(strbuf_str(text), text->len, &err);
	if (!doc) {
		if (ended_well)
			run_end(run, OUTCOME_FAILED, "%s", err.text);
		return;
	}
	fio_json_detail(doc, run->detail);
	if (fio_json_check(doc, &err) < 0) {
		run_end(run, OUTCOME_FAILED, "%s", err.text);
		return;
	}
	if (!ended_well || !moved_all(run, job, fio_json_bytes(doc)))
		return;
	run->read_bytes = fio_json_bytes_of(doc, "read");
	run->written_bytes = fio_json_bytes_of(doc, "write");
	run->too_quick = fio_json_cached(doc);
	fio_json_metrics(doc, &run->metrics);
	if (run->metrics.n)
		run_end(run, OUTCOME_PASSED, NULL);
	else
		run_end(run, OUTCOME_FAILED, "fio reports no rate");
}

static void run_job(struct run *run, const struct fio_job *job)
{
	_cleanup_free_ char *out =
		mem_printf("%s/fio-%04u.json", run_tmp_dir, run->index);
	_cleanup_free_ char *name = job->round_ns
					    ? mem_printf("fio-round-%u.json", job->round)
					    : mem_strdup("fio.json");
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct process p = { .dir = run_tmp_dir }; // its side files go to RAM
	char **argv;
	int r;

	r = io_make_dirs(run_tmp_dir);
	if (r < 0) {
		run_end(run, OUTCOME_ABORTED, "%s: %s", run_tmp_dir, strerror(-r));
		return;
	}
	unlink(out);
	argv = fio_job_argv(job, run->test, run->seed + 2 * job->round, out);
	p.argv = (const char *const *)argv;
	r = run_tool(run, "fio", &p);
	if (io_read_file(out, &text, OUTPUT_MAX) == 0 && text.len)
		run_raw(run, name, text.data, text.len);
	unlink(out);
	if (r == 0 || (r == -EIO && p.end == PROCESS_EXITED))
		take_output(run, job, &text, r == 0);
	process_done(&p);
	fio_job_free_argv(argv);
}

// The mean of each metric over the last rounds, from the lists of all.
static void take_window(struct run *run, const struct metric_list *rounds, size_t n)
{
	size_t first = n < STEADY_WINDOW ? 0 : n - STEADY_WINDOW;
	const struct metric_list *last = &rounds[n - 1];

	metric_list_done(&run->metrics);
	for (size_t k = 0; k < last->n; k++) {
		const struct metric *m = &last->items[k];
		double sum = 0;
		size_t found = 0;

		for (size_t i = first; i < n; i++) {
			const struct metric *one = metric_find(&rounds[i], m->name);

			sum += one ? one->value : 0;
			found += one != NULL;
		}
		metric_add(&run->metrics, m->name, m->unit, m->better, m->bound,
			   sum / (double)found);
	}
}

// Rounds until they are steady; what they came to is in detail.steady.
static void run_rounds(struct run *run, struct fio_job *job)
{
	struct metric_list rounds[STEADY_ROUNDS] = { 0 };
	double rates[STEADY_ROUNDS];
	struct json_object *detail = json_new(), *list = json_new_array();
	bool reached = false;
	size_t n = 0;

	job->round_ns = param_duration(run->test->params, run->test->n, params, "round");
	while (n < STEADY_ROUNDS && !reached) {
		job->round = (unsigned)n + 1;
		run_job(run, job);
		if (run->outcome != OUTCOME_PASSED || run->metrics.n == 0)
			break;
		rates[n] = run->metrics.items[0].value; // of the first direction
		json_append(list, json_object_new_double(rates[n]));
		rounds[n++] = run->metrics;
		run->metrics = (struct metric_list){ 0 };
		reached = steady_reached(rates, n);
	}
	json_set_bool(detail, "reached", reached);
	json_set(detail, "rounds", list);
	json_set(run->detail, "steady", detail);
	if (run->outcome == OUTCOME_PASSED && n > 0) {
		take_window(run, rounds, n);
		if (!reached)
			run_note(run,
				 "steady state was not achieved in %d rounds; the "
				 "numbers are of the last %d",
				 STEADY_ROUNDS, STEADY_WINDOW);
	}
	for (size_t i = 0; i < n; i++)
		metric_list_done(&rounds[i]);
}

static void run_fio(struct run *run)
{
	struct fio_job job = { 0 };

	if (prepare(run, &job) == 0) {
		run_cap(run, 0);
		if (param_bool(run->test->params, run->test->n, params, "steady"))
			run_rounds(run, &job);
		else
			run_job(run, &job);
		if (job.is_file && unlink(job.path) < 0 && errno != ENOENT)
			run_note(run, "%s could not be removed: %s", job.path,
				 strerror(errno));
	}
	free(job.path);
}

// fio's own `runtime` bounds it where it is given; else the amount, which in random order
// takes some twenty times as long. A file that is read is written first.
static double seconds(const struct plan_test *test, double rate)
{
	struct fio_job job = { .is_file = true };
	uint64_t runtime = 0;
	const char *text = plan_param(test->params, test->n, "runtime");
	bool random = strstr(fio_job_rw(test), "rand"), timed;
	double amount, lay_out;

	fio_job_defaults(&job, test);
	if (text && number_duration(text, &runtime) < 0)
		runtime = 0;
	timed = plan_param(test->params, test->n, "time_based");
	lay_out = strstr(fio_job_rw(test), "read") ? (double)job.size / rate : 0;
	amount = job.timed ? 30 : (double)job.size / (random ? rate / 20 : rate);
	if (param_bool(test->params, test->n, params, "steady"))
		return lay_out + 2 * STEADY_WINDOW *
					 (double)param_duration(test->params, test->n,
								params, "round") /
					 1e9;
	if (runtime && (timed || amount > (double)runtime / 1e9))
		amount = (double)runtime / 1e9;
	return lay_out + amount + 2;
}

const struct test_ops test_fio = {
	.engine = "fio",
	.help = "fio with any of its job options; on a file or the top device",
	.place = TEST_ON_EITHER,
	.params = params,
	.any_params = true,
	.check = check,
	.seconds = seconds,
	.run = run_fio,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Engine fio: one job with any of fio's own options, on a file or on the top device.
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/engines.h"
#include "suite/fio-job.h"
#include "suite/fio-json.h"
#include "suite/fio-keys.h"
#include "suite/run.h"

#define OUTPUT_MAX ((size_t)32 << 20) // json+ of one job is some 100 kB

static const struct param_spec params[] = {
	TEST_COMMON_PARAMS,
	{ 0 },
};

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
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
	static const char *const none[] = { NULL };
	struct err err = { 0 };

	if (!stack_device(run->stack)) {
		run_end(run, OUTCOME_SKIPPED, "this arm has no device to test");
		return -ENODEV;
	}
	job->path = mem_strdup(stack_device(run->stack));
	fio_job_defaults(job, run->test);
	job->readonly = !job->writes;
	if (!job->writes)
		return 0;
	// With layers above it the disk was checked when they were made.
	for (size_t i = 0; run->stack->n_up == 0 && i < run->stack->n_targets; i++)
		if (guard_recheck(run->stack->targets[i], none, &err) < 0) {
			run_end(run, OUTCOME_ABORTED, "not written to: %s", err.text);
			return -EBUSY;
		}
	return 0;
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
	if (fio_json_cached(doc))
		run_note(run, "some operations took less than a microsecond: a cache "
			      "served them, not the disk");
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
	argv = fio_job_argv(job, run->test, run->seed, out);
	p.argv = (const char *const *)argv;
	r = run_tool(run, "fio", &p);
	if (io_read_file(out, &text, OUTPUT_MAX) == 0 && text.len)
		run_raw(run, "fio.json", text.data, text.len);
	unlink(out);
	if (r == 0 || (r == -EIO && p.end == PROCESS_EXITED))
		take_output(run, job, &text, r == 0);
	process_done(&p);
	fio_job_free_argv(argv);
}

static void run_fio(struct run *run)
{
	struct fio_job job = { 0 };

	if (prepare(run, &job) == 0) {
		run_cap(run, 0);
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

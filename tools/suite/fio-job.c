// SPDX-License-Identifier: GPL-3.0-or-later
// fio's command line for a test of a plan.
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/fio-job.h"
#include "suite/fio-keys.h"

#define FILE_SIZE (UINT64_C(512) << 20) // where a plan gives no size

static const char *value_of(const struct plan_test *test, const char *key)
{
	return plan_param(test->params, test->n, key);
}

const char *fio_job_rw(const struct plan_test *test)
{
	const char *rw = value_of(test, "rw");

	if (!rw)
		rw = value_of(test, "readwrite");
	return rw ? rw : "read";
}

// Options with which fio ends early or late, or moves another amount than `size`.
static bool moves_other(const struct plan_test *test)
{
	static const char *const keys[] = {
		"runtime",
		"time_based",
		"io_size",
		"number_ios",
		"loops",
		"offset",
		"numjobs",
		"fill_fs",
		"fill_device",
		"steadystate",
		"ss",
		"zonemode",
		"verify",
		"nrfiles",
		"do_verify",
		"rate_process",
		"experimental_verify",
		"ramp_time",
		"zonesize",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (value_of(test, keys[i]))
			return true;
	return false;
}

static bool is_true(const char *value)
{
	return !*value || number_bool(value) == 1;
}

void fio_job_defaults(struct fio_job *job, const struct plan_test *test)
{
	const char *size = value_of(test, "size"), *direct = value_of(test, "direct");
	const char *engine = value_of(test, "ioengine");
	bool no_direct =
		engine && (strcmp(engine, "mmap") == 0 || strcmp(engine, "null") == 0);

	job->writes = fio_writes(fio_job_rw(test));
	job->direct = direct ? is_true(direct) : !no_direct;
	job->timed = !size && !value_of(test, "runtime");
	job->exact = size && !job->round_ns && !moves_other(test) &&
		     !strchr(fio_job_rw(test), ':');
	if (size)
		number_size(size, &job->size);
	else if (job->is_file)
		job->size = FILE_SIZE;
}

struct args {
	char **items;
	size_t n;
};

static void add(struct args *a, const char *fmt, ...) _printf_(2, 3);
static void add(struct args *a, const char *fmt, ...)
{
	va_list ap;

	a->items = mem_grow(a->items, a->n + 2, sizeof(*a->items));
	va_start(ap, fmt);
	a->items[a->n++] = mem_vprintf(fmt, ap);
	va_end(ap);
	a->items[a->n] = NULL;
}

// Ours only where the test does not say.
static void add_default(struct args *a, const struct plan_test *test, const char *key,
			const char *value)
{
	if (!value_of(test, key))
		add(a, "--%s=%s", key, value);
}

static void add_defaults(struct args *a, const struct fio_job *job,
			 const struct plan_test *test)
{
	bool random = strncmp(fio_job_rw(test), "rand", 4) == 0;

	if (!value_of(test, "readwrite"))
		add_default(a, test, "rw", "read");
	if (!value_of(test, "blocksize") && !value_of(test, "bssplit"))
		add_default(a, test, "bs", random ? "4k" : "1M");
	add_default(a, test, "ioengine", "psync");
	// its buffers are random but used again and again: a disk may notice
	add_default(a, test, "refill_buffers", "1");
	if (job->round_ns) {
		add(a, "--runtime=%" PRIu64 "us", job->round_ns / 1000);
		add(a, "--time_based=1");
	} else if (job->timed) {
		add(a, "--runtime=30");
		add_default(a, test, "time_based", "1");
	}
	if (!job->direct && job->writes)
		add_default(a, test, "end_fsync", "1");
}

char **fio_job_argv(const struct fio_job *job, const struct plan_test *test,
		    uint64_t seed, const char *output)
{
	struct args a = { 0 };

	add(&a, "fio");
	add(&a, "--output-format=json+");
	add(&a, "--output=%s", output);
	add(&a, "--eta=never");
	if (job->readonly)
		add(&a, "--readonly");
	add(&a, "--name=assay");
	add(&a, "--filename=%s", job->path);
	add(&a, "--group_reporting");
	add(&a, "--randseed=%" PRIu64, seed >> 1); // fio reads it as signed
	add_defaults(&a, job, test);
	for (size_t i = 0; i < test->n; i++) {
		const struct plan_param *p = &test->params[i];

		if (strcmp(p->key, "timeout") == 0 || strcmp(p->key, "cap") == 0 ||
		    strcmp(p->key, "size") == 0 || strcmp(p->key, "direct") == 0 ||
		    strcmp(p->key, "steady") == 0 || strcmp(p->key, "round") == 0)
			continue;
		add(&a, "--%s=%s", p->key, p->value ? p->value : "1");
	}
	add(&a, "--direct=%d", job->direct);
	if (job->size) // in bytes, because fio's suffixes depend on kb_base
		add(&a, "--size=%" PRIu64, job->size);
	return a.items;
}

void fio_job_free_argv(char **argv)
{
	for (size_t i = 0; argv && argv[i]; i++)
		free(argv[i]);
	free(argv);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Engine bonnie: bonnie++ on the filesystem of the arm.
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/bonnie-csv.h"
#include "suite/bonnie-size.h"
#include "suite/engines.h"
#include "suite/run.h"

#define MIB UINT64_C(1048576)

// Its small files are empty, but each needs an inode and a place in a folder.
#define FILE_COST UINT64_C(1024)

static const struct param_spec params[] = {
	{ .key = "size",
	  .type = PARAM_SIZE,
	  .min = 2 * MIB,
	  .help = "of the big file; twice `ram` where it is not given" },
	{ .key = "ram",
	  .type = PARAM_SIZE,
	  .min = MIB,
	  .help = "what bonnie++ is told about memory; the size is at least twice of "
		  "it" },
	{ .key = "files",
	  .type = PARAM_UINT,
	  .fallback = "16",
	  .max = 1024,
	  .help = "small files in units of 1024; 0 leaves that part out" },
	{ .key = "fast",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "leave out the part that writes single characters" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static uint64_t given_size(const struct plan_test *test, const char *key)
{
	return plan_param(test->params, test->n, key)
		       ? param_size(test->params, test->n, params, key)
		       : 0;
}

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	const char *ram_text = plan_param(test->params, test->n, "ram");
	const char *size_text = plan_param(test->params, test->n, "size");
	uint64_t ram, size;

	if (!ram_text || !size_text || number_size(ram_text, &ram) < 0 ||
	    number_size(size_text, &size) < 0)
		return;
	if (size / 2 < ram)
		fault_add(faults, file, test->line,
			  "test %s: size = %s is less than twice ram = %s, and bonnie++ "
			  "refuses that",
			  test->name, size_text, ram_text);
}

static uint64_t machine_ram(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void take_line(struct run *run, const struct strbuf *out)
{
	struct bonnie_csv last = { 0 }, next;
	size_t pos = 0;

	while (bonnie_csv_next(strbuf_str(out), out->len, &pos, &next) == 0) {
		bonnie_csv_done(&last);
		last = next;
	}
	if (!last.line) {
		run_end(run, OUTCOME_FAILED,
			"bonnie++ ended well but printed no line of results");
		return;
	}
	bonnie_csv_detail(&last, run->detail);
	run->metrics = last.metrics;
	last.metrics = (struct metric_list){ 0 };
	bonnie_csv_done(&last);
	run_end(run, OUTCOME_PASSED, NULL);
}

static void record_sizes(struct run *run, const struct bonnie_size *b, uint64_t files)
{
	json_set_uint(run->detail, "ram", b->ram);
	json_set_uint(run->detail, "size", b->size);
	json_set_uint(run->detail, "files", files * 1024);
}

static void run_tool_in(struct run *run, const char *dir, const struct bonnie_size *b,
			uint64_t files)
{
	const struct plan_test *test = run->test;
	_cleanup_free_ char *ram = mem_printf("%" PRIu64, b->ram / MIB);
	_cleanup_free_ char *size = mem_printf("%" PRIu64, b->size / MIB);
	_cleanup_free_ char *n = mem_printf("%" PRIu64, files);
	// a positive int, as its option takes it; the same for all arms of a block
	_cleanup_free_ char *seed = mem_printf("%" PRIu64, run->seed % INT32_MAX + 1);
	bool fast = param_bool(test->params, test->n, params, "fast");
	// -u because it refuses root without; 0:0 needs no user database.
	const char *argv[] = {
		"bonnie++",
		"-q",
		"-u",
		"0:0",
		"-d",
		dir,
		"-m",
		run->arm->name,
		"-r",
		ram,
		"-s",
		size,
		"-n",
		n,
		"-x",
		"1",
		"-z",
		seed,
		fast ? "-f" : NULL,
		NULL,
	};
	struct process p = { .argv = argv };

	if (run_tool(run, "bonnie", &p) == 0)
		take_line(run, &p.out);
	// Written, read and written again, read: each time the whole file.
	run->read_bytes = run->written_bytes = 2 * b->size;
	process_done(&p);
}

static void run_bonnie(struct run *run)
{
	const struct plan_test *test = run->test;
	uint64_t files = param_uint(test->params, test->n, params, "files");
	struct bonnie_size b =
		bonnie_size(given_size(test, "size"), given_size(test, "ram"),
			    given_size(test, "cap"), machine_ram());
	_cleanup_free_ char *dir = mem_printf("%s/assay-bonnie", stack_dir(run->stack));

	record_sizes(run, &b, files);
	if (run_need_space(run, stack_dir(run->stack),
			   b.size + files * 1024 * FILE_COST) < 0)
		return;
	if (mkdir(dir, 0700) < 0 && errno != EEXIST) {
		run_end(run, OUTCOME_FAILED, "cannot make the folder %s: %s", dir,
			strerror(errno));
		return;
	}
	run_cap(run, b.cap);
	run_tool_in(run, dir, &b, files);
	run_remove_dir(run, dir);
}

// The file is written, read and written again, read; with single characters twice more.
// Of small files a slow disk makes and removes some 150 a second, in either order.
static double seconds(const struct plan_test *test, double rate)
{
	const struct bonnie_size s =
		bonnie_size(given_size(test, "size"), given_size(test, "ram"),
			    given_size(test, "cap"), machine_ram());
	uint64_t files = param_uint(test->params, test->n, params, "files");
	bool fast = param_bool(test->params, test->n, params, "fast");

	return (double)s.size * (fast ? 4 : 6) / rate + 10 +
	       1024.0 * (double)files * 4 / 150;
}

const struct test_ops test_bonnie = {
	.engine = "bonnie",
	.help = "bonnie++: big file, seeks, small files; on a filesystem",
	.place = TEST_ON_DIR,
	.params = params,
	.check = check,
	.seconds = seconds,
	.run = run_bonnie,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of bonnie++: every published number, all formats, and what may be wrong.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite-data.h"
#include "suite/bonnie-csv.h"
#include "suite/bonnie-size.h"

#define LINES 12
#define MIB   UINT64_C(1048576)

static const char plain[] = "forest,432M,19857,84,21831,10,9536,4,16355,58,22165,3,148.8,"
			    "0,16,1650,98,+++++,+++,+++++,+++,1734,98,+++++,+++,3820,96";

// 1.97: 48 fields; no seeks columns, whole latencies
static const char format_197[] =
	"1.97,1.97,box,1,1400000000,1G,,500,99,80000,10,40000,9,2000,98,90000,8,150.5,5,"
	"16,,,,,1200,9,+++++,+++,0,0,1300,9,+++++,+++,1500,8,"
	"12345us,1ms,2s,,300us,1us,1us,1us,1us,1us,1us,150ms";

static struct bonnie_csv parse(const char *text)
{
	struct bonnie_csv b;
	size_t pos = 0;

	if (bonnie_csv_next(text, strlen(text), &pos, &b) < 0)
		fail_msg("no line found in: %s", text);
	return b;
}

static void finds_none(const char *text)
{
	struct bonnie_csv b;
	size_t pos = 0;

	assert_int_equal(bonnie_csv_next(text, strlen(text), &pos, &b), -ENOENT);
}

static void expect(const struct bonnie_csv *b, const char *name, enum metric_bound bound,
		   double value)
{
	const struct metric *m = metric_find(&b->metrics, name);

	if (!m)
		fail_msg("no metric %s", name);
	assert_int_equal(m->bound, bound);
	if (fabs(m->value - value) > 1e-9 * fabs(value))
		fail_msg("%s is %.9g instead of %.9g", name, m->value, value);
}

static void check_published(const struct bonnie_csv *b, char *row)
{
	char *f[5], *cpu_name;
	double value, cpu;
	bool kib;

	for (size_t i = 0; i < 5; i++)
		f[i] = strsep(&row, ",");
	kib = strcmp(f[2], "KiB/s") == 0;
	assert_string_equal(metric_find(&b->metrics, f[1])->unit, kib ? "B/s" : "1/s");
	cpu_name = mem_printf("%s_cpu", f[1]);
	if (*f[3] == '+') {
		// 16 x 1024 files in less than half a second
		expect(b, f[1], BOUND_AT_LEAST, 32768);
		assert_null(metric_find(&b->metrics, cpu_name));
	} else {
		assert_int_equal(number_double(f[3], &value), 0);
		assert_int_equal(number_double(f[4], &cpu), 0);
		expect(b, f[1], BOUND_EXACT, kib ? value * 1024 : value);
		expect(b, cpu_name, BOUND_EXACT, cpu);
	}
	free(cpu_name);
}

// The values in the list that belong to one published line, all twelve.
static void check_values_of(const struct bonnie_csv *b, const char *run_id)
{
	_cleanup_strbuf_ struct strbuf values = { 0 };
	size_t len = strlen(run_id), found = 0;
	char *save = NULL;

	load_data("published-values.csv", &values);
	for (char *l = strtok_r(values.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		if (strncmp(l, run_id, len) != 0 || l[len] != ',')
			continue;
		found++;
		check_published(b, l);
	}
	assert_int_equal(found, 12);
}

static void reads_every_published_number(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 }, map = { 0 };
	size_t pos = 0, n = 0;
	struct bonnie_csv b;
	char *save = NULL;

	(void)state;
	load_data("published-bonnie-1.03.csv", &text);
	load_data("published-bonnie-1.03.map", &map);
	for (char *l = strtok_r(map.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		assert_int_equal(bonnie_csv_next(text.data, text.len, &pos, &b), 0);
		assert_string_equal(b.format, "1.03");
		assert_int_equal(b.files, 16384);
		check_values_of(&b, strchr(l, ' ') + 1);
		bonnie_csv_done(&b);
		n++;
	}
	assert_int_equal(n, LINES);
	assert_int_equal(bonnie_csv_next(text.data, text.len, &pos, &b), -ENOENT);
}

static void keeps_the_whole_line_and_sizes(void **state)
{
	struct bonnie_csv b = parse(plain);

	(void)state;
	assert_string_equal(b.line, plain);
	assert_string_equal(b.name, "forest");
	assert_string_equal(b.size_text, "432M");
	assert_int_equal(b.size, 432 * MIB);
	assert_null(b.program);
	bonnie_csv_done(&b);
}

static void joins_wrapped_lines(void **state)
{
	(void)state;
	// at every width that any terminal or page may have, \r\n too
	for (size_t width = 30; width < strlen(plain); width++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };
		struct bonnie_csv b;

		for (size_t i = 0; i < strlen(plain); i += width) {
			strbuf_add(&text, plain + i,
				   strlen(plain) - i < width ? strlen(plain) - i : width);
			strbuf_puts(&text, width % 2 ? "\r\n" : "\n");
		}
		b = parse(text.data);
		assert_string_equal(b.line, plain);
		bonnie_csv_done(&b);
	}
}

static void does_not_join_what_follows(void **state)
{
	_cleanup_free_ char *two = mem_printf("%s\n%s\n", plain, plain);
	_cleanup_free_ char *number = mem_printf("%s\n1200 files\n", plain);
	struct bonnie_csv b;
	size_t pos = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(bonnie_csv_next(two, strlen(two), &pos, &b), 0);
		assert_string_equal(b.line, plain);
		bonnie_csv_done(&b);
	}
	b = parse(number);
	assert_string_equal(b.line, plain);
	bonnie_csv_done(&b);
}

static void reads_2_00a(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct bonnie_csv b;

	(void)state;
	load_data("bonnie-2.00a-comma.csv", &text);
	b = parse(text.data);
	assert_string_equal(b.format, "1.98");
	assert_string_equal(b.program, "2.00a");
	assert_string_equal(b.name, "a,b"); // bonnie++ does not escape it
	assert_int_equal(b.size, 32 * MIB);
	assert_int_equal(b.files, 2048);
	expect(&b, "putc", BOUND_EXACT, 483 * 1024.0);
	expect(&b, "putc_cpu", BOUND_EXACT, 87);
	expect(&b, "getc", BOUND_EXACT, 599 * 1024.0);
	expect(&b, "put_block", BOUND_AT_LEAST, 32 * 2 * 1048576.0);
	expect(&b, "seeks", BOUND_AT_LEAST, 8192 * 2);
	expect(&b, "ran_del", BOUND_AT_LEAST, 2048 * 2);
	expect(&b, "putc_latency", BOUND_EXACT, 0.118);
	expect(&b, "seeks_latency", BOUND_EXACT, 0.028001);
	expect(&b, "seq_create_latency", BOUND_EXACT, 0.006572);
	expect(&b, "ran_del_latency", BOUND_EXACT, 0.004081);
	bonnie_csv_done(&b);
}

static void empty_is_no_metric(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct bonnie_csv b;

	(void)state;
	load_data("bonnie-2.00a-fast.csv", &text);
	b = parse(text.data);
	assert_null(metric_find(&b.metrics, "putc"));
	assert_null(metric_find(&b.metrics, "getc_cpu"));
	assert_null(metric_find(&b.metrics, "putc_latency"));
	assert_non_null(metric_find(&b.metrics, "put_block"));
	bonnie_csv_done(&b);
}

static void reads_1_97(void **state)
{
	struct bonnie_csv b = parse(format_197);

	(void)state;
	assert_string_equal(b.format, "1.97");
	assert_string_equal(b.name, "box");
	assert_int_equal(b.size, 1024 * MIB);
	expect(&b, "get_block", BOUND_EXACT, 90000 * 1024.0);
	expect(&b, "seeks", BOUND_EXACT, 150.5);
	expect(&b, "seq_create", BOUND_EXACT, 1200);
	expect(&b, "seq_stat", BOUND_AT_LEAST, 32768);
	expect(&b, "seq_del", BOUND_EXACT, 0); // an exact zero
	expect(&b, "seq_del_cpu", BOUND_EXACT, 0);
	expect(&b, "putc_latency", BOUND_EXACT, 0.012345);
	expect(&b, "rewrite_latency", BOUND_EXACT, 2);
	assert_null(metric_find(&b.metrics, "getc_latency"));
	expect(&b, "ran_del_latency", BOUND_EXACT, 0.15);
	bonnie_csv_done(&b);
}

static void a_single_character_bound_is_small(void **state)
{
	_cleanup_free_ char *line = mem_strdup(format_197);
	struct bonnie_csv b;

	(void)state;
	memcpy(strstr(line, ",500,99,"), ",+++,++,", 8);
	b = parse(line);
	// 3 MiB in half a second, not the file of 1 GiB
	expect(&b, "putc", BOUND_AT_LEAST, 6 * 1048576.0);
	bonnie_csv_done(&b);
}

static void commas_in_a_name(void **state)
{
	_cleanup_free_ char *line = mem_printf("my,old,%s", plain);
	struct bonnie_csv b = parse(line);

	(void)state;
	assert_string_equal(b.name, "my,old,forest");
	expect(&b, "seeks", BOUND_EXACT, 148.8);
	bonnie_csv_done(&b);
}

static void parts_that_did_not_run(void **state)
{
	struct bonnie_csv b = parse("box,,,,,,,,,,,,,,16,10,1,20,2,30,3,40,4,50,5,60,6");

	(void)state;
	assert_int_equal(b.size, 0);
	assert_null(metric_find(&b.metrics, "put_block"));
	expect(&b, "seq_create", BOUND_EXACT, 10);
	bonnie_csv_done(&b);
	b = parse("box,1G:64k,1,1,2,2,3,3,4,4,5,5,6.5,6,,,,,,,,,,,,,");
	assert_int_equal(b.size, 1024 * MIB);
	assert_string_equal(b.size_text, "1G:64k");
	expect(&b, "rewrite", BOUND_EXACT, 3072);
	assert_null(metric_find(&b.metrics, "ran_del"));
	bonnie_csv_done(&b);
}

static void passes_over_all_else(void **state)
{
	_cleanup_free_ char *cut = mem_strdup(format_197);
	_cleanup_free_ char *renamed = mem_strdup(format_197);
	_cleanup_free_ char *noise = mem_printf(
		"Can't write(), disk full?\n"
		"format_version,bonnie_version,name,concurrency,seed,file_size\n\n%s\n",
		plain);
	struct bonnie_csv b;

	(void)state;
	finds_none("");
	finds_none("\n\n,,,,,,,,,,,,,,,,,,,,,,,,,,\n"); // 27 fields, no number
	cut[strlen(cut) - 7] = '\0';                    // a latency is missing
	finds_none(cut);
	memcpy(renamed, "1.98", 4); // 48 fields, but 1.98 has 50
	finds_none(renamed);
	finds_none("forest,432M,x,84,21831,10,9536,4,16355,58,22165,3,148.8,0,16,1,1,1,1,"
		   "1,1,1,1,1,1,1,1");
	b = parse(noise);
	assert_string_equal(b.line, plain);
	bonnie_csv_done(&b);
}

static void expect_size(struct bonnie_size b, uint64_t size, uint64_t ram, uint64_t cap)
{
	assert_int_equal(b.size, size * MIB);
	assert_int_equal(b.ram, ram * MIB);
	assert_int_equal(b.cap, cap * MIB);
}

static void chooses_sizes(void **state)
{
	(void)state;
	// 216 and 232 MiB are what two kernels see of 256: the same sizes for both
	expect_size(bonnie_size(0, 0, 0, 216 * MIB), 512, 256, 0);
	expect_size(bonnie_size(0, 0, 0, 232 * MIB), 512, 256, 0);
	// much memory: no file of 512 GiB, but a cap
	expect_size(bonnie_size(0, 0, 0, 262144 * MIB), 2048, 1024, 512);
	expect_size(bonnie_size(300 * MIB, 0, 0, 16384 * MIB), 300, 150, 75);
	expect_size(bonnie_size(64 * MIB, 0, 0, 16384 * MIB), 64, 32, 32);
	expect_size(bonnie_size(0, 100 * MIB, 0, 128 * MIB), 200, 100, 50);
	expect_size(bonnie_size(0, 0, 128 * MIB, 16384 * MIB), 512, 256, 128);
	expect_size(bonnie_size(1024 * MIB, 64 * MIB, 0, 256 * MIB), 1024, 64, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_published_number),
		cmocka_unit_test(keeps_the_whole_line_and_sizes),
		cmocka_unit_test(joins_wrapped_lines),
		cmocka_unit_test(does_not_join_what_follows),
		cmocka_unit_test(reads_2_00a),
		cmocka_unit_test(empty_is_no_metric),
		cmocka_unit_test(reads_1_97),
		cmocka_unit_test(a_single_character_bound_is_small),
		cmocka_unit_test(commas_in_a_name),
		cmocka_unit_test(parts_that_did_not_run),
		cmocka_unit_test(passes_over_all_else),
		cmocka_unit_test(chooses_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

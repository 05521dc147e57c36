// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values, read and written again.
#include "unit.h"

#include <string.h>

#include "common/csv.h"

static struct csv reader(const char *text)
{
	return (struct csv){ .text = text, .len = strlen(text), .line = 1 };
}

static void rows_and_lines(void **state)
{
	struct csv csv = reader("a,b\r\n\n\"x, \"\"y\"\"\nz\",,\nlast");
	struct err err = { 0 };
	struct csv_row row;

	(void)state;
	assert_int_equal(csv_next(&csv, &row, &err), 0);
	assert_int_equal(row.n, 2);
	assert_int_equal(row.line, 1);
	assert_string_equal(row.fields[1], "b");
	csv_row_done(&row);
	assert_int_equal(csv_next(&csv, &row, &err), 0);
	assert_int_equal(row.n, 3);
	assert_int_equal(row.line, 3);
	assert_string_equal(row.fields[0], "x, \"y\"\nz");
	assert_string_equal(row.fields[2], "");
	csv_row_done(&row);
	assert_int_equal(csv_next(&csv, &row, &err), 0);
	assert_int_equal(row.line, 5);
	assert_string_equal(row.fields[0], "last");
	csv_row_done(&row);
	assert_int_equal(csv_next(&csv, &row, &err), -ENOENT);
}

static void faults_end_with_their_line(void **state)
{
	struct csv csv = reader("\"a\"b,c\nd\n\"never closed\n");
	struct err err = { 0 };
	struct csv_row row;

	(void)state;
	assert_int_equal(csv_next(&csv, &row, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "behind a closing quote"));
	assert_int_equal(csv_next(&csv, &row, &err), 0);
	assert_string_equal(row.fields[0], "d");
	csv_row_done(&row);
	assert_int_equal(csv_next(&csv, &row, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "line 3"));
	assert_int_equal(csv_next(&csv, &row, &err), -ENOENT);
}

static void what_is_written_reads_back(void **state)
{
	static const char *const texts[] = { "", "plain", "a,b", "say \"a\"",
					     "two\nlines" };
	_cleanup_strbuf_ struct strbuf line = { 0 };
	struct err err = { 0 };
	struct csv_row row;
	struct csv csv;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		strbuf_puts(&line, i ? "," : "");
		csv_add(&line, texts[i]);
	}
	csv = reader(line.data);
	assert_int_equal(csv_next(&csv, &row, &err), 0);
	assert_int_equal(row.n, ARRAY_SIZE(texts));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_string_equal(row.fields[i], texts[i]);
	csv_row_done(&row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_lines),
		cmocka_unit_test(faults_end_with_their_line),
		cmocka_unit_test(what_is_written_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

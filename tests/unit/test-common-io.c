// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files, JSON helpers, text buffers.
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/json.h"
#include "common/mem.h"

// A private folder for one test, removed by rm in teardown().
static int setup(void **state)
{
	char *dir = mem_strdup("/tmp/assay-unit-XXXXXX");

	*state = mkdtemp(dir);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_free_ char *dir = *state;
	_cleanup_free_ char *file = mem_printf("%s/a/b/file", dir);
	_cleanup_free_ char *b = mem_printf("%s/a/b", dir);
	_cleanup_free_ char *a = mem_printf("%s/a", dir);

	unlink(file);
	rmdir(b);
	rmdir(a);
	return rmdir(dir);
}

static void replaces_a_file_whole(void **state)
{
	_cleanup_free_ char *dir = mem_printf("%s/a/b", (char *)*state);
	_cleanup_free_ char *file = mem_printf("%s/file", dir);
	_cleanup_free_ char *tmp = mem_printf("%s/file.new", dir);
	_cleanup_free_ char *line = NULL;

	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(io_replace_file(file, "first", 5), 0);
	assert_int_equal(io_replace_file(file, "  42 \nmore", 10), 0);
	assert_false(io_exists(tmp));
	line = io_read_line("%s/%s", dir, "file");
	assert_string_equal(line, "42");
	assert_int_equal(io_read_number(-1, "%s/file", dir), 42);
	assert_int_equal(io_read_number(-1, "%s/none", dir), -1);
}

static void a_file_that_is_too_long_is_refused(void **state)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	_cleanup_free_ char *dir = mem_printf("%s/a/b", (char *)*state);
	_cleanup_free_ char *file = mem_printf("%s/file", dir);

	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(io_replace_file(file, "12345", 5), 0);
	assert_int_equal(io_read_file(file, &b, 4), -EFBIG);
	strbuf_done(&b);
	assert_int_equal(io_read_file(file, &b, 5), 0);
	assert_string_equal(strbuf_str(&b), "12345");
	assert_int_equal(io_read_file("/nonexistent/x", &b, 5), -ENOENT);
}

static void json_getters_check_types(void **state)
{
	static const char text[] =
		"{\"s\":\"x\",\"i\":7,\"d\":1.5,\"b\":true,\"n\":null}";
	struct err err = { 0 };
	_cleanup_json_ struct json_object *o =
		json_parse_text(text, sizeof(text) - 1, &err);

	(void)state;
	assert_non_null(o);
	assert_string_equal(json_get_str(o, "s"), "x");
	assert_null(json_get_str(o, "i"));
	assert_null(json_get_str(o, "n"));
	assert_null(json_get_str(NULL, "s"));
	assert_int_equal(json_get_int(o, "i", -1), 7);
	assert_int_equal(json_get_int(o, "s", -1), -1);
	assert_true(json_get_double(o, "d", 0) > 1.4);
	assert_true(json_get_bool(o, "b", false));
	assert_string_equal(json_line(o), text);
}

static void bad_json_says_where(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(json_parse_text("{\"a\":}", 6, &err));
	assert_int_equal(err.code, -EINVAL);
	assert_non_null(strstr(err.text, "at byte 5"));
}

static void text_grows(void **state)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	char *taken;

	(void)state;
	assert_string_equal(strbuf_str(&b), "");
	for (int i = 0; i < 1000; i++)
		strbuf_printf(&b, "%d,", i);
	assert_int_equal(b.len, 3890);
	taken = strbuf_take(&b);
	assert_int_equal(strlen(taken), 3890);
	assert_int_equal(b.len, 0);
	free(taken);
}

static void error_prefix(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_set(&err, -EBUSY, "mounted at %s", "/x"), -EBUSY);
	assert_int_equal(err_prefix(&err, -EIO, "%s", "sda"), -EBUSY);
	assert_string_equal(err.text, "sda: mounted at /x");
	assert_int_equal(err_set(NULL, -EIO, "x"), -EIO);
	assert_int_equal(err_prefix(NULL, -EIO, "x"), -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(replaces_a_file_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(a_file_that_is_too_long_is_refused, setup,
						teardown),
		cmocka_unit_test(json_getters_check_types),
		cmocka_unit_test(bad_json_says_where),
		cmocka_unit_test(text_grows),
		cmocka_unit_test(error_prefix),
	};

	return cmocka_run_group_tests_name("common/io", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets: key files are read whole and exactly, or refused with a sentence.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/secret.h"
#include "unit.h"

#define MAX 5000

static char path[] = "/tmp/assay-secret-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

// Reads back a key file of `len` bytes; the bytes differ, zeros and newlines among them.
static int read_key(size_t len, struct secret *key, struct err *err)
{
	_cleanup_free_ unsigned char *bytes = mem_new(MAX + 2, 1);
	int r;

	for (size_t i = 0; i < len; i++)
		bytes[i] = (unsigned char)(i * 7);
	assert_int_equal(io_replace_file(path, bytes, len), 0);
	r = secret_read_file(key, path, MAX, err);
	if (r == 0) {
		assert_int_equal(key->len, len);
		assert_memory_equal(key->data, bytes, len);
	}
	return r;
}

static void key_files_are_read_exactly(void **state)
{
	static const size_t sizes[] = { 0, 1, 64, 4095, 4096, 4097, MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		_cleanup_secret_ struct secret key = { 0 };
		struct err err = { 0 };

		assert_int_equal(read_key(sizes[i], &key, &err), 0);
		secret_done(&key);
		assert_null(key.data);
		assert_int_equal(key.len, 0);
	}
}

static void a_key_file_too_large_is_refused(void **state)
{
	_cleanup_secret_ struct secret key = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(read_key(MAX + 1, &key, &err), -EFBIG);
	assert_non_null(strstr(err.text, path));
	assert_null(key.data);
}

static void a_missing_key_file_is_named(void **state)
{
	_cleanup_secret_ struct secret key = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(secret_read_file(&key, "/nonexistent/key", MAX, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/key"));
	assert_null(key.data);
}

static void random_keys_differ(void **state)
{
	_cleanup_secret_ struct secret a = { 0 }, b = { 0 };

	(void)state;
	assert_int_equal(secret_random(&a, 64), 0);
	assert_int_equal(secret_random(&b, 64), 0);
	assert_int_equal(a.len, 64);
	assert_memory_not_equal(a.data, b.data, 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(key_files_are_read_exactly),
		cmocka_unit_test(a_key_file_too_large_is_refused),
		cmocka_unit_test(a_missing_key_file_is_named),
		cmocka_unit_test(random_keys_differ),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}

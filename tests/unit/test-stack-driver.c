// SPDX-License-Identifier: GPL-3.0-or-later
// Which driver the kernel takes for a cipher, and when that is shouted about.
#include "unit.h"

#include <string.h>

#include "common/io.h"
#include "stack/crypto-driver.h"

static struct strbuf text;

static int load(void **state)
{
	(void)state;
	return io_read_file("tests/data/stack/proc-crypto", &text, 1 << 20);
}

static int unload(void **state)
{
	(void)state;
	strbuf_done(&text);
	return 0;
}

static void the_highest_priority_wins(void **state)
{
	static const struct {
		const char *name, *driver, *module;
	} rows[] = {
		{ "xts(aes)", "xts-aes-aesni", "aesni_intel" },
		{ "cbc(aes)", "cbc(ecb(aes-fixed-time))", "kernel" },
		{ "essiv(cbc(aes),sha256)", "essiv(cbc-aes-aesni,sha256-generic)",
		  "essiv" },
		{ "adiantum(xchacha12,aes)",
		  "adiantum(xchacha12-simd,aes-generic,nhpoly1305-avx2)", "adiantum" },
	};
	struct crypto_driver d;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(
			crypto_driver_find(text.data, text.len, rows[i].name, &d), 0);
		assert_string_equal(d.driver, rows[i].driver);
		assert_string_equal(d.module, rows[i].module);
	}
}

static void what_users_do_not_get_is_not_found(void **state)
{
	static const char *const names[] = { "__xts(aes)",   "aes",    "sha256",
					     "xts(serpent)", "xts(ae", "" };
	struct crypto_driver d;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(crypto_driver_find(text.data, text.len, names[i], &d),
				 -ENOENT);
}

static void the_last_entry_needs_no_blank_line(void **state)
{
	static const char last[] = "name : xts(aes)\ndriver : a\nmodule : m\n"
				   "priority : 7\nselftest : passed\ninternal : no\n"
				   "type : skcipher\n";
	struct crypto_driver d;

	(void)state;
	assert_int_equal(crypto_driver_find(last, sizeof(last) - 1, "xts(aes)", &d), 0);
	assert_int_equal(d.priority, 7);
	assert_int_equal(crypto_driver_find(last, sizeof(last) - 2, "xts(aes)", &d), 0);
}

// What is in use was bound before the better one came.
static void a_driver_in_use_comes_first(void **state)
{
	static const char two[] =
		"name : xts(aes)\ndriver : new\npriority : 401\nrefcnt : 1\n"
		"selftest : passed\ninternal : no\ntype : skcipher\n\n"
		"name : xts(aes)\ndriver : old\npriority : 100\nrefcnt : 3\n"
		"selftest : passed\ninternal : no\ntype : skcipher\n";
	struct crypto_driver d;

	(void)state;
	assert_int_equal(crypto_driver_find(two, sizeof(two) - 1, "xts(aes)", &d), 0);
	assert_string_equal(d.driver, "old");
	assert_int_equal(d.users, 3);
	assert_string_equal(d.preferred, "new");
}

static void specifications_of_tables(void **state)
{
	static const char *const rows[][2] = {
		{ "aes-xts-plain64", "xts(aes)" },
		{ "aes-cbc-essiv:sha256", "essiv(cbc(aes),sha256)" },
		{ "aes", "cbc(aes)" },
		{ "capi:authenc(hmac(sha256),xts(aes))-random",
		  "authenc(hmac(sha256),xts(aes))" },
		{ "capi:xts(aes)", "xts(aes)" },
		{ "aes-", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf name = { 0 };

		crypto_driver_spec_name(rows[i][0], &name);
		assert_string_equal(strbuf_str(&name), rows[i][1]);
	}
}

static void names_are_the_kernels(void **state)
{
	static const char *const rows[][3] = {
		{ "aes", "xts-plain64", "xts(aes)" },
		{ "aes", "cbc-essiv:sha256", "essiv(cbc(aes),sha256)" },
		{ "aes", "cbc-plain", "cbc(aes)" },
		{ "aes", "cbc", "cbc(aes)" },
		{ "xchacha12,aes", "adiantum-plain64", "adiantum(xchacha12,aes)" },
		{ "cipher_null", "ecb", "ecb(cipher_null)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf name = { 0 };

		crypto_driver_name(rows[i][0], rows[i][1], &name);
		assert_string_equal(strbuf_str(&name), rows[i][2]);
	}
}

static void slow_aes_is_shouted_about_where_the_cpu_could(void **state)
{
	static const struct {
		const char *name, *driver;
		bool cpu, loud;
	} rows[] = {
		{ "xts(aes)", "xts(ecb(aes-generic))", true, true },
		{ "xts(aes)", "xts(ecb(aes-generic))", false, false },
		{ "xts(aes)", "xts-aes-aesni", true, false },
		{ "cbc(aes)", "cbc(ecb(aes-fixed-time))", true, true },
		{ "xts(serpent)", "xts(ecb(serpent-generic))", true, false },
		// the hash makes the IV's key once; its speed does not matter
		{ "essiv(cbc(aes),sha256)", "essiv(cbc-aes-aesni,sha256-generic)", true,
		  false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf said = { 0 };

		crypto_driver_shout(rows[i].name, rows[i].driver, rows[i].cpu, &said);
		assert_int_equal(said.len > 0, rows[i].loud);
		if (rows[i].loud)
			assert_non_null(strstr(said.data, rows[i].driver));
	}
}

static void cpus_say_whether_they_have_aes(void **state)
{
	(void)state;
	assert_true(
		crypto_cpu_has_aes("model name\t: X\nflags\t\t: fpu aes avx\nbugs: x\n"));
	assert_true(crypto_cpu_has_aes("flags\t\t: fpu sse4_2 aes\nbugs\t: x\n"));
	assert_true(crypto_cpu_has_aes("Features\t: fp asimd aes pmull\n"));
	assert_true(crypto_cpu_has_aes("flags : fpu aes"));
	assert_false(crypto_cpu_has_aes("flags\t\t: fpu vaes aesx\nbugs\t: aes\n"));
	assert_false(crypto_cpu_has_aes(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_highest_priority_wins),
		cmocka_unit_test(what_users_do_not_get_is_not_found),
		cmocka_unit_test(the_last_entry_needs_no_blank_line),
		cmocka_unit_test(a_driver_in_use_comes_first),
		cmocka_unit_test(specifications_of_tables),
		cmocka_unit_test(names_are_the_kernels),
		cmocka_unit_test(slow_aes_is_shouted_about_where_the_cpu_could),
		cmocka_unit_test(cpus_say_whether_they_have_aes),
	};

	return cmocka_run_group_tests(tests, load, unload);
}

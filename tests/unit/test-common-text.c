// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, sizes, the kernel command line, checksums, secrets.
#include "unit.h"

#include <string.h>

#include "common/cmdline.h"
#include "common/crc32.h"
#include "common/fault.h"
#include "common/number.h"
#include "common/secret.h"

static void sizes(void **state)
{
	static const struct {
		const char *text;
		int result;
		uint64_t value;
	} table[] = {
		{ "0", 0, 0 },
		{ "512", 0, 512 },
		{ "1K", 0, 1024 },
		{ "1kB", 0, 1000 },
		{ "1.5G", 0, 1610612736 },
		{ "20 GB", 0, 20000000000 },
		{ "2T", 0, UINT64_C(2) << 40 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999T", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1Q", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "G", -EINVAL, 0 },
		{ ".", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		uint64_t v = 0;

		assert_int_equal(number_size(table[i].text, &v), table[i].result);
		if (table[i].result == 0)
			assert_int_equal(v, table[i].value);
	}
}

static void durations(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(number_duration("90", &v), 0);
	assert_int_equal(v, UINT64_C(90000000000));
	assert_int_equal(number_duration("250ms", &v), 0);
	assert_int_equal(v, 250000000);
	assert_int_equal(number_duration("3 h", &v), 0);
	assert_int_equal(v, UINT64_C(10800000000000));
	assert_int_equal(number_duration("3 weeks", &v), -EINVAL);
}

static void formats(void **state)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };

	(void)state;
	number_format_bytes(&b, 999);
	strbuf_puts(&b, ";");
	number_format_bytes(&b, 268435456);
	strbuf_puts(&b, ";");
	number_format_rate(&b, 21.83e6);
	strbuf_puts(&b, ";");
	number_format_rate(&b, 999.96e3);
	strbuf_puts(&b, ";");
	number_format_duration(&b, UINT64_C(4800000000000));
	strbuf_puts(&b, ";");
	number_format_duration(&b, 4100000);
	assert_string_equal(strbuf_str(&b),
			    "999 B;268 MB;21.8 MB/s;1.00 MB/s;1 h 20 min;4.1 ms");
}

static void command_line(void **state)
{
	struct cmdline c;

	(void)state;
	cmdline_parse(&c,
		      "quiet console=tty0 console=ttyS0,115200 assay.plan.name=\"a b\" "
		      "\"assay.x=c d\" assay.e=\n");
	assert_int_equal(c.n, 6);
	assert_string_equal(cmdline_get(&c, "quiet"), "");
	assert_string_equal(cmdline_get(&c, "console"), "ttyS0,115200");
	assert_string_equal(cmdline_get(&c, "assay.plan.name"), "a b");
	assert_string_equal(cmdline_get(&c, "assay.x"), "c d");
	assert_string_equal(cmdline_get(&c, "assay.e"), "");
	assert_null(cmdline_get(&c, "assay"));
	cmdline_done(&c);
}

static void secrets_on_a_command_line(void **state)
{
	char text[] = "4,1;Command line: ro assay.passphrase=hunter2 x=1\n"
		      "5,2;Unknown parameters \"wifi.psk=\"a b\" y=2\"\n";

	(void)state;
	cmdline_mask(text);
	assert_string_equal(text, "4,1;Command line: ro assay.passphrase=******* x=1\n"
				  "5,2;Unknown parameters \"wifi.psk=***** y=2\"\n");
	assert_true(cmdline_is_secret("assay.PASSWORD"));
	assert_false(cmdline_is_secret("assay.plan"));
}

static void checksum(void **state)
{
	(void)state;
	assert_int_equal(crc32_add(0, "123456789", 9), 0xCBF43926);
	assert_int_equal(crc32_add(crc32_add(0, "1234", 4), "56789", 5), 0xCBF43926);
	assert_int_equal(crc32_add(0, "", 0), 0);
}

static void faults_are_all_kept(void **state)
{
	struct fault_list l = { 0 };

	(void)state;
	fault_add(&l, "assay.ini", 3, "no section %s", "x");
	fault_add(&l, NULL, 0, "second");
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0].text, "no section x");
	assert_int_equal(l.items[0].line, 3);
	fault_done(&l);
	assert_int_equal(l.n, 0);
}

static void secrets(void **state)
{
	struct secret a = { 0 }, b = { 0 };

	(void)state;
	assert_int_equal(secret_random(&a, 64), 0);
	assert_int_equal(secret_random(&b, 64), 0);
	assert_int_equal(a.len, 64);
	assert_memory_not_equal(a.data, b.data, 64);
	secret_done(&a);
	secret_done(&a);
	secret_done(&b);
	assert_null(a.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(durations),
		cmocka_unit_test(formats),
		cmocka_unit_test(command_line),
		cmocka_unit_test(secrets_on_a_command_line),
		cmocka_unit_test(checksum),
		cmocka_unit_test(faults_are_all_kept),
		cmocka_unit_test(secrets),
	};

	return cmocka_run_group_tests_name("common/text", tests, NULL, NULL);
}

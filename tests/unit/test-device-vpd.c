// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes from disks: the VPD pages.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/vpd.h"
#include "unit.h"

static void is(char *have, const char *want)
{
	if (!want)
		assert_null(have);
	else if (!have)
		fail_msg("nothing instead of %s", want);
	else
		assert_string_equal(have, want);
	free(have);
}

static void serial(void **state)
{
	(void)state;
	is(vpd_serial("\0\x80\0\x06  WD-1", 10), "WD-1");
	is(vpd_serial("\0\x80\0\x06WD 1\0\0", 10), "WD 1");
	is(vpd_serial("\0\x80\0\x04W\x01\xff"
		      "1",
		      8),
	   "W??1");
	is(vpd_serial("\0\x80\0\x04    ", 8), NULL);
	is(vpd_serial("\0\x80\0\0", 4), NULL);
	is(vpd_serial("\0\x83\0\x04WD-1", 8), NULL);   // another page
	is(vpd_serial("\0\x80\0\xffWD-1", 8), "WD-1"); // says more than there is
	is(vpd_serial("\0\x80\0\x02WD-1", 8), "WD");   // is more than it says
	is(vpd_serial("\0\x80\0", 3), NULL);
	is(vpd_serial("", 0), NULL);
}

static void wwn(void **state)
{
	static const char naa[] = "\0\x83\0\x18"
				  "\x02\x01\0\x04"
				  "DISK" // T10 vendor: passed over
				  "\x01\x03\0\x08"
				  "\x50\0\xc5\0\x15\xea\x71\xaa";
	static const char port[] = "\0\x83\0\x0c"
				   "\x61\x93\0\x08"
				   "\x50\0\xc5\0\x15\xea\x71\xab";
	static const char eui[] = "\0\x83\0\x0c"
				  "\x01\x02\0\x08"
				  "\0\x25\x38\x51\0\0\0\x01";

	(void)state;
	is(vpd_wwn(naa, sizeof(naa) - 1), "naa.5000c50015ea71aa");
	is(vpd_wwn(port, sizeof(port) - 1), NULL); // of the port, not of the disk
	is(vpd_wwn(eui, sizeof(eui) - 1), "eui.0025385100000001");
	is(vpd_wwn(naa, sizeof(naa) - 2), NULL); // cut short
	is(vpd_wwn("\0\x83\0\x04\x01\x03\0\xff", 8), NULL);
	is(vpd_wwn("\0\x83\0\x00", 4), NULL);
}

static void ata(void **state)
{
	uint8_t page[4 + 56 + 512] = { 0, 0x89, 2, 0x38 };
	uint8_t *id = page + 60;
	struct vpd_ata a;

	(void)state;
	memcpy(id + 20, "DW1-", 4); // words 10-19, letters swapped
	memcpy(id + 54, "DW C", 4);
	id[2 * 87 + 1] = 0x41;
	memcpy(id + 216, "\x01\x50\xe2\x4e\0\0\x01\0", 8);
	id[2 * 76] = 6;
	assert_true(vpd_ata(page, sizeof(page), &a));
	assert_string_equal(a.serial, "WD-1");
	assert_string_equal(a.model, "WDC");
	assert_string_equal(a.wwn, "naa.50014ee200000001");
	assert_null(a.firmware);
	assert_true(a.sata);
	vpd_ata_done(&a);
	id[2 * 87 + 1] = 0x81; // the word does not count
	id[2 * 76] = id[2 * 76 + 1] = 0xff;
	assert_true(vpd_ata(page, sizeof(page), &a));
	assert_null(a.wwn);
	assert_false(a.sata);
	vpd_ata_done(&a);
	assert_false(vpd_ata(page, sizeof(page) - 1, &a));
	assert_null(a.serial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(serial),
		cmocka_unit_test(wwn),
		cmocka_unit_test(ata),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

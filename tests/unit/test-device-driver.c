// SPDX-License-Identifier: GPL-3.0-or-later
// The driver loader's pure parts: uevent messages, and the queue of modaliases.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/io.h"
#include "device/driver.h"
#include "device/modalias.h"
#include "device/uevent.h"

#define MESSAGE(text) text, sizeof(text) - 1

static void event_is_parsed(void **state)
{
	struct uevent e;

	(void)state;
	assert_int_equal(
		uevent_parse(MESSAGE("add@/devices/pci/usb1/sdb/sdb1\0ACTION=add\0"
				     "DEVPATH=/devices/pci/usb1/sdb/sdb1\0"
				     "SUBSYSTEM=block\0MAJOR=8\0DEVTYPE=partition\0"
				     "SEQNUM=5\0"),
			     &e),
		0);
	assert_string_equal(e.action, "add");
	assert_string_equal(e.subsystem, "block");
	assert_string_equal(e.devtype, "partition");
	assert_string_equal(e.name, "sdb1");
	assert_string_equal(e.modalias, "");
}

static void kernel_name_keeps_its_mark(void **state)
{
	struct uevent e;

	(void)state;
	assert_int_equal(uevent_parse(MESSAGE("change@/x\0ACTION=change\0"
					      "DEVPATH=/devices/c/cciss!c0d0\0"
					      "DEVNAME=cciss/c0d0\0"),
				      &e),
			 0);
	assert_string_equal(e.name, "cciss!c0d0");
}

static void foreign_messages_are_refused(void **state)
{
	struct uevent e;

	(void)state;
	assert_int_equal(uevent_parse("", 0, &e), -EBADMSG);
	assert_int_equal(uevent_parse(MESSAGE("libudev\0\376\355\312\376"), &e),
			 -EBADMSG);
	assert_int_equal(uevent_parse(MESSAGE("add@/x\0DEVPATH=/x\0"), &e), -EBADMSG);
	assert_int_equal(uevent_parse(MESSAGE("add@/x\0ACTION=add\0DEVPATH=x\0"), &e),
			 -EBADMSG);
	assert_int_equal(uevent_parse(MESSAGE("add@/x"), &e), -EBADMSG);
}

static void each_alias_once_and_cpu_last(void **state)
{
	struct modalias_queue q = { 0 };

	(void)state;
	assert_true(modalias_add(&q, "cpu:type:x86"));
	assert_true(modalias_add(&q, "pci:a"));
	assert_false(modalias_add(&q, "pci:a"));
	assert_false(modalias_add(&q, ""));
	assert_true(modalias_add(&q, "usb:b"));
	assert_string_equal(modalias_take(&q, MODALIAS_FIRST), "pci:a");
	assert_string_equal(modalias_take(&q, MODALIAS_FIRST), "usb:b");
	assert_null(modalias_take(&q, MODALIAS_FIRST));
	assert_string_equal(modalias_take(&q, MODALIAS_LAST), "cpu:type:x86");
	assert_null(modalias_take(&q, MODALIAS_LAST));
	assert_true(modalias_add(&q, "pci:later"));
	assert_string_equal(modalias_take(&q, MODALIAS_FIRST), "pci:later");
	modalias_done(&q);
}

static void queue_is_bounded(void **state)
{
	struct modalias_queue q = { 0 };
	char alias[32];

	(void)state;
	for (int i = 0; i < MODALIAS_MAX; i++) {
		snprintf(alias, sizeof(alias), "pci:%d", i);
		assert_true(modalias_add(&q, alias));
	}
	assert_false(modalias_add(&q, "pci:one too many"));
	modalias_done(&q);
}

static void usb1_controllers_are_known(void **state)
{
	(void)state;
	assert_true(modalias_wants_ehci("pci:v00008086d00007112sv0sd0bc0Csc03i00"));
	assert_true(modalias_wants_ehci("pci:v0000106Bd0000003Fsv0sd0bc0Csc03i10"));
	assert_false(modalias_wants_ehci("pci:v00008086d0000293Asv0sd0bc0Csc03i20"));
	assert_false(modalias_wants_ehci("usb:bc0Csc03i00"));
}

static void collect(const char *alias, void *arg)
{
	modalias_add(arg, alias);
}

static void tree_is_walked_without_links(void **state)
{
	char dir[] = "/tmp/assay-walk-XXXXXX", path[128], command[64];
	struct modalias_queue q = { 0 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/pci0/dev1", dir);
	assert_int_equal(io_make_dirs(path), 0);
	snprintf(path, sizeof(path), "%s/pci0/dev1/modalias", dir);
	assert_int_equal(io_replace_file(path, "pci:x\n", 6), 0);
	snprintf(path, sizeof(path), "%s/modalias", dir);
	assert_int_equal(io_replace_file(path, "acpi:y\n", 7), 0);
	snprintf(path, sizeof(path), "%s/pci0/loop", dir);
	assert_int_equal(symlink(dir, path), 0);
	snprintf(path, sizeof(path), "%s/pci0/modalias", dir);
	assert_int_equal(io_replace_file(path, "\n", 1), 0);
	assert_int_equal(modalias_walk(dir, collect, &q), 2);
	assert_int_equal(q.n, 2);
	assert_int_equal(modalias_walk("/nonexistent", collect, &q), -ENOENT);
	modalias_done(&q);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

static int third_time(void *arg)
{
	int *n = arg;

	return ++*n == 3;
}

static int never(void *arg)
{
	(void)arg;
	return 0;
}

// Works without a loader, too: as on a workstation, where nothing may be loaded.
static void waiting_is_bounded(void **state)
{
	uint64_t start = clock_mono_ns();
	int n = 0;

	(void)state;
	assert_int_equal(driver_wait(never, NULL, start + CLOCK_SECOND / 5), -ETIMEDOUT);
	assert_true(clock_mono_ns() - start >= CLOCK_SECOND / 5);
	assert_int_equal(driver_wait(third_time, &n, start + 20 * CLOCK_SECOND), 0);
	assert_int_equal(n, 3);
	assert_int_equal(driver_settle(1, clock_mono_ns() + CLOCK_SECOND), 0);
	assert_true(driver_seen("sda") == 0);
	driver_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_is_parsed),
		cmocka_unit_test(kernel_name_keeps_its_mark),
		cmocka_unit_test(foreign_messages_are_refused),
		cmocka_unit_test(each_alias_once_and_cpu_last),
		cmocka_unit_test(queue_is_bounded),
		cmocka_unit_test(usb1_controllers_are_known),
		cmocka_unit_test(tree_is_walked_without_links),
		cmocka_unit_test(waiting_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

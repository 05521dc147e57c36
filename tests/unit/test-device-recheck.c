// SPDX-License-Identifier: GPL-3.0-or-later
// The guard after the first yes: rechecks, callers' copies, leftovers of our own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/guard-internal.h"
#include "device/sysfs.h"
#include "recorded.h"
#include "unit.h"

static void verify(void **state)
{
	static const char *const ours[] = { "sda",  "sda1", "sda2", "md0",
					    "dm-0", "dm-1", NULL };
	struct target t = { 0 };
	struct err err = { 0 };

	(void)state;
	scan("server");
	device_copy(device_find(&list, "sdc"), &t.device);
	assert_int_equal(guard_verify(&t, &list, NULL, &err), 0);
	t.device.diskseq++;
	assert_int_equal(guard_verify(&t, &list, NULL, &err), -ESTALE);
	t.device.diskseq = 0; // an old kernel tells none
	assert_int_equal(guard_verify(&t, &list, NULL, &err), 0);
	free(t.device.serial);
	t.device.serial = strdup("WD-OTHER");
	assert_int_equal(guard_verify(&t, &list, NULL, &err), -ESTALE);
	free(t.device.name);
	t.device.name = strdup("sdz");
	assert_int_equal(guard_verify(&t, &list, NULL, &err), -ENODEV);
	device_done(&t.device);
	// Our own layers do not count, foreign ones above or beside them do.
	device_copy(device_find(&list, "sda"), &t.device);
	assert_int_equal(guard_verify(&t, &list, ours, &err), 0);
	assert_int_equal(guard_verify(&t, &list, ours + 4, &err), -EBUSY);
	assert_non_null(strstr(err.text, "md0"));
	device_done(&t.device);
	device_copy(device_find(&list, "sdc"), &t.device);
	t.results_medium = strdup("sdc");
	assert_int_equal(guard_verify(&t, &list, ours, &err), -EBUSY);
	free(t.results_medium);
	device_done(&t.device);
}

// A disk that is only read is not where results are written meanwhile.
static void look(void **state)
{
	struct guard_rules rules = { 0 };
	struct target *t;
	struct err err = { 0 };
	struct match m;

	(void)state;
	scan("server");
	assert_int_equal(match_parse(&m, "WD-WMAYP0000003", NULL), 0);
	assert_int_equal(guard_look(&rules, &list, &m, &t, &err), 0);
	assert_false(target_writable(t));
	assert_int_equal(guard_verify(t, &list, NULL, &err), 0);
	t->results_medium = strdup("sdc");
	assert_int_equal(guard_verify(t, &list, NULL, &err), -EBUSY);
	target_free(t);
	rules.results_medium = "sdc";
	assert_int_equal(guard_look(&rules, &list, &m, &t, &err), -EBUSY);
	assert_null(t);
	assert_non_null(strstr(err.text, "takes the results"));
	match_done(&m);
}

// Another disk may get the name of a target that vanished.
static void same_name(void **state)
{
	struct device was;

	(void)state;
	scan("server");
	device_copy(device_find(&list, "sdc"), &was);
	assert_true(guard_still_there(&list, &was));
	was.diskseq++;
	assert_false(guard_still_there(&list, &was));
	was.diskseq = 0;
	assert_true(guard_still_there(&list, &was));
	was.devno++;
	assert_false(guard_still_there(&list, &was));
	scan("nvme");
	assert_false(guard_still_there(&list, &was));
	device_done(&was);
}

// A copy of a device, as callers hold it, is judged by what the list says now.
static void copies(void **state)
{
	struct guard_rules rules = { 0 };
	struct device copy;
	struct err err = { 0 };

	(void)state;
	scan("server");
	device_copy(device_find(&list, "sda"), &copy);
	assert_int_equal(guard_may_write(&rules, &list, &copy, &err), -EBUSY);
	assert_int_equal(guard_check_use(&list, &copy, NULL, true, &err), -EBUSY);
	scan("nvme");
	assert_int_equal(guard_may_write(&rules, &list, &copy, &err), -ENODEV);
	assert_int_equal(guard_check_use(&list, &copy, NULL, true, &err), -ENODEV);
	device_done(&copy);
}

static struct device *change(const char *name)
{
	for (size_t i = 0; i < list.n; i++)
		if (strcmp(list.items[i].name, name) == 0)
			return &list.items[i];
	fail_msg("%s is missing", name);
	return NULL;
}

// What an earlier stack of ours left may be taken away; nothing else opens the gate.
static void again(void **state)
{
	struct guard_rules rules = { 0 };
	const struct device *d;
	struct err err = { 0 };
	struct match m;
	static const char id[] = "WD-WMAYP0000005";

	(void)state;
	scan("server");
	assert_int_equal(match_parse(&m, id, NULL), 0);
	assert_int_equal(guard_decide_again(&rules, &list, &m, id, &d, &err), -EBUSY);
	assert_non_null(strstr(err.text, "dm-3 (backup)"));
	free(change("dm-3")->alias);
	change("dm-3")->alias = strdup("assay-encrypted-2");
	assert_int_equal(guard_decide_again(&rules, &list, &m, id, &d, &err), 0);
	assert_string_equal(d->name, "sde");
	assert_int_equal(guard_decide(&rules, &list, &m, id, &d, &err), -EBUSY);
	assert_int_equal(guard_decide_again(&rules, &list, &m, NULL, &d, &err), -EACCES);
	change("sde")->readonly = true; // as every disk that is only looked at
	assert_int_equal(guard_decide_look_again(&rules, &list, &m, &d, &err), 0);
	change("sde")->readonly = false;
	names_add(&change("dm-3")->mounts, "/run/assay/mnt/encrypted-3");
	assert_int_equal(guard_decide_again(&rules, &list, &m, id, &d, &err), 0);
	names_add(&change("dm-3")->mounts, "/home");
	assert_int_equal(guard_decide_again(&rules, &list, &m, id, &d, &err), -EBUSY);
	assert_int_equal(guard_decide_look_again(&rules, &list, &m, &d, &err), -EBUSY);
	match_done(&m);
	// The stick's mount is no leftover.
	scan("sticks");
	names_free(change("sde1")->mounts);
	change("sde1")->mounts = NULL;
	names_add(&change("sde1")->mounts, "/run/assay/stick");
	assert_int_equal(match_parse(&m, "4C530001", NULL), 0);
	assert_int_equal(guard_decide_again(&rules, &list, &m, "4C530001", &d, &err),
			 -EBUSY);
	match_done(&m);
}

static void foreign_above_ours(void **state)
{
	static const char *const ours[] = { "sda1", "md0", "sda2", "dm-0", NULL };
	struct err err = { 0 };

	(void)state;
	scan("server");
	assert_int_equal(
		guard_check_use(&list, device_find(&list, "sda"), ours, true, &err),
		-EBUSY);
	assert_non_null(strstr(err.text, "dm-1 (vg-root)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verify),    cmocka_unit_test(look),
		cmocka_unit_test(same_name), cmocka_unit_test(copies),
		cmocka_unit_test(again),     cmocka_unit_test(foreign_above_ours),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded machine of tests/data/device/, scanned for the test that runs now.
#pragma once

#include <stdio.h>

#include "device/device.h"
#include "unit.h"

#define DATA "tests/data/device/"

static struct device_list list;

static void scan(const char *machine)
{
	char root[64];
	struct device_scan how = { .root = root };
	struct err err = { 0 };

	snprintf(root, sizeof(root), DATA "%s", machine);
	if (device_scan(&how, &list, &err) < 0)
		fail_msg("%s", err.text);
}

static int done(void **state)
{
	(void)state;
	device_list_done(&list);
	return 0;
}

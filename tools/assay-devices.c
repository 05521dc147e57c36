// SPDX-License-Identifier: GPL-3.0-or-later
// assay devices: what disks are here, whether each may be written, and what has no
// driver.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "device/guard.h"
#include "device/medium.h"

static void print_text(const struct guard_rules *rules, const struct device_list *list,
		       const struct device_orphan_list *orphans)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	guard_print(rules, list, &text);
	device_orphans_print(orphans, &text);
	fputs(strbuf_str(&text), stdout);
}

static void print_json(const struct guard_rules *rules, const struct device_list *list,
		       const struct device_orphan_list *orphans)
{
	_cleanup_json_ struct json_object *o = json_new();

	json_set(o, "devices", guard_json(rules, list));
	json_set(o, "without_driver", device_orphans_json(orphans));
	puts(json_pretty(o));
}

static int devices_command(int argc, char **argv)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct device_orphan_list orphans = { 0 };
	struct device_list list = { 0 };
	struct guard_rules rules = { 0 };
	struct medium boot;
	struct err err = { 0 };
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;

	if (argc > 2 || (argc == 2 && !json))
		return command_usage(&command_devices);
	if (device_scan(&how, &list, &err) < 0) {
		fprintf(stderr, "assay devices: %s\n", err.text);
		return COMMAND_FAILED;
	}
	device_scan_orphans("", &orphans);
	medium_here(&boot, &list);
	rules.boot_media = boot.disks;
	if (json)
		print_json(&rules, &list, &orphans);
	else
		print_text(&rules, &list, &orphans);
	medium_done(&boot);
	device_list_done(&list);
	device_orphan_list_done(&orphans);
	return COMMAND_OK;
}

const struct command command_devices = {
	.name = "devices",
	.args = "[--json]",
	.help = "what disks are here, and which may be written",
	.run = devices_command,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// Which mount options a plan may give: all but those listed here.
#include <string.h>

#include "common/mem.h"
#include "stack/mount-option.h"

#define OTHER_DEVICE "it names another device, which nobody consented to write to"
#define OURS         "whether an arm is written to is decided by its open and scratch"
#define PANICS       "it stops the machine, and the result would be lost"
#define LAZY         "it works in the background while others are measured"
#define NOT_A_MOUNT  "it is for another kind of mount"
#define UNREPLAYED   "a log that is not replayed is a damaged filesystem"

static const struct {
	const char *name, *why; // a name with "=" wants a value
} refused[] = {
	{ "journal_path=", OTHER_DEVICE },
	{ "journal_dev=", OTHER_DEVICE },
	{ "logdev=", OTHER_DEVICE },
	{ "rtdev=", OTHER_DEVICE },
	{ "device=", OTHER_DEVICE },
	{ "devid=", OTHER_DEVICE },
	{ "ro", OURS },
	{ "rw", OURS },
	{ "errors=panic", PANICS },
	{ "fatal_errors=panic", PANICS },
	{ "onerror=panic", PANICS },
	{ "init_itable", LAZY },
	{ "remount", NOT_A_MOUNT },
	{ "bind", NOT_A_MOUNT },
	{ "rbind", NOT_A_MOUNT },
	{ "move", NOT_A_MOUNT },
	{ "loop", NOT_A_MOUNT },
	{ "noload", UNREPLAYED },
	{ "norecovery", UNREPLAYED },
	{ "nologreplay", UNREPLAYED },
	{ "rescue=", UNREPLAYED },
	{ "disable_roll_forward", UNREPLAYED },
};

static const char *why_not(const char *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const char *name = refused[i].name;
		size_t len = strlen(name);

		if (strcmp(option, name) == 0 ||
		    (name[len - 1] == '=' && strncmp(option, name, len) == 0) ||
		    // "init_itable=10" too
		    (strncmp(option, name, len) == 0 && option[len] == '='))
			return refused[i].why;
	}
	return NULL;
}

void mount_option_check(const char *options, const char *kind, const char *file, int line,
			struct fault_list *faults)
{
	_cleanup_free_ char *copy = mem_strdup(options ? options : "");
	char *save = NULL;

	for (char *o = strtok_r(copy, "+,", &save); o; o = strtok_r(NULL, "+,", &save)) {
		const char *why = why_not(o);

		if (why)
			fault_add(faults, file, line,
				  "layer %s: the mount option %s is not for a plan: %s",
				  kind, o, why);
	}
}

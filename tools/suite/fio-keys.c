// SPDX-License-Identifier: GPL-3.0-or-later
// Which of fio's job options a plan may give.
#include <string.h>

#include "common/macro.h"
#include "suite/fio-keys.h"

// Beginnings of options that name files, programs or machines, or that Assay sets itself.
static const char *const refused[] = {
	"append-terse",
	"aux-path",
	"bandwidth-log",
	"cgroup",
	"client",
	"daemonize",
	"directory",
	"dump",
	"eta",
	"exec_postrun",
	"exec_prerun",
	"filename",
	"group_reporting",
	"include",
	"ioscheduler",
	"log_",
	"merge",
	"name",
	"opendir",
	"output",
	"parse-only",
	"profile",
	"randseed",
	"read_iolog",
	"readonly",
	"remote-config",
	"replay_redirect",
	"section",
	"server",
	"showcmd",
	"spawn_zones",
	"trigger",
	"uid",
	"gid",
	"verify_dump",
	"write_bw_log",
	"write_hist_log",
	"write_iolog",
	"write_iops_log",
	"write_lat_log",
};

// Whole options that happen to be the beginning of a refused one.
static const char *const whole[] = { "direct", "verify" };

// The engines that are in the image and stay on the device that they are given.
static const char *const engines[] = { "sync", "psync", "libaio", "io_uring",
				       "null", "mmap",  NULL };

static bool in_list(const char *const *list, size_t n, const char *word)
{
	for (size_t i = 0; i < n && list[i]; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static bool is_refused(const char *key)
{
	size_t len = strlen(key);

	if (in_list(whole, ARRAY_SIZE(whole), key))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		size_t full = strlen(refused[i]);

		if (strncmp(key, refused[i], len < full ? len : full) == 0)
			return true;
	}
	return false;
}

bool fio_key_allowed(const struct plan_param *param, struct strbuf *why)
{
	const char *key = param->key, *value = param->value ? param->value : "1";

	if (!*key || key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_-")] ||
	    *key == '-') {
		strbuf_printf(why, "\"%s\" is no option of fio", key);
	} else if (is_refused(key)) {
		strbuf_printf(why,
			      "%s is not for a plan: where a test works is said by "
			      "`target` and `stack`, and its reports are Assay's",
			      key);
	} else if (strncmp(key, "ioe", 3) == 0 && strcmp(key, "ioengine") != 0) {
		strbuf_printf(why, "%s must be written in full, ioengine", key);
	} else if (strcmp(key, "ioengine") == 0 &&
		   !in_list(engines, ARRAY_SIZE(engines), value)) {
		strbuf_printf(why,
			      "ioengine = %s is not in the image; it has sync, psync, "
			      "libaio, io_uring, null and mmap",
			      value);
	} else if ((strncmp(key, "mem", 3) == 0 || strncmp(key, "iomem", 3) == 0 ||
		    strncmp(key, "buffer_p", 8) == 0 ||
		    strncmp(key, "verify_p", 8) == 0) &&
		   strpbrk(value, "/'")) {
		strbuf_printf(why, "%s = %s names a file", key, value);
	} else {
		return true;
	}
	return false;
}

bool fio_writes(const char *rw)
{
	static const char *const reads[] = { "read", "randread" };
	size_t len = strcspn(rw, ":,");

	for (size_t i = 0; i < ARRAY_SIZE(reads); i++)
		if (strlen(reads[i]) == len && strncmp(rw, reads[i], len) == 0)
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The table and the JSON of devices with what the guard says of each disk.
#include <string.h>

#include "common/mem.h"
#include "device/guard.h"
#include "device/show.h"

struct question {
	const struct guard_rules *rules;
	const struct device_list *list;
};

// The reason without the disk's name, NULL when it may be written; the caller frees.
static char *why_not(const struct question *q, const struct device *disk)
{
	_cleanup_free_ char *title = device_title(disk);
	const char *reason;
	struct err err = { 0 };
	size_t len = strlen(title);

	if (guard_may_write(q->rules, q->list, disk, &err) == 0)
		return NULL;
	reason = err.text;
	if (strncmp(reason, title, len) == 0 && strncmp(reason + len, ": ", 2) == 0)
		reason += len + 2;
	return mem_strdup(reason);
}

static char *verdict(const struct device *disk, void *arg)
{
	_cleanup_free_ char *why = why_not(arg, disk);

	return why ? mem_printf("no: %s", why) : mem_strdup("yes, if the plan consents");
}

void guard_print(const struct guard_rules *rules, const struct device_list *list,
		 struct strbuf *to)
{
	struct question q = { rules, list };

	show_devices(list, verdict, &q, to);
}

struct json_object *guard_json(const struct guard_rules *rules,
			       const struct device_list *list)
{
	struct question q = { rules, list };
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		struct json_object *o = device_to_json(d);
		_cleanup_free_ char *why = why_not(&q, d);

		json_set_bool(o, "may_write", !why);
		json_set_str(o, "why_not", why);
		json_append(array, o);
	}
	return array;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// One block device and the list of them: find, copy, free, JSON.
#include <string.h>
#include <sys/sysmacros.h>

#include "common/mem.h"
#include "device/sysfs.h"

static const char *const kind_names[] = {
	[DEVICE_DISK] = "disk",     [DEVICE_PARTITION] = "partition",
	[DEVICE_DM] = "dm",         [DEVICE_MD] = "md",
	[DEVICE_LOOP] = "loop",     [DEVICE_OPTICAL] = "optical",
	[DEVICE_FLOPPY] = "floppy", [DEVICE_OTHER] = "other",
};

// Every string and list of strings of a device, for copying and freeing.
static const size_t texts[] = {
	offsetof(struct device, name),          offsetof(struct device, path),
	offsetof(struct device, parent),        offsetof(struct device, model),
	offsetof(struct device, serial),        offsetof(struct device, wwn),
	offsetof(struct device, firmware),      offsetof(struct device, alias),
	offsetof(struct device, by_path),       offsetof(struct device, transport),
	offsetof(struct device, content.type),  offsetof(struct device, content.usage),
	offsetof(struct device, content.table), offsetof(struct device, content.uuid),
	offsetof(struct device, content.label),
};

static const size_t lists[] = {
	offsetof(struct device, holders),
	offsetof(struct device, slaves),
	offsetof(struct device, mounts),
};

static void *field(const struct device *d, size_t offset)
{
	return (void *)((uintptr_t)d + offset);
}

void device_done(struct device *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(*(char **)field(d, texts[i]));
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		names_free(*(char ***)field(d, lists[i]));
	*d = (struct device){ 0 };
}

void device_copy(const struct device *from, struct device *to)
{
	*to = *from;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*(char **)field(to, texts[i]) =
			mem_strdup(*(char **)field(from, texts[i]));
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		char **list = *(char ***)field(from, lists[i]), **copy = NULL;

		for (; list && *list; list++)
			names_add(&copy, *list);
		*(char ***)field(to, lists[i]) = copy;
	}
}

const struct device *device_find(const struct device_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];

		if (strcmp(d->name, name) == 0 || strcmp(d->path, name) == 0)
			return d;
	}
	return NULL;
}

const struct device *device_disk(const struct device_list *list, const struct device *d)
{
	return d->parent ? device_find(list, d->parent) : d;
}

char *device_title(const struct device *d)
{
	const char *name = d->model ? d->model : d->alias;

	if (d->serial)
		return mem_printf("%s (%s, serial %s)", d->path,
				  name ? name : "unknown model", d->serial);
	return name ? mem_printf("%s (%s)", d->path, name) : mem_strdup(d->path);
}

void device_list_done(struct device_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		device_done(&list->items[i]);
	free(list->items);
	*list = (struct device_list){ 0 };
}

static void set_names(struct json_object *to, const char *key, char *const *list)
{
	struct json_object *array = json_new_array();

	for (; list && *list; list++)
		json_append_str(array, *list);
	json_set(to, key, array);
}

static struct json_object *content_json(const struct device_content *c)
{
	struct json_object *o = json_new();

	json_set_str(o, "type", c->type);
	json_set_str(o, "usage", c->usage);
	json_set_str(o, "table", c->table);
	json_set_str(o, "uuid", c->uuid);
	json_set_str(o, "label", c->label);
	return o;
}

struct json_object *device_to_json(const struct device *d)
{
	struct json_object *o = json_new();
	_cleanup_free_ char *devno =
		mem_printf("%u:%u", major(d->devno), minor(d->devno));

	json_set_str(o, "name", d->name);
	json_set_str(o, "path", d->path);
	json_set_str(o, "kind", kind_names[d->kind]);
	json_set_str(o, "parent", d->parent);
	json_set_str(o, "devno", devno);
	json_set_str(o, "alias", d->alias);
	json_set_str(o, "model", d->model);
	json_set_str(o, "serial", d->serial);
	json_set_str(o, "wwn", d->wwn);
	json_set_str(o, "firmware", d->firmware);
	json_set_str(o, "by_path", d->by_path);
	json_set_str(o, "transport", d->transport);
	json_set_uint(o, "size", d->size);
	json_set_uint(o, "logical_sector", d->logical_sector);
	json_set_uint(o, "physical_sector", d->physical_sector);
	json_set_bool(o, "rotational", d->rotational);
	json_set_bool(o, "removable", d->removable);
	json_set_bool(o, "readonly", d->readonly);
	json_set_uint(o, "diskseq", d->diskseq);
	json_set_bool(o, "stuck", d->stuck);
	if (d->seen_ns)
		json_set_double(o, "seen", (double)d->seen_ns / 1e9);
	set_names(o, "holders", d->holders);
	set_names(o, "slaves", d->slaves);
	set_names(o, "mounts", d->mounts);
	json_set_bool(o, "swap", d->swap);
	json_set(o, "content", content_json(&d->content));
	return o;
}

struct json_object *device_json(const struct device_list *list)
{
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < list->n; i++)
		json_append(array, device_to_json(&list->items[i]));
	return array;
}

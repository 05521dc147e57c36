// SPDX-License-Identifier: GPL-3.0-or-later
// Devices as a table for a person, 80 columns wide.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "device/show.h"

#define WIDTH  79
#define INDENT 4

static const char *or_dash(const char *s)
{
	return s ? s : "-";
}

// Adds words after the indent, wrapped; lines after the first go in deeper.
static void add_wrapped(struct strbuf *to, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *rest = copy, *word;
	size_t column = 0;

	while ((word = strsep(&rest, " "))) {
		size_t len = strlen(word);

		if (column == 0) {
			strbuf_printf(to, "%*s", INDENT, "");
			column = INDENT;
		} else if (column + 1 + len > WIDTH) {
			strbuf_printf(to, "\n%*s", INDENT + 2, "");
			column = INDENT + 2;
		} else {
			strbuf_puts(to, " ");
			column++;
		}
		strbuf_puts(to, word);
		column += len;
	}
	strbuf_puts(to, "\n");
}

static void add_names(struct strbuf *to, const char *what, char *const *names)
{
	for (size_t i = 0; names && names[i]; i++)
		strbuf_printf(to, "%s%s", i ? ", " : what, names[i]);
}

static void add_content(struct strbuf *to, const struct device *d)
{
	if (d->content.table)
		strbuf_printf(to, ", %s table", d->content.table);
	if (d->content.type)
		strbuf_printf(to, ", %s", d->content.type);
	if (d->content.label)
		strbuf_printf(to, " \"%s\"", d->content.label);
}

static void add_use(struct strbuf *to, const struct device *d)
{
	if (d->swap)
		strbuf_puts(to, ", active swap");
	add_names(to, ", mounted at ", d->mounts);
	add_names(to, ", held by ", d->holders);
}

// What a disk is beside the columns.
static void add_facts(struct strbuf *to, const struct device *d)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };

	if (d->wwn)
		strbuf_printf(&line, "wwn %s, ", d->wwn);
	if (d->by_path)
		strbuf_printf(&line, "path %s, ", d->by_path);
	strbuf_printf(&line, "sectors %u/%u", d->logical_sector, d->physical_sector);
	if (d->kind == DEVICE_DISK)
		strbuf_puts(&line, d->rotational ? ", rotating" : ", not rotating");
	if (d->removable)
		strbuf_puts(&line, ", removable");
	if (d->readonly && d->size)
		strbuf_puts(&line, ", read-only");
	if (d->size == 0)
		strbuf_puts(&line, ", no medium or no capacity");
	add_content(&line, d);
	add_use(&line, d);
	add_wrapped(to, strbuf_str(&line));
}

static void add_size(struct strbuf *to, const struct device *d)
{
	if (d->size)
		number_format_bytes(to, d->size);
	else
		strbuf_puts(to, "-");
}

static void show_partition(struct strbuf *to, const struct device *d)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };

	strbuf_printf(&line, "%s ", d->name);
	add_size(&line, d);
	add_content(&line, d);
	add_use(&line, d);
	add_wrapped(to, strbuf_str(&line));
}

static void show_disk(struct strbuf *to, const struct device_list *list,
		      const struct device *d)
{
	_cleanup_strbuf_ struct strbuf size = { 0 };

	add_size(&size, d);
	strbuf_printf(to, "%-13s %8s  %-6s  %-26s  %s\n", d->path, strbuf_str(&size),
		      or_dash(d->transport), or_dash(d->model), or_dash(d->serial));
	add_facts(to, d);
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].parent && strcmp(list->items[i].parent, d->name) == 0)
			show_partition(to, &list->items[i]);
}

// dm, md and loop devices that stand on something.
static void show_stacked(struct strbuf *to, const struct device *d)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };

	strbuf_puts(&line, d->name);
	if (d->alias)
		strbuf_printf(&line, " (%s)", d->alias);
	strbuf_puts(&line, " ");
	add_size(&line, d);
	add_names(&line, " on ", d->slaves);
	add_content(&line, d);
	add_use(&line, d);
	add_wrapped(to, strbuf_str(&line));
}

static bool is_hardware(const struct device *d)
{
	return d->kind == DEVICE_DISK || d->kind == DEVICE_OPTICAL ||
	       d->kind == DEVICE_FLOPPY;
}

static bool is_stacked(const struct device *d)
{
	return d->size &&
	       (d->kind == DEVICE_DM || d->kind == DEVICE_MD || d->kind == DEVICE_LOOP);
}

void show_devices(const struct device_list *list,
		  char *(*verdict)(const struct device *disk, void *arg), void *arg,
		  struct strbuf *to)
{
	bool any = false, stacked = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		_cleanup_free_ char *said = NULL, *line = NULL;

		if (!is_hardware(d))
			continue;
		if (!any)
			strbuf_printf(to, "%-13s %8s  %-6s  %-26s  %s\n", "DEVICE",
				      "SIZE", "BUS", "MODEL", "SERIAL");
		any = true;
		show_disk(to, list, d);
		if (!verdict || d->kind != DEVICE_DISK)
			continue;
		said = verdict(d, arg);
		line = mem_printf("may be written: %s", said);
		add_wrapped(to, line);
	}
	if (!any)
		strbuf_puts(to, "No disks were found.\n");
	for (size_t i = 0; i < list->n; i++) {
		if (!is_stacked(&list->items[i]))
			continue;
		if (!stacked)
			strbuf_puts(to, "On top of them:\n");
		stacked = true;
		show_stacked(to, &list->items[i]);
	}
}

void device_print(const struct device_list *list, struct strbuf *to)
{
	show_devices(list, NULL, NULL, to);
}

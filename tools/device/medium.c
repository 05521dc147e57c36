// SPDX-License-Identifier: GPL-3.0-or-later
// Which disks carry the running image.
#include <string.h>
#include <strings.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/medium.h"
#include "device/sysfs.h"

#define ISO_LABEL    "ASSAY_"
#define IMAGE_MAX    4096
#define FAT_ID_HALF  4 // digits on either side of the dash in "1234-ABCD"
#define BUILD_DIGITS 16

static char *read_build(const char *image)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL, *line;

	if (io_read_file(image, &text, IMAGE_MAX) < 0 || !text.data)
		return NULL;
	for (line = strtok_r(text.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "id ", 3) == 0 && strlen(line + 3) == BUILD_DIGITS)
			return mem_strdup(line + 3);
	return NULL;
}

void medium_load(struct medium *m, const char *image, const struct cmdline *cmdline)
{
	const char *told = cmdline_get(cmdline, "assay.medium");

	*m = (struct medium){ .build = read_build(image) };
	if (told && *told)
		m->loader = mem_strdup(told);
}

static bool marked_by_build(const struct device_content *c, const char *build)
{
	size_t skip = strlen(ISO_LABEL);

	if (strcmp(c->type, "iso9660") == 0)
		return c->label && strncmp(c->label, ISO_LABEL, skip) == 0 &&
		       strcasecmp(c->label + skip, build) == 0;
	return strcmp(c->type, "vfat") == 0 && c->uuid &&
	       strlen(c->uuid) == 2 * FAT_ID_HALF + 1 &&
	       strncasecmp(c->uuid, build, FAT_ID_HALF) == 0 &&
	       strncasecmp(c->uuid + FAT_ID_HALF + 1, build + FAT_ID_HALF, FAT_ID_HALF) ==
		       0;
}

static bool carries(const struct medium *m, const struct device_content *c)
{
	if (!c->type)
		return false;
	// GRUB writes the digits of a FAT's number small, libblkid large.
	if (m->loader && c->uuid && strcasecmp(c->uuid, m->loader) == 0)
		return true;
	return m->build && marked_by_build(c, m->build);
}

void medium_find(struct medium *m, const struct device_list *list)
{
	names_free(m->disks);
	m->disks = NULL;
	for (size_t i = 0; i < list->n; i++) {
		const struct device *disk = device_disk(list, &list->items[i]);

		if (disk && carries(m, &list->items[i].content))
			names_add(&m->disks, disk->name);
	}
}

void medium_here(struct medium *m, const struct device_list *list)
{
	struct cmdline cmdline = { 0 };

	if (cmdline_load(&cmdline, "/proc/cmdline") < 0)
		cmdline = (struct cmdline){ 0 };
	medium_load(m, MEDIUM_IMAGE, &cmdline);
	medium_find(m, list);
	cmdline_done(&cmdline);
}

bool medium_is_missing(const struct medium *m)
{
	return m->loader && !m->disks;
}

char *medium_describe(const struct medium *m, const struct device_list *list)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	for (char **p = m->disks; p && *p; p++) {
		const struct device *d = device_find(list, *p);
		_cleanup_free_ char *title = d ? device_title(d) : mem_strdup(*p);

		strbuf_printf(&text, "%s%s", text.len ? " and " : "", title);
	}
	if (text.len)
		return mem_strdup(strbuf_str(&text));
	if (medium_is_missing(m))
		return mem_printf("a medium that is not here (any more), filesystem %s",
				  m->loader);
	return mem_strdup("no medium: by network, or by a boot loader that names none");
}

void medium_done(struct medium *m)
{
	free(m->build);
	free(m->loader);
	names_free(m->disks);
	*m = (struct medium){ 0 };
}

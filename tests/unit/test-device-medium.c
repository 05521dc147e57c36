// SPDX-License-Identifier: GPL-3.0-or-later
// The medium that Assay was started from: by the build's mark, by the loader's word.
#include <stdio.h>
#include <string.h>

#include "device/guard.h"
#include "device/medium.h"
#include "device/sysfs.h"
#include "unit.h"

#define BUILD   "0123456789abcdef"

#define TEXT(s) ((char *)(uintptr_t)(s))

static struct device disk(const char *name, const char *type, const char *label,
			  const char *uuid)
{
	return (struct device){
		.name = TEXT(name),
		.path = TEXT(name),
		.kind = DEVICE_DISK,
		.size = 1 << 30,
		.content = { .type = TEXT(type),
			     .label = TEXT(label),
			     .uuid = TEXT(uuid) },
	};
}

static struct device part(const char *name, const char *parent, const char *type,
			  const char *uuid)
{
	struct device d = disk(name, type, NULL, uuid);

	d.kind = DEVICE_PARTITION;
	d.parent = TEXT(parent);
	return d;
}

// The names that medium_find() gives, in one string.
static void assert_disks(const struct medium *m, const char *wanted)
{
	char text[64] = "";

	for (char **p = m->disks; p && *p; p++) {
		strcat(text, text[0] ? " " : "");
		strcat(text, *p);
	}
	assert_string_equal(text, wanted);
}

static void assert_found(struct medium m, struct device *items, size_t n,
			 const char *wanted)
{
	const struct device_list list = { .items = items, .n = n };

	m.disks = NULL;
	medium_find(&m, &list);
	assert_disks(&m, wanted);
	names_free(m.disks);
}

static void the_builds_own_marks(void **state)
{
	struct medium m = { .build = TEXT(BUILD) };
	struct device iso[] = {
		disk("sr0", "iso9660", "ASSAY_0123456789ABCDEF",
		     "2026-11-30-17-07-15-00"),
		disk("sr1", "iso9660", "ASSAY_0123456789ABCDEE", NULL), // another build
		disk("sr2", "iso9660", "Debian 12", NULL),
		disk("sr3", "iso9660", NULL, NULL),
		disk("sda", "vfat", "ASSAY_0123456789ABCDEF", NULL), // a label is no mark
	};
	struct device fat[] = {
		disk("sda", NULL, NULL, NULL),
		part("sda1", "sda", "vfat", "0123-4567"),
		disk("sdb", NULL, NULL, NULL),
		part("sdb1", "sdb", "vfat", "0123-4568"),
		part("sdb2", "sdb", "vfat", NULL),
		part("sdb3", "sdb", "vfat", "01234567"),
		part("sdb4", "sdb", "ext4", "0123-4567"),
		disk("sdc", NULL, NULL, NULL),
		part("sdc1", "sdc", "vfat", "0123-4567"), // a copy counts as well
	};

	(void)state;
	assert_found(m, iso, ARRAY_SIZE(iso), "sr0");
	assert_found(m, fat, ARRAY_SIZE(fat), "sda sdc");
	m.build = NULL; // a workstation
	assert_found(m, iso, ARRAY_SIZE(iso), "");
	assert_found(m, fat, ARRAY_SIZE(fat), "");
}

static void what_the_loader_said(void **state)
{
	struct medium m = { .loader = TEXT("ab12-cd34") };
	struct device d[] = {
		disk("sda", NULL, NULL, NULL),
		part("sda1", "sda", "vfat", "AB12-CD34"),
		disk("sdb", "ext4", NULL, "6a1c9c3e-0d4f-4f5e-9f66-0a8f3c1f9d11"),
	};

	(void)state;
	assert_found(m, d, ARRAY_SIZE(d), "sda");
	m.loader = TEXT("6A1C9C3E-0D4F-4F5E-9F66-0A8F3C1F9D11");
	assert_found(m, d, ARRAY_SIZE(d), "sdb");
	m.loader = TEXT("");
	assert_found(m, d, ARRAY_SIZE(d), "");
}

// An ISO written to a stick: the filesystem is seen on the disk and on its first
// partition, and a partition was added behind it.
static void a_whole_stick(void **state)
{
	struct medium m = { .build = TEXT(BUILD) };
	struct device d[] = {
		disk("sda", "iso9660", "ASSAY_0123456789ABCDEF", NULL),
		part("sda1", "sda", "iso9660", NULL),
		part("sda2", "sda", "vfat", NULL),
		part("sda4", "sda", "ext4", NULL),
	};
	const struct device_list list = { .items = d, .n = ARRAY_SIZE(d) };
	struct guard_rules rules = { 0 };
	struct err err = { 0 };

	(void)state;
	medium_find(&m, &list);
	assert_disks(&m, "sda");
	rules.boot_media = m.disks;
	assert_int_equal(guard_may_write(&rules, &list, &d[0], &err), -EBUSY);
	assert_non_null(strstr(err.text, "the medium that Assay was started from"));
	medium_find(&m, &(struct device_list){ 0 }); // pulled
	assert_disks(&m, "");
}

static void assert_said(const struct medium *m, const struct device_list *list,
			const char *wanted)
{
	char *said = medium_describe(m, list);

	assert_string_equal(said, wanted);
	free(said);
}

static void said(void **state)
{
	struct device d[] = { disk("sda", NULL, NULL, NULL),
			      disk("sdb", NULL, NULL, NULL) };
	const struct device_list list = { .items = d, .n = 2 };
	struct medium m = { 0 };

	(void)state;
	assert_said(&m, &list,
		    "no medium: by network, or by a boot loader that names none");
	assert_false(medium_is_missing(&m));
	m.loader = TEXT("1234-ABCD");
	assert_said(&m, &list,
		    "a medium that is not here (any more), filesystem 1234-ABCD");
	assert_true(medium_is_missing(&m));
	names_add(&m.disks, "sda");
	names_add(&m.disks, "sdb");
	assert_false(medium_is_missing(&m));
	assert_said(&m, &list, "sda and sdb");
	names_free(m.disks);
}

static void load(const char *image, const char *cmdline, struct medium *m)
{
	char path[] = "/tmp/assay-medium-XXXXXX";
	int fd = mkstemp(path);
	struct cmdline c = { 0 };

	assert_true(fd >= 0);
	assert_int_equal(dprintf(fd, "%s", image), (int)strlen(image));
	close(fd);
	cmdline_parse(&c, cmdline);
	medium_load(m, path, &c);
	cmdline_done(&c);
	unlink(path);
}

static void loaded(void **state)
{
	struct medium m;

	(void)state;
	load("id " BUILD "\nversion 1\n", "quiet assay.medium=12-34 splash", &m);
	assert_string_equal(m.build, BUILD);
	assert_string_equal(m.loader, "12-34");
	medium_done(&m);
	load("version 1\nid 0123\n", "assay.medium=", &m); // no id, and nothing told
	assert_null(m.build);
	assert_null(m.loader);
	medium_done(&m);
	medium_load(&m, "/nowhere/image", &(struct cmdline){ 0 });
	assert_null(m.build);
	medium_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_builds_own_marks),
		cmocka_unit_test(what_the_loader_said),
		cmocka_unit_test(a_whole_stick),
		cmocka_unit_test(said),
		cmocka_unit_test(loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

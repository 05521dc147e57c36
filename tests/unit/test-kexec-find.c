// SPDX-License-Identifier: GPL-3.0-or-later
// Finding kernels: each folder of tests/data/kexec/find/ holds filesystems as a
// distribution lays them out ("0-UUID", "1-UUID"), and the entries that must be found.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "kexec/find.h"
#include "unit.h"

#define DATA "tests/data/kexec/find/"

static void load_trees(struct tree_list *trees, const char *name)
{
	_cleanup_free_ char *dir = mem_printf(DATA "%s", name);
	struct tree here = { .root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	char **names;

	assert_true(here.root >= 0);
	names = tree_names(&here, "/");
	for (size_t i = 0; names && names[i]; i++) {
		_cleanup_free_ char *device = mem_printf("/dev/mapper/vg0-%zu", i);

		if (!tree_is_dir(&here, names[i]))
			continue;
		tree_add(trees, openat(here.root, names[i], O_RDONLY | O_DIRECTORY),
			 device, strchr(names[i], '-') + 1, NULL);
	}
	tree_names_free(names);
	close(here.root);
}

static void finds(const char *name, size_t chosen)
{
	_cleanup_free_ char *path = mem_printf(DATA "%s/expected.json", name);
	_cleanup_trees_ struct tree_list trees = { 0 };
	_cleanup_entries_ struct entry_list list = { 0 };
	_cleanup_strbuf_ struct strbuf notes = { 0 }, expected = { 0 };
	_cleanup_json_ struct json_object *found = NULL;

	load_trees(&trees, name);
	assert_int_equal(find_entries(&trees, NULL, &list, &notes), 0);
	assert_string_equal(strbuf_str(&notes), "");
	found = entry_list_json(&list, &trees);
	if (getenv("ASSAY_RECORD"))
		io_replace_file(path, json_pretty(found), strlen(json_pretty(found)));
	assert_int_equal(io_read_file(path, &expected, 1 << 20), 0);
	assert_string_equal(json_pretty(found), strbuf_str(&expected));
	assert_int_equal(list.chosen, chosen);
}

static void debian_with_a_saved_entry_in_a_submenu(void **state)
{
	(void)state;
	finds("debian", 3);
}

static void fedora_by_blscfg_with_a_boot_of_its_own(void **state)
{
	(void)state;
	finds("fedora", 1);
}

static void opensuse_in_btrfs_with_snapshots(void **state)
{
	(void)state;
	finds("opensuse", 0);
}

static void a_stub_leads_to_the_configuration(void **state)
{
	(void)state;
	finds("stub", 1);
}

static void every_construct_of_the_language(void **state)
{
	(void)state;
	finds("language", 8);
}

static void systemd_boot_with_counters_and_a_pattern(void **state)
{
	(void)state;
	finds("systemd-boot", 2);
}

static void alpine_by_extlinux(void **state)
{
	(void)state;
	finds("alpine", 0);
}

static void syslinux_with_includes_and_submenus(void **state)
{
	(void)state;
	finds("syslinux", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(debian_with_a_saved_entry_in_a_submenu),
		cmocka_unit_test(fedora_by_blscfg_with_a_boot_of_its_own),
		cmocka_unit_test(opensuse_in_btrfs_with_snapshots),
		cmocka_unit_test(a_stub_leads_to_the_configuration),
		cmocka_unit_test(every_construct_of_the_language),
		cmocka_unit_test(systemd_boot_with_counters_and_a_pattern),
		cmocka_unit_test(alpine_by_extlinux),
		cmocka_unit_test(syslinux_with_includes_and_submenus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

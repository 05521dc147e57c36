// SPDX-License-Identifier: GPL-3.0-or-later
// Looks where distributions keep the configuration of their boot loaders.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/bls.h"
#include "kexec/extlinux.h"
#include "kexec/find.h"
#include "kexec/grub.h"
#include "kexec/links.h"
#include "kexec/uki.h"

// Subvolumes that hold the root of a system when btrfs is seen from its top: Ubuntu and
// Arch, Debian's installer, Fedora, openSUSE.
static const char *const subvolumes[] = { "",      "/@",     "/@rootfs",
					  "/root", "/@boot", "/@/.snapshots/1/snapshot" };

static const char *const grub_paths[] = { "/boot/grub/grub.cfg", "/boot/grub2/grub.cfg",
					  "/grub/grub.cfg", "/grub2/grub.cfg" };
static const char *const bls_dirs[] = { "", "/boot", "/efi", "/boot/efi" };
static const char *const extlinux_paths[] = {
	"/boot/extlinux/extlinux.conf",
	"/extlinux/extlinux.conf",
	"/boot/extlinux.conf",
	"/extlinux.conf",
	"/boot/syslinux/syslinux.cfg",
	"/syslinux/syslinux.cfg",
	"/syslinux.cfg",
	"/isolinux/isolinux.cfg",
};

struct finder {
	const struct tree_list *trees;
	size_t tree;
	struct entry_list *to;
	struct strbuf *notes;
};

// Removes from [first, n) what an earlier configuration offers already.
static void drop_known(struct entry_list *list, size_t first)
{
	size_t keep = first;

	for (size_t i = first; i < list->n; i++) {
		struct entry_list earlier = { .items = list->items, .n = first };

		if (!entry_known(&earlier, &list->items[i])) {
			if (list->chosen == i)
				list->chosen = keep;
			list->items[keep++] = list->items[i];
			continue;
		}
		entry_done(&list->items[i]);
		if (list->chosen == i)
			list->chosen = ENTRY_NONE;
	}
	list->n = keep;
}

static void note(struct finder *f, const struct err *err)
{
	if (f->notes)
		strbuf_printf(f->notes, "%s\n", err->text);
}

static void try_grub(struct finder *f, const char *path)
{
	struct err err = { 0 };
	size_t before = f->to->n;

	if (!tree_is_file(&f->trees->items[f->tree], path))
		return;
	if (grub_load(f->trees, f->tree, path, f->to, &err) < 0)
		note(f, &err);
	drop_known(f->to, before);
}

// Stubs on an EFI system partition lead to the real configuration, or are the real one.
static void try_efi_grub(struct finder *f)
{
	char **names = tree_names(&f->trees->items[f->tree], "/EFI");

	for (size_t i = 0; names && names[i]; i++) {
		_cleanup_free_ char *path = mem_printf("/EFI/%s/grub.cfg", names[i]);

		try_grub(f, path);
	}
	tree_names_free(names);
}

static void find_grub(struct finder *f)
{
	for (size_t s = 0; s < ARRAY_SIZE(subvolumes); s++)
		for (size_t i = 0; i < ARRAY_SIZE(grub_paths); i++) {
			_cleanup_free_ char *path =
				mem_printf("%s%s", subvolumes[s], grub_paths[i]);

			try_grub(f, path);
		}
	try_efi_grub(f);
}

static void find_bls(struct finder *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(bls_dirs); i++) {
		_cleanup_free_ char *dir = mem_printf("%s/loader/entries", bls_dirs[i]);
		_cleanup_free_ char *conf =
			mem_printf("%s/loader/loader.conf", bls_dirs[i]);
		const struct bls_source source = { .trees = f->trees,
						   .tree = f->tree,
						   .dir = dir };
		size_t before = f->to->n;

		if (bls_load(&source, f->to, NULL) < 0)
			continue;
		drop_known(f->to, before);
		bls_choose(&f->trees->items[f->tree], conf, f->to, before);
	}
}

static void find_extlinux(struct finder *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(extlinux_paths); i++) {
		struct err err = { 0 };
		size_t before = f->to->n;

		if (!tree_is_file(&f->trees->items[f->tree], extlinux_paths[i]))
			continue;
		if (extlinux_load(f->trees, f->tree, extlinux_paths[i], f->to, &err) < 0)
			note(f, &err);
		drop_known(f->to, before);
	}
}

static void find_uki(struct finder *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(bls_dirs); i++) {
		_cleanup_free_ char *dir = mem_printf("%s/EFI/Linux", bls_dirs[i]);

		uki_load_dir(f->trees, f->tree, dir, f->to);
	}
}

int find_entries(const struct tree_list *trees, const char *const *roots,
		 struct entry_list *to, struct strbuf *notes)
{
	static void (*const finders[])(struct finder * f) = { find_grub, find_bls,
							      find_extlinux, find_uki };
	struct finder f = { .trees = trees, .to = to, .notes = notes };

	if (to->n == 0)
		to->chosen = ENTRY_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(finders); i++)
		for (f.tree = 0; f.tree < trees->n; f.tree++)
			finders[i](&f);
	for (f.tree = 0; f.tree < trees->n; f.tree++)
		links_load(trees, f.tree, roots ? roots[f.tree] : NULL, to);
	for (size_t i = 0; i < to->n; i++) {
		if (to->items[i].kind == ENTRY_UKI && !to->items[i].version)
			uki_describe(trees, &to->items[i]);
		if (to->chosen == ENTRY_NONE && to->items[i].kind != ENTRY_OTHER)
			to->chosen = i;
	}
	return to->n ? 0 : -ENOENT;
}

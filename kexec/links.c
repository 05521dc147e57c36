// SPDX-License-Identifier: GPL-3.0-or-later
// Finds kernels and their initrds by name.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/links.h"
#include "kexec/uki.h"
#include "kexec/version.h"

// What kernels are called; what follows is the suffix that their initrd shares.
static const char *const kernel_names[] = { "vmlinuz", "bzImage", "kernel", "linux" };

// Their initrds: Debian, Fedora and Arch, Alpine and Gentoo, SUSE, booster.
static const char *const initrd_formats[] = {
	"initrd.img%s", "initramfs%s.img", "initramfs%s",
	"initrd%s",     "initrd%s.img",    "booster%s.img",
};

static const char *const microcode[] = { "intel-ucode.img", "amd-ucode.img" };

// The value of a shell assignment, with one pair of quotes removed.
static char *shell_value(const char *text, const char *key)
{
	return uki_osrel(text, key);
}

char *links_options(const struct tree *t, const char *root)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *all = NULL, *usual = NULL;

	if (tree_read(t, "/etc/kernel/cmdline", &text, 4096) == 0 && text.len) {
		text.data[strcspn(text.data, "\r\n")] = '\0';
		return mem_strdup(text.data);
	}
	strbuf_done(&text);
	if (tree_read(t, "/etc/default/grub", &text, 64 << 10) == 0) {
		all = shell_value(strbuf_str(&text), "GRUB_CMDLINE_LINUX");
		usual = shell_value(strbuf_str(&text), "GRUB_CMDLINE_LINUX_DEFAULT");
	}
	return mem_printf("%s%s%s%s%s%s%s", root ? "root=" : "", root ? root : "",
			  root ? " ro" : "", all && *all ? " " : "", all ? all : "",
			  usual && *usual ? " " : "", usual ? usual : "");
}

// The suffix of a kernel's name, or NULL: "" for a link, "-6.1", "-linux", ".old".
static const char *suffix_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernel_names); i++) {
		size_t len = strlen(kernel_names[i]);

		if (strncmp(name, kernel_names[i], len) == 0 &&
		    (!name[len] || strchr("-._", name[len])))
			return name + len;
	}
	return NULL;
}

// "vmlinuz-6.1.sig" and "kernel.conf" begin alike. The header tells a kernel.
static bool is_kernel(const struct tree *t, const char *path)
{
	_cleanup_close_ int fd = tree_open(t, path);
	unsigned char magic[4];

	// "HdrS" of the x86 boot protocol.
	return fd >= 0 && pread(fd, magic, 4, 0x202) == 4 &&
	       memcmp(magic, "HdrS", 4) == 0;
}

static void add_initrds(const struct tree_list *trees, struct entry *e, const char *dir,
			const char *suffix)
{
	const struct tree *t = &trees->items[e->kernel.tree];

	for (size_t i = 0; i < ARRAY_SIZE(microcode); i++) {
		_cleanup_free_ char *path = tree_join(dir, microcode[i]);

		if (tree_is_file(t, path))
			entry_add_initrd(e, e->kernel.tree, path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(initrd_formats); i++) {
		const char *format = initrd_formats[i], *hole = strstr(format, "%s");
		_cleanup_free_ char *name = mem_printf("%.*s%s%s", (int)(hole - format),
						       format, suffix, hole + 2);
		_cleanup_free_ char *path = tree_join(dir, name);

		if (tree_is_file(t, path)) {
			entry_add_initrd(e, e->kernel.tree, path);
			return;
		}
	}
	// Debian's link of the previous kernel: vmlinuz.old and initrd.img.old fit above.
}

static bool kernel_known(const struct entry_list *list, const struct entry_file *f)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].kernel.tree == f->tree &&
		    strcmp(list->items[i].kernel.path, f->path) == 0)
			return true;
	return false;
}

// Links without a version first, then the newest.
static int order(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	bool link_x = *suffix_of(x) != '-', link_y = *suffix_of(y) != '-';

	if (link_x != link_y)
		return link_x ? -1 : 1;
	return link_x ? strcmp(x, y) : version_compare(y, x);
}

static void load_dir(const struct tree_list *trees, size_t tree, const char *dir,
		     const char *options, struct entry_list *to)
{
	const struct tree *t = &trees->items[tree];
	char **names = tree_names(t, dir);
	size_t n = 0;

	for (size_t i = 0; names && names[i]; i++) {
		if (suffix_of(names[i]))
			names[n++] = names[i];
		else
			free(names[i]);
	}
	if (names)
		names[n] = NULL;
	if (n)
		qsort(names, n, sizeof(*names), order);
	for (size_t i = 0; i < n; i++) {
		struct entry e = { .kernel = { tree, tree_join(dir, names[i]) } };

		if (kernel_known(to, &e.kernel) || !is_kernel(t, e.kernel.path)) {
			entry_done(&e);
			continue;
		}
		add_initrds(trees, &e, dir, suffix_of(names[i]));
		e.title = mem_strdup(e.kernel.path);
		e.id = mem_strdup(e.kernel.path);
		e.options = mem_strdup(options);
		e.source = mem_printf("file names on %s", t->device);
		entry_add(to, &e);
	}
	tree_names_free(names);
}

void links_load(const struct tree_list *trees, size_t tree, const char *root,
		struct entry_list *to)
{
	_cleanup_free_ char *options = links_options(&trees->items[tree], root);

	load_dir(trees, tree, "/", options, to);
	load_dir(trees, tree, "/boot", options, to);
}

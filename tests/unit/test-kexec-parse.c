// SPDX-License-Identifier: GPL-3.0-or-later
// The parsers of boot configurations one by one: what is refused, bounded, ordered.
#include <string.h>

#include "kexec/bls.h"
#include "kexec/find.h"
#include "kexec/grub.h"
#include "kexec/links.h"
#include "kexec/uki.h"
#include "kexec/version.h"
#include "made-tree.h"

static void grub_says(const char *script, int code, const char *text)
{
	_cleanup_entries_ struct entry_list list = { 0 };
	struct err err = { 0 };

	made_text("/grub.cfg", script);
	assert_int_equal(grub_load(&made, 0, "/grub.cfg", &list, &err), code);
	if (text)
		assert_string_equal(err.text, text);
}

static void a_broken_script_is_told_with_its_line(void **state)
{
	(void)state;
	grub_says("set a=1\nif true; then\n  echo\n", -EBADMSG,
		  "/grub.cfg on /dev/vg/made: line 4: fi is expected here");
	grub_says("echo 'open\n\n", -EBADMSG,
		  "/grub.cfg on /dev/vg/made: line 1: a quote (') is not closed");
	grub_says("a\nb\nc | d\n", -EBADMSG,
		  "/grub.cfg on /dev/vg/made: line 3: '|' means nothing in a GRUB "
		  "script");
	grub_says("menuentry x {\n}\n}\n", -EBADMSG, NULL);
}

static void a_script_without_end_is_ended(void **state)
{
	(void)state;
	grub_says("while true; do done\n", -ELOOP,
		  "/grub.cfg on /dev/vg/made: line 1: it runs without end");
	grub_says("function f { f; }\nf\n", -ELOOP,
		  "/grub.cfg on /dev/vg/made: line 1: functions call each other too "
		  "deeply");
	grub_says("source /grub.cfg\n", -ELOOP, NULL);
	grub_says("for a in 1 2 3; do x=$x$x$x$x; set y=\"$x$x\"; done\n", 0, NULL);
	grub_says("x=aaaaaaaaaaaaaaaa\nwhile true; do x=$x$x; done\n", -E2BIG,
		  "/grub.cfg on /dev/vg/made: line 2: a command is too long");
}

static void nesting_is_bounded(void **state)
{
	_cleanup_strbuf_ struct strbuf deep = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		strbuf_puts(&deep, "if true; then\n");
	grub_says(strbuf_str(&deep), -EBADMSG,
		  "/grub.cfg on /dev/vg/made: line 48: less nesting is expected here");
	strbuf_done(&deep);
	strbuf_puts(&deep, "if true; then true\n");
	for (int i = 0; i < 1000; i++)
		strbuf_puts(&deep, "elif true; then true\n");
	grub_says(strbuf_str(&deep), -EBADMSG, NULL);
}

static void what_came_before_a_fault_is_kept(void **state)
{
	_cleanup_entries_ struct entry_list list = { 0 };
	struct err err = { 0 };

	(void)state;
	made_text("/bad.cfg", "if\n");
	made_text("/grub.cfg", "menuentry a { linux /a; }\nsource /bad.cfg\n"
			       "menuentry b { linux /b; }\nwhile true; do done\n"
			       "menuentry c { linux /c; }\n");
	assert_int_equal(grub_load(&made, 0, "/grub.cfg", &list, &err), -EBADMSG);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.items[1].kernel.path, "/b");
}

static void keep_pair(const char *name, const char *value, void *arg)
{
	strbuf_printf(arg, "%s=%s;", name, value);
}

static void a_grubenv_block_is_read(void **state)
{
	static const char block[] = "# GRUB Environment Block\n"
				    "# WARNING: edit with grub-editenv\n"
				    "saved_entry=a\\\\b\nempty=\n=none\nword\n"
				    "two=line 1\\\nline 2\nlast=x=y\n#########";
	_cleanup_strbuf_ struct strbuf pairs = { 0 };

	(void)state;
	assert_int_equal(grub_env_parse(block, sizeof(block) - 1, keep_pair, &pairs), 0);
	assert_string_equal(strbuf_str(&pairs), "saved_entry=a\\b;empty=;two=line 1\n"
						"line 2;last=x=y;");
	assert_int_equal(grub_env_parse("saved_entry=a\n", 14, keep_pair, &pairs),
			 -EBADMSG);
}

static void versions_are_ordered(void **state)
{
	// The order of the Version Format Specification's own example, and kernels.
	static const char *const order[] = {
		"122.1~rc1", "122.1-1", "122.1^post1", "122.1.0", "123~rc1-1",
		"123",       "123-a",   "123-a.1",     "123-1",   "123-1.1",
		"123^post1", "123.a-1", "123.1-1",     "123a-1",  "124-1",
	};
	static const char *const kernels[] = { "6.1.0-9-amd64", "6.1.0-26-amd64", "6.4.0",
					       "6.12.0" };

	(void)state;
	for (size_t i = 4; i + 1 < ARRAY_SIZE(order); i++) {
		assert_true(version_compare(order[i], order[i + 1]) < 0);
		assert_true(version_compare(order[i + 1], order[i]) > 0);
	}
	for (size_t i = 0; i + 1 < ARRAY_SIZE(kernels); i++)
		assert_true(version_compare(kernels[i], kernels[i + 1]) < 0);
	assert_int_equal(version_compare("1.00", "1.0"), 0);
	assert_int_equal(version_compare("a_b", "ab"), -1);
	assert_int_equal(version_compare("", ""), 0);
}

// A PE file with the named sections, each holding its own text.
static size_t make_uki(unsigned char *to, const char *const *names,
		       const char *const *texts, size_t n)
{
	size_t at = 0x100, data = 0x400;

	memset(to, 0, 0x1000);
	memcpy(to, "MZ", 2);
	to[0x3c] = 0x80;
	memcpy(to + 0x80, "PE\0", 4);
	to[0x86] = (unsigned char)n;
	to[0x94] = (unsigned char)(at - 0x98);
	for (size_t i = 0; i < n; i++, at += 40) {
		size_t len = strlen(texts[i]);

		memcpy(to + at, names[i], strlen(names[i]) < 8 ? strlen(names[i]) : 8);
		to[at + 8] = (unsigned char)len;
		to[at + 17] = 2; // 512 in the file
		to[at + 20] = (unsigned char)data;
		to[at + 21] = (unsigned char)(data >> 8);
		memcpy(to + data, texts[i], len);
		data += 0x200;
	}
	return data;
}

static void a_unified_image_gives_an_entry(void **state)
{
	static const char *const names[] = { ".osrel",  ".cmdline", ".linux",
					     ".initrd", ".profile", ".cmdline" };
	static const char *const texts[] = {
		"NAME=x\nPRETTY_NAME=\"Arch Linux\"\nVERSION=1\n",
		"root=/dev/mapper/root rw\n",
		"kernel",
		"initrd",
		"ID=other\n",
		"of another profile"
	};
	_cleanup_entries_ struct entry_list list = { 0 };
	unsigned char image[0x1000];
	size_t len = make_uki(image, names, texts, 6);
	struct uki u;

	(void)state;
	assert_int_equal(uki_parse(image, len, len, &u), 0);
	assert_int_equal(u.part[UKI_LINUX].size, 6);
	assert_memory_equal(image + u.part[UKI_INITRD].offset, "initrd", 6);
	assert_int_equal(u.part[UKI_UCODE].size, 0);
	made_file("/EFI/Linux/arch-1.efi", image, len);
	made_file("/EFI/Linux/arch-2.efi", image, len);
	made_text("/EFI/Linux/readme.efi", "MZ and no more");
	assert_int_equal(find_entries(&made, NULL, &list, NULL), 0);
	assert_int_equal(list.n, 2);
	assert_int_equal(list.items[0].kind, ENTRY_UKI);
	assert_string_equal(list.items[0].title, "Arch Linux");
	assert_string_equal(list.items[0].id, "arch-2.efi");
	assert_string_equal(list.items[0].options, "root=/dev/mapper/root rw");
	// Cut anywhere before the end of the initrd it is refused.
	for (size_t n = 0; n < u.part[UKI_INITRD].offset + 6; n++)
		if (uki_parse(image, n, n, &u) == 0)
			fail_msg("taken with %zu of %zu bytes", n, len);
}

static void make_kernel(const char *path)
{
	unsigned char image[0x210] = { 0 };

	memcpy(image + 0x202, "HdrS", 4);
	made_file(path, image, sizeof(image));
}

static void kernels_are_found_by_name(void **state)
{
	_cleanup_entries_ struct entry_list list = { 0 };
	static const char *const roots[] = { "/dev/mapper/vg-root" };

	(void)state;
	make_kernel("/boot/vmlinuz-6.1.0-9-amd64");
	make_kernel("/boot/vmlinuz-6.1.0-26-amd64");
	made_text("/boot/vmlinuz-6.1.0-26-amd64.sig", "no kernel");
	made_text("/boot/initrd.img-6.1.0-26-amd64", "i");
	made_text("/boot/initrd.img-6.1.0-9-amd64", "i");
	made_link("/vmlinuz", "/boot/vmlinuz-6.1.0-9-amd64"); // absolute, as Debian's
	made_link("/initrd.img", "boot/initrd.img-6.1.0-9-amd64");
	made_link("/vmlinuz.old", "/../../etc/passwd"); // leads nowhere
	make_kernel("/boot/vmlinuz-linux");
	made_text("/boot/initramfs-linux.img", "i");
	made_text("/boot/amd-ucode.img", "u");
	made_text("/etc/default/grub", "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n"
				       "GRUB_CMDLINE_LINUX='a b'\n");
	assert_int_equal(find_entries(&made, roots, &list, NULL), 0);
	assert_int_equal(list.n, 4);
	assert_string_equal(list.items[0].kernel.path, "/vmlinuz");
	assert_string_equal(list.items[0].initrds[0].path, "/initrd.img");
	assert_string_equal(list.items[0].options,
			    "root=/dev/mapper/vg-root ro a b quiet");
	assert_string_equal(list.items[1].kernel.path, "/boot/vmlinuz-6.1.0-26-amd64");
	assert_string_equal(list.items[1].initrds[1].path,
			    "/boot/initrd.img-6.1.0-26-amd64");
	assert_string_equal(list.items[2].kernel.path, "/boot/vmlinuz-6.1.0-9-amd64");
	assert_string_equal(list.items[3].kernel.path, "/boot/vmlinuz-linux");
	assert_int_equal(list.items[3].n_initrds, 2);
	assert_string_equal(list.items[3].initrds[0].path, "/boot/amd-ucode.img");
	assert_string_equal(list.items[3].initrds[1].path, "/boot/initramfs-linux.img");
	assert_int_equal(list.chosen, 0);
}

static void links_do_not_leave_the_tree(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	(void)state;
	made_text("/etc/hostname", "inside\n");
	made_link("/out", "../../../../../../etc/hostname");
	made_link("/self", "/proc/self/environ");
	assert_int_equal(tree_read(&made.items[0], "/out", &text, 100), 0);
	assert_string_equal(strbuf_str(&text), "inside\n");
	assert_true(tree_open(&made.items[0], "/self") < 0);
	assert_int_equal(tree_open(&made.items[0], "/etc"), -EISDIR);
	assert_int_equal(tree_read(&made.items[0], "/etc/hostname", &text, 3), -EFBIG);
}

static void an_entry_says_which_file_is_missing(void **state)
{
	_cleanup_entries_ struct entry_list list = { 0 };
	struct err err = { 0 };

	(void)state;
	made_text("/k", "k");
	made_text("/grub.cfg", "menuentry a { linux /k; initrd /i; }\n");
	assert_int_equal(grub_load(&made, 0, "/grub.cfg", &list, &err), 0);
	assert_int_equal(entry_check(&list.items[0], &made, &err), -ENOENT);
	assert_string_equal(err.text, "the initrd /i on /dev/vg/made cannot be read");
	assert_int_equal(entry_find(&list, "a"), 0);
	assert_int_equal(entry_find(&list, "1"), 0);
	assert_true(entry_find(&list, "2") == ENTRY_NONE);
}

#define ROW(test) cmocka_unit_test_setup_teardown(test, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(a_broken_script_is_told_with_its_line),
		ROW(a_script_without_end_is_ended),
		ROW(nesting_is_bounded),
		ROW(what_came_before_a_fault_is_kept),
		ROW(a_grubenv_block_is_read),
		ROW(versions_are_ordered),
		ROW(a_unified_image_gives_an_entry),
		ROW(kernels_are_found_by_name),
		ROW(links_do_not_leave_the_tree),
		ROW(an_entry_says_which_file_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

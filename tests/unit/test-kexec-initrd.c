// SPDX-License-Identifier: GPL-3.0-or-later
// Initrds read through every compressor, told apart, and the files that hand a key to
// each, byte by byte.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/io.h"
#include "common/mem.h"
#include "kexec/handoff.h"
#include "kexec/options.h"
#include "unit.h"

#define DATA "tests/data/kexec/initrd/"

static struct secret passphrase = { .data = (char[]){ "sesame" }, .len = 6 };
static struct secret second = { .data = (char[]){ "open\n" }, .len = 5 };

// A file of the test data as one part.
static struct initrd_part part(const char *name)
{
	_cleanup_free_ char *path = mem_printf(DATA "%s", name);
	struct initrd_part p = { .fd = open(path, O_RDONLY | O_CLOEXEC) };

	assert_true(p.fd >= 0);
	p.size = (uint64_t)lseek(p.fd, 0, SEEK_END);
	return p;
}

static void read_one(const char *name, struct initrd *ret)
{
	struct initrd_part p = part(name);
	struct err err = { 0 };

	if (initrd_read(&p, 1, ret, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	close(p.fd);
}

static void every_compressor_gives_the_same(void **state)
{
	static const char *const endings[] = { "cpio", "gz",  "xz",  "lzma",
					       "bz2",  "zst", "lz4", "lzo" };
	static const char *const formats[] = { "cpio",  "gzip", "xz",  "lzma",
					       "bzip2", "zstd", "lz4", "lzo" };

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(endings); k++) {
		_cleanup_free_ char *name = mem_printf("debian.%s", endings[k]);
		_cleanup_initrd_ struct initrd i = { 0 };

		read_one(name, &i);
		assert_string_equal(strbuf_str(&i.formats), formats[k]);
		assert_int_equal(i.n, 15);
		assert_int_equal(initrd_family(&i), INITRD_DEBIAN);
		assert_non_null(strstr(initrd_text(&i, "cryptroot/crypttab"), "sda2_"));
	}
}

// Microcode first, plain; then the rest, compressed; then what another tool appended.
static void segments_follow_each_other(void **state)
{
	static const char *const endings[] = { "gz", "xz", "lzma", "zst", "lz4" };

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(endings); k++) {
		_cleanup_free_ char *name = mem_printf("debian.%s", endings[k]);
		_cleanup_free_ char *path = mem_printf(DATA "%s", name);
		_cleanup_initrd_ struct initrd i = { 0 };
		struct initrd_part parts[2] = { part("ucode.cpio"), part(name) };
		_cleanup_strbuf_ struct strbuf whole = { 0 };
		static const char zeros[1024];
		struct initrd_part one = { .fd = memfd_create("x", MFD_CLOEXEC) };
		char formats[64];
		struct err err = { 0 };

		assert_int_equal(initrd_read(parts, 2, &i, &err), 0);
		snprintf(formats, sizeof(formats), "cpio %s",
			 strcmp(endings[k], "gz") == 0    ? "gzip"
			 : strcmp(endings[k], "zst") == 0 ? "zstd"
							  : endings[k]);
		assert_string_equal(strbuf_str(&i.formats), formats);
		assert_true(initrd_has(&i, "kernel/x86/microcode/GenuineIntel.bin"));
		assert_int_equal(initrd_family(&i), INITRD_DEBIAN);
		initrd_done(&i);
		// The same as one file with our padding and a third archive.
		io_read_file(DATA "ucode.cpio", &whole, 1 << 20);
		io_read_file(path, &whole, 1 << 20);
		strbuf_add(&whole, zeros, cpio_padding(whole.len));
		assert_int_equal(whole.len % 512, 0);
		io_read_file(DATA "alpine.cpio", &whole, 1 << 20);
		assert_int_equal(io_write_all(one.fd, whole.data, whole.len), 0);
		one.size = whole.len;
		if (initrd_read(&one, 1, &i, &err) < 0)
			fail_msg("%s: %s", endings[k], err.text);
		assert_true(initrd_has(&i, "sbin/nlplug-findfs"));
		close(one.fd);
		close(parts[0].fd);
		close(parts[1].fd);
	}
}

static void padding_is_never_less_than_four_zeros(void **state)
{
	(void)state;
	for (uint64_t size = 0; size < 1100; size++) {
		size_t pad = cpio_padding(size);

		assert_true(pad >= 4 && pad < 516);
		assert_int_equal((size + pad) % 512, 0);
	}
}

static void damage_is_told_where_it_is(void **state)
{
	static const char *const names[] = { "debian.gz",  "debian.xz",  "debian.lzma",
					     "debian.zst", "debian.lz4", "debian.cpio" };

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
		struct initrd_part p = part(names[k]);
		_cleanup_initrd_ struct initrd i = { 0 };
		struct err err = { 0 };

		p.size = p.size * 2 / 3;
		if (strcmp(names[k], "debian.cpio") == 0)
			p.offset = 7; // in the middle of a header
		assert_int_equal(initrd_read(&p, 1, &i, &err), -EBADMSG);
		assert_non_null(strstr(err.text, p.offset ? "at byte 7:" : "byte 0"));
		close(p.fd);
	}
}

static void families_are_told_apart(void **state)
{
	static const struct {
		const char *name;
		enum initrd_family family;
	} rows[] = {
		{ "debian.cpio", INITRD_DEBIAN },
		{ "dracut.cpio", INITRD_DRACUT },
		{ "dracut-systemd.cpio", INITRD_SYSTEMD },
		{ "sd-encrypt.cpio", INITRD_SYSTEMD },
		{ "nixos.cpio", INITRD_SYSTEMD },
		{ "mkinitcpio.cpio", INITRD_MKINITCPIO },
		{ "alpine.cpio", INITRD_ALPINE },
		{ "booster.cpio", INITRD_BOOSTER },
		{ "no-crypt.cpio", INITRD_NO_CRYPT },
		{ "ucode.cpio", INITRD_UNKNOWN },
	};

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		_cleanup_initrd_ struct initrd i = { 0 };

		read_one(rows[k].name, &i);
		assert_int_equal(initrd_family(&i), rows[k].family);
	}
}

// All files of the handoff, its command line and its notes, as one text.
static char *plan_text(const char *name, const char *options,
		       const struct handoff_key *keys, size_t n)
{
	_cleanup_handoff_ struct handoff h = { 0 };
	_cleanup_initrd_ struct initrd i = { 0 };
	_cleanup_strbuf_ struct strbuf text = { 0 };

	read_one(name, &i);
	handoff_plan(&i, options, keys, n, &h);
	for (size_t k = 0; k < h.n; k++) {
		strbuf_printf(&text, "%06o %s\n", h.files[k].mode, h.files[k].path);
		strbuf_add(&text, h.files[k].data, h.files[k].len);
		strbuf_puts(&text, h.files[k].len ? "|\n" : "");
	}
	strbuf_printf(&text, "options %s\n%s", h.options, strbuf_str(&h.notes));
	return mem_strdup(strbuf_str(&text));
}

static void plans(const char *name, const char *options, const struct handoff_key *keys,
		  size_t n, const char *expected)
{
	_cleanup_free_ char *text = plan_text(name, options, keys, n);

	assert_string_equal(text, expected);
}

static const struct handoff_key root = { .uuid = "aaaa-1",
					 .device = "/dev/sda2",
					 .secret = &passphrase };
static const struct handoff_key swap = { .uuid = "cccc-3",
					 .device = "/dev/mapper/vg-s--wap",
					 .secret = &second };

#define SCRIPT(command)                                                             \
	"#!/bin/sh\nif [ \"${CRYPTTAB_TRIED:-0}\" = 0 ] && [ -r \"$1\" ]; then\n\t" \
	"cat \"$1\"\n\texit 0\nfi\nexec " command "\n|\n"

static void debian_gets_a_keyscript_that_falls_back_to_the_prompt(void **state)
{
	const struct handoff_key both[] = { root, swap };

	(void)state;
	plans("debian.cpio", "root=/dev/mapper/vg-root ro quiet", &root, 1,
	      "100400 cryptroot/handoff.key\nsesame|\n"
	      "100755 cryptroot/handoff.sh\n" SCRIPT(
		      "/lib/cryptsetup/askpass "
		      "\"Please unlock disk $CRYPTTAB_NAME: \"") //
	      "100600 cryptroot/crypttab\n"
	      "sda2_crypt UUID=aaaa-1 /cryptroot/handoff.key "
	      "luks,discard,keyscript=/cryptroot/handoff.sh\n"
	      "swap /dev/vg/s-wap none "
	      "luks,swap,keyscript=/lib/cryptsetup/scripts/passdev\n"
	      "derived /dev/sda9 sda2_crypt "
	      "luks,keyscript=/lib/cryptsetup/scripts/decrypt_derived\n|\n"
	      "options root=/dev/mapper/vg-root ro quiet\n");
	plans("debian.cpio", "ro", both, 2,
	      "100400 cryptroot/handoff.key\nsesame|\n"
	      "100755 cryptroot/handoff.sh\n" SCRIPT(
		      "/lib/cryptsetup/askpass "
		      "\"Please unlock disk $CRYPTTAB_NAME: \"") //
	      "100400 cryptroot/handoff-2.key\nopen\n|\n"
	      "100755 cryptroot/handoff-2.sh\n" SCRIPT(
		      "/lib/cryptsetup/scripts/passdev \"none\"") //
	      "100600 cryptroot/crypttab\n"
	      "sda2_crypt UUID=aaaa-1 /cryptroot/handoff.key "
	      "luks,discard,keyscript=/cryptroot/handoff.sh\n"
	      "swap /dev/vg/s-wap /cryptroot/handoff-2.key "
	      "luks,swap,keyscript=/cryptroot/handoff-2.sh\n"
	      "derived /dev/sda9 sda2_crypt "
	      "luks,keyscript=/lib/cryptsetup/scripts/decrypt_derived\n|\n"
	      "options ro\n");
	plans("debian.cpio", "cryptopts=target=r,source=UUID=aaaa-1,lvm=vg ro", &root, 1,
	      "100400 cryptroot/handoff.key\nsesame|\n"
	      "100755 cryptroot/handoff.sh\n" SCRIPT(
		      "/lib/cryptsetup/askpass "
		      "\"Please unlock disk $CRYPTTAB_NAME: \"") //
	      "options cryptopts=target=r,source=UUID=aaaa-1,lvm=vg,key=/cryptroot/"
	      "handoff.key,keyscript=/cryptroot/handoff.sh ro\n");
}

static void systemd_finds_its_key_by_the_mapping_s_name(void **state)
{
	const struct handoff_key data = { .uuid = "bbbb-2",
					  .device = "/dev/sdb1",
					  .secret = &second };
	const struct handoff_key both[] = { root, data };

	(void)state;
	plans("dracut-systemd.cpio", "ro", both, 2,
	      "040755 etc/cryptsetup-keys.d\n"
	      "100400 etc/cryptsetup-keys.d/luks-root.key\nsesame|\n"
	      "options ro\n"
	      "data is opened by what its initrd's crypttab names: /etc/data.key\n");
	plans("sd-encrypt.cpio", "rd.luks.name=AAAA-1=cryptroot rw", both, 2,
	      "040755 etc/cryptsetup-keys.d\n"
	      "100400 etc/cryptsetup-keys.d/cryptroot.key\nsesame|\n"
	      "100400 etc/cryptsetup-keys.d/luks-bbbb-2.key\nopen\n|\n"
	      "options rd.luks.name=AAAA-1=cryptroot rw\n");
	// Its crypttab is a link, and /lib and /usr/lib are, too.
	plans("nixos.cpio", "", &root, 1,
	      "040755 etc/cryptsetup-keys.d\n"
	      "100400 etc/cryptsetup-keys.d/cryptroot.key\nsesame|\n"
	      "options \n");
}

static void others_are_told_on_the_command_line(void **state)
{
	const struct handoff_key both[] = { root, swap };

	(void)state;
	plans("dracut.cpio", "rd.luks.uuid=aaaa-1", both, 2,
	      "100400 handoff.key\nsesame|\n100400 handoff-2.key\nopen\n|\n"
	      "options rd.luks.uuid=aaaa-1 rd.luks.key=/handoff.key:/:UUID=aaaa-1 "
	      "rd.luks.key=/handoff-2.key:/:UUID=cccc-3\n");
	plans("mkinitcpio.cpio",
	      "cryptdevice=UUID=cccc-3:root:allow-discards "
	      "cryptkey=/dev/sdb1:vfat:/k rw",
	      both, 2,
	      "100400 crypto_keyfile.bin\nopen\n|\n"
	      "options cryptdevice=UUID=cccc-3:root:allow-discards rw\n"
	      "its initrd opens one device; the others are asked for later\n");
	plans("alpine.cpio", "cryptroot=/dev/sda2 cryptdm=root cryptkey=yes", &root, 1,
	      "100400 handoff.key\nsesame|\n"
	      "options cryptroot=/dev/sda2 cryptdm=root cryptkey=/handoff.key\n");
	plans("booster.cpio", "rd.luks.uuid=aaaa-1", &root, 1,
	      "100400 handoff.key\nsesame|\n"
	      "options rd.luks.uuid=aaaa-1 rd.luks.key=aaaa-1=/handoff.key\n");
	plans("no-crypt.cpio", "ro", &root, 1,
	      "options ro\nthe initrd is one without the tools to open encrypted disks: "
	      "no key can be handed to it, and its system will not find the disk\n");
	plans("ucode.cpio", "ro", &root, 1,
	      "options ro\nthe initrd is an unknown kind: no key can be handed to it; it "
	      "will ask in its own way\n");
	plans("debian.cpio", "ro", NULL, 0, "options ro\n");
}

static void the_archive_is_what_the_kernel_unpacks(void **state)
{
	_cleanup_handoff_ struct handoff h = { 0 };
	_cleanup_initrd_ struct initrd i = { 0 }, back = { 0 };
	_cleanup_secret_ struct secret archive = { 0 };
	struct initrd_part p = { .fd = memfd_create("x", MFD_CLOEXEC) };
	struct err err = { 0 };

	(void)state;
	read_one("nixos.cpio", &i);
	handoff_plan(&i, "", &root, 1, &h);
	assert_int_equal(handoff_archive(&h, &archive), 0);
	assert_int_equal(archive.len % 4, 0);
	assert_memory_equal(archive.data,
			    "07070100000001000041ED000000000000000000000002000000000000"
			    "00000000000000000000000000000000000000000016"
			    "00000000etc/cryptsetup-keys.d",
			    CPIO_HEADER + 22);
	assert_int_equal(io_write_all(p.fd, archive.data, archive.len), 0);
	p.size = archive.len;
	assert_int_equal(initrd_read(&p, 1, &back, &err), 0);
	assert_int_equal(back.n, 2);
	assert_int_equal(initrd_find(&back, "etc/cryptsetup-keys.d/cryptroot.key")->mode,
			 S_IFREG | 0400);
	close(p.fd);
}

static void a_command_line_is_edited_word_by_word(void **state)
{
	struct cmdline ours;
	_cleanup_free_ char *a = options_without("a=1 b a=\"x y\" ab=2", "a");
	_cleanup_free_ char *b = NULL, *c = NULL;

	(void)state;
	assert_string_equal(a, "b ab=2");
	cmdline_parse(&ours, "quiet console=tty0 console=ttyS0,115200 assay.then=boot");
	b = options_for_kexec("BOOT_IMAGE=/vmlinuz root=x retain_initrd ro", &ours);
	assert_string_equal(b, "root=x ro console=tty0 console=ttyS0,115200");
	c = options_for_kexec("root=x console=ttyS1", &ours);
	assert_string_equal(c, "root=x console=ttyS1");
	cmdline_done(&ours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_compressor_gives_the_same),
		cmocka_unit_test(segments_follow_each_other),
		cmocka_unit_test(padding_is_never_less_than_four_zeros),
		cmocka_unit_test(damage_is_told_where_it_is),
		cmocka_unit_test(families_are_told_apart),
		cmocka_unit_test(debian_gets_a_keyscript_that_falls_back_to_the_prompt),
		cmocka_unit_test(systemd_finds_its_key_by_the_mapping_s_name),
		cmocka_unit_test(others_are_told_on_the_command_line),
		cmocka_unit_test(the_archive_is_what_the_kernel_unpacks),
		cmocka_unit_test(a_command_line_is_edited_word_by_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's header, and what would keep it from starting, in words.
#include <string.h>

#include "kexec/bzimage.h"
#include "unit.h"

// Debian's 6.1 kernel, as far as its header goes.
static void make(unsigned char *to, size_t len)
{
	memset(to, 0, len);
	memcpy(to, "MZ", 2);
	to[0x3c] = 0x82;
	memcpy(to + 0x82, "PE\0", 4);
	to[0x82 + 24] = 0x0b; // PE32+
	to[0x82 + 25] = 0x02;
	to[0x82 + 24 + 112 + 4 * 8 + 4] = 8; // bytes of signature
	to[0x1fe] = 0x55;
	to[0x1ff] = 0xaa;
	memcpy(to + 0x202, "HdrS", 4);
	to[0x206] = 0x0f; // protocol 2.15
	to[0x207] = 0x02;
	to[0x20e] = 0x00; // version at 0x200 + 0x300
	to[0x20f] = 0x03;
	to[0x236] = 0x3f;
	to[0x239] = 0x08; // 2048 bytes of command line
	to[0x263] = 0x04; // 64 MiB to unpack
	memcpy(to + 0x500, "6.1.0-26-amd64 (debian) #1\n", 27);
}

static const struct bzimage_host roomy = { .wide = true, .available = UINT64_C(2) << 30 };

static void a_header_is_read(void **state)
{
	unsigned char data[0x600];
	struct err err = { 0 };
	struct bzimage k;

	(void)state;
	make(data, sizeof(data));
	assert_int_equal(bzimage_parse(data, sizeof(data), &k, &err), 0);
	assert_int_equal(k.protocol, 0x20f);
	assert_true(k.wide && k.above_4g && k.five_level && k.efi && k.is_signed);
	assert_int_equal(k.options_max, 2048);
	assert_int_equal(k.init_size, 64 << 20);
	assert_string_equal(k.version, "6.1.0-26-amd64 (debian) #1?");
	data[0x82 + 24 + 112 + 4 * 8 + 4] = 0;
	assert_int_equal(bzimage_parse(data, sizeof(data), &k, &err), 0);
	assert_false(k.is_signed);
	// Cut anywhere, it is refused or read without going past the end.
	for (size_t n = 0; n < sizeof(data); n++)
		assert_int_equal(bzimage_parse(data, n, &k, &err) == 0, n >= 0x268);
}

static void says(const void *data, size_t len, const char *text)
{
	struct err err = { 0 };
	struct bzimage k;

	assert_int_equal(bzimage_parse(data, len, &k, &err), -ENOEXEC);
	assert_string_equal(err.text, text);
}

static void what_is_no_kernel_is_named(void **state)
{
	unsigned char old[0x600];

	(void)state;
	says("\x7f"
	     "ELF....",
	     8, "it is an ELF file (a hypervisor, or a kernel without its loader)");
	says("MZ\0\0zimg", 8, "it is a compressed EFI image for another kind of machine");
	says("MZ......", 8, "it is an EFI program, no kernel");
	says("\x1f\x8b", 2, "it is a gzip file (a kernel for another kind of machine)");
	says("", 0, "it is no x86 kernel");
	make(old, sizeof(old));
	old[0x206] = 0x03;
	says(old, sizeof(old), "its boot protocol (2.03) is older than Linux 2.6.22");
}

static void refuses(const struct bzimage *k, const struct bzimage_host *host,
		    const char *options, int code, const char *text)
{
	struct err err = { 0 };

	assert_int_equal(bzimage_check(k, 8000000, 30000000, options, host, &err), code);
	if (text)
		assert_string_equal(err.text, text);
}

static void each_obstacle_is_a_sentence(void **state)
{
	struct bzimage k = { .protocol = 0x20f,
			     .wide = true,
			     .above_4g = true,
			     .init_size = 64 << 20,
			     .options_max = 2048 };
	struct bzimage_host host = roomy;
	char options[2100];

	(void)state;
	memset(options, 'x', sizeof(options));
	options[2018] = '\0';
	refuses(&k, &host, options, 0, NULL);
	options[2018] = 'x';
	options[2019] = '\0';
	refuses(&k, &host, options, -E2BIG,
		"its command line has 2019 bytes, and it takes 2018");
	host.five_level = true;
	refuses(&k, &host, "", -ENOEXEC,
		"it cannot begin with 5-level page tables, which are on: start the "
		"appliance with no5lvl");
	k.five_level = true;
	host.locked = true;
	refuses(&k, &host, "", -EKEYREJECTED,
		"Secure Boot is on, and this kernel has no signature; sign it, or switch "
		"Secure Boot off in the firmware");
	k.is_signed = true;
	refuses(&k, &host, "", 0, NULL);
	host.available = 100000000;
	refuses(&k, &host, "", -ENOMEM,
		"loading it needs 173 MB of memory, and 100 MB are free");
	host.disabled = true;
	refuses(&k, &host, "", -EPERM, NULL);
	host = roomy;
	k.wide = false;
	refuses(&k, &host, "", -ENOEXEC,
		"it has no 64-bit entry point (boot protocol 2.15): start it with the "
		"32-bit appliance");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_is_read),
		cmocka_unit_test(what_is_no_kernel_is_named),
		cmocka_unit_test(each_obstacle_is_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

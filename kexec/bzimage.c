// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a kernel's header and says in words what would keep it from starting.
#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "common/pid1.h"
#include "kexec/bzimage.h"

// Offsets in the file and bits, as the boot protocol numbers them.
#define AT_BOOT_FLAG        0x1fe
#define AT_MAGIC            0x202
#define AT_PROTOCOL         0x206
#define AT_VERSION          0x20e
#define AT_XLOADFLAGS       0x236
#define AT_CMDLINE_SIZE     0x238
#define AT_INIT_SIZE        0x260
#define HEADER_END          0x268
#define XLF_KERNEL_64       0x01
#define XLF_ABOVE_4G        0x02
#define XLF_5LEVEL          0x20

#define PROTOCOL_XLOADFLAGS 0x020c

static uint32_t get16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const unsigned char *p)
{
	return get16(p) | get16(p + 2) << 16;
}

// The security directory of a PE file, which holds the signature.
static void read_pe(const unsigned char *d, size_t len, struct bzimage *ret)
{
	size_t at = len >= 64 && d[0] == 'M' && d[1] == 'Z' ? get32(d + 0x3c) : len;
	size_t optional, directory;

	if (at >= len || len - at < 24 + 2 || memcmp(d + at, "PE\0\0", 4) != 0)
		return;
	ret->efi = true;
	optional = at + 24;
	// PE32+ or PE32; the fifth directory is the certificate table.
	directory = optional + (get16(d + optional) == 0x20b ? 112 : 96) + 4 * 8;
	if (directory + 8 <= len)
		ret->is_signed = get32(d + directory + 4) != 0;
}

static void read_version(const unsigned char *d, size_t len, struct bzimage *ret)
{
	size_t at = get16(d + AT_VERSION) ? get16(d + AT_VERSION) + 0x200u : len, n = 0;

	while (at < len && d[at] && n + 1 < sizeof(ret->version)) {
		unsigned char c = d[at++];

		ret->version[n++] = isprint(c) ? (char)c : '?';
	}
	ret->version[n] = '\0';
}

static const char *other_kind(const unsigned char *d, size_t len)
{
	if (len >= 4 && memcmp(d,
			       "\x7f"
			       "ELF",
			       4) == 0)
		return "an ELF file (a hypervisor, or a kernel without its loader)";
	if (len >= 8 && memcmp(d, "MZ\0\0zimg", 8) == 0)
		return "a compressed EFI image for another kind of machine";
	if (len >= 2 && d[0] == 'M' && d[1] == 'Z')
		return "an EFI program, no kernel";
	if (len >= 2 && d[0] == 0x1f && d[1] == 0x8b)
		return "a gzip file (a kernel for another kind of machine)";
	return "no x86 kernel";
}

int bzimage_parse(const void *data, size_t len, struct bzimage *ret, struct err *err)
{
	const unsigned char *d = data;
	uint32_t flags;

	*ret = (struct bzimage){ 0 };
	if (len < HEADER_END || get16(d + AT_BOOT_FLAG) != 0xaa55 ||
	    memcmp(d + AT_MAGIC, "HdrS", 4) != 0)
		return err_set(err, -ENOEXEC, "it is %s", other_kind(d, len));
	ret->protocol = get16(d + AT_PROTOCOL);
	if (ret->protocol < 0x0206)
		return err_set(err, -ENOEXEC,
			       "its boot protocol (%u.%02u) is older than Linux 2.6.22",
			       ret->protocol >> 8, ret->protocol & 0xff);
	ret->options_max = get32(d + AT_CMDLINE_SIZE);
	if (ret->protocol >= 0x020a)
		ret->init_size = get32(d + AT_INIT_SIZE);
	flags = ret->protocol >= PROTOCOL_XLOADFLAGS ? get16(d + AT_XLOADFLAGS) : 0;
	ret->wide = flags & XLF_KERNEL_64;
	ret->above_4g = flags & XLF_ABOVE_4G;
	ret->five_level = flags & XLF_5LEVEL;
	read_version(d, len, ret);
	read_pe(d, len, ret);
	return 0;
}

static bool has_word(const char *path, const char *word)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	return io_read_file(path, &text, 1 << 20) == 0 && strstr(strbuf_str(&text), word);
}

void bzimage_host(struct bzimage_host *ret)
{
	_cleanup_strbuf_ struct strbuf memory = { 0 };
	struct utsname name;

	*ret = (struct bzimage_host){ 0 };
	ret->wide = uname(&name) == 0 && strcmp(name.machine, "x86_64") == 0;
	ret->five_level = has_word("/proc/cpuinfo", " la57") &&
			  !has_word("/proc/cmdline", "no5lvl");
	ret->locked = has_word("/sys/kernel/security/lockdown", "[integrity]") ||
		      has_word("/sys/kernel/security/lockdown", "[confidentiality]");
	ret->disabled = io_read_number(0, "/proc/sys/kernel/kexec_load_disabled") == 1;
	if (io_read_file("/proc/meminfo", &memory, 64 << 10) == 0)
		ret->available = pid1_meminfo(strbuf_str(&memory), "MemAvailable");
}

// While it is loaded there are: the initrd as we put it together, the kernel's copies of
// both files, and the pages that both will lie in after the jump.
static uint64_t need_memory(const struct bzimage *k, uint64_t kernel_size,
			    uint64_t initrd_size)
{
	return 3 * initrd_size + 2 * kernel_size + k->init_size;
}

int bzimage_check(const struct bzimage *k, uint64_t kernel_size, uint64_t initrd_size,
		  const char *options, const struct bzimage_host *host, struct err *err)
{
	uint64_t need = need_memory(k, kernel_size, initrd_size);

	if (host->disabled)
		return err_set(err, -EPERM,
			       "this kernel was told not to start another one "
			       "(kernel.kexec_load_disabled); restart the appliance");
	if (host->locked && !k->is_signed)
		return err_set(
			err, -EKEYREJECTED,
			"Secure Boot is on, and this kernel has no signature; sign "
			"it, or switch Secure Boot off in the firmware");
	if (host->wide && (!k->wide || !k->above_4g))
		return err_set(err, -ENOEXEC,
			       "it has no 64-bit entry point (boot protocol %u.%02u): "
			       "start it with the 32-bit appliance",
			       k->protocol >> 8, k->protocol & 0xff);
	if (host->five_level && !k->five_level)
		return err_set(err, -ENOEXEC,
			       "it cannot begin with 5-level page tables, which are on: "
			       "start the appliance with no5lvl");
	if (k->options_max && strlen(options) + 30 > k->options_max)
		return err_set(err, -E2BIG,
			       "its command line has %zu bytes, and it takes %u",
			       strlen(options), k->options_max - 30);
	if (host->available && need > host->available) {
		_cleanup_strbuf_ struct strbuf a = { 0 }, b = { 0 };

		number_format_bytes(&a, need);
		number_format_bytes(&b, host->available);
		return err_set(err, -ENOMEM,
			       "loading it needs %s of memory, and %s are free",
			       strbuf_str(&a), strbuf_str(&b));
	}
	return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What a passphrase's key derivation needs, checked before it runs.
#include <string.h>

#include "common/io.h"
#include "common/number.h"
#include "stack/kdf.h"

// Kept free for the kernel and for us while Argon2 fills its memory.
#define SPARE_KB (UINT64_C(16) * 1024)

// As cryptsetup: below 1000 PBKDF2 iterations it refuses, 4 is its least for Argon2.
#define PBKDF2_ITERATIONS 1000
#define ARGON2_ITERATIONS 4

static uint64_t field(const char *meminfo, const char *name)
{
	const char *p = strstr(meminfo, name);
	uint64_t kb;
	char digits[24];
	size_t n;

	if (!p || (p != meminfo && p[-1] != '\n'))
		return 0;
	p += strlen(name);
	p += strspn(p, " \t");
	n = strspn(p, "0123456789");
	if (n == 0 || n >= sizeof(digits))
		return 0;
	memcpy(digits, p, n);
	digits[n] = '\0';
	return number_uint(digits, &kb) == 0 ? kb : 0;
}

uint64_t kdf_parse_available(const char *meminfo)
{
	uint64_t kb = field(meminfo, "MemAvailable:");

	return kb ? kb : field(meminfo, "MemFree:");
}

uint64_t kdf_available(void)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	if (io_read_file("/proc/meminfo", &text, 64 * 1024) < 0)
		return 0;
	return kdf_parse_available(strbuf_str(&text));
}

int kdf_check_memory(const char *who, uint64_t need_kb, uint64_t available_kb,
		     struct err *err)
{
	_cleanup_strbuf_ struct strbuf need = { 0 }, have = { 0 };

	if (need_kb == 0 ||
	    (available_kb > SPARE_KB && need_kb <= available_kb - SPARE_KB))
		return 0;
	number_format_bytes(&need, need_kb * 1024);
	number_format_bytes(&have, available_kb * 1024);
	return err_set(
		err, -ENOMEM,
		"%s needs %s of memory for Argon2, and %s is free (16 MiB of it are "
		"kept for the system): use a machine with more memory, or a keyslot "
		"with pbkdf2 or less memory",
		who, strbuf_str(&need), strbuf_str(&have));
}

struct crypt_pbkdf_type kdf_make(const struct plan_layer *spec,
				 const struct param_spec *params, bool luks1)
{
	const char *type = luks1 ? CRYPT_KDF_PBKDF2
				 : param_text(spec->params, spec->n, params, "pbkdf");
	bool pbkdf2 = strcmp(type, CRYPT_KDF_PBKDF2) == 0;
	uint64_t iterations = param_uint(spec->params, spec->n, params, "iterations");
	struct crypt_pbkdf_type kdf = {
		.type = type,
		.hash = param_text(spec->params, spec->n, params, "hash"),
		.iterations = (uint32_t)iterations,
		.flags = CRYPT_PBKDF_NO_BENCHMARK,
	};

	if (!iterations)
		kdf.iterations = pbkdf2 ? PBKDF2_ITERATIONS : ARGON2_ITERATIONS;
	if (!pbkdf2) {
		kdf.max_memory_kb = (uint32_t)(param_size(spec->params, spec->n, params,
							  "pbkdf-memory") /
					       1024);
		kdf.parallel_threads = 1;
	}
	return kdf;
}

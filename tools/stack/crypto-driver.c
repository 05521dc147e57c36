// SPDX-License-Identifier: GPL-3.0-or-later
// Which of its drivers the kernel takes for a cipher.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/number.h"
#include "stack/cipher.h"
#include "stack/crypto-driver.h"

#define TEXT_MAX ((size_t)4 << 20) // of /proc/crypto; a full one has 200 kB

void crypto_driver_name(const char *cipher, const char *mode, struct strbuf *to)
{
	const char *iv = strchr(mode, '-');
	int len = (int)strcspn(mode, "-");
	const char *hash = iv ? strstr(iv, "essiv:") : NULL;

	if (hash)
		strbuf_printf(to, "essiv(%.*s(%s),%s)", len, mode, cipher,
			      hash + strlen("essiv:"));
	else
		strbuf_printf(to, "%.*s(%s)", len, mode, cipher);
}

void crypto_driver_spec_name(const char *spec, struct strbuf *to)
{
	static const char capi[] = "capi:";
	struct cipher c;

	if (strncmp(spec, capi, sizeof(capi) - 1) == 0) {
		const char *name = spec + sizeof(capi) - 1, *iv = strrchr(name, '-');

		strbuf_add(to, name, iv ? (size_t)(iv - name) : strlen(name));
	} else if (cipher_parse(&c, spec, NULL) == 0) {
		crypto_driver_name(c.name, c.mode, to);
	} else if (!strchr(spec, '-')) { // dm-crypt reads it as cbc-plain
		crypto_driver_name(spec, "cbc", to);
	}
}

struct entry {
	char name[128], type[32];
	bool usable;
	struct crypto_driver driver;
};

static void set(char *to, size_t room, const char *value, size_t len)
{
	if (len >= room)
		len = room - 1;
	memcpy(to, value, len);
	to[len] = '\0';
}

static bool is(const char *word, size_t len, const char *what)
{
	return len == strlen(what) && memcmp(word, what, len) == 0;
}

static void take_field(struct entry *e, const char *key, size_t key_len,
		       const char *value, size_t len)
{
	char number[16];
	int64_t v;

	if (is(key, key_len, "name")) {
		*e = (struct entry){ .usable = true };
		set(e->name, sizeof(e->name), value, len);
	} else if (is(key, key_len, "driver")) {
		set(e->driver.driver, sizeof(e->driver.driver), value, len);
	} else if (is(key, key_len, "module")) {
		set(e->driver.module, sizeof(e->driver.module), value, len);
	} else if (is(key, key_len, "type")) {
		set(e->type, sizeof(e->type), value, len);
	} else if (is(key, key_len, "selftest")) {
		e->usable = e->usable && is(value, len, "passed");
	} else if (is(key, key_len, "internal")) {
		e->usable = e->usable && is(value, len, "no");
	} else if (is(key, key_len, "priority")) {
		set(number, sizeof(number), value, len);
		if (number_int(number, &v) == 0 && v > -1000000 && v < 1000000)
			e->driver.priority = (int)v;
	} else if (is(key, key_len, "refcnt")) {
		set(number, sizeof(number), value, len);
		if (number_int(number, &v) == 0 && v > 0 && v < 1000000)
			e->driver.users = (unsigned)v;
	}
}

// One line "key   : value".
static void take_line(struct entry *e, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len), *value;
	size_t key;

	if (!colon)
		return;
	key = (size_t)(colon - line);
	while (key > 0 && strchr(" \t", line[key - 1]))
		key--;
	value = colon + 1;
	while (value < line + len && (*value == ' ' || *value == '\t'))
		value++;
	take_field(e, line, key, value, (size_t)(line + len - value));
}

// The kernel lists a length-preserving cipher as one of these.
static bool is_cipher(const struct entry *e)
{
	return strcmp(e->type, "skcipher") == 0 || strcmp(e->type, "lskcipher") == 0 ||
	       strcmp(e->type, "ablkcipher") == 0 || strcmp(e->type, "blkcipher") == 0 ||
	       strcmp(e->type, "aead") == 0;
}

static void keep_higher(struct crypto_driver *best, bool *any,
			const struct crypto_driver *d)
{
	if (!*any || d->priority > best->priority)
		*best = *d;
	*any = true;
}

int crypto_driver_find(const char *text, size_t len, const char *name,
		       struct crypto_driver *ret)
{
	const char *p = text, *end = text + len;
	struct crypto_driver used, first; // in use, and first in the kernel's choice
	bool any_used = false, any = false;
	struct entry e = { 0 };

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);

		take_line(&e, p, n);
		if ((n == 0 || !nl || nl + 1 == end) && e.usable && is_cipher(&e) &&
		    strcmp(e.name, name) == 0) {
			keep_higher(&first, &any, &e.driver);
			if (e.driver.users > 1)
				keep_higher(&used, &any_used, &e.driver);
		}
		if (n == 0)
			e.usable = false;
		p = nl ? nl + 1 : end;
	}
	if (!any)
		return -ENOENT;
	*ret = any_used ? used : first;
	if (first.priority > ret->priority)
		memcpy(ret->preferred, first.driver, sizeof(ret->preferred));
	return 0;
}

int crypto_driver_live(const char *name, struct crypto_driver *ret)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int r = io_read_file("/proc/crypto", &text, TEXT_MAX);

	return r < 0 ? r : crypto_driver_find(strbuf_str(&text), text.len, name, ret);
}

bool crypto_driver_slow_aes(const char *driver)
{
	static const char *const slow[] = { "aes-generic", "aes-fixed-time", "aes-lib",
					    "ecb(aes" };

	for (size_t i = 0; i < ARRAY_SIZE(slow); i++)
		if (strstr(driver, slow[i]))
			return true;
	return false;
}

bool crypto_cpu_has_aes(const char *cpuinfo)
{
	static const char *const keys[] = { "flags", "Features" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *line = strstr(cpuinfo, keys[i]), *p = line;
		size_t len = line ? strcspn(line, "\n") : 0;

		while (p && (p = strstr(p + 1, " aes")) && p < line + len)
			if (strchr(" \n", p[4])) // also at the end of the text
				return true;
	}
	return false;
}

void crypto_driver_shout(const char *name, const char *driver, bool cpu_has_aes,
			 struct strbuf *to)
{
	if (!cpu_has_aes || !strstr(name, "aes") || !crypto_driver_slow_aes(driver))
		return;
	strbuf_printf(
		to,
		"THE CPU HAS AES INSTRUCTIONS, BUT THE KERNEL BOUND %s TO %s, WHICH "
		"MAKES NO USE OF THEM: expect a tenth of the speed; load the "
		"driver (aesni_intel, aes_ce_blk) or look into the firmware",
		driver, name);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Cipher specifications as dm-crypt writes them.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/macro.h"
#include "stack/cipher.h"

// Key sizes in bits of one key, 0-terminated.
static const struct {
	const char *name;
	unsigned sizes[6];
} ciphers[] = {
	{ "aes", { 128, 192, 256 } },
	{ "serpent", { 128, 192, 256 } },
	{ "twofish", { 128, 192, 256 } },
	{ "camellia", { 128, 192, 256 } },
	{ "cast5", { 128 } },
	{ "cast6", { 128, 192, 256 } },
	{ "blowfish", { 128, 192, 256, 448 } },
	{ "des3_ede", { 192 } },
};

int cipher_parse(struct cipher *c, const char *text, struct err *err)
{
	const char *dash = strchr(text, '-');
	size_t len = dash ? (size_t)(dash - text) : 0;

	*c = (struct cipher){ 0 };
	if (len == 0 || len >= sizeof(c->name) || !dash[1] ||
	    strlen(dash + 1) >= sizeof(c->mode))
		return err_set(err, -EINVAL,
			       "\"%s\" is no cipher: write name-mode-iv in full, as in "
			       "aes-xts-plain64 or aes-cbc-essiv:sha256",
			       text);
	// A bare "aes-cbc" means another IV to each tool: it must be said.
	if (!strchr(dash + 1, '-') && strcmp(dash + 1, "ecb") != 0)
		return err_set(err, -EINVAL,
			       "\"%s\" does not name its IV: write e.g. %s-plain64", text,
			       text);
	memcpy(c->name, text, len);
	memcpy(c->mode, dash + 1, strlen(dash + 1) + 1);
	return 0;
}

static bool is_xts(const struct cipher *c)
{
	return strncmp(c->mode, "xts-", 4) == 0;
}

unsigned cipher_default_key(const struct cipher *c)
{
	if (strcmp(c->name, "cipher_null") == 0)
		return 0;
	return is_xts(c) ? 512 : 256;
}

int cipher_check_key(const struct cipher *c, unsigned bits, struct err *err)
{
	_cleanup_strbuf_ struct strbuf sizes = { 0 };
	unsigned parts = is_xts(c) ? 2 : 1;

	for (size_t i = 0; i < ARRAY_SIZE(ciphers); i++) {
		if (strcmp(ciphers[i].name, c->name) != 0)
			continue;
		for (const unsigned *s = ciphers[i].sizes; *s; s++) {
			if (bits == *s * parts)
				return 0;
			strbuf_printf(&sizes, "%s%u", sizes.len ? ", " : "", *s * parts);
		}
		return err_set(err, -EINVAL,
			       "%s-%s takes a key-size of %s bits%s, not %u", c->name,
			       c->mode, strbuf_str(&sizes),
			       parts == 2 ? " (XTS counts both halves)" : "", bits);
	}
	if (bits % 8)
		return err_set(err, -EINVAL, "a key-size is in bits, whole bytes: not %u",
			       bits);
	return 0;
}

void cipher_text(const struct cipher *c, unsigned bits, struct strbuf *to)
{
	size_t mode = strcspn(c->mode, "-");

	for (const char *p = c->name; *p; p++)
		strbuf_printf(to, "%c", toupper((unsigned char)*p));
	if (bits)
		strbuf_printf(to, "-%u", is_xts(c) ? bits / 2 : bits);
	strbuf_puts(to, "-");
	for (size_t i = 0; i < mode; i++)
		strbuf_printf(to, "%c", toupper((unsigned char)c->mode[i]));
	if (bits)
		strbuf_printf(to, " (%u-bit key)", bits);
}

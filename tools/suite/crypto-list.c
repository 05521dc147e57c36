// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of ciphers and key derivations of the engine cryptobench.
#include <ctype.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/crypto-list.h"

#define BITS_MAX 1024

// Letters and digits stay; all else becomes one "_".
static char *metric_name(const char *text)
{
	char *name = mem_strdup(text), *to = name;

	for (const char *p = name; *p; p++)
		if (isalnum((unsigned char)*p))
			*to++ = *p;
		else if (to > name && to[-1] != '_')
			*to++ = '_';
	*to = '\0';
	return name;
}

static bool cipher_word(struct crypto_item *c, const char *word, struct strbuf *wrong)
{
	const char *dash = strrchr(word, '-'), *colon = strchr(word, ':');
	uint64_t bits;

	if (!dash || !colon || dash == word || colon < dash + 2 ||
	    number_uint(colon + 1, &bits) < 0 || bits == 0 || bits > BITS_MAX ||
	    bits % 8) {
		if (wrong)
			strbuf_printf(wrong,
				      "\"%s\" is no cipher-mode:key-bits, such as "
				      "aes-xts:512 or xchacha12,aes-adiantum:256\n",
				      word);
		return false;
	}
	c->cipher = mem_strndup(word, (size_t)(dash - word));
	c->mode = mem_strndup(dash + 1, (size_t)(colon - dash - 1));
	c->bits = (unsigned)bits;
	return true;
}

static bool kdf_word(struct crypto_item *c, const char *word, struct strbuf *wrong)
{
	if (strcmp(word, "argon2i") == 0 || strcmp(word, "argon2id") == 0) {
		c->cipher = mem_strdup(word);
		return true;
	}
	if (strncmp(word, "pbkdf2-", 7) == 0 && word[7]) {
		c->cipher = mem_strdup("pbkdf2");
		c->mode = mem_strdup(word + 7);
		return true;
	}
	if (wrong)
		strbuf_printf(wrong,
			      "\"%s\" is no key derivation: pbkdf2-HASH such as "
			      "pbkdf2-sha256, argon2i or argon2id\n",
			      word);
	return false;
}

void crypto_list_parse(struct crypto_list *list, const char *text, bool ciphers,
		       struct strbuf *wrong)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *save = NULL;

	if (!copy || strcmp(copy, "none") == 0)
		return;
	for (char *w = strtok_r(copy, " \t", &save); w;
	     w = strtok_r(NULL, " \t", &save)) {
		struct crypto_item c = { 0 };

		if (!(ciphers ? cipher_word(&c, w, wrong) : kdf_word(&c, w, wrong)))
			continue;
		c.text = mem_strdup(w);
		c.metric = metric_name(w);
		list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
		list->items[list->n++] = c;
	}
}

void crypto_list_check(const char *ciphers, const char *pbkdfs, const char *name,
		       const char *file, int line, struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf wrong = { 0 };
	struct crypto_list list = { 0 };
	char *save = NULL;

	crypto_list_parse(&list, ciphers, true, &wrong);
	crypto_list_parse(&list, pbkdfs, false, &wrong);
	for (char *l = wrong.len ? strtok_r(wrong.data, "\n", &save) : NULL; l;
	     l = strtok_r(NULL, "\n", &save))
		fault_add(faults, file, line, "test %s: %s", name, l);
	if (list.n == 0 && wrong.len == 0)
		fault_add(faults, file, line,
			  "test %s: there is nothing to measure; give ciphers or pbkdfs",
			  name);
	crypto_list_done(&list);
}

void crypto_list_done(struct crypto_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].text);
		free(list->items[i].metric);
		free(list->items[i].cipher);
		free(list->items[i].mode);
	}
	free(list->items);
	*list = (struct crypto_list){ 0 };
}

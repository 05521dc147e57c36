// SPDX-License-Identifier: GPL-3.0-or-later
// Debian and Ubuntu: initramfs-tools with cryptsetup-initramfs (local-top/cryptroot). The
// key comes from a keyscript, not from the key column: a key file there means one try and
// no prompt after it.
#include <string.h>

#include "common/mem.h"
#include "kexec/handoff-private.h"
#include "kexec/options.h"

#define CRYPTTAB "cryptroot/crypttab"

// cryptsetup-initramfs counts tries in the environment; $1 is the key column. With a
// keyscript of the system's own, that is what it falls back to.
static char *make_script(const char *other, const char *other_key)
{
	return mem_printf("#!/bin/sh\n"
			  "if [ \"${CRYPTTAB_TRIED:-0}\" = 0 ] && [ -r \"$1\" ]; then\n"
			  "\tcat \"$1\"\n"
			  "\texit 0\n"
			  "fi\n"
			  "exec %s \"%s\"\n",
			  other ? other : "/lib/cryptsetup/askpass",
			  other ? other_key : "Please unlock disk $CRYPTTAB_NAME: ");
}

// Options with our keyscript instead of another.
static char *with_keyscript(const char *options, const char *script)
{
	_cleanup_strbuf_ struct strbuf all = { 0 };

	while (options && *options) {
		size_t len = strcspn(options, ",");

		if (strncmp(options, "keyscript=", 10) != 0) {
			strbuf_add(&all, options, len);
			strbuf_puts(&all, ",");
		}
		options += len + (options[len] == ',');
	}
	strbuf_printf(&all, "keyscript=/%s", script);
	return mem_strdup(strbuf_str(&all));
}

// Adds key and script number `number`, and gives their paths.
static void add_pair(struct handoff *h, const struct handoff_key *key, size_t number,
		     const char *other, const char *other_key, char **key_path,
		     char **script_path)
{
	_cleanup_free_ char *text = make_script(other, other_key);
	_cleanup_free_ char *suffix =
		number ? mem_printf("-%zu", number + 1) : mem_strdup("");

	*key_path = mem_printf("cryptroot/handoff%s.key", suffix);
	*script_path = mem_printf("cryptroot/handoff%s.sh", suffix);
	handoff_add_key(h, *key_path, key);
	handoff_add_text(h, *script_path, 0755, text);
}

static bool give_line(struct handoff *h, struct crypttab_line *l,
		      const struct handoff_key *key)
{
	_cleanup_free_ char *script = crypttab_option(l->options, "keyscript");
	_cleanup_free_ char *key_path = NULL, *script_path = NULL;
	char *options;

	if (!script && !crypttab_asks(l)) {
		handoff_note(h, "%s is opened by a key file that its initrd holds",
			     l->name);
		return false;
	}
	if (script && strstr(script, "decrypt_derived")) // from another's volume key
		return false;
	add_pair(h, key, h->given, script, l->key ? l->key : "", &key_path, &script_path);
	options = with_keyscript(l->options, script_path);
	free(l->options);
	l->options = options;
	free(l->key);
	l->key = mem_printf("/%s", key_path);
	return true;
}

// "cryptopts=target=NAME,source=DEVICE,..." replaces the crypttab as a whole.
static void give_cryptopts(struct handoff *h, const struct handoff_keys *keys)
{
	_cleanup_strbuf_ struct strbuf all = { 0 };
	const char *at = h->options, *word;
	size_t len;

	while ((len = options_next(&at, &word))) {
		_cleanup_free_ char *copy = mem_strndup(word, len);
		_cleanup_free_ char *source = NULL, *key_path = NULL, *script_path = NULL;
		size_t k;

		if (strncmp(copy, "cryptopts=", 10) == 0)
			source = crypttab_option(copy + 10, "source");
		for (k = 0; source && k < keys->n; k++)
			if (crypttab_names(source, &keys->items[k]))
				break;
		strbuf_puts(&all, all.len ? " " : "");
		strbuf_puts(&all, copy);
		if (!source || k == keys->n || strstr(copy, ",key"))
			continue;
		add_pair(h, &keys->items[k], h->given, NULL, NULL, &key_path,
			 &script_path);
		strbuf_printf(&all, ",key=/%s,keyscript=/%s", key_path, script_path);
	}
	free(h->options);
	h->options = mem_strdup(strbuf_str(&all));
}

void handoff_debian(struct handoff *h, const struct handoff_keys *keys)
{
	const char *text = initrd_text(h->initrd, CRYPTTAB);
	_cleanup_free_ char *made = NULL;
	struct crypttab table;
	size_t changed = 0;

	if (options_has(h->options, "cryptopts")) {
		give_cryptopts(h, keys);
		return;
	}
	crypttab_parse(&table, text ? text : "");
	for (size_t k = 0; k < keys->n; k++) {
		size_t i = 0;

		while (i < table.n &&
		       !(table.lines[i].name &&
			 crypttab_names(table.lines[i].source, &keys->items[k])))
			i++;
		if (i < table.n)
			changed += give_line(h, &table.lines[i], &keys->items[k]);
		else
			handoff_note(h, "the crypttab in the initrd does not name %s",
				     handoff_name(&keys->items[k]));
	}
	if (changed) {
		made = crypttab_format(&table);
		handoff_add_text(h, CRYPTTAB, 0600, made);
	}
	crypttab_done(&table);
}

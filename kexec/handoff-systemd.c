// SPDX-License-Identifier: GPL-3.0-or-later
// systemd-cryptsetup (dracut with systemd, mkinitcpio's sd-encrypt, NixOS): a key file
// that it finds by the mapping's name (246 and later). A wrong one costs one try of
// three.
#include <string.h>

#include "common/mem.h"
#include "kexec/handoff-private.h"
#include "kexec/options.h"

#define KEYS_DIR "etc/cryptsetup-keys.d"

// NAME of "rd.luks.name=UUID=NAME". The caller frees.
static char *name_on_cmdline(const char *options, const struct handoff_key *key)
{
	static const char *const words[] = { "rd.luks.name=", "luks.name=" };
	size_t uuid = key->uuid ? strlen(key->uuid) : 0, len;
	const char *word;

	while (uuid && (len = options_next(&options, &word)))
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			size_t n = strlen(words[i]);

			if (len > n + uuid + 1 && strncmp(word, words[i], n) == 0 &&
			    strncasecmp(word + n, key->uuid, uuid) == 0 &&
			    word[n + uuid] == '=')
				return mem_strndup(word + n + uuid + 1,
						   len - n - uuid - 1);
		}
	return NULL;
}

static const struct crypttab_line *find_line(const struct crypttab *c,
					     const struct handoff_key *key)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->lines[i].name && crypttab_names(c->lines[i].source, key))
			return &c->lines[i];
	return NULL;
}

// The name that the initrd will give the mapping. The caller frees.
static char *mapping_name(const struct handoff *h, const struct crypttab_line *l,
			  const struct handoff_key *key)
{
	char *name;

	if (l)
		return mem_strdup(l->name);
	name = name_on_cmdline(h->options, key);
	return name ? name : key->uuid ? mem_printf("luks-%s", key->uuid) : NULL;
}

static void give(struct handoff *h, const struct crypttab *table,
		 const struct handoff_key *key)
{
	const struct crypttab_line *l = find_line(table, key);
	_cleanup_free_ char *name = mapping_name(h, l, key), *path = NULL;

	if (l && !crypttab_asks(l)) {
		handoff_note(h, "%s is opened by what its initrd's crypttab names: %s",
			     l->name, l->key);
		return;
	}
	if (!name || strchr(name, '/')) {
		handoff_note(h, "the initrd does not say how it will call %s",
			     handoff_name(key));
		return;
	}
	path = mem_printf(KEYS_DIR "/%s.key", name);
	if (initrd_has(h->initrd, path)) {
		handoff_note(h, "%s is opened by a key file that its initrd holds", name);
		return;
	}
	handoff_add_key(h, path, key);
}

void handoff_systemd(struct handoff *h, const struct handoff_keys *keys)
{
	const char *text = initrd_text(h->initrd, "etc/crypttab");
	struct crypttab table;

	if (options_has(h->options, "rd.luks.crypttab=0") ||
	    options_has(h->options, "luks.crypttab=0"))
		text = NULL;
	crypttab_parse(&table, text ? text : "");
	for (size_t k = 0; k < keys->n; k++)
		give(h, &table, &keys->items[k]);
	crypttab_done(&table);
}

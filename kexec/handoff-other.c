// SPDX-License-Identifier: GPL-3.0-or-later
// Initrds that are told on the command line where a key file lies, or look in one fixed
// place: dracut without systemd, mkinitcpio's encrypt hook, Alpine, booster.
#include <string.h>

#include "common/mem.h"
#include "kexec/handoff-private.h"
#include "kexec/options.h"

#define FIXED_KEY "crypto_keyfile.bin" // where mkinitcpio and Alpine look

// "handoff.key", "handoff-2.key": at the root, which is always there. The caller frees.
static char *key_path(const struct handoff *h)
{
	return h->given ? mem_printf("handoff-%zu.key", h->given + 1)
			: mem_strdup("handoff.key");
}

// dracut's keydev "/" is the initrd itself; cryptroot-ask falls back to the prompt.
void handoff_dracut(struct handoff *h, const struct handoff_keys *keys)
{
	for (size_t k = 0; k < keys->n; k++) {
		const struct handoff_key *key = &keys->items[k];
		_cleanup_free_ char *path = key_path(h), *option = NULL;

		if (!key->uuid && keys->n > 1) {
			handoff_note(h, "%s has no UUID to give its key by",
				     handoff_name(key));
			continue;
		}
		option = key->uuid ? mem_printf("rd.luks.key=/%s:/:UUID=%s", path,
						key->uuid)
				   : mem_printf("rd.luks.key=/%s:/", path);
		handoff_add_key(h, path, key);
		handoff_append(h, option);
	}
}

// Value of the last "key=..." word. The caller frees; NULL when there is none.
static char *option_value(const char *options, const char *key)
{
	size_t n = strlen(key), len;
	const char *word;
	char *value = NULL;

	while ((len = options_next(&options, &word))) {
		if (len <= n || strncmp(word, key, n) != 0 || word[n] != '=')
			continue;
		free(value);
		value = mem_strndup(word + n + 1, len - n - 1);
	}
	return value;
}

// The key of the device that the option names; the only one there is, when it names none
// that was unlocked here. Options after a colon ("DEVICE:NAME") are cut off.
static const struct handoff_key *key_for(const char *value,
					 const struct handoff_keys *keys)
{
	_cleanup_free_ char *source = mem_strndup(value, strcspn(value, ":"));

	for (size_t k = 0; k < keys->n; k++)
		if (crypttab_names(source, &keys->items[k]))
			return &keys->items[k];
	return keys->n == 1 ? &keys->items[0] : NULL;
}

// The hook tries its default path by itself, says so when it does not fit, asks, and
// removes the file. It opens one device.
void handoff_mkinitcpio(struct handoff *h, const struct handoff_keys *keys)
{
	_cleanup_free_ char *device = option_value(h->options, "cryptdevice");
	const struct handoff_key *key = device ? key_for(device, keys) : NULL;

	if (!device)
		handoff_note(h, "the command line has no cryptdevice=, without which "
				"its initrd opens nothing");
	else if (initrd_has(h->initrd, FIXED_KEY))
		handoff_note(h, "the disk is opened by a key file that its initrd holds");
	else if (key) {
		handoff_remove(h, "cryptkey");
		handoff_add_key(h, FIXED_KEY, key);
	}
	if (keys->n > h->given && h->given)
		handoff_note(h, "its initrd opens one device; the others are asked for "
				"later");
}

void handoff_alpine(struct handoff *h, const struct handoff_keys *keys)
{
	_cleanup_free_ char *device = option_value(h->options, "cryptroot");
	const struct handoff_key *key = device ? key_for(device, keys) : NULL;

	if (!key) {
		handoff_note(h, "the command line has no cryptroot= that names a disk "
				"which was unlocked");
		return;
	}
	if (initrd_has(h->initrd, FIXED_KEY) && options_has(h->options, "cryptkey")) {
		handoff_note(h, "the disk is opened by a key file that its initrd holds");
		return;
	}
	handoff_remove(h, "cryptkey");
	handoff_add_key(h, "handoff.key", key);
	handoff_append(h, "cryptkey=/handoff.key");
}

void handoff_booster(struct handoff *h, const struct handoff_keys *keys)
{
	for (size_t k = 0; k < keys->n; k++) {
		const struct handoff_key *key = &keys->items[k];
		_cleanup_free_ char *path = key_path(h), *option = NULL;

		if (!key->uuid) {
			handoff_note(h, "%s has no UUID to give its key by",
				     handoff_name(key));
			continue;
		}
		option = mem_printf("rd.luks.key=%s=/%s", key->uuid, path);
		handoff_add_key(h, path, key);
		handoff_append(h, option);
	}
}

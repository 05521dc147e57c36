// SPDX-License-Identifier: GPL-3.0-or-later
// The file set of a handoff, and which family takes care of it.
#include <stdarg.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/handoff-private.h"
#include "kexec/options.h"

const char *handoff_name(const struct handoff_key *key)
{
	return key->device ? key->device : key->uuid ? key->uuid : "a device";
}

void handoff_note(struct handoff *h, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&h->notes, fmt, ap);
	va_end(ap);
	strbuf_puts(&h->notes, "\n");
}

void handoff_append(struct handoff *h, const char *option)
{
	char *all = options_with(h->options, option);

	free(h->options);
	h->options = all;
}

void handoff_remove(struct handoff *h, const char *key)
{
	char *all = options_without(h->options, key);

	free(h->options);
	h->options = all;
}

static bool has_file(const struct handoff *h, const char *path)
{
	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->files[i].path, path) == 0)
			return true;
	return initrd_has(h->initrd, path);
}

static void add(struct handoff *h, char *path, uint32_t mode, const void *data,
		size_t len)
{
	h->files = mem_grow(h->files, h->n + 1, sizeof(*h->files));
	h->files[h->n++] = (struct cpio_file){ path, mode, data, len };
}

void handoff_add(struct handoff *h, const char *path, uint32_t mode, const void *data,
		 size_t len)
{
	char *place = initrd_place(h->initrd, path);

	if (!place)
		place = mem_strdup(path);
	for (char *slash = strchr(place, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *dir = mem_strndup(place, (size_t)(slash - place));

		if (has_file(h, dir))
			free(dir);
		else
			add(h, dir, S_IFDIR | 0755, NULL, 0);
	}
	add(h, place, S_IFREG | mode, data, len);
}

void handoff_add_text(struct handoff *h, const char *path, uint32_t mode,
		      const char *text)
{
	handoff_add(h, path, mode, mem_strdup(text), strlen(text));
}

void handoff_add_key(struct handoff *h, const char *path, const struct handoff_key *key)
{
	handoff_add(h, path, 0400, key->secret->data, key->secret->len);
	h->given++;
}

void handoff_plan(const struct initrd *initrd, const char *options,
		  const struct handoff_key *keys, size_t n, struct handoff *ret)
{
	static void (*const families[])(struct handoff * h,
					const struct handoff_keys *keys) = {
		[INITRD_DEBIAN] = handoff_debian,
		[INITRD_DRACUT] = handoff_dracut,
		[INITRD_SYSTEMD] = handoff_systemd,
		[INITRD_MKINITCPIO] = handoff_mkinitcpio,
		[INITRD_ALPINE] = handoff_alpine,
		[INITRD_BOOSTER] = handoff_booster,
	};
	enum initrd_family family = initrd_family(initrd);
	const struct handoff_keys all = { keys, n };

	*ret = (struct handoff){ .options = mem_strdup(options), .initrd = initrd };
	if (n == 0)
		return;
	if ((size_t)family < ARRAY_SIZE(families) && families[family])
		families[family](ret, &all);
	else
		handoff_note(ret, "the initrd is %s: no key can be handed to it%s",
			     initrd_family_name(family),
			     family == INITRD_NO_CRYPT
				     ? ", and its system will not find the disk"
				     : "; it will ask in its own way");
}

int handoff_archive(const struct handoff *h, struct secret *ret)
{
	return cpio_write(h->files, h->n, ret);
}

// Is it a key, which belongs to somebody else? Their mode is their mark.
static bool is_key(const struct cpio_file *f)
{
	return (f->mode & 07777) == 0400;
}

void handoff_done(struct handoff *h)
{
	for (size_t i = 0; i < h->n; i++) {
		free(h->files[i].path);
		if (!is_key(&h->files[i]))
			free((void *)(uintptr_t)h->files[i].data);
	}
	free(h->files);
	free(h->options);
	strbuf_done(&h->notes);
	*h = (struct handoff){ 0 };
}

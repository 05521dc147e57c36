// SPDX-License-Identifier: GPL-3.0-or-later
// loop-AES volumes, version 3: 65 keys, no header; through libcryptsetup.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/kinds.h"

// As many lines as version 3 of a loop-AES key file has; a line of at least 20
// characters counts.
#define KEY_LINES 65
#define KEY_LINE  64

static const char *const cipher_words[] = { "aes", "serpent", "twofish", NULL };
static const char *const size_words[] = { "128", "192", "256", NULL };

static const struct param_spec loopaes_params[] = {
	{ .key = "cipher",
	  .type = PARAM_WORD,
	  .fallback = "aes",
	  .help = "in CBC mode with 64 keys",
	  .choices = cipher_words },
	{ .key = "key-size",
	  .type = PARAM_WORD,
	  .fallback = "256",
	  .help = "bits of each key",
	  .choices = size_words },
	CRYPT_FLAG_PARAMS,
	{ 0 },
};

// libcryptsetup reads a loop-AES key from a file only: one that is in memory, and gone
// with its descriptor.
static int key_file(const struct secret *key, char **path, struct err *err)
{
	int fd = memfd_create("assay-key", MFD_CLOEXEC), r;

	if (fd < 0)
		return err_set(err, -errno, "no memory file for the key: %s",
			       strerror(errno));
	r = io_write_all(fd, key->data, key->len);
	if (r < 0) {
		close(fd);
		return err_set(err, r, "no memory for the key: %s", strerror(-r));
	}
	*path = mem_printf("/proc/self/fd/%d", fd);
	return fd;
}

static int activate(struct crypt_handle *h, const struct layer *l,
		    const struct secret *key, uint32_t flags, struct err *err)
{
	struct crypt_params_loopaes params = { 0 };
	size_t bits = param_uint(l->spec->params, l->spec->n, loopaes_params, "key-size");
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = key_file(key, &path, err);
	int r;

	if (fd < 0)
		return fd;
	r = crypt_format(
		h->cd, CRYPT_LOOPAES,
		param_text(l->spec->params, l->spec->n, loopaes_params, "cipher"), NULL,
		NULL, NULL, bits / 8, &params);
	if (r == 0)
		r = crypt_activate_by_keyfile_device_offset(
			h->cd, l->name, CRYPT_ANY_SLOT, path, 0, 0, flags);
	return r < 0 ? crypt_handle_fail(h, r, err, l->below) : 0;
}

// 65 lines of random hexadecimal digits where nobody gives a key.
static int make_key(const struct stack *stack, struct secret *key, struct err *err)
{
	static const char digits[] = "0123456789abcdef";
	int r = stack_make_key(stack, KEY_LINES * (KEY_LINE + 1), key, err);

	if (r < 0 || (stack->keys && stack->keys->make))
		return r;
	for (size_t i = 0; i < key->len; i++)
		key->data[i] =
			i % (KEY_LINE + 1) == KEY_LINE ? '\n' : digits[key->data[i] & 15];
	return 0;
}

static int loopaes_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret key = { 0 };
	uint32_t flags = crypt_layer_flags(stack, l->spec, loopaes_params);
	int r = make_key(stack, &key, err);

	if (r == 0)
		r = crypt_handle_init(&h, l->below, err);
	if (r == 0)
		r = activate(&h, l, &key, flags, err);
	return r < 0 ? r : crypt_layer_active(&h, l, flags, err);
}

struct open_args {
	struct layer *layer;
	uint32_t flags;
};

static int try_key(struct crypt_handle *h, const struct secret *key, void *arg,
		   struct err *err)
{
	const struct open_args *a = arg;

	return activate(h, a->layer, key, a->flags, err);
}

// Without a header a wrong key cannot be told from a right one: the layer above will.
static int loopaes_open(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	struct open_args a = { l, crypt_layer_flags(stack, l->spec, loopaes_params) };
	int r;

	if (!stack->arm->key_file)
		return err_set(err, -ENOKEY,
			       "loop-AES wants a file of 65 keys; name it with key-file");
	r = crypt_handle_init(&h, l->below, err);
	if (r == 0)
		r = crypt_layer_unlock(stack, l, try_key, &h, &a, err);
	return r < 0 ? r : crypt_layer_active(&h, l, a.flags, err);
}

const struct layer_ops layer_loopaes = {
	.kind = "loopaes",
	.help = "loop-AES with 65 keys, no header",
	.place = LAYER_MAKES_BLOCK,
	.hides = true,
	.params = loopaes_params,
	.up = loopaes_up,
	.open = loopaes_open,
	.down = crypt_layer_down,
	.describe = crypt_layer_describe,
};

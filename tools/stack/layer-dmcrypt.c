// SPDX-License-Identifier: GPL-3.0-or-later
// Plain dm-crypt without a header: kind dmcrypt.
#include <string.h>

#include "stack/crypt.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/node.h"

static const char *const sector_words[] = { "512", "1024", "2048", "4096", NULL };

static const struct param_spec dmcrypt_params[] = {
	{ .key = "cipher",
	  .type = PARAM_TEXT,
	  .fallback = "aes-xts-plain64",
	  .help = "name-mode-iv, as dm-crypt writes it" },
	{ .key = "key-size",
	  .type = PARAM_UINT,
	  .help = "bits, both halves for XTS; default 512 for XTS, else 256",
	  .min = 8,
	  .max = 1024 },
	{ .key = "sector-size",
	  .type = PARAM_WORD,
	  .help = "encryption sector in bytes; default 512, or 4096 on such a disk",
	  .choices = sector_words },
	{ .key = "hash",
	  .type = PARAM_TEXT,
	  .fallback = "sha256",
	  .help = "of the passphrase (open arms without a key file)" },
	CRYPT_FLAG_PARAMS,
	{ 0 },
};

static void dmcrypt_check(const struct plan_layer *spec, const char *file, int line,
			  struct fault_list *faults)
{
	crypt_check_cipher(spec, dmcrypt_params, file, line, faults);
}

static int dmcrypt_ready(const struct plan_layer *spec, struct err *err)
{
	return crypt_ready(spec, dmcrypt_params, err);
}

// Describes the mapping to libcryptsetup; nothing is written to the device. The size is
// cut to whole encryption sectors, which the kernel insists on.
static int prepare(struct crypt_handle *h, const struct layer *layer, const char *hash,
		   unsigned *key_bytes, struct err *err)
{
	struct crypt_params_plain plain = { .hash = hash };
	struct cipher c;
	unsigned bits;
	uint64_t size;
	int r = node_size(layer->below, &size, err);

	if (r < 0)
		return r;
	crypt_cipher(layer->spec, dmcrypt_params, &c, &bits);
	plain.sector_size = crypt_sector_size(layer->spec, dmcrypt_params, layer->below);
	plain.size = size / plain.sector_size * plain.sector_size / 512;
	*key_bytes = bits / 8;
	r = crypt_format(h->cd, CRYPT_PLAIN, c.name, c.mode, NULL, NULL, *key_bytes,
			 &plain);
	return r < 0 ? crypt_handle_fail(h, r, err, layer->below) : 0;
}

static int dmcrypt_up(struct stack *stack, struct layer *layer, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret key = { 0 };
	uint32_t flags = crypt_layer_flags(stack, layer->spec, dmcrypt_params);
	unsigned bytes = 0;
	int r = crypt_handle_init(&h, layer->below, err);

	if (r == 0)
		r = prepare(&h, layer, NULL, &bytes, err);
	if (r < 0)
		return r;
	r = stack_make_key(stack, bytes, &key, err);
	if (r == 0 && key.len < bytes)
		r = err_set(err, -EINVAL, "the key has %zu bytes, %u are needed", key.len,
			    bytes);
	if (r == 0)
		r = stack_step(stack, "the mapping", err);
	if (r < 0)
		return r;
	r = crypt_activate_by_volume_key(h.cd, layer->name, key.data, bytes, flags);
	if (r < 0)
		return crypt_handle_fail(&h, r, err, layer->below);
	return crypt_layer_active(&h, layer, flags, err);
}

struct open_args {
	struct layer *layer;
	uint32_t flags;
	unsigned key_bytes;
	bool by_file; // then the file is the key itself, as with cryptsetup
};

static int try_key(struct crypt_handle *h, const struct secret *key, void *arg,
		   struct err *err)
{
	const struct open_args *a = arg;
	int r;

	if (a->by_file && key->len < a->key_bytes)
		return err_set(err, -EINVAL, "the key file has %zu bytes, %u are needed",
			       key->len, a->key_bytes);
	if (a->by_file)
		r = crypt_activate_by_volume_key(h->cd, a->layer->name, key->data,
						 a->key_bytes, a->flags);
	else
		r = crypt_activate_by_passphrase(h->cd, a->layer->name, CRYPT_ANY_SLOT,
						 key->data, key->len, a->flags);
	return r < 0 ? crypt_handle_fail(h, r, err, a->layer->below) : 0;
}

// A plain mapping cannot tell a wrong key from a right one: the layer above will.
static int dmcrypt_open(struct stack *stack, struct layer *layer, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	struct open_args a = {
		.layer = layer,
		.flags = crypt_layer_flags(stack, layer->spec, dmcrypt_params),
		.by_file = stack->arm->key_file || stack->key_seed,
	};
	const char *hash =
		param_text(layer->spec->params, layer->spec->n, dmcrypt_params, "hash");
	int r = crypt_handle_init(&h, layer->below, err);

	if (r == 0)
		r = prepare(&h, layer, a.by_file ? NULL : hash, &a.key_bytes, err);
	if (r == 0)
		r = crypt_layer_unlock(stack, layer, try_key, &h, &a, err);
	return r < 0 ? r : crypt_layer_active(&h, layer, a.flags, err);
}

const struct layer_ops layer_dmcrypt = {
	.kind = "dmcrypt",
	.help = "plain dm-crypt with a random key and no header",
	.place = LAYER_MAKES_BLOCK,
	.hides = true,
	.params = dmcrypt_params,
	.check = dmcrypt_check,
	.ready = dmcrypt_ready,
	.up = dmcrypt_up,
	.open = dmcrypt_open,
	.down = crypt_layer_down,
	.describe = crypt_layer_describe,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// LUKS through libcryptsetup: kinds luks1 and luks2.
#include <string.h>

#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/kdf.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/wipe.h"

static const char *const sector_words[] = { "512", "1024", "2048", "4096", NULL };
static const char *const integrity_words[] = { "none",     "hmac-sha256", "hmac-sha512",
					       "poly1305", "aead",        NULL };
static const char *const pbkdf_words[] = { "pbkdf2", "argon2i", "argon2id", NULL };

#define LUKS_PARAMS                                                                   \
	{ .key = "cipher",                                                            \
	  .type = PARAM_TEXT,                                                         \
	  .fallback = "aes-xts-plain64",                                              \
	  .help = "name-mode-iv, as dm-crypt writes it" },                            \
		{ .key = "key-size",                                                  \
		  .type = PARAM_UINT,                                                 \
		  .help = "bits, both halves for XTS; default 512 for XTS, else 256", \
		  .min = 8,                                                           \
		  .max = 1024 },                                                      \
		{ .key = "hash",                                                      \
		  .type = PARAM_TEXT,                                                 \
		  .fallback = "sha256",                                               \
		  .help = "of the key derivation and the header" },                   \
	{                                                                             \
		.key = "iterations", .type = PARAM_UINT,                              \
		.help = "of the key derivation; default the least that is allowed",   \
		.min = 4, .max = UINT32_MAX                                           \
	}

static const struct param_spec luks1_params[] = { LUKS_PARAMS, CRYPT_FLAG_PARAMS, { 0 } };

static const struct param_spec luks2_params[] = {
	LUKS_PARAMS,
	{ .key = "sector-size",
	  .type = PARAM_WORD,
	  .help = "encryption sector in bytes; default 512, or 4096 on such a disk",
	  .choices = sector_words },
	{ .key = "pbkdf",
	  .type = PARAM_WORD,
	  .fallback = "pbkdf2",
	  .help = "key derivation; opening the disk is not what is measured",
	  .choices = pbkdf_words },
	{ .key = "pbkdf-memory",
	  .type = PARAM_SIZE,
	  .fallback = "64M",
	  .help = "memory of Argon2",
	  .min = 32768,
	  .max = UINT64_C(4) << 30 },
	{ .key = "integrity",
	  .type = PARAM_WORD,
	  .fallback = "none",
	  .help = "authenticated encryption; every sector is written once when it is "
		  "made",
	  .choices = integrity_words },
	CRYPT_FLAG_PARAMS,
	{ 0 },
};

// The kernel's names, and the bytes of key that each adds to the cipher's.
static const struct {
	const char *word, *kernel;
	size_t key_bytes;
} integrities[] = {
	{ "hmac-sha256", "hmac(sha256)", 32 },
	{ "hmac-sha512", "hmac(sha512)", 64 },
	{ "poly1305", "poly1305", 0 }, // cipher=chacha20-random
	{ "aead", "aead", 0 },         // cipher=aes-gcm-random
};

static bool is_luks1(const struct plan_layer *spec)
{
	return strcmp(spec->kind, "luks1") == 0;
}

static const struct param_spec *params_of(const struct plan_layer *spec)
{
	return is_luks1(spec) ? luks1_params : luks2_params;
}

static void luks_check(const struct plan_layer *spec, const char *file, int line,
		       struct fault_list *faults)
{
	struct crypt_pbkdf_type kdf = kdf_make(spec, params_of(spec), is_luks1(spec));

	crypt_check_cipher(spec, params_of(spec), file, line, faults);
	if (strcmp(kdf.type, CRYPT_KDF_PBKDF2) == 0 && kdf.iterations < 1000)
		fault_add(faults, file, line,
			  "layer %s: pbkdf2 takes at least 1000 iterations, not %u",
			  spec->kind, kdf.iterations);
}

static int luks_ready(const struct plan_layer *spec, struct err *err)
{
	struct crypt_pbkdf_type kdf = kdf_make(spec, params_of(spec), is_luks1(spec));
	const char *word =
		param_text(spec->params, spec->n, params_of(spec), "integrity");
	int r = kdf_check_memory("a new keyslot", kdf.max_memory_kb, kdf_available(),
				 err);

	// An AEAD is another kind of algorithm, which only dm-crypt itself puts together.
	if (r < 0 || (word && strcmp(word, "none") != 0))
		return r;
	return crypt_ready(spec, params_of(spec), err);
}

// Writes header and keyslot. The volume key is drawn by libcryptsetup.
static int format(struct crypt_handle *h, const struct stack *stack, struct layer *layer,
		  const struct secret *passphrase, struct err *err)
{
	const struct plan_layer *spec = layer->spec;
	struct crypt_pbkdf_type kdf = kdf_make(spec, params_of(spec), is_luks1(spec));
	struct crypt_params_luks1 luks1 = { .hash = kdf.hash };
	struct crypt_params_luks2 luks2 = { .pbkdf = &kdf };
	struct crypt_params_integrity integrity = { 0 };
	const char *word =
		param_text(spec->params, spec->n, params_of(spec), "integrity");
	size_t extra = 0;
	struct cipher c;
	unsigned bits;
	int r = stack_may_write(stack, layer->below, err);

	if (r == 0)
		r = kdf_check_memory("a new keyslot", kdf.max_memory_kb, kdf_available(),
				     err);
	if (r < 0)
		return r;
	crypt_cipher(spec, params_of(spec), &c, &bits);
	if (!is_luks1(spec))
		luks2.sector_size = crypt_sector_size(spec, luks2_params, layer->below);
	for (size_t i = 0; word && i < ARRAY_SIZE(integrities); i++) {
		if (strcmp(integrities[i].word, word) != 0)
			continue;
		luks2.integrity = integrities[i].kernel;
		luks2.integrity_params = &integrity;
		extra = integrities[i].key_bytes;
	}
	r = crypt_format(h->cd, is_luks1(spec) ? CRYPT_LUKS1 : CRYPT_LUKS2, c.name,
			 c.mode, NULL, NULL, bits / 8 + extra,
			 is_luks1(spec) ? (void *)&luks1 : (void *)&luks2);
	if (r == 0)
		r = crypt_set_pbkdf_type(h->cd, &kdf);
	if (r == 0)
		r = crypt_keyslot_add_by_volume_key(h->cd, CRYPT_ANY_SLOT, NULL, 0,
						    passphrase->data, passphrase->len);
	if (r < 0)
		return crypt_handle_fail(h, r, err, layer->below);
	return luks2.integrity ? crypt_wipe_tags(h, layer, err) : 0;
}

static int luks_up(struct stack *stack, struct layer *layer, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret passphrase = { 0 };
	uint32_t flags = crypt_layer_flags(stack, layer->spec, params_of(layer->spec));
	int r = stack_make_key(stack, CRYPT_PASSPHRASE_BYTES, &passphrase, err);

	if (r == 0)
		r = crypt_handle_init(&h, layer->below, err);
	if (r == 0)
		r = format(&h, stack, layer, &passphrase, err);
	if (r == 0)
		r = stack_step(stack, "the mapping", err);
	if (r < 0)
		return r;
	r = crypt_activate_by_passphrase(h.cd, layer->name, CRYPT_ANY_SLOT,
					 passphrase.data, passphrase.len, flags);
	if (r < 0)
		return crypt_handle_fail(&h, r, err, layer->below);
	return crypt_layer_active(&h, layer, flags, err);
}

struct open_args {
	struct layer *layer;
	uint32_t flags;
	struct err memory; // why a keyslot was left out; code 0: none was
};

// Argon2's memory of a keyslot in kB; 0 for PBKDF2. -1: the slot is not in use.
static int64_t slot_memory(struct crypt_handle *h, int slot)
{
	struct crypt_pbkdf_type kdf = { 0 };
	crypt_keyslot_info state = crypt_keyslot_status(h->cd, slot);

	if (state != CRYPT_SLOT_ACTIVE && state != CRYPT_SLOT_ACTIVE_LAST)
		return -1;
	if (crypt_keyslot_get_pbkdf(h->cd, slot, &kdf) < 0)
		return 0; // LUKS1 before 2.0: PBKDF2
	return kdf.max_memory_kb;
}

// Does the keyslot fit into memory? The reason why not is kept.
static bool slot_fits(struct crypt_handle *h, struct open_args *a, int slot)
{
	_cleanup_free_ char *who = mem_printf("keyslot %d of %s", slot, a->layer->below);
	int64_t need = slot_memory(h, slot);

	return need >= 0 &&
	       kdf_check_memory(who, (uint64_t)need, kdf_available(), &a->memory) == 0;
}

// One keyslot after the other, never two at once, so that memory is needed once.
static int try_key(struct crypt_handle *h, const struct secret *key, void *arg,
		   struct err *err)
{
	struct open_args *a = arg;
	int max = crypt_keyslot_max(crypt_get_type(h->cd)), r = -EPERM;

	a->memory.code = 0;
	for (int slot = 0; slot < max; slot++) {
		if (!slot_fits(h, a, slot))
			continue;
		r = crypt_activate_by_passphrase(h->cd, a->layer->name, slot, key->data,
						 key->len, a->flags);
		if (r >= 0)
			return 0;
		if (r != -EPERM && r != -ENOENT)
			return crypt_handle_fail(h, r, err, a->layer->below);
	}
	if (a->memory.code < 0)
		return err_set(err, a->memory.code,
			       "no keyslot that fits into memory has this key; %s",
			       a->memory.text);
	return err_set(err, -EPERM, "%s: no keyslot has this key", a->layer->below);
}

// Before anybody types: is there a keyslot that this machine can open at all?
static int check_slots(struct crypt_handle *h, struct open_args *a, struct err *err)
{
	int max = crypt_keyslot_max(crypt_get_type(h->cd));

	for (int slot = 0; slot < max; slot++)
		if (slot_fits(h, a, slot))
			return 0;
	if (a->memory.code < 0)
		return err_set(err, a->memory.code, "%s", a->memory.text);
	return err_set(err, -ENOKEY, "%s: its LUKS header has no keyslot in use",
		       a->layer->below);
}

static int luks_open(struct stack *stack, struct layer *layer, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	struct open_args a = {
		.layer = layer,
		.flags = crypt_layer_flags(stack, layer->spec, params_of(layer->spec)),
	};
	int r = crypt_handle_init(&h, layer->below, err);

	if (r < 0)
		return r;
	r = crypt_load(h.cd, is_luks1(layer->spec) ? CRYPT_LUKS1 : CRYPT_LUKS2, NULL);
	if (r < 0)
		return err_set(err, r, "%s holds no %s header that can be read: %s%s%s",
			       layer->below, layer->ops->kind, strerror(-r),
			       h.words.len ? ": " : "", strbuf_str(&h.words));
	r = check_slots(&h, &a, err);
	if (r == 0)
		r = crypt_layer_unlock(stack, layer, try_key, &h, &a, err);
	return r < 0 ? r : crypt_layer_active(&h, layer, a.flags, err);
}

// The header's keyslots as they are on the disk now.
static void luks_describe(const struct layer *layer, struct json_object *to)
{
	struct json_object *slots = json_new_array();
	struct crypt_handle h = { 0 };
	int max;

	crypt_layer_describe(layer, to);
	json_set(to, "keyslots", slots);
	if (crypt_init_by_name(&h.cd, layer->name) < 0)
		return;
	max = crypt_keyslot_max(crypt_get_type(h.cd));
	for (int slot = 0; slot < max; slot++) {
		struct crypt_pbkdf_type kdf = { 0 };
		struct json_object *o;

		if (slot_memory(&h, slot) < 0)
			continue;
		o = json_new();
		json_set_int(o, "slot", slot);
		if (crypt_keyslot_get_pbkdf(h.cd, slot, &kdf) == 0) {
			json_set_str(o, "pbkdf", kdf.type);
			json_set_str(o, "hash", kdf.hash);
			json_set_int(o, "iterations", kdf.iterations);
			json_set_uint(o, "memory", UINT64_C(1024) * kdf.max_memory_kb);
		}
		json_append(slots, o);
	}
	crypt_handle_done(&h);
}

#define LUKS_OPS                                                                         \
	.place = LAYER_MAKES_BLOCK, .hides = true, .check = luks_check,                  \
	.ready = luks_ready, .up = luks_up, .open = luks_open, .down = crypt_layer_down, \
	.describe = luks_describe

const struct layer_ops layer_luks1 = {
	.kind = "luks1",
	.help = "LUKS version 1",
	.params = luks1_params,
	LUKS_OPS,
};

const struct layer_ops layer_luks2 = {
	.kind = "luks2",
	.help = "LUKS version 2",
	.params = luks2_params,
	LUKS_OPS,
};

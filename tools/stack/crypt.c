// SPDX-License-Identifier: GPL-3.0-or-later
// What the dm-crypt kinds share.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/crypto-driver.h"
#include "stack/devmap.h"
#include "stack/kernel-cipher.h"
#include "stack/node.h"

#define CPUINFO_MAX ((size_t)4 << 20)

static const struct {
	const char *key;
	uint32_t flag;
} flag_table[] = {
	{ "no-read-workqueue", CRYPT_ACTIVATE_NO_READ_WORKQUEUE },
	{ "no-write-workqueue", CRYPT_ACTIVATE_NO_WRITE_WORKQUEUE },
	{ "same-cpu", CRYPT_ACTIVATE_SAME_CPU_CRYPT },
	{ "submit-from-crypt-cpus", CRYPT_ACTIVATE_SUBMIT_FROM_CRYPT_CPUS },
	{ "discards", CRYPT_ACTIVATE_ALLOW_DISCARDS },
	{ "read-only", CRYPT_ACTIVATE_READONLY },
};

static void keep_words(int level, const char *msg, void *arg)
{
	struct crypt_handle *h = arg;
	size_t len = strcspn(msg, "\n");

	if (level != CRYPT_LOG_ERROR || len == 0)
		return;
	strbuf_puts(&h->words, h->words.len ? " " : "");
	strbuf_add(&h->words, msg, len);
}

int crypt_handle_init(struct crypt_handle *h, const char *device, struct err *err)
{
	int r;

	*h = (struct crypt_handle){ 0 };
	r = crypt_init(&h->cd, device);
	if (r < 0)
		return err_set(err, r, "%s: libcryptsetup cannot use it: %s", device,
			       strerror(-r));
	crypt_set_log_callback(h->cd, keep_words, h);
	crypt_set_confirm_callback(h->cd, NULL, NULL);
	crypt_set_rng_type(h->cd, CRYPT_RNG_URANDOM);
	// Nobody else is here to be kept out; saves a lock folder.
	crypt_metadata_locking(h->cd, 0);
	return 0;
}

void crypt_handle_done(struct crypt_handle *h)
{
	crypt_free(h->cd);
	h->cd = NULL;
	strbuf_done(&h->words);
}

int crypt_handle_fail(struct crypt_handle *h, int r, struct err *err, const char *what)
{
	return err_set(err, r, "%s: %s%s%s", what, strerror(-r), h->words.len ? ": " : "",
		       strbuf_str(&h->words));
}

uint32_t crypt_layer_flags(const struct stack *stack, const struct plan_layer *spec,
			   const struct param_spec *params)
{
	uint32_t flags = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flag_table); i++)
		if (param_bool(spec->params, spec->n, params, flag_table[i].key))
			flags |= flag_table[i].flag;
	if (stack->arm->open && !stack->arm->scratch)
		flags |= CRYPT_ACTIVATE_READONLY;
	return flags;
}

int crypt_layer_active(struct crypt_handle *h, struct layer *layer, uint32_t flags,
		       struct err *err)
{
	struct crypt_active_device active = { 0 };
	_cleanup_strbuf_ struct strbuf missing = { 0 };
	int r = crypt_get_active_device(h->cd, layer->name, &active);

	if (r < 0)
		return crypt_handle_fail(h, r, err, layer->name);
	for (size_t i = 0; i < ARRAY_SIZE(flag_table); i++)
		if ((flags & flag_table[i].flag) && !(active.flags & flag_table[i].flag))
			strbuf_printf(&missing, " %s", flag_table[i].key);
	if (missing.len)
		return err_set(
			err, -EOPNOTSUPP,
			"this kernel's dm-crypt did not take:%s; use a newer kernel "
			"or leave it out of the plan",
			strbuf_str(&missing));
	layer->path = mem_printf("/dev/mapper/%s", layer->name);
	return node_wait(layer->path, 0, err);
}

int crypt_layer_passphrase(const struct stack *stack, const struct layer *layer,
			   struct secret *ret, struct err *err)
{
	if (stack->key_seed)
		return stack_make_key(stack, CRYPT_PASSPHRASE_BYTES, ret, err);
	if (!stack->arm->key_file)
		return err_set(err, -ENOKEY,
			       "%s needs a passphrase, and the plan gives no key-file",
			       layer->below);
	if (!stack->keys || !stack->keys->file)
		return err_set(
			err, -ENOENT,
			"the plan names the key file %s, but there is no assay stick "
			"to read it from",
			stack->arm->key_file);
	return stack->keys->file(stack->arm->key_file, ret, stack->keys->arg, err);
}

int crypt_layer_unlock(const struct stack *stack, const struct layer *layer,
		       int (*try)(struct crypt_handle *h, const struct secret *key,
				  void *arg, struct err *err),
		       struct crypt_handle *h, void *arg, struct err *err)
{
	_cleanup_secret_ struct secret known = { 0 };
	int r = -EPERM;

	if (stack->arm->key_file || stack->key_seed) {
		r = crypt_layer_passphrase(stack, layer, &known, err);
		return r < 0 ? r : try(h, &known, arg, err);
	}
	if (!stack->keys || !stack->keys->ask)
		return err_set(err, -ENOKEY,
			       "%s needs a passphrase, and nobody is there to ask: give "
			       "key-file in the plan",
			       layer->below);
	for (int i = 0; i < CRYPT_TRIES && r == -EPERM; i++) {
		_cleanup_secret_ struct secret key = { 0 };
		_cleanup_free_ char *prompt = mem_printf(
			"%sPassphrase for %s on %s: ", i ? "Not the right one. " : "",
			layer->ops->kind, layer->below);

		r = stack->keys->ask(prompt, &key, stack->keys->arg, err);
		if (r < 0)
			return err_set(err, r, "no passphrase for %s: %s", layer->below,
				       strerror(-r));
		strbuf_done(&h->words);
		r = try(h, &key, arg, err);
	}
	return r;
}

// LUKS1 came with a bare "aes" on its command line, and there it means cbc-plain.
static int parse_cipher(struct cipher *c, const struct plan_layer *spec,
			const struct param_spec *params, struct err *err)
{
	const char *text = param_text(spec->params, spec->n, params, "cipher");
	_cleanup_free_ char *whole = mem_printf(
		"%s%s", text,
		strcmp(spec->kind, "luks1") == 0 && !strchr(text, '-') ? "-cbc-plain"
								       : "");

	return cipher_parse(c, whole, err);
}

void crypt_cipher(const struct plan_layer *spec, const struct param_spec *params,
		  struct cipher *c, unsigned *bits)
{
	parse_cipher(c, spec, params, NULL);
	*bits = (unsigned)param_uint(spec->params, spec->n, params, "key-size");
	if (!*bits)
		*bits = cipher_default_key(c);
	if (!*bits) // libcryptsetup wants a key for a plain cipher_null, and drops it
		*bits = 256;
}

void crypt_check_cipher(const struct plan_layer *spec, const struct param_spec *params,
			const char *file, int line, struct fault_list *faults)
{
	struct err err = { 0 };
	struct cipher c;
	unsigned bits;

	if (parse_cipher(&c, spec, params, &err) == 0) {
		crypt_cipher(spec, params, &c, &bits);
		cipher_check_key(&c, bits, &err);
	}
	if (err.code < 0)
		fault_add(faults, file, line, "layer %s: %s", spec->kind, err.text);
}

int crypt_ready(const struct plan_layer *spec, const struct param_spec *params,
		struct err *err)
{
	struct cipher c;
	unsigned bits;

	if (parse_cipher(&c, spec, params, NULL) < 0)
		return 0; // check() has said what is wrong with it
	crypt_cipher(spec, params, &c, &bits);
	if (cipher_check_key(&c, bits, NULL) < 0)
		return 0;
	return kernel_cipher_check(&c, cipher_default_key(&c) ? bits : 0, err);
}

uint32_t crypt_sector_size(const struct plan_layer *spec, const struct param_spec *params,
			   const char *below)
{
	const char *asked = plan_param(spec->params, spec->n, "sector-size");

	if (asked)
		return (uint32_t)param_uint(spec->params, spec->n, params, "sector-size");
	return node_logical_sector(below) == 4096 ? 4096 : 512;
}

#define WIPE_BLOCK ((size_t)1 << 20)

// libcryptsetup allows it for a private device only, and without a journal it is faster.
int crypt_wipe_tags(struct crypt_handle *h, struct layer *layer, struct err *err)
{
	_cleanup_free_ char *path = mem_printf("/dev/mapper/%s", layer->name);
	int r = crypt_activate_by_volume_key(h->cd, layer->name, NULL, 0,
					     CRYPT_ACTIVATE_PRIVATE |
						     CRYPT_ACTIVATE_NO_JOURNAL);

	if (r < 0)
		return crypt_handle_fail(h, r, err, layer->below);
	r = node_wait(path, 0, err);
	if (r < 0)
		return r;
	r = crypt_wipe(h->cd, path, CRYPT_WIPE_ZERO, 0, 0, WIPE_BLOCK, 0, NULL, NULL);
	if (r < 0)
		return crypt_handle_fail(h, r, err, path);
	return crypt_layer_down(NULL, layer, err);
}

// With what libcryptsetup put below: integrity, and the parts of a chain of ciphers.
int crypt_layer_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	static const char *const parts[] = { "", "_dif", "_1", "_2" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(parts); i++) {
		_cleanup_free_ char *name = mem_printf("%s%s", layer->name, parts[i]);

		r = devmap_remove(name, err);
	}
	return r;
}

static void describe_flags(const struct crypt_active_device *active,
			   struct json_object *to)
{
	struct json_object *flags = json_new_array();

	for (size_t i = 0; i < ARRAY_SIZE(flag_table); i++)
		if (active->flags & flag_table[i].flag)
			json_append_str(flags, flag_table[i].key);
	json_set(to, "flags", flags);
}

// The kernel has no way to ask a mapping; this is what it took by its own rule.
static void describe_driver(const struct cipher *c, struct json_object *to)
{
	_cleanup_strbuf_ struct strbuf name = { 0 }, shout = { 0 }, cpu = { 0 };
	struct crypto_driver d;

	crypto_driver_name(c->name, c->mode, &name);
	if (crypto_driver_live(strbuf_str(&name), &d) < 0)
		return;
	json_set_str(to, "crypto_name", strbuf_str(&name));
	json_set_str(to, "crypto_driver", d.driver);
	json_set_str(to, "crypto_module", d.module);
	io_read_file("/proc/cpuinfo", &cpu, CPUINFO_MAX);
	crypto_driver_shout(strbuf_str(&name), d.driver,
			    crypto_cpu_has_aes(strbuf_str(&cpu)), &shout);
	if (shout.len)
		json_set_str(to, "warning", strbuf_str(&shout));
}

void crypt_layer_describe(const struct layer *layer, struct json_object *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct crypt_active_device active = { 0 };
	struct crypt_device *cd = NULL;
	struct cipher c = { 0 };
	unsigned bits;

	devmap_describe(layer->name, to);
	if (crypt_init_by_name(&cd, layer->name) < 0)
		return;
	bits = (unsigned)crypt_get_volume_key_size(cd) * 8;
	snprintf(c.name, sizeof(c.name), "%s", crypt_get_cipher(cd) ?: "");
	snprintf(c.mode, sizeof(c.mode), "%s", crypt_get_cipher_mode(cd) ?: "");
	cipher_text(&c, bits, &text);
	json_set_str(to, "type", crypt_get_type(cd));
	json_set_str(to, "cipher_text", strbuf_str(&text));
	describe_driver(&c, to);
	strbuf_done(&text);
	strbuf_printf(&text, "%s-%s", c.name, c.mode);
	json_set_str(to, "cipher", strbuf_str(&text));
	json_set_int(to, "key_bits", bits);
	json_set_int(to, "sector_size", crypt_get_sector_size(cd));
	json_set_uint(to, "data_offset", crypt_get_data_offset(cd) * 512);
	if (crypt_get_active_device(cd, layer->name, &active) == 0) {
		json_set_uint(to, "iv_offset", active.iv_offset);
		describe_flags(&active, to);
	}
	crypt_free(cd);
}

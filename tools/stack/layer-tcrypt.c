// SPDX-License-Identifier: GPL-3.0-or-later
// TrueCrypt and VeraCrypt: made with libtcplay, opened through libcryptsetup.
#include <stdio.h>
#include <string.h>
#include <tcplay_api.h>

#include "common/bounded.h"
#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/wipe.h"

// TrueCrypt takes no longer passphrase.
#define PASSPHRASE_MAX 64
#define CREATE_TIME    (120 * CLOCK_SECOND)

// tcplay's names of the ciphers and hashes, as libcryptsetup and the articles write them.
static const struct {
	const char *word, *tcplay;
} ciphers[] = {
	{ "aes", "AES-256-XTS" },
	{ "serpent", "SERPENT-256-XTS" },
	{ "twofish", "TWOFISH-256-XTS" },
}, hashes[] = {
	{ "ripemd160", "RIPEMD160" },
	{ "sha512", "SHA512" },
	{ "whirlpool", "whirlpool" },
};

static const char *const cipher_words[] = { "aes", "serpent", "twofish", NULL };
static const char *const hash_words[] = { "ripemd160", "sha512", "whirlpool", NULL };

static const struct param_spec tcrypt_params[] = {
	{ .key = "cipher",
	  .type = PARAM_WORD,
	  .fallback = "aes",
	  .help = "256 bits in XTS mode; what is opened may be a chain as well",
	  .choices = cipher_words },
	{ .key = "hash",
	  .type = PARAM_WORD,
	  .fallback = "ripemd160",
	  .help = "of the header's key derivation",
	  .choices = hash_words },
	{ .key = "veracrypt",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "also look for a VeraCrypt header (open arms)" },
	CRYPT_FLAG_PARAMS,
	{ 0 },
};

static const char *text_of(const struct layer *l, const char *key)
{
	return param_text(l->spec->params, l->spec->n, tcrypt_params, key);
}

static void tcrypt_check(const struct plan_layer *spec, const char *file, int line,
			 struct fault_list *faults)
{
	if (param_bool(spec->params, spec->n, tcrypt_params, "veracrypt"))
		fault_add(
			faults, file, line,
			"layer tcrypt: veracrypt=yes can be opened, not made: tcplay 1.1 "
			"writes TrueCrypt's header only, with TrueCrypt's iterations");
}

struct create_args {
	const struct layer *layer;
	const struct secret *passphrase;
};

// In a child of its own: the passphrase stays in memory, and a crash or a hang of the
// library is no end of the sequence.
static int create_child(void *arg, int out)
{
	const struct create_args *a = arg;
	tc_api_opts opts = {
		.tc_device = a->layer->below,
		.tc_passphrase = a->passphrase->data,
		.tc_no_secure_erase = 1,
		.tc_use_weak_keys = 1, // /dev/urandom, which is no weaker since Linux 5.6
	};
	const char *why;

	for (size_t i = 0; i < ARRAY_SIZE(ciphers); i++)
		if (strcmp(ciphers[i].word, text_of(a->layer, "cipher")) == 0)
			opts.tc_cipher = ciphers[i].tcplay;
	for (size_t i = 0; i < ARRAY_SIZE(hashes); i++)
		if (strcmp(hashes[i].word, text_of(a->layer, "hash")) == 0)
			opts.tc_prf_hash = hashes[i].tcplay;
	if (tc_api_init(0) == TC_OK && tc_api_create_volume(&opts) == TC_OK)
		return 0;
	why = tc_api_get_error_msg();
	io_write_all(out, why, strlen(why));
	return -EIO;
}

static int create(struct layer *l, const struct secret *passphrase, struct err *err)
{
	struct create_args args = { l, passphrase };
	_cleanup_strbuf_ struct strbuf said = { 0 };
	int r = bounded_run(create_child, &args, CREATE_TIME, &said);

	if (said.len && strbuf_str(&said)[said.len - 1] == '\n')
		said.data[said.len - 1] = '\0';
	return r == 0 ? 0
		      : err_set(err, r, "libtcplay made no volume on %s: %s%s%s",
				l->below, strerror(-r), said.len ? ": " : "",
				strbuf_str(&said));
}

// The first line of a key: other tools ask for the passphrase at a prompt.
static int first_line(const struct secret *key, struct secret *ret, struct err *err)
{
	size_t len = 0;
	int r;

	while (len < key->len && key->data[len] != '\n')
		len++;
	if (len == 0 || len > PASSPHRASE_MAX)
		return err_set(
			err, -EINVAL,
			"a passphrase for tcrypt has 1 to %d characters in its first "
			"line, not %zu",
			PASSPHRASE_MAX, len);
	r = secret_new(ret, len);
	if (r < 0)
		return err_set(err, r, "no memory for the passphrase");
	memcpy(ret->data, key->data, len);
	return 0;
}

// 64 hexadecimal digits where nobody gives a key.
static int make_passphrase(const struct stack *stack, struct secret *ret, struct err *err)
{
	static const char digits[] = "0123456789abcdef";
	_cleanup_secret_ struct secret key = { 0 };
	int r = stack_make_key(stack, PASSPHRASE_MAX, &key, err);

	if (r < 0)
		return r;
	if (!stack->keys || !stack->keys->make)
		for (size_t i = 0; i < key.len; i++)
			key.data[i] = digits[key.data[i] & 15];
	return first_line(&key, ret, err);
}

static int activate(struct crypt_handle *h, const struct layer *l,
		    const struct secret *passphrase, uint32_t flags, struct err *err)
{
	bool vera = param_bool(l->spec->params, l->spec->n, tcrypt_params, "veracrypt");
	struct crypt_params_tcrypt params = {
		.passphrase = passphrase->data,
		.passphrase_size = passphrase->len,
		.flags = vera ? CRYPT_TCRYPT_VERA_MODES : 0,
	};
	int r = crypt_load(h->cd, CRYPT_TCRYPT, &params);

	if (r == 0)
		r = crypt_activate_by_volume_key(h->cd, l->name, NULL, 0, flags);
	return r < 0 ? crypt_handle_fail(h, r, err, l->below) : 0;
}

// The target is asked for again here: this writes.
static int tcrypt_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret passphrase = { 0 };
	uint32_t flags = crypt_layer_flags(stack, l->spec, tcrypt_params);
	int r = stack_may_write(stack, l->below, err);

	if (r == 0)
		r = make_passphrase(stack, &passphrase, err);
	if (r == 0)
		r = create(l, &passphrase, err);
	if (r == 0)
		r = stack_step(stack, "the mapping", err);
	if (r == 0)
		r = crypt_handle_init(&h, l->below, err);
	if (r == 0)
		r = activate(&h, l, &passphrase, flags, err);
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
	_cleanup_secret_ struct secret passphrase = { 0 };
	int r = first_line(key, &passphrase, err);

	return r < 0 ? r : activate(h, a->layer, &passphrase, a->flags, err);
}

static int tcrypt_open(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	struct open_args a = { l, crypt_layer_flags(stack, l->spec, tcrypt_params) };
	int r = crypt_handle_init(&h, l->below, err);

	if (r == 0)
		r = crypt_layer_unlock(stack, l, try_key, &h, &a, err);
	return r < 0 ? r : crypt_layer_active(&h, l, a.flags, err);
}

const struct layer_ops layer_tcrypt = {
	.kind = "tcrypt",
	.help = "TrueCrypt volume, made with libtcplay; VeraCrypt's can be opened",
	.place = LAYER_MAKES_BLOCK,
	.hides = true,
	.params = tcrypt_params,
	.check = tcrypt_check,
	.up = tcrypt_up,
	.open = tcrypt_open,
	.down = crypt_layer_down,
	.describe = crypt_layer_describe,
};

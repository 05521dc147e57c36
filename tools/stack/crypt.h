// SPDX-License-Identifier: GPL-3.0-or-later
// What the dm-crypt kinds share: activation flags, libcryptsetup's words as errors, keys
// from a file or a person, the mapping read back.
#pragma once

#include <libcryptsetup.h>

#include "common/secret.h"
#include "stack/cipher.h"
#include "stack/stack.h"

// Passphrases a person may try.
#define CRYPT_TRIES 3

// Of the passphrase of a header that we make; no volume key of dm-crypt is longer.
#define CRYPT_PASSPHRASE_BYTES 128

// Rows of a param_spec table that every dm-crypt kind has.
#define CRYPT_FLAG_PARAMS                                                              \
	{ .key = "no-read-workqueue",                                                  \
	  .type = PARAM_BOOL,                                                          \
	  .help = "decrypt in the context of the reader" },                            \
		{ .key = "no-write-workqueue",                                         \
		  .type = PARAM_BOOL,                                                  \
		  .help = "encrypt in the context of the writer" },                    \
		{ .key = "same-cpu",                                                   \
		  .type = PARAM_BOOL,                                                  \
		  .help = "encrypt on the CPU that submits" },                         \
		{ .key = "submit-from-crypt-cpus",                                     \
		  .type = PARAM_BOOL,                                                  \
		  .help = "submit writes from the CPUs that encrypted them" },         \
	{                                                                              \
		.key = "discards", .type = PARAM_BOOL, .help = "pass discards through" \
	}

struct crypt_handle {
	struct crypt_device *cd;
	struct strbuf words; // what libcryptsetup said
};

// Opens a handle on `device` whose error messages are kept. Returns 0 or -errno.
int crypt_handle_init(struct crypt_handle *h, const char *device, struct err *err);
void crypt_handle_done(struct crypt_handle *h);
#define _cleanup_crypt_ _cleanup_(crypt_handle_done)

// err_set() with libcryptsetup's last words.
int crypt_handle_fail(struct crypt_handle *h, int r, struct err *err, const char *what);

// CRYPT_ACTIVATE_* as the layer's parameters and the arm (read-only) say.
uint32_t crypt_layer_flags(const struct stack *stack, const struct plan_layer *spec,
			   const struct param_spec *params);

// The flags are on the active mapping, as the kernel tells it. An old kernel may ignore
// or refuse them. Sets layer->path. Returns 0 or -EOPNOTSUPP.
int crypt_layer_active(struct crypt_handle *h, struct layer *layer, uint32_t flags,
		       struct err *err);

// The passphrase of the arm where it is known without a person: that which
// stack_make_key() made, or the content of the key file. Returns 0, -ENOKEY when there is
// neither, -errno.
int crypt_layer_passphrase(const struct stack *stack, const struct layer *layer,
			   struct secret *ret, struct err *err);

// Calls `try` with the passphrase that is known, else with what a person types, up to
// three times while it says -EPERM. Returns what `try` did, or -errno.
int crypt_layer_unlock(const struct stack *stack, const struct layer *layer,
		       int (*try)(struct crypt_handle *h, const struct secret *key,
				  void *arg, struct err *err),
		       struct crypt_handle *h, void *arg, struct err *err);

// Parameters of a cipher, checked: faults for plan_check.
void crypt_check_cipher(const struct plan_layer *spec, const struct param_spec *params,
			const char *file, int line, struct fault_list *faults);

// Does this kernel have the cipher? For layer_ops.ready.
int crypt_ready(const struct plan_layer *spec, const struct param_spec *params,
		struct err *err);

// The cipher and the key size in bits, the default included. The text was checked before.
void crypt_cipher(const struct plan_layer *spec, const struct param_spec *params,
		  struct cipher *c, unsigned *bits);

// The encryption sector for a device: asked for, else 512, or the device's own sector
// when that is 4096.
uint32_t crypt_sector_size(const struct plan_layer *spec, const struct param_spec *params,
			   const char *below);

// Writes every sector once, so that each has its checksum: a header with integrity was
// just made by `h`. Takes as long as the disk is large.
int crypt_wipe_tags(struct crypt_handle *h, struct layer *layer, struct err *err);

// down() and describe() of every dm-crypt kind.
int crypt_layer_down(struct stack *stack, struct layer *layer, struct err *err);
void crypt_layer_describe(const struct layer *layer, struct json_object *to);

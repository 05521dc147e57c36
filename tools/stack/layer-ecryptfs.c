// SPDX-License-Identifier: GPL-3.0-or-later
// eCryptfs over a mounted filesystem: the kernel's mount and keyring, no helper program.
#include <linux/keyctl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/driver.h"
#include "stack/crypt.h"
#include "stack/ecryptfs-key.h"
#include "stack/kinds.h"
#include "stack/mounts.h"
#include "stack/stack.h"

// The encrypted files lie in this folder of the filesystem below.
#define LOWER "ecryptfs"

static const char *const cipher_words[] = { "aes",   "blowfish", "des3_ede", "twofish",
					    "cast6", "cast5",    NULL };
static const char *const bytes_words[] = { "16", "24", "32", NULL };

static const struct param_spec ecryptfs_params[] = {
	{ .key = "ecryptfs_cipher",
	  .type = PARAM_WORD,
	  .fallback = "aes",
	  .help = "as the mount option of that name",
	  .choices = cipher_words },
	{ .key = "ecryptfs_key_bytes",
	  .type = PARAM_WORD,
	  .fallback = "16",
	  .help = "as the mount option of that name",
	  .choices = bytes_words },
	{ .key = "filenames",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "encrypt names, too (ecryptfs_fnek_sig)" },
	{ 0 },
};

struct ecryptfs_state {
	char *lower;
	char signature[ECRYPTFS_SIG_CHARS + 1];
	long key; // serial number in the keyring; 0 none
};

// glibc has no wrappers, and libkeyutils is a library more for two calls.
static long add_user_key(const char *name, const void *data, size_t len)
{
	long id = syscall(SYS_add_key, "user", name, data, len, KEY_SPEC_PROCESS_KEYRING);

	return id < 0 ? -errno : id;
}

// The filesystem keeps its own reference while it is mounted.
static void forget_key(struct ecryptfs_state *s)
{
	if (s->key > 0)
		syscall(SYS_keyctl, KEYCTL_UNLINK, s->key, KEY_SPEC_PROCESS_KEYRING);
	s->key = 0;
}

static int put_key(struct ecryptfs_state *s, const struct secret *key, struct err *err)
{
	struct ecryptfs_auth_tok tok = { 0 };
	size_t len = 0;
	int r;

	while (len < key->len && key->data[len] != '\n')
		len++;
	r = ecryptfs_key_make(key->data, len, &tok, err);
	if (r == 0) {
		memcpy(s->signature, tok.password.signature, sizeof(s->signature));
		s->key = add_user_key(s->signature, &tok, sizeof(tok));
		if (s->key < 0)
			r = err_set(err, (int)s->key,
				    "the keyring does not take the key: %s",
				    strerror((int)-s->key));
	}
	explicit_bzero(&tok, sizeof(tok));
	return r;
}

static int mount_it(const struct stack *stack, struct layer *l, struct err *err)
{
	const struct ecryptfs_state *s = l->state;
	const struct plan_layer *spec = l->spec;
	_cleanup_strbuf_ struct strbuf options = { 0 };
	_cleanup_free_ char *dir = mem_printf(MOUNT_ROOT "/%s", l->name);
	unsigned long flags = MS_NOATIME | MS_NOSUID | MS_NODEV;
	int r = io_make_dirs(dir);

	if (r < 0)
		return err_set(err, r, "cannot make the folder %s: %s", dir,
			       strerror(-r));
	strbuf_printf(
		&options, "ecryptfs_sig=%s,ecryptfs_cipher=%s,ecryptfs_key_bytes=%s",
		s->signature,
		param_text(spec->params, spec->n, ecryptfs_params, "ecryptfs_cipher"),
		param_text(spec->params, spec->n, ecryptfs_params, "ecryptfs_key_bytes"));
	if (param_bool(spec->params, spec->n, ecryptfs_params, "filenames"))
		strbuf_printf(&options, ",ecryptfs_fnek_sig=%s", s->signature);
	if (stack->arm->open && !stack->arm->scratch)
		flags |= MS_RDONLY;
	driver_load("ecryptfs", NULL); // built in, or mount(2) says what is missing
	if (mount(s->lower, dir, "ecryptfs", flags, strbuf_str(&options)) < 0)
		return err_set(err, -errno, "cannot mount eCryptfs on %s: %s", s->lower,
			       errno == ENODEV ? "this kernel has no such filesystem"
					       : strerror(errno));
	l->dir = TAKE_PTR(dir);
	l->path = mem_strdup(l->below);
	return 0;
}

static struct ecryptfs_state *begin(struct layer *l)
{
	struct ecryptfs_state *s = l->state = mem_new(1, sizeof(*s));

	s->lower = mem_printf("%s/%s", l->below_dir, LOWER);
	return s;
}

static int ecryptfs_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_secret_ struct secret key = { 0 };
	struct ecryptfs_state *s = begin(l);
	int r = io_make_dirs(s->lower);

	if (r < 0)
		return err_set(err, r, "cannot make the folder %s: %s", s->lower,
			       strerror(-r));
	r = stack_make_key(stack, 32, &key, err);
	if (r == 0)
		r = put_key(s, &key, err);
	if (r == 0)
		r = stack_step(stack, "mounting", err);
	return r < 0 ? r : mount_it(stack, l, err);
}

static int try_key(struct crypt_handle *h _unused_, const struct secret *key, void *arg,
		   struct err *err)
{
	return put_key(arg, key, err);
}

static int ecryptfs_open(struct stack *stack, struct layer *l, struct err *err)
{
	struct ecryptfs_state *s = begin(l);
	struct crypt_handle none = { 0 };
	int r;

	if (!io_exists(s->lower))
		return err_set(err, -ENOENT, "there is no folder %s on %s", LOWER,
			       l->below);
	r = crypt_layer_unlock(stack, l, try_key, &none, s, err);
	return r < 0 ? r : mount_it(stack, l, err);
}

static int ecryptfs_down(struct stack *stack _unused_, struct layer *l, struct err *err)
{
	_cleanup_free_ char *dir = mem_printf(MOUNT_ROOT "/%s", l->name);
	struct ecryptfs_state *s = l->state;
	int r = l->dir ? mount_remove(l->dir) : 0;

	if (r < 0)
		return err_set(err, r, "cannot unmount %s: %s", l->dir,
			       r == -EBUSY ? "something still uses it" : strerror(-r));
	rmdir(dir);
	free(TAKE_PTR(l->dir));
	if (s) {
		forget_key(s);
		free(s->lower);
	}
	free(TAKE_PTR(l->state));
	return 0;
}

static void ecryptfs_describe(const struct layer *l, struct json_object *to)
{
	const struct ecryptfs_state *s = l->state;

	mount_describe(l->dir, to);
	if (s)
		json_set_str(to, "lower", s->lower);
}

const struct layer_ops layer_ecryptfs = {
	.kind = "ecryptfs",
	.help = "eCryptfs over the filesystem below",
	.place = LAYER_MAKES_FS,
	.on_fs = true,
	.params = ecryptfs_params,
	.up = ecryptfs_up,
	.open = ecryptfs_open,
	.down = ecryptfs_down,
	.describe = ecryptfs_describe,
};

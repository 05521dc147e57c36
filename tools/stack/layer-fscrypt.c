// SPDX-License-Identifier: GPL-3.0-or-later
// Encrypted folders of ext4 (fscrypt), by the kernel's own calls: policy version 2, the
// key in the filesystem's keyring.
#include <fcntl.h>
#include <linux/fscrypt.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/kinds.h"
#include "stack/mounts.h"
#include "stack/stack.h"

// The encrypted folder, at the root of the filesystem below.
#define FOLDER "fscrypt"

static const char *const mode_words[] = { "aes-256-xts", "aes-128-cbc", "adiantum",
					  NULL };

static const struct param_spec fscrypt_params[] = {
	{ .key = "contents",
	  .type = PARAM_WORD,
	  .fallback = "aes-256-xts",
	  .help = "cipher of the files; their names take what goes with it",
	  .choices = mode_words },
	{ 0 },
};

static const struct {
	const char *word;
	uint8_t contents, filenames, flags;
} modes[] = {
	{ "aes-256-xts", FSCRYPT_MODE_AES_256_XTS, FSCRYPT_MODE_AES_256_CTS, 0 },
	{ "aes-128-cbc", FSCRYPT_MODE_AES_128_CBC, FSCRYPT_MODE_AES_128_CTS, 0 },
	{ "adiantum", FSCRYPT_MODE_ADIANTUM, FSCRYPT_MODE_ADIANTUM,
	  FSCRYPT_POLICY_FLAG_DIRECT_KEY },
};

struct fscrypt_state {
	uint8_t identifier[FSCRYPT_KEY_IDENTIFIER_SIZE];
	bool added;
};

static int open_dir(const char *dir, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 ? fd
		       : err_set(err, -errno, "cannot open the folder %s: %s", dir,
				 strerror(errno));
}

// Puts the key into the filesystem's keyring; the kernel gives the name that it has
// there.
static int add_key(struct layer *l, const struct secret *key, struct err *err)
{
	struct fscrypt_state *s = l->state;
	_cleanup_close_ int fd = open_dir(l->below_dir, err);
	_cleanup_secret_ struct secret room = { 0 };
	struct fscrypt_add_key_arg *arg;
	int r;

	if (fd < 0)
		return fd;
	if (key->len < FSCRYPT_MAX_KEY_SIZE)
		return err_set(err, -EINVAL, "the key has %zu bytes, %d are needed",
			       key->len, FSCRYPT_MAX_KEY_SIZE);
	r = secret_new(&room, sizeof(*arg) + FSCRYPT_MAX_KEY_SIZE);
	if (r < 0)
		return err_set(err, r, "no memory for the key");
	arg = (void *)room.data;
	arg->key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER;
	arg->raw_size = FSCRYPT_MAX_KEY_SIZE;
	memcpy(arg->raw, key->data, FSCRYPT_MAX_KEY_SIZE);
	if (ioctl(fd, FS_IOC_ADD_ENCRYPTION_KEY, arg) < 0)
		return err_set(err, -errno, "%s does not take an encryption key: %s",
			       l->below,
			       errno == EOPNOTSUPP
				       ? "it lacks the feature encrypt (ext4,encrypt)"
				       : strerror(errno));
	memcpy(s->identifier, arg->key_spec.u.identifier, sizeof(s->identifier));
	s->added = true;
	return 0;
}

static int set_policy(const struct layer *l, const char *dir, struct err *err)
{
	const struct fscrypt_state *s = l->state;
	const char *word =
		param_text(l->spec->params, l->spec->n, fscrypt_params, "contents");
	struct fscrypt_policy_v2 policy = { .version = FSCRYPT_POLICY_V2 };
	_cleanup_close_ int fd = open_dir(dir, err);

	if (fd < 0)
		return fd;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(modes[i].word, word) != 0)
			continue;
		policy.contents_encryption_mode = modes[i].contents;
		policy.filenames_encryption_mode = modes[i].filenames;
		policy.flags = modes[i].flags | FSCRYPT_POLICY_FLAGS_PAD_32;
	}
	memcpy(policy.master_key_identifier, s->identifier, sizeof(s->identifier));
	if (ioctl(fd, FS_IOC_SET_ENCRYPTION_POLICY, &policy) < 0)
		return err_set(err, -errno, "%s does not take contents=%s: %s", dir, word,
			       strerror(errno));
	return 0;
}

static void take(struct layer *l, char *dir)
{
	l->dir = dir;
	l->path = mem_strdup(l->below);
}

static int fscrypt_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_free_ char *dir = mem_printf("%s/%s", l->below_dir, FOLDER);
	_cleanup_secret_ struct secret key = { 0 };
	int r;

	l->state = mem_new(1, sizeof(struct fscrypt_state));
	r = stack_make_key(stack, FSCRYPT_MAX_KEY_SIZE, &key, err);
	if (r == 0)
		r = add_key(l, &key, err);
	if (r == 0)
		r = stack_step(stack, "the folder", err);
	if (r == 0 && mkdir(dir, 0755) < 0)
		r = err_set(err, -errno, "cannot make the folder %s: %s", dir,
			    strerror(errno));
	if (r == 0)
		r = set_policy(l, dir, err);
	if (r == 0)
		take(l, TAKE_PTR(dir));
	return r;
}

static int try_key(struct crypt_handle *h _unused_, const struct secret *key, void *arg,
		   struct err *err)
{
	return add_key(arg, key, err);
}

static int fscrypt_open(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_free_ char *dir = mem_printf("%s/%s", l->below_dir, FOLDER);
	struct crypt_handle none = { 0 };
	int r;

	l->state = mem_new(1, sizeof(struct fscrypt_state));
	if (!io_exists(dir))
		return err_set(err, -ENOENT, "there is no folder %s on %s", FOLDER,
			       l->below);
	r = crypt_layer_unlock(stack, l, try_key, &none, l, err);
	if (r == 0)
		take(l, TAKE_PTR(dir));
	return r;
}

static int fscrypt_down(struct stack *stack _unused_, struct layer *l, struct err *err)
{
	struct fscrypt_state *s = l->state;
	struct fscrypt_remove_key_arg arg = {
		.key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER,
	};
	_cleanup_close_ int fd = -1;

	if (s && s->added) {
		fd = open_dir(l->below_dir, err);
		if (fd < 0)
			return fd;
		memcpy(arg.key_spec.u.identifier, s->identifier, sizeof(s->identifier));
		if (ioctl(fd, FS_IOC_REMOVE_ENCRYPTION_KEY, &arg) < 0 && errno != ENOKEY)
			return err_set(err, -errno, "the key of %s is left: %s", l->dir,
				       strerror(errno));
		if (arg.removal_status_flags & FSCRYPT_KEY_REMOVAL_STATUS_FLAG_FILES_BUSY)
			return err_set(err, -EBUSY, "something still uses files in %s",
				       l->dir);
	}
	free(TAKE_PTR(l->state));
	return 0;
}

// The policy as the kernel has it.
static void fscrypt_describe(const struct layer *l, struct json_object *to)
{
	struct fscrypt_get_policy_ex_arg arg = { .policy_size = sizeof(arg.policy) };
	_cleanup_close_ int fd = l->dir ? open_dir(l->dir, NULL) : -1;

	if (fd < 0 || ioctl(fd, FS_IOC_GET_ENCRYPTION_POLICY_EX, &arg) < 0)
		return;
	json_set_int(to, "policy_version", arg.policy.version);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (modes[i].contents == arg.policy.v2.contents_encryption_mode)
			json_set_str(to, "contents", modes[i].word);
}

const struct layer_ops layer_fscrypt = {
	.kind = "fscrypt",
	.help = "encrypted folder of ext4 (ext4,encrypt)",
	.place = LAYER_MAKES_FS,
	.on_fs = true,
	.params = fscrypt_params,
	.up = fscrypt_up,
	.open = fscrypt_open,
	.down = fscrypt_down,
	.describe = fscrypt_describe,
};

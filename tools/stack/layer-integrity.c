// SPDX-License-Identifier: GPL-3.0-or-later
// dm-integrity alone, without encryption: kind integrity, through libcryptsetup.
#include <string.h>

#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/wipe.h"

static const char *const sector_words[] = { "512", "1024", "2048", "4096", NULL };
static const char *const hash_words[] = { "crc32c", "crc32", "sha1", "sha256", NULL };
static const char *const mode_words[] = { "journal", "bitmap", "direct", NULL };

static const struct param_spec integrity_params[] = {
	{ .key = "integrity",
	  .type = PARAM_WORD,
	  .fallback = "crc32c",
	  .help = "checksum of each sector",
	  .choices = hash_words },
	{ .key = "sector-size",
	  .type = PARAM_WORD,
	  .help = "bytes under one checksum; default 512, or 4096 on such a disk",
	  .choices = sector_words },
	{ .key = "mode",
	  .type = PARAM_WORD,
	  .fallback = "journal",
	  .help = "how data and checksum stay together; direct: not at all",
	  .choices = mode_words },
	{ 0 },
};

// Bytes of a checksum. sha1 and sha256 are cut to what their names say.
static uint32_t tag_size(const char *hash)
{
	if (strcmp(hash, "sha256") == 0)
		return 32;
	return strcmp(hash, "sha1") == 0 ? 20 : 4;
}

static uint32_t mode_flags(const struct layer *l)
{
	const char *mode =
		param_text(l->spec->params, l->spec->n, integrity_params, "mode");

	if (strcmp(mode, "bitmap") == 0)
		return CRYPT_ACTIVATE_NO_JOURNAL_BITMAP;
	return strcmp(mode, "direct") == 0 ? CRYPT_ACTIVATE_NO_JOURNAL : 0;
}

// Also the flags of an active one, as the kernel tells them.
static int take(struct crypt_handle *h, struct layer *l, uint32_t flags, struct err *err)
{
	struct crypt_active_device active = { 0 };
	int r = crypt_get_active_device(h->cd, l->name, &active);

	if (r < 0)
		return crypt_handle_fail(h, r, err, l->name);
	if ((active.flags & flags) != flags)
		return err_set(err, -EOPNOTSUPP,
			       "this kernel's dm-integrity did not take the mode");
	l->path = mem_printf("/dev/mapper/%s", l->name);
	return node_wait(l->path, 0, err);
}

// The target is asked for again here: this writes. Every checksum is written once, as
// integritysetup does: a sector that never was would not be readable.
static int integrity_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	const char *hash =
		param_text(l->spec->params, l->spec->n, integrity_params, "integrity");
	struct crypt_params_integrity params = {
		.integrity = hash,
		.tag_size = tag_size(hash),
		.sector_size = crypt_sector_size(l->spec, integrity_params, l->below),
	};
	int r = stack_may_write(stack, l->below, err);

	if (r == 0)
		r = crypt_handle_init(&h, l->below, err);
	if (r < 0)
		return r;
	r = crypt_format(h.cd, CRYPT_INTEGRITY, NULL, NULL, NULL, NULL, 0, &params);
	if (r < 0)
		return crypt_handle_fail(&h, r, err, l->below);
	r = crypt_wipe_tags(&h, l, err);
	if (r == 0)
		r = stack_step(stack, "the mapping", err);
	if (r < 0)
		return r;
	r = crypt_activate_by_volume_key(h.cd, l->name, NULL, 0, mode_flags(l));
	if (r < 0)
		return crypt_handle_fail(&h, r, err, l->below);
	return take(&h, l, mode_flags(l), err);
}

static int integrity_open(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	const char *hash =
		param_text(l->spec->params, l->spec->n, integrity_params, "integrity");
	struct crypt_params_integrity params = { .integrity = hash,
						 .tag_size = tag_size(hash) };
	uint32_t flags = mode_flags(l);
	int r = crypt_handle_init(&h, l->below, err);

	if (r < 0)
		return r;
	if (!stack->arm->scratch)
		flags |= CRYPT_ACTIVATE_READONLY;
	r = crypt_load(h.cd, CRYPT_INTEGRITY, &params);
	if (r == 0)
		r = crypt_activate_by_volume_key(h.cd, l->name, NULL, 0, flags);
	if (r < 0)
		return crypt_handle_fail(&h, r, err, l->below);
	return take(&h, l, mode_flags(l), err);
}

static void integrity_describe(const struct layer *l, struct json_object *to)
{
	struct crypt_params_integrity ip = { 0 };
	struct crypt_device *cd = NULL;

	devmap_describe(l->name, to);
	if (crypt_init_by_name(&cd, l->name) < 0)
		return;
	if (crypt_get_integrity_info(cd, &ip) == 0) {
		json_set_str(to, "integrity", ip.integrity);
		json_set_int(to, "tag_size", ip.tag_size);
		json_set_int(to, "sector_size", ip.sector_size);
		json_set_uint(to, "journal_size", ip.journal_size);
	}
	crypt_free(cd);
}

const struct layer_ops layer_integrity = {
	.kind = "integrity",
	.help = "dm-integrity: a checksum for each sector, no encryption",
	.place = LAYER_MAKES_BLOCK,
	.params = integrity_params,
	.up = integrity_up,
	.open = integrity_open,
	.down = crypt_layer_down,
	.describe = integrity_describe,
};

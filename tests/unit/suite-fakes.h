// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for the machine: stacks, targets, caches. What happens is set in `fake`.
#pragma once

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "stack/wipe.h"
#include "suite/cache.h"
#include "suite/gone.h"
#include "suite/suite.h"

static struct {
	const char *opened;       // arm that was opened last, not made
	const char *up_fails;     // arm whose stack cannot be built
	const char *dir, *device; // what the stack has on top
	const char *leftovers;    // after the next tear-down
	bool clear_helps, read_only, rotational;
	uint64_t disk_size;
	const char *drop_fails; // why caches are not dropped
	unsigned gone_after;    // tests until the disk vanishes; 0: never
	unsigned ups, downs, clears, drops;
} fake;

struct target {
	const char *path;
};

static inline void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.device = "/dev/fake-top";
}

int stack_up(struct stack *stack, struct err *err)
{
	fake.ups++;
	if (stack->arm->open)
		fake.opened = stack->arm->name;
	if (fake.up_fails && strcmp(stack->arm->name, fake.up_fails) == 0)
		return err_set(err, -EIO, "layer luks2: no such cipher");
	return 0;
}

int stack_down(struct stack *stack, struct err *err)
{
	(void)stack;
	fake.downs++;
	return fake.leftovers ? err_set(err, -EBUSY, "layer ext4: busy") : 0;
}

size_t stack_leftovers(struct target *const *targets, size_t n, struct strbuf *to)
{
	(void)targets;
	(void)n;
	if (!fake.leftovers)
		return 0;
	strbuf_puts(to, fake.leftovers);
	return 2;
}

int stack_clear(struct target *const *targets, size_t n, struct err *err)
{
	(void)targets;
	(void)n;
	fake.clears++;
	if (!fake.clear_helps)
		return err_set(err, -EBUSY, "assay-b-1 cannot be removed");
	fake.leftovers = NULL;
	return 0;
}

int stack_remake_top(struct stack *stack, struct err *err)
{
	(void)stack;
	(void)err;
	return 0;
}

int wipe_allowed(struct target *const *targets, size_t n, const char *path,
		 struct err *err)
{
	(void)targets;
	(void)n;
	return strcmp(path, "/dev/foreign") == 0
		       ? err_set(err, -EACCES, "%s lies on another disk", path)
		       : 0;
}

// A partition at 1 MiB, and in arm c what LUKS2 puts before the data.
struct json_object *stack_json(const struct stack *stack)
{
	static const char text[] =
		"[{\"kind\":\"disk\"},{\"kind\":\"gpt\",\"start\":1048576}";
	static const char luks[] =
		",{\"kind\":\"luks2\",\"table\":[{\"target\":\"crypt\",\"args\":"
		"\"aes-xts-plain64 - 0 8:1 32768 1 allow_discards\"}]}";
	_cleanup_free_ char *all =
		mem_printf("%s%s]", text, strcmp(stack->arm->name, "c") ? "" : luks);

	return json_parse_text(all, strlen(all), NULL);
}

int stack_settle(const struct stack *stack, struct json_object *to, struct err *err)
{
	(void)stack;
	(void)to;
	(void)err;
	return 0;
}

const char *stack_device(const struct stack *stack)
{
	(void)stack;
	return fake.device;
}

const char *stack_dir(const struct stack *stack)
{
	(void)stack;
	return fake.dir;
}

void stack_done(struct stack *stack)
{
	(void)stack;
}

const struct layer_ops *layer_find(const char *kind)
{
	static const struct layer_ops gpt = { .kind = "gpt" };
	static const struct layer_ops ext4 = { .kind = "ext4", .place = LAYER_MAKES_FS };
	static const struct layer_ops swap = { .kind = "swap",
					       .place = LAYER_MAKES_SWAP };
	static const struct layer_ops *const all[] = { &gpt, &ext4, &swap };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (strcmp(all[i]->kind, kind) == 0)
			return all[i];
	return NULL;
}

bool target_writable(const struct target *t)
{
	(void)t;
	return !fake.read_only;
}

const struct device *target_device(const struct target *t)
{
	static char name[] = "fake";
	static struct device disk = { .name = name, .path = name };

	(void)t;
	disk.size = fake.disk_size;
	disk.rotational = fake.rotational;
	return &disk;
}

const char *target_path(const struct target *t)
{
	return t->path;
}

int guard_recheck(const struct target *t, const char *const *ours, struct err *err)
{
	assert_non_null(ours);
	return strcmp(t->path, "/dev/taken") == 0
		       ? err_set(err, -EBUSY, "%s: mounted at /mnt", t->path)
		       : 0;
}

int cache_drop(const struct stack *stack, struct err *err)
{
	(void)stack;
	fake.drops++;
	return fake.drop_fails ? err_set(err, -EPERM, "%s", fake.drop_fails) : 0;
}

bool gone_check(struct target *const *targets, size_t n, struct strbuf *why)
{
	(void)targets;
	(void)n;
	if (!fake.gone_after || fake.drops < fake.gone_after)
		return false;
	strbuf_puts(why, "the disk /dev/sda (WD, serial X) has vanished");
	return true;
}

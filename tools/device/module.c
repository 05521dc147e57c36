// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel modules through libkmod.
#include <libkmod.h>
#include <stdbool.h>
#include <string.h>
#include <syslog.h>

#include "common/macro.h"
#include "device/module.h"

// No disk is behind these, and they cost: a floppy drive that is not there is waited
// for, psmouse probes for seconds, pcspkr beeps.
static const char *const unwanted[] = { "floppy", "psmouse", "pcspkr" };

struct kmod_ctx *module_open(void)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);

	if (!ctx)
		return NULL;
	kmod_set_log_priority(ctx, LOG_CRIT); // failures are returned, not printed
	kmod_load_resources(ctx); // without it each lookup opens the index anew
	return ctx;
}

void module_close(struct kmod_ctx *ctx)
{
	if (!ctx)
		return;
	kmod_unload_resources(ctx);
	kmod_unref(ctx);
}

static bool is_unwanted(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(unwanted); i++)
		if (strcmp(name, unwanted[i]) == 0)
			return true;
	return false;
}

static int load_one(struct kmod_module *module, struct module_count *count,
		    struct err *err)
{
	const char *name = kmod_module_get_name(module);
	int state = kmod_module_get_initstate(module), r;

	if (is_unwanted(name) || state == KMOD_MODULE_LIVE ||
	    state == KMOD_MODULE_BUILTIN)
		return 0;
	r = kmod_module_probe_insert_module(module, KMOD_PROBE_APPLY_BLACKLIST, NULL,
					    NULL, NULL, NULL);
	if (r > 0 || r == -EEXIST) // blacklisted; or another thread was faster
		return 0;
	if (count) {
		count->loaded += r == 0;
		// ENODEV: the alias was wider than the driver, e.g. a CPU feature
		count->failed += r < 0 && r != -ENODEV;
	}
	if (r < 0)
		err_set(err, r, "kernel module %s could not be loaded: %s", name,
			strerror(-r));
	return r;
}

int module_load(struct kmod_ctx *ctx, const char *alias, struct module_count *count,
		struct err *err)
{
	struct kmod_list *list = NULL, *item;
	int r = kmod_module_new_from_lookup(ctx, alias, &list), last = 0;

	if (r < 0)
		return err_set(err, r, "kernel module %s could not be looked up: %s",
			       alias, strerror(-r));
	if (!list)
		return err_set(
			err, -ENOENT,
			"there is no kernel module %s in this image for this kernel",
			alias);
	kmod_list_foreach(item, list)
	{
		struct kmod_module *module = kmod_module_get_module(item);

		r = load_one(module, count, err);
		if (r < 0)
			last = r;
		kmod_module_unref(module);
	}
	kmod_module_unref_list(list);
	return last;
}

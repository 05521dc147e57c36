// SPDX-License-Identifier: GPL-3.0-or-later
// The [arm NAME] sections, and what arms mean together.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/build.h"

static void set_stack(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan_arm *arm = to;

	plan_parse_stack(arm, e->value, e->cmdline ? RAW_CMDLINE : b->raw->file, e->line,
			 b->faults);
	for (size_t i = 0; i < arm->n; i++)
		for (size_t k = 0; k < arm->layers[i].n; k++)
			build_scale(b, e, &arm->layers[i].params[k].value);
}

// Written again from its layers: a secret that was refused there is not repeated.
static char *stack_text(const void *to)
{
	const struct plan_arm *arm = to;

	return plan_stack_text(arm->layers, arm->n);
}

static int yes_or_no(const struct build *b, const struct raw_entry *e)
{
	int yes = number_bool(e->value);

	if (yes < 0)
		build_fault(b, e, "\"%s\" is not yes or no", e->value);
	return yes;
}

static void set_open(const struct build *b, void *to, const struct raw_entry *e)
{
	((struct plan_arm *)to)->open = yes_or_no(b, e) == 1;
}

static void set_scratch(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan_arm *arm = to;

	arm->scratch = yes_or_no(b, e) == 1;
	if (arm->scratch && !arm->open)
		build_fault(b, e,
			    "goes only with open = yes: an arm that is formatted is "
			    "always written to");
}

bool build_below_stick(const char *path)
{
	_cleanup_free_ char *whole = mem_printf("/%s/", path);

	return path[0] != '/' && !strstr(whole, "/../");
}

static void set_key_file(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan_arm *arm = to;

	if (!arm->open)
		build_fault(b, e,
			    "goes only with open = yes: an arm that is formatted gets a "
			    "random key");
	if (!build_below_stick(e->value))
		build_fault(b, e, BUILD_BELOW_STICK, e->value);
	free(arm->key_file);
	arm->key_file = mem_strdup(e->value);
}

// In this order: scratch and key-file look at open.
static const struct plan_key arm_keys[] = {
	{ .key = "stack", .set = set_stack, .text = stack_text },
	{ .key = "open", .fallback = "no", .set = set_open },
	{ .key = "scratch", .fallback = "no", .set = set_scratch },
	{ .key = "key-file", .set = set_key_file },
	{ .key = NULL },
};

static void build_arm(const struct build *b, const struct raw_section *s)
{
	_cleanup_free_ char *title = mem_printf("arm %s", s->name);
	struct plan *p = b->plan;
	struct plan_arm *arm;

	p->arms = mem_grow(p->arms, p->n_arms + 1, sizeof(*p->arms));
	arm = &p->arms[p->n_arms++];
	*arm = (struct plan_arm){ .name = mem_strdup(s->name), .line = s->line };
	build_keys(b, s, title, arm_keys, arm);
	if (!raw_find_entry(s, "stack"))
		fault_add(b->faults, b->raw->file, s->line,
			  "[%s] has no stack; say one, e.g. stack = disk/gpt/ext4",
			  title);
}

// All arms use the same disks: one that is formatted destroys what another one opens.
static void check_mixed(const struct build *b)
{
	const struct plan *p = b->plan;
	const struct plan_arm *formats = NULL;

	for (size_t i = 0; i < p->n_arms && !formats; i++)
		if (!p->arms[i].open)
			formats = &p->arms[i];
	for (size_t i = 0; formats && i < p->n_arms; i++)
		if (p->arms[i].open)
			fault_add(
				b->faults, b->raw->file, p->arms[i].line,
				"[arm %s] opens what is on the disk, and [arm %s] would "
				"overwrite it; say open = yes in both or make two plans",
				p->arms[i].name, formats->name);
}

void build_arms(const struct build *b)
{
	bool any = false;

	for (size_t i = 0; i < b->raw->n; i++) {
		const struct raw_section *s = &b->raw->sections[i];

		if (strcmp(s->kind, "arm") != 0)
			continue;
		any = true;
		if (!s->ignored)
			build_arm(b, s);
	}
	if (!any)
		fault_add(b->faults, b->raw->file, 0,
			  "there is no arm; add a section [arm plain] with a line such "
			  "as stack = disk/gpt/ext4");
	check_mixed(b);
}

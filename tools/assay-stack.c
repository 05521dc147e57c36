// SPDX-License-Identifier: GPL-3.0-or-later
// assay stack: builds, shows and tears down a stack by hand, through the same guard.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/mem.h"
#include "device/medium.h"
#include "device/stick.h"
#include "stack/stack.h"

// What the words on the command line come to.
struct request {
	struct plan_arm arm;
	struct match match;
	struct device_list list;
	struct target *target;
	struct stick stick;
	struct medium boot;
};

static int lock_others(struct request *q, struct err *err)
{
	const char *const except[] = { q->stick.disk, NULL };
	_cleanup_strbuf_ struct strbuf why = { 0 };

	if (guard_lock_others(&q->list, &q->target, 1, except, &why) == 0)
		return 0;
	return err_set(err, -EIO, "not every other disk could be set read-only: %s",
		       strbuf_str(&why));
}

static int permit(struct request *q, const char *disk, const char *erase, bool busy,
		  struct err *err)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct guard_rules rules = { 0 };
	struct err no_stick = { 0 };
	int r = match_parse(&q->match, disk, err);

	if (r == 0)
		r = device_scan(&how, &q->list, err);
	if (r < 0)
		return r;
	// By hand as in a run: neither the stick nor what booted us is a target, and
	// every other disk is locked.
	medium_here(&q->boot, &q->list);
	rules.boot_media = q->boot.disks;
	if (stick_find(&q->list, NULL, &q->stick, &no_stick) == 0)
		rules.results_medium = q->stick.disk;
	else if (no_stick.code == -ENOTUNIQ)
		return err_set(err, -ENOTUNIQ, "%s: unplug one", no_stick.text);
	if (busy)
		return guard_permit_again(&rules, &q->list, &q->match, erase, &q->target,
					  err);
	r = guard_permit(&rules, &q->list, &q->match, erase, &q->target, err);
	return r < 0 ? r : lock_others(q, err);
}

static int up(struct request *q, struct err *err)
{
	_cleanup_json_ struct json_object *o = NULL;
	struct stack stack = { .arm = &q->arm, .targets = &q->target, .n_targets = 1 };
	int r = stack_up(&stack, err);

	if (r == 0) {
		o = stack_json(&stack);
		puts(json_pretty(o));
		printf("device: %s\n", stack_device(&stack));
		if (stack_dir(&stack))
			printf("mounted: %s\n", stack_dir(&stack));
	}
	stack_done(&stack); // frees memory only: the stack stays until `down`
	return r;
}

static int down(struct request *q, struct err *err)
{
	return stack_clear(&q->target, 1, err);
}

static int show(struct request *q, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	(void)err;
	if (stack_leftovers(&q->target, 1, &text) == 0)
		strbuf_puts(&text, "nothing sits on this disk\n");
	fputs(strbuf_str(&text), stdout);
	return 0;
}

static const struct {
	const char *word;
	int args; // beside the word: DISK ERASE, and STACK for `up`
	int (*run)(struct request *q, struct err *err);
} verbs[] = { { "up", 3, up }, { "down", 2, down }, { "show", 2, show } };

static int stack_command(int argc, char **argv)
{
	struct fault_list faults = { 0 };
	struct request q = { 0 };
	struct err err = { 0 };
	size_t v = 0;
	int r;

	while (v < ARRAY_SIZE(verbs) && (argc < 2 || strcmp(argv[1], verbs[v].word) != 0))
		v++;
	if (v == ARRAY_SIZE(verbs) || argc != verbs[v].args + 2)
		return command_usage(&command_stack);
	if (verbs[v].args == 3) {
		struct plan plan = { .arms = &q.arm, .n_arms = 1 };

		q.arm.name = mem_strdup("hand");
		plan_parse_stack(&q.arm, argv[4], "stack", 0, &faults);
		stack_check(&plan, &faults);
	}
	if (faults.n) {
		fault_print(&faults, stderr);
		return COMMAND_USAGE;
	}
	r = permit(&q, argv[2], argv[3], verbs[v].run != up, &err);
	if (r == 0)
		r = verbs[v].run(&q, &err);
	if (r < 0)
		fprintf(stderr, "assay stack: %s\n", err.text);
	target_free(q.target);
	stick_done(&q.stick);
	medium_done(&q.boot);
	device_list_done(&q.list);
	match_done(&q.match);
	return r < 0 ? COMMAND_FAILED : COMMAND_OK;
}

const struct command command_stack = {
	.name = "stack",
	.args = "up DISK ERASE STACK | down DISK ERASE | show DISK ERASE",
	.help = "build, show, tear down a stack by hand",
	.run = stack_command,
};

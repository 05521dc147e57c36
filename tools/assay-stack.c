// SPDX-License-Identifier: GPL-3.0-or-later
// assay stack: builds, opens, tries, shows and tears down a stack by hand, through the
// same guard.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/mem.h"
#include "common/number.h"
#include "device/medium.h"
#include "device/stick.h"
#include "stack/stack.h"
#include "stack/try.h"

#define KEY_FILE_MAX ((size_t)8 << 20) // cryptsetup's own limit

// A key for every kind: lines of 64 characters, as many as loop-AES wants.
#define KEY_LINES 65
#define KEY_LINE  64

// What the words on the command line come to.
struct request {
	struct plan plan; // one arm, and the disks
	struct device_list list;
	struct target **targets;
	struct stick stick;
	struct medium boot;
	struct secret key;
	unsigned fail_step;
	bool look; // nothing is to be written
	bool busy; // what Assay left is no reason to refuse
};

static int lock_others(struct request *q, struct err *err)
{
	const char *const except[] = { q->stick.disk, NULL };
	_cleanup_strbuf_ struct strbuf why = { 0 };

	if (guard_lock_others(&q->list, q->targets, q->plan.n_targets, except, &why) == 0)
		return 0;
	return err_set(err, -EIO, "not every other disk could be set read-only: %s",
		       strbuf_str(&why));
}

static int permit_one(struct request *q, const struct guard_rules *rules, size_t i,
		      struct err *err)
{
	_cleanup_free_ char *consent = plan_consent(&q->plan, i);
	const struct match *which = &q->plan.targets[i];
	struct target **to = &q->targets[i];

	if (q->look)
		return guard_look(rules, &q->list, which, to, err);
	if (q->busy)
		return guard_permit_again(rules, &q->list, which, consent, to, err);
	return guard_permit(rules, &q->list, which, consent, to, err);
}

// All disks or none.
static int permit(struct request *q, struct err *err)
{
	const struct device_scan how = { .root = "", .probe = true };
	struct guard_rules rules = { 0 };
	struct err no_stick = { 0 };
	int r = device_scan(&how, &q->list, err);

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
	q->targets = mem_new(q->plan.n_targets, sizeof(struct target *));
	for (size_t i = 0; r == 0 && i < q->plan.n_targets; i++)
		r = permit_one(q, &rules, i, err);
	return r < 0 || q->busy ? r : lock_others(q, err);
}

static int give_key(struct secret *ret, void *arg, struct err *err)
{
	const struct request *q = arg;
	int r = secret_new(ret, q->key.len);

	if (r < 0)
		return err_set(err, r, "no memory for the key");
	memcpy(ret->data, q->key.data, q->key.len);
	return 0;
}

static int give_key_file(const char *name _unused_, struct secret *ret, void *arg,
			 struct err *err)
{
	return give_key(ret, arg, err);
}

static struct stack stack_of(struct request *q, struct key_source *keys)
{
	*keys = (struct key_source){ .file = give_key_file, .make = give_key, .arg = q };
	return (struct stack){ .arm = q->plan.arms,
			       .targets = q->targets,
			       .n_targets = q->plan.n_targets,
			       .keys = q->key.len ? keys : NULL,
			       .fail_step = q->fail_step };
}

static int up(struct request *q, struct err *err)
{
	_cleanup_json_ struct json_object *o = NULL;
	struct key_source keys;
	struct stack stack = stack_of(q, &keys);
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

static int open_it(struct request *q, struct err *err)
{
	if (q->key.len)
		q->plan.arms->key_file = mem_strdup("key");
	return up(q, err);
}

// 65 lines of random digits.
static int draw_key(struct secret *key, struct err *err)
{
	static const char digits[] = "0123456789abcdef";
	int r = secret_random(key, KEY_LINES * (KEY_LINE + 1));

	if (r < 0)
		return err_set(err, r, "no random key: %s", strerror(-r));
	for (size_t i = 0; i < key->len; i++)
		key->data[i] =
			i % (KEY_LINE + 1) == KEY_LINE ? '\n' : digits[key->data[i] & 15];
	return 0;
}

static int try(struct request *q, struct err *err)
{
	_cleanup_strbuf_ struct strbuf said = { 0 };
	struct key_source keys;
	struct stack stack;
	int r = q->key.len ? 0 : draw_key(&q->key, err);

	if (r < 0)
		return r;
	stack = stack_of(q, &keys);
	r = stack_try(&stack, &said, err);
	fputs(strbuf_str(&said), stdout);
	return r;
}

static int down(struct request *q, struct err *err)
{
	return stack_clear(q->targets, q->plan.n_targets, err);
}

static int show(struct request *q, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	(void)err;
	if (stack_leftovers(q->targets, q->plan.n_targets, &text) == 0)
		strbuf_puts(&text, "nothing sits on this disk\n");
	fputs(strbuf_str(&text), stdout);
	return 0;
}

static const struct {
	const char *word;
	bool erase, stack; // the words that it takes beside DISK
	bool busy;
	int (*run)(struct request *q, struct err *err);
} verbs[] = {
	{ "up", true, true, false, up },         { "try", true, true, false, try },
	{ "open", false, true, false, open_it }, { "down", true, false, true, down },
	{ "show", true, false, true, show },
};

// --key=FILE and --fail=N behind the other words. Returns how many words are left.
static int take_options(struct request *q, int argc, char **argv, struct err *err)
{
	for (; argc > 2 && strncmp(argv[argc - 1], "--", 2) == 0; argc--) {
		const char *word = argv[argc - 1];
		uint64_t step = 0;

		if (strncmp(word, "--key=", 6) == 0) {
			if (secret_read_file(&q->key, word + 6, KEY_FILE_MAX, err) < 0)
				return -1;
		} else if (strncmp(word, "--fail=", 7) == 0 &&
			   number_uint(word + 7, &step) == 0) {
			q->fail_step = (unsigned)step;
		} else {
			err_set(err, -EINVAL, "unknown option %s", word);
			return -1;
		}
	}
	return argc;
}

// The words as a plan, so that they are checked as one.
static void make_plan(struct request *q, const char *disk, const char *erase,
		      const char *stack, struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	strbuf_printf(&text, "[target]\ndisk = %s\n", disk);
	if (erase)
		strbuf_printf(&text, "erase = %s\n", erase);
	strbuf_printf(&text, "[arm hand]\nstack = %s\n%s[test null]\n",
		      stack ? stack : "disk", q->look ? "open = yes\n" : "");
	plan_parse(&q->plan, "stack", strbuf_str(&text), NULL, faults);
	if (stack && faults->n == 0)
		stack_check(&q->plan, faults);
}

static void request_done(struct request *q)
{
	for (size_t i = 0; q->targets && i < q->plan.n_targets; i++)
		target_free(q->targets[i]);
	free(q->targets);
	secret_done(&q->key);
	stick_done(&q->stick);
	medium_done(&q->boot);
	device_list_done(&q->list);
	plan_done(&q->plan);
}

static int stack_command(int argc, char **argv)
{
	struct fault_list faults = { 0 };
	struct request q = { 0 };
	struct err err = { 0 };
	size_t v = 0;
	int r = -EINVAL;

	while (v < ARRAY_SIZE(verbs) && (argc < 2 || strcmp(argv[1], verbs[v].word) != 0))
		v++;
	argc = take_options(&q, argc, argv, &err);
	if (argc >= 0 &&
	    (v == ARRAY_SIZE(verbs) || argc != 3 + verbs[v].erase + verbs[v].stack))
		return command_usage(&command_stack);
	if (argc >= 0) {
		q.busy = verbs[v].busy;
		q.look = !verbs[v].erase;
		make_plan(&q, argv[2], verbs[v].erase ? argv[3] : NULL,
			  verbs[v].stack ? argv[argc - 1] : NULL, &faults);
		r = faults.n ? -EINVAL : permit(&q, &err);
		if (r == 0)
			r = verbs[v].run(&q, &err);
	}
	if (faults.n)
		fault_print(&faults, stderr);
	else if (r < 0)
		fprintf(stderr, "assay stack: %s\n", err.text);
	request_done(&q);
	if (faults.n)
		return COMMAND_USAGE;
	return r < 0 ? COMMAND_FAILED : COMMAND_OK;
}

const struct command command_stack = {
	.name = "stack",
	.args = "up|try DISKS ERASE STACK | open DISKS STACK | down|show DISKS ERASE "
		"[--key=FILE] [--fail=STEP]",
	.help = "build, try, open, show, tear down a stack by hand",
	.run = stack_command,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// What engines do with a run: raw files, the outcome, tools, room, memory.
#include <string.h>
#include <sys/statvfs.h>

#include "common/mem.h"
#include "common/number.h"
#include "stack/wipe.h"
#include "suite/cgroup.h"
#include "suite/run.h"

// Filesystems slow down when they are nearly full; what is left over after a test's
// files.
#define SPACE_RESERVE (UINT64_C(16) << 20)

const char *run_tmp_dir = "/run/assay/tmp";
const char *run_cgroup_root = "/sys/fs/cgroup";

void run_raw(struct run *run, const char *name, const void *data, size_t len)
{
	struct run_file *f;

	run->files = mem_grow(run->files, run->n_files + 1, sizeof(*run->files));
	f = &run->files[run->n_files++];
	*f = (struct run_file){ .name = mem_strdup(name) };
	strbuf_add(&f->data, data, len);
}

void run_end(struct run *run, enum outcome outcome, const char *fmt, ...)
{
	va_list ap;

	free(run->why);
	run->why = NULL;
	run->outcome = outcome;
	if (!fmt)
		return;
	va_start(ap, fmt);
	run->why = mem_vprintf(fmt, ap);
	va_end(ap);
}

static struct json_object *detail_array(struct run *run, const char *key)
{
	struct json_object *array = json_get(run->detail, key);

	if (!array) {
		array = json_new_array();
		json_set(run->detail, key, array);
	}
	return array;
}

void run_note(struct run *run, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	json_append_str(detail_array(run, "notes"), text);
}

void run_add_detail(struct run *run, struct json_object *from)
{
	json_object_object_foreach (from, key, value) {
		json_set(run->detail, key, json_object_get(value));
	}
}

void run_warn(struct run *run, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	json_append_str(detail_array(run, "warnings"), text);
}

static void keep_stream(struct run *run, const char *name, const char *suffix,
			const struct strbuf *data)
{
	_cleanup_free_ char *full = mem_printf("%s.%s", name, suffix);

	if (data->len)
		run_raw(run, full, data->data, data->len);
}

int run_tool(struct run *run, const char *name, struct process *p)
{
	_cleanup_strbuf_ struct strbuf time = { 0 };
	struct json_object *words = json_new_array();
	struct err err = { 0 };
	int r;

	for (size_t i = 0; p->argv[i]; i++)
		json_append_str(words, p->argv[i]);
	json_append(detail_array(run, "commands"), words);
	p->timeout_ns = run->timeout_ns;
	p->cgroup = run->cgroup;
	if (!p->tick) { // an engine that reads the tool's progress has one of its own
		p->tick = run->tick;
		p->tick_arg = run->tick_arg;
	}
	r = process_run(p, &err);
	keep_stream(run, name, "out", &p->out);
	keep_stream(run, name, "err", &p->err_out);
	if (p->output_cut)
		run_note(run, "%s printed more than is kept; its output is cut", name);
	if (r == 0)
		return 0;
	if (r == -ENOENT && p->end == PROCESS_MISSING)
		run_end(run, OUTCOME_SKIPPED, "%s is not in this image", p->argv[0]);
	else if (r == -ETIMEDOUT)
		run_end(run, OUTCOME_ABORTED, "%s (stopped: this run may take %s)",
			err.text,
			(number_format_duration(&time, run->timeout_ns),
			 strbuf_str(&time)));
	else
		run_end(run, OUTCOME_FAILED, "%s", err.text);
	return r;
}

bool run_may_write(const struct run *run)
{
	return !run->arm->open || (run->arm->scratch && stack_dir(run->stack));
}

int run_may_overwrite(struct run *run, const char *device)
{
	static const char *const none[] = { NULL };
	const struct stack *s = run->stack;
	struct err err = { 0 };
	int r = wipe_allowed(s->targets, s->n_targets, device, &err);

	// With layers above it the disk was checked when they were made.
	for (size_t i = 0; r == 0 && s->n_up == 0 && i < s->n_targets; i++)
		r = guard_recheck(s->targets[i], none, &err);
	if (r == 0)
		return 0;
	run_end(run, OUTCOME_ABORTED, "not written to: %s", err.text);
	return -EBUSY;
}

void run_remove_dir(struct run *run, const char *dir)
{
	const char *argv[] = { "rm", "-rf", "--one-file-system", "--", dir, NULL };
	struct process p = { .argv = argv };
	struct err err = { 0 };

	if (rmdir(dir) < 0 && errno != ENOENT && process_run(&p, &err) < 0)
		run_note(run, "its files are still in %s: %s", dir, err.text);
	process_done(&p);
}

int run_need_space(struct run *run, const char *dir, uint64_t need)
{
	_cleanup_strbuf_ struct strbuf want = { 0 }, have = { 0 };
	struct statvfs s;
	uint64_t room;

	if (statvfs(dir, &s) < 0) {
		run_end(run, OUTCOME_FAILED, "cannot see how much room %s has: %s", dir,
			strerror(errno));
		return -EIO;
	}
	room = (uint64_t)s.f_bavail * s.f_frsize;
	json_set_uint(run->detail, "space_needed", need);
	json_set_uint(run->detail, "space_free", room);
	if (room >= need && room - need >= SPACE_RESERVE)
		return 0;
	number_format_bytes(&want, need);
	number_format_bytes(&have, room);
	run_end(run, OUTCOME_FAILED,
		"too little room: the test needs %s and a reserve, %s has %s free; give "
		"it "
		"a smaller `size` or the arm a larger volume",
		strbuf_str(&want), dir, strbuf_str(&have));
	return -ENOSPC;
}

void run_cap(struct run *run, uint64_t fallback)
{
	uint64_t cap = fallback;
	struct err err = { 0 };

	if (plan_param(run->test->params, run->test->n, "cap"))
		cap = param_size(run->test->params, run->test->n, run->ops->params,
				 "cap");
	if (!cap)
		return;
	if (!run->cgroup) {
		run_note(run,
			 "no memory cap: this kernel has no cgroup v2 with memory, so "
			 "reads may come from the page cache");
		return;
	}
	if (cgroup_cap(run->cgroup, cap, &err) < 0)
		run_note(run, "no memory cap: %s", err.text);
	else
		json_set_uint(run->detail, "cap", cap);
}

void run_done(struct run *run)
{
	for (size_t i = 0; i < run->n_files; i++) {
		free(run->files[i].name);
		strbuf_done(&run->files[i].data);
	}
	free(run->files);
	free(run->why);
	metric_list_done(&run->metrics);
	json_object_put(run->detail);
	json_object_put(run->gates);
	json_object_put(run->flags);
	run->gates = run->flags = NULL;
	run->files = NULL;
	run->n_files = 0;
	run->why = NULL;
	run->detail = NULL;
}

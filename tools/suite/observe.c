// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is looked at around one run.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/link.h"
#include "stack/node.h"
#include "stack/tree.h"
#include "suite/cgroup.h"
#include "suite/gate.h"
#include "suite/health.h"
#include "suite/observe.h"

static void add_name(char ***list, size_t *n, char *name)
{
	if (!name)
		return;
	*list = mem_grow(*list, *n + 2, sizeof(**list));
	(*list)[(*n)++] = name;
	(*list)[*n] = NULL;
}

// The targets and all that sits on them.
static void own_devices(struct observation *o, const struct stack *stack)
{
	size_t n = 0;

	o->own = mem_new(1, sizeof(*o->own));
	for (size_t i = 0; i < stack->n_targets; i++) {
		char *name = node_kernel_name(target_path(stack->targets[i]));
		_cleanup_tree_ struct tree above = { 0 };

		if (!name)
			continue;
		add_name(&o->own, &n, name);
		tree_above(cpu_root, name, &above);
		for (size_t k = 0; k < above.n; k++)
			add_name(&o->own, &n, mem_strdup(above.names[k]));
	}
	if (stack_device(stack))
		o->top = node_kernel_name(stack_device(stack));
}

void observe_begin(struct runner *r, struct run *run, struct observation *o)
{
	*o = (struct observation){ 0 };
	own_devices(o, run->stack);
	watch_take(&o->before, cpu_root);
	o->before.smart = health_json(r->suite->targets, r->suite->n_targets);
	run->cpu = &o->cpu;
	cpu_begin(&o->cpu, run->cgroup);
}

static double cgroup_seconds(const char *cgroup)
{
	_cleanup_json_ struct json_object *usage = json_new();

	if (!cgroup)
		return -1;
	cgroup_usage(cgroup, usage);
	return json_get_double(usage, "cpu_s", -1);
}

// What the links of all targets carry together; 0 when one of them does not tell.
static double link_rate(const struct runner *r, struct strbuf *words)
{
	double sum = 0;

	for (size_t i = 0; i < r->suite->n_targets; i++) {
		_cleanup_free_ char *name =
			node_kernel_name(target_path(r->suite->targets[i]));
		_cleanup_strbuf_ struct strbuf one = { 0 };
		double rate = name ? device_link_rate(cpu_root, name, &one) : 0;

		if (rate <= 0)
			return 0;
		strbuf_printf(words, "%s%s", words->len ? " + " : "", strbuf_str(&one));
		sum += rate;
	}
	return sum;
}

static void judge(struct runner *r, struct run *run, const struct observation *o,
		  const struct watch *after, const struct json_object *account)
{
	_cleanup_strbuf_ struct strbuf words = { 0 };
	struct gate_facts facts = {
		.link_rate = link_rate(r, &words),
		.emulated = r->emulated,
		.account = account,
		.cpu_known = run->cgroup,
	};

	facts.link_text = strbuf_str(&words);
	if (o->top) {
		facts.moved = diskstats_since(&o->before.disks, &after->disks, o->top);
		facts.moved_known = true;
	}
	if (facts.link_rate > 0) {
		json_set_str(run->detail, "link", facts.link_text);
		json_set_double(run->detail, "link_rate", facts.link_rate);
	}
	gate_ciphers(run, r->layers, cpu_root);
	gate_numbers(run, &facts);
	if (run->outcome == OUTCOME_PASSED && account)
		cpu_metrics(account, facts.moved.read_bytes + facts.moved.write_bytes,
			    &run->metrics);
}

void observe_end(struct runner *r, struct run *run, struct observation *o,
		 const char *not_dropped)
{
	struct json_object *account =
		cpu_end(&o->cpu, cgroup_seconds(run->cgroup), &r->baseline);
	struct watch after;

	run->cpu = NULL;
	watch_take(&after, cpu_root);
	after.smart = health_json(r->suite->targets, r->suite->n_targets);
	if (account)
		json_set(run->detail, "cpu", account);
	watch_compare(run, &o->before, &after, (const char *const *)o->own, cpu_root);
	judge(r, run, o, &after, account);
	if (not_dropped)
		gate_trip(run, "cache", "%s", not_dropped);
	if (o->cpu.lazy_init)
		gate_trip(run, "lazy-init",
			  "ext4 was still initialising its tables in the background");
	watch_done(&after);
	watch_done(&o->before);
	cpu_done(&o->cpu);
	for (char **n = o->own; *n; n++)
		free(*n);
	free(o->own);
	free(o->top);
}

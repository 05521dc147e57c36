// SPDX-License-Identifier: GPL-3.0-or-later
// The [target] section: which disks, and the consent that names each of them again.
#include <string.h>

#include "common/mem.h"
#include "plan/build.h"

#define DISKS_MAX 16

// The next item of a comma list, trimmed; NULL at the end. The caller frees.
static char *next_item(const char **list)
{
	const char *start = *list;
	size_t len;

	if (!start)
		return NULL;
	len = strcspn(start, ",");
	*list = start[len] ? start + len + 1 : NULL;
	while (len > 0 && strchr(" \t", *start)) {
		start++;
		len--;
	}
	while (len > 0 && strchr(" \t", start[len - 1]))
		len--;
	return mem_strndup(start, len);
}

static bool same_match(const struct match *a, const struct match *b)
{
	return a->key == b->key && strcmp(a->value, b->value) == 0;
}

// Parses one item; a fault and false when it names no disk.
static bool parse_disk(const struct build *b, const struct raw_entry *e, const char *item,
		       struct match *m)
{
	struct err err = { 0 };

	*m = (struct match){ 0 };
	if (!*item) {
		build_fault(b, e, "there is an empty item; separate disks by one comma");
		return false;
	}
	if (match_parse(m, item, &err) < 0) {
		build_fault(b, e, "%s", err.text);
		match_done(m);
		return false;
	}
	return true;
}

static void set_disk(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;
	const char *list = e->value;
	char *item;

	while ((item = next_item(&list))) {
		struct match m;

		if (p->n_targets == DISKS_MAX) {
			build_fault(b, e, "a plan has at most %d disks", DISKS_MAX);
			free(item);
			return;
		}
		if (parse_disk(b, e, item, &m)) {
			for (size_t i = 0; i < p->n_targets; i++)
				if (same_match(&p->targets[i], &m))
					build_fault(b, e, "%s is named twice", item);
			p->targets = mem_grow(p->targets, p->n_targets + 1,
					      sizeof(*p->targets));
			p->targets[p->n_targets++] = m;
		}
		free(item);
	}
}

// Consent that plainly names another disk can only be a mistake. Where disk and erase
// use different kinds of identity the guard compares them on the machine.
static void compare(const struct build *b, const struct raw_entry *e, size_t i,
		    const struct match *m)
{
	const struct plan *p = b->plan;

	if (i >= p->n_targets || m->key != p->targets[i].key || m->key != MATCH_SERIAL ||
	    same_match(m, &p->targets[i]))
		return;
	build_fault(b, e, "names %s where disk names %s; it must name the same disk%s",
		    m->value, p->targets[i].value,
		    p->n_targets > 1 ? "s in the same order" : "");
}

static void set_erase(const struct build *b, void *to, const struct raw_entry *e)
{
	_cleanup_strbuf_ struct strbuf all = { 0 };
	struct plan *p = to;
	const char *list = e->value;
	size_t n = 0;
	char *item;

	while ((item = next_item(&list))) {
		struct match m;

		if (parse_disk(b, e, item, &m)) {
			compare(b, e, n, &m);
			match_done(&m);
		}
		strbuf_printf(&all, "%s%s", n++ ? "," : "", item);
		free(item);
	}
	if (p->n_targets > 0 && n != p->n_targets)
		build_fault(b, e,
			    "names %zu disk%s where disk names %zu; name each disk once, "
			    "in the same order",
			    n, n == 1 ? "" : "s", p->n_targets);
	free(p->erase);
	p->erase = strbuf_take(&all);
}

// In this order: the consent is compared with the disks.
static const struct plan_key target_keys[] = {
	{ .key = "disk", .set = set_disk },
	{ .key = "erase", .set = set_erase },
	{ .key = NULL },
};

void build_target(const struct build *b)
{
	const struct raw_section *s = raw_find(b->raw, "target", NULL);

	build_keys(b, s, "target", target_keys, b->plan);
	if (!s || !raw_find_entry(s, "disk"))
		fault_add(b->faults, b->raw->file, s ? s->line : 0,
			  "[target] names no disk; say which, e.g. disk = "
			  "serial:WD-WXA1A23 (assay devices lists them)");
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What two arms were made of: the edit distance of their stacks (Levenshtein 1966), and
// the facts beside it.
#include <string.h>

#include "report/arms.h"
#include "report/text-private.h"

#define LAYERS_MAX 24

// What can be another in two arms although their stacks are the same. A file system's or
// a cipher's name is not among them: it is part of its layer.
static const char *const facts[] = { "bus", "disk", "selinux" };

enum edit { KEEP, REPLACE, REMOVE, ADD };

struct stacks {
	const struct json_object *a, *b;
	size_t na, nb;
	unsigned cost[LAYERS_MAX + 1][LAYERS_MAX + 1];
};

const struct json_object *arm_find(const struct json_object *result, const char *name)
{
	const struct json_object *arms = json_get(json_get(result, "plan"), "arms");

	for (size_t i = 0; i < text_length(arms); i++)
		if (strcmp(text_str(text_item(arms, i), "name"), name) == 0)
			return text_item(arms, i);
	return NULL;
}

// A layer is a text in imported arms, an object with its parameters in our own.
static const char *layer_text(const struct json_object *layers, size_t i)
{
	struct json_object *o = text_item(layers, i);

	return o ? json_object_get_string(o) : "";
}

static const char *layer_name(const struct json_object *layers, size_t i)
{
	const struct json_object *o = text_item(layers, i);

	return json_object_is_type(o, json_type_object) ? text_str(o, "kind")
							: layer_text(layers, i);
}

static size_t layer_count(const struct json_object *layers)
{
	size_t n = text_length(layers);

	return n < LAYERS_MAX ? n : LAYERS_MAX;
}

static bool same_layer(const struct stacks *s, size_t i, size_t k)
{
	return strcmp(layer_text(s->a, i), layer_text(s->b, k)) == 0;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static void fill_costs(struct stacks *s)
{
	for (size_t i = 0; i <= s->na; i++)
		s->cost[i][0] = (unsigned)i;
	for (size_t k = 0; k <= s->nb; k++)
		s->cost[0][k] = (unsigned)k;
	for (size_t i = 1; i <= s->na; i++)
		for (size_t k = 1; k <= s->nb; k++)
			s->cost[i][k] = least(
				s->cost[i - 1][k - 1] + !same_layer(s, i - 1, k - 1),
				s->cost[i - 1][k] + 1, s->cost[i][k - 1] + 1);
}

// The edit that leads to [i][k] with the least cost. Of two ways of equal cost the one
// that moves a layer is easier to understand than the one that renames two.
static enum edit edit_at(const struct stacks *s, size_t i, size_t k)
{
	unsigned here = s->cost[i][k];

	if (i && k && same_layer(s, i - 1, k - 1) && s->cost[i - 1][k - 1] == here)
		return KEEP;
	if (i && s->cost[i - 1][k] + 1 == here)
		return REMOVE;
	return k && s->cost[i][k - 1] + 1 == here ? ADD : REPLACE;
}

static void add_word(struct strbuf *words, const char *from, const char *to,
		     const char *what)
{
	if (!words)
		return;
	strbuf_printf(words, "%s%s%s%s%s", words->len ? ", " : "", from,
		      *from && *to ? " -> " : "", to, what);
}

// From the disk upward, so the recursion comes first; at most LAYERS_MAX * 2 deep.
// NOLINTNEXTLINE(misc-no-recursion)
static void tell_edits(const struct stacks *s, size_t i, size_t k,
		       struct arm_change *change, struct strbuf *words)
{
	enum edit edit;

	if (i == 0 && k == 0)
		return;
	edit = edit_at(s, i, k);
	tell_edits(s, i - (edit != ADD), k - (edit != REMOVE), change, words);
	change->only_added &= edit == KEEP || edit == ADD;
	if (edit == REPLACE)
		add_word(words, layer_name(s->a, i - 1), layer_name(s->b, k - 1), "");
	else if (edit == REMOVE)
		add_word(words, layer_name(s->a, i - 1), "", " removed");
	else if (edit == ADD)
		add_word(words, "", layer_name(s->b, k - 1), " added");
}

struct arm_change arm_compare(const struct json_object *a, const struct json_object *b,
			      struct strbuf *words)
{
	struct stacks s = { .a = json_get(a, "layers"), .b = json_get(b, "layers") };
	struct arm_change change = { .only_added = true };

	s.na = layer_count(s.a);
	s.nb = layer_count(s.b);
	if (s.na && s.nb) {
		fill_costs(&s);
		change.layers = s.cost[s.na][s.nb];
		tell_edits(&s, s.na, s.nb, &change, words);
	}
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		const char *va = text_str(json_get(a, "facts"), facts[i]);
		const char *vb = text_str(json_get(b, "facts"), facts[i]);

		if (!*va || !*vb || strcmp(va, vb) == 0)
			continue;
		change.facts++;
		if (words)
			strbuf_printf(words, "%s%s ", words->len ? ", " : "", facts[i]);
		if (words)
			strbuf_printf(words, "%s -> %s", va, vb);
	}
	change.only_added &= change.layers > 0 && change.facts == 0;
	return change;
}

void arm_layers_like(const struct json_object *arm, const char *const *words,
		     struct strbuf *to)
{
	const struct json_object *layers = json_get(arm, "layers");

	for (size_t i = 0; i < text_length(layers); i++)
		for (size_t w = 0; words[w]; w++) {
			const char *name = layer_name(layers, i);

			if (strcasestr(name, words[w]) && !strstr(strbuf_str(to), name)) {
				add_word(to, "", name, "");
				break;
			}
		}
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A stack as text, "disk/gpt/luks2,key-size=512/ext4", and back. Which kinds there are
// and what they take is the stack's to know.
#include <string.h>

#include "common/mem.h"
#include "plan/build.h"

#define LAYERS_MAX 16
#define PARAMS_MAX 32
#define EXAMPLE    "write e.g. disk/gpt/luks2,key-size=512/ext4"

struct stack_text {
	const char *file;
	int line;
	struct fault_list *faults;
	size_t layer; // the one being read, from 1
};

static char *trimmed(const char *start, size_t len)
{
	while (len > 0 && strchr(" \t", *start)) {
		start++;
		len--;
	}
	while (len > 0 && strchr(" \t", start[len - 1]))
		len--;
	return mem_strndup(start, len);
}

static void parse_param(const struct stack_text *t, struct plan_layer *layer,
			const char *word)
{
	const char *equals = strchr(word, '=');
	_cleanup_free_ char *key =
		trimmed(word, equals ? (size_t)(equals - word) : strlen(word));
	_cleanup_free_ char *value =
		equals ? trimmed(equals + 1, strlen(equals + 1)) : NULL;

	if (!*word)
		fault_add(t->faults, t->file, t->line,
			  "stack: layer %zu (%s) has an empty parameter; write one comma "
			  "before each KEY=VALUE",
			  t->layer, layer->kind);
	else if (raw_key_secret(key, false))
		fault_add(t->faults, t->file, t->line,
			  "stack: layer %zu (%s): a secret does not belong into a plan, "
			  "which is copied into every report",
			  t->layer, layer->kind);
	else if (!raw_name_valid(key))
		fault_add(t->faults, t->file, t->line,
			  "stack: layer %zu (%s): \"%s\" is no KEY=VALUE; a key has "
			  "letters, digits, - and _",
			  t->layer, layer->kind, key);
	else if (value && !*value)
		fault_add(t->faults, t->file, t->line,
			  "stack: layer %zu (%s): %s has no value; write %s=VALUE",
			  t->layer, layer->kind, key, key);
	else if (layer->n == PARAMS_MAX)
		fault_add(t->faults, t->file, t->line,
			  "stack: layer %zu (%s) has more than %d parameters", t->layer,
			  layer->kind, PARAMS_MAX);
	else {
		layer->params =
			mem_grow(layer->params, layer->n + 1, sizeof(*layer->params));
		layer->params[layer->n++] = (struct plan_param){ .key = TAKE_PTR(key),
								 .value = TAKE_PTR(value),
								 .line = t->line };
	}
}

static void parse_layer(const struct stack_text *t, struct plan_arm *arm,
			const char *text, size_t len)
{
	size_t word = 0;
	struct plan_layer layer = { 0 };

	while (word < len && text[word] != ',')
		word++;
	layer.kind = trimmed(text, word);
	if (!raw_name_valid(layer.kind)) {
		if (!*layer.kind)
			fault_add(t->faults, t->file, t->line,
				  "stack: layer %zu is empty; " EXAMPLE, t->layer);
		else
			fault_add(
				t->faults, t->file, t->line,
				"stack: layer %zu: \"%s\" is no kind of layer; " EXAMPLE,
				t->layer, layer.kind);
		free(layer.kind);
		return;
	}
	if (t->layer == 1 && strcmp(layer.kind, "disk") != 0)
		fault_add(t->faults, t->file, t->line,
			  "stack: starts with %s; a stack starts with disk, the disk "
			  "itself: disk/%s...",
			  layer.kind, layer.kind);
	while (word < len) {
		size_t start = word + 1, end = start;
		_cleanup_free_ char *param = NULL;

		while (end < len && text[end] != ',')
			end++;
		param = trimmed(text + start, end - start);
		parse_param(t, &layer, param);
		word = end;
	}
	arm->layers = mem_grow(arm->layers, arm->n + 1, sizeof(*arm->layers));
	arm->layers[arm->n++] = layer;
}

void plan_parse_stack(struct plan_arm *arm, const char *text, const char *file, int line,
		      struct fault_list *faults)
{
	struct stack_text t = { .file = file, .line = line, .faults = faults };

	for (;;) {
		size_t len = strcspn(text, "/");

		if (++t.layer > LAYERS_MAX) {
			fault_add(faults, file, line, "stack: has more than %d layers",
				  LAYERS_MAX);
			return;
		}
		parse_layer(&t, arm, text, len);
		if (!text[len])
			return;
		text += len + 1;
	}
}

char *plan_stack_text(const struct plan_layer *layers, size_t n)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&text, "%s%s", i ? "/" : "", layers[i].kind);
		for (size_t j = 0; j < layers[i].n; j++) {
			const struct plan_param *p = &layers[i].params[j];

			strbuf_printf(&text, ",%s%s%s", p->key, p->value ? "=" : "",
				      p->value ? p->value : "");
		}
	}
	return strbuf_take(&text);
}

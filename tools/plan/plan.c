// SPDX-License-Identifier: GPL-3.0-or-later
// The plan itself: load, look up, free.
#include <errno.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "plan/build.h"
#include "plan/plan.h"

const char *const plan_ending_words[] = { "poweroff", "reboot", "boot",
					  "menu",     "shell",  NULL };
const char *const plan_again_words[] = { "report", "resume", "start", NULL };
const char *const plan_results_words[] = { "stick+serial", "stick", "serial", NULL };

const char *plan_ending_name(enum plan_ending e)
{
	return e <= ENDING_SHELL ? plan_ending_words[e] : "poweroff";
}

enum plan_ending plan_ending_safe(const struct plan *p, bool recorded)
{
	bool restarts = p->then == ENDING_REBOOT || p->then == ENDING_BOOT;

	return restarts && (!recorded || p->again == AGAIN_START) ? ENDING_POWEROFF
								  : p->then;
}

const char *plan_param(const struct plan_param *params, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(params[i].key, key) == 0)
			return params[i].value ? params[i].value : "";
	return NULL;
}

char *plan_consent(const struct plan *p, size_t i)
{
	const char *s = p->erase;

	for (; s && i > 0; i--) {
		s = strchr(s, ',');
		s = s ? s + 1 : NULL;
	}
	return s ? mem_strndup(s, strcspn(s, ",")) : NULL;
}

// Text with NUL bytes would end early and look shorter than it is.
static const char *binary_fault(const struct strbuf *text)
{
	const char *nul = text->len ? memchr(text->data, '\0', text->len) : NULL;

	if (!nul)
		return NULL;
	if (nul - text->data < 2 || memcmp(text->data, "\xff\xfe", 2) == 0 ||
	    memcmp(text->data, "\xfe\xff", 2) == 0)
		return "the plan is UTF-16; save it as UTF-8";
	return "the plan holds binary data; it must be a text file (UTF-8)";
}

void plan_parse_content(struct plan *p, const char *file, const struct strbuf *content,
			const struct cmdline *overrides, struct fault_list *faults)
{
	const char *binary = binary_fault(content);

	if (!binary) {
		plan_parse(p, file, strbuf_str(content), overrides, faults);
		return;
	}
	*p = (struct plan){ .file = mem_strdup(file) };
	fault_add(faults, file, 0, "%s", binary);
}

void plan_load(struct plan *p, const char *path, const struct cmdline *overrides,
	       struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int r = io_read_file(path, &text, RAW_FILE_MAX);

	if (r == 0) {
		plan_parse_content(p, path, &text, overrides, faults);
		return;
	}
	*p = (struct plan){ .file = mem_strdup(path) };
	if (r == -EFBIG)
		fault_add(faults, path, 0,
			  "the file has more than %d KiB; that is no plan",
			  RAW_FILE_MAX / 1024);
	else
		fault_add(faults, path, 0, "the plan cannot be read: %s", strerror(-r));
}

static void params_done(struct plan_param *params, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(params[i].key);
		free(params[i].value);
	}
	free(params);
}

static void arm_done(struct plan_arm *arm)
{
	for (size_t i = 0; i < arm->n; i++) {
		free(arm->layers[i].kind);
		params_done(arm->layers[i].params, arm->layers[i].n);
	}
	free(arm->layers);
	free(arm->name);
	free(arm->key_file);
}

void plan_done(struct plan *p)
{
	for (size_t i = 0; i < p->n_targets; i++)
		match_done(&p->targets[i]);
	for (size_t i = 0; i < p->n_arms; i++)
		arm_done(&p->arms[i]);
	for (size_t i = 0; i < p->n_tests; i++) {
		free(p->tests[i].name);
		free(p->tests[i].engine);
		params_done(p->tests[i].params, p->tests[i].n);
	}
	for (size_t i = 0; i < p->n_accepts; i++)
		free(p->accepts[i].text);
	for (size_t i = 0; i < p->n_origins; i++) {
		free(p->origins[i].section);
		free(p->origins[i].key);
		free(p->origins[i].value);
		free(p->origins[i].from);
	}
	free(p->targets);
	free(p->arms);
	free(p->tests);
	free(p->accepts);
	free(p->origins);
	free(p->name);
	free(p->file);
	free(p->erase);
	free(p->baseline);
	*p = (struct plan){ 0 };
}

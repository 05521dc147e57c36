// SPDX-License-Identifier: GPL-3.0-or-later
// What parameters a layer or a test takes: one table row each drives check, default and
// help, so that they cannot drift apart.
#pragma once

#include "plan/plan.h"

enum param_type {
	PARAM_WORD,     // one of `choices`, or any word when that is NULL
	PARAM_UINT,     // between min and max (0 max: no limit)
	PARAM_SIZE,     // bytes, as number_size(); between min and max
	PARAM_DURATION, // as number_duration()
	PARAM_BOOL,
	PARAM_TEXT, // anything
};

struct param_spec {
	const char *key; // NULL ends a table
	enum param_type type;
	const char *fallback; // default as text; NULL: none
	const char *help;
	const char *const *choices; // NULL-terminated
	uint64_t min, max;
};

// Checks every parameter against the table; each unknown key (with the nearest known
// one), bad value or repetition is a fault. With `volumes` other keys are volume names
// whose value is a size or `rest`, `rest` at most once. `who` is "layer luks2".
void param_check(const struct plan_param *params, size_t n, const struct param_spec *spec,
		 bool volumes, const char *who, const char *file,
		 struct fault_list *faults);

// The table for a person: a line for each key with its default, its choices and what it
// does.
void param_describe(const struct param_spec *spec, struct strbuf *to);

// The effective value, the default included; NULL when there is neither.
const char *param_text(const struct plan_param *params, size_t n,
		       const struct param_spec *spec, const char *key);
uint64_t param_uint(const struct plan_param *params, size_t n,
		    const struct param_spec *spec, const char *key);
uint64_t param_size(const struct plan_param *params, size_t n,
		    const struct param_spec *spec, const char *key);
uint64_t param_duration(const struct plan_param *params, size_t n,
			const struct param_spec *spec, const char *key);
bool param_bool(const struct plan_param *params, size_t n, const struct param_spec *spec,
		const char *key);

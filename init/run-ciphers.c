// SPDX-License-Identifier: GPL-3.0-or-later
// Before anything is written: has this kernel every cipher that the plan names?
#include <string.h>

#include "run-session.h"
#include "stack/cipher-kernel.h"
#include "stack/crypto-driver.h"

static bool takes_cipher(const struct param_spec *spec)
{
	for (; spec && spec->key; spec++)
		if (strcmp(spec->key, "cipher") == 0)
			return true;
	return false;
}

static void check_layer(struct session *s, const struct plan_arm *arm,
			const struct plan_layer *layer)
{
	const struct layer_ops *ops = layer_find(layer->kind);
	struct err err = { 0 };
	const char *spec;
	_cleanup_strbuf_ struct strbuf name = { 0 };

	if (!ops || !takes_cipher(ops->params))
		return;
	spec = param_text(layer->params, layer->n, ops->params, "cipher");
	if (!spec)
		return;
	crypto_driver_spec_name(spec, &name);
	if (name.len && cipher_kernel_has(strbuf_str(&name), &err) == -ENOENT)
		fault_add(&s->faults, s->plan.file, arm->line, "arm %s, layer %s: %s",
			  arm->name, layer->kind, err.text);
}

void session_check_ciphers(struct session *s)
{
	for (size_t i = 0; i < s->plan.n_arms; i++) {
		const struct plan_arm *arm = &s->plan.arms[i];

		// What is opened says itself what it is encrypted with.
		for (size_t k = 0; !arm->open && k < arm->n; k++)
			check_layer(s, arm, &arm->layers[k]);
	}
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Engine unlock: how long it takes to open each keyslot of the arm's LUKS headers. The
// passphrase of an arm that is made follows from the run's seed; that of one that is
// opened is in the plan's key file. A slot with another passphrase takes as long.
#include <libcryptsetup.h>
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "stack/crypt.h"
#include "stack/kdf.h"
#include "suite/engines.h"
#include "suite/median.h"
#include "suite/work.h"

static const struct param_spec params[] = {
	{ .key = "repeat",
	  .type = PARAM_UINT,
	  .fallback = "3",
	  .min = 1,
	  .max = 100,
	  .help = "how often each keyslot is opened; the median counts" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static bool is_luks(const char *kind)
{
	return strcmp(kind, "luks1") == 0 || strcmp(kind, "luks2") == 0;
}

static const char *refused(const struct plan_test *test _unused_,
			   const struct plan_arm *arm)
{
	for (size_t i = 1; i < arm->n; i++)
		if (is_luks(arm->layers[i].kind))
			return arm->open && !arm->key_file
				       ? "this arm asks a person for its passphrase; "
					 "give it a key-file"
				       : NULL;
	return "this arm has no LUKS header";
}

struct job {
	const struct stack *stack;
	size_t repeat;
};

// How long it took to find that slot's volume key, or -1. A passphrase that is not the
// slot's is found to be so only at the end of the same work.
static double open_once(struct crypt_handle *h, int slot, const struct secret *key)
{
	uint64_t start = clock_mono_ns();
	int r = crypt_activate_by_passphrase(h->cd, NULL, slot, key->data, key->len, 0);

	return r >= 0 || r == -EPERM ? (double)(clock_mono_ns() - start) / 1e9 : -1;
}

static void about_kdf(struct crypt_handle *h, int slot, struct json_object *to)
{
	struct crypt_pbkdf_type kdf = { 0 };

	json_set_int(to, "slot", slot);
	if (crypt_keyslot_get_pbkdf(h->cd, slot, &kdf) < 0)
		return;
	json_set_str(to, "pbkdf", kdf.type);
	json_set_str(to, "hash", kdf.hash);
	json_set_uint(to, "iterations", kdf.iterations);
	json_set_uint(to, "memory", UINT64_C(1024) * kdf.max_memory_kb);
	json_set_uint(to, "threads", kdf.parallel_threads);
}

static int time_slot(const struct job *job, struct crypt_handle *h, size_t layer,
		     int slot, const struct secret *key, int out)
{
	_cleanup_free_ double *took = mem_new(job->repeat, sizeof(*took));
	struct json_object *o = json_new();
	struct err err = { 0 };

	json_set_uint(o, "layer", layer + 1);
	about_kdf(h, slot, o);
	if (kdf_check_memory("this keyslot",
			     (uint64_t)json_get_int(o, "memory", 0) / 1024,
			     kdf_available(), &err) < 0) {
		json_set_str(o, "refused", err.text);
		work_say(out, o);
		return 0;
	}
	for (size_t i = 0; i < job->repeat; i++) {
		took[i] = open_once(h, slot, key);
		if (took[i] >= 0)
			continue;
		json_object_put(o);
		return work_fail(out, -EIO, "keyslot %d of %s cannot be opened: %s", slot,
				 job->stack->layers[layer].below, strbuf_str(&h->words));
	}
	json_set_double(o, "seconds", median(took, job->repeat));
	work_say(out, o);
	return 0;
}

static int time_layer(const struct job *job, size_t i, int out)
{
	_cleanup_crypt_ struct crypt_handle h = { 0 };
	_cleanup_secret_ struct secret key = { 0 };
	const struct layer *layer = &job->stack->layers[i];
	struct err err = { 0 };
	int r = crypt_handle_init(&h, layer->below, &err), max;

	if (r == 0)
		r = crypt_layer_passphrase(job->stack, layer, &key, &err);
	if (r < 0)
		return work_fail(out, r, "%s", err.text);
	r = crypt_load(h.cd, CRYPT_LUKS, NULL);
	if (r < 0)
		return work_fail(out, r, "%s: its LUKS header cannot be read: %s",
				 layer->below, strerror(-r));
	max = crypt_keyslot_max(crypt_get_type(h.cd));
	for (int slot = 0; r == 0 && slot < max; slot++) {
		crypt_keyslot_info state = crypt_keyslot_status(h.cd, slot);

		if (state == CRYPT_SLOT_ACTIVE || state == CRYPT_SLOT_ACTIVE_LAST)
			r = time_slot(job, &h, i, slot, &key, out);
	}
	return r;
}

static int work(void *arg, int out)
{
	const struct job *job = arg;
	int r = 0;

	for (size_t i = 0; r == 0 && i < job->stack->n_up; i++) {
		work_progress(out, i, job->stack->n_up);
		if (is_luks(job->stack->layers[i].spec->kind))
			r = time_layer(job, i, out);
	}
	return r;
}

static void heard(struct run *run, struct json_object *o, void *arg _unused_)
{
	struct json_object *list = json_get(run->detail, "keyslots");
	long long layer = json_get_int(o, "layer", 0), slot = json_get_int(o, "slot", 0);
	const char *refusal = json_get_str(o, "refused");
	_cleanup_free_ char *name = mem_printf("layer%lld_slot%lld", layer, slot);

	if (!list) {
		list = json_new_array();
		json_set(run->detail, "keyslots", list);
	}
	json_append(list, json_object_get(o));
	if (refusal)
		run_note(run, "keyslot %lld: not opened: %s", slot, refusal);
	else
		metric_add(&run->metrics, name, "s", BETTER_LOWER, BOUND_EXACT,
			   json_get_double(o, "seconds", 0));
}

static void run_unlock(struct run *run)
{
	const struct plan_test *test = run->test;
	struct job job = {
		.stack = run->stack,
		.repeat = (size_t)param_uint(test->params, test->n, params, "repeat"),
	};
	const struct work w = { .work = work, .heard = heard, .arg = &job };

	if (run_work(run, &w) < 0)
		return;
	if (run->metrics.n)
		run_end(run, OUTCOME_PASSED, NULL);
	else
		run_end(run, OUTCOME_SKIPPED,
			"no keyslot fits into the memory of this machine");
}

const struct test_ops test_unlock = {
	.engine = "unlock",
	.help = "opens each LUKS keyslot of the arm, and times it",
	.place = TEST_ON_DEVICE,
	.params = params,
	.known_keys = true,
	.refused = refused,
	.run = run_unlock,
};

// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at once, before the first run and after the last.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/machine.h"
#include "stack/crypto-driver.h"
#include "suite/gate.h"
#include "suite/observe.h"
#include "suite/quiet.h"

// A guest's links and disks are its host's; the flag is there on every hypervisor that
// does not hide.
static bool is_guest(void)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/cpuinfo", cpu_root);
	_cleanup_strbuf_ struct strbuf text = { 0 };

	return io_read_file(path, &text, 4 << 20) == 0 &&
	       strstr(strbuf_str(&text), " hypervisor");
}

// Which drivers the kernel has for the ciphers that are asked for most. Before the runs
// only those are listed that something has asked for.
static struct json_object *ciphers_json(void)
{
	static const char *const names[] = {
		"xts(aes)",
		"cbc(aes)",
		"essiv(cbc(aes),sha256)",
		"xts(serpent)",
		"xts(twofish)",
		"xts(camellia)",
		"adiantum(xchacha12,aes)",
	};
	_cleanup_free_ char *path = mem_printf("%s/proc/crypto", cpu_root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new();
	struct crypto_driver d;

	io_read_file(path, &text, 4 << 20);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (crypto_driver_find(strbuf_str(&text), text.len, names[i], &d) == 0)
			json_set_str(o, names[i], d.driver);
	return o;
}

static void warn_noisy(struct campaign *c, const struct json_object *quiet)
{
	for (size_t i = 0; i < json_object_array_length(quiet); i++) {
		struct json_object *o = json_object_array_get_idx(quiet, i);

		if (!json_get_bool(o, "done", false))
			campaign_warn(c, "%s: %s stays %s: %s", json_get_str(o, "what"),
				      json_get_str(o, "file"), json_get_str(o, "after"),
				      json_get_str(o, "why"));
	}
}

// Takes the record over.
static void put(struct runner *r, const char *when, struct json_object *record)
{
	struct campaign *c = r->suite->campaign;
	struct json_object *copy = NULL;
	struct err err = { 0 };

	if (!c->environment)
		c->environment = json_new();
	if (json_object_deep_copy(record, &copy, NULL) == 0)
		json_set(c->environment, when, copy);
	json_set_str(record, "kind", "environment");
	json_set_str(record, "when", when);
	if (store_record(r->suite->store, record, &err) < 0)
		campaign_warn(c,
			      "the record of the environment is in no place but the "
			      "last report: %s",
			      err.text);
}

void observe_campaign(struct runner *r)
{
	struct json_object *o = json_new();
	struct json_object *quiet;

	r->emulated = is_guest();
	if (r->suite->ours) {
		quiet = quiet_machine(cpu_root);
		warn_noisy(r->suite->campaign, quiet);
		json_set(o, "quiet", quiet);
	}
	cpu_baseline_measure(r->suite->baseline_ns, &r->baseline);
	json_set(o, "baseline", cpu_baseline_json(&r->baseline));
	json_set(o, "ciphers", ciphers_json());
	json_set(o, "machine", machine_moving_json(cpu_root));
	put(r, "before", o);
}

void observe_campaign_end(struct runner *r)
{
	struct json_object *o = json_new();

	gate_campaign(r->suite->campaign->runs);
	json_set(o, "ciphers", ciphers_json());
	json_set(o, "machine", machine_moving_json(cpu_root));
	put(r, "after", o);
}

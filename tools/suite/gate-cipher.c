// SPDX-License-Identifier: GPL-3.0-or-later
// Gates on what computes a stack's ciphers.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/crypto-driver.h"
#include "suite/gate.h"

#define TEXT_MAX ((size_t)4 << 20) // of /proc/crypto and of /proc/cpuinfo

struct ciphers {
	struct strbuf list; // /proc/crypto
	bool cpu_has_aes;
	struct json_object *found;
};

static void judge(struct run *run, const char *name, const struct crypto_driver *d,
		  bool cpu_has_aes)
{
	_cleanup_strbuf_ struct strbuf shout = { 0 };

	crypto_driver_shout(name, d->driver, cpu_has_aes, &shout);
	if (shout.len)
		gate_trip(
			run, "generic-cipher",
			"%s is computed by %s although this CPU has AES instructions; "
			"their driver (aesni_intel) is missing, not loaded, or forbidden "
			"on the kernel command line",
			name, d->driver);
	else if (*d->preferred)
		gate_flag(run, "slow-cipher",
			  "%s is computed by %s although the kernel has %s, which it "
			  "prefers",
			  name, d->driver, d->preferred);
}

static void look_up(struct run *run, const char *spec, struct ciphers *c)
{
	_cleanup_strbuf_ struct strbuf name = { 0 };
	struct json_object *o = json_new();
	struct crypto_driver d;

	crypto_driver_spec_name(spec, &name);
	json_set_str(o, "spec", spec);
	json_set_str(o, "name", strbuf_str(&name));
	json_append(c->found, o);
	if (crypto_driver_find(strbuf_str(&c->list), c->list.len, strbuf_str(&name), &d) <
	    0) {
		gate_flag(run, "unknown-cipher",
			  "/proc/crypto does not tell what computes %s (%s)", spec,
			  strbuf_str(&name));
		return;
	}
	json_set_str(o, "driver", d.driver);
	json_set_str(o, "module", d.module);
	json_set_int(o, "priority", d.priority);
	judge(run, strbuf_str(&name), &d, c->cpu_has_aes);
}

// The first word of a crypt target's arguments, "aes-xts-plain64 - 0 8:1 ...".
static void each_crypt(struct run *run, const struct json_object *layer,
		       struct ciphers *c)
{
	struct json_object *table = json_get(layer, "table");
	size_t n = json_object_is_type(table, json_type_array)
			   ? json_object_array_length(table)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *row = json_object_array_get_idx(table, i);
		const char *target = json_get_str(row, "target");
		const char *args = json_get_str(row, "args");
		_cleanup_free_ char *spec = NULL;

		if (!target || !args || strcmp(target, "crypt") != 0)
			continue;
		spec = mem_strndup(args, strcspn(args, " "));
		look_up(run, spec, c);
	}
}

void gate_ciphers(struct run *run, const struct json_object *layers, const char *root)
{
	_cleanup_free_ char *list = mem_printf("%s/proc/crypto", root);
	_cleanup_free_ char *info = mem_printf("%s/proc/cpuinfo", root);
	_cleanup_strbuf_ struct strbuf cpu = { 0 };
	struct ciphers c = { .found = json_new_array() };
	size_t n = json_object_is_type(layers, json_type_array)
			   ? json_object_array_length(layers)
			   : 0;

	io_read_file(list, &c.list, TEXT_MAX);
	io_read_file(info, &cpu, TEXT_MAX);
	c.cpu_has_aes = crypto_cpu_has_aes(strbuf_str(&cpu));
	for (size_t i = 0; i < n; i++)
		each_crypt(run, json_object_array_get_idx(layers, i), &c);
	strbuf_done(&c.list);
	if (json_object_array_length(c.found))
		json_set(run->detail, "crypto", c.found);
	else
		json_object_put(c.found);
}

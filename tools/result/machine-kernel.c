// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: kernel, its configuration, the image, mitigations, interrupts.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/cmdline.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/machine-private.h"

#define NOTE_BUILD_ID 3 // NT_GNU_BUILD_ID of elf.h

// The command line, less what might be a secret although secrets are refused there.
static void set_cmdline(struct json_object *to, const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/cmdline", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct cmdline c = { 0 };

	if (cmdline_load(&c, path) < 0)
		return;
	for (size_t i = 0; i < c.n; i++) {
		const char *value = c.items[i].value;

		if (value && cmdline_is_secret(c.items[i].key))
			value = "[removed]";
		strbuf_printf(&text, "%s%s", i ? " " : "", c.items[i].key);
		if (value)
			strbuf_printf(&text, strchr(value, ' ') ? "=\"%s\"" : "=%s",
				      value);
	}
	json_set_str(to, "cmdline", strbuf_str(&text));
	cmdline_done(&c);
}

static uint32_t word_at(const struct strbuf *b, size_t at)
{
	uint32_t v;

	memcpy(&v, b->data + at, sizeof(v));
	return v;
}

// An ELF note: length of name, length of value, type, then both padded to four bytes.
static void set_build_id(struct json_object *to, const char *root)
{
	_cleanup_strbuf_ struct strbuf notes = { 0 }, hex = { 0 };
	size_t at = 0;

	if (machine_read(root, "sys/kernel/notes", &notes) < 0)
		return;
	while (at + 12 <= notes.len) {
		size_t name = (word_at(&notes, at) + 3u) & ~(size_t)3;
		size_t value = word_at(&notes, at + 4), data = at + 12 + name;
		uint32_t type = word_at(&notes, at + 8);

		if (name > notes.len || value > notes.len || data + value > notes.len)
			return;
		if (type == NOTE_BUILD_ID && name == 4 &&
		    memcmp(notes.data + at + 12, "GNU", 4) == 0) {
			for (size_t i = 0; i < value; i++)
				strbuf_printf(&hex, "%02x",
					      (unsigned char)notes.data[data + i]);
			json_set_str(to, "build_id", strbuf_str(&hex));
			return;
		}
		at = data + ((value + 3) & ~(size_t)3);
	}
}

// What the image's build noted of the kernel's configuration: "sha256 ..." of the whole,
// and the lines that speed depends on.
static void set_config(struct json_object *to, const char *root)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new();
	char *save = NULL;

	json_set(to, "config", o);
	if (machine_read(root, "etc/assay/kernel-config", &text) < 0 || !text.data)
		return;
	for (char *l = strtok_r(text.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		char *eq = strchr(l, '=');

		if (strncmp(l, "sha256 ", 7) == 0) {
			json_set_str(to, "config_sha256", l + 7);
		} else if (eq && strncmp(l, "CONFIG_", 7) == 0) {
			*eq = '\0';
			json_set_str(o, l + 7, eq + 1);
		}
	}
}

static void set_selinux(struct json_object *to, const char *root)
{
	int64_t enforce = io_read_number(-1, "%s/sys/fs/selinux/enforce", root);

	json_set_str(to, "selinux",
		     enforce < 0 ? "off"
		     : enforce   ? "enforcing"
				 : "permissive");
	machine_set_number(to, "selinux_policy", root, "sys/fs/selinux/policyvers");
}

struct json_object *machine_kernel(const char *root)
{
	struct json_object *o = json_new();

	json_set_str(o, "from",
		     "/proc/version, /proc/cmdline, /sys/kernel/notes; configuration: "
		     "noted when the image was built");
	machine_set_line(o, "version", root, "proc/version");
	machine_set_line(o, "release", root, "proc/sys/kernel/osrelease");
	set_build_id(o, root);
	set_cmdline(o, root);
	machine_set_number(o, "tainted", root, "proc/sys/kernel/tainted");
	machine_set_line(o, "lockdown", root, "sys/kernel/security/lockdown");
	set_selinux(o, root);
	set_config(o, root);
	return o;
}

// "key value" lines that the image's build left; "packages" are those of its programs.
struct json_object *machine_image(const char *root)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new();
	char *save = NULL;

	json_set_str(o, "from", "/etc/assay/image");
	if (machine_read(root, "etc/assay/image", &text) < 0 || !text.data)
		return o;
	for (char *l = strtok_r(text.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		char *blank = strchr(l, ' ');

		if (!blank)
			continue;
		*blank = '\0';
		json_set_str(o, l, blank + 1);
	}
	return o;
}

static void add_mitigation(const char *dir, const char *name, void *arg)
{
	machine_set_line(arg, name, dir, name);
}

struct json_object *machine_mitigations(const char *root)
{
	struct json_object *o = json_new();

	machine_each(root, "sys/devices/system/cpu/vulnerabilities", "", add_mitigation,
		     o);
	return o;
}

// Which CPUs may take a device's interrupts, for those that storage uses.
struct json_object *machine_interrupts(const char *root)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new(), *list = json_new();
	char *save = NULL;

	json_set_str(o, "from", "/proc/interrupts, /proc/irq/N/smp_affinity_list");
	json_set(o, "affinity", list);
	if (machine_read(root, "proc/interrupts", &text) < 0 || !text.data)
		return o;
	for (char *l = strtok_r(text.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		const char *number = l + strspn(l, " "), *name = strrchr(l, ' ');
		_cleanup_free_ char *key = NULL, *path = NULL;
		size_t digits = strspn(number, "0123456789");

		if (!digits || number[digits] != ':' || !name || !name[1])
			continue;
		key = mem_printf("%.*s %s", (int)digits, number, name + 1);
		path = mem_printf("proc/irq/%.*s/smp_affinity_list", (int)digits, number);
		machine_set_line(list, key, root, path);
	}
	return o;
}

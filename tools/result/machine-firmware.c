// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: firmware, how it started the kernel, power and temperatures.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/machine-moving.h"
#include "result/machine-private.h"

// 1, 0, or -1 where there is no Secure Boot (BIOS).
static int secure_boot(const char *root)
{
	_cleanup_strbuf_ struct strbuf value = { 0 };

	// Four bytes of attributes, then the value.
	if (machine_read(root,
			 "sys/firmware/efi/efivars/"
			 "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
			 &value) < 0 ||
	    value.len < 5)
		return -1;
	return value.data[4] == 1;
}

struct json_object *machine_firmware(const char *root)
{
	static const struct {
		const char *key, *file;
	} rows[] = {
		{ "bios_vendor", "bios_vendor" },
		{ "bios_version", "bios_version" },
		{ "bios_date", "bios_date" },
		{ "ec_version", "ec_firmware_release" },
		{ "vendor", "sys_vendor" },
		{ "product", "product_name" },
		{ "product_version", "product_version" },
		{ "serial", "product_serial" },
		{ "uuid", "product_uuid" },
		{ "board_vendor", "board_vendor" },
		{ "board", "board_name" },
	};
	_cleanup_free_ char *efi = mem_printf("%s/sys/firmware/efi", root);
	struct json_object *o = json_new();
	int secure = secure_boot(root);

	json_set_str(o, "from", "/sys/class/dmi/id, /sys/firmware/efi");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path =
			mem_printf("sys/class/dmi/id/%s", rows[i].file);

		machine_set_line(o, rows[i].key, root, path);
	}
	json_set_str(o, "boot", io_exists(efi) ? "efi" : "bios");
	if (secure >= 0)
		json_set_bool(o, "secure_boot", secure);
	return o;
}

struct power {
	bool mains, online, battery;
	struct json_object *supplies;
};

static void add_supply(const char *dir, const char *name, void *arg)
{
	_cleanup_free_ char *type = io_read_line("%s/%s/type", dir, name);
	_cleanup_free_ char *scope = io_read_line("%s/%s/scope", dir, name);
	_cleanup_free_ char *status = io_read_line("%s/%s/status", dir, name);
	struct power *p = arg;

	// A mouse has a battery, too: its scope is "Device".
	if (!type || (scope && strcmp(scope, "Device") == 0))
		return;
	if (strcmp(type, "Battery") == 0) {
		p->battery = true;
		json_set_str(p->supplies, name, status ? status : "battery");
		return;
	}
	p->mains = true;
	if (io_read_number(0, "%s/%s/online", dir, name) > 0) {
		p->online = true;
		json_set_str(p->supplies, name, "online");
	} else {
		json_set_str(p->supplies, name, "offline");
	}
}

const char *machine_power_source(const char *root, struct json_object *supplies)
{
	struct power p = { .supplies = supplies };

	machine_each(root, "sys/class/power_supply", "", add_supply, &p);
	if (p.online || !p.battery)
		return "mains"; // a machine without a battery has no other
	return p.mains ? "battery" : "battery or mains, it does not tell";
}

struct json_object *machine_power(const char *root)
{
	struct json_object *o = json_new(), *supplies = json_new();

	json_set_str(o, "from", "/sys/class/power_supply");
	json_set_str(o, "source", machine_power_source(root, supplies));
	json_set(o, "supplies", supplies);
	machine_set_line(o, "profile", root, "sys/firmware/acpi/platform_profile");
	return o;
}

struct sensors {
	struct json_object *to;
	const char *dir, *chip, *label;
};

static void add_input(const char *dir, const char *name, void *arg)
{
	size_t len = strlen(name);
	struct sensors *s = arg;
	_cleanup_free_ char *label = NULL, *key = NULL;
	int64_t value;

	if (len < 7 || strcmp(name + len - 6, "_input") != 0)
		return;
	value = io_read_number(INT64_MIN, "%s/%s", dir, name);
	if (value == INT64_MIN)
		return;
	label = io_read_line("%s/%.*s_label", dir, (int)(len - 6), name);
	if (!label)
		label = mem_strndup(name, len - 6);
	key = mem_printf("%s %s", s->chip, label);
	json_set_double(s->to, key, (double)value / 1000);
}

// The disk that a chip of drivetemp or nvme belongs to tells more than the chip's number.
static char *chip_name(const char *dir, const char *name)
{
	_cleanup_free_ char *chip = io_read_line("%s/%s/name", dir, name);
	_cleanup_free_ char *link = mem_printf("%s/%s/device", dir, name);
	_cleanup_free_ char *real = realpath(link, NULL);
	const char *owner = real ? strrchr(real, '/') + 1 : name;

	if (!chip)
		return NULL;
	return mem_printf("%s %s", chip, owner);
}

static void add_chip(const char *dir, const char *name, void *arg)
{
	_cleanup_free_ char *chip = chip_name(dir, name);
	struct sensors s = { .to = arg, .chip = chip };

	if (chip)
		machine_each(dir, name, "temp", add_input, &s);
}

void machine_temperatures(const char *root, struct json_object *to)
{
	machine_each(root, "sys/class/hwmon", "hwmon", add_chip, to);
}

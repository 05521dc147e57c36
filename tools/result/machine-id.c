// SPDX-License-Identifier: GPL-3.0-or-later
// A name for the machine's folder of results.
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/machine-private.h"

#define ID_MAX 32

// What firmware says when nobody filled the field in; compared without case.
static const char *const placeholders[] = {
	"to be filled by o.e.m.",
	"to be filled by oem",
	"default string",
	"system serial number",
	"chassis serial number",
	"serial number",
	"not specified",
	"not applicable",
	"not available",
	"none",
	"unknown",
	"n/a",
	"oem",
	"o.e.m.",
	"empty",
	"invalid",
	"123456789",
	"1234567890",
	"0123456789",
	"01234567890123456789",
	"03000200-0400-0500-0006-000700080009", // the example UUID of a common BIOS kit
};

bool machine_real(const char *text)
{
	bool varied = false;
	char first = '\0';

	if (!text)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(placeholders); i++)
		if (strcasecmp(text, placeholders[i]) == 0)
			return false;
	for (const char *p = text; *p; p++) { // "000000", "FFFF-FFFF", "....", ""
		if (!isalnum((unsigned char)*p))
			continue;
		if (first && toupper((unsigned char)*p) != toupper((unsigned char)first))
			varied = true;
		first = *p;
	}
	return varied;
}

// Device names of DOS are no folders for some readers of a FAT stick.
static bool dos_name(const char *s)
{
	static const char *const names[] = { "CON", "PRN", "AUX", "NUL" };
	size_t len = strcspn(s, ".");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (len == 3 && strncasecmp(s, names[i], 3) == 0)
			return true;
	return len == 4 && isdigit((unsigned char)s[3]) &&
	       (strncasecmp(s, "COM", 3) == 0 || strncasecmp(s, "LPT", 3) == 0);
}

// Keeps letters, digits, "_" and "-"; a run of others becomes one "_".
static char *safe_name(const char *text)
{
	char name[ID_MAX + 1] = "", *to = name;

	for (const char *p = text; *p && to < name + ID_MAX; p++) {
		if (isalnum((unsigned char)*p) || *p == '-' || *p == '_')
			*to++ = *p;
		else if (to > name && to[-1] != '_')
			*to++ = '_';
	}
	while (to > name && to[-1] == '_')
		*--to = '\0';
	return mem_printf("%s%s", dos_name(name) ? "m-" : "", name);
}

// The first card by name with an address that stays: not loopback, not drawn at random or
// set by software (addr_assign_type).
static char *first_mac(const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/sys/class/net", root);
	_cleanup_free_ char *best = NULL;
	char *mac = NULL;
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		_cleanup_free_ char *address = NULL;

		if (e->d_name[0] == '.' || (best && strcmp(e->d_name, best) > 0))
			continue;
		address = io_read_line("%s/%s/address", path, e->d_name);
		if (!machine_real(address) || strlen(address) != 17 ||
		    io_read_number(0, "%s/%s/addr_assign_type", path, e->d_name) != 0)
			continue;
		free(best);
		free(mac);
		best = mem_strdup(e->d_name);
		mac = TAKE_PTR(address);
	}
	if (dir)
		closedir(dir);
	for (char *p = mac; p && *p; p++)
		if (*p == ':')
			*p = '-';
	return mac;
}

// Adds up a checksum that does not depend on the order of the folder's entries.
static uint32_t sum_modaliases(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	uint32_t sum = 0;

	while (dir && (e = readdir(dir))) {
		_cleanup_free_ char *alias = NULL;

		if (e->d_name[0] == '.')
			continue;
		alias = io_read_line("%s/%s/modalias", path, e->d_name);
		sum += alias ? crc32_add(0, alias, strlen(alias)) : 0;
	}
	if (dir)
		closedir(dir);
	return sum;
}

// A machine that tells nothing of itself is known by what it is built of: the same at
// each boot, which is what keeps a campaign from being started over and over. Two of one
// kind share the name, and then the second reports instead of starting.
static uint32_t sum_hardware(const char *root)
{
	_cleanup_free_ char *pci = mem_printf("%s/sys/bus/pci/devices", root);
	_cleanup_free_ char *dmi = io_read_line("%s/sys/class/dmi/id/modalias", root);
	uint32_t sum = sum_modaliases(pci);

	return dmi ? crc32_add(sum, dmi, strlen(dmi)) : sum;
}

char *machine_id_from(const char *root, const char **from)
{
	static const struct {
		const char *file, *from;
	} sources[] = {
		{ "product_serial", "SMBIOS system serial" },
		{ "board_serial", "SMBIOS board serial" },
		{ "product_uuid", "SMBIOS system UUID" },
	};
	_cleanup_free_ char *mac = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		_cleanup_free_ char *text =
			io_read_line("%s/sys/class/dmi/id/%s", root, sources[i].file);
		_cleanup_free_ char *name = NULL;

		if (!machine_real(text))
			continue;
		name = safe_name(text);
		*from = sources[i].from;
		if (*name)
			return TAKE_PTR(name);
	}
	mac = first_mac(root);
	if (mac) {
		*from = "address of the first network card";
		return mem_printf("mac-%s", mac);
	}
	*from = "checksum of its hardware: it tells no serial, UUID or network address";
	return mem_printf("kind-%08x", sum_hardware(root));
}

char *machine_id(const char *root)
{
	const char *from;

	return machine_id_from(root, &from);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What `smartctl --json` tells of a disk. One row a value: where it stands for ATA (the
// attribute's number) and for the others (the path in the document).
#include <math.h>
#include <string.h>

#include "common/macro.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/smart-json.h"

#define HOUR 3600.0

// NVMe counts data in thousands of 512-byte units (NVM Express, SMART log).
#define NVME_UNIT 512000.0

static const struct row {
	const char *name, *unit;
	bool spoils;
	int attribute;    // ATA; 0: none
	const char *path; // with dots; NULL: none
	double scale;
} rows[] = {
	{ "reallocated", "", true, 5, NULL, 1 },
	{ "reported_uncorrectable", "", true, 187, NULL, 1 },
	{ "command_timeouts", "", false, 188, NULL, 1 },
	{ "pending", "", true, 197, NULL, 1 },
	{ "offline_uncorrectable", "", true, 198, NULL, 1 },
	{ "crc_errors", "", true, 199, NULL, 1 },
	{ "grown_defects", "", true, 0, "scsi_grown_defect_list", 1 },
	{ "read_uncorrected", "", true, 0,
	  "scsi_error_counter_log.read.total_uncorrected_errors", 1 },
	{ "write_uncorrected", "", true, 0,
	  "scsi_error_counter_log.write.total_uncorrected_errors", 1 },
	{ "media_errors", "", true, 0, "nvme_smart_health_information_log.media_errors",
	  1 },
	{ "critical_warning", "", true, 0,
	  "nvme_smart_health_information_log.critical_warning", 1 },
	{ "error_log_entries", "", false, 0,
	  "nvme_smart_health_information_log.num_err_log_entries", 1 },
	{ "error_log", "", false, 0, "ata_smart_error_log.summary.count", 1 },
	{ "unsafe_shutdowns", "", false, 0,
	  "nvme_smart_health_information_log.unsafe_shutdowns", 1 },
	{ "used", "%", false, 0, "nvme_smart_health_information_log.percentage_used", 1 },
	{ "spare", "%", false, 0, "nvme_smart_health_information_log.available_spare",
	  1 },
	{ "read_in_life", "B", false, 0,
	  "nvme_smart_health_information_log.data_units_read", NVME_UNIT },
	{ "written_in_life", "B", false, 0,
	  "nvme_smart_health_information_log.data_units_written", NVME_UNIT },
	{ "temperature", "C", false, 0, "temperature.current", 1 },
	{ "power_on", "s", false, 0, "power_on_time.hours", HOUR },
	{ "power_cycles", "", false, 0, "power_cycle_count", 1 },
};

static struct json_object *at_path(const struct json_object *doc, const char *path)
{
	struct json_object *o = (struct json_object *)(uintptr_t)doc;

	while (o && *path) {
		size_t len = strcspn(path, ".");
		_cleanup_free_ char *key = mem_strndup(path, len);

		o = json_get(o, key);
		path += len + (path[len] == '.');
	}
	return o;
}

static bool number_of(const struct json_object *o, double *ret)
{
	if (!json_object_is_type(o, json_type_int) &&
	    !json_object_is_type(o, json_type_double))
		return false;
	*ret = json_object_get_double(o);
	return isfinite(*ret);
}

// The raw value. Some disks pack more into it than the count; the text begins with what
// counts: "36 (Min/Max 30/48)".
static bool raw_value(const struct json_object *attribute, double *ret)
{
	const struct json_object *raw = json_get(attribute, "raw");
	const char *text = json_get_str(raw, "string");
	_cleanup_free_ char *digits = NULL;

	if (text && *text) {
		digits = mem_strndup(text, strspn(text, "0123456789"));
		if (number_double(digits, ret) == 0)
			return true;
	}
	return number_of(json_get(raw, "value"), ret);
}

static bool attribute_value(const struct json_object *doc, int id, double *ret)
{
	struct json_object *table = at_path(doc, "ata_smart_attributes.table");
	size_t n = json_object_is_type(table, json_type_array)
			   ? json_object_array_length(table)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *a = json_object_array_get_idx(table, i);

		if (json_get_int(a, "id", 0) == id)
			return raw_value(a, ret);
	}
	return false;
}

static enum smart_health health_of(const struct json_object *doc)
{
	struct json_object *passed = at_path(doc, "smart_status.passed");

	if (!json_object_is_type(passed, json_type_boolean))
		return SMART_UNKNOWN;
	return json_object_get_boolean(passed) ? SMART_GOOD : SMART_FAILING;
}

void smart_json_read(const struct json_object *doc, struct smart_reading *ret)
{
	*ret = (struct smart_reading){ .health = health_of(doc) };
	ret->protocol = json_get_str(at_path(doc, "device"), "protocol");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		double v;

		if (row->attribute ? !attribute_value(doc, row->attribute, &v)
				   : !number_of(at_path(doc, row->path), &v))
			continue;
		ret->values[ret->n++] = (struct smart_value){
			.name = row->name,
			.unit = row->unit,
			.spoils = row->spoils,
			.value = v * row->scale,
		};
	}
	// A SCSI disk without log pages still says its temperature: that is no health.
	ret->supported = ret->health != SMART_UNKNOWN ||
			 at_path(doc, "ata_smart_attributes.table") ||
			 at_path(doc, "nvme_smart_health_information_log") ||
			 at_path(doc, "scsi_error_counter_log") ||
			 at_path(doc, "scsi_grown_defect_list");
}

void smart_json_messages(const struct json_object *doc, struct strbuf *to)
{
	struct json_object *list = at_path(doc, "smartctl.messages");
	size_t n = json_object_is_type(list, json_type_array)
			   ? json_object_array_length(list)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		const char *text =
			json_get_str(json_object_array_get_idx(list, i), "string");

		if (text)
			strbuf_printf(to, "%s%s", to->len ? "; " : "", text);
	}
}

const struct smart_value *smart_value(const struct smart_reading *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->values[i].name, name) == 0)
			return &r->values[i];
	return NULL;
}

size_t smart_grown(const struct smart_reading *before, const struct smart_reading *now,
		   struct strbuf *to)
{
	size_t grown = 0;

	for (size_t i = 0; i < now->n; i++) {
		const struct smart_value *v = &now->values[i];
		const struct smart_value *old = smart_value(before, v->name);

		if (!v->spoils || !old || v->value <= old->value)
			continue;
		strbuf_printf(to, "%s%s grew from %.0f to %.0f", to->len ? ", " : "",
			      v->name, old->value, v->value);
		grown++;
	}
	return grown;
}

// ATA: the upper half of the status byte is 15 while it runs, the lower what remains in
// tenths (ATA8-ACS, "Self-test execution status").
static enum smart_selftest ata_selftest(const struct json_object *status,
					unsigned *remaining)
{
	int64_t value = json_get_int(status, "value", -1);

	if (value < 0)
		return SELFTEST_NONE;
	*remaining = (unsigned)(value & 15) * 10;
	if (value >> 4 == 15)
		return SELFTEST_RUNNING;
	return value >> 4 == 0 ? SELFTEST_PASSED : SELFTEST_FAILED;
}

enum smart_selftest smart_json_selftest(const struct json_object *doc,
					unsigned *remaining, const char **text)
{
	struct json_object *ata = at_path(doc, "ata_smart_data.self_test.status");
	struct json_object *scsi = at_path(doc, "scsi_self_test_0.result");
	struct json_object *nvme = at_path(doc, "nvme_self_test_log");
	struct json_object *now = json_get(nvme, "current_self_test_operation");
	struct json_object *table = json_get(nvme, "table"), *last = NULL;
	int64_t value;

	*remaining = 0;
	*text = json_get_str(ata, "string");
	if (ata)
		return ata_selftest(ata, remaining);
	if (scsi) {
		*text = json_get_str(scsi, "string");
		value = json_get_int(scsi, "value", -1); // SPC: 15 runs, 0 good
	} else if (json_get_int(now, "value", 0) > 0) {
		*text = json_get_str(now, "string");
		*remaining =
			100 - (unsigned)json_get_int(
				      nvme, "current_self_test_completion_percent", 0);
		return SELFTEST_RUNNING;
	} else {
		if (json_object_is_type(table, json_type_array) &&
		    json_object_array_length(table) > 0)
			last = json_get(json_object_array_get_idx(table, 0),
					"self_test_result");
		*text = json_get_str(last, "string");
		value = json_get_int(last, "value", -1);
	}
	if (value < 0)
		return SELFTEST_NONE;
	return value == 15  ? SELFTEST_RUNNING
	       : value == 0 ? SELFTEST_PASSED
			    : SELFTEST_FAILED;
}

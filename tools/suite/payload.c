// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the disk an arm keeps its data.
#include "suite/payload.h"

#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"

#define SECTOR    512 // of partition tables in sysfs and of device-mapper tables
#define AWAY_MOST 0.01

// "8:1": the device in the arguments of a target, before its offset.
static bool is_device(const char *word)
{
	size_t major = strspn(word, "0123456789");

	return major > 0 && word[major] == ':' && word[major + 1] &&
	       word[major + 1 + strspn(word + major + 1, "0123456789")] == '\0';
}

// The offset of a linear or crypt target; -1 where the table is of another kind.
static int64_t table_offset(const struct json_object *table)
{
	const struct json_object *row =
		json_length(table) == 1 ? json_object_array_get_idx(table, 0) : NULL;
	const char *target = json_get_str(row, "target");
	_cleanup_free_ char *args = mem_strdup(json_get_str(row, "args"));
	char *save = NULL, *word = args ? strtok_r(args, " ", &save) : NULL;
	uint64_t sectors;

	if (!target || (strcmp(target, "linear") != 0 && strcmp(target, "crypt") != 0))
		return -1;
	while (word && !is_device(word))
		word = strtok_r(NULL, " ", &save);
	word = word ? strtok_r(NULL, " ", &save) : NULL;
	if (!word || number_uint(word, &sectors) < 0 || sectors > INT64_MAX / SECTOR)
		return -1;
	return (int64_t)sectors * SECTOR;
}

int64_t payload_start(const struct json_object *layers)
{
	int64_t sum = 0;
	size_t disks = 0;

	for (size_t i = 0; i < json_length(layers); i++) {
		const struct json_object *layer = json_object_array_get_idx(layers, i);
		const char *kind = json_get_str(layer, "kind");
		const struct json_object *table = json_get(layer, "table");
		int64_t start = json_get_int(layer, "start", 0);

		disks += kind && strcmp(kind, "disk") == 0;
		if (!kind || disks > 1 || strncmp(kind, "md", 2) == 0)
			return -1;
		if (json_length(table))
			start = table_offset(table);
		if (start < 0)
			return -1;
		sum += start;
	}
	return disks == 1 ? sum : -1;
}

// Of the first stack of that arm that was built and says where it is; -1 none.
static int64_t start_of_arm(const struct json_object *records, const char *arm)
{
	for (size_t i = 0; i < json_length(records); i++) {
		const struct json_object *o = json_object_array_get_idx(records, i);
		const char *name = json_get_str(o, "arm");

		if (name && strcmp(name, arm) == 0 && json_get(o, "payload_start"))
			return json_get_int(o, "payload_start", -1);
	}
	return -1;
}

void payload_compare(struct runner *r)
{
	const struct plan *plan = r->suite->plan;
	const struct json_object *records = r->suite->campaign->runs;
	const struct device *disk =
		r->suite->n_targets ? target_device(r->suite->targets[0]) : NULL;
	int64_t first, other;

	if (!disk || !disk->rotational || plan->n_arms == 0)
		return;
	first = start_of_arm(records, plan->arms[0].name);
	for (size_t i = 1; i < plan->n_arms; i++) {
		double away;

		other = start_of_arm(records, plan->arms[i].name);
		away = (double)(other - first) / (double)disk->size;
		if (first < 0 || other < 0 || (away <= AWAY_MOST && away >= -AWAY_MOST))
			continue;
		campaign_warn(r->suite->campaign,
			      "the data of %s begin %.1f %% of the disk %s those of %s, "
			      "and a rotating disk is not equally fast everywhere; put "
			      "a volume of %" PRIu64 "M before those of %s, e.g. "
			      "gpt,pad=%" PRIu64 "M,data=rest",
			      plan->arms[i].name, 100 * (away < 0 ? -away : away),
			      away < 0 ? "before" : "behind", plan->arms[0].name,
			      (uint64_t)(away < 0 ? first - other : other - first) >> 20,
			      plan->arms[away < 0 ? i : 0].name,
			      (uint64_t)(away < 0 ? first - other : other - first) >> 20);
	}
}

// SPDX-License-Identifier: GPL-3.0-or-later
// After `assay run` crashed or was ended by PID 1: removes what it left on the disks, and
// makes a result of what it had recorded. It starts nothing destructive.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/record.h"
#include "run-session.h"
#include "stack/stack.h"

#define RECORDS_MAX ((size_t)64 << 20)

// Takes the records of the crashed run into the campaign.
static void take_record(struct session *s, struct json_object *record)
{
	const char *kind = json_get_str(record, "kind");
	struct json_object *plan = json_get(record, "plan");

	if (!kind)
		return;
	s->started = s->started || strcmp(kind, "start") == 0;
	if (strcmp(kind, "start") == 0 && plan && !s->campaign.plan) {
		s->campaign.plan = json_object_get(plan);
		s->campaign.fingerprint =
			(uint64_t)json_get_int(record, "fingerprint", 0);
	} else if (strcmp(kind, "run") == 0 || strcmp(kind, "stack") == 0) {
		json_append(s->campaign.runs, json_object_get(record));
	} else if (strcmp(kind, "block") == 0 && json_get_str(record, "repeated")) {
		campaign_discard_block(&s->campaign,
				       (unsigned)json_get_int(record, "block", 0),
				       json_get_str(record, "repeated"));
	}
}

static void take_records(struct session *s)
{
	_cleanup_free_ char *path =
		mem_printf("%s/records.jsonl", store_ram_path(s->store));
	_cleanup_strbuf_ struct strbuf text = { 0 };
	const char *at, *end;

	if (io_read_file(path, &text, RECORDS_MAX) < 0)
		return;
	at = strbuf_str(&text);
	for (; (end = strchr(at, '\n')); at = end + 1) {
		_cleanup_json_ struct json_object *record =
			record_parse_line(at, (size_t)(end - at));

		if (record)
			take_record(s, record);
	}
}

// Removes what the crash left on the disks that the plan names, nowhere else. From a plan
// without consent, that is what it had opened.
static void clear_targets(struct session *s)
{
	const struct guard_rules rules = session_rules(s);
	struct err err = { 0 };

	for (size_t i = 0; s->has_plan && i < s->plan.n_targets; i++) {
		_cleanup_free_ char *consent = plan_consent(&s->plan, i);
		const struct match *which = &s->plan.targets[i];
		struct target *target = NULL;
		int r = consent ? guard_permit_again(&rules, &s->devices, which, consent,
						     &target, &err)
				: guard_look_again(&rules, &s->devices, which, &target,
						   &err);

		if (r < 0) {
			campaign_warn(&s->campaign, "not looked at for leftovers: %s",
				      err.text);
			continue;
		}
		if (stack_clear(&target, 1, &err) < 0)
			campaign_warn(&s->campaign, "left behind by the crash: %s",
				      err.text);
		target_free(target);
	}
}

int session_after_crash(const char *why)
{
	struct session s;
	struct err err = { 0 };

	session_begin(&s);
	session_say(&s, "the sequence ended early: %s", why);
	// Each step that fails says so in the campaign; the result is written all the
	// same.
	if (session_discover(&s) == 0 && session_read_plan(&s) == 0)
		clear_targets(&s);
	if (session_reopen_results(&s, &err) < 0)
		campaign_warn(&s.campaign, "%s", err.text);
	if (s.store)
		take_records(&s);
	campaign_verdict(&s.campaign, OUTCOME_ABORTED, "the sequence ended early: %s",
			 why);
	session_write_results(&s);
	session_upload(&s);
	return session_end(&s);
}

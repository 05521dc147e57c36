// SPDX-License-Identifier: GPL-3.0-or-later
// The boot stick, when it takes results: it has its real size from its first use on.
#include <string.h>

#include "common/number.h"
#include "device/stick-grow.h"
#include "run-session.h"

void session_grow_stick(struct session *s)
{
	_cleanup_strbuf_ struct strbuf size = { 0 };
	struct err err = { 0 };
	int64_t r = 0;

	for (char **p = s->boot.disks; p && *p; p++)
		if (strcmp(*p, s->stick.disk) == 0)
			r = stick_grow(&s->stick, &err);
	if (r < 0)
		campaign_warn(&s->campaign, "%s", err.text);
	if (r <= 0)
		return;
	number_format_bytes(&size, (uint64_t)r);
	session_say(s, "%s has grown to %s", s->stick.name, strbuf_str(&size));
}

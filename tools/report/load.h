// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the document of a campaign.
#pragma once

#include "common/err.h"
#include "common/json.h"

// The result.json of a campaign's folder, or that file itself. The caller puts it; NULL
// with `err`, which names the path.
struct json_object *report_load(const char *path, struct err *err);

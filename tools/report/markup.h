// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that escapes text for XML and HTML.
#pragma once

#include "common/strbuf.h"

// Appends text as character data, also right inside quotes: & < > " ' are escaped, what
// XML 1.0 cannot hold (control characters) becomes "?". The text is UTF-8.
void markup_text(struct strbuf *to, const char *text);

// "<name>text</name>"
void markup_element(struct strbuf *to, const char *name, const char *text);

// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text for XML and HTML.
#include "report/markup.h"

void markup_text(struct strbuf *to, const char *text)
{
	for (const char *p = text; *p; p++) {
		switch (*p) {
		case '&':
			strbuf_puts(to, "&amp;");
			break;
		case '<':
			strbuf_puts(to, "&lt;");
			break;
		case '>':
			strbuf_puts(to, "&gt;");
			break;
		case '"':
			strbuf_puts(to, "&quot;");
			break;
		case '\'':
			strbuf_puts(to, "&#39;");
			break;
		default:
			if (((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') ||
			    *p == 0x7f)
				strbuf_puts(to, "?");
			else
				strbuf_add(to, p, 1);
		}
	}
}

void markup_element(struct strbuf *to, const char *name, const char *text)
{
	strbuf_printf(to, "<%s>", name);
	markup_text(to, text);
	strbuf_printf(to, "</%s>", name);
}

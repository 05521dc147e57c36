// SPDX-License-Identifier: GPL-3.0-or-later
// The page's frame and its smallest pieces.
#include <math.h>

#include "common/number.h"
#include "report/html-private.h"

// No grid, no variables, no flex: a browser of 2010 shows the same page. Colours are
// those of ColorBrewer's PuOr, which the colour-blind can tell apart; light, because it
// is read in print, too.
const char html_style[] =
	"body{font:15px/1.45 Georgia,'Times New Roman',serif;color:#222;background:#fff;"
	"margin:0 auto;max-width:920px;padding:0 14px 40px}"
	"h1{font-size:26px;margin:22px 0 4px}h2{font-size:19px;margin:34px 0 8px;"
	"border-bottom:1px solid #bbb}h3{font-size:15px;margin:18px 0 4px}"
	"table{border-collapse:collapse}td,th{padding:2px 10px 2px 0;text-align:left;"
	"vertical-align:top}th{font-weight:normal;color:#666;border-bottom:1px solid "
	"#ccc}"
	"code,.m,td.n,span[data-v]{font-family:Consolas,'DejaVu Sans "
	"Mono',Menlo,monospace;"
	"font-size:13px}.m{word-wrap:break-word}td.n,th.n{text-align:right}"
	"td.n,span[data-v]{white-space:nowrap}.w{overflow-x:auto}.q{color:#666}"
	".v{padding:10px 14px;border-left:8px solid #888;background:#f4f4f4;margin:14px "
	"0}"
	".passed{border-color:#1b7837}.failed,.aborted{border-color:#b2182b}"
	".slower{color:#8a3b00}.faster{color:#3d2a72}.inconclusive,.none{color:#666}"
	"b.slower,b.faster{font-weight:bold}"
	"svg{display:block}svg text{font:10px Arial,Helvetica,sans-serif;fill:#444}"
	".z{stroke:#222}.g{stroke:#ddd}.nf{fill:#e4e4e4}.mg{stroke:#888;"
	"stroke-dasharray:3 3}.ds{fill:#b35806;stroke:#b35806}.df{fill:#542788;"
	"stroke:#542788}.de{fill:#444;stroke:#444}.pt{fill:none;stroke-width:1}"
	".weak{fill:#fff;stroke-width:1.5}.ci{stroke-width:3}.wk{stroke-width:1.5;"
	"stroke-dasharray:4 2}.b0{fill:#999}.b1{fill:#b35806}.b2{fill:#542788}"
	".l{fill:none;stroke-width:1.8}"
	"@media(max-width:640px){.p td,.p th{display:block;padding:0}.p tr{display:block;"
	"padding:6px 0;border-bottom:1px solid #eee}.p thead{display:none}"
	"td.n{text-align:left}.w td.n{text-align:right}}"
	"@media print{body{max-width:none;font-size:11px}h2{page-break-after:avoid}"
	"tr,svg{page-break-inside:avoid}.v{background:none}a{color:#222}"
	".w{overflow:visible}.w td,.w th,.w "
	"span[data-v]{font-size:7px;padding-right:4px}}";

void html_flush(struct html *h)
{
	if (h->buf.len)
		h->write(h->arg, h->buf.data, h->buf.len);
	h->buf.len = 0;
}

void html_puts(struct html *h, const char *markup)
{
	strbuf_puts(&h->buf, markup);
}

void html_printf(struct html *h, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&h->buf, fmt, ap);
	va_end(ap);
}

void html_text(struct html *h, const char *text)
{
	markup_text(&h->buf, text);
}

void html_title(struct html *h, const char *id, const char *title)
{
	html_flush(h);
	html_printf(h, "<h2 id=\"%s\">", id);
	html_text(h, title);
	html_puts(h, "</h2>\n");
}

static void open_data(struct html *h, double value, const char *at)
{
	html_puts(h, "<span data-v=\"");
	number_format_exact(&h->buf, value);
	if (at)
		html_printf(h, "\" data-at=\"%s", at);
	html_puts(h, "\">");
}

void html_metric(struct html *h, const struct metric *m, const char *at)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	open_data(h, m->value, at);
	metric_format(m, &text);
	html_text(h, strbuf_str(&text));
	html_puts(h, "</span>");
}

void html_percent(struct html *h, double value, const char *at)
{
	if (isnan(value)) {
		html_puts(h, "-");
		return;
	}
	open_data(h, value, at);
	html_printf(h, fabs(value) < 9.95 ? "%+.1f&#160;%%" : "%+.0f&#160;%%", value);
	html_puts(h, "</span>");
}

void html_begin(struct html *h, const char *title)
{
	html_puts(
		h,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, "
		"initial-scale=1\">\n<title>");
	html_text(h, title);
	html_puts(h, "</title>\n<style>");
	html_puts(h, html_style);
	html_puts(h, "</style>\n</head>\n<body>\n");
	html_flush(h);
}

void html_end(struct html *h)
{
	html_puts(h, "<p class=\"q\">Assay " ASSAY_VERSION
		     ". Every number is that of result.json beside this "
		     "file.</p>\n</body>\n</html>\n");
	html_flush(h);
	strbuf_done(&h->buf);
}

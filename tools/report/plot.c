// SPDX-License-Identifier: GPL-3.0-or-later
// Small plots as SVG.
#include <string.h>

#include "report/plot.h"

#define LETTER 5.5 // mean width of a character at 10 px

double plot_x(const struct plot_scale *s, double value)
{
	double span = s->high - s->low, x = span > 0 ? (value - s->low) / span : 0.5;

	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return PLOT_EDGE + x * (PLOT_WIDTH - 2 * PLOT_EDGE);
}

void plot_open(struct html *h, double height, const char *name)
{
	html_printf(h, "<svg width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"",
		    PLOT_WIDTH, height);
	html_text(h, name);
	html_puts(h, "\">");
}

void plot_close(struct html *h)
{
	html_puts(h, "</svg>");
}

void plot_line(struct html *h, const char *cls, double x1, double y1, double x2,
	       double y2)
{
	html_printf(h,
		    "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
		    "y2=\"%.1f\"/>",
		    cls, x1, y1, x2, y2);
}

void plot_rect(struct html *h, const char *cls, double x, double y, double w, double hgt)
{
	html_printf(h,
		    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		    "height=\"%.1f\"/>",
		    cls, x, y, w > 0 ? w : 0, hgt);
}

void plot_label(struct html *h, double x, double y, const char *text)
{
	double half = (double)strlen(text) * LETTER / 2;

	x = x < half ? half : x > PLOT_WIDTH - half ? PLOT_WIDTH - half : x;
	html_printf(h, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
	html_text(h, text);
	html_puts(h, "</text>");
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Small plots as SVG: a scale, its axis, and what is drawn on it. Sizes are in pixels,
// fixed, so that no browser has to scale text: 320 fit on every phone.
#pragma once

#include "report/html-private.h"

#define PLOT_WIDTH 320.0
#define PLOT_EDGE  8.0 // left and right of the scale

struct plot_scale {
	double low, high; // in the unit that is drawn; logarithmic scales hold logarithms
};

double plot_x(const struct plot_scale *s, double value);

// <svg ...> of the plot's width and that height, with a name for those who cannot see it.
void plot_open(struct html *h, double height, const char *name);
void plot_close(struct html *h);

void plot_line(struct html *h, const char *cls, double x1, double y1, double x2,
	       double y2);
void plot_rect(struct html *h, const char *cls, double x, double y, double w, double hgt);

// Text centred at x, kept inside the plot.
void plot_label(struct html *h, double x, double y, const char *text);

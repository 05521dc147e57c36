// SPDX-License-Identifier: GPL-3.0-or-later
// A verdict for somebody who walks along a row of machines.
#pragma once

#include "common/strbuf.h"

// The word in seven rows of plain characters, each at most 80 columns for words of up to
// nine letters, with an empty line before and after. Letters of the outcomes' names only;
// any other character is a blank.
void report_banner(const char *word, struct strbuf *to);

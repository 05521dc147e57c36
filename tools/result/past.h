// SPDX-License-Identifier: GPL-3.0-or-later
// The note on the medium in which order campaigns of a machine were started. Names of
// folders begin with the wall time, and a machine with a dead battery starts in the same
// year each time.
#pragma once

// Appends the name of `campaign_dir` to the file "order.txt" beside it, unless it is the
// last one there. 0 or -errno.
int past_mark_newest(const char *campaign_dir);

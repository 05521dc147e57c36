// SPDX-License-Identifier: GPL-3.0-or-later
// The note on the medium which campaign of a machine is the newest. Names of folders
// begin with the wall time, and a machine with a dead battery starts in 1970 each time.
#pragma once

// Writes the name of `campaign_dir` into the file "newest" beside it. 0 or -errno.
int past_mark_newest(const char *campaign_dir);

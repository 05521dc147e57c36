// SPDX-License-Identifier: GPL-3.0-or-later
// Which of two versions is newer.
#pragma once

// Compares as the UAPI group's "Version Format Specification" (and systemd-boot) does:
// numbers by value, "~" before anything, "-" "^" "." as separators. <0, 0, >0.
int version_compare(const char *a, const char *b);

// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: what the kernel announces about devices, straight from it.
#pragma once

#include <stddef.h>

#include "common/err.h"

#define UEVENT_MAX 8192 // the kernel's own limit is 2 KiB of variables and the header

// The strings point into the buffer that was parsed; "" where the event lacks one.
struct uevent {
	const char *action, *devpath, *subsystem, *devtype, *modalias;
	const char *name; // kernel name: last part of devpath
};

// Opens the socket; what happens from now on is queued there. The caller closes it.
// Returns the descriptor or -errno.
int uevent_open(struct err *err);

// Receives one message into `buf` of UEVENT_MAX bytes. Returns 1 with `ret` filled, 0
// for a message that is none or is not from the kernel, -EAGAIN, or -ENOBUFS when the
// queue overflowed and events were lost.
int uevent_receive(int fd, char *buf, struct uevent *ret);

// Understands a message of `len` bytes with a NUL at buf[len]. 0 or -EBADMSG.
int uevent_parse(const char *buf, size_t len, struct uevent *ret);

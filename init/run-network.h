// SPDX-License-Identifier: GPL-3.0-or-later
// The network of a boot that came by it: an address by DHCP, plans from a web server, and
// results to one. Nothing here fails a run.
#pragma once

#include "common/cmdline.h"
#include "common/err.h"
#include "common/strbuf.h"

// The web server that this boot has to do with, as a URL that ends with '/': from
// assay.server=, or from who served a pxelinux boot (its ip=). NULL: none. The caller
// frees.
char *network_server(const struct cmdline *c);

// Waits for the card that the machine was booted by (BOOTIF=), or for any, and asks for
// an address. 0, -ENODEV without a card, -ETIMEDOUT without an answer.
int network_start(const struct cmdline *c, struct err *err);

// Asks again: a long run outlives its address.
int network_renew(const struct cmdline *c, struct err *err);

// The plan at `url`. One that ends with '/' is a folder with plans for many machines: the
// first of <MAC>.ini, <serial>.ini, <UUID>.ini and default.ini is taken. `file` gets the
// URL that it came from (the caller frees). 0, -ENOENT when the server has none, or
// another -errno.
int network_plan(const char *url, char **file, struct strbuf *text, struct err *err);

// Uploads every file below `dir` to `url`/..., reads each back and compares. What the
// server has already is not sent again, so that a second call goes on where the first
// failed. Returns how many files are there, or -errno.
int network_upload(const char *dir, const char *url, struct err *err);

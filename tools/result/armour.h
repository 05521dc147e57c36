// SPDX-License-Identifier: GPL-3.0-or-later
// Files as text lines for a serial console, each with its own checksum.
//
//   =assay= RUNID FILE LINE DATA CRC
//
// RUNID is 8 hex digits; FILE a number, 0 for the directory of files; LINE counts from 0
// in each file; DATA is base64 of at most 48 bytes ("." for none); CRC is CRC-32 (8 hex
// digits) of the text from RUNID to the end of DATA. File 0 holds lines of text
// "open N path", "close N bytes crc32" and "end". A line that begins in the middle of
// other output still counts from its "=assay=". Without Assay, file 3 is
//   sed -n 's/.*=assay= RUNID 3 [0-9]* \([^ .]*\) [0-9a-f]*\r*$/\1/p' log | base64 -d
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/fault.h"
#include "common/strbuf.h"

// One line, with "\n", into `to`. At most 48 bytes of data.
void armour_line(struct strbuf *to, const char *run_id, unsigned file, unsigned line,
		 const void *data, size_t len);

#define ARMOUR_BYTES 48

// A decoded line.
struct armour {
	char run_id[9];
	unsigned file, line;
	unsigned char data[ARMOUR_BYTES];
	size_t len;
};

// Decodes the armoured line that starts somewhere in `text`. 0; -ENOENT when there is
// none; -EBADMSG when it is damaged.
int armour_parse(const char *text, size_t len, struct armour *ret);

// Rebuilds the files of every campaign in a captured log below `out_dir`, at the same
// paths as on the stick. Kernel messages between and inside lines are tolerated where
// the checksum still tells the truth. Each damaged or missing line is a fault with the
// log's line number, file and position. Returns the number of files written whole, or
// -errno.
int armour_receive(const char *log, size_t len, const char *log_name, const char *out_dir,
		   struct fault_list *faults, struct err *err);

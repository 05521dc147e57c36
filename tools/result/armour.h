// SPDX-License-Identifier: GPL-3.0-or-later
// Files as text lines for a serial console, each with its own checksum. A file that is
// written again later has a new number; the last whole one counts.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/fault.h"
#include "common/strbuf.h"

// One line, with "\n", into `to`. At most 48 bytes of data.
void armour_line(struct strbuf *to, const char *run_id, unsigned file, unsigned line,
		 const void *data, size_t len);

#define ARMOUR_BYTES 48
#define ARMOUR_MARK  "=assay="

// A decoded line.
struct armour {
	char run_id[9];
	unsigned file, line;
	unsigned char data[ARMOUR_BYTES];
	size_t len;
	bool known; // of a damaged line: run_id, file and line could be read at least
};

// Decodes the armoured line that starts somewhere in `text`. 0; -ENOENT when there is
// none; -EBADMSG when it is damaged.
int armour_parse(const char *text, size_t len, struct armour *ret);

// The same for the next armoured line from `*pos` on, which moves behind it: a lost line
// end puts several into one line of the log.
int armour_next(const char *text, size_t len, size_t *pos, struct armour *ret);

// Rebuilds the files of every campaign in a captured log below `out_dir`, at the same
// paths as on the stick. Kernel messages between and inside lines are tolerated where
// the checksum still tells the truth. A file that is not whole goes to PATH.damaged, one
// without a name to lost-RUNID/FILE; one that was not closed is written as far as it
// came, which is a fault too. A different file that is there already stays. Each damaged
// or missing line is a fault with the log's line number, file and position. Returns the
// number of files written whole, or -errno.
int armour_receive(const char *log, size_t len, const char *log_name, const char *out_dir,
		   struct fault_list *faults, struct err *err);

// SPDX-License-Identifier: GPL-3.0-or-later
// Between the two halves of armour_receive(): what was found in a log.
#pragma once

#include "result/armour.h"

// A good line. 40 bytes and its data: memory stays in proportion to the log.
struct recv_chunk {
	uint32_t run, file, line;
	int log_line; // 1-based
	size_t at;    // of its data in recv_scan.data
	unsigned len;
};

// A line that cannot be trusted. What it claims to be may itself be the damage.
struct recv_damage {
	int log_line;
	bool known; // the three below are what the line says
	uint32_t run, file, line;
	bool told; // a fault was made of it
};

struct recv_scan {
	struct recv_chunk *chunks;
	size_t n, room;
	struct recv_damage *damage;
	size_t n_damage, damage_room;
	struct strbuf data;
	unsigned char *seen; // one bit for each line of the log that held good armour
	size_t seen_room;
};

// Finds every armoured line, mending those that a kernel message cuts in two.
void recv_scan(struct recv_scan *scan, const char *log, size_t len);

// The first line of the log between two that held no good armour, where something that
// left no trace may have been.
int recv_scan_unseen(const struct recv_scan *scan, int after, int before);
void recv_scan_done(struct recv_scan *scan);

// One line of file 0: what is known of a file.
struct recv_file {
	uint32_t file;
	char *path; // NULL: its "open" was lost
	bool closed;
	uint64_t bytes; // as "close" says
	uint32_t crc;
	int open_line, close_line; // of the log
};

struct recv_dir {
	struct recv_file *files;
	size_t n;
};

// What recv_write() needs to know of the place and the people.
struct recv_to {
	const char *log_name, *dir;
	struct fault_list *faults;
};

// Reads the directory from the sorted, unique chunks of file 0.
void recv_dir_read(struct recv_dir *dir, const struct recv_scan *scan,
		   const struct recv_chunk *chunks, size_t n, const struct recv_to *to);
struct recv_file *recv_dir_file(struct recv_dir *dir, uint32_t file);
void recv_dir_done(struct recv_dir *dir);

// Whether a path from a log may be created below a folder: relative, of harmless
// characters, no part of it hidden or "..".
bool recv_path_ok(const char *path);

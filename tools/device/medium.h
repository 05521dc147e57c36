// SPDX-License-Identifier: GPL-3.0-or-later
// The medium that Assay was started from: a CD, a stick, or whatever carries a copy of
// the running image. It is known by what libblkid reads of its filesystem; nothing is
// mounted.
#pragma once

#include "common/cmdline.h"
#include "device/device.h"

struct medium {
	char *build;  // id of the running image; NULL where there is none (a workstation)
	char *loader; // UUID of the filesystem that the boot loader read, as it told;
		      // NULL: started by network, or by a loader of the person's own
	char **disks; // kernel names of the whole disks that carry it; NULL: none
};

#define MEDIUM_IMAGE "/etc/assay/image" // the appliance's record of its own build

// Takes the build's id from `image` (normally MEDIUM_IMAGE, whose lines are "KEY VALUE")
// and the loader's word from assay.medium=UUID. What cannot be read is NULL.
void medium_load(struct medium *m, const char *image, const struct cmdline *cmdline);

// Fills `disks` from a list that was scanned with `probe`. A disk carries the medium when
// it, or a partition of it, holds the filesystem that the loader named, or one that the
// build marked as its own: ISO 9660 labelled ASSAY_<id>, or FAT with the first eight
// digits of the id as its volume number. Copies count: any of them may be the one.
void medium_find(struct medium *m, const struct device_list *list);

// Both for the machine that runs.
void medium_here(struct medium *m, const struct device_list *list);

// A sentence for the record: which disks, or why there is none. The caller frees.
char *medium_describe(const struct medium *m, const struct device_list *list);

// The loader named a medium that no disk here carries: it was pulled, or Linux cannot
// read it.
bool medium_is_missing(const struct medium *m);

void medium_done(struct medium *m);

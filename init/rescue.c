// SPDX-License-Identifier: GPL-3.0-or-later
// What would else be a kernel panic or a riddle.
#include <linux/reboot.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/reboot.h>

#include "common/clock.h"
#include "common/io.h"
#include "ending.h"
#include "rescue.h"

#define SENTINEL "/zz-assay-complete"
#define READING  (120 * CLOCK_SECOND) // for a person to read the message

// Measured with the full i386 image: 46 MB are free after all drivers at 128 MB of RAM;
// mkfs and cryptsetup with a weak key derivation need about 20.
#define SCARCE (UINT64_C(48) << 20)
#define FLOOR  (UINT64_C(16) << 20)

static void give_up(struct init *init)
{
	uint64_t until = clock_mono_ns() + READING;

	say("No disk was touched. The machine powers off in two minutes; Ctrl-Alt-Del "
	    "restarts it.");
	while (clock_mono_ns() < until && init->asked == PID1_UNSAID)
		loop_wait(init, -1, until);
	ending_run(init, pid1_next(false, PID1_UNSAID, init->asked));
}

void rescue_check(struct init *init)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	uint64_t total, available;

	io_read_file("/proc/meminfo", &b, 64 * 1024);
	total = pid1_meminfo(strbuf_str(&b), "MemTotal") >> 20;
	available = pid1_meminfo(strbuf_str(&b), "MemAvailable");
	if (!io_exists(SENTINEL)) {
		say("\nAssay cannot start: its image was cut short while the kernel "
		    "unpacked it, because the memory (%llu MB) is too small for it, or "
		    "because the medium is damaged.",
		    (unsigned long long)total);
		say("What helps: more memory; \"rootfstype=ramfs\" on the kernel command "
		    "line, which lets the image use more than half of it; the i386 "
		    "image, "
		    "which is smaller; or a medium written anew.");
		give_up(init);
	}
	if (available && available < FLOOR) {
		say("\nAssay cannot start: only %llu MB of %llu MB of memory are free. "
		    "Tests and key derivation need at least %llu MB. Add memory, or use "
		    "the i386 image, which is smaller.",
		    (unsigned long long)(available >> 20), (unsigned long long)total,
		    (unsigned long long)(FLOOR >> 20));
		give_up(init);
	}
	if (available && available < SCARCE)
		say("Memory is scarce: %llu MB of %llu MB are free. Unlocking a disk "
		    "whose "
		    "key derivation wants more will fail.",
		    (unsigned long long)(available >> 20), (unsigned long long)total);
}

static void on_fault(int sig)
{
	static const char text[] = "\nassay: PID 1 met a fault of its own; powering off. "
				   "This is a bug, please report it.\n";

	if (getpid() != 1) // a copy of ours, on its way to do one thing
		_exit(128 + sig);
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		sig = 0;
	reboot((int)LINUX_REBOOT_CMD_POWER_OFF);
	reboot((int)LINUX_REBOOT_CMD_HALT);
	for (;;)
		poll(NULL, 0, sig ? 1000 : 2000);
}

void rescue_catch_faults(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	const struct sigaction action = { .sa_handler = on_fault,
					  .sa_flags = SA_NODEFER };

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &action, NULL);
}

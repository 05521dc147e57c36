// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's own filesystems and settings that everything else needs.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "init.h"
#include "mounts.h"

struct mount_row {
	const char *type, *dir, *options;
	unsigned long flags;
	bool optional; // not every machine or kernel has it
};

#define QUIET_FLAGS (MS_NOSUID | MS_NODEV | MS_NOEXEC)

static const struct mount_row rows[] = {
	{ "proc", "/proc", NULL, QUIET_FLAGS, false },
	{ "sysfs", "/sys", NULL, QUIET_FLAGS, false },
	{ "tmpfs", "/run", "mode=755,size=25%", MS_NOSUID | MS_NODEV, false },
	{ "devpts", "/dev/pts", "mode=620,gid=5,ptmxmode=666", MS_NOSUID | MS_NOEXEC,
	  false },
	{ "tmpfs", "/dev/shm", "mode=1777,size=25%", MS_NOSUID | MS_NODEV, false },
	{ "tmpfs", "/tmp", "mode=1777,size=25%", MS_NOSUID | MS_NODEV, false },
	{ "cgroup2", "/sys/fs/cgroup", NULL, QUIET_FLAGS, false },
	// Read-only: Assay looks at Secure Boot's state, and boot variables are not ours.
	{ "efivarfs", "/sys/firmware/efi/efivars", NULL, QUIET_FLAGS | MS_RDONLY, true },
};

int mounts_dev(void)
{
	mkdir("/dev", 0755);
	if (mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID, "mode=755") == 0 ||
	    errno == EBUSY)
		return 0;
	return -errno;
}

void mounts_stdio(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0) // a kernel without devtmpfs, or a damaged image
		fd = open("/", O_RDONLY | O_CLOEXEC);
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
	fd = open("/dev/console", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static void mount_row(const struct mount_row *row)
{
	if (row->optional && !io_exists(row->dir))
		return;
	mkdir(row->dir, 0755);
	if (mount(row->type, row->dir, row->type, row->flags, row->options) < 0 &&
	    !row->optional && errno != EBUSY)
		say("%s could not be mounted on %s: %s. Parts of Assay will not work.",
		    row->type, row->dir, strerror(errno));
}

static void make_folders(void)
{
	static const struct {
		const char *path;
		mode_t mode;
	} folders[] = {
		{ "/run/assay", 0755 },    { "/run/lock", 0755 },
		{ "/run/lock/lvm", 0700 }, { "/run/lvm", 0700 },
		{ "/run/mdadm", 0700 },    { "/run/cryptsetup", 0700 },
		{ "/root", 0700 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		mkdir(folders[i].path, folders[i].mode);
}

static void set_controllers(void)
{
	static const char *const names[] = { "+memory", "+io", "+cpu", "+pids" };

	// One by one: a kernel without one of them would refuse them all.
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		io_write_file("/sys/fs/cgroup/cgroup.subtree_control", names[i]);
}

void mounts_up(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		mount_row(&rows[i]);
	make_folders();
	set_controllers();
	symlink("/proc/self/fd", "/dev/fd");
	// Programs in the image may write to the kernel log without being rate limited.
	io_write_file("/proc/sys/kernel/printk_devkmsg", "on\n");
	io_write_file("/proc/sys/kernel/hostname", "assay\n");
}

void mounts_quiet(bool quiet)
{
	io_write_file("/proc/sys/kernel/printk", quiet ? "4 4 1 7\n" : "7 4 1 7\n");
}

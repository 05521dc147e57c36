/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest of the harness's own tests: an /init that behaves well or badly, as `mode=`
 * on the kernel command line says (the kernel puts such words into the environment). */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#define CLASS_XHCI    0x0c0330UL /* PCI class of a USB 3 controller */
#define XHCI_BAR_SIZE 0x4000     /* bytes; QEMU's controller */
#define XHCI_PORTS    16
#define POLL_US       20000

static void good(void)
{
	puts("guest: well");
}

static void hang(void)
{
	puts("guest: now silent");
	for (;;)
		pause();
}

static void quiet(void)
{
	for (;;)
		pause();
}

static void panic(void)
{
	exit(1); /* the end of PID 1 is a panic */
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		perror(path);
	if (fd >= 0)
		close(fd);
}

static void warning(void)
{
	write_file("/dev/kmsg", "<4>WARNING: CPU: 0 PID: 1 at tests/guest.c:1 fake");
	puts("guest: WARNING: only a program's own words");
}

static void again(void)
{
	puts("guest: resets the machine");
	sync();
	reboot(RB_AUTOBOOT);
}

static void echo(void)
{
	char line[200];

	puts("guest: say something");
	if (fgets(line, sizeof(line), stdin))
		printf("guest: heard %s", line);
}

static void shell(void)
{
	char *const argv[] = { "sh", "-i", NULL };
	char *const envp[] = { "PS1=assay# ", "PATH=/bin", NULL };

	execve("/bin/sh", argv, envp);
	perror("/bin/sh");
}

/* The registers of the USB controller, found by its class; no driver is needed to read
 * them. */
static volatile uint8_t *xhci_map(void)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *entry;
	char path[512], class[16];
	void *bar;
	int fd;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/class",
			 entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(class, 0, sizeof(class));
		if (read(fd, class, sizeof(class) - 1) > 0 &&
		    strtoul(class, NULL, 16) == CLASS_XHCI) {
			close(fd);
			snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/enable",
				 entry->d_name);
			write_file(path, "1");
			snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0",
				 entry->d_name);
			fd = open(path, O_RDWR | O_CLOEXEC);
			bar = mmap(NULL, XHCI_BAR_SIZE, PROT_READ, MAP_SHARED, fd, 0);
			return bar == MAP_FAILED ? NULL : bar;
		}
		close(fd);
	}
	return NULL;
}

/* Says how many USB ports are occupied, whenever that changes, until a stick came and
 * went again. */
static void ports(void)
{
	volatile uint8_t *bar = xhci_map();
	int before = -1, changes = 0;

	if (!bar) {
		puts("guest: no USB controller");
		return;
	}
	while (changes < 3) {
		int now = 0;

		for (int port = 0; port < XHCI_PORTS; port++) {
			volatile uint8_t *status = bar + bar[0] + 0x400 + 0x10 * port;

			now += *(volatile uint32_t *)status & 1;
		}
		if (now != before) {
			printf("guest: %d ports occupied\n", now);
			changes++;
		}
		before = now;
		usleep(POLL_US);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{ "good", good },   { "hang", hang },       { "quiet", quiet },
	{ "panic", panic }, { "warning", warning }, { "reset", again },
	{ "echo", echo },   { "shell", shell },     { "ports", ports },
};

int main(void)
{
	const char *mode = getenv("mode");

	setlinebuf(stdout);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);

	for (size_t i = 0; mode && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(mode, modes[i].name))
			modes[i].run();
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}

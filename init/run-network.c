// SPDX-License-Identifier: GPL-3.0-or-later
// The network card and its address, by busybox' udhcpc.
#include <dirent.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/process.h"
#include "run-network.h"

#define NET_DIR      "/sys/class/net"
#define ETHERNET     1 // ARPHRD_ETHER
#define CARD_WAIT    (20 * CLOCK_SECOND)
#define CARRIER_WAIT (8 * CLOCK_SECOND)
#define DHCP_SCRIPT  "/etc/assay/dhcp"
#define MAC_LENGTH   17 // "52:54:00:12:34:56"

char *network_server(const struct cmdline *c)
{
	const char *told = cmdline_get(c, "assay.server"), *ip = cmdline_get(c, "ip");
	const char *colon;
	size_t len;

	if (told && *told)
		return mem_printf("%s%s", told, told[strlen(told) - 1] == '/' ? "" : "/");
	// ip=CLIENT:SERVER:GATEWAY:MASK
	colon = ip && cmdline_get(c, "BOOTIF") ? strchr(ip, ':') : NULL;
	len = colon ? strcspn(colon + 1, ":") : 0;
	return len ? mem_printf("http://%.*s/", (int)len, colon + 1) : NULL;
}

// BOOTIF=01-52-54-00-12-34-56, with the kind of network before the address; GRUB writes
// colons.
static bool is_wanted(const char *address, const char *bootif)
{
	if (!bootif || strlen(bootif) != MAC_LENGTH + 3)
		return true;
	for (size_t i = 0; i < MAC_LENGTH; i++) {
		char a = address[i], b = bootif[i + 3];

		if (i % 3 != 2 && strncasecmp(&a, &b, 1) != 0)
			return false;
	}
	return true;
}

static int flag_up(const char *name)
{
	_cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &r) < 0)
		return -errno;
	r.ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &r) < 0 ? -errno : 0;
}

struct cards {
	const char *bootif;
	bool carrier; // only such as have a cable in them
	char names[8][IFNAMSIZ];
	size_t n;
};

static void look_for_cards(struct cards *c)
{
	DIR *dir = opendir(NET_DIR);
	struct dirent *e;

	c->n = 0;
	while (dir && (e = readdir(dir)) && c->n < ARRAY_SIZE(c->names)) {
		_cleanup_free_ char *mac = io_read_line(NET_DIR "/%s/address", e->d_name);

		if (e->d_name[0] == '.' || !mac || strlen(mac) != MAC_LENGTH ||
		    io_read_number(0, NET_DIR "/%s/type", e->d_name) != ETHERNET ||
		    !is_wanted(mac, c->bootif))
			continue;
		if (c->carrier &&
		    io_read_number(0, NET_DIR "/%s/carrier", e->d_name) != 1)
			continue;
		snprintf(c->names[c->n++], IFNAMSIZ, "%s", e->d_name);
	}
	if (dir)
		closedir(dir);
}

// Looks again whenever the kernel tells that a card has come or a cable was plugged in.
static void wait_for_cards(struct cards *c, uint64_t deadline_ns)
{
	const struct sockaddr_nl links = { .nl_family = AF_NETLINK,
					   .nl_groups = RTMGRP_LINK };
	_cleanup_close_ int fd = socket(
		AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char event[8192];
	bool listens =
		fd >= 0 && bind(fd, (const struct sockaddr *)&links, sizeof(links)) == 0;

	look_for_cards(c);
	while (listens && !c->n && poll(&p, 1, clock_poll_ms(deadline_ns)) > 0) {
		while (recv(fd, event, sizeof(event), 0) > 0)
			;
		look_for_cards(c);
	}
}

static int ask(const char *card, struct err *err)
{
	const char *const argv[] = { "udhcpc", "-f", "-q", "-n", "-t",        "6", "-T",
				     "3",      "-i", card, "-s", DHCP_SCRIPT, NULL };
	_cleanup_process_ struct process p = { .argv = argv };

	return process_run(&p, err) < 0 ? -ETIMEDOUT : 0;
}

int network_renew(const struct cmdline *c, struct err *err)
{
	struct cards cards = { .bootif = cmdline_get(c, "BOOTIF"), .carrier = true };
	int r = -ENODEV;

	err_set(err, r, "no network card has a cable in it");
	wait_for_cards(&cards, clock_mono_ns() + CARRIER_WAIT);
	for (size_t i = 0; i < cards.n && r < 0; i++)
		r = ask(cards.names[i], err);
	return r;
}

int network_start(const struct cmdline *c, struct err *err)
{
	struct cards cards = { .bootif = cmdline_get(c, "BOOTIF") };
	int r;

	wait_for_cards(&cards, clock_mono_ns() + CARD_WAIT);
	if (!cards.n)
		return err_set(err, -ENODEV,
			       "no network card%s%s: it has no driver here, or the "
			       "initramfs with network drivers (network.img) was not "
			       "loaded",
			       cards.bootif ? " of address " : "",
			       cards.bootif ? cards.bootif : "");
	for (size_t i = 0; i < cards.n; i++) {
		r = flag_up(cards.names[i]);
		if (r < 0)
			return err_set(err, r, "%s: %s", cards.names[i], strerror(-r));
	}
	return network_renew(c, err);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernel announces about devices. A message is "ACTION@DEVPATH" and KEY=VALUE
// strings, each with a NUL at its end (kernel, lib/kobject_uevent.c).
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "device/uevent.h"

#define GROUP_KERNEL 1
// A machine with many disks sends some hundred events of 0.5 KB within a second; each
// takes a whole page or more of the buffer's account.
#define RECEIVE_BUFFER (16 << 20)

int uevent_open(struct err *err)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK,
					     .nl_groups = GROUP_KERNEL };
	const int size = RECEIVE_BUFFER, on = 1;
	_cleanup_close_ int fd =
		socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       NETLINK_KOBJECT_UEVENT);

	if (fd < 0)
		return err_set(err, -errno,
			       "the kernel's device events cannot be had: %s",
			       strerror(errno));
	// Without the right to a large buffer a small one serves; a loss is noticed.
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return err_set(err, -errno,
			       "the kernel's device events cannot be had: %s",
			       strerror(errno));
	return TAKE_FD(fd);
}

// Only the kernel (port 0) acting as root; any other process may send to this socket.
static int from_kernel(const struct sockaddr_nl *from, struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	struct ucred cred;

	if (from->nl_pid != 0 || from->nl_groups != GROUP_KERNEL || !c ||
	    c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS)
		return 0;
	memcpy(&cred, CMSG_DATA(c), sizeof(cred));
	return cred.uid == 0;
}

int uevent_receive(int fd, char *buf, struct uevent *ret)
{
	char control[CMSG_SPACE(sizeof(struct ucred))];
	struct sockaddr_nl from = { 0 };
	struct iovec part = { .iov_base = buf, .iov_len = UEVENT_MAX - 1 };
	struct msghdr m = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(fd, &m, 0);

	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	if ((m.msg_flags & MSG_TRUNC) || !from_kernel(&from, &m))
		return 0;
	buf[n] = '\0';
	return uevent_parse(buf, (size_t)n, ret) == 0;
}

int uevent_parse(const char *buf, size_t len, struct uevent *ret)
{
	const struct {
		const char *key;
		const char **value;
	} keys[] = {
		{ "ACTION=", &ret->action },       { "DEVPATH=", &ret->devpath },
		{ "SUBSYSTEM=", &ret->subsystem }, { "DEVTYPE=", &ret->devtype },
		{ "MODALIAS=", &ret->modalias },
	};
	const char *end = buf + len, *slash;

	*ret = (struct uevent){ "", "", "", "", "", "" };
	if (len == 0 || !memchr(buf, '@', strlen(buf)))
		return -EBADMSG;
	for (const char *p = buf + strlen(buf) + 1; p < end; p += strlen(p) + 1)
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			size_t n = strlen(keys[i].key);

			if (strncmp(p, keys[i].key, n) == 0)
				*keys[i].value = p + n;
		}
	slash = strrchr(ret->devpath, '/');
	if (!*ret->action || !slash)
		return -EBADMSG;
	ret->name = slash + 1;
	return 0;
}

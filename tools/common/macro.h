// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes and small macros that every file may use, and nothing more.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _must_check_        __attribute__((warn_unused_result))
#define _unused_            __attribute__((unused))
#define _cleanup_(fn)       __attribute__((cleanup(fn)))

// Number of elements; refuses a pointer at compile time.
#define ARRAY_SIZE(a)                                                        \
	(sizeof(a) / sizeof((a)[0]) +                                        \
	 0 * sizeof(char[1 - 2 * __builtin_types_compatible_p(__typeof__(a), \
							      __typeof__(&(a)[0]))]))

// Hands ownership on: yields the pointer and leaves NULL behind.
#define TAKE_PTR(p)                                \
	({                                         \
		__typeof__(p) *take_ptr_ = &(p);   \
		__typeof__(p) taken_ = *take_ptr_; \
		*take_ptr_ = NULL;                 \
		taken_;                            \
	})

// Hands a file descriptor on: yields it and leaves -1 behind.
#define TAKE_FD(fd)                     \
	({                              \
		int *take_fd_ = &(fd);  \
		int taken_ = *take_fd_; \
		*take_fd_ = -1;         \
		taken_;                 \
	})

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _cleanup_free_  _cleanup_(cleanup_free)
#define _cleanup_close_ _cleanup_(cleanup_close)

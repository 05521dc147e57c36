// SPDX-License-Identifier: GPL-3.0-or-later
// cmocka with the headers that it wants before it, in the order that it wants them.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes as people write them."""


Size = int | str
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def size_bytes(size: Size) -> int:
    """`"256M"` or `268435456`, as bytes."""
    if isinstance(size, int):
        return size
    if size[-1:].upper() in UNITS:
        return int(size[:-1]) * UNITS[size[-1].upper()]
    return int(size)

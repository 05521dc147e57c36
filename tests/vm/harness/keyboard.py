# SPDX-License-Identifier: GPL-3.0-or-later
"""From characters to the keys of a US keyboard, by QEMU's names."""

from typing import Any

NAMED = {" ": "spc", "\n": "ret", "\t": "tab", "-": "minus", "=": "equal", "[": "bracket_left",
         "]": "bracket_right", ";": "semicolon", "'": "apostrophe", "`": "grave_accent",
         "\\": "backslash", ",": "comma", ".": "dot", "/": "slash"}
SHIFTED = dict(zip('!@#$%^&*()_+{}|:"~<>?', "1234567890-=[]\\;'`,./"))


def chord(keys: str) -> dict[str, Any]:
    """Arguments of `send-key` for `"ctrl-alt-delete"` or `"ret"`."""
    return {"keys": [{"type": "qcode", "data": key} for key in keys.split("-")]}


def keys_for(character: str) -> str:
    """The chord that types one character."""
    if character in SHIFTED:
        return "shift-" + keys_for(SHIFTED[character])
    if character.isupper():
        return "shift-" + character.lower()
    return NAMED.get(character, character)

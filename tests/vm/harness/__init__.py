# SPDX-License-Identifier: GPL-3.0-or-later
"""The vm ring's harness: machines by declaration, and nothing that can hang."""

from .devices import Net
from .disk import Disk
from .machine import Machine
from .outcome import Outcome
from .stick import Stick

__all__ = ["Disk", "Machine", "Net", "Outcome", "Stick"]

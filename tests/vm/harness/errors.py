# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with a guest, each under its own name."""


class VmFailure(Exception):
    """A guest did not do what the test asked for."""


class GuestPanicked(VmFailure):
    """The guest's kernel panicked."""


class GuestSilent(VmFailure):
    """Nothing came over the serial line for too long."""


class GuestTimedOut(VmFailure):
    """A deadline passed: that of one wait, or the hard one of the whole boot."""


class GuestGone(VmFailure):
    """The guest ended while the test still waited for something else."""


class GuestRebooted(VmFailure):
    """The guest reset the machine where a power-off was expected, or did so too often."""


class GuestPoweredOff(VmFailure):
    """The guest powered off where a reset was expected."""


class KernelTrouble(VmFailure):
    """The kernel's log holds a warning that the test does not allow."""


class NoResult(VmFailure):
    """The guest left no result on any stick, or more than one."""


class QemuFailed(VmFailure):
    """QEMU itself did not start, or ended with an error."""


class QmpError(VmFailure):
    """QEMU refused a QMP command, or is gone."""


class CommandFailed(VmFailure):
    """A command in the guest's shell ended with a status other than 0."""


class Missing(VmFailure):
    """Something that the test needs has not been built."""

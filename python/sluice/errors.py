"""The exceptions of this package, except those of a run that started: see sluice.exit_codes.

All other modules may import this one. It imports none of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any


class SluiceError(Exception):
    """Any error of this package."""


class SluiceWarning(UserWarning):
    """A warning of the program."""


class NotThere(SluiceError, LookupError):
    """No snapshot, group, probe, body or key of that name or time. The text lists those that exist.
    """

    def __str__(self) -> str:  # KeyError and its kin would print quotes around the text
        return str(self.args[0]) if self.args else ""


class ProgramError(SluiceError):
    """The program ended with another exit code than 0. The text is its own message.

    code: its exit code. command: its words. run: the sluice.Run of the folder as it was left, or
    None.
    """

    code = 0

    def __init__(
        self,
        message: str,
        code: int | None = None,
        command: Sequence[str] = (),
        run: Any = None,
    ):
        super().__init__(message)
        self.code = type(self).code if code is None else code
        self.command = list(command)
        self.run = run


class ConfigError(ProgramError):
    """Exit code 2: the config, a changed key or an option is wrong. Nothing was run."""

    code = 2


class FileError(ProgramError):
    """Exit code 3: a file is missing or wrong, results were lost, or the folder is in use.

    Reading a run's folder raises it, too."""

    code = 3


class DeviceError(ProgramError):
    """Exit code 4: the device or the memory does not suffice."""

    code = 4


class NoField(FileError, AttributeError):
    """The snapshot has no field of that name. The text lists those that it has."""


def listed(names: Iterable[str], wanted: str = "", more: Iterable[str] = ()) -> str:
    """The names that exist, after the one that was probably meant. more: further names that may be
    meant."""
    found = list(names)
    near = difflib.get_close_matches(wanted, [*found, *more], n=1)
    meant = f"did you mean '{near[0]}'? " if near else ""
    return f"{meant}there are {', '.join(found)}" if found else "there are none"

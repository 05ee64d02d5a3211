"""The exceptions of a run that started, one for each exit code. They hold a Run, so this module
imports runs.py."""

from __future__ import annotations

from sluice.errors import ConfigError, DeviceError, FileError, ProgramError
from sluice.runs import Run


class NotConserved(ProgramError):
    """Exit code 1: the run finished, but its energy budget is open by more than the tolerance."""

    code = 1
    run: Run | None


class BlowUp(ProgramError):
    """Exit code 5: the simulation blew up. `run` has the snapshots before."""

    code = 5
    run: Run | None


class Stopped(ProgramError):
    """Exit code 75, 129, 130 or 143: the run was stopped. `sluice.restart` continues it from its
    last checkpoint, if it has one."""

    code = 75
    run: Run | None


BY_CODE: dict[int, type[ProgramError]] = {
    error.code: error for error in (NotConserved, ConfigError, FileError, DeviceError, BlowUp)
} | {code: Stopped for code in (75, 129, 130, 143, -1, -2, -15)}

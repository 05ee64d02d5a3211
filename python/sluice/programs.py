"""Where the program is, and the errors that it ends with."""

from __future__ import annotations

import os
import shutil

from sluice.errors import FileError

FAILED = "sluice: error: "


def find_program() -> str:
    """The path of the program: $SLUICE, or beside this package (the build of its tree, or the
    prefix it is installed in), or the first on the PATH."""
    named = os.environ.get("SLUICE")
    if named:
        found = shutil.which(named)
        if not found:
            raise FileError(f"SLUICE names {named}, which cannot be run: correct it, or unset it")
        return found
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tree = os.path.join(root, "build", "sluice")
    prefix = os.path.join(os.path.dirname(os.path.dirname(root)), "bin", "sluice")
    for path in (tree, prefix):
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    found = shutil.which("sluice")
    if not found:
        raise FileError(
            "the program sluice is neither beside this package nor on the PATH: build it with"
            " 'make', install it with 'make install', or name it in SLUICE"
        )
    return found


def message_of(code: int, said: list[str], command: list[str]) -> str:
    """The message of a program that ended with an exit code. said: its lines on standard error."""
    at = max((i for i, line in enumerate(said) if line.startswith(FAILED)), default=None)
    told = said[at:] if at is not None else said[-10:]
    text = "\n".join(told).removeprefix(FAILED).strip()
    if text:
        return text
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"{' '.join(command[:2])} {how}"

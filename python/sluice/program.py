"""Starts the program sluice: runs, restarts, checks. Its exit codes become exceptions."""

from __future__ import annotations

import contextlib
import difflib
import errno
import fcntl
import inspect
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from sluice import finished
from sluice.config import text_of
from sluice.errors import ConfigError, FileError, ProgramError, SluiceWarning
from sluice.exit_codes import BY_CODE, NotConserved
from sluice.programs import FAILED, find_program, message_of
from sluice.progress import LINE, Display, Wanted, display_for
from sluice.runs import Run, is_run

PathLike = os.PathLike[str]
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def run(
    config: str | PathLike,
    *,
    out: str | PathLike | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    backend: str | None = None,
    precision: str | None = None,
    strategy: str | None = None,
    threads: int | None = None,
    ranks: int | None = None,
    replay: str | PathLike | None = None,
    force: bool = False,
    reuse: bool = False,
    strict: bool = True,
    progress: Wanted = None,
    **keys: Any,
) -> Run:
    """Runs a config to its end and returns the run.

        sluice.run("dam.cfg")
        sluice.run("dam.cfg", spacing=0.001, out="out/fine")
        sluice.run("dam.cfg", set={"fluid.viscosity.alpha": 0.05})
        sluice.run("dam.cfg", fluid__viscosity__alpha=0.05)       # the same

    config: a config's file. out: the folder to write to; None: out/CONFIG's name. set, keys: keys
    of the config that are changed, by their paths, a dot may be written as two underscores.
    backend, precision, strategy, threads, ranks, replay: as the program's options.

    force: removes an earlier run from the folder; otherwise a folder that is not empty is a
    FileError or ConfigError. reuse: a finished run of the same config, keys and program in the
    folder is returned instead, and any other is removed: cells of a notebook can be run again.

    strict: a run whose energy budget is open raises NotConserved; False: it is returned with a
    warning. progress: None shows it in notebooks and terminals, see `sluice.progress`.

    Raises ConfigError, FileError, DeviceError, BlowUp, Stopped with the program's message; each has
    the `run` as far as it came. Warnings of the program are Python's (SluiceWarning). Ctrl-C stops
    the program after a checkpoint; `restart` goes on from there."""
    folder = os.fspath(out) if out is not None else default_folder(config)
    settings = _settings(set, keys)
    options = _options(backend=backend, precision=precision, strategy=strategy, replay=replay)
    stamp = None
    if reuse:
        stamp = finished.stamp_of(os.fspath(config), settings, options=options, version=version())
        if finished.is_result(folder, stamp):
            return _judged(Run(folder), strict, stacklevel=3)
        finished.forget(folder)
    words = ["run", os.fspath(config), "--out", folder, *options, *_set(settings)]
    words += _options(threads=threads, ranks=ranks)  # they change no result
    words += ["--force"] if force or reuse else []
    with _naming_arguments("run", keys):
        done = follow([find_program(), *words], folder, strict, progress)
    if stamp is not None:
        finished.keep(folder, stamp)
    return done


def restart(
    run: Run | str | PathLike,
    *,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    threads: int | None = None,
    ranks: int | None = None,
    strict: bool = True,
    progress: Wanted = None,
    **keys: Any,
) -> Run:
    """Continues a run in its folder, to the same bits as if it had never stopped.

        sluice.restart("out/dam", time__end=2.0)        # further than it was meant to go

    Only time.end, time.max_steps, output.* and a few of backend.* may change. The rest is as of
    `run`."""
    folder = run.path if isinstance(run, Run) else os.fspath(run)
    words = ["restart", folder, *_options(threads=threads, ranks=ranks)]
    words += _set(_settings(set, keys))
    finished.forget(folder)
    with _naming_arguments("restart", keys):
        return follow([find_program(), *words], folder, strict, progress)


def check(
    config: str | PathLike,
    *,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    backend: str | None = None,
    precision: str | None = None,
    write: str | PathLike | None = None,
    **keys: Any,
) -> dict[str, Any]:
    """What a run would do, without a step of it: "fluid_particles", "expected_steps",
    "memory_bytes", "shapes", and so on, as `sluice check --json` prints it.

    write: a new file for the particles of the start, which `sluice.Snapshot` reads. A config that
    is wrong raises ConfigError; the program's warnings are Python's, too."""
    words = ["check", os.fspath(config), "--json", *_set(_settings(set, keys))]
    words += _options(backend=backend, precision=precision, write=write)
    command = [find_program(), *words]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          check=False)
    if done.returncode != 0:
        with _naming_arguments("check", keys):
            raise _error(done.returncode, done.stderr.splitlines(), command, None)
    found: dict[str, Any] = json.loads(done.stdout)
    for text in found.get("warning_texts", []):
        warnings.warn(text, SluiceWarning, stacklevel=2)
    return found


def version(program: str | None = None) -> str:
    """Version, revision and compiler of the program, as `sluice --version` says them."""
    program = program or find_program()
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise FileError(f"{program} cannot be run: {error.strerror}") from error
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        raise FileError(f"{program} --version says nothing (exit {done.returncode})")
    return lines[0]


def default_folder(config: str | PathLike) -> str:
    """The program's default folder for a config's run: out/CONFIG's name."""
    return os.path.join("out", os.path.splitext(os.path.basename(os.fspath(config)))[0])


def _options(**values: Any) -> list[str]:
    return [word for name, value in values.items() if value is not None
            for word in (f"--{name}", os.fspath(value) if name in ("replay", "write")
                         else str(value))]


def _settings(changed: Mapping[str, Any] | None, keys: Mapping[str, Any]) -> list[str]:
    """KEY=VALUE of all changed keys, in their order."""
    every = {**(changed or {}), **{key.replace("__", "."): value for key, value in keys.items()}}
    return [f"{key}={text_of(value)}" for key, value in every.items()]


@contextlib.contextmanager
def _naming_arguments(function: str, keys: Mapping[str, Any]) -> Iterator[None]:
    """A misspelt argument of a function looks like a key of the config. The error of that key also
    names the argument that was probably meant."""
    try:
        yield
    except ConfigError as error:
        arguments = list(inspect.signature(globals()[function]).parameters)[1:-1]
        text = str(error)
        for key in keys:
            near = difflib.get_close_matches(key, arguments, n=1, cutoff=0.75)
            if near and text.startswith(f"--set {key}="):
                meant = f"did you mean the argument '{near[0]}' of sluice.{function}?"
                told = re.sub(r"(: unknown key): .*", r"\1", text, count=1, flags=re.DOTALL)
                error.args = (f"{told}: {meant}",)
        raise


def _set(settings: list[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def follow(command: list[str], folder: str, strict: bool = True, progress: Wanted = False) -> Run:
    """Starts a command that runs in a folder, shows its progress, and returns the run, or raises
    what went wrong. `run` and `restart` make the command."""
    display = display_for(progress, os.path.basename(os.path.abspath(folder)))
    try:
        code, said = _watch(command, display)
    finally:
        if display:
            display.close()
    for line in said:
        if "warning: " in line and not line.startswith(FAILED):
            warnings.warn(line.replace("warning: ", "", 1), SluiceWarning, stacklevel=3)
    result = Run(folder) if is_run(folder) else None
    if code not in (0, 1) or result is None:
        raise _error(code, said, command, result)
    return _judged(result, strict, stacklevel=4, code=code)


def _judged(run: Run, strict: bool, stacklevel: int, code: int | None = None) -> Run:
    """The run; NotConserved, or a warning, if its energy budget is open. code: the program's; None:
    not known."""
    if code is None:
        code = int(run.has("energy.csv") and run.verdict.conserved is False)
    if code == 0:
        return run
    text = f"{run.path}: {run.verdict}"
    if strict:
        raise NotConserved(text, run=run)
    warnings.warn(text, SluiceWarning, stacklevel=stacklevel)
    return run


def _watch(command: list[str], display: Display | None) -> tuple[int, list[str]]:
    """Runs the program to its end. Returns its exit code, and its lines except those of progress.

    The program draws its progress line on a terminal only, so it gets one. It is in this process
    group, so an interrupt reaches it, too: it writes a checkpoint, and this function waits for it.
    An error of the display, as of a user's function, interrupts the program as well."""
    reader, writer = pty.openpty() if display else os.pipe()
    if display:
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("4H", 24, 240, 0, 0))
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=writer, env={**os.environ, "NO_COLOR": "1"})
    except OSError as error:
        os.close(reader)
        raise FileError(f"{command[0]} cannot be run: {error.strerror}") from error
    finally:
        os.close(writer)
    lines, said = _Lines(reader), []
    trouble: BaseException | None = None
    while lines.open:
        try:
            for line in lines.read():
                progress = LINE.fullmatch(line)
                if not progress:
                    said.append(line)
                elif display:
                    display.show(float(progress[1]) / 100, progress[2])
        except KeyboardInterrupt as error:
            if trouble:  # the first interrupt did not suffice, or did not arrive
                child.send_signal(signal.SIGINT)
            trouble = error
        except Exception as error:
            if not trouble:
                child.send_signal(signal.SIGINT)
            trouble, display = error, None
    code = child.wait()
    if trouble:
        raise trouble
    return code, said


class _Lines:
    """The lines that a program writes to a pipe or a terminal, which is closed at their end."""

    def __init__(self, reader: int):
        self.reader, self.open, self.rest = reader, True, ""

    def read(self) -> list[str]:
        """The lines that are there; waits for some."""
        try:
            data = os.read(self.reader, 65536)
        except OSError as error:
            if error.errno != errno.EIO:  # a terminal whose other side was closed
                raise
            data = b""
        if not data:
            os.close(self.reader)
            self.open = False
        text = self.rest + ESCAPES.sub("", data.decode(errors="replace"))
        *lines, self.rest = re.split(r"[\r\n]+", text)
        if not self.open:
            lines, self.rest = [*lines, self.rest], ""
        return [line for line in lines if line.strip()]


def _error(code: int, said: list[str], command: list[str], run: Run | None) -> ProgramError:
    """The exception of an exit code, with the program's message."""
    text = message_of(code, said, command)
    return BY_CODE.get(code, ProgramError)(text, code, command, run)

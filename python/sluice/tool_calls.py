"""What the program's tools do to a run, as methods: measure, plot, movie, surface, report."""

from __future__ import annotations

import importlib.util
import json
import numbers
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from sluice.errors import ConfigError, DeviceError, FileError, ProgramError
from sluice.image import Image
from sluice.programs import find_program, message_of
from sluice.tables import Table, read_table
from sluice.units import Units

_BY_CODE = {error.code: error for error in (ConfigError, FileError, DeviceError)}
Place = Sequence[float]
Line = tuple[Place, Place, int]
Measured = Union[Table, list[Image]]


class ToolCalls:
    """The tools' methods of a run. Each starts the program on the run's folder: options are those
    of its help, as low_pass=50 for --low-pass 50, and what is wrong raises ConfigError, FileError
    or DeviceError with the program's message."""

    path: str

    @property
    def units(self) -> Units:
        raise NotImplementedError

    def measure(self, *, points: Any = None, line: Line | Sequence[Line] | None = None,
                plane: str | Sequence[str] | None = None,
                grid: float | Sequence[int] | None = None, total: bool = False,
                flux: tuple[Place, Place] | None = None, box: tuple[Place, Place] | None = None,
                **options: Any) -> Measured | list[Measured]:
        """Fields at places of your choice, by `sluice measure`.

            run.measure(points=[[0.1, 0.02], [0.2, 0.02]])["pressure"]
            run.measure(line=((0.02, 0), (0.02, 0.06), 13), times=[0.1, 0.2])
            run.measure(plane="y=0.5:0.01", fields="Speed")[-1]["speed"]
            run.measure(total=True, box=((0, 0), (0.1, 0.1)))["kinetic"]
            low, high = run.measure(plane=["z=0.1", "z=0.3"])    # two lists of images

        points: [n, 2] or [n, 3], m, or a CSV file. line: both ends (m) and the number of places.
        plane: "AXIS=PLACE", m, with ":" and the distance of places. grid: the distance of places,
        m, or their numbers along the axes. flux: two corners of a section, m. box: its low and high
        corner, m. Give one of points, line, plane, grid, total, flux; lines and planes also as a
        list of them, and both together.

        options: times ("all", "last", or s), fields, reduce, above, with_walls, shape, min_weight,
        threads, out.

        Returns the table, a row a time and place, with its units (`table.units`); of planes and
        grids a list of images. Of lists these in a list, in their order, lines before planes. The
        program reads each snapshot anew for each line and plane."""
        where = {"grid": grid, "total": total or None,
                 "flux": flux and f"{_place(flux[0])}:{_place(flux[1])}",
                 "box": box and f"{_place(box[0])}:{_place(box[1])}"}
        lines, of_lines = _several(line, _is_line(line))
        planes, of_planes = _several(plane, isinstance(plane, str))
        again = [f"--line={_line(one)}" for one in lines] + [f"--plane={one}" for one in planes]
        with tempfile.TemporaryDirectory() as folder:
            if points is not None:
                where["points"] = _points_file(points, folder)
            said = json.loads(self._call("measure", {**where, **options, "json": True}, again))
        found = [self._measured(part["file"]) for part in said.get("measurements", [said])]
        return found if of_lines or of_planes or len(found) > 1 else found[0]

    def _measured(self, path: str) -> Measured:
        return read_table(path, self.units) if path.endswith(".csv") else _images(path)

    def plot(self, **options: Any) -> list[str]:
        """Draws pictures of the run, by `sluice plot`: the paths of their files.

            run.plot(probe=["g1", "g2"], start=4, end=6, low_pass=8)

        options: probe, body, mooring, opening, column (names), start, end (s), low_pass (Hz),
        field, times (s), snapshots, camera, zoom, slice, range, hide, format, reference, columns,
        factors, label, out. Remarks of the tool are printed."""
        return self._made("plot", options)

    def movie(self, **options: Any) -> str:
        """Draws a movie of all snapshots, by `sluice movie`, which needs ffmpeg: the path of its
        file.

        options: field, every (each Nth snapshot), camera, zoom, slice, range, hide, size (pixels,
        "1280x720"), rate (pictures a second), poster (s), frames, out."""
        self._call("movie", options)
        field = str(options.get("field") or "speed").lower()
        folder = os.fspath(options.get("out") or self.path)
        return os.path.join(folder, "movie.mp4" if field == "speed" else f"movie_{field}.mp4")

    def surface(self, **options: Any) -> list[str]:
        """Makes the water's surface of snapshots in 3-D as closed meshes, by `sluice surface`: the
        paths of their files, and with solids=True of those of walls and bodies after them.

        options: times (s), every, last, fields, format ("hdf", "ply", "obj"), smooth, phase,
        solids, hide (names), threads, out."""
        found = json.loads(self._call("surface", {**options, "json": True}))["surfaces"]
        return [str(made[kind]) for kind in ("file", "solids_file") for made in found
                if kind in made]

    def report(self, **options: Any) -> str:
        """Makes one HTML file of the run, by `sluice report`: its path.

        options: field, snapshots, hide, limit (MB), threads, out (the file or its folder)."""
        out = os.fspath(options.get("out") or self.path)
        is_folder = os.path.isdir(out)
        self._call("report", {**options, "quiet": True})
        return os.path.join(out, "report.html") if is_folder else out

    def _made(self, verb: str, options: dict[str, Any]) -> list[str]:
        """The files that a tool has made, by the lines that name one; the other lines are printed.
        """
        lines = self._call(verb, options).splitlines()
        found = [line for line in lines if os.path.isfile(line)]
        for line in lines:
            if line not in found:
                print(line)
        return found

    def _call(self, verb: str, options: dict[str, Any], more: Sequence[str] = ()) -> str:
        """Standard output of the program's verb for this run. more: words of the command line."""
        command = [find_program(), verb, self.path, *_words(options), *more]
        has_modules = importlib.util.find_spec("matplotlib") is not None
        python = {"PYTHON": sys.executable} if has_modules and "PYTHON" not in os.environ else {}
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              check=False, env={**os.environ, **python})
        if done.returncode != 0:
            text = message_of(done.returncode, done.stderr.splitlines(), command)
            kind = _BY_CODE.get(done.returncode, ProgramError)
            raise kind(text, done.returncode, command, self)
        return done.stdout


_NAMES = {"start": "from", "end": "to"}  # `from` is a word of Python


def _words(options: dict[str, Any]) -> list[str]:
    """--NAME=VALUE of each option; True is an option without a value, None and False none."""
    found = []
    for name, value in options.items():
        word = f"--{_NAMES.get(name, name).replace('_', '-')}"
        if value is True:
            found.append(word)
        elif value is not None and value is not False:
            found.append(f"{word}={_text(value)}")
    return found


def _text(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return _place(value) if np.ndim(value) or isinstance(value, (list, tuple)) else str(value)


def _place(values: Sequence[Any]) -> str:
    """0.5,0.1 of the numbers of a place, or names with commas between them."""
    return ",".join(value if isinstance(value, str) else repr(np.asarray(value).item())
                    for value in values)


def _several(value: Any, is_one: bool) -> tuple[list[Any], bool]:
    """(the lines or planes of an argument, whether it is a list of them)."""
    if value is None or is_one:
        return [] if value is None else [value], False
    return list(value), True


def _is_line(line: Any) -> bool:
    """Whether it is one line: both ends and a number; not a list of lines."""
    return line is not None and len(line) == 3 and isinstance(line[2], numbers.Number)


def _line(line: Any) -> str:
    """A:B:N of a line."""
    if not _is_line(line):
        raise ConfigError("line: both ends and the number of places are needed, as"
                          f" ((0, 0), (0, 1), 11), or a list of such lines; and this is {line}")
    return f"{_place(line[0])}:{_place(line[1])}:{line[2]}"


def _points_file(points: Any, folder: str) -> str:
    """A CSV file of points, or the one that is given."""
    if isinstance(points, (str, os.PathLike)):
        return os.fspath(points)
    places = np.atleast_2d(np.asarray(points, float))
    if places.shape[1:] not in ((2,), (3,)):
        raise ConfigError(f"points: an array [n, 2] or [n, 3] is needed, and this is"
                          f" {list(places.shape)}")
    path = os.path.join(folder, "points.csv")
    np.savetxt(path, places, fmt="%.17g", delimiter=",", comments="",
               header=",".join("xyz"[: places.shape[1]]))
    return path


def _images(path: str) -> list[Image]:
    """The images of a series, or the one of a file."""
    if not path.endswith(".series"):
        return [Image(path)]
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["files"]
    folder = os.path.dirname(path)
    return [Image(os.path.join(folder, entry["name"]), float(entry["time"])) for entry in entries]

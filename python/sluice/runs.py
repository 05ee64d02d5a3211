"""A run's folder: snapshots, probes, bodies, the energy budget, the config, the log."""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Iterator
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from sluice import units, verdict
from sluice.body_surfaces import BodySurfaces
from sluice.config import Config, read_config
from sluice.errors import FileError, NotThere, listed
from sluice.snapshot import Snapshot
from sluice.tables import Table, read_table, wide
from sluice.tool_calls import ToolCalls
from sluice.vtk_file import Array, VtkFile

# The files that a run writes. A folder with any of them counts as a run's, since copies may lack
# the others.
_FILES = (
    "config.cfg",
    "log.txt",
    "run.hdf.series",
    "energy.csv",
    "probe_*.csv",
    "body_*.csv",
    "mooring_*.csv",
    "opening_*.csv",
)

_KINDS = {  # what has a table and a name, and several of them
    "probe": "probes",
    "body": "bodies",
    "mooring": "moorings",
    "opening": "openings",
}


def is_run(path: str) -> bool:
    """Whether a run has written into the folder."""
    names = os.listdir(path) if os.path.isdir(path) else []
    return any(fnmatch.filter(names, pattern) for pattern in _FILES)


class Run(ToolCalls):
    """The results of a run in their folder. Files are read when they are asked for.

        run = sluice.Run("out/dam_break")
        run.times                     times of the snapshots [n], s
        run[10].fluid.pressure        of the 11th snapshot, Pa; run[-1]: the last
        run.at(0.3)                   the snapshot nearest to t = 0.3 s
        run.probe("P1")["pressure"]   a probe's column over time
        run["P1"]                     the table of the probe, body, mooring or opening of that name
        run.energy()["kinetic"]       the energy budget
        run.config["fluid.density"]   the effective config
        run.verdict                   whether energy was conserved
        run.measure(...), .plot(...), .movie(...), .surface(...), .report(...)   the tools

    A run that is still computed can be read, too: its lists grow. Units: `run.units` by quantity,
    `table.units` by column, `snapshot.unit(field)`. FileError: the folder, or a file in it, is
    missing or wrong."""

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fspath(path)
        if not os.path.isdir(self.path):
            raise FileError(f"{self.path} is no folder: give the folder of a run, as out/dam_break")
        if not is_run(self.path):
            lacks = ", ".join(_FILES)
            raise FileError(f"{self.path} is no folder of a run: it has none of {lacks}")
        self.name = os.path.basename(os.path.abspath(self.path))
        file = self.file("config.cfg")
        self.config = read_config(file) if os.path.exists(file) else Config()
        # An empty title counts as no title. Folders without a config go by their own name.
        self.title = str(self.config.get("title", "" if self.config else self.name))
        self._tables: dict[str, tuple[tuple[int, int], Table]] = {}

    def __repr__(self) -> str:
        times = self.times
        when = f", t = {times[0]:g} to {times[-1]:g} {self.units['time']}" if len(times) else ""
        return f"<Run {self.path}: {self.title or self.name}; {len(times)} snapshots{when}>"

    def file(self, name: str) -> str:
        """The path of a file in the folder, whether it is there or not."""
        return os.path.join(self.path, name)

    def has(self, name: str) -> bool:
        """Whether the folder has a file of that name: run.has("energy.csv")."""
        return os.path.exists(self.file(name))

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self.config.get("dimension", 3))

    @property
    def units(self) -> units.Units:
        """Units by quantity: run.units["pressure"] is "Pa". In 2-D per metre of depth."""
        return units.units_of(self.config.get("units", "si"), self.dimension)

    # Snapshots.

    def _entries(self) -> list[tuple[str, float]]:
        """(path, time) of the snapshots that the series names and that exist."""
        path = self.file("run.hdf.series")
        if not os.path.exists(path):
            return []
        try:
            with open(path) as file:
                entries = [(e["name"], float(e["time"])) for e in json.load(file)["files"]]
        except (ValueError, KeyError, TypeError) as error:
            raise FileError(f"{path} is no file series: {error}") from error
        return [(self.file(name), time) for name, time in entries if self.has(name)]

    @property
    def times(self) -> NDArray[np.float64]:
        """The times of the snapshots [n], s."""
        return np.array([time for _, time in self._entries()], dtype=float)

    def __len__(self) -> int:
        return len(self._entries())

    def __bool__(self) -> bool:
        return True  # also without snapshots

    @overload
    def __getitem__(self, number: int) -> Snapshot: ...

    @overload
    def __getitem__(self, number: slice) -> list[Snapshot]: ...

    @overload
    def __getitem__(self, number: str) -> Table: ...

    def __getitem__(self, number: int | slice | str) -> Snapshot | list[Snapshot] | Table:
        """A snapshot by its number, from 0, or from the end: run[-1]. run[::10]: each tenth. With a
        name the table of that probe, body, mooring or opening. NotThere: there is none of the name.
        """
        if isinstance(number, str):
            return self._table_of(number)
        entries = self._entries()
        if isinstance(number, slice):
            return [Snapshot(path, time, self.config) for path, time in entries[number]]
        if not -len(entries) <= number < len(entries):
            raise IndexError(f"{self.path}: no snapshot {number}: there are {len(entries)}, from 0")
        return Snapshot(*entries[number], self.config)

    def __iter__(self) -> Iterator[Snapshot]:
        for path, time in self._entries():
            yield Snapshot(path, time, self.config)

    def at(self, time: float) -> Snapshot:
        """The snapshot nearest to a time, s. NotThere: none is nearer than half of the largest
        distance between two snapshots."""
        times = self.times
        reach = 0.5 * np.max(np.diff(times), initial=0.0)
        reach += 1e-9 * np.max(np.abs(times), initial=0.0)
        if not len(times) or not np.min(np.abs(times - time)) <= reach:  # also of a time nan
            span = f", from {times[0]:g} to {times[-1]:g}" if len(times) else ""
            raise NotThere(f"no snapshot is near t = {time:g}; the run has {len(times)}{span}")
        return self[int(np.argmin(np.abs(times - time)))]

    @property
    def wall_surfaces(self) -> BodySurfaces | None:
        """The surfaces of walls at t = 0, by the names of their groups; None: the run wrote none.
        Walls of the domain and oblique half-spaces are not among them."""
        path = self.file("walls.hdf")
        return BodySurfaces(path) if os.path.exists(path) else None

    @property
    def groups(self) -> list[str]:
        """The names of the groups of particles; empty of a run without snapshots."""
        return self[0].groups if len(self) else []

    # Tables.

    def table(self, name: str) -> Table:
        """A table by the name of its file, as "probe_P1.csv". It is read again if it has grown.
        The dictionary is yours to change."""
        path = self.file(name)
        try:
            status = os.stat(path)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error
        stamp = (status.st_size, status.st_mtime_ns)
        if name not in self._tables or self._tables[name][0] != stamp:
            self._tables[name] = (stamp, read_table(path, self.units))
        kept = self._tables[name][1]
        return Table(kept, path, kept.units)

    def energy(self) -> Table:
        """The energy budget over time: kinetic, potential, work_viscous, residual, and so on."""
        return self.table("energy.csv")

    @property
    def probe_names(self) -> list[str]:
        """The names of the probes that have a table, in the config's order, then by name."""
        return self._named("probe_", "probes")

    def probe(self, name: str) -> Table:
        """The table of a probe: time and its values, a row a measurement. A line of points has
        columns as pressure_0, pressure_1, also where its file has a row a point: that is
        run.table("probe_NAME.csv"), with the points' places."""
        return wide(self._table_named("probe", self.probe_names, name))

    def probes(self) -> dict[str, Table]:
        """The tables of all probes by name."""
        return {name: self.probe(name) for name in self.probe_names}

    @property
    def body_names(self) -> list[str]:
        """The names of the bodies that have a table, in the config's order, then by name."""
        return self._named("body_", "bodies")

    def body(self, name: str) -> Table:
        """The table of a body: place, angle, velocity, forces over time."""
        return self._table_named("body", self.body_names, name)

    @property
    def mooring_names(self) -> list[str]:
        """The names of the moorings that have a table, in the config's order, then by name."""
        return self._named("mooring_", "moorings")

    def mooring(self, name: str) -> Table:
        """The table of a mooring: length, tension, the force on its body and both ends over time.
        """
        return self._table_named("mooring", self.mooring_names, name)

    @property
    def opening_names(self) -> list[str]:
        """The names of the openings that have a table, in the config's order, then by name."""
        return self._named("opening_", "openings")

    def opening(self, name: str) -> Table:
        """The table of an opening: discharge, level, velocity, pressure, head over time."""
        return self._table_named("opening", self.opening_names, name)

    def _table_named(self, kind: str, names: list[str], name: str) -> Table:
        if name not in names:
            raise NotThere(f"{self.path} has no {kind} '{name}': {listed(names, name)}")
        return self.table(f"{kind}_{name}.csv")

    def _table_of(self, name: str) -> Table:
        """The table of a probe, body, mooring or opening. NotThere: none has the name, or two have.
        """
        names = {kind: getattr(self, f"{kind}_names") for kind in _KINDS}
        kinds = [kind for kind in _KINDS if name in names[kind]]
        if len(kinds) > 1:
            ways = " or ".join(f'run.{kind}("{name}")' for kind in kinds)
            raise NotThere(f"{self.path} has a {' and a '.join(kinds)} '{name}': use {ways}")
        if not kinds:
            every = [found for kind in _KINDS for found in names[kind]]
            near = listed(every, name).partition("there ")[0]
            told = "; ".join(f"{several} {', '.join(names[kind])}"
                             for kind, several in _KINDS.items() if names[kind])
            raise NotThere(f"{self.path} has no table '{name}': {near}there are {told or 'none'}")
        found: Table = getattr(self, kinds[0])(name)
        return found

    def _named(self, prefix: str, key: str) -> list[str]:
        found = [
            name[len(prefix) : -len(".csv")]
            for name in sorted(os.listdir(self.path))
            if name.startswith(prefix) and name.endswith(".csv")
        ]
        order = self.config.names(key)
        return sorted(found, key=lambda name: order.index(name) if name in order else len(order))

    # Checkpoints.

    @property
    def checkpoint(self) -> str:
        """The path of the newest checkpoint. NotThere: the run has written none."""
        found = sorted(fnmatch.filter(os.listdir(self.path), "checkpoint_*.hdf"))
        if not found:
            raise NotThere(f"{self.path} has no checkpoint")
        return self.file(found[-1])

    def state(self, by_id: bool = False) -> dict[str, Array]:
        """Every array of the newest checkpoint by its path in /State, as "fluid/acceleration", see
        docs/snapshots.md. Particles are in the order of the memory, or of their ids."""
        found: dict[str, Array] = {}

        def take(name: str, item: Any) -> None:
            if hasattr(item, "shape"):  # no group
                found[name] = item[()]

        with VtkFile(self.checkpoint).open() as file:
            file["State"].visititems(take)
        orders = {kind: np.argsort(found[f"{kind}/id"]) for kind in ("fluid", "wall")
                  if by_id and f"{kind}/id" in found}
        for name in found:
            kind = name.partition("/")[0]
            if kind in orders:
                found[name] = found[name][orders[kind]]
        return found

    # The run's own report.

    @property
    def log(self) -> str:
        """The text of log.txt."""
        path = self.file("log.txt")
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error

    @property
    def ended(self) -> str:
        """How the run ended, by its log: "done", "stopped" (a restart continues it), "failed"; or
        "": it still runs, was killed, or has no log."""
        words = {"done at": "done", "stopped at": "stopped", "error:": "failed"}
        begun = "Z sluice "  # a restart adds to the log
        for line in reversed(self.log.splitlines() if self.has("log.txt") else []):
            for start, word in words.items():
                if line.startswith(start):
                    return word
            if begun in line[:40]:
                break
        return ""

    @property
    def reference_energy(self) -> float | None:
        """What the residual is measured against, J (2-D: J/m); None: not known."""
        if self.has("energy.csv"):
            energy = self.energy()
            if "reference" in energy and energy.rows:
                return float(energy["reference"][-1])
        for snapshot in self:
            if "Budget.reference" in snapshot.header:
                return float(np.ravel(snapshot.header["Budget.reference"])[0])
            break
        value = float(self.config.get("energy.reference", 0.0))
        return value if value > 0 else None

    @property
    def verdict(self) -> verdict.Verdict:
        """Whether energy was conserved, as far as the run has come."""
        energy = self.energy()
        if not energy.rows:
            raise FileError(f"{energy.path} has no rows yet")
        tolerance = float(self.config.get("energy.tolerance", 1e-3))
        return verdict.judge(energy, self.reference_energy, tolerance)

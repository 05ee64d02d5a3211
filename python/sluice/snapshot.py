"""A snapshot: the particles of a run at one time."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from sluice.body_surfaces import BodySurfaces
from sluice.config import Config, parse
from sluice.errors import FileError, NotThere, listed
from sluice.particles import Particles
from sluice.vtk_file import Array, VtkFile, together


class Snapshot(Particles):
    """All particles of a run at one time: fluid first, then walls, each in the order of their ids.

    A snapshot has the fields itself, of all particles, and parts of it have them, too:

        snapshot.fluid.pressure     [fluid particles], Pa
        snapshot.walls, .bodies     walls without bodies; all bodies
        snapshot["tank"]            a group by its name

    path: of the file. config: the run's; None: that within the file."""

    def __init__(self, path: str | os.PathLike[str], time: float | None = None,
                 config: Config | None = None):
        super().__init__(VtkFile(os.fspath(path), time), None, "all")
        self._config = config
        self._parts: dict[str, Particles] = {}
        self._groups: list[str] | None = None

    @property
    def step(self) -> int:
        """The number of steps before this snapshot."""
        return int(self.header["Step"])

    @property
    def header(self) -> dict[str, Any]:
        """What the file says of the run: "Spacing", "SmoothingLength", "C0", "Budget.kinetic", and
        so on, see docs/snapshots.md."""
        return self.file.header

    @property
    def config(self) -> Config:
        """The run's effective config, which each snapshot has; empty in a file without one."""
        if self._config is None:
            text = self.file.read("Config").tobytes() if self.file.has("Config") else b""
            try:
                self._config = parse(text.decode(errors="replace").rstrip("\0"))
            except ValueError as error:
                raise FileError(f"{self.path}: its /Config: {error}") from error
        return self._config

    @property
    def groups(self) -> list[str]:
        """The names of the groups of particles, in the order of the numbers in `shape`."""
        if self._groups is None:
            self._groups = self.file.texts("VTKHDF/FieldData/ShapeNames")
        return self._groups

    def __getitem__(self, group: str) -> Particles:
        """The particles of a group: of the shapes of that name."""
        if group not in self.groups:
            raise NotThere(f"{self.path}: no group '{group}': {listed(self.groups, group)}")
        return self._part(group, self.shape == self.groups.index(group))

    @property
    def fluid(self) -> Particles:
        """The fluid's particles."""
        return self._part(" fluid", self.type == 0)

    @property
    def boundary(self) -> Particles:
        """All particles that are not fluid: walls and bodies."""
        return self._part(" boundary", self.type != 0)

    @property
    def walls(self) -> Particles:
        """The walls' particles, without those of bodies."""
        return self._part(" walls", (self.type != 0) & ~self.is_body)

    @property
    def bodies(self) -> Particles:
        """The particles of all bodies. Each body is a group, too: snapshot["crate"]."""
        return self._part(" bodies", self.is_body)

    @property
    def is_body(self) -> Array:
        """Which particles are those of bodies: true or false [n]."""
        names = self.config.names("bodies")
        numbers = [i for i, group in enumerate(self.groups) if group in names]
        if not numbers:
            return np.zeros(len(self), dtype=bool)
        found: Array = (self.type != 0) & np.isin(self.shape, numbers)
        return found

    @property
    def body_surfaces(self) -> BodySurfaces | None:
        """The surfaces of the bodies at this time, from the file beside this one; None: none."""
        folder, name = os.path.split(self.path)
        path = os.path.join(folder, name.replace("snap_", "bodies_"))
        return BodySurfaces(path) if path != self.path and os.path.exists(path) else None

    def _part(self, name: str, mask: Array) -> Particles:
        if name not in self._parts:
            rows = together(np.flatnonzero(mask))
            self._parts[name] = Particles(self.file, rows, name.strip(), self)
        return self._parts[name]

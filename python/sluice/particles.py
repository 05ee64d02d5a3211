"""Particles of a snapshot: all, or some of them. Each field is read when it is first used."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sluice.errors import NoField, listed
from sluice.vtk_file import Array, Contents, Rows, VtkFile, together

# The datasets of the fields. The fields of effects are in PointData, too, under their names in
# output.fields: "mixing_length" is MixingLength.
DATASETS = {
    "position": "VTKHDF/Points",
    "velocity": "VTKHDF/PointData/Velocity",
    "pressure": "VTKHDF/PointData/Pressure",
    "density": "VTKHDF/PointData/Density",
    "mass": "VTKHDF/PointData/Mass",
    "internal_energy": "VTKHDF/PointData/InternalEnergy",
    "smoothing_length": "VTKHDF/PointData/SmoothingLength",
    "type": "VTKHDF/PointData/ParticleType",
    "phase": "VTKHDF/PointData/Phase",
    "shape": "VTKHDF/PointData/Shape",
    "id": "VTKHDF/PointData/Id",
}
_NAMES = {path.rpartition("/")[2]: name for name, path in DATASETS.items()}


def name_of(array: str) -> str:
    """A field's name in this package, from this name or from its array's name in the file."""
    return _NAMES.get(array) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", array).lower()


def dataset_of(name: str) -> str:
    """The dataset of a field."""
    array = "".join(part.capitalize() for part in name.split("_"))
    return DATASETS.get(name, f"VTKHDF/PointData/{array}")


class Particles(Contents):
    """Some particles of a snapshot: fluid, walls, a group, those of a condition.

    Fields are arrays of one row a particle, in float or double as the run wrote them, in the units
    that `unit` names. A field is read from the file when it is first used, and kept as long as
    this object. Arrays are read-only: copy those you change. A field that the snapshot does not
    have is a NoField error; `get` returns None instead."""

    def __init__(self, file: VtkFile, rows: Rows | None, name: str, whole: Particles | None = None):
        super().__init__(file)
        self.name, self._rows = name, rows
        # All particles of the snapshot, which may have a field already. A weak reference, so that
        # the arrays of a snapshot go when it goes.
        self._whole = weakref.ref(whole) if whole is not None else None
        self._kept: dict[str, Array] = {}

    def __len__(self) -> int:
        rows = self.rows
        return rows.stop - rows.start if isinstance(rows, slice) else len(rows)

    def __repr__(self) -> str:
        return f"<{len(self)} particles: {self.name}, t = {self.time:g}>"

    @property
    def rows(self) -> Rows:
        """Which rows of the file's arrays these are: a slice, or numbers [n] in rising order."""
        if self._rows is None:
            with self.file.open() as file:
                self._rows = slice(0, len(file["VTKHDF/Points"]))
        return self._rows

    @property
    def fields(self) -> list[str]:
        """The names of the fields that the file has."""
        with self.file.open() as file:
            found = ["position", *(name_of(array) for array in file["VTKHDF/PointData"])]
        return found + (["speed"] if "velocity" in found else [])

    def field(self, name: str) -> Array:
        """A field by its name here, as "pressure", or in the file, as "Pressure"."""
        if name == "speed":
            return self.speed
        name = name_of(name)
        if name not in self._kept:
            array = self._from_whole(name)
            if array is None:
                path = dataset_of(name)
                if not self.file.has(path):
                    raise self._no_field(name)
                array = self.file.read(path, self.rows)
            array.flags.writeable = False
            self._kept[name] = array
        return self._kept[name]

    def get(self, name: str) -> Array | None:
        """A field by its name, or None if the snapshot does not have it."""
        try:
            return self.field(name)
        except NoField:
            return None

    def unit(self, name: str) -> str:
        """The unit of a field: "Pa"; "1" of a number without one, also in reduced units."""
        name = "velocity" if name == "speed" else name_of(name)
        path = dataset_of(name)
        if not self.file.has(path):
            raise self._no_field(name)
        return self.file.attribute(path, "units") or "1"

    def where(self, condition: Array, name: str = "") -> Particles:
        """Those of these particles for which a condition holds: an array [n] of true and false.

        fluid.where(fluid.position[:, 0] > 0.5)"""
        condition = np.asarray(condition)
        if condition.dtype != bool or condition.shape != (len(self),):
            raise ValueError(
                f"where needs {len(self)} values of true or false, one a particle; this is an array"
                f" of {condition.dtype}, shape {condition.shape}"
            )
        rows = self.rows
        chosen = np.flatnonzero(condition) if isinstance(rows, slice) else rows[condition]
        if isinstance(rows, slice):
            chosen = chosen + rows.start
        whole = self._whole() if self._whole else None
        return Particles(self.file, together(chosen), name or f"part of {self.name}", whole)

    def _no_field(self, name: str, more: Iterable[str] = ()) -> NoField:
        meant = "" if name in DATASETS else name  # a known field is no typing error
        return NoField(f"{self.path}: no field '{name}': {listed(self.fields, meant, more)}")

    if not TYPE_CHECKING:  # so that checkers of types still find such names

        def __getattr__(self, name: str) -> Array:
            if name.startswith("_") or name == "file":  # Python's protocols; an object half made
                raise AttributeError(name)
            if name in self.fields:
                return self.field(name)
            raise self._no_field(name, dir(type(self)))

    def _from_whole(self, name: str) -> Array | None:
        """A field's rows, if all particles of the snapshot have been read already."""
        whole = self._whole() if self._whole else None
        if whole is None or name not in whole._kept:
            return None
        return whole._kept[name][self.rows]

    @property
    def position(self) -> Array:
        """Positions [n, 3], m, in the config's coordinates; z is 0 in 2-D."""
        return self.field("position")

    @property
    def x(self) -> Array:
        """Positions [n, 3], m: another name of `position`."""
        return self.field("position")

    @property
    def velocity(self) -> Array:
        """Velocities [n, 3], m/s."""
        return self.field("velocity")

    @property
    def speed(self) -> Array:
        """Speeds [n], m/s: the length of each velocity."""
        if "speed" not in self._kept:
            speed: Array = np.linalg.norm(self.velocity, axis=1)
            speed.flags.writeable = False
            self._kept["speed"] = speed
        return self._kept["speed"]

    @property
    def pressure(self) -> Array:
        """Pressures [n], Pa. Lennard-Jones fluids have none."""
        return self.field("pressure")

    @property
    def density(self) -> Array:
        """Densities [n], kg/m^3. Lennard-Jones fluids have none."""
        return self.field("density")

    @property
    def mass(self) -> Array:
        """Masses [n], kg; in 2-D kg/m, of a metre of depth."""
        return self.field("mass")

    @property
    def internal_energy(self) -> Array:
        """Specific internal energies [n] of a gas, J/kg."""
        return self.field("internal_energy")

    @property
    def smoothing_length(self) -> Array:
        """Smoothing lengths [n] of a gas, m. Other fluids have one: header["SmoothingLength"]."""
        return self.field("smoothing_length")

    @property
    def type(self) -> Array:
        """0 fluid, 1 wall, also those of bodies: [n]."""
        return self.field("type")

    @property
    def phase(self) -> Array:
        """1 the first fluid, 2 the second, 0 walls: [n]. Only runs with two fluids have it."""
        return self.field("phase")

    @property
    def shape(self) -> Array:
        """The number of each particle's group [n]; the snapshot's `groups` has the names."""
        return self.field("shape")

    @property
    def id(self) -> Array:
        """Identities [n], which particles keep for life."""
        return self.field("id")

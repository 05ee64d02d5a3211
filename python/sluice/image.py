"""Images of `sluice measure`: fields on a plane or a grid of places."""

from __future__ import annotations

import os

import numpy as np

from sluice.errors import NotThere, listed
from sluice.vtk_file import Array, VtkFile

_THIN = 1e-2  # a plane has a second layer at this part of the others' spacing, at most
_HIDDEN = ("weight", "valid")
_PARTS = ("vx", "vy", "vz")  # of Velocity


class Image:
    """Fields at the places of a plane or a grid, at one time.

        image["pressure"]     [z, y, x], Pa; nan where a place is not valid
        image.x, .y, .z       coordinates of the places, m

    An axis across a plane has one place, also z in 2-D. Names are those of the arrays, in small
    letters; of Velocity "vx", "vy", "vz" and "speed". path: the file."""

    def __init__(self, path: str | os.PathLike[str], time: float | None = None):
        self.file = VtkFile(path)
        self.path = self.file.path
        self._time = time
        with self.file.open() as opened:
            if "VTKHDF/PointData" not in opened or "Origin" not in opened["VTKHDF"].attrs:
                raise self.file.wrong("it is no image")
            whole = opened["VTKHDF"]
            self.origin = np.array(whole.attrs["Origin"], float)
            self.step = np.array(whole.attrs["Spacing"], float)
            self._arrays = {name.lower(): name for name in whole["PointData"]}
            shape = next(iter(whole["PointData"].values())).shape[:3]
        self.count = np.array(shape[::-1])
        self.count[(self.count == 2) & (self.step < _THIN * self.step.max())] = 1

    @property
    def time(self) -> float:
        """s; of a reduction that of the last snapshot."""
        return float(self.file.header["Time"]) if self._time is None else self._time

    @property
    def fields(self) -> list[str]:
        """The names that image[NAME] takes, without "weight" and "valid"."""
        own = [name for name in self._arrays if name not in _HIDDEN and name != "velocity"]
        parts = [*_PARTS, "speed"] if "velocity" in self._arrays else []
        return [*own, *(name for name in parts if name not in own)]

    def __getitem__(self, name: str) -> Array:
        """A field [z, y, x]; nan where it is not valid."""
        values = self._values(name.lower())
        if name.lower() in _HIDDEN or "valid" not in self._arrays:
            return values
        return np.where(self._read("valid") == 1, values, np.nan)

    def unit(self, name: str) -> str:
        """The unit of a field, as "Pa"."""
        name = name.lower()
        self._check(name)
        array = self._arrays.get(name) or self._arrays["velocity"]
        return self.file.attribute(f"VTKHDF/PointData/{array}", "units") or "1"

    @property
    def x(self) -> Array:
        """Coordinates along x [count[0]], m."""
        return self.places(0)

    @property
    def y(self) -> Array:
        """Coordinates along y [count[1]], m."""
        return self.places(1)

    @property
    def z(self) -> Array:
        """Coordinates along z [count[2]], m."""
        return self.places(2)

    def places(self, axis: int) -> Array:
        """Coordinates of the places along an axis, m."""
        found: Array = self.origin[axis] + self.step[axis] * np.arange(self.count[axis])
        return found

    def _check(self, name: str) -> None:
        if name not in self.fields and name not in self._arrays:
            raise NotThere(f"{self.path} has no field '{name}': {listed(self.fields, name)}")

    def _values(self, name: str) -> Array:
        self._check(name)
        if name in self._arrays:
            return self._read(name)
        velocity = self._read("velocity")
        if name == "speed":
            speed: Array = np.linalg.norm(velocity, axis=-1)
            return speed
        part: Array = velocity[..., _PARTS.index(name)]
        return part

    def _read(self, name: str) -> Array:
        z, y, x = (slice(0, int(n)) for n in self.count[::-1])
        found: Array = self.file.read(f"VTKHDF/PointData/{self._arrays[name]}")[z, y, x]
        return found

    def __repr__(self) -> str:
        sizes = " x ".join(map(str, self.count))
        return f"<Image {os.path.basename(self.path)}: {sizes} places, t = {self.time:g}>"

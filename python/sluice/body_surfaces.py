"""The surfaces of a run's bodies at one time, as triangles."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from sluice.errors import NotThere, listed
from sluice.vtk_file import Array, Contents, VtkFile


class BodySurfaces(Contents):
    """A file bodies_000012.hdf: all bodies' surfaces where they are at its time. Or walls.hdf:
    those of walls at t = 0, whose groups are the bodies here.

    In 2-D the triangles fill the bodies. path: the file's path."""

    def __init__(self, path: str | os.PathLike[str], time: float | None = None):
        super().__init__(VtkFile(os.fspath(path), time))

    @property
    def points(self) -> Array:
        """The triangles' corners [n, 3], m."""
        return self.file.read("VTKHDF/Points")

    @property
    def velocity(self) -> Array:
        """The bodies' velocity at the corners [n, 3], m/s."""
        return self.file.read("VTKHDF/PointData/Velocity")

    @property
    def triangles(self) -> NDArray[np.int64]:
        """Three rows of `points` a triangle, anticlockwise seen from outside: [m, 3]."""
        return self.file.read("VTKHDF/Connectivity").astype(np.int64).reshape(-1, 3)

    @property
    def body(self) -> Array:
        """The number of each triangle's body [m], from 0; `names` has the names."""
        return self.file.read("VTKHDF/CellData/Body")

    @property
    def names(self) -> list[str]:
        """The bodies' names, in the order of their numbers."""
        return self.file.texts("VTKHDF/FieldData/BodyNames")

    def triangles_of(self, name: str) -> NDArray[np.int64]:
        """The triangles of one body: [k, 3]."""
        names = self.names
        if name not in names:
            raise NotThere(f"{self.path}: no body '{name}': {listed(names, name)}")
        chosen: NDArray[np.int64] = self.triangles[self.body == names.index(name)]
        return chosen

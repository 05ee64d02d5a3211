"""The surface of particles: the level 1/2 of the fraction of water, smooth, of the right volume."""

from dataclasses import dataclass

import numpy as np

from surface.bodies import bodies_of, set_volumes, take_near
from surface.mesh import Mesh, balls, joined
from surface.fraction import grids

LEVEL = 0.5


@dataclass
class Surface:
    """volume: of the mesh; wanted: of the particles, m^3. moved: how far points were moved to make
    volumes right, m, the mean over the volume. lone: particles that are drawn as balls."""

    mesh: Mesh
    volume: float
    wanted: float
    moved: float
    bodies: int
    bubbles: int
    lone: int

    @property
    def residual(self):
        return self.volume / self.wanted - 1 if self.wanted else 0.0


def surface_of_grid(grid, x, volume, smooth, spacing):
    """The mesh of one grid with the particles at x [n, 3], m, of volumes [n], m^3, and: bodies,
    bubbles, lone particles, the sum over bodies of volume times move, m^4."""
    from skimage.measure import marching_cubes  # takes longer than most messages: not before them

    if not grid.fraction.max() > LEVEL:
        return balls(x, volume), 0, 0, len(x), 0.0
    points, triangles, _, _ = marching_cubes(
        grid.fraction, LEVEL, gradient_direction="ascent", allow_degenerate=False
    )
    rough = Mesh(grid.origin + grid.cell * points.astype(float), triangles.astype(np.int64))
    place = (x - grid.origin) / grid.cell
    bodies = bodies_of(grid.fraction, LEVEL, rough, place, points)
    take_near(bodies, rough, x, spacing)
    held = bodies.of_particle >= 0
    wanted = np.bincount(bodies.of_particle[held], volume[held], bodies.count)
    count = np.bincount(bodies.of_particle[held], minlength=bodies.count)
    alone = ~held | (count[bodies.of_particle] == 1)
    mesh, moved = set_volumes(rough.smoothed(smooth), bodies.of_point, wanted, spacing)
    large = count > 1
    mesh = mesh.kept(large[bodies.of_point])
    piece, pieces = mesh.pieces()
    inside = np.bincount(piece[mesh.triangles[:, 0]], mesh.volumes(), pieces)
    total = float(np.sum((wanted * np.abs(moved))[large]))
    whole = joined([mesh, balls(x[alone], volume[alone])])
    return whole, int(large.sum()), int((inside < 0).sum()), int(alone.sum()), total


def surface_of(x, volume, spacing, smooth, threads=1):
    """The Surface of particles at x [n, 3], m, of volumes [n], m^3; `smooth`: times."""
    parts = [
        surface_of_grid(grid, x[own], volume[own], smooth, spacing)
        for own, grid in (grids(x, volume, spacing, threads) if len(x) else ())
    ]
    mesh = joined([part[0] for part in parts])
    wanted = float(volume.sum())
    bodies, bubbles, lone, moved = (sum(part[i] for part in parts) for i in range(1, 5))
    return Surface(mesh, mesh.volume(), wanted, moved / (wanted or 1), bodies, bubbles, lone)

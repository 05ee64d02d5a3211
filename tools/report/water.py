"""The water of a report's viewer: a surface in 3-D, particles in 2-D, for each picture."""

from dataclasses import dataclass

import numpy as np

import sluice
from plot import fields
from plot.processes import in_turn

SMOOTH = 25  # times, as `sluice surface`
CELLS = (1.0, 1.5, 2.0, 2.0, 3.0, 4.0, 6.0, 8.0)  # of a thinned surface, in spacings, and with
FRACTIONS = (1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.25)  # which fraction of the pictures
SHARES = (1, 1, 2, 4, 8, 16, 32, 64)  # one in so many particles is drawn
FEWEST = 12  # pictures that are not thinned further


@dataclass(frozen=True)
class Task:
    """The data with which a process makes one picture. fields: names of fields.FIELDS."""

    snapshot: str  # path
    time: float
    fields: tuple
    is_surface: bool
    threads: int


@dataclass
class Water:
    """points [n, 3] (m), values {field: [n]}, corners [m, 3] of triangles or None: particles.
    left_out: how many particles are not finite."""

    time: float
    points: object
    values: dict
    corners: object = None
    left_out: int = 0


def make_one(task):
    snapshot = sluice.Snapshot(task.snapshot, task.time)
    return surface_of(task, snapshot) if task.is_surface else particles_of(task, snapshot)


def particles_of(task, snapshot):
    water = snapshot.type == 0
    good = water & np.isfinite(snapshot.x).all(axis=1)
    values = {name: fields.FIELDS[name].values(snapshot)[good] for name in task.fields}
    return Water(task.time, snapshot.x[good].astype(float), values,
                 left_out=int(np.sum(water) - np.sum(good)))  # fmt: skip


def surface_of(task, snapshot):
    """The surface that `sluice surface` makes, with fields."""
    from surface.level import surface_of as level_surface
    from surface.run_surfaces import water_of
    from surface.values import interpolated

    spacing = float(snapshot.header["Spacing"])
    # Of two fluids the first: the surface of both would hide the one between them.
    water, volume, left_out = water_of(snapshot, "1" if "phase" in snapshot.fields else "all")
    x = water.x.astype(float)
    made = level_surface(x, volume, spacing, SMOOTH, task.threads).mesh
    arrays = {name: np.asarray(fields.FIELDS[name].values(water), float) for name in task.fields}
    values = interpolated(made.points, x, arrays, spacing, task.threads)
    return Water(task.time, made.points, values, made.triangles, int(left_out))


def waters(snapshots, names, is_surface, threads):
    """The Water of each snapshot in turn, several made at once."""
    workers = max(1, min(threads, len(snapshots)))
    tasks = [Task(snapshot.path, snapshot.time, tuple(names), is_surface, threads // workers or 1)
             for snapshot in snapshots]  # fmt: skip
    return in_turn(make_one, tasks, workers)


def clustered(water, cell):
    """The surface with the points of each cell (m) as one, at their mean."""
    low = water.points.min(axis=0)
    place = np.floor((water.points - low) / cell).astype(np.int64)
    size = place.max(axis=0) + 1
    key = (place[:, 0] * size[1] + place[:, 1]) * size[2] + place[:, 2]
    _, number = np.unique(key, return_inverse=True)
    count = np.bincount(number)

    def mean(values):
        return np.bincount(number, values) / count

    points = np.stack([mean(water.points[:, axis]) for axis in range(3)], axis=1)
    corners = number[water.corners]
    whole = np.all([corners[:, i] != corners[:, (i + 1) % 3] for i in range(3)], axis=0)
    values = {name: mean(field) for name, field in water.values.items()}
    return Water(water.time, points, values, corners[whole])


def in_rows(points, spacing):
    """An order of particles in which neighbours follow each other."""
    rows = [np.floor(points[:, axis] / spacing) for axis in (2, 1)]
    return np.lexsort((points[:, 0], rows[1], rows[0]))


def thinned(water, level, spacing):
    """The water at a level of detail, 0 the finest."""
    if water.corners is not None:
        return clustered(water, CELLS[level] * spacing) if len(water.points) else water
    if len(water.points) == 0:
        return water
    chosen = in_rows(water.points, spacing)[:: SHARES[level]]
    values = {name: field[chosen] for name, field in water.values.items()}
    return Water(water.time, water.points[chosen], values)

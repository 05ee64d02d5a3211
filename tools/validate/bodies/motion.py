"""The tables of a run's bodies, body_NAME.csv: their places, velocities and forces."""

import os
from dataclasses import dataclass

import numpy as np
from sluice import FileError, read_table

# The columns of the table, by quantity: one name for each axis. The rotation is counted from the
# pose at the start. In 2-D there are x and y, and one angle and spin, about z.
COLUMNS = {
    "x": ("x", "y", "z"),  # centre of mass, m
    "v": ("velocity_x", "velocity_y", "velocity_z"),  # m/s
    "fluid": ("fluid_force_x", "fluid_force_y", "fluid_force_z"),  # N, in 2-D N/m
    "contact": ("contact_force_x", "contact_force_y", "contact_force_z"),
}
ANGLES = {2: ("angle",), 3: ("roll", "pitch", "yaw")}  # rad
SPINS = {2: ("spin",), 3: ("spin_x", "spin_y", "spin_z")}  # 1/s


@dataclass
class Motion:
    """A body's table: t [n] (s), x, v, fluid, contact [n, dimension], angle, spin [n] in 2-D and
    [n, 3] in 3-D. Columns that the table lacks are NaN."""

    name: str
    t: np.ndarray
    x: np.ndarray
    v: np.ndarray
    fluid: np.ndarray
    contact: np.ndarray
    angle: np.ndarray
    spin: np.ndarray


def path_of(run, name):
    """The table of a body."""
    return os.path.join(run.path, f"body_{name}.csv")


def columns_of(table, names):
    """[n, names] of a table; NaN where it has no such column."""
    nan = np.full(len(table["time"]), np.nan)
    return np.stack([table.get(name, nan) for name in names], axis=1)


def read_motion(run, name):
    """The motion of a body of a run, by the body's name."""
    path = path_of(run, name)
    table = read_table(path)
    dimension = run.dimension
    needed = ("time", *COLUMNS["x"][:dimension], *COLUMNS["v"][:dimension])
    missing = [column for column in needed if column not in table]
    if missing or not len(table["time"]):
        raise FileError(f"{path}: no rows, or no column {', '.join(missing)}: it has the columns "
                          f"{', '.join(table)}")
    parts = {key: columns_of(table, names[:dimension]) for key, names in COLUMNS.items()}
    angle, spin = (columns_of(table, names[dimension]) for names in (ANGLES, SPINS))
    if dimension == 2:
        angle, spin = angle[:, 0], spin[:, 0]
    return Motion(name, table["time"], angle=angle, spin=spin, **parts)


def read_motions(run, name, count):
    """The motions of the bodies NAME_1 .. NAME_count, the shapes of one name with each = true."""
    return [read_motion(run, f"{name}_{i + 1}") for i in range(count)]


def late(t, values, share=0.2):
    """The mean over the last fraction of the time, of [n] or [n, m]."""
    return np.mean(values[t >= t[-1] - share * (t[-1] - t[0])], axis=0)


def crossings(t, values, level=0.0):
    """The times at which values pass a level, interpolated along lines."""
    v = np.asarray(values) - level
    i = np.nonzero(v[:-1] * v[1:] < 0)[0]
    return t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i])


def extrema(t, values):
    """[(time, value)] of the extremes between zeros, and between the last zero and the end: the
    tops of parabolas through the rows within 16% of each of these times."""
    marks = [*crossings(t, values), t[-1]]
    found = []
    for low, high in zip(marks, marks[1:]):
        inside = (t >= low) & (t <= high)
        top = t[inside][np.argmax(np.abs(values[inside]))]
        near = inside & (np.abs(t - top) <= 0.16 * (high - low))
        a, b, c = np.polyfit(t[near] - top, values[near], 2)
        found.append((top - b / (2 * a), c - b * b / (4 * a)))
    return found

"""The fields of particles at the points of a surface."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

REACH = 2  # spacings: the support of the kernel
NEAREST = 24  # particles that count at most
CHUNK = 200_000  # points at once


@dataclass(frozen=True)
class Field:
    """A field of the surface. array: the particles' field that it is made of."""

    name: str  # in the file
    array: str
    unit: str
    what: str


FIELDS = {
    field.name.lower(): field
    for field in (
        Field("Velocity", "velocity", "m/s", "velocity"),
        Field("Speed", "velocity", "m/s", "length of the interpolated velocity"),
        Field("Pressure", "pressure", "Pa", "pressure"),
        Field("Density", "density", "kg/m^3", "density"),
        Field("Phase", "phase", "1", "1 in the first fluid, 2 in the second"),
    )
}


def kernel(q):
    """Wendland's C2 kernel, not normalised; q = r/support."""
    return (1 - q) ** 4 * (1 + 4 * q)


def interpolated(points, x, arrays, spacing, threads):
    """{name: values at the points}: Shepard's mean of the particles at x within REACH spacings,
    or of the nearest one alone. arrays: {name: [n] or [n, 3]}."""
    out = {
        name: np.zeros((len(points), *value.shape[1:]), dtype=float)
        for name, value in arrays.items()
    }
    if not len(points) or not arrays:
        return out
    tree, count = cKDTree(x), min(NEAREST, len(x))
    for first in range(0, len(points), CHUNK):
        part = slice(first, first + CHUNK)
        far, near = tree.query(points[part], count, workers=threads)
        far, near = far.reshape(-1, count), near.reshape(-1, count)
        weight = kernel(np.minimum(far / (REACH * spacing), 1))
        weight[:, 0] = np.maximum(weight[:, 0], 1e-30)
        weight /= weight.sum(1, keepdims=True)
        for name, value in arrays.items():
            out[name][part] = np.einsum("ij,ij...->i...", weight, value[near])
    return out


def values_at(points, particles, chosen, spacing, threads):
    """{field name: values [points] or [points, 3]} of the chosen fields, from particles."""
    arrays = {field.array: particles.field(field.array) for field in chosen}
    found = interpolated(points, particles.x, arrays, spacing, threads)
    return {
        field.name: np.linalg.norm(found[field.array], axis=1)
        if field.name == "Speed"
        else found[field.array]
        for field in chosen
    }

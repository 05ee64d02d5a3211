"""The bodies of water that a surface bounds: their particles, and their volumes made right.

A body is a connected part of the grid's points inside the surface. It has the triangles around it,
those around its bubbles, and the particles in it.
"""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from surface.mesh import Mesh

MOST_MOVE = 0.25  # of a spacing at once
ROUNDS = 12
CLOSE = 1e-4  # of a volume


@dataclass
class Bodies:
    """count bodies; of_point [points] and of_particle [particles], from 0; of a particle that no
    body holds -1."""

    count: int
    of_point: np.ndarray
    of_particle: np.ndarray


def inside_corner(fraction, place):
    """[n, 3]: of the 8 grid points around each place the one with the most water."""
    low = np.clip(np.floor(place).astype(np.int64), 0, np.array(fraction.shape) - 2)
    best, most = low.copy(), np.full(len(place), -np.inf, dtype=np.float32)
    for corner in np.ndindex(2, 2, 2):
        at = low + corner
        value = fraction[tuple(at.T)]
        more = value > most
        best[more], most[more] = at[more], value[more]
    return best


def bodies_of(fraction, level, mesh, place, points):
    """The Bodies in a grid. place [particles, 3] and points [points, 3] of the mesh, in cells."""
    label, count = ndimage.label(fraction > level)
    of_particle = label[tuple(inside_corner(fraction, place).T)].astype(np.int64) - 1
    of_point = label[tuple(inside_corner(fraction, points).T)].astype(np.int64) - 1
    # Every point of a piece belongs to one body. A piece may join what the grid does not.
    piece, pieces = mesh.pieces()
    known = of_point >= 0
    ends = np.stack([of_point[known], count + piece[known]])
    graph = coo_matrix((np.ones(ends.shape[1], bool), ends), shape=(count + pieces,) * 2)
    count_of_all, body = connected_components(graph, directed=False)
    of_point = body[count + piece]
    return Bodies(count_of_all, of_point, np.where(of_particle < 0, -1, body[of_particle]))


def take_near(bodies, mesh, x, spacing):
    """Gives the particles at x [n, 3], m, that no body holds to the nearest body within a
    spacing: at a sharp corner one may lie outside the surface."""
    out = np.flatnonzero(bodies.of_particle < 0)
    if len(out) and len(mesh.points):
        far, point = cKDTree(mesh.points).query(x[out], distance_upper_bound=spacing)
        near = np.isfinite(far)
        bodies.of_particle[out[near]] = bodies.of_point[point[near]]


def set_volumes(mesh, of_point, wanted, spacing):
    """The mesh with every body's points moved along their normals until it has its volume: by
    d = (wanted - volume)/area, again and again. wanted [bodies], m^3. Also returns how far the
    points of each body were moved, m."""
    moved = np.zeros(len(wanted))
    points, part, at = mesh.points.copy(), mesh, np.arange(len(mesh.points))
    for _ in range(ROUNDS):
        body = of_point[at]
        of_triangle = body[part.triangles[:, 0]]
        area = np.bincount(of_triangle, np.linalg.norm(part.areas(), axis=1), len(wanted))
        volume = np.bincount(of_triangle, part.volumes(), len(wanted))
        wrong = (area > 0) & (wanted > 0) & (np.abs(volume - wanted) > CLOSE * wanted)
        if not wrong.any():
            break
        move = (wanted - volume)[wrong] / area[wrong]
        step = np.zeros(len(wanted))
        step[wrong] = np.clip(move, -MOST_MOVE * spacing, MOST_MOVE * spacing)
        moved += step
        part, at = part.kept(wrong[body]), at[wrong[body]]
        part.points += part.normals() * step[of_point[at]][:, None]
        points[at] = part.points
    return Mesh(points, mesh.triangles), moved

"""A triangle mesh: volume, pieces, whether it is closed, normals, smoothing."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components


TAUBIN = (0.5, -0.51)  # steps of smoothing
FEWEST = 100  # points of a piece that is smoothed: smaller ones would collapse


@dataclass
class Mesh:
    """points [n, 3], m; triangles [m, 3]: three points each, anticlockwise seen from outside."""

    points: np.ndarray
    triangles: np.ndarray

    def corners(self):
        """Three arrays [m, 3]: the places of each triangle's corners."""
        return [self.points[self.triangles[:, i]] for i in range(3)]

    def areas(self):
        """[m, 3]: normals of the triangles, as long as their areas, m^2."""
        a, b, c = self.corners()
        return 0.5 * np.cross(b - a, c - a)

    def volumes(self):
        """[m]: what each triangle adds to the volume inside, m^3, seen from the mesh's middle."""
        if not len(self.points):
            return np.zeros(0)
        middle = self.points.mean(0)
        return np.einsum("ij,ij->i", self.corners()[0] - middle, self.areas()) / 3

    def volume(self):
        return float(self.volumes().sum())

    def area(self):
        return float(np.linalg.norm(self.areas(), axis=1).sum())

    def edges(self):
        """[3 m, 2]: the directed edges of the triangles."""
        t = self.triangles
        return np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])

    def pieces(self):
        """The number of the piece of each point, from 0, and how many there are.

        Triangles join the points of a piece: a drop, or the wall of a bubble in water."""
        ends = self.edges()
        graph = coo_matrix((np.ones(len(ends), dtype=bool), ends.T), shape=(len(self.points),) * 2)
        count, piece = connected_components(graph, directed=False)
        return piece, count

    def open_edges(self):
        """How many directed edges have not exactly one counterpart: 0 on a closed surface."""
        ends = self.edges().astype(np.int64)
        n = len(self.points)
        there, back = ends[:, 0] * n + ends[:, 1], ends[:, 1] * n + ends[:, 0]
        kinds, count = np.unique(there, return_counts=True)
        return int(np.sum(count != 1) + np.sum(~np.isin(kinds, back)))

    def euler(self):
        """Points - edges + triangles: 2 for each closed piece without a tunnel."""
        return len(np.unique(self.triangles)) - len(self.triangles) // 2

    def normals(self):
        """[n, 3]: outward unit normals of the points, the areas of their triangles as weights."""
        out = np.zeros_like(self.points)
        areas = self.areas()
        for axis in range(3):
            for corner in range(3):
                out[:, axis] += np.bincount(
                    self.triangles[:, corner], areas[:, axis], minlength=len(out)
                )
        length = np.linalg.norm(out, axis=1, keepdims=True)
        return out / np.where(length > 0, length, 1)

    def smoothed(self, times):
        """The mesh after `times` of Taubin's smoothing (1995): a step towards the mean of the
        neighbours, and a slightly longer one back, so that round things hardly shrink. Pieces of
        few points stay as they are."""
        if not times or not len(self.points):
            return self
        ends = self.edges()
        n = len(self.points)
        near = coo_matrix((np.ones(len(ends)), ends.T), shape=(n, n)).tocsr()
        near.data[:] = 1
        count = np.maximum(np.asarray(near.sum(1)), 1)
        piece, pieces = self.pieces()
        large = np.bincount(piece, minlength=pieces)[piece] >= FEWEST
        x = self.points.copy()
        for _ in range(times):
            for step in TAUBIN:
                x += step * large[:, None] * (near @ x / count - x)
        return replace(self, points=x)

    def kept(self, chosen):
        """The mesh of the chosen points [n], and of the triangles that have these alone."""
        number = np.cumsum(chosen) - 1
        whole = chosen[self.triangles].all(1)
        return Mesh(self.points[chosen], number[self.triangles[whole]])


def joined(meshes):
    """One mesh of several."""
    firsts = np.cumsum([0] + [len(mesh.points) for mesh in meshes])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes] + [np.zeros((0, 3))]),
        np.concatenate(
            [mesh.triangles + first for mesh, first in zip(meshes, firsts)]
            + [np.zeros((0, 3), dtype=np.int64)]
        ),
    )


def ball(divisions=1):
    """A mesh of radius 1 about 0: an icosahedron, each of its triangles divided in four."""
    g = (1 + 5**0.5) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    points += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    triangles = "0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8"
    triangles += " 3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5 2 4 11 6 2 10 8 6 7 9 8 1"
    triangles = np.array(triangles.split(), int)
    mesh = Mesh(np.array(points, float), triangles.reshape(-1, 3))
    for _ in range(divisions):
        ends = np.sort(mesh.edges(), axis=1)
        kinds, of = np.unique(ends, axis=0, return_inverse=True)
        ab, bc, ca = of.reshape(3, -1) + len(mesh.points)
        a, b, c = mesh.triangles.T
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        points = np.concatenate([mesh.points, mesh.points[kinds].mean(1)])
        mesh = Mesh(points, np.concatenate([np.stack(part, axis=1) for part in parts]))
    return Mesh(mesh.points / np.linalg.norm(mesh.points, axis=1)[:, None], mesh.triangles)


def balls(centres, volumes):
    """The mesh of a ball of each volume, m^3, about each centre [n, 3], m."""
    one = ball()
    radius = np.cbrt(volumes / one.volume())
    points = centres[:, None] + radius[:, None, None] * one.points
    firsts = len(one.points) * np.arange(len(centres))
    triangles = firsts[:, None, None] + one.triangles
    return Mesh(points.reshape(-1, 3), triangles.reshape(-1, 3))

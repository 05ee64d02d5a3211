"""What GenCase draws, in its own three dimensions, and the forms of it in the space of the case."""

import numpy as np

from dualsphysics import meshes
from dualsphysics.forms import Ball, Prism, Tube
from dualsphysics.meshes import Mesh

# The faces of a box, as the sides and ends of a prism along y, z or x: the corners of
# `box_corners` at its base and at its opposite, the sides along the base, the two ends.
BOX_PRISMS = (
    ((0, 1, 5, 4), (3, 2, 6, 7), ("bottom", "right", "top", "left"), ("front", "back")),
    ((0, 1, 2, 3), (4, 5, 6, 7), ("front", "right", "back", "left"), ("bottom", "top")),
    ((0, 3, 7, 4), (1, 2, 6, 5), ("bottom", "back", "top", "front"), ("left", "right")),
)
BOX_FACES = ("bottom", "top", "left", "right", "front", "back")


class Figure:
    """One command: what it draws (`kind` fluid, bound or void, with `mk`), filled or as faces."""

    def __init__(self, element, kind, mk, solid):
        self.element, self.kind, self.mk, self.solid = element, kind, mk, solid


class BlockFigure(Figure):
    """A base and its opposite, of as many points; boxes give theirs in three ways."""

    def __init__(self, element, kind, mk, solid, prisms):
        super().__init__(element, kind, mk, solid)
        self.prisms = prisms  # (base, opposite, visible sides, visible ends)

    def forms(self, dimension, y):
        for base, opposite, sides, ends in self.prisms:
            form = _prism(base, opposite, sides, ends, dimension, y)
            if form is not None:
                return form
        base, opposite, sides, ends = self.prisms[0]
        if dimension == 2:
            return _cut(block_triangles(base, opposite), y)
        if not self.solid and not (all(sides) and all(ends)):
            return _facets(base, opposite, sides, ends)
        return [Mesh(block_triangles(base, opposite))]


class RoundFigure(Figure):
    """A sphere, or a cylinder between two points."""

    def __init__(self, element, kind, mk, solid, points, radius):
        super().__init__(element, kind, mk, solid)
        self.points, self.radius = points, radius

    def forms(self, dimension, y):
        first, last = self.points[0], self.points[-1]
        if dimension == 3:
            if len(self.points) == 1:
                return [Ball(first, self.radius)]
            return [Tube(first, last, self.radius)]
        if len(self.points) == 1:
            rest = self.radius**2 - (first[1] - y) ** 2
            return [Ball(first[[0, 2]], rest**0.5)] if rest > 0 else []
        along = (last - first) / np.linalg.norm(last - first)
        if abs(abs(along[1]) - 1) < 1e-9:
            inside = min(first[1], last[1]) <= y <= max(first[1], last[1])
            return [Ball(first[[0, 2]], self.radius)] if inside else []
        if abs(along[1]) > 1e-9:
            return None
        rest = self.radius**2 - (first[1] - y) ** 2
        if rest <= 0:
            return []
        across = np.array([-along[2], along[0]]) * rest**0.5
        a, b = first[[0, 2]], last[[0, 2]]
        return [Prism([a - across, b - across, b + across, a + across])]


class MeshFigure(Figure):
    """Triangles of a file."""

    def __init__(self, element, kind, mk, solid, triangles):
        super().__init__(element, kind, mk, solid)
        self.triangles = triangles

    def forms(self, dimension, y):
        return [Mesh(self.triangles)] if dimension == 3 else _cut(self.triangles, y)


class FacetFigure(Figure):
    """Flat polygons, each a sheet."""

    def __init__(self, element, kind, mk, polygons):
        super().__init__(element, kind, mk, False)
        self.polygons = polygons

    def forms(self, dimension, y):
        if dimension == 3:
            return [Facet(polygon) for polygon in self.polygons]
        triangles = [[p[0], p[i], p[i + 1]] for p in self.polygons for i in range(1, len(p) - 1)]
        return _cut(np.array(triangles, float), y)


def normal_of(points):
    """The normal of a flat polygon, twice as long as its area."""
    spokes = np.asarray(points, float) - points[0]
    return np.cross(spokes[:-1], spokes[1:]).sum(axis=0)


def has_area(points):
    """Whether a flat polygon is more than a line."""
    size = np.ptp(points, axis=0).max()
    return bool(np.linalg.norm(normal_of(points)) > 1e-9 * size**2)


class Facet:
    """A flat polygon in 3-D."""

    solid = False

    def __init__(self, points):
        self.points = np.asarray(points, float)
        normal = normal_of(self.points)
        self.normal = normal / np.linalg.norm(normal)

    def is_closed(self):
        return False

    def bounds(self):
        return self.points.min(axis=0), self.points.max(axis=0)

    def triangles(self):
        p = self.points
        return np.array([[p[0], p[i], p[i + 1]] for i in range(1, len(p) - 1)])

    def faces(self, step):
        return Mesh(self.triangles()).faces(step)


def box_corners(low, high):
    (a, b, c), (d, e, f) = low, high
    return np.array([[a, b, c], [d, b, c], [d, e, c], [a, e, c],
                     [a, b, f], [d, b, f], [d, e, f], [a, e, f]], float)  # fmt: skip


def box_prisms(corners, faces):
    """A box, maybe turned, as prisms along its three directions."""
    return [(corners[list(base)], corners[list(opposite)],
             [side in faces for side in sides], [end in faces for end in ends])
            for base, opposite, sides, ends in BOX_PRISMS]  # fmt: skip


def _prism(base, opposite, sides, ends, dimension, y):
    """A list of one form or none, or None where it is no prism along an axis."""
    shift = opposite[0] - base[0]
    size = max(np.abs(base - base[0]).max(), np.abs(shift).max(), 1e-12)
    if np.abs((opposite - base) - shift).max() > 1e-9 * size:
        return None
    axis = int(np.argmax(np.abs(shift)))
    if dimension == 2 and np.abs(shift).max() <= 1e-12:
        axis = 1  # GenCase draws flat boxes in its plane
    level = np.ptp(base[:, axis]) <= 1e-9 * size
    if np.abs(np.delete(shift, axis)).max() > 1e-9 * size or not level:
        return None
    if dimension == 2 and axis != 1:
        return None
    low, high = sorted((base[0][axis], opposite[0][axis]))
    points = np.delete(base, axis, axis=1)
    if dimension == 2:
        return [Prism(points, sides=sides)] if low - 1e-9 <= y <= high + 1e-9 else []
    if opposite[0][axis] < base[0][axis]:
        ends = tuple(reversed(ends))
    return [Prism(points, axis, low, high, sides, ends)]


def block_triangles(base, opposite):
    n, found = len(base), []
    for i in range(1, n - 1):
        found += [(base[0], base[i + 1], base[i]), (opposite[0], opposite[i], opposite[i + 1])]
    for i in range(n):
        j = (i + 1) % n
        found += [(base[i], base[j], opposite[j]), (base[i], opposite[j], opposite[i])]
    return np.array(found, float)


def _facets(base, opposite, sides, ends):
    polygons = [np.array([base[i], base[(i + 1) % len(base)],
                          opposite[(i + 1) % len(base)], opposite[i]])
                for i, side in enumerate(sides) if side]  # fmt: skip
    polygons += [points for points, end in zip((base, opposite), ends) if end]
    return [Facet(points) for points in polygons if np.ptp(points, axis=0).max() > 1e-9]


def _cut(triangles, y):
    """The section with a plane: closed polygons, and open lines as polygons of visible sides."""
    closed, lines = meshes.section(triangles, y)
    found = [Prism(points) for points in closed]
    found += [Prism(line, sides=[True] * (len(line) - 1) + [False]) for line in lines]
    return [form for form in found if len(form.points) > 1]

"""Closed surfaces of triangles, [n, 3, 3] in m, that face outwards, and STL files of them."""

import numpy as np


def write_stl(path, triangles, title="Sluice"):
    """Writes a binary STL file: 80 bytes of title, a count, then normal and corners of each."""
    rows = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corner", "<f4", (3, 3)),
                                           ("colour", "<u2")])
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    rows["normal"] = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)
    rows["corner"] = triangles
    with open(path, "wb") as file:
        file.write(title.encode("ascii")[:80].ljust(80))
        file.write(np.array(len(rows), dtype="<u4").tobytes())
        file.write(rows.tobytes())


def volume(triangles):
    """The enclosed volume: the tetrahedra between each triangle and the origin."""
    a, b, c = np.moveaxis(np.asarray(triangles, dtype=float), 1, 0)
    return float(np.sum(a * np.cross(b, c)) / 6)


def strips(rings, closed=False):
    """Triangles between rings of equally many points [rings, points, 3]; each ring closes, and with
    `closed` the last ring joins the first. A ring of one place is a tip. Seen from outside, a ring
    goes anticlockwise about the direction to the next one."""
    following = np.roll(rings, -1, axis=0)
    here, there = (rings, following) if closed else (rings[:-1], following[:-1])
    here_next, there_next = np.roll(here, -1, axis=1), np.roll(there, -1, axis=1)
    found = np.concatenate([np.stack(part, axis=2).reshape(-1, 3, 3) for part in
                            ((here, here_next, there_next), (here, there_next, there))])
    size = np.linalg.norm(np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]), axis=1)
    return found[size > 1e-9 * size.max()]


def revolve(profile, facets, closed=False):
    """The body that a line of (r, z) sweeps about z. The body lies left of the line, which begins
    and ends on the axis, or is `closed`."""
    angle = 2 * np.pi * np.arange(facets) / facets
    r, z = np.asarray(profile, dtype=float).T
    rings = np.stack([np.outer(r, np.cos(angle)), np.outer(r, np.sin(angle)),
                      np.repeat(z[:, None], facets, axis=1)], axis=2)
    return strips(rings, closed)


def cylinder(radius, length, facets):
    """A cylinder about z, from z = -length/2; its corners lie on the circle."""
    half = length / 2
    return revolve([(0, -half), (radius, -half), (radius, half), (0, half)], facets)


def torus(ring, tube, facets):
    """A torus about z: a tube of this radius round a circle of radius `ring`."""
    angle = 2 * np.pi * np.arange(facets) / facets
    profile = np.stack([ring + tube * np.cos(angle), tube * np.sin(angle)], axis=1)
    return revolve(profile, 2 * facets, closed=True)


def bowl(radius, thickness, facets):
    """The lower half of a hollow sphere, with a flat rim at z = 0."""
    angle = np.linspace(-np.pi / 2, 0, facets // 2 + 1)
    arc = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    arc[0, 0] = 0
    return revolve(np.concatenate([radius * arc, (radius - thickness) * arc[::-1]]), facets)


def spout(bend, radius, thickness, facets):
    """A pipe of this outer radius, open at both ends, whose axis is a quarter of a circle of radius
    `bend` in the plane of x and z."""
    turn = np.linspace(0, np.pi / 2, facets // 2 + 1)
    angle = 2 * np.pi * np.arange(facets) / facets

    def walls(r):
        away = bend - r * np.cos(angle)  # distance from the middle of the bend
        return np.stack([np.outer(np.cos(turn), away),
                         np.repeat(-r * np.sin(angle)[None], len(turn), axis=0),
                         np.outer(np.sin(turn), away)], axis=2)

    outer, inner = walls(radius), walls(radius - thickness)
    return strips(np.concatenate([outer, inner[::-1]]), closed=True)


def prism(polygon, low, high):
    """A polygon of (x, z), anticlockwise and convex, drawn along y from `low` to `high`."""
    x, z = np.asarray(polygon, dtype=float).T

    def ring(y):
        return np.stack([x, np.full(len(x), y), z], axis=1)

    def tip(y):
        return np.broadcast_to([x.mean(), y, z.mean()], (len(x), 3))

    return strips(np.stack([tip(high), ring(high), ring(low), tip(low)]))


def wigley(length, beam, draft, freeboard, along, down):
    """Wigley's hull, y = +-B/2 (1 - (2x/L)^2) (1 - (z/T)^2) below the waterline z = 0, with upright
    sides above it up to a flat deck; `along` and `down` parts of the length and the draft."""
    x = length / 2 * np.sin(np.linspace(-np.pi / 2, np.pi / 2, along + 1))
    z = draft * np.linspace(-1, 0, down + 1)
    half = beam / 2 * np.outer(1 - (2 * x / length) ** 2, 1 - (z / draft) ** 2)
    half[[0, -1]] = 0
    z = np.append(z, freeboard)
    half = np.concatenate([half, half[:, -1:]], axis=1)
    port = np.stack([np.repeat(x[:, None], len(z), 1), half, np.repeat(z[None], len(x), 0)], axis=2)
    starboard = port * [1, -1, 1]
    # Each section is a ring: keel, starboard up, the deck across, port down.
    return strips(np.concatenate([starboard, port[:, ::-1]], axis=1)[::-1])

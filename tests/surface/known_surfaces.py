#!/usr/bin/env python3
# test: 6 s
"""Surfaces of particles whose water is known: balls, sheets, a shell, a box, drops far apart.

Volumes are added up here by another formula than the tool's. Radii and directions are those of the
ball that the particles fill."""

import sys

try:
    import numpy as np
    import scipy  # noqa: F401
    import skimage  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

from surface import fraction  # noqa: E402, I100
from surface.level import surface_of  # noqa: E402

DP = 0.05
SMOOTH = 25  # as the tool's default


def lattice(*counts):
    """Particles in the middles of the cells of a box that begins at 0."""
    return DP * (np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), -1) + 0.5).reshape(
        -1, 3
    )


def ball(across, disorder=0.0, inner=0.0):
    """Particles of a ball about 0, `across` spacings wide, each moved by up to `disorder` spacings;
    `inner`: the radius of a hole, in spacings."""
    x = lattice(across, across, across) - 0.5 * across * DP
    r = np.linalg.norm(x, axis=1) / DP
    x = x[(r < 0.5 * across) & (r >= inner)]
    return x + disorder * DP * np.random.default_rng(1).uniform(-1, 1, x.shape)


def made(x, smooth=SMOOTH, volume=None):
    return surface_of(x, np.full(len(x), DP**3) if volume is None else volume, DP, smooth)


def volume_of(mesh):
    """The integral of x over the surface along x, by Gauss the volume inside."""
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    across = 0.5 * ((b - a)[:, 1] * (c - a)[:, 2] - (b - a)[:, 2] * (c - a)[:, 1])
    return float(np.sum((a + b + c)[:, 0] / 3 * across))


def check_closed(surface, name, pieces=1, euler=2):
    mesh = surface.mesh
    found = mesh.open_edges(), mesh.pieces()[1], mesh.euler()
    ok(found == (0, pieces, euler), f"{name}: closed, in {pieces}, of Euler characteristic {euler}",
       found)
    off = volume_of(mesh) / (len(PARTICLES[name]) * DP**3) - 1
    # 2% is what is promised; the moves end when a volume is right to 1e-4.
    ok(abs(off) < 1e-3, f"{name}: the volume is that of the particles", off)


PARTICLES = {
    "a drop": ball(20),
    "a drop in disorder": ball(20, 0.2),
    "a small drop": ball(10, 0.2),
    "a box": lattice(20, 12, 8),
    "a sheet": lattice(16, 16, 1),
    "a thread": lattice(16, 1, 1),
    "two particles": lattice(2, 1, 1),
    "a particle": lattice(1, 1, 1),
}


def test_shapes():
    for name, x in PARTICLES.items():
        check_closed(made(x), name)


def test_without_moves():
    """The level alone must be right within 2% at 20 spacings, or the moves would hide an error."""
    cases = {"a cube": lattice(20, 20, 20)}
    cases |= {name: PARTICLES[name] for name in ("a drop", "a drop in disorder")}
    for name, x in cases.items():
        surface = made(x)
        off = surface.moved * surface.mesh.area() / (len(x) * DP**3)
        ok(surface.moved < 0.1 * DP and off < 0.02, f"{name}: 2% without the moves",
           (surface.moved / DP, off))


def test_round():
    for name in ("a drop", "a drop in disorder"):
        mesh = made(PARTICLES[name]).mesh
        radius = np.linalg.norm(mesh.points, axis=1)
        outward = np.sum(mesh.normals() * mesh.points, axis=1) / radius
        # The particles' own surface is rough by about a third of a spacing.
        spread = np.abs(radius - 10 * DP) / DP
        ok(spread.max() < 0.5 and radius.std() / DP < 0.12, f"{name}: at its radius",
           (spread.max(), radius.std() / DP))
        angles = np.degrees(np.arccos(np.clip(outward, -1, 1)))
        ok(angles.max() < 30 and np.sqrt(np.mean(angles**2)) < 8, f"{name}: normals point outward",
           (angles.max(), np.sqrt(np.mean(angles**2))))
        rough = made(PARTICLES[name], 0).mesh
        across = np.sum(rough.normals() * rough.points, axis=1)
        across = across / np.linalg.norm(rough.points, axis=1)
        ok(outward.mean() > across.mean(), f"{name}: smoother than without smoothing")


def test_walls():
    """Water between walls: its flat faces are half a spacing from the outermost particles."""
    mesh = made(PARTICLES["a box"]).mesh
    for axis, end in enumerate(DP * np.array([20, 12, 8])):
        others = [k for k in range(3) if k != axis]
        inner = ((mesh.points[:, others] > 3 * DP)
                 & (mesh.points[:, others] < DP * np.array([20, 12, 8])[others] - 3 * DP)).all(1)
        for place in (0, end):
            face = mesh.points[inner & (np.abs(mesh.points[:, axis] - place) < 2 * DP), axis]
            off = np.abs(face - place) / DP
            ok(len(face) > 10 and off.max() < 0.12, f"a face of the box at {'xyz'[axis]}={place:g}",
               off.max() if len(face) else "no points")


def test_bubble():
    x = ball(20, inner=5)
    surface = made(x)
    mesh = surface.mesh
    ok((surface.bodies, surface.bubbles, surface.lone) == (1, 1, 0), "a shell holds a bubble",
       surface)
    ok(mesh.open_edges() == 0 and mesh.euler() == 4, "both of its surfaces are closed")
    off = volume_of(mesh) / (len(x) * DP**3) - 1
    ok(abs(off) < 1e-3, "the shell's volume is without the bubble", off)
    inside = np.linalg.norm(mesh.points, axis=1) < 7 * DP
    inward = np.sum(mesh.normals()[inside] * mesh.points[inside], axis=1)
    ok(inside.any() and (inward < 0).all(), "normals point out of the water, into the bubble")


def test_bodies_apart():
    """Each body has its own volume, also a kilometre off, where one grid would have 1e13 points."""
    places = ((0, 0, 0), (3, 0, 0), (1000, 2, -500))
    parts = [ball(n, 0.1) + np.array(at) for n, at in zip((20, 10, 14), places)]
    lone = np.array([[0.0, 3.0, 0.0], [0.0, -2.0, 1.0]])
    surface = made(np.concatenate([*parts, lone]))
    ok((surface.bodies, surface.lone) == (3, 2), "three bodies and two particles", surface)
    piece, count = surface.mesh.pieces()
    ok(count == 5 and surface.mesh.open_edges() == 0, "five closed pieces", count)
    for part, at in zip(parts, places):
        near = np.linalg.norm(surface.mesh.points - at, axis=1) < 1
        off = volume_of(surface.mesh.kept(near)) / (len(part) * DP**3) - 1
        ok(abs(off) < 1e-3, f"the volume of the body at x = {at[0]}", off)
    near = np.linalg.norm(surface.mesh.points - lone[0], axis=1)
    ball_radius = (0.75 / np.pi) ** (1 / 3) * DP
    ok(np.abs(near[near < DP] - ball_radius).max() < 0.1 * DP, "a lone particle is a ball")


def test_volumes_count():
    """Particles of twice the volume bound twice the volume."""
    x = lattice(16, 16, 16)
    heavy = made(x, volume=np.full(len(x), 1.1 * DP**3))
    off = volume_of(heavy.mesh) / (1.1 * len(x) * DP**3) - 1
    ok(abs(off) < 1e-3, "the volume follows masses, not the number of particles", off)
    none = made(np.zeros((0, 3)))
    ok(not len(none.mesh.triangles) and none.volume == 0, "no particles: an empty mesh")


def test_mist():
    """Particles so far apart that a least fraction of 0.6 would give too large a volume of water.
    """
    random = np.random.default_rng(2)
    x = np.concatenate([lattice(20, 20, 6), random.uniform((0, 0, 0.3), (1, 1, 0.9), (2500, 3))])
    surface = made(x)
    off = volume_of(surface.mesh) / (len(x) * DP**3) - 1
    ok(abs(off) < 0.01 and surface.mesh.open_edges() == 0, "mist over a pool: its volume", off)
    both = fraction.LEAST
    fraction.LEAST = (both[1], both[1])
    fixed = made(x)
    fraction.LEAST = both
    ok(surface.moved < 0.6 * fixed.moved, "the least fraction spares flat water from moves",
       (surface.moved / DP, fixed.moved / DP))
    low = [m.points[(np.abs(m.points[:, :2] - 0.5) < 0.3).all(1), 2].min()
           for m in (surface.mesh, fixed.mesh)]  # fmt: skip
    ok(abs(low[0]) < abs(low[1]), "the pool's floor is nearer to its place", low)


def test_threads_and_tiles():
    """A grid of several tiles and slabs has the bits of one of a single tile and slab."""
    x = ball(40, 0.2)
    one = fraction.fraction_of(x, np.full(len(x), DP**3), DP, 1)
    fraction.SLAB, tile = 20_000, fraction.TILE
    fraction.TILE = 1000
    two = fraction.fraction_of(x, np.full(len(x), DP**3), DP, 2)
    fraction.TILE = tile
    ok(max(one.fraction.shape) > tile, "more than one tile", one.fraction.shape)
    gap = float(np.abs(one.fraction - two.fraction).max())
    ok(gap < 1e-6, "tiles, slabs and threads leave no trace", gap)  # float's rounding
    middle = one.fraction[tuple(np.array(one.fraction.shape) // 2)]
    ok(abs(middle - 1) < 0.02, "the fraction within water is 1", middle)


def test_memory():
    """A grid that does not fit is refused with numbers before it is made."""
    free, fraction.free_memory = fraction.free_memory, lambda: 1e6
    try:
        made(PARTICLES["a drop"])
        text = ""
    except fraction.TooLarge as error:
        text = str(error)
    fraction.free_memory = free
    counted = f"{len(PARTICLES['a drop'])} particles" in text
    ok(counted and "0.0 GB are free" in text, "too little memory is an error with numbers", text)


test_shapes()
test_without_moves()
test_round()
test_walls()
test_bubble()
test_bodies_apart()
test_volumes_count()
test_mist()
test_threads_and_tiles()
test_memory()
finish()

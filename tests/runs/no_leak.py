#!/usr/bin/env python3
# test: 57 s, slow
"""Corners, edges and thin walls hold the fluid: water thrown against them loses no particle, and
none is found beyond a wall's surface or on the other side of a thin one."""

import os

import h5py
from case_run import Case, at_most, diag, finish, largest, np, ok, together

# A column of water falls and runs over a dry tank with a thin plate (three particles, as the kernel
# needs), a step with an outer edge, and corners, closed but for the top.
FLAT = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { max = [2.0, 1.6]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.6, 0.8]; },
    { shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { shape = "box"; type = "wall"; min = [1.0, 0.0]; max = [1.2, 0.1]; },
    { shape = "box"; type = "wall"; min = [1.6, 0.0]; max = [1.66, 0.9]; } );
time = { end = 1.2; }; energy = { tolerance = 1.0; every = 10; };
output = { every = 0.1; precision = "double"; };
"""
# The same in 3-D: a block in the middle whose edges and corners the water meets.
DEEP = """model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { max = [1.6, 0.6, 1.0]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.5, 0.6, 0.6]; },
    { shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; },
    { shape = "box"; type = "wall"; min = [0.9, 0.2, 0.0]; max = [1.1, 0.4, 0.2]; } );
time = { end = 0.9; }; energy = { tolerance = 1.0; every = 10; };
output = { every = 0.1; precision = "double"; };
"""
PLATE = {"low": 1.6, "high": 1.66, "top": 0.9}


def fluid(run, number):
    with h5py.File(os.path.join(run.path, f"snap_{number:06d}.hdf")) as file:
        return file["VTKHDF/Points"][:][file["VTKHDF/PointData/ParticleType"][:] == 0]


def depth_in_box(x, low, high):
    """How deep the deepest particle is in a box, m; negative: none is in it."""
    return np.min(np.minimum(x - np.array(low), np.array(high) - x), axis=1).max()


def depth_beyond(x, low, high):
    """How far beyond the walls of the tank, whose last axis is open above."""
    high = np.append(np.array(high)[:-1], np.inf)
    return np.maximum(np.array(low) - x, x - high).max()


def test_flat(run, name, gate):
    deepest, beyond = -1.0, -1.0
    for number in range(13):
        x = fluid(run, number)[:, :2]
        deepest = max(deepest, depth_in_box(x, [1.0, -1.0], [1.2, 0.1]),
                      depth_in_box(x, [PLATE["low"], -1.0], [PLATE["high"], PLATE["top"]]))
        beyond = max(beyond, depth_beyond(x, [0.0, 0.0], [2.0, 1.6]))
    energy = run.energy()
    ok(energy["particles"][-1] == 1200 and energy["removed"][-1] == 0, f"{name}: none is lost")
    at_most(max(deepest, 0) / 0.02, gate, f"{name}: deepest in an obstacle, dp")
    at_most(max(beyond, 0) / 0.02, gate, f"{name}: farthest into the tank's walls, dp")
    behind = fluid(run, 4)
    ok(behind[:, 0].max() < PLATE["high"], f"{name}: nothing has come through the plate at 0.4 s")
    at_most(largest(energy["identity"]), 1e-12, f"{name}: power identity")


def test_deep(run, name, gate):
    deepest, beyond = -1.0, -1.0
    for number in range(10):
        x = fluid(run, number)
        deepest = max(deepest, depth_in_box(x, [0.9, 0.2, -1.0], [1.1, 0.4, 0.2]))
        beyond = max(beyond, depth_beyond(x, [0, 0, 0], [1.6, 0.6, 1.0]))
    energy = run.energy()
    ok(energy["particles"][-1] == 1440 and energy["removed"][-1] == 0, f"{name}: none is lost")
    at_most(max(deepest, 0) / 0.05, gate, f"{name}: deepest in the block, dp")
    at_most(max(beyond, 0) / 0.05, gate, f"{name}: farthest into the tank's walls, dp")


kinds = ("adami", "dynamic", "repulsive", "mdbc")
jobs = [
    lambda text=text, n=n, k=k: Case(text, boundary__kind=k).run(
        f"{n}-{k}", backend__precision="double"
    )
    for text, n in ((FLAT, "flat"), (DEEP, "deep"))
    for k in kinds
]
runs = together(*jobs)
for run in runs:
    diag(f"{os.path.basename(run.path)}: {run.seconds:.1f} s")
for run, kind in zip(runs[:4], kinds):
    test_flat(run, f"2-D, {kind}", 0.25)
for run, kind in zip(runs[4:], kinds):
    test_deep(run, f"3-D, {kind}", 0.25)
finish()

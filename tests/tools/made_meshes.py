#!/usr/bin/env python3
# test: 10 s
"""Meshes that the tools write: closed, facing outwards, of the volume of their body; and the
shipped cases of shapes."""

import collections
import subprocess

from case_run import ROOT, SLUICE, at_most, finish, np, ok, scratch

from validate import meshes  # noqa: I100

PI = np.pi
# A polygon of n corners has the area of its circle less the fraction (2 pi/n)^2/6, twice for a
# torus.
FACETS = 128
SHARE = (2 * PI / FACETS) ** 2 / 6
# {name: (triangles, exact volume, how far the mesh may be off)}
BODIES = {
    "cylinder": (meshes.cylinder(0.1, 0.3, FACETS), PI * 0.1**2 * 0.3, SHARE),
    "torus": (meshes.torus(2.0, 0.5, FACETS), 2 * PI**2 * 2 * 0.5**2, 2 * SHARE),
    "bowl": (meshes.bowl(1.0, 0.2, FACETS), 2 / 3 * PI * (1 - 0.8**3), 3 * SHARE),
    "spout": (meshes.spout(2.0, 0.5, 0.15, FACETS), PI**2 * (0.5**2 - 0.35**2), 2 * SHARE),
    "prism": (meshes.prism([(0, 0), (2, 0), (1, 1)], -1.0, 2.0), 3.0, 1e-12),
    # Chords cut off two thirds of a bulge: 1/8^2 of a section's depth, 1/24^2 of a waterline's.
    "Wigley's hull": (meshes.wigley(1.2, 0.3, 0.15, 0.06, 24, 8),
                      1.2 * 0.3 * (4 / 9 * 0.15 + 2 / 3 * 0.06), 0.01),
}


def open_edges(triangles):
    """How many edges do not belong to two triangles that pass it in opposite directions."""
    size = np.abs(triangles).max()
    corner = np.rint(triangles / size * 1e7).astype(np.int64)
    edges = collections.Counter()
    for a, b in ((0, 1), (1, 2), (2, 0)):
        for one, other in zip(map(tuple, corner[:, a].tolist()), map(tuple, corner[:, b].tolist())):
            edges[one, other] += 1
    return sum(edges[edge] != 1 or edges[edge[::-1]] != 1 for edge in edges)


def test_bodies():
    for name, (triangles, volume, share) in BODIES.items():
        ok(open_edges(triangles) == 0, f"{name}: {len(triangles)} triangles, closed",
           f"{open_edges(triangles)} open edges")
        at_most(meshes.volume(triangles) / volume - 1, share * 1.05, f"{name}: its volume")


def test_hull():
    path = f"{scratch}/hull.stl"
    subprocess.run([f"{ROOT}/tools/hull.py", path], check=True, stdout=subprocess.DEVNULL)
    with open(path, "rb") as made, open(f"{ROOT}/configs/hull.stl", "rb") as shipped:
        ok(made.read() == shipped.read(), "configs/hull.stl is what tools/hull.py writes")


def test_cases():
    for name, phrase in (("beach", "polygon 4 'beach'"), ("column", "cylinder 3 'pillar'"),
                         ("hull", "mesh 3 'hull'")):
        said = subprocess.run([SLUICE, "check", f"{ROOT}/configs/{name}.cfg"], text=True,
                              capture_output=True)
        ok(said.returncode == 0 and phrase in said.stdout, f"check configs/{name}.cfg",
           said.stdout + said.stderr)


test_bodies()
test_hull()
test_cases()
finish()

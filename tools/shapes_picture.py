#!/usr/bin/env python3
"""Draws every shape of a geometry as its particles, into docs/pictures/shapes.png.

  tools/shapes_picture.py [FILE]

Each panel is a case of its own, which build/sluice (or $SLUICE) fills with particles.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
from plot.modules import require  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402, I100
import numpy as np  # noqa: E402
from matplotlib.collections import EllipseCollection  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
from plot.pictures import COLOURS  # noqa: E402
from sluice.config import text_of  # noqa: E402
from validate import meshes  # noqa: E402
from validate.runner import ROOT  # noqa: E402

import sluice  # noqa: E402, I100

DP = 0.05  # m
WATER, SOLID = COLOURS[0], "#cfa968"
HIDDEN = '{ shape = "box"; type = "fluid"; min = [-1.5, -1.5, -1.5]; max = [-1.4, -1.4, -1.4]; }'
CONFIG = """
model = "wcsph"; dimension = %d; spacing = 0.05; gravity = %s;
domain = { min = %s; max = %s; };
fluid = { sound_speed = 10.0; };
geometry = ( %s );
time = { end = 1.0; max_steps = 1; };
energy = { every = 0; };
output = { every = 1.0; };
"""


def solid(shape, **keys):
    return {"name": "shape", "shape": shape, "type": "wall", "fill": "solid", **keys}


def water(x, y):
    return {"shape": "box", "type": "fluid", "min": [0.0, 0.0], "max": [x, y]}


def flat_panels():
    """(title, entries of the geometry) in 2-D, in a domain of 2 m x 1.2 m."""
    tank = {"shape": "walls", "sides": ["left", "right", "bottom"]}
    beach = [[0.8, 0.0], [2.2, 0.98], [2.2, -0.2], [0.8, -0.2]]
    return [
        ("disc", [water(2.0, 0.7), tank, solid("disc", centre=[1.0, 0.4], radius=0.3)]),
        ("walls", [water(2.0, 0.7), tank]),
        ("half-space", [water(2.0, 0.7), tank,
                        solid("half-space", centre=[1.2, 0.0], normal=[-1.0, 1.2])]),
        ("polygon", [water(2.0, 0.7), tank, solid("polygon", points=beach)]),
    ]


def deep_panels(folder):
    """(title, entries of the geometry) in 3-D, about the origin."""
    def file(name, triangles):
        meshes.write_stl(os.path.join(folder, name), triangles)
        return name

    side = np.linspace(-0.7, 0.7, 29)
    x, y = (part.ravel() for part in np.meshgrid(side, side))
    z = 0.3 * np.exp(-6 * ((x - 0.2) ** 2 + y**2)) + 0.06 * np.sin(9 * x + 3 * y) - 0.2
    np.savetxt(os.path.join(folder, "hills.csv"), np.stack([x, y, z], 1), delimiter=",",
               header="x,y,z", comments="")
    hexagon = [[0.5 * np.cos(a), 0.5 * np.sin(a)] for a in np.pi / 3 * np.arange(6)]
    bore = {"name": "bore", "shape": "cylinder", "type": "part", "centre": [0.0] * 3, "axis": "y",
            "radius": 0.3, "length": 3.0}
    ball = {**bore, "name": "ball", "shape": "sphere", "radius": 0.6}
    del ball["axis"], ball["length"]
    cube = {"min": [-0.5, -0.4, -0.5], "max": [0.5, 0.4, 0.5]}
    plot = {"shape": "box", "type": "part", "name": "plot", "min": [-0.7, -0.7, -0.5],
            "max": [0.7, 0.7, 1.0]}
    return [
        ("box", [solid("box", **cube)]),
        ("sphere", [solid("sphere", centre=[0.0] * 3, radius=0.55)]),
        ("cylinder", [solid("cylinder", centre=[0.0] * 3, radius=0.45, length=1.0)]),
        ("cone", [solid("cone", centre=[0.0] * 3, radius=0.6, top_radius=0.2, length=1.0)]),
        ("polygon in 3-D: a prism",
         [solid("polygon", points=hexagon, **{"from": -0.4, "to": 0.4})]),
        ("heightfield", [plot, solid("heightfield", file="hills.csv", within="plot")]),
        ("mesh", [solid("mesh", file=file("torus.stl", meshes.torus(0.5, 0.2, 48)),
                        rotation_axis=[1.0, 0.4, 0.0], rotation_degrees=25.0)]),
        ("mesh", [solid("mesh", file=file("spout.stl", meshes.spout(0.8, 0.35, 0.15, 48)),
                        move=[-0.5, 0.0, -0.55])]),
        ("box, turned", [solid("box", rotation_axis=[1.0, 1.0, 0.0], rotation_degrees=35.0,
                               **cube)]),
        ("box without a cylinder", [bore, solid("box", without="bore", **cube)]),
        ("box within a sphere", [ball, solid("box", within="ball", **cube)]),
        ("mesh, turned", [solid("mesh", file=file("bowl.stl", meshes.bowl(0.6, 0.15, 48)),
                                rotation_axis=[1.0, 0.0, 0.0], rotation_degrees=25.0,
                                move=[0.0, 0.0, 0.2])]),
    ]


def particles(folder, name, dimension, entries):
    """The start of a case with these entries."""
    shapes = ", ".join(text_of(entry) for entry in entries)
    if dimension == 3:
        text = CONFIG % (3, "[0.0, 0.0, 0.0]", "[-1.5, -1.5, -1.5]", "[1.5, 1.5, 1.5]",
                         f"{HIDDEN}, {shapes}")
    else:
        text = CONFIG % (2, "[0.0, -9.81]", "[0.0, 0.0]", "[2.0, 1.2]", shapes)
    path = os.path.join(folder, f"{name}.cfg")
    with open(path, "w") as file:
        file.write(text)
    start = os.path.join(folder, f"{name}.hdf")
    sluice.check(path, write=start)
    return sluice.Snapshot(start)


def discs(axes, places, colours):
    axes.add_collection(EllipseCollection(
        widths=DP, heights=DP, angles=0.0, units="xy", offsets=places, facecolors=colours,
        edgecolors=np.clip(0.72 * np.asarray(colours), 0, 1), linewidths=0.3,
        offset_transform=axes.transData))
    axes.set_aspect("equal")
    axes.set_axis_off()


def draw_flat(axes, snapshot):
    colours = np.where(snapshot.type[:, None] == 0, to_rgb(WATER), to_rgb("0.62"))
    if "shape" in snapshot.groups:
        colours[snapshot.shape == snapshot.groups.index("shape")] = to_rgb(SOLID)
    discs(axes, snapshot.x[:, :2], colours)
    axes.set_xlim(-0.2, 2.2)
    axes.set_ylim(-0.2, 1.25)


def draw_deep(axes, snapshot):
    """Particles of the surface, seen from the right, in front and above, lit from above."""
    x = snapshot.x[snapshot.shape == snapshot.groups.index("shape")]
    cell = np.rint(x / DP - 0.5).astype(int)
    cell -= cell.min(axis=0) - 3
    full = np.zeros(cell.max(axis=0) + 4, dtype=bool)
    full[tuple(cell.T)] = True
    steps = np.indices((5, 5, 5)).reshape(3, -1).T - 2
    there = np.stack([full[tuple((cell + step).T)] for step in steps], axis=1)
    outwards = -(there @ (steps / np.maximum(np.linalg.norm(steps, axis=1), 1)[:, None]))
    near = np.abs(steps).max(axis=1) < 2
    shown = ~there[:, near].all(axis=1)
    normal = outwards / np.maximum(np.linalg.norm(outwards, axis=1, keepdims=True), 1e-9)
    light = np.array([0.25, -0.55, 0.8]) / np.linalg.norm([0.25, -0.55, 0.8])
    shade = 0.45 + 0.6 * np.maximum(normal @ light, 0)
    around, down = np.radians(28.0), np.radians(24.0)
    right = np.array([np.cos(around), np.sin(around), 0.0])
    back = np.array([-np.sin(around) * np.cos(down), np.cos(around) * np.cos(down), -np.sin(down)])
    up = np.cross(right, back)
    order = np.argsort(-(x[shown] @ back))
    places = np.stack([x[shown] @ right, x[shown] @ up], axis=1)[order]
    colours = np.clip(shade[shown][order, None] * np.array(to_rgb(SOLID)) * 1.15, 0, 1)
    discs(axes, places, colours)
    axes.set_xlim(-1.0, 1.0)
    axes.set_ylim(-0.85, 0.85)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs/pictures/shapes.png")
    with tempfile.TemporaryDirectory() as folder:
        panels = [(2, *panel) for panel in flat_panels()]
        panels += [(3, *panel) for panel in deep_panels(folder)]
        figure, axes = plt.subplots(4, 4, figsize=(9.6, 7.6))
        for number, (place, (dimension, title, entries)) in enumerate(zip(axes.flat, panels)):
            snapshot = particles(folder, f"panel{number}", dimension, entries)
            (draw_flat if dimension == 2 else draw_deep)(place, snapshot)
            place.set_title(title)
        figure.savefig(path, dpi=90)
    print(path)


if __name__ == "__main__":
    main()

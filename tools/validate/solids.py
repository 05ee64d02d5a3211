"""Walls from meshes: the volume of their particles against that of the mesh."""

import numpy as np
from plot.pictures import COLOURS

from validate import meshes
from validate.pillar import WALLS
from validate.trial import case

ACROSS = 1.0  # m: the tube of the torus, the pipe of the spout, and the bowl
# Each mesh: turned about any axis, by any angle, and moved off the lattice. To fit the walls of
# one takes 10 to 40 s.
PLACINGS = {"lattice": 12, "fitted": 1}
SHAPES = {
    "torus": meshes.torus(ACROSS, ACROSS / 2, 64),
    "bowl": meshes.bowl(ACROSS / 2, 0.2 * ACROSS, 64),
    "spout": meshes.spout(1.5 * ACROSS, ACROSS / 2, 0.15 * ACROSS, 64),
}

CONFIG = """
title = "Walls from meshes";
model = "wcsph";
dimension = 3;
spacing = 1.0;
domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; };
fluid = { sound_speed = 10.0; };
boundary = { kind = "adami"; };
geometry = ();
time = { end = 1.0; max_steps = 1; };
energy = { every = 1; tolerance = 1.0; reference = 1.0; };
output = { every = 1.0; };
"""


def placings(name, path, n, walls):
    """Entries of the geometry: the mesh with these walls at its places, in a row along x, and some
    water beside; and the domain's upper corner."""
    chance = np.random.default_rng(1)
    size = 2 * np.max(np.linalg.norm(SHAPES[name], axis=2)) + 0.5 * ACROSS
    entries = [{"name": "water", "shape": "box", "type": "fluid", "min": [0.0] * 3,
                "max": [4 * ACROSS / n] * 3}]
    for k in range(PLACINGS[walls]):
        middle = np.array([(k + 1) * size, size / 2, size / 2])
        entries.append({
            "name": f"{name} {k}", "shape": "mesh", "type": "wall", "fill": "solid", "file": path,
            **WALLS[walls],
            "rotation_axis": chance.normal(size=3).tolist(),
            "rotation_degrees": chance.uniform(20, 160),
            "move": (middle + ACROSS / n * chance.uniform(size=3)).tolist()})
    return tuple(entries), [(PLACINGS[walls] + 2) * size, size, size]


def volume_errors(trial, n, walls, name):
    """(relative errors of the volume, numbers of particles) of a mesh at its places."""
    triangles = SHAPES[name]
    entries, high = placings(name, trial.write_mesh(name, triangles), n, walls)
    run = trial.run(f"{n}-{walls}-{name}", CONFIG, "", spacing=ACROSS / n, domain__max=high,
                    geometry=entries)
    snapshot = run[0]
    count = np.bincount(snapshot.shape, minlength=len(snapshot.groups))
    count = count[[snapshot.groups.index(entry["name"]) for entry in entries[1:]]]
    return count * (ACROSS / n) ** 3 / meshes.volume(triangles) - 1, count


@case("mesh-volume", "Walls from meshes: torus, bowl, spout", (10, 20))
def mesh_volume(trial):
    """Walls from STL files: a torus with a tube 1 m thick, a bowl 1 m wide with a wall of 0.2 m and
    a flat rim, and a bent spout, a pipe 1 m wide, open at both ends, with a wall of 0.15 m. Each
    stands at 12 places, turned about any axis and off the lattice. Compared are the number of its
    particles times dp^3 and the volume of its mesh. The walls take the cells whose centres lie
    inside, so the number scatters, with a mean error near zero. The gates are 0.5% for the mean of
    the 12 and for their root mean square, at 20 particles across (a wall of the bowl is then 4
    particles thick, one of the spout 3). A mesh whose flat faces lie along the lattice may be half
    a cell off there. For comparison, walls fitted to the surface (`fit = "surface"`), once each:
    their layers need a wall that is thicker than those of bowl and spout. Resolutions: particles
    across 1 m."""
    (axes,) = trial.axes(wide=5.4, tall=3.6)
    runs = [(n, walls, name) for n in trial.resolutions for walls in WALLS for name in SHAPES]
    for n, walls, name in runs:
        off, count = volume_errors(trial, n, walls, name)
        gate = 0.005 if n >= 20 and walls == "lattice" else None
        label = f"{n} across, {walls}, {name}: volume of its particles over the mesh's, less 1"
        trial.within(f"{label}, mean", np.mean(off), gate, f"{np.mean(count):.0f} particles")
        trial.check(f"{label}, root mean square", np.sqrt(np.mean(off**2)), gate,
                    note=f"largest {np.max(np.abs(off)):.4f}")
        place = n * (1 + 0.02 * (list(SHAPES).index(name) - 1) + 0.08 * list(WALLS).index(walls))
        axes.plot(np.full(len(off), place), 100 * off, ".o"[list(WALLS).index(walls)],
                  color=COLOURS[list(SHAPES).index(name)], fillstyle="none",
                  label=f"{name}, {walls}" if n == runs[0][0] else None)
    axes.axhspan(-0.5, 0.5, color="0.5", alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    axes.set_xticks(trial.resolutions, [f"{n:g}" for n in trial.resolutions])
    axes.minorticks_off()
    axes.set_xlabel("particles across")
    axes.set_ylabel("volume, % off the mesh's")
    axes.legend()


CASES = (mesh_volume,)

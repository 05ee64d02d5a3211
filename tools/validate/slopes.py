"""Water at rest over slopes and between oblique walls, each described in several ways."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate import meshes
from validate.runner import ON_GPU
from validate.still_waters import C0, DEPTH, GAMMA, GRAVITY, RHO0
from validate.trial import case

STEPS = 100_000
MESH_STEPS = 20_000  # of the mesh on a CPU, past the 50 sqrt(H/g) of the still tank
SLICE = 8  # dp, the width of a mesh's tank: two cutoffs, the least of a periodic axis
TOP = 1.3125  # m, of the domain
DEEP = 0.25  # m: shapes reach so far into the floor, at least the layers of a wall at H/16

WEDGE = {"length": 2.0, "below": [(0.0, 0.0), (0.75, 0.0), (1.0, 0.25), (1.25, 0.0), (2.0, 0.0)],
         "polygon": [(0.5, -DEEP), (1.5, -DEEP), (1.0, 0.25)], "flat": (0.15, 0.6)}
BEACH = {"length": 6.5, "below": [(0.0, 0.0), (0.5, 0.0), (6.5, 1.2)],
         "polygon": [(0.5, -DEEP), (6.5, -DEEP), (6.5, 1.2), (0.5, 0.0)], "flat": (0.05, 0.45)}


def descriptions(trial, ground, width):
    """{name: keys of the geometry's entry} of the ground; the mesh is `width` wide."""
    x, z = np.transpose(ground["below"])
    ring = meshes.prism(ground["polygon"], 0.0, width)
    return {
        "polygon": {"shape": "polygon", "points": [list(map(float, p)) for p in ground["polygon"]]},
        "heightfield": {"shape": "heightfield", "file": trial.write("heights", {"x": x, "y": z})},
        "mesh": {"shape": "mesh", "file": trial.write_mesh(f"{width:g}", ring)},
    }


def keys(n, ground, kind):
    """Keys of still_water.cfg for the tank with this ground; a mesh stands in a slice."""
    slab, length = [], ground["length"]
    if kind["shape"] == "mesh":
        slab = [SLICE * DEPTH / n]
    low = [0.0] * (2 + len(slab))
    return {
        "dimension": len(low),
        "spacing": DEPTH / n,
        "domain__min": low,
        "domain__max": [length, *slab, TOP],
        "domain__periodic": [False, True, False] if slab else [False, False],
        "gravity": [*low[:-1], -GRAVITY],
        "geometry": (
            {"name": "water", "shape": "box", "type": "fluid", "min": low,
             "max": [length, *slab, DEPTH]},
            {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]},
            {"name": "ground", "type": "wall", "fill": "solid", **kind}),
        "probes": (),
    }


def floor_pressure(run, where, turn=0.0):
    """Mean pressure (Pa) at the floor over the second half: a line through p(z) of the lowest
    quarter, `where` in x; after turning the places back by `turn` (rad)."""
    last, found = run.times[-1], []
    for snapshot in run:
        if snapshot.time >= last / 2:
            x, z = upright(snapshot, run.dimension, turn)
            keep = (x > where[0]) & (x < where[1]) & (z < DEPTH / 4)
            found.append(np.polyfit(z[keep], snapshot.pressure[snapshot.type == 0][keep], 1)[1])
    return float(np.mean(found))


def upright(snapshot, dimension, turn):
    """x and z of the fluid in the tank's own coordinates."""
    fluid = snapshot.x[snapshot.type == 0]
    x, z = fluid[:, 0], fluid[:, dimension - 1]
    return (x * math.cos(turn) + z * math.sin(turn), z * math.cos(turn) - x * math.sin(turn))


def outside(run, length, turn=0.0):
    """The largest distance (dp) of fluid beyond the tank's walls, in all snapshots."""
    far = -np.inf
    for snapshot in run:
        x, z = upright(snapshot, run.dimension, turn)
        far = max(far, np.max(-x), np.max(x - length), np.max(-z))
    return far / run.config.get("spacing", 1.0)


def under(run, below):
    """The largest depth (dp) of fluid beneath the ground, in all snapshots."""
    deep = -np.inf
    for snapshot in run:
        x, z = upright(snapshot, run.dimension, 0.0)
        deep = max(deep, np.max(np.interp(x, *np.transpose(below)) - z))
    return deep / run.config.get("spacing", 1.0)


def judge(trial, run, label, where, turn=0.0):
    """Checks the kinetic energy, the floor's pressure and the count; returns the pressure."""
    table = run.energy()
    weight = run.reference_energy
    late = table["time"] > table["time"][-1] / 2
    exact = measure.tait_floor_pressure(RHO0, C0, GAMMA, GRAVITY, DEPTH)
    found = floor_pressure(run, where, turn)
    trial.check(f"{label}: kinetic energy / (m g H), its largest of the second half",
                measure.largest(table["kinetic"][late]) / weight, 1e-7,
                note=f"at the end {table['kinetic'][-1] / weight:.1e}, t sqrt(g/H) = "
                     f"{table['time'][-1] * math.sqrt(GRAVITY / DEPTH):.0f}")
    trial.within(f"{label}: floor pressure, relative error", found / exact - 1, 0.005,
                 f"{found:.2f} Pa, exact {exact:.2f} Pa")
    trial.check(f"{label}: particles lost in {int(table['step'][-1])} steps",
                table["particles"][0] - table["particles"][-1], 0)
    return found


def particles_apart(first, other):
    """How many particles stand at the start in only one of two runs; in a slice only its first
    layer counts."""
    places = []
    for run in (first, other):
        snapshot, dp = run[0], run.config.get("spacing", 1.0)
        layer = (snapshot.x[:, 1] < dp) | (run.dimension == 2)
        cells = np.rint(snapshot.x[layer][:, [0, run.dimension - 1]] / dp - 0.5).astype(int)
        places.append({(*c, t) for c, t in zip(cells.tolist(), snapshot.type[layer].tolist())})
    return len(places[0] ^ places[1])


def stand_on_slope(trial, ground):
    """Runs and checks the tank over this ground, described in each way; draws the last of them."""
    left, right = trial.axes(columns=2, wide=5.0)
    on_gpu = trial.runner.backend in ON_GPU
    for n in trial.resolutions:
        runs, found = {}, {}
        for name, kind in descriptions(trial, ground, SLICE * DEPTH / n).items():
            steps = STEPS if name != "mesh" or on_gpu else MESH_STEPS
            run = trial.run(f"{n}-{name}", "still_water.cfg", "still", **keys(n, ground, kind),
                            time__end=1e4, time__max_steps=steps, output__every=1.0)
            label = f"H/{n}, {name}"
            found[name] = judge(trial, run, label, ground["flat"])
            far = max(outside(run, ground["length"]), under(run, ground["below"]))
            trial.check(f"{label}: fluid beyond the walls, dp", far, 1.0,
                        note="largest in all snapshots; the stairs of the cells reach 0.7 dp")
            runs[name] = run
            draw(left, right, run, name, n == trial.resolutions[-1])
        for name in ("heightfield", "mesh"):
            trial.within(f"H/{n}: floor pressure, {name} against polygon, relative",
                         found[name] / found["polygon"] - 1, 0.005)
            trial.check(f"H/{n}: particles of the start that {name} and polygon do not share",
                        particles_apart(runs["polygon"], runs[name]), None)
    left.set_xlabel("x (m)")
    left.set_ylabel("z (m)")
    left.set_aspect("equal")
    left.grid(False)
    right.axhline(1e-7, color="0.3", linestyle=":", label="gate of the second half")
    right.set_xlabel("time (s)")
    right.set_ylabel("kinetic energy / (m g H)")
    right.legend()


def draw(left, right, run, name, finest):
    """Draws the particles of the polygon's tank at the end, and the kinetic energy of each."""
    colour = COLOURS[("polygon", "heightfield", "mesh").index(name)]
    if finest and name == "polygon":
        snapshot = run[-1]
        for kind, shade in ((0, colour), (1, "0.7")):
            left.plot(*snapshot.x[snapshot.type == kind][:, :2].T, ".", markersize=2, color=shade)
    if finest:
        table = run.energy()
        right.semilogy(table["time"][1:], table["kinetic"][1:] / run.reference_energy,
                       color=colour, label=name)


@case("still-water-wedge-shapes", "Still water over a wedge: polygon, heightfield, mesh", (16,),
      on_gpu=(16, 32))
def still_water_wedge_shapes(trial):
    """The tank with a wedge of the case before, for 10^5 steps. The wedge is a `polygon`, or the
    `heightfield` of the whole floor, or in 3-D a `mesh`, in a slice 8 dp wide and periodic along
    y. On a CPU the mesh takes 2 x 10^4 steps, t sqrt(g/H) = 50 at H/16. The floor pressure is the
    mean of the second half. Keys are those of `configs/still_water.cfg`. Resolutions: particles in
    H."""
    stand_on_slope(trial, WEDGE)


@case("still-water-beach", "Still water over a beach of 1:5: polygon, heightfield, mesh", (16,),
      on_gpu=(16, 32))
def still_water_beach(trial):
    """The same over a beach of 1:5 that begins 0.5 H from the tank's wall and leaves the water 5 H
    farther on. The floor pressure is that of the flat part."""
    stand_on_slope(trial, BEACH)


DEGREES = 17.0
TURNED_CFL = 0.15  # resolves the sound of the start, from a surface in stairs


@case("still-water-turned", "Still water in a tank turned by 17 degrees", (16,))
def still_water_turned(trial):
    """A square tank, cut out of a block by a `void`, and its water and gravity are turned by 17
    degrees against the lattice. So its walls and its free surface have stairs. It stands for 10^5
    steps, with `adami` and `mdbc` walls, beside the same tank along the lattice. Places are turned
    back before the floor pressure is taken. `time.cfl` is 0.15, since the free surface's stairs
    begin with a louder sound than a flat surface; with 0.3 the residual is 2.4e-8. Other keys are
    those of `configs/still_water.cfg`. Resolutions: particles in H."""
    (axes,) = trial.axes(wide=5.0, tall=4.6)
    for n in trial.resolutions:
        found = {}
        for label, degrees, walls in (("straight", 0.0, "adami"), ("turned", DEGREES, "adami"),
                                      ("turned, mdbc", DEGREES, "mdbc")):
            run = trial.run(f"{n}-{label.replace(', ', '-')}", "still_water.cfg", "still",
                            **turned_keys(n, degrees), boundary__kind=walls, time__end=1e4,
                            time__max_steps=STEPS, time__cfl=TURNED_CFL, output__every=1.0)
            turn = math.radians(degrees)
            found[label] = judge(trial, run, f"H/{n}, {label}", (0.25, 0.75), turn)
            trial.check(f"H/{n}, {label}: fluid beyond the walls, dp", outside(run, 1.0, turn), 0.7,
                        note="largest in all snapshots; the stairs of the cells reach 0.7 dp")
            if label != "straight":
                trial.within(f"H/{n}, {label}: floor pressure against straight, relative",
                             found[label] / found["straight"] - 1, 0.005)
    snapshot = run[-1]
    for kind, shade in ((0, COLOURS[0]), (1, "0.7")):
        axes.plot(*snapshot.x[snapshot.type == kind][:, :2].T, ".", markersize=3, color=shade)
    axes.set_aspect("equal")
    axes.grid(False)
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")


def turned_keys(n, degrees):
    """Keys of still_water.cfg for a tank H wide in a block, all turned by these degrees."""
    turn = math.radians(degrees)
    thick = 0.5
    block = {"name": "tank", "shape": "box", "type": "wall", "fill": "solid",
             "min": [-thick, -thick], "max": [1 + thick, TOP]}
    hole = {"shape": "box", "type": "void", "min": [0.0, 0.0], "max": [1.0, TOP + 0.25]}
    water = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
             "max": [1.0, DEPTH]}
    return {
        "spacing": DEPTH / n,
        "domain__min": [-1.25, -1.25],
        "domain__max": [1.75, 2.25],
        "gravity": [GRAVITY * math.sin(turn), -GRAVITY * math.cos(turn)],
        "geometry": tuple({**shape, "rotation_degrees": degrees} for shape in (block, hole, water)),
        "probes": (),
    }


CASES = (still_water_wedge_shapes, still_water_beach, still_water_turned)

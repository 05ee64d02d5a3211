"""Probes at walls: forces and pressures in still water, and the run-up of a solitary wave."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.trial import case

GRAVITY, RHO0 = 9.81, 1000.0
DEPTH, TOE, BACK = 0.2, 0.6, 1.15  # m: of still water; the caisson's toe and its upright back
WEIGHT = RHO0 * GRAVITY * DEPTH**2 / 2  # N/m, on a slope of 1:1

CAISSONS = {
    "fitted": {"fit": "surface", "points": [[TOE, 0.0], [BACK, 0.0], [BACK, 0.3], [0.9, 0.3]]},
    "fitted, base below the floor": {
        "fit": "surface",
        "points": [[TOE - 0.05, -0.05], [BACK, -0.05], [BACK, 0.3], [0.9, 0.3]]},
    "lattice": {"points": [[TOE, 0.0], [BACK, 0.0], [BACK, 0.3], [0.9, 0.3]]},
}


def still(n, length, walls, probes):
    """Keys of still_water.cfg for water 0.2 m deep with these walls in it."""
    water = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
             "max": [length, DEPTH]}
    tank = {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]}
    return {"spacing": DEPTH / n, "domain__min": [0.0, 0.0], "domain__max": [1.6, 0.6],
            "geometry": (water, tank, *walls), "probes": probes, "time__end": 1.0,
            "kernel__h_over_dp": 1.5, "output__every": 0.5}


def late(run, probe, column):
    """Mean over the last half second."""
    table = run.probes()[probe]
    return float(np.mean(table[column][table["time"] > 0.5]))


def force_on(name):
    return {"name": name, "kind": "force", "on": name, "every": 0.01}


@case("still-forces", "Forces of still water on walls that stand on the floor", (20, 40))
def still_forces(trial):
    """A caisson with a slope of 1:1 and an upright back stands on the floor in water 0.2 m deep. It
    carries the weight of the water over its slope, rho g d^2/2 a metre, and so the torque about the
    corner of the tank is known, too. Then an upright box with water on one side bears rho g d^2/2.
    Water at the toe pushes particles of the floor through the thin wedge, and this force is the
    caisson's. The sum over all walls is the weight of the water. Means over the last half of a
    second. Water at rest is 0.25% heavier than at rho0. Keys as in the still tank, with h/dp = 1.5.
    Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    for n in trial.resolutions:
        gate = 0.03 if n < 40 else 0.015
        for (name, keys), colour in zip(CAISSONS.items(), COLOURS):
            wall = {"name": "caisson", "shape": "polygon", "type": "wall", **keys}
            run = trial.run(f"{n}-{name.split(',')[0]}{'-deep' * ('below' in name)}",
                            "still_water.cfg", "still",
                            **still(n, 1.6, (wall,), (force_on("caisson"), force_on("tank"))))
            force, torque = late(run, "caisson", "fy"), late(run, "caisson", "torque")
            exact = -WEIGHT * (TOE + DEPTH / 3)
            trial.within(f"d/{n}, {name}: force, relative error", force / -WEIGHT - 1, gate,
                         f"{force:.2f} N/m, exact {-WEIGHT:.2f} N/m")
            trial.within(f"d/{n}, {name}: torque, relative error", torque / exact - 1, gate,
                         f"{torque:.2f} N m/m, exact {exact:.2f} N m/m")
            snapshot = run[0]
            weight = GRAVITY * np.sum(snapshot.mass[snapshot.type == 0])
            both = force + late(run, "tank", "fy")
            trial.within(f"d/{n}, {name}: all walls against the weight, relative",
                         both / -weight - 1, 0.001, f"{both:.2f} N/m, {-weight:.2f} N/m")
            axes.plot(run.probes()["caisson"]["time"], run.probes()["caisson"]["fy"], color=colour,
                      linewidth=0.6 if n < 40 else 1.2, label=f"{name}, d/{n}")
        box = {"name": "box", "shape": "box", "type": "wall", "min": [TOE, 0.0], "max": [BACK, 0.4]}
        run = trial.run(f"{n}-box", "still_water.cfg", "still",
                        **still(n, TOE, (box,), (force_on("box"),)))
        push = late(run, "box", "fx")
        trial.within(f"d/{n}, upright box: force, relative error", push / WEIGHT - 1, 0.015,
                     f"{push:.2f} N/m, exact {WEIGHT:.2f} N/m")
    axes.axhline(-WEIGHT, color="0.3", linestyle=":", label="exact")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("vertical force (N/m)")
    axes.set_ylim(-1.2 * WEIGHT, -0.8 * WEIGHT)
    axes.legend(fontsize=7)


def on_face(name, kind, wall, face, at, **keys):
    return {"name": name, "kind": kind, "on": wall, "face": face, "at": [at], "every": 0.01, **keys}


@case("still-pressures", "Pressures of still water on a floor and a slope", (10,), (10,))
def still_pressures(trial):
    """A point and a patch on the floor under water 0.1 m deep, and on a slope of 1:1 two and ten
    spacings deep; means over the last half of a second, against rho0 g d (1 + g d/(2 c0^2)): water
    at the floor is denser. Resolutions: particles in 0.1 m."""
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    for n in trial.resolutions:
        dp = 0.1 / n
        slope = {"name": "beach", "shape": "polygon", "type": "wall", "fit": "surface",
                 "points": [[0.35, -0.05], [0.9, 0.5], [0.9, -0.05]]}
        probes = (on_face("point", "point", "tank", "bottom", 0.2),
                  on_face("patch", "patch", "tank", "bottom", 0.2, size=[0.05]),
                  on_face("shallow", "point", "beach", "left", 0.1 - 2 * dp))
        water = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
                 "max": [0.8, 0.1]}
        tank = {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]}
        run = trial.run(f"{n}", "still_water.cfg", "still", spacing=dp, domain__min=[0.0, 0.0],
                        domain__max=[0.8, 0.4], geometry=(water, tank, slope), probes=probes,
                        time__end=1.0, kernel__h_over_dp=1.5, output__every=0.5)
        for (name, deep, gate), colour in zip(
                (("point", 0.1, 0.005), ("patch", 0.1, 0.005), ("shallow", 2 * dp, 0.1)), COLOURS):
            exact = RHO0 * GRAVITY * deep * (1 + deep / 40)  # c0^2 = 200 g 0.1 m
            found = late(run, name, "pressure")
            trial.within(f"d/{n}, {name}: relative error", found / exact - 1, gate,
                         f"{found:.1f} Pa, exact {exact:.1f} Pa")
            axes.plot(run.probes()[name]["time"], run.probes()[name]["pressure"] / exact,
                      color=colour, label=name)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("pressure over rho g d")
    axes.legend()


STILL, HIGH, STEEP, FOOT = 0.32, 0.032, 4.0, 4.4  # m, m, the cotangent of the slope, its toe
LONG = 6.8  # m, the tank
PASSED = 5.2  # s, when the crest has passed the toe, and before its reflection comes back


def goring(count=400):
    """Columns t and x of a piston that makes a solitary wave (Goring 1978), and then rests."""
    k = math.sqrt(3 * HIGH / (4 * STILL**3))
    c = math.sqrt(GRAVITY * (STILL + HIGH))
    delay, end = 3.8 / k, 2 / (k * c) * (3.8 + HIGH / STILL)
    times, places = np.linspace(0.0, 3 * end, 3 * count + 1), []
    for t in times:
        x = 0.0
        for _ in range(60):
            angle = k * (c * t - x - delay)
            rest = HIGH / (k * STILL) * (math.tanh(angle) + math.tanh(k * delay)) - x
            x += rest / (HIGH / STILL / math.cosh(angle)**2 + 1)
        places.append(x)
    return {"t": times, "x": np.array(places) - places[0]}


def tank_with_piston(trial, end, water_end, walls, probes):
    """Keys of beach.cfg for a tank with water up to x = water_end in which that piston moves."""
    geometry = (
        {"name": "water", "shape": "box", "type": "fluid", "min": [0.2, 0.0],
         "max": [water_end, STILL]},
        {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]},
        {"name": "piston", "shape": "box", "type": "wall", "min": [0.1, 0.0], "max": [0.2, 0.6]},
        *walls)
    drive = {"name": "drive", "carries": "piston", "kind": "table",
             "file": trial.write("piston", goring())}
    return {"boundary__kind": "adami", "domain__min": [0.0, 0.0], "domain__max": [LONG, 0.8],
            "geometry": geometry, "motions": (drive,), "probes": probes, "time__end": end,
            "output__every": 0.5}


def crest(run, gauge):
    """The largest height at a gauge above the still water there, m."""
    height = run.probes()[gauge]["height"]
    return np.nanmax(height) - height[0]


@case("run-up", "Run-up of a solitary wave: Synolakis 1987", (16, 32, 64), long=True)
def run_up(trial):
    """A solitary wave of H/d = 0.1 runs up a fitted beach of 1:4 without breaking, d = 0.32 m. A
    piston makes it (Goring 1978). Synolakis (1987, eq. 3.7) gives R/d = 2.831 sqrt(4) (H/d)^1.25
    for a wave of height H at the toe of the beach. There the reflected wave lies on the incident
    one. So H comes from a second run without the beach: the largest height at the same place, which
    the wave passes before the tank's end reflects it. For comparison: the height at the toe with
    the beach, and that at a gauge 2 m before it. The run-up is where water is half a spacing deep.
    From d/32 to d/64 the error must fall. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    errors = {}
    beach = {"name": "beach", "shape": "polygon", "type": "wall", "fit": "surface",
             "points": [[FOOT, 0.0], [7.0, 0.65], [7.0, -0.1], [FOOT, -0.1]]}
    gauges = ({"name": "gauge", "kind": "height", "at": [FOOT - 2.0], "every": 0.02},
              {"name": "toe", "kind": "height", "at": [FOOT], "every": 0.02})
    line = {"name": "runup", "kind": "runup", "from": [5.2, 0.2], "to": [6.7, 0.575],
            "points": 600, "every": 0.02}
    for n, colour in zip(trial.resolutions, COLOURS):
        flat = trial.run(f"{n}-flat", "beach.cfg", "violent", spacing=STILL / n,
                         **tank_with_piston(trial, PASSED, LONG, (), gauges))
        run = trial.run(f"{n}", "beach.cfg", "violent", spacing=STILL / n,
                        **tank_with_piston(trial, 6.8, 6.0, (beach,), (*gauges, line)))
        height, table = crest(flat, "toe"), run.probes()["runup"]
        law = 2.831 * math.sqrt(STEEP) * (height / STILL)**1.25 * STILL
        found = np.nanmax(table["runup"]) - STILL
        errors[n] = found / law - 1
        trial.within(f"d/{n}: run-up against the law, relative", errors[n],
                     0.08 if n >= 32 else None, f"{1000 * found:.1f} mm, law {1000 * law:.1f} mm")
        trial.check(f"d/{n}: H/d at the toe, without the beach", height / STILL, None)
        trial.check(f"d/{n}: H/d at the toe, with what is reflected", crest(run, "toe") / STILL,
                    None)
        trial.check(f"d/{n}: H/d 2 m before the toe", crest(run, "gauge") / STILL, None)
        axes.plot(table["time"], 1000 * (table["runup"] - STILL), color=colour, label=f"d/{n}")
        axes.axhline(1000 * law, color=colour, linestyle=":")
    judged = [n for n in sorted(errors) if n >= 32]
    for coarse, fine in zip(judged, judged[1:]):
        trial.check(f"d/{fine}: size of the error over that at d/{coarse}",
                    abs(errors[fine] / errors[coarse]), 1)
    trial.order("run-up", errors)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("run-up (mm); dots: the law")
    axes.legend()


CASES = (still_forces, still_pressures, run_up)

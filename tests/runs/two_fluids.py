#!/usr/bin/env python3
# test: 19 s
"""Two fluids: at rest in layers, in either order, one fluid divided into two equal ones, and the
growth of the Rayleigh-Taylor instability."""

import math
import os
import re

import h5py
from case_run import ROOT, Case, at_most, finish, largest, measure, np, ok, scratch, together

from validate import two_fluids  # noqa: E402, I100

LAYERS = "configs/two_layers.cfg"
HEAVY, HEIGHT, GRAVITY = 1000.0, 1.0, 9.81
SOUND = 10 * math.sqrt(2 * GRAVITY * HEIGHT)


def data_of(run, snapshot=-1):
    with h5py.File(run[snapshot].path) as file:
        point = file["VTKHDF/PointData"]
        return {"x": file["VTKHDF/Points"][:], **{name: point[name][:] for name in point}}


def column(light):
    """Pressure of two layers H/2 high, light on heavy, at the interface and at the floor: the head
    grows by g d/c0^2 (docs/theory.md)."""
    stiff = HEAVY * SOUND**2 / 7

    def below(p, rho0, depth):
        c2 = HEAVY * SOUND**2 / rho0
        head = ((1 + p / stiff) ** (6 / 7) - 1) / 6 + GRAVITY * depth / c2
        return stiff * ((1 + 6 * head) ** (7 / 6) - 1)

    interface = below(0.0, light, HEIGHT / 2)
    return interface, below(interface, HEAVY, HEIGHT / 2)


def heavy_line(run, snapshot):
    """Slope and floor's value of the pressure in the lower layer, a row away from its ends."""
    last = data_of(run, snapshot)
    z = last["x"][:, 1]
    heavy = (last["Phase"] == 1) & (z > 1 / 16) & (z < HEIGHT / 2 - 1 / 16)
    return np.polyfit(last["x"][heavy, 1], last["Pressure"][heavy], 1)


def test_rest():
    """H/16, some thousand steps each."""
    ends = {500.0: 1.0, 100.0: 1.0, 1.0: 0.15}  # density of the lighter: time, s
    case = Case(LAYERS, spacing=1 / 16, output__precision="double", backend__precision="double")
    runs = together(*[
        lambda d=d: case.run(f"{d}", fluid__second__density=d, time__end=ends[d],
                             output__every=ends[d] / 40)
        for d in ends
    ])
    for light, run in zip(ends, runs):
        name = f"1 to {HEAVY / light:g}"
        table, last = run.energy(), data_of(run)
        weight = run.reference_energy
        # Speeds of 1% of sqrt(g H), as the coarse lattice settles: an instability is faster.
        at_most(largest(table["kinetic"]) / weight, 1e-4, f"{name}: kinetic energy / m g H")
        at_most(largest(table["identity"]), 1e-12, f"{name}: power identity")
        at_most(measure.residual_share(run), 1e-8, f"{name}: residual / m g H")
        fluid, above = last["ParticleType"] == 0, last["x"][:, 1] > HEIGHT / 2
        expected = np.where(fluid, np.where(above, 2, 1), 0)
        ok(np.array_equal(last["Phase"], expected), f"{name}: Phase says which is which")
        error = last["Density"][fluid] / np.where(above, light, HEAVY)[fluid] - 1
        at_most(largest(error), 0.006, f"{name}: each has its own density")
        if light == 1.0:  # too short for what rings at first; `sluice validate two-layers` waits
            continue
        interface, floor = column(light)
        slope, at_floor = np.mean([heavy_line(run, k) for k in range(20, 41)], axis=0)
        at_most(at_floor / floor - 1, 0.01, f"{name}: floor pressure against the exact one")
        at_most((at_floor + slope * HEIGHT / 2 - interface) / floor, 0.01,
                f"{name}: pressure at the interface, over that at the floor")


def test_names():
    """Heavy and light, light and heavy: the same but for the order of sums."""
    shapes = [
        '( { shape = "box"; type = "fluid"; phase = %d; min = [0.0, 0.0]; max = [1.0, 0.5]; },'
        ' { shape = "box"; type = "fluid"; phase = %d; min = [0.0, 0.5]; max = [1.0, 1.0]; },'
        ' { shape = "walls"; sides = ["left", "right", "bottom", "top"]; } )' % phases
        for phases in ((1, 2), (2, 1))
    ]
    text = """model = "wcsph"; dimension = 2; spacing = 0.0625; gravity = [4.0, -9.81];
        domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; }; geometry = %s;
        fluid = { density = %g; sound_speed = %g; viscosity = { kind = "both"; nu = 0.01; };
                  second = { density = %g; sound_speed = %g; nu = 0.01; }; };
        initial = ( { field = "pressure"; kind = "hydrostatic"; } );
        time = { end = 0.003; step = 3e-5; }; energy = { tolerance = 1.0; };
        output = { every = 0.003; precision = "double"; }; backend = { precision = "double"; };"""
    heavy, light = (1000.0, 50.0), (20.0, 50 * math.sqrt(50))  # as stiff: so walls are the same
    one = data_of(Case(text % (shapes[0], *heavy, *light)).run("one"))
    other = data_of(Case(text % (shapes[1], *light, *heavy)).run("other"))
    order = [np.lexsort(d["x"][d["ParticleType"] == 0].round(6).T) for d in (one, other)]
    for name in ("x", "Velocity", "Pressure"):
        a, b = (d[name][d["ParticleType"] == 0][o] for d, o in zip((one, other), order))
        at_most(np.abs(a - b).max() / np.abs(a).max(), 1e-6, f"whichever is the first: {name}")


def test_like_one():
    """Two fluids that are alike: as one, but for terms of the second order in r."""
    keys = {"spacing": 1 / 16, "gravity": [4.0, -9.81], "time__max_steps": 300,
            "time__end": 9.0, "energy__every": 1, "energy__tolerance": 1.0}
    two = Case(LAYERS, **keys).run("two", fluid__second__density=1000.0)
    one = Case(
        """model = "wcsph"; dimension = 2; domain = { min = [0.0, 0.0]; max = [1.0, 1.3125]; };
        spacing = 1.0; fluid = { masses = "hydrostatic"; };
        geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 1.0]; },
                     { shape = "walls"; sides = ["left", "right", "bottom"]; } );
        initial = ( { field = "pressure"; kind = "hydrostatic"; } );
        time = { end = 9.0; }; output = { every = 9.0; };""", **keys
    ).run("one-fluid")
    a, b = one.energy(), two.energy()
    for name in ("kinetic", "elastic", "potential"):
        change = largest(a[name] - a[name][0])
        at_most(largest(a[name] - b[name]) / change, 0.03, f"two alike are as one: {name}")


def test_growth():
    """A tenth as dense below, 32 particles in the wavelength, while the mode grows 2.5 times."""
    ratio, n = 10, 32
    rate = two_fluids.linear_rate(ratio)
    columns = two_fluids.start_columns(n, ratio)
    path = os.path.join(scratch, "start.csv")
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", comments="",
               header=",".join(columns), fmt="%.17g")
    walls = 'geometry = ( { shape = "walls"; sides = ["bottom", "top"]; } );'
    with open(os.path.join(ROOT, LAYERS)) as file:
        text = re.sub(r"(?s)geometry = \(.*?\n\);", walls, file.read())
    settings = two_fluids.overturn_settings(n, ratio, 2 / rate)
    run = Case(re.sub(r"(?m)^probes.*", "", text), **settings).run("growth", particles=path)
    error = two_fluids.measured_rate(list(run)) / rate - 1
    at_most(error, 0.1, "Rayleigh-Taylor, 1 to 10: growth rate against linear theory, relative")
    at_most(largest(run.energy()["identity"]), 1e-5, "power identity, float")


if __name__ == "__main__":
    test_rest()
    test_names()
    test_like_one()
    test_growth()
    finish()

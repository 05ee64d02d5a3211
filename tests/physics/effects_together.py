#!/usr/bin/env python3
# test: 17 s, mpi
"""Effects of water together: friction of walls, the limit on tension, sub-particle stress and
antuono's diffusion. Then each of them in two fluids, and the filter, shifting, forces on walls and
bodies there, also at fitted and moving walls and across a period. Combinations that physics forbids
are refused with the reason in docs/config.md."""

import os

import h5py
from case_run import (ROOT, SLUICE, Case, Run, at_most, finish, largest, measure, np, ok, restart,
                      scratch, within)
from tap import skip

GRAVITY = 9.81

# Fluid that a push drives off its left wall and against the others; 1/16 of its depth a particle.
CASE = """model = "wcsph"; dimension = 2; spacing = 0.0625; gravity = [4.0, -9.81];
    domain = { min = [0.0, 0.0]; max = [1.0, 1.3125]; };
    geometry = (
        { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
        { shape = "box"; type = "fluid"; phase = PHASE; min = [0.0, 0.5]; max = [1.0, 1.0]; },
        { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; } );
    initial = ( { field = "velocity"; kind = "uniform"; value = [0.6, -0.3]; },
                { field = "pressure"; kind = "hydrostatic"; } );
    time = { end = 0.01; }; energy = { every = 1; tolerance = 1.0; };
    output = { every = 0.01; precision = "double"; }; backend = { precision = "double"; };"""

LAW = {"boundary__slip": "wall-law", "boundary__roughness": 0.002}
EDDIES = {**LAW, "boundary__mixing_length": 0.1}
ARTIFICIAL = {"boundary__slip": "artificial"}
SPS = {"fluid__viscosity__kind": "sps", "fluid__viscosity__nu": 0.01}
NO_SLIP = {**SPS, "boundary__slip": "no-slip"}
ANTUONO = {"fluid__diffusion__kind": "antuono"}
TENSION = {"fluid__tension": 1e-4}
NO_TENSION = {"fluid__tension": 0.0}
FILTER = {"fluid__diffusion__filter": 1.0}
SHIFT = {"fluid__shifting__kind": "inside"}
RENORMALISED = {"fluid__gradients": "renormalised"}
TWO = {"fluid__second__density": 100.0}

OPENING = 'openings = ( { name = "out"; kind = "outlet"; face = "x+"; level = 0.9; } );'

# Effects, and beside what each of them must still act: without it the energy is another.
TOGETHER = {
    "law of the wall, sps": (LAW, SPS),
    "law of the wall, antuono": (LAW, ANTUONO),
    "artificial friction, antuono": (ARTIFICIAL, ANTUONO),
    "tension, sps": (TENSION, SPS),
    "no tension at all, law of the wall": (NO_TENSION, LAW),
    "tension, antuono": (TENSION, ANTUONO),
    "law of the wall, tension, sps, antuono": (LAW, TENSION, SPS, ANTUONO),
    "renormalised gradients, law of the wall": (RENORMALISED, LAW),
    "renormalised gradients, friction, sps, antuono": (RENORMALISED, NO_SLIP, ANTUONO),
    "renormalised gradients, tension, filter, shifting": (RENORMALISED, TENSION, FILTER, SHIFT),
    "law of the wall, two fluids": (LAW, TWO),
    "eddies, two fluids": (EDDIES, TWO),
    "artificial friction, two fluids": (ARTIFICIAL, TWO),
    "tension, two fluids": (TENSION, TWO),
    "no tension at all, two fluids": (NO_TENSION, TWO),
    "sps, no slip, two fluids": (NO_SLIP, TWO),
    "antuono, two fluids": (ANTUONO, TWO),
    "filter, two fluids": (FILTER, TWO),
    "shifting, two fluids": (SHIFT, TWO),
    "all of them, two fluids": (EDDIES, TENSION, SPS, ANTUONO, SHIFT, TWO),
    "filter, law of the wall, tension, two fluids": (FILTER, LAW, TENSION, TWO),
}


def case_of(parts, more=""):
    keys = {}
    for part in parts:
        keys.update(part)
    return Case(CASE.replace("PHASE", "2" if TWO in parts else "1") + more, **keys)


def kinetic_of(run):
    return run.energy()["kinetic"]


def test_together():
    """The identity holds to rounding; the residual is the error of the time step, which the case
    without any of the effects has as well: 3e-6 of m g H."""
    for name, parts in TOGETHER.items():
        run = case_of(parts).run("one")
        table = run.energy()
        at_most(largest(table["identity"]), 1e-12, f"{name}: power identity")
        at_most(measure.residual_share(run), 1e-5, f"{name}: residual / m g H")
        both = case_of(parts).run("two", threads=2)
        ok(run.bytes_of("energy.csv") == both.bytes_of("energy.csv"),
           f"{name}: the same bits by two threads")
        for part in parts:
            if part is TWO:
                continue
            without = case_of([p for p in parts if p is not part]).run("without")
            a, b = kinetic_of(run), kinetic_of(without)
            n = min(len(a), len(b))
            ok(np.abs(a[:n] - b[:n]).max() > 1e-9 * a[0], f"{name}: {sorted(part)[0]} acts")
        if TENSION in parts:
            ok(table["work_tension"][-1] < 0, f"{name}: gaps open, and take energy")


def test_gradients_act():
    """The stress and the gradient of the head that a step finds act in the next one: without
    eddies, and with the other bracket, the energy is another."""
    still = {**SPS, "fluid__viscosity__smagorinsky": 0.0, "fluid__viscosity__isotropic": 0.0}
    for name, one, other in (("eddies", SPS, still),
                             ("gradient of the head", ANTUONO,
                              {"fluid__diffusion__kind": "molteni"})):
        a, b = (kinetic_of(case_of([parts]).run(word)) for parts, word in ((one, "one"),
                                                                           (other, "other")))
        n = min(len(a), len(b))
        ok(np.abs(a[:n] - b[:n]).max() > 1e-9 * a[0], f"{name} acts")


# Two fluids at walls of other sorts: shapes, motions and domain, and the groups of walls.
BAR = """{ name = "bar"; shape = "box"; type = "wall"; fit = "surface"; min = [0.3, 0.4];
         max = [0.7, 0.6]; }"""
SLOPE = """{ name = "slope"; shape = "polygon"; type = "wall"; fit = "surface";
           points = ([0.3, -0.3], [0.3, 0.0], [1.0, 0.7], [1.4, 1.1], [1.4, -0.3]); }"""
PISTON = """{ name = "piston"; shape = "box"; type = "wall"; min = [-0.1875, 0.0];
            max = [0.0, 1.3125]; }"""
WALLS = {
    "fitted walls": (f"{SLOPE}", "", ("tank", "slope")),
    "a fitted wall that turns": (
        f"{BAR}", """motions = ( { name = "turn"; carries = "bar"; kind = "rotation"; rate = 3.0;
        centre = [0.5, 0.5]; } );""", ("tank", "bar")),
    "a piston": (
        f"{PISTON}", """motions = ( { name = "push"; carries = "piston"; kind = "sine";
        amplitude = [0.05, 0.0]; period = 0.5; } );""", ("tank", "piston")),
    "a period": ("", "fluid = { sound_speed = 40.0; };", ("tank",)),
}


def case_at_walls(name, parts):
    shapes, keys, groups = WALLS[name]
    text = CASE.replace('"bottom"]; }', f'"bottom"]; }}{"," if shapes else ""} {shapes}')
    if name == "a period":
        text = text.replace("1.3125]; };", "1.3125]; periodic = [true, false]; };")
        text = text.replace('["left", "right", "bottom"]', '["bottom"]')
    if name == "a piston":
        text = text.replace("min = [0.0, 0.0]; max = [1.0, 1.3125]",
                            "min = [-0.1875, 0.0]; max = [1.0, 1.3125]")
    probes = ", ".join(f'{{ name = "{g}"; kind = "force"; on = "{g}"; every = 1e-9; }}'
                       for g in groups)
    return Case(text.replace("PHASE", "2") + f"{keys} probes = ( {probes} );",
                **{key: value for part in parts for key, value in part.items()})


def balance(run, groups):
    """The change of the fluid's momentum in each step, less the impulses of its weight and of the
    forces at all walls by their probes, over the impulse of the weight. The kicks are the
    trapezoidal rule, so the rest is rounding."""
    table, force = run.energy(), [run.probe(group) for group in groups]
    with h5py.File(run[0].path) as file:
        data = file["VTKHDF/PointData"]
        mass = data["Mass"][:][data["ParticleType"][:] == 0].sum()
    n = min(table.rows, min(f.rows for f in force))
    steps, off = np.diff(table["time"][:n]), []
    for axis, pull in (("x", 4.0), ("y", -GRAVITY)):
        net = mass * pull - sum(f["f" + axis][:n] for f in force)
        change = np.diff(table["momentum_" + axis][:n]) - 0.5 * (net[1:] + net[:-1]) * steps
        off.append(np.abs(change / (mass * GRAVITY * steps)))
    return np.max(off)


def test_walls():
    for name, (_, motions, groups) in WALLS.items():
        friction = LAW if "motions" in motions else EDDIES
        for parts in ((friction, TENSION, SPS, ANTUONO, SHIFT, TWO), (NO_SLIP, FILTER, SHIFT, TWO)):
            what = f"{name}, {parts[0].get('boundary__slip')}, two fluids"
            run = case_at_walls(name, parts).run("one")
            at_most(largest(run.energy()["identity"]), 1e-12, f"{what}: power identity")
            at_most(measure.residual_share(run), 1e-5, f"{what}: residual / m g H")
            at_most(balance(run, groups), 1e-11, f"{what}: the walls' forces are the fluid's")
            both = case_at_walls(name, parts).run("two", threads=2)
            ok(run.bytes_of("energy.csv") == both.bytes_of("energy.csv"),
               f"{what}: the same bits by two threads")
        steps = int(run.energy()["step"][-1])
        half = case_at_walls(name, parts).run("half", time__max_steps=steps // 2)
        again = restart(half.path, time__max_steps=steps)
        ok(again.bytes_of("energy.csv") == run.bytes_of("energy.csv"),
           f"{name}: the same bits restarted")


def test_restart():
    """Half of the steps and the rest, the running mean of the filter included."""
    parts = TOGETHER["filter, law of the wall, tension, two fluids"]
    whole = case_of(parts).run("whole")
    steps = int(whole.energy()["step"][-1])
    half = case_of(parts).run("half", time__max_steps=steps // 2)
    again = restart(half.path, time__max_steps=steps)
    ok(again.bytes_of("energy.csv") == whole.bytes_of("energy.csv"), "the same bits restarted")


def test_float():
    """The power identity in float, whose rounding it is."""
    run = case_of(TOGETHER["all of them, two fluids"]).run("float", backend__precision="float")
    at_most(largest(run.energy()["identity"]), 1e-5, "all of them in float: power identity")


def test_ranks():
    probe = 'probes = ( { name = "tank"; kind = "force"; on = "tank"; every = 0.001; } );'
    cases = {name: case_of(TOGETHER[name], probe) for name in
             ("all of them, two fluids", "filter, law of the wall, tension, two fluids")}
    cases.update((name, case_at_walls(name, (NO_SLIP, FILTER, SHIFT, TWO))) for name in WALLS)
    for name, case in cases.items():
        one, two = case.run("one"), case.run("two", expect=(0, 2), ranks=2)
        if two.code == 2 and "no MPI" in two.said:
            skip("two ranks", "a build without MPI")
            return
        for file in ("energy.csv", "probe_tank.csv"):
            ok(one.bytes_of(file) == two.bytes_of(file), f"{name}: {file} of two ranks")


def test_rest():
    """Layers of 1 to 10 in a tank: it bears their weight, and a filter leaves them at rest."""
    text = """model = "wcsph"; dimension = 2; spacing = 0.0625; gravity = [0.0, -9.81];
        domain = { min = [0.0, 0.0]; max = [1.0, 1.3125]; };
        fluid = { masses = "hydrostatic"; viscosity = { alpha = 0.2; };
                  second = { density = 100.0; alpha = 0.2; }; };
        geometry = (
            { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
            { shape = "box"; type = "fluid"; phase = 2; min = [0.0, 0.5]; max = [1.0, 1.0]; },
            { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; } );
        initial = ( { field = "pressure"; kind = "hydrostatic"; } );
        probes = ( { name = "tank"; kind = "force"; on = "tank"; every = 0.002; } );
        time = { end = 1.0; }; energy = { every = 10; tolerance = 1.0; };
        output = { every = 1.0; precision = "double"; }; backend = { precision = "double"; };"""
    case = Case(text)
    for name, keys in {"layers": {}, "layers with a filter": FILTER}.items():
        run = case.run("rest", **keys)
        force, table = run.probe("tank"), run.energy()
        with h5py.File(run[0].path) as file:
            data = file["VTKHDF/PointData"]
            weight = GRAVITY * data["Mass"][:][data["ParticleType"][:] == 0].sum()
        late = force["time"] > 0.5
        within(-force["fy"][late].mean() / weight, 0.999, 1.001,
               f"{name}: the tank bears their weight")
        at_most(np.abs(force["fx"]).max() / weight, 1e-6, f"{name}: and no push aside")
        at_most(table["kinetic"][-1] / run.reference_energy, 1e-6, f"{name}: kinetic / m g H")
        with h5py.File(run[-1].path) as file:
            y = file["VTKHDF/Points"][:, 1]
            phase = file["VTKHDF/PointData/Phase"][:]
        ok(y[phase == 1].max() < 0.5 < y[phase == 2].min(), f"{name}: the interface stays")


BODY = """model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
    domain = { min = [0.0, 0.0]; max = [1.0, 1.3]; };
    fluid = { masses = "hydrostatic"; viscosity = { alpha = 0.2; }; };
    geometry = (
        { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
        { shape = "box"; type = "fluid"; phase = PHASE; min = [0.0, 0.5]; max = [1.0, 1.0]; },
        { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
        { name = "block"; shape = "box"; type = "body"; min = [0.4, 0.6]; max = [0.6, 0.8]; } );
    bodies = ( { name = "block"; density = %g; } );
    initial = ( { field = "pressure"; kind = "hydrostatic"; } );
    time = { end = 0.2; }; energy = { every = 1; tolerance = 1.0; };
    output = { every = 0.2; bodies = 1e-6; precision = "double"; };
    backend = { precision = "double"; };"""


def test_bodies():
    """A body of the light fluid's density floats in it, and in two fluids that are alike it moves
    as in one: the difference is of second order in r."""
    two = BODY.replace("PHASE", "2")
    run = Case(two % 500.0).run("light", fluid__second__density=500.0,
                                fluid__second__alpha=0.2)
    block = run.body("block")
    at_most(largest(run.energy()["identity"]), 1e-12, "a body in two fluids: power identity")
    at_most(block["acceleration_y"][0] / GRAVITY, 0.01, "it is borne by its own weight of fluid")
    at_most(largest(block["y"] - block["y"][0]) / 0.05, 0.05, "and stays, spacings")
    alike = Case(two % 800.0).run("alike", fluid__second__density=1000.0, fluid__second__alpha=0.2)
    one = Case(BODY.replace("PHASE", "1") % 800.0).run("one")
    a, b = alike.body("block"), one.body("block")
    n = min(len(a["y"]), len(b["y"]))
    at_most(np.abs(a["y"][:n] - b["y"][:n]).max() / np.abs(b["y"] - b["y"][0]).max(), 0.01,
            "in two fluids that are alike a light body rises as in one")


def test_body_across():
    """A body in the interface, with all effects that act where walls move."""
    text = BODY.replace("PHASE", "2").replace("min = [0.4, 0.6]; max = [0.6, 0.8]",
                                              "min = [0.4, 0.4]; max = [0.6, 0.6]")
    keys = {"fluid__second__density": 100.0, "time__end": 0.05, **LAW, **TENSION, **SPS, **ANTUONO,
            **SHIFT}
    case = Case(text % 2000.0, **keys)
    one, two = case.run("one"), case.run("two", threads=2)
    at_most(largest(one.energy()["identity"]), 1e-12, "a body in the interface: power identity")
    at_most(measure.residual_share(one), 1e-5, "a body in the interface: residual / m g H")
    steps = int(one.energy()["step"][-1])
    half = case.run("half", time__max_steps=steps // 2)
    again = restart(half.path, time__max_steps=steps)
    for other, what in ((two, "by two threads"), (again, "restarted")):
        ok(one.bytes_of("energy.csv") == other.bytes_of("energy.csv"),
           f"a body in the interface: the same bits {what}")


def spread(two):
    """Uneven particles that nothing moves but shifting; rms of their displacement across the
    interface, in spacings, within two rows of it, and their number on the wrong side."""
    n, dp = 24, 1 / 24
    rng = np.random.default_rng(3)
    x, y = (a.ravel() for a in np.meshgrid(*2 * [(np.arange(n) + 0.5) * dp]))
    away = np.minimum(np.abs(y - 0.5), np.minimum(y, 1 - y)) / dp
    x, y = (x + rng.uniform(-0.3, 0.3, n * n) * dp) % 1, y + rng.uniform(-0.3, 0.3, n * n) * dp
    path = os.path.join(scratch, "uneven.csv")
    ids = rng.permutation(n * n)  # those of the two fluids mix
    columns = {"id": ids, "x": x, "y": y}
    if two:
        columns["phase"] = 1 + (np.arange(n * n) >= n * n // 2)
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", comments="",
               header=",".join(columns), fmt="%.17g")
    keys = {"fluid__second__density": 100.0} if two else {}
    run = Case(
        """model = "wcsph"; dimension = 2; spacing = %.17g; time = { end = 0.1; };
        domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, true]; };
        fluid = { sound_speed = 10.0; viscosity = { kind = "none"; };
                  shifting = { kind = "everywhere"; }; };
        energy = { every = 1; tolerance = 1.0; reference = 1.0; };
        output = { every = 0.1; precision = "double"; }; backend = { precision = "double"; };"""
        % dp, particles=path, **keys).run("spread")
    at_most(largest(run.energy()["kinetic"]), 0, "shifting alone moves nothing by force")
    with h5py.File(run[-1].path) as file:
        order = np.argsort(file["VTKHDF/PointData/Id"][:])
        moved = file["VTKHDF/Points"][:, 1][order][ids]
    across = np.abs(moved - y)
    across = np.minimum(across, 1 - across)[away < 2] / dp
    wrong = np.count_nonzero((moved > 0.5) != (np.arange(n * n) >= n * n // 2))
    return np.sqrt(np.mean(across**2)), wrong


def test_interface():
    """Shifts go along the interface. Its normal, of uneven neighbours, is a little aslant."""
    stays, wrong = spread(two=True)
    moves, _ = spread(two=False)
    at_most(stays, 0.04, "way across the interface of two fluids, in spacings")
    ok(moves > 4 * stays, f"in one fluid particles move there: {moves:.3g}")
    ok(wrong == 0, "no particle is on the wrong side")


def test_refusals():
    """What stays refused, with the reason of docs/config.md."""
    with open(os.path.join(ROOT, "docs/config.md")) as file:
        table = file.read().split("## Refused together")[1]
    rows = [line.split(" | ") for line in table.split("\n") if line.startswith("| ")][1:]
    counted = {**SHIFT, "fluid__shifting__density": "counted"}
    central = "forces = ( { kind = \"central\"; centre = [0.5, 0.5]; strength = 1.0; } );"
    waves = ("motions = ( { name = \"m\"; kind = \"wave\"; wave = \"regular\"; depth = 1.0; "
             "height = 0.1; period = 2.0; } );")
    cases = {
        "counted": ("", counted, TWO),
        "renormalised": ("", RENORMALISED, TWO),
        "renormalised walls": ("", RENORMALISED, {"boundary__kind": "repulsive"}),
        "tension": ("", counted, TENSION),
        "background": ("", TENSION, {"fluid__background_pressure": 10.0}),
        "walls": ("", TWO, {"boundary__kind": "dynamic"}),
        "friction": ("", NO_SLIP, {"boundary__kind": "repulsive"}),
        "shifts": ("", SHIFT, {"boundary__kind": "repulsive"}),
        "central": (central, SHIFT),
        "waves": (waves, SHIFT),
        "openings, two": (OPENING, TWO),
        "openings, filter": (OPENING, FILTER),
        "openings, gradients": (OPENING, RENORMALISED),
        "openings, counted": (OPENING, counted),
        "openings, shifts": (OPENING, SHIFT),
        "openings, acceleration": (OPENING + 'acceleration = "a.csv";', {}),
        "openings, walls": (OPENING, {"boundary__kind": "dynamic"}),
    }
    found = set()
    for name, (text, *parts) in cases.items():
        said = case_of(parts, text).run(name, expect=(2,)).said
        reasons = [k for k, row in enumerate(rows) if row[1].removeprefix("they ") in said]
        ok(len(reasons) == 1, f"{name}: refused with a reason of the table", said)
        found.update(reasons)
    ok(len(found) == len(rows), f"all rows of the table are met: {len(found)} of {len(rows)}")


def test_warning():
    """Water at rest has a slope of the head along gravity, but along no periodic axis."""
    text = """model = "wcsph"; dimension = 2; spacing = 0.125; gravity = [1.0, %s];
        domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, false]; };
        fluid = { sound_speed = 40.0; diffusion = { kind = "molteni"; }; };
        geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 1.0]; },
                     { shape = "walls"; sides = ["bottom", "top"]; } );
        time = { end = 0.001; }; output = { every = 0.0; }; energy = { reference = 1.0; };"""
    for down, warns in (("0.0", False), ("-9.81", True)):
        said = Run(scratch, [SLUICE, "check", Case(text % down).path], (0,)).said
        ok(('"molteni" under gravity' in said) == warns,
           f"molteni, gravity of {down} across the period: {'warned' if warns else 'nothing said'}",
           said)


if __name__ == "__main__":
    test_together()
    test_gradients_act()
    test_walls()
    test_restart()
    test_float()
    test_ranks()
    test_rest()
    test_bodies()
    test_body_across()
    test_interface()
    test_refusals()
    test_warning()
    finish()

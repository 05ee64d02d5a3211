#!/usr/bin/env python3
# test: 20 s, mpi
"""An acceleration from a table: it moves water as its integral says, a steady one is gravity that
is tilted, and a tank that is shaken by it holds the water of a tank that moves. The budget closes;
walls, bodies, central forces, two fluids, periodic axes, ranks and restarts; what is refused."""

import os

from case_run import (SLUICE, Case, at_most, differences, finish, largest, np, ok, restart, scratch,
                      together)  # fmt: skip
from tap import skip

SHARED = """model = "wcsph"; dimension = 2; acceleration = "TABLE";
energy = { every = 1; tolerance = 1.0; reference = 100.0; }; output = { every = 0.1; };
backend = { precision = "double"; };
"""
DROP = SHARED + """spacing = 0.02; domain = { max = [6.0, 3.0]; };
fluid = { sound_speed = 20.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [1.0, 1.0]; max = [1.2, 1.4]; },
    { shape = "box"; type = "fluid"; phase = PHASE; min = [1.2, 1.0]; max = [1.4, 1.4]; } );
time = { end = 0.8; };
"""
WEAK = 'forces = ( { kind = "central"; strength = 1e-6; } );'  # a loop of its own
# Water, a floating box and a wall of some kind.
TANK = SHARED + """spacing = 0.025; domain = { max = [1.0, 0.7]; periodic = [PERIODIC, false]; };
fluid = { sound_speed = 25.0; };
gravity = GRAVITY;
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.4]; },
    { shape = "walls"; sides = [SIDES]; } BODY );
bodies = ( BODIES ); time = { end = 0.3; };
probes = ( { name = "bottom"; kind = "point"; at = [0.3125, 0.0]; quantity = "pressure";
             every = 0.01; } );
"""
DEEP = TANK.replace("dimension = 2", "dimension = 3").replace("0.025", "0.05").replace(
    "max = [1.0, 0.7]", "max = [1.0, 0.2, 0.7]").replace(", false]", ", false, false]").replace(
    "[0.0, 0.0]", "[0.0, 0.0, 0.0]").replace("[1.0, 0.4]", "[1.0, 0.2, 0.4]").replace(
    "[0.3125, 0.0]", "[0.3125, 0.1, 0.0]")  # fmt: skip
BODY = """, { name = "float"; shape = "box"; type = "body"; min = [0.4, 0.3]; max = [0.6, 0.5]; }"""
DISC = """, { shape = "disc"; type = "wall"; fit = "surface"; centre = [0.5, 0.15];
    radius = 0.08; }"""
STICK = """, { shape = "box"; type = "wall"; min = [0.4, 0.1]; max = [0.5, 0.6];
    motion = "push"; }"""
PUSH = """motions = ( { name = "push"; kind = "linear"; acceleration = [0.5, 0.0]; } );
"""
TWO = TANK.replace("max = [1.0, 0.4]; },", """max = [1.0, 0.2]; },
    { shape = "box"; type = "fluid"; phase = 2; min = [0.0, 0.2]; max = [1.0, 0.4]; },""")
RENORMALISED = {"fluid__gradients": "renormalised", "fluid__gradients_memory": 0.5}
FLOAT = """{ name = "float"; density = 400.0; }"""
# A tank of Faltinsen's, swaying: with the table at rest, or moved.
SWAY, PERIOD = 0.032, 1.3
SLOSHING = SHARED.replace('acceleration = "TABLE";', "TABLE") + """spacing = 0.04;
domain = { max = [1.72, 1.1]; }; gravity = [0.0, -9.81];
fluid = { masses = "hydrostatic"; sound_speed = 30.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.72, 0.6]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; MOTION } );
probes = ( { name = "tank"; kind = "force"; on = "tank"; every = 0.01; } );
time = { end = 2.0; };
"""


def table(name, rows, columns="t,x,y"):
    path = os.path.join(scratch, name)
    with open(path, "w") as file:
        for row in [columns.split(","), *([f"{v:.12g}" for v in row] for row in rows)]:
            file.write(",".join(row) + "\n")
    return path


def drops():
    path = table("drop.csv", [(0, 2, 0), (0.5, 2, 1), (2, -1, 0)])
    jobs = {
        "a drop": (DROP.replace("PHASE", "1"), 160, {}),
        "of two fluids": (DROP.replace("PHASE", "2"), 104, {"fluid__second__density": 300.0}),
        "with shifting": (DROP.replace("PHASE", "1"), 160, {"fluid__shifting__kind": "inside"}),
        "of float": (DROP.replace("PHASE", "1"), 160, {"backend__precision": "float"}),
        "beside a force": (DROP.replace("PHASE", "1") + WEAK, 160, {}),
    }
    runs = together(*(lambda n=n, text=text, keys=keys: Case(text.replace("TABLE", path)).run(
        n.replace(" ", "-"), **keys) for n, (text, _, keys) in jobs.items()))  # fmt: skip
    for (name, (_, mass, _)), run in zip(jobs.items(), runs):
        e = run.energy()
        end = e["time"][-1]
        late = end - 0.5  # the integrals of its straight pieces
        speed = (2 * 0.5 + 2 * late - late**2, 0.25 + late - late**2 / 3)
        ok(abs(end - 0.8) < 0.01, f"{name}: the run ends")
        for axis, v in zip("xy", speed):
            at_most(e[f"momentum_{axis}"][-1] / mass / v - 1, 1e-5, f"{name}: speed along {axis}")
        at_most(e["kinetic"][-1] / (0.5 * mass * (speed[0] ** 2 + speed[1] ** 2)) - 1, 1e-5,
                f"{name}: its energy")  # fmt: skip
        at_most(largest(e["residual"]) / e["kinetic"][-1], 1e-6, f"{name}: the residual")


def tilted():
    """A steady acceleration does what gravity in its direction does."""
    columns, space = "t,x,y", "t,x,y,z"
    path, none = (table(f"{name}.csv", [(0, a, 0), (1, a, 0)], columns)
                  for name, a in (("steady", 1.5), ("none", 0)))  # fmt: skip
    deep, flat = (table(f"{name}.csv", [(0, a, 0, 2 * a), (1, a, 0, 2 * a)], space)
                  for name, a in (("deep", 1.5), ("flat", 0)))  # fmt: skip
    walls, open_sides = '"left", "right", "bottom"', '"bottom"'
    cases = {
        "adami": (TANK, walls, "false", "", {}),
        "no diffusion": (TANK, walls, "false", "", {"fluid__diffusion__kind": "none"}),
        "antuono": (TANK, walls, "false", "", {"fluid__diffusion__kind": "antuono"}),
        "fixed steps": (TANK, walls, "false", "", {"time__step": 2e-4}),
        "a body": (TANK, walls, "false", BODY, {}),
        "dynamic": (TANK, walls, "false", "", {"boundary__kind": "dynamic"}),
        "mdbc": (TANK, walls, "false", "", {"boundary__kind": "mdbc"}),
        "a body, mdbc": (TANK, walls, "false", BODY, {"boundary__kind": "mdbc"}),
        "repulsive": (TANK, walls, "false", "", {"boundary__kind": "repulsive"}),
        "a period": (TANK, open_sides, "true", "", {}),
        "a period and a body": (TANK, open_sides, "true", BODY, {}),
        "two fluids": (TWO, walls, "false", "", {"fluid__second__density": 300.0}),
        "a fitted wall": (TANK, walls, "false", DISC, {}),
        "a moving wall": (TANK + PUSH, walls, "false", STICK, {}),
        "renormalised": (TANK, walls, "false", "", RENORMALISED),
        "a filter": (TANK, walls, "false", "", {"fluid__diffusion__filter": 0.2}),
        "3-D": (DEEP, '"left", "right", "front", "back", "bottom"', "false", "", {}),
    }

    def run(name, gravity, file, more):
        text, sides, periodic, body, keys = cases[name]
        bodies = FLOAT if body == BODY else ""
        for word, value in (("BODY", body), ("BODIES", bodies), ("SIDES", sides),
                            ("GRAVITY", gravity), ("TABLE", file), ("PERIODIC", periodic)):
            text = text.replace(word, value)
        return Case(text).run(f"{name.replace(' ', '-')}-{more}", **keys)

    jobs = []
    for name, case in cases.items():
        if case[0] is DEEP:
            jobs += [(name, "[1.5, 0.0, -6.81]", flat, "tilted"),
                     (name, "[0.0, 0.0, -9.81]", deep, "shaken")]  # fmt: skip
        else:
            jobs += [(name, "[1.5, -9.81]", none, "tilted"), (name, "[0.0, -9.81]", path, "shaken")]
    runs = together(*(lambda job=job: run(*job) for job in jobs))
    for name, one, other in zip(cases, runs[::2], runs[1::2]):
        a, b = one.state(True), other.state(True)
        # The filter knows gravity alone: its running mean has yet to follow.
        gate = 5e-3 if name == "a filter" else 1e-9
        at_most(largest(a["fluid/velocity"] - b["fluid/velocity"]) / largest(a["fluid/velocity"]),
                gate, f"{name}: the velocities of tilted gravity")
        probe = [r.probe("bottom")["pressure"] for r in (one, other)]
        at_most(largest(probe[0] - probe[1]) / largest(probe[0]), gate,
                f"{name}: a pressure at the wall")
        ok(largest(probe[0]) > 1000, f"{name}: there is one: {largest(probe[0]):.0f} Pa")
        e, tilt = other.energy(), one.energy()
        at_most(largest(e["residual"]) / largest(tilt["residual"]), 2,
                f"{name}: the residual over that of tilted gravity")
        at_most(largest(e["residual"]) / largest(e["work_force"]), 1e-3, f"{name}: the residual")


def sloshing():
    """A tank that is shaken, and one that moves."""
    t = np.arange(0, 2.02, 0.01)
    omega = 2 * np.pi / PERIOD
    path = table("sway.csv", np.column_stack([t, SWAY * omega**2 * np.cos(omega * t)]), "t,x")
    still = SLOSHING.replace("TABLE", f'acceleration = "{path}";').replace("MOTION", "")
    moved = SLOSHING.replace("TABLE", "").replace("MOTION", 'motion = "sway";') + (
        f"""motions = ( {{ name = "sway"; kind = "sine"; amplitude = [{SWAY}, 0.0];
            period = {PERIOD}; phase = 1.5707963267948966; }} );""")  # fmt: skip
    shaken, one = together(lambda: Case(still).run("shaken"), lambda: Case(moved).run("moved"))
    a, b = (run.probe("tank") for run in (shaken, one))
    n = min(len(a["time"]), len(b["time"]))
    force = [p["fx"][:n] for p in (a, b)]
    swing = largest(force[1])
    # Forces on the walls are the same in both frames; the first 0.2 s have the start's sound.
    late = a["time"][:n] > 0.2
    at_most(np.sqrt(np.mean((force[0] - force[1])[late] ** 2)) / swing, 0.02,
            "sloshing: the force on a moving tank and on a shaken one")  # fmt: skip
    ok(swing > 100, f"sloshing: {swing:.0f} N")
    return still


def continued(still):
    path = table("beside.csv", [(0, 1, 0), (0.2, -2, 1), (9, 0, 0)])
    text = TANK
    for word, value in (("BODY", BODY), ("BODIES", FLOAT), ("SIDES", '"left", "right", "bottom"'),
                        ("GRAVITY", "[0.0, -9.81]"), ("TABLE", path), ("PERIODIC", "false")):
        text = text.replace(word, value)
    for name, case in (("with a body", Case(text)), ("sloshing", Case(still))):
        whole, halves = together(lambda: case.run("whole", time__end=0.4),
                                 lambda: case.run("halves", time__end=0.2))  # fmt: skip
        halves = restart(halves.path, time__end=0.4)
        unequal = differences(whole, halves)
        ok(not unequal, f"a restart, {name}: the same bits", unequal)
    with open(os.path.join(scratch, "sway.csv"), "a") as file:
        file.write("9,1\n")
    changed = restart(halves.path, expect=(2,), time__end=0.5)
    ok("MotionTables" in changed.said, "a restart with another table is refused", changed.said)


def ranks(still):
    said = os.popen(f"{SLUICE} info").read()
    if "MPI" not in said or "without MPI" in said:
        skip("two ranks", "no MPI in this program")
        return
    one, two = (Case(still).run(f"ranks-{n}", time__end=0.2, ranks=n) for n in (1, 2))
    unequal = [d for d in differences(one, two, by_id=True) if d != "run/AutoMean"]  # of rates
    ok(not unequal, "two ranks: the same bits", unequal)


def refusals():
    short = table("short.csv", [(0, 1), (0.1, 1)], "t,x")
    turns = table("turns.csv", [(0, 1), (9, 1)], "t,angle")
    deep = table("deep.csv", [(0, 1), (9, 1)], "t,z")
    fine = table("fine.csv", [(0, 1), (9, 1)], "t,x")
    drop = DROP.replace("PHASE", "1")
    opening = 'openings = ( { name = "out"; kind = "outlet"; face = "x+"; pressure = 0.0; } );'
    gas = 'model = "gas"; acceleration = "TABLE"; dimension = 2; spacing = 0.1;'
    for name, text, file, words in (
        ("too short", drop, short, "ends at t = 0.1, before time.end = 0.8"),
        ("an angle", drop, turns, "turn the tank"),
        ("z in 2-D", drop, deep, "column 'z' in a case of dimension 2"),
        ("no file", drop, "nowhere.csv", "acceleration: "),
        ("openings", drop + opening, fine, "the pressure that gravity alone gives it"),
        ("a gas", gas, fine, "acceleration"),
    ):
        run = Case(text.replace("TABLE", file)).run("refused", expect=(2,))
        ok(words in run.said, f"refused: {name}", run.said)


def warnings():
    """What check says of a table: in the run alone."""
    strong = table("strong.csv", [(-1, 100, 0), (1, 0, 0), (9, -80, 0)])
    text = TANK.replace("BODY", "").replace("BODIES", "").replace("TABLE", strong).replace(
        "SIDES", '"bottom"').replace("GRAVITY", "[0.0, -9.81]").replace("PERIODIC", "false")
    said = os.popen(f"{SLUICE} check {Case(text).path} 2>&1").read()
    ok("3 rows, to 50 m/s^2; alone it would give water 12.8 m/s" in said, "check: its size", said)
    ok("is below 10 sqrt(2 a H)" in said, "check: it may need a larger speed of sound", said)


drops()
tilted()
warnings()
still = sloshing()
continued(still)
ranks(still)
refusals()
finish()

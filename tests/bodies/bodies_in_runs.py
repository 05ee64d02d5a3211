#!/usr/bin/env python3
# test: 14 s
"""Rigid bodies: their tables, the force of the fluid as force probes have it, momentum and energy
of fluid and bodies together; held, locked and moored ones, each kind of walls; the same bits from
any number of threads, after a restart, and in a moved frame; what `sluice check` says of them."""

import json
import re
import subprocess

from case_run import (
    SLUICE, Case, at_most, differences, finish, largest, measure, np, ok, restart,
    tables, together, within,
)

# Two bodies in a tank, one spinning on a rope, one held at first, with a spring between them.
TANK = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [0.8, 0.8]; };
fluid = { masses = "hydrostatic"; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.8, 0.4]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { name = "crate"; shape = "box"; type = "body"; min = [0.1, 0.3]; max = [0.3, 0.5]; },
    { name = "ball"; shape = "disc"; type = "body"; centre = [0.6, 0.36]; radius = 0.08; } );
bodies = ( { name = "crate"; density = 500.0; spin = [1.0]; },
    { name = "ball"; mass = 10.0; velocity = [0.1, 0.0]; release = 0.02; } );
moorings = ( { kind = "spring"; name = "rope"; body = "crate"; at = [0.2, 0.3]; to = [0.2, 0.0];
               stiffness = 2000.0; damping = 20.0; length = 0.25; slack = true; },
    { kind = "spring"; body = "ball"; other = "crate"; stiffness = 300.0; length = 0.35; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "crate"; kind = "force"; on = "crate"; about = [0.2, 0.4]; every = 0.005; },
    { name = "ball"; kind = "force"; on = "ball"; about = [0.6, 0.36]; every = 0.005; } );
time = { end = 0.06; }; energy = { every = 1; };
output = { every = 0.03; bodies = 0.005; precision = "double"; checkpoint_every_s = 0.0; };
backend = { strategy = "window"; };
"""
HIT = """geometry = (
    { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.8, 0.2]; },
    { shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { name = "crate"; shape = "box"; type = "body"; min = [0.3, 0.1]; max = [0.5, 0.3]; },
    { name = "ball"; shape = "disc"; type = "body"; centre = [0.44, 0.42]; radius = 0.08; },
    { name = "brick"; shape = "box"; type = "body"; min = [0.02, 0.08]; max = [0.12, 0.18]; } );
bodies = ( { name = "crate"; density = 500.0; }, { name = "brick"; density = 3000.0; },
    { name = "ball"; density = 2000.0; velocity = [0.0, -0.5]; } );
"""
# A box that crosses the seam, and two spheres as one body, partly locked, on a hinge.
CUBE = """model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [1.2, 1.0, 1.2]; periodic = [true, false, false]; };
geometry = (
    { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.2, 1.0, 0.6]; },
    { shape = "walls"; sides = ["y-", "y+", "z-"]; },
    { name = "box"; shape = "box"; type = "body"; min = [0.7, 0.2, 0.4]; max = [1.1, 0.6, 0.8]; },
    { name = "pair"; shape = "sphere"; type = "body"; centre = [0.3, 0.4, 0.6]; radius = 0.2; },
    { name = "pair"; shape = "sphere"; type = "body"; centre = [0.3, 0.6, 0.6]; radius = 0.2; } );
bodies = ( { name = "box"; density = 400.0; velocity = [2.0, 0.0, 0.0]; spin = [0.5, 1.0, -2.0]; },
    { name = "pair"; mass = 40.0; centre = [0.3, 0.5, 0.55]; inertia = [1.0, 0.8, 0.9];
      products = [0.01, 0.0, -0.02]; locked = "x, ry"; } );
moorings = ( { kind = "hinge"; body = "pair"; at = [0.3, 0.5, 0.6]; axis = [1.0, 0.0, 0.0];
               width = 0.2; stiffness = 2.0e4; damping = 50.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "box"; kind = "force"; on = "box"; about = [0.9, 0.4, 0.6]; every = 0.01; },
    { name = "pair"; kind = "force"; on = "pair"; about = [0.3, 0.5, 0.55]; every = 0.01; } );
time = { end = 0.12; }; energy = { every = 1; tolerance = 1.0; };
output = { every = 0.05; bodies = 0.01; precision = "double"; checkpoint_every_s = 0.0; };
backend = { strategy = "window"; };
"""
# Nothing holds fluid or body, so momentum is kept. The body crosses the seam.
FREE = """model = "wcsph"; dimension = 2; spacing = 0.05;
domain = { min = [0.0, 0.0]; max = [1.6, 1.0]; periodic = [true, true]; };
fluid = { sound_speed = 20.0; viscosity = { kind = "both"; nu = 0.01; }; };
boundary = { slip = "no-slip"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.6, 1.0]; },
    { name = "crate"; shape = "box"; type = "body"; min = [1.2, 0.3]; max = [1.5, 0.6]; } );
bodies = ( { name = "crate"; density = 1500.0; velocity = [1.0, 0.2]; } );
time = { end = 0.5; cfl = 0.1; }; energy = { every = 1; };
output = { every = 0.0; bodies = 0.05; }; backend = { precision = "double"; };
"""
FORCE = {2: ("fx", "fy"), 3: ("fx", "fy", "fz")}


def components(table, name, dimension):
    return np.stack([table[f"{name}_{a}"] for a in "xyz"[:dimension]], 1)


def torque(table, name, dimension):
    names = [f"{name}_{a}" for a in "xyz"] if dimension == 3 else [name]
    return np.stack([table[key] for key in names], 1)


def same(one, other, name):
    different = differences(one, other)
    ok(not different, name, f"different: {', '.join(different)}")


def same_tables(one, other, name):
    files = [f for f in tables(one) if f == "energy.csv" or f.startswith("body_")]
    different = [f for f in files if one.bytes_of(f) != other.bytes_of(f)]
    ok(files and not different, name, f"different: {different}")


def check_probes(run, name, centre, mass, gate, seam=np.inf):
    """The fluid's force is that of the probe; so is its torque about the body's centre. The torque
    is compared until the body reaches x = `seam`: then particles cross the periodic face, and the
    probe has their wrapped places."""
    body, probe = run.table(f"body_{name}.csv"), run.table(f"probe_{name}.csv")
    d = run.dimension
    ok(np.array_equal(body["step"], probe["step"]), f"{name}: rows of body and probe")
    force = np.stack([probe[key] for key in FORCE[d]], 1)
    fluid = components(body, "fluid_force", d)
    at_most(largest(fluid - force) / largest(force), gate, f"{name}: force, as the probe has it")
    arm = np.stack([body[a] for a in "xyz"[:d]], 1) - np.array(centre)
    if d == 2:
        about = arm[:, :1] * force[:, 1:] - arm[:, 1:] * force[:, :1]
        found = probe["torque"][:, None]
    else:
        about = np.cross(arm, force)
        found = np.stack([probe[f"t{a}"] for a in "xyz"], 1)
    scale, whole = largest(force) * 0.1, body["x"] < seam
    at_most(largest((torque(body, "fluid_torque", d) + about - found)[whole]) / scale, gate,
            f"{name}: torque, as the probe has it")
    weight = components(body, "gravity_force", d)[:, -1]
    at_most(largest(weight + 9.81 * mass) / (9.81 * mass), 1e-12, f"{name}: weight")
    return body


def check_sum(run, body, name, mass, free):
    """m a is the sum of the forces, along axes that are free, and 0 along others."""
    d = run.dimension
    total = sum(components(body, f"{cause}_force", d)
                for cause in ("fluid", "gravity", "contact", "mooring"))
    miss = mass * components(body, "acceleration", d) - total * np.array(free)
    at_most(largest(miss) / largest(total), 1e-12, f"{name}: m a is the sum of the forces")


def bits(name, case):
    """Runs with one thread; the bits are the same with more threads, after a restart from the
    middle, with the bodies in another order, and in a moved frame."""
    d = 3 if name.startswith("cube") else 2
    one, two, three, moved = together(
        lambda: case.run(name), lambda: case.run(f"{name}-2", threads=2),
        lambda: case.run(f"{name}-3", threads=3),
        lambda: case.run(f"{name}-moved", domain__frame_shift=[1000000, -7, 3][:d]))
    same(one, two, f"{name}: the same bits with 1 and 2 threads")
    same(one, three, f"{name}: the same bits with 3 threads")
    same_tables(one, moved, f"{name}: the same tables in a moved frame")
    steps = int(one.energy()["step"][-1])
    for part in (0.2, 0.6):  # before and after the release
        half = case.run(f"{name}-half", time__max_steps=int(part * steps))
        same(one, restart(half.path, time__max_steps=0, backend__threads=2),
             f"{name}: the same bits after a restart at {part:g} of the run")
    return one


def check_moorings(run):
    """The tables of both moorings are what their bodies feel, and the geometry of their ends."""
    rope, spring = (run.table(f"mooring_{name}.csv") for name in ("rope", "spring_1"))
    crate, ball = (run.table(f"body_{name}.csv") for name in ("crate", "ball"))
    for c in "xy":
        miss = rope[f"force_{c}"] - spring[f"force_{c}"] - crate[f"mooring_force_{c}"]
        at_most(largest(miss), 1e-9, f"moorings: their forces along {c} are those on the crate")
        at_most(largest(spring[f"force_{c}"] - ball[f"mooring_force_{c}"]), 1e-9,
                f"moorings: and on the ball along {c}")
    way = np.stack([rope[f"to_{c}"] - rope[f"at_{c}"] for c in "xy"])
    at_most(largest(np.hypot(*way) - rope["length"]), 1e-12, "moorings: the length of a rope")
    pull = np.stack([rope["force_x"], rope["force_y"]])
    at_most(largest(pull - rope["tension"] * way / rope["length"]), 1e-9, "moorings: its tension")
    ok(np.all(rope["to_x"] == 0.2) and np.all(rope["to_y"] == 0) and rope["tension"].max() > 90
       and np.all(rope["tension"] >= 0), "moorings: its end on the floor, and that it is slack")


def test_tank():
    case = Case(TANK)
    run, exact = bits("tank", case), case.run("tank-double", backend__precision="double")
    for r, gate in ((run, 1e-6), (exact, 1e-12)):
        crate = check_probes(r, "crate", (0.2, 0.4), 20, gate)
        ball = check_probes(r, "ball", (0.6, 0.36), 10, gate)
        check_sum(r, crate, "crate", 20, (1, 1))
        held = ball["time"] < 0.02
        ok(held.sum() >= 4 and not largest(components(ball, "velocity", 2)[held])
           and not largest(ball["x"][held] - 0.6), "the ball is held until its release")
        ok(largest(components(ball, "velocity", 2)[~held]) > 0.05, "and goes then")
        ok(largest(components(crate, "mooring_force", 2)) > 90, "the rope pulls")
        check_moorings(r)
        at_most(largest(r.energy()["identity"]), 1e-12 if gate < 1e-9 else 1e-6,
                "tank: power identity")
        at_most(measure.residual_share(r), 1e-4, "tank: residual")
    at_most(largest(run.table("body_crate.csv")["y"] - exact.table("body_crate.csv")["y"]), 1e-6,
            "tank: float and double")
    text = TANK.replace('bodies = ( { name = "crate"; density = 500.0; spin = [1.0]; },',
                        "bodies = (")
    text = text.replace("release = 0.02; } );",
                        'release = 0.02; }, { name = "crate"; density = 500.0; spin = [1.0]; } );')
    same(run, Case(text).run("tank-order"), "tank: the same bits with bodies in another order")


def test_cube():
    case = Case(CUBE)
    run = bits("cube", case)
    check_probes(run, "box", (0.9, 0.4, 0.6), 400 * 0.4**3, 2e-5, 0.95)
    pair = check_probes(run, "pair", (0.3, 0.5, 0.55), 40, 2e-5)
    check_sum(run, pair, "pair", 40, (0, 1, 1))
    ok(not largest(pair["x"] - 0.3) and not largest(pair["velocity_x"]) and
       not largest(pair["spin_y"]), "pair: its locked degrees of freedom stay")
    at_most(largest(pair["z"] - 0.55), 0.05, "pair: the hinge holds it")
    box = run.table("body_box.csv")
    within(box["x"][-1], 1.0, 1.2, "box: its corner has crossed the seam")
    at_most(measure.residual_share(run), 1e-3, "cube: residual")


def test_free():
    run = Case(FREE).run("free")
    energy, body = run.energy(), run.table("body_crate.csv")
    scale = 135.0  # kg m/s, of the body at the start
    for axis in "xy":
        change = energy[f"momentum_{axis}"] - energy[f"momentum_{axis}"][0]
        at_most(largest(change) / scale, 1e-12, f"free: momentum along {axis}")
    within(body["x"][-1], 1.5, 1.85, "free: the body goes through the seam")
    at_most(measure.residual_share(run), 1e-3, "free: residual")
    pushed = Case(FREE).run("pushed", gravity=[0.5, 0.0])
    e = pushed.energy()
    total = 0.5 * (1000 * (1.6 - 0.09) + 1500 * 0.09)  # N, on fluid and body
    at_most((e["momentum_x"][-1] - 135.0) / (total * e["time"][-1]) - 1, 1e-12,
            "pushed: gravity along the period moves both")
    at_most(measure.residual_share(pushed), 1e-3, "pushed: its work is booked")


def test_contacts():
    """A ball falls on a crate, and a brick to the floor."""
    text = TANK[:TANK.index("geometry")] + HIT + TANK[TANK.index("initial"):TANK.index("probes")]
    case = Case(text + TANK[TANK.index("energy"):], time__end=0.36)
    run = bits("contacts", case)
    ball, brick = run.table("body_ball.csv"), run.table("body_brick.csv")
    push = components(ball, "contact_force", 2)[:, 1]
    ok(not push[:5].any(), "nothing touches the ball at first")
    ok(np.max(push) > 300, f"the crate carries it then: {np.max(push):.4g} N")
    ok(np.max(components(brick, "contact_force", 2)[:, 1]) > 100, "and the floor the brick")
    within(np.min(brick["y"]), 0.045, 0.052, "which stays above it")
    ok(run.energy()["work_contact"][-1] < -1, "impacts take energy")
    at_most(measure.residual_share(run), 1e-3, "contacts: residual")
    log = run.log
    ok(log.count("shortens the time step to") == 1 and "the contact of 'crate' (" in log,
       "contacts: the log says once that they shorten the step", log)
    ok("sunk" not in log and "failed" not in log, "contacts: and of none that fails", log)
    soft = case.run("soft", time__end=0.2, bodies__ball__stiffness=1000.0)
    log = soft.log
    ok(log.count("'ball' (") >= 2 and log.count("has sunk by more than a spacing") == 1 and
       "stiffness is 1e+03 and 1e+06 Pa; about" in log and "a contact failed:" in log,
       "soft: a body that sinks gives a warning at once, and at the end", log)
    ok("bodies.ball.stiffness: 1e+03 Pa is too soft: at rest 'ball' (" in log,
       "soft: and at the start, by its weight", log)
    needed = dict(re.findall(r"(bodies.\w+.stiffness) = (\S+)", log))
    ok("bodies.ball.stiffness" in needed and "about 1e+06" not in log,
       "soft: the remedy names the body that is too soft", log)
    firm = case.run("firm", time__end=0.2, **{key.replace(".", "__"): float(value)
                                               for key, value in needed.items()})
    depth = re.search(r"sank \S+ m, (\S+) of the spacing", firm.log)
    ok("sunk" not in firm.log and (not depth or float(depth[1]) < 0.4),
       "firm: with the stiffness that it names the body stays out", firm.log)


def test_walls():
    """Each kind of walls carries the crate, with a budget that closes."""
    kinds = (("adami", "free"), ("adami", "no-slip"), ("dynamic", "free"), ("dynamic", "no-slip"),
             ("repulsive", "free"), ("mdbc", "free"), ("mdbc", "no-slip"))
    runs = together(*(
        lambda k=kind, s=slip: Case(TANK).run(
            f"walls-{k}-{s}", boundary__kind=k, boundary__slip=s, time__end=0.04,
            fluid__viscosity__kind="both", fluid__viscosity__nu=1e-3)
        for kind, slip in kinds))
    for (kind, slip), run in zip(kinds, runs):
        at_most(measure.residual_share(run), 1e-3, f"{kind}, {slip}: residual")
        at_most(largest(run.energy()["identity"]), 1e-6, f"{kind}, {slip}: power identity")
        force = run.table("body_crate.csv")["fluid_force_y"]
        within(np.mean(force), 100, 300, f"{kind}, {slip}: the water carries the crate")


def said(verb, text, *options, **keys):
    """The output of `sluice check` or run, and its exit code."""
    case = Case(text, **keys)
    words = [SLUICE, verb, case.path, *options]
    for key, value in case.keys.items():
        words += ["--set", f"{key.replace('__', '.')}={value}"]
    child = subprocess.run(words, capture_output=True, text=True)
    return child.stdout + child.stderr, child.returncode


def tells(wanted, text, name, **keys):
    words, _ = said("check", text, **keys)
    words = " ".join(words.split())
    for part in wanted:
        ok(part in words, f"check, {name}: {part}", words)


def test_check():
    tells(("Bodies crate mass 20 kg/m, density 500 kg/m^3, 0.5 of the fluid's, 84 particles",
           "centre (0.2, 0.4) m, inertia 0.133333 kg m", "held until t = 0.02 s",
           "moorings 2, for steps up to", "): body shell, 84 particles"), TANK, "tank")
    log = Case(TANK).run("logged", time__max_steps=1).log
    for line in ("body 'crate' (", "mass 20 kg/m, density 500 kg/m^3, centre (0.2, 0.4) m, inertia",
                 "kg m, held until t = 0.02 s", "spring of 'ball' (", " to 'crate': stiffness 300"):
        ok(log.count(line) == 1, f"the log describes bodies and moorings: {line}", log)
    found, _ = json.JSONDecoder().raw_decode(said("check", TANK, "--json")[0])
    crate, ball = found["bodies"]
    ok(crate["name"] == "crate" and abs(crate["density"] - 500) < 1e-9 and crate["particles"] == 84
       and ball["release"] == 0.02 and len(ball["inertia"]) == 1, "check --json has bodies", found)
    ok([(m["kind"], m["body"], m["other"], m["stiffness"]) for m in found["moorings"]]
       == [("spring", "crate", "", 2000), ("spring", "ball", "crate", 300)], "and moorings", found)
    tells(("locked x, ry", "centre (0.3, 0.5, 0.55) m, inertia (1, 0.8, 0.9) kg m^2"), CUBE, "cube")
    tells(("crate mass 21 kg/m asked, 22 kg/m actual (+4.76%), density 500 kg/m^3",),
          TANK.replace("max = [0.3, 0.5]", "max = [0.3, 0.51]"),
          "a box whose face moves")
    tells(("centre (0.21, 0.4) m, inertia 0.135333 kg m, of even density about it",),
          TANK.replace("spin = [1.0]", "centre = [0.21, 0.4]"), "a centre alone")
    stiff = TANK.replace("stiffness = 2000.0", "stiffness = 2.0e8")
    tells(("the spring of 'crate' (", "the fluid alone takes steps"), stiff, "a stiff mooring")
    tells(("moorings: time.step (0.001) is 15.9 times as long as the spring of 'crate' bears: take "
           "6.283e-05, or 0",), stiff, "a fixed step", time__step=1e-3)
    tells(("bodies: time.step (0.001) is ", "as long as the contact of 'crate' (",
           "bears at an impact of 3.96 m/s: take "), TANK, "a fixed step of contacts",
          time__step=1e-3)
    far = TANK.replace("at = [0.2, 0.3]; to = [0.2, 0.0]", "at = [0.2, 3.4]; to = [0.2, 2.0]")
    tells(("moorings: `at` is 3 m from the centre of 'crate', which reaches over 0.141 m",), far,
          "a long arm")
    words, _ = said("check", TANK)
    ok("from the centre" not in words and "time.step" not in words,
       "check: no warning of a correct mooring", words)
    # A fall over 0.8 m. With 1e14 Pa steps are 10^3.2 times shorter than with 1e6 Pa.
    tells(("contacts for steps up to", "at an impact of 3.96 m/s, after a fall over the domain's "
           "height: 'crate' (", "the fluid alone takes steps"), TANK, "contacts")
    hard = TANK.replace("mass = 10.0;", "mass = 10.0; stiffness = 1.0e14;").replace(
        "moorings", "contact = { stiffness = 1.0e14; }; moorings")
    tells(("warning:", "bodies: the contact of 'ball' (", "and a wall takes steps of",
           "shorter than those of the fluid: stiffness is 1e+14 and 1e+14 Pa;",
           "Pa keep overlaps within a quarter of the spacing"), hard, "stiff contacts")
    words, _ = said("check", TANK)
    ok("takes steps of" not in words, "check: no such warning of usual contacts", words)
    each = FREE.replace('max = [1.5, 0.6]; }', """max = [1.5, 0.6]; },
        { name = "crate"; shape = "box"; type = "body"; min = [0.2, 0.3]; max = [0.4, 0.6]; }""")
    tells(("crate_1 mass 135 kg/m", "crate_2 mass 90 kg/m"),
          each.replace("density = 1500.0;", "density = 1500.0; each = true;"), "each")
    many = ", ".join(f"""{{ name = "c"; shape = "box"; type = "body";
        min = [{0.1 * (k % 14):.1f}, {0.1 * (k // 14):.1f}];
        max = [{0.1 * (k % 14) + 0.1:.1f}, {0.1 * (k // 14) + 0.1:.1f}]; }}""" for k in range(12))
    tells(("and 3 more: 13 in all",), FREE.replace(
        "bodies = (", 'bodies = ( { name = "c"; density = 1.0; each = true; },').replace(
        'max = [1.5, 0.6]; }', 'max = [1.5, 0.6]; }, ' + many), "many")
    tells(("the centre of 'crate' has x = 0.5, but its shapes reach from 1.2 to 1.5",),
          FREE.replace("velocity", "centre = [0.5, 0.5]; velocity"), "centre beside the shapes")
    tells(("fluid.sound_speed: 20 is below ten times 5.00", "the speed of the body 'crate' ("),
          FREE.replace("[1.0, 0.2]", "[5.0, 0.2]"), "a fast body")
    long = FREE.replace("min = [1.2, 0.3]; max = [1.5, 0.6]", "min = [0.2, 0.3]; max = [1.4, 0.6]")
    tells(("bodies: 'crate' may reach over 1.23693 m along y", "repeats after 1 m: it does not "
           "touch its own image"), long, "a body longer than the period")
    words, _ = said("check", long.replace("velocity =", 'locked = "rz"; velocity ='))
    ok("own image" not in words, "check: no warning of one that cannot turn", words)
    away = TANK.replace("centre = [0.6, 0.36]", "centre = [0.6, 1.06]")
    loose = away.replace('other = "crate"; ', "to = [0.6, 0.0]; ").replace(
        'body = "ball"', 'body = "crate"')
    tells(("the centre of 'ball' has y = 1.06, beside the domain, which reaches from 0 to 0.8",
           "move the body, or make the domain larger"), loose, "away")
    held = loose.replace('body = "crate"; to = [0.6', 'body = "ball"; to = [0.6')
    words, code = said("check", held)
    ok("beside the domain" not in words and "has left" not in words and code == 0,
       "check: no warning of one that is moored", words)
    gone = TANK.replace("radius = 0.08; }", """radius = 0.08; },
        { shape = "box"; type = "void"; min = [0.5, 0.2]; max = [0.7, 0.5]; }""")
    words, code = said("check", gone)
    ok("bodies: 'ball' has no particles" in words and code == 2, "check: no particles", words)


def test_given():
    """`each`, and a body with fitted walls."""
    text = FREE.replace('max = [1.5, 0.6]; }', """max = [1.5, 0.6]; },
        { name = "crate"; shape = "disc"; type = "body"; centre = [0.5, 0.5]; radius = 0.2;
          fit = "surface"; }""").replace("density = 1500.0;", "density = 1500.0; each = true;")
    run = Case(text).run("each", time__end=0.1)
    log = run.log
    ok(log.count("bodies 'crate_1' to 'crate_2' (") == 1 and "body 'crate" not in log,
       "each: the log has one line for all", log)
    one, two = run.table("body_crate_1.csv"), run.table("body_crate_2.csv")
    within(one["x"][-1], 1.36, 1.45, "each: the first goes")
    within(two["x"][-1], 0.51, 0.6, "each: so does the second, which is fitted")
    for axis in "xy":
        change = run.energy()[f"momentum_{axis}"] - run.energy()[f"momentum_{axis}"][0]
        at_most(largest(change) / 135, 1e-12, f"each: momentum along {axis}")


def test_ends():
    """Bodies that leave, and those that blow up."""
    thrown = TANK.replace("velocity = [0.1, 0.0]; release = 0.02;", "velocity = [0.0, 9.0];")
    thrown = thrown[:thrown.index("moorings")] + thrown[thrown.index("initial"):]
    run = Case(thrown).run("thrown", time__end=0.08, energy__tolerance=1.0)
    log = run.log
    left = re.findall(r"warning: step \d+, t = \S+: the centre of body 2 'ball' \(\S+\), at "
                      r"\(\S+, \S+\), velocity \(\S+, \S+\), has left the domain: no fluid is ",
                      log)
    ok(len(left) == 1, "one warning of a body that leaves, with places of the plane", log)
    ok(run.table("body_ball.csv")["y"][-1] > 0.85, "and goes on")
    run = Case(TANK).run("fast", expect=(5,), time__step=2e-4, bodies__crate__spin=[4000.0])
    ok("a particle of body 1 'crate' (" in run.said and "would go" in run.said,
       "a body that is too fast for the step ends the run", run.said)
    run = Case(TANK.replace("damping = 20.0", "damping = 2.0e10")).run("stiff", expect=(5,))
    ok("the mooring of 'crate' (" in run.said, "a mooring that is too stiff ends the run", run.said)
    stiff = TANK.replace("stiffness = 2000.0", "stiffness = 2.0e9")
    run = Case(stiff).run("stiff-step", expect=(5,), time__step=2e-4)
    ok("body 1 'crate' (" in run.said and "blew up" in run.said,
       "and a body that one throws away", run.said)
    run = Case(TANK.replace("stiffness = 2000.0", "stiffness = 2.0e20")).run("endless", expect=(5,))
    ok("the motion of body 1 'crate' (" in run.said and "is not finite" in run.said,
       "and a motion that is not finite", run.said)


for test in (test_tank, test_cube, test_free, test_contacts, test_walls, test_given, test_check,
             test_ends):
    test()
finish()

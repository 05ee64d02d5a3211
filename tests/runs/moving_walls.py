#!/usr/bin/env python3
# test: 49 s, slow
"""Walls with prescribed motions: they are where their motion says, at every step; their work on the
fluid is booked; and a moving world is the world at rest, moved."""

import os

import h5py
from case_run import (
    ROOT, Case, at_most, finish, largest, np, ok, restart, scratch, together, within,
)

SHARED = """model = "wcsph"; gravity = [0.0, -9.81]; dimension = 2;
energy = { tolerance = 1.0; }; output = { every = 0.0; precision = "double"; };
"""
# A tank with bodies of every kind of motion above the water, one of them rocking and one wrapping
# round a period.
BODIES = """model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];
domain = { max = [1.2, 2.0, 2.0]; periodic = [true, false, false]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.2, 2.0, 0.2]; },
    { shape = "walls"; sides = ["y-", "y+", "z-"]; },
    { shape = "box"; type = "wall"; min = [0.2, 0.2, 1.6]; max = [0.5, 0.5, 1.9];
      motion = "line"; },
    { shape = "sphere"; type = "wall"; centre = [0.9, 1.0, 1.6]; radius = 0.25; motion = "sine"; },
    { shape = "box"; type = "wall"; min = [0.5, 0.6, 0.9]; max = [0.8, 1.5, 1.2];
      motion = "turn"; },
    { shape = "box"; type = "wall"; min = [0.2, 1.5, 1.5]; max = [0.5, 1.8, 1.8];
      motion = "table"; } );
motions = ( { name = "line"; kind = "linear"; velocity = [9.0, 0.5, 0.0];
              acceleration = [0.0, 0.0, -1.0]; },
    { name = "sine"; kind = "sine"; amplitude = [0.0, 0.1, 0.2]; angle = 0.5; period = 0.3;
      phase = 0.7; centre = [0.9, 1.0, 1.6]; axis = "y"; },
    { name = "turn"; kind = "rotation"; rate = 30.0; centre = [0.65, 1.05, 1.05]; axis = "x"; },
    { name = "table"; kind = "table"; file = "MOTION"; centre = [0.35, 1.65, 1.65]; } );
time = { end = 0.4; step = 0.002; }; output = { every = 0.1; precision = "double"; };
energy = { tolerance = 1.0; }; backend = { frame_cutoffs = 3; };
"""


def rotate(x, axis, angle):
    p, q = (axis + 1) % 3, (axis + 2) % 3
    turned = x.copy()
    turned[:, p] = np.cos(angle) * x[:, p] - np.sin(angle) * x[:, q]
    turned[:, q] = np.sin(angle) * x[:, p] + np.cos(angle) * x[:, q]
    return turned


def walls(run, number):
    """Ids, places and velocities of the walls of a snapshot, by id; its time."""
    with h5py.File(os.path.join(run.path, f"snap_{number:06d}.hdf")) as file:
        data = file["VTKHDF/PointData"]
        ids, wall = data["Id"][:], data["ParticleType"][:] == 1
        order = np.argsort(ids[wall])
        time = float(file["Header"].attrs["Time"])
        return file["VTKHDF/Points"][:][wall][order], data["Velocity"][:][wall][order], time


def table_file():
    """Smooth on purpose: the spline must follow it closely. It begins before the run does."""
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"sluice-motion-{os.getpid()}.csv")
    t = np.linspace(-0.2, 0.6, 401)
    with open(path, "w") as file:
        file.write("# a motion\nt, x, angle\n")
        for row in t:
            file.write(f"{row:.17g}, {1 + 0.2 * np.sin(5 * row):.17g}, {np.sin(4 * row):.17g}\n")
    return path


def expected(x, t):
    """Where each body of BODIES is at t, of its places at the start: (first, last, places,
    velocity of the centre) by the numbers of its walls."""
    s = np.sin(2 * np.pi * t / 0.3 + 0.7) - np.sin(0.7)
    c1, c2, c3 = np.array([0.9, 1.0, 1.6]), np.array([0.65, 1.05, 1.05]), np.array(
        [0.35, 1.65, 1.65]
    )
    return [
        x + np.array([9.0 * t, 0.5 * t, -0.5 * t * t]),
        rotate(x - c1, 1, 0.5 * s) + c1 + s * np.array([0.0, 0.1, 0.2]),
        rotate(x - c2, 0, 30.0 * t) + c2,
        rotate(x - c3, 2, np.sin(4 * t)) + c3 + np.array([0.2 * np.sin(5 * t), 0, 0]),
    ]


BOXES = [
    ((0.2, 0.2, 1.6), (0.5, 0.5, 1.9)),
    ((0.6, 0.7, 1.3), (1.2, 1.3, 1.9)),
    ((0.5, 0.6, 0.9), (0.8, 1.5, 1.2)),
    ((0.2, 1.5, 1.5), (0.5, 1.8, 1.8)),
]


def test_places(path):
    """Every wall is where its motion has it, to the rounding of an offset, after turning round
    twice and wrapping round the period; those at rest have not moved."""
    for precision, gate in (("float", 1e-7), ("double", 1e-10)):
        run = Case(BODIES.replace("MOTION", path)).run(
            f"bodies-{precision}", backend__precision=precision
        )
        start, _, _ = walls(run, 0)
        for number in range(1, 5):
            there, _, t = walls(run, number)
            want, left = expected(start, t), np.ones(len(start), bool)
            worst = 0
            for (low, high), places in zip(BOXES, want):
                body = np.all((start > np.array(low)) & (start < np.array(high)), axis=1)
                left &= ~body
                miss = there[body] - places[body]
                miss[:, 0] -= 1.2 * np.rint(miss[:, 0] / 1.2)
                ok(body.any(), f"{precision}, t = {t:.3g}: a body of {body.sum()} particles")
                worst = max(worst, np.abs(miss).max())
            at_most(worst, gate, f"{precision}, t = {t:.3g}: the farthest from where it should be")
            ok(np.array_equal(there[left], start[left]), "walls at rest are where they were")
        half = Case(BODIES.replace("MOTION", path)).run(
            f"bodies-{precision}-half", backend__precision=precision, time__max_steps=90
        )
        goes_on = restart(half.path, time__max_steps=0)
        a, b = run.state(), goes_on.state()
        different = [k for k in a if a[k].tobytes() != b[k].tobytes()]
        ok(not different, f"{precision}: restarted to the same bits", f"different: {different}")


PISTON = SHARED + """spacing = 0.025; domain = { max = [2.0, 1.0]; };
fluid = { masses = "hydrostatic"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.4, 0.0]; max = [2.0, 0.5]; },
    { shape = "box"; type = "wall"; min = [0.2, 0.0]; max = [0.4, 0.9]; motion = "push"; },
    { shape = "walls"; sides = ["x-", "x+", "y-"]; } );
motions = ( { name = "push"; kind = "sine"; amplitude = [0.05, 0.0]; period = 1.5;
              phase = -1.5707963267948966; } );
time = { end = 1.0; };
"""


def test_piston():
    """A piston that makes a wave: the budget closes, more tightly with a smaller step, and most of
    the piston's work is energy of the water."""
    case = Case(PISTON, backend__precision="double")
    cases = (("adami", "free", 0.4, 1e-6), ("adami", "free", 0.2, 2e-7),
             ("dynamic", "free", 0.2, 1e-5), ("repulsive", "free", 0.2, 2e-5),
             ("adami", "no-slip", 0.2, 1e-6), ("mdbc", "no-slip", 0.4, 1e-6))
    runs = together(*(
        lambda k=kind, s=slip, c=cfl: case.run(
            f"piston-{k}-{s}-{c}", time__cfl=c, boundary__kind=k, boundary__slip=s,
            **({"fluid__viscosity__kind": "both", "fluid__viscosity__nu": 1e-3}
               if s == "no-slip" else {}))
        for kind, slip, cfl, _ in cases))
    for (kind, slip, cfl, gate), run in zip(cases, runs):
        energy = run.energy()
        name = f"piston, {kind}, {slip}, cfl {cfl}"
        at_most(largest(energy["identity"]), 1e-12, f"{name}: power identity")
        residual = largest(energy["residual"]) / energy["reference"][-1]
        at_most(residual, gate, f"{name}: residual")
        gained = energy["total"][-1] - energy["total"][0]
        ok(energy["work_body"][-1] > 0.5 * gained > 0.5,
           f"{name}: the piston gave {energy['work_body'][-1]:.4g} J/m, the water has "
           f"{gained:.4g} more")
    run = case.run("piston-float", backend__precision="float")
    at_most(largest(run.energy()["identity"]), 1e-5, "piston, float: power identity")


# A block that plunges into the water and rocks: hard enough for the springs to act.
PLUNGER = SHARED + """spacing = 0.025; domain = { max = [2.0, 1.6]; };
fluid = { masses = "hydrostatic"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [2.0, 0.5]; },
    { shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { shape = "box"; type = "wall"; min = [0.9, 0.6]; max = [1.1, 0.8]; motion = "slam"; } );
motions = ( { name = "slam"; kind = "sine"; amplitude = [0.0, 0.2]; angle = 1.0; period = 0.8;
              centre = [1.0, 0.7]; phase = 1.5707963267948966; } );
time = { end = 0.6; }; backend = { precision = "double"; };
"""


def test_plunger():
    kinds = ("adami", "mdbc")
    runs = together(*(lambda k=k: Case(PLUNGER).run(f"plunger-{k}", boundary__kind=k)
                      for k in kinds))
    for kind, run in zip(kinds, runs):
        energy, name = run.energy(), f"plunger, {kind}"
        ok(largest(energy["spring"]) > 1e-3,
           f"{name}: springs hold {largest(energy['spring']):.3g} J")
        at_most(largest(energy["identity"]), 1e-12, f"{name}: power identity")
        at_most(largest(energy["residual"]) / energy["reference"][-1], 5e-5, f"{name}: residual")
        ok(energy["removed"][-1] == 0, f"{name}: no water is lost")
    half = Case(PLUNGER).run("plunger-half", boundary__kind="mdbc", time__max_steps=400)
    a, b = runs[1].state(), restart(half.path, time__max_steps=0).state()
    different = [k for k in a if a[k].tobytes() != b[k].tobytes()]
    ok(not different, "plunger, mdbc: restarted to the same bits", f"different: {different}")


# A tank of boxes within a larger domain; the water in it is not quite at rest.
TANK = SHARED + """spacing = 0.025; domain = { min = [0.0, -0.1]; max = [2.5, 1.0]; };
fluid = { masses = "lattice"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.2, 0.0]; max = [1.4, 0.4]; },
    { shape = "box"; type = "wall"; min = [0.1, 0.0]; max = [0.2, 0.8]; motion = "go"; },
    { shape = "box"; type = "wall"; min = [1.4, 0.0]; max = [1.5, 0.8]; motion = "go"; },
    { shape = "box"; type = "wall"; min = [0.1, -0.1]; max = [1.5, 0.0]; motion = "go"; } );
motions = ( { name = "go"; kind = "linear"; velocity = [1.0, 0.0]; } );
time = { end = 0.3; step = 3e-4; }; backend = { precision = "double"; };
"""
FLOWING = 'initial = ( { field = "velocity"; kind = "uniform"; value = [1.0, 0.0]; } );\n'

FALLING = SHARED + """spacing = 0.05; domain = { max = [1.0, 1.0]; };
fluid = { sound_speed = 40.0; diffusion = { kind = "none"; }; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
    { shape = "walls"; sides = ["x-", "x+", "y-"]; motion = "fall"; } );
motions = ( { name = "fall"; kind = "linear"; acceleration = [0.0, -9.81]; } );
time = { end = 0.3; }; backend = { precision = "double"; };
"""


def test_moving_world():
    """Water in a tank that falls with it has no weight: it feels no wall. And water that moves
    along with its tank is water at rest, for any speed of both."""
    run = Case(FALLING).run("falling")
    energy = run.energy()
    at_most(largest(energy["elastic"]) / energy["reference"][-1], 1e-20, "falling: no pressure")
    at_most(energy["max_speed"][-1] / (9.81 * energy["time"][-1]) - 1, 1e-12, "falling: the speed")

    still, moving = Case(TANK.replace(' motion = "go";', "")), Case(TANK + FLOWING)
    for kind in ("adami", "mdbc"):
        a, b = together(lambda k=kind: still.run(f"still-{k}", boundary__kind=k),
                        lambda k=kind: moving.run(f"moving-{k}", boundary__kind=k))
        a, b = a.energy(), b.energy()
        for name in ("elastic", "work_diffusion", "momentum_y"):
            at_most(largest(a[name] - b[name]) / largest(a[name]), 1e-9,
                    f"tank that moves, {kind}: {name}")
        at_most(largest(b["residual"]) / b["reference"][-1], 1e-6,
                f"tank that moves, {kind}: residual")


COUETTE = """model = "wcsph"; dimension = 2; spacing = 0.05;
domain = { max = [0.5, 1.0]; periodic = [true, false]; };
fluid = { density = 1.0; sound_speed = 10.0; viscosity = { kind = "laminar"; nu = 0.1; }; };
boundary = { slip = "no-slip"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.5, 1.0]; },
    { shape = "walls"; sides = ["y-"]; }, { shape = "walls"; sides = ["y+"]; motion = "lid"; } );
motions = ( { name = "lid"; kind = "linear"; velocity = [1.0, 0.0]; } );
time = { end = 10.0; }; energy = { reference = 1.0; tolerance = 1e-3; };
probes = ( { name = "u"; kind = "line"; from = [0.25, 0.125]; to = [0.25, 0.875]; points = 16;
             quantity = "velocity"; every = 0.5; } );
output = { every = 0.0; }; backend = { precision = "double"; };
"""


def couette(y, t, nu=0.1):
    """Start-up of Couette flow (Morris et al. 1997, eq. 27), U = L = 1."""
    n = np.arange(1, 200)[:, None]
    decay = np.exp(-nu * n**2 * np.pi**2 * t)
    return y + (2 / (n * np.pi) * (-1.0) ** n * np.sin(n * np.pi * y) * decay).sum(axis=0)


def test_couette():
    """A lid drags the fluid by no slip; with free slip it does not."""
    drag, slip = together(lambda: Case(COUETTE).run("couette"),
                          lambda: Case(COUETTE).run("couette-free", boundary__slip="free",
                                                    time__end=1.0))
    y = np.linspace(0.125, 0.875, 16)
    u = drag.table("probe_u.csv")
    for row in (1, 2, 4, 20):
        t = u["time"][row]
        got = np.array([u[f"vx_{k}"][row] for k in range(16)])
        at_most(np.abs(got - couette(y, t)).max(), 0.02, f"Couette, t = {t:.3g}: error over U")
    at_most(largest(drag.energy()["identity"]), 1e-12, "Couette: power identity")
    at_most(largest(drag.energy()["residual"]), 1e-4, "Couette: residual")
    at_most(largest(slip.energy()["max_speed"]), 2e-3,
            "Couette with free slip: only its lattice is felt")


def test_first_step():
    """A short first step, and longer ones up to the stable one: what the jump of the lid's speed
    leaves in the residual falls by ten and more; and it goes on after a restart."""
    case = Case(COUETTE, time__end=0.5, energy__every=1)
    at_once, slowly = together(
        lambda: case.run("couette-at-once"),
        lambda: case.run("couette-slowly", time__first=0.001),
    )
    worst = [largest(run.energy()["residual"]) for run in (at_once, slowly)]
    at_most(worst[1], worst[0] / 10, f"a short first step: residual, at once {worst[0]:.3g}")
    dt, stable = slowly.energy()["dt"], at_once.energy()["dt"]
    within(dt[1] / stable[1], 0.00099, 0.00101, "a short first step: the first, of the stable one")
    within((dt[2:] / dt[1:-1]).max(), 1.049, 1.051, "a short first step: its growth")
    within(dt[-1] / stable[-1], 0.999, 1.001, "a short first step: the last, of the stable one")
    half = case.run("couette-half", time__first=0.001, time__max_steps=60)
    again = restart(half.path, time__max_steps=0)
    ok(again.bytes_of("energy.csv") == slowly.bytes_of("energy.csv"),
       "a short first step: the same after a restart among the short ones")


def test_spheric_motion():
    """The motion of SPHERIC test 6 out of its table: a piston that ends where the table does."""
    path = os.path.join(ROOT, "data/reference/spheric_test6_motion.csv")
    text = PISTON.replace("max = [2.0, 1.0]", "max = [1.2, 0.6]").replace("2.0, 0.5", "1.2, 0.1")
    i, j = text.index('kind = "sine"'), text.index("} );\ntime")
    text = text[:i] + f'kind = "table"; file = "{path}"; ' + text[j:]
    run = Case(text).run(
        "spheric", time__end=0.5, output__every=0.5, backend__precision="double"
    )
    start, there = walls(run, 0)[0], walls(run, 1)[0]
    moved = np.unique(np.round((there - start)[:, 0], 12))
    t, x = np.loadtxt(path, delimiter=",", skiprows=3).T
    with open(path) as table, open(os.path.join(scratch, "moves.csv"), "w") as copy:
        copy.write(table.read())
    beside = text.replace(path, "moves.csv")
    half = Case(beside).run("spheric-half", time__max_steps=20)
    restart(half.path, time__max_steps=40)
    with open(os.path.join(scratch, "moves.csv"), "a") as copy:
        copy.write(f"{2 * t[-1] - t[-2]},{2 * x[-1] - x[-2]}\n")
    refused = restart(half.path, expect=(2,), time__max_steps=60)
    ok("MotionTables" in refused.said, "a table that has changed since is refused")
    end = walls(run, 1)[2]
    ok(len(moved) == 2 and moved[0] == 0, "table of SPHERIC 6: walls at rest, and the piston")
    at_most(moved[-1] - (np.interp(end, t, x) - x[0]), 5e-5, "table of SPHERIC 6: the piston")


motion = table_file()
test_places(motion)
os.unlink(motion)
test_piston()
test_plunger()
test_moving_world()
test_couette()
test_first_step()
test_spheric_motion()
finish()

#!/usr/bin/env python3
# test: 20 s
"""Walls that slip beside walls that do not: flow over a floor under a lid that slips is half of a
parabola, with each kind of walls and form of viscosity, and no force along the lid; keys that say
what boundary.slip says change no bit; overlaps, restarts, files and messages."""

import os

import h5py
from case_run import (SLUICE, Case, at_most, differences, finish, largest, np, ok, restart, scratch,
                      together)
from rank_cases import SLIPS

WIDTH, NU, FORCE = 1e-3, 1e-6, 1e-4  # m, m^2/s, m/s^2: 12.5 micrometres a second at the middle
LENGTH, END = 0.4 * WIDTH, 0.5  # m, s
CHANNEL = """model = "wcsph"; dimension = 2; spacing = 4.0e-5;
domain = { min = [0.0, 0.0]; max = [4.0e-4, 1.0e-3]; periodic = [true, false]; };
gravity = [1.0e-4, 0.0];
fluid = { sound_speed = 5.0e-4; viscosity = { kind = "laminar"; nu = 1.0e-6; }; };
boundary = { slip = "no-slip"; };
geometry = (
    { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [4.0e-4, 1.0e-3]; },
    { name = "floor"; shape = "walls"; sides = ["bottom"]; FLOOR },
    { name = "lid"; shape = "walls"; sides = ["top"]; LID } );
probes = ( { name = "floor"; kind = "force"; on = "floor"; every = 0.1; },
           { name = "lid"; kind = "force"; on = "lid"; every = 0.1; } );
time = { end = 0.5; first = 0.001; }; output = { every = 0.5; };
energy = { every = 10; tolerance = 1.0e-3; reference = 1.0e-14; };
"""
FREE, STICKS = 'slip = "free";', 'slip = "no-slip";'


def channel(floor="", lid="", **keys):
    return Case(CHANNEL.replace("FLOOR", floor).replace("LID", lid), **keys)


def from_rest(y, t, width):
    """The series of Morris et al. 1997, eq. 21, between two plates."""
    u = FORCE / (2 * NU) * y * (width - y)
    for n in range(40):
        k = (2 * n + 1) * np.pi / width
        u = u - 4 * FORCE / (NU * width * k**3) * np.sin(k * y) * np.exp(-NU * k**2 * t)
    return u


def error(run, width):
    """The largest error of the speed over the largest speed of the steady flow."""
    snapshot = run[-1]
    u, y = snapshot.fluid.velocity[:, 0], snapshot.fluid.x[:, 1]
    return largest(u - from_rest(y, snapshot.time, width)) / (FORCE * width**2 / 8 / NU)


def force_along(run, name):
    return run.probe(name)["fx"][-1]


def test_half_parabola():
    """The flow over the floor is the lower half of that between plates twice as far apart, whose
    largest speed is 4 times as high. The gates are the errors between two plates without slip."""
    jobs = [(kind, form, lid) for kind in ("adami", "mdbc") for form in ("central", "morris")
            for lid in (FREE, "")]
    runs = together(*(
        lambda k=kind, f=form, s=lid: channel(lid=s).run(
            f"{k}-{f}-{'half' if s else 'whole'}", boundary__kind=k, fluid__viscosity__form=f)
        for kind, form, lid in jobs))
    odd = np.pi * (2 * np.arange(40) + 1)
    along_floor = 1 - np.sum(8 / odd**2 * np.exp(-NU * (odd / 2 / WIDTH)**2 * END))
    for (kind, form, _), half, whole in zip(jobs[::2], runs[::2], runs[1::2]):
        name = f"{kind}, {form}"
        at_most(error(half, 2 * WIDTH), error(whole, WIDTH), f"{name}: half of a parabola")
        at_most(largest(half.energy()["identity"]), 1e-6, f"{name}: power identity")
        exact = 1000 * FORCE * WIDTH * LENGTH
        at_most(force_along(half, "lid") / exact, 1e-5, f"{name}: force along the lid")
        at_most(force_along(half, "floor") / exact - along_floor, 0.01,
                f"{name}: force along the floor, less the exact {along_floor:.4f}")
    return runs[0]


def test_other_direction(half):
    """Free slip for all but the floor is the same run."""
    run = channel(floor=STICKS).run("reversed", boundary__slip="free")
    ok(not differences(half, run), "boundary.slip free, a floor without slip: the same bits",
       str(differences(half, run)))


def test_agreement():
    """Keys that agree with boundary.slip leave no trace, nor do those of all walls that overrule
    it."""
    keys = {"time__end": 0.05, "output__every": 0.05}
    for slip, word in (("no-slip", STICKS), ("free", FREE)):
        plain = channel(**keys).run(f"plain-{slip}", boundary__slip=slip)
        other = "free" if slip == "no-slip" else "no-slip"
        for name, run in (
            ("one key", channel(lid=word, **keys).run("agrees", boundary__slip=slip)),
            ("all keys", channel(word, word, **keys).run("overrules", boundary__slip=other)),
        ):
            ok(not differences(plain, run), f"{slip}, {name}: the same bits",
               str(differences(plain, run)))
        with h5py.File(plain.checkpoint) as file:
            ok("has_friction" not in file["State/wall"], f"{slip}: no field for it")


CORNERS = """model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 0.8]; };
fluid = { sound_speed = 40.0; viscosity = { kind = "laminar"; nu = 0.01; }; };
boundary = { slip = "no-slip"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
    { name = "bed"; shape = "walls"; sides = ["x-", "y-"]; slip = "free"; },
    { name = "banks"; shape = "walls"; sides = ["x-", "x+"]; },
    { name = "pier"; shape = "box"; type = "wall"; fill = "solid"; min = [0.3, 0.0];
      max = [0.6, 0.3]; slip = "free"; },
    { name = "block"; shape = "box"; type = "wall"; fill = "solid"; min = [0.45, 0.0];
      max = [0.7, 0.4]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 0.02; }; output = { every = 0.01; checkpoint_every_s = 0.0; };
energy = { tolerance = 1.0; };
"""


PUSH = '{ field = "velocity"; kind = "uniform"; value = [0.3, 0.0]; }'


def frictions(run):
    """{name of the group: the friction of its particles}, and that of the wall at each place."""
    with h5py.File(run.checkpoint) as file:
        names = [name.decode() for name in file["VTKHDF/FieldData/ShapeNames"][:]]
        wall = file["State/wall"]
        of_id = dict(zip(wall["id"][:], wall["has_friction"][:]))
        data = file["VTKHDF/PointData"]
        group, ids = data["Shape"][:], data["Id"][:]
        is_wall = data["ParticleType"][:] == 1
        x = file["VTKHDF/Points"][:]
    friction = np.array([of_id[i] for i in ids[is_wall]])
    groups = group[is_wall]
    return ({names[g]: set(friction[groups == g]) for g in set(groups)}, x[is_wall], friction)


def test_overlaps():
    run = Case(CORNERS).run("overlaps")
    groups, x, friction = frictions(run)
    ok(groups == {"bed": {0}, "banks": {1}, "pier": {0}, "block": {1}},
       f"each group has its own friction: {groups}")
    corner = (x[:, 0] < 0) & (x[:, 1] < 0)
    both = (x[:, 0] > 0.45) & (x[:, 0] < 0.6) & (x[:, 1] > 0) & (x[:, 1] < 0.3)
    ok(np.all(friction[corner] == 1) and corner.sum() == 9, "in a corner the later shape's holds")
    ok(np.all(friction[both] == 1) and both.sum() == 18, "where boxes overlap, too")
    begun = Case(CORNERS, particles=run[-1].path).run("from-file")
    ok(frictions(begun)[0] == groups, "walls of a snapshot have that of the shapes of their names")
    named = Case(CORNERS.replace('"block"', '"pier"'), particles=run[-1].path)
    refused = named.run("two-frictions", expect=(2,))
    ok("shapes that differ in their slip" in refused.said, "a name with two frictions is refused",
       refused.said)


def test_restart():
    keys = {"output__checkpoint_every_s": 0.0, "backend__strategy": "window"}
    for kind in ("adami", "mdbc"):
        whole = Case(CORNERS, boundary__kind=kind, **keys).run(f"{kind}-whole")
        Case(CORNERS, boundary__kind=kind, **keys).run(f"{kind}-parts", time__max_steps=5)
        parts = restart(os.path.join(scratch, f"{kind}-parts"), time__max_steps=0)
        ok(not differences(whole, parts), f"{kind}: a restart gives the same bits",
           str(differences(whole, parts)))


def test_motion():
    """Walls that turn and a body have a friction of their own with every kind of it."""
    second = {"fluid__second": {"density": 100.0, "nu": 0.005}, "time__cfl": 0.1}
    law = {"boundary__slip": "wall-law"}
    cases = {
        "mdbc": {"boundary__kind": "mdbc", "fluid__viscosity__form": "morris"},
        "dynamic": {"boundary__kind": "dynamic"},
        "stress": {"fluid__viscosity__kind": "sps", "geometry__raft__slip": "free"},
        "renormalised": {"fluid__viscosity__kind": "sps", "fluid__gradients": "renormalised"},
        "two": second, "two-morris": {**second, "fluid__viscosity__form": "morris"},
        "two-stress": {**second, "fluid__viscosity__kind": "sps"},
        "law": law, "two-law": {**second, **law},
        "artificial": {"fluid__viscosity": {"kind": "artificial"}, "boundary__slip": "artificial"},
    }
    runs = together(*(
        lambda n=name, k=keys: Case(
            SLIPS.replace("UPPER", "phase = 2;" if "fluid__second" in k else "")).run(
            n, expect=(0, 1), backend__precision="double", energy__every=1, time__max_steps=30, **k)
        for name, keys in cases.items()))
    for name, run in zip(cases, runs):
        at_most(largest(run.energy()["identity"]), 1e-12, f"turning walls, {name}: power identity")


def test_law():
    """The power identity holds, and walls that slip take no energy."""
    keys = {"fluid__viscosity": {"kind": "none"}, "boundary__slip": "wall-law",
            "backend__precision": "double", "energy__every": 1}
    case = Case(CORNERS.replace("initial = (", f"initial = ( {PUSH},"), **keys)
    some, all_, none = together(
        lambda: case.run("law-some"),
        lambda: case.run("law-all", geometry__bed__slip="boundary",
                         geometry__pier__slip="boundary"),
        lambda: case.run("law-none", boundary__slip="free"))
    for name, run in (("some", some), ("all", all_)):
        at_most(largest(run.energy()["identity"]), 1e-12, f"law of {name} walls: power identity")
    lost = [-run.energy()["work_viscous"][-1] for run in (none, some, all_)]
    ok(lost[0] == 0 < lost[1] < lost[2], f"walls that slip take no energy by the law: {lost}")


def test_check():
    path = Case(CORNERS).path
    said = os.popen(f"{SLUICE} check {path}").read()
    for line in ("'bed'", "'pier'"):
        ok(any(line in row and "free slip" in row for row in said.splitlines()), f"check: {line}")
    for line in ("'banks'", "'block'"):
        ok(any(line in row and "no slip" in row for row in said.splitlines()), f"check: {line}")
    refused = Case(CORNERS).run("refused", expect=(2,), boundary__slip="wall-law",
                                geometry__block__slip="no-slip")
    ok("a run has one kind" in refused.said, "no slip beside the law of the wall is refused",
       refused.said)


slipping = test_half_parabola()
test_other_direction(slipping)
test_agreement()
test_overlaps()
test_restart()
test_motion()
test_law()
test_check()
finish()

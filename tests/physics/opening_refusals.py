#!/usr/bin/env python3
# test: 4 s
"""Openings that cannot be, and doubtful ones: `sluice check` says where, with numbers, and what to
do."""

import os

from case_run import ROOT, SLUICE, Case, Run, finish, ok, scratch

CHANNEL = """model = "wcsph"; dimension = 2; spacing = 0.04; gravity = GRAVITY;
    domain = { min = [0.0, 0.0]; max = [2.0, 0.6]; };
    kernel = { name = "wendland-c2"; h_over_dp = 1.5; };
    fluid = { sound_speed = 30.0; viscosity = { alpha = 0.02; }; };
    boundary = { kind = "adami"; slip = "free"; };
    geometry = (
        { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [2.0, 0.4]; },
        { name = "floor"; shape = "walls"; sides = ["bottom"]; } MORE );
    openings = ( OPENINGS );
    time = { end = 0.5; }; output = { every = 0.5; }; REST"""
UP = '{ name = "up"; kind = "inlet"; face = "x-"; velocity = 0.5; depth = 0.4; }'
DOWN = '{ name = "down"; kind = "outlet"; face = "x+"; level = 0.4; }'


def text_of(openings, gravity="[0.0, -9.81]", more="", rest=""):
    return (CHANNEL.replace("OPENINGS", openings).replace("GRAVITY", gravity)
            .replace("MORE", more).replace("REST", rest))


def says(name, texts, openings, code=0, **parts):
    said = Run(scratch, [SLUICE, "check", Case(text_of(openings, **parts)).path], (code,)).said
    for text in [texts] if isinstance(texts, str) else texts:
        ok(text in said, f"{name}: {text}", said)
    return said


def check_ground():
    """Beneath a bed of a few layers the domain is hollow: no water comes there."""
    bed = (', { name = "bed"; shape = "box"; type = "wall"; fill = "shell"; '
           "min = [0.0, 0.0]; max = [2.0, 0.2]; }")
    says("hollow bed", "10 columns of 5 rows, 5 more are closed by walls",
         UP.replace(" depth = 0.4;", ""), more=bed)


def check_conditions():
    says("no condition", "takes one condition, a velocity or discharge, or a level, and has none",
         UP + ', { name = "down"; kind = "outlet"; face = "x+"; }')
    said = says("two conditions", 'and has two: they fight',
                UP.replace("depth", "level") + ", " + DOWN)
    ok(said.count("they fight") == 1, "and at the inlet alone", said)


def check_wall_in_front():
    wall = (', { name = "plug"; shape = "box"; type = "wall"; min = [0.2, 0.0]; '
            "max = [0.4, 0.6]; }")
    says("a wall in front", "walls stand", UP + ", " + DOWN, code=2, more=wall)


def body(x):
    return (f', {{ name = "crate"; shape = "box"; type = "body"; min = [{x}, 0.12]; '
            f'max = [{x + 0.2}, 0.32]; }}')


def test_good():
    said = says("a channel", "inlet", f"{UP}, {DOWN}")
    ok("openings:" not in said, "of a good channel nothing is said", said)


def test_places():
    side = ('{ name = "side"; kind = "outlet"; face = "y+"; from = [0.2, 0.6]; to = [0.6, 0.6]; '
            'pressure = 0.0; }')
    says("two openings", ['"side"', "its buffer and the strip of its gauges are 0 m from those of "
                          '"up"', "the kernel reaches 0.12 m"], f"{UP}, {side}", 2)
    free = ('{ name = "free"; kind = "inlet"; centre = [CENTRE]; normal = [2.0, -2.0]; '
            'size = [0.1]; velocity = 0.5; }')
    says("a buffer that reaches out", ['"free"', "its buffer, 0.2 m deep behind the face, reaches",
                                       "the domain goes from 0 to 2"],
         free.replace("CENTRE", "0.1, 0.42") + f", {DOWN}", 2)
    said = says("one that does not", ["normal (0.707107, -0.707107)",
                "size: 0.1 m is no multiple of the spacing of 0.04 m; 0.12 m was taken"],
                free.replace("CENTRE", "1.0, 0.4") + f", {DOWN}")
    ok("reaches" not in said, "and nothing is refused", said)
    crate = 'bodies = ( { name = "crate"; density = 500.0; } );'
    says("a body", ['"up"', "a particle of a body or of a wall that moves is", "4 spacings"],
         f"{UP}, {DOWN}", 2, more=body(0.28), rest=crate)
    said = says("one far away", "c0", f"{UP}, {DOWN}", more=body(0.8), rest=crate)
    ok("spacings away" not in said, "and nothing is refused", said)
    part = (UP.replace('"x-";', '"x-"; from = [0.0, 0.05]; to = [0.0, 0.46];')
            .replace("0.4;", "0.3;"))
    says("off the lattice", ["from: 0.05 along y is no face of the lattice of particles; it was "
                             "moved to 0.04", "to: 0.46 along y", "moved to 0.48"],
         f"{part}, {DOWN}")
    rock = ', { shape = "box"; type = "wall"; min = [0.0, 0.0]; max = [0.2, HIGH]; }'
    says("a sill", ["9 columns of 5 rows, 6 more are closed by walls"],
         f"{UP}, {DOWN}", more=rock.replace("HIGH", "0.24"))
    says("a wall", ['"up"', "walls stand in the buffers of all its 15 columns"],
         f"{UP}, {DOWN}", 2, more=rock.replace("HIGH", "0.6"))


def test_given():
    says("a fast stream", ["up to 4 m/s", "more than a tenth of fluid.sound_speed, 30 m/s: give "
                           "40 m/s or more"], UP.replace("0.5", "4.0") + f", {DOWN}")
    says("a fast discharge", ["up to 6 m/s", "give 60 m/s"],
         UP.replace("velocity = 0.5", "discharge = 2.4") + f", {DOWN}")
    says("too deep", ['"up"', "depth: 0.7 m is more than the height of the opening, 0.6 m"],
         UP.replace("depth = 0.4", "depth = 0.7") + f", {DOWN}", 2)
    high = DOWN.replace('"x+";', '"x+"; from = [2.0, 0.2]; to = [2.0, 0.4];')
    says("a low level", ["level: 0.1 m is not above the lower edge of the opening, 0.2 m"],
         f"{UP}, {high.replace('level = 0.4', 'level = 0.1')}", 2)
    says("a culvert", ["level: 0.5 m is above the upper edge of the opening, 0.4 m"],
         f"{UP}, {high.replace('level = 0.4', 'level = 0.5')}")
    says("deeper than the start", ["its water is 0.58 m deep, more than that of the start",
                                   "10 sqrt(2 g H) = 33.7"],
         f"{UP}, {DOWN.replace('0.4', '0.58')}")
    for what, row, text, where in (
            ("a table that gives twice", "t,velocity,discharge\n0,1,1\n", "gives velocity and "
             "discharge, the flow twice", UP), ("water that leaves by an inlet", "t,velocity\n0,1\n"
             "1,-2\n", "has -2, and through an inlet water only enters", UP),
            ("near the floor too", "height,velocity\n0,-0.1\n0.4,0.9\n",
             "has -0.1, and through an inlet water only enters", UP),
            ("heights with a level", "t,height,velocity,level\n0,0,1,1\n", "with heights it takes "
             "the columns height, velocity and, if they change, t or time", UP),
            ("heights with a profile", "height,velocity\n0,1\n0.4,1\n", "has the velocity at each "
             "height, and profile another one", UP.replace("depth", 'profile = "power"; depth')),
            ("heights that fall", "height,velocity\n0.2,1\n0.1,1\n",
             "steps.csv:3: height = 0.1 m does not come after 0.2 m", UP)):
        with open(os.path.join(scratch, "steps.csv"), "w") as file:
            file.write(row)
        opening = where.replace("velocity = 0.5", f'file = "{scratch}/steps.csv"')
        says(what, text, f"{opening}, {DOWN}", 2)


def test_heights():
    with open(os.path.join(scratch, "heights.csv"), "w") as file:
        file.write("height,velocity\n0,0.2\n0.3,0.8\n")
    up = UP.replace("velocity = 0.5", f'file = "{scratch}/heights.csv"')
    says("a velocity over the depth", [
        "velocity 0.576 m/s (means over its heights), depth 0.4 m", "speed           0.576 m/s",
        "go from 0 to 0.3 m, and its water from 0 to 0.4 m over the lower edge"], f"{up}, {DOWN}")


def test_direction():
    slanted = UP.replace("depth", "direction = [DIRECTION]; depth")
    high = slanted.replace("DIRECTION", "2.0, -1.0")
    says("a direction", "face at x = 0.2 m, water comes along (1, -0.5)",
         high.replace("depth = 0.4", "from = [0.0, 0.4]; to = [0.0, 0.48]") + f", {DOWN}")
    says("in water", "its columns are askew to the lattice of particles, so leave it empty",
         high.replace("depth = 0.4", "from = [0.0, 0.2]; to = [0.0, 0.4]") + f", {DOWN}", 2)
    says("along the face", "more than 60 degrees off the normal",
         slanted.replace("DIRECTION", "0.1, 1.0") + f", {DOWN}", 2)
    says("of an outlet", "is that of water that comes, of an inlet", f"{UP}, "
         + DOWN.replace("level", "direction = [1.0, 0.0]; level"), 2)


def test_start():
    short = text_of(f"{UP}, {DOWN}").replace("max = [2.0, 0.4]", "max = [1.9, 0.4]")
    said = Run(scratch, [SLUICE, "check", Case(short).path], (0,)).said
    ok("10 of its columns have water in front of the face and none, or not enough, in the buffer "
       "behind it, 0.2 m deep" in said, "a buffer that is not full is warned of", said)
    bare = "no water is in front of it, whose velocity it would take"
    for start, opening, doubtful in (
            (0.6, UP.replace("velocity = 0.5; depth", "level"), True), (0.6, UP, False),
            (0.0, UP.replace("velocity = 0.5; depth", "level"), False)):
        text = text_of(f"{opening}, {DOWN}")
        text = text.replace('"fluid"; min = [0.0', f'"fluid"; min = [{start}')
        said = Run(scratch, [SLUICE, "check", Case(text).path], (0,)).said
        ok((bare in said) == doubtful, f"water from {start} m on, {opening}", said)


def test_pressure():
    """Nothing sets the pressure of a full duct; where there may be a surface that is a warning."""
    up, down = UP.replace(" depth = 0.4;", ""), '{ name = "out"; kind = "outlet"; face = "x+"; }'
    duct = {"gravity": "[0.0, 0.0]", "rest": "energy = { reference = 1.0; };"}
    lid = ', { shape = "walls"; sides = ["top"]; }, ' \
          '{ shape = "box"; type = "fluid"; min = [0.0, 0.4]; max = [2.0, 0.6]; }'
    nothing = "no opening gives a level or a pressure, and "
    says("a full duct", [nothing + "the water fills the domain without a surface"],
         f"{up}, {down}", 2, more=lid, **duct)
    jet = ['from = [0.0, 0.0]; to = [0.0, 0.4];', 'from = [2.0, 0.0]; to = [2.0, 0.4];']
    says("a layer", [nothing + "water fills all of them", "warning"],
         f"{up.replace('velocity', jet[0] + ' velocity')}, "
         f"{down.replace('; }', '; ' + jet[1] + ' }')}", **duct)
    said = says("a channel", "outlet", f"{up}, {down}")
    ok(nothing not in said, "a channel has a surface", said)


def test_references():
    """A start at rest without gravity has no energy and no speed of sound."""
    still = {"gravity": "[0.0, 0.0]"}
    out = DOWN.replace("level = 0.4", "pressure = 0.0")
    up = UP.replace(" depth = 0.4;", " ramp = 0.1;")
    case = Case(text_of(f"{up}, {out}", **still))
    said = Run(scratch, [SLUICE, "check", case.path], (2,)).said
    ok("energy.reference" in said and "give energy.reference (J)" in said,
       "a start at rest needs energy.reference", said)
    said = Run(scratch, [SLUICE, "check", case.path, "--set", "fluid.sound_speed=0"], (2,)).said
    ok("fluid.sound_speed: 0 takes it from the fluid's depth" in said, "and fluid.sound_speed",
       said)


os.chdir(ROOT)
test_good()
test_places()
test_given()
test_heights()
test_direction()
test_start()
test_pressure()
test_references()
check_ground()
check_conditions()
check_wall_in_front()
finish()

#!/usr/bin/env python3
# test: 6 s
"""Methods of a run that start the program's tools: what they return, and what they refuse."""

import os
import sys

from case_run import SLUICE, Case, finish, np, ok, refused, scratch

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

import sluice  # noqa: E402, I100

TANK = """
title = "a tank"; model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
             { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
             { name = "crate"; shape = "box"; type = "body";
               min = [0.4, 0.4]; max = [0.6, 0.6]; } );
bodies = ( { name = "crate"; density = 500.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "floor"; kind = "point"; at = [0.5, 0.05]; every = 0.01; },
           { name = "crate"; kind = "height"; at = [0.2]; every = 0.01; } );
time = { end = 0.02; };
energy = { tolerance = 0.01; };
output = { every = 0.01; };
"""


def test_names(run):
    ok(np.array_equal(run["floor"]["pressure"], run.probe("floor")["pressure"]), "run[NAME]")
    refused(sluice.NotThere, "did you mean 'floor'? there are probes floor, crate; bodies crate",
            lambda: run["flor"])
    refused(sluice.NotThere, 'use run.probe("crate") or run.body("crate")', lambda: run["crate"])


def test_measure(run):
    line = run.measure(line=((0.2, 0.15), (0.2, 0.35), 5), times=[0.0])
    depth = 0.5 - line["y"]
    ok(line.rows == 5 and np.allclose(line["pressure"], 9810 * depth, rtol=0.05)
       and line.units["pressure"] == "Pa", "a line of water at rest",
       str(line["pressure"]))  # fmt: skip
    ends = [((x, 0.15), (x, 0.35), 5) for x in (0.2, 0.8)]
    several = run.measure(line=ends, times="last")
    alone = [run.measure(line=one, times="last") for one in ends]
    ok(len(several) == 2 and all(np.array_equal(one[name], other[name], equal_nan=True)
                                 for one, other in zip(several, alone) for name in other),
       "a list of lines: the tables of each", str(several))  # fmt: skip
    one = run.measure(line=ends[:1], times="last")
    ok(isinstance(one, list) and one[0].rows == 5, "a list of one line: a list of one table")
    refused(sluice.ConfigError, "both ends and the number of places",
            lambda: run.measure(line=[ends[0], ends[0][:2]]))
    points = run.measure(points=np.array([[0.2, 0.25], [0.8, 0.25]]), times="last")
    ok(list(points["x"]) == [0.2, 0.8], "points of an array")
    image = run.measure(grid=0.05, fields=["Pressure", "Velocity"])[-1]
    ok(image["pressure"].shape == (1, 21, 21) and np.isnan(image["pressure"][0, -1, 0])
       and image.fields == ["pressure", "vx", "vy", "vz", "speed"]
       and np.allclose(image.x, np.linspace(0, 1, 21)) and image.unit("vx") == "m/s",
       "an image", (image, image.fields))  # fmt: skip
    refused(sluice.NotThere, "no field 'presure': did you mean 'pressure'?",
            lambda: image["presure"])
    total = run.measure(total=True, box=((0.0, 0.0), (0.4, 1.0)))
    ok(np.allclose(total["mass"][0], 200, rtol=0.02), "sums over a box", str(total["mass"]))
    refused(sluice.ConfigError, "measure one at a time",
            lambda: run.measure(total=True, grid=0.05))
    refused(sluice.ConfigError, "[n, 2] or [n, 3]", lambda: run.measure(points=[[1, 2, 3, 4]]))


def test_planes(run):
    planes = run.measure(plane=["z=0.05", "x=0.3"], fields="Pressure")
    ok([len(images) for images in planes] == [1, 1]
       and [list(images[-1].count == 1) for images in planes]
       == [[False, False, True], [True, False, False]], "a list of planes: lists of images", planes)
    one = run.measure(plane="z=0.05", fields="Pressure")[-1]
    ok(np.array_equal(one["pressure"], planes[0][-1]["pressure"], equal_nan=True),
       "the image of one")  # fmt: skip
    table, images = run.measure(plane="x=0.3", line=((0.3, 0.2, 0.0), (0.3, 0.2, 0.2), 3))
    ok("pressure" in table and images[-1].count[0] == 1, "a line and a plane: lines first")


def test_pictures(run):
    out = os.path.join(scratch, "pictures")
    paths = run.plot(probe=["floor"], start=0.005, low_pass=None, out=out)
    ok(paths == [os.path.join(out, "probes_floor.png")] and os.path.isfile(paths[0]), "a picture",
       paths)  # fmt: skip
    refused(sluice.ConfigError, "did you mean '--probe'?", lambda: run.plot(prob="floor"))
    refused(sluice.ConfigError, "did you mean 'floor'?", lambda: run.plot(probe="flor"))
    refused(sluice.ConfigError, "2-D", lambda: run.surface(out=out))


os.environ["SLUICE"] = SLUICE
POND = """
model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [0.6, 0.4, 0.4]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.6, 0.4, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 0.01; }; energy = { tolerance = 1.0; }; output = { every = 0.01; };
"""

tank = sluice.Run(Case(TANK).run("tank", expect=(0, 1)).path)
test_names(tank)
test_measure(tank)
test_planes(sluice.Run(Case(POND).run("pond").path))
test_pictures(tank)
finish()

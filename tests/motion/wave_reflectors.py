#!/usr/bin/env python3
# test: 4 s
"""What sends waves back: the wall that `sluice check` finds on their path, when its echo and what
the paddle makes of it come to the gauges; gauges that waves do not come to, which have no theory.
"""

import csv
import math
import os
import re
import subprocess

from case_run import SLUICE, at_most, finish, ok, scratch

FLUME = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [-0.4, 0.0]; max = [5.0, 1.0]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [5.0, 0.4]; },
    { name = "tank"; shape = "walls"; sides = ["right", "bottom"]; },
    %s
    { name = "paddle"; shape = "box"; type = "wall"; min = [-0.2, 0.0]; max = [0.0, 0.8]; } );
motions = ( { name = "maker"; carries = "paddle"; kind = "wave"; wave = "regular"; depth = 0.4;
              height = 0.08; period = 1.2; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "g"; kind = "height"; at = [1.0]; every = 0.01; } %s );
time = { end = 4.0; }; output = { every = 0.0; };
"""
STEP = '{ name = "rubble"; shape = "box"; type = "wall"; min = [2.0, 0.0]; max = [4.0, %g]; },'
CAISSON = '{ name = "caisson"; shape = "box"; type = "wall"; min = [3.0, 0.1]; max = [3.4, 0.6]; },'
SLOPE = """{ name = "beach"; shape = "polygon"; type = "wall"; fit = "surface";
      points = ([2.0, 0.0], [5.0, 0.6], [5.0, -0.1], [2.0, -0.1]); },"""
ARRIVAL = re.compile(r"at '(\w+)', .* echo of (.+) at [xy] = (\S+) m at (\S+) s.*,"
                     r" re-reflected by the paddle from (\S+) s on")  # fmt: skip


def check(name, shapes, probes="", case=FLUME):
    path = os.path.join(scratch, f"{name}.cfg")
    with open(path, "w") as file:
        file.write(case % (shapes, probes))
    said = subprocess.run([SLUICE, "check", path], capture_output=True, text=True)
    return path, said.stdout + said.stderr


def reflects(name, shapes, title, place, within, **more):
    """The reflector's title and place, and the times of its echo at the gauge 1 m on."""
    text = check(name, shapes, **more)[1]
    speed = float(re.search(r"group velocity (\S+) m/s", text)[1])
    found = ARRIVAL.search(text)
    ok(found and found[2] == title, f"{name}: the reflector is {title}", text)
    if found:
        at_most(float(found[3]) - place, within, f"{name}: its place")
        at_most(float(found[4]) - (2 * place - 1) / speed, 0.01 + 2 * within / speed,
                f"{name}: its echo")  # fmt: skip
        at_most(float(found[5]) - (2 * place + 1) / speed, 0.01 + 2 * within / speed,
                f"{name}: what the paddle makes of that")  # fmt: skip


reflects("tank", "", "'tank'", 5.0, 1e-3)
reflects("caisson", STEP % 0.1 + CAISSON, "'caisson'", 3.0, 1e-3)
reflects("flush", STEP % 0.4, "'tank'", 5.0, 1e-3)  # a step up to the surface is run over
reflects("above", STEP % 0.42, "'rubble'", 2.0, 1e-3)
reflects("slope", SLOPE, "'beach'", 4.0, 3e-3)  # its surface is 0.4 m high there
hole = '{ shape = "box"; type = "void"; min = [3.0, 0.2]; max = [3.4, 0.6]; },'
reflects("cut", CAISSON + hole, "'tank'", 5.0, 1e-3)
nameless = CAISSON.replace('name = "caisson"; ', "")
reflects("nameless", nameless, f"box 3 ({scratch}/nameless.cfg:5)", 3.0, 1e-3)
reflects("open", "", "the water's end", 5.0, 1e-3, case=FLUME.replace('"right", ', ""))

# In 3-D a pile is no reflector, and a caisson before most of the paddle is one.
WIDE = FLUME.replace("dimension = 2; spacing = 0.02", "dimension = 3; spacing = 0.05")
WIDE = WIDE.replace("[0.0, -9.81]", "[0.0, 0.0, -9.81]").replace("at = [1.0]", "at = [1.0, 0.5]")
WIDE = WIDE.replace('"right", ', '"right", "front", "back", ')
WIDE = re.sub(r"\[([-0-9.]+), ([-0-9.]+)\]; max = \[([-0-9.]+), ([-0-9.]+)\]",
              r"[\1, 0.0, \2]; max = [\3, 1.0, \4]", WIDE)  # fmt: skip
BOX = '{ name = "%s"; shape = "box"; type = "wall"; min = [3.0, %g, 0.0]; max = [3.4, %g, 0.6]; },'
reflects("pile", BOX % ("pile", 0.4, 0.6), "'tank'", 5.0, 1e-3, case=WIDE)
reflects("wide", BOX % ("caisson", 0.2, 0.9), "'caisson'", 3.0, 1e-3, case=WIDE)

# --- Gauges that waves do not come to ---

GAUGES = "".join(f', {{ name = "{name}"; kind = "height"; at = [{x}]; every = 0.01; }}'
                 for name, x in (("lee", 4.5), ("over", 3.2), ("face", 3.0), ("behind", -0.3),
                                 ("near", 0.02)))  # fmt: skip
path, text = check("gauges", STEP % 0.1 + CAISSON, GAUGES)
for name, words in (("lee", "x = 4.5 is behind 'caisson', which rises above the water at x = 3:"),
                    ("over", "x = 3.2 is in 'caisson', or on its face, and that rises above"),
                    ("face", "x = 3 is in 'caisson', or on its face, and that rises above"),
                    ("behind", "x = -0.3 is behind the face of the paddle of 'maker' at x = 0:"),
                    ("near", "x = 0.02 is within the stroke of the paddle of 'maker'")):
    ok(f"warning: {path}" in text and f"probe '{name}': {words}" in text, f"a warning of {name}",
       text)  # fmt: skip
    ok(f"at '{name}', " not in text, f"and no arrival at {name}")
ok([name for name, *_ in ARRIVAL.findall(text)] == ["g"], "the first gauge has its arrival")
back = check("back", "", GAUGES, FLUME.replace("period = 1.2;",
                                               "period = 1.2; direction = [-1.0, 0.0];"))[1]
ok("no water in the direction of its waves" in back and "probe '" not in back,
   "waves to where no water is have one warning, not one a gauge", back[:2000])  # fmt: skip
out = os.path.join(scratch, "out")
made = subprocess.run([SLUICE, "run", path, "--out", out, "--quiet", "--set", "time.max_steps=4"],
                      capture_output=True, text=True)  # fmt: skip
for name in ("g", "lee", "over", "face", "behind", "near"):
    with open(os.path.join(out, f"probe_{name}.csv")) as file:
        theory = [row["theory"] for row in csv.DictReader(file)]
    empty = [not value or math.isnan(float(value)) for value in theory]
    ok(theory and (not any(empty) if name == "g" else all(empty)), f"theory of {name}", made.stderr)
with open(os.path.join(out, "log.txt")) as file:
    log = file.read()
ok(re.search(r"Z waves of 'maker': from x = 0 m to 'caisson' at x = 3(\.\d+)? m$", log, re.M),
   "the log has the reflector", log[:2000])  # fmt: skip
finish()

#!/usr/bin/env python3
# test: 0.6 s
"""Cases far from 0, with a far corner, or without an end: the same cells, or a message at once."""

import os
import re
import subprocess

from case_run import SLUICE, finish, ok, scratch

# The face x + 2 y = 1.95 goes through centres of cells.
SLOPE = """model = "wcsph"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];
fluid = {{ sound_speed = 50.0; }};
domain = {{ min = [{0}, {0}]; max = [{1}, {1}]; }};
geometry = ( {{ shape = "box"; type = "fluid"; min = [{0}, {0}]; max = [{1}, {2}]; }},
    {{ name = "slope"; shape = "polygon"; type = "wall"; fill = "solid"; move = [{0}, {0}];
      points = ([0.0, 0.0], [1.95, 0.0], [0.0, 0.975]); }} );
time = {{ end = 0.1; }}; output = {{ every = 0.1; }};
"""
NEEDLE = """model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];
domain = { min = [-0.4, -0.3, 0.0]; max = [0.4, 0.3, 0.5]; };
geometry = (
    { shape = "box"; type = "fluid"; min = [-0.4, -0.3, 0.0]; max = [0.4, 0.3, 0.3]; },
    { name = "needle"; shape = "mesh"; type = "body"; file = "needle.obj"; } );
bodies = ( { name = "needle"; density = 600.0; } );
time = { end = 0.1; }; output = { every = 0.1; };
"""
GAS = """model = "gas"; dimension = 2; spacing = 0.01; gas = { gamma = 1.4; };
domain = { min = [0.0, 0.0]; max = [5e8, 0.6]; periodic = [true, true]; };
geometry = ( { shape = "box"; type = "fluid"; density = 0.125; pressure = 0.1; min = [0.0, 0.0];
    max = [1.0, 0.6]; } );
time = { end = 0.1; }; output = { every = 0.1; };
"""


def check(text):
    with open(os.path.join(scratch, "case.cfg"), "w") as file:
        file.write(text)
    said = subprocess.run([os.path.abspath(SLUICE), "check", "case.cfg"], capture_output=True,
                          text=True, cwd=scratch, timeout=60)
    return said.returncode, said.stdout + said.stderr


for off in (0.0, 30000000.7):
    code, text = check(SLOPE.format(off, off + 2, off + 1))
    found = re.search(r"polygon 2 'slope'.*?: wall, (\d+) particles", text)
    ok(found and found[1] == "100", f"an oblique face at {off} m has the same cells", text)

with open(os.path.join(scratch, "needle.obj"), "w") as file:
    for k in range(8):
        x = [(-0.1, 0.1)[k >> a & 1] for a in (2, 1, 0)]
        x[0] = 1e6 if k == 4 else x[0]
        file.write("v %g %g %g\n" % tuple(x))
    for face in ("1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7",
                 "1 7 5", "2 6 8", "2 8 4"):
        file.write(f"f {face}\n")
code, text = check(NEEDLE)
ok(code == 2 and "it is 1e+06 m long along x, far more than the domain" in text,
   "a body with a corner far off is refused at once", text)
code, text = check(GAS)
ok(code == 0, "an endless period is divided at once", text)
finish()

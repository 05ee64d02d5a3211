#!/usr/bin/env python3
# test: 0.8 s
"""Start files that do not fit the case: a table of another spacing, a snapshot with a body that the
case does not have."""

import os
import subprocess

from case_run import SLUICE, finish, ok, scratch

TABLE = """model = "wcsph"; dimension = 2; spacing = 0.01; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 0.6]; };
fluid = { density = 1000.0; sound_speed = 30.0; };
particles = "table.csv"; geometry = ( { shape = "walls"; sides = ["bottom", "left", "right"]; } );
time = { end = 0.1; }; output = { every = 0.1; };
"""
HEAD = """model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
"""
TAIL = "time = { end = 0.01; }; output = { every = 0.01; };\n"
FLOAT = HEAD + """geometry = (
    { name = "w"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.8]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
    { name = "b"; shape = "box"; type = "body"; min = [0.4, 0.3]; max = [0.6, 0.5]; } );
bodies = ( { name = "b"; density = 1000.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
""" + TAIL
AGAIN = HEAD + 'particles = "run/snap_000001.hdf";\n' + TAIL


def sluice(text, *words):
    path = os.path.join(scratch, "case.cfg")
    with open(path, "w") as file:
        file.write(text)
    said = subprocess.run([os.path.abspath(SLUICE), words[0], path, *words[1:]],
                          capture_output=True, text=True, cwd=scratch)
    return said.returncode, said.stdout + said.stderr


def table(distance):
    with open(os.path.join(scratch, "table.csv"), "w") as file:
        file.write("x,y\n")
        file.writelines(f"{distance * (i + 0.5)},{distance * (k + 0.5)}\n"
                        for i in range(25) for k in range(20))
    return sluice(TABLE, "check")


code, text = table(0.02)
ok(code == 0 and "table.csv are 0.02 m or more from the next one, the spacing of the case is 0.01 m"
   in text, "a table of twice the spacing", text)
code, text = table(0.01)
ok(code == 0 and "from the next one" not in text, "a table of the case's spacing", text)

code, text = sluice(FLOAT, "run", "--out", os.path.join(scratch, "run"), "--quiet")
ok(code == 0, "a body floats", text)
code, text = sluice(AGAIN, "check")
ok(code == 2 and "are of the body 'b', which this case does not have" in text,
   "a snapshot with a body that the case does not have", text)
finish()

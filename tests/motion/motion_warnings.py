#!/usr/bin/env python3
# test: 1 s
"""The warnings of `sluice check` about motions that are probably mistakes, and about a table's
filter."""

import os
import re
import subprocess

from case_run import SLUICE, at_most, finish, ok, scratch

TANK = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.4, 0.0]; max = [1.6, 0.2]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
    { name = "pillar"; shape = "box"; type = "wall"; min = [1.6, 0.0]; max = [1.7, 0.6]; },
    { name = "paddle"; shape = "box"; type = "wall"; min = [0.3, 0.0]; max = [0.4, 0.6]; } );
motions = ( { name = "push"; carries = "paddle"; %s } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 4.0; }; output = { every = 0.1; };
"""


def check(name, motion, case=TANK):
    path = os.path.join(scratch, f"{name}.cfg")
    with open(path, "w") as file:
        file.write(case % motion)
    said = subprocess.run([SLUICE, "check", path], capture_output=True, text=True)
    return said.stdout + said.stderr


def runs_into(text):
    """The walls and the time of the first meeting."""
    found = re.search(r"drives .*? '(\w+)' .*?into .*? '(\w+)' .*? at t = ([0-9.e-]+) s", text)
    return (found[1], found[2], float(found[3])) if found else (None, None, 0.0)


# The paddle's face is 1.2 m from the pillar: it is a spacing deep after 1.22 m.
steady = check("steady", 'kind = "linear"; velocity = [0.5, 0.0];')
moving, other, time = runs_into(steady)
ok((moving, other) == ("paddle", "pillar"), "the paddle runs into the pillar", steady)
at_most(time - 1.22 / 0.5, 0.03, "at that time")
ok("jump" not in steady, "a steady motion is meant to begin at its speed", steady)

# Its back face is 0.3 m from the tank's side.
back = check("back", 'kind = "linear"; acceleration = [-0.5, 0.0];')
moving, other, time = runs_into(back)
ok((moving, other) == ("paddle", "tank"), "the paddle runs into the side of the tank", back)
at_most(time - (0.32 / 0.25) ** 0.5, 0.03, "at that time")

sine = check("sine", 'kind = "sine"; amplitude = [0.1, 0.0]; period = 2.0;')
ok("jump of speed: 0 before t = 0, 0.314 m/s at t = 0" in sine and "phase = -1.57" in sine,
   "a sine of phase 0 begins with a jump", sine)
ok("drives" not in sine, "and meets no wall: along a floor it only slides", sine)
ok("to 0.314159 m/s and 0.98696 m/s^2, begins at 0.314159 m/s" in sine,
   "its largest speed and acceleration", sine)

rest = check("rest", 'kind = "sine"; amplitude = [0.1, 0.0]; period = 2.0; phase = -1.5707963;')
ok("motions:" not in rest, "a sine from rest: no warning", rest)

table = os.path.join(scratch, "table.csv")
with open(table, "w") as file:
    file.write("t,x\n0,0\n1,0\n1.1,0.5\n4,0.5\n")
ok("table.csv:4: " in check("table", f'kind = "table"; file = "{table}";'),
   "a spline that overshoots is an error with its row")
monotone = check("monotone", f'kind = "table"; file = "{table}"; interpolation = "monotone";')
ok("to 7.5 m/s and 300 m/s^2" in monotone, "monotone, it runs", monotone)
with open(table, "w") as file:
    file.write("t,x\n" + "".join(f"{0.01 * i},{1e-4 * (-1)**i}\n" for i in range(401)))
noisy = check("noisy", f'kind = "table"; file = "{table}";')
filtered = check("filter", f'kind = "table"; file = "{table}"; filter = 4.0;')
ok("4 Hz, moves rows by at most " in filtered, "a filter says how far it moves rows", filtered)
before, after = (float(re.search(r"to [0-9.e-]+ m/s and ([0-9.e-]+) m/s", text)[1])
                 for text in (noisy, filtered))
ok(after < 0.01 * before, f"and takes the noise's acceleration: {before} to {after} m/s^2")
ok("does not begin at rest" not in filtered, "noise about a place is at rest", filtered)
with open(table, "w") as file:
    file.write("t,x\n" + "".join(f"{0.01 * i},{0.001 * i}\n" for i in range(401)))
moving = check("moving", f'kind = "table"; file = "{table}"; filter = 4.0;')
ok("does not begin at rest" in moving, "a filter moves a table that begins with a speed", moving)
finish()

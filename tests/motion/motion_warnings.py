#!/usr/bin/env python3
# test: 2 s
"""The warnings of `sluice check` about motions that are probably mistakes, about a table's filter,
and about wave makers: the space around them, and the records that they read."""

import math
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


# The paddle's face is 1.2 m from the pillar.
steady = check("steady", 'kind = "linear"; velocity = [0.5, 0.0];')
moving, other, time = runs_into(steady)
ok((moving, other) == ("paddle", "pillar"), "the paddle runs into the pillar", steady)
at_most(time - 1.2 / 0.5, 0.01, "at that time")
ok("jump" not in steady, "a steady motion is meant to begin at its speed", steady)

# Its back face is 0.3 m from the tank's side.
back = check("back", 'kind = "linear"; acceleration = [-0.5, 0.0];')
moving, other, time = runs_into(back)
ok((moving, other) == ("paddle", "tank"), "the paddle runs into the side of the tank", back)
at_most(time - (0.3 / 0.25) ** 0.5, 0.01, "at that time")

# A quarter of a spacing is enough.
grazes = check("grazes", 'kind = "sine"; amplitude = [0.305, 0.0]; period = 2.0;')
moving, other, time = runs_into(grazes)
ok((moving, other) == ("paddle", "tank") and "by 0.005 m at most" in grazes,
   "faces that overlap by a quarter of a spacing", grazes)  # fmt: skip
ok("drives" not in check("misses", 'kind = "sine"; amplitude = [0.295, 0.0]; period = 2.0;'),
   "faces that come near each other do not meet")  # fmt: skip

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

# --- Wave makers ---

# The face is at 0.4, the water from there to 1.6, 0.2 m deep.
WAVE = 'kind = "wave"; depth = 0.2; wave = "%s"; '
good = check("good", WAVE % "regular" + "height = 0.08; period = 1.2;")
ok("motions:" not in good, "waves of 4 spacings in a tank for them: no warning", good)
gap = check("gap", WAVE % "regular" + "height = 0.08; period = 1.2;",
            TANK.replace("min = [0.4, 0.0]; max = [1.6", "min = [0.5, 0.0]; max = [1.6"))
ok("the water begins 0.1 m from the paddle, whose face is at x = 0.4" in gap,
   "water that begins beyond the paddle", gap)
low = check("low", WAVE % "regular" + "height = 0.08; period = 1.2;",
            TANK.replace("max = [0.4, 0.6]", "max = [0.4, 0.22]"))
reach = re.search(r"the paddle ends at y = 0.22, but crests reach \S+ \((\S+) m above", low)
crest = 0.0528  # of the steady wave; linear theory has 0.04
ok(reach and abs(float(reach[1]) - crest) < 2e-4 and
   "domain ends" not in low, "a paddle below the crests", low)
flat = check("flat", WAVE % "irregular" + "height = 0.08; period = 1.2;",
             TANK.replace("2.0, 1.0", "2.0, 0.26"))
ok("the domain ends at y = 0.26, but crests reach 0.3246 (0.1246 m above" in flat,
   "a domain below the highest of a thousand crests, to second order", flat)
STANDS = "before 'pillar' at x = 1.6 waves and their echo stand twice as high as a crest, to 0.305"
for top, warns in ((0.3, True), (0.31, False)):
    stands = check(f"stands {top}", WAVE % "regular" + "height = 0.08; period = 1.2;",
                   TANK.replace("2.0, 1.0", f"2.0, {top}"))
    ok((STANDS in stands) == warns and "but crests" not in stands,
       f"standing waves before a wall, domain to {top}", stands)  # fmt: skip



def surface(t):
    return 0.027 * math.sin(5 * t) + 0.009 * math.sin(9 * t)


record = os.path.join(scratch, "record.csv")
keys = WAVE % "elevation" + f'file = "{record}"; ramp = 1.0; '
with open(record, "w") as file:
    file.write("t,eta\n" + "".join(f"{0.05 * i},{0.3 + surface(0.05 * i)}\n"
                                   for i in range(121)))
whole = check("whole", keys)
ok("ends before" not in whole and "outside of" not in whole,
   "a record beyond the run's end: no warning", whole)
ok("121 rows, 0 to 6 s, Hm0 0.0795" in whole and "its mean, 0.30" in whole and
   "its first row is 0 m from the paddle at t = 0 s" in whole, "what check says of it", whole)
short = check("short", keys, TANK.replace("end = 4.0", "end = 8.0"))
ok("ends before time.end = 8 s: the paddle rests from 6 s on" in short, "a short record", short)
narrow = check("narrow", keys + "band_high = 1.3;")
ok(re.search(r"% of the m0 of .*record.csv is outside of 0.1113 to 1.04\d* Hz", narrow),
   "a band that cuts much of the record", narrow)
early = check("early", keys + "record_at = 1.0;")
start = re.search(r"would begin before the run: start = ([0-9.]+) or later", early)
ok(start, "a record whose waves begin before the run", early)
again = check("again", keys + f"record_at = 1.0; start = {start[1]};")
ok("error" not in again, "runs from the start that the error names", again)
late = check("late", keys + f"record_at = 1.0; start = {4 + 0.5 * float(start[1])};")
ok("no waves" not in late and "the paddle begins at" in late,
   "a record that comes after the end, of a paddle that begins before it: no warning", late)
idle = check("idle", keys + "start = 60.0;")
ok("start: the paddle begins at 60 s, after time.end: no waves" in idle, "a late paddle", idle)
finish()

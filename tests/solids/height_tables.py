#!/usr/bin/env python3
# test: 12 s
"""Tables of heights with places without data, with heights far outside the domain, and with single
heights that jump."""

import os
import re
import subprocess

from case_run import SLUICE, at_most, finish, ok, scratch

CASE = """model = "wcsph"; dimension = DIM; spacing = 0.1; GRAVITY
domain = DOMAIN;
geometry = ( { name = "water"; shape = "box"; type = "fluid"; BOX },
    { name = "bed"; shape = "heightfield"; type = "wall"; file = "bed.csv"; KEYS } );
time = { end = 0.1; }; output = { every = 0.1; };
"""
SPACE = {"DIM": "3", "GRAVITY": "gravity = [0.0, 0.0, -9.81];",
         "DOMAIN": "{ min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.0]; }",
         "BOX": "min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 0.6];"}
PLANE = {"DIM": "2", "GRAVITY": "gravity = [0.0, -9.81];",
         "DOMAIN": "{ min = [0.0, 0.0]; max = [2.0, 1.0]; }",
         "BOX": "min = [0.0, 0.0]; max = [2.0, 0.6];"}


def check(rows, keys="", case=SPACE):
    with open(os.path.join(scratch, "bed.csv"), "w") as file:
        file.write("x,y,z\n" if case is SPACE else "x,y\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)
    text = CASE.replace("KEYS", keys)
    for word, value in case.items():
        text = text.replace(word, value)
    path = os.path.join(scratch, "case.cfg")
    with open(path, "w") as file:
        file.write(text)
    said = subprocess.run([SLUICE, "check", path], capture_output=True, text=True)
    return said.returncode, said.stdout + said.stderr


def grid(wrong=None, height=lambda x, y: 0.2 + 0.05 * x):
    """5 x 3 heights; `wrong` stands at (1, 0.5), on line 9 of the file."""
    rows = [(x, y, height(x, y)) for x in (0, 0.5, 1, 1.5, 2) for y in (0, 0.5, 1)]
    return [(x, y, wrong if wrong is not None and (x, y) == (1, 0.5) else z) for x, y, z in rows]


def refused(rows, phrase, what, **keys):
    code, text = check(rows, **keys)
    ok(code == 2 and phrase in text, what, text)


def mass(text):
    return float(re.search(r"mass of fluid +(\S+) kg", text)[1])


code, sound = check(grid())
ok(code == 0 and "no_data" not in sound and "jumps" not in sound, "sound heights", sound)
for value in ("-9999", "-32768", "1e20", "-3.4028235e38", "1.70141e+38"):
    refused(grid(value), "bed.csv:9: the height", f"{value} among others stands for no data")
    code, text = check(grid(value), keys=f"no_data = {float(value)!r};")
    ok(code == 0 and "1 of 15 heights are no_data" in text, f"no_data = {value}", text)
    at_most(mass(text) - mass(sound), 1e-9, "the height follows from its neighbours")
refused(grid("nan"), "bed.csv:9:", "NaN is no height")
refused(grid(-7.5), "bed.csv:9: the height -7.5 lies at z = -7.5 m", "a height far outside")
refused(grid(7.5), "bed.csv:9: the height 7.5 lies", "and one far above")
refused([(x, y, -9999) for x, y, z in grid()], "all 15 heights are no_data", "no heights at all",
        keys="no_data = -9999.0;")
code, text = check(grid(0.9))
ok(code == 0 and "bed.csv:9: the height 0.9 jumps by 0.625 m against all its neighbours" in text,
   "a single height that jumps", text)
deep = grid(-9999, lambda x, y: -10050 + 50 * x)
code, text = check([(1000 * x, 1000 * y, z) for x, y, z in deep],
                   keys="scale = 0.001; move = [0.0, 0.0, 10.3];")
ok(code == 0, "-9999 among others of -10000 is a height", text)

# Two holes in one another: the inner one gets the mean of those beside it.
code, text = check([(x, y, z if x != 1 else -9999) for x, y, z in grid()],
                   keys="no_data = -9999.0;")
ok(code == 0 and "3 of 15 heights" in text, "a whole column without data", text)
at_most(mass(text) - mass(sound), 1e-9, "is straight between its neighbours")

line = [(0.1 * k, 0.2 + 0.01 * k) for k in range(21)]
code, sound = check(line, case=PLANE)
ok(code == 0 and "jumps" not in sound, "a line of heights", sound)
holes = [(x, -9999 if k in (7, 8, 20) else y) for k, (x, y) in enumerate(line)]
refused(holes, "bed.csv:9: the height -9999", "no data in a line", case=PLANE)
code, text = check(holes, keys="no_data = -9999.0;", case=PLANE)
ok(code == 0 and "3 of 21 heights" in text, "are left out", text)
at_most(mass(text) - mass(sound), 1e-9, "and the ground is straight there")
code, text = check([(x, 0.8 if k == 9 else y) for k, (x, y) in enumerate(line)], case=PLANE)
ok("bed.csv:11: the height 0.8 jumps" in text, "a jump in a line", text)
bump = [(0, 0.1), (0.8, 0.1), (1.0, 0.5), (1.2, 0.1), (2, 0.1)]
code, text = check(bump, case=PLANE)
ok(code == 0 and "jumps" not in text, "a bump of a few corners is meant", text)
finish()

#!/usr/bin/env python3
# test: 22 s
"""Meshes with small flaws: corners that nearly agree, triangles that face the other way, sheets,
and coordinates that are too coarse."""

import os
import re
import struct
import subprocess

from case_run import SLUICE, at_most, finish, np, ok, scratch

CASE = """model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; };
geometry = ( { name = "drop"; shape = "mesh"; file = "FILE"; type = "TYPE"; KEYS },
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.9];
      max = [1.0, 1.0, 1.0]; },
    { name = "tank"; shape = "walls"; sides = ["bottom"]; } );
time = { end = 0.1; }; output = { every = 0.1; };
"""
# Corners of a cube by their bits, its faces anticlockwise from outside.
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
random = np.random.default_rng(7)


def cube(low=0.2, high=0.8, only=range(6)):
    corner = [[(low, high)[k >> a & 1] for a in range(3)] for k in range(8)]
    return np.array([[corner[f[i]] for i in t] for f in (FACES[k] for k in only)
                     for t in ((0, 1, 2), (0, 2, 3))], np.float64)


def write_stl(name, triangles):
    path = os.path.join(scratch, name)
    with open(path, "wb") as file:
        file.write(b"x" * 80 + struct.pack("<I", len(triangles)))
        for t in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *np.ravel(t), 0))
    return path


def check(path, kind="wall", keys="", options=()):
    case = os.path.join(scratch, "case.cfg")
    with open(case, "w") as file:
        file.write(CASE.replace("FILE", path).replace("TYPE", kind).replace("KEYS", keys))
        if kind == "body":
            file.write('bodies = ( { name = "drop"; density = 500.0; } );')
    said = subprocess.run([SLUICE, "check", case, *options], capture_output=True, text=True,
                          timeout=300)
    return said.returncode, said.stdout + said.stderr


def volume(text):
    found = re.search(r"mesh 1 'drop'.*?(\S+) m\^3 asked, (\S+) m\^3 actual", text)
    return tuple(map(float, found.groups())) if found else (0.0, 0.0)


def fills(path, exact, name, **keys):
    code, text = check(path, **keys)
    ok(code == 0, f"{name}: check ends with 0", text)
    for what, value in zip(("asked", "on the lattice"), volume(text)):
        at_most(value / exact - 1, 1e-4, f"{name}: the volume {what}")
    return text


def test_weld():
    exact = cube()
    rough = exact + random.uniform(-1e-6, 1e-6, exact.shape)
    text = fills(write_stl("rough.stl", rough), 0.216, "corners that differ by 1e-6 m")
    ok("28 vertices at open edges lay within 5e-05 m of others" in text, "how many, and how far",
       text)
    ok("hole" not in text and "crosses" not in text, "no holes are left", text)
    text = fills(write_stl("exact.stl", exact), 0.216, "exact corners")
    ok("vertices" not in text, "nothing to join", text)
    gap = np.concatenate([cube(only=range(5)), cube(low=0.2001, high=0.8001, only=[5])])
    text = check(write_stl("gap.stl", gap))[1]
    ok("hole" in text and "joined" not in text, "a gap of two thousandths stays a hole", text)


def test_orient():
    for name, turned in (("half", range(0, 12, 2)), ("one", [5]), ("all but one", range(11))):
        flipped = cube()
        for k in turned:
            flipped[k] = flipped[k, ::-1]
        text = fills(write_stl("flipped.stl", flipped), 0.216, f"{name} of 12 triangles flipped")
        few = min(len(turned), 12 - len(turned))
        ok(f"{few} of 12 triangles faced the other way" in text, "how many are turned", text)
        ok("opposite ways" not in text, "then all agree", text)
    # A cavity whose triangles are mixed up is a cavity still.
    hollow = np.concatenate([cube(), cube(0.4, 0.6)[:, ::-1]])
    hollow[[1, 2, 13, 18, 20]] = hollow[[1, 2, 13, 18, 20], ::-1]
    fills(write_stl("hollow.stl", hollow), 0.216 - 0.008, "a cavity", keys='fill = "solid";')


def slope(n=20, low=0.1, high=0.3):
    """A slope along x over the domain and a little beyond it, seen from above."""
    x = np.linspace(-0.2, 1.2, n + 1)
    made = []
    for i in range(n):
        for k in range(n):
            at = [(x[i + a], x[k + b], low + (high - low) * (x[i + a] + 0.2) / 1.4)
                  for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            made += [[at[0], at[1], at[2]], [at[0], at[2], at[3]]]
    return np.array(made)


def test_sheet():
    sheet = slope()
    path = write_stl("sheet.stl", sheet)
    text = check(path)[1]
    ok("this is a sheet, not a solid" in text and "base = -0.1" in text and "heightfield" in text,
       "a sheet gives a warning, with the line to write", text)
    ok("1 hole" not in text, "and not as a hole", text)
    for name, triangles in (("up", sheet), ("down", sheet[:, ::-1])):
        code, text = check(write_stl("sheet.stl", triangles), keys='base = -0.2; fill = "solid";')
        ok(code == 0 and "warning: geometry: mesh" not in text, f"a sheet that faces {name}", text)
        # All within the domain and its walls, which end 0.15 m outside: beneath 0.1 to 0.3 m.
        at_most(volume(text)[0] / (1.4 * 1.4 * 0.4) - 1, 0.25, "has ground beneath it")
        at_most(volume(text)[1] / volume(text)[0] - 1, 0.01, "as the lattice has")
    hole = np.delete(sheet, [420, 421], axis=0)
    text = check(write_stl("hole.stl", hole), keys='base = -0.2; fill = "solid";')[1]
    ok("2 holes of 8 open edges" in text, "a small hole in a sheet is one in its shadow", text)
    turned = np.stack([sheet[..., 2], sheet[..., 1], -sheet[..., 0]], -1)
    code, text = check(write_stl("turned.stl", turned),
                       keys='base = -0.2; fill = "solid"; rotation_degrees = -90.0; '
                            'rotation_axis = [0.0, 1.0, 0.0];')
    ok(code == 0 and "warning: geometry: mesh" not in text, "a sheet that the config turns", text)
    at_most(volume(text)[1] / volume(text)[0] - 1, 0.01, "has ground beneath it")
    for file, base, phrase in ((path, 0.2, "base = 0.2 m is not below all of the sheet: at (-0."),
                               (write_stl("cube.stl", cube()), 0.0, "this surface is closed")):
        code, text = check(file, keys=f"base = {base:g};" if base else "base = 0.0;")
        ok(code == 2 and phrase in text, phrase, text)


def test_precision():
    far = 4512345.0
    path = write_stl("far.stl", cube() + far)
    text = check(path, keys=f"move = [{-far}, {-far}, {-far}];")[1]
    ok("floats are 0.5 m apart, 10 spacings" in text and "give it as move" in text,
       "floats of a binary STL file", text)
    path = os.path.join(scratch, "far.obj")
    with open(path, "w") as file:
        for x in cube().reshape(-1, 3) + 4512.34:
            file.write("v %.6g %.6g %.6g\n" % tuple(x))
        for k in range(12):
            file.write(f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}\n")
    text = check(path, keys="move = [-4512.34, -4512.34, -4512.34];")[1]
    ok("digits are 0.01 m apart, 0.2 spacings" in text, "texts of six digits", text)
    text = check(write_stl("near.stl", cube()))[1]
    ok("apart" not in text, "near 0 floats are enough", text)


def test_heap():
    """200,000 loose triangles: to ask each of them which side is inside would take an hour."""
    n = 200000
    triangles = random.uniform(0.3, 0.7, (n, 1, 3)) + random.uniform(-0.05, 0.05, (n, 3, 3))
    record = np.zeros(n, np.dtype([("normal", "<f4", 3), ("corner", "<f4", (3, 3)),
                                   ("more", "<u2")]))
    record["corner"] = triangles
    path = os.path.join(scratch, "heap.stl")
    with open(path, "wb") as file:
        file.write(b"x" * 80 + struct.pack("<I", n) + record.tobytes())
    for kind in ("wall", "body"):
        code, text = check(path, kind, options=("--set", "backend.threads=1"))
        ok(code == 2 and "200000 of 200000 parts are flat" in text and "weld the vertices" in text,
           f"a {kind} of loose triangles is refused", text)
        ok("sheet" not in text, "and is no sheet", text)
    torn = cube()
    torn += 0.002 * random.standard_normal(torn.shape)
    code, text = check(write_stl("torn.stl", torn))
    ok(code == 0 and "parts are flat" in text, "a cube of 12 loose triangles is a solid", text)


test_heap()
test_weld()
test_orient()
test_sheet()
test_precision()
finish()

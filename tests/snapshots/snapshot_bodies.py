#!/usr/bin/env python3
# test: 5 s, mpi
"""Bodies that start from a snapshot keep place, rotation, velocity and spin, and move on as in its
run. Where they cannot, a message says why."""

import json
import os
import re
import shutil
import subprocess

import numpy as np
from case_run import SLUICE, Case, differences, finish, ok, restart, scratch
from tap import skip

INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)

# A turned box on the lattice with a spin and a spring; a fitted disc, which rises.
FLAT = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
fluid = { density = 1000.0; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.6]; },
  { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
  { name = "crate"; shape = "box"; type = "body"; min = [0.3, 0.4]; max = [0.5, 0.6];
    rotation_degrees = 20.0; move = [0.2, 0.0]; },
  { name = "buoy"; shape = "disc"; type = "body"; centre = [0.75, 0.5]; radius = 0.1;
    fit = "surface"; } );
bodies = ( { name = "crate"; density = 600.0; velocity = [0.3, 0.0]; spin = 2.0; },
  { name = "buoy"; density = 500.0; } );
moorings = ( { body = "crate"; kind = "spring"; to = [0.2, 0.1]; stiffness = 200.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 0.16; }; output = { every = 0.08; bodies = 1.0e-9; precision = "double"; };
backend = { precision = "double"; }; energy = { every = 1; };
"""
# Two cubes in a deep tank, periodic along x; both turn, one leaves through the end of the period.
DEEP = """model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [1.2, 0.6, 0.9]; periodic = [true, false, false]; };
fluid = { density = 1000.0; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
    max = [1.2, 0.6, 0.4]; },
  { name = "tank"; shape = "walls"; sides = ["front", "back", "bottom"]; },
  { name = "cube"; shape = "box"; type = "body"; min = [0.9, 0.2, 0.5]; max = [1.1, 0.4, 0.7]; },
  { name = "cube"; shape = "box"; type = "body"; min = [0.3, 0.2, 0.6]; max = [0.5, 0.4, 0.8]; } );
bodies = ( { name = "cube"; each = true; density = 600.0; velocity = [3.0, 0.0, 0.0];
    spin = [4.0, 3.0, 5.0]; } );
time = { end = 0.12; }; output = { every = 0.06; bodies = 1.0e-9; };
"""
PARTS = ("x", "y", "z", "angle", "roll", "pitch", "yaw", "velocity_x", "velocity_y", "velocity_z",
         "spin", "spin_x", "spin_y", "spin_z")


def later(text, snapshot, end):
    """The case that goes on from a snapshot: without the start state of the first one."""
    text = re.sub(r"initial = .*\n", "", text)
    text = re.sub(r"end = [0-9.]+", f"end = {end}", text)
    return f'particles = "{snapshot}";\n' + text


def check(text, *wanted, code=2):
    path = os.path.join(scratch, "check.cfg")
    with open(path, "w") as file:
        file.write(text)
    run = subprocess.run([SLUICE, "check", path], capture_output=True, text=True)
    said = run.stdout + run.stderr
    ok(run.returncode == code and all(w in said for w in wanted), f"said: {wanted[0]}", said)


def goes_on(first, second, names, rounding, tolerance):
    """The first row is the snapshot's, and the motion from there on that of the first run.
    tolerance: of the change, relative to the change."""
    step, begun = first[1].step, first[1].time
    for name in names:
        a, b = first.body(name), second.body(name)
        at = int(np.searchsorted(a["step"], step))
        columns = [c for c in PARTS if c in a]
        off = max(abs(a[c][at] - b[c][0]) / (1 + abs(a[c][at])) for c in columns)
        ok(a["step"][at] == step and off <= rounding, f"{name} begins where it was: {off:.2g}")
        end = 0.95 * b["time"][-1]
        for c in columns:
            old = np.interp(begun + end, a["time"], a[c])
            new = np.interp(end, b["time"], b[c])
            change = np.ptp(a[c][at:]) + 1e-4 * (5 if c.startswith(("velocity", "spin")) else 1)
            ok(abs(old - new) <= tolerance * change,
               f"{name}: {c} moves on as before: {(new - old) / change:+.2g} of the change")


def test_flat():
    first = Case(FLAT).run("flat")
    text = later(FLAT, os.path.join(first.path, "snap_000001.hdf"), 0.08)
    second = Case(text).run("flat-2")
    goes_on(first, second, ("crate", "buoy"), 1e-14, 1e-4)
    ok("velocity and spin of 'crate' are not used" in second.log, "keys that do not count")
    energy = second.energy()
    ok(abs(energy["identity"]).max() < 1e-12, f"power: {abs(energy['identity']).max():.2g}")
    start = (first[1], second[0])
    corners = [s.body_surfaces.points for s in start]
    ok(np.abs(corners[0] - corners[1]).max() < 1e-14, "their surfaces are in the same place")
    places = [np.sort(s.x[s.shape == s.groups.index("crate")], axis=0) for s in start]
    ok(places[0].shape == places[1].shape and np.abs(places[0] - places[1]).max() < 1e-6,
       "and their particles")
    if INFO["mpi"] and shutil.which(INFO["mpirun"]):
        named = {"backend__strategy": "window", "output__checkpoint_every_s": 0.0}  # same bits
        one = Case(text).run("flat-one", **named)
        two = Case(text).run("flat-two", ranks=2, **named)
        for name in ("body_crate.csv", "body_buoy.csv"):
            ok(two.bytes_of(name) == one.bytes_of(name), f"{name}: the same on two ranks")
        different = differences(one, two)
        ok(not different, "the same bits of all else, too", str(different))
    else:
        skip("the same on two ranks", "no MPI in this program, or no mpirun")
    third = Case(later(FLAT, os.path.join(second.path, "snap_000000.hdf"), 0.01)).run("flat-3")
    ok(third.body("crate")["angle"][0] == second.body("crate")["angle"][0],
       "from the snapshot of a run that began so")
    more = restart(second.path, time__end=0.1)
    ok(more.body("crate")["time"][-1] > 0.09, "a restart of such a run goes on")
    return first.path


def test_deep():
    first = Case(DEEP).run("deep")
    second = Case(later(DEEP, os.path.join(first.path, "snap_000001.hdf"), 0.06)).run("deep-2")
    goes_on(first, second, ("cube_1", "cube_2"), 1e-14, 5e-3)  # particles are floats


def test_refusals(path):
    snapshot = os.path.join(path, "snap_000001.hdf")
    text = later(FLAT, snapshot, 0.08)
    check(text.replace('"crate"', '"box"'), "are of the body 'crate', which this case does not")
    check(text.replace("[0.75, 0.5]", "[0.75, 0.52]"),
          "the centre of mass of 'buoy' is at (0.75, 0.52, 0)", "it began at (0.75, 0.5, 0)")
    check(text.replace("energy =", 'boundary = { kind = "mdbc"; }; energy =')
          .replace('fit = "surface";', ""), "places its ghost nodes where bodies begin")
    import h5py
    old = os.path.join(scratch, "old.hdf")
    with open(snapshot, "rb") as source, open(old, "wb") as out:
        out.write(source.read())
    with h5py.File(old, "r+") as file:
        del file["Bodies"]
    check(later(FLAT, old, 0.08), "wall particles of the body 'crate', but not its place",
          "sluice restart")


if __name__ == "__main__":
    folder = test_flat()
    test_deep()
    test_refusals(folder)
    finish()

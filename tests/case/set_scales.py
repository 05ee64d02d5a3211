#!/usr/bin/env python3
# test: 0.7 s
"""The scales of sums over the particles (src/case/set_scales.c) have the range for every course of
a case, in any units, and the digits for a fluid at rest."""

import os

from case_run import ROOT, Case, at_most, finish, largest, np, ok, scratch, within

ATOMS = """model = "lj"; units = "lj"; dimension = 3;
domain = { max = [20.0, 20.0, 20.0]; periodic = [true, true, true]; };
pair = { name = "lj"; }; particles = "FILE";
time = { end = 1e9; step = 0.001; max_steps = 50; };
energy = { reference = 1.0; tolerance = 1e6; }; output = { every = 0.0; };
backend = { precision = "double"; };
"""


def atoms(name, rows):
    path = os.path.join(scratch, f"{name}.csv")
    with open(path, "w") as file:
        file.write("id,x,y,z\n" + "".join(f"{i},{x},10,10\n" for i, x in rows))
    return ATOMS.replace("FILE", path)


# A gas that falls for ever, far faster than its temperature.
fall = Case(atoms("fall", ((0, 5), (1, 15)))).run(
    "fall", pair__epsilon=1e-3, gravity=[0.0, 0.0, -1e6], time__step=1e-4,
    time__max_steps=500)
at_most(abs(fall.energy()["momentum_z"][-1] / -1e5 - 1), 1e-12, "a gas in free fall: momentum")

# Two atoms so near that their energy is 1e10 epsilon; and their ids far apart.
near = Case(atoms("near", ((0, 10), (4294967295, 10.15)))).run(
    "near", time__step=1e-9, time__max_steps=20, time__end=1.0)
pair = 4 * (0.15 ** -12 - 0.15 ** -6)
within(near.energy()["pair"][0] / pair, 1 - 1e-12, 1 + 1e-12, "two atoms at 0.15 sigma: energy")

# The centre of a force far outside the domain: a drop that falls.
text = open(os.path.join(ROOT, "configs/drop.cfg")).read()
text = text.replace("centre = [0.0, 0.0]; strength = 1.0",
                    "centre = [0.0, -6.4e6]; strength = 1e-3")
far = Case(text).run("far", time__max_steps=10, energy__tolerance=1.0)
ok(np.all(np.isfinite(far.energy()["total"])),
   "a force from 6,400 km away: the budget is of numbers")

# A still fluid: its powers are almost zero.
still = Case("configs/still_water.cfg", spacing=0.05).run(
    "rest", backend__precision="double", time__max_steps=5)
at_most(largest(still.energy()["identity"]), 1e-12, "still water from its first step on: identity")
finish()

#!/usr/bin/env python3
# test: 0.5 s
"""The masses that `sluice check` prints are those at the start of the run, also where later shapes
cut."""

import json
import os
import subprocess

import h5py
from case_run import SLUICE, Case, at_most, finish, np, ok, scratch

# Water of 1800 kg/m that a pile, a step and a void cut, and oil that the step cuts too.
CUT = """model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = { max = [3.0, 1.5]; };
fluid = { second = { density = 800.0; }; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [3.0, 0.6]; },
    { name = "oil"; shape = "box"; type = "fluid"; phase = 2; min = [0.0, 0.6]; max = [3.0, 0.8]; },
    { name = "step"; shape = "box"; type = "wall"; min = [0.5, 0.0]; max = [0.9, 0.7]; },
    { name = "pile"; shape = "disc"; type = "wall"; centre = [1.5, 0.3]; radius = 0.2; },
    { name = "hole"; shape = "box"; type = "void"; min = [2.5, 0.3]; max = [3.0, 0.8]; },
    { shape = "walls"; sides = ["left", "right", "bottom"]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 1.0; max_steps = 1; }; energy = { tolerance = 1.0; };
output = { every = 0.1; precision = "double"; };
"""


def check(case, name, *words):
    """The output of `sluice check` for a case."""
    path = os.path.join(scratch, f"{name}.cfg")
    with open(path, "w") as file:
        file.write(case)
    return subprocess.run([SLUICE, "check", path, *words], capture_output=True, text=True).stdout


def masses(run, second_from):
    """Sums of the masses in the first snapshot, of the particles below an id and of the others."""
    with h5py.File(os.path.join(run.path, "snap_000000.hdf")) as file:
        data = file["VTKHDF/PointData"]
        fluid = data["ParticleType"][:] == 0
        ids, mass = data["Id"][:][fluid], data["Mass"][:][fluid]
        return mass[ids < second_from].sum(), mass[ids >= second_from].sum(), fluid.sum()


for masses_are in ("lattice", "hydrostatic"):
    key = f'fluid.masses="{masses_are}"'
    said = json.loads(check(CUT, "cut", "--json", "--set", key))
    water, oil = said["shapes"][0], said["shapes"][1]
    run = Case(CUT, fluid__masses=masses_are, backend__precision="double").run(masses_are)
    first, second, count = masses(run, water["particles"])
    ok(water["cut"] > 0 and oil["cut"] > 0, "later shapes cut both")
    ok(count == water["particles"] + oil["particles"], f"{count} particles are left")
    at_most(said["fluid_mass"] / first - 1, 1e-12, f"{masses_are} masses: water, {first:.6g} kg/m")
    at_most(said["second_fluid_mass"] / second - 1, 1e-12, f"{masses_are} masses: oil")

text = check(CUT, "cut")
left = said["shapes"][0]["particles"] * 1000 * 0.05**2
ok("mass 1800 kg/m asked, 1800 kg/m actual (+0.00%)" in text, "as asked and on the lattice", text)
ok(f"{left:.6g} kg/m left, " in text, f"the water after the cuts, {left:.6g} kg/m", text)
ok(f"mass of fluid     {left:.6g} kg/m" in text, "and of the first fluid in all", text)
ok(np.isclose(left, first, rtol=0.01), "nearly the mass of hydrostatic masses")
finish()

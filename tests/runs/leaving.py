#!/usr/bin/env python3
# test: 1 s
"""Drops that fall freely out of an open domain: the booked energy is exact. The last drop ends the
run."""

import os

import h5py
from case_run import Case, at_most, finish, measure, ok, scratch

# Drops too far apart to meet fall, thrown sideways; free fall is exact in the integrator.
FALL = """model = "wcsph"; dimension = 2; spacing = 0.05;
domain = { max = [2.0, 1.0]; };
gravity = [0.0, -9.81]; fluid = { sound_speed = 30.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.5, 0.0]; max = [0.55, 0.05]; },
             { shape = "box"; type = "fluid"; min = [1.5, 0.9]; max = [1.55, 0.95]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [0.3, 0.0]; } );
time = { end = 0.3; }; energy = { tolerance = 1e-3; }; output = { every = 0.3; };
"""

for precision, gate in (("double", 1e-13), ("float", 1e-6)):
    run = Case(FALL, backend__precision=precision).run(precision)
    table = run.energy()
    ok(list(table["particles"][[0, -1]]) == [2, 1], f"{precision}: one of two particles left")
    ok(table["removed"][-1] > 0, f"{precision}: its energy is booked")
    at_most(measure.residual_share(run), gate, f"{precision}: residual")

run = Case(FALL, time__end=5.0).run("all", expect=(5,))
ok("every fluid particle has left" in run.said, "the last one ends the run", run.said)
ok(not os.path.exists(os.path.join(run.path, "blow_up.csv")), "there is nothing left to dump")

# Three that leave in one step: they are listed by id, not in the order of their places.
path = os.path.join(scratch, "three.csv")
with open(path, "w") as file:
    file.write("id,x,y\n9,0.1,0.2\n4,1.9,0.2\n7,1.0,0.2\n2,1.0,0.9\n")
start, end = FALL.index("geometry"), FALL.index("initial")
run = Case(f'{FALL[:start]}particles = "{path}";\n{FALL[end:]}').run("three")
ok("3 particles left the domain (id 4 at 1.9" in run.log, "three leave: id 4 is named", run.log)

# One of two drops leaves, beside particles of a wall, which do not count.
SHELF = FALL.replace("[1.55, 0.95]; } );", """[1.55, 0.95]; },
             { shape = "box"; type = "wall"; min = [0.1, 0.5]; max = [0.3, 0.8]; } );""")
run = Case(SHELF).run("shelf")
ok("1 particle left the domain, 50% of the fluid" in run.log, "half of the fluid left", run.log)

REST = FALL.replace("value = [0.3, 0.0]", "value = [0.0, 0.0]")
run = Case(REST, energy__every=0, gravity=[0.0, 0.0]).run("off")
ok(not os.path.exists(os.path.join(run.path, "energy.csv")), "energy.every = 0: no table")
with h5py.File(os.path.join(run.path, "snap_000000.hdf")) as file:
    budget = [name for name in file["VTKHDF"].attrs if name.startswith("Budget")]
    found = []
    file.visititems(lambda path, item: found.extend(n for n in item.attrs if "Budget" in n))
ok(not budget + found, "and no budget in the snapshots", budget + found)
finish()

#!/usr/bin/env python3
# test: 2 s
"""Fixed steps: as many as fit until the end, and snapshots at their times, although a sum of
rounded numbers would be off. With rare rows of energy.csv the steps and these rows are the same."""

import json
import os

import h5py
from case_run import Case, finish, np, ok, restart

CASE = """model = "lj"; units = "lj"; dimension = 3;
lattice = { kind = "fcc"; cells = [3, 3, 3]; density = 0.8442; };
domain = { periodic = [true, true, true]; };
thermal = { temperature = 1e-3; seed = 1; };
pair = { name = "lj"; cutoff = 2.0; truncation = "force-shift"; };
time = { step = 0.0013; end = 0.13; }; energy = { every = 1; tolerance = 1.0; };
output = { every = 0.013; };
"""
STEP, STEPS, EACH = 0.0013, 100, 10
late = np.cumsum(np.full(STEPS, STEP))[EACH - 1 :: EACH] < np.arange(1, EACH + 1) * 0.013
ok(late[-1] and late.sum() > 1, f"a plain sum is late at {late.sum()} of {EACH} outputs")

whole = Case(CASE).run("whole")
table = whole.energy()
ok(list(table["step"]) == list(range(STEPS + 1)), f"{len(table['step']) - 1} steps, of {STEPS}")
ok(np.all(table["time"] == table["step"] * STEP), "times are whole numbers of steps")
files = json.loads(whole.bytes_of("run.hdf.series"))["files"]
at = [round(file["time"] / STEP, 6) for file in files]
ok(at == list(range(0, STEPS + 1, EACH)), f"snapshots at steps {at}")
half = Case(CASE).run("half", time__max_steps=3 * EACH)
again = restart(half.path, time__max_steps=0)
for file in ("energy.csv", "run.hdf.series"):
    ok(again.bytes_of(file) == whole.bytes_of(file), f"restarted at an output: the same {file}")

# Pairs' energies are summed in steps that have a row, or a snapshot, and no others.
seldom = Case(CASE).run("seldom", energy__every=7)
rows = seldom.energy()
there = [*range(0, STEPS, 7), STEPS]
ok(list(rows["step"]) == there, "a row each 7 steps, and one of the last")
names = list(table)
ok(
    all(np.array_equal(rows[name], table[name][there]) for name in names),
    "its rows are those of the run with all of them",
)
ok(len(set(rows["pair"])) == len(rows["pair"]), "the energy of pairs differs from row to row")


def budget(run, number):
    """The energies in a snapshot."""
    found = {}

    def take(name, item):
        keys = [key for key in item.attrs if key.startswith("Budget.")]
        found.update({key: float(np.ravel(item.attrs[key])[0]) for key in keys})

    with h5py.File(os.path.join(run.path, f"snap_{number:06d}.hdf"), "r") as file:
        file.visititems(take)
    return found


for number in (1, 3, EACH):
    here = budget(whole, number)
    ok("Budget.pair" in here and budget(seldom, number) == here, f"budget in snapshot {number}")
states = seldom.state(), whole.state()
other = [key for key, values in states[0].items() if not np.array_equal(values, states[1][key])]
ok(set(other) <= {"run/MaxResidual", "run/MaxIdentity"},
   f"the same state at the end, but of {other}")
finish()


#!/usr/bin/env python3
"""Fixed steps: as many as fit until the end, snapshots at their times, whatever a sum of rounded
numbers would make of them."""

import json

from case_run import Case, finish, np, ok, restart

CASE = """model = "lj"; units = "lj"; dimension = 3;
lattice = { kind = "fcc"; cells = [3, 3, 3]; density = 0.8442; };
domain = { periodic = [true, true, true]; };
thermal = { temperature = 1e-3; seed = 1; };
pair = { name = "lj"; cutoff = 2.0; truncation = "force-shift"; };
time = { step = 0.0013; end = 0.13; }; energy = { tolerance = 1.0; };
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
finish()

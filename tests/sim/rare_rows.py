#!/usr/bin/env python3
# test: 30 s, emulator, mpi, gpu
"""Energies are summed in steps with a row of energy.csv or an output alone: with rare rows a run
has the same bits, and its rows are those of a run with all of them. A checkpoint on request waits
for a step with energies."""

import glob
import json
import os
import shutil
import signal
import subprocess
import time

import h5py
from case_run import SLUICE, Case, finish, np, ok, restart, scratch
from rank_cases import BODIES, CASES, COMMON

BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True, text=True).stdout)
SLOW = BACKEND == "emulated"
RANKS = 2 if INFO["mpi"] and shutil.which(INFO["mpirun"]) and not SLOW else 1
RARE = 7
# The energy of its own step; an acceleration without a potential works in each step.
DRIVEN = BODIES.replace("gravity = [0.0, -9.81];",
                        "gravity = [0.5, -9.81]; fluid = { sound_speed = 40.0; };")
PULSE = os.path.join(scratch, "pulse.csv")  # it ends between two rows and outputs
with open(PULSE, "w") as pulse:
    pulse.write("t,x\n0,2\n0.00107,2\n0.00108,0\n1,0\n")
KINDS = {
    **{name: CASES[name] for name in (
        "adami", "dynamic", "repulsive", "mdbc", "hull", "two", "sps", "antuono", "renormalised",
        "moving", "flume", "shifting", "bodies", "slips", "meeting", "lj", "blast", "ball",
        "openings", "leaving")},
    "driven": (DRIVEN, {"time__max_steps": 60}),
    "pulse": ("configs/dam_break.cfg", {"time__max_steps": 60, "acceleration": PULSE}),
}  # fmt: skip


def same(one, other, name, of_rows=()):
    """of_rows: arrays of the last checkpoint that depend on the rows written so far."""
    a, b = one.state(), other.state()
    differ = [key for key in a if key not in b or a[key].tobytes() != b[key].tobytes()]
    ok(set(differ) <= set(of_rows) and len(a) == len(b), f"{name}: the same bits", differ)


def check_kind(name):
    text, keys = KINDS[name]
    case = Case(text, **{**COMMON, **keys, "energy__tolerance": 1e3, "backend__name": BACKEND})
    each, rare = case.run(f"{name}-each", energy__every=1), case.run(f"{name}-rare",
                                                                     energy__every=RARE)
    same(each, rare, name, ("run/MaxResidual", "run/MaxIdentity", "run/Effect_openings"))
    all_rows, rows = each.energy(), rare.energy()
    last = int(all_rows["step"][-1])
    there = [*range(0, last, RARE), last]
    ok(list(rows["step"]) == there and len(there) > 3,
       f"{name}: a row each {RARE} steps, and one of the last")
    differ = [key for key in rows if not np.array_equal(rows[key], all_rows[key][there])]
    ok(not differ, f"{name}: with the same numbers", differ)
    if RANKS > 1:
        same(rare, case.run(f"{name}-ranks", energy__every=RARE, ranks=RANKS,
                            backend__share_devices=True), f"{name}, on {RANKS} ranks")
    half = case.run(f"{name}-half", energy__every=RARE, time__max_steps=last // 2 + 1)
    again = restart(half.path, time__max_steps=last)
    same(rare, again, f"{name}, after a restart")
    ok(again.bytes_of("energy.csv") == rare.bytes_of("energy.csv"),
       f"{name}: and the same energy.csv")


def budget(path):
    """The energies in a snapshot or a checkpoint."""
    found = {}

    def take(_, item):
        found.update({key: float(np.ravel(item.attrs[key])[0])
                      for key in item.attrs if key.startswith("Budget.")})

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


def check_request():
    """Stopped by a signal between two rows, a run has the energies of its last step."""
    case = Case("configs/dam_break.cfg", output__every=0.0, backend__name=BACKEND,
                backend__strategy="window", energy__every=10**9)
    folder = os.path.join(scratch, "stopped")
    child = subprocess.Popen(case.command(folder, {}), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    log = os.path.join(folder, "log.txt")
    while child.poll() is None and not os.path.exists(log):
        time.sleep(0.05)
    time.sleep(2)  # some hundred steps
    child.send_signal(signal.SIGTERM)
    child.wait()
    (path,) = glob.glob(os.path.join(folder, "checkpoint_*.hdf"))
    step = int(path[-13:-4])
    row = case.run("whole", time__max_steps=step, energy__every=step).energy()
    found = budget(path)
    ok(step > 1 and row["step"][-1] == step, f"stopped at step {step}")
    for key in ("kinetic", "potential", "elastic", "total", "residual"):
        ok(found[f"Budget.{key}"] == row[key][-1], f"its checkpoint has its {key} energy")


for kind in ("adami", "pulse", "lj") if SLOW else KINDS:
    check_kind(kind)
if not SLOW:
    check_request()
finish()

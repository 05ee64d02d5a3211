#!/usr/bin/env python3
# test: 60 s, mpi
"""The same bits on one rank and on several, with planes between them that are drawn anew at every
sort: each kind of walls, each model, probes, particles that leave, restarts on another number of
ranks. Then faults: a rank that is killed, one that stops, ranks that differ. Needs a build with
MPI=1 and mpirun."""

import json
import os
import shutil
import signal
import subprocess
import sys

from case_run import SLUICE, Case, differences, finish, ok, restart
from rank_cases import CASES, COMMON, all_end, begin, compare

INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)
if not INFO["mpi"] or not shutil.which(INFO["mpirun"]):
    print("1..0 # SKIP no MPI in this program, or no mpirun")
    sys.exit(0)

for number, (name, (config, keys)) in enumerate(CASES.items()):
    case = Case(config, **{**COMMON, **keys})
    one = compare(name, case, ((2, 0), (3, 7 + number)))
    if name == "leaving":
        ok("left the domain" in one.log, "particles do leave")

case = Case("configs/dam_break.cfg", **{**COMMON, "boundary__kind": "dynamic"})
one = case.run("whole", time__max_steps=30)
for ranks in (1, 3):
    parts = case.run(f"parts-{ranks}", ranks=2)
    again = restart(parts.path, ranks=ranks, time__max_steps=30)
    different = differences(one, again)
    ok(not different, f"2 ranks, restarted on {ranks}: the same as one run", str(different))
case = Case(CASES["bodies"][0], **COMMON)
one = case.run("whole-bodies", time__max_steps=120)
parts = case.run("parts-bodies", ranks=3)
again = restart(parts.path, ranks=2, time__max_steps=120)
different = differences(one, again)
ok(not different, "bodies, 3 ranks, restarted on 2: the same as one run", str(different))


def ends(child, limit, text, name):
    try:
        said = child.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        child.kill()
        said = "it goes on\n" + child.communicate()[0]
    ok(child.returncode != 0 and text in said, name, said)


child, folder, ranks = begin("killed", 2)
os.kill(ranks[-1], signal.SIGKILL)
ends(child, 30, "signal 9", "a rank that is killed ends all within 30 s")
all_end(ranks, "none of its ranks goes on")
again = restart(folder, time__max_steps=1, expect=(2,))
ok("the run has passed that" in again.said, "its checkpoint is good", again.said)
child, folder, ranks = begin("stopped", 2, "backend.patience=2.0")
os.kill(ranks[-1], signal.SIGSTOP)
ends(child, 30, "backend.patience", "a rank that makes no progress ends all after backend.patience")
child, folder, ranks = begin("asked", 2)
child.terminate()
child.communicate(timeout=30)
ok(child.returncode == 75, f"SIGTERM stops all, with a checkpoint: {child.returncode}")
finish()

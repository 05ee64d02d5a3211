#!/usr/bin/env python3
# test: 20 s, mpi
"""Snapshots and checkpoints that several ranks write together: every dataset as one rank writes it,
with rows that reach over chunks and over the fluid's end; a restart on more ranks needs less memory
on each; a killed rank leaves whole files; a full disk, and a folder that a rank does not see, are
errors that leave no file. Needs a build with MPI=1 and mpirun."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py

from case_run import SLUICE, Case, finish, ok, restart, scratch
from rank_cases import COMMON, all_end, begin, planes
from tap import skip

INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)
if not INFO["mpi"] or not shutil.which(INFO["mpirun"]):
    print("1..0 # SKIP no MPI in this program, or no mpirun")
    sys.exit(0)

OF_THE_RUN = ("Host", "CreatedUTC", "Ranks")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}
OPEN_MPI = "Open MPI" in subprocess.run([INFO["mpirun"], "--version"], capture_output=True,
                                        text=True).stdout


def contents(path):
    """Every dataset with its chunks, and every attribute, but those of the run."""
    found = {}

    def take(name, item):
        for key, value in item.attrs.items():
            if key not in OF_THE_RUN:
                found[f"{name}@{key}"] = str(value)
        if isinstance(item, h5py.Dataset):
            data = item[()]
            data = data.tobytes() if item.dtype != object else list(data)
            found[name] = (item.dtype.str, item.shape, item.chunks, data)

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


def different(one, other):
    """Names of what is not the same in the files of two runs."""
    names = [[os.path.basename(p) for p in sorted(glob.glob(f"{run.path}/*"))]
             for run in (one, other)]
    if names[0] != names[1]:
        return names
    unequal = []
    for name in (name for name in names[0] if name.endswith(".hdf")):
        a, b = (contents(f"{run.path}/{name}") for run in (one, other))
        unequal += [f"{name} {key}" for key in {**a, **b} if a.get(key) != b.get(key)]
    return unequal


# 84,600 fluid and 156,000 wall particles: a slice has both; then three chunks, but no more rows
DAM = ("configs/dam_break_3d.cfg", {"spacing": 0.02, "output__every": 0.001})
CUBE = ("configs/lennard_jones.cfg", {"lattice__cells": [32, 32, 48], "output__every": 0.01})
for name, (config, keys), compression in (("dam", DAM, 0), ("dam", DAM, 1), ("cube", CUBE, 1)):
    keys = {**COMMON, **keys, "time__max_steps": 4, "output__compression": compression}
    case = Case(config, **keys)
    one = case.run(f"{name}-1", expect=(0, 1))
    for ranks, seed in ((2, 0), (3, 5), (5, 6)):
        planes(seed)
        many = case.run(f"{name}-{ranks}", expect=(0, 1), ranks=ranks)
        unequal = different(one, many)
        ok(not unequal, f"{name}, compression {compression}: the files of {ranks} ranks are those "
           "of one", str(unequal))
    planes(0)

MEASURE = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
sys.stdout.write(f"peak {peak};\\n")"""


def peak(folder, ranks):
    """The most memory, kB, that any rank of a restart needs."""
    words = [INFO["mpirun"], *(["--oversubscribe"] if OPEN_MPI else []), "-n", str(ranks)]
    words += [sys.executable, "-c", MEASURE, SLUICE, "restart", folder, "--threads", "1"]
    done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT)
    found = re.findall(r"peak (\d+);", done.stdout)
    ok(len(found) == ranks, f"a restart on {ranks} ranks", done.stdout + done.stderr)
    return max(map(int, found), default=0)


large = {**COMMON, "lattice__cells": [64, 64, 64], "output__every": 0.0, "time__max_steps": 1}
run = Case(CUBE[0], **large).run("million", threads=2)
needs = [peak(run.path, ranks) for ranks in (2, 3)]
ok(needs[1] < 0.9 * needs[0], f"a restart on 3 ranks needs less memory than on 2: {needs} kB each")

child, folder, ranks = begin("killed", 2, "output.every=1e-4", "time.end=50.0")
deadline = time.monotonic() + 60
while time.monotonic() < deadline and not glob.glob(f"{folder}/snap_*.tmp"):
    pass
os.kill(ranks[-1], signal.SIGKILL)
child.communicate()
all_end(ranks, "a rank that is killed while files are written ends all")
files = sorted(glob.glob(f"{folder}/*.hdf"))
broken = []
for file in files:
    try:
        contents(file)
    except (OSError, RuntimeError) as error:
        broken.append(f"{file}: {error}")
ok(len(files) > 1 and not broken, f"each of {len(files)} files is whole", str(broken))
step = int(max(glob.glob(f"{folder}/checkpoint_*.hdf"))[-13:-4])
restart(folder, ranks=2, time__max_steps=step + 2)
ok(not glob.glob(f"{folder}/*.tmp"), "the restart leaves no temporary file")


def in_namespace(name, mount, ranks):
    """The messages of a run in a mount namespace of its own, and the files in its folder."""
    folder = os.path.join(scratch, name)
    os.makedirs(folder, exist_ok=True)
    run = f"{SLUICE} run configs/dam_break.cfg --out {folder}/run --set time.max_steps=3"
    script = mount.format(folder=folder, run=run) + f"; echo code $?; ls -R {folder}"
    words = ["unshare", "--mount", "sh", "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT)
    return done.stderr, done.stdout


mounts = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", scratch])
if mounts.returncode != 0:
    skip("a full disk, a folder that is not shared", "no file system can be mounted here")
else:
    said, listed = in_namespace("full", "mount -t tmpfs -o size=600k none {folder} && "
                                "{run} --ranks 2 --quiet --set output.compression=0", 2)
    ok("code 3" in listed and "No space left on device" in said, "a full disk is an error", said)
    ok(".tmp" not in listed, "it leaves no temporary file", listed)
    own = "mkdir -p {folder}/run && mount -t tmpfs none {folder}/run"
    said, listed = in_namespace(
        "apart", f"{INFO['mpirun']} -n 1 {{run}} --quiet : "
        f"-n 1 unshare --mount sh -c '{own} && {{run}} --quiet'", 2)
    ok("code 0" not in listed and "all hosts share" in said, "a folder that is not shared", said)
    ok(".tmp" not in listed, "it leaves no temporary file", listed)
finish()

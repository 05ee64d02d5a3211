#!/usr/bin/env python3
# test: 30 s, mpi
"""A program with ids of 64 bits (make IDS=64) gives the bits of the usual one, and ids beyond 2^32
change none: through sorts, messages between ranks, ghost nodes, force probes, snapshots,
checkpoints and restarts. Each program reads the other's checkpoints, if the ids fit. Needs two
programs with MPI, as `make test-mpi` builds them: SLUICE, and with IDS=64 SLUICE_LONG_IDS."""

import json
import os
import shutil
import subprocess
import sys

import case_run
from case_run import SLUICE, Case, finish, h5py, np, ok, restart, scratch, tables
from rank_cases import JET, planes
from tap import ROOT

LONG = os.environ.get("SLUICE_LONG_IDS") or os.path.join(ROOT, "build", "long-ids", "sluice")
INFO = [
    json.loads(subprocess.run([program, "info", "--json"], capture_output=True).stdout)
    for program in (SLUICE, LONG)
    if os.path.exists(program)
]
if len(INFO) < 2 or not all(i["mpi"] and shutil.which(i["mpirun"]) for i in INFO):
    print("1..0 # SKIP no MPI, no mpirun, or no program with IDS=64: make test-mpi builds it")
    sys.exit(0)
RANKS = 3
BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
KEYS = {
    "backend__name": BACKEND,
    "backend__strategy": "window",
    "backend__share_devices": BACKEND != "cpu",
    "output__checkpoint_every_s": 0.0,
    "time__max_steps": 20,
}
if BACKEND == "cpu":
    KEYS["backend__isa"] = INFO[1]["isas"].split()[-1]
TANK = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
fluid = { viscosity = { kind = "artificial"; alpha = 0.02; }; };
domain = { min = [0.0, 0.0]; max = [0.8, 0.6]; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.3, 0.4]; },
             { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "force"; kind = "force"; on = "tank"; every = 0.001; },
           { name = "depth"; kind = "height"; at = [0.1]; every = 0.001; } );
time = { end = 0.5; }; energy = { every = 1; }; output = { every = 0.5; };
"""
OF_IDS = ("run/Groups", "run/FirstBorn")  # the other values of a checkpoint that ids are in


def scattered(n):
    """Ascending ids, whose lower 32 bits descend."""
    return np.arange(n) * (2**33 - 1)


def across(n):
    """Ids that follow one another, half of them beyond 2^32."""
    return 2**32 - n // 2 + np.arange(n)


def use(program):
    case_run.SLUICE = program


def start(case, name):
    """The fluid that the config makes, as a table: phases and places."""
    path = os.path.join(scratch, name + ".hdf")
    use(SLUICE)
    command = case.command(path, {})
    command[1], command[command.index("--out")] = "check", "--write"
    subprocess.run(command, check=True)
    with h5py.File(path, "r") as file:
        points = file["VTKHDF/PointData"]
        fluid = points["ParticleType"][:] == 0
        phase = points["Phase"][:][fluid] if "Phase" in points else np.ones(fluid.sum(), int)
        return phase, file["VTKHDF/Points"][:][fluid]


def write(name, ids, phase, places):
    path = os.path.join(scratch, name)
    with open(path, "w") as file:
        file.write("id,phase,x,y,z\n")
        for i, p, x in zip(ids, phase, places):
            file.write(f"{i},{p},{','.join(repr(float(c)) for c in x)}\n")
    return path


def last_snapshot(run):
    """Every dataset of the last snapshot, with its type."""
    found = {}
    with h5py.File(run[-1].path, "r") as file:
        file.visititems(lambda k, v: found.update({k: v}) if isinstance(v, h5py.Dataset) else None)
        return {k: (v.dtype, v[()].tolist()) for k, v in found.items() if k != "Config"}


def unlike(one, other):
    """The differences, except in ids and their types."""
    a, b = one.state(), other.state()
    keys = [k for k in a.keys() | b.keys() if not k.endswith("/id") and k not in OF_IDS]
    unequal = [k for k in keys if k not in a or k not in b or a[k].tobytes() != b[k].tobytes()]
    return unequal + [f for f in tables(one) if one.bytes_of(f) != other.bytes_of(f)]


def have_ids(one, other, ids_of):
    """Whether each set of the other has the ids_of those of the one."""
    state = other.state()
    same = [np.array_equal(ids_of(v), state[k]) for k, v in one.state().items() if "/id" in k]
    return bool(same) and all(same)


# --- Both programs, the same ids ---
ok(INFO[0]["largest_id"] == 2**32 - 1 and INFO[1]["largest_id"] == 2**53 - 1, "info says it", INFO)
cases = {
    "tank": Case(TANK, **KEYS, boundary__kind="mdbc"),
    "two": Case("configs/two_layers.cfg", **KEYS, spacing=0.0625),
    "atoms": Case("configs/lennard_jones.cfg", **KEYS, lattice__cells=[5, 5, 5]),
    "leaving": Case(JET, **{**KEYS, "time__max_steps": 0}),
}
short = {}
for name, case in cases.items():
    use(SLUICE)
    short[name] = case.run(f"{name}-32")
    use(LONG)
    long = case.run(f"{name}-64")
    different = unlike(short[name], long)
    ok(not different, f"{name}: the same bits with ids of 64 bits", different)
    ok(have_ids(short[name], long, lambda ids: ids), f"{name}: the same ids")
    ok(last_snapshot(short[name]) == last_snapshot(long), f"{name}: the same snapshot")

for name, before, after in (("to-64", SLUICE, LONG), ("to-32", LONG, SLUICE)):
    use(before)
    part = cases["tank"].run(name, time__max_steps=10)
    use(after)
    again = restart(part.path, time__max_steps=20)
    different = unlike(short["tank"], again)
    ok(not different, f"restarted {name} bits: the same as one run", different)

# --- Ids beyond 2^32 ---
for name, ids_of in (("tank", scattered), ("two", across), ("leaving", scattered)):
    phase, places = start(cases[name], name)
    n = len(phase)
    ids = ids_of(n)
    file = write(name + ".csv", ids, phase, places)
    plain = write(name + "-plain.csv", np.arange(n), phase, places)
    use(LONG)
    planes(0)
    want = cases[name].run(f"{name}-plain", particles=plain)
    planes(11)
    runs = [cases[name].run(f"{name}-{ranks}", particles=file, ranks=ranks) for ranks in (1, RANKS)]
    part = cases[name].run(f"{name}-part", particles=file, ranks=RANKS, time__max_steps=10)
    runs.append(restart(part.path, ranks=RANKS - 1, time__max_steps=20))
    if name == "leaving":
        runs[2] = restart(part.path, time__max_steps=0)
        ok("left the domain" in want.log, "particles do leave")
    planes(0)
    map_of = np.concatenate((ids, ids[-1] + 1 + np.arange(10 * n)))  # walls follow the file
    for run, what in zip(runs, ("one rank", f"{RANKS} ranks", "a restart")):
        different = unlike(want, run)
        ok(not different, f"{name}, ids up to {ids[-1]}, {what}: the bits of short ids", different)
        right = have_ids(want, run, lambda short_ids: map_of[short_ids])
        ok(right, f"{name}, {what}: the ids of the file, then those of the walls")
        with h5py.File(run[-1].path, "r") as snapshot:
            stored = snapshot["VTKHDF/PointData/Id"][:]
        ok(stored[0] in ids and stored.max() > 2**32, f"{name}, {what}: and the snapshot's")
    use(SLUICE)
    refused = cases[name].run(f"{name}-refused", particles=file, expect=(2,))
    ok("IDS=64" in refused.said, f"{name}: a program of 32 bits refuses the file", refused.said)

# The file is replaced by one that fits: the checkpoint does not.
write("leaving.csv", np.arange(n), phase, places)
refused = restart(runs[1].path, expect=(3,), time__max_steps=0)
ok("IDS=64" in refused.said, "and the checkpoint", refused.said)
finish()

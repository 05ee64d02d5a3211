#!/usr/bin/env python3
# test: 340 s, emulator, gpu
"""The same bits on one rank and on several on GPUs, with planes between them that stay, and with
planes that are drawn anew at every sort; restarts between two sorts on another number of ranks.
Needs a build with MPI=1, mpirun, and a GPU or the emulator (SLUICE_TEST_BACKEND)."""

import os

from case_run import Case, differences, finish, ok, restart
from rank_cases import CASES, COMMON, compare, gpu_backend, planes

BACKEND = gpu_backend()

GPU = {**COMMON, "backend__name": BACKEND, "backend__share_devices": True}
WANTED = ("adami", "dynamic", "mdbc-3d", "two", "moving", "bodies", "lj", "blast", "ball", "bucket",
          "openings", "leaving")
if BACKEND == "emulated":  # slowly
    WANTED = ("dynamic", "mdbc", "two", "bodies", "ball", "bucket", "leaving", "lj")
    os.environ["SLUICE_EMULATED_DEVICES"] = "3"  # so that ranks map each other's memory
DAM_BREAK = {"spacing": 0.002286} if BACKEND == "emulated" else {}  # 2,918 particles
STRATEGIES = {"two": "x-pencil-reg", "moving": "tiled"}
# The transport of messages, unless they go straight into the other GPU's memory: NCCL if this build
# has it, MPI alone if it reaches the GPUs' memory; otherwise the host's memory.
MESSAGES = {"two": "mpi", "dynamic": "nccl", "adami": "nccl", "leaving": "host"}


def send_by(way):
    """Sets how the GPUs of the next runs send; None: their own choice."""
    os.environ.pop("SLUICE_TEST_MESSAGES", None)
    if way:
        os.environ["SLUICE_TEST_MESSAGES"] = way


for number, name in enumerate(WANTED):
    config, keys = CASES[name]
    keys = {k: v for k, v in keys.items() if k != "backend__precision"}  # float is there always
    if name == "ball" and BACKEND == "emulated":
        keys.update(spacing=0.072, time__max_steps=6)
    if name == "bucket" and BACKEND == "emulated":  # in 2-D: 3-D takes 50 s for 500 particles
        config = "configs/kelvin_helmholtz.cfg"
        keys.update(spacing=1 / 32)
    if name == "bodies" and BACKEND == "emulated":
        keys.update(time__max_steps=20)
    keys = {**(DAM_BREAK if config == "configs/dam_break.cfg" else {}), **keys}
    case = Case(config, **{**GPU, "backend__strategy": STRATEGIES.get(name, "window"), **keys})
    send_by(MESSAGES.get(name))
    # Planes that stay: on the emulator, which is slow, for one case.
    stay = () if BACKEND == "emulated" and name != "dynamic" else ((2, 0),)
    one = compare(name, case, (*stay, (3, 7 + number)))
    send_by(None)
    if name == "leaving":
        ok("left the domain" in one.log, "particles do leave")

case = Case("configs/dam_break.cfg", **GPU, **DAM_BREAK)  # the checkpoint is between two sorts
one = case.run("whole", time__max_steps=30)
for ranks in (3,) if BACKEND == "emulated" else (1, 3):
    parts = case.run(f"parts-{ranks}", ranks=2)
    planes(3)  # a rank may need no fluid at first
    again = restart(parts.path, ranks=ranks, time__max_steps=30)
    planes(0)
    different = differences(one, again)
    ok(not different, f"2 ranks, restarted on {ranks}: the same as one run", str(different))
    ok("GPUs send " in parts.log, "the log says how messages go")
if BACKEND == "emulated":
    ok("straight into each other's memory" in parts.log, "straight, if the devices differ")
send_by("host")
by_host = case.run("by-host", ranks=2, time__max_steps=2)
ok("through host memory: " in by_host.log, "or through the host, and why")
send_by(None)
if BACKEND != "emulated":
    parts = case.run("parts-2", ranks=1)
    again = restart(parts.path, ranks=2, time__max_steps=30)
    ok(not differences(one, again), "1 rank, restarted on 2: the same as one run")

if BACKEND == "emulated":
    os.environ["SLUICE_EMULATED_DEVICES"] = "1"
    case = Case("configs/dam_break.cfg", **{**GPU, "backend__share_devices": False})
    refused = case.run("refused", expect=(2,), ranks=2)
    ok("--share-devices" in refused.said, "two ranks on one GPU are refused", refused.said)
else:  # many particles, and steps until far walls come within reach in the tank's corners
    keys = {"spacing": 0.01, "kernel__h_over_dp": 2.0, "time__max_steps": 200, "output__every": 0.0}
    compare("large", Case("configs/dam_break_3d.cfg", **{**GPU, **keys}), ((2, 0),))
finish()

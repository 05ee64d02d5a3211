#!/usr/bin/env python3
# test: 44 s, emulator, mpi, gpu
"""Particles come and go in every step, or in some: the same bits on any number of ranks and after
any restart; accounts of mass, momentum and energy; ids; and runs that are killed."""

import glob
import json
import os
import random
import shutil
import signal
import subprocess
import time

from case_run import (SLUICE, Case, Run, at_most, differences, finish, np, ok, restart, scratch,
                      within)
from rank_cases import CASES, COMMON, planes, prepare_emulated_ranks
from tap import skip

BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True, text=True).stdout)
MPI = INFO["mpi"] and shutil.which(INFO["mpirun"])
SLOW = BACKEND == "emulated"
# Numbers of ranks, each with the seed of its planes; on cards as many as share work there.
RANKS = () if not MPI else ((3, 11),) if SLOW else ((2, 0), (3 if BACKEND == "cpu" else 4, 11))
if SLOW:
    prepare_emulated_ranks()

# An open tank; a column that falls, for sorts that serve several steps; a box without gravity.
WATER = """{ name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
"""
TANK = f"""model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = {{ max = [1.0, 1.0]; }};
fluid = {{ viscosity = {{ alpha = 0.05; }}; }};
geometry = (
{WATER}    {{ name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; }} );
initial = ( {{ field = "pressure"; kind = "hydrostatic"; }} );
time = {{ end = 10.0; max_steps = 1000; cfl = 0.0625; }};
output = {{ every = 0.01; checkpoint_every_s = 0.0; }};
backend = {{ strategy = "window"; }};
"""
COLUMN = """model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { max = [1.0, 0.3, 0.8]; periodic = [false, true, false]; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
      max = [0.4, 0.3, 0.4]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "z-"]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 10.0; max_steps = 90; };
output = { every = 0.02; checkpoint_every_s = 0.0; };
backend = { strategy = "window"; };
"""
BOX = """model = "wcsph"; dimension = 2; spacing = 0.05;
domain = { max = [1.0, 1.0]; periodic = [true, true]; };
fluid = { sound_speed = 10.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 1.0]; } );
time = { end = 10.0; max_steps = 200; };
energy = { reference = 1.0; tolerance = 1e3; };
output = { every = 0.0; };
backend = { precision = "double"; };
"""


def exchange(words):
    """FRACTION SEED EVERY of the next runs; "": none."""
    os.environ.pop("SLUICE_TEST_EXCHANGE", None)
    if words:
        os.environ["SLUICE_TEST_EXCHANGE"] = words


def same(one, other, name):
    different = differences(one, other)
    ok(not different, name, str(different)[:2000])


def check_bits():
    """Threads, ranks with planes that are drawn anew at each sort, and restarts on other ranks."""
    steps = 20 if SLOW else 1000
    cases = [
        ("tank", TANK, "0.01 7 1", {"time__max_steps": steps}),
        # sorts that serve several steps
        ("column", COLUMN, "0.02 9 3", {"time__max_steps": 40 if SLOW else 90}),
        # in each step 10% more come, 2 m higher, and 0.1% go
        ("rain", TANK, "0.1 6 1 0.001 2.0",
         {"domain__max": [1.0, 3.0], "time__max_steps": 12 if SLOW else 25, "output__every": 0.0}),
        ("tank-double", TANK, "0.01 8 1",
         {"backend__precision": "double", "time__max_steps": steps // 5})]
    for name, text, words, keys in cases[:3] if SLOW else cases:
        exchange(words)
        case = Case(text, backend__name=BACKEND, energy__every=1, energy__tolerance=1.0, **keys)
        one = case.run(f"{name}-1")
        for threads in (2, 4) if BACKEND == "cpu" else ():
            same(one, case.run(f"{name}-t{threads}", threads=threads),
                 f"{name}: the same with {threads} threads")
        for ranks, seed in RANKS:
            planes(seed)
            same(one, case.run(f"{name}-r{ranks}", ranks=ranks, backend__share_devices=True),
                 f"{name}: the same on {ranks} ranks, planes of seed {seed}")
            planes(0)
        last = int(one.energy()["step"][-1])
        half = case.run(f"{name}-half", time__max_steps=last // 2 + 1, ranks=2 if MPI else 1,
                        backend__share_devices=True)
        again = restart(half.path, ranks=3 if MPI else 1, time__max_steps=last)
        same(one, again, f"{name}: the same after a restart{' on 3 ranks' if MPI else ''}")
        table = one.table("population.csv")
        within(float(table["entered"][-1]), 1, 1e9, f"{name}: particles came")
        within(float(table["left"][-1]), 1, 1e9, f"{name}: and went")
        check_mass(name, table)
        ok(("orders of sums" in one.log) == (name == "rain"),
           f"{name}: the log says where sums get another order")


def check_extremes():
    """Into frames that the table does not have; most of the fluid at once, so that lists are too
    short for it; with a strategy that the program chooses."""
    steps = 8 if SLOW else 20
    for name, words, keys in (
            ("far", "0.02 6 2 0.01 30.0", {"domain__max": [1.0, 40.0]}),
            ("most", "0.3 6 2 0.6 0.0", {}),
            ("auto", "0.02 6 1", {"backend__strategy": "auto", "time__max_steps": 3 * steps})):
        if SLOW and name == "auto":
            continue
        exchange(words)
        case = Case(TANK.replace('"left", "right", ', ""), backend__name=BACKEND,
                    energy__every=1, energy__tolerance=1e6, output__every=0.0,
                    **{"time__max_steps": steps, **keys})
        one = case.run(name)
        check_mass(name, one.table("population.csv"))
        half = case.run(f"{name}-half", time__max_steps=steps // 2)
        again = restart(half.path, time__max_steps=int(one.energy()["step"][-1]))
        same(one, again, f"{name}: the same after a restart")


def check_mass(name, table):
    mass = table["mass"] - table["mass"][0]
    flow = table["entered_mass"] - table["left_mass"] - table["removed_mass"]
    at_most(np.abs(mass - flow).max() / table["mass"][0], 1e-12, f"{name}: mass is accounted for")
    entered, gone = table["entered"], table["left"] + table["removed"]
    ok(bool(np.all(table["particles"] == table["particles"][0] + entered - gone)),
       f"{name}: and the number of particles")


def check_momentum():
    """Without walls and gravity only particles that come or go change the momentum."""
    exchange("0.01 3 1")
    table = Case(BOX, backend__name=BACKEND).run("box").table("population.csv")
    run = Case(BOX, backend__name=BACKEND).run("box-again")
    energy = run.energy()
    for axis in "xy":
        flow = table[f"entered_momentum_{axis}"] - table[f"left_momentum_{axis}"]
        size = np.abs(table[f"entered_momentum_{axis}"]).max()
        at_most(np.abs(energy[f"momentum_{axis}"] - flow).max() / size, 1e-12,
                f"box: momentum along {axis} is accounted for")
    at_most(np.abs(energy["identity"]).max(), 1e-12, "box: the power identity")


def check_energy():
    """The accounts are exact: the residual is the error of the step, and falls as its square.
    Particles that come or go make forces that the prediction did not have."""
    still = Case(TANK, backend__precision="double", backend__name=BACKEND, output__every=0.0,
                 energy__every=1)
    exchange("0.004 7 2")
    runs = [still.run(f"energy-{k}", time__cfl=0.25 / 2**k, time__max_steps=2) for k in (0, 1)]
    residual = [abs(float(run.energy()["residual"][-1])) for run in runs]
    within(residual[0] / residual[1], 3.8, 4.2,
           "the first exchange: half the step leaves a quarter of the residual")
    exchange("0.01 7 1")
    run = still.run("energy")
    at_most(np.abs(run.energy()["residual"]).max() / run.reference_energy, 2e-4,
            "ten times the tank's water comes and goes: the residual")


def check_ids():
    exchange("0.01 5 1")
    run = Case(TANK, time__max_steps=300, output__every=2e-4, backend__name=BACKEND).run("ids")
    seen, gone, before = set(), set(), set()
    unique = again = 0
    for snapshot in run:
        ids = snapshot.fluid.id
        now = set(ids.tolist())
        unique += len(now) == len(ids)
        again += len(now & gone)
        gone |= before - now
        before, seen = now, seen | now
    ok(unique == len(run) > 50, f"ids are unique in each of {len(run)} snapshots")
    ok(again == 0 and len(gone) > 1000, f"none of {len(gone)} ids that have gone comes back")
    walls = set(run[0].walls.id.tolist())
    ok(not walls & seen, "and none is a wall particle's")
    refused = Case(TANK, time__max_steps=2**31).run("refused", expect=(0, 2))
    if INFO["largest_id"] < 2**32:
        ok(refused.code == 2 and "IDS=64" in refused.said and "time.max_steps" in refused.said,
           "a run whose ids would not fit is refused", refused.said)
        exchange("0.2 5 1")
        path = os.path.join(scratch, "late.csv")
        with open(path, "w") as file:
            file.write("id,x,y\n")
            file.writelines(f"{2**32 - 2000 + 10 * i + k},{0.01 + 0.02 * i},{0.01 + 0.02 * k}\n"
                            for i in range(10) for k in range(10))
        stopped = Case(TANK.replace(WATER, ""), particles=path, time__max_steps=0,
                       backend__name=BACKEND).run("late", expect=(2,))
        again = restart(stopped.path, expect=(2,))
        ok(os.path.exists(stopped.checkpoint) and "IDS=64" in stopped.said and "IDS=64"
           in again.said, "ids that run out end the run with a checkpoint",
           stopped.said + again.said)
    exchange("0.2 5 1")
    said = Run(scratch, [SLUICE, "check", Case(TANK).path], (0,)).said
    ok("particles come, up to 250 in a step" in said, "check says what growth needs", said)
    exchange("")
    without = Case(TANK, time__max_steps=3).run("without")
    ok(not without.has("population.csv"), "a run without births has no such table")


def check_meetings():
    """With each kind of walls, fitted and moving ones, bodies, two fluids and each effect."""
    exchange("0.01 4 2")
    for name in ("adami", "dynamic", "repulsive", "mdbc", "hull", "two", "moving", "meeting",
                 "bodies", "sps", "shifting", "antuono", "renormalised"):
        text, keys = CASES[name]
        case = Case(text, **{**COMMON, **keys, "time__max_steps": 20, "energy__tolerance": 1e3,
                             "backend__name": BACKEND})
        one = case.run(f"meet-{name}")
        if MPI:
            planes(13)
            same(one, case.run(f"meet-{name}-r", ranks=3, backend__share_devices=True),
                 f"{name}: the same on 3 ranks")
            planes(0)
        half = case.run(f"meet-{name}-half", time__max_steps=9)
        same(one, restart(half.path, time__max_steps=20), f"{name}: the same after a restart")
        check_mass(name, one.table("population.csv"))
        at_most(np.abs(one.energy()["identity"]).max(), 1e-5, f"{name}: the power identity")


def check_kills(kills):
    """Killed at random moments, a run goes on as if it had not been."""
    exchange("0.01 7 1")
    keys = {"time__max_steps": 400, "output__checkpoint_every_s": 0.02, "backend__name": BACKEND}
    case = Case(TANK, **keys)
    one = case.run("whole")
    draw = random.Random(1)
    folder = os.path.join(scratch, "killed")
    command, made = case.command(folder, {}), 0
    while made < kills:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(0.05, 0.6))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            made += 1
        child.wait()
        begun = bool(glob.glob(os.path.join(folder, "checkpoint_*.hdf")))
        if child.returncode == 0 or not begun:
            if child.returncode == 0:
                same(one, restart(folder), f"a run killed {made} times so far: the same bits")
            shutil.rmtree(folder, ignore_errors=True)
            command = case.command(folder, {})
        else:
            command = [SLUICE, "restart", folder, "--quiet"]
    last = restart(folder) if command[1] == "restart" else case.run("killed")
    same(one, last, f"killed {made} times: the same bits")


if not MPI:
    skip("several ranks", "a build without MPI")
check_bits()
check_extremes()
check_momentum()
if not SLOW:
    check_meetings()
    check_energy()
    check_ids()
    check_kills(int(os.environ.get("SLUICE_TEST_KILLS") or 6))
finish()

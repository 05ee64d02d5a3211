#!/usr/bin/env python3
# test: 40 s, emulator, mpi
"""Openings beside walls, fitted and moving ones, a body, probes and a seam; water that
fills a tank, turns, and drains: budgets of energy and mass, and the same bits on any number of
threads and ranks, after any restart, and on the emulated GPU those of the CPU to rounding."""

import json
import os
import shutil
import subprocess

from case_run import (SLUICE, Case, at_most, differences, finish, largest, np, ok, restart,
                      together, within)
from opening_cases import DEPTH, DP, LENGTH, OPENING_CASES, SLANTED, SPEED
from rank_cases import planes, prepare_emulated_ranks

BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True, text=True).stdout)
MPI = INFO["mpi"] and shutil.which(INFO["mpirun"])
ROWS = 5  # of a buffer
# Residuals over the reference energy: three times what was measured.
RESIDUAL = {"adami": 5e-7, "mdbc": 5e-7, "absorbing": 5e-8, "cylinder": 1e-5, "gate": 2e-5,
            "raft": 4e-6, "probes": 5e-7, "across": 3e-6, "lattice": 3e-7, "heights": 5e-6,
            "slanted": 2e-5, "fills": 5e-4, "turns": 3e-6, "drains": 2e-4, "empties": 2e-4}

RANKS = ("mdbc", "cylinder", "gate", "raft", "fills", "turns", "lattice", "heights", "slanted")


def case_of(name, **keys):
    text, own = OPENING_CASES[name]
    return Case(text, backend__name=BACKEND, **{**own, **keys})


def check_budget(name, run):
    """The work of the openings is far above the gate of the residual, so that it is seen."""
    energy, people = run.energy(), run.table("population.csv")
    gate = RESIDUAL[name] * run.reference_energy
    at_most(largest(energy["residual"]) / run.reference_energy, RESIDUAL[name],
            f"{name}: residual over the reference energy")
    within(largest(energy["work_open"]) / gate, 20, 1e9, f"{name}: work of openings over this gate")
    at_most(largest(energy["identity"]), 1e-12, f"{name}: power identity")
    mass = people["mass"] - people["mass"][0]
    flow = people["entered_mass"] - people["left_mass"] - people["removed_mass"]
    at_most(np.abs(mass - flow).max() / people["mass"].max(), 1e-12, f"{name}: balance of mass")
    at_most(people["removed"][-1], 0, f"{name}: no particle leaves but through openings")


def check_streams(runs):
    for name in ("adami", "mdbc", "absorbing", "across", "probes"):
        for opening, sign in (("up", 1), ("down", -1)):
            velocity = runs[name].opening(opening)["velocity"]
            at_most(largest(sign * velocity / SPEED - 1), 0.03, f"{name}: {opening}, velocity")
    flux = runs["probes"].probe("passes")
    at_most(largest(flux["flux"] / (SPEED * DEPTH) - 1), 0.15, "the flux between openings")
    at_most(largest(runs["probes"].probe("depth")["depth"] / DEPTH - 1), 0.03, "the depth there")


def check_heights(run):
    """A velocity over the depth, which rises with time, from the file of the inlet."""
    fluid = run[-1].fluid
    inside = fluid.x[:, 0] < (ROWS - 0.5) * DP
    theory = (0.4 + 0.5 * fluid.x[inside, 1]) * (1 + run[-1].time)
    at_most(largest(fluid.velocity[inside, 0] / theory - 1), 0.01, "heights: velocities behind it")


def check_slanted(run):
    """It falls into a pool; in the buffer it goes straight on, and comes by its discharge."""
    fluid = run[-1].fluid
    inside = (fluid.x[:, 0] < (ROWS - 0.5) * DP) & (fluid.x[:, 1] > 0.3)
    at_most(largest(fluid.velocity[inside, :2] - SLANTED), 1e-12, "slanted: velocity in the buffer")
    came = run.opening("up")["particles_in"][-1]
    at_most(came - (ROWS * 3 + 0.5 * 3 * SLANTED[0] / DP), 3, "slanted: particles")
    row = np.sort(fluid.x[inside, 0])
    at_most(largest(np.diff(row.reshape(-1, 3).mean(axis=1)) / DP - 1), 1e-6, "slanted: rows")


def check_raft(run):
    """A body drifts out with the stream, through the buffer and the end of the domain."""
    ok("the centre of body 1 'raft'" in run.log and "has left the domain" in run.log,
       "raft: the log says that it has left", run.log)
    body = run.body("raft")
    within(body["x"][-1], LENGTH + 0.3, LENGTH + 0.6, "raft: it is outside")
    away = body["x"] > LENGTH + 0.3
    ok(away.any(), "raft: beyond the reach of the water")
    at_most(np.ptp(body["velocity_x"][away]), 1e-12, "raft: it falls freely there")


def check_fills(run):
    """By the discharge, from a buffer that is empty; a row of 0.2 m has five particles."""
    came, columns = run.opening("up")["particles_in"][-1], 5
    at_most(came - (ROWS * columns + 0.1 * 2.0 / DP**2), columns, "fills: particles over 150")


def check_turns(run):
    table, columns = run.opening("up"), 10
    within(table["particles_in"][-1], 30, 45, "turns: particles came")
    at_most(table["particles_in"][-1] - table["particles_out"][-1], columns,
            "turns: and all but a row went")
    at_most(table["discharge"][-1], 0.01, "turns: it stands still in the end")


def check_drains(run):
    table = run.opening("down")
    at_most(table["level"][-1] - 0.08, DP / 2, "drains: down to the level that is given")
    at_most(table["particles_in"][-1], 0, "drains: nothing came")


def check_empties():
    """The last rows go too, and then the run ends with a message."""
    run = case_of("empties", time__end=3.0).run("to-the-end", expect=(5,))
    ok("every fluid particle has left the domain or was taken out; set time.end" in run.said,
       "empties: to the last particle", run.said)
    at_most(run.table("population.csv")["particles"][-1], 3, "empties: all went")


def same(one, other, what):
    different = differences(one, other)
    ok(not different, f"{what}: the same bits", str(different))


def check_bits(name, precision, steps):
    """A job of its own: returns the runs and what they are, for the checks."""
    case = case_of(name, backend__precision=precision, time__max_steps=steps)
    label = f"{name}, {precision}"
    one = case.run(f"bits-{name}-{precision}")
    half = case.run(f"half-{name}-{precision}", time__max_steps=steps // 2 + 3)
    pairs = [(one, restart(half.path, time__max_steps=steps), f"{label}, after a restart")]
    if BACKEND == "cpu":
        pairs += [(one, case.run(f"two-{name}-{precision}", threads=2), f"{label}, on two threads")]
    return pairs


def check_ranks(number, name, steps):
    """Planes between ranks are drawn anew at every sort, so they cut buffers and columns."""
    case = case_of(name, backend__precision=("float", "double")[number % 2], time__max_steps=steps,
                   backend__share_devices=True)
    one = case.run(f"one-{name}")
    for ranks in (2, 3):
        planes(5 * number + ranks)
        same(one, case.run(f"ranks-{name}", ranks=ranks), f"{name}, on {ranks} ranks")
    half = case.run(f"half-{name}", time__max_steps=steps // 2 + 3, ranks=2)
    same(one, restart(half.path, ranks=3, time__max_steps=steps), f"{name}, from 2 ranks on 3")
    planes(0)


def check_device(name, steps):
    """The emulated GPU against the CPU: the columns of the budget, to rounding."""
    case = case_of(name, time__max_steps=steps)
    gpu, cpu = case.run(f"gpu-{name}"), case.run(f"cpu-{name}", backend__name="cpu")
    for column in ("kinetic", "elastic", "work_open", "entered", "left", "residual"):
        a, b = gpu.energy()[column], cpu.energy()[column]
        at_most(largest(a - b) / cpu.reference_energy, 1e-11, f"{name}: {column} as on the CPU")
    for opening in gpu.opening_names:
        a, b = gpu.opening(opening), cpu.opening(opening)
        ok(np.array_equal(a["particles_in"] - a["particles_out"],
                          b["particles_in"] - b["particles_out"]), f"{name}: births at {opening}")
        at_most(largest(a["discharge"] - b["discharge"]), 1e-10, f"{name}: discharge at {opening}")


if BACKEND == "cpu":
    names = list(OPENING_CASES)
    runs = dict(zip(names, together(*[
        lambda name=name: case_of(name).run(name) for name in names])))
    for name, run in runs.items():
        check_budget(name, run)
    check_streams(runs)
    check_heights(runs["heights"])
    check_slanted(runs["slanted"])
    check_raft(runs["raft"])
    check_fills(runs["fills"])
    check_turns(runs["turns"])
    check_drains(runs["drains"])
    check_empties()
    for pairs in together(*[lambda n=name, p=precision: check_bits(n, p, 400)
                            for name in names for precision in ("float", "double")]):
        for one, other, what in pairs:
            same(one, other, what)
    if MPI:
        for number, name in enumerate(RANKS):
            check_ranks(number, name, 200)
else:
    prepare_emulated_ranks()
    for name, steps in (("adami", 120), ("across", 20), ("slanted", 60), ("heights", 60)):
        check_device(name, steps)
    for one, other, what in check_bits("adami", "float", 120):
        same(one, other, what)
finish()

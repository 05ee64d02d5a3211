#!/usr/bin/env python3
# test: 2 s
"""The speed that a run reports: particles a second with and without walls, and pairs a second. The
pairs that it counts at the start and at the end are those of the snapshots, counted by hand."""

import json
import os
import subprocess

from case_run import SLUICE, finish, np, ok, scratch

from sluice import Snapshot  # noqa: E402, I100

# A cutoff of 2.6 spacings: no two sites of a lattice are that far apart.
CASE = """
title = "rates"; model = "wcsph"; dimension = 2; spacing = 0.01; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [0.4, 0.3]; };
kernel = { h_over_dp = 1.3; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.1, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-"]; } );
time = { end = 0.05; };
output = { every = 0.05; precision = "double"; };
backend = { threads = 1; precision = "double"; };
"""
CUTOFF = 0.026


def sluice(*words):
    said = subprocess.run([SLUICE, *words, "--json"], cwd=scratch, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return json.loads(said.stdout)


def pairs_of(folder, snapshot):
    """Ordered pairs: fluid from fluid and walls, and walls from fluid."""
    snap = Snapshot(os.path.join(scratch, folder, snapshot), 0.0)
    fluid, wall = snap.x[snap.type == 0], snap.x[snap.type == 1]

    def near(a, b):
        return np.sum(np.linalg.norm(a[:, None] - b[None], axis=2) < CUTOFF)

    return near(fluid, fluid) - len(fluid) + 2 * near(fluid, wall)


def test_counts(kind):
    boundary = f'boundary.kind="{kind}"'
    end = sluice("run", "case.cfg", "--out", kind, "--set", boundary)
    rates, steps = end["rates"], end["steps"]
    check = sluice("check", "case.cfg", "--set", boundary)
    fluid, walls = check["fluid_particles"], check["wall_particles"]
    for when, snapshot in (("start", "snap_000000.hdf"), ("end", "snap_000001.hdf")):
        counted, want = rates[f"pairs_at_{when}"], pairs_of(kind, snapshot)
        ok(counted == want > 1000, f"{kind}: {counted} pairs at the {when}, by hand {want}")
    mean = (rates["pairs_at_start"] + rates["pairs_at_end"]) / 2
    for key, of_a_step in (("fluid_particles", fluid), ("particles", fluid + walls),
                           ("pairs", mean)):
        made = rates[f"{key}_per_second"] * rates["seconds"]
        ok(abs(made / (of_a_step * steps) - 1) < 1e-9, f"{kind}: {key} a second of the steps")
    return end


def test_restart(whole):
    sluice("run", "case.cfg", "--out", "half", "--set", "time.max_steps=20")
    end = sluice("restart", "half", "--set", "time.max_steps=0")
    rates = end["rates"]
    ok(rates["pairs_at_start"] == whole["rates"]["pairs_at_start"], "a restart knows the start's")
    ok(rates["pairs_at_end"] == whole["rates"]["pairs_at_end"], "and ends with the same count")
    ok(0 < rates["seconds"] < end["wall_seconds"], "the steps take a part of all seconds")
    nothing = sluice("restart", "half")["rates"]
    ok(nothing["pairs_per_second"] == 0, "a run without steps has no rates", nothing)


with open(os.path.join(scratch, "case.cfg"), "w") as file:
    file.write(CASE)
test_restart(test_counts("adami"))
test_counts("dynamic")
finish()

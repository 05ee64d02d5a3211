#!/usr/bin/env python3
# test: 100 s, emulator, gpu
"""The largest cube on two devices, by the estimate. On the emulator also the memory that a run ever
takes, beside the estimate before it; and sets that grow where memory does not hold two at a time.
Needs a build with MPI=1, mpirun, and a GPU or the emulator (SLUICE_TEST_BACKEND)."""

import json
import os
import re
import subprocess

from case_run import SLUICE, Case, at_most, differences, finish, ok, within
from rank_cases import CASES, COMMON, gpu_backend, planes

BACKEND = gpu_backend()
os.environ["SLUICE_EMULATED_DEVICES"] = "2"  # so that ranks map each other's memory

# Water that moves along a periodic bar. Few particles and neighbours, since the emulator is slow.
LENGTH, WIDTH = 96, 16
BAR = f"""model = "wcsph"; dimension = 3; spacing = 0.01;
domain = {{ min = [0.0, 0.0, 0.0]; max = [{LENGTH / 100}, {WIDTH / 100}, {WIDTH / 100}];
    periodic = [true, true, true]; }};
kernel = {{ name = "wendland-c2"; h_over_dp = 1.0; }};
fluid = {{ sound_speed = 20.0; }};
geometry = ( {{ shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
    max = [{LENGTH / 100}, {WIDTH / 100}, {WIDTH / 100}]; }} );
initial = ( {{ field = "velocity"; kind = "uniform"; value = [1.0, 0.5, 0.25]; }} );
time = {{ end = 1.0; max_steps = 1; }}; output = {{ every = 0.0; keep = 0; }};
"""
# Alone, a particle of a large cube takes 134 bytes (docs/scaling.md), of two ranks at most 145.
MORE, LARGEST = 11, 1_900_000_000
CUBE = Case(
    BAR.replace(f"{LENGTH / 100}", f"{WIDTH / 100}").replace("h_over_dp = 1.0", "h_over_dp = 1.5")
)
TAKEN = re.compile(r"device memory: at most ([\d.]+) MB taken at a time \(rank \d+\), predicted "
                   r"([\d.]+) MB; ([\d.]+) B a particle in all")


def memory_of(run):
    """Largest MB of a run, MB predicted, bytes a particle."""
    return [float(number) for number in TAKEN.search(run.log).groups()]


def test_estimate():
    """The estimate is not less than the memory of the run, and hardly more. Only on the emulator: a
    run counts what is taken on its whole device (cudaMemGetInfo), so on a card other ranks and
    programs that use it are counted too."""
    keys = {"backend__name": BACKEND, "backend__strategy": "window"}
    for ways, ranks in (("", 1), ("", 2), ("host", 2)):
        os.environ.pop("SLUICE_TEST_MESSAGES", None)
        if ways:
            os.environ["SLUICE_TEST_MESSAGES"] = ways
        run = Case(BAR, **keys).run(f"bar-{ranks}-{ways}", ranks=ranks)
        most, predicted, each = memory_of(run)
        name = f"{ranks} ranks {ways}: {each} B a particle, foreseen over taken"
        within(predicted / most, 1.0, 1.01, name)
    os.environ.pop("SLUICE_TEST_MESSAGES", None)


def test_largest():
    """The largest cube on two devices that write into each other's memory."""
    words = [SLUICE, "check", "--json", "--ranks", "1,2", "-n", str(LARGEST)]
    words += ["--backend", BACKEND, CUBE.path]
    said = subprocess.run(words, capture_output=True, text=True)
    plans = json.loads(said.stdout)["plans"]
    one, two = [plan["device_memory_bytes"] / plan["own_particles"]["most"] for plan in plans]
    at_most(two - one, MORE, f"bytes a particle of a rank of two more than the {one:.1f} alone")


def test_growth():
    """Sets that grow where the device's memory does not hold the old and the new one: the same
    bits."""
    config, keys = CASES["lj"]
    case = Case(config, **{**COMMON, **keys, "backend__name": BACKEND})
    os.environ["SLUICE_TEST_MESSAGES"] = "host"
    planes(0)
    one = case.run("lj-1")
    planes(1)
    with_room = case.run("lj-room", ranks=2)
    # The arrays of a set, at the start and later; no other is as large.
    os.environ["SLUICE_EMULATED_SINGLE"] = "200000"
    without = case.run("lj-2", ranks=2)
    planes(0)
    del os.environ["SLUICE_EMULATED_SINGLE"], os.environ["SLUICE_TEST_MESSAGES"]
    ok(not differences(one, without), "the same bits", str(differences(one, without)))
    most, least = memory_of(with_room)[0], memory_of(without)[0]
    ok(least < 0.9 * most, f"at most {least} MB, and {most} MB where both fit")


test_largest()
if BACKEND == "emulated":
    test_estimate()
    test_growth()
finish()

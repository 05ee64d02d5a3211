#!/usr/bin/env python3
# test: 90 s, emulator, gpu
"""A GPU leaves out blocks of walls that no water is near. Water that slides over a floor leaves
them behind: they lose the pressure that they had, as in a run that starts anew on the way and so
computes all walls again."""

import json
import os
import subprocess

import h5py
from case_run import SLUICE, Case, finish, np, ok, restart

TEXT = """
model = "wcsph"; dimension = 3; spacing = %g; gravity = [0.0, 0.0, 0.0];
domain = { min = [0.0, 0.0, 0.0]; max = [6.0, 1.0, 1.0]; };
fluid = { density = 1000.0; sound_speed = 40.0; };
kernel = { name = "wendland-c2"; h_over_dp = 1.3; };
boundary = { kind = "adami"; slip = "free"; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid";
      min = [0.5, 0.2, 0.0]; max = [1.5, 0.8, 0.5]; },
    { name = "tank"; shape = "walls"; sides = ["bottom", "left"]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [6.0, 0.0, 0.0]; },
            { field = "pressure"; kind = "uniform"; value = 2000.0; } );
time = { end = 0.5; };
output = { every = 0.25; };
energy = { every = 50; reference = 1000.0; tolerance = 1.0; };
"""
INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True, text=True).stdout)
GPUS = [b["name"] for b in INFO["backends"] if b["name"] != "cpu" and b.get("devices")]


def pressures(run, number):
    with h5py.File(os.path.join(run.path, f"snap_{number:06d}.hdf"), "r") as file:
        data = file["VTKHDF/PointData"]
        walls = data["ParticleType"][()] == 1
        return data["Pressure"][()][walls], data["Id"][()][walls]


if not GPUS:
    print("1..0 # SKIP no GPU, or no backend for one in this program")
    raise SystemExit
for backend in GPUS:
    case = Case(TEXT % (0.1 if backend == "emulated" else 0.025), backend__name=backend,
                backend__strategy="window")
    whole = case.run(f"{backend}-whole")
    early = case.run(f"{backend}-anew", time__end=0.25)
    anew = restart(early.path, time__end=0.5)
    for number in range(3):
        a, b = pressures(whole, number), pressures(anew, number)
        pressed = int(np.count_nonzero(a[0]))
        ok(np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1]) and pressed > 10,
           f"{backend}: pressures of walls in snapshot {number}, {pressed} of {len(a[0])} not 0")
finish()

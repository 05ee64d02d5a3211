#!/usr/bin/env python3
# test: 1 s
"""The measurements of the validation, on runs made here whose answers are known."""

import json
import os
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

import sluice  # noqa: E402, I100
from plot import checks, measure, reference  # noqa: E402


def write_run(folder, snapshots):
    """A 2-D run of snapshots (time, x, pressure)."""
    os.makedirs(folder)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write("dimension = 2;\n")
    files = []
    for number, (time, x, pressure) in enumerate(snapshots):
        name = f"snap_{number:06d}.hdf"
        with h5py.File(os.path.join(folder, name), "w") as file:
            file["VTKHDF/Points"] = np.column_stack([x, np.zeros(len(x))])
            file["VTKHDF/PointData/Pressure"] = pressure
            file["VTKHDF/PointData/ParticleType"] = np.zeros(len(x), "u1")
        files.append({"name": name, "time": float(time)})
    with open(os.path.join(folder, "run.hdf.series"), "w") as file:
        json.dump({"files": files}, file)
    return sluice.Run(folder)


def test_floor(scratch):
    depth, gravity, rho0 = 1.0, 9.81, 1000.0
    c0 = 10 * np.sqrt(2 * gravity * depth)
    exact = measure.tait_floor_pressure(rho0, c0, 7.0, gravity, depth)
    ok(abs(exact - 9834.32) < 0.005, f"exact floor pressure of 1 m of water {exact:.2f} Pa")
    x, z = (a.ravel() for a in np.meshgrid((np.arange(40) + 0.5) / 20, (np.arange(32) + 0.5) / 32))
    p = np.array([measure.tait_floor_pressure(rho0, c0, 7.0, gravity, depth - h) for h in z])
    p[np.abs(x - 1) > 0.5] *= 3  # beside the walls: not to be used
    places = np.column_stack([x, z])
    # The first four fifths of the time are wrong on purpose too.
    snapshots = [(t, places, p if t >= 8 else 2 * p) for t in range(11)]
    run = write_run(os.path.join(scratch, "still"), snapshots)
    run.config["domain"] = {"min": [0.0, 0.0], "max": [2.0, 1.5]}
    nearest = measure.distance_from_faces(run)
    ok(abs(nearest - 1 / 64) < 1e-6, f"distance from the faces {nearest:.6f} m")
    at_floor, slope, used = measure.floor_pressure(run, depth)
    ok(used == 3 and abs(at_floor / exact - 1) < 1e-4, f"floor pressure {at_floor:.2f} Pa")


def test_drop(scratch):
    table = sluice.read_table(os.path.join(reference.DATA, "oscillating_drop.csv"))
    x, y = (a.ravel() for a in np.meshgrid(np.arange(-50, 51), np.arange(-50, 51)))
    disc = np.column_stack([x, y])[x**2 + y**2 <= 2500] / 50.0
    snapshots = []
    for i in range(0, len(table["t"]), 4):
        place = disc * [table["a"][i], table["b"][i]]
        snapshots.append((table["t"][i], place, np.zeros(len(place))))
    run = write_run(os.path.join(scratch, "drop"), snapshots)
    a, b = measure.semi_axes(run[3])
    ok(abs(a / table["a"][12] - 1) < 0.01 and abs(b / table["b"][12] - 1) < 0.01, "semi-axes")
    period, periods = measure.drop_period(run)
    ok(abs(period / 4.567374 - 1) < 2e-3 and periods >= 2, f"period {period:.4f} of {periods}")


def test_wave():
    t = np.linspace(0, 10, 2000)
    omega, decay = 3.1, 0.05
    kinetic = (1.0 + np.cos(2 * omega * t)) * np.exp(-2 * decay * t)
    found, damping = measure.wave_fit({"time": t, "kinetic": kinetic}, 2.9)
    ok(abs(found / omega - 1) < 1e-3, f"frequency {found:.4f} from a guess 7% off")
    ok(abs(damping / (2 * decay) - 1) < 0.02, f"its decay {damping:.4f}")


def test_series():
    t, t_ref = np.linspace(0, 2, 2001), np.linspace(0, 4, 401)
    ok(abs(measure.first_above(t, 1000 * t, 500) - 0.501) < 1e-9, "first time above a level")
    ok(np.isnan(measure.first_above(t, t, 5.0)), "never above a level")
    ok(
        abs(measure.integral(t_ref, 3 * t_ref, 2.0) - 6.0) < 1e-9,
        "an integral ends where it should",
    )
    ok(
        abs(measure.rms_difference(t, t + 0.01, t_ref, t_ref) - 0.01) < 1e-12,
        "difference of series",
    )


def test_checks():
    check = checks.Check
    ok(check("a", 1.0, 1.0).passed and not check("a", 1.01, 1.0).passed, "at most the gate")
    ok(not check("a", float("nan"), 1.0).passed, "nan never passes")
    ok(not check("a", 2.7, 3.2, low=2.8).passed, "below the range")
    ok(not check("a", -0.006, 0.005, low=-0.005).passed, "a signed error counts on both sides")
    text = checks.table_text([check("a|b", 2, 1).row()])
    ok(text.endswith("| a\\|b | 2 | <= 1 | MISS |  |"), "a row of a table")


with tempfile.TemporaryDirectory() as directory:
    test_floor(directory)
    test_drop(directory)
    test_wave()
    test_series()
    test_checks()
finish()

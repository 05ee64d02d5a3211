#!/usr/bin/env python3
# test: 60 s, slow
"""The same bits, for each shipped case at a small size: run again, on 1, 2 and 3 threads, from
particles in another order, far from the origin, and stopped and restarted. The strategy has a name:
auto goes by the clock (auto_strategy, auto)."""

import glob
import os
import signal
import subprocess
import time

import h5py
from case_run import Case, Run, diag, differences, finish, np, ok, restart, scratch, together

STEPS = 60
LONG = 3000
# Of each model one case with more than 8192 particles: below that, cheap loops have one thread.
SMALL = {
    "dam_break": {"spacing": 0.05715 / 16, "output__every": 0.004, "time__max_steps": 150},
    "dam_break_3d": {"spacing": 0.04, "output__every": 0.01, "time__max_steps": 24},
    "still_water": {"spacing": 0.0625, "energy__every": 1, "output__every": 0.02},
    "acoustic_wave": {"spacing": 0.0625, "output__every": 0.02, "fluid__viscosity__kind": "sps"},
    "two_layers": {
        "spacing": 0.0625,
        "output__every": 0.02,
        "fluid__second__repulsion": 0.08,
    },
    "standing_wave": {
        "spacing": 0.0625,
        "output__every": 0.02,
        "fluid__diffusion__kind": "antuono",
    },
    # The config's tolerance is for its own spacing.
    "drop": {"spacing": 0.0625, "output__every": 0.05, "energy__tolerance": 1e-6},
    "sloshing": {
        "spacing": 0.0625,
        "output__every": 0.02,
        "fluid__gradients": "renormalised",
    },
    "wave_flume": {"spacing": 0.05, "output__every": 0.02},
    "lennard_jones": {"lattice__cells": [13, 13, 13], "time__end": 10.0, "time__max_steps": 24},
}


def small(name):
    keys = {"time__max_steps": STEPS, "output__checkpoint_every_s": 0.0, **SMALL[name]}
    keys["backend__strategy"] = "window"
    return Case(f"configs/{name}.cfg", **keys)


def same(one, other, name):
    different = differences(one, other)
    ok(not different, name, f"different: {', '.join(different)}")


# The lattice's box, 13 cells of density 0.8442, as a domain: a start file takes its place.
LENNARD_JONES = """model = "lj"; units = "lj"; dimension = 3;
domain = { max = [21.83475, 21.83475, 21.83475]; periodic = [true, true, true]; };
pair = { name = "lj"; }; time = { end = 10.0; step = 0.005; }; output = { every = 0.05; };
"""


def start_files(run, name):
    """The particles of a run's start as CSVs with ids, in their order and in a random one.

    Such a file lacks masses and rounds numbers, but both are the same in the two files."""
    with h5py.File(os.path.join(run.path, "snap_000000.hdf")) as file:
        data = file["VTKHDF/PointData"]
        table = np.column_stack([file["VTKHDF/Points"][:], data["Velocity"][:]])
        phase = data["Phase"][:] if "Phase" in data else np.ones(len(table))
        labels = np.column_stack([data["Id"][:], data["ParticleType"][:], np.maximum(phase, 1)])
        labels = labels.astype(int)
    if name in ("sloshing", "dam_break_3d"):  # which walls move, or have names, the geometry says
        fluid = labels[:, 1] == 0
        table, labels = table[fluid], labels[fluid]
    rows = [
        ",".join([*map(str, label), *(f"{value:.17g}" for value in values)]) + "\n"
        for label, values in zip(labels.tolist(), table.tolist())
    ]
    order = np.random.default_rng(1).permutation(len(rows))
    for path, places in ((f"{name}.csv", range(len(rows))), (f"{name}-mixed.csv", order)):
        with open(os.path.join(scratch, path), "w") as file:
            file.write("id,type,phase,x,y,z,vx,vy,vz\n")
            file.writelines(rows[i] for i in places)
        yield file.name


def test_repeats(name, case, first):
    again, two, three = together(
        lambda: case.run(f"{name}-again"),
        lambda: case.run(f"{name}-two", threads=2),
        lambda: case.run(f"{name}-three", threads=3),
    )
    same(first, again, f"{name}: run again")
    same(first, two, f"{name}: on two threads")
    same(first, three, f"{name}: on three threads")


def test_permutation(name, case, first):
    """The file is sorted by id as it is read; sim/permuted_start.c shuffles the particles that the
    simulation gets."""
    straight, mixed = start_files(first, name)
    if name == "lennard_jones":
        case = Case(LENNARD_JONES, time__max_steps=STEPS, energy__tolerance=1.0,
                    backend__strategy="window")
    a, b = together(
        lambda: case.run(f"{name}-straight", particles=straight),
        lambda: case.run(f"{name}-mixed", particles=mixed),
    )
    same(a, b, f"{name}: rows of the start file in another order")


def test_shift(name, case, first):
    """Far away, by whole frames: nothing but the frame indices differs, walls, periodic images,
    probes and potentials included."""
    shift = [10**6, -(10**6), 12345][: first.dimension]
    there = case.run(f"{name}-shifted", domain__frame_shift=shift)
    moved = there.state()["fluid/frame"] - first.state()["fluid/frame"]
    ok(np.all(moved[:, : len(shift)] == shift), f"{name}: every frame index is shifted")
    different = [d for d in differences(first, there) if not d.endswith("/frame")]
    ok(not different, f"{name}: the same bits far away", f"different: {', '.join(different)}")


def test_restart(name, case, first):
    """Half of the steps, then the rest: state, tables and series as if it had never stopped."""
    steps = int(first.energy()["step"][-1])
    half = case.run(f"{name}-half", time__max_steps=steps // 2)
    ok(half.energy()["step"][-1] <= steps // 2, f"{name}: stops after {steps // 2} steps")
    goes_on = restart(half.path, time__max_steps=steps, backend__threads=2)
    same(first, goes_on, f"{name}: restarted, on two threads")


def wait_for(folder, child, pattern, count):
    """Waits until the running child has written this many files of a kind."""
    deadline = time.monotonic() + 120
    while child.poll() is None and time.monotonic() < deadline:
        if len(glob.glob(os.path.join(folder, pattern))) >= count:
            return
        time.sleep(0.01)


def spoil(path, step):
    """Rows of later steps and an unfinished one, as a crash may leave them behind a checkpoint."""
    with open(path) as file:
        columns = file.readline().count(",")
    with open(path, "a") as file:
        file.write(f"{step + 10**6},1.0" + ",1" * (columns - 1) + f"\n{step + 10**6 + 1},0.1,")


def test_stop(case, whole, how, code, **keys):
    """Stopped from outside in the middle, and restarted: rows and files after the checkpoint are
    cut."""
    name = f"dam_break: stopped by {how.name}"
    folder = os.path.join(scratch, f"stopped-{how.name}")
    child = subprocess.Popen(
        case.command(folder, {"time__max_steps": LONG, **keys}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pattern = "checkpoint_*.hdf" if keys else "snap_00000[1-9].hdf"
    wait_for(folder, child, pattern, 2)
    child.send_signal(how)
    ended = child.wait(120)
    ok(ended == code, f"{name}: exit code {code}, got {ended}")
    step = int(Run(folder, ["true"], (0,)).state()["run/Step"][0])
    ok(0 < step < LONG, f"{name}: its checkpoint is of step {step} of {LONG}")
    for table in ("energy.csv", "probe_front.csv"):
        spoil(os.path.join(folder, table), step)
    same(whole, restart(folder, time__max_steps=LONG), f"{name}: and restarted")


def contents(run, pattern):
    """The bytes of each dataset of numbers in the last file of a pattern."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "iuf":
            found[name] = item[()].tobytes()

    with h5py.File(sorted(glob.glob(os.path.join(run.path, pattern)))[-1]) as file:
        file.visititems(take)
    return found


def test_files():
    """Files of so many particles that threads share the work on one."""
    case = Case("configs/lennard_jones.cfg", lattice__cells=[28, 28, 28], time__max_steps=2,
                time__end=10.0, backend__strategy="window")
    for compression in (0, 4):
        runs = [case.run(f"files-{compression}-{n}", backend__threads=n,
                         output__compression=compression) for n in (1, 3)]
        for pattern in ("checkpoint_*.hdf", "snap_*.hdf"):
            one, other = (contents(run, pattern) for run in runs)
            different = [name for name in one if other.get(name) != one[name]]
            ok(len(one) > 5 and not different, f"{pattern}, compression {compression}: 1 thread, 3",
               f"different: {', '.join(different)}")


def write_table(name, header, values):
    path = os.path.join(scratch, name)
    np.savetxt(path, np.column_stack(values), delimiter=",", header=header, comments="")
    return path


def test_records():
    """Wave makers that read a file: run again on two threads, far away, and restarted; a file that
    has changed since is refused."""
    t, f = np.arange(0, 30, 0.05), np.linspace(0.2, 1.4, 40)
    records = {
        "elevation": ("t,eta", (t, 0.03 * np.cos(4 * t) + 0.02 * np.cos(5 * t)), {"ramp": 0.5}),
        "paddle": ("t,x", (t, 0.05 * (1 - np.cos(4 * t))), {}),
        "irregular": ("f,S", (f, 1e-4 * np.exp(-((f - 0.7) / 0.2) ** 2)),
                      {"spectrum": "file", "length": 0.0}),
    }
    for wave, (header, values, more) in records.items():
        path = write_table(f"{wave}.csv", header, values)
        case = small("wave_flume")
        keys = {"wave": wave, "file": path, **more}
        case.keys.update({f"motions__maker__{key}": value for key, value in keys.items()})
        case.keys["output__precision"] = "double"
        name = f"record-{wave}"
        first = case.run(name)
        same(first, case.run(f"{name}-two", threads=2), f"{name}: on two threads")
        test_shift(name, case, first)
        test_restart(name, case, first)
        half = case.run(f"{name}-half", time__max_steps=STEPS // 2)
        write_table(f"{wave}.csv", header, (values[0], 1.01 * values[1]))
        refused = restart(half.path, expect=(2,), time__max_steps=STEPS)
        ok("MotionTables" in refused.said, f"{name}: another file is refused", refused.said)


for case_name in SMALL:
    small_case = small(case_name)
    reference = small_case.run(case_name, output__precision="double")
    diag(f"{case_name}: {len(reference.state()['fluid/id'])} fluid particles")
    small_case.keys["output__precision"] = "double"
    test_repeats(case_name, small_case, reference)
    if case_name != "wave_flume": # its fitted beach moves the fluid, so no file may bring it
        test_permutation(case_name, small_case, reference)
    test_shift(case_name, small_case, reference)
    test_restart(case_name, small_case, reference)
test_records()
test_files()
dam_break = small("dam_break")
long_run = dam_break.run("dam_break-long", time__max_steps=LONG)
test_stop(dam_break, long_run, signal.SIGINT, 75)
test_stop(dam_break, long_run, signal.SIGKILL, -9, output__checkpoint_every_s=0.05, output__keep=3)
finish()

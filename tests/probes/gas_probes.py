#!/usr/bin/env python3
# test: 12 s, emulator
"""Probes of a gas: against plain sums over a snapshot's particles and their images, near walls and
periodic seams and with supports that grow, on every backend that runs here; known fields; restarts.
tests/ranks/same_bits_on_ranks.py and gpu_ranks have probes on several ranks."""

import itertools
import json
import os
import subprocess

import numpy as np
from case_run import (
    SLUICE, Case, at_most, differences, finish, largest, ok, restart, together, within,
)

from validate.gas import profiles, setups, sums  # noqa: E402, I100

GATE = 1e-12  # the order of a sum, in double; the snapshots have the bits that the probes take
NAMES = ("density", "pressure", "energy", "vx", "vy", "vz", "smoothing_length")


def backends():
    """The CPU, and the other backends that run here, or the one that the test is for."""
    info = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)
    usable = [b["name"] for b in info["backends"] if b["usable"]]
    wanted = os.environ.get("SLUICE_TEST_BACKEND")
    return ["cpu", *(name for name in usable if name != "cpu" and wanted in (None, name))]


def probe(name, **keys):
    return {"name": name, "kind": "point", "quantity": "all", "every": 0.05, **keys}


def line(name, low, high, points, **keys):
    return probe(name, kind="line", points=points, **{"from": setups.floats(low)},
                 to=setups.floats(high), **keys)


# --- Plain sums ---


def images(run, gas):
    """Places and velocities of all particles and their images, two periods or two mirrors away."""
    low, high = (np.array(run.config.get(f"domain.{end}", None), float) for end in ("min", "max"))
    periodic = run.config.get("domain.periodic", [False] * run.dimension)
    sides = [side for shape in run.config.get("geometry", []) for side in shape.get("sides", [])]
    axes = []  # of each axis (sign, shift)
    for a in range(run.dimension):
        length = high[a] - low[a]
        copies = [(1, 0.0)]
        if periodic[a]:
            copies += [(1, k * length) for k in (-2, -1, 1, 2)]
        copies += [(-1, 2 * low[a])] * (f"{'xyz'[a]}-" in sides)
        copies += [(-1, 2 * high[a])] * (f"{'xyz'[a]}+" in sides)
        if len(copies) == 3 and not periodic[a]:
            copies += [(1, 2 * length), (1, -2 * length)]
        axes.append(copies)
    for choice in itertools.product(*axes):
        sign, shift = (np.array(part) for part in zip(*choice))
        yield gas.x * sign + shift, gas.v * sign


def plain(run, gas, x):
    """{column: value} at x."""
    kernel, d = run.config.get("kernel.name", "wendland-c2"), run.dimension
    total, weight = np.zeros(len(NAMES)), 0.0
    for places, velocities in images(run, gas):
        q = np.linalg.norm(places - x, axis=1) / gas.h
        w = gas.volume * sums.kernel(kernel, d, q) / gas.h**d
        v = np.zeros((len(w), 3))
        v[:, :d] = velocities
        numbers = np.column_stack([gas.rho, gas.p, gas.u, v, gas.h])
        total += w @ numbers
        weight += np.sum(w)
    values = total / weight if weight >= 0.05 else np.zeros(len(NAMES))
    return {**dict(zip(NAMES, values)), "weight": weight}


def sites(run, keys):
    """(place, suffix of its columns) of a probe's points."""
    if keys["kind"] == "point":
        return [(np.array(keys["at"], float), "")]
    low, high, points = np.array(keys["from"], float), np.array(keys["to"]), int(keys["points"])
    return [(low + k / (points - 1) * (high - low), f"_{k}") for k in range(points)]


def compare(run, name):
    """All probes against sums over the snapshots, which are of the same steps."""
    worst, late, rows = 0.0, 0.0, 0
    gases = list(profiles.gases(run))
    for probe_name, table in run.probes().items():
        wanted = sites(run, run.config.entry("probes", probe_name))
        columns = [n for n in NAMES if n != "vz" or run.dimension == 3] + ["weight"]
        ok(set(table) == {"step", "time"} | {c + s for _, s in wanted for c in columns},
           f"{name}, {probe_name}: its columns")
        for row, gas in enumerate(gases):
            late = max(late, abs(table["time"][row] - gas.time))
            for x, suffix in wanted:
                sums_here = plain(run, gas, x)
                for column in columns:
                    scale = 1.0 if column[0] == "v" else max(abs(sums_here[column]), 1e-3)
                    off = abs(table[column + suffix][row] - sums_here[column]) / scale
                    worst = max(worst, off)
        rows += len(gases)
    ok(rows > 0 and late == 0, f"{name}: {rows} rows, at the times of the snapshots")
    at_most(worst, GATE, f"{name}: off the plain sums")


def box(dimension, backend, precision):
    """Two gases in a box with walls on the first axis, and in 3-D on the last one; the other is
    periodic. Probes on walls, in their corners, on the seam, in both at once, and between."""
    low, high = [-0.3] * dimension, [0.7] * dimension
    periodic = [a == 1 for a in range(dimension)]
    n = 16 if dimension == 2 else 10
    middle = [0.2] + high[1:]
    geometry = [setups.box(low, high, 1.0, pressure=1.0),
                setups.box(low, middle, 0.4, pressure=0.3, velocity=[0.3] * dimension),
                {"shape": "walls", "sides": ["x-", "x+"] + ["z-", "z+"] * (dimension == 3)}]
    inside = [0.2, 0.1, 0.25][:dimension]
    seam = [inside[0], low[1], *inside[2:]]
    probes = (probe("wall", at=[high[0], *inside[1:]]), probe("seam", at=seam),
              probe("both", at=low), probe("other", at=[high[0], high[1], *high[2:]]),
              line("along", [low[0], *inside[1:]], [high[0], *inside[1:]], 9))
    config = setups.text("Probes", dimension, 1 / n, low, high, 0.1, geometry, periodic=periodic,
                         probes=probes, output={"every": 0.05},
                         backend={"precision": precision, "name": backend})
    case = Case(config, output__checkpoint_every_s=0.0)
    return case, case.run(f"box-{dimension}-{backend}-{precision}")


def cloud(backend):
    """A disc that expands until its supports are over twice those of the start. One probe beyond
    the gas at first."""
    config = setups.text("Cloud", 2, 1 / 12, (-4, -4), (4, 4), 1.5,
                         [setups.ball(2, 0.5, 1.0, pressure=1.0)], periodic=[False, False],
                         probes=(probe("centre", at=[0.01, 0.02], every=0.5),
                                 probe("edge", at=[1.4, 0.0], every=0.5),
                                 line("out", (0, 0), (2, 2), 7, every=0.5)),
                         output={"every": 0.5},
                         backend={"name": backend, "precision": "float", "frame_cutoffs": 64})
    run = Case(config).run(f"cloud-{backend}")
    supports = [float(np.max(gas.h)) for gas in profiles.gases(run)]
    ok(supports[-1] > 2 * supports[0], f"cloud: supports grow by {supports[-1] / supports[0]:.3g}")
    edge = run.probes()["edge"]
    ok(edge["weight"][0] == 0 and edge["density"][0] == 0, "no gas: 0, weight 0")
    ok(edge["weight"][-1] > 0.5, "later there is gas")
    compare(run, f"cloud, {backend}")


# --- Known fields ---


def same_as_cpu(dimension, precision, run, cpu):
    """Backends add in other orders, and steps carry that on."""
    off = max(largest(table[column] - cpu.probes()[name][column])
              for name, table in run.probes().items() for column in table)
    at_most(off, {"double": 1e-12, "float": 1e-5}[precision],
            f"{dimension}-D, {precision}: the numbers of the CPU")


def uniform():
    """A gas on a square lattice in a box of walls: its density, pressure and energy everywhere, up
    to the kernel's sums over this lattice, which are 0.5% above 1 at particles and 0.8% below
    between four of them. A linear velocity is exact in the middle; none goes through a wall."""
    low, high, n = (0.0, 0.0), (1.0, 1.0), 20
    geometry = [setups.box(low, high, 1.3, pressure=0.7),
                {"shape": "walls", "sides": ["x-", "x+", "y-", "y+"]}]
    initial = ({"field": "velocity", "kind": "linear", "gradient": ([0.0, 2.0], [0.0, 0.0]),
                "value": [0.1, 0.0]},)
    places = {"middle": [0.5, 0.5], "wall": [1.0, 0.5], "corner": [1.0, 1.0], "off": [0.513, 0.008]}
    probes = [probe(name, at=x) for name, x in places.items()]
    config = setups.text("Uniform", 2, 1 / n, low, high, 1e-9, geometry, periodic=[False, False],
                         initial=initial, probes=tuple(probes))
    run = Case(config, time__max_steps=1).run("uniform")
    for name, table in run.probes().items():
        at_most(table["weight"][0] - 1, 1e-2, f"uniform, {name}: weight")
        at_most(table["density"][0] / 1.3 - 1, 1e-2, f"uniform, {name}: density")
        at_most(table["energy"][0] * 1.3 * (5 / 3 - 1) / 0.7 - 1, 1e-12, f"uniform, {name}: u")
        ratio = table["pressure"][0] / (table["density"][0] * table["energy"][0] * (5 / 3 - 1))
        at_most(ratio - 1, 1e-12, f"uniform, {name}: pressure")
    tables = run.probes()
    at_most(tables["middle"]["vx"][0] - 1.1, 1e-12, "linear velocity: exact in the middle")
    at_most(tables["wall"]["vx"][0], 1e-12, "no velocity through a wall")


def shock():
    """Sod's tube: the plateaus by probes."""
    config, _ = setups.tube("Tube", 48, (1, 1, 0), (0.125, 0.1, 0), (0.5, 0.6), 0.15,
                            gas={"gamma": 1.4},
                            probes=(probe("star", at=[0.2, 0.0, 0.0], every=0.01),))
    star = Case(config).run("tube").probes()["star"]
    within(star["pressure"][-1] / 0.30313, 0.95, 1.05, "tube: p* over the exact one")
    within(star["vx"][-1] / 0.92745, 0.95, 1.05, "tube: u*")
    at_most(star["vx"][0], 1e-12, "at rest at first")


# --- Runs ---


def same_tables(case, whole):
    """One and two threads, and a run that was cut and restarted: the same tables, byte for byte."""
    two = case.run("box-threads", threads=2)
    ok(not differences(whole, two), "two threads: the same tables", str(differences(whole, two)))
    steps = int(whole.energy()["step"][-1])
    half = case.run("box-half", time__max_steps=steps // 2)
    again = restart(half.path, time__max_steps=0)
    ok(not differences(whole, again), "restart: the same tables", str(differences(whole, again)))


WHERE = backends()
runs = together(*(lambda d=d, b=b, p=p: (d, b, p, box(d, b, p))
                  for d, p in ((2, "double"), (3, "float")) for b in WHERE))
for dimension, backend, precision, (_, run) in runs:
    compare(run, f"{dimension}-D, {backend}, {precision}")
    if backend == "cpu":
        cpu = run
    else:
        same_as_cpu(dimension, precision, run, cpu)
case, whole = runs[0][3]
same_tables(case, whole)
for backend in WHERE:
    cloud(backend)
uniform()
if "emulated" not in WHERE:  # runs on the CPU alone; the other runs of this test have it
    shock()
finish()

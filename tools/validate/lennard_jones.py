"""Lennard-Jones: published configurations, a melt at its start, molecular dynamics."""

import csv
import math
import os

import numpy as np
from plot import measure
from plot.pictures import COLOURS
from plot.reference import DATA
from sluice import read_table

from validate.trial import case

ATOMS = """model = "lj"; units = "lj"; dimension = 3;
domain = {{ min = [{low}, {low}, {low}]; max = [{high}, {high}, {high}];
  periodic = [true, true, true]; }};
pair = {{ name = "lj"; cutoff = {rc}; truncation = "{truncation}"; tail = {tail}; }};
particles = "{particles}";
time = {{ end = 1.0; max_steps = 1; step = 1e-9; }};
energy = {{ reference = 1.0; tolerance = 1e6; }};
output = {{ every = 0.0; precision = "double"; }};
backend = {{ precision = "double"; }};
"""


def sample(number):
    """NIST's configuration: columns, edge of the box."""
    with open(os.path.join(DATA, f"lj_sample_config_periodic{number}.txt")) as file:
        edge, count = float(file.readline().split()[0]), int(file.readline())
        rows = np.array([file.readline().split() for _ in range(count)], dtype=float)
    return dict(zip(("id", "x", "y", "z"), rows.T)), edge


def tail_pressure(density, rc):
    """Allen & Tildesley 2017, eq. 2.145."""
    return 32 / 9 * math.pi * density**2 * (rc**-9 - 1.5 * rc**-3)


@case("nist-configurations", "Lennard-Jones: NIST's sample configurations", (1,), quick=(1,))
def nist_configurations(trial):
    """Energy, virial and largest force of NIST's configurations of 200 and 30 atoms, with three
    truncations, compared with sums over all pairs in double. These sums agree with every digit that
    NIST publishes; the reference file has 13 digits of them. In double."""
    with open(os.path.join(DATA, "nist_lj_configurations.csv")) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    worst = {"energy": [], "virial": [], "largest force": []}
    for number, row in enumerate(rows):
        columns, edge = sample(int(row["config"]))
        tail, rc = row["mode"] == "lrc", float(row["rc"])
        text = ATOMS.format(
            low=-edge / 2,
            high=edge / 2,
            rc=rc,
            truncation={"lrc": "cut", "lfs": "force-shift", "shift": "shift"}[row["mode"]],
            tail="true" if tail else "false",
            particles=trial.write(f"atoms-{row['config']}", columns),
        )
        table = trial.run(f"{number}", text, "").energy()
        pressure = table["pressure"][0]
        if tail:
            pressure -= tail_pressure(len(columns["x"]) / edge**3, rc)
        energy = float(row["Upair"]) + float(row["ULRC"])
        what = f"configuration {row['config']}, {row['mode']}, rc {rc:g}"
        worst["energy"].append((abs(table["pair"][0] / energy - 1), what))
        worst["virial"].append((abs(3 * edge**3 * pressure / float(row["Wpair"]) - 1), what))
        force = table["max_acceleration"][0] / float(row["F_max"]) - 1
        worst["largest force"].append((abs(force), what))
    for what, found in worst.items():
        size, which = max(found)
        trial.check(f"{what}, largest relative error of {len(found)}", size, 1e-11, note=which)


@case("lammps", "Lennard-Jones: LAMMPS bench/in.lj at step 0", (20,), quick=(20,))
def lammps(trial):
    """32,000 atoms on their lattice with the temperature of LAMMPS' benchmark
    (`configs/lennard_jones.cfg`): energy, pressure and temperature to all seven digits that its
    logs print, by the strategies window, x-pencil and par-part-noloop. In double."""
    expected = {"Epair": -6.7733681, "P": -5.0197073, "T": 1.44}
    for strategy in ("window", "x-pencil", "par-part-noloop"):
        run = trial.run(strategy, "lennard_jones.cfg", "", time__max_steps=1,
                        backend__precision="double", backend__strategy=strategy, output__every=0)
        table = {name: values[0] for name, values in run.energy().items()}
        measured = {
            "Epair": table["pair"] / table["particles"],
            "P": table["pressure"],
            "T": table["temperature"],
        }
        for name, value in expected.items():
            note = f"{measured[name]:.9f}, LAMMPS {value}"
            trial.check(f"{strategy}, {name}: difference", abs(measured[name] - value), 5.1e-8,
                        note=note)


@case("lennard-jones-nve", "Lennard-Jones: drift of the energy", (6,), long=False)
def nve(trial):
    """864 atoms, 200 units of time, force-shifted, density 0.8442, temperature 0.7, in double.
    Velocity Verlet keeps |dE|/N bounded, and |dE|/N falls with dt^2."""
    sizes = {}
    (axes,) = trial.axes(wide=6.0)
    for dt, steps in ((0.004, 50000), (0.002, 100000)):
        run = trial.run(
            f"dt-{dt:g}",
            "lennard_jones.cfg",
            "",
            lattice__cells=[6, 6, 6],
            thermal__temperature=0.7,
            pair__truncation="force-shift",
            time__step=dt,
            time__max_steps=steps,
            time__end=1e9,
            backend__precision="double",
            energy__every=round(0.02 / dt),  # the same times for each dt
            output__every=0,
        )
        table = run.energy()
        drift = (table["total"] - table["total"][0]) / table["particles"][0]
        sizes[dt] = measure.largest(drift)
        gate = 1e-4 if dt == 0.002 else None
        trial.check(f"dt {dt:g}: largest |dE|/N", sizes[dt], gate)
        axes.plot(table["time"], drift, linewidth=0.6, label=f"dt {dt:g}")
    axes.set_xlabel("time")
    axes.set_ylabel("dE/N")
    axes.legend()
    trial.check("order in dt", math.log2(sizes[0.004] / sizes[0.002]), 2.5, 1.5)


CELLS = 5  # 500 atoms
EQUILIBRATION, PRODUCTION, BLOCKS = 20.0, 100.0, 20  # reduced times
OFFSET = 0.05  # subtracted from and added to the starting temperature, for two states
NIST_ERROR = {"T": 0.001, "U": 0.001, "p": 0.0055}


def blocks_of(run):
    """Block means [BLOCKS] of T, U a particle and p after the equilibration."""
    table = run.energy().between(EQUILIBRATION, np.inf)
    count = table["particles"][0]
    series = (table["temperature"], table["pair"] / count, table["pressure"])
    rows = len(series[0]) // BLOCKS
    return [np.mean(s[: rows * BLOCKS].reshape(BLOCKS, rows), axis=1) for s in series]


def state_at(trial, density, want):
    """U and p at the reference's T, with standard errors and slopes, from a line between the means
    of two runs. Their energies lie below and above the reference's."""
    keys = {
        "lattice": {"kind": "fcc", "cells": [CELLS] * 3, "density": density},
        "pair__cutoff": 3.0,
        "pair__tail": True,
        "time__step": 0.005,
        "time__end": EQUILIBRATION + PRODUCTION,
        "energy__every": 10,
        "output__every": 0,
    }
    label = f"{density:.3f}"
    cold = trial.run(f"{label}-lattice", "lennard_jones.cfg", "", **{**keys, "time__max_steps": 1})
    crystal = cold.energy()["pair"][0] / cold.energy()["particles"][0]
    middle = (want["U"] + 1.5 * want["T"] - crystal) / 1.5  # starts with NIST's energy
    runs = [
        trial.run(f"{label}{name}", "lennard_jones.cfg", "", **keys,
                  thermal={"temperature": float(f"{middle + offset:.6f}"), "seed": 1})
        for name, offset in (("-low", -OFFSET), ("-high", OFFSET))
    ]
    means = [[np.mean(b) for b in blocks_of(run)] for run in runs]
    found = {"T": [m[0] for m in means]}
    for i, name in ((1, "U"), (2, "p")):
        slope = (means[1][i] - means[0][i]) / (means[1][0] - means[0][0])
        # Moves each block's value along the line to the reference's T. In a run of constant energy
        # U and T change together, so their errors are not independent.
        moved = [blocks_of(run) for run in runs]
        moved = [b[i] + slope * (want["T"] - b[0]) for b in moved]
        values = [np.mean(b) for b in moved]
        errors = [np.std(b, ddof=1) / math.sqrt(BLOCKS) for b in moved]
        error = math.sqrt(errors[0] ** 2 + errors[1] ** 2) / 2
        theirs = math.hypot(NIST_ERROR[name], slope * NIST_ERROR["T"])
        found[name] = (np.mean(values), math.hypot(error, theirs), error, slope)
    return found


def monte_carlo_at(table, density):
    """NIST's Monte Carlo at a density, {name: (value, error)}: from the parabola through its three
    nearest densities, or the point itself at one of them. Also returns these densities."""
    near = np.argsort(np.abs(table["rho"] - density))[:3]
    rho = table["rho"][near]
    weights = np.array([
        np.prod([(density - other) / (own - other) for other in rho if other != own])
        for own in rho
    ])
    used = near[np.abs(weights) > 1e-9]
    found = {
        name: (float(weights @ table[name][near]),
               float(np.linalg.norm(weights * table[f"{name}_error"][near])))
        for name in ("U", "p")
    }
    return found, sorted(table["rho"][used])


def judge_state(trial, want, found, monte_carlo):
    """Checks U and p against Monte Carlo at its temperature; NIST's molecular dynamics is for
    comparison."""
    wanted, used = monte_carlo_at(monte_carlo, want["rho"])
    low, high = found["T"]
    t_mc = float(monte_carlo["T"][0])
    for name in ("U", "p"):
        value, combined, ours, slope = found[name]
        moved, (theirs, error) = value + slope * (t_mc - want["T"]), wanted[name]
        note = f"{moved:.4f} +- {ours:.4f} at T {t_mc:g} (runs at {low:.3f}, {high:.3f}),"
        note += f" Monte Carlo {theirs:.4f} +- {error:.4f}"
        if len(used) > 1:
            note += f", from rho {', '.join(f'{rho:g}' for rho in used)}"
        trial.within(f"rho {want['rho']:g}: {name}, combined standard errors apart",
                     (moved - theirs) / math.hypot(ours, error), 3.0, note)
        note = f"{value:.4f} +- {ours:.4f} at T {want['T']:g}, NIST {want[name]:g}"
        trial.within(f"rho {want['rho']:g}: {name}, combined standard errors from NIST's molecular"
                     " dynamics", (value - want[name]) / combined, None, note)


@case("nist-md", "Lennard-Jones: NIST's molecular dynamics", (5,), long=False)
def nist_md(trial):
    """500 atoms at constant energy, cutoff 3 with the standard long-range corrections, dt 0.005, 20
    units of time to melt and 100 measured, as NIST's, at T = 0.85 and five densities (without rho =
    0.9, where NIST's two methods disagree). At each density two runs start 0.05 below and above the
    temperature that gives NIST's energy. A line between the two gives U and p at T = 0.85. The
    number is the difference from NIST's Monte Carlo over the combined standard error of both; ours
    is from 20 blocks. At rho = 0.84, where NIST has no Monte Carlo, its parabola through the three
    nearest densities is used. NIST's molecular dynamics is for comparison: its points scatter about
    that Monte Carlo, and about any smooth curve, by several times their stated error (0.001 in T
    and U, 0.0055 in p)."""
    table = read_table(os.path.join(DATA, "nist_lj_nve.csv"))
    monte_carlo = read_table(os.path.join(DATA, "nist_lj_mc.csv"))
    rows = [dict(zip(table, values)) for values in zip(*table.values())]
    left, right = trial.axes(columns=2)
    for want in rows:
        if want["rho"] > 0.89:
            continue
        found = state_at(trial, float(want["rho"]), want)
        judge_state(trial, want, found, monte_carlo)
        for axes, name in ((left, "U"), (right, "p")):
            axes.errorbar(want["rho"], found[name][0], yerr=3 * found[name][2], fmt="o",
                          markersize=3, color=COLOURS[0])
            axes.plot(want["rho"], want[name], "x", color=COLOURS[1])
    for axes, name, words in ((left, "U", "U a particle"), (right, "p", "pressure")):
        axes.plot(monte_carlo["rho"], monte_carlo[name], "+", color=COLOURS[2],
                  label="NIST, Monte Carlo")
        axes.set_xlabel("density")
        axes.set_ylabel(words)
        axes.plot([], [], "x", color=COLOURS[1], label="NIST, molecular dynamics")
        axes.plot([], [], "o", markersize=3, color=COLOURS[0], label="Sluice, 3 standard errors")
        axes.legend()


CASES = (nist_configurations, lammps, nve, nist_md)

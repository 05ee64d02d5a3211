#!/usr/bin/env python3
# test: 12 s
"""Lennard-Jones against published numbers: NIST's sample configurations, LAMMPS's bench/in.lj at
step 0, and conservation of energy."""

import csv
import math
import os

from case_run import ROOT, Case, at_most, finish, largest, np, ok, scratch, within

REFERENCE = os.path.join(ROOT, "data", "reference")

NIST = """model = "lj"; units = "lj"; dimension = 3;
domain = {{ min = [{low}, {low}, {low}]; max = [{high}, {high}, {high}];
  periodic = [true, true, true]; }};
pair = {{ name = "lj"; cutoff = {rc}; truncation = "{truncation}"; tail = {tail}; }};
particles = "{particles}";
time = {{ end = 1.0; max_steps = 1; step = 1e-9; }};
energy = {{ reference = 1.0; tolerance = 1e6; }};
output = {{ every = 0.0; precision = "double"; }};
"""


def sample(number):
    """NIST's configuration as a start file; its box's edge and number of atoms."""
    path = os.path.join(scratch, f"nist{number}.csv")
    with open(os.path.join(REFERENCE, f"lj_sample_config_periodic{number}.txt")) as file:
        edge, count = float(file.readline().split()[0]), int(file.readline())
        rows = [file.readline().split() for _ in range(count)]
    with open(path, "w") as file:
        file.write("id,x,y,z\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path, edge, count


def tail_pressure(density, rc):
    """Allen & Tildesley 2017, eq. 2.145."""
    return 32 / 9 * math.pi * density**2 * (rc**-9 - 1.5 * rc**-3)


def test_nist(row):
    """Energy, virial, largest force and the force on atom 1 of one line of the reference file."""
    particles, edge, count = sample(int(row["config"]))
    truncation = {"lrc": "cut", "lfs": "force-shift", "shift": "shift"}[row["mode"]]
    tail, rc, volume = row["mode"] == "lrc", float(row["rc"]), edge**3
    case = Case(
        NIST.format(
            low=-edge / 2,
            high=edge / 2,
            rc=rc,
            truncation=truncation,
            tail="true" if tail else "false",
            particles=particles,
        )
    )
    want = {name: float(row[name]) for name in ("Upair", "Wpair", "ULRC", "F_max")}
    force = np.array([float(row["F1" + c]) for c in "xyz"])
    # The file has 13 digits; sums of 1e4 terms in double round at 1e-14. Float: sums of 50
    # neighbours, some of them 30 times as large as the sum, round at some 6e-8 each.
    gates = {"double": (1e-11, 1e-11, 1e-11), "float": (1e-6, 2e-6, 1e-5)}
    for precision, (of_energy, of_virial, of_force) in gates.items():
        what = f"NIST {row['config']}, {row['mode']}, rc {rc:g}, {precision}"
        run = case.run("nist", backend__precision=precision)
        table = run.energy()
        energy = want["Upair"] + want["ULRC"]
        at_most(table["pair"][0] / energy - 1, of_energy, f"{what}: energy")
        pressure = table["pressure"][0] - (tail_pressure(count / volume, rc) if tail else 0)
        at_most(3 * volume * pressure / want["Wpair"] - 1, of_virial, f"{what}: virial")
        at_most(
            table["max_acceleration"][0] / want["F_max"] - 1, of_force, f"{what}: largest force"
        )
        first = run.state(by_id=True)["fluid/acceleration"][0]
        # The virtual step of 1e-9 moves nothing; what is left is 12 digits in the file.
        at_most(largest(first - force) / want["F_max"], of_force, f"{what}: force on atom 1")


def test_lammps():
    """20^3 cells, T 1.44: 7 digits are published; temperature and pressure with 3N - 3 degrees of
    freedom, as LAMMPS has them."""
    run = Case("configs/lennard_jones.cfg").run(
        "lammps", time__max_steps=1, backend__precision="double", output__every=0
    )
    table = run.energy()
    ok(table["particles"][0] == 32000, "LAMMPS in.lj: 32000 particles")
    at_most(table["pair"][0] / 32000 + 6.7733681, 5.1e-8, "LAMMPS in.lj, step 0: energy a particle")
    at_most(table["pressure"][0] + 5.0197073, 5.1e-8, "LAMMPS in.lj, step 0: pressure")
    at_most(table["temperature"][0] - 1.44, 1e-12, "LAMMPS in.lj, step 0: temperature")
    # A hundred steps on the crystal has melted; other velocities than LAMMPS's, so only to three
    # standard deviations of 32000 particles, about 0.003 in T.
    melt = Case("configs/lennard_jones.cfg").run("melt", time__max_steps=100, output__every=0.0)
    late = {name: values[-1] for name, values in melt.energy().items()}
    within(
        late["temperature"], 0.7475, 0.7675, "LAMMPS in.lj, step 100: temperature, theirs 0.7575"
    )
    energy = late["pair"] / 32000
    within(energy, -5.775, -5.743, "LAMMPS in.lj, step 100: energy a particle, theirs -5.7585")
    momentum = [largest(table[f"momentum_{c}"][:1]) for c in "xyz"]
    at_most(
        max(momentum), 1e-9, "LAMMPS in.lj, step 0: momentum"
    )  # 32000 speeds of order 1, each rounded at 1e-16


def test_no_well():
    """Atoms that do not interact, nearer to each other than float has powers for."""
    particles = os.path.join(scratch, "near.csv")
    with open(particles, "w") as file:
        file.write("id,x,y,z\n0,0,0,0\n1,0.0001,0,0\n")
    case = Case(
        NIST.format(
            low=-5, high=5, rc=2.5, truncation="shift", tail="false", particles=particles
        )
    )
    table = case.run("no-well", pair__epsilon=0.0, backend__precision="float").energy()
    for column in ("pair", "max_acceleration"):
        ok(table[column][0] == 0, f"epsilon = 0, atoms 1e-4 apart: {column} is 0")


def test_conservation():
    """Velocity Verlet: |E - E(0)| is bounded and falls with dt^2; at dt 0.002 it is below 1e-4 a
    particle."""
    case = Case(
        "configs/lennard_jones.cfg",
        lattice__cells=[6, 6, 6],
        thermal__temperature=0.7,
        pair__truncation="force-shift",
        backend__precision="double",
        output__every=0.0,
        time__end=1e9,
        energy__tolerance=1e6,
    )
    drift = {}
    for dt, steps in ((0.004, 1000), (0.002, 2000)):
        table = case.run("nve", time__step=dt, time__max_steps=steps).energy()
        ok(table["step"][-1] == steps, f"NVE: {steps} steps of {dt}")
        drift[dt] = largest(table["total"] - table["total"][0]) / table["particles"][0]
    at_most(drift[0.002], 1e-4, "NVE, dt 0.002: |dE|/N")
    # dE oscillates: its largest value at two steps is sampled at other phases, hence the width.
    within(drift[0.004] / drift[0.002], 3.3, 4.7, "NVE: |dE| at twice the step, dt^2 says 4")


with open(os.path.join(REFERENCE, "nist_lj_configurations.csv")) as reference:
    lines = [line for line in reference if not line.startswith("#")]
for line in csv.DictReader(lines):
    test_nist(line)
test_lammps()
test_no_well()
test_conservation()
finish()

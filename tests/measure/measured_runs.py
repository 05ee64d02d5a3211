#!/usr/bin/env python3
# test: 3 s
"""sluice measure on runs: probes' values, the energy budget, plain sums over snapshots with walls,
a gas, two fluids, Lennard-Jones; images against tables."""

import json
import os
import subprocess

import h5py
import numpy as np
from case_run import SLUICE, Case, at_most, finish, ok, scratch

DAM = """
model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 0.4, 0.6]; periodic = [false, true, false]; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
               max = [0.4, 0.4, 0.4]; },
             { name = "tank"; shape = "walls"; sides = ["x-", "x+", "z-"]; } );
probes = ( { name = "P"; kind = "point"; quantity = "all"; at = [0.0, 0.02, 0.1]; every = 0.05; },
           { name = "L"; kind = "line"; quantity = "all"; from = [0.1, 0.39, 0.0];
             to = [0.7, 0.39, 0.3]; points = 7; every = 0.05; },
           { name = "Q"; kind = "flux"; from = [0.4, 0.0, 0.0]; to = [0.4, 0.4, 0.6];
             every = 0.05; } );
energy = { every = 1; }; time = { end = 0.25; }; output = { every = 0.05; precision = "double"; };
backend = { precision = "double"; };
"""
GAS = """
model = "gas"; dimension = 2; spacing = 0.02; gas = { gamma = 1.4; };
domain = { min = [0.0, 0.0]; max = [1.0, 0.4]; periodic = [false, true]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.5, 0.4];
               density = 1.0; pressure = 1.0; },
             { shape = "box"; type = "fluid"; min = [0.5, 0.0]; max = [1.0, 0.4];
               density = 0.125; pressure = 0.1; },
             { shape = "walls"; sides = ["x-", "x+"]; } );
probes = ( { name = "L"; kind = "line"; quantity = "all"; from = [0.0, 0.0]; to = [1.0, 0.4];
             points = 9; every = 0.05; } );
time = { end = 0.1; }; output = { every = 0.05; precision = "double"; };
backend = { precision = "double"; };
"""


def measure(run, *options, expect=0):
    """The report of --json."""
    words = [SLUICE, "measure", run.path, "--json", "--threads", "2", *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    ok(done.returncode == expect, f"measure {' '.join(options)}: exit {expect}", done.stderr)
    return json.loads(done.stdout)


def table(path):
    rows = np.genfromtxt(path, delimiter=",", names=True)
    return np.atleast_1d(rows)


def header(run):
    with h5py.File(f"{run.path}/snap_000000.hdf") as file:
        return dict(file["Header"].attrs)


def domain(run):
    """The lower and the upper corner."""
    found = header(run)
    return found["Origin"], found["Origin"] + found["BoxSize"]


def points_file(name, points):
    path = os.path.join(scratch, name)
    with open(path, "w") as file:
        file.write("xyz"[: len(points[0])].replace("", ",").strip(",") + "\n")
        for point in points:
            file.write(",".join(repr(float(x)) for x in point) + "\n")
    return path


# --- Probes ---


def compare(found, probe, names, suffix=""):
    """The largest difference of columns, over the largest value of each. Values where the probe has
    no fluid are 0 there, and empty here."""
    worst = 0
    for name in names:
        a, b = found[name], probe[name + suffix][: len(found)]
        apart = np.abs(np.nan_to_num(a) - b).max() / max(np.abs(b).max(), 1e-9)
        if not apart <= 1e-8:
            print(f"# {name}{suffix}: {a} at {found['time']} s, probe {b} at {probe['time']} s")
        worst = max(worst, apart)
    return worst


def check_probes(run, names, point):
    if point:
        path = points_file("p.csv", [point])
        measure(run, "--points", path, "--fields", "Density,Pressure,Velocity")
        found, probe = table(f"{run.path}/measure_points.csv"), run.table("probe_P.csv")
        ok(len(found) == 6 and (found["time"] == probe["time"]).all(), "the same times")
        at_most(compare(found, probe, names), 1e-8, "the probe's values at its place, in 9 digits")
    config = run.config.entry("probes", "L")
    ends = [",".join(repr(float(x)) for x in config[end]) for end in ("from", "to")]
    line = f"{ends[0]}:{ends[1]}:{config['points']}"
    fields = "Density,Pressure,Velocity" + (",InternalEnergy,SmoothingLength" * ("energy" in names))
    measure(run, "--line", line, "--fields", fields)
    found, probe = table(f"{run.path}/measure_line.csv"), run.table("probe_L.csv")
    worst = max(
        compare(found[found["point"] == k], probe, names, f"_{k}")
        for k in range(config["points"])
    )
    at_most(worst, 1e-8, "a line's values at its places")


def check_flux(run):
    said = measure(run, "--flux", "0.4,0,0:0.4,0.4,0.6")
    probe = run.table("probe_Q.csv")
    flows = np.array([t["volume_flow"] for t in said["times"]])
    at_most(np.abs(flows - probe["flux"]).max() / probe["flux"].max(), 1e-12, "the probe's flux")
    mass = np.array([t["mass_flow"] for t in said["times"]])
    at_most(np.abs(mass[1:] / flows[1:] / 1000 - 1).max(), 0.01, "mass flow is rho times that")


def check_budget(run):
    said, energy = measure(run, "--total"), run.table("energy.csv")
    names = {"kinetic": "kinetic", "potential": "potential", "internal": "elastic"}
    for mine, other in names.items():
        worst = 0
        for t in said["times"]:
            there = energy[other][energy["step"] == t["step"]][0]
            worst = max(worst, abs(t[mine] - there) / np.abs(energy[other]).max())
        at_most(worst, 1e-9, f"{mine} energy is that of the budget")
    halves = [
        measure(run, "--total", "--box", box)["times"][-1]["mass"]
        for box in ("0,0,0:0.433,0.4,0.6", "0.433,0,0:1,0.4,0.6")
    ]
    at_most(sum(halves) / said["times"][-1]["mass"] - 1, 1e-12, "two halves are the whole")
    ok(min(halves) > 1, "each holds water", halves)


# --- Plain sums over a snapshot, periodic along y ---


def wendland(q, h, dimension):
    factor = 7 / (4 * np.pi) if dimension == 2 else 21 / (16 * np.pi)
    return factor / h**dimension * np.maximum(1 - q / 2, 0) ** 4 * (1 + 2 * q)


def plain(file, x, h, period, chosen, name):
    """Mean of a field at x over chosen particles and their images, and the weight."""
    data = file["VTKHDF/PointData"]
    volume, values = data["Mass"][:] / data["Density"][:], data[name][:]
    total = weight = 0
    for image in (-1, 0, 1):
        away = file["VTKHDF/Points"][:] + [0, image * period, 0] - x
        w = chosen * volume * wendland(np.sqrt((away**2).sum(1)) / h, h, 3)
        total, weight = total + (w * values.T).T.sum(0), weight + w.sum()
    return total / weight, weight


def check_walls(run):
    rng = np.random.default_rng(1)
    points = rng.random((20, 3)) * [0.5, 0.4, 0.3]
    path, last = points_file("w.csv", points), f"{run.path}/snap_000005.hdf"
    for words, walls in (((), False), (("--with-walls",), True)):
        measure(run, "--points", path, "--times", "last", "--fields", "Pressure,Velocity", *words)
        found, worst = table(f"{run.path}/measure_points.csv"), 0
        with h5py.File(last) as file:
            fluid = file["VTKHDF/PointData/ParticleType"][:] == 0
            for row, x in zip(found, points):
                chosen = np.ones(len(fluid)) if walls else fluid
                _, wet = plain(file, x, 0.075, 0.4, fluid, "Mass")
                worst = max(worst, abs(row["weight"] - wet), row["valid"] != (wet >= 0.05))
                if row["valid"]:
                    pressure, _ = plain(file, x, 0.075, 0.4, chosen, "Pressure")
                    velocity, _ = plain(file, x, 0.075, 0.4, chosen, "Velocity")
                    worst = max(worst, abs(row["pressure"] / pressure - 1))
                    worst = max(worst, abs(row["vx"] - velocity[0]), abs(row["vz"] - velocity[2]))
        ok(0 < found["valid"].sum() <= 20, "some places are valid", found["valid"])
        at_most(worst, 1e-7, f"the plain sums {'with' if walls else 'without'} walls")
    tank = measure(run, "--total", "--shape", "tank", "--times", "last")["times"][0]
    ok(tank["particles"] == run.count_walls and tank["kinetic"] == 0, "a shape's total", tank)


# --- Images and reductions against tables ---


def check_image(run):
    grid = ("--grid", "7,3,5", "--box", "0,0,0:0.9,0.4,0.4", "--times", "0:0.3")
    measure(run, *grid)
    measure(run, *grid, "--out", f"{scratch}/grid.csv")
    rows, worst = table(f"{scratch}/grid.csv"), 0
    with open(f"{run.path}/measure_grid.hdf.series") as file:
        series = json.load(file)["files"]
    ok([f["time"] for f in series] == sorted(set(rows["time"])), "an image for each time", series)
    for entry in series:
        at = rows[rows["time"] == entry["time"]]
        with h5py.File(os.path.join(run.path, entry["name"])) as file:
            data = file["VTKHDF/PointData"]
            ok(data["Velocity"].shape == (5, 3, 7, 3), "z, y, x, component", data["Velocity"].shape)
            same = (np.isnan(data["Pressure"][:].ravel()) == np.isnan(at["pressure"])).all()
            same = same and (data["Valid"][:].ravel() == at["valid"]).all()
            ok(same, "the same places are valid")
            for k, name in enumerate(("vx", "vy", "vz")):
                difference = data["Velocity"][..., k].ravel() - at[name]
                worst = max(worst, np.nanmax(np.abs(difference)))
    at_most(worst, 1e-6, "images have the numbers of tables, in float")
    check_reduced(run, grid, rows)


def check_reduced(run, grid, rows):
    measure(run, *grid, "--reduce", "mean,max,arrival", "--out", f"{scratch}/reduced.csv")
    measure(run, *grid, "--reduce", "mean,max,arrival")
    found = table(f"{scratch}/reduced.csv")
    worst = 0
    for k in (0, 3, 20, 60):
        own = rows[(rows["point"] == k) & (rows["valid"] > 0)]
        row = found[k]
        worst = max(worst, abs(row["wet"] - len(own) / 6))
        if len(own):
            worst = max(worst, abs(row["pressure_mean"] / own["pressure"].mean() - 1))
            worst = max(worst, abs(row["vx_max"] - own["vx"].max()))
            worst = max(worst, abs(row["arrival"] - own["time"][0]))
    at_most(worst, 1e-6, "reductions are those of the table's rows")
    with h5py.File(f"{run.path}/measure_grid_reduced.hdf") as file:
        image = file["VTKHDF/PointData/Pressure_mean"][:].ravel()
    at_most(np.nanmax(np.abs(image / found["pressure_mean"] - 1)), 1e-6, "and of the one image")
    ok(os.path.exists(f"{run.path}/measure_grid.hdf.series"), "the images of the times stay")


# --- Other models ---


def check_atoms():
    case = Case("configs/lennard_jones.cfg", lattice__cells=[5, 5, 5])
    run = case.run("atoms", time__max_steps=20)
    low, high = domain(run)
    n = 40
    edges = [np.linspace(a, b, n + 1) for a, b in zip(low, high)]
    middle = [(e[:-1] + e[1:]) / 2 for e in edges]
    box = ":".join(",".join(repr(float(m[k])) for m in middle) for k in (0, -1))
    measure(run, "--grid", f"{n},{n},{n}", "--box", box, "--times", "last")
    name = sorted(f for f in os.listdir(run.path) if f.startswith("measure_grid_"))[-1]
    with h5py.File(f"{run.path}/{name}") as file:
        density = file["VTKHDF/PointData/NumberDensity"][:].astype(float)
    atoms = density.mean() * np.prod(high - low)
    at_most(atoms / 500 - 1, 1e-6, "the integral of the number density counts the atoms")
    refused = measure(run, "--grid", "0.5", "--fields", "Pressure", expect=2)
    ok("NumberDensity" in refused["error"], "atoms have no pressure field", refused)


def check_two_fluids():
    run = Case("configs/two_layers.cfg").run("layers", time__max_steps=5)
    low, high = domain(run)
    x = (low[0] + high[0]) / 2
    measure(run, "--line", f"{x},{low[1]}:{x},{high[1]}:60", "--times", "last", "--fields", "Phase")
    phase = table(f"{run.path}/measure_line.csv")["phase"]
    phase = phase[~np.isnan(phase)]
    ends = {round(float(phase[0]), 9), round(float(phase[-1]), 9)}
    ok(ends == {1.0, 2.0}, "from the one fluid to the other", phase)
    ok((np.diff(phase) >= -1e-9).all() or (np.diff(phase) <= 1e-9).all(), "and not back", phase)


def main():
    run = Case(DAM).run("dam")
    run.count_walls = int(header(run)["WallCount"])
    check_probes(run, ["density", "pressure", "vx", "vy", "vz", "weight"], [0.0, 0.02, 0.1])
    check_flux(run)
    check_budget(run)
    check_walls(run)
    check_image(run)
    gas = Case(GAS).run("gas")
    names = ["density", "pressure", "energy", "vx", "vy", "smoothing_length", "weight"]
    check_probes(gas, names, None)
    check_atoms()
    check_two_fluids()
    finish()


if __name__ == "__main__":
    main()

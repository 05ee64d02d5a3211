#!/usr/bin/env python3
# test: 13 s, emulator, mpi
"""Forces and potential energies of Lennard-Jones particles in snapshots: against sums over all
pairs in double, and against the table of energies."""

import json
import os
import shutil
import subprocess

import h5py

from case_run import ROOT, SLUICE, Case, at_most, differences, finish, largest, np, ok, scratch

# A crystal that has begun to melt, in 3-D and in 2-D; atoms in space with open sides, which fall.
MELT = """model = "lj"; units = "lj"; dimension = 3;
lattice = { kind = "fcc"; cells = [6, 6, 6]; density = 0.8442; };
domain = { periodic = [true, true, true]; };
thermal = { temperature = 1.44; seed = 5; };
pair = { name = "lj"; cutoff = 2.5; };
time = { step = 0.005; end = 0.1; };
energy = { tolerance = 1e6; };
output = { every = 0.05; precision = "double"; forces = true; };
backend = { name = "cpu"; precision = "double"; };
"""
SHEET = MELT.replace("dimension = 3", "dimension = 2").replace('"fcc"', '"square"').replace(
    "[6, 6, 6]", "[12, 10]").replace("0.8442", "0.8").replace("true, true, true", "true, true")
DROP = MELT.replace('lattice = { kind = "fcc"; cells = [6, 6, 6]; density = 0.8442; };',
                    'particles = "drop.csv"; gravity = [0.0, 0.5, -2.0];').replace(
    "periodic = [true, true, true];", "min = [-9.0, -7.0, -8.0]; max = [8.0, 9.0, 7.5]; "
    "periodic = [false, true, false];").replace(
    "thermal = { temperature = 1.44; seed = 5; };", "").replace("end = 0.1", "end = 0.05")


def write_drop():
    """A few atoms on a shaken lattice, far from the sides or across the periodic one."""
    site = np.stack(np.meshgrid(*[np.arange(5)] * 3, indexing="ij"), -1).reshape(-1, 3)
    x = 1.15 * site + np.random.default_rng(3).uniform(-0.1, 0.1, site.shape) - [3.0, -6.0, 1.0]
    with open(os.path.join(scratch, "drop.csv"), "w") as file:
        file.write("id,x,y,z\n")
        file.writelines(f"{i},{a:.17g},{b:.17g},{c:.17g}\n" for i, (a, b, c) in enumerate(x))


def reference(snapshot, config, gravity):
    """(force, energy) of each particle by a sum over all pairs: u of docs/theory.md."""
    pair = {"epsilon": 1.0, "sigma": 1.0, "mass": 1.0, "softening": 0.0, "truncation": "cut",
            "tail": False, **{k[5:]: v for k, v in config.items() if k.startswith("pair.")}}
    x, dim = snapshot.fluid.position, int(snapshot.header["Dimension"])
    length, periodic = (np.ravel(snapshot.header[key])[:dim] for key in ("BoxSize", "Periodic"))
    d = x[:, None, :dim] - x[None, :, :dim]
    d -= np.where(periodic, length * np.rint(d / length), 0)
    r2 = np.sum(d * d, axis=2)
    near = (r2 < pair["cutoff"] ** 2) & ~np.eye(len(x), dtype=bool)
    rc = np.sqrt(pair["cutoff"] ** 2 + pair["softening"] ** 2)

    def plain(r):
        s6 = (pair["sigma"] / r) ** 6
        return 4 * pair["epsilon"] * s6 * (s6 - 1), -24 * pair["epsilon"] * s6 * (2 * s6 - 1) / r

    at_cutoff, slope_at_cutoff = plain(rc)
    shift = at_cutoff if pair["truncation"] != "cut" else 0
    slope = slope_at_cutoff if pair["truncation"] == "force-shift" else 0
    r = np.where(near, np.sqrt(r2 + pair["softening"] ** 2), 1.0)
    u, du = plain(r)
    u = np.where(near, u - shift - slope * (r - rc), 0)
    f = np.where(near, -(du - slope) / r, 0)
    force = np.zeros_like(x)
    force[:, :dim] = np.sum(f[:, :, None] * d, axis=1) + pair["mass"] * np.asarray(gravity)[:dim]
    energy = np.sum(u, axis=1) / 2
    if pair["tail"]:  # Allen & Tildesley 2017, eq. 2.144
        s3 = (pair["sigma"] / pair["cutoff"]) ** 3
        energy += 8 / 3 * np.pi * len(x) / np.prod(length) * pair["epsilon"] * (
            pair["sigma"] ** 3) * (s3**3 / 3 - s3)
    return force, energy


def check(name, text, gates=(1e-11, 1e-12), gravity=(0, 0, 0), **keys):
    """gates: of a particle's force and energy, over the largest; of the sum of energies. A sum of
    55 neighbours in double rounds at 1e-15 of its terms, which are up to 1e3 times the sum."""
    run = Case(text).run(name.replace(" ", "-"), **keys)
    table, config = run.energy(), {k.replace("__", "."): v for k, v in keys.items()}
    config.setdefault("pair.cutoff", 2.5)
    for snapshot in (run[0], run[-1]):
        fluid, what = snapshot.fluid, f"{name}, step {snapshot.step}"
        force, energy = reference(snapshot, config, gravity)
        scale = max(largest(force), 10.0)  # in the lattice of the start their terms cancel
        at_most(largest(fluid.force - force) / scale, gates[0], f"{what}: forces")
        at_most(largest(fluid.potential_energy - energy) / largest(energy), 1e-12,
                f"{what}: energies")
        pair = table["pair"][table["step"] == snapshot.step][0]
        at_most(np.sum(fluid.potential_energy) / pair - 1, gates[1], f"{what}: their sum")
        total = np.sum(fluid.force, axis=0) - np.sum(fluid.mass) * np.asarray(gravity)
        at_most(largest(total) / scale, 10 * gates[0], f"{what}: the sum of forces")


def check_physics():
    for truncation in ("cut", "shift", "force-shift"):
        check(f"melt {truncation}", MELT, pair__truncation=truncation)
        check(f"soft {truncation}", MELT, pair__truncation=truncation, pair__softening=0.3)
    check("tail", MELT, pair__tail=True, pair__sigma=1.02, pair__epsilon=0.9, pair__mass=1.5)
    check("two cells", MELT, pair__cutoff=4.9)
    check("three cells", MELT, pair__cutoff=3.3)
    check("sheet", SHEET, pair__truncation="force-shift")
    check("drop", DROP, gravity=(0.0, 0.5, -2.0))
    # Float: each of some 55 terms rounds at 6e-8, and some are 30 times the sum.
    check("float", MELT, gates=(1e-5, 1e-6), backend__precision="float")


def check_off():
    """Without the key there is neither array, and the state has the same bits with it."""
    shown = Case(MELT).run("shown")
    plain = Case(MELT, output__forces=False).run("plain")
    arrays = plain[-1].fluid.fields
    ok("force" not in arrays and "potential_energy" not in arrays, "off: no arrays", arrays)
    unequal = differences(shown, plain)
    ok(not unequal, "on: the same state and tables", unequal)
    with h5py.File(shown[-1].path) as file:
        array = file["VTKHDF/PointData/PotentialEnergy"]
        ok(array.shape == (864,) and file["VTKHDF/PointData/Force"].shape == (864, 3), "shapes")


def about():
    return json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True,
                                     text=True).stdout)


def check_devices():
    """Every other backend that runs here: it copies the same accelerations, to rounding."""
    for name in (b["name"] for b in about()["backends"] if b["usable"] and b["name"] != "cpu"):
        check(f"melt on {name}", MELT, backend__name=name)
        check(f"melt on {name} in float", MELT, gates=(1e-5, 1e-6), backend__name=name,
              backend__precision="float")


def check_ranks():
    melt = os.path.join(ROOT, "configs/lennard_jones.cfg")
    said = subprocess.run([SLUICE, "check", melt, "--set", "output.forces=true", "--ranks", "1,2"],
                          capture_output=True, text=True)
    ok(said.returncode == 2 and "there are 2 ranks: start one" in said.stderr,
       "check --ranks refuses two ranks before a run does", said.stderr)
    info = about()
    if not info["mpi"] or not shutil.which(info["mpirun"]):
        return
    run = Case(MELT).run("ranks", ranks=2, expect=(2,))
    ok(run.code == 2 and "output.forces: one process alone" in run.said, "two ranks: refused",
       run.said)


check_devices()
if os.environ.get("SLUICE_TEST_BACKEND") in (None, "cpu"):
    write_drop()
    check_physics()
    check_off()
    check_ranks()
finish()

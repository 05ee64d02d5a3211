#!/usr/bin/env python3
"""Runs the shipped cases and holds them against experiments, closed forms and published values.

  validate_main_path.py [CASE...] [--out DIR] [--sluice PROGRAM] [--backend NAME] [--write PAGE]
                        [--pictures DIR]

Without CASE: all but those marked long. Runs lie in DIR (out/validate); one that was finished with
the same arguments is used again, unless --again. Each check prints its number, gate and verdict.
Exit codes: 0 all pass, 1 one does not, 2 usage, 3 a run failed.

--write puts the results of all cases made so far into the tables of a page (docs/validation.md),
--pictures draws their pictures into a folder (docs/pictures).
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from plot.modules import require  # noqa: E402

require("numpy", "matplotlib", "h5py")
import numpy as np  # noqa: E402

from plot import measure, reference  # noqa: E402
from plot.checks import Check, write_page  # noqa: E402
from plot.run_folder import FolderError, RunFolder, Snapshot  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONFIGS = os.path.join(ROOT, "configs")
CASES = {}


def case(name, about, long=False):
    def register(function):
        CASES[name] = (function, about, long)
        return function

    return register


class Runner:
    def __init__(self, program, out, again, threads, backend="cpu"):
        self.program, self.out, self.again, self.threads = program, out, again, threads
        self.backend = backend

    def run(self, name, config, **settings):
        """The folder of a run of a shipped config with some keys changed; __ stands for a dot."""
        folder = os.path.join(self.out, name)
        pairs = [f"{key.replace('__', '.')}={value}" for key, value in settings.items()]
        stamp = json.dumps([config, self.backend] + pairs)
        stamp_path = folder + ".done"
        done = os.path.exists(stamp_path) and open(stamp_path).read() == stamp
        if done and not self.again:
            return RunFolder(folder)
        if os.path.exists(stamp_path):
            os.remove(stamp_path)
        command = [
            self.program,
            "run",
            os.path.join(CONFIGS, config),
            "--out",
            folder,
            "--force",
            "--quiet",
            "--threads",
            str(self.threads),
            "--backend",
            self.backend,
        ]
        for pair in pairs:
            command += ["--set", pair]
        print("  $ sluice run", " ".join([f"configs/{config}"] + command[9:]), flush=True)
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        # 1 means that it ran and its energy verdict failed: the checks here say by how much.
        if result.returncode not in (0, 1):
            raise FolderError(f"exit {result.returncode}: {result.stderr.strip()[-800:]}")
        with open(stamp_path, "w") as file:
            file.write(stamp)
        return RunFolder(folder)


def header(run):
    return Snapshot(run.snapshots()[0][0]).header


def scalar(value):
    return float(np.ravel(value)[0])


def identity_check(run, precision):
    gate = 1e-12 if precision == "double" else 1e-5
    return Check(f"{run.name}: power identity", measure.largest(run.energy()["identity"]), gate)


# --- Cases -------------------------------------------------------------------------------------


@case("martin-moyce-40", "dam break, a/40: front against Martin & Moyce 1952, table 2")
def martin_moyce_40(runner):
    return martin_moyce(runner, 40)


@case("martin-moyce-80", "dam break, a/80: the same, twice as fine", long=True)
def martin_moyce_80(runner):
    return martin_moyce(runner, 80)


def martin_moyce(runner, fineness):
    a, g = 0.05715, 9.81
    unit = math.sqrt(a / (2 * g))
    run = runner.run(f"martin-moyce-{fineness}", "dam_break.cfg", spacing=a / fineness)
    comparison = reference.known(run.title)[0]
    result = comparison.error(run.probes()[comparison.probe])
    if not result:
        raise FolderError(f"{run.path}: the front does not cover T = 1 .. 3")
    error, shift, at, points = result
    note = f"{points} points of 1 <= T <= 3, worst at T = {at:g}, shift {shift:+.3f}"
    return [
        Check(f"a/{fineness}: front, largest relative error", error, 0.05, note=note),
        Check(
            f"a/{fineness}: residual until T = 4", measure.residual_share(run, 0, 4 * unit), 1e-5
        ),
        Check(f"a/{fineness}: residual, whole run", measure.residual_share(run), 1e-3),
        Check(
            f"a/{fineness}: fluid's distance from the tank's faces, dp",
            measure.distance_from_faces(run) / run.setting("spacing", 1.0),
            math.inf,
            low=0.0,
            note="smallest in all snapshots; negative: inside a wall",
        ),
        identity_check(run, run.setting("backend.precision", "float")),
    ]


def still_water(runner, precision):
    run = runner.run(
        f"still-water-{precision}", "still_water.cfg", backend__precision=f'"{precision}"'
    )
    table, head = run.energy(), header(run)
    fluid = next(s for s in run.setting("geometry", []) if s.get("type") == "fluid")
    depth = fluid["max"][-1] - fluid["min"][-1]
    gravity = abs(run.setting("gravity", [0, -9.81])[run.dimension - 1])
    exact = measure.tait_floor_pressure(
        scalar(head["Rho0"]),
        scalar(head["C0"]),
        float(run.setting("fluid.gamma", 7.0)),
        gravity,
        depth,
    )
    at_floor, _, snapshots = measure.floor_pressure(run, depth)
    weight = run.reference_energy(table)
    end = table["time"][-1] * math.sqrt(gravity / depth)
    note = f"{at_floor:.2f} Pa, exact {exact:.2f} Pa, {snapshots} snapshots"
    last = measure.in_time(table, 0.8 * table["time"][-1], np.inf)["kinetic"] / weight
    return [
        Check(f"{precision}: duration t sqrt(g/H)", end, math.inf, low=49.95),
        Check(f"{precision}: kinetic energy / (m g H), at the end", last[-1], 1e-7),
        Check(
            f"{precision}: kinetic energy / (m g H), largest of the last fifth",
            measure.largest(last),
            None,
        ),
        Check(
            f"{precision}: floor pressure, relative error",
            at_floor / exact - 1,
            0.005,
            low=-0.005,
            note=note,
        ),
        Check(f"{precision}: residual / (m g H)", measure.residual_share(run), 1e-8),
        identity_check(run, precision),
    ]


@case("still-water-double", "still water, H/dp = 32, in double")
def still_water_double(runner):
    return still_water(runner, "double")


@case("still-water-float", "still water, H/dp = 32, in float")
def still_water_float(runner):
    return still_water(runner, "float")


@case(
    "acoustic", "acoustic wave without dissipation: order of the energy residual in the time step"
)
def acoustic(runner):
    # Sizes measured on a prototype of the same scheme, docs/theory.md; a factor of 3 either way.
    expected = {0.4: 3.1e-2, 0.2: 3.7e-3, 0.1: 4.6e-4, 0.05: 5.8e-5}
    checks, sizes = [], []
    for cfl, size in expected.items():
        run = runner.run(
            f"acoustic-cfl-{cfl:g}",
            "acoustic_wave.cfg",
            time__cfl=cfl,
            time__predictor=0.2,
            backend__precision='"double"',
            energy__tolerance=1,
        )
        sizes.append(measure.residual_share(run))
        checks.append(
            Check(
                f"CFL {cfl:g}: residual / E",
                sizes[-1],
                3 * size,
                low=size / 3,
                note=f"prototype {size:g}",
            )
        )
        checks.append(identity_check(run, "double"))
    for i, cfl in enumerate(list(expected)[1:]):
        order = math.log2(sizes[i] / sizes[i + 1])
        checks.append(Check(f"order between CFL {2 * cfl:g} and {cfl:g}", order, 3.2, low=2.8))
    run = runner.run("acoustic-shipped", "acoustic_wave.cfg")
    checks.append(Check("as shipped: residual / E", measure.residual_share(run), 2e-4))
    return checks


@case("standing-wave", "standing gravity wave: frequency against linear theory")
def standing_wave(runner):
    run = runner.run("standing-wave", "standing_wave.cfg")
    low, high = run.setting("domain.min", [0, 0]), run.setting("domain.max", [1, 1])
    fluid = next(s for s in run.setting("geometry", []) if s.get("type") == "fluid")
    depth = fluid["max"][-1] - fluid["min"][-1]
    wave = next(i for i in run.setting("initial", []) if i.get("kind") == "gravity-wave")
    k = math.pi * wave["mode"][0] / (high[0] - low[0])  # half waves across the domain
    omega = math.sqrt(abs(run.setting("gravity", [0, -9.81])[1]) * k * math.tanh(k * depth))
    measured = measure.wave_frequency(run.energy(), omega)
    note = f"{measured:.4f} 1/s, linear theory {omega:.4f} 1/s"
    return [
        Check("frequency, relative error", measured / omega - 1, 0.02, low=-0.02, note=note),
        Check(
            "residual / reference",
            measure.residual_share(run),
            float(run.setting("energy.tolerance", 1e-3)),
        ),
        identity_check(run, run.setting("backend.precision", "float")),
    ]


DROP = {
    "double": {"backend__precision": '"double"'},
    "float": {"backend__precision": '"float"'},
    "float-shift-1e4": {"backend__precision": '"float"', "domain__frame_shift": "[10000, 10000]"},
    "float-shift-1e6": {
        "backend__precision": '"float"',
        "domain__frame_shift": "[1000000, 1000000]",
    },
}


@case("drop", "oscillating drop: period, and the residual of float against double", long=True)
def drop(runner):
    checks, residual = [], {}
    for name, settings in DROP.items():
        run = runner.run(f"drop-{name}", "drop.cfg", **settings)
        residual[name] = measure.residual_share(run)
        steps = run.energy()["step"][-1]
        checks.append(
            Check(f"{name}: residual / E", residual[name], 1e-7, note=f"{steps:.0f} steps")
        )
        if name != "double":
            checks.append(
                Check(f"{name}: residual over double's", residual[name] / residual["double"], 3.0)
            )
        checks.append(identity_check(run, "double" if name == "double" else "float"))
    period, periods = measure.drop_period(RunFolder(os.path.join(runner.out, "drop-double")))
    strength = float(run.setting("forces", [{}])[0].get("strength", 1.0))
    exact = 4.567374 / strength  # sigma0 = B/2: data/reference/oscillating_drop.csv
    note = f"{period:.4f} s over {periods} periods, exact {exact:.4f} s"
    checks.append(Check("period, relative error", period / exact - 1, 0.02, low=-0.02, note=note))
    return checks


@case("lennard-jones", "LAMMPS bench/in.lj at step 0: energy and pressure")
def lennard_jones(runner):
    run = runner.run(
        "lennard-jones-0", "lennard_jones.cfg", time__max_steps=1, backend__precision='"double"'
    )
    table = {name: values[0] for name, values in run.energy().items()}
    expected = {"Epair": -6.7733681, "P": -5.0197073, "T": 1.44}
    measured = {
        "Epair": table["pair"] / table["particles"],
        "P": table["pressure"],
        "T": table["temperature"],
    }
    return [
        Check(
            f"{name}: difference",
            abs(measured[name] - value),
            5.1e-8,
            note=f"{measured[name]:.9f}, LAMMPS {value}",
        )
        for name, value in expected.items()
    ]


@case(
    "lennard-jones-nve", "864 particles, 1e5 steps of 0.002, force-shifted: energy drift", long=True
)
def lennard_jones_nve(runner):
    checks, sizes = [], {}
    for dt, steps in ((0.004, 50000), (0.002, 100000)):
        run = runner.run(
            f"lennard-jones-nve-{dt:g}",
            "lennard_jones.cfg",
            lattice__cells="[6, 6, 6]",
            thermal__temperature=0.7,
            pair__truncation='"force-shift"',
            time__step=dt,
            time__max_steps=steps,
            time__end=1e9,
            backend__precision='"double"',
            energy__every=round(0.02 / dt),  # at the same times; the largest is early, as it melts
            output__every=0,
        )
        table = run.energy()
        sizes[dt] = measure.largest(table["total"] - table["total"][0]) / table["particles"][0]
        gate = 1e-4 if dt == 0.002 else None
        checks.append(
            Check(
                f"dt {dt:g}: |dE|/N", sizes[dt], gate, note=f"{table['particles'][0]:.0f} particles"
            )
        )
    checks.append(Check("order in dt", math.log2(sizes[0.004] / sizes[0.002]), 2.5, low=1.5))
    return checks


@case("dam-break-3d", "SPHERIC test 2 at dp = 0.02: residual, arrival of the wave", long=True)
def dam_break_3d(runner):
    run = runner.run("dam-break-3d", "dam_break_3d.cfg")
    reached = run.energy()["time"][-1]
    checks = [
        Check(f"residual until {reached:.2f} s", measure.residual_share(run), 1e-3),
        identity_check(run, run.setting("backend.precision", "float")),
    ]
    probes = {c.probe: c for c in reference.known(run.title) if c.probe in run.probes()}
    measured = {name: c.measured(run.probes()[name]) for name, c in probes.items()}
    expected = {name: c.reference() for name, c in probes.items()}
    arrival = [measure.first_above(*p["P1"], 1000.0) for p in (measured, expected)]
    note = f"first above 1 kPa at {arrival[0]:.3f} s, experiment {arrival[1]:.3f} s"
    late = arrival[0] - arrival[1]
    checks.append(Check("P1: arrival, s late", late, 0.05, low=-0.05, note=note))
    end = measured["P1"][0][-1]
    impulse = [measure.integral(*p["P1"], end) for p in (measured, expected)]
    note = f"{impulse[0]:.0f} Pa s until {end:.2f} s, experiment {impulse[1]:.0f} Pa s"
    checks.append(
        Check("P1: impulse, relative error", impulse[0] / impulse[1] - 1, None, note=note)
    )
    for name in ("H4", "H2"):
        off = measure.rms_difference(*measured[name], *expected[name])
        checks.append(Check(f"{name}: root mean square difference, m", off, None))
    return checks


# --- Results -----------------------------------------------------------------------------------


def draw(out, folder):
    """The pictures that docs/validation.md shows, of the runs that are there."""
    os.makedirs(folder, exist_ok=True)
    plot = os.path.join(ROOT, "tools", "sluice_plot.py")
    wanted = (
        ("martin-moyce-40", "picture", "dam_break", 4),
        ("martin-moyce-40", "energy", "dam_break_energy", 4),
        ("drop-double", "picture", "drop", 6),
        ("dam-break-3d", "comparison", "dam_break_3d", 4),
    )
    for run, picture, name, snapshots in wanted:
        source = os.path.join(out, run)
        if not os.path.exists(source + ".done"):
            continue
        command = [sys.executable, plot, source, "--snapshots", str(snapshots)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        drawn = os.path.join(source, picture + ".png")
        shutil.copy(drawn, os.path.join(folder, name + ".png"))


def version_of(program):
    result = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return result.stdout.strip().splitlines()[0] if result.stdout.strip() else "unknown version"


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--out", default=os.path.join("out", "validate"))
    built = os.path.join(ROOT, "build", "sluice")
    built = built if os.path.exists(built) else "sluice"
    parser.add_argument("--sluice", default=os.environ.get("SLUICE", built))
    parser.add_argument("--backend", default="cpu", help="of each run: cpu, cuda, hip")
    parser.add_argument("--threads", type=int, default=0, help="of each run; 0: all there are")
    parser.add_argument("--again", action="store_true", help="run again what was run before")
    parser.add_argument("--write", metavar="PAGE", help="fill the tables of this page")
    parser.add_argument("--pictures", metavar="DIR", help="draw the pictures into this folder")
    args = parser.parse_args()
    unknown = [name for name in args.cases if name not in CASES and name != "all"]
    if unknown:
        parser.error(f"no case {', '.join(unknown)}: there are {', '.join(CASES)}, and all")
    return args


def judge(name, runner, version):
    """Runs a case, prints its checks; its rows, or None when a run failed."""
    print(f"{name}: {CASES[name][1]}", flush=True)
    try:
        checks = CASES[name][0](runner)
    except (FolderError, KeyError, StopIteration) as error:
        print(f"  FAILED: {error!r}")
        return None
    for check in checks:
        what, value, gate, verdict, note = check.row()
        print(f"  {verdict:5} {what}: {value}  ({gate})  {note}", flush=True)
    return {
        "rows": [check.row() for check in checks],
        "passed": all(c.passed for c in checks),
        "version": version,
    }


def main():
    args = parse_arguments()
    if args.list:
        for name, (_, about, long) in CASES.items():
            print(f"{name:22} {about}{' (long)' if long else ''}")
        return 0
    chosen = args.cases or [name for name, (_, _, long) in CASES.items() if not long]
    chosen = list(CASES) if "all" in chosen else chosen
    os.makedirs(args.out, exist_ok=True)
    store = os.path.join(args.out, "results.json")
    results = json.load(open(store)) if os.path.exists(store) else {}
    version = version_of(args.sluice)
    runner = Runner(args.sluice, args.out, args.again, args.threads, args.backend)
    failed = []
    for name in chosen:
        result = judge(name, runner, version)
        if result is None:
            failed.append(name)
            continue
        results[name] = result
        with open(store, "w") as file:
            json.dump(results, file, indent=1)
    if args.write:
        write_page(args.write, results)
    if args.pictures:
        draw(args.out, args.pictures)
    if failed:
        return 3
    return 0 if all(results[name]["passed"] for name in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())

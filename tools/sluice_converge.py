#!/usr/bin/env python3
"""Runs a case at three spacings and says how far each of its numbers can be trusted.

  sluice_converge.py CONFIG [--ratio R | --spacings A,B,C] [--finer] [--set KEY=VALUE ...]

The finest spacing is the config's own; the others are R and R^2 times as large. A finished run of
the same config, keys and version in the folder is used again. For each probe and for the energy
budget: the values, the observed order, the error bar, the extrapolated value, the verdict.
Exit codes: 0 done, whatever the verdicts; 2 usage or config; 3 a file, a module or the program is
missing or wrong; that of a run that failed.
"""

import dataclasses
import json
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, end_with_reader, require, save_figure  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402
from converge import numbers_of_runs, report  # noqa: E402
from converge.spacings import Shapes  # noqa: E402
from converge.order import CONVERGING, FORMAL_ORDER, SAFETY, SAFETY_BEYOND, judge  # noqa: E402
from sluice import ProgramError  # noqa: E402
from validate.runner import ROOT, Runner  # noqa: E402

LEAST_RATIO = 1.3  # of spacings (Celik et al. 2008)
VOLUME = 0.01  # of a shape, between runs: more is said, as `sluice check` does
TIME = 0.02  # of the time of the longest run: if more is not compared, it is said


class Refused(Exception):
    """The program's check, or this tool, refuses the case. Has the exit code."""

    def __init__(self, text, code=2):
        super().__init__(text)
        self.code = code


def warn(text):
    print(f"sluice converge: warning: {text}", file=sys.stderr, flush=True)


def arguments():
    parser = ArgumentParser("sluice converge", __doc__)
    parser.add_argument("config", help="a config file")
    parser.add_argument("--ratio", type=float, help="between spacings (default 2)")
    parser.add_argument("--spacings", help="the three spacings, m: A,B,C")
    parser.add_argument(
        "--finer", action="store_true", help="the config's spacing is the coarsest, not the finest"
    )
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--backend", help="of the runs")
    parser.add_argument("--strategy", help="of the runs")
    parser.add_argument("--precision", help="of the runs")
    parser.add_argument("--threads", type=int, help="of each run; 0: the fastest")
    parser.add_argument("--out", help="folder of the runs (default out/CONFIG's name_converge)")
    parser.add_argument("--again", action="store_true", help="repeat runs that are there")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    built = os.path.join(ROOT, "build", "sluice")
    built = built if os.path.exists(built) else "sluice"
    parser.add_argument("--sluice", default=os.environ.get("SLUICE", built), help="the program")
    args = parser.parse_args()
    if args.spacings and (args.ratio or args.finer):
        parser.error("--spacings names all three: --ratio and --finer do not go with it")
    args.ratio = 2.0 if args.ratio is None else args.ratio
    if not (1 < args.ratio < math.inf):
        parser.error(f"--ratio {args.ratio:g}: a number above 1 is needed, as 1.5 or 2")
    try:
        args.spacings = args.spacings and sorted(map(float, args.spacings.split(",")))[::-1]
    except ValueError:
        parser.error(f"--spacings {args.spacings}: three numbers with commas between are needed")
    if args.spacings and not (
        len(set(args.spacings)) == len(args.spacings) == 3 and 0 < args.spacings[2] < math.inf
    ):
        parser.error("--spacings needs three different numbers above 0")
    for name in ("strategy", "precision"):
        if getattr(args, name):
            args.set.append(f'backend.{name}="{getattr(args, name)}"')
    name = os.path.splitext(os.path.basename(args.config))[0]
    args.out = args.out or os.path.join("out", f"{name}_converge")
    return args


class Checker:
    """`sluice check` of the case; what it warns of is shown once."""

    def __init__(self, args, runner):
        self.args, self.runner, self.shown = args, runner, set()

    def check(self, changed):
        """The case with some keys changed, as `sluice check --json` prints it."""
        command = [self.runner.program, "check", self.args.config, "--json"]
        done = subprocess.run(command + self.runner.options(changed), capture_output=True,
                              text=True, check=False)
        for line in done.stderr.splitlines():
            if line not in self.shown:
                print(line, file=sys.stderr)
            self.shown.add(line)
        if done.returncode != 0:
            ours = len(changed) > len(self.args.set)  # the spacing is this tool's
            at = (f" at {changed[-1]}, see above; --finer begins at the config's spacing, --ratio"
                  " and --spacings choose others") if ours else ", see above"  # fmt: skip
            raise Refused(f"the case does not pass 'sluice check'{at}", done.returncode)
        case = json.loads(done.stdout)
        refuse_unfit(case)
        return case


def refuse_unfit(case):
    """Stops where the spacing of the config does not say how finely the fluid is resolved."""
    if case["model"] == "lj":
        raise Refused('model = "lj": its particles are atoms, there is no spacing to refine')
    if any(group["rows"] for group in case["groups"]):
        raise Refused(
            "particles come from a file, whose spacing stays as it is: give the fluid and the walls"
            " as shapes, or compare runs of three files by hand"
        )


def fitting(args, case, own, power):
    """The spacing own ratio^power, or one near it at which the shapes keep their volumes."""
    asked = float(f"{own * args.ratio**power:.12g}")
    taken = Shapes(case).best_near(asked, args.ratio)
    if taken != asked:
        print(f"dp {taken:g} takes the place of {asked:g}: it fits the lengths of the shapes",
              file=sys.stderr)
    return taken


def cases_of(args, checker):
    """The three spacings, from coarse to fine, and the case at each."""
    spacings, checked = args.spacings, {}
    if not spacings:
        case = checker.check(args.set)
        own = float(f"{case['spacing']:.12g}")
        powers = (0, -1, -2) if args.finer else (2, 1, 0)
        spacings = [fitting(args, case, own, power) if power else own for power in powers]
        checked = {own: case}
    if min(coarse / fine for coarse, fine in zip(spacings, spacings[1:])) < LEAST_RATIO - 1e-9:
        warn(f"spacings closer than {LEAST_RATIO:g} to 1 leave the order to noise (Celik et al."
             " 2008)")
    return spacings, [checked.get(h) or checker.check([*args.set, f"spacing={h:.12g}"])
                      for h in spacings]


def compare_volumes(spacings, cases):
    """Warns of shapes that are larger at one spacing than at another."""
    for shapes in zip(*(case["shapes"] for case in cases)):
        volumes = [shape["actual_volume"] for shape in shapes]
        if min(volumes) <= 0 or max(volumes) / min(volumes) - 1 <= VOLUME:
            continue
        listed = ", ".join(f"{v:.5g} at {h:g}" for v, h in zip(volumes, spacings))
        warn(
            f"shape '{shapes[0]['name']}' changes its volume with the spacing ({listed}), so the"
            " numbers change with the volume too: choose spacings that divide its lengths"
        )


def announce(runner, case, spacing, rate):
    """Says what is run next; rate: seconds a step and a particle, or None."""
    particles = case["fluid_particles"] + case["wall_particles"]
    work = particles * case["expected_steps"]
    about = f", about {work * rate:.0f} s" if rate else ""
    unit = "kg/m" if case["dimension"] == 2 else "kg"
    print(
        f"dp {spacing:g}: {case['fluid_particles']} fluid particles,"
        f" {case['fluid_mass'] + case['second_fluid_mass']:.6g} {unit}, about"
        f" {case['expected_steps']} steps{about}",
        file=sys.stderr, flush=True,
    )
    return work


def run_all(args, runner, spacings, cases):
    """The runs, coarse first."""
    runs, rate = [], None
    for spacing, case in zip(spacings, cases):
        work = announce(runner, case, spacing, rate)
        changed = [*args.set, f"spacing={spacing:.12g}"]
        run, stamp = runner.run_file(f"dp_{spacing:.12g}", args.config, changed)
        rate = stamp["seconds"] / work
        if stamp["exit"] == 1:
            warn(f"the energy of the run with dp {spacing:g} is not conserved: sluice energy"
                 f" {run.path}")
        runs.append(run)
    return runs


def compare_times(series):
    """Warns of probes that are compared over less time than a run has."""
    for probe, (until, longest) in {one.probe: (one.until, one.longest) for one in series}.items():
        if until <= 0:
            warn(f"{probe}: the start is all that the runs have of it in common")
        elif until < (1 - TIME) * longest:
            warn(f"{probe}: compared up to t = {until:.6g}, where the first run ends; one goes on"
                 f" to {longest:.6g}")


def judged_rows(spacings, series):
    rows = []
    for one in series:
        for what, unit, values in one.numbers():
            rows.append({
                "probe": one.probe, "column": one.column, "number": what, "unit": unit,
                "values": values, "judged": judge(spacings, values), "series": one,
            })
    return rows


def explain(rows, out):
    """The lines under the table: the meaning of its signs, and where the files are."""
    verdicts = [row["judged"] for row in rows]
    if any(judged.verdict == CONVERGING for judged in verdicts):
        print("\nThe error bar is of the value at the finest spacing (grid convergence index).")
    if any(judged.beyond for judged in verdicts):
        print(f"*: too large to be the scheme's, which is {FORMAL_ORDER:g} at most: the error bar"
              f" takes {FORMAL_ORDER:g},\n   and a factor of safety of {SAFETY_BEYOND:g} instead"
              f" of {SAFETY:g}.")
    if any(row["probe"] == "energy" for row in rows):
        print(f"{numbers_of_runs.SHARE}: of the reference energy of each run.")
    print(f"\n{os.path.join(out, 'converge.csv')}\n{os.path.join(out, 'converge.png')}")


def number_or_none(value):
    return value if math.isfinite(value) else None


def print_json(args, spacings, cases, runs, rows):
    listed = []
    for row in rows:
        judged = dataclasses.asdict(row["judged"])
        listed.append({
            **{key: row[key] for key in report.HEAD[:4]},
            "until": row["series"].until,
            "values": [number_or_none(value) for value in row["values"]],
            "verdict": judged.pop("verdict"),
            **{key: number_or_none(value) for key, value in judged.items()},
        })
    print(json.dumps({
        "verb": "converge", "exit": 0, "config": args.config, "folder": args.out,
        "runs": [
            {"spacing": h, "folder": run.path, "fluid_particles": case["fluid_particles"],
             "fluid_mass": case["fluid_mass"] + case["second_fluid_mass"]}
            for h, case, run in zip(spacings, cases, runs)
        ],
        "numbers": listed,
    }, indent=1))


def main():
    args = arguments()
    runner = Runner(args.sluice, args.out, args.backend, args.threads, args.again,
                    shown=sys.stderr)
    spacings, cases = cases_of(args, Checker(args, runner))
    compare_volumes(spacings, cases)
    os.makedirs(args.out, exist_ok=True)
    runs = run_all(args, runner, spacings, cases)

    series = numbers_of_runs.of_probes(runs, warn) + numbers_of_runs.of_energy(runs, warn)
    if not series:
        raise Refused("nothing to compare: the case has no probes and no energy budget")
    compare_times(series)
    rows = judged_rows(spacings, series)
    report.write_table(os.path.join(args.out, "converge.csv"), spacings, rows)
    figure = report.picture(runs[0], spacings, series, rows)
    save_figure(figure, os.path.join(args.out, "converge.png"))
    plt.close(figure)
    if args.json:
        print_json(args, spacings, cases, runs, rows)
    else:
        report.print_table(spacings, rows)
        explain(rows, args.out)


if __name__ == "__main__":
    end_with_reader()
    try:
        main()
    except (Refused, ProgramError) as error:
        print(f"sluice converge: {error}", file=sys.stderr)
        sys.exit(error.code if error.code in (2, 3, 4, 5) else 3)
    except OSError as error:
        print(f"sluice converge: {error}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        print("sluice converge: stopped; the next call uses the finished runs", file=sys.stderr)
        sys.exit(130)

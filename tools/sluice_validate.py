#!/usr/bin/env python3
"""Runs the reference cases; compares them with experiments, closed forms and published values.

  sluice_validate.py [CASE...] [--quick] [--resolution N,...] [--backend NAME] [--jobs N]
                     [--out DIR]

Without CASE: all of them, about 75 minutes on two cores. Each check prints its number, its gate and
its verdict. Runs are in DIR; a run that this version of the program finished with the same keys on
the same backend is used again. With --jobs N, N cases run at once, long ones first; what they print
stays in order.
Exit codes: 0 every gate is met, 1 one is missed, 2 usage, 3 a file, a module or the program is
missing or wrong.
"""

import contextlib
import io
import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, end_with_reader, require  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402
from plot.checks import Check  # noqa: E402
from sluice import BlowUp, FileError, SluiceError  # noqa: E402
from validate import page  # noqa: E402
from validate.runner import ON_GPU, ROOT, Runner  # noqa: E402
from validate.suite import CASES, NOT_YET  # noqa: E402
from validate.trial import Trial, numbers_of  # noqa: E402


def arguments():
    parser = ArgumentParser("sluice validate", __doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="one of --list")
    parser.add_argument("--list", action="store_true", help="list the cases, and run nothing")
    parser.add_argument("--quick", action="store_true", help="only cases that take seconds")
    parser.add_argument("--resolution", metavar="N,...", help="resolutions to run")
    parser.add_argument("--backend", default="cpu", help="of the runs: cpu, cuda, hip (cpu)")
    parser.add_argument("--jobs", type=int, default=1, help="cases to run at once (1)")
    parser.add_argument("--threads", type=int, default=0,
                        help="of each run; 0: the fastest, or with --jobs its part of the cores")
    parser.add_argument("--out", default=os.path.join("out", "validate"), help="folder of the runs")
    parser.add_argument("--again", action="store_true", help="repeat runs that are there")
    parser.add_argument(
        "--reuse", action="store_true", help="use runs of other versions of the program too"
    )
    parser.add_argument("--write", metavar="PAGE", help="write results and pictures into this page")
    built = os.path.join(ROOT, "build", "sluice")
    built = built if os.path.exists(built) else "sluice"
    parser.add_argument("--sluice", default=os.environ.get("SLUICE", built), help="the program")
    args = parser.parse_args()
    unknown = [name for name in args.cases if name not in CASES]
    if unknown:
        parser.error(f"no case {', '.join(unknown)}: there are {', '.join(CASES)}")
    if args.jobs < 1:
        parser.error(f"--jobs {args.jobs}: at least 1 is needed")
    if args.jobs > 1 and args.threads == 0 and args.backend not in ON_GPU:
        args.threads = max(1, len(os.sched_getaffinity(0)) // args.jobs)
    try:
        args.resolution = args.resolution and numbers_of(args.resolution)
    except FileError as error:
        parser.error(str(error))
    return args


def list_cases():
    for case in CASES.values():
        marks = [word for word, on in (("quick", case.quick), ("long", case.long)) if on]
        where, on_gpu = (", ".join(f"{n:g}" for n in which)
                         for which in (case.resolutions, case.on_gpu))
        if on_gpu != where:
            marks.append(f"on a GPU {on_gpu}")
        print(f"{case.name:20} {case.title} ({'; '.join([where] * bool(where) + marks)})")
    for name, what in NOT_YET.items():
        print(f"{'-':20} {name}: not possible yet, needs {what}")


def resolutions_of(case, args):
    if args.resolution:
        return args.resolution
    if args.quick:
        return case.quick
    return case.on_gpu if args.backend in ON_GPU else case.resolutions


def judge(case, runner, resolutions):
    """Runs the case and prints its checks; returns its trial."""
    print(f"{case.name}: {case.title}", flush=True)
    trial = Trial(case.name, runner, resolutions, settings=case.settings)
    try:
        case.function(trial)
    except BlowUp as error:
        trial.checks.append(Check("every run reaches its end", float("nan"), 0, note=str(error)))
    trial.check_budgets()
    for check in trial.checks:
        what, value, gate, verdict, note = check.row()
        print(f"  {verdict:5} {what}: {value}  ({gate})  {note}", flush=True)
    return trial


def keep(args, trial):
    """Writes the results as numbers and figure into the folder of the runs, and onto the page."""
    rows = [check.row() for check in trial.checks]
    with open(os.path.join(args.out, f"{trial.name}.json"), "w") as file:
        json.dump({"rows": rows, "measured with": trial.versions}, file, indent=1)
    if trial.figure is not None:
        trial.figure.savefig(os.path.join(args.out, f"{trial.name}.png"))
    if args.write:
        page.write(args.write, {trial.name: trial}, CASES, NOT_YET)
    plt.close("all")


def run_case(name, runner, args):
    """Runs, judges and keeps a case: (its gates, how many of them it missed)."""
    trial = judge(CASES[name], runner, resolutions_of(CASES[name], args))
    keep(args, trial)
    return trial.gates, trial.missed


def run_silent_case(name, runner, args):
    """As run_case, and what it would print."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            result = run_case(name, runner, args)
    except SluiceError as error:  # its kinds with more than a text do not cross processes
        raise FileError(str(error)) from None
    return result, said.getvalue()


def run_at_once(chosen, runner, args):
    """run_case of the chosen cases, args.jobs at a time; prints in order: {name: result}."""
    results = {}
    with ProcessPoolExecutor(args.jobs, multiprocessing.get_context("fork")) as pool:
        waiting = {case.name: pool.submit(run_silent_case, case.name, runner, args)
                   for case in sorted(chosen, key=lambda case: not case.long)}
        try:
            for case in chosen:
                results[case.name], said = waiting[case.name].result()
                print(said, end="", flush=True)
        finally:
            for other in waiting.values():
                other.cancel()
    return results


def total(results):
    """Prints how many gates were missed, and where; the exit code."""
    misses = {name: missed for name, (_, missed) in results.items() if missed}
    gates = sum(gates for gates, _ in results.values())
    print(f"{len(results)} cases, {gates} gates, {sum(misses.values())} missed", end="")
    print(f": {', '.join(misses)}" if misses else "")
    return 1 if misses else 0


def able(case, args):
    """Whether the case has resolutions for the backend; FileError if a case by name has none."""
    if case.resolutions or resolutions_of(case, args):
        return True
    if case.name in args.cases:
        counts = ", ".join(f"{n:g}" for n in case.on_gpu)
        raise FileError(f"{case.name} has resolutions for a GPU alone, {counts}: give --backend"
                        " cuda or hip, or --resolution")
    return False


def main():
    args = arguments()
    if args.list:
        list_cases()
        return 0
    chosen = [CASES[name] for name in args.cases] or list(CASES.values())
    chosen = [case for case in chosen if case.quick or not args.quick]
    chosen = [case for case in chosen if able(case, args)]
    os.makedirs(args.out, exist_ok=True)
    runner = Runner(args.sluice, args.out, args.backend, args.threads, args.again, args.reuse)
    if args.jobs > 1:
        return total(run_at_once(chosen, runner, args))
    return total({case.name: run_case(case.name, runner, args) for case in chosen})


if __name__ == "__main__":
    end_with_reader()
    try:
        sys.exit(main())
    except (SluiceError, OSError) as error:
        print(f"sluice validate: {error}", file=sys.stderr)
        sys.exit(3)

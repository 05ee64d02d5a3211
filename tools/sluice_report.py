#!/usr/bin/env python3
"""Makes a report of a run, or of several side by side: one HTML file to open offline or to send.

  sluice_report.py RUN_DIR... [--out FILE] [--field NAME] [--snapshots N] [--hide NAME,...]
  sluice_report.py RUN_DIR... --json

The file has what ran and how it ended, the verdict, warnings, curves of all tables, times, and a
viewer of the water and the solids in which time is a slider. It is report.html in the first folder.
Exit codes: 0 done, 2 usage, 3 a file or a Python module is missing or wrong.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # of numpy's libraries: not used here
    os.environ.setdefault(name, "1")
from plot.modules import ArgumentParser, AskedError, require, run_tool  # noqa: E402

require("numpy", "matplotlib", "h5py", needed_by="sluice report")
from sluice import Run  # noqa: E402, I100
from sluice.whole_file import whole  # noqa: E402

MEGABYTE = 1_000_000
MOST_RUNS = 8  # each has a viewer with a drawing context of its own, of which browsers have 16


def arguments(words=None):
    parser = ArgumentParser("sluice report", __doc__)
    parser.add_argument("run_dir", nargs="+", help="the folder of a run; of several: side by side")
    parser.add_argument("--out", help="the file, or a folder (default RUN_DIR/report.html)")
    parser.add_argument("--field", default="speed", help="what colours the fluid (default speed)")
    parser.add_argument("--snapshots", type=int,
                        help="number of snapshots (default 100 in 2-D, 40 in 3-D)")
    parser.add_argument("--hide", default="", help="groups of walls that are not drawn: NAME,...")
    parser.add_argument("--limit", type=float, default=15.0, metavar="MB",
                        help="largest size of the file (default 15)")
    parser.add_argument("--threads", type=int, default=0, help="(default 0: one a processor)")
    parser.add_argument("--json", action="store_true", help="print the facts as JSON, write none")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    args = parser.parse_args(words)
    if args.snapshots is not None and args.snapshots < 1:
        parser.error(f"--snapshots {args.snapshots}: a whole number of at least 1 is needed")
    if not 4 <= args.limit <= 1000:
        parser.error(f"--limit {args.limit:g}: it must be from 4 to 1000 MB")
    if args.threads < 0:
        parser.error(f"--threads {args.threads}: a whole number of at least 0 is needed")
    if len(args.run_dir) > MOST_RUNS:
        parser.error(f"{len(args.run_dir)} runs: a report has {MOST_RUNS} at most")
    args.threads = args.threads or len(os.sched_getaffinity(0))
    return args


def file_of(args):
    """The path of the report."""
    path = args.out or args.run_dir[0]
    return os.path.join(path, "report.html") if os.path.isdir(path) else path


def modules_for(runs):
    """Checks for the packages that these runs need."""
    from report import viewer

    needs = ["plotly"]
    if any(len(run) and viewer.is_surface(run, run[0]) for run in runs):
        needs += ["scipy", "skimage"]
    require(*needs, needed_by="sluice report")


def viewers_of(runs, args, blocks, room, say):
    """The viewer's entry of each run, None of runs without snapshots."""
    from report.viewer import Viewer, aligned

    found = []
    for number, run in enumerate(runs):
        if not len(run):
            say(f"{run.path} has no snapshots, and no viewer")
            found.append(None)
            continue
        left = (room - blocks.size) / (len(runs) - number)
        viewer = Viewer(run, args, blocks, left)
        if viewer.lines:
            say(f"{run.path}: {'; '.join(viewer.lines)}")
        found.append(viewer.entry)
    if len({run.title for run in runs}) == 1:
        aligned([entry for entry in found if entry])
    return found


def make(runs, all_facts, args, say):
    from plot.several import label_of_runs
    from report import curves, page
    from report.packed import Block, Blocks

    blocks, block = Blocks(), Block()
    panels = curves.panels_of(runs, block, [facts["time"] for facts in all_facts])
    for line in panels.lines:
        say(line)
    report = {"runs": all_facts, "labels": label_of_runs(runs), "panels": panels.found,
              "curvesBlock": blocks.add(block.text()), "thinned": ""}  # fmt: skip
    if panels.thinned:
        report["thinned"] = (f"{panels.thinned} curves have more than {curves.POINTS} points; shown"
                             " are the least and the largest value of each interval.")  # fmt: skip
    lib = page.library()
    report["viewers"] = []
    bare = len(page.page_of(report, Blocks(), lib).encode())
    room = args.limit * MEGABYTE - bare
    report["viewers"] = viewers_of(runs, args, blocks, room, say)
    text = page.page_of(report, blocks, lib).encode()
    if len(text) > args.limit * MEGABYTE:
        raise AskedError(f"the report has {len(text) / MEGABYTE:.1f} MB, more than --limit"
                         f" {args.limit:g}: give fewer --snapshots, or a larger --limit")
    path = file_of(args)
    with whole(path) as temporary, open(temporary, "wb") as file:
        file.write(text)
    pictures = sum(len(entry["pictures"]) for entry in report["viewers"] if entry)
    say(f"{path}: {len(text) / MEGABYTE:.1f} MB, {pictures} pictures, {len(panels.found)} graphs")


def main():
    args = arguments()
    runs = [Run(path) for path in args.run_dir]
    from plot.several import check_alike
    from report import facts

    def say(text):
        if not args.quiet:
            print(text, file=sys.stderr if args.json else sys.stdout, flush=True)

    all_facts = [facts.facts_of(run) for run in runs]
    if args.json:
        print(json.dumps({"runs": all_facts, "differences": facts.differences(all_facts)}))
        return
    for line in check_alike(runs):
        say(line)
    modules_for(runs)
    make(runs, all_facts, args, say)


if __name__ == "__main__":
    run_tool("sluice report", main)

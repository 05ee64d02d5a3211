#!/usr/bin/env python3
"""Draws the results of a run: particles, comparison with a reference, probes, energy budget.

  sluice_plot.py RUN_DIR [--out DIR] [--field NAME] [--snapshots N | --times T,...]
  sluice_plot.py RUN_DIR [--camera VIEW] [--slice y=0.5] [--range LOW,HIGH] [--low-pass HZ]
  sluice_plot.py RUN_DIR --reference FILE --columns X,Y --probe NAME [--factors FX,FY]
  sluice_plot.py RUN_DIR RUN_DIR...

Pictures are PNG files (--format pdf, svg) in RUN_DIR or in DIR. Several runs are compared.
Exit codes: 0 done, 2 usage, 3 a file or a Python module is missing or wrong.
"""

import os
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, make_folder, require, run_tool, save_figure  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402

from plot import budget, fields, pictures, probes, reference, several  # noqa: E402
from plot.lowpass import LowPass, unused  # noqa: E402
from plot.studio import add_look, asked_of  # noqa: E402
from sluice import FileError, Run  # noqa: E402
from sluice.tables import value_columns  # noqa: E402


def arguments():
    parser = ArgumentParser("sluice plot", __doc__)
    parser.add_argument("run_dir", nargs="+", help="the folder of a run; of several: compare them")
    parser.add_argument("--out", help="folder of the pictures (default RUN_DIR)")
    parser.add_argument("--snapshots", type=int, help="number of snapshots to draw (default 4)")
    parser.add_argument(
        "--field",
        default="speed",
        help="what colours the particles: " + ", ".join(fields.FIELDS) + " (default speed)",
    )
    parser.add_argument("--times", help="draw the snapshots nearest to these times, s: T,...")
    add_look(parser)
    parser.add_argument("--format", default="png", choices=("png", "pdf", "svg"),
                        help="of the pictures; lines and text of pdf and svg are vectors")
    parser.add_argument("--low-pass", type=float, metavar="HZ",
                        help="filter forces and torques of probes above this frequency")
    parser.add_argument("--probe", help="the probe that --reference belongs to")
    parser.add_argument("--column", default="", help="the probe's column (default: its first)")
    parser.add_argument("--reference", help="a CSV file to compare the probe with")
    parser.add_argument("--columns", help="its columns: X,Y")
    parser.add_argument(
        "--factors", default="1,1", help="multiply time and value by these to get X and Y: FX,FY"
    )
    parser.add_argument("--label", help="name of the reference in the picture")
    args = parser.parse_args()
    if args.low_pass is not None and not 0 < args.low_pass < float("inf"):
        parser.error(f"--low-pass {args.low_pass:g}: a frequency in Hz above 0 is needed")
    if args.snapshots is not None and args.snapshots < 1:
        parser.error(f"--snapshots {args.snapshots}: a whole number of at least 1 is needed")
    if args.snapshots and args.times:
        parser.error("--snapshots and --times both choose snapshots: give one")
    try:
        args.times = args.times and [float(time) for time in args.times.split(",")]
    except ValueError:
        parser.error(f"--times {args.times}: numbers separated by commas are needed")
    if args.reference and not (args.columns and args.probe):
        parser.error("--reference needs --columns X,Y and --probe NAME")
    options = (args.probe, args.columns, args.column, args.label, args.factors != "1,1")
    if not args.reference and any(options):
        parser.error("--probe, --columns, --column, --factors, --label belong to --reference FILE")
    if len(args.run_dir) > 1:
        check_several(parser, args)
    return args


def check_several(parser, args):
    """Options that are of one run alone are refused."""
    given = {"times": args.times, "snapshots": args.snapshots, "reference": args.reference,
             "camera": args.camera, "zoom": args.zoom, "slice": args.slice, "range": args.range,
             "hide": args.hide, "field": args.field != "speed"}  # fmt: skip
    wrong = [name for name, value in given.items() if value]
    if wrong:
        parser.error(f"--{wrong[0]} is for one run, and {len(args.run_dir)} are given")


def comparison_of(args):
    try:
        x, y = args.columns.split(",")
        x_factor, y_factor = (float(factor) for factor in args.factors.split(","))
    except ValueError as error:
        raise FileError(
            f"--columns needs X,Y, and --factors two numbers FX,FY ({error})"
        ) from error
    return reference.Comparison(
        probe=args.probe,
        column=args.column,
        file=os.path.abspath(args.reference),
        x=x,
        y=y,
        x_factor=x_factor,
        y_factor=y_factor,
        label=args.label or os.path.basename(args.reference),
    )


class Pictures:
    """Saves figures, and prints the paths; `drawn` has them."""

    def __init__(self, args):
        self.out, self.format = args.out or args.run_dir[0], args.format
        self.drawn = []
        make_folder(self.out)

    def save(self, figure, name):
        if figure:
            path = os.path.join(self.out, f"{name}.{self.format}")
            save_figure(figure, path)
            plt.close(figure)
            self.drawn.append(path)
            print(path, flush=True)


def comparisons_of(args, run, not_compared):
    """The references of the run: the one asked for, or those that are known."""
    if not args.reference:
        return reference.known(run.title, run.config, not_compared)
    tables = run.probes()
    if args.probe not in tables:
        raise FileError(
            f"{run.path} has no probe '{args.probe}': it has {', '.join(tables) or 'none'}"
        )
    columns = value_columns(tables[args.probe])
    if columns[0].endswith("_0") and not args.column:
        raise FileError(f"probe '{args.probe}' is a line, and a reference is compared over "
                        f"time: name the point with --column, as {columns[0]}")  # fmt: skip
    return [comparison_of(args)]


def draw_run(args, run, pages):
    """All pictures of one run. Returns lines of text about them."""
    not_compared = []
    comparisons = comparisons_of(args, run, not_compared)
    name = fields.name_of(args.field)
    figure = pictures.main_picture(
        run, comparisons, args.snapshots or 4, name, args.times or None, asked_of(args)
    )
    pages.save(figure, "picture" if name == "speed" else f"picture_{name}")
    figure, lines = pictures.comparison_picture(run, comparisons)
    pages.save(figure, "comparison")
    low_pass = args.low_pass and LowPass(args.low_pass)
    pages.save(probes.probes_picture(run, args.times, low_pass), "probes")
    columns = (name for table in run.probes().values() if table.rows for name in table)
    lines += filter(None, [unused(low_pass, columns)])
    table = run.energy() if run.has("energy.csv") else None
    if table and table.rows:
        budget.check(table)
        pages.save(budget.picture(run, table, run.verdict), "energy")
        lines += filter(None, [budget.unfinished(run, table)])
    if not pages.drawn:
        raise FileError(
            f"{run.path} holds nothing to draw: no run.hdf.series, probe_*.csv or energy.csv"
            " with rows"
        )
    if not len(run):
        lines.append(f"no picture of particles: {run.path} has no snapshots")
    lines += [f"not compared with {label}: the title is the same, but the water starts elsewhere"
              for label in not_compared]  # fmt: skip
    return lines


def main():
    args = arguments()
    runs = [Run(path) for path in args.run_dir]
    pages = Pictures(args)
    if len(runs) > 1:
        low_pass = args.low_pass and LowPass(args.low_pass)
        figure, lines = several.compared_picture(runs, low_pass)
        pages.save(figure, "compare")
    else:
        lines = draw_run(args, runs[0], pages)
    for line in lines:
        print(line)
    if not pages.drawn:
        raise FileError("nothing was drawn: the runs have no tables with rows in common")


if __name__ == "__main__":
    run_tool("sluice plot", main)

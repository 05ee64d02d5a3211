#!/usr/bin/env python3
"""Draws the results of a run: particles, comparison with a reference, probes, energy budget.

  sluice_plot.py RUN_DIR [--out DIR] [--field NAME] [--snapshots N | --times T,...]
  sluice_plot.py RUN_DIR --reference FILE --columns X,Y --probe NAME [--factors FX,FY]

Pictures are PNG files in RUN_DIR or in DIR.
Exit codes: 0 done, 2 usage, 3 a file or a Python module is missing or wrong.
"""

import os
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, end_with_reader, require  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402

from plot import budget, fields, pictures, reference  # noqa: E402
from sluice import FileError, Run  # noqa: E402
from sluice.tables import value_columns  # noqa: E402


def arguments():
    parser = ArgumentParser("sluice plot", __doc__)
    parser.add_argument("run_dir", help="the folder of a run")
    parser.add_argument("--out", help="folder of the pictures (default RUN_DIR)")
    parser.add_argument("--snapshots", type=int, help="number of snapshots to draw (default 4)")
    parser.add_argument(
        "--field",
        default="speed",
        help="what colours the particles: " + ", ".join(fields.FIELDS) + " (default speed)",
    )
    parser.add_argument("--times", help="draw the snapshots nearest to these times, s: T,...")
    parser.add_argument("--probe", help="the probe that --reference belongs to")
    parser.add_argument("--column", default="", help="the probe's column (default: its first)")
    parser.add_argument("--reference", help="a CSV file to compare the probe with")
    parser.add_argument("--columns", help="its columns: X,Y")
    parser.add_argument(
        "--factors", default="1,1", help="multiply time and value by these to get X and Y: FX,FY"
    )
    parser.add_argument("--label", help="name of the reference in the picture")
    args = parser.parse_args()
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
    return args


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


def main():
    args = arguments()
    run = Run(args.run_dir)
    out = args.out or args.run_dir
    os.makedirs(out, exist_ok=True)
    not_compared = []
    if args.reference:
        probes = run.probes()
        if args.probe not in probes:
            raise FileError(
                f"{args.run_dir} has no probe '{args.probe}': it has {', '.join(probes) or 'none'}"
            )
        columns = value_columns(probes[args.probe])
        if columns[0].endswith("_0") and not args.column:
            raise FileError(f"probe '{args.probe}' is a line, and a reference is compared over "
                              f"time: name the point with --column, as {columns[0]}")
        comparisons = [comparison_of(args)]
    else:
        comparisons = reference.known(run.title, run.config, not_compared)

    drawn = []

    def save(figure, name):
        if figure:
            path = os.path.join(out, name)
            figure.savefig(path)
            plt.close(figure)
            drawn.append(path)

    figure = pictures.main_picture(
        run, comparisons, args.snapshots or 4, args.field, args.times or None
    )
    save(figure, "picture.png" if args.field == "speed" else f"picture_{args.field}.png")
    figure, lines = pictures.comparison_picture(run, comparisons)
    save(figure, "comparison.png")
    save(pictures.probes_picture(run), "probes.png")
    table = run.energy() if run.has("energy.csv") else None
    if table and table.rows:
        budget.check(table)
        save(budget.picture(run, table, run.verdict), "energy.png")
    if not drawn:
        raise FileError(
            f"{args.run_dir} holds nothing to draw: no run.hdf.series, probe_*.csv or energy.csv"
            " with rows"
        )
    for label in not_compared:
        lines.append(
            f"not compared with {label}: the title is the same, but the water starts elsewhere"
        )
    for line in lines + drawn:
        print(line)


if __name__ == "__main__":
    end_with_reader()
    try:
        main()
    except fields.AskedError as error:
        print(f"sluice plot: {error}", file=sys.stderr)
        sys.exit(2)
    except (FileError, OSError) as error:
        print(f"sluice plot: {error}", file=sys.stderr)
        sys.exit(3)

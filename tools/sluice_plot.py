#!/usr/bin/env python3
"""Draws the results of a run: particles, comparison with a reference, probes, energy budget.

  sluice_plot.py RUN_DIR [--out DIR] [--field NAME] [--snapshots N | --times T,...]
  sluice_plot.py RUN_DIR [--camera VIEW] [--slice y=0.5] [--range LOW,HIGH]
  sluice_plot.py RUN_DIR... [--probe NAME,...] [--body NAME,...] [--mooring NAME,...]
                 [--opening NAME,...] [--column NAME,...] [--from T] [--to T] [--low-pass HZ]
  sluice_plot.py FILE...
  sluice_plot.py RUN_DIR --reference FILE --columns X,Y --probe NAME [--factors FX,FY]

Pictures are PNG files (--format pdf, svg) in RUN_DIR or in DIR. Several runs are compared. A FILE
is a measurement of 'sluice measure', or particles as 'sluice check --write' writes them.
Exit codes: 0 done, 2 usage, 3 a file or a Python module is missing or wrong.
"""

import os
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, make_folder, require, run_tool, save_figure  # noqa: E402

require("numpy", "matplotlib", "h5py")
import matplotlib.pyplot as plt  # noqa: E402

from plot import bodies, budget, by_quantity, fields, files, pictures  # noqa: E402
from plot import probes, reference, several, shaken  # noqa: E402
from plot.choice import KINDS, add_choice, choice_of  # noqa: E402
from plot.modules import AskedError  # noqa: E402
from plot.studio import add_look, asked_of  # noqa: E402
from sluice import FileError, Run  # noqa: E402
from sluice.tables import value_columns  # noqa: E402


def arguments():
    parser = ArgumentParser("sluice plot", __doc__)
    parser.add_argument("run_dir", nargs="+", metavar="RUN_DIR",
                        help="the folder of a run, of several: compare them; or a file")
    parser.add_argument("--out", help="folder of the pictures (default RUN_DIR)")
    parser.add_argument("--snapshots", type=int, help="number of snapshots to draw (default 4)")
    parser.add_argument(
        "--field",
        help="what colours the particles: " + ", ".join(fields.FIELDS) + " (default speed)",
    )
    parser.add_argument("--times", help="draw the snapshots nearest to these times, s: T,...")
    add_look(parser)
    parser.add_argument("--format", default="png", choices=("png", "pdf", "svg"),
                        help="of the pictures; lines and text of pdf and svg are vectors")
    add_choice(parser)
    parser.add_argument("--reference", help="a CSV file to compare the probe with")
    parser.add_argument("--columns", help="its columns: X,Y")
    parser.add_argument(
        "--factors", default="1,1", help="multiply time and value by these to get X and Y: FX,FY"
    )
    parser.add_argument("--label", help="name of the reference in the picture")
    args = parser.parse_args()
    args.choice = choice_of(parser, args)
    if args.snapshots is not None and args.snapshots < 1:
        parser.error(f"--snapshots {args.snapshots}: a whole number of at least 1 is needed")
    if args.snapshots and args.times:
        parser.error("--snapshots and --times both choose snapshots: give one")
    try:
        args.times = args.times and [float(time) for time in args.times.split(",")]
    except ValueError:
        parser.error(f"--times {args.times}: numbers separated by commas are needed")
    check_reference(parser, args)
    args.of_files = any(files.is_file(path) for path in args.run_dir)
    if args.of_files:
        files.check(parser, args)
    elif args.column and not args.choice.is_of_tables and not args.reference:
        parser.error("--column belongs to --probe NAME, --body NAME, --mooring NAME or"
                     " --opening NAME")  # fmt: skip
    elif len(args.run_dir) > 1:
        check_several(parser, args)
    return args


def check_reference(parser, args):
    """--reference compares one probe, and then --probe and --column are no choice of curves."""
    if args.reference:
        if not (args.columns and args.probe):
            parser.error("--reference needs --columns X,Y and --probe NAME")
        choice = args.choice
        others = choice.bodies or choice.moorings or choice.openings
        if others or len(choice.probes) > 1 or len(choice.columns) > 1:
            parser.error("--reference is compared with one --probe NAME and one --column NAME")
        choice.probes = choice.columns = ()
    elif args.columns or args.label or args.factors != "1,1":
        parser.error("--columns, --factors, --label belong to --reference FILE")


def check_several(parser, args):
    """Options that are of one run alone are refused."""
    given = {"times": args.times, "snapshots": args.snapshots, "reference": args.reference,
             "camera": args.camera, "zoom": args.zoom, "slice": args.slice, "range": args.range,
             "hide": args.hide, "field": args.field}  # fmt: skip
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
        column=args.column or "",
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
        beside = os.path.dirname(args.run_dir[0]) or "." if args.of_files else args.run_dir[0]
        self.out, self.format = args.out or beside, args.format
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


def draw_tables(args, run):
    """({picture's name: figure}, lines of text) of probes, bodies, moorings and openings."""
    choice = args.choice
    found = {choice.picture("probes", ["probe"]): probes.probes_picture(run, args.times, choice)}
    found[choice.picture("bodies", ["body"])], lines = bodies.bodies_picture(run, choice)
    for kind in by_quantity.PANELS:
        figure, said = by_quantity.picture(run, kind, choice)
        found[choice.picture(f"{kind}s", [kind])] = figure
        lines += said
    if choice.is_of_tables:
        choice.check_columns([getattr(run, kind)(name) for kind in KINDS
                              for name in choice.names(run, kind)])  # fmt: skip
    lines += choice.missed + (choice.low_pass.remarks() if choice.low_pass else [])
    return found, lines


def draw_particles(args, run, pages, not_compared):
    """The picture of particles, and the comparisons. Returns lines of text about them."""
    comparisons = comparisons_of(args, run, not_compared)
    name = fields.name_of(args.field or "speed")
    among = None if args.times else args.choice.snapshots(run)
    figure = pictures.main_picture(
        run, comparisons, args.snapshots or 4, name, args.times or None, asked_of(args), among,
        args.choice.low_pass
    )
    pages.save(figure, "picture" if name == "speed" else f"picture_{name}")
    figure, lines = pictures.comparison_picture(run, comparisons, args.choice.low_pass)
    pages.save(figure, "comparison")
    return lines


def draw_energy(args, run, pages):
    """The energy budget. Returns lines of text about it."""
    table = run.energy() if run.has("energy.csv") else None
    if not table or not table.rows:
        return []
    budget.check(table)
    if args.choice.cut(table).rows:
        window = args.choice.start, args.choice.end
        pages.save(budget.picture(run, table, run.verdict, window), "energy")
    return list(filter(None, [budget.unfinished(run, table)]))


def draw_run(args, run, pages):
    """All pictures of one run, or those of the tables that are asked for. Returns lines of text
    about them."""
    not_compared, lines = [], []
    tables, said = draw_tables(args, run)
    if not args.choice.is_of_tables:
        lines += draw_particles(args, run, pages, not_compared)
    for name, figure in tables.items():
        pages.save(figure, name)
    lines += said
    if not args.choice.is_of_tables:
        figure, said = shaken.picture(run, args.choice)
        pages.save(figure, "acceleration")
        lines += said + draw_energy(args, run, pages)
    if not pages.drawn:
        raise_nothing(args.choice, run)
    if not len(run) and not args.choice.is_of_tables:
        lines.append(f"no picture of particles: {run.path} has no snapshots")
    lines += [f"not compared with {label}: the title is the same, but the water starts elsewhere"
              for label in not_compared]  # fmt: skip
    return lines


def raise_nothing(choice, run):
    """The error of a run of which nothing was drawn."""
    if choice.missed:
        raise AskedError(f"--from and --to leave nothing to draw: {'; '.join(choice.missed)}")
    raise FileError(
        f"{run.path} holds nothing to draw: no run.hdf.series, probe_*.csv, body_*.csv,"
        " mooring_*.csv, opening_*.csv or energy.csv with rows"
    )


def main():
    args = arguments()
    pages = Pictures(args)
    if args.of_files:
        lines = files.draw(args, pages)
    elif len(args.run_dir) > 1:
        figure, lines = several.compared_picture([Run(path) for path in args.run_dir], args.choice)
        pages.save(figure, args.choice.picture("compare"))
    else:
        lines = draw_run(args, Run(args.run_dir[0]), pages)
    for line in lines:
        print(line)


if __name__ == "__main__":
    run_tool("sluice plot", main)

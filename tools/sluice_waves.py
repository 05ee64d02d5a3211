#!/usr/bin/env python3
"""Analyses the wave gauges of a run: single waves, harmonics, spectra, reflection, theory.

  sluice_waves.py RUN_DIR [--probes NAME,...] [--from T] [--to T] [--loss PERCENT] [--out DIR]

The numbers go to the terminal, or with --json to one object; pictures are in RUN_DIR or DIR:
waves_gauges.png, of regular waves waves_flume.png, where there are spectra waves_spectrum.png.
Exit codes: 0 done, 2 usage or a run without such gauges, 3 a file or a Python module is missing or
wrong.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, make_folder, require, run_tool, save_figure  # noqa: E402

require("numpy", "matplotlib", "h5py", needed_by="sluice waves")
import matplotlib.pyplot as plt  # noqa: E402

from sluice import Run  # noqa: E402, I100
from waves import figures, report  # noqa: E402
from waves.analysis import analyse  # noqa: E402


def arguments():
    parser = ArgumentParser("sluice waves", __doc__)
    parser.add_argument("run_dir", help="the folder of a run")
    parser.add_argument("--probes", help="height probes: NAME,... (default: all)")
    parser.add_argument("--from", dest="start", type=float, help="start of the window, s")
    parser.add_argument("--to", dest="end", type=float, help="end of the window, s")
    parser.add_argument("--loss", type=float, metavar="PERCENT",
                        help="loss of height a wavelength, %%, as `check` prints it; default:"
                        " fitted for regular waves, else 0")
    parser.add_argument("--out", help="folder of the pictures (default RUN_DIR)")
    parser.add_argument("--no-plot", action="store_true", help="draw nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object alone")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    args = parser.parse_args()
    for name, value in (("from", args.start), ("to", args.end), ("loss", args.loss)):
        if value is not None and not abs(value) < float("inf"):
            parser.error(f"--{name} {value}: a finite number is needed")
    if args.loss is not None and not 0 <= args.loss < 50:
        parser.error(f"--loss {args.loss:g}: a percentage from 0 to 50 is needed")
    return args


def draw(result, out):
    """(paths of the pictures, those in whose place there was an earlier one)."""
    make_folder(out)
    files, replaced = [], []
    for name, figure in figures.pictures_of(result):
        files.append(os.path.join(out, f"{name}.png"))
        replaced += files[-1:] if os.path.lexists(files[-1]) else []
        save_figure(figure, files[-1])
        plt.close(figure)
    return files, replaced


def main():
    args = arguments()
    loss = None if args.loss is None else args.loss / 100
    result = analyse(Run(args.run_dir), args.probes, args.start, args.end, loss)
    files, replaced = ([], []) if args.no_plot else draw(result, args.out or args.run_dir)
    if args.json:
        print(json.dumps(report.json_of(result, files) | {"replaced": replaced}))
    elif not args.quiet:
        names = [f"{file}, in place of an earlier one" if file in replaced else file
                 for file in files]
        print("\n".join([*report.lines_of(result), *([""] * bool(files)), *names]))


if __name__ == "__main__":
    run_tool("sluice waves", main)

#!/usr/bin/env python3
"""Draws the energy budget of a run from its energy.csv: energies, works, residual, momentum.

  sluice_energy.py RUN_DIR [--out FILE.png] [--reference-energy JOULE]

The picture is RUN_DIR/energy.png or FILE.
Exit codes: 0 drawn, 2 usage, 3 a file or a Python module is missing or wrong.
"""

import dataclasses
import os
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, require, run_tool, save_figure  # noqa: E402

require("numpy", "matplotlib", "h5py")
from plot import budget  # noqa: E402
from sluice import FileError, Run  # noqa: E402


def main():
    parser = ArgumentParser("sluice energy", __doc__)
    parser.add_argument("run_dir", help="the folder of a run")
    parser.add_argument("--out", help="the picture (default RUN_DIR/energy.png)")
    parser.add_argument(
        "--reference-energy", type=float, help="what the residual is measured against, J"
    )
    args = parser.parse_args()
    run = Run(args.run_dir)
    if not run.has("energy.csv"):
        raise FileError(f"{args.run_dir} has no energy.csv: was it written by 'sluice run'?")
    table = run.energy()
    budget.check(table)
    judged = run.verdict
    if args.reference_energy:
        judged = dataclasses.replace(judged, reference=args.reference_energy)
    out = args.out or os.path.join(args.run_dir, "energy.png")
    os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
    save_figure(budget.picture(run, table, judged), out)
    print(out)


if __name__ == "__main__":
    run_tool("sluice energy", main)

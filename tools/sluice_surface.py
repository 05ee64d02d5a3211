#!/usr/bin/env python3
"""Makes the surface of a run's water: closed triangle meshes with normals and fields; and meshes of
its solids.

  sluice_surface.py RUN_DIR [--times T,... | --every N | --last] [--fields NAME,...]
  sluice_surface.py RUN_DIR --format ply|obj [--smooth N] [--phase 1|2|all]
  sluice_surface.py RUN_DIR --solids [--hide NAME,...]

Files are surface_NUMBER.hdf, .ply or .obj in RUN_DIR or --out DIR, and of solids solids_NUMBER;
ParaView opens surface.hdf.series and solids.hdf.series there.
Exit codes: 0 done, 2 usage or a run without such a surface, 3 a file or a Python module is missing
or wrong, 4 too little memory.
"""

import os
import sys
from concurrent.futures.process import BrokenProcessPool

sys.dont_write_bytecode = True
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # of numpy's libraries: not used here
    os.environ.setdefault(name, "1")
from plot.modules import ArgumentParser, AskedError, end_with_reader, require  # noqa: E402

require("numpy", "h5py", "scipy", "skimage", needed_by="sluice surface")
from surface import run_surfaces  # noqa: E402
from surface.fraction import TooLarge  # noqa: E402
from surface.values import FIELDS  # noqa: E402

import sluice  # noqa: E402, I100


def whole(parser, name, value, least):
    if value is not None and value < least:
        parser.error(f"--{name} {value}: a whole number of at least {least} is needed")


def arguments(words):
    parser = ArgumentParser("sluice surface", __doc__)
    parser.add_argument("run_dir", help="the folder of a run")
    parser.add_argument("--out", help="folder of the files (default RUN_DIR)")
    parser.add_argument("--times", help="the snapshots nearest to these times, s: T,...")
    parser.add_argument("--every", type=int, help="each Nth snapshot, from the first on")
    parser.add_argument("--last", action="store_true", help="the last snapshot alone")
    names = ", ".join(field.name for field in FIELDS.values())
    parser.add_argument("--fields", help=f"of {names} (default Velocity,Speed,Pressure); or none")
    parser.add_argument("--format", default="hdf",
                        help="hdf (ParaView), ply, or obj, without fields (default hdf)")
    parser.add_argument("--smooth", type=int, default=25, help="how often (default 25; 0: raw)")
    parser.add_argument("--phase", default="all", help="of two fluids: 1, 2, all (default all)")
    parser.add_argument("--solids", action="store_true", help="write walls and bodies, too")
    parser.add_argument("--hide", metavar="NAME,...", help="solids that are not written")
    parser.add_argument("--threads", type=int, default=0, help="(default 0: one a processor)")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    args = parser.parse_args(words)
    if sum([args.times is not None, args.every is not None, args.last]) > 1:
        parser.error("--times, --every and --last all choose snapshots: give one")
    try:
        args.times = args.times and [float(time) for time in args.times.split(",")]
    except ValueError:
        parser.error(f"--times {args.times}: numbers separated by commas are needed")
    whole(parser, "every", args.every, 1)
    whole(parser, "smooth", args.smooth, 0)
    whole(parser, "threads", args.threads, 0)
    if args.format not in run_surfaces.WRITERS:
        words = ", ".join(run_surfaces.WRITERS)
        parser.error(f"--format {args.format}: there are {words}")
    if args.hide and not args.solids:
        parser.error("--hide leaves out solids: it belongs to --solids")
    if args.phase not in ("1", "2", "all"):
        parser.error(f"--phase {args.phase}: there are 1, 2 and all")
    return args


def main(words=None):
    """The exit code. words: those after the tool's name; None: the command line's."""
    try:
        args = arguments(words)
        run_surfaces.make(sluice.Run(args.run_dir), args)
    except KeyboardInterrupt:
        return 130
    except (AskedError, sluice.NotThere) as error:
        code, text = 2, error
    except (sluice.FileError, OSError) as error:
        code, text = 3, error
    except TooLarge as error:
        code, text = 4, error
    except (MemoryError, BrokenProcessPool):
        code, text = 4, "a process was killed, as by a lack of memory: use fewer --threads"
    else:
        return 0
    print(f"sluice surface: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    end_with_reader()
    sys.exit(main())

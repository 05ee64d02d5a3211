"""Pictures of single files: measurements of `sluice measure`, and particles of one time, as `sluice
check --write` writes them."""

import json
import os

from plot import images, pictures, places
from plot.modules import AskedError
from plot.studio import asked_of
from sluice import FileError, Image, Run, Snapshot
from sluice.vtk_file import VtkFile

# Options that a file of each kind takes, besides --out and --format.
OPTIONS = {
    "table": ("times", "column", "start", "end"),
    "image": ("times", "snapshots", "field", "range", "slice", "start", "end"),
    "particles": ("field", "camera", "zoom", "slice", "range", "hide"),
}
NAMES = {"start": "from", "end": "to", "low_pass": "low-pass"}  # of options, where they differ
ALL = ("times", "snapshots", "field", "camera", "zoom", "slice", "range", "hide", "probe", "body",
       "mooring", "opening", "column", "start", "end", "low_pass", "reference")  # fmt: skip


class ParticleFile(Run):
    """A file of particles as a run of one snapshot, without tables."""

    def __init__(self, path):
        snapshot = Snapshot(path)
        self.path, self.name = path, os.path.basename(path)
        self.config = snapshot.config
        self.title = str(self.config.get("title", ""))
        self._entry = path, snapshot.time

    def _entries(self):
        return [self._entry]

    def _named(self, prefix, key):
        return []


def is_file(path):
    """Whether an argument is a file, or has the name of one."""
    named = path.endswith((".csv", ".hdf", ".series")) and not os.path.isdir(path)
    return named or os.path.isfile(path)


def check(parser, args):
    """Usage errors of files among the arguments."""
    if len(args.run_dir) > 1:
        parser.error(f"{len(args.run_dir)} arguments with files among them: give one file at a"
                     " time, or folders of runs to compare")
    if args.column and "," in args.column:
        parser.error(f"--column {args.column}: of a file one column")


def kind_of(path):
    """What a file holds: "table", "image" or "particles". FileError: something else."""
    if path.endswith(".csv"):
        return "table"
    if path.endswith(".series"):
        return "image"
    file = VtkFile(path)
    with file.open() as opened:
        what = opened["VTKHDF"].attrs.get("Type", b"") if "VTKHDF" in opened else b""
        types = "VTKHDF/PointData/ParticleType" in opened
    if bytes(what) == b"ImageData":
        return "image"
    if types:
        return "particles"
    raise FileError(f"{path} has neither an image of 'sluice measure' nor particles: ParaView opens"
                    " other files; give the folder of a run to draw that")  # fmt: skip


def check_options(args, kind):
    """AskedError: an option that would have no effect."""
    for name in ALL:
        if getattr(args, name) not in (None, "") and name not in OPTIONS[kind]:
            fit = ", ".join(f"--{NAMES.get(option, option)}" for option in OPTIONS[kind])
            raise AskedError(f"--{NAMES.get(name, name)} is not for {args.run_dir[0]}:"
                             f" a file like this takes {fit}")  # fmt: skip


def members(path):
    """[(path, time)] of a series of images, or of the one image."""
    if not path.endswith(".series"):
        return [(path, Image(path).time)]
    try:
        with open(path) as file:
            entries = [(entry["name"], float(entry["time"])) for entry in json.load(file)["files"]]
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{path} is no file series: {error}") from error
    return [(os.path.join(os.path.dirname(path), name), time) for name, time in entries]


def draw(args, pages):
    """Draws the file of the command line. Returns lines of text about it."""
    path = args.run_dir[0]
    kind = kind_of(path)
    check_options(args, kind)
    stem = os.path.basename(path).split(".")[0]
    if kind == "table":
        figure, lines = places.picture(path, args.choice, args.times)
    elif kind == "image":
        figure, lines = images.picture(members(path), args)
        stem += f"_{args.field.lower()}" if args.field else ""
    else:
        run = ParticleFile(path)
        start = "speed" if run[0].get("pressure") is None else "pressure"  # at rest no speed
        figure, lines = pictures.main_picture(run, [], 1, args.field or start, None,
                                              asked_of(args)), []  # fmt: skip
        stem += f"_{args.field.lower()}" if args.field else ""
    pages.save(figure, stem)
    return lines

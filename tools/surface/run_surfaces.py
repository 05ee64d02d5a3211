"""The surfaces of a run's snapshots: the choice of snapshots and particles, several surfaces at
once, and their files; and the solids beside them.
"""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np

import sluice
from sluice.errors import listed
from sluice.vtk_file import VtkFile

from plot.modules import AskedError, make_folder
from plot.processes import in_turn
from surface import files, values
from surface import solids as solid_meshes
from surface.level import surface_of

WRITERS = {"hdf": files.write_vtkhdf, "ply": files.write_ply, "obj": files.write_obj}
DEFAULT_FIELDS = "Velocity,Speed,Pressure"
MOST_RESIDUAL = 0.02  # of a volume, without a warning
MOST_MOVED = 0.5  # spacings, without a warning


@dataclass(frozen=True)
class Task:
    """The data with which a process makes one surface."""

    snapshot: str  # paths
    path: str
    time: float
    fields: tuple
    format: str
    smooth: int
    phase: str
    threads: int
    solids: object  # solid_meshes.Solids, or None
    solids_path: str


@dataclass(frozen=True)
class Made:
    """The report of one surface. Volumes of the mesh and of its water in m^3."""

    file: str
    time: float
    triangles: int
    volume: float
    fluid_volume: float
    moved: float  # spacings
    bodies: int
    bubbles: int
    lone: int
    left_out: int
    seconds: float
    solids_file: str = ""
    solids: tuple = ()  # solid_meshes.Part.row of each

    @property
    def residual(self):
        return self.volume / self.fluid_volume - 1 if self.fluid_volume else 0.0

    def line(self):
        parts = (
            f"{os.path.basename(self.file)}: t = {self.time:.5g} s",
            counted(self.triangles, "triangle"),
            f"{self.volume:.5g} m^3 ({self.residual:+.2%}, moved by {self.moved:.2f} dp)",
            counted(self.bodies, "body", "bodies"),
            counted(self.lone, "drop of one particle", "drops of one particle"),
            counted(self.bubbles, "bubble"),
            f"{self.seconds:.1f} s",
        )
        beside = f"; {os.path.basename(self.solids_file)}" if self.solids_file else ""
        return ", ".join(parts) + beside

    def row(self):
        found = {**asdict(self), "residual": self.residual}
        return found if self.solids_file else {name: value for name, value in found.items()
                                               if not name.startswith("solids")}  # fmt: skip


def counted(count, one, several=None):
    return f"{count:,} {one if count == 1 else several or one + 's'}"


# --- The request ---


def check_model(run, first):
    """Refuses runs whose particles bound no water."""
    if first.header.get("Units") == "lj":
        raise AskedError(f"{run.path} is a run of Lennard-Jones atoms, which have no surface of"
                         " water: 'sluice plot' draws them")
    if "internal_energy" in first.fields:
        raise AskedError(f"{run.path} is a run of a gas, which fills its space and has no surface:"
                         " 'sluice plot' draws it")
    if int(first.header["Dimension"]) == 2:
        raise AskedError(f"{run.path} is a run in 2-D, which has neither a surface of water nor"
                         " meshes of solids, but outlines: 'sluice plot' draws them")


def fields_of(names, first):
    """The chosen fields as keys of values.FIELDS."""
    known = first.fields
    there = {key: field for key, field in values.FIELDS.items() if field.array in known}
    chosen = []
    for name in names.split(",") if names.lower() != "none" else []:
        key = name.strip().lower()
        if key not in there:
            names = listed([field.name for field in there.values()], name.strip().capitalize())
            raise AskedError(f"--fields {name.strip()}: the snapshots of this run have no such"
                             f" field: {names}, and none")
        if key not in chosen:
            chosen.append(key)
    return tuple(chosen)


def chosen_numbers(run, args):
    """The numbers of the snapshots that args choose, in rising order."""
    count = len(run)
    if not count:
        raise sluice.FileError(f"{run.path} has no snapshots: run.hdf.series is missing, or names"
                               " none that exist: is it the folder of a run that has output?")
    if args.last:
        return [count - 1]
    if args.times:
        paths = [snapshot.path for snapshot in run]
        return sorted({paths.index(run.at(time).path) for time in args.times})
    return list(range(0, count, args.every or 1))


def seams(header):
    """A sentence about periodic axes, or nothing."""
    periodic = np.atleast_1d(header.get("Periodic", np.zeros(3))).astype(bool)
    if not periodic.any():
        return ""
    low, size = np.asarray(header["Origin"]), np.asarray(header["BoxSize"])
    ends = [f"{axis} = {low[i]:.6g} and {low[i] + size[i]:.6g} m"
            for i, axis in enumerate("xyz") if periodic[i]]
    return f"The surface is cut, and closed, at the seams of periodic axes: {', '.join(ends)}."


# --- One surface ---


def water_of(snapshot, phase):
    """(the particles of a phase, "1", "2" or "all", their volumes m/rho0, m^3, how many were left
    out: not finite)."""
    water = snapshot.fluid
    if phase != "all":
        water = water.where(water.phase == int(phase), f"phase {phase}")
    good = np.isfinite(water.x).all(1)
    if not good.all():
        water = water.where(good)
    density = np.full(len(water), float(snapshot.header["Rho0"]))
    if "phase" in water.fields:
        density[water.phase == 2] = snapshot.config["fluid.second.density"]
    return water, water.mass / density, int(np.sum(~good))


def make_one(task):
    """Makes and writes the surface of a task; the Made."""
    began = time.monotonic()
    snapshot = sluice.Snapshot(task.snapshot, task.time)
    spacing = float(snapshot.header["Spacing"])
    water, volume, left_out = water_of(snapshot, task.phase)
    surface = surface_of(water.x.astype(float), volume, spacing, task.smooth, task.threads)
    data = {"Normals": (surface.mesh.normals(), "1", "outward unit normal")}
    chosen = [values.FIELDS[name] for name in task.fields]
    found = values.values_at(surface.mesh.points, water, chosen, spacing, task.threads)
    data.update({field.name: (found[field.name], field.unit, field.what) for field in chosen})
    about = {
        "Time": task.time,
        "Step": snapshot.step,
        "Dimension": 3,
        "Spacing": spacing,
        "Volume": surface.volume,
        "FluidVolume": surface.wanted,
        "Smooth": task.smooth,
        "Phase": task.phase,
        "Program": "sluice",
        "Version": snapshot.header["Version"],
    }
    WRITERS[task.format](task.path, surface.mesh, data, about, water.x.dtype)
    rows = write_solids(task, snapshot) if task.solids else ()
    return Made(task.path, task.time, len(surface.mesh.triangles), surface.volume, surface.wanted,
                surface.moved / spacing, surface.bodies, surface.bubbles, surface.lone, left_out,
                time.monotonic() - began, task.solids_path, rows)  # fmt: skip


def write_solids(task, snapshot):
    """Writes the solids of a task; the rows of its parts."""
    parts = task.solids.at(snapshot)
    mesh, number = solid_meshes.mesh_of(parts)
    groups = files.Groups(tuple(part.name for part in parts), number)
    about = {"Time": task.time, "Step": snapshot.step, "Dimension": 3, "Solids": len(parts),
             "Program": "sluice", "Version": snapshot.header["Version"]}  # fmt: skip
    WRITERS[task.format](task.solids_path, mesh, {}, about, snapshot.x.dtype, groups)
    return tuple(part.row() for part in parts)


# --- All of them ---


def warn(text):
    print(f"sluice surface: warning: {text}", file=sys.stderr, flush=True)


def judge(made):
    """Warns of a surface that does not bound its water."""
    name = os.path.basename(made.file)
    if made.left_out:
        warn(f"{name}: {counted(made.left_out, 'particle')} at places that are not finite left out")
    if not made.fluid_volume:
        warn(f"{name}: the snapshot has no such particles of fluid; the surface is empty")
    if abs(made.residual) > MOST_RESIDUAL:
        warn(f"{name}: the volume inside is {made.residual:+.1%} off that of the water, more than"
             f" {MOST_RESIDUAL:.0%}")
    if made.moved > MOST_MOVED:
        warn(f"{name}: the surface was moved by {made.moved:.2f} spacings to make its volume right,"
             f" more than {MOST_MOVED}: particles overlap, or are spread thin")


def file_name(stem, snapshot, ending):
    number = os.path.splitext(os.path.basename(snapshot))[0].rpartition("_")[2]
    return f"{stem}_{number}.{ending}"


def series_entries(run, out, stem):
    """[(name, time)] of the surfaces in `out` that are of this run's snapshots."""
    entries = []
    for snapshot in run:
        name = file_name(stem, snapshot.path, "hdf")
        path = os.path.join(out, name)
        if os.path.exists(path) and VtkFile(path).header.get("Time") == snapshot.time:
            entries.append((name, snapshot.time))
    return entries


def tasks_of(run, args, out, stem):
    """(tasks, workers, the first snapshot); refuses what the run does not have."""
    numbers = chosen_numbers(run, args)
    first = run[numbers[0]]
    check_model(run, first)
    if args.phase != "all" and "phase" not in first.fields:
        raise AskedError(f"--phase {args.phase}: this run has one fluid: leave --phase out")
    fields = fields_of(args.fields or DEFAULT_FIELDS, first)
    solids = solid_meshes.solids_of(run, args.hide or "") if args.solids else None
    threads = args.threads or len(os.sched_getaffinity(0))
    workers = min(threads, len(numbers))
    tasks = []
    for number in numbers:
        snapshot = run[number]
        path = os.path.join(out, file_name(stem, snapshot.path, args.format))
        beside = file_name("solids", snapshot.path, args.format) if solids else ""
        tasks.append(Task(snapshot.path, path, snapshot.time, fields, args.format, args.smooth,
                          args.phase, threads // workers, solids,
                          beside and os.path.join(out, beside)))  # fmt: skip
    return tasks, workers, first


def make(run, args):
    """Makes the surfaces that args ask for, and reports them."""
    stem = "surface" if args.phase == "all" else f"surface_phase{args.phase}"
    out = args.out or run.path
    tasks, workers, first = tasks_of(run, args, out, stem)
    make_folder(out)

    def say(text):
        if not args.quiet:
            print(text, file=sys.stderr if args.json else sys.stdout, flush=True)

    say(f"{counted(len(tasks), 'snapshot')}, {workers} at a time")
    say_solids(tasks[0].solids, first, say)
    all_made = []
    for made in in_turn(make_one, tasks, workers):
        all_made.append(made)
        say(f"{len(all_made)}/{len(tasks)} {made.line()}")
        judge(made)
    if seams(first.header):
        say(seams(first.header))
    series = write_series(run, args, out, stem, say, "surface")
    beside = {}
    if args.solids:
        beside["solids_series"] = write_series(run, args, out, "solids", say, "file of solids",
                                               "files of solids")  # fmt: skip
    if args.json:
        rows = [made.row() for made in all_made]
        print(json.dumps({"surfaces": rows, "series": series, **beside}))


def say_solids(solids, first, say):
    """Lines about the solids in the first snapshot that is made."""
    if solids:
        say(f"Solids: {solid_meshes.listed_words(solids.at(first))}")
        if solids.without:
            say(f"Solids without a surface, not written: {', '.join(solids.without)}: walls without"
                " an end, or from a file of particles")  # fmt: skip


def write_series(run, args, out, stem, say, *words):
    """Writes the series of surfaces or solids, which `words` name; its path. None: the format has
    none."""
    if args.format != "hdf":
        return None
    series = os.path.join(out, f"{stem}.hdf.series")
    entries = series_entries(run, out, stem)
    files.write_series(series, entries)
    say(f"{series}: {counted(len(entries), *words)}, for ParaView")
    return series

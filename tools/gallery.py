#!/usr/bin/env python3
"""Runs every shipped config, draws a picture of it, and writes docs/gallery.md.

  gallery.py SLUICE [--out DIR] [--docs DIR] [--only NAME,...] [--again] [--movies]

Runs are in out/gallery; a finished one of the same command and version is used again. Pictures go
to docs/pictures. All of it takes a quarter of an hour on two cores. With --movies each run gets a
movie in place of a picture, movie.mp4 in its folder, for the site.
"""

import json
import os
import resource
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from plot.modules import ArgumentParser, require  # noqa: E402

require("numpy", "matplotlib", "h5py")
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

import sluice_movie  # noqa: E402
from sluice import Run  # noqa: E402

WIDTH = 760  # of a picture in the gallery
COLOURS, MOST_BYTES = (255, 100, 40), 100_000  # fewer colours, if the file would be larger
THREADS = 2
# config: (sentence, options of the run, options of the picture)
CASES = {
    "dam_break_3d": (
        "A dam break on a box, SPHERIC test 2: its pressures are compared with the experiment.",
        "--set time.end=0.8", "--poster 0.6 --camera 35,22"),
    "column": (
        "A dam break around a round pillar, whose wall particles are fitted to its surface.",
        "--set time.end=0.5", "--poster 0.46"),
    "hull": (
        "A ship's hull from an STL file, held in still water: the force on it is its displacement.",
        "--set time.end=0.3", "--field pressure"),
    "dam_break": (
        "A dam break in 2-D, whose front Martin and Moyce measured in 1952.", "", "--poster 0.2"),
    "dam_break_cubic_spline": (
        "The same dam break with the cubic spline and h/dp = 1.3.", "", "--poster 0.2"),
    "dam_break_wall": (
        "A dam break on a wall: three probes on the wall are compared with a finer computation.",
        "--set time.end=1.0", "--poster 0.9 --field pressure --range 0,12000"),
    "stacked_boxes": (
        "A dam break topples 25 boxes: rigid bodies, contacts and friction.",
        "--set time.end=0.8", "--poster 0.6"),
    "floating_box": (
        "A box half as dense as water falls into it and bobs.", "--set time.end=1.5",
        "--poster 0.3"),
    "beach": (
        "Waves from a piston steepen on a beach of 1:5 and run up it.", "--set time.end=5",
        "--poster 4.6"),
    "sloshing": (
        "Water in a tank that sways near its natural period.", "--set time.end=4", "--poster 3.9"),
    "earthquake": (
        "A tank in an earthquake, whose acceleration is a table.", "--set time.end=7",
        "--poster 6.4"),
    "standing_wave": (
        "A standing gravity wave: its period is that of theory.", "--set time.end=1.2",
        "--poster 0.17"),
    "wave_flume": (
        "A piston makes regular waves in a flume with gauges and a beach.", "--set time.end=9",
        "--poster 8.9"),
    "solitary_runup": (
        "A solitary wave of a piston runs up a beach of 1:3.", "--set time.end=7.5",
        "--poster 7.25"),
    "lasting_wave": (
        "A wave that keeps its height for ten periods, with renormalised gradients.",
        "--set time.end=7.5", "--poster 7.475"),
    "still_water": (
        "Still water stays still, and its pressure is hydrostatic.", "--set time.end=4",
        "--field pressure --poster 4"),
    "two_layers": (
        "A light fluid rests on water: two fluids.", "", "--field phase"),
    "channel": (
        "A stream down a slope over a rough floor, by the law of the wall.", "--set time.end=10",
        "--poster 10"),
    "weir": (
        "A weir with a broad crest: an inlet gives the discharge, and the level finds itself.", "",
        "--poster 8"),
    "jump": (
        "A hydraulic jump between an inlet and an outlet that holds the level.", "",
        "--poster 6"),
    "cylinder_stream": (
        "A cylinder in a stream between an inlet and an outlet, Re 100: a vortex street.", "",
        "--field vy --poster 60"),
    "poiseuille": (
        "Viscous flow between two plates: the profile is a parabola.", "",
        "--field vx --poster 1 --range 0,1.3e-5"),
    "cavity": (
        "A moving lid drives the water of a square box, Re = 100.", "--set time.end=8",
        "--poster 8"),
    "moving_square": (
        "A square moves through a closed tank, Re = 100: its drag is compared with other codes.",
        "--set time.end=4", "--poster 4"),
    "taylor_green": (
        "Taylor-Green vortices decay as the Navier-Stokes equations say, Re = 100.",
        "--set time.end=0.3", "--poster 0.3"),
    "drop": (
        "A drop oscillates in a central force; theory knows its axes at all times.",
        "--set time.end=9", "--poster 2"),
    "elliptical_drop": (
        "A free drop is stretched by its own flow.", "", "--field pressure --poster 0.006"),
    "acoustic_wave": (
        "A standing sound wave without dissipation: only the time integration can lose energy.",
        "", "--field vx --poster 0.5"),
    "kelvin_helmholtz": (
        "Two gases slide along each other, and their border rolls up.", "",
        "--field density --poster 1.5"),
    "sedov": (
        "A blast in a cold gas, sliced through its middle: the radius of the shell is Sedov's.",
        "", "--field density --slice z=0 --poster 0.05"),
    "sod": (
        "A shock tube: density at the shock, the contact and the rarefaction.", "",
        "--field density --slice z=0.02 --poster 0.15"),
    "vortex": (
        "A round vortex that its pressure holds together: a steady flow of a gas.",
        "--set time.end=0.5", "--poster 0.5"),
    "lennard_jones": (
        "A Lennard-Jones crystal melts: LAMMPS' benchmark, in reduced units.", "", "--poster 1.25"),
}  # fmt: skip


def command_of(name, options):
    return " ".join(f"sluice run configs/{name}.cfg {options}".split())


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def make_run(program, folder, name, options, again):
    """Runs a config if its results are not there. Returns the processors' seconds of the run."""
    note = os.path.join(folder, "gallery.json")
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True)
    wanted = {"command": command_of(name, options), "version": version.stdout.split("\n")[0]}
    if os.path.exists(note) and not again:
        with open(note) as file:
            found = json.load(file)
        if {key: found[key] for key in wanted} == wanted:
            return found["seconds"]
    config = os.path.join(os.path.dirname(sluice_movie.__file__), "..", "configs", name + ".cfg")
    command = [program, "run", config, *shlex.split(options), "--out", folder, "--force", "--quiet",
               "--threads", str(THREADS)]  # fmt: skip
    start = seconds_of_children()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: not conserved: a shorter run may miss the gate
        sys.exit(f"gallery.py: {' '.join(command)} ended with {done.returncode}: {done.stderr}")
    seconds = seconds_of_children() - start
    with open(note, "w") as file:
        json.dump({**wanted, "seconds": seconds, "exit": done.returncode}, file)
    return seconds


def draw(folder, options, path):
    """The poster of `sluice movie`, smaller and in fewer colours."""
    args = sluice_movie.arguments([folder, *shlex.split(options)])
    movie = sluice_movie.Movie(args, Run(folder))
    frame = movie.draw(sluice_movie.poster_of(movie, args.poster))
    picture = Image.fromarray(frame)
    size = WIDTH, round(picture.height * WIDTH / picture.width)
    picture = picture.resize(size, Image.LANCZOS)
    for colours in COLOURS:
        few = picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=3)
        palette = np.array(few.getpalette()).reshape(-1, 3)
        palette[palette.min(axis=1) >= 245] = 255  # paper stays white
        few.putpalette(palette.ravel().tolist())
        reduced = picture.quantize(palette=few, dither=Image.Dither.FLOYDSTEINBERG)
        reduced.save(path, optimize=True)
        if os.path.getsize(path) <= MOST_BYTES:
            break


def join(folder, options):
    """The movie of `sluice movie`."""
    args = sluice_movie.arguments([folder, *shlex.split(options)])
    movie = sluice_movie.Movie(args, Run(folder))
    poster = sluice_movie.poster_of(movie, args.poster)
    sluice_movie.write_all(movie, folder, "movie", poster, is_joined=True)
    return os.path.join(folder, "movie.mp4")


def time_text(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"


HEAD = """# Gallery

Every shipped config, with a picture. `make gallery` runs them and draws this page anew.

Below each picture is the command of its run, and what the run takes on two cores. That is the
time of the processors divided by {threads} threads, measured on a virtual machine whose two cores
other programs used, too. `time.end` is shorter than the config's where a run would take minutes.
The pictures are posters of `sluice movie`, whose command is given, too.

{count} runs take {total} together.
"""


def write_page(path, rows):
    total = sum(seconds for _, seconds in rows) / THREADS
    parts = [HEAD.format(threads=THREADS, count=len(rows), total=time_text(total))]
    for name, seconds in rows:
        sentence, options, look = CASES[name]
        movie = " ".join(f"sluice movie out/{name} {look}".split())
        parts.append(
            f"## {name}.cfg\n\n{sentence} ([config](../configs/{name}.cfg))\n\n"
            f"![{sentence}](pictures/gallery-{name.replace('_', '-')}.png)\n\n"
            f"`{command_of(name, options)}` takes {time_text(max(seconds / THREADS, 1))};"
            f" `{movie}`.\n"
        )
    with open(path, "w") as file:
        file.write("\n".join(parts))


def arguments():
    parser = ArgumentParser("gallery.py", __doc__)
    parser.add_argument("sluice", help="the program")
    parser.add_argument("--out", default="out/gallery", help="folder of the runs")
    parser.add_argument("--docs", default="docs", help="folder of gallery.md")
    parser.add_argument("--only", help="only these configs; the page is not written")
    parser.add_argument("--again", action="store_true", help="repeat runs that are finished")
    parser.add_argument("--movies", action="store_true", help="movies; no pictures and no page")
    args = parser.parse_args()
    names = args.only.split(",") if args.only else list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"--only {unknown[0]}: no such config; there are {', '.join(CASES)}")
    return args, names


def main():
    args, names = arguments()
    rows, program = [], os.path.abspath(args.sluice)
    for name in names:
        folder = os.path.join(args.out, name)
        _, options, look = CASES[name]
        seconds = make_run(program, folder, name, options, args.again)
        if args.movies:
            path = join(folder, look)
        else:
            path = os.path.join(args.docs, "pictures", f"gallery-{name.replace('_', '-')}.png")
            draw(folder, look, path)
        rows.append((name, seconds))
        print(f"{name}: {seconds / THREADS:.1f} s, {path} {os.path.getsize(path) / 1024:.0f} kB",
              flush=True)  # fmt: skip
    if not args.only and not args.movies:
        write_page(os.path.join(args.docs, "gallery.md"), rows)


if __name__ == "__main__":
    main()

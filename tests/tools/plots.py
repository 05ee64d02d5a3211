#!/usr/bin/env python3
# test: 14 s
"""The plotting tools on run folders made here: measurements, pictures, and messages about wrong
files."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import matplotlib.image
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import ROOT, finish, ok  # noqa: E402
from tool_call import call  # noqa: E402

import sluice  # noqa: E402, I100
from sluice.verdict import judge  # noqa: E402
from plot import budget, fields, pictures, reference  # noqa: E402
from plot.probes import draw_probe  # noqa: E402
from plot.studio import Asked, Studio  # noqa: E402

DPI = 50  # coarse pictures are enough here
pictures.plt.rcParams["savefig.dpi"] = pictures.DOTS = DPI
TOOLS = os.path.join(ROOT, "tools")
CONFIG = """title = "Dam break, Martin & Moyce 1952, n^2 = 2"; # a comment
model = "wcsph"; dimension = %d; spacing = %g; // default
gravity = [0.0, -9.81]; /* block */
domain : { min = [0.0, 0.0], max = [0.5715, 0.2286]; periodic = [false, false]; };
probes = ( { name = "front"; kind = "front"; },
           { name = "P1"; kind = "point"; }, { name = "line"; },
           { name = "P2"; kind = "patch"; } );
energy = { tolerance = 1.0e-3; };
"""
A = 0.05715


def write_snapshot(path, time, x, v, kind):
    with h5py.File(path, "w") as file:
        file["VTKHDF/Points"] = x.astype("f4")
        file["VTKHDF/PointData/Velocity"] = v.astype("f4")
        file["VTKHDF/PointData/ParticleType"] = kind.astype("u1")
        file["VTKHDF/FieldData/TimeValue"] = np.array([time])
        file.create_group("Header").attrs["Budget.reference"] = 3.66


def column_particles(time, dimension):
    """A column that flattens: 2-D, or a slab in 3-D, on a floor of wall particles."""
    dp = A / 16
    stretch = 1 + 8 * time
    x, z = np.meshgrid((np.arange(16) + 0.5) * dp, (np.arange(32) + 0.5) * dp, indexing="ij")
    flat = np.stack([x.ravel() * stretch, z.ravel() / stretch], axis=1)
    v = np.stack([8 * x.ravel(), -8 * z.ravel() / stretch**2], axis=1)
    wall = np.stack([(np.arange(160) + 0.5) * dp, np.full(160, -dp / 2)], axis=1)
    points = np.concatenate([flat, wall])
    velocity = np.concatenate([v, np.zeros_like(wall)])
    kind = np.concatenate([np.zeros(len(flat)), np.ones(len(wall))])
    up = 1 if dimension == 2 else 2
    out = np.zeros((len(points), 3))
    out_v = np.zeros((len(points), 3))
    out[:, [0, up]] = points
    out_v[:, [0, up]] = velocity
    if dimension == 3:
        out[:, 1] = np.arange(len(points)) % 4 * dp
    return out, out_v, kind, dp


def write_table(path, names, rows):
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(f"{value:.17g}" for value in row) + "\n" for row in rows)


def make_run(folder, dimension=2):
    os.makedirs(folder)
    files = []
    for number, time in enumerate(np.linspace(0, 0.2, 5)):
        x, v, kind, dp = column_particles(time, dimension)
        name = f"snap_{number:06d}.hdf"
        write_snapshot(os.path.join(folder, name), time, x, v, kind)
        files.append({"name": name, "time": float(time)})
    with open(os.path.join(folder, "run.hdf.series"), "w") as file:
        json.dump({"file-series-version": "1.0", "files": files}, file)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write(CONFIG % (dimension, dp))
    table = sluice.read_table(os.path.join(reference.DATA, "martin_moyce_1952_table2.csv"))
    t = np.linspace(0, 0.2, 401)
    # The experiment itself, 0.1 later: what the comparison must find again.
    z = np.interp(t / np.sqrt(A / 2 / 9.81) - 0.1, table["T"], table["Z"])
    write_table(
        os.path.join(folder, "probe_front.csv"),
        ["step", "time", "front", "foremost"],
        np.stack([np.arange(401), t, A * z, A * z + dp], axis=1),
    )
    write_table(
        os.path.join(folder, "probe_P1.csv"),
        ["step", "time", "pressure", "weight"],
        np.stack([np.arange(401), t, 500 * np.sin(40 * t) ** 2, np.ones(401)], axis=1),
    )
    write_table(
        os.path.join(folder, "probe_P2.csv"),
        ["step", "time", "pressure", "wet"],
        np.stack([np.arange(401), t, 800 * (t > 0.1), 0.5 * (t > 0.1)], axis=1),
    )
    columns = [f"{name}_{i}" for i in range(8) for name in ("vx", "vy", "weight")]
    speeds = [np.stack([i * t, 0 * t, 1 + 0 * t], axis=1) for i in range(8)]
    write_table(
        os.path.join(folder, "probe_line.csv"),
        ["step", "time"] + columns,
        np.column_stack([np.arange(401), t] + speeds),
    )
    potential = 3.66 - 40 * t**2
    work = -0.2 * t
    residual = 1e-5 * np.sin(30 * t)
    kinetic = 3.66 + work + residual - potential
    write_table(
        os.path.join(folder, "energy.csv"),
        [
            "step",
            "time",
            "dt",
            "kinetic",
            "potential",
            "elastic",
            "spring",
            "pair",
            "total",
            "work_viscous",
            "work_diffusion",
            "removed",
            "residual",
            "identity",
            "momentum_x",
            "momentum_y",
            "momentum_z",
            "temperature",
        ],
        [
            [
                i,
                t[i],
                1e-4,
                kinetic[i],
                potential[i],
                0,
                0,
                0,
                kinetic[i] + potential[i],
                0.8 * work[i],
                0.2 * work[i],
                0,
                residual[i],
                1e-7,
                t[i],
                -t[i] ** 2,
                0,
                0,
            ]
            for i in range(401)
        ],
    )
    return folder


def tool(name, *arguments, flags=(), **variables):
    """A tool as a program of its own."""
    return subprocess.run(
        [sys.executable, *flags, os.path.join(TOOLS, name), *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def is_picture(path, least=2.0):
    """A PNG of at least `least` inches to each side and several colours in it."""
    if not os.path.exists(path):
        return False
    image = (matplotlib.image.imread(path)[..., :3] * 8).astype(int)
    colours = np.unique(image @ [256, 16, 1])
    return min(image.shape[:2]) >= least * DPI and len(colours) > 10


def test_error_measure():
    x = np.linspace(0, 5, 5001)
    x_ref = np.array([0.5, 1.0, 2.0, 3.0, 4.0])
    error, shift, at, points = reference.largest_error(
        x, 2 * x, x_ref, np.array([9.0, 2.0, 4.0, 6.0, 9.0]), (1, 3), 0
    )
    ok(error < 1e-12 and points == 3, "equal inside the window: no error, outside does not count")
    error, shift, at, points = reference.largest_error(
        x, 2 * (x - 0.15), x_ref, 2 * x_ref, (1, 3), 0.2
    )
    ok(error < 1e-3 and abs(shift - 0.15) < 2e-3, "a delay within the shift is found")
    error, shift, at, points = reference.largest_error(
        x, 2 * (x - 0.3), x_ref, 2 * x_ref, (1, 3), 0.2
    )
    # left over is a delay of 0.1: 2 * 0.1 / (2 X), largest at X = 1
    ok(abs(error - 0.1) < 1e-9 and shift == 0.2 and at == 1.0, "a larger delay is not hidden by it")
    ok(
        reference.largest_error(x[:2000], x[:2000], x_ref, x_ref, (1, 3), 0.2) is None,
        "a run that ends in the window: no result",
    )
    broken = np.where(x > 2.5, np.nan, x)
    ok(
        reference.largest_error(x, broken, x_ref, x_ref, (1, 3), 0.2) is None,
        "values that are not finite are not covered",
    )


def test_pictures(scratch):
    run = make_run(os.path.join(scratch, "dam"))
    result = call("sluice_plot.py", run)
    ok(result.returncode == 0, f"sluice_plot runs {result.stderr[-300:]}")
    for name in ("picture", "comparison", "probes", "energy"):
        ok(is_picture(os.path.join(run, name + ".png")), f"{name}.png is a picture")
    said = re.search(r"largest error ([\d.]+)% \(of 11 points.*moved by ([-+.\d]+)", result.stdout)
    ok(
        said and float(said[1]) < 0.3 and abs(float(said[2]) + 0.1) < 0.005,
        f"the experiment and its delay of 0.1 are found again {said and said[0]}",
    )
    found = reference.known("Dam break, Martin & Moyce 1952, n^2 = 2")[0]
    ok(
        abs(found.x_factor - np.sqrt(2 * 9.81 / A)) < 1e-5 and abs(found.y_factor - 1 / A) < 1e-5,
        "the factors of the reference list are those of a = 0.05715 m",
    )
    ok(reference.known("Still water") == [], "a run without reference has none")
    config, passed_over = {"geometry": [{"type": "fluid", "min": [0, 0], "max": [A, 2 * A]}]}, []
    title = "Dam break, Martin & Moyce 1952, n^2 = 2"
    ok(len(reference.known(title, config, passed_over)) == 1, "the water is the experiment's")
    config["geometry"][0]["max"] = [0.1, 0.2]
    ok(
        reference.known(title, config, passed_over) == []
        and passed_over == ["Martin & Moyce 1952, table 2"],
        "another column under the same title has no reference, and a message says so",
    )

    probes = sluice.Run(run).probes()
    axes = pictures.plt.figure().subplots()
    draw_probe(axes, sluice.Run(run), "P2", probes["P2"])
    drawn = [line.get_ydata() for line in axes.get_lines()]
    ok(
        len(drawn) == 1
        and np.array_equal(np.isnan(drawn[0]), probes["P2"]["wet"] == 0)
        and axes.get_ylabel() == "pressure (Pa)",
        "a patch is drawn as a point is: its pressure, with gaps where it is dry",
    )
    compared = reference.Comparison(probe="P2", file="", x="", y="").measured(probes["P2"])
    ok(np.array_equal(compared[1], probes["P2"]["pressure"]), "and its pressure is compared")

    out = os.path.join(scratch, "elsewhere")
    table = os.path.join(reference.DATA, "martin_moyce_1952_table2.csv")
    result = call(
        "sluice_plot.py",
        run,
        "--out",
        out,
        "--snapshots",
        "2",
        "--reference",
        table,
        "--columns",
        "T,Z",
        "--probe",
        "front",
        "--factors",
        "18.5285,17.4978",
        "--label",
        "table 2",
    )
    ok(
        result.returncode == 0 and is_picture(os.path.join(out, "comparison.png")),
        "a reference of the user's own",
    )
    result = call(
        "sluice_plot.py",
        run,
        "--out",
        out,
        "--reference",
        table,
        "--columns",
        "T,Q",
        "--probe",
        "front",
    )
    ok(
        result.returncode == 3 and "no column 'Q': it has T, Z" in result.stderr,
        "a column that is not there is named",
    )
    ok(
        call("sluice_plot.py", run, "--reference", table).returncode == 2,
        "--reference alone is a usage error",
    )
    ok(
        call("sluice_plot.py", run, "--label", "front").returncode == 2,
        "and so is --label without it",
    )
    result = call(
        "sluice_plot.py", run, "--reference", table, "--columns", "T,Z", "--probe", "fron"
    )
    ok(
        result.returncode == 3 and "no probe 'fron': it has front, P1, line, P2" in result.stderr,
        f"a probe that is not there is named {result.stderr}",
    )

    solid = make_run(os.path.join(scratch, "dam3d"), dimension=3)
    result = call("sluice_plot.py", solid)
    ok(
        result.returncode == 0 and is_picture(os.path.join(solid, "picture.png")),
        f"a 3-D run is drawn {result.stderr[-400:]}",
    )

    run = sluice.Run(solid)
    figure = pictures.main_picture(run, [], 1)
    figure.canvas.draw()
    bar = figure.axes[-1]
    ok(bar.get_legend().get_window_extent().y1 <= bar.xaxis.label.get_window_extent().y0,
       "the names of walls are below the label of the bar of colours")
    words = [text.get_text() for text in figure.axes[0].texts]
    found = "10 cm" in words and {"x", "z"} < set(words)
    ok(found, "3-D: a bar of scale and the directions", words)
    studio = Studio(run, [run[0]], "speed", Asked(slice="y=0"))
    ok(studio.what.plane == (1, 0.0) and "y = 0 m: fluid within 0.00393 m" in studio.note(),
       "a slice says how thick it is", studio.note())
    low, high = studio.scale.norm.vmin, studio.scale.norm.vmax
    studio = Studio(run, [run[0]], "speed", Asked(range="0.1,0.2"))
    ok((low, high) != (0.1, 0.2) == (studio.scale.norm.vmin, studio.scale.norm.vmax),
       "--range")


def test_fields(scratch):
    folder = make_run(os.path.join(scratch, "fields"))
    with h5py.File(os.path.join(folder, "snap_000000.hdf"), "r+") as file:
        file["VTKHDF/PointData/Pressure"] = np.linspace(0, 500, len(file["VTKHDF/Points"]))
    result = call("sluice_plot.py", folder, "--field", "pressure", "--times", "0.01")
    ok(
        result.returncode == 0
        and is_picture(os.path.join(folder, "picture_pressure.png"))
        and not os.path.exists(os.path.join(folder, "picture.png")),
        f"the nearest snapshot's pressure, and no picture of speeds {result.stderr[-200:]}",
    )
    result = call("sluice_plot.py", folder, "--field", "presure")
    ok(
        result.returncode == 2
        and "'presure' is no field: did you mean 'pressure'? there are speed, vx, vy, pressure"
        in result.stderr,
        f"a field that is not there: what there is {result.stderr[-200:]}",
    )
    result = call("sluice_plot.py", folder, "--times", "0;1")
    ok(
        result.returncode == 2 and "numbers separated by commas" in result.stderr,
        "times that are none",
    )
    result = call("sluice_plot.py", folder, "--times", "0", "--snapshots", "2")
    ok(result.returncode == 2 and "give one" in result.stderr, "times and a number of snapshots")

    run = sluice.Run(folder)

    def refused(words, *asked):
        try:
            pictures.main_picture(run, [], 4, *asked)
            ok(False, words)
        except fields.AskedError as error:
            ok(words in str(error), f"{words}: {error}")

    refused("'phase' is not in the snapshots of this run", "phase")
    refused("'vz' is not in the snapshots of this run", "vz")
    refused("'pressure' is not in the snapshot of t = 0.05", "pressure")
    refused("--times: no snapshot is near t = 9; the run has 5, from 0 to 0.2", "speed", [0, 9])
    found = [snapshot.time for snapshot in pictures.nearest(run, [0.16, 0.06, 0.05])]
    ok(np.allclose(found, [0.15, 0.05]), "the nearest snapshots, each once, as asked for", found)


def test_energy(scratch):
    folder = os.path.join(scratch, "dam")
    run = sluice.Run(folder)
    table = run.energy()
    judged = run.verdict
    ok(
        judged.reference == 3.66 and judged.conserved and abs(judged.residual - 1e-5) < 1e-7,
        "verdict from header and tolerance",
    )
    ok(not judge(table, 1e-3, judged.tolerance).conserved, "a small reference energy turns it")
    columns = {name for name, _ in budget.ENERGIES + budget.WORKS}
    paths = [Path(ROOT, "src/sim/budget_row.h"), *Path(ROOT, "src/physics").glob("*/*.def")]
    known = set(re.findall(r'^(?: +X\((?=\w+, "J")|EFFECT_COLUMN\()(\w+)',
                           "".join(path.read_text() for path in paths), re.MULTILINE))
    missing = known - columns - {"total", "residual", "reference", *next(zip(*budget.FLOWS))}
    ok(not missing, "the picture has every energy and work", missing)
    looks = {str(look) for part in (budget.ENERGIES, budget.WORKS)
             for _, look in budget.lines(part, table | dict.fromkeys(columns))}
    ok(len(columns) == len(looks), "and draws each in its own look", looks)
    ok(budget.works_in({"work_shift": 0, "work_of_rain": 0})[-1] == ("work_of_rain", "of rain"),
       "a work that it does not know has its column's name")
    table["residual"] = np.where(np.arange(table.rows) == 5, np.nan, table["residual"])
    ok(not judge(table, 3.66, judged.tolerance).conserved, "a residual of nan never passes")
    picture = os.path.join(scratch, "budget.png")
    result = call("sluice_energy.py", folder, "--out", picture, "--reference-energy", "3.66")
    drawn = result.returncode == 0 and is_picture(picture)
    ok(drawn, f"sluice_energy draws {result.stderr[-300:]}")


def test_wrong_folders(scratch):
    result = call("sluice_plot.py", os.path.join(scratch, "nowhere"))
    ok(result.returncode == 3 and "is no folder" in result.stderr, "no such folder")
    empty = os.path.join(scratch, "empty")
    os.makedirs(empty)
    result = call("sluice_plot.py", empty)
    ok(result.returncode == 3 and "is no folder of a run" in result.stderr, "an empty folder")
    with open(os.path.join(empty, "log.txt"), "w") as file:
        file.write("a log alone\n")
    result = call("sluice_plot.py", empty)
    ok(result.returncode == 3 and "nothing to draw" in result.stderr, "a run without results")
    result = call("sluice_energy.py", empty)
    ok(result.returncode == 3 and "has no energy.csv" in result.stderr, "no energy.csv")
    with open(os.path.join(empty, "energy.csv"), "w") as file:
        file.write("step,time,kinetic\n0,0,1\n1,0.1,2\n2,0.")
    result = call("sluice_energy.py", empty)
    named = result.returncode == 3 and "no column total, residual" in result.stderr
    ok(named, "columns that are missing are named")
    table = sluice.read_table(os.path.join(empty, "energy.csv"))
    ok(len(table["time"]) == 2, "a row cut off by a crash is left out")
    # -S: without site-packages, hence without the modules
    result = tool("sluice_plot.py", empty, flags=("-S",), SLUICE_PYTHON_TRIED="yes")
    named = result.returncode == 3 and "python3-matplotlib" in result.stderr
    ok(named, "missing modules: their packages are named")
    old = os.path.join(scratch, "old", "matplotlib-3.3.4.dist-info")
    os.makedirs(old)
    with open(os.path.join(old, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: matplotlib\nVersion: 3.3.4\n")
    result = tool("sluice_plot.py", empty, SLUICE_PYTHON_TRIED="yes",
                  PYTHONPATH=os.path.dirname(old))
    named = result.returncode == 3 and "matplotlib 3.6 or later (it has 3.3.4)" in result.stderr
    ok(named and "apt-get" not in result.stderr, "old modules are named", result.stderr)
    by_pip = os.path.join(scratch, "by_pip", "tools")  # without the package beside it
    shutil.copytree(os.path.join(ROOT, "tools"), by_pip)
    result = subprocess.run([sys.executable, "-S", os.path.join(by_pip, "sluice_plot.py"), empty],
                            capture_output=True, text=True)
    named = result.returncode == 3 and 'pip install "sluice-sph[look]"' in result.stderr
    ok(named, "where the package is pip's, its extra is named", result.stderr)
    result = tool("sluice_plot.py", empty, flags=("-S",), PYTHON=sys.executable)
    taken_over = result.returncode == 3 and "no column total" in result.stderr
    ok(taken_over, f"a Python that has them takes over {result.stderr[-200:]}")


with tempfile.TemporaryDirectory() as directory:
    test_error_measure()
    test_pictures(directory)
    test_fields(directory)
    test_energy(directory)
    test_wrong_folders(directory)
    if len(sys.argv) > 1:  # keep the pictures, to look at them
        subprocess.run(["cp", "-r", directory, sys.argv[1]], check=True)
finish()

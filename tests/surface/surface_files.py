#!/usr/bin/env python3
# test: 14 s
"""`sluice surface` on runs: its files in ParaView and elsewhere, fields, phases, messages."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys

try:
    import h5py
    import numpy as np
    import scipy  # noqa: F401
    import skimage  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from case_run import SLUICE, Case, scratch, without_module  # noqa: E402
from tap import finish, ok, skip  # noqa: E402

import sluice_surface  # noqa: E402, I100
from surface.files import write_obj  # noqa: E402
from surface.mesh import balls  # noqa: E402

DP = 0.05
DROP = """
title = "A drop that turns, and a pool between walls";
model = "wcsph"; dimension = 3; spacing = 0.05;
domain = { min = [-2.0, -1.0, -1.0]; max = [2.0, 1.0, 1.0]; };
kernel = { name = "wendland-c2"; h_over_dp = 1.5; };
fluid = { density = 1000.0; sound_speed = 20.0; };
geometry = (
    { name = "drop"; shape = "sphere"; type = "fluid"; centre = [1.0, 0.0, 0.0]; radius = 0.5; },
    { name = "pool"; shape = "box"; type = "fluid"; 
      min = [-1.6, -0.4, -0.8]; max = [-0.8, 0.4, 0.0]; },
    { name = "tank"; shape = "walls"; sides = ["bottom"]; }
);
initial = ( { field = "velocity"; kind = "linear";
              gradient = ( [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0] ); } );
time = { end = 0.02; };
output = { every = 0.01; };
"""


def program(*words, **more):
    return subprocess.run([SLUICE, "surface", *words], capture_output=True, text=True, timeout=300,
                          **more)  # fmt: skip


def surface(*words):
    """The same by a call of the tool: a process of its own would spend its time on imports."""
    told, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
        try:
            code = sluice_surface.main(words)
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(words, code, told.getvalue(), said.getvalue())


def refused(name, done, code, *texts):
    told = done.returncode == code and all(text in done.stderr for text in texts)
    ok(told and "Traceback" not in done.stderr, name, (done.returncode, done.stdout, done.stderr))


def read(path):
    """(points, triangles, {field: values}, attributes of /Header) of a surface."""
    with h5py.File(path) as file:
        grid = file["VTKHDF"]
        data = {name: grid["PointData"][name][:] for name in grid["PointData"]}
        corners = grid["Connectivity"][:].reshape(-1, 3)
        layout = (
            grid.attrs["Type"] == b"UnstructuredGrid"
            and (grid["Types"][:] == 5).all()
            and (grid["Offsets"][:] == 3 * np.arange(len(corners) + 1)).all()
            and [int(grid[f"NumberOf{what}"][0]) for what in ("Points", "Cells", "ConnectivityIds")]
            == [len(grid["Points"]), len(corners), 3 * len(corners)]
        )
        ok(layout, f"{os.path.basename(path)}: triangles of an unstructured grid")
        return grid["Points"][:].astype(float), corners, data, dict(file["Header"].attrs)


def volume_of(points, corners):
    a, b, c = (points[corners[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_files(folder):
    done = program(folder, "--threads", "2")
    ok(done.returncode == 0, "surfaces of all snapshots", done.stderr)
    lines = done.stdout.splitlines()
    ok(lines[0] == "3 snapshots, 2 at a time" and len(lines) == 5, "a line a snapshot", done.stdout)
    with open(os.path.join(folder, "surface.hdf.series")) as file:
        series = json.load(file)["files"]
    with open(os.path.join(folder, "run.hdf.series")) as file:
        times = [entry["time"] for entry in json.load(file)["files"]]
    ok([entry["time"] for entry in series] == times, "the series has the run's times", series)
    for number, (entry, time) in enumerate(zip(series, times)):
        points, corners, data, header = read(os.path.join(folder, entry["name"]))
        ok(header["Time"] == time and entry["name"] == f"surface_{number:06d}.hdf", "its time")
        for side, name, particles in ((1, "drop", 4224), (-1, "pool", 16**3)):
            own = np.sign(points[:, 0]) == side
            chosen = corners[own[corners].all(1)]
            off = volume_of(points - points[own].mean(0), chosen) / (particles * DP**3) - 1
            ok(abs(off) < 0.02, f"{time:.2f} s: the {name}'s volume within 2%", off)
    check_fields(points, data)


def check_fields(points, data):
    """The velocity field (-y, x, 0) at the surface, from particles within it: as it was at the
    start but for the motion of 0.02 s."""
    names = {name: values.shape[1:] for name, values in data.items()}
    ok(names == {"Normals": (3,), "Velocity": (3,), "Speed": (), "Pressure": ()}, "fields", names)
    own = points[:, 0] > 0
    turning = np.stack([-points[own, 1], points[own, 0], 0 * points[own, 0]], axis=1)
    gap = np.abs(data["Velocity"][own] - turning)
    # The mean of the particles inside lies up to a spacing deeper: a spacing times 1/s; and 0.02 s.
    ok(gap.max() < 1.5 * DP, "the drop's velocity is that of its particles", gap.max())
    speed = np.linalg.norm(data["Velocity"], axis=1)
    ok(np.allclose(speed, data["Speed"], atol=1e-5), "the speed is the velocity's length")
    length = np.linalg.norm(data["Normals"], axis=1)
    ok(np.allclose(length, 1, atol=1e-5), "normals have length 1", (length.min(), length.max()))
    outward = np.sum(data["Normals"][own] * (points[own] - [1, 0, 0]), axis=1)
    ok((outward > 0).all(), "the drop's normals point outward")


def test_choice(folder):
    out = os.path.join(scratch, "chosen")
    done = surface(folder, "--times", "0.011", "--fields", "pressure,speed", "--json", "--out", out)
    row = json.loads(done.stdout)["surfaces"]
    ok(done.returncode == 0 and len(row) == 1 and "1/1 surface_000001.hdf" in done.stderr,
       "--times, --json and --out", done.stdout + done.stderr)
    ok(sorted(os.listdir(out)) == ["surface.hdf.series", "surface_000001.hdf"], "one file there")
    ok(abs(row[0]["residual"]) < 1e-3 and row[0]["bodies"] == 2 and row[0]["lone"] == 0,
       "the numbers as JSON", row)
    data = read(os.path.join(out, "surface_000001.hdf"))[2]
    ok(sorted(data) == ["Normals", "Pressure", "Speed"], "--fields", sorted(data))
    quiet = surface(folder, "--last", "--quiet", "--fields", "none", "--smooth=0", "--out", out)
    ok(quiet.returncode == 0 and quiet.stdout + quiet.stderr == "", "--quiet", quiet.stderr)
    with open(os.path.join(out, "surface.hdf.series")) as file:
        names = [entry["name"] for entry in json.load(file)["files"]]
    ok(names == ["surface_000001.hdf", "surface_000002.hdf"], "the series has both", names)
    every = surface(folder, "--every", "2", "--format", "obj", "--out", out)
    made = sorted(name for name in os.listdir(out) if name.endswith(".obj"))
    ok(made == ["surface_000000.obj", "surface_000002.obj"], "--every 2", every.stderr)


def read_ply(path):
    """(columns of the points, corners) of a binary PLY."""
    with open(path, "rb") as file:
        head = file.read(8192)
        file.seek(head.index(b"end_header\n") + len(b"end_header\n"))
        lines = head[: head.index(b"end_header")].decode().splitlines()
        counts = [int(line.split()[-1]) for line in lines if line.startswith("element")]
        names = [line.split()[-1] for line in lines if line.startswith("property float")]
        rows = np.fromfile(file, [(name, "<f4") for name in names], counts[0])
        faces = np.fromfile(file, [("count", "u1"), ("corner", "<i4", 3)], counts[1])
        ok(lines[:2] == ["ply", "format binary_little_endian 1.0"] and not file.read(1)
           and (faces["count"] == 3).all(), "a binary PLY of triangles and nothing after", lines)
    return rows, faces["corner"]


def test_other_formats(folder):
    points, corners, data, _ = read(os.path.join(folder, "surface_000002.hdf"))
    for ending in ("ply", "obj"):
        done = surface(folder, "--last", "--format", ending)
        ok(done.returncode == 0, f"--format {ending}", done.stderr)
    rows, faces = read_ply(os.path.join(folder, "surface_000002.ply"))
    place = np.stack([rows[axis] for axis in "xyz"], axis=1)
    ok(np.array_equal(faces, corners) and np.allclose(place, points, atol=1e-6), "the same mesh")
    same = (np.allclose(rows["nz"], data["Normals"][:, 2], atol=1e-6)
            and np.allclose(rows["vx"], data["Velocity"][:, 0], atol=1e-6)
            and np.allclose(rows["pressure"], data["Pressure"]))  # fmt: skip
    ok(same, "with normals and fields", rows.dtype.names)
    with open(os.path.join(folder, "surface_000002.obj")) as file:
        lines = [line.split() for line in file]
    vertices = np.array([line[1:] for line in lines if line[0] == "v"], float)
    normals = np.array([line[1:] for line in lines if line[0] == "vn"], float)
    found = [[int(corner.split("//")[0]) - 1 for corner in line[1:]]
             for line in lines if line[0] == "f"]  # fmt: skip
    ok(np.allclose(vertices, points, atol=1e-6) and np.array_equal(found, corners)
       and np.allclose(normals, data["Normals"], atol=1e-3), "an OBJ of the same mesh")


def test_paraview(folder):
    """ParaView opens the series; its cells, arrays and bounds are those of the files."""
    if shutil.which("pvpython") is None:
        skip("surfaces in ParaView", "paraview is missing")
        return
    script = os.path.join(scratch, "open.py")
    with open(script, "w") as file:
        file.write("""
import json, sys
from paraview import servermanager, simple
series = simple.OpenDataFile(sys.argv[1])
series.UpdatePipeline(series.TimestepValues[-1])
grid = servermanager.Fetch(series)
data = grid.GetPointData()
solid = simple.IntegrateVariables(simple.ExtractSurface(series), DivideCellDataByVolume=0)
area = servermanager.Fetch(solid).GetCellData().GetArray("Area").GetValue(0)
print("{}", json.dumps([list(series.TimestepValues), grid.GetNumberOfCells(), grid.GetCellType(0),
    sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays())), grid.GetBounds(), area]))
""".format("SURFACE"))
    done = subprocess.run(["pvpython", script, os.path.join(folder, "surface.hdf.series")],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    line = [text for text in done.stdout.splitlines() if text.startswith("SURFACE")]
    if not ok(len(line) == 1, "ParaView opens surface.hdf.series", done.stdout + done.stderr):
        return
    times, cells, kind, names, bounds, area = json.loads(line[0].split(" ", 1)[1])
    points, corners, _, header = read(os.path.join(folder, "surface_000002.hdf"))
    ok(len(times) == 3 and abs(times[-1] - header["Time"]) < 1e-12, "its times", times)
    ok((cells, kind) == (len(corners), 5), "its triangles", (cells, kind))
    ok(names == ["Normals", "Pressure", "Speed", "Velocity"], "its arrays", names)
    ends = np.stack([points.min(0), points.max(0)], axis=1).ravel()
    ok(np.allclose(bounds, ends, atol=1e-6), "its bounds", bounds)
    # A ball of radius 10 dp and a cube of 16 dp; edges are rounded, and the ball is a lattice's.
    exact = 4 * np.pi * 0.5**2 + 6 * 0.8**2
    ok(abs(area / exact - 1) < 0.05, "its area, within 5%", (area, exact))


def test_force(folder):
    """A new run in the folder removes the surfaces, and nothing else of such a name."""
    mine = os.path.join(folder, "surface_notes.obj")
    shutil.copy(os.path.join(folder, "surface_000002.obj"), mine)
    done = subprocess.run([SLUICE, "run", os.path.join(folder, "config.cfg"), "--out", folder,
                           "--force", "--quiet", "--set", "time.end=0.001"],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    left = sorted(name for name in os.listdir(folder) if name.startswith("surface"))
    ok(done.returncode == 0 and left == ["surface_notes.obj"], "--force removes surfaces",
       (done.stderr, left))


def test_two_fluids():
    layers = DROP.replace('"pool"; shape = "box"', '"oil"; phase = 2; shape = "box"')
    second = "sound_speed = 20.0; second = { density = 800.0; sound_speed = 20.0; };"
    run = Case(layers.replace("sound_speed = 20.0;", second), time__max_steps=1).run("layers")
    rows = {}
    for phase in ("all", "1", "2"):
        done = surface(run.path, "--last", "--phase", phase, "--json", "--fields", "Phase")
        if ok(done.returncode == 0, f"--phase {phase}", done.stderr):
            rows[phase] = json.loads(done.stdout)["surfaces"][0]
    found = [row["volume"] / DP**3 for row in rows.values()]
    ok(np.allclose(found, [8320, 4224, 4096], rtol=1e-3), "each fluid's volume: m/rho0", found)
    name = os.path.basename(rows["2"]["file"])
    ok(name.startswith("surface_phase2_0"), "a phase has files of its own", name)
    data = read(rows["all"]["file"])[2]["Phase"]
    ok({1.0, 2.0} == set(np.unique(data)), "the field Phase", np.unique(data))


def test_seam():
    box = DROP.replace("min = [-2.0, -1.0, -1.0]; max = [2.0, 1.0, 1.0];",
                       "min = [-2.0, -0.4, -1.0]; max = [2.0, 0.4, 1.0];"
                       " periodic = [false, true, false];")  # fmt: skip
    drop = box[box.index('    { name = "drop"') : box.index('    { name = "pool"')]
    still = re.sub(r"initial = .*\n.*\n", "gravity = [0.0, 0.0, -9.81];\n", box.replace(drop, ""))
    done = surface(Case(still, time__max_steps=1).run("seam").path, "--last")
    ok("cut, and closed, at the seams of periodic axes: y = -0.4 and 0.4 m" in done.stdout,
       "seams are named", done.stdout + done.stderr)


def small_run(name, **keys):
    return Case(f"configs/{name}.cfg", time__max_steps=1, **keys).run(f"small-{name}").path


def test_messages(folder):
    flat, atoms = small_run("drop"), small_run("lennard_jones", lattice__cells=[8, 8, 8])
    cube = {"min": [0.0] * 3, "max": [0.0390625] * 3}
    dense = {"shape": "box", "type": "fluid", "lattice": "fcc", "density": 1.0, "pressure": 1.0}
    gas = small_run("sod", domain__min=cube["min"], domain__max=cube["max"],
                    geometry=({**dense, **cube},), probes=())  # fmt: skip
    none, empty = (os.path.join(scratch, name) for name in ("none", "empty"))
    os.makedirs(empty)
    wrong = (
        ("2-D", 2, [flat], ["2-D", "sluice plot"]),
        ("Lennard-Jones", 2, [atoms], ["Lennard-Jones", "sluice plot"]),
        ("a gas", 2, [gas], ["gas", "sluice plot"]),
        ("an unknown field", 2, [folder, "--fields", "presure"],
         ["presure", "did you mean 'Pressure'?", "Velocity"]),
        ("a time beyond the run", 2, [folder, "--times", "9"], ["t = 9"]),
        ("times that are no numbers", 2, [folder, "--times", "x"], ["--times x"]),
        ("two choices", 2, [folder, "--last", "--every", "2"], ["--every and --last"]),
        ("every 0", 2, [folder, "--every", "0"], ["--every 0", "at least 1"]),
        ("a format", 2, [folder, "--format", "stl"], ["--format stl", "hdf, ply, obj"]),
        ("a phase of one fluid", 2, [folder, "--phase", "2"], ["one fluid"]),
        ("no such folder", 3, [none], [none]),
        ("an empty folder", 3, [empty], ["no folder of a run"]),
    )
    for name, code, words, texts in wrong:
        refused(f"refused: {name}", surface(*words), code, *texts)
    refused("the program's exit code", program(none), 3, none)


def test_damaged(folder):
    broken = os.path.join(scratch, "broken")
    shutil.copytree(folder, broken)
    with open(os.path.join(broken, "snap_000000.hdf"), "r+b") as file:
        file.truncate(5000)
    refused("a damaged snapshot", surface(broken, "--threads", "2"), 3, "snap_000000.hdf")
    with h5py.File(os.path.join(broken, "snap_000002.hdf"), "r+") as file:
        file["VTKHDF/Points"][0] = np.nan
    done = surface(broken, "--last", "--json")
    ok(json.loads(done.stdout)["surfaces"][0]["left_out"] == 1 and "1 particle at" in done.stderr,
       "a particle that is nowhere is left out, and counted", done)
    kept = os.path.join(broken, "surface_000002.obj")
    with open(kept) as file:
        before = file.read()
    with contextlib.suppress(ValueError):
        write_obj(kept, balls(np.zeros((1, 3)), np.ones(1)), {"Normals": ["none"]}, {"a": 1}, None)
    left = [name for name in os.listdir(broken) if name.endswith(".tmp")]
    with open(kept) as file:
        ok(not left and file.read() == before, "a file that fails: the one before stays", left)


def test_missing_library(folder):
    """Without scikit-image the message says how to get it."""
    done = program(folder, env=without_module("skimage"))
    refused("a missing library", done, 3, "lacks skimage", "apt-get install python3-skimage",
            "venv", "pip install", "scikit-image", "PYTHON=")


folder = Case(DROP).run("drop").path
test_files(folder)
test_choice(folder)
test_other_formats(folder)
test_paraview(folder)
test_messages(folder)
test_damaged(folder)
test_missing_library(folder)
test_force(folder)
test_two_fluids()
test_seam()
finish()

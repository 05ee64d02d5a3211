#!/usr/bin/env python3
# test: 15 s
"""`sluice surface --solids`: walls and bodies as meshes, where they are at each time."""

import contextlib
import io
import json
import os
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

from case_run import SLUICE, Case, scratch  # noqa: E402
from tap import finish, ok, skip  # noqa: E402

import sluice  # noqa: E402, I100
import sluice_surface  # noqa: E402
from surface.mesh import Mesh  # noqa: E402

# A wedge as a wall: 0.4 m long, 0.3 m wide, 0.2 m high.
CORNERS = np.array([[0, 0, 0], [0.4, 0, 0], [0.4, 0.3, 0], [0, 0.3, 0], [0.4, 0, 0.2],
                    [0.4, 0.3, 0.2]])  # fmt: skip
FACES = np.array([[0, 2, 1], [0, 3, 2], [0, 1, 4], [3, 5, 2], [1, 2, 5], [1, 5, 4], [0, 4, 5],
                  [0, 5, 3]])  # fmt: skip
PLACE = np.array([1.2, 0.35, 0.1])  # where the wedge stands
SPEED = 0.5  # of the gate, m/s
CASE = """
title = "Solids"; model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.2]; };
kernel = { name = "wendland-c2"; h_over_dp = 1.5; };
fluid = { density = 1000.0; sound_speed = 30.0; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid";
      min = [0.3, 0.0, 0.0]; max = [0.9, 1.0, 0.3]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; },
    { name = "wedge"; shape = "mesh"; type = "wall"; file = "WEDGE"; move = [1.2, 0.35, 0.1]; },
    { name = "gate"; shape = "box"; type = "wall"; motion = "up";
      min = [1.0, 0.2, 0.2]; max = [1.1, 0.8, 0.8]; },
    { name = "crate"; shape = "box"; type = "body"; min = [0.3, 0.3, 0.6]; max = [0.6, 0.6, 0.9]; },
    { name = "ball"; shape = "sphere"; type = "body"; centre = [1.6, 0.5, 0.8]; radius = 0.2; }
);
motions = ( { name = "up"; kind = "linear"; velocity = [0.0, 0.0, 0.5]; } );
bodies = ( { name = "crate"; density = 500.0; }, { name = "ball"; density = 500.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 0.1; }; energy = { tolerance = 1.0; };
output = { every = 0.05; };
"""


def surface(*words):
    """(exit code, standard output, standard error) of the tool."""
    told, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
        try:
            code = sluice_surface.main(words)
        except SystemExit as end:
            code = end.code
    return code, told.getvalue(), said.getvalue()


def read(path):
    """({solid: Mesh}, attributes of /Header) of a file of solids."""
    with h5py.File(path) as file:
        grid = file["VTKHDF"]
        names = [name.decode() for name in grid["FieldData/SolidNames"][:]]
        corners = grid["Connectivity"][:].reshape(-1, 3)
        solid, points = grid["CellData/Solid"][:], grid["Points"][:].astype(float)
        return ({name: Mesh(points, corners[solid == n]) for n, name in enumerate(names)},
                dict(file["Header"].attrs))  # fmt: skip


def places(mesh):
    """The corners of a mesh's triangles [m, 3, 3], in an order of their own."""
    found = np.round(np.stack(mesh.corners(), axis=1), 5)
    turned = [np.roll(one, -np.lexsort(one.T[::-1])[0], axis=0) for one in found]
    return np.array(sorted(one.tolist() for one in turned))


def middle(mesh):
    used = mesh.points[np.unique(mesh.triangles)]
    return 0.5 * (used.min(0) + used.max(0))


def make_run():
    path = os.path.join(scratch, "wedge.stl")
    with open(path, "w") as file:
        file.write("solid wedge\n")
        for face in CORNERS[FACES]:
            file.write("facet normal 0 0 0\nouter loop\n")
            file.writelines("vertex {} {} {}\n".format(*corner) for corner in face)
            file.write("endloop\nendfacet\n")
        file.write("endsolid wedge\n")
    return Case(CASE.replace("WEDGE", path)).run("solids")


def test_solids(run):
    code, out, err = surface(run.path, "--solids", "--threads", "1")
    ok(code == 0 and "Solids: tank (10 triangles, open), wedge (8 triangles, 0.012 m^3)" in out
       and "; solids_000002.hdf" in out and "solids.hdf.series: 3 files of solids" in out,
       "the output names them", out + err)  # fmt: skip
    with open(run.file("solids.hdf.series")) as file:
        entries = json.load(file)["files"]
    ok([entry["time"] for entry in entries] == list(run.times), "a file a snapshot", entries)
    start = read(run.file("solids_000000.hdf"))[0]
    ok(list(start) == ["tank", "wedge", "gate", "crate", "ball"], "walls, then bodies", list(start))
    wanted = places(Mesh(CORNERS + PLACE, FACES))
    ok(np.allclose(places(start["wedge"]), wanted, atol=2e-5), "a mesh has its own triangles")
    ok(np.allclose(middle(start["tank"]), [1.0, 0.5, 0.6])
       and np.isclose(start["tank"].area(), 2 * 1 + 2 * (2 + 1) * 1.2), "the tank's five faces",
       start["tank"].area())  # fmt: skip
    exact = {"wedge": 0.012, "gate": 0.1 * 0.6 * 0.6, "crate": 0.3**3}
    for name, volume in exact.items():
        off = start[name].volume() / volume - 1
        ok(start[name].open_edges() == 0 and abs(off) < 1e-3, f"{name}: closed, its volume", off)


def test_motion(run):
    """Walls move as the config says, and bodies as their tables have it."""
    first, last = (read(run.file(f"solids_{number:06d}.hdf"))[0] for number in (0, 2))
    time = run.times[-1]
    for name in ("tank", "wedge"):
        ok(np.array_equal(places(first[name]), places(last[name])), f"{name} stays")
    # The file has places in float: 1e-7 of 2 m; the fit is to particles that are so, too.
    moved = middle(last["gate"]) - middle(first["gate"])
    ok(np.allclose(moved, [0, 0, SPEED * time], atol=1e-6), "the gate has risen", moved)
    ok(np.isclose(last["gate"].volume(), 0.036, rtol=1e-5), "and is as large as before")
    for name in ("crate", "ball"):
        table = run.body(name)
        row = np.argmin(np.abs(table["time"] - time))
        fallen = [table[axis][row] - table[axis][0] for axis in "xyz"]
        moved = middle(last[name]) - middle(first[name])
        # The table's row may be a step before the snapshot: some 1e-3 s at 1 m/s.
        ok(moved[2] < -0.04 and np.allclose(moved, fallen, atol=2e-3), f"{name} has fallen", moved)


def test_ball():
    """A ball of 20 spacings: its triangles, a spacing wide, have 0.1% less than its volume."""
    text = CASE[: CASE.index("geometry")].replace("max = [2.0, 1.0, 1.2]", "max = [0.6, 0.6, 0.6]")
    text = text.replace("spacing = 0.05", "spacing = 0.01") + """
    geometry = (
        { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.6, 0.6, 0.04]; },
        { name = "ball"; shape = "sphere"; type = "body"; centre = [0.3, 0.3, 0.33];
          radius = 0.2; } );
    bodies = ( { name = "ball"; density = 500.0; } );
    time = { end = 0.1; max_steps = 1; }; energy = { tolerance = 1.0; }; output = { every = 0.05; };
    """
    run = Case(text).run("ball")
    code, out, err = surface(run.path, "--solids", "--json", "--last", "--smooth", "0")
    found = json.loads(out)["surfaces"][0]["solids"]
    off = found[0]["volume"] / (4 / 3 * np.pi * 0.2**3) - 1
    ok(code == 0 and [one["name"] for one in found] == ["ball"] and abs(off) < 1.05e-3,
       "a ball's volume", off)  # fmt: skip


def test_paraview(run):
    if shutil.which("pvpython") is None:
        skip("solids in ParaView", "paraview is missing")
        return
    script = os.path.join(scratch, "open.py")
    with open(script, "w") as file:
        file.write("""
import json, sys
from paraview import servermanager, simple
series = simple.OpenDataFile(sys.argv[1])
series.UpdatePipeline(series.TimestepValues[-1])
grid = servermanager.Fetch(series)
names = grid.GetFieldData().GetAbstractArray("SolidNames")
print("SOLIDS", json.dumps([[names.GetValue(k) for k in range(names.GetNumberOfValues())],
    list(series.TimestepValues), grid.GetCellData().GetArray("Solid").GetRange(),
    grid.GetNumberOfCells()]))
""")
    done = subprocess.run(["pvpython", script, run.file("solids.hdf.series")], capture_output=True,
                          text=True, timeout=300)  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("SOLIDS")]
    found = json.loads(lines[0].split(" ", 1)[1]) if lines else []
    meshes = read(run.file("solids_000002.hdf"))[0]
    ok(found == [list(meshes), list(run.times), [0, len(meshes) - 1],
                 sum(len(mesh.triangles) for mesh in meshes.values())]
       and "H5D" not in done.stderr, "ParaView reads the series", (found, done.stderr))  # fmt: skip


def test_formats(run):
    out = os.path.join(scratch, "formats")
    meshes = read(run.file("solids_000002.hdf"))[0]
    for ending in ("ply", "obj"):
        code, _, err = surface(run.path, "--last", "--format", ending, "--solids", "--out", out,
                               "--hide", "tank,ball")  # fmt: skip
        ok(code == 0, f"--format {ending}, --hide", err)
    with open(os.path.join(out, "solids_000002.obj")) as file:
        lines = file.read().splitlines()
    points = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    found, name = {}, ""
    for line in lines:
        if line.startswith("o "):
            name = line[2:]
        elif line.startswith("f "):
            found.setdefault(name, []).append([int(word) - 1 for word in line.split()[1:]])
    ok(list(found) == ["wedge", "gate", "crate"] and not any(line[:2] == "vn" for line in lines)
       and all(np.allclose(points[corners], meshes[name].points[meshes[name].triangles], atol=1e-6)
               for name, corners in found.items()), "an OBJ: an object a solid", list(found))
    with open(os.path.join(out, "solids_000002.ply"), "rb") as file:
        head, rest = file.read().split(b"end_header\n", 1)
    count = len(points)
    rows = np.frombuffer(rest[: 16 * count], "<f4").reshape(-1, 4)
    faces = np.frombuffer(rest[16 * count :], [("count", "u1"), ("corner", "<i4", 3)])
    solid = rows[faces["corner"], 3]
    ok(b"comment Solid 1 gate" in head and np.allclose(rows[:, :3], points, atol=1e-6)
       and np.all(solid == solid[:, :1]) and np.sum(solid[:, 0] == 1) == 12,
       "a PLY: the solid's number at each point", head)  # fmt: skip


def test_answers(run):
    code, out, err = surface(run.path, "--last", "--solids", "--hide", "tankk")
    ok(code == 2 and "did you mean 'tank'?" in err, "a name that is not there", err)
    code, out, err = surface(run.path, "--last", "--hide", "tank")
    ok(code == 2 and "--hide leaves out solids: it belongs to --solids" in err, "--hide alone", err)
    every = "tank,wedge,gate,crate,ball"
    code, out, err = surface(run.path, "--last", "--solids", "--hide", every)
    ok(code == 2 and "no other solids than --hide leaves out" in err, "all are hidden", err)
    drop = CASE[: CASE.index("geometry")] + """geometry = ( { shape = "sphere"; type = "fluid";
        centre = [1.0, 0.5, 0.5]; radius = 0.2; } );
        time = { end = 0.1; max_steps = 1; }; output = { every = 0.05; };
        energy = { reference = 1.0; };"""
    alone = Case(drop.replace("gravity = [0.0, 0.0, -9.81];", "")).run("alone")
    code, out, err = surface(alone.path, "--solids")
    ok(code == 2 and "has no walls and no bodies: leave --solids out" in err, "no solids", err)
    ok(not alone.has("surface.hdf.series"), "and nothing is written")
    slope = """{ name = "slope"; shape = "half-space"; type = "wall"; centre = [0.0, 0.0, 0.1];
                 normal = [0.1, 0.0, 1.0]; } );"""
    sloping = drop.replace("radius = 0.2; } );", f"radius = 0.2; }}, {slope}")
    code, out, err = surface(Case(sloping).run("slope").path, "--solids")
    ok(code == 2 and "has no surface of its solids, slope: leave" in err, "no triangles", err)
    box = """{ name = "box"; shape = "box"; type = "wall"; min = [1.0, 0.5, 0.8];
               max = [1.2, 0.6, 0.9]; }, { name = "slope";"""
    both = Case(sloping.replace('{ name = "slope";', box)).run("both")
    code, out, err = surface(both.path, "--solids", "--last")
    ok(code == 0 and "Solids without a surface, not written: slope" in out, "some have none",
       out + err)  # fmt: skip
    flat = Case("configs/floating_box.cfg", time__max_steps=1, spacing=0.04).run("flat", (0, 1))
    code, out, err = surface(flat.path, "--solids")
    ok(code == 2 and "is a run in 2-D" in err and "nor meshes of solids" in err, "2-D", err)
    os.environ["SLUICE"] = SLUICE
    files = sluice.Run(run.path).surface(last=True, solids=True)
    ok([os.path.basename(file) for file in files] == ["surface_000002.hdf", "solids_000002.hdf"],
       "Python: both files", files)  # fmt: skip


def test_lost(run):
    """A wall that has not moved as one is not drawn where it is not."""
    broken = os.path.join(scratch, "broken")
    shutil.copytree(run.path, broken)
    snapshot = sluice.Run(broken)[2]
    row = np.flatnonzero((snapshot.type != 0) & (snapshot.shape == snapshot.groups.index("gate")))
    with h5py.File(snapshot.path, "r+") as file:
        file["VTKHDF/Points"][row[0]] += 0.1
    code, out, err = surface(broken, "--last", "--solids")
    ok(code == 3 and "'gate' have not moved as one" in err, "a wall that is torn", err)
    done = subprocess.run([SLUICE, "run", os.path.join(run.path, "config.cfg"), "--out", run.path,
                           "--force", "--quiet", "--set", "time.end=0.001"],
                          capture_output=True, text=True, timeout=300)  # fmt: skip
    left = [name for name in os.listdir(run.path) if name.startswith("solids")]
    ok(done.returncode == 0 and not left, "--force removes the files", done.stderr + str(left))


folder = make_run()
test_solids(folder)
test_motion(folder)
test_paraview(folder)
test_ball()
test_formats(folder)
test_answers(folder)
test_lost(folder)
finish()

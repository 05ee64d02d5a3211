#!/usr/bin/env python3
# test: 21 s
"""A run opened with ParaView's own Python: times, counts, arrays, a Threshold filter; and shown by
the macro: a picture, a state."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from tap import ROOT, finish, ok, skip

SLUICE = os.environ.get("SLUICE", os.path.join(ROOT, "build", "sluice"))
TOOLS = os.path.join(ROOT, "tools", "paraview")
DP, COLUMNS, ROWS = 0.0057150, 10, 20  # the fluid's lattice at t = 0
POINT_ARRAYS = {
    "Velocity": ("float", 3),
    "Density": ("float", 1),
    "Pressure": ("float", 1),
    "Mass": ("float", 1),
    "ParticleType": ("unsigned char", 1),
    "Id": ("unsigned long", 1),
    "Shape": ("int", 1),
}


def call(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)


def make_run(folder):
    config = os.path.join(ROOT, "configs", "dam_break.cfg")
    changes = (f"spacing={DP}", "time.end=0.1", "output.every=0.02")
    options = [word for change in changes for word in ("--set", change)]
    made = call(SLUICE, "run", config, "--out", folder, "--quiet", *options)
    ok(made.returncode == 0, "a small dam break runs", made.stderr)
    return made.returncode == 0


def describe(folder):
    found = call("pvpython", os.path.join(TOOLS, "describe.py"), folder)
    ok(found.returncode == 0, "ParaView opens run.hdf.series", found.stdout + found.stderr)
    # Libraries may print before the document.
    return json.loads(found.stdout[found.stdout.index("{\n") :]) if found.returncode == 0 else None


def check_times(found, folder):
    with open(os.path.join(folder, "run.hdf.series")) as file:
        series = [entry["time"] for entry in json.load(file)["files"]]
    ok(found["times"] == series, "the times are those of the series", found["times"])
    ok(len(series) == 6, "six snapshots: at the start and each 0.02 s", series)
    late = [t - 0.02 * k for k, t in enumerate(series)]
    ok(all(0 <= x < 0.002 for x in late), "each at the first step at or after its time", late)
    stamps = [s["field_arrays"]["TimeValue"]["ranges"][0] for s in found["snapshots"]]
    ok(stamps == [[t, t] for t in series], "TimeValue in each file is its time", stamps)
    steps = [s["field_arrays"]["Step"]["ranges"][0][0] for s in found["snapshots"]]
    ok(steps[0] == 0 and all(a < b for a, b in zip(steps, steps[1:])), "steps go up from 0", steps)


def check_start(first):
    """At t = 0 everything is known: a lattice at rest."""
    types = first["types"]
    ok(types["0"] == COLUMNS * ROWS, "Threshold on ParticleType 0: the lattice's fluid", types)
    ok(types["1"] > 3 * (COLUMNS + ROWS), "Threshold on ParticleType 1: walls", types)
    speed = first["point_arrays"]["Velocity"]["ranges"]
    ok(speed == [[0, 0]] * 3, "all at rest", speed)
    # p = rho g times the depth of a row, and 0 at walls without fluid
    low, high = first["point_arrays"]["Pressure"]["ranges"][0]
    deepest = 1000 * 9.81 * ROWS * DP
    fits = 0 <= low < 0.05 * deepest and 0.9 * deepest < high < 1.2 * deepest
    ok(fits, "pressure up to rho g H", (low, high, deepest))
    mass = first["point_arrays"]["Mass"]["ranges"][0]
    ok(all(abs(m / (1000 * DP * DP) - 1) < 0.01 for m in mass), "mass is rho dp^2 within 1%", mass)
    names = first["field_arrays"]["ShapeNames"]["values"]
    ok(names == ["water", "tank"], "the names of the shapes", names)
    shapes = first["point_arrays"]["Shape"]["ranges"]
    ok(shapes == [[0, 1]], "which Shape counts", shapes)
    z = first["bounds"][4:]
    ok(z == [0, 0], "2-D: all in the plane z = 0", z)


def check_snapshot(index, snapshot):
    arrays = {n: (a["type"], len(a["ranges"])) for n, a in snapshot["point_arrays"].items()}
    ok(arrays == POINT_ARRAYS, f"snapshot {index}: arrays, types and components", arrays)
    ok(
        snapshot["points"] == snapshot["cells"] == sum(snapshot["types"].values()),
        f"snapshot {index}: a cell a point, and each of one type",
        (snapshot["points"], snapshot["cells"], snapshot["types"]),
    )


def check_later(snapshots):
    ok(all(s["types"] == snapshots[0]["types"] for s in snapshots), "no particle is lost")
    tops = [max(s["point_arrays"]["Velocity"]["ranges"][0]) for s in snapshots]
    faster = all(a < b for a, b in zip(tops, tops[1:]))
    ok(faster and 0.5 < tops[-1] < 2.5, "the front speeds up, below 2 sqrt(g H)", tops)


def check_against_h5py(folder, found):
    try:
        import h5py
        import numpy as np
    except ImportError as error:
        skip("ranges of all arrays", f"paraview: no other reader of the files ({error})")
        return
    wrong = []
    for k, snapshot in enumerate(found["snapshots"]):
        with h5py.File(os.path.join(folder, f"snap_{k:06d}.hdf")) as file:
            for name, array in snapshot["point_arrays"].items():
                values = np.atleast_2d(file["VTKHDF/PointData"][name][:].T).astype(float)
                here = [[float(v.min()), float(v.max())] for v in values]
                if here != array["ranges"]:
                    wrong.append((k, name, here, array["ranges"]))
            low, high = file["VTKHDF/Points"][:].min(0), file["VTKHDF/Points"][:].max(0)
            bounds = [float(x) for pair in zip(low, high) for x in pair]
            if bounds != snapshot["bounds"]:
                wrong.append((k, "Points", bounds, snapshot["bounds"]))
    ok(not wrong, "ranges of all arrays and the bounds are those that h5py finds", wrong)


TANK = """
model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [0.8, 0.4, 0.4]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.4, 0.4, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; } );
time = { end = 0.02; }; output = { every = 0.01; };
"""
IMAGES = """
import json, sys
from paraview import simple
found = []
for path in sys.argv[1:]:
    reader = simple.OpenDataFile(path)
    times = list(reader.TimestepValues)
    reader.UpdatePipeline(times[-1])
    data = simple.servermanager.Fetch(reader)
    fields = data.GetPointData()
    arrays = [fields.GetArray(k) for k in range(fields.GetNumberOfArrays())]
    wet = simple.Threshold(Input=reader, Scalars=["POINTS", "Valid"], ThresholdMethod="Between",
                           LowerThreshold=0.5, UpperThreshold=1.5)
    wet.UpdatePipeline(times[-1])
    found.append({"times": times, "kind": data.GetClassName(), "places": data.GetDimensions(),
                  "bounds": data.GetBounds(), "wet": wet.GetDataInformation().GetNumberOfPoints(),
                  "ranges": {a.GetName(): a.GetRange(0) for a in arrays}})
print(json.dumps(found))
"""


def write_text(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def measure_images(flat, scratch):
    """The lists of images of a run in 2-D, of a plane and of a grid in 3-D, or None."""
    tank, config = os.path.join(scratch, "tank"), write_text(f"{scratch}/tank.cfg", TANK)
    commands = (
        ("run", config, "--out", tank, "--quiet"),
        ("measure", flat, "--quiet", "--times", "all", "--grid", "0.005"),
        ("measure", tank, "--quiet", "--times", "all", "--plane", "x=0.2:0.02"),
        ("measure", tank, "--quiet", "--times", "all", "--grid", "9,5,5"),
    )
    for command in commands:
        made = call(SLUICE, *command)
        ok(made.returncode == 0, " ".join(("sluice", *command[:1], *command[2:])), made.stderr)
    names = (f"{flat}/measure_grid", f"{tank}/measure_plane", f"{tank}/measure_grid")
    return [f"{name}.hdf.series" for name in names]


def check_images(flat, scratch):
    """Images of `sluice measure`: flat ones have two equal layers."""
    lists = measure_images(flat, scratch)
    script = write_text(os.path.join(scratch, "images.py"), IMAGES)
    opened = call("pvpython", script, *lists)
    done = ok(opened.returncode == 0, "ParaView opens images", opened.stdout + opened.stderr)
    ok("ERR" not in opened.stderr, "without an error", opened.stderr)
    if not done:
        return
    images = json.loads(opened.stdout[opened.stdout.index("[{") :])
    ok(all(i["kind"] == "vtkImageData" for i in images), "as images", images)
    ok([len(i["times"]) for i in images] == [6, 3, 3], "as series", [i["times"] for i in images])
    shapes = [i["places"] for i in images]
    ok(shapes[0][2] == 2 and shapes[1:] == [[2, 21, 21], [9, 5, 5]], "of these places", shapes)
    near = [round(x, 3) for x in images[1]["bounds"]]
    ok(near == [0.2, 0.2, 0, 0.4, 0, 0.4], "the plane is where it was asked for", near)
    for image in images:
        low, high = image["ranges"]["Pressure"]
        ok(-200 < low < high < 3000, "a range of pressures, without nan", (low, high))
        every = image["places"][0] * image["places"][1] * image["places"][2]
        ok(0 < image["wet"] < every, "Threshold on Valid", (image["wet"], every))


def size_of_png(path):
    with open(path, "rb") as file:
        head = file.read(24)
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else None


def check_colours(path):
    """Water in many colours, walls grey, paper white: not an empty picture."""
    try:
        import matplotlib.image
        import numpy as np
    except ImportError as error:
        skip("the picture shows water", f"paraview: {error}")
        return
    pixels = (matplotlib.image.imread(path)[:, :, :3] * 255).astype(int).reshape(-1, 3)
    white = (pixels == 255).all(1)
    grey = (pixels.max(1) - pixels.min(1) < 8) & (pixels[:, 0] > 100) & ~white
    coloured = pixels.max(1) - pixels.min(1) > 40
    kinds = len(np.unique(pixels[coloured] // 8, axis=0))
    shares = [round(float(what.mean()), 3) for what in (white, grey, coloured)]
    shows = shares[0] > 0.5 and shares[1] > 0.005 and shares[2] > 0.01 and kinds > 20
    ok(shows, "the picture shows water between walls", (shares, kinds))
    print("# shares of white, grey and colour:", *shares, "colours:", kinds)


LOADED_THEN_MACRO = """
import os, sys
from paraview import simple
simple.LoadState(%r)
names = sorted(name for name, _ in simple.GetSources())
counts = {name: simple.FindSource(name).GetDataInformation().GetNumberOfPoints()
          for name in names if name == "water" or name.startswith("wall ")}
print("LOADED", names, counts)
simple.ResetSession()
reader = simple.OpenDataFile(os.path.join(%r, "run.hdf.series"))
simple.SetActiveSource(reader)
os.chdir("/")
sys.argv = ["macro"]
exec(open(%r).read(), {"__name__": "__main__"})
print("SHOWN", sorted(name for name, _ in simple.GetSources()))
"""


def check_view(folder, environment):
    """The macro's file as a script, as a macro on the selected reader, and the state it writes."""
    script = os.path.join(TOOLS, "sluice_view.py")
    picture, state = (os.path.join(folder, name) for name in ("view.png", "run.pvsm"))
    options = ["--size", "640", "360", "--screenshot", picture, "--save-state", state, "--tine=1"]
    drawn = call("pvbatch", script, folder, *options, env=environment)
    made = os.path.exists(picture) and os.path.exists(state)
    ok(made, "sluice_view.py writes a picture and a state", drawn.stdout + drawn.stderr)
    if not made:
        return
    ok("no such option, ignored: --tine=1" in drawn.stderr, "an unknown option is named",
       drawn.stderr)  # fmt: skip
    ok(size_of_png(picture) == (640, 360), "of the size asked for", size_of_png(picture))
    check_colours(picture)
    loaded = call("pvpython", "-c", LOADED_THEN_MACRO % (state, folder, script), env=environment)
    found = dict(re.findall(r"^(LOADED|SHOWN) (.*)$", loaded.stdout, re.MULTILINE))
    ok("'time', 'wall tank', 'water'] {'wall tank': " in found.get("LOADED", ""),
       "the state has a filter for each group, by its name", loaded.stdout + loaded.stderr)
    ok("'wall tank', 'water']" in found.get("SHOWN", ""),
       "as a macro it shows the run that is selected", loaded.stdout + loaded.stderr)  # fmt: skip


def check_picture(folder):
    if shutil.which("Xvfb") is None:
        skip("sluice_view.py draws", "paraview: Xvfb is missing")
        return
    # A display of our own: its number is chosen by the server, so that two never meet. Without
    # -noreset the server starts anew when pvbatch's first connection ends, and refuses its second.
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        + ["-noreset"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as answer:
            display = ":" + answer.readline().strip()
        check_view(folder, {**os.environ, "DISPLAY": display})
    finally:
        server.terminate()
        server.wait()


HELP_THEN_RUN = """
import runpy, sys
sys.argv = [%r, "--help"]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as ended:
    print("HELPED", ended.code)
sys.argv = [sys.argv[0], %r]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def check_messages(folder):
    """describe.py says them without ParaView."""
    for name, program in (("describe.py", sys.executable), ("sluice_view.py", "pvpython")):
        both = call(program, "-c", HELP_THEN_RUN % (os.path.join(TOOLS, name), folder))
        told = both.stdout.upper()
        ok("RUN_DIR" in told and "HELPED 0" in told, f"{name} --help", both.stdout + both.stderr)
        refused = both.returncode != 0 and "there is no such file" in both.stderr
        ok(refused, f"{name}: a folder without a run is refused", both.stderr)


def main():
    if shutil.which("pvpython") is None:
        print("1..0 # SKIP paraview is missing: its packages are paraview and python3-paraview")
        return 0
    with tempfile.TemporaryDirectory(prefix="sluice-paraview-") as scratch:
        folder = os.path.join(scratch, "run")
        found = describe(folder) if make_run(folder) else None
        if found:
            check_times(found, folder)
            check_start(found["snapshots"][0])
            for index, snapshot in enumerate(found["snapshots"]):
                check_snapshot(index, snapshot)
            check_later(found["snapshots"])
            check_against_h5py(folder, found)
            check_images(folder, scratch)
            check_picture(folder)
        check_messages(scratch)
    finish()


if __name__ == "__main__":
    main()

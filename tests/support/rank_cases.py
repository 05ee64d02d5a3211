"""Small cases of all kinds, for the tests of several ranks: {name: (config, keys changed)}; planes
between the ranks; and runs in the background, whose ranks can be killed."""

import glob
import json
import math
import os
import shutil
import subprocess
import sys
import time

from case_run import SLUICE, differences, ok, scratch
from opening_cases import OPENING_CASES


def gpu_backend():
    """The backend of the tests of ranks on GPUs, SLUICE_TEST_BACKEND or the first whose device can
    be used; the test is skipped without one, MPI or mpirun."""
    info = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)
    backend = os.environ.get("SLUICE_TEST_BACKEND") or next(
        (b["name"] for b in info["backends"] if b["name"] != "cpu" and b["usable"]), None)
    if not info["mpi"] or not shutil.which(info["mpirun"]) or backend in (None, "cpu"):
        print("1..0 # SKIP no MPI in this program, no mpirun, or no GPU")
        sys.exit(0)
    prepare_emulated_ranks()
    return backend


def prepare_emulated_ranks():
    """What several ranks need under the sanitizers, and on the emulator."""
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # MPI's own
    os.environ["OMP_NUM_THREADS"] = "1"  # the emulator's
    # MPI's hwloc reads the names of all PCI devices, which under ASan takes a second a rank.
    os.environ["HWLOC_COMPONENTS"] = "-pci"


COMMON = {"backend__strategy": "window", "time__max_steps": 20, "output__checkpoint_every_s": 0.0}
JET = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
fluid = { sound_speed = 30.0; };
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
geometry = ( { name = "w"; shape = "box"; type = "fluid"; min = [0.5, 0.2]; max = [0.9, 0.6]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [6.0, 0.5]; } );
probes = ( { name = "f"; kind = "front"; axis = "x"; every = 0.005; } );
time = { end = 0.03; }; output = { every = 0.01; }; energy = { reference = 100.0; };
"""
# Shapes that cut others, and sums over all particles before the start.
BALL = """model = "gas"; dimension = 3; spacing = 0.05;
domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; periodic = [true, true, true]; };
geometry = (
    { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; density = 1.0;
      pressure = 1.0; lattice = "fcc"; },
    { shape = "sphere"; type = "fluid"; centre = [0.5, 0.5, 0.5]; radius = 0.3; density = 1.5;
      pressure = 1.0; },
    { shape = "sphere"; type = "void"; centre = [0.5, 0.5, 0.5]; radius = 0.1; } );
initial = ( { field = "energy"; kind = "point"; amplitude = 0.5; centre = [0.0, 0.0, 0.0]; } );
probes = (
    { name = "seam"; kind = "point"; at = [0.0, 1.0, 0.0]; quantity = "all"; every = 0.002; },
    { name = "across"; kind = "line"; from = [0.5, 0.0, 0.4]; to = [0.5, 1.0, 0.4]; points = 11;
      quantity = "velocity"; every = 0.005; } );
time = { end = 0.03; }; output = { every = 0.01; };
"""
# A raft across all ranks, on a line through the seam, and a ball that falls on it.
BODIES = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.2, 0.8]; periodic = [true, false]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.2, 0.4]; },
    { shape = "walls"; sides = ["y-"]; },
    { name = "raft"; shape = "box"; type = "body"; min = [0.04, 0.34]; max = [1.0, 0.44]; },
    { name = "ball"; shape = "disc"; type = "body"; centre = [0.6, 0.54]; radius = 0.08; } );
bodies = ( { name = "raft"; density = 500.0; velocity = [1.0, 0.0]; spin = [0.5]; },
    { name = "ball"; density = 2000.0; velocity = [0.0, -3.0]; } );
moorings = ( { kind = "spring"; body = "raft"; at = [1.0, 0.4]; to = [1.2, 0.4]; damping = 10.0;
               stiffness = 1000.0; } );
probes = ( { name = "raft"; kind = "force"; on = "raft"; every = 0.001; } );
time = { end = 0.1; }; output = { every = 0.005; bodies = 0.001; };
"""
# Walls that meet across all ranks, one of them lifted: parts of the forces move between ranks.
MEETING = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.2, 0.5]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.2, 0.3]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { name = "sill"; shape = "polygon"; type = "wall";
      points = ([0.1, 0.0], [1.0, 0.0], [1.0, 0.1], [0.4, 0.1]); },
    { name = "gate"; shape = "box"; type = "wall"; min = [0.6, 0.1]; max = [0.7, 0.4];
      motion = "lift"; } );
motions = ( { name = "lift"; kind = "linear"; velocity = [0.0, 1.0]; } );
probes = ( { name = "tank"; kind = "force"; on = "tank"; every = 0.001; },
    { name = "sill"; kind = "force"; on = "sill"; every = 0.001; },
    { name = "gate"; kind = "force"; on = "gate"; every = 0.001; } );
time = { end = 0.1; }; output = { every = 0.005; };
"""
# A tank that slips, a gate that turns in it and does not, and a raft.
SLIPS = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.2, 0.8]; };
fluid = { viscosity = { kind = "laminar"; nu = 0.01; }; };
boundary = { slip = "no-slip"; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.2, 0.24]; },
    { shape = "box"; type = "fluid"; min = [0.0, 0.24]; max = [1.2, 0.4]; UPPER },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; slip = "free"; },
    { name = "gate"; shape = "box"; type = "wall"; min = [0.7, 0.1]; max = [0.8, 0.6];
      motion = "turn"; },
    { name = "raft"; shape = "box"; type = "body"; min = [0.1, 0.34]; max = [0.5, 0.44]; } );
bodies = ( { name = "raft"; density = 500.0; spin = [0.5]; } );
motions = ( { name = "turn"; kind = "rotation"; rate = 2.0; centre = [0.75, 0.35]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [0.6, 0.1]; } );
probes = ( { name = "gate"; kind = "force"; on = "gate"; every = 0.001; },
    { name = "tank"; kind = "force"; on = "tank"; every = 0.001; } );
time = { end = 0.1; }; output = { every = 0.005; bodies = 0.001; };
"""


def surface_record():
    """The file of a wave maker: two waves over 30 s."""
    path = os.path.join(scratch, "surface.csv")
    with open(path, "w") as file:
        file.write("t,eta\n" + "".join(
            f"{0.05 * i:.17g},{0.03 * math.cos(0.2 * i) + 0.02 * math.cos(0.25 * i):.17g}\n"
            for i in range(600)))
    return path


def snake(paddles, keys, phase=0.0, one=False):
    """A row of paddles side by side across a tank in 3-D, with a floating box; keys: of each maker.
    More than eight motions are no parameters of a kernel. phase: from one to the next, rad. one: a
    single motion carries all of them."""
    wide, boxes, motions = 0.1, [], []
    for n in range(paddles):
        name = "all" if one else f"p{n}"
        boxes.append(f"""{{ name = "{name}"; shape = "box"; type = "wall";
      min = [0.0, {n * wide:.9g}, 0.0]; max = [0.2, {(n + 1) * wide:.9g}, 0.5]; }}""")
        if n == 0 or not one:
            motions.append(f"""{{ name = "m{n}"; carries = "{name}"; kind = "wave";
      wave = "regular"; depth = 0.3; height = 0.06; period = 0.7; ramp = 0.1;
      phase = {n * phase:.9g}; {keys} }}""")
    return f"""model = "wcsph"; dimension = 3; spacing = 0.05; gravity = [0.0, 0.0, -9.81];
domain = {{ min = [-0.2, 0.0, 0.0]; max = [0.8, {paddles * wide:.9g}, 0.6];
  periodic = [false, true, false]; }};
geometry = ( {{ shape = "box"; type = "fluid"; min = [0.2, 0.0, 0.0];
      max = [0.8, {paddles * wide:.9g}, 0.3]; }},
    {{ name = "tank"; shape = "walls"; sides = ["z-", "x+"]; }},
    {", ".join(boxes)},
    {{ name = "float"; shape = "box"; type = "body"; min = [0.4, 0.4, 0.2];
      max = [0.6, 0.8, 0.4]; }} );
bodies = ( {{ name = "float"; density = 500.0; }} );
motions = ( {", ".join(motions)} );
fluid = {{ viscosity = {{ kind = "laminar"; nu = 1.0e-3; }}; }};
boundary = {{ kind = "adami"; slip = "no-slip"; }};
initial = ( {{ field = "pressure"; kind = "hydrostatic"; }} );
probes = ( {{ name = "float"; kind = "force"; on = "float"; every = 0.005; }},
    {{ name = "{'all' if one else 'p1'}"; kind = "force"; on = "{'all' if one else 'p1'}";
      every = 0.005; }} );
time = {{ end = 0.2; }}; output = {{ every = 0.02; bodies = 0.005; }};
"""


FLAPS = 'paddle = "flap"; axis = "y"; centre = [0.1, 0.0, 0.0];'
CASES = {
    "adami": ("configs/dam_break.cfg", {"output__every": 5e-4}),
    "dynamic": ("configs/dam_break.cfg", {"boundary__kind": "dynamic"}),
    "repulsive": ("configs/dam_break.cfg", {"boundary__kind": "repulsive"}),
    "mdbc": ("configs/dam_break.cfg", {"boundary__kind": "mdbc", "backend__precision": "double"}),
    "mdbc-3d": ("configs/dam_break_3d.cfg", {"spacing": 0.04, "boundary__kind": "mdbc"}),
    "hull": ("configs/hull.cfg", {"spacing": 0.05, "time__max_steps": 40}),
    "sps": ("configs/acoustic_wave.cfg", {"spacing": 0.0625, "fluid__viscosity__kind": "sps"}),
    "two": ("configs/two_layers.cfg", {"spacing": 0.0625}),
    "antuono": (
        "configs/standing_wave.cfg",
        {"spacing": 0.0625, "fluid__diffusion__kind": "antuono"},
    ),
    "renormalised": (BODIES, {"time__max_steps": 120, "fluid__gradients": "renormalised"}),
    "renormalised-3d": (
        "configs/dam_break_3d.cfg",
        {"spacing": 0.04, "boundary__kind": "mdbc", "fluid__gradients": "renormalised"},
    ),
    "moving": ("configs/moving_square.cfg", {"spacing": 0.1}),
    "flume": ("configs/wave_flume.cfg", {"spacing": 0.05}),
    "record": (
        "configs/wave_flume.cfg",
        {
            "spacing": 0.05,
            "motions__maker__wave": "elevation",
            "motions__maker__file": surface_record(),
            "motions__maker__ramp": 0.5,
        },
    ),
    "snake": (snake(12, FLAPS, 0.4), {}),
    "shifting": ("configs/taylor_green.cfg", {"spacing": 0.05}),
    "bodies": (BODIES, {"time__max_steps": 120}),
    "slips": (SLIPS.replace("UPPER", ""), {"time__max_steps": 60}),
    "meeting": (MEETING, {"time__max_steps": 60}),
    "lj": ("configs/lennard_jones.cfg", {"lattice__cells": [8, 8, 8]}),
    # 296,352 atoms: more than one rank makes at a time.
    "chunks": ("configs/lennard_jones.cfg", {"lattice__cells": [42, 42, 42], "time__max_steps": 2}),
    "x-pencil": ("configs/dam_break.cfg", {"backend__strategy": "x-pencil"}),
    "all-in-sm": (
        "configs/lennard_jones.cfg",
        {"lattice__cells": [8, 8, 8], "backend__strategy": "all-in-sm"},
    ),
    "blast": ("configs/sedov.cfg", {"spacing": 0.0625}),
    "ball": (BALL, {}),
    "bucket": (BALL.replace("density = 1.5", "density = 8.0"), {"backend__strategy": "bucket"}),
    "openings": (OPENING_CASES["adami"][0], {"time__max_steps": 250}),
    "openings-3d": (OPENING_CASES["across"][0], {"time__max_steps": 100}),
    "leaving": (JET, {"time__max_steps": 0, "output__every": 0.01}),
}


def planes(seed):
    """The next runs draw the planes anew at every sort, from this seed; 0: they stay."""
    os.environ.pop("SLUICE_TEST_PLANES", None)
    if seed:
        os.environ["SLUICE_TEST_PLANES"] = str(seed)


def compare(name, case, runs):
    """Runs a case on one rank, and on (ranks, seed) of `runs`; all must give the same bits. Returns
    the first run."""
    planes(0)
    one = case.run(f"{name}-1", expect=(0, 1))  # a coarse case need not conserve its energy
    for ranks, seed in runs:
        planes(seed)
        many = case.run(f"{name}-{ranks}", expect=(0, 1), ranks=ranks)
        different = differences(one, many)
        ok(
            not different and many.code == one.code,
            f"{name}: the same on {ranks} ranks, seed {seed}",
            f"{different}, exit {one.code} and {many.code}",
        )
    planes(0)
    return one


def last_children(pid):
    """The processes below this one that have none below them: mpirun's ranks. MPICH's mpirun has a
    process between."""
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
    below = [last_children(int(word)) for word in listed.split()]
    return sum(below, []) or [pid]


def begin(name, ranks, *settings):
    """A long run in the background that has made a checkpoint, and the processes of its ranks."""
    folder = os.path.join(scratch, name)
    words = [SLUICE, "run", os.path.join("configs", "dam_break.cfg"), "--out", folder, "--quiet"]
    words += ["--ranks", str(ranks), "--set", "time.end=1000.0", "--set", "spacing=0.002"]
    for setting in ("output.checkpoint_every_s=0.5", *settings):
        words += ["--set", setting]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not glob.glob(f"{folder}/checkpoint_*.hdf"):
        time.sleep(0.1)
    return child, folder, last_children(child.pid)


def all_end(pids, name):
    """Checks that they end within 30 s, for mpirun does not wait for its ranks."""
    deadline = time.monotonic() + 30
    while pids and time.monotonic() < deadline:
        time.sleep(0.1)
        pids = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
    shown = ["ps", "-o", "pid,ppid,stat,wchan:20,etime,time,args", "-p", ",".join(map(str, pids))]
    ok(not pids, name, subprocess.run(shown, capture_output=True, text=True).stdout if pids else "")

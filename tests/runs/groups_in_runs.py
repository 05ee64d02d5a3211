#!/usr/bin/env python3
# test: 3 s
"""Groups in a whole run: walls of a file beside those of the geometry hold the water, a motion
carries those of one name, snapshots have the group of each particle, and so has a run that starts
from one."""

import json
import os
import subprocess

import h5py
from case_run import SLUICE, Case, at_most, finish, np, ok, restart, scratch

# Water between a piston, which is rows of a file, and a slope of five boxes of one name.
TANK = """model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
domain = { max = [1.0, 0.5]; };
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.2]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
    STEPS );
motions = ( { name = "push"; carries = "piston"; kind = "sine"; amplitude = [0.02, 0.0];
              period = 0.4; phase = -1.5707963267948966; } );
probes = ( { name = "piston"; kind = "force"; on = "piston"; every = 0.01; },
    { name = "beach"; kind = "force"; on = "beach"; every = 0.01; } );
particles = "FILE"; time = { end = 0.2; }; output = { every = 0.05; precision = "double"; };
energy = { tolerance = 1.0; };
"""
STEP = '{ name = "beach"; shape = "box"; type = "wall"; min = [%.2f, 0.0]; max = [%.2f, %.2f]; }'


def tank(particles, end=""):
    steps = ",\n".join(STEP % (0.7 + 0.06 * k, 0.76 + 0.06 * k, 0.04 * (k + 1)) for k in range(5))
    return TANK.replace("STEPS", steps).replace("FILE", particles) + end


def table():
    """A piston of 4 columns above the floor, its rows neither in order nor with ids in a row."""
    path = os.path.join(scratch, "piston.csv")
    rows = [f"{3 * (20 * i + j)},wall,piston,{0.11 + 0.02 * i:.3f},{0.01 + 0.02 * j:.3f}"
            for i in range(4) for j in range(20)]
    with open(path, "w") as file:
        file.write("id,type,shape,x,y\n" + "\n".join(rows[::-1]) + "\n")
    return path


def shapes(run, number):
    """Names of the groups; and by id numbers, places, velocities and types."""
    with h5py.File(os.path.join(run.path, f"snap_{number:06d}.hdf")) as file:
        grid = file["VTKHDF"]
        names = [name.decode() for name in grid["FieldData/ShapeNames"]]
        order = np.argsort(grid["PointData/Id"][:])
        return names, *(data[:][order] for data in (
            grid["PointData/Shape"], grid["Points"], grid["PointData/Velocity"],
            grid["PointData/ParticleType"]))


def test_check(case):
    said = subprocess.run([SLUICE, "check", case.path], capture_output=True, text=True).stdout
    for line in ("beach             wall, 5 shapes, 90 particles",
                 "piston            wall, 80 rows of the file, 80 particles",
                 "push              sine, 80 particles"):
        ok(line in said, f"check prints: {line}", said)
    said = subprocess.run([SLUICE, "check", case.path, "--json"], capture_output=True, text=True)
    groups = {group["name"]: group for group in json.loads(said.stdout)["groups"]}
    beach = {"name": "beach", "type": "wall", "shapes": 5, "rows": 0, "particles": 90,
             "mass": groups["beach"]["mass"]}
    ok(list(groups) == ["water", "tank", "beach", "piston"] and groups["beach"] == beach,
       "the groups in JSON", groups)


def test_fast_motion(case):
    said = subprocess.run([SLUICE, "check", case.path, "--set", "motions.push.period=0.02"],
                          capture_output=True, text=True).stderr
    ok("speed of walls 'piston', which motion 'push' (" in said,
       "a motion that is too fast names the file's walls that it moves", said)


def test_run(run):
    names, shape, x, _, kind = shapes(run, 0)
    ok(names == ["water", "tank", "beach", "piston"], "names: the shapes', then the file's", names)
    counts = dict(zip(names, np.bincount(shape)))
    # The piston is 4 x 20; water fills 50 x 10 without the piston's 4 x 10 and the slope's
    # 3 x (2 + 4 + 6 + 8 + 10); the slope's boxes lie in the domain, the tank has 3 layers beyond.
    expected = {"water": 370, "tank": 3 * 56 + 2 * 3 * 25, "beach": 90, "piston": 80}
    ok(counts == expected, "particles of each", counts)
    ok(np.array_equal(kind == 0, shape == 0), "the water is the fluid")
    piston = shape == names.index("piston")
    _, _, later, speed, _ = shapes(run, 4)
    moved = later[piston] - x[piston]
    at_most(np.abs(moved[:, 0] - 0.04).max(), 1e-3,
            "half a period on the piston is at the other end")
    at_most(np.abs(speed[(kind == 1) & ~piston]).max(), 0, "no other wall moves")
    below = later[kind == 0][:, 1].min()
    ok(below > 0, f"the lowest water is above the floor: {below:.4g} m")
    ok(run.energy()["removed"][-1] == 0, "no water is lost")
    ok(run.table("probe_piston.csv")["fx"][0] != 0 and run.table("probe_beach.csv")["fx"][0] > 0,
       "forces of both groups")


def test_restart(case, run):
    half = case.run("half", time__max_steps=150)
    again = restart(half.path, time__max_steps=0)
    a, b = run.state(), again.state()
    different = [key for key in a if a[key].tobytes() != b[key].tobytes()]
    ok(not different, "restarted to the same bits", f"different: {different}")
    ok(again.bytes_of("probe_piston.csv") == run.bytes_of("probe_piston.csv"),
       "the same forces after a restart")
    with open(os.path.join(scratch, "piston.csv")) as file:
        rows = file.read()
    other = case.run("other", time__max_steps=20)
    with open(os.path.join(scratch, "piston.csv"), "w") as file:
        file.write(rows.replace(",piston,", ",plate,", 1))
    changed = restart(other.path, expect=(2,), time__max_steps=0)
    ok("is not the file that the run started from" in changed.said,
       "a restart wants the file as it was", changed.said)
    with open(os.path.join(scratch, "piston.csv"), "w") as file:
        file.write(rows)
    first, second = shapes(run, 4), shapes(again, 4)
    ok(first[0] == second[0] and np.array_equal(first[1], second[1]),
       "the same groups after a restart")


def test_snapshot_start(run):
    """The piston goes on from its place in the snapshot. The geometry adds nothing again, although
    the piston has left its first place."""
    start = os.path.join(run.path, "snap_000002.hdf")
    names, shape, x, _, kind = shapes(run, 2)
    second = Case(tank(start)).run("second")
    again, number, there, _, _ = shapes(second, 0)
    ok(sorted(again) == sorted(names), "the names come along", again)
    ok([names[k] for k in shape] == [again[k] for k in number], "each particle keeps its name")
    at_most(np.abs(there - x).max(), 1e-12, "and its place")
    log = second.bytes_of("log.txt").decode()
    for words in ("370 particles of 148 kg/m, takes the place of the geometry's, 410 particles",
                  "488 particles, take the place of the geometry's of the same names, 408"):
        ok(words in log, f"said: {words}", log)
    piston = number == again.index("piston")
    _, _, later, _, _ = shapes(second, 4)
    moved = later[piston] - there[piston]
    at_most(np.abs(moved[:, 0] - 0.04).max(), 1e-3, "the motion carries the snapshot's piston")


def main():
    case = Case(tank(table()))
    run = case.run("run")
    test_check(case)
    test_fast_motion(case)
    test_run(run)
    test_restart(case, run)
    test_snapshot_start(run)
    finish()


if __name__ == "__main__":
    main()

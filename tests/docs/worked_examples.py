#!/usr/bin/env python3
# test: 105 s, slow
"""docs/adding-a-pair.md, -a-strategy.md, -a-boundary.md, -a-shape.md, -an-effect.md: what they show
is built and right.

The pages' files and lines go into a copy of the sources. Of the program only what depends on a
changed header is compiled again, without optimisation, in float, and the strategy for the emulated
GPU; the rest is the build's. The runs of the pair and of the walls are compared with sums over all
pairs here, in double, the particles of the shape with its formula.
"""

import concurrent.futures
import csv
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import case_run
from case_run import ROOT, Case, at_most, largest, np, ok, scratch

BUILD = Path(case_run.SLUICE).resolve().parent
# What the build shares with other configurations.
SHARED = BUILD.with_name(BUILD.name.partition("-")[0])
COPY = Path(scratch, "tree")
ISA = "x86_64" if platform.machine() == "x86_64" else "native"
GPU_LOOPS = ("step/sort step/integrate variant window/near_masks step/pointwise step/reduce tiled"
             " cells/warp_part").split()
# The pairs that run on the emulated GPU, and the new ones.
GPU_PAIRS = "-DPASS_PAIRS(X)=" + " ".join(
    f"X({name}, , , )" for name in "soft contact damping lj low high".split())
# Headers that the pages change.
CHANGED = ("physics/effects.def", "kernels/registry.h", "config/boundary.h", "solids/solid.h",
           "config/probe_kinds.h")
# Nothing of the other strategies, or of double, is compiled or run.
LEFT_OUT = "-Wl,--unresolved-symbols=ignore-all -no-pie"
BLOCK_IN = re.compile(r"<!-- in ([^,\n]*), (after|instead of): (.*?) -->\n```c\n(.*?)```", re.S)
BLOCK_FILE = re.compile(r"<!-- file: (\S+) -->\n```c\n(.*?)```", re.S)


def apply_page(name):
    """Writes the page's files and lines into the copy; returns the number of each."""
    text = Path(ROOT, "docs", name).read_text()
    files, lines = BLOCK_FILE.findall(text), BLOCK_IN.findall(text)
    for path, content in files:
        (COPY / path).parent.mkdir(exist_ok=True)
        (COPY / path).write_text(content)
    for path, how, begin, line in lines:
        old = (COPY / path).read_text().splitlines(keepends=True)
        at = [n for n, text in enumerate(old) if text.strip().startswith(begin)]
        ok(len(at) == 1, f"{name}: {path} has one line that begins with {begin}", at)
        old[at[0] + (how == "after") : at[0] + 1] = [line]
        (COPY / path).write_text("".join(old))
    return len(files), len(lines)


def variable(name):
    made = subprocess.run(["make", "-s", f"print-{name}"], cwd=ROOT, capture_output=True, text=True)
    return shlex.split(made.stdout.partition("=")[2])


def compile_one(command, source, out):
    out.parent.mkdir(parents=True, exist_ok=True)
    run = subprocess.run([*command, "-I.", "-Isrc", "-c", source, "-o", out], cwd=COPY, text=True,
                         capture_output=True)
    return (out, "") if run.returncode == 0 else (None, f"{source}: {run.stderr[-2000:]}")


def object_of(source):
    return COPY / "obj" / source.relative_to(COPY).with_suffix(".o")


def pair_rows():
    """Each pair of the copy's registry, and the flags of its object (Makefile)."""
    lists = (COPY / "kernels/registry.h").read_text().split("#define SLUICE_ADAPTIVE_PAIRS")
    lists[0] += "".join(path.read_text() for path in sorted(COPY.glob("src/physics/*/*.def")))
    for supports, text in zip(("EVEN", "ADAPTIVE"), lists):
        for name, formulas, kernel in re.findall(
                r"^(?: *X|EFFECT_PAIR)\(([a-z_]+), ([a-z_]+), (ALL|WENDLAND|OTHERS),", text, re.M):
            header = ("wcsph_combinations" if formulas.startswith("wcsph_")
                      else f"pair_{formulas}")
            yield name, [f"-DPAIR_NAME={name}", f"-DPAIR_FORMULAS={formulas}",
                         f"-DPAIR_KERNEL={kernel}", f"-DPAIR_SUPPORTS={supports}",
                         f'-DPAIR_HEADER="kernels/pair/{header}.h"']


def jobs():
    """(command, source, object) of each file to compile, and the build's objects for the rest.
    """
    c = ["gcc", "-std=gnu11", "-O0", "-w", "-DSLUICE_WITH_EMULATED"] + variable("LIB_CFLAGS")
    cpu = c + ["-fopenmp", "-fno-math-errno"]
    loops = cpu + ['-DSLUICE_ISA_NAME="x86-64"', f"-DSLUICE_SUFFIX=f32_{ISA}"]
    gpu = ["g++", "-x", "c++", "-std=gnu++17", "-DSLUICE_EMULATED", "-O0", "-w", "-fopenmp",
           GPU_PAIRS]
    reusable = SHARED.name in ("release", "debug")
    pending, built = [], []
    host = ("src/*/**/*.c", "kernels/formulas/*.c", "kernels/backends/*.c",
            "kernels/bench/*.c")
    for source in [path for where in host for path in sorted(COPY.glob(where))]:
        name = source.relative_to(COPY)
        objects = [folder / "obj" / name.with_suffix(".o") for folder in (BUILD, SHARED)]
        made = objects[0] if objects[0].exists() else objects[1]
        depends = made.with_suffix(".d")
        needs = depends.read_text() if reusable and depends.exists() else CHANGED[0]
        # kernels/backends lists the backends, of which the build may have others.
        if name.parts[0] == "src" and not any(header in needs for header in CHANGED) and (
                Path(ROOT, name).read_text() == source.read_text()):
            built.append(made)
        else:
            pending.append((c, name, object_of(source)))
    for command, folder in ((cpu, "kernels/cpu"), (loops, "kernels/cpu/loops"),
                            (cpu, "kernels/bench/cpu"), (loops, "kernels/bench/cpu/loops")):
        for source in sorted(COPY.glob(f"{folder}/*.c")):
            if source.name != "pair.c":
                pending.append((command, source.relative_to(COPY), object_of(source)))
    for name, flags in pair_rows():
        pending.append((loops + flags, Path("kernels/cpu/loops/pair.c"),
                        COPY / f"obj/kernels/cpu/loops/pair_{name}.o"))
    sources = [*COPY.glob("kernels/**/host/*.cu"), *COPY.glob("kernels/gpu/emulator/*.cc")]
    for source in sources + [COPY / f"kernels/gpu/{name}.cu" for name in GPU_LOOPS]:
        pending.append((gpu, source.relative_to(COPY), object_of(source)))
    return pending, built


def build():
    """The program with the pages' pair and strategy, or None."""
    for folder in ("src", "kernels", "configs"):
        shutil.copytree(Path(ROOT, folder), COPY / folder)
    ok(apply_page("adding-a-pair.md") == (2, 2), "the pair is a header, a config and two lines")
    ok(apply_page("adding-a-strategy.md") == (2, 1), "the strategy is two files and a line")
    ok(apply_page("adding-a-boundary.md") == (3, 1), "the walls: three files and a piece")
    ok(apply_page("adding-a-shape.md") == (2, 4), "the shape: a file, a config, four lines")
    ok(apply_page("adding-an-effect.md") == (5, 1), "the effect: five files and a line")
    ok(apply_page("adding-a-probe.md") == (3, 4), "the probe: two files, a config, four pieces")
    pending, built = jobs()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = list(pool.map(lambda job: compile_one(*job), pending))
    errors = [text for _, text in done if text]
    if not ok(not errors, f"{len(pending)} files compile, {len(built)} are the build's",
              "\n".join(errors)):
        return None
    program = COPY / "sluice"
    link = ["gcc", "-fopenmp", *shlex.split(LEFT_OUT), *[out for out, _ in done], *built,
            *variable("LIBS"), "-lstdc++", "-o", program]
    run = subprocess.run(link, capture_output=True, text=True)
    return program if ok(run.returncode == 0, "and link", run.stderr) else None


def soft_sums(x, edge, strength=25.0, rc=1.0):
    """Energy, and accelerations of mass 1, of all pairs of the page's formula."""
    d = x[:, None] - x[None]
    d -= edge * np.rint(d / edge)
    r = np.sqrt((d**2).sum(-1))
    np.fill_diagonal(r, np.inf)
    left = np.maximum(1 - r / rc, 0)
    return strength * rc / 4 * (left**2).sum(), (strength * (left / r)[..., None] * d).sum(1)


def verlet(x, v, edge, dt, steps):
    """Energies of the pairs at each step."""
    energy, a = soft_sums(x, edge)
    energies = [energy]
    for _ in range(steps):
        v = v + dt / 2 * a
        x = x + dt * v
        energy, a = soft_sums(x, edge)
        v = v + dt / 2 * a
        energies.append(energy)
    return np.array(energies)


def check_runs(case):
    """The page's config on the CPU, and some steps of it on the emulated GPU."""
    runs = {"cpu window": {}, "cpu tiled": {}, "cpu warp-part": {},
            "emulated warp-part": {"time__max_steps": 4}}
    reference = None
    for name, keys in runs.items():
        backend, strategy = name.split()
        run = case.run(strategy, backend__name=backend, backend__strategy=strategy,
                       output__precision="double", **keys)
        if reference is None:
            start = run[0]
            edge = (4 * 64 / 3.0) ** (1 / 3)
            reference = verlet(start.x, start.velocity, edge, 0.01, 20)
        got = run.energy()["pair"]
        ok(len(got) == keys.get("time__max_steps", 20) + 1, f"{name}: {len(got)} energies")
        at_most(largest(got / reference[: len(got)] - 1), 1e-5, f"{name}: energies of the pairs")


def contact_sums(x, walls, dp=0.05, c0=35.0):
    """Potential over a particle's mass, and accelerations, of the page's formula."""
    d = x[:, None] - walls[None]
    r = np.sqrt((d**2).sum(-1))
    left, strength = np.maximum(1 - r / dp, 0), c0**2 / 10
    a = strength / dp * ((left / r)[..., None] * d).sum(1)
    return strength / 2 * (left**2).sum(), a


def check_still_water(case):
    """The page's tank keeps its water, and the budget has the potential of the page's formula."""
    checked = subprocess.run([case_run.SLUICE, "check", case.path], capture_output=True, text=True)
    ok(checked.returncode == 0, "sluice check accepts contact walls", checked.stderr)
    run = case.run("still", backend__name="cpu", backend__precision="float")
    energy = run.energy()
    ok(len(energy["spring"]) > 100, f"{len(energy['spring'])} rows of energies")
    at_most(largest(energy["identity"]), 1e-5, "power identity")
    for snapshot in run[1:]:
        time = snapshot.time
        fluid, walls = (snapshot.x[snapshot.type == kind][:, :2] for kind in (0, 1))
        inside = np.all((fluid > 0) & (fluid < 1), axis=1)
        ok(len(fluid) == 200 and inside.all(), f"t = {time:.1f} s: all 200 are in the tank",
           str(fluid[~inside]))
        booked = energy["spring"][np.argmin(abs(energy["time"] - time))]
        expected = snapshot.mass[0] * contact_sums(fluid, walls)[0]
        # Positions are rounded to 1e-6 dp, and 1 - r/dp is about 0.05, which leaves 4e-5.
        at_most(booked / expected - 1, 1e-3, f"t = {time:.1f} s: energy of the contacts")


def check_contacts(case):
    """Accelerations of particles that meet walls only: beyond the kernel's reach of each other."""
    places = np.array([[0.011, 0.41], [0.982, 0.52], [0.31, 0.016], [0.525, 0.009], [0.75, 0.012],
                       [0.013, 0.008], [0.5, 0.5]])
    table = "".join(f"{x},{y}\n" for x, y in places)
    Path(scratch, "apart.csv").write_text("x,y\n" + table)
    for strategy in ("window", "tiled"):
        run = case.run(f"apart {strategy}", backend__name="cpu", backend__strategy=strategy,
                       backend__precision="float", output__precision="double", output__every=1e-6,
                       time__max_steps=1, particles=str(Path(scratch, "apart.csv")))
        snapshot = run[-1]
        fluid = snapshot.x[snapshot.type == 0][np.argsort(snapshot.id[snapshot.type == 0]), :2]
        _, expected = contact_sums(fluid, snapshot.x[snapshot.type == 1][:, :2])
        pushed = np.any(expected != 0, axis=1)
        ok(list(pushed) == [True] * 6 + [False], f"{strategy}: walls push six of seven particles")
        # Positions are rounded to 3e-8 m; times D/dp^2 = 49,000 1/s^2 that is 1.5e-3 m/s^2.
        got = run.state(by_id=True)["fluid/acceleration"]
        at_most(largest(got - expected - [0, -9.81]), 2e-3, f"{strategy}: accelerations, m/s^2, of "
                f"up to {largest(expected):.0f}")


def capsule_distance(x, radius=0.2, length=0.8, degrees=30.0, move=(1.0, 0.5, 0.45)):
    """Signed distances of places [n, 3] from the page's capsule."""
    turn = np.radians(degrees)
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    out = x - np.array(move)
    nearest = np.clip(out @ along, -length / 2, length / 2)
    return np.linalg.norm(out - nearest[:, None] * along, axis=1) - radius


def check_capsule(case):
    """The float's particles fill the cells that the formula has, and the water the others; `check`
    prints the formula's volume."""
    said = subprocess.run([case_run.SLUICE, "check", case.path], capture_output=True, text=True)
    volume = np.pi * 0.2**2 * (0.8 + 4 / 3 * 0.2)
    found = re.search(r"capsule 3 'float' .* volume (\S+) m\^3 asked", said.stdout)
    ok(found and abs(float(found[1]) / volume - 1) < 1e-5,
       f"check prints the capsule's volume, {volume:.6g}", said.stdout + said.stderr)
    run = case.run("float", backend__name="cpu", backend__precision="float", time__max_steps=4)
    ok(run.energy()["step"][-1] == 4, "and the float runs")
    start = run[0]
    cells = 0.05 * (np.indices((40, 20, 20)).reshape(3, -1).T + 0.5)
    inside = capsule_distance(cells) <= 0
    water = ~inside & (cells[:, 2] < 0.9)
    for name, wanted in (("float", cells[inside]), ("water", cells[water])):
        got = start.x[start.shape == start.groups.index(name)]
        same = len(got) == len(wanted) and np.allclose(*(
            x[np.lexsort(np.rint(x / 0.05 - 0.5).T)] for x in (got, wanted)), atol=1e-6)
        ok(same, f"{name}: particles at the {len(wanted)} places of the formula", str(len(got)))
    text = Path(case.path).read_text()
    text = text.replace('"capsule"; type = "wall"', '"capsule"; type = "body"')
    body = Case(text + 'bodies = ( { name = "float"; density = 500.0; } );')
    surfaces = body.run("body", backend__name="cpu", time__max_steps=1)[0].body_surfaces
    found = np.linalg.det(surfaces.points[surfaces.triangles].astype(float)).sum() / 6
    ok(abs(found / volume - 1) < 0.02, f"its triangles enclose {found:.4g} m^3 of {volume:.4g}")


def damped_speed(t, rate=4.0, mean_time=0.5):
    """u/U of the page's uniform flow."""
    k = rate + 1 / mean_time
    return 1 - rate / k * (1 - np.exp(-k * t))


def damped_mean(t, rate=4.0, mean_time=0.5):
    """Its running mean over U: u - m = U exp(-k t)."""
    return damped_speed(t) - np.exp(-(rate + 1 / mean_time) * t)


def check_damping(case):
    """The page's flow follows its exact solution to first order in the step, the budget closes with
    the new work, the effect bounds the step, and a restart and two threads give the same bits."""
    errors = []
    for step in (0.002, 0.001):
        run = case.run(f"damped {step}", backend__name="cpu", backend__precision="float",
                       time__step=step, backend__threads=2)
        velocity = run[-1].velocity[:, :2]
        errors.append(largest(velocity / damped_speed(run[-1].time) - [1.0, 0.5]))
        mean = run[-1].mean_velocity / damped_mean(run[-1].time) - [1.0, 0.5, 0.0]
        at_most(largest(mean), 5 * step, f"the running mean in a snapshot, step {step:g}")
    at_most(errors[1], 2e-3, "the speed of uniform flow")
    at_most(errors[1] / errors[0], 0.6, "which converges with the step")
    energy = run.energy()
    at_most(largest(energy["residual"]) / energy["kinetic"][0], 1e-5, "the budget closes")
    lost = energy["kinetic"][-1] - energy["kinetic"][0]
    at_most(energy["work_damping"][-1] / lost - 1, 1e-4, f"by the work of damping, {lost:.3g} J")
    shown = subprocess.run([case_run.SLUICE, "energy", run.path], capture_output=True, text=True)
    ok("work of selective frequency damping" in shown.stdout, "sluice energy shows it",
       shown.stdout + shown.stderr)
    one = case.run("one thread", backend__name="cpu", backend__precision="float", time__step=0.001,
                   backend__threads=1)
    ok(np.array_equal(one.energy()["kinetic"], energy["kinetic"]), "one thread: the same bits")
    first = case.run("half", backend__name="cpu", backend__precision="float", time__step=0.001,
                     time__max_steps=200)
    again = case_run.restart(first.path, time__max_steps=0)
    ok(np.array_equal(again.energy()["kinetic"], energy["kinetic"]),
       "a restart goes on with its means")
    # Three steps at the bound lose nearly all energy: the budget's residual is above its tolerance.
    fast = case.run("fast", (0, 1), backend__name="cpu", time__max_steps=3,
                    fluid__damping__rate=5e4)
    at_most(float(fast.energy()["dt"][-1]) * 5e4 * 1.4, 1.0, "a fast damping bounds the step")
    refused = subprocess.run([case_run.SLUICE, "check", case.path, "--set",
                              "fluid.damping.rate=-1.0"], capture_output=True, text=True)
    ok(refused.returncode != 0 and "from 0 to 1e+06 1/s" in refused.stderr, "a key with its range",
       refused.stderr)


def check_box(case):
    """The probe's table has the sums of the snapshots' particles that lie in its box."""
    run = case.run("box", backend__name="cpu", output__precision="double")
    table = run.probe("B")
    ok([*table] == ["step", "time", "mass", "energy"], "the columns of the row", [*table])
    for n, snapshot in enumerate(run):
        fluid = snapshot.fluid
        x, v = fluid.x[:, :2], fluid.velocity
        inside = np.all((x >= [0.5, 0.0]) & (x <= [1.2, 0.6]), axis=1)
        mass = fluid.mass[inside]
        energy = (mass * (v[inside] ** 2).sum(1)).sum() / 2
        at_most(table["mass"][n] / mass.sum() - 1, 1e-12, f"mass in the box, {len(mass)} particles")
        at_most(table["energy"][n] - energy, 1e-12 * (energy or 1), f"and energy, {energy:.3g} J")
    said = subprocess.run([case_run.SLUICE, "check", case.path], capture_output=True, text=True)
    ok("box     at (0.5, 0) m to (1.2, 0.6) m" in said.stdout, "check says where", said.stdout)
    said = subprocess.run([case_run.SLUICE, "check", case.path, "--set", "probes.B.points=3"],
                          capture_output=True, text=True)
    ok(said.returncode == 2 and "it belongs to kind" in said.stderr, "it refuses keys of others",
       said.stderr)


def check_bench():
    """Walls and WCSPH aside, the cubes of the benchmark: as many pairs as without a search."""
    counts = {}
    for strategy in ("warp-part", "tiled"):
        rows = subprocess.run([case_run.SLUICE, "bench", "strategies", "2x10", "--backend",
                               "emulated", "--strategy", strategy], capture_output=True, text=True)
        table = list(csv.DictReader(rows.stdout.splitlines()))
        ok(len(table) == 3, f"bench strategies --strategy {strategy}: {len(table)} rows",
           rows.stderr)
        counts[strategy] = [row["pairs"] for row in table]
    ok(counts["warp-part"] == counts["tiled"], "and they meet the same pairs", counts)


def main():
    program = build()
    if program:
        case_run.SLUICE = str(program)
        check_runs(Case(str(COPY / "configs/soft.cfg")))
        water = Case(str(COPY / "configs/contact.cfg"))
        check_still_water(water)
        check_contacts(water)
        check_capsule(Case(str(COPY / "configs/capsule.cfg")))
        check_damping(Case(str(COPY / "configs/damping.cfg")))
        check_box(Case(str(COPY / "configs/box_probe.cfg")))
        check_bench()
    case_run.finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# test: 16 s
"""Memory belongs to particles: an empty domain costs nothing, and each array has its bytes."""

import json
import os
import re
import subprocess

from case_run import SLUICE, Case, at_most, diag, finish, np, ok, scratch, together, within

# 50,000 particles, no walls.
DROP = Case("configs/drop.cfg", spacing=0.0079, time__max_steps=20, output__every=0.0)
BLOCK = """model = "wcsph"; dimension = 3; spacing = 0.025;
domain = { min = [-2.0, -2.0, 0.0]; max = [2.0, 2.0, 4.0]; };
gravity = [0.0, 0.0, -9.81]; fluid = { sound_speed = 30.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [-0.4, -0.4, 0.0]; max = [0.4, 0.4, 0.8]; },
             { shape = "box"; type = "wall"; min = [-0.6, -0.6, -0.1]; max = [0.6, 0.6, 0.0]; } );
time = { end = 1.0; max_steps = 10; }; output = { every = 0.0; };
"""
FAR = """model = "lj"; units = "lj"; dimension = 3;
domain = {{ min = [0.0, 0.0, 0.0]; max = [{edge}, {edge}, {edge}]; }};
pair = {{ name = "lj"; }}; particles = "{particles}";
time = {{ end = 1.0; step = 0.001; max_steps = 10; }};
energy = {{ reference = 1.0; }}; output = {{ every = 0.0; }};
"""


def test_empty_domain():
    """The same particles in a domain a hundred times as long on each axis: under 10% more."""
    wide = {"domain__min": [-400.0, -400.0], "domain__max": [400.0, 400.0]}
    block = Case(BLOCK)
    large = {"domain__min": [-200.0, -200.0, -0.1], "domain__max": [200.0, 200.0, 400.0]}
    small = {"domain__min": [-2.0, -2.0, -0.1]}
    runs = together(
        lambda: DROP.run("drop"),
        lambda: DROP.run("drop-wide", **wide),
        lambda: block.run("block", **small),
        lambda: block.run("block-wide", **large),
    )
    for name, narrow, broad in (("2-D", *runs[:2]), ("3-D", *runs[2:])):
        count = int(narrow.energy()["particles"][0])
        diag(f"{name}: {count} particles, peak {narrow.memory} kB and {broad.memory} kB")
        ok(count > 30000, f"{name}: enough particles to be seen beside the program itself")
        at_most(broad.memory / narrow.memory - 1, 0.10, f"{name}: more memory in the wide domain")


def test_scattered():
    """Particles far from one another, each in a frame of its own: bounded bytes a particle."""
    count = 4000
    memory = []
    for edge in (400.0, 40000.0):
        path = os.path.join(scratch, f"far{edge:g}.csv")
        with open(path, "w") as file:
            places = np.random.default_rng(3).random((count, 3)) * edge
            file.write("x,y,z\n" + "".join(f"{x!r},{y!r},{z!r}\n" for x, y, z in places.tolist()))
        memory.append(Case(FAR.format(edge=edge, particles=path)).run("far").memory)
    diag(f"{count} particles over 400^3: {memory[0]} kB, over 40000^3: {memory[1]} kB")
    # A frame's entry has 27 neighbours and the place of its bins; each particle occupies one, and
    # at most 26 empty ones stand around it.
    at_most((memory[1] - memory[0]) * 1024 / count, 27 * 300, "scattered: bytes a particle more")


def bytes_by_array(config, *words):
    """{type: (bytes a particle of the arrays, of the search table)} as `sluice check` says it."""
    command = [SLUICE, "check", config, *words]
    said, pieces = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout
        for more in ((), ("--json",))
    )
    pieces = json.loads(pieces)
    lines = [line for line in said.splitlines() if "memory, " in line]
    total = re.search(r": ([\d.]+) MB; fluid ", lines[0])
    ok(len(lines) == 1 and abs(float(total[1]) - 1e-6 * pieces["memory_bytes"]) < 1e-3
       and sum(piece["bytes"] for piece in pieces["memory"]) == pieces["memory_bytes"],
       f"{config}: one line has the sum of all arrays", lines)  # fmt: skip
    found = {}
    for name, each in re.findall(r"; (fluid|wall|ghost) [\d.]+ MB, (\d+) bytes", lines[0]):
        own = [piece for piece in pieces["memory"] if piece["of"] == name]
        arrays = sum(piece["bytes_a_particle"] for piece in own if piece["life"] != "table")
        search = next(piece["bytes_a_particle"] for piece in own if piece["life"] == "table")
        ok(arrays == int(each), f"{config}, {name}: arrays add up", own)
        found[name] = (int(each), search)
    return found


def test_bytes():
    """Bounds as measured when this was written, so that nobody adds an array by accident."""
    limits = {  # arrays of a fluid and of a wall particle, float; the aim for all is 128
        "configs/dam_break.cfg": (86, 28),
        "configs/dam_break_3d.cfg": (126, 48),  # a probe of a force, friction, two groups of walls
        "configs/acoustic_wave.cfg": (86, None),
        "configs/lennard_jones.cfg": (80, None),
    }
    for config, (fluid, wall) in limits.items():
        found = bytes_by_array(config)
        diag(
            f"{config}: " + "; ".join(f"{t} {a} + search {s:.1f} B" for t, (a, s) in found.items())
        )
        at_most(found["fluid"][0], fluid, f"{config}: bytes of a fluid particle")
        at_most(found["fluid"][1], 20, f"{config}: of the search table, a fluid particle")
        if wall:
            at_most(found["wall"][0], wall, f"{config}: bytes of a wall particle")
    # Two tensors of 3 or 6 components, and only for those that ask for it; sorts need 8 bytes more
    # for 6.
    stressed = {"configs/dam_break.cfg": 86 + 24, "configs/dam_break_3d.cfg": 110 + 56}
    for config, fluid in stressed.items():
        found = bytes_by_array(
            config, "--set", "fluid.viscosity.kind=sps", "--set", "boundary.slip=free",
            "--set", "fluid.tension=1", "--set", "probes=()"
        )
        ok(found["fluid"][0] == fluid, f"{config}: {fluid} bytes with sub-particle stress")
    antuono = bytes_by_array("configs/dam_break.cfg", "--set", "fluid.diffusion.kind=antuono")
    ok(antuono["fluid"][0] == 86 + 16, "102 bytes with the gradients of the head")
    layers = bytes_by_array("configs/two_layers.cfg")
    ok(layers["fluid"][0] == 86 + 8 and layers["wall"][0] == 28,
       "a second fluid that is a group of its own: 4 bytes for the phase, 4 for the group")
    free = bytes_by_array("configs/dam_break_3d.cfg", "--set", "probes=()")
    ok(free["fluid"][0] == 110 and free["wall"][0] == 32 + 4,
       "no probe of a force, no bytes for it")
    ghosts = bytes_by_array("configs/dam_break_3d.cfg", "--set", "probes=()", "--set",
                            'boundary.kind="mdbc"')
    ok(ghosts["wall"][0] == 36 + 16, "ghost nodes: 16 bytes more of a wall particle")
    at_most(ghosts["ghost"][0], 48, "ghost nodes: bytes of a node")
    ok("ghost" not in bytes_by_array("configs/dam_break_3d.cfg"), "other walls have none")
    double = bytes_by_array("configs/dam_break.cfg", "--precision", "double")
    within(double["fluid"][0], 180, 216, "double: bytes of a fluid particle")


test_empty_domain()
test_scattered()
test_bytes()
finish()

#!/usr/bin/env python3
# test: 1 s
"""A run that blows up ends with 5 and says which particle, step, time and place, and leaves a
dump."""

import os
import re

from case_run import Case, diag, finish, np, ok, scratch


def check_end(run, what, words=()):
    """Exit code 5 and a message with id, step, time and place; the dump has that particle."""
    ok(run.code == 5, f"{what}: exit code 5, got {run.code}", run.said)
    diag(run.said.strip().splitlines()[-1][:300] if run.said.strip() else "nothing was said")
    said = run.said + run.log
    particle = re.search(r"particle (\d+)|id (\d+)", said)
    ok(particle, f"{what}: names a particle", said)
    ok(re.search(r"step \d+", said) and re.search(r"t = ", said), f"{what}: step and time", said)
    for word in words:
        ok(re.search(word, said), f"{what}: says {word}", said)
    path = os.path.join(run.path, "blow_up.csv")
    ok(os.path.exists(path), f"{what}: a dump of its surroundings", os.listdir(run.path))
    if os.path.exists(path) and particle:
        with open(path) as file:
            header, *rows = [line for line in file if not line.startswith("#")]
        column = header.strip().split(",").index("id")
        ids = [row.split(",")[column] for row in rows]
        ok([int(i) for i in ids] == sorted(int(i) for i in ids), f"{what}: the dump is by id", ids)
        wanted = particle.group(1) or particle.group(2)
        ok(wanted in ids, f"{what}: the dump of {len(ids)} particles has {wanted}", header)


for precision in ("float", "double"):
    run = Case("configs/dam_break.cfg", spacing=0.005, time__step=0.003).run(
        f"step-{precision}", expect=(5,), backend__precision=precision
    )
    check_end(run, f"a time step far too large, {precision}", ("neighbour",))
    table = run.energy()
    ok(np.all(np.isfinite(table["total"][:1])), f"{precision}: the table's rows before it stand")

# Two Lennard-Jones particles in one place. A box as wide as a few frames, each 64 cutoffs, so that
# two places can be told apart in the file and not in float, whose step there is 8e-6.
TWO = """model = "lj"; units = "lj"; dimension = 3;
domain = {{ max = [400.0, 400.0, 400.0]; periodic = [true, true, true]; }};
pair = {{ name = "lj"; softening = {softening}; }}; particles = "{particles}";
time = {{ end = 1.0; step = 0.001; max_steps = 5; }};
energy = {{ reference = 1e3; tolerance = 1e6; }}; output = {{ every = 0.0; }};
backend = {{ frame_cutoffs = 64; }};
"""


def two(apart):
    path = os.path.join(scratch, f"two{apart:g}.csv")
    with open(path, "w") as file:
        file.write("id,x,y,z\n")
        file.write(f"41,190,190,190\n17,190,190,{190 + apart!r}\n3,191.5,190,190\n")
    return path


# The reader refuses what is one place for it, before anything runs.
run = Case(TWO.format(softening=0.0, particles=two(0.0))).run("one-place", expect=(2,))
ok(run.code == 2 and "17" in run.said and "41" in run.said, "in one place: both ids", run.said)

text = TWO.format(softening=0.0, particles=two(3e-6))
run = Case(text).run("collapsed", expect=(5,), backend__precision="float")
ok("17" in run.said and "41" in run.said, "in one place in float: both ids", run.said)
check_end(run, "in one place in float")
run = Case(text).run("double", expect=(5,), backend__precision="double")
check_end(run, "3e-6 apart in double: they fly apart faster than a step can follow")
run = Case(TWO.format(softening=0.3, particles=two(3e-6))).run("softened")
ok(run.code == 0, "softened: nothing diverges", run.said)

# A wall that is far too fast: it is blamed, by its name and its motion's, and no particle.
PADDLE = """model = "wcsph"; dimension = 2; gravity = [0.0, -9.81]; spacing = 0.025;
domain = { max = [2.0, 1.0]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.4, 0.0]; max = [2.0, 0.5]; },
    { name = "paddle"; shape = "box"; type = "wall"; min = [0.2, 0.0]; max = [0.4, 0.9];
      motion = "push"; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; } );
motions = ( { name = "push"; kind = "sine"; amplitude = [1e9, 0.0]; period = 1.5; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 1.0; max_steps = 60; }; output = { every = 0.0; }; energy = { tolerance = 1e6; };
"""
WALL = r"box 2 'paddle' \(.*:4\), which motion 'push' \(.*:7\) moves"


def test_paddle(name, words, **keys):
    run = Case(PADDLE).run(name, expect=(5,), **keys)
    for word in words:
        ok(re.search(word, run.said), f"{name}: says {word}", run.said)
    return run


run = test_paddle("paddle", (f"{WALL}, has a speed of 4.189e.09 m/s", "slow the motion"))
said = run.log
ok("particle 0" not in run.said, "an amplitude of 1e9: no particle is blamed", run.said)
ok(re.search(f"warning: fluid.sound_speed: .* {WALL}; give", said), "and warned of before", said)
test_paddle("paddle-fixed",
            (f"{WALL}, would go .* m in the next step of 0.0001 s", "time.step below"),
            time__step=1e-4)
# Slow enough for the wall's steps, and too fast for the water.
test_paddle("paddle-slower", ("the fluid has collapsed; particle [0-9]+", f"; {WALL}, has a speed"),
            motions__push__amplitude=[10.0, 0.0])
tank = PADDLE.replace('motion = "push"; },', "},").replace('"y-"]; }', '"y-"]; motion = "push"; }')
run = Case(tank).run("tank", expect=(2,))
ok(re.search(r"walls 3 'tank' \(.*:6\), which motion 'push' \(.*:7\) moves, reach too far: domain",
             run.said), "a tank that is moved by 1e9: its name and the motion's", run.said)
finish()

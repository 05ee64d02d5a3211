#!/usr/bin/env python3
"""A run that blows up ends with 5 and says which particle, step, time and place, and leaves a
dump."""

import os
import re

from case_run import Case, diag, finish, np, ok, scratch


def check_end(run, what, words=()):
    """Exit code 5 and a message with id, step, time and place; the dump has that particle."""
    ok(run.code == 5, f"{what}: exit code 5, got {run.code}", run.said)
    diag(run.said.strip().splitlines()[-1][:300] if run.said.strip() else "nothing was said")
    said = run.said + run.log()
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
finish()

#!/usr/bin/env python3
# test: 6 s
"""A particle that leaves an open domain is removed, counted and logged, and its energy is booked.
"""

import os
import re

from case_run import (Case, Run, at_most, finish, largest, measure, np, ok, restart, scratch,
                      together)

# A block of water falls out of the bottom of the domain, row by row; another stands on a floor.
FALL = """model = "wcsph"; dimension = 2; spacing = 0.02;
domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };
gravity = [0.0, -9.81]; fluid = { sound_speed = 30.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.2, 0.1]; max = [0.6, 0.5]; },
             { shape = "box"; type = "fluid"; min = [1.2, 0.4]; max = [1.6, 0.6]; },
             { shape = "box"; type = "wall"; fill = "solid";
               min = [1.1, 0.3]; max = [1.7, 0.4]; } );
time = { end = 0.25; }; energy = { tolerance = 1e-4; }; output = { every = 0.0; };
"""
# The same without gravity, to the right: particles that leave take their kinetic energy along.
THROWN = """model = "wcsph"; dimension = 2; spacing = 0.02;
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
fluid = { sound_speed = 10.0; };
initial = ( { field = "velocity"; kind = "linear"; gradient = ( [2.0, 0.0], [0.0, -2.0] );
              centre = [0.5, 0.5]; } );
geometry = ( { shape = "box"; type = "fluid"; min = [0.3, 0.3]; max = [0.7, 0.7]; } );
time = { end = 0.7; }; energy = { tolerance = 1e-4; }; output = { every = 0.0; };
"""

jobs = [(text, precision) for text in (FALL, THROWN) for precision in ("double", "float")]
runs = together(
    *[
        lambda i=i, job=job: Case(job[0]).run(f"run{i}", backend__precision=job[1])
        for i, job in enumerate(jobs)
    ]
)
for (text, precision), run in zip(jobs, runs):
    what = f"{'falling' if text is FALL else 'thrown'}, {precision}"
    table, log = run.energy(), run.log
    count = table["particles"]
    lost = int(count[0] - count[-1])
    ok(0 < lost < count[0], f"{what}: {lost} of {count[0]:.0f} particles left")
    ok(np.all(np.diff(count) <= 0), f"{what}: none comes back")
    said = re.findall(r"left the domain \(id \d+ at [^)]*\); (\d+) in all", log)
    ok(said and int(said[-1]) == lost, f"{what}: the log counts them", log[-2000:])
    state = run.state()
    ok(int(state["run/FlowParticles"][2]) == lost, f"{what}: so does the checkpoint")
    ok(len(state["fluid/id"]) == len(set(state["fluid/id"])) == count[-1], f"{what}: the rest stay")
    removed = table["removed"][-1]
    ok(abs(removed) > 0.01 * run.reference_energy, f"{what}: their energy is booked")
    # It leaves in the drift, in the middle of a kick: the booked energy has gravity's other half,
    # or 1.8e-4 would be missing here. The rest is the error of the time integration.
    at_most(measure.residual_share(run), 2e-5, f"{what}: residual over the reference energy")
    at_most(largest(table["identity"]), 1e-5, f"{what}: power identity")

# The log has every line, the terminal those that double the number.
spray = Case(THROWN)
folder = os.path.join(scratch, "loud")
loud = Run(folder, [word for word in spray.command(folder, {}) if word != "--quiet"], (0,))
line = r"left the domain \(id \d+ at [^)]*\); (\d+) in all"
lines, told = ([int(n) for n in re.findall(line, text)] for text in (loud.log, loud.said))
wanted, last = [], 0
for n in lines:
    if n >= 2 * last:
        wanted.append(last := n)
ok(told == wanted and len(told) < len(lines) / 2, f"the terminal has {len(told)} of {len(lines)}")

# Ids that are gone stay gone over a restart.
half = Case(FALL).run("half", time__end=0.2)
whole = runs[jobs.index((FALL, "float"))]
again = restart(half.path, time__end=0.25)
ok(
    again.bytes_of("energy.csv") == whole.bytes_of("energy.csv"),
    "restarted between: the same books",
)

# A run without fluid ends.
empty = Case(THROWN).run("empty", expect=(5,), time__end=30.0)
ok(empty.code == 5 and "every fluid particle has left" in empty.said,
   "a message says that all left", empty.said)
finish()

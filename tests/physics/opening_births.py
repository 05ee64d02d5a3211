#!/usr/bin/env python3
# test: 3 s, gpu
"""A thousand particles come and as many go in one step: the same bits on any number of threads, and
the books of the openings are those of the population."""

import os

from case_run import Case, at_most, differences, finish, ok

BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
COLUMNS = 32  # along each edge
DP = 1 / COLUMNS
LENGTH = 20 * DP
STREAM = f"""model = "wcsph"; dimension = 3; spacing = {DP}; gravity = [0.0, 0.0, 0.0];
domain = {{ min = [0.0, 0.0, 0.0]; max = [{LENGTH}, 1.0, 1.0]; }};
kernel = {{ name = "wendland-c2"; h_over_dp = 1.5; }};
fluid = {{ sound_speed = 10.0; viscosity = {{ alpha = 0.02; }}; }};
boundary = {{ kind = "adami"; slip = "free"; }};
geometry = (
    {{ shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [{LENGTH}, 1.0, 1.0]; }},
    {{ name = "sides"; shape = "walls"; sides = ["bottom", "top", "front", "back"]; }} );
initial = ( {{ field = "velocity"; kind = "uniform"; value = [1.0, 0.0, 0.0]; }},
            {{ field = "pressure"; kind = "uniform"; value = 1000.0; }} );
openings = (
    {{ name = "in"; kind = "inlet"; face = "x-"; velocity = 1.0; absorb = true; }},
    {{ name = "out"; kind = "outlet"; face = "x+"; pressure = 1000.0; absorb = true; }} );
time = {{ end = 1.0; max_steps = 60; }}; energy = {{ every = 5; reference = 500.0; }};
output = {{ every = 0.0; }};"""

case = Case(STREAM, backend__name=BACKEND)
one, *others = (case.run(f"births-{n}", threads=n) for n in (1, 2, 3))
for n, other in enumerate(others, 2):
    different = differences(one, other)
    ok(not different, f"{n} threads: the same bits", str(different))

people = one.table("population.csv")
came, went = people["entered"][-1], people["left"][-1]
ok(came == 2 * COLUMNS**2, f"two rows of every column come: {came:.0f} particles")
ok(went > COLUMNS**2, f"{went:.0f} go")
for name, flow, way in (("in", "entered", "in"), ("out", "left", "out")):
    opening = one.table(f"opening_{name}.csv")
    ok(opening[f"particles_{way}"][-1] == people[flow][-1], f"{name}: its particles are those")
    for what in ("mass", "energy"):
        of_all = people[f"{flow}_{what}"][-1]
        at_most(abs(opening[f"{what}_{way}"][-1] / of_all - 1), 1e-12, f"{name}: their {what}")
finish()

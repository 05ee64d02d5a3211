#!/usr/bin/env python3
# test: 2 s
"""The two forms of the table of a line of points: the same numbers, with places in the long one;
the same bytes after a restart."""

import os

from case_run import Case, finish, np, ok, restart

import sluice  # noqa: E402, I100

LINE = 'kind = "line"; from = [0.1, 0.05]; to = [0.4, 0.25]; points = 4; every = 0.01;'
TANK = f"""title = "lines"; model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = {{ min = [0.0, 0.0]; max = [1.0, 0.6]; }};
geometry = ( {{ shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.5, 0.4]; }},
    {{ shape = "walls"; sides = ["x-", "x+", "y-"]; }} );
probes = ( {{ name = "wide"; {LINE} }}, {{ name = "long"; table = "long"; {LINE} }},
    {{ name = "speeds"; quantity = "velocity"; table = "long"; {LINE} }} );
time = {{ end = 0.06; }}; energy = {{ tolerance = 1.0; }}; backend = {{ strategy = "window"; }};
output = {{ every = 0.0; checkpoint_every_s = 0.0; }};
"""


def text_of(run, name):
    with open(os.path.join(run.path, f"probe_{name}.csv"), "rb") as file:
        return file.read()


case = Case(TANK)
first = case.run("lines", expect=(0, 1))
long = first.table("probe_long.csv")
ok(list(long) == ["step", "time", "point", "x", "y", "pressure", "weight"] and long.rows == 28,
   "a row a time and point", list(long))  # fmt: skip
ok(np.allclose(long["x"][:4], [0.1, 0.2, 0.3, 0.4])
   and np.allclose(long["y"][4:8], np.linspace(0.05, 0.25, 4))
   and list(long["point"][:5]) == [0, 1, 2, 3, 0], "with the points' places")  # fmt: skip
run = sluice.Run(first.path)
wide, again = run.probe("wide"), run.probe("long")
ok(list(wide) == list(again) and all(np.array_equal(wide[name], again[name]) for name in wide)
   and again.units["pressure_2"] == "Pa", "run.probe reads both alike", list(again))  # fmt: skip
ok([name for name in first.table("probe_speeds.csv")][5:] == ["vx", "vy", "weight"],
   "a vector has its columns")
half = case.run("half", time__max_steps=int(0.5 * long["step"][-1]))
on = restart(half.path, time__max_steps=0)
ok(text_of(on, "long") == text_of(first, "long"), "the same bytes after a restart")
finish()

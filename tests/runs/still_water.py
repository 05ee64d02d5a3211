#!/usr/bin/env python3
# test: 55 s, slow
"""Still water, the shipped case at full size (H/dp = 32 until t sqrt(g/H) = 50), in double and
float: nothing happens."""

import math

from case_run import Case, at_most, diag, finish, largest, measure, np, ok, together

GRAVITY, DEPTH, DENSITY = 9.81, 1.0, 1000.0

case = Case("configs/still_water.cfg", output__precision="double")
runs = together(
    lambda: case.run("double", backend__precision="double"),
    lambda: case.run("float", backend__precision="float"),
)
for precision, run in zip(("double", "float"), runs):
    table = run.energy()
    weight = run.reference_energy  # m g H
    mass = DENSITY * DEPTH * 1.0
    # Hydrostatic masses: heavier than the lattice's by about g H/(2 c0^2) = 1/400.
    ok(1.0 < weight / (mass * GRAVITY * DEPTH) < 1.004, f"{precision}: energy is measured in m g H")
    ok(
        table["time"][-1] * math.sqrt(GRAVITY / DEPTH) > 49.99,
        f"{precision}: until t sqrt(g/H) = 50",
    )
    late = table.between(0.8 * table["time"][-1], np.inf)
    share = np.abs(late["kinetic"]) / weight
    at_most(largest(share), 1e-10, f"{precision}: kinetic energy / m g H, last fifth of the time")
    half = table.between(0.5 * table["time"][-1], np.inf)["kinetic"] / weight
    at_most(largest(half), 1e-8, f"{precision}: its largest of the second half")
    # The rows below the surface settle at once, and sound runs up and down.
    at_most(largest(table["kinetic"]) / weight, 5e-6, f"{precision}: its largest at any time")
    sound = 10 * math.sqrt(2 * GRAVITY * DEPTH)
    exact = measure.tait_floor_pressure(DENSITY, sound, 7.0, GRAVITY, DEPTH)
    floor, slope, snapshots = measure.floor_pressure(run, DEPTH)
    diag(
        f"{precision}: floor {floor:.2f} Pa of {exact:.2f} Pa in {snapshots} snapshots, "
        f"slope {slope:.1f} Pa/m; {run.seconds:.0f} s on the clock"
    )
    # 0.5%: the rows below the surface are 0.1 dp/H too high, and the lattice sum of the kernel's
    # gradient moment is 0.08% from 1 in 2-D at h/dp = 2.
    at_most(
        floor / exact - 1,
        0.005,
        f"{precision}: floor pressure against the equation of state's own column",
    )
    at_most(measure.residual_share(run), 1e-8, f"{precision}: residual / m g H")
    at_most(
        largest(table["identity"]),
        {"double": 1e-12, "float": 1e-5}[precision],
        f"{precision}: power identity",
    )
finish()

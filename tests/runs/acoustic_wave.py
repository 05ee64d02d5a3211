#!/usr/bin/env python3
# test: 13 s
"""A standing sound wave without dissipation: the energy residual is the error of the time
integration, and falls as dt^3."""

import math

from case_run import Case, at_most, diag, finish, largest, measure, np, together, within

# Residual/E of the same scheme in a prototype after 20 periods, by CFL number, predictor 0.2
# (docs/theory.md, "The time step").
PROTOTYPE = {0.4: 3.1e-2, 0.2: 3.7e-3, 0.1: 4.6e-4, 0.05: 5.8e-5}

case = Case("configs/acoustic_wave.cfg", output__every=0.0)
study = [
    lambda cfl=cfl: case.run(
        f"cfl{cfl}",
        time__cfl=cfl,
        time__predictor=0.2,
        backend__precision="double",
        energy__tolerance=1.0,
    )
    for cfl in PROTOTYPE
]
*runs, shipped = together(*study, lambda: case.run("shipped"))
residual = {}
for cfl, run in zip(PROTOTYPE, runs):
    table = run.energy()
    residual[cfl] = measure.residual_share(run)
    # The prototype's figure is of one such run, to two digits.
    within(residual[cfl] / PROTOTYPE[cfl], 0.8, 1.25, f"CFL {cfl}: residual over the prototype's")
    at_most(largest(table["identity"]), 1e-12, f"CFL {cfl}: power identity")
    # Periodic and without walls or forces: pairs cancel to round-off, of m c0 = 10.
    at_most(max(largest(table[f"momentum_{c}"]) for c in "xy"), 1e-12, f"CFL {cfl}: momentum")
for coarse, fine in zip(list(PROTOTYPE), list(PROTOTYPE)[1:]):
    within(
        math.log2(residual[coarse] / residual[fine]),
        2.8,
        3.2,
        f"order between CFL {coarse} and {fine}",
    )
at_most(measure.residual_share(shipped), 2e-4, "as shipped, float: residual")
at_most(largest(shipped.energy()["identity"]), 1e-5, "as shipped, float: power identity")
# Sound of speed c0: kinetic energy is largest every half period of 0.1 s; the lattice's dispersion
# at 32 a wave is under 1%.
kinetic = runs[-1].energy()
peaks = [
    i
    for i in range(1, len(kinetic["time"]) - 1)
    if kinetic["kinetic"][i - 1] < kinetic["kinetic"][i] >= kinetic["kinetic"][i + 1]
]
period = 2 * np.mean(np.diff(kinetic["time"][peaks]))
diag(f"{len(peaks)} maxima of the kinetic energy, period {period:.5f} s")
within(period / 0.1, 0.98, 1.02, "period over L/c0")
finish()

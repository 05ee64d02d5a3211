#!/usr/bin/env python3
# test: 31 s
"""An oscillating drop in a central force field, 20,000 steps: its period; float as good as double,
and the same bits far from the origin."""

from case_run import Case, at_most, diag, finish, largest, measure, np, ok, together, within

PERIOD = 4.567374  # B = 1, sigma0 = B/2: data/reference/oscillating_drop.csv

SHIFT = {"at the origin": 0, "shifted by 1e6": 10**6}
# Half the resolution of the config, which `sluice validate` has too, in as many steps. The same
# bits need a strategy by name: auto goes by the clock.
case = Case("configs/drop.cfg", spacing=0.0625, time__cfl=0.15, output__precision="double",
            backend__strategy="window")
double, *floats = together(
    lambda: case.run("double", backend__precision="double"),
    *[
        lambda shift=shift: case.run(
            f"float{shift}", backend__precision="float", domain__frame_shift=[shift, shift]
        )
        for shift in SHIFT.values()
    ],
)
reference = measure.residual_share(double)
steps = double.energy()["step"][-1]
within(steps, 20000, 22000, "steps")
at_most(reference, 1e-7, "double: residual / E")
at_most(largest(double.energy()["identity"]), 1e-12, "double: power identity")
period, periods = measure.drop_period(double)
diag(f"period {period:.4f} over {periods} periods, exact {PERIOD}; {double.seconds:.0f} s")
at_most(period / PERIOD - 1, 0.02, "double: period")
for name, run in zip(SHIFT, floats):
    residual = measure.residual_share(run)
    at_most(residual, 1e-7, f"float, {name}: residual / E")
    at_most(residual / reference, 3, f"float, {name}: residual over double's")
    at_most(largest(run.energy()["identity"]), 1e-5, f"float, {name}: power identity")
    ok(run.energy()["step"][-1] >= 20000, f"float, {name}: 20,000 steps")
# Only frame indices differ: everything that is computed from differences of places is the same.
here = floats[0].state()
for name, run in list(zip(SHIFT, floats))[1:]:
    there = run.state()
    same = [key for key in here if key.startswith("fluid/") and key != "fluid/frame"]
    unequal = [key for key in same if not np.array_equal(here[key], there[key])]
    ok(
        len(same) > 8 and not unequal,
        f"float, {name}: the same bits after {steps:.0f} steps",
        unequal,
    )
    moved = there["fluid/frame"].astype(np.int64) - here["fluid/frame"]
    ok(np.all(moved[:, :2] == SHIFT[name]), f"float, {name}: and every frame index shifted")
    for table in ("energy.csv",):
        ok(run.bytes_of(table) == floats[0].bytes_of(table), f"float, {name}: the same {table}")
finish()

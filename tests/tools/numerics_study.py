#!/usr/bin/env python3
# test: 6 s
"""The study of the numerics (docs/numerics.md), a small part of it: it builds, and its results are
those of the page."""

import os

from tap import ROOT, diag, finish, ok

import numerics as study  # noqa: I100

found = study.measure(study.QUICK, 8, 1500, 1)
for line in study.table(found).splitlines():
    diag(line)
ours, exact = found["as the program"], found["double"]

ok(ours["far"] == ours["near"], "frames: the same residual far from the origin")
ok(
    found["global positions, plain sums"]["far"] > 1e3 * ours["far"],
    "global positions, plain sums: worse by a thousand there",
)
error = {name: abs(row["near"] - exact["near"]) for name, row in found.items()}
ok(error["as the program"] < 0.1 * exact["near"], "compensated float is as good as double")
ok(error["plain sums"] > 5 * error["as the program"], "plain sums are not")
ok(exact["momentum"] < 1e-13 and ours["momentum"] < 1e-7, "momentum is conserved to rounding")
for name in ("absolute density", "powers in the equation of state"):
    # 2^-24 of rho is 2^-24 rho c^2 = 1.2e-5 rho g H of pressure; of r at most a hundredth of that.
    lost = found[name]["pressure"]
    ok(50 * ours["pressure"] < lost < 1.2e-5, f"{name}: digits of the pressure are lost in rho0")
    noise = found[name]["acceleration"]
    ok(noise > 5 * ours["acceleration"], f"{name}: the acceleration is noisier")
with open(os.path.join(ROOT, "docs", "numerics.md")) as page:
    rows = [line.split("|")[1].strip() for line in page if line.startswith("| ")]
ok(rows[rows.index("variant") + 1:] == list(study.VARIANTS), "the page has all variants")
finish()

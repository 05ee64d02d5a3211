#!/usr/bin/env python3
"""Draws rows of `sluice bench contrast`: particle steps a second over the contrast of spacings.

  tools/contrast_picture.py CSV PNG

Prints the table as well, in markdown.
"""

import csv
import sys

sys.dont_write_bytecode = True
from plot.modules import require  # noqa: E402

require("matplotlib")
import matplotlib.pyplot as plt  # noqa: E402, I100
from plot.pictures import COLOURS  # noqa: E402

if len(sys.argv) != 3:
    sys.exit(__doc__)
with open(sys.argv[1], newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["bench"] == "contrast"]
if not rows:
    sys.exit(f"{sys.argv[1]}: no rows of bench contrast")
strategies = list(dict.fromkeys(row["strategy"] for row in rows))
contrasts = list(dict.fromkeys(int(row["case"][1:]) for row in rows))
rate = {(row["strategy"], int(row["case"][1:])): float(row["particles_per_s"]) / 1e6
        for row in rows}

print("| c | " + " | ".join(map(str, contrasts)) + " |")
print("|---|" + "---|" * len(contrasts))
for strategy in strategies:
    print(f"| `{strategy}` | " + " | ".join(f"{rate[strategy, c]:.3g}" for c in contrasts) + " |")

figure, axes = plt.subplots(figsize=(5.6, 3.4), layout="constrained")
for strategy, colour, marker in zip(strategies, COLOURS, "osv^"):
    axes.loglog(contrasts, [rate[strategy, c] for c in contrasts], color=colour, marker=marker,
                label=strategy, base=10)
axes.set_xticks(contrasts, map(str, contrasts))
axes.minorticks_off()
axes.set_xlabel("spacing of the wide particles, in spacings of the dense ones")
axes.set_ylabel("million particle steps a second")
axes.grid(alpha=0.3)
axes.legend(frameon=False)
figure.savefig(sys.argv[2], dpi=150)

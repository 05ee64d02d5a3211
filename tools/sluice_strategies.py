#!/usr/bin/env python3
"""Tables and figures of `sluice bench strategies --csv FILE`.

    sluice_strategies.py FILE [--pair lj|low|high] [--png PNG] [--interactions PNG] [--times PNG]
                         [--reference FILE]

Prints one table in markdown, with a row for each cube and a column for each strategy: the median,
the fastest in bold. The last columns have the times published for an NVIDIA A100 (Algis et al.
2024). Of rows of --all-candidates, which can be compared with them, the table has microseconds and
the interactions a particle; of others, seconds. With --png it draws the speed-up of each strategy
over par-part-noloop, and the published speed-up of x-pencil. With --interactions it draws these
speed-ups of the three pairs over the interactions a particle, with those published of x-pencil on
three GPUs, as figure 6 of the paper does, and with --times the times, as figure 8 does; both for
rows of --all-candidates.
"""
import argparse
import csv
import sys
from pathlib import Path

REFERENCE = Path(__file__).parent.parent / "data/reference/algis_2024.csv"
BASE = "par-part-noloop"
PUBLISHED = (BASE, "x-pencil")
PUBLISHED_LINES = {"T600": "k:", "A100": "k--", "MI210": "k-."}
PAIRS = {"low": "5 operations a pair", "lj": "Lennard-Jones",
         "high": "168 operations a pair"}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def medians(rows, pair):
    """{(per_cell, box): {strategy: seconds}} of one pair, and the strategies in the order of the
    file."""
    found, strategies = {}, []
    for row in rows:
        if row["pair"] != pair:
            continue
        cube = found.setdefault((int(row["per_cell"]), int(row["box"])), {})
        if row["strategy"] in cube:
            sys.exit(f"{row['strategy']}, {row['box']}x{row['per_cell']}: two rows of one case; "
                     "give a file of one device and precision")
        cube[row["strategy"]] = float(row["median_s"])
        if row["strategy"] not in strategies:
            strategies.append(row["strategy"])
    return found, strategies


def published(path, device="A100"):
    """{(per_cell, box): the published row of a device}."""
    return {(int(row["per_cell"]), int(row["box"])): {name: float(row[name])
                                                      for name in (*PUBLISHED, "interactions")}
            for row in rows_of(path) if row["device"] == device}


def interactions(rows):
    return {(int(row["per_cell"]), int(row["box"])): float(row["neighbours"]) for row in rows}


def table(found, strategies, others, reach):
    """reach: the interactions a particle, for rows of all candidates; else None."""
    head = ["cells", "a cell"] + (["interactions a particle (paper)"] if reach else []) + strategies
    head += [f"A100: {name}" for name in PUBLISHED] if others else []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    show = (lambda t: f"{1e6 * t:.3g}" if t < 1e-3 else f"{1e6 * t:.0f}") if reach else \
        (lambda t: f"{t:.2e}")
    for (per_cell, box), cube in sorted(found.items()):
        best, other = min(cube.values()), others.get((per_cell, box), {})
        cells = [f"{box}^3", str(per_cell)]
        if reach:
            paper = f" ({other['interactions']:g})" if other else ""
            cells.append(f"{reach[per_cell, box]:.4g}{paper}")
        for name in strategies:
            text = show(cube[name]) if name in cube else ""
            cells.append(f"**{text}**" if text and cube[name] == best else text)
        if others:
            theirs = show if reach else "{:.1e}".format
            cells += [theirs(other[name]) if other else "" for name in PUBLISHED]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(path, found, strategies, others):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    fillings = sorted({per_cell for per_cell, _ in found})
    figure, axes = plt.subplots(1, len(fillings), figsize=(4.5 * len(fillings), 3.6), squeeze=False)
    for axis, per_cell in zip(axes[0], fillings):
        for name in strategies:
            line = [(box, cube[BASE] / cube[name]) for (p, box), cube in sorted(found.items())
                    if p == per_cell and name in cube and BASE in cube]
            if line and name != BASE:
                axis.plot(*zip(*line), "o-", label=name, markersize=4)
        line = [(box, cube[BASE] / cube["x-pencil"]) for (p, box), cube in sorted(others.items())
                if p == per_cell]
        if line:
            axis.plot(*zip(*line), "k--", label="x-pencil, A100, published")
        axis.axhline(1, color="grey", linewidth=0.8)
        axis.set_xscale("log", base=2)
        axis.set_title(f"{per_cell} particle{'s' if per_cell > 1 else ''} a cell")
        axis.set_xlabel("cells along an edge")
    axes[0][0].set_ylabel(f"times as fast as {BASE}")
    axes[0][-1].legend(*axes[0][0].get_legend_handles_labels(), fontsize=7, loc="upper right")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def over_interactions(times, reach, value):
    """(interactions a particle, value of the cube's times), with a gap (nan) between cubes of other
    fillings. A value of None is left out."""
    line, before = [], None
    for cube in sorted(times):
        found = value(times[cube])
        if found is not None and cube in reach:
            if before and cube[0] != before[0]:
                line.append((float("nan"), float("nan")))
            line.append((reach[cube], found))
            before = cube
    return line


def speed_up(strategy):
    """How many times as fast as the base a strategy is, of a cube's times."""
    return lambda cube: cube[BASE] / cube[strategy] if strategy in cube and BASE in cube else None


def microseconds(strategy):
    return lambda cube: 1e6 * cube[strategy] if strategy in cube else None


def draw_interactions(path, rows, value, others, label):
    """A panel for each pair, a line for each strategy: `value(strategy)` of its times over the
    interactions a particle. others: {device: published rows} of x-pencil's speed-ups, for
    Lennard-Jones."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    reach = interactions(rows)
    figure, axes = plt.subplots(1, len(PAIRS), figsize=(4.5 * len(PAIRS), 4.2), sharey=True)
    for axis, (pair, title) in zip(axes, PAIRS.items()):
        found, strategies = medians(rows, pair)
        for name in strategies:
            line = over_interactions(found, reach, value(name))
            if any(y == y and y != 1 for _, y in line):  # the base is nowhere else than at 1
                axis.plot(*zip(*line), "o-", label=name, markersize=4)
        if pair == "lj":
            for device, times in others.items():
                axis.plot(*zip(*over_interactions(times, reach, value("x-pencil"))),
                          PUBLISHED_LINES[device], label=f"x-pencil, {device}, published")
            handles = axis.get_legend_handles_labels()
        if others:
            axis.axhline(1, color="grey", linewidth=0.8)
        axis.set_xscale("log")
        axis.set_yscale("log", base=2 if others else 10)
        axis.xaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_title(title)
        axis.set_xlabel("interactions a particle")
    axes[0].set_ylabel(label)
    figure.legend(*handles, fontsize=8, loc="lower center", ncol=(len(handles[0]) + 1) // 2,
                  frameon=False)
    figure.tight_layout(rect=(0, 0.1, 1, 1))
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", help="rows of sluice bench strategies")
    parser.add_argument("--pair", default="lj", choices=("lj", "low", "high"))
    parser.add_argument("--png", help="draw the speed-ups there")
    parser.add_argument("--interactions", metavar="PNG",
                        help="draw those of all pairs there, over the interactions a particle")
    parser.add_argument("--times", metavar="PNG", help="draw the times of all pairs there")
    parser.add_argument("--reference", default=REFERENCE)
    arguments = parser.parse_args()
    try:
        rows, others = rows_of(arguments.csv), published(arguments.reference)
        found, strategies = medians(rows, arguments.pair)
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f"{arguments.csv}: not rows of sluice bench strategies: {error}")
    if not found:
        sys.exit(f"{arguments.csv}: no rows of the pair {arguments.pair}")
    of_pair = others if arguments.pair == "lj" else {}
    all_candidates = all(row.get("candidates") == "all" for row in rows)
    if (arguments.interactions or arguments.times) and not all_candidates:
        sys.exit(f"{arguments.csv}: --interactions and --times need rows of --all-candidates alone")
    print(table(found, strategies, of_pair, interactions(rows) if all_candidates else None))
    if arguments.png:
        draw(arguments.png, found, strategies, of_pair)
    everywhere = {device: published(arguments.reference, device) for device in PUBLISHED_LINES}
    if arguments.interactions:
        draw_interactions(arguments.interactions, rows, speed_up, everywhere,
                          f"times as fast as {BASE}")
    if arguments.times:
        draw_interactions(arguments.times, rows, microseconds, {}, "us a launch")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Tables and figures of the rows of `sluice bench`: blocks, layouts, lists, claims, split, auto,
scaling, step.

    sluice_bench.py FILE... [--png FOLDER]

Prints a table in markdown for each file; with --png it also draws each as FOLDER/bench-WHAT.png.
"""
import argparse
import csv
import sys
from pathlib import Path

PARTS = ("drift", "sort", "predict", "walls", "pairs", "kick", "reduce")
REBUILDS = (1, 2, 5, 10, 20, 50)  # steps that a list serves


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def short(value, form="{:.3g}"):
    return form.format(float(value)) if value not in ("", None) else ""


def large(value):
    """1.23 G, 45.6 M."""
    value = float(value)
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value:.4g}"


def percent(value):
    return f"{100 * float(value):.1f}%" if value not in ("", None) else ""


def milliseconds(row):
    return [f"{1e3 * float(row[key]):.4g}" for key in ("median_s", "min_s", "max_s")]


def markdown(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
                     + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def where(row):
    return f"{row['device']}, {row['precision']}"


def loops_table(rows, what):
    """A table row for each loop: name, case, time and rates."""
    head = ["on", "case", what, "particles", "neighbours", "ms", "least", "most", "pairs/s",
            "bytes held", "of issue", "of memory"]
    return markdown(head, [
        [where(row), row["case"], row["variant"], large(row["particles"]), row["neighbours"],
         *milliseconds(row), large(row["pairs_per_s"]) if what != "lists" else "",
         short(row["held_bytes"], "{:.0f}"), percent(row["issue_fraction"]),
         percent(row["memory_fraction"])] for row in rows])


def by_case(rows):
    """{(device, case): {variant: row}}."""
    found = {}
    for row in rows:
        found.setdefault((where(row), row["case"]), {})[row["variant"]] = row
    return found


def list_steps(loops):
    """Seconds of a step: just in time, and with a list that serves several steps."""
    t = {name: float(row["median_s"]) for name, row in loops.items()}
    return t["sort"] + t["just-in-time"], [
        (t["sort"] + t["list-build"]) / k + t["list-force"] for k in REBUILDS]


def lists_table(rows):
    """Times of the loops, then of a whole step (sort and pairs) with lists that serve k steps."""
    head = ["on", "neighbours", "sort, ms", "just in time", "list built", "from the list",
            "list, bytes a particle", "step, just in time"] + [f"a list for {k}" for k in REBUILDS]
    lines = []
    for (device, _), loops in by_case(rows).items():
        now, later = list_steps(loops)
        lines.append([device, loops["just-in-time"]["neighbours"]]
                     + [f"{1e3 * float(loops[name]['median_s']):.4g}"
                        for name in ("sort", "just-in-time", "list-build", "list-force")]
                     + [loops["list-force"]["held_bytes"]]
                     + [f"{1e3 * value:.4g}" for value in (now, *later)])
    return markdown(head, lines)


def auto_table(rows):
    """The choice of auto and the best choice in each case, and the time that auto took to measure.
    Compares the least seconds, as auto does, since noise only adds to a time."""
    head = ["on", "case", "auto takes", "ms", "the best", "ms", "auto's over the best's",
            "its measurements, ms", "of 10,000 such steps"]
    lines = []
    for (device, case), choices in by_case(rows).items():
        seconds = {name: float(row["min_s"]) for name, row in choices.items()}
        look = seconds.pop("look")
        taken = next(name for name in seconds if name.startswith("auto-"))
        now, median = seconds.pop(taken), float(choices[taken]["median_s"])
        best = min(seconds, key=seconds.get)
        lines.append([device, case, choices[taken]["strategy"] + taken[4:], f"{1e3 * now:.4g}",
                      best, f"{1e3 * seconds[best]:.4g}", f"{now / seconds[best]:.3f}",
                      f"{1e3 * look:.3g}", percent(look / (1e4 * median))])
    return markdown(head, lines)


def steps_table(rows):
    head = ["on", "case", "particles", "h/dp", "neighbours", "ms", "least", "most", "particles/s",
            "pairs/s", "bytes a particle", "of issue", "of memory", *PARTS]
    return markdown(head, [
        [where(row), row["case"], large(row["particles"]), row["h_over_dp"], row["neighbours"],
         *milliseconds(row), large(row["particles_per_s"]), large(row["pairs_per_s"]),
         short(row["bytes_per_particle"], "{:.0f}"), percent(row["issue_fraction"]),
         percent(row["memory_fraction"])] + [percent(row[f"part_{part}"]) for part in PARTS]
        for row in rows])


def claims_table(rows):
    """The claims, their published and measured numbers, and the times of their variants."""
    head = ["on", "case", "way", "ms", "least", "most", "bytes a particle", "claim", "published",
            "measured", "least", "most", "verdict"]
    return markdown(head, [
        [where(row), row["case"], row["variant"], *milliseconds(row),
         short(row["bytes_per_particle"], "{:.0f}"), row["claim"],
         *(short(row[key]) for key in ("published", "measured", "least", "most")), row["verdict"]]
        for row in rows])


def table(rows):
    what = rows[0]["bench"]
    if what == "claims":
        return claims_table(rows)
    if what in ("step", "scaling", "pair"):
        return steps_table(rows)
    if what == "lists":
        return lists_table(rows)
    if what == "auto":
        return auto_table(rows)
    return loops_table(rows, {"blocks": "threads a block", "layouts": "layout"}.get(what, "as"))


def draw_blocks(axis, rows):
    for (device, _), loops in by_case(rows).items():
        axis.plot([int(name) for name in loops], [1e3 * float(r["median_s"]) for r in
                                                  loops.values()], "o-", label=device)
    axis.set(xscale="log", yscale="log", xlabel="threads a block", ylabel="ms")
    axis.set_xticks([1, 4, 16, 64, 256, 1024], ["1", "4", "16", "64", "256", "1024"])


def draw_layouts(axis, rows):
    cases = by_case(rows)
    for n, ((_, case), loops) in enumerate(cases.items()):
        base = float(loops["structures"]["median_s"])
        axis.bar([k + n * 0.8 / len(cases) for k in range(len(loops))],
                 [base / float(row["median_s"]) for row in loops.values()], 0.8 / len(cases),
                 label=f"{case[1:]} neighbours")
    names = list(next(iter(cases.values())))
    axis.set_xticks([k + 0.3 for k in range(len(names))], names, rotation=40, ha="right")
    axis.axhline(1, color="grey", linewidth=0.8)
    axis.set_ylabel("times as fast as structures")


def draw_lists(axis, rows):
    for (_, case), loops in by_case(rows).items():
        now, later = list_steps(loops)
        line, = axis.plot(REBUILDS, [1e3 * value for value in later], "o-",
                          label=f"list, {case[1:]} neighbours")
        axis.axhline(1e3 * now, color=line.get_color(), linestyle="--")
    axis.set(xscale="log", yscale="log", xlabel="steps that a list serves (dashed: just in time)",
             ylabel="sort and pairs of a step, ms")
    axis.set_xticks(REBUILDS, [str(k) for k in REBUILDS])


def draw_scaling(axis, rows):
    devices = {}
    for row in rows:
        devices.setdefault(where(row), []).append(
            (float(row["particles"]), float(row["particles_per_s"])))
    for device, line in devices.items():
        axis.plot(*zip(*sorted(line)), "o-", label=device)
    axis.set(xscale="log", yscale="log", xlabel="particles", ylabel="particles a second")


def draw_steps(axis, rows):
    names = [f"{row['case']}, h = {row['h_over_dp']} dp\n{row['device'][:28]}" for row in rows]
    left = [0.0] * len(rows)
    for part in PARTS:
        width = [100 * float(row[f"part_{part}"] or 0) for row in rows]
        axis.barh(names, width, left=left, label=part)
        left = [a + b for a, b in zip(left, width)]
    axis.invert_yaxis()
    axis.set_xlabel("% of a step")
    axis.tick_params(axis="y", labelsize=6)


DRAWN = {"blocks": draw_blocks, "layouts": draw_layouts, "lists": draw_lists,
         "scaling": draw_scaling, "step": draw_steps}


def draw(path, rows):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    bars = len(rows) if rows[0]["bench"] == "step" else 0
    figure, axis = plt.subplots(figsize=(6.4, max(3.8, 0.34 * bars + 0.8)))
    DRAWN[rows[0]["bench"]](axis, rows)
    if rows[0]["bench"] == "step":
        axis.legend(fontsize=7, ncol=len(PARTS), loc="lower center", bbox_to_anchor=(0.4, 1))
    else:
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", nargs="+", help="rows of sluice bench, one sub-benchmark a file")
    parser.add_argument("--png", metavar="FOLDER", help="draw them there too")
    arguments = parser.parse_args()
    for path in arguments.csv:
        try:
            rows = rows_of(path)
            print(f"{path}\n\n{table(rows)}")
            if arguments.png and rows[0]["bench"] in DRAWN:
                draw(Path(arguments.png, f"bench-{rows[0]['bench']}.png"), rows)
        except (OSError, KeyError, ValueError, IndexError) as error:
            sys.exit(f"{path}: not rows of sluice bench: {error!r}")


if __name__ == "__main__":
    main()

"""The table and the picture of a comparison of runs at three spacings."""

import math

import matplotlib.pyplot as plt

from converge.order import CONVERGING, words

SHADES = ("#b9cfe8", "#5f93cb", "#12355f")  # from coarse to fine
HEAD = ("probe", "column", "number", "unit", "coarse", "medium", "fine", "order", "error_bar",
        "extrapolated", "spread", "verdict")


def rounded(value, digits=5):
    return "-" if math.isnan(value) else f"{value:.{digits}g}"


def bar_text(row):
    """The error bar; the spread where there is no bar."""
    judged = row["judged"]
    if judged.verdict == CONVERGING:
        return f"+-{rounded(judged.error, 2)}"
    return "-" if math.isnan(judged.spread) else f"spread {rounded(judged.spread, 2)}"


def order_text(judged):
    return words(judged.order) + ("*" if judged.beyond else "")


def aligned(rows):
    """Lines of text, each column as wide as its widest cell; the first two to the left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [
            cell.ljust(width) if i < 2 or i == len(row) - 1 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ]
        yield "  ".join(cells).rstrip()


def print_table(spacings, rows):
    lines = [["", "", *(f"dp {h:g}" for h in spacings), "order", "error bar", "extrapolated",
              "verdict"]]
    for row in rows:
        judged = row["judged"]
        lines.append([
            row["probe"],
            f"{row['column']}{', ' if row['column'] else ''}{row['number']} ({row['unit']})",
            *map(rounded, row["values"]),
            order_text(judged), bar_text(row), rounded(judged.extrapolated), judged.verdict,
        ])
    for line in aligned(lines):
        print(line)


def write_table(path, spacings, rows):
    with open(path, "w") as file:
        file.write("# spacings: " + ", ".join(f"{h:.12g}" for h in spacings) + "\n")
        file.write(",".join(HEAD) + "\n")
        for row in rows:
            judged = row["judged"]
            numbers = (*row["values"], judged.order, judged.error, judged.extrapolated,
                       judged.spread)
            cells = ("" if math.isnan(value) else f"{value:.9g}" for value in numbers)
            file.write(",".join([*(row[key] for key in HEAD[:4]), *cells, judged.verdict])
                       + "\n")


def short(row):
    """A row in the title of its panel."""
    bar = bar_text(row)
    bar = bar.replace("+-", " ± ") if bar.startswith("+-") else f", {bar}"
    return f"{row['number']} {rounded(row['values'][-1], 4)}{bar}, {row['judged'].verdict}"


def picture(run, spacings, series, rows):
    """A panel a series, with the three runs and the verdicts of its numbers."""
    columns = min(len(series), 3)
    lines = math.ceil(len(series) / columns)
    figure, axes = plt.subplots(lines, columns, figsize=(3.8 * columns, 2.7 * lines + 0.4),
                                squeeze=False)
    figure.suptitle(run.title, fontsize=11)
    for place in axes.flat[len(series):]:
        place.set_axis_off()
    for place, one in zip(axes.flat, series):
        for h, t, values, shade in zip(spacings, one.times, one.values, SHADES):
            place.plot(t, values, color=shade, label=f"dp {h:g}")
        place.set_title("\n".join(
            [f"{one.probe}{': ' if one.column else ''}{one.column} ({one.unit})"]
            + [short(row) for row in rows if row["series"] is one]
        ), fontsize=8, pad=12)
        place.set_xlim(0, one.times[0][-1] or 1)
    for place in axes[-1]:  # also where the last row ends early
        place.set_xlabel(f"time ({run.units['time']})")
    axes.flat[0].legend()
    return figure

"""The tables of bodies over time: how far they moved and turned, their velocities and forces."""

import re

import matplotlib.pyplot as plt
import numpy as np

from plot import probes
from plot.fields import label_axis
from plot.pictures import look_of
from sluice.units import quantity_of

MOST = 8  # bodies in one picture
ANGLES = ("angle", "roll", "pitch", "yaw")
# What is drawn of a body: the title of a panel, and the columns in it.
PANELS = (
    ("displacement", r"[xyz]"),
    ("rotation", "|".join(ANGLES)),
    ("velocity", r"velocity_[xyz]"),
    ("force of the fluid", r"fluid_force_[xyz]"),
    ("force of contacts", r"contact_force_[xyz]"),
    ("force of moorings", r"mooring_force_[xyz]"),
)
WHERE_NEEDED = ("force of contacts", "force of moorings")  # no panel if all is 0


def moved(column, table, first):
    """(values, words for their axis) of a column as it is drawn: places count from the first row of
    the run, and angles are in degrees."""
    if column in ("x", "y", "z"):
        return table[column] - first[column][0], "displacement"
    if column in ANGLES:
        return np.degrees(table[column]), "rotation"
    return table[column], quantity_of(column)


def label_values(axes, run, column, words):
    """Labels the axis of a column as `moved` gives it."""
    unit = "degrees" if column in ANGLES else run.units[quantity_of(column)]
    label_axis(axes.yaxis, words, unit)


def panels_of(table, choice):
    """[(title, columns)] of a body. A component that is 0 throughout has no curve."""
    if choice.columns:
        found = {}
        for column in choice.columns_of([], table):
            found.setdefault(quantity_of(column), []).append(column)
        return list(found.items())
    found = []
    for title, pattern in PANELS:
        columns = [name for name in table if re.fullmatch(pattern, name)]
        used = [name for name in columns if np.any(table[name] != 0)]
        if used or (columns and title not in WHERE_NEEDED):
            found.append((title, used or columns[:1]))
    return found


def draw_panel(axes, run, choice, name, table, panel):
    title, columns = panel
    first, filtered = run.body(name), False
    for number, column in enumerate(columns):
        values, words = moved(column, table, first)
        look = {**look_of(number), "label": column}
        filtered |= probes.draw_curve(axes, choice, table["time"], values, f"body {name}", column,
                                      look)  # fmt: skip
    axes.set_title(f"body {name}: {title}" + (f"\n{choice.low_pass.words()}" if filtered else ""))
    axes.set_xlabel(f"time ({run.units['time']})")
    label_values(axes, run, column, words)
    if len(columns) > 1:
        probes.legend_above(axes, probes.named(axes))


def axes_of(counts, title):
    """(figure, its axes in order) of so many panels for each body: a row a body, or a grid of one
    body's."""
    if len(counts) == 1:
        return probes.grid_of_panels(counts[0], title)
    wide = max(counts)
    figure, grid = plt.subplots(len(counts), wide, squeeze=False,
                                figsize=(3.6 * wide + 0.6, 2.5 * len(counts) + 0.4))  # fmt: skip
    figure.suptitle(title, fontsize=11)
    for row, count in zip(grid, counts):
        for place in row[count:]:
            place.set_axis_off()
    return figure, [place for row, count in zip(grid, counts) for place in row[:count]]


def bodies_picture(run, choice):
    """(figure, lines of text): a row of panels a body. (None, []): no bodies with rows."""
    tables = {name: table for name, table in choice.tables(run, "body").items()
              if not choice.columns or choice.has_column(table)}  # fmt: skip
    if not tables:
        return None, []
    names, said = list(tables)[:MOST], []
    if len(tables) > MOST:
        said = [f"not drawn, as there are more than {MOST} bodies:"
                f" {', '.join(list(tables)[MOST:])}; --body NAME,... chooses"]
    panels = {name: panels_of(tables[name], choice) for name in names}
    figure, axes = axes_of([len(panels[name]) for name in names], run.title)
    every = [(name, panel) for name in names for panel in panels[name]]
    for place, (name, panel) in zip(axes, every):
        draw_panel(place, run, choice, name, tables[name], panel)
    return figure, said

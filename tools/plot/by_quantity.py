"""The tables of moorings and openings over time: a panel a quantity, a curve for each table."""

import numpy as np

from plot import probes
from plot.fields import label_axis
from plot.pictures import look_of
from sluice.units import quantity_of

MOST = 24  # tables in one picture
# The columns that are drawn of the tables of a kind, a panel each.
PANELS = {
    "mooring": ("tension", "length"),
    "opening": ("discharge", "level", "velocity", "froude", "pressure", "head"),
}
WORDS = {"froude": "Froude number", "mass_in": "mass in", "mass_out": "mass out"}


def words_of(column):
    """A column in words, as for an axis."""
    return WORDS.get(column, column.replace("_", " "))


def has_values(table, column):
    """Whether a table has the column, and a number in it: a level is empty without gravity."""
    return column in table and bool(np.any(np.isfinite(table[column])))


def columns_of(tables, kind, choice):
    """The columns that have a panel: those asked for, or those of the kind, if they have values."""
    there = dict.fromkeys(column for table in tables for column in table)
    return [column for column in choice.columns_of(PANELS[kind], there)
            if any(has_values(table, column) for table in tables)]  # fmt: skip


def label_values(axes, run, column):
    """Labels the axis of a column."""
    label_axis(axes.yaxis, words_of(column), run.units[quantity_of(column)])


def draw_panel(axes, run, kind, column, tables, choice):
    """One column of all tables, {name: table}. A table's look is the same in each panel."""
    filtered = False
    for number, (name, table) in enumerate(tables.items()):
        if has_values(table, column):
            filtered |= probes.draw_curve(axes, choice, table["time"], table[column],
                                          f"{kind} {name}", column,
                                          {"label": name, **look_of(number)})  # fmt: skip
    axes.set_title(f"{words_of(column)} of {kind}s"
                   + (f"\n{choice.low_pass.words()}" if filtered else ""))  # fmt: skip
    axes.set_xlabel(f"time ({run.units['time']})")
    label_values(axes, run, column)


def picture(run, kind, choice):
    """(figure, lines of text) of a kind, "mooring" or "opening": all of its tables in each panel.
    (None, []): no tables with rows, or none of the columns asked for."""
    tables = {name: table for name, table in choice.tables(run, kind).items()
              if not choice.columns or choice.has_column(table)}  # fmt: skip
    shown, said = dict(list(tables.items())[:MOST]), []
    columns = columns_of(shown.values(), kind, choice)
    if not columns:
        return None, []
    if len(tables) > MOST:
        said = [f"not drawn, as there are more than {MOST} {kind}s:"
                f" {', '.join(list(tables)[MOST:])}; --{kind} NAME,... chooses"]
    times = [table["time"] for table in shown.values()]
    start, end = min(time[0] for time in times), max(time[-1] for time in times)
    span = start, max(end, start + 1e-9)
    figure, axes = probes.grid_of_panels(len(columns), run.title)
    for place, column in zip(axes, columns):
        draw_panel(place, run, kind, column, shown, choice)
        place.set_xlim(*span)
    probes.legend_of_all(figure, axes)
    return figure, said

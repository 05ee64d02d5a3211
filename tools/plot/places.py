"""Tables of `sluice measure`: profiles along a line, values at points over time, sums, flows."""

import os

import numpy as np

from plot import probes
from plot.fields import label_axis
from plot.modules import AskedError
from plot.pictures import COLOURS, DASHES
from sluice import FileError, Run, read_table
from sluice.errors import listed
from sluice.runs import is_run
from sluice.units import unit_of, units_of

NOT_DRAWN = ("step", "time", "point", "x", "y", "z", "weight", "valid", "line")
REDUCED = ("mean", "rms", "min", "max")
MOST_POINTS = 12  # of one picture
MOST_PANELS = 12
EVEN = 1e-6  # places of a line are as far apart as that, relative to its length


# Columns that a run's own tables do not have: the quantity of each.
SUMS = {"arrival": "time", "internal": "kinetic", "speed": "velocity", "volume_flow": "flux",
        "centre_x": "length", "centre_y": "length", "centre_z": "length"}  # fmt: skip
IN_SPACE = {"volume": "m^3", "mass_flow": "kg/s"}
IN_PLANE = {"volume": "m^2", "mass_flow": "kg/(m s)"}


def unit(column, units, dimension):
    """The unit of a column; pressure_max has that of pressure. None: a plain number."""
    base, _, last = column.rpartition("_")
    name = base if last in REDUCED else column
    more = IN_PLANE if dimension == 2 else IN_SPACE
    if name in more:
        return more[name] if units["mass"] != "reduced" else "reduced"
    found = unit_of(SUMS.get(name, name), units)
    return None if found == "1" else found


def label(axes, along, column, of_column):
    """Labels the axis of a column, of which the unit is given."""
    axis = getattr(axes, f"{along}axis")
    words = column.replace("_", " ")
    if of_column:
        label_axis(axis, words, of_column)
    else:
        axis.set_label_text(words)


def coordinates(table):
    """[places, axes] of the points of one time."""
    count = int(np.nanmax(table["point"])) + 1
    axes = [name for name in "xyz" if name in table]
    if table.rows % count:
        raise FileError(f"{table.path}: {table.rows} rows of {count} points: rows are missing")
    return np.stack([table[name][:count] for name in axes], axis=1)


def along(place):
    """(label, coordinate, axis or None) of points that lie on a line at equal distances; None:
    they do not."""
    way = place[-1] - place[0]
    even = place[0] + np.linspace(0, 1, len(place))[:, None] * way
    if len(place) < 3 or np.abs(place - even).max() > EVEN * np.linalg.norm(way) or not way.any():
        return None
    moved = np.flatnonzero(way)
    if len(moved) == 1:
        return "xyz"[moved[0]], place[:, moved[0]], moved[0]
    return "along the line", np.linspace(0, np.linalg.norm(way), len(place)), None


def columns_of(table, choice):
    columns = [name for name in table if name not in NOT_DRAWN]
    if choice.columns:
        if choice.columns[0] not in columns:
            raise AskedError(f"--column {choice.columns[0]}: {table.path} has no such column:"
                             f" {listed(columns, choice.columns[0])}")  # fmt: skip
        columns = [choice.columns[0]]
    return columns[:MOST_PANELS], columns[MOST_PANELS:]


def draw_over_time(axes, table, column, place):
    """A curve a point; without points that of the column."""
    count = 1 if place is None else len(place)
    time = table["time"][::count]
    for k in range(min(count, MOST_POINTS)):
        name = "" if place is None else f"({', '.join(f'{x:.4g}' for x in place[k])})"
        values = table[column][k::count]
        axes.plot(time, values, label=name, marker="." if len(time) < 3 else "",
                  color=COLOURS[k % len(COLOURS)],
                  linestyle=DASHES[(k + k // len(COLOURS)) % len(DASHES)])  # fmt: skip


def draw_profiles(axes, table, column, line, rows, unit_of_time):
    """Values along a line at some times; of an upright line upwards. Returns whether it is one."""
    _, place, axis = line
    upright = axis == (2 if "z" in table else 1)
    count = len(place)
    for k, row in enumerate(rows):
        values = table[column][row * count : (row + 1) * count]
        pair = (values, place) if upright else (place, values)
        axes.plot(*pair, color=COLOURS[k % len(COLOURS)], linestyle=DASHES[k % len(DASHES)],
                  label=f"t = {table['time'][row * count]:.3g} {unit_of_time}")  # fmt: skip
    return upright


def draw_panel(axes, table, column, asked, units, dimension):
    """A column of a table over time, or of a line of places along it. asked: times of profiles."""
    place = coordinates(table) if "point" in table else None
    line = along(place) if place is not None else None
    of_column = unit(column, units, dimension)
    if not line:
        draw_over_time(axes, table, column, place)
        axes.set_xlabel(f"time ({units['time']})")
        label(axes, "y", column, of_column)
        return
    rows = probes.profile_rows(table["time"][:: len(place)], asked)
    upright = draw_profiles(axes, table, column, line, rows, units["time"])
    (axes.set_ylabel if upright else axes.set_xlabel)(f"{line[0]} ({units['length']})")
    label(axes, "x" if upright else "y", column, of_column)


def run_of(path):
    """The run in whose folder the file lies, or None."""
    folder = os.path.dirname(path) or "."
    return Run(folder) if is_run(folder) else None


def title_of(path):
    """The title of a picture of a file: that of its run, and its name."""
    run = run_of(path)
    return "\n".join(filter(None, (run and run.title, os.path.basename(path))))


def rows_of(path, choice):
    """The rows of a measurement in the window. AskedError: there are none."""
    table = read_table(path)
    if "time" not in table:
        raise AskedError(f"{path} has no column time: it is no measurement")
    part = choice.cut(table)
    if not part.rows:
        raise AskedError(f"{path} has no rows from t = {choice.start:g} to {choice.end:g} s")
    return part


def picture(path, choice, asked):
    """(figure, lines of text) of a table. asked: times of profiles, or None."""
    table, run, said = rows_of(path, choice), run_of(path), []
    dimension = run.dimension if run else 3 if "z" in table or "momentum_z" in table else 2
    units = run.units if run else units_of("si", dimension)
    if not run:
        said.append(f"units are those of the SI in {dimension}-D, as the file is not in the folder"
                    " of a run")  # fmt: skip
    columns, left = columns_of(table, choice)
    if left:
        said.append(f"not drawn: {', '.join(left)}; --column chooses")
    count = len(coordinates(table)) if "point" in table else 1
    if count > MOST_POINTS and not along(coordinates(table)):
        said.append(f"drawn are the first {MOST_POINTS} of {count} points")
    figure, axes = probes.grid_of_panels(len(columns), title_of(path))
    for panel, column in zip(axes, columns):
        draw_panel(panel, table, column, asked, units, dimension)
    if "point" in table:
        axes[0].legend()
    return figure, said

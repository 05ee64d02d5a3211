"""The table of a run's key `acceleration`: what shakes the water beside gravity."""

import re

import numpy as np

from plot import probes
from plot.fields import label_axis
from plot.pictures import look_of
from sluice.tables import Table, value_columns

BETWEEN = re.compile(r"[,\s]+")


def words_of(line):
    return [word for word in BETWEEN.split(line.strip()) if word]


def read(path):
    """The Table of a file, with the columns time and acceleration_x, ... OSError, ValueError: it is
    not there any more, or is another one now."""
    with open(path, encoding="utf-8-sig") as file:
        lines = [line for line in file if line.strip() and not line.lstrip().startswith("#")]
    names = ["time" if name == "t" else name for name in words_of(lines[0] if lines else "")]
    rows = np.array([words_of(line) for line in lines[1:]], float).reshape(-1, len(names)).T
    found = dict(zip(names, rows))
    time = found.pop("time", [])
    if not len(time) or np.any(np.diff(time) <= 0):
        raise ValueError("it has no time that rises")
    return Table({"time": time, **{f"acceleration_{axis}": found[axis] for axis in found}}, path)


def until(table, end):
    """The table from 0 to a time, straight between its rows."""
    time = table["time"]
    kept = np.unique([0.0, *time[(time > 0) & (time < end)], end])
    return Table({name: np.interp(kept, time, table[name]) for name in table} | {"time": kept},
                 table.path)  # fmt: skip


def accelerations(runs, ends):
    """({run's number: table}, lines of text on those that cannot be read). ends: the last time of
    each run, s, or None."""
    found, lines = {}, []
    for number, (run, end) in enumerate(zip(runs, ends)):
        path = run.config.get("acceleration", "")
        if not path or end is None:
            continue
        try:
            found[number] = until(read(path), end)
        except (OSError, ValueError) as error:
            lines.append(f"no curve of the acceleration, as {path} cannot be read: {error}")
    return found, lines


def end_of(run):
    """The last time of a run's energy.csv or snapshots, s; None: it has neither."""
    times = run.energy()["time"] if run.has("energy.csv") else run.times
    return float(times[-1]) if len(times) else None


def picture(run, choice):
    """(figure, lines of text): the components that are not 0. (None, lines): no table, or none of
    its rows is in the window."""
    found, lines = accelerations([run], [end_of(run)])
    table = choice.cut(found[0]) if found else None
    if not table or not table.rows:
        return None, lines
    figure, (axes,) = probes.grid_of_panels(1, run.title)
    for number, column in enumerate(value_columns(table)):
        if np.any(table[column] != 0):
            axes.plot(table["time"], table[column], label=column[-1], **look_of(number))
    axes.set_title("acceleration beside gravity")
    axes.set_xlabel(f"time ({run.units['time']})")
    label_axis(axes.yaxis, "acceleration", run.units["acceleration"])
    axes.legend()
    return figure, lines

"""The curves of a report: probes, bodies, openings and the energy budget, as panels.

A panel is a graph over time: {"section", "title", "unit", "log", "curves"}; a curve has a name, the
number of its run (None: of no run alone), its points as references, and "dash" for a line of
dashes. A line of points is a panel with "heat" instead of curves: colours over time and place.
"""

import re

import numpy as np

from plot import budget, probes, shaken
from plot.fields import handy
from sluice.tables import value_columns

POINTS = 2000  # of a curve at most
CELLS = 400  # of a line of points over time, at most, along each axis
AXIS = re.compile(r"(.*?)_?([xyz])")
WHOLE = {"": "position", "v": "velocity", "f": "force", "t": "torque"}  # of x, vx, fx, tx
BESIDE = {"theory": "elevation"}


def thinned(time, values, most=POINTS):
    """The rows [k] of a curve that show it: the least and the largest value of each of most/2
    intervals, the first and the last."""
    if len(time) <= most:
        return np.arange(len(time))
    edges = np.linspace(0, len(time), most // 2 + 1).astype(int)
    rows = {0, len(time) - 1}
    for first, end in zip(edges[:-1], edges[1:]):
        part = values[first:end]
        good = np.flatnonzero(np.isfinite(part))
        if len(good):
            rows |= {first + good[np.argmin(part[good])], first + good[np.argmax(part[good])]}
        if len(good) < len(part):  # a gap stays one
            rows.add(first + int(np.flatnonzero(~np.isfinite(part))[0]))
    return np.array(sorted(rows))


class Panels:
    """Panels of some runs, whose points go to one block. thinned: how many curves were. lines: of
    text, on curves that are missing."""

    def __init__(self, block):
        self.block, self.found, self.thinned, self.lines = block, [], 0, []

    def curve(self, name, run, time, values, **look):
        rows = thinned(time, values)
        self.thinned += len(rows) < len(time)
        x, y = (self.block.add(part[rows], "f4") for part in (time, values))
        return {"name": name, "run": run, "x": x, "y": y, **look}

    def add(self, section, title, unit, curves, **more):
        if curves:
            self.found.append({"section": section, "title": title, "unit": unit,
                               "curves": curves, **more})  # fmt: skip

    def add_line(self, run, number, name, table):
        """A line of points: the quantity that is largest, as plot draws it."""
        kind, unit, values = probes.line_values(run, probes.sites(table), table)
        label, place = probes.places(run, name, len(values))
        rows = np.unique(np.linspace(0, values.shape[1] - 1, CELLS).astype(int))
        points = np.unique(np.linspace(0, values.shape[0] - 1, CELLS).astype(int))
        self.thinned += values.shape != (len(points), len(rows))
        heat = {"x": self.block.add(table["time"][rows], "f4"),
                "y": self.block.add(place[points], "f4"),
                "z": self.block.add(values[np.ix_(points, rows)].T, "f4"), "run": number}
        self.found.append({"section": "Probes", "title": f"{name}: {kind}", "unit": unit,
                           "label": label, "heat": heat, "curves": []})  # fmt: skip


def shown_columns(table):
    """The columns that have a curve: of a height probe those of probes.png, the elevation about
    still water beside its theory."""
    return [column for column in probes.shown_columns(table) if column != "foremost"]


def quantities(table):
    """{(quantity, its unit): columns} of a table; the components of a vector are together."""
    found = {}
    for column in shown_columns(table):
        base, unit = BESIDE.get(column, column), table.units.get(column, "")
        part = AXIS.fullmatch(column)
        if part:
            base = WHOLE.get(part[1], part[1])
        found.setdefault((base.replace("_", " "), unit), []).append(column)
    return found


def is_drawn(column, table, columns):
    """A component that is 0 throughout, as vz of a flow in a plane, is not."""
    values = np.nan_to_num(probes.measured(table, column))
    return len(columns) == 1 or bool(np.any(values != 0))


def add_tables(panels, section, runs, tables):
    """Panels of {name: {run's number: table}}. Of one run the components of a vector are in one
    panel; of several each column has its own."""
    for name, of_runs in tables.items():
        lines = {number: table for number, table in of_runs.items() if probes.sites(table)}
        for number, table in lines.items():
            panels.add_line(runs[number], number, name, table)
        found = {}
        for number, table in of_runs.items():
            shown = quantities(table) if number not in lines else {}
            for (quantity, unit), columns in shown.items():
                for column in columns:
                    if is_drawn(column, table, columns):
                        key = (quantity, unit, column if len(runs) > 1 else "")
                        found.setdefault(key, []).append((number, table, column))
        for (quantity, unit, column), parts in found.items():
            most = max(largest(probes.measured(table, name)) for _, table, name in parts)
            unit, over = handy(unit, most)
            curves = [panels.curve(name, number, table["time"], probes.measured(table, name) / over)
                      for number, table, name in parts]  # fmt: skip
            words = column.replace("_", " ") or quantity
            panels.add(section, f"{name}: {words}", unit, curves)


def add_accelerations(panels, runs, ends):
    """What shakes the water, beside the probes: the components of one run are in one panel."""
    tables, panels.lines = shaken.accelerations(runs, ends)
    found = {}
    for number, table in tables.items():
        columns = value_columns(table)
        for column in columns:
            if is_drawn(column, table, columns):
                key = f" along {column[-1]}" if len(runs) > 1 else ""
                found.setdefault(key, []).append((number, table, column))
    for words, parts in found.items():
        unit = runs[parts[0][0]].units["acceleration"]
        curves = [panels.curve(column, number, table["time"], table[column])
                  for number, table, column in parts]  # fmt: skip
        panels.add("Probes", f"acceleration beside gravity{words}", unit, curves)


def largest(values):
    good = np.abs(values[np.isfinite(values)])
    return float(good.max()) if len(good) else 0.0


def tables_of(runs, names, read):
    """{name: {run's number: table}} of the tables with rows."""
    found = {}
    for number, run in enumerate(runs):
        for name in getattr(run, names):
            table = getattr(run, read)(name)
            if table.rows:
                found.setdefault(name, {})[number] = table
    return found


def add_energies(panels, runs):
    """The panels of `sluice energy`; of several runs the kinetic energy and the residual."""
    tables = {number: run.energy() for number, run in enumerate(runs)
              if run.has("energy.csv") and run.energy().rows}  # fmt: skip
    for table in tables.values():
        budget.check(table)
    if not tables:
        return
    unit = runs[next(iter(tables))].units["energy"]
    if len(runs) == 1:
        add_budget(panels, tables[0], unit)
    else:
        curves = [panels.curve("kinetic", number, table["time"], table["kinetic"])
                  for number, table in tables.items()]  # fmt: skip
        panels.add("Energy", "kinetic energy", unit, curves)
    add_residuals(panels, runs, tables)


def add_budget(panels, table, unit):
    """Energies as changes since the start, and what came and went."""
    time, total = table["time"], table["total"] - table["total"][0]
    changes = {label: table[name] - table[name][0] for name, label in budget.ENERGIES
               if name in table}  # fmt: skip
    works = {label: table[name] for name, label in budget.works_in(table) if name in table}
    works |= {label: sign * table[name] for name, sign, _, label in budget.FLOWS if name in table}
    for title, found in (("What is there, change since the start", changes),
                         ("What came and went", works)):  # fmt: skip
        curves = [panels.curve(label, 0, time, values) for label, values in found.items()
                  if np.any(values != 0)]  # fmt: skip
        curves.append(panels.curve("total", 0, time, total, dash="dash"))
        panels.add("Energy", title, unit, curves)


def add_residuals(panels, runs, tables):
    """|residual| as a fraction of the reference energy, and the tolerances."""
    curves, spans = [], {}
    for number, table in tables.items():
        judged = runs[number].verdict
        if not judged.reference:
            continue
        time, size = table["time"], np.abs(table["residual"]) / judged.reference
        curves.append(panels.curve("|residual|", number, time, np.where(size > 0, size, np.nan)))
        start, end = spans.get(judged.tolerance, (time[0], time[-1]))
        spans[judged.tolerance] = min(start, time[0]), max(end, time[-1])
    for tolerance, span in spans.items():
        curves.append(panels.curve("tolerance", None, np.array(span), np.full(2, tolerance),
                                   dash="dot"))  # fmt: skip
    panels.add("Energy", "What is missing, over the reference energy", "1", curves, log=True)


def panels_of(runs, block, ends):
    """The Panels of all tables of some runs. ends: the last time of each run, s, or None."""
    panels = Panels(block)
    add_accelerations(panels, runs, ends)
    add_tables(panels, "Probes", runs, tables_of(runs, "probe_names", "probe"))
    add_tables(panels, "Bodies", runs, tables_of(runs, "body_names", "body"))
    add_tables(panels, "Moorings", runs, tables_of(runs, "mooring_names", "mooring"))
    add_tables(panels, "Openings", runs, tables_of(runs, "opening_names", "opening"))
    add_energies(panels, runs)
    return panels

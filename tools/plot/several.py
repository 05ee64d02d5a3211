"""Several runs in one picture: their tables and energies, a quantity a panel."""

import math
import os
import re

import matplotlib.pyplot as plt
import numpy as np

from plot import bodies, by_quantity, probes
from plot.choice import KINDS, Choice
from plot.modules import AskedError
from plot.pictures import COLOURS, DASHES
from sluice.tables import value_columns

ENERGIES = ("kinetic", "residual")
SKIPPED = ("foremost", "theory")
OF_OTHERS = ("tension", "length", "discharge", "level")  # of moorings and openings
MOST_PANELS = 18


def label_of_runs(runs):
    """A name for each run: its spacing, and the folder's if that does not tell them apart."""
    spacings = [float(run.config.get("spacing", 0.0)) for run in runs]
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        names = [os.path.normpath(run.path) for run in runs]
    unit = runs[0].units["length"]
    words = [f"dp {dp:.6g} {unit}" if dp > 0 else "" for dp in spacings]
    if len(set(words)) == len(words):
        return words if all(words) else names
    return [f"{name}, {word}" if word else name for name, word in zip(names, words)]


def check_alike(runs):
    """Lines of text about differences. AskedError: the runs cannot be in one picture."""
    if len({run.dimension for run in runs}) > 1:
        raise AskedError("runs in 2-D and in 3-D cannot be compared: give runs of one case")
    titles = [run.title for run in runs]
    if len(set(titles)) == 1:
        return []
    return ["the runs have different titles: " + "; ".join(f"'{title}'" for title in titles)]


def columns_of(table, choice):
    """The columns of a probe that are compared; of a line of points its quantities."""
    lines = probes.sites(table)
    if lines and any(column in table for column in choice.columns):
        lines = {}
    there = list(lines) if lines else value_columns(table)
    shown = there if lines else [name for name in probes.shown_columns(table)
                                 if name not in SKIPPED]  # fmt: skip
    return choice.columns_of(shown, there)


def body_columns(table, choice):
    """Those of a body: its place and its rotation."""
    shown = [column for title, columns in bodies.panels_of(table, Choice()) for column in columns
             if title in ("displacement", "rotation")]  # fmt: skip
    return choice.columns_of(shown, [name for name in table if name not in ("step", "time")])


def other_columns(table, choice):
    """Those of a mooring or an opening."""
    there = [name for name in table if by_quantity.has_values(table, name)]
    return choice.columns_of([name for name in OF_OTHERS if name in there], there)


COLUMNS = {"probe": columns_of, "body": body_columns, "mooring": other_columns,
           "opening": other_columns}  # fmt: skip


def curves_of(runs, choice=Choice()):
    """{(kind, name, column): {run's number: table}} of the columns that at least two runs have, in
    order, of the kinds of COLUMNS and "energy"; and the tables that only one run has."""
    found = {}
    for number, run in enumerate(runs):
        for kind in COLUMNS:
            for name, table in choice.tables(run, kind).items():
                for column in COLUMNS[kind](table, choice):
                    found.setdefault((kind, name, column), {})[number] = table
        has_energy = run.has("energy.csv") and not choice.is_of_tables
        energy = choice.cut(run.energy()) if has_energy else {}
        for column in ENERGIES:
            if len(energy.get(column, ())):
                found.setdefault(("energy", "energy", column), {})[number] = energy
    choice.check_columns([table for tables in found.values() for table in tables.values()])
    shared = {key: tables for key, tables in found.items() if len(tables) > 1}
    alone = sorted({key[1] for key, tables in found.items() if len(tables) == 1})
    return {key: t for key, t in shared.items() if not is_still(key, t)}, alone


def is_still(key, tables):
    """Whether a component is 0 in all runs, as vz of a flow in a plane."""
    kind, _, column = key
    return kind == "probe" and re.fullmatch("[vft][xyz]", column) and not any(
        np.any(np.nan_to_num(probes.values_of(probes.sites(table)[column], table)
                             if column not in table else table[column]))
        for table in tables.values()
    )  # fmt: skip


def draw_curves(axes, runs, labels, key, tables, choice):
    """One quantity of all runs."""
    kind, name, column = key
    filtered = ""
    lines = kind == "probe" and column not in next(iter(tables.values()))
    end = min(table["time"][-1] for table in tables.values())
    for number, table in tables.items():
        look = {"color": COLOURS[number % len(COLOURS)], "label": labels[number],
                "linestyle": DASHES[number % len(DASHES)]}  # fmt: skip
        of_run = f"{kind} {name} of {labels[number]}"
        if lines:
            values = probes.values_of(probes.sites(table)[column], table)
            values, words = probes.smooth_points(choice, table, values, of_run)
            draw_profile(axes, runs[number], name, column, table, end, look, values)
        else:
            values, words = drawn_values(runs[number], key, table, choice, of_run)
            axes.plot(table["time"], values, **look)
        filtered = filtered or words
    axes.set_title((f"energy: {column}" if kind == "energy" else f"{kind} {name}")
                   + (f", t = {end:.3g} {runs[0].units['time']}" if lines else "")
                   + filtered)  # fmt: skip
    if not lines:
        axes.set_xlabel(f"time ({runs[0].units['time']})")
        label_curves(axes, runs[0], key)


def drawn_values(run, key, table, choice, of_run):
    """(values of a column over time, filtered if asked for; the filter's words)."""
    kind, name, column = key
    if kind == "energy":
        return table[column], ""
    values = (bodies.moved(column, table, run.body(name))[0] if kind == "body"
              else probes.measured(table, column))  # fmt: skip
    low_pass = choice.low_pass
    smooth = low_pass and low_pass.smooth(table["time"], values, of_run, column)
    return (values, "") if smooth is None else (smooth, f"\n{low_pass.words()}")


def label_curves(axes, run, key):
    kind, _, column = key
    if kind == "body":
        words = f"displacement along {column}" if column in ("x", "y", "z") else column
        bodies.label_values(axes, run, column, words.replace("_", " "))
    elif kind in by_quantity.PANELS:
        by_quantity.label_values(axes, run, column)
    else:
        probes.label_values(axes, run, column)


def draw_theory(axes, run, name, choice):
    """The theory of a wave gauge's elevation, of the first run, which has it."""
    table = choice.cut(run.probe(name))
    if np.any(np.isfinite(table.get("theory", np.nan))):
        axes.plot(table["time"], table["theory"], color="0.55", linewidth=1.0, label="theory",
                  zorder=1)  # fmt: skip


def draw_profile(axes, run, probe, column, table, end, look, values):
    """A line of points at the last time that all runs have; upright ones as u(y). values: [point,
    row]."""
    row = int(np.argmin(np.abs(table["time"] - end)))
    label, place = probes.places(run, probe, len(values))
    if label[0] == "xyz"[run.dimension - 1]:
        axes.plot(values[:, row], place, **look)
        probes.label_values(axes, run, column, "x")
        axes.set_ylabel(label)
    else:
        axes.plot(place, values[:, row], **look)
        axes.set_xlabel(label)
        probes.label_values(axes, run, column)


def share_times(panels, curves):
    """The panels over time from the first to the last time of all runs."""
    times = [table["time"] for tables in curves.values() for table in tables.values()]
    span = min(t[0] for t in times), max(t[-1] for t in times)
    for axes in panels if span[1] > span[0] else []:
        axes.set_xlim(*span)


def tables_in(run):
    """The names of a run's tables, in words."""
    names = [f"{kind} {name}" for kind in COLUMNS for name in getattr(run, KINDS[kind])]
    return ", ".join(names + ["energy.csv"] * run.has("energy.csv")) or "none"


def compared_picture(runs, choice=Choice()):
    """(figure, lines of text) of the quantities that the runs have in common. AskedError: there are
    none."""
    said = check_alike(runs)
    labels = label_of_runs(runs)
    curves, alone = curves_of(runs, choice)
    if not curves:
        raise AskedError("the runs have no table of the same name in common: "
                         + "; ".join(f"{run.path} has {tables_in(run)}" for run in runs))
    said += choice.missed
    if alone:
        said.append(f"only in one run, and not drawn: {', '.join(alone)}")
    keys = list(curves)
    if len(keys) > MOST_PANELS:
        left = [f"{name} {column}" for _, name, column in keys[MOST_PANELS:]]
        said.append(f"not drawn, as there are more than {MOST_PANELS} panels: {', '.join(left)};"
                    " --probe, --body, --mooring and --opening choose")  # fmt: skip
        keys = keys[:MOST_PANELS]
    columns = 1 if len(keys) == 1 else 2 if len(keys) <= 4 else 3
    rows = math.ceil(len(keys) / columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4.4 * columns + 0.6, 2.7 * rows + 0.9),
                                squeeze=False)  # fmt: skip
    figure.suptitle(runs[0].title, fontsize=11)
    for place in axes.flat[len(keys) :]:
        place.set_axis_off()
    for place, key in zip(axes.flat, keys):
        draw_curves(place, runs, labels, key, curves[key], choice)
        if key[0] == "probe" and key[2] == "elevation" and 0 in curves[key]:
            draw_theory(place, runs[0], key[1], choice)
    share_times([place for place in axes.flat if place.get_xlabel().startswith("time")], curves)
    probes.legend_of_all(figure, axes.flat)
    said += choice.low_pass.remarks() if choice.low_pass else []
    return figure, said

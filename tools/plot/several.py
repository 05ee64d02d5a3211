"""Several runs in one picture: their probes and energies, a quantity a panel."""

import math
import os
import re

import matplotlib.pyplot as plt
import numpy as np

from plot import probes
from plot.lowpass import FILTERED, unused
from plot.modules import AskedError
from plot.pictures import COLOURS, DASHES
from sluice.tables import value_columns

ENERGIES = ("kinetic", "residual")
SKIPPED = (*probes.WETNESS, "foremost", "bed")
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


def curves_of(runs):
    """{(probe, column): {run's number: table}} of the columns that at least two runs have, in
    order; and the probes that only one run has."""
    found = {}
    for number, run in enumerate(runs):
        for name, table in run.probes().items():
            if not len(table["time"]):
                continue
            lines = probes.sites(table)
            columns = list(lines) if lines else value_columns(table)
            for column in columns:
                if column not in SKIPPED:
                    found.setdefault((name, column), {})[number] = table
        energy = run.energy() if run.has("energy.csv") else {}
        for column in ENERGIES:
            if len(energy.get(column, ())):
                found.setdefault(("energy", column), {})[number] = energy
    shared = {key: tables for key, tables in found.items() if len(tables) > 1}
    alone = sorted({key[0] for key, tables in found.items() if len(tables) == 1})
    return {key: t for key, t in shared.items() if not is_still(*key, t)}, alone


def is_still(probe, column, tables):
    """Whether a component is 0 in all runs, as vz of a flow in a plane."""
    return probe != "energy" and re.fullmatch("[vft][xyz]", column) and not any(
        np.any(np.nan_to_num(probes.values_of(probes.sites(table)[column], table)
                             if probes.sites(table) else table[column]))
        for table in tables.values()
    )  # fmt: skip


def draw_curves(axes, runs, labels, key, tables, low_pass):
    """One quantity of all runs."""
    probe, column = key
    filtered = low_pass and column in FILTERED and probe != "energy"
    lines = probe != "energy" and probes.sites(next(iter(tables.values())))
    end = min(table["time"][-1] for table in tables.values())
    for number, table in tables.items():
        look = {"color": COLOURS[number % len(COLOURS)], "label": labels[number],
                "linestyle": DASHES[number % len(DASHES)]}  # fmt: skip
        if lines:
            draw_profile(axes, runs[number], probe, column, table, end, look)
            continue
        values = probes.measured(table, column)
        if filtered:
            values = low_pass.filtered(table["time"], values, f"probe {probe} of {labels[number]}")
        axes.plot(table["time"], values, **look)
    axes.set_title((f"energy: {column}" if probe == "energy" else f"probe {probe}")
                   + (f", t = {end:.3g} {runs[0].units['time']}" if lines else "")
                   + (f"\n{low_pass.words()}" if filtered else ""))  # fmt: skip
    if not lines:
        axes.set_xlabel(f"time ({runs[0].units['time']})")
        probes.label_values(axes, runs[0], column)


def draw_profile(axes, run, probe, column, table, end, look):
    """A line of points at the last time that all runs have; upright ones as u(y)."""
    values = probes.values_of(probes.sites(table)[column], table)
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


def draw_legend(figure, panels):
    """One legend for all panels, below them."""
    lines = {line.get_label(): line for axes in panels for line in axes.get_lines()}
    columns = max(1, min(len(lines), int(figure.get_figwidth() * 11)
                         // (6 + max(map(len, lines)))))  # fmt: skip
    room = (0.2 * math.ceil(len(lines) / columns) + 0.1) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(lines.values(), lines.keys(), loc="lower center", ncols=columns)


def compared_picture(runs, low_pass=None):
    """(figure, lines of text) of the quantities that the runs have in common. AskedError: there are
    none."""
    said = check_alike(runs)
    labels = label_of_runs(runs)
    curves, alone = curves_of(runs)
    if not curves:
        raise AskedError("the runs have no probe and no energy.csv in common: "
                         + "; ".join(f"{run.path} has {', '.join(run.probe_names) or 'no probes'}"
                                     for run in runs))  # fmt: skip
    if alone:
        said.append(f"only in one run, and not drawn: {', '.join(alone)}")
    keys = list(curves)
    if len(keys) > MOST_PANELS:
        left = [f"{probe} {column}" for probe, column in keys[MOST_PANELS:]]
        said.append(f"not drawn, as there are more than {MOST_PANELS} panels: {', '.join(left)}")
        keys = keys[:MOST_PANELS]
    said += filter(None, [unused(low_pass, (key[1] for key in keys if key[0] != "energy"))])
    columns = 1 if len(keys) == 1 else 2 if len(keys) <= 4 else 3
    rows = math.ceil(len(keys) / columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4.4 * columns + 0.6, 2.7 * rows + 0.9),
                                squeeze=False)  # fmt: skip
    figure.suptitle(runs[0].title, fontsize=11)
    for place in axes.flat[len(keys) :]:
        place.set_axis_off()
    for place, key in zip(axes.flat, keys):
        draw_curves(place, runs, labels, key, curves[key], low_pass)
    share_times([place for place in axes.flat if place.get_xlabel().startswith("time")], curves)
    draw_legend(figure, axes.flat)
    return figure, said

"""accinputs: the table of `acceleration`, if they act on all of the water and turn nothing."""

import math
import os

import numpy as np

from dualsphysics.case import numbers_of
from dualsphysics.motion import table_of
from dualsphysics.report import DICTIONARY, LIMITS, refuse

FORCES = f"{LIMITS}#forces"
LINEAR, ANGULAR = ("linx", "liny", "linz"), ("angx", "angy", "angz")
BRIEF = 1e-6  # s, of the slope that stands for a jump


def read(case, constants, fluids, report):
    """(element, header, rows) of the table, or None: there is no acceleration."""
    inputs = case.special.all("accinputs") if case.special is not None else []
    inputs = [child for group in inputs for child in group.all("accinput")]
    end = constants.parameter("TimeMax") or 0.0
    found = [_one(case, constants, element, fluids, end, report) for element in inputs]
    found = [one for one in found if one]
    if not found:
        return None
    times = np.unique(np.concatenate([time for time, _ in found]))
    total = sum(np.column_stack([np.interp(times, time, part) for part in table.T])
                for time, table in found)  # fmt: skip
    if case.bodies:
        report.changed(inputs[0], "it acts on bodies, too", DICTIONARY)
    used = [k for k in range(case.dimension) if total[:, k].any()] or [0]
    return inputs[0], ["t", *("xyz"[k] for k in used)], np.column_stack([times, total[:, used]])


def _one(case, constants, element, fluids, end, report):
    """(times, accelerations beside gravity) from 0 to the end; None: it never acts."""
    if element.get("mkbound") is not None:
        refuse(element, "an acceleration of bodies alone: not in Sluice", FORCES)
    if set(numbers_of(element, "mkfluid")) != set(fluids):
        refuse(element, "an acceleration of a part of the fluid: not in Sluice", FORCES)
    table = _table(case, element)
    if table[:, 4:7].any():
        refuse(element, "an angular acceleration: turn the tank, by a motion of kind table", FORCES)
    for tag in ("acccentre", "acccenter"):
        centre = element.first(tag)
        if centre is not None:
            report.skipped(centre, "nothing turns about it")
    time, rows = table[:, 0], np.zeros((len(table), 3))
    rows[:, : table[:, 1:4].shape[1]] = table[:, 1:4]
    case.in_plane(np.abs(rows).max(axis=0), element, report)
    rows = np.column_stack(case.flat(rows.T))
    if case.value(element, "globalgravity", 1.0) == 0:
        rows = rows - case.flat(constants.gravity)
    active = element.first("time")
    start = max(0.0, case.number(active, "start", 0.0)) if active is not None else 0.0
    finish = min(end, case.number(active, "end", math.inf)) if active is not None else end

    def at(moments):
        return np.column_stack([np.interp(moments, time, part) for part in rows.T])

    if not start < finish:
        report.skipped(element, f"it acts from {start:g} to {finish:g} s: never in this run")
        return None
    inside = time[(time > start) & (time < finish)]
    times = np.concatenate([[start], inside, [finish]])
    values = at(times)
    zero = np.zeros((1, rows.shape[1]))
    if start > 0:
        times = np.concatenate([[0.0, max(start - BRIEF, start / 2)], times])
        values = np.vstack([zero, zero, values])
    if finish < end:
        times = np.concatenate([times, [min(finish + BRIEF, (finish + end) / 2), end]])
        values = np.vstack([values, zero, zero])
    return times, values


def _table(case, element):
    """Columns: time, linear x, y, z, angular x, y, z, as far as they are given."""
    file, inner = element.first("acctimesfile"), element.first("acctimes")
    if file is not None:
        path = case.file(file, file.get("value"))
        table = table_of(path, 4, file)
        rises = np.diff(table[:, 0]) > 0
    elif inner is not None and len(inner.all("timevalue")) > 1:
        path, file = "acctimes", inner
        table = np.array([[case.number(row, name, 0.0) for name in ("time", *LINEAR, *ANGULAR)]
                          for row in inner.all("timevalue")])  # fmt: skip
        rises = np.diff(table[:, 0]) > 0
    else:
        refuse(element, "it has no acctimesfile, and no acctimes of two rows", DICTIONARY)
    if not rises.all():
        refuse(file, f"{os.path.basename(path)}: the times do not rise", DICTIONARY)
    return table

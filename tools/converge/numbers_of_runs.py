"""The numbers of runs that are compared: columns of the probes and of the energy budget over time,
and what is measured of each."""

from dataclasses import dataclass

import numpy as np
from plot import measure
from plot.budget import ENERGIES, WORKS
from plot.probes import sites
from sluice import FileError
from sluice.tables import value_columns


def mean(t, values):
    return measure.integral(t, values, t[-1]) / t[-1] if t[-1] > 0 else float(values[-1])


def largest(t, values):
    """The largest without its sign. Rows without a value do not count, unless all are."""
    return float(np.nanmax(np.abs(values), initial=0.0)) if np.any(np.isfinite(values)) else np.nan


def end(t, values):
    return float(values[-1])


def total(t, values):
    return measure.integral(t, values, t[-1])


PUSH = ((mean, largest), "force")
TURN = ((mean, largest), "torque")
SPEED = ((mean, end), "speed")
# The measures of a probe's column, and the unit's name in Run.units. A line of points is measured
# by the root mean square along the line. The mean of a pressure or a force times the duration is
# its impulse. Columns that are not here are not compared: weights, places, and `height` and `bed`,
# which `depth` has both of and which a dry bed leaves empty.
MEASURED = {
    "pressure": ((mean, largest), "pressure"),
    "density": ((mean,), "density"),
    "energy": ((mean,), "specific energy"),
    "vx": SPEED, "vy": SPEED, "vz": SPEED,
    "depth": ((mean, largest), "length"),
    "front": ((mean, end), "length"),
    "runup": ((largest,), "length"),
    "flux": ((total,), "flux"),
    "passed": ((end,), "volume per metre"),
    "fx": PUSH, "fy": PUSH, "fz": PUSH,
    "torque": TURN, "tx": TURN, "ty": TURN, "tz": TURN,
}  # fmt: skip
# The columns of the budget: the energies and works at the end, and the largest residual, in units
# of each run's reference energy.
SHARE = "ref"


@dataclass(frozen=True)
class Series:
    """A column of three runs over time, clipped to the time that all of them have."""

    probe: str  # or "energy"
    column: str
    unit: str
    times: list
    values: list
    measures: tuple
    longest: float  # the last time of the run that has most

    @property
    def until(self):
        return float(self.times[0][-1])

    def numbers(self):
        """(what is measured, unit, its value in each run) of each number."""
        for take in self.measures:
            unit = self.unit
            if take is total:  # of a volume a second
                unit = unit.replace("/s", "")
            values = [take(t, v) for t, v in zip(self.times, self.values)]
            yield take.__name__, unit, values


def clipped(t, values, last):
    """The rows up to the time `last`, and the value there between rows."""
    keep = t < last
    return np.append(t[keep], last), np.append(values[keep], np.interp(last, t, values))


def series_of(probe, column, unit, measures, tables):
    """tables: [(t, values)] of the runs. None: one of them has no rows."""
    if not all(len(t) for t, _ in tables):
        return None
    ends = [t[-1] for t, _ in tables]
    times, values = zip(*(clipped(t, v, min(ends)) for t, v in tables))
    return Series(probe, column, unit, list(times), list(values), measures, max(ends))


def columns_of(table):
    """The columns of a probe's table; a line's are the root mean square along it."""
    groups = sites(table)
    if not groups:
        return {name: table[name] for name in value_columns(table)}
    return {
        name: np.sqrt(np.mean(np.square([table[column] for column in columns]), axis=0))
        for name, columns in groups.items()
    }


def of_probes(runs, warn):
    """The series of all probes; a probe's only column has no name of its own. warn(text) is
    called for those that cannot be compared."""
    probes = [run.probes() for run in runs]
    found = []
    for name in probes[0]:
        tables = [of_run[name] for of_run in probes if name in of_run]
        if len(tables) < len(runs):
            raise FileError(f"a run has no table of the probe '{name}'")
        by_column = [columns_of(table) for table in tables]
        known = [column for column in by_column[0] if column in MEASURED]
        if not known:
            warn(f"probe {name}: no column of it is compared; it has {', '.join(by_column[0])}")
        for column in known:
            measures, quantity = MEASURED[column]
            unit = runs[0].units[quantity]
            label = f"rms {column}" if sites(tables[0]) else column if len(known) > 1 else ""
            values = [(t["time"], c[column]) for t, c in zip(tables, by_column)]
            series = series_of(name, label, unit, measures, values)
            if series:
                found.append(series)
            else:
                warn(f"probe {name}: a run wrote no row of it")
    return found


def of_energy(runs, warn):
    """The series of the energy budget, in units of each run's reference energy."""
    tables = [run.energy() for run in runs if run.has("energy.csv")]
    references = [run.reference_energy for run in runs]
    if len(tables) < len(runs) or not all(references):
        warn("the energies are not compared: a run has no budget or no reference energy")
        return []
    # The zero of the potential is a corner of the walls, whose thickness is a number of spacings.
    for table in tables:
        table["potential"] = table["potential"] - table["potential"][:1]
    asked = [(name, label + " change" * (name == "potential"), (end,)) for name, label in ENERGIES]
    asked += [(name, f"work of {label}", (end,)) for name, label in WORKS]
    asked += [("removed", "left with particles", (end,)), ("residual", "residual", (largest,))]
    found = []
    for name, label, measures in asked:
        if not any(name in table and np.any(table[name]) for table in tables):
            continue
        shares = [(t["time"], t[name] / reference) for t, reference in zip(tables, references)]
        series = series_of("energy", label, SHARE, measures, shares)
        if series:
            found.append(series)
    return found

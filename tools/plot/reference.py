"""Comparison of a probe with a table of reference data: the file and the error."""

import fnmatch
import json
import os
from dataclasses import dataclass

import numpy as np

from sluice import FileError, read_table
from sluice.tables import value_columns

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(os.path.dirname(TOOLS), "data", "reference")


@dataclass
class Comparison:
    """A probe's column and a reference's, X = x_factor time, Y = y_factor value."""

    probe: str
    file: str  # of the reference
    x: str  # its columns
    y: str
    column: str = ""  # of the probe; empty: the first after step and time
    x_factor: float = 1.0
    y_factor: float = 1.0
    x_label: str = ""
    y_label: str = ""
    label: str = "reference"
    window: tuple = ()  # X from, to: where the error is measured; empty: not measured
    shown: tuple = ()  # X from, to of the picture; empty: all that was measured
    shift: float = 0.0  # the error is the least over shifts of X up to this

    def reference(self):
        path = (
            self.file
            if os.path.isabs(self.file) or os.path.exists(self.file)
            else os.path.join(DATA, self.file)
        )
        table = read_table(path)
        for name in (self.x, self.y):
            if name not in table:
                raise FileError(f"{path} has no column '{name}': it has {', '.join(table)}")
        return table[self.x], table[self.y]

    def measured(self, table):
        column = self.column or value_columns(table)[0]
        if column not in table:
            raise FileError(
                f"probe '{self.probe}' has no column '{column}': it has {', '.join(table)}"
            )
        values = table[column]
        if column == "height" and "bed" in table:  # no water: an experiment reads the bed
            values = np.where(np.isnan(values), table["bed"], values)
        return self.x_factor * table["time"], self.y_factor * values

    def error(self, table):
        """(largest relative error, shift, X, points) in the window; None: no overlap."""
        if not self.window:
            return None
        return largest_error(*self.measured(table), *self.reference(), self.window, self.shift)

    def errors(self, table, shift=0.0):
        """(X, relative errors) at the reference's points in the window, with X shifted; None: no
        overlap."""
        return errors_at(*self.measured(table), *self.reference(), self.window, shift)


def errors_at(x, y, x_ref, y_ref, window, shift):
    """(X, |y(X + shift) - Y|/|Y|) at the reference's points in the window; y is interpolated.

    None: no points, or one that the measurement does not cover."""
    keep = (x_ref >= window[0]) & (x_ref <= window[1]) & np.isfinite(y_ref)
    x_ref, y_ref = x_ref[keep], y_ref[keep]
    good = np.isfinite(x) & np.isfinite(y)
    x, y = x[good], y[good]
    if not len(x_ref) or len(x) < 2 or x_ref[0] + shift < x[0] or x_ref[-1] + shift > x[-1]:
        return None
    return x_ref, np.abs(np.interp(x_ref + shift, x, y) - y_ref) / np.abs(y_ref)


def largest_error(x, y, x_ref, y_ref, window, most_shift, steps=401):
    """(error, shift, X, points): the largest error over the window at the best shift |s| <=
    most_shift. A point of the window that the measurement does not cover: None."""
    best = None
    for s in np.linspace(-most_shift, most_shift, steps if most_shift > 0 else 1):
        found = errors_at(x, y, x_ref, y_ref, window, s)
        if found is None:
            continue
        at, errors = found
        worst = int(np.argmax(errors))
        if best is None or errors[worst] < best[0]:
            best = (float(errors[worst]), float(s), float(at[worst]), len(at))
    return best


def is_its_case(entry, config):
    """Whether the run's water is where the reference's was; true if its config does not say."""
    water = [
        [shape[end] for end in ("min", "max")]
        for shape in config.get("geometry", [])
        if isinstance(shape, dict) and shape.get("type") == "fluid" and "min" in shape
    ]
    wanted = entry.get("water")
    return not water or not wanted or np.array_equal(np.array(water), np.array([wanted]))


def known(title, config=None, not_compared=None):
    """The comparisons that data/reference/references.json lists for runs of this title, with the
    water where the experiment had it. The labels of the others go to the list not_compared."""
    path = os.path.join(DATA, "references.json")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        entries = json.load(file)["comparisons"]
    out = []
    for entry in entries:
        fields = {
            key: value for key, value in entry.items() if key not in ("title", "note", "water")
        }
        for name in ("window", "shown"):
            fields[name] = tuple(fields.get(name, ()))
        if not fnmatch.fnmatch(title.lower(), entry["title"].lower()):
            continue
        if is_its_case(entry, config or {}):
            out.append(Comparison(**fields))
        elif not_compared is not None and entry["label"] not in not_compared:
            not_compared.append(entry["label"])
    return out

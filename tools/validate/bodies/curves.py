"""Comparison of a measured curve with published ones."""

import os

import numpy as np
from plot.reference import DATA
from sluice import read_table

BODIES = os.path.join(os.path.dirname(DATA), "bodies")


def published(name, factor=1.0):
    """(t, value) of a file of data/bodies, sorted by time; its times multiplied with factor."""
    table = read_table(os.path.join(BODIES, name))
    t, value = (table[column] for column in list(table)[:2])
    order = np.argsort(t, kind="stable")
    return factor * t[order], value[order]


class Band:
    """One or two reference curves (t, value). The first one sets the range of times. The second one
    has fewer points: it is the first plus their difference, interpolated between its points."""

    def __init__(self, first, second=None):
        self.t, self.y = first
        self.range = float(np.ptp(self.y))
        self.other = None
        if second is not None:
            inside = (second[0] >= self.t[0]) & (second[0] <= self.t[-1])
            t = second[0][inside]
            self.other = t, second[1][inside] - np.interp(t, self.t, self.y)

    def distances(self, t, values, count=400):
        """(t, distances) of a measured curve over the first reference's record. A value between
        both references has none; otherwise the nearer one counts. NaN: nothing was measured."""
        at = np.linspace(self.t[0], self.t[-1], count)
        off = np.interp(at, t, values, left=np.nan, right=np.nan) - np.interp(at, self.t, self.y)
        size = np.abs(off)
        if self.other is not None:
            gap = np.interp(at, *self.other, left=0.0, right=0.0)
            size = np.minimum(size, np.abs(off - gap))
            size[(off * gap >= 0) & (np.abs(off) <= np.abs(gap))] = 0.0
        return at, size

    def mean_distance(self, t, values):
        """The mean distance over the record, as a fraction of the range of the first reference. Not
        finite if a part of the record was not measured."""
        return float(np.mean(self.distances(t, values)[1])) / self.range

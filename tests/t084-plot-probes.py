#!/usr/bin/env python3
"""How the tables of probes are drawn: all quantities of a gas, and lines of points."""

import sys

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

from sluice.config import Config as Settings  # noqa: E402, I100
from sluice.units import units_of  # noqa: E402

from plot import pictures  # noqa: E402, I100


class Config:
    """A run of which the ends of a line are known."""

    units = units_of("si", 2)

    def __init__(self, **ends):
        self.config = Settings(probes=[Settings(ends, name="line")])


RUN = Config(**{"from": [0.0, 1.0], "to": [3.0, 1.0]})


def test_all_quantities():
    """A probe of a gas that has all quantities: a panel each; a line of few rows has profiles."""
    columns = ("density", "pressure", "energy", "vx", "vy", "smoothing_length", "weight")
    point = {"step": np.arange(3), "time": np.linspace(0, 1, 3)}
    wide = point | {f"{name}_{n}": np.full(3, n + 1.0) for n in range(4) for name in columns}
    ok(pictures.panels("P1", point | {"vx": 1, "vy": 2, "weight": 1})[0][2] == "",
       "a probe of one quantity has one panel")
    found = pictures.panels("line", wide)
    ok([q for _, _, q in found]
       == ["density", "pressure", "energy", "velocity", "smoothing length"],
       "a probe of all quantities: a panel each")
    axes = pictures.plt.figure().subplots()
    pictures.draw_probe(axes, RUN, *found[3])
    drawn = [line.get_ydata() for line in axes.get_lines()]
    ok(len(drawn) == 3 and np.allclose(drawn[0], np.sqrt(2) * np.arange(1, 5))
       and axes.get_ylabel() == "speed (m/s)" and axes.get_title() == "probe line: velocity",
       "a line of three rows: a profile of the speed each")
    axes = pictures.plt.figure().subplots()
    pictures.draw_probe(axes, RUN, "P1", point | {"energy": np.ones(3), "weight": np.ones(3)})
    ok(axes.get_ylabel() == "energy (J/kg)", "the energy is that of a kilogram")


def test_places():
    """A line along an axis is drawn over its coordinate, another one over the distance."""
    label, place = pictures.places(Config(**{"from": [1.0, 2.0], "to": [1.0, 4.0]}), "line", 3)
    ok(label == "y (m)" and list(place) == [2, 3, 4], "a line along y: its y")
    label, place = pictures.places(Config(**{"from": [0.0, 0.0], "to": [3.0, 4.0]}), "line", 2)
    ok(label == "along the line (m)" and list(place) == [0, 5], "a slanting line: its length")
    label, place = pictures.places(Config(), "line", 2)
    ok(label == "point along the line" and list(place) == [0, 1], "without ends: numbers")


test_all_quantities()
test_places()
finish()

#!/usr/bin/env python3
# test: 0.3 s
"""Scales, names and titles of plots."""

import os
import re
import sys
import tempfile

try:
    import numpy as np
    import matplotlib  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import ROOT, finish, ok  # noqa: E402

import sluice  # noqa: E402, I100
from plot import fields  # noqa: E402


def test_scales():
    with open(os.path.join(ROOT, "src", "app", "command_line.h")) as file:
        offered = re.search(r'SLUICE_PLOT_FIELDS "(.*)"', file.read())[1].split("|")
    ok(offered == list(fields.FIELDS), "the shell completes --field with the tool's own words")
    snapshot = type("Snapshot", (), {})()
    snapshot.type = np.array([0, 0, 0, 1])
    snapshot.velocity = np.array([[1.0, 0, 0], [-3.0, 0, 0], [0, 0, 0], [50.0, 0, 0]])
    snapshot.phase = np.array([1, 2, 1, 0])
    snapshot.shape = np.array([2, 2, 2, 0])
    snapshot.groups = ["tank", "ball", "water"]
    scale = fields.scale_of(fields.FIELDS["vx"], [snapshot])
    ok(2.9 < scale.norm.vmax <= 3 and scale.norm.vmin == -scale.norm.vmax,
       "a component's colours are even about 0, and walls do not count")
    scale = fields.scale_of(fields.FIELDS["phase"], [snapshot])
    ok(scale.names == ["1", "2"] and [int(scale.norm(k)) for k in (1, 2)] == [0, 1],
       "phases have a colour each")
    scale = fields.scale_of(fields.FIELDS["shape"], [snapshot])
    ok(scale.names == ["tank", "water"], "shapes have their names, those of walls too")


def test_titles(scratch):
    """A title of no letters is no title; only a folder without a config goes by its own name."""
    folder = os.path.join(scratch, "titles")
    os.makedirs(folder)
    with open(os.path.join(folder, "energy.csv"), "w") as file:
        file.write("step,time\n")
    ok(sluice.Run(folder).title == "titles", "without a config: the folder's name")
    for text in ('title = ""; dimension = 2;', "dimension = 2;"):
        with open(os.path.join(folder, "config.cfg"), "w") as file:
            file.write(text)
        found = sluice.Run(folder).title
        ok(found == "", f"{text} has no title", found)


test_scales()
with tempfile.TemporaryDirectory() as directory:
    test_titles(directory)
finish()

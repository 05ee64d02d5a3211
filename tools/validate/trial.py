"""A case of the suite, and a trial of it: its runs, its checks, its figure.

    @case("still-water", "Still water", resolutions=(16, 32), quick=(16,))
    def still_water(trial):
        '''What is measured and against what: the text of its section of the page.'''
        for n in trial.resolutions:
            run = trial.run(f"{n}", "still_water.cfg", "still", spacing=1 / n)
            trial.check(f"H/dp {n}: ...", measured(run), 0.005)
"""

import inspect
import math
import os
import re
from dataclasses import dataclass, field

import matplotlib.pyplot as plt
import numpy as np

from plot import measure
from plot.checks import Check
from sluice import FileError

from validate import meshes
from validate.runner import ON_GPU

# Gates of the power identity and of the residual: docs/theory.md, "The energy budget".
IDENTITY = {"double": 1e-12, "float": 1e-5}
RESIDUAL = {"still": 1e-8, "gentle": 1e-5, "violent": 1e-3}


@dataclass
class Case:
    name: str
    title: str
    function: object
    resolutions: tuple  # the case's text says what they count; empty: for a GPU alone
    quick: tuple  # resolutions of the quick subset; empty: not in it
    long: bool  # more than five minutes on two cores
    on_gpu: tuple  # resolutions on a GPU
    settings: dict = field(default_factory=dict)  # of all its runs, under their own

    def again(self, name, title, text, resolutions, long=False, **settings):
        """The same case with other settings and resolutions; text: of its section."""

        def function(trial):
            self.function(trial)

        function.__doc__ = text
        return Case(name, title, function, tuple(resolutions), (), long, tuple(resolutions),
                    settings)

    @property
    def text(self):
        return inspect.cleandoc(self.function.__doc__)


def case(name, title, resolutions=(), quick=(), long=False, on_gpu=()):
    return lambda function: Case(name, title, function, tuple(resolutions), tuple(quick), long,
                                 tuple(on_gpu or resolutions))


@dataclass
class Trial:
    name: str
    runner: object
    resolutions: tuple
    checks: list = field(default_factory=list)
    figure: object = None
    stamps: list = field(default_factory=list)
    runs: list = field(default_factory=list)  # (label, run, kind)
    settings: dict = field(default_factory=dict)  # of all runs, under their own

    def run(self, label, config, kind, **settings):
        """Runs a config; check_budgets() judges the run. kind: "still", "gentle" or "violent"
        chooses the gate of its residual; "" if the case itself judges the residual."""
        run, stamp = self.runner.run(f"{self.name}-{label}", config, {**self.settings, **settings})
        self.stamps.append(stamp)
        self.runs.append((label, run, kind))
        return run

    def write(self, name, columns):
        """Writes a start file with columns {name: array} beside the runs; returns its path."""
        path = os.path.abspath(os.path.join(self.runner.out, f"{self.name}-{name}.csv"))
        names = list(columns)
        whole = {"id", "type"} & set(names)
        with open(path, "w") as file:
            file.write(",".join(names) + "\n")
            for row in zip(*(np.asarray(columns[name]).tolist() for name in names)):
                words = (
                    str(int(v)) if n in whole else f"{v:.17g}" for n, v in zip(names, row)
                )
                file.write(",".join(words) + "\n")
        return path

    def write_mesh(self, name, triangles):
        """Writes an STL file of triangles [n, 3, 3] (m) beside the runs; returns its path."""
        path = os.path.abspath(os.path.join(self.runner.out, f"{self.name}-{name}.stl"))
        meshes.write_stl(path, triangles)
        return path

    def check(self, what, value, gate, low=None, note=""):
        self.checks.append(Check(what, value, gate, low=low, note=note))

    def within(self, what, value, size, note=""):
        """Checks |value| <= size. With size None there is no gate: for comparison."""
        self.check(what, value, size, low=None if size is None else -size, note=note)

    def order(self, what, errors):
        """Adds the observed orders of errors {resolution: error}, from each to the next finer."""
        found = sorted((n, abs(e)) for n, e in errors.items() if e and math.isfinite(e))
        for (coarse, e1), (fine, e2) in zip(found, found[1:]):
            order = math.log(e1 / e2) / math.log(fine / coarse)
            self.check(f"{what}: observed order, {coarse:g} to {fine:g}", order, None)

    def axes(self, rows=1, columns=1, wide=4.6, tall=3.3):
        """The axes of the case's figure."""
        self.figure, axes = plt.subplots(
            rows, columns, figsize=(wide * columns, tall * rows), squeeze=False
        )
        return axes.flat

    def check_budgets(self):
        """Checks the worst power identity of each precision and the worst residual of each kind."""
        identities, residuals = {}, {}
        for label, run, kind in self.runs:
            table = run.energy()
            precision = run.config.get("backend.precision", "float")
            if run.config.get("model", "wcsph") != "lj":
                size = measure.largest(table["identity"])
                identities.setdefault(precision, []).append((size, label))
            if kind:
                size = measure.residual_share(run)
                residuals.setdefault(kind, []).append((size, label))
        for precision, found in identities.items():
            size, label = max(found)
            note = "" if len(found) == 1 else f"largest of {len(found)} runs: {label}"
            self.check(f"power identity, {precision}", size, IDENTITY[precision], note=note)
        for kind, found in residuals.items():
            size, label = max(found)
            note = "" if len(found) == 1 else f"largest of {len(found)} runs: {label}"
            self.check(f"residual / reference energy, {kind}", size, RESIDUAL[kind], note=note)

    @property
    def gates(self):
        return sum(check.gate is not None for check in self.checks)

    @property
    def missed(self):
        return sum(not check.passed for check in self.checks)

    @property
    def seconds(self):
        return sum(stamp["seconds"] for stamp in self.stamps)

    @property
    def on_gpu(self):
        return bool(self.stamps) and all(stamp["backend"] in ON_GPU for stamp in self.stamps)

    @property
    def versions(self):
        """Versions and backends of its runs; more than one if runs of older versions are used."""
        return sorted({f"{stamp['version']}, {stamp['backend']}" for stamp in self.stamps})


def numbers_of(text):
    """Resolutions as typed: 20,40."""
    if not re.fullmatch(r"\d+(\.\d+)?(,\d+(\.\d+)?)*", text):
        raise FileError(f"--resolution {text}: numbers with commas between are wanted, as 20,40")
    return tuple(float(n) if "." in n else int(n) for n in text.split(","))

"""What all parts know of the case: its dimensions, spacing, limits, groups and files."""

import functools
import os
import re

import numpy as np

from dualsphysics.expressions import BadExpressionError, Variables
from dualsphysics.report import DICTIONARY, refuse


MOST_WHOLE = 10**9
MK = re.compile(r"(\d+)(?:-(\d+))?")


def numbers_of(element, name):
    """The mk of a list such as "0,3-5"."""
    found = []
    for word in element.get(name, "0").replace(" ", "").split(","):
        match = MK.fullmatch(word)
        if not match:
            refuse(element, f"{name}: '{word}' is no mk and no range of them", DICTIONARY)
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found


class Case:
    """Read once from the root. `bodies`, `motions`, `waves` and `openings` say what it has."""

    def __init__(self, root, path, report):
        self.root, self.path = root, path
        self.folder, self.name = os.path.dirname(path), os.path.basename(path)
        geometry = root.first("casedef/geometry")
        definition = geometry.first("definition") if geometry is not None else None
        if definition is None:
            refuse(root, "there is no casedef/geometry/definition", DICTIONARY)
        self.definition = definition
        self.variables = Variables()
        predefinition = geometry.first("predefinition")
        if predefinition is not None:
            for element in predefinition.children:
                self.set_variables(element)
        self.commands = geometry.first("commands")
        if self.commands is None:
            refuse(geometry, "there are no commands in it", DICTIONARY)
        self.spacing = self.number(definition, "dp", 0.0)
        if self.spacing <= 0:
            refuse(definition, "dp is not above 0", DICTIONARY)
        reference = definition.first("pointref")
        if reference is not None:
            report.skipped(reference, "the lattice begins at the faces")
        self.variables.values["dp"] = self.spacing
        low, high = (self.vector(self.need(definition, name)) for name in ("pointmin", "pointmax"))
        self.dimension = 2 if low[1] == high[1] else 3
        self.y = float(low[1])
        self._set_limits(low, high)
        self.point_min, self.point_max = self.flat(low), self.flat(high)
        self.h_over_dp = 1.5
        self.bodies = self._floatings()
        special = root.first("execution/special")
        self.special = special
        self.waves = special is not None and special.first("wavepaddles") is not None
        inout = special.first("inout") if special is not None else None
        self.openings = inout is not None

    def _set_limits(self, low, high):
        """The variables and functions that know the limits of the drawing."""
        values, functions = self.variables.values, self.variables.functions
        values["data2d"] = float(self.dimension == 2)
        for axis, least, most in zip("xyz", low.tolist(), high.tolist()):
            values[f"posmin_{axis}"] = values[f"posmin{axis}"] = least
            values[f"posmax_{axis}"] = values[f"posmax{axis}"] = most
            functions[f"roundpos{axis}"] = functools.partial(
                functions["roundpos"], least=least, dp=self.spacing
            )

    def flat(self, vector):
        """The components of the space of the case, of a vector or of three rows."""
        vector = np.asarray(vector)
        return vector[[0, 2]] if self.dimension == 2 else vector

    def in_plane(self, vector, element, report):
        """The same of a velocity and its like. What leads across the plane of a 2-D case is listed.
        """
        if self.dimension == 2 and vector[1]:
            report.changed(element, "its y is across the plane of this case, and left out")
        return self.flat(vector)

    def _floatings(self):
        """mk: element of each floating."""
        found = {}
        floatings = self.root.first("casedef/floatings")
        if floatings is None:
            return found
        for element in floatings.all("floating"):
            for mk in numbers_of(element, "mkbound"):
                found[mk] = element
        return found

    def is_body(self, figure):
        return figure.kind == "bound" and figure.mk in self.bodies

    def group(self, figure):
        """The name of a figure's group in the config."""
        return f"{figure.kind}{figure.mk}"

    # --- Numbers, points and files of an element ---

    def set_variables(self, element):
        for name in element.attributes:
            if not name.startswith("_") and name not in ("if", "comment"):
                self.variables.values[name.lower()] = self.evaluate(element, name)

    def evaluate(self, element, name):
        """The value of an attribute that is an expression without #."""
        return self._worked_out(element, name, self.variables.evaluate, element.get(name))

    def number_of(self, element, name, text):
        """A number that stands in a part of an attribute."""
        return self._worked_out(element, name, self.variables.number, text)

    def _worked_out(self, element, name, work, text):
        try:
            return work(text)
        except BadExpressionError as error:
            return refuse(element, f"{name}: {error}", DICTIONARY)

    def number(self, element, name, default=None):
        text = element.get(name)
        return default if text is None else self.number_of(element, name, text)

    def whole(self, element, name, default=None):
        value = self.number(element, name, default)
        if value is not None and (value != round(value) or abs(value) > MOST_WHOLE):
            refuse(element, f"{name}: {value:g} is no whole number up to {MOST_WHOLE}", DICTIONARY)
        return None if value is None else int(value)

    def need(self, element, tag):
        """A child that has to be there."""
        child = element.first(tag)
        return refuse(element, f"it has no {tag}", DICTIONARY) if child is None else child

    def value(self, parent, tag, default=None, attribute="value"):
        """The number of a child such as <depth value="0.66" />."""
        child = parent.first(tag)
        if child is None:
            return default
        return self.number(child, attribute, default)

    def whole_value(self, parent, tag, default=None):
        """The whole number of a child such as <mkbound value="10" />."""
        child = parent.first(tag)
        return default if child is None else self.whole(child, "value", default)

    def vector(self, element, default=0.0):
        return np.array([self.number(element, axis, default) for axis in "xyz"])

    def direction(self, element):
        """The vector of an element that says where something points."""
        vector = self.vector(element)
        if not vector.any():
            refuse(element, "it has no length: x, y and z are 0", DICTIONARY)
        return vector

    def place(self, element):
        """x, y, z of an element, in the space of the case."""
        return self.flat(self.vector(element))

    def file(self, element, name):
        """A file beside the case: its path. Windows is indifferent to upper and lower case."""
        wanted = (name or "").replace("\\", "/")
        path = os.path.join(self.folder, wanted)
        folder = os.path.dirname(path) or "."
        if not os.path.isfile(path) and os.path.isdir(folder):
            for found in os.listdir(folder):
                if found.lower() == os.path.basename(path).lower():
                    path = os.path.join(folder, found)
        if not wanted or not os.path.isfile(path):
            refuse(element, f"the file '{wanted}' is not in {self.folder or '.'}: put it there",
                   DICTIONARY)  # fmt: skip
        return path

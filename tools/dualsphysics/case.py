"""What all parts know of the case: its dimensions, spacing, limits, groups and files."""

import os

import numpy as np

from dualsphysics.expressions import Variables
from dualsphysics.report import DICTIONARY, refuse


def numbers_of(text):
    """The mk of a list such as "0,3-5"."""
    found = []
    for word in text.replace(" ", "").split(","):
        low, _, high = word.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


class Case:
    """Read once from the root. `bodies`, `motions`, `waves` and `openings` say what it has."""

    def __init__(self, root, path):
        self.root, self.path = root, path
        self.folder, self.name = os.path.dirname(path), os.path.basename(path)
        geometry = root.first("casedef/geometry")
        definition = geometry.first("definition") if geometry is not None else None
        if definition is None:
            refuse(root, "there is no casedef/geometry/definition", DICTIONARY)
        self.definition = definition
        self.variables = Variables()
        self._predefinition = geometry.first("predefinition")
        if self._predefinition is not None:
            for element in self._predefinition.children:
                for name, text in element.attributes.items():
                    if not name.startswith("_"):
                        self.variables.set(name, element.get(name) and text)
        self.commands = geometry.first("commands")
        if self.commands is None:
            refuse(geometry, "there are no commands in it", DICTIONARY)
        self.spacing = self.variables.number(definition.get("dp", "0"))
        if self.spacing <= 0:
            refuse(definition, "dp is not above 0", DICTIONARY)
        reference = definition.first("pointref")
        if reference is not None:
            reference.take_all()  # the lattice begins at the faces
        self.variables.values["dp"] = self.spacing
        low, high = (self._corner(name) for name in ("pointmin", "pointmax"))
        self.dimension = 2 if low[1] == high[1] else 3
        self.y = float(low[1])
        self.variables.values["data2d"] = float(self.dimension == 2)
        for k, axis in enumerate("xyz"):
            self.variables.values[f"posmin_{axis}"] = float(low[k])
            self.variables.values[f"posmax_{axis}"] = float(high[k])
            self.variables.values[f"posmin{axis}"] = float(low[k])
            self.variables.values[f"posmax{axis}"] = float(high[k])
            self.variables.functions[f"roundpos{axis}"] = (
                lambda place, least=float(low[k]): self.variables.functions["roundpos"](
                    place, least, self.spacing))  # fmt: skip
        self.point_min, self.point_max = np.array(self.flat(low)), np.array(self.flat(high))
        self.h_over_dp = 1.5
        self.bodies = self._floatings()
        self.moving = self._moving()
        special = root.first("execution/special")
        self.special = special
        self.waves = special is not None and special.first("wavepaddles") is not None
        inout = special.first("inout") if special is not None else None
        self.openings = inout is not None and not inout.is_off()

    def _corner(self, name):
        element = self.definition.first(name)
        if element is None:
            refuse(self.definition, f"it has no {name}", DICTIONARY)
        return [self.variables.number(element.get(axis, "0")) for axis in "xyz"]

    def flat(self, vector):
        """The components of the space of the case."""
        return [vector[0], vector[2]] if self.dimension == 2 else list(vector)

    def _floatings(self):
        """mk: element of each floating."""
        found = {}
        floatings = self.root.first("casedef/floatings")
        if floatings is None or floatings.is_off():
            return found
        for element in floatings.all("floating"):
            if not element.is_off():
                for mk in numbers_of(element.get("mkbound", "0")):
                    found[mk] = element
        return found

    def _moving(self):
        motion = self.root.first("casedef/motion")
        if motion is None:
            return set()
        found, left = set(), [motion]
        while left:
            element = left.pop()
            left += element.children
            if element.tag == "objreal":
                found.add(int(element.attributes.get("ref", "0")))
        return found

    def is_body(self, figure):
        return figure.kind == "bound" and figure.mk in self.bodies

    def group(self, figure):
        """The name of a figure's group in the config."""
        return f"{figure.kind}{figure.mk}"

    def number(self, element, name, default=None):
        text = element.get(name)
        return default if text is None else self.variables.number(text)

    def value(self, parent, tag, default=None, attribute="value"):
        """The number of a child such as <depth value="0.66" />."""
        child = parent.first(tag)
        if child is None or child.is_off():
            return default
        return self.number(child, attribute, default)

    def vector(self, element, default=0.0):
        return np.array([self.number(element, axis, default) for axis in "xyz"])

    def file(self, element, name):
        """A file beside the case: its path."""
        wanted = (name or "").replace("\\", "/")
        path = os.path.join(self.folder, wanted)
        if not wanted or not os.path.isfile(path):
            refuse(element, f"the file '{wanted}' is not in {self.folder or '.'}: put it there",
                   DICTIONARY)  # fmt: skip
        return path

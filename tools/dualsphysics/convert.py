"""Converts a case: the config, the files that it needs, and the list of what was left."""

import functools
import os

import numpy as np

from dualsphysics import accelerations, bodies, constants, initials, meshes, motion, openings
from dualsphysics import probes, waves, xml_text
from dualsphysics.case import Case
from dualsphysics.commands import Commands
from dualsphysics.config_text import ConfigText
from dualsphysics.domain import Domain
from dualsphysics.draw import Fill
from dualsphysics.meshes import Mesh
from dualsphysics.report import DICTIONARY, LIMITS, RefusedError, Report, refuse
from dualsphysics.scene import Scene
from dualsphysics.xml_text import BadXmlError

__all__ = ["BadXmlError", "Conversion", "RefusedError", "names_of", "write"]

SPECIAL = {
    "nnphases": ("fluids that are not Newtonian", f"{LIMITS}#physics"),
    "vres": ("variable resolution", f"{LIMITS}#resolution"),
    "inoutmesh": ("an inlet from a mesh", f"{LIMITS}#inlets-and-outlets"),
    "flexstrucs": ("structures that bend", f"{LIMITS}#bodies"),
    "deformstrucs": ("structures that bend", f"{LIMITS}#bodies"),
    "hypoplasticity": ("soil", f"{LIMITS}#physics"),
    "elasticity": ("elastic solids", f"{LIMITS}#physics"),
    "structures": ("structures that bend", f"{LIMITS}#bodies"),
    "flexiblestructures": ("structures that bend", f"{LIMITS}#bodies"),
    "temperature": ("heat", f"{LIMITS}#physics"),
    "phases": ("several fluids", f"{LIMITS}#two-fluids"),
    "wavecoupling": ("coupling with another model", f"{LIMITS}#waves"),
}
MISSING_SPECIAL = ("inoutmesh", "wavecoupling")  # the others change what the case is
OTHER_SPECIAL = ("wavepaddles", "relaxationzones", "damping", "mlpistons", "mlayerpistons",
                 "gauges", "inout", "accinputs", "chrono", "moorings", "ftcollisions")  # fmt: skip
SKIPPED_SPECIAL = {
    "timeout": "output.every is one interval", "outputparts": "all particles are written",
    "savedt": "energy.csv has the length of steps, with energy.every = 1 of each",
    "initialize": "walls find their surface",
    "shifting": "the mode of the parameters is taken", "boundextrap": "walls have their own rule",
    "boundcorr": "walls have their own rule",
}  # fmt: skip


class Conversion:
    """The result: `text`, `files` as (name, writer), `report`, and the scene's numbers."""

    def __init__(self, path, stem):
        self.stem, self.report, self.files = stem, Report(), []
        with open(path, "rb") as file:
            root, repairs = xml_text.parse(file.read())
        self.report.repaired(repairs)
        self.report.prune(root)
        if root.tag != "case" or root.first("casedef") is None:
            refuse(root, "this is no case of GenCase: its first element is <case>, with <casedef>",
                   DICTIONARY)  # fmt: skip
        self.case = Case(root, path, self.report)
        self._read()
        root.take_own()
        self.report.sweep(root)

    def _read(self):
        case, report = self.case, self.report
        self._refuse_physics()
        self.constants = constants.Constants(case, report)
        case.variables.values["rhop0"] = self.constants.number("rhop0", 1000.0)
        case.h_over_dp, _ = self.constants.h_over_dp(case.dimension, case.spacing)
        case.variables.values["h"] = case.h_over_dp * case.spacing
        commands = Commands(case, report)
        commands.run(case.commands)
        self.scene = Scene(commands.figures, case, report)
        motions = motion.read(case, self.constants, report) + waves.read(case, report)
        waves.damping(case, report)
        drawn = {f.mk for f, forms in self.scene.drawn if f.kind == "bound" and forms}
        motions = [m for m in motions if self._is_drawn(m, drawn)]
        self.scene.speed = max([made.speed for made in motions], default=0.0)
        if not self.scene.total:
            inlet = case.special.first("inout") if case.openings else None
            text = "an inlet into an empty tank" if inlet else "the case has no water"
            refuse(inlet or case.commands, f"{text}: a run begins with some", f"{LIMITS}#start")
        self._write(motions, drawn)

    def _is_drawn(self, made, drawn):
        name = dict(made.rows)["carries"]
        if int(name[len("bound") :]) in drawn:
            return True
        self.report.changed(made.element, f"no figure has its mk ({name}): no motion")
        return False

    def _refuse_physics(self):
        special = self.case.special
        for element in special.children if special is not None else []:
            if element.tag in OTHER_SPECIAL:
                continue
            if element.tag in SKIPPED_SPECIAL:
                self.report.skipped(element, SKIPPED_SPECIAL[element.tag])
                continue
            text, page = SPECIAL.get(element.tag, ("an effect that is not known here", LIMITS))
            if element.tag not in MISSING_SPECIAL and (element.children or element.attributes):
                refuse(element, f"{text}: not in Sluice", page)
            self.report.missing(element, text, page)
        for tag in ("normals", "mkconfig", "patterns"):
            element = self.case.root.first(f"casedef/{tag}")
            if element is not None:
                self.report.skipped(element, "walls find their surface, and ids follow the lattice")

    # --- The config ---

    def _write(self, motions, drawn):
        case, scene, report = self.case, self.scene, self.report
        text = ConfigText()
        text.comment(f"Converted from {case.name}. The comment beside a key names its line there;")
        text.comment(f"{self.stem}.txt lists what has no place here.")
        text.comment()
        text.lines[-1] = ""
        text.key("title", self.stem)
        text.key("model", "wcsph")
        text.key("dimension", case.dimension, case.definition)
        text.key("spacing", case.spacing, case.definition)
        domain = Domain(case, self.constants, scene, self._reaches(motions), report)
        domain.write(text)
        scene.clip(domain, report)
        fluids = {f.mk for f, forms in scene.drawn
                  if f.kind == "fluid" and (forms or isinstance(f, Fill))}  # fmt: skip
        self._acceleration(text, fluids)
        self.constants.write(text, scene)
        text.list("geometry", [self._shape(shape) for shape in scene.shapes])
        entries = []
        for made in motions:
            entries.append((made.rows, made.element, ""))
            if made.table:
                self._table(*made.table)
        text.list("motions", entries)
        text.list("bodies", bodies.read(case, self.constants, drawn, report))
        text.list("moorings", bodies.moorings(case, report))
        bodies.others(case, report)
        text.list("initial", initials.read(case, self.constants, fluids,
                                           domain.periodic, report))
        found, tables = openings.read(case, scene, report)
        text.list("openings", found)
        for table in tables:
            self._table(*table)
        text.list("probes", probes.read(case, self.constants, report))
        self.constants.time(text)
        if not any(g and not periodic for g, periodic in
                   zip(case.flat(self.constants.gravity), domain.periodic)):  # fmt: skip
            self._reference(text)
        self.constants.rest()
        self.text = text.text()

    def _acceleration(self, text, fluids):
        found = accelerations.read(self.case, self.constants, fluids, self.report)
        if found:
            element, header, rows = found
            name = f"{self.stem}_acceleration.csv"
            self._table(name, header, rows)
            text.key("acceleration", name, element)

    def _reference(self, text):
        """Without gravity the energy of the budget's scale: that of all water at c0/10."""
        speed, _ = self.constants.sound_speed(self.scene)
        step = self.scene.grid.step
        mass = self.constants.number("rhop0", 1000.0) * self.scene.total * step**self.case.dimension
        energy = float(f"{mass * (speed / 10) ** 2 / 2:.4g}")
        text.group("energy", [("reference", energy, None)])

    def _reaches(self, motions):
        """Bounds that moving walls need beyond those that are drawn."""
        found = []
        for made in motions:
            name = dict(made.rows)["carries"]
            for shape in self.scene.shapes:
                if shape.name != name or shape.kind != "wall" or made.reach is None:
                    continue
                low, high = shape.form.bounds()
                low, high = self.scene.within_limits(low, high)
                reach = np.abs(np.asarray(made.reach, float))
                if reach.any():
                    found.append((low - reach, high + reach))
        return found

    def _shape(self, shape):
        rows = [("name", shape.name)] if shape.name else []
        if isinstance(shape.form, Mesh):
            number = sum(name.endswith(".stl") for name, _ in self.files) + 1
            shape.form.file = f"{self.stem}_{number}.stl"
            write = functools.partial(meshes.write_stl, triangles=shape.form.triangles)
            self.files.append((shape.form.file, write))
        keys = shape.form.keys()
        for number, (key, value) in enumerate(keys):
            if key == "points" and len(value) > 100:
                file = f"{self.stem}_{len(self.files) + 1}_corners.csv"
                columns = ["x", "y", "z"]
                plane = [columns[k] for k in shape.form.plane()]
                self._table(file, plane, value)
                keys[number] = ("file", file)
        rows += [keys[0], ("type", shape.kind), *keys[1:]]
        if shape.fit:
            rows.append(("fit", "surface"))
        if shape.without:
            rows.append(("without", shape.without))
        return rows, shape.element, ""

    def _table(self, name, header, rows):
        def write(path):
            with open(path, "x", encoding="ascii") as file:
                file.write(",".join(header) + "\n")
                for row in np.asarray(rows):
                    file.write(",".join(f"{value:.10g}" for value in row) + "\n")

        self.files.append((name, write))

    def summary(self):
        """How well the water of the shapes is that of GenCase, and what is on the list."""
        scene, count = self.scene, self.report.count
        apart = f", {scene.grid.factor} spacings apart" if scene.grid.factor > 1 else ""
        return (f"Water: {scene.total} points of GenCase{apart}; the shapes miss {scene.lost} of"
                f" them and add {scene.won}.\n"
                f"On the list: {count('missing')} without a place here, {count('changed')} with a"
                f" difference, {count('unknown')} not known, {count('skipped')} skipped.")


def names_of(conversion):
    """The files that a conversion writes."""
    stem = conversion.stem
    return [f"{stem}.cfg", f"{stem}.txt", *(name for name, _ in conversion.files)]


def write(conversion, folder):
    """Writes all files into a folder that has none of them."""
    with open(os.path.join(folder, f"{conversion.stem}.cfg"), "x", encoding="utf-8") as file:
        file.write(conversion.text)
    with open(os.path.join(folder, f"{conversion.stem}.txt"), "x", encoding="utf-8") as file:
        file.write("\n".join(conversion.report.lines()) + "\n")
    for name, writer in conversion.files:
        writer(os.path.join(folder, name))

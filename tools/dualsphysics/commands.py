"""Runs the command list of GenCase (mainlist): variables, lists, matrices, and what is drawn."""

import copy

import numpy as np

from dualsphysics import draw, matrix
from dualsphysics.report import DICTIONARY, refuse

SKIPPED = {
    "shapeout": "pictures of the geometry: `sluice check CASE.cfg --write` writes the start",
    "pointsmkout": "pictures of the geometry: `sluice check CASE.cfg --write` writes the start",
    "cellsout": "pictures of the geometry: `sluice check CASE.cfg --write` writes the start",
    "setshapemode": "it is for pictures", "exportvar": "the converter knows all variables",
    "setnormalinvert": "walls find their surface themselves", "printf": "a text of GenCase",
    "debugout": "a text of GenCase", "setdpctes": "an accuracy of GenCase's drawing",
    "setfrdrawmode": "walls have their own lattice", "setboxlimitmode": "walls stand where drawn",
    "newvarstr": "a text", "newvarstrcte": "a text", "setvarstr": "a text", "delvar": "a variable",
    "drawpoint": "single points, which only widen GenCase's domain",
    "drawpoints": "single points, which only widen GenCase's domain",
}  # fmt: skip
REFUSED = {
    "setpattern": "patterns of points", "clipbox": "clipping", "clipplane": "clipping",
    "clipdomain": "clipping", "redrawnear": "points drawn anew near others",
    "redrawnearbox": "points drawn anew near others", "redrawbox": "points drawn anew in a box",
    "setmkbackvoid": "drawing on some points alone",
    "setmkbackfluid": "drawing on some points alone",
    "setmkbackbound": "drawing on some points alone",
}  # fmt: skip


MOST_TIMES = 100000


class State:
    """What later commands depend on."""

    def __init__(self):
        self.matrix, self.kind, self.mk = np.eye(4), "bound", 0
        self.mode, self.draws_points = "full", True


class Commands:
    """Runs the list. `figures` is what was drawn, in order."""

    def __init__(self, case, report):
        self.case, self.report = case, report
        self.state, self.figures, self.lists = State(), [], {}
        self.saved = {"matrix": [], "state": [], "mk": [], "vars": []}
        self.depth = 0

    def run(self, commands):
        for element in commands.all("list"):
            self.lists[element.get("name", "")] = element
            element.get("printcall")
        self.run_list(self.case.need(commands, "mainlist"))

    def run_list(self, commands):
        self.depth += 1
        if self.depth > 100:
            refuse(commands, "lists call each other without an end", DICTIONARY)
        for element in commands.children:
            if element.get("if") is None or self.case.evaluate(element, "if"):
                self.run_one(element)
        self.depth -= 1

    def run_one(self, element):
        name = element.tag
        element.taken = True
        if name in SKIPPED:
            self.report.skipped(element, SKIPPED[name])
        elif name in REFUSED:
            refuse(element, f"{REFUSED[name]} cannot be expressed as shapes", DICTIONARY)
        elif hasattr(self, f"do_{name}"):
            getattr(self, f"do_{name}")(element)
        elif name.startswith(("draw", "fill")):
            draw.draw(self, element)
        else:
            refuse(element, "this command is not known here", DICTIONARY)

    def place(self, points):
        return matrix.apply(self.state.matrix, points)

    # --- Variables and lists ---

    def do_newvar(self, element):
        self.case.set_variables(element)

    do_newvarcte = do_setvar = do_newvar

    def do_varssave(self, _):
        self.saved["vars"].append(dict(self.case.variables.values))

    def do_varsload(self, element):
        self.case.variables.values = self._last("vars", element)

    def do_runlist(self, element):
        name = element.get("name", "")
        if name not in self.lists:
            refuse(element, f"there is no list '{name}'", DICTIONARY)
        times = self.case.whole(element, "times", 1)
        if times > MOST_TIMES:
            refuse(element, f"times: {times} is above {MOST_TIMES}", DICTIONARY)
        for _ in range(times):
            self.run_list(self.lists[name])

    def do_abort(self, element):
        refuse(element, f"the case ends itself here: {element.get('text', '')}", DICTIONARY)

    # --- State ---

    def _last(self, what, element):
        if not self.saved[what]:
            refuse(element, "nothing was saved before", DICTIONARY)
        return self.saved[what].pop()

    def do_setmkfluid(self, element):
        element.get("name")
        self.state.kind, self.state.mk = "fluid", self.case.whole(element, "mk", 0)

    def do_setmkbound(self, element):
        element.get("name")
        self.state.kind, self.state.mk = "bound", self.case.whole(element, "mk", 0)

    def do_setmkvoid(self, _):
        self.state.kind, self.state.mk = "void", 0

    def do_setmknextbound(self, element):
        if element.get("next", "true").strip().lower() in ("true", "1"):
            self.state.kind, self.state.mk = "bound", self.state.mk + 1

    def do_setmknextfluid(self, element):
        if element.get("next", "true").strip().lower() in ("true", "1"):
            self.state.kind, self.state.mk = "fluid", self.state.mk + 1

    def do_setmknextauto(self, element):
        if element.get("auto", "false").strip().lower() in ("true", "1"):
            refuse(element, "mk that count on by themselves are not known here", DICTIONARY)

    def do_setdrawmode(self, element):
        self.state.mode = element.get("mode", "full").strip().lower()

    def do_setactive(self, element):
        points = element.get("drawpoints")
        element.take_all()
        if points is not None:
            self.state.draws_points = points.strip().lower() in ("true", "1")

    def do_mksave(self, _):
        self.saved["mk"].append((self.state.kind, self.state.mk))

    def do_mkload(self, element):
        self.state.kind, self.state.mk = self._last("mk", element)

    def do_statesave(self, _):
        self.saved["state"].append(copy.copy(self.state))

    def do_stateload(self, element):
        self.state = self._last("state", element)

    def do_resetdraw(self, _):
        self.state = State()

    def do_redraw(self, element):
        of_kind = [name for name in ("mkfluid", "mkbound") if name in element.attributes]
        if self.state.kind != "void" or of_kind:
            refuse(element, "points drawn anew with another mk cannot be expressed as shapes",
                   DICTIONARY)  # fmt: skip
        self.figures.clear()

    # --- Matrices ---

    def do_matrixreset(self, _):
        self.state.matrix = np.eye(4)

    def do_matrixsave(self, _):
        self.saved["matrix"].append(self.state.matrix)

    def do_matrixload(self, element):
        self.state.matrix = self._last("matrix", element)

    def _multiply(self, by):
        self.state.matrix = self.state.matrix @ by

    def do_move(self, element):
        self._multiply(matrix.moved(self.case.vector(element)))

    def do_scale(self, element):
        self._multiply(matrix.scaled(self.case.vector(element, 1.0)))

    def do_rotate(self, element):
        angle, axis = self.case.number(element, "ang", 0), self.case.vector(element)
        if angle and np.any(axis):
            self._multiply(matrix.turned(-angle, axis))

    def do_rotateline(self, element):
        points = [self.case.vector(point) for point in element.all("point")]
        if len(points) != 2:
            refuse(element, f"its axis takes two points, not {len(points)}", DICTIONARY)
        first, last = points
        if np.array_equal(first, last):
            refuse(element, "its axis has no length", DICTIONARY)
        self._multiply(matrix.turned_about(-self.case.number(element, "ang", 0), first, last))

    def do_rotateadv(self, element):
        angles = [self.case.number(element, f"ang{k}", 0) for k in (1, 2, 3)]
        intrinsic = element.get("intrinsic", "false").lower() in ("true", "1")
        axes = element.get("axes", "XYZ").strip().upper()
        if set(axes) - set("XYZ"):
            refuse(element, f"axes: '{axes}' has letters beside X, Y and Z", DICTIONARY)
        turn = matrix.turned_in_order(angles, axes, intrinsic)
        centre = element.first("center")
        about = self.case.vector(centre) if centre is not None else np.zeros(3)
        self._multiply(matrix.moved(about) @ turn @ matrix.moved(-about))

"""From GenCase's figures to the shapes of a config, and the proof that the water is the same: both
are drawn on one lattice and compared."""

import numpy as np

from dualsphysics.draw import Fill
from dualsphysics.forms import Prism, Tube, box
from dualsphysics.grid import BOUND, FLUID, VOID, Grid, components, cover, depth_of_layers
from dualsphysics.meshes import Mesh
from dualsphysics.report import DICTIONARY, LIMITS, refuse
from dualsphysics.walls import WallMaker

KINDS = {"fluid": FLUID, "bound": BOUND, "void": VOID}
MOST_VOIDS, MOST_ON_FACES = 200, 3e7


class Shape:
    """An entry of `geometry`: a form, its type and name, and the element it comes from."""

    def __init__(self, element, kind, name, form, without=None):
        self.element, self.kind, self.name, self.form = element, kind, name, form
        self.without, self.fit = without, False


class Scene:
    """The geometry of a case. `shapes` in order; `fluid_low`, `fluid_high`: bounds of the water."""

    def __init__(self, figures, case, report):
        self.case, self.report = case, report
        self.dimension, self.spacing = case.dimension, case.spacing
        self.depth = depth_of_layers(case.h_over_dp, case.spacing)
        self.shapes, self.parts, self.drawn = [], 0, []
        self._forms(figures)
        self._grid()
        self._draw()
        self._make_shapes()

    # --- What GenCase draws ---

    def _forms(self, figures):
        """The forms of each figure in the space of the case."""
        for figure in figures:
            if isinstance(figure, Fill):
                self.drawn.append((figure, []))
                continue
            forms = figure.forms(self.dimension, self.case.y)
            if forms is None:
                refuse(figure.element, "in 2-D this figure has no simple section: turn it about y"
                       " alone", DICTIONARY)  # fmt: skip
            self._refuse_large(figure, forms)
            if not forms:
                self.report.changed(
                    figure.element,
                    f"it does not meet the plane y = {self.case.y:g} of this 2-D case, and draws"
                    " nothing",
                )
            self.drawn.append((figure, forms))

    def _refuse_large(self, figure, forms):
        """Each form is drawn by points on its faces, in memory."""
        for form in forms:
            low, high = form.bounds()
            across = np.maximum(high - low, self.spacing) / self.spacing
            points = across.prod() / across.min()
            if not points <= MOST_ON_FACES:
                refuse(figure.element, f"its faces have {points:.2g} points, over"
                       f" {MOST_ON_FACES:.0e}: let it end near pointmin and pointmax",
                       DICTIONARY)  # fmt: skip

    def within_limits(self, low, high):
        least, most = self.case.point_min, self.case.point_max
        return np.maximum(low, least), np.minimum(high, most)

    def _grid(self):
        bounds = [form.bounds() for _, forms in self.drawn for form in forms]
        if not bounds:
            refuse(self.case.commands, "the case draws nothing", DICTIONARY)
        low = np.min([b[0] for b in bounds], axis=0)
        high = np.max([b[1] for b in bounds], axis=0)
        self.low, self.high = self.within_limits(low, high)
        if np.any(self.low > self.high):
            refuse(self.case.definition, "all that is drawn lies beyond its pointmin and pointmax",
                   DICTIONARY)  # fmt: skip
        self.anchor = self._anchor()
        fills = [(self._flat(figure.low), self._flat(figure.high)) for figure, _ in self.drawn
                 if isinstance(figure, Fill) and figure.low is not None]  # fmt: skip
        low = np.min([self.low, *(fill[0] for fill in fills)], axis=0)
        high = np.max([self.high, *(fill[1] for fill in fills)], axis=0)
        self.grid = Grid(self.anchor, *self.within_limits(low, high), self.spacing)

    def _anchor(self):
        """A corner that faces share, so that they lie on the lattice: that of the first wall's
        bounds inside the domain, else of the first water's."""
        for kind in ("bound", "fluid"):
            for figure, forms in self.drawn:
                if figure.kind == kind and forms and not self.case.is_body(figure):
                    low, _ = self.within_limits(*forms[0].bounds())
                    if isinstance(forms[0], Prism):
                        return low
        return self.low

    def _draw(self):
        self.fills = {}
        for number, (figure, forms) in enumerate(self.drawn):
            kind = KINDS[figure.kind]
            if isinstance(figure, Fill):
                reached = self.grid.fill(self._flat(figure.seed), self._flat(figure.low),
                                         self._flat(figure.high), kind, number)  # fmt: skip
                if reached is None:
                    self.report.changed(
                        figure.element,
                        "its seed lies in a figure or outside of the domain: it fills nothing",
                    )
                else:
                    self.fills[number] = reached
            for form in forms:
                self.grid.draw(form, kind, number, figure.solid and form.solid)
        self.fluid = self.grid.kind == FLUID

    def _flat(self, place):
        if place is None:
            return None
        return self.case.flat(place)

    # --- What the config says ---

    def _make_shapes(self):
        places = np.argwhere(self.fluid)
        if len(places):
            low, high = places.min(axis=0), places.max(axis=0)
            self.fluid_low = np.array([a[i] for a, i in zip(self.grid.axes, low)])
            self.fluid_high = np.array([a[i] for a, i in zip(self.grid.axes, high)])
            self.low = np.minimum(self.low, self.fluid_low)
            self.high = np.maximum(self.high, self.fluid_high)
            centre = (self.fluid_low + self.fluid_high) / 2
        else:
            self.fluid_low = self.fluid_high = None
            centre = (self.low + self.high) / 2
        self.walls = WallMaker(self.grid, self.fluid, centre, self.depth, self.spacing)
        for number, (figure, _) in enumerate(self.drawn):
            if isinstance(figure, Fill) and number in self.fills and figure.kind == "fluid":
                self._add_fill(figure, self.fills[number])
        first_wall = len(self.shapes)
        for number, (figure, forms) in enumerate(self.drawn):
            if not isinstance(figure, Fill):
                for form in forms:
                    self._add(figure, form, number)
        self._cut_rest(first_wall)

    def _add(self, figure, form, number):
        name = self.case.group(figure)
        note = lambda text: self.report.changed(figure.element, text)  # noqa: E731
        if figure.kind == "void":
            self.shapes.append(Shape(figure.element, "void", "", form))
        elif figure.kind == "fluid":
            if not figure.solid or not form.is_closed():
                refuse(figure.element, "faces of fluid have no thickness: draw it solid",
                       DICTIONARY)  # fmt: skip
            form = self._to_walls(figure, form)
            self.shapes.append(Shape(figure.element, "fluid", name, form))
        elif self.case.is_body(figure):
            self._add_body(figure, form, name, note)
        else:
            filled = figure.solid or self._is_filled(figure, number)
            for solid, without in self.walls.solids(form, filled, note):
                part = ""
                if without is not None:
                    self.parts += 1
                    part = f"space{self.parts}"
                    self.shapes.append(Shape(figure.element, "part", part, without))
                self.shapes.append(Shape(figure.element, "wall", name, solid, without=part))

    def _is_filled(self, figure, number):
        """Whether a later fill of the same mk lies inside of the figure's faces."""
        for later in self.fills:
            other = self.drawn[later][0]
            if later > number and other.kind == "bound" and other.mk == figure.mk:
                self.report.skipped(other.element, "the walls that it fills are solid already")
                return True
        return False

    def _add_body(self, figure, form, name, note):
        closed = figure.solid or form.is_closed()
        if not closed and isinstance(form, Prism) and self.walls.holds_water(form):
            refuse(figure.element, "a floating hull of faces with water inside: draw its walls as"
                   " solid boxes", "docs/guide-bodies.md")  # fmt: skip
        if not closed and not isinstance(form, Prism):
            note("taken as a closed body")
        if not figure.solid:
            note("its faces are taken as a solid body")
        if isinstance(form, Prism):
            form = Prism(form.points, form.axis, form.low, form.high)
        self.shapes.append(Shape(figure.element, "body", name, form))

    def _add_fill(self, figure, reached):
        indices = np.argwhere(reached)
        low = [a[i] for a, i in zip(self.grid.axes, indices.min(axis=0))]
        high = [a[i] for a, i in zip(self.grid.axes, indices.max(axis=0))]
        step = self.grid.step
        box_low, box_high = self._flat(figure.low), self._flat(figure.high)
        for axis in range(self.dimension):
            low[axis] -= step
            high[axis] += step
            if box_low is not None:
                low[axis] = max(low[axis], box_low[axis])
                high[axis] = min(high[axis], box_high[axis])
        low, high = self.within_limits(np.array(low), np.array(high))
        form = box(low, high)
        self.shapes.append(Shape(figure.element, "fluid", self.case.group(figure), form))

    def _to_walls(self, figure, form):
        """Water that is drawn a point off a wall touches it: GenCase leaves no gap there."""
        if not isinstance(form, Prism) or not form.rectangle():
            return form
        low, high = form.bounds()
        block, inside = self.grid.inside(form)
        for axis in range(self.dimension):
            for end, sign in ((low, -1), (high, 1)):
                axis_values = self.grid.axes[axis]
                slices = list(block)
                last = block[axis].start if sign < 0 else block[axis].stop - 1
                beside = last + sign
                if not 0 <= beside < len(axis_values) or not inside.size:
                    continue
                slices[axis] = slice(beside, beside + 1)
                bound = self.grid.kind[tuple(slices)] == BOUND
                gap = sign * (axis_values[beside] - end[axis])
                if bound.mean() > 0.5 and 1e-9 < gap <= 1.01 * self.grid.step:
                    self.report.changed(
                        figure.element,
                        f"its face at {end[axis]:g} m moves by {gap:g} m to the wall: particles"
                        " stand half a spacing off a wall, not a whole one",
                    )
                    end[axis] = axis_values[beside]
        return box(low, high)

    def clip(self, domain, report):
        """Boxes end with the domain, walls with the layers around it; the rest is left out."""
        kept = []
        for shape in self.shapes:
            low, high = shape.form.bounds()
            margin = np.where(domain.periodic, 0.0, self.depth if shape.kind != "fluid" else 0.0)
            least, most = domain.low - margin, domain.high + margin
            if np.any(low >= most - 1e-9) or np.any(high <= least + 1e-9):
                report.changed(shape.element, "a part of it lies beyond the domain, and is left"
                                              " out")
                continue
            if (shape.kind != "body" and isinstance(shape.form, Prism) and shape.form.rectangle()
                    and (np.any(low < least) or np.any(high > most))):  # fmt: skip
                shape.form = box(np.maximum(low, least), np.minimum(high, most))
            slack = 0.4 * self.spacing
            beyond = np.array(domain.periodic) & ((low < least - slack) | (high > most + slack))
            if isinstance(shape.form, Mesh) and beyond.any():
                refuse(shape.element, "a surface that goes on beyond the end of a period: cut the"
                                      " file there", f"{LIMITS}#geometry")  # fmt: skip
            if shape.kind != "body" and isinstance(shape.form, Tube):
                shape.form = shape.form.clipped(least, most)
            self._to_lattice(shape, domain, report)
            kept.append(shape)
        self.shapes = kept

    def _to_lattice(self, shape, domain, report):
        """Boxes of fluid whose volume is over 4% off on the lattice take its faces, as GenCase
        does; walls and bodies are fitted to their true faces."""
        form = shape.form
        if not isinstance(form, Prism) or not form.rectangle() or shape.kind not in (
            "fluid", "wall", "body"):  # fmt: skip
            return
        low, high = form.bounds()
        near = [domain.low + np.round((end - domain.low) / self.spacing) * self.spacing
                for end in (low, high)]  # fmt: skip
        size, rounded = high - low, near[1] - near[0]
        if np.any(rounded < self.spacing / 2):
            near[1] = np.maximum(near[1], near[0] + self.spacing)
            rounded = near[1] - near[0]
        off = float(np.prod(rounded / size) - 1)
        if abs(off) <= 0.04:
            return
        words = f"on the lattice its volume is {100 * off:+.1f}% off: "
        if shape.kind == "fluid":
            report.changed(shape.element, f"{words}it takes the lattice's faces, as in GenCase, to"
                           f" {', '.join(f'{x:.6g}' for x in near[1])}")  # fmt: skip
            shape.form = box(*near)
        elif np.all(size >= self.spacing):
            report.changed(shape.element, f"{words}fit = \"surface\" leaves its faces in place",
                           "docs/guide-shapes.md#fitted-walls")  # fmt: skip
            shape.fit = True

    # --- The proof ---

    def painted(self):
        """The water of the shapes so far, on the same points."""
        kind = np.zeros(self.grid.shape, np.uint8)
        parts = {}
        for shape in self.shapes:
            block, inside = self.grid.inside(shape.form)
            inside = inside.copy()
            if shape.kind == "part":
                parts[shape.name] = shape.form
                continue
            if shape.without:
                other = np.zeros(self.grid.shape, bool)
                where, held = self.grid.inside(parts[shape.without])
                other[where] = held
                inside &= ~other[block]
            kind[block][inside] = {"fluid": FLUID, "void": VOID}.get(shape.kind, BOUND)
        return kind

    def _cut_rest(self, place):
        """Empties where the shapes have water and GenCase has none, and compares the rest."""
        kind = self.painted()
        extra = (kind == FLUID) & (self.grid.kind == VOID)
        if extra.any():
            kept = self.fluid
            boxes = []
            for part in components(extra):
                if part.sum() < 2 and self.fluid.sum() > 1000:
                    continue
                found = cover(part, kept, self.grid)
                if found is None or len(boxes) + len(found) > MOST_VOIDS:
                    refuse(self.case.commands,
                           f"{int(extra.sum())} points of water lie where GenCase fills none, and"
                           " boxes of void cannot say where", DICTIONARY)  # fmt: skip
                boxes += found
            fills = [figure.element for figure, _ in self.drawn if isinstance(figure, Fill)]
            element = fills[0] if fills else self.shapes[0].element
            self.shapes[place:place] = [
                Shape(element, "void", "", box(np.array(low), np.array(high)))
                for low, high in boxes
            ]  # fmt: skip
            kind = self.painted()
        total = int(self.fluid.sum())
        ours = kind == FLUID
        self.lost = int((self.fluid & ~ours).sum())
        self.won = int((ours & ~self.fluid & (self.grid.kind == VOID)).sum())
        if total and max(self.lost, self.won) > 0.05 * total:
            refuse(self.case.commands,
                   f"of {total} points of water the shapes miss {self.lost} and add {self.won}:"
                   " over 5%", DICTIONARY)  # fmt: skip
        self.total = total

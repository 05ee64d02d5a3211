"""Walls from drawn faces. GenCase draws one layer of points on a face; here a wall is the solid
behind it, as thick as the kernel reaches, on the side that is dry."""

import numpy as np

from dualsphysics.figures import block_triangles
from dualsphysics.forms import Ball, Prism, Tube, area, box
from dualsphysics.grid import BOUND
from dualsphysics.meshes import Mesh


class Side:
    """Which side of faces is wet, by the water near them, else by where most of the water is."""

    def __init__(self, grid, fluid, centre):
        self.grid, self.fluid, self.centre = grid, fluid, centre

    def wet(self, points, normals):
        """(points of water before the normals, behind them) within three points of the faces."""
        counts = [0, 0]
        for side, sign in enumerate((1, -1)):
            for away in (1.0, 2.0, 3.0):
                at = self.grid.nearest(points + sign * away * self.grid.step * normals)
                counts[side] += int(self.fluid[at].sum())
        return counts

    def decide(self, points, normals):
        """1: the wet side is where the normals point, -1: behind them, 0: both."""
        ahead, behind = self.wet(points, normals)
        if min(ahead, behind) > 0.25 * max(ahead, behind):
            return 0
        if ahead != behind:
            return 1 if ahead > behind else -1
        towards = (np.asarray(self.centre) - points).mean(axis=0)
        return 1 if float(towards @ normals.mean(axis=0)) >= 0 else -1


def chains(form):
    """Runs of visible sides: (points, whether it closes)."""
    n = len(form.points)
    if all(form.sides):
        return [(form.points, True)]
    start = next(i for i in range(n) if not form.sides[i])
    found, line = [], []
    for k in range(1, n + 1):
        i = (start + k) % n
        if form.sides[i]:
            line = line or [form.points[i]]
            line.append(form.points[(i + 1) % n])
        elif line:
            found.append((np.array(line), False))
            line = []
    return found + ([(np.array(line), False)] if line else [])


def chain_normals(points, closed, step):
    """Places on a chain and the normals to the left of its direction."""
    places, normals = [], []
    following = np.roll(points, -1, axis=0) if closed else points[1:]
    for a, b in zip(points, following):
        length = np.linalg.norm(b - a)
        count = max(1, int(length / step))
        t = (np.arange(count) + 0.5) / count
        places.append(a + t[:, None] * (b - a))
        normals.append(np.repeat([[-(b - a)[1] / length, (b - a)[0] / length]], count, axis=0))
    return np.concatenate(places), np.concatenate(normals)


def thick(points, closed, side, depth):
    """Polygons for the solid to one side (1 left, -1 right) of a chain, `depth` thick: one if it
    does not cross itself, else a quadrilateral for each side and a wedge at each corner."""
    following = np.roll(points, -1, axis=0) if closed else points[1:]
    count = len(following)
    along = following - points[:count]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    normals = side * np.column_stack([-along[:, 1], along[:, 0]])
    outer = []
    for i in range(len(points)):
        before = normals[(i - 1) % count] if closed or i > 0 else normals[0]
        after = normals[i % count] if closed or i < count else normals[-1]
        mean = before + after
        square = float(mean @ mean)
        outer.append(points[i] + depth * 2 * mean / square if square > 0.2 else None)
    along_axes = bool(np.all(np.abs(along).max(axis=1) > 1 - 1e-9))
    if not closed and not along_axes and all(place is not None for place in outer):
        polygon = np.concatenate([points, np.array(outer)[::-1]])
        if not crosses_itself(polygon):
            return [polygon]
    found = []
    for i in range(count):
        a, b = points[i], following[i]
        found.append(np.array([a, b, b + depth * normals[i], a + depth * normals[i]]))
        last = i == count - 1
        if last and not closed:
            break
        turn, following_normal = normals[i], normals[(i + 1) % count]
        corner = outer[(i + 1) % len(points)]
        bend = float(np.cross(along[i], along[(i + 1) % count]))
        if side * bend < -1e-9:
            wedge = [b, b + depth * turn] + ([corner] if corner is not None else [])
            found.append(np.array(wedge + [b + depth * following_normal]))
    return found


def crosses_itself(polygon):
    """Whether two sides of a polygon that are no neighbours meet."""
    n = len(polygon)
    ends = np.roll(polygon, -1, axis=0)
    turn = lambda p, q, r: np.cross(q - p, r - p)  # noqa: E731
    for i in range(n):
        for j in range(i + 2, n - (i == 0)):
            a, b, c, d = polygon[i], ends[i], polygon[j], ends[j]
            if turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0:
                return True
    return abs(area(polygon)) <= 0


class WallMaker:
    """Turns the forms of a bound figure into solid ones. `note(text)` says what differs."""

    def __init__(self, grid, fluid, centre, depth, spacing):
        self.side = Side(grid, fluid, centre)
        self.grid, self.fluid, self.depth, self.spacing = grid, fluid, depth, spacing

    def solids(self, form, filled, note):
        """Pairs of a solid form and the form that it is without, or None."""
        if filled:
            return [(self.thickened(form, note), None)]
        if isinstance(form, Prism):
            return [(solid, None) for solid in self._prism(form, note)]
        if isinstance(form, (Ball, Tube)):
            return self._round(form)
        if isinstance(form, Mesh):
            return self._mesh(form, note)
        return [(Mesh(_plate(form.points, *self._facet_side(form, note))), None)]

    def holds_water(self, form):
        block, inside = self.grid.inside(form)
        return bool((self.fluid[block] & inside).any())

    def thickened(self, form, note):
        """A thin box with a dry side grows to that side."""
        if not isinstance(form, Prism) or not form.rectangle():
            return form
        low, high = form.bounds()
        for axis in range(len(low)):
            thin = high[axis] - low[axis]
            if thin >= self.depth - 1e-9 or thin > 0.2 * max(high - low):
                continue
            normal = np.eye(len(low))[axis]
            wet = []
            for end in (low, high):
                spread = [np.linspace(a, b, 24) for a, b in zip(low, high)]
                spread[axis] = np.array([end[axis]])
                places = np.stack(np.meshgrid(*spread, indexing="ij"), -1).reshape(-1, len(low))
                wet.append(self.side.wet(places, normal if end is high else -normal)[0])
            if min(wet) > 0 or not self.fluid.any():
                continue
            if max(wet) == 0:  # the water comes from where it is now
                wet[int(self.side.centre[axis] > (low + high)[axis] / 2)] = 1
            grown = self.depth - thin
            low, high = low.copy(), high.copy()
            (low if wet[0] == 0 else high)[axis] += -grown if wet[0] == 0 else grown
            note(f"{thin:g} m thick, it grows by {grown:g} m to its dry side, so that the kernel"
                 " does not reach through it")  # fmt: skip
            return box(low, high)
        return form

    def _prism(self, form, note):
        planar = form.axis is None
        dry_inside = not self.holds_water(form)
        closed = form.is_closed() and self.fluid.any()
        if dry_inside and (closed or (self._water_near(form) and self._is_shut(form))):
            return [Prism(form.points, form.axis, form.low, form.high)]
        found = []
        stretch = [0.0 if planar or not end else self.depth for end in form.ends]
        for points, closed in chains(form):
            ground = self._ground(form, points, closed)
            if ground is not None:
                found.append(Prism(ground) if planar else Prism(
                    ground, form.axis, form.low - stretch[0], form.high + stretch[1]))
                continue
            turned = points if area(form.points) > 0 else points[::-1]
            side = self._chain_side(form, turned, closed, note)
            if side == 0:
                polygons = _plate_of_chain(turned, closed, self.spacing)
            else:
                polygons = thick(turned, closed, -side, self.depth)
            for polygon in polygons:
                found.append(Prism(polygon) if planar else Prism(
                    polygon, form.axis, form.low - stretch[0], form.high + stretch[1]))
        if not planar:
            found += self._ends(form)
        return found

    def _ground(self, form, points, closed):
        """The ground beneath a line that goes on in one direction, if all below it is dry."""
        upright = form.axis is None or form.axis < 2
        advance = np.diff(points[:, 0])
        slopes = np.ptp(np.diff(points, axis=0), axis=0).min() > 1e-9
        onwards = np.all(advance > 1e-9) or np.all(advance < -1e-9)
        if closed or not upright or not slopes or not onwards:
            return None
        bottom = points[:, 1].min() - self.depth
        ends = [[points[-1, 0], bottom], [points[0, 0], bottom]]
        ground = np.concatenate([points, ends])
        lower = points - [0.0, 1e-3 * self.spacing]
        below = Prism(np.concatenate([lower, ends])) if form.axis is None else Prism(
            np.concatenate([lower, ends]), form.axis, form.low, form.high)
        wet_above = self._chain_side(form, points if advance[0] > 0 else points[::-1], False,
                                     lambda _: None) == 1
        return ground if wet_above and not self.holds_water(below) else None

    def _is_shut(self, form):
        """Whether other walls stand where its sides are hidden."""
        ends = (False, False) if form.axis is None else tuple(not end for end in form.ends)
        hidden = Prism(form.points, form.axis, form.low, form.high,
                       [not side for side in form.sides], ends)  # fmt: skip
        at = self.grid.nearest(hidden.faces(self.grid.step))
        return bool(len(at[0])) and float(np.mean(self.grid.kind[at] == BOUND)) > 0.95

    def _water_near(self, form):
        places = form.faces(self.grid.step)
        for away in np.concatenate([np.eye(places.shape[1]), -np.eye(places.shape[1])]):
            if self.fluid[self.grid.nearest(places + 1.5 * self.grid.step * away)].any():
                return True
        return not self.fluid.any()

    def _chain_side(self, form, points, closed, note):
        places, normals = chain_normals(points, closed, self.grid.step)
        if form.axis is not None:
            levels = np.linspace(form.low, form.high, 9)[1:-1]
            places = np.concatenate([np.insert(places, form.axis, w, axis=1) for w in levels])
            normals = np.tile(np.insert(normals, form.axis, 0.0, axis=1), (len(levels), 1))
        side = self.side.decide(places, normals)
        if side == 0:
            note(f"wet on both sides: a plate {self.spacing:g} m thick, as it is drawn;"
                 " `sluice check` says how thick it has to be to leak no pressure")  # fmt: skip
        return side

    def _ends(self, form):
        found = []
        for end, level, outwards in zip(form.ends, (form.low, form.high), (-1, 1)):
            if not end:
                continue
            low, high = sorted((level, level + outwards * self.depth))
            found.append(Prism(form.points, form.axis, low, high))
        return found

    def _round(self, form):
        if not self.holds_water(form):
            return [(form, None)]
        return [(form.grown(self.depth), form)]

    def _mesh(self, form, note):
        if form.open:
            note(f"{form.open} edges of the surface are open: `sluice check` closes small holes, or"
                 " says where they are; a sheet needs the key `base`")  # fmt: skip
        block, inside = self.grid.inside(form)
        if 2 * int((self.fluid[block] & inside).sum()) > int(self.fluid.sum()) > 0:
            low, high = form.bounds()
            return [(box(low - self.depth, high + self.depth), form)]
        return [(form, None)]

    def _facet_side(self, form, note):
        places = form.faces(self.grid.step)
        side = self.side.decide(places, np.repeat([form.normal], len(places), axis=0))
        if side == 0:
            note(f"wet on both sides: a plate {self.spacing:g} m thick, as it is drawn")
            return form.normal * self.spacing / 2, -form.normal * self.spacing / 2
        return np.zeros(3), -side * form.normal * self.depth


def _plate(points, upper, lower):
    """The closed surface of a flat polygon that is given thickness."""
    return block_triangles(points + upper, points + lower)


def _plate_of_chain(points, closed, thickness):
    half = thickness / 2
    left = thick(points, closed, 1, half)
    return left + thick(points, closed, -1, half)

"""Closed forms in the space of the case, (x, z) in 2-D: which points they hold, the points of their
visible faces, and their keys in a config."""

import math

import numpy as np

AXES = "xyz"
EPSILON = 1e-9


class Form:
    """`solid`: filled; else only the visible faces are drawn."""

    solid = True

    def is_closed(self):
        return True


def _inside(points, u, v, slack):
    """Whether places lie in a polygon or within `slack` of its edge."""
    inside = np.zeros(np.broadcast(u, v).shape, bool)
    on_edge = np.zeros_like(inside)
    for (a, b), (c, d) in zip(points, np.roll(points, -1, axis=0)):
        crosses = (b > v) != (d > v)
        if d != b:
            inside ^= crosses & (u < a + (v - b) * (c - a) / (d - b))
        length2 = (c - a) ** 2 + (d - b) ** 2
        t = np.clip(((u - a) * (c - a) + (v - b) * (d - b)) / length2, 0, 1) if length2 else 0.0
        on_edge |= (u - a - t * (c - a)) ** 2 + (v - b - t * (d - b)) ** 2 <= slack**2
    return inside | on_edge


def along(a, b, step):
    """Places on a segment, at most a step apart, its ends included."""
    count = max(1, math.ceil(np.linalg.norm(np.subtract(b, a)) / step - 1e-9))
    return np.asarray(a) + np.linspace(0, 1, count + 1)[:, None] * np.subtract(b, a)


def area(points):
    """Signed area: above 0 if anticlockwise."""
    u, v = np.asarray(points, float).T
    return 0.5 * float(np.sum(u * np.roll(v, -1) - v * np.roll(u, -1)))


class Prism(Form):
    """A polygon; in 3-D from `low` to `high` along an axis. `sides`, `ends`: visible faces."""

    def __init__(self, points, axis=None, low=None, high=None, sides=None, ends=(True, True)):
        self.points, self.axis, self.low, self.high = np.asarray(points, float), axis, low, high
        self.sides = list(sides) if sides is not None else [True] * len(self.points)
        self.ends = tuple(ends)
        self._drop_double_points()

    def _drop_double_points(self):
        following = np.roll(self.points, -1, axis=0)
        keep = np.linalg.norm(following - self.points, axis=1) > EPSILON
        self.points = self.points[keep]
        self.sides = [side for side, kept in zip(self.sides, keep) if kept]

    def is_closed(self):
        return all(self.sides) and (self.axis is None or all(self.ends))

    def plane(self):
        """The axes of the polygon."""
        return [k for k in range(2 if self.axis is None else 3) if k != self.axis]

    def bounds(self):
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        if self.axis is not None:
            low, high = np.insert(low, self.axis, self.low), np.insert(high, self.axis, self.high)
        return low, high

    def rectangle(self):
        """Whether it is a box along the axes."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        corners = {(x, y) for x, y in np.round(self.points, 12).tolist()}
        ends = np.round([low, high], 12).tolist()
        return len(self.points) == 4 and corners == {
            (ends[i][0], ends[j][1]) for i in (0, 1) for j in (0, 1)
        }

    def contains(self, places, slack):
        u, v = (places[k] for k in self.plane())
        inside = _inside(self.points, u, v, slack)
        if self.axis is not None:
            w = places[self.axis]
            inside = inside & (w >= self.low - slack) & (w <= self.high + slack)
        return inside

    def faces(self, step):
        """Points on the visible faces, at most a step apart."""
        found = []
        for i, side in enumerate(self.sides):
            if not side:
                continue
            line = along(self.points[i], self.points[(i + 1) % len(self.points)], step)
            if self.axis is None:
                found.append(line)
                continue
            for w in along([self.low], [self.high], step)[:, 0]:
                found.append(np.insert(line, self.axis, w, axis=1))
        if self.axis is not None and any(self.ends):
            low, high = self.points.min(axis=0), self.points.max(axis=0)
            u, v = (along([low[k]], [high[k]], step)[:, 0] for k in (0, 1))
            u, v = (values.ravel() for values in np.meshgrid(u, v, indexing="ij"))
            inside = _inside(self.points, u, v, step / 2)
            level = np.column_stack([u[inside], v[inside]])
            found += [np.insert(level, self.axis, w, axis=1)
                      for w, end in zip((self.low, self.high), self.ends) if end]  # fmt: skip
        return np.concatenate(found) if found else np.zeros((0, len(self.plane())))

    def keys(self):
        if self.rectangle():
            low, high = self.bounds()
            return [("shape", "box"), ("min", low), ("max", high)]
        keys = [("shape", "polygon"), ("points", self.points)]
        if self.axis is not None:
            keys += [("axis", AXES[self.axis]), ("from", self.low), ("to", self.high)]
        return keys


def box(low, high):
    """A box along the axes."""
    points = [[low[0], low[-1]], [high[0], low[-1]], [high[0], high[-1]], [low[0], high[-1]]]
    return Prism(points) if len(low) == 2 else Prism(points, 1, low[1], high[1])


class Ball(Form):
    """A sphere, in 2-D a disc."""

    def __init__(self, centre, radius):
        self.centre, self.radius = np.asarray(centre, float), radius

    def bounds(self):
        return self.centre - self.radius, self.centre + self.radius

    def contains(self, places, slack):
        away2 = sum((x - c) ** 2 for x, c in zip(places, self.centre))
        return away2 <= (self.radius + slack) ** 2

    def faces(self, step):
        around = max(8, math.ceil(2 * math.pi * self.radius / step))
        angle = np.linspace(0, 2 * math.pi, around, endpoint=False)
        if len(self.centre) == 2:
            return self.centre + self.radius * np.column_stack([np.cos(angle), np.sin(angle)])
        polar = np.linspace(0, math.pi, max(5, around // 2 + 1))
        a, p = (grid.ravel() for grid in np.meshgrid(angle, polar))
        unit = np.column_stack([np.cos(a) * np.sin(p), np.sin(a) * np.sin(p), np.cos(p)])
        return self.centre + self.radius * unit

    def keys(self):
        name = "disc" if len(self.centre) == 2 else "sphere"
        return [("shape", name), ("centre", self.centre), ("radius", self.radius)]

    def grown(self, by):
        return Ball(self.centre, self.radius + by)


class Tube(Form):
    """A cylinder between two points (3-D)."""

    def __init__(self, first, last, radius):
        self.first, self.last = np.asarray(first, float), np.asarray(last, float)
        self.radius = radius
        self.length = float(np.linalg.norm(self.last - self.first))
        self.direction = (self.last - self.first) / self.length

    def bounds(self):
        reach = self.radius * np.sqrt(np.maximum(0, 1 - self.direction**2))
        return np.minimum(self.first, self.last) - reach, np.maximum(self.first, self.last) + reach

    def contains(self, places, slack):
        offset = [x - c for x, c in zip(places, self.first)]
        height = sum(o * d for o, d in zip(offset, self.direction))
        away2 = sum(o * o for o in offset) - height**2
        return ((height >= -slack) & (height <= self.length + slack)
                & (away2 <= (self.radius + slack) ** 2))  # fmt: skip

    def clipped(self, least, most):
        """Ends within bounds, if it lies along an axis."""
        axis = int(np.argmax(np.abs(self.direction)))
        if abs(self.direction[axis]) < 1 - 1e-9:
            return self
        first, last = self.first.copy(), self.last.copy()
        first[axis], last[axis] = np.clip([first[axis], last[axis]], least[axis], most[axis])
        return Tube(first, last, self.radius)

    def _frame(self):
        helper = np.eye(3)[int(np.argmin(np.abs(self.direction)))]
        first = np.cross(self.direction, helper)
        first /= np.linalg.norm(first)
        return first, np.cross(self.direction, first)

    def faces(self, step):
        first, second = self._frame()
        angle = np.linspace(0, 2 * math.pi, max(8, math.ceil(2 * math.pi * self.radius / step)))
        ring = np.outer(np.cos(angle), first) + np.outer(np.sin(angle), second)
        found = [centre + self.radius * ring for centre in along(self.first, self.last, step)]
        for centre in (self.first, self.last):
            found += [centre + r * ring for r in along([0.0], [self.radius], step)[:, 0]]
        return np.concatenate(found)

    def keys(self):
        middle = (self.first + self.last) / 2
        axis = int(np.argmax(np.abs(self.direction)))
        straight = abs(abs(self.direction[axis]) - 1) < 1e-12
        keys = [("shape", "cylinder"), ("centre", middle if straight else np.zeros(3)),
                ("radius", self.radius), ("length", self.length),
                ("axis", AXES[axis] if straight else "z")]  # fmt: skip
        if not straight:
            turn = np.cross([0.0, 0.0, 1.0], self.direction)
            angle = math.degrees(math.atan2(np.linalg.norm(turn), self.direction[2]))
            keys += [("rotation_axis", turn), ("rotation_degrees", angle), ("move", middle)]
        return keys

    def grown(self, by):
        """Wider, and longer at both ends."""
        end = by * self.direction
        return Tube(self.first - end, self.last + end, self.radius + by)

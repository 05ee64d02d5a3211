"""GenCase's drawing on a lattice of points: what each point holds, and what a fill reaches."""

import math

import numpy as np

VOID, FLUID, BOUND = 0, 1, 2
MOST_POINTS = 4_000_000


class Grid:
    """Points from `low` to `high`, `step` apart: the spacing, or a multiple of it in a large case.
    `kind` and `figure` (the number of the figure that drew it last) are their contents."""

    def __init__(self, anchor, low, high, spacing):
        self.limits = (np.asarray(low), np.asarray(high))
        points = np.prod(np.maximum((self.limits[1] - self.limits[0]) / spacing, 1.0))
        self.factor = max(1, math.floor((points / MOST_POINTS) ** (1 / len(low))))
        while True:
            self.step = spacing * self.factor
            first = np.floor((np.asarray(low) - anchor) / self.step + 1e-6) - 1
            last = np.ceil((np.asarray(high) - anchor) / self.step - 1e-6) + 1
            counts = (last - first + 1).astype(int)
            if np.prod(counts.astype(float)) <= MOST_POINTS:
                break
            self.factor += 1
        self.shape = tuple(counts)
        self.axes = [a + self.step * np.arange(f, f + n)
                     for a, f, n in zip(anchor, first, counts)]  # fmt: skip
        self.slack = 1e-6 * self.step
        self.kind = np.zeros(self.shape, np.uint8)
        self.figure = np.full(self.shape, -1, np.int32)

    def block(self, low, high):
        """The slices of the points within bounds."""
        return tuple(slice(int(np.searchsorted(axis, a - self.slack)),
                           int(np.searchsorted(axis, b + self.slack)))
                     for axis, a, b in zip(self.axes, low, high))  # fmt: skip

    def places(self, block):
        """The coordinates of a block of points, as open axes that broadcast."""
        return np.meshgrid(*[axis[part] for axis, part in zip(self.axes, block)],
                           indexing="ij", sparse=True)  # fmt: skip

    def inside(self, form):
        """(block, which of its points a form holds)."""
        block = self.block(*form.bounds())
        places = self.places(block)
        shape = tuple(max(0, part.stop - part.start) for part in block)
        if 0 in shape:
            return block, np.zeros(shape, bool)
        return block, np.broadcast_to(form.contains(places, self.slack), shape)

    def draw(self, form, kind, number, filled):
        if filled:
            block, inside = self.inside(form)
            self.kind[block][inside] = kind
            self.figure[block][inside] = number
        if kind == BOUND or not filled:
            at = self.nearest(form.faces(self.step / 2))
            self.kind[at], self.figure[at] = kind, number

    def nearest(self, points):
        """Indices of the points nearest to places, those outside left out."""
        if not len(points):
            return tuple(np.zeros(0, int) for _ in self.axes)
        numbers = np.column_stack([
            np.floor((points[:, k] - axis[0]) / self.step + 0.5 - 1e-6).astype(int)
            for k, axis in enumerate(self.axes)
        ])  # fmt: skip
        within = np.all((numbers >= 0) & (numbers < self.shape), axis=1)
        return tuple(np.unique(numbers[within], axis=0).T)

    def fill(self, seed, low, high, kind, number):
        """Fills the empty points that a seed reaches. Returns which; None: no empty seed."""
        low = self.limits[0] if low is None else np.maximum(low, self.limits[0])
        high = self.limits[1] if high is None else np.minimum(high, self.limits[1])
        block = self.block(low, high)
        empty = self.kind[block] == VOID
        if not empty.size:
            return None
        start = [int(round((s - axis[0]) / self.step)) - part.start
                 for s, axis, part in zip(seed, self.axes, block)]  # fmt: skip
        start = self._empty_near(empty, start)
        if start is None:
            return None
        reached = reach(empty, start)
        self.kind[block][reached] = kind
        self.figure[block][reached] = number
        whole = np.zeros(self.shape, bool)
        whole[block] = reached
        return whole

    def _empty_near(self, empty, start):
        """The seed's point, or an empty one beside it on a coarse grid."""
        offsets = np.ndindex(*[3] * len(start))
        for offset in sorted(offsets, key=lambda o: sum(abs(x - 1) for x in o)):
            place = tuple(s + o - 1 for s, o in zip(start, offset))
            inside = all(0 <= p < n for p, n in zip(place, empty.shape))
            if inside and empty[place]:
                return place
        return None


def reach(empty, start):
    """The points of a mask that are joined to a point along the axes. Whole runs along each axis in
    turn, until nothing is added."""
    reached = np.zeros_like(empty)
    reached[start] = True
    count = 1
    while True:
        for axis in range(empty.ndim):
            open_ = np.moveaxis(empty, axis, -1)
            seen = np.moveaxis(reached, axis, -1)
            runs = np.cumsum(~open_.reshape(-1, open_.shape[-1]), axis=1)
            runs += (np.arange(len(runs)) * (open_.shape[-1] + 1))[:, None]
            hit = np.zeros(runs.max() + 1, bool)
            hit[runs[seen.reshape(runs.shape)]] = True
            seen[...] = open_ & hit[runs].reshape(open_.shape)
        now = int(reached.sum())
        if now == count:
            return reached
        count = now


def components(mask):
    """The connected parts of a mask, the largest first."""
    left, found = mask.copy(), []
    while left.any():
        start = np.unravel_index(int(np.argmax(left)), left.shape)
        part = reach(left, start)
        found.append(part)
        left &= ~part
        if len(found) >= 200:
            break
    return sorted(found, key=lambda part: -int(part.sum()))


def cover(part, forbidden, grid, depth=9):
    """Boxes that hold a part of the points and none of the forbidden ones, or None."""
    indices = np.argwhere(part)
    low, high = indices.min(axis=0), indices.max(axis=0)
    block = tuple(slice(a, b + 1) for a, b in zip(low, high))
    if not forbidden[block].any():
        return [([axis[a] - grid.step / 2 for axis, a in zip(grid.axes, low)],
                 [axis[b] + grid.step / 2 for axis, b in zip(grid.axes, high)])]  # fmt: skip
    if depth == 0:
        return None
    axis = int(np.argmax(high - low))
    middle = (low[axis] + high[axis] + 1) // 2
    found = []
    for part_of in (slice(None, middle), slice(middle, None)):
        half = np.zeros_like(part)
        chosen = tuple(part_of if k == axis else slice(None) for k in range(part.ndim))
        half[chosen] = part[chosen]
        if half.any():
            boxes = cover(half, forbidden, grid, depth - 1)
            if boxes is None:
                return None
            found += boxes
    return found


def depth_of_layers(h_over_dp, spacing):
    """How thick a wall is that water sees as endless: the kernel's reach and a spacing."""
    return (math.ceil(2 * h_over_dp - 1e-9) + 1) * spacing

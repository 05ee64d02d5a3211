"""Particles as balls or discs: which of them each pixel shows, and their smoothed surface.

A pixel's winner is the least of a key, (height + profile(distance)) << 32 | particle. For a ball
the height is the depth of its centre, and the profile that of its front. Particles that share a
pixel for a centre are thinned to the nearest, so that an offset from the centre meets every pixel
once, and the whole picture is a loop over the offsets of a disc.

The surface follows van der Laan, Green, Sainz 2009 (screen space fluid rendering): the depth is
smoothed in the picture, over neighbours that are near in depth, too (a-trous, Dammertz 2010)."""

import numpy as np

EMPTY = np.int64(1) << 62
QUANTA = 256.0  # of heights in a pixel
STEEPEST = 8.0  # slope that a normal shows
TAPS = ((1, 0.25), (2, 0.0625))  # of a B3 spline beside its middle, 0.375


def offsets(radius):
    """Rows, columns and squared distances of the pixels of a disc."""
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    d2 = (x * x + y * y).ravel()
    inside = d2 <= radius * radius
    return y.ravel()[inside], x.ravel()[inside], d2[inside].astype(float)


def hidden(u, v, depth, radius, size):
    """Balls that are certainly hidden: each cell of half a radius around has a nearer centre."""
    cell = radius / 2
    columns, rows = (int(n / cell) + 8 for n in size)
    i = np.clip((u / cell).astype(int) + 4, 0, columns - 1)
    j = np.clip((v / cell).astype(int) + 4, 0, rows - 1)
    at = j * columns + i
    front = np.full(rows * columns, np.inf)
    order = np.argsort(-depth, kind="stable")
    front[at[order]] = depth[order]
    worst = front.reshape(rows, columns)
    for axis in (0, 1):  # the farthest of 7 x 7 cells
        worst = np.max([np.roll(worst, k, axis) for k in range(-3, 4)], axis=0)
    return depth > worst.ravel()[at] + 0.3 * radius


def winners(u, v, height, radius, size, profile):
    """The number of the particle that each pixel shows, -1: none [rows, columns].

    u, v, height [n] in pixels; radius, one for all; profile(d2): the gain of the height at a
    squared distance."""
    columns, rows = size
    edge = int(np.ceil(radius)) + 1
    wide, tall = columns + 2 * edge, rows + 2 * edge
    i, j = np.floor(u).astype(np.int64) + edge, np.floor(v).astype(np.int64) + edge
    reach = edge - 1
    kept = (i >= reach) & (i < wide - reach) & (j >= reach) & (j < tall - reach)
    which = np.flatnonzero(kept)
    which = which[np.argsort(-height[which], kind="stable")]
    pixel = j[which] * wide + i[which]
    nearest = np.full(wide * tall, -1, dtype=np.int64)
    nearest[pixel] = which  # the last, the nearest one, stays
    which = nearest[nearest >= 0]
    pixel = j[which] * wide + i[which]
    best = np.full(wide * tall, EMPTY)
    if len(which):
        base = height[which] - height[which].min()
        y, x, d2 = offsets(radius)
        rises = profile(d2)
        key = (np.round((base - rises.min()) * QUANTA).astype(np.int64) << 32) | which
        steps = np.round(rises * QUANTA).astype(np.int64) << 32
        for dy, dx, step in zip(y, x, steps):
            at = pixel + (dy * wide + dx)
            best[at] = np.minimum(best[at], key + step)
    won = np.where(best == EMPTY, -1, best & 0xFFFFFFFF).astype(np.int32)
    return np.ascontiguousarray(won.reshape(tall, wide)[edge : edge + rows, edge : edge + columns])


def balls(u, v, depth, radius, size, flat=1.0):
    """Winners and depths (pixels; inf: none) of balls of one radius, flattened along the line of
    sight to this fraction."""
    near = np.flatnonzero(~hidden(u, v, depth, radius, size))
    won = winners(
        u[near], v[near], depth[near], radius, size,
        lambda d2: -flat * np.sqrt(np.maximum(radius * radius - d2, 0)),
    )  # fmt: skip
    at = np.flatnonzero(won >= 0)
    number = near[won.flat[at]]
    d2 = (at % size[0] + 0.5 - u[number]) ** 2 + (at // size[0] + 0.5 - v[number]) ** 2
    surface = np.full(won.shape, np.inf, dtype=np.float32)
    surface.flat[at] = depth[number] - flat * np.sqrt(np.maximum(radius * radius - d2, 0))
    won.flat[at] = number
    return won, surface


def discs(u, v, off, radius, size):
    """Winners of particles beside a plane that they lie `off` pixels from: the nearest of each
    pixel, in units of its radius, and none beyond its radius [n] (pixels)."""
    columns, rows = size
    won = np.full((rows, columns), -1, dtype=np.int32)
    nearest = np.ones((rows, columns), dtype=np.float32)
    kinds = np.round(np.log(radius) / np.log(1.25)).astype(int)  # of about one size
    for kind in np.unique(kinds):
        which = np.flatnonzero(kinds == kind)
        most = radius[which].max()
        found = winners(u[which], v[which], off[which] ** 2, most, size, lambda d2: d2)
        at = np.flatnonzero(found >= 0)
        number = which[found.flat[at]]
        d2 = (at % columns + 0.5 - u[number]) ** 2 + (at // columns + 0.5 - v[number]) ** 2
        share = (d2 + off[number] ** 2) / radius[number] ** 2
        nearer = share < nearest.flat[at]
        won.flat[at[nearer]] = number[nearer]
        nearest.flat[at[nearer]] = share[nearer]
    return won


def strides(width):
    """Of passes that together smooth over about `width` pixels."""
    found, reached = [], 0.0
    while reached < width * width and len(found) < 6:
        found.append(1 << len(found))
        reached += found[-1] ** 2
    return found


def smooth(depth, value, width, reach):
    """Smooths depths and values [rows, columns] in place. A pixel is drawn towards the mean of two
    opposite ones as long as that differs by less than `reach`: a slope stays as it is, however
    steep, and so does an edge. inf stays."""
    passes = strides(width)
    for stride in passes + passes[:2]:  # the last ones take away what wide strides leave behind
        for axis in (0, 1):
            smooth_along(depth, value, axis, stride, reach)


def smooth_along(depth, value, axis, stride, reach):
    """In strips across the axis, which stay in the processor's cache."""
    other = 1 - axis
    for start in range(0, depth.shape[other], 64):
        strip = [slice(None)] * 2
        strip[other] = slice(start, start + 64)
        strip = tuple(strip)
        z = depth[strip]
        if np.isinf(z).all():
            continue
        change, drift = smoothed_change(z, value[strip], axis, stride, reach)
        depth[strip] += change
        value[strip] += drift


def along(axis, start, end):
    """A slice along an axis of an image."""
    return (slice(start, end),) if axis == 0 else (slice(None), slice(start, end))


def smoothed_change(z, f, axis, stride, reach):
    """The change of depths and values by one pass."""
    finite = np.where(np.isinf(z), np.float32(1e9), z)
    total = np.full(z.shape, 0.375, dtype=np.float32)
    change, drift = np.zeros_like(finite), np.zeros_like(f)
    for tap, weight in TAPS:
        k = tap * stride
        if 2 * k >= z.shape[axis]:
            continue
        low, mid, high = along(axis, 0, -2 * k), along(axis, k, -k), along(axis, 2 * k, None)
        bend = finite[low] + finite[high]
        bend *= np.float32(0.5)
        bend -= finite[mid]
        w = bend * np.float32(1 / reach)
        w *= w
        np.subtract(1, w, out=w)
        np.maximum(w, 0, out=w)
        w *= w
        w *= np.float32(2 * weight)
        total[mid] += w
        bend *= w
        change[mid] += bend
        drift[mid] += w * (np.float32(0.5) * (f[low] + f[high]) - f[mid])
    change /= total
    drift /= total
    return change, drift


def box_sum(image, half, axis):
    """Sums over 2 half + 1 pixels along an axis; outside an image its last pixels go on."""
    pad = [(0, 0), (0, 0)]
    pad[axis] = (half + 1, half)
    sums = np.cumsum(np.pad(image, pad, mode="edge"), axis=axis, dtype=image.dtype)
    n = image.shape[axis]
    wide = 2 * half + 1
    return np.take(sums, range(wide, wide + n), axis) - np.take(sums, range(n), axis)


def outermost(covered, width, least, room=None):
    """The covered pixels at the outline of balls: those whose neighbours are covered to less than a
    given fraction. Without them the outline of many balls is smooth. room: the pixels that count,
    if not all; what is covered is among them."""
    half = max(int(round(0.45 * width)), 1)
    kind = np.int32 if (2 * half + 1) ** 4 < 2**31 else np.int64
    share, full = covered.astype(kind), (2 * half + 1) ** 4
    for axis in (0, 1, 0, 1):
        share = box_sum(share, half, axis)
    if room is not None and not room.all():
        full = room.astype(kind)
        for axis in (0, 1, 0, 1):
            full = box_sum(full, half, axis)
    return covered & (share < least * full)


def slope(depth, axis, edge):
    """The slope of depths along an axis: central, at an edge one-sided, 0 beside nothing."""
    step = np.diff(depth, axis=axis)
    step[~(np.abs(step) < edge)] = np.nan
    n = depth.shape[axis]
    before = np.take(step, np.maximum(np.arange(n) - 1, 0), axis)
    after = np.take(step, np.minimum(np.arange(n), n - 2), axis)
    found = np.float32(0.5) * (before + after)
    found = np.where(np.isnan(found), np.where(np.isnan(before), after, before), found)
    return np.clip(np.nan_to_num(found, copy=False), -STEEPEST, STEEPEST)


def normals(depth, edge):
    """Unit normals [rows, columns, 3] (right, up, towards the eye) of depths in pixels; steps of
    `edge` from pixel to pixel are the edges of surfaces."""
    with np.errstate(invalid="ignore"):
        across, down = slope(depth, 1, edge), slope(depth, 0, edge)
    length = np.sqrt(across * across + down * down + 1)
    return np.stack([across / length, -down / length, 1 / length], axis=-1)

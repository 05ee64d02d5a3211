"""Overlaps of solids and fluid: rectangular bodies, fluid and a tank, in 2-D."""

import numpy as np


def corners(x, angle, half):
    """Corners [n, 4, 2] of rectangles with centres x [n, 2], turned by angle [n] (rad), and half
    the sides `half` [2]."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    flat = signs * np.asarray(half)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return np.stack([x[:, :1] + c * flat[:, 0] - s * flat[:, 1],
                     x[:, 1:] + s * flat[:, 0] + c * flat[:, 1]], axis=2)


def overlap(one, other):
    """The depth [n] to which rectangles with these corners [n, 4, 2] overlap: the shortest
    displacement that parts them; negative: they are apart. An axis along a side parts any two that
    are apart."""
    depth = np.full(len(one), np.inf)
    for quad in (one, other):
        for a, b in ((0, 1), (1, 2)):
            axis = quad[:, b] - quad[:, a]
            axis = axis / np.linalg.norm(axis, axis=1)[:, None]
            p, q = (np.einsum("nij,nj->ni", c, axis) for c in (one, other))
            depth = np.minimum(depth, np.minimum(p.max(1) - q.min(1), q.max(1) - p.min(1)))
    return depth


def deepest_overlap(quads, reach):
    """(depth, which two, which row) of the deepest overlap of any two of the bodies: quads
    [bodies, rows, 4, 2]. reach: no two overlap whose centres are farther apart."""
    middle = quads.mean(axis=2)
    found = (-np.inf, (0, 0), 0)
    for i in range(len(quads)):
        for j in range(i):
            near = np.linalg.norm(middle[i] - middle[j], axis=1) < reach
            if np.any(near):
                depth = overlap(quads[i][near], quads[j][near])
                row = int(np.argmax(depth))
                found = max(found, (float(depth[row]), (j, i), int(np.nonzero(near)[0][row])))
    return found


def beyond_tank(quads, low, high):
    """The largest distance of a corner beyond the tank's walls: low, high [2]; inf: no wall."""
    return float(np.max(np.maximum(np.asarray(low) - quads, quads - np.asarray(high))))


def depth_inside(points, x, angle, half):
    """The largest depth of points [n, 2] inside one rectangle; 0: none is inside."""
    c, s = np.cos(angle), np.sin(angle)
    away = points - x
    local = np.column_stack([c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]])
    return float(max(0.0, np.max(np.min(np.asarray(half) - np.abs(local), axis=1), initial=0.0)))

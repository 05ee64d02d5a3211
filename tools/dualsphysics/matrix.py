"""Affine maps of GenCase's drawing: 4x4 matrices. Its angles about an axis count clockwise, seen
against the axis; those about x, y, z (drawrotate) anticlockwise."""

import numpy as np


def moved(by):
    matrix = np.eye(4)
    matrix[:3, 3] = by
    return matrix


def scaled(by):
    return np.diag([*by, 1.0])


def turned(degrees, axis):
    """Anticlockwise about an axis through the origin (Rodrigues)."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    angle = np.radians(degrees)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def turned_about(degrees, first, last):
    """Anticlockwise about the axis from one point to another."""
    first = np.asarray(first, float)
    return moved(first) @ turned(degrees, np.asarray(last, float) - first) @ moved(-first)


def turned_xyz(x, y, z):
    """The order of GenCase: about y, then x, then z."""
    return turned(z, [0, 0, 1]) @ turned(x, [1, 0, 0]) @ turned(y, [0, 1, 0])


def turned_in_order(angles, axes, intrinsic):
    """Chained rotations about axes as "XYZ"."""
    matrix = np.eye(4)
    for angle, axis in zip(angles, axes):
        one = turned(angle, np.eye(3)["XYZ".index(axis)])
        matrix = matrix @ one if intrinsic else one @ matrix
    return matrix


def apply(matrix, points):
    return np.asarray(points, float) @ matrix[:3, :3].T + matrix[:3, 3]


def scale_of(matrix):
    """The factor of all lengths, or None if it differs between directions."""
    factors = np.linalg.norm(matrix[:3, :3], axis=0)
    return float(factors[0]) if np.allclose(factors, factors[0], rtol=1e-9) else None

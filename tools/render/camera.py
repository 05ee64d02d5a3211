"""Where a picture is looked at from: parallel projection of places (m) to pixels."""

from dataclasses import dataclass

import numpy as np

VIEWS = {  # azimuth, elevation (degrees)
    "front": (0.0, 0.0),
    "right": (90.0, 0.0),
    "back": (180.0, 0.0),
    "left": (-90.0, 0.0),
    "top": (0.0, 90.0),
}


def direction(azimuth, elevation):
    """The unit vector towards the eye. Azimuth 0 looks along +y, 90 along -x, in degrees."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(e) * np.sin(a), -np.cos(e) * np.cos(a), np.sin(e)])


@dataclass(frozen=True)
class Camera:
    """axes [3, 3]: unit vectors to the right, up, and towards the eye. centre (m) is seen at the
    middle of a picture of size = (width, height) pixels; scale is pixels a metre."""

    axes: np.ndarray
    centre: np.ndarray
    scale: float
    size: tuple

    def project(self, x):
        """Pixels to the right and down [n], and depth [n] in pixels, growing away from the eye."""
        seen = (np.asarray(x, dtype=np.float64) - self.centre) @ self.axes.T * self.scale
        return (
            self.size[0] / 2 + seen[..., 0],
            self.size[1] / 2 - seen[..., 1],
            -seen[..., 2],
        )

    def times(self, factor):
        """The same view in a picture `factor` times as wide and high."""
        size = tuple(int(round(n * factor)) for n in self.size)
        return Camera(self.axes, self.centre, self.scale * factor, size)

    def extent(self):
        """Left, right, bottom, top of the picture, m, in a view along an axis."""
        middle = self.axes[:2] @ self.centre
        half = np.array(self.size) / (2 * self.scale)
        return (middle[0] - half[0], middle[0] + half[0], middle[1] - half[1], middle[1] + half[1])


def axes_towards(back):
    """The camera's axes for an eye in the direction `back`; z is upwards, or y seen from above."""
    back = np.asarray(back, dtype=float) / np.linalg.norm(back)
    up = np.array([0.0, 0.0, 1.0]) if abs(back[2]) < 0.9999 else np.array([0.0, 1.0, 0.0])
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def corners(box):
    """The corners [8, 3] of a box (low [3], high [3])."""
    low, high = np.asarray(box[0]), np.asarray(box[1])
    bits = np.array([[(k >> a) & 1 for a in range(3)] for k in range(8)])
    return low + bits * (high - low)


def spans(box, axes):
    """Low and high [2] of a box, to the right and up (m)."""
    seen = corners(box) @ axes[:2].T
    return seen.min(axis=0), seen.max(axis=0)


def fit(box, axes, size, zoom=1.0, margin=0.02):
    """The camera that sees the whole box in a picture of this size."""
    low, high = spans(box, axes)
    room = np.array(size) * (1 - 2 * margin)
    scale = float(np.min(room / np.maximum(high - low, 1e-30))) * zoom
    middle = (low + high) / 2
    depth = axes[2] @ (np.asarray(box[0]) + np.asarray(box[1])) / 2
    centre = axes.T @ np.array([middle[0], middle[1], depth])
    return Camera(axes, centre, scale, tuple(size))

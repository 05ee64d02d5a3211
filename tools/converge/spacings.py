"""Spacings at which the lattice keeps the shapes of a case. Flat faces move to the nearest face of
the lattice, so another spacing may change a volume, and with it what is measured."""

import math

import numpy as np

KEPT = 0.001  # a volume that changes by less is the same
WHOLE = 1e-4  # a periodic length must be a whole number of spacings to within this


def nearest_face(x):
    """The lattice face nearest to x, in spacings; halves go up, as in src/case/geometry.c."""
    return np.floor(x + 0.5 + 1e-9)


class Shapes:
    """The faces of a case's shapes, from `sluice check --json`."""

    def __init__(self, case):
        self.low, self.high = np.array(case["domain_min"]), np.array(case["domain_max"])
        self.periodic = np.array(case["periodic"])
        faces = [(shape["asked_min"], shape["asked_max"]) for shape in case["shapes"]]
        flat = np.array(faces, dtype=float).reshape(-1, 2, len(self.low)) - self.low
        self.least, self.most = flat[:, 0], flat[:, 1]
        bounded = np.array([shape["bounded"] for shape in case["shapes"]], dtype=bool)
        self.bounded = bounded & (self.most > self.least)

    def misfit(self, h):
        """The largest relative change of a box's volume by the lattice; infinite if a periodic
        length is not a whole number of spacings."""
        lengths = (self.high - self.low)[self.periodic] / h
        if np.any(np.abs(lengths - np.round(lengths)) > WHOLE):
            return math.inf
        cells = nearest_face(self.most / h) - nearest_face(self.least / h)
        asked = np.where(self.bounded, self.most - self.least, 1.0)
        ratio = np.prod(np.where(self.bounded, cells * h / asked, 1.0), axis=1)
        return float(np.max(np.abs(ratio - 1), initial=0.0))

    def candidates(self, h, near):
        """Spacings that divide a length, between h / near and h near."""
        asked = (self.most - self.least)[self.bounded]
        lengths = np.concatenate(
            [(self.high - self.low)[self.periodic], self.most[self.bounded],
             self.least[self.bounded], asked]
        )
        found = set()
        for length in np.unique(np.round(lengths[lengths > h / near], 12)):
            for count in range(math.ceil(length / (h * near)), int(length * near / h) + 1):
                found.add(float(f"{length / count:.12g}"))
        return found

    def best_near(self, h, ratio):
        """The spacing near h that keeps the volumes best; of several the nearest; h itself unless
        that halves its misfit. Its distance from h is at most a quarter of that to the next
        spacing, which is `ratio` times as large or small."""
        most = self.misfit(h) / 2
        if most <= KEPT:
            return h
        misfits = {k: self.misfit(k) for k in self.candidates(h, ratio**0.25)}
        return min(
            (k for k in misfits if misfits[k] <= most and math.isfinite(misfits[k])),
            key=lambda k: (round(misfits[k] / KEPT), abs(math.log(k / h))),
            default=h,
        )

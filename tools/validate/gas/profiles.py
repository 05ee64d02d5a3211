"""The results of a gas run: its particles, their means, places of jumps and errors.

A mean is weighted by the volume m/rho of the particles; so is the L1 error, the mean of |f - exact|
over the particles asked for."""

import numpy as np


class Gas:
    """The particles of a snapshot, in the order of their ids: x, v [n, D] (m, m/s), rho (kg/m^3), p
    (Pa), u (J/kg), h (m), m (kg; kg/m in 2-D), volume (m^3; m^2 in 2-D), shape [n], time (s)."""

    def __init__(self, s, dimension):
        self.x, self.v = s.x[:, :dimension], s.velocity[:, :dimension]
        self.rho, self.p, self.u, self.h, self.m = (
            s.density, s.pressure, s.internal_energy, s.smoothing_length, s.mass)
        self.volume, self.shape, self.time, self.id = s.mass / s.density, s.shape, s.time, s.id

    def radial(self):
        """(r, v_r) about the origin, m and m/s."""
        r = np.linalg.norm(self.x, axis=1)
        return r, np.sum(self.x * self.v, axis=1) / np.maximum(r, 1e-300)


def gases(run):
    """The run's snapshots, one after the other."""
    for snapshot in run:
        yield Gas(snapshot, run.dimension)


def last(run):
    return Gas(run[-1], run.dimension)


def mean(gas, values, keep):
    """The mean of some particles; NaN if there are none."""
    volume = gas.volume[keep]
    return float(np.sum(volume * values[keep]) / np.sum(volume)) if len(volume) else float("nan")


def l1(gas, values, exact, keep):
    return mean(gas, np.abs(values - exact), keep)


def means_along(gas, place, values, width, low, high):
    """(places, means) of the particles in bins of a width from low to high; empty bins are left
    out. A bin's place is the mean of its particles' places."""
    keep = (place >= low) & (place < high)
    index = ((place[keep] - low) / width).astype(int)
    volume = gas.volume[keep]
    total = np.bincount(index, volume)
    full = total > 0
    return tuple(np.bincount(index, volume * q[keep])[full] / total[full] for q in (place, values))


def last_crossing(places, means, level):
    """The largest place where the means fall through a level, by a line between two bins."""
    above = np.nonzero(means >= level)[0]
    if not len(above) or above[-1] + 1 == len(means):
        return float("nan")
    i = above[-1]
    share = (means[i] - level) / (means[i] - means[i + 1])
    return float(places[i] + share * (places[i + 1] - places[i]))


def peak(places, means):
    """(place, height) of the highest bin: of the parabola through it and its neighbours."""
    i = int(np.argmax(means))
    if not 0 < i < len(means) - 1:
        return float(places[i]), float(means[i])
    a, b, c = np.polyfit(places[i - 1:i + 2] - places[i], means[i - 1:i + 2], 2)
    shift = -b / (2 * a)
    return float(places[i] + shift), float(c + b * shift / 2)


def orders(errors):
    """{(coarse, fine): observed order} of errors {resolution: error}."""
    found = sorted(errors.items())
    return {(n1, n2): float(np.log(e1 / e2) / np.log(n2 / n1))
            for (n1, e1), (n2, e2) in zip(found, found[1:])}

"""Harmonics of regular waves, and the bound and the free part of the second one.

An amplitude is complex: elevation = Re c exp(i n omega t), t from the run's start."""

import math
from dataclasses import dataclass

import numpy as np
from plot.modules import AskedError

from waves.theory import wave_number

COUNT = 3
SAMPLES = 12  # a period, at least: four of the third harmonic
# Where the matrix of bound and free waves has a larger condition number, noise is enlarged as much.
WORST = 5.0


@dataclass(frozen=True)
class Harmonics:
    """c [COUNT]: over whole periods. each [periods]: the first one of every period. left: the root
    mean square of the remainder over that of the record. start: of the whole periods, s."""

    c: np.ndarray
    each: np.ndarray
    left: float
    start: float

    @property
    def error(self):
        """The standard error of a real part of c[0], from the scatter of the periods."""
        spread = self.each - self.each.mean()
        return float(np.sqrt(np.sum(np.abs(spread) ** 2) / 2 / (len(spread) - 1) / len(spread)))

    @property
    def drift(self):
        """By how much |c[0]| grows over the window, by a straight line, over its mean."""
        size = np.abs(self.each)
        slope = np.polyfit(np.arange(len(size)), size, 1)[0]
        return float(slope * len(size) / size.mean())

    def relative_phase(self, n):
        """The phase of harmonic n + 1 over that of the first, -pi to pi; 0: sharper crests."""
        return float(np.angle(self.c[n] * np.exp(-1j * (n + 1) * np.angle(self.c[0]))))


def fit(time, elevation, period):
    """(c [COUNT], remainder [n]) by least squares, with a mean."""
    angle = 2 * math.pi / period * time
    columns = [np.ones_like(time)]
    for n in range(1, COUNT + 1):
        columns += [np.cos(n * angle), -np.sin(n * angle)]
    matrix = np.array(columns).T
    found = np.linalg.lstsq(matrix, elevation, rcond=None)[0]
    return found[1::2] + 1j * found[2::2], elevation - matrix @ found


def harmonics_of(gauge, period):
    """The Harmonics of a gauge's record over the whole periods before its end. AskedError: it has
    too few rows a period."""
    step = float(np.median(np.diff(gauge.time)))
    if period / step < SAMPLES:
        raise AskedError(f"'{gauge.name}' has {period / step:.1f} rows a period, and the third"
                         f" harmonic needs {SAMPLES}: every = {period / SAMPLES:.3g} of the probe"
                         " at most")
    end = gauge.time[-1]
    count = math.floor((end - gauge.time[0] + step) / period)
    edges = end + 0.5 * step - period * np.arange(count, -1, -1)
    inside = gauge.time >= edges[0]
    c, left = fit(gauge.time[inside], gauge.elevation[inside], period)
    each = []
    for low, high in zip(edges[:-1], edges[1:]):
        one = (gauge.time >= low) & (gauge.time < high)
        each.append(fit(gauge.time[one], gauge.elevation[one], period)[0][0])
    part = gauge.elevation[inside]
    spread = part.std() or 1.0
    return Harmonics(c, np.array(each), float(np.sqrt(np.mean(left**2)) / spread), float(edges[0]))


def number_by_phase(places, first, k):
    """The wavenumber, 1/m, by the phases of the first harmonic over the places: the slope nearest
    to k, without reflection."""
    beyond = np.unwrap(np.angle(first * np.exp(1j * k * places)))
    return float(k - np.polyfit(places, beyond, 1)[0])


@dataclass(frozen=True)
class SecondHarmonic:
    """Amplitudes, m, at the first gauge; left: what both leave over the second harmonic."""

    bound: complex
    free: complex
    left: float
    k_bound: complex  # with the decay
    k_free: float
    condition: float

    def at(self, places):
        """The amplitude of both together at places, m from the first gauge."""
        return (self.bound * np.exp(-1j * self.k_bound * places)
                + self.free * np.exp(-1j * self.k_free * places))


def second_harmonic(places, second, k, omega, maker, decay=0.0):
    """The bound and the free part. places [n], m, from the first gauge; second [n]: amplitudes of 2
    omega; k and decay (1/m) of the first harmonic. A bound wave has 2 k, and decays with the square
    of the first harmonic; a free one has the wavenumber of 2 omega, and keeps its height. No part
    comes back from a beach. AskedError: the gauges cannot tell them apart."""
    k_free = float(wave_number(2 * omega, maker.depth, maker.gravity))
    beat = 2 * math.pi / abs(k_free - 2 * k)
    k_bound = 2 * (k - 1j * decay)
    matrix = np.array([np.exp(-1j * k_bound * places), np.exp(-1j * k_free * places)]).T
    condition = float(np.linalg.cond(matrix))
    if condition > WORST:
        raise AskedError("the gauges do not tell the bound from the free second harmonic: condition"
                         f" {condition:.3g}, and {WORST:g} at most is needed: both are in phase"
                         f" every {beat:.3g} m; put gauges {beat / 4:.2g} to {beat / 2:.2g} m"
                         " apart")
    found = np.linalg.lstsq(matrix, second, rcond=None)[0]
    left = np.linalg.norm(second - matrix @ found) / (np.linalg.norm(second) or 1.0)
    return SecondHarmonic(complex(found[0]), complex(found[1]), float(left), k_bound, k_free,
                          condition)  # fmt: skip

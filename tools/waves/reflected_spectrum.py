"""Reflection of irregular waves by three or more gauges, frequency by frequency (Mansard & Funke
1980; of two gauges Goda & Suzuki 1976). The wavenumber is that of linear theory, the loss is given.
"""

import math
from dataclasses import dataclass

import numpy as np
from plot.modules import AskedError

from waves.gauges import uniform
from waves.reflection import LEAST, check_places, determinant
from waves.theory import wave_number

TAPER = 0.1  # of the record at each end
COVERED = 0.5  # of the band's energy, at least


@dataclass(frozen=True)
class ReflectedSpectrum:
    """f [n], Hz, where the gauges tell the directions apart; incident and reflected [n], m^2 a
    frequency: sums are m0. covered: the part of the band's energy at these frequencies. left: the
    remainder over all energy, as a root."""

    f: np.ndarray
    incident: np.ndarray
    reflected: np.ndarray
    covered: float
    left: float

    @property
    def ratio(self):
        return math.sqrt(self.reflected.sum() / self.incident.sum())


def taper(count):
    """A cosine at both ends, 1 between."""
    edge = max(1, int(TAPER * count))
    rise = 0.5 - 0.5 * np.cos(math.pi * (np.arange(edge) + 0.5) / edge)
    window = np.ones(count)
    window[:edge], window[-edge:] = rise, rise[::-1]
    return window


def transforms(gauges):
    """(f [n], amplitudes [gauge, n]) at common times, of records with tapered ends."""
    step = max(float(np.median(np.diff(gauge.time))) for gauge in gauges)
    start = max(gauge.time[0] for gauge in gauges)
    count = int((min(gauge.time[-1] for gauge in gauges) - start) / step) + 1
    window = taper(count)
    scale = 2 / count / math.sqrt(np.mean(window**2))
    rows = [uniform(gauge, step, start, count)[1] for gauge in gauges]
    return (np.fft.rfftfreq(count, step),
            np.array([np.fft.rfft((row - row.mean()) * window) * scale for row in rows]))


def reflected_spectrum(gauges, maker, loss=0.0):
    """A ReflectedSpectrum over the band of the maker's target. loss: of a length of each frequency.
    AskedError: there are too few gauges, or they tell too little."""
    places = np.array([gauge.distance - gauges[0].distance for gauge in gauges])
    check_places(places, maker.k)
    f, all_amplitudes = transforms(gauges)
    band = (f >= maker.target.low) & (f <= maker.target.high)
    f, c = f[band], all_amplitudes[:, band]
    k = wave_number(2 * math.pi * f, maker.depth, maker.gravity)
    resolved = determinant(places, k) >= LEAST
    energy = np.sum(np.abs(c) ** 2, axis=0)
    covered = float(energy[resolved].sum() / energy.sum())
    if covered < COVERED:
        raise AskedError(f"the gauges tell incident from reflected waves in {100 * covered:.0f}% of"
                         f" the band's energy alone, and {100 * COVERED:.0f}% are needed: put them"
                         f" nearer to each other, 0, {0.1 * maker.length:.3g} and"
                         f" {0.27 * maker.length:.3g} m apart")
    f, c, k = f[resolved], c[:, resolved], k[resolved]
    decay = -math.log(1 - loss) * k / (2 * math.pi)
    grow = np.exp(np.multiply.outer(1j * k + decay, places))
    matrix = np.stack([1 / grow, grow], axis=-1)
    found = np.einsum("fag,gf->fa", np.linalg.pinv(matrix), c)
    left = c.T - np.einsum("fga,fa->fg", matrix, found)
    return ReflectedSpectrum(f, 0.5 * np.abs(found[:, 0]) ** 2, 0.5 * np.abs(found[:, 1]) ** 2,
                             covered, float(np.linalg.norm(left) / np.linalg.norm(c)))

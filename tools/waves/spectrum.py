"""Spectra of records: Welch (1967), and their moments."""

import math
from dataclasses import dataclass

import numpy as np

from waves.gauges import uniform
from waves.theory import integral

LEAST_PERIODS = 20  # of a segment
SEGMENTS = 16  # of whole segments in a long record


@dataclass(frozen=True)
class Spectrum:
    """f [n], Hz; density [n], m^2/Hz. freedom: equivalent degrees of freedom. resolution: Hz."""

    f: np.ndarray
    density: np.ndarray
    freedom: float
    resolution: float
    segments: int


def welch(y, step, count):
    """The Spectrum of y by segments of `count` values that overlap by half, with Hann's window."""
    window = 0.5 - 0.5 * np.cos(2 * math.pi * (np.arange(count) + 0.5) / count)
    starts = range(0, len(y) - count + 1, count // 2)
    total = np.zeros(count // 2 + 1)
    for first in starts:
        part = y[first : first + count] - y.mean()
        total += np.abs(np.fft.rfft(part * window)) ** 2
    many = len(starts)
    density = 2 * total / many * step / np.sum(window**2)
    density[0] /= 2
    # Welch's (1967) variance of a mean of segments: Hann's at half overlap correlate by 1/6.
    freedom = 2 * many / (1 + 2 * (1 - 1 / many) / 36)
    return Spectrum(np.fft.rfftfreq(count, step), density, freedom, 1.5 / (count * step), many)


def spectrum_of(gauge, period):
    """The Spectrum of a gauge's record, whose peak is about 1/period."""
    step, y, _ = uniform(gauge)
    duration = len(y) * step
    segment = min(duration, max(LEAST_PERIODS * period, duration / SEGMENTS))
    return welch(y, step, min(len(y), 2 * int(0.5 * segment / step)))


def peak_of(spectrum, low, high):
    """The frequency of the highest value from low to high, Hz, by a parabola of the logarithm."""
    inside = np.flatnonzero((spectrum.f >= low) & (spectrum.f <= high) & (spectrum.density > 0))
    if not len(inside):
        return None
    i = inside[int(np.argmax(spectrum.density[inside]))]
    f, around = spectrum.f, spectrum.density[i - 1 : i + 2]
    if not 0 < i < len(f) - 1 or np.any(around <= 0):
        return float(f[i])
    y = np.log(around)
    bend = y[2] - 2 * y[1] + y[0]
    return float(f[i] - 0.5 * (y[2] - y[0]) / bend * (f[1] - f[0])) if bend < 0 else float(f[i])


def moments(gauge, low, high):
    """(m0, m-1) of the part from low to high, Hz, by the periodogram of the whole record, which no
    window blurs: m^2, m^2 s."""
    step, y, _ = uniform(gauge)
    power = 2 * np.abs(np.fft.rfft(y - y.mean())) ** 2 / len(y) ** 2
    if len(y) % 2 == 0:
        power[-1] /= 2
    f = np.fft.rfftfreq(len(y), step)
    inside = (f >= low) & (f <= high) & (f > 0)
    return float(power[inside].sum()), float((power[inside] / f[inside]).sum())


def sea_state(gauge, spectrum, target, components=0):
    """Hm0, Tp, Tm-1,0 of a record; with a target those of its band, and over the target's. Hm0_all
    is of all frequencies; `below` and `above` are the parts of m0 beside the band."""
    variance = float(np.var(gauge.elevation))
    low, high = (target.low, target.high) if target else (0.0, math.inf)
    m0, inverse = moments(gauge, low, high)
    under, over = (moments(gauge, *ends)[0] for ends in ((0.0, low), (high, math.inf)))
    peak = peak_of(spectrum, low, high)
    found = {
        "m0": m0, "Hm0": 4 * math.sqrt(m0), "Tp": 1 / peak if peak else None,
        "Tm10": inverse / m0 if m0 > 0 else None, "Hm0_all": 4 * math.sqrt(variance),
        "below": under / variance if target and variance else 0.0,
        "above": over / variance if target and variance else 0.0,
        "freedom": spectrum.freedom, "segments": spectrum.segments,
        "resolution": spectrum.resolution,
    }  # fmt: skip
    if target:
        duration = float(gauge.time[-1] - gauge.time[0])
        found["target"] = {"Hm0": target.height, "Tp": 1 / target.peak,
                           "Tm10": target.mean_period(),
                           "m0": integral(target.at(target.frequencies()), target.frequencies())}
        found["ratio"] = {key: found[key] / found["target"][key] if found[key] else None
                          for key in ("Hm0", "Tp", "Tm10")}  # fmt: skip
        found["scatter"] = target.scatter(duration, components)
        found["sea_scatter"] = target.sea_scatter(duration)
    return found

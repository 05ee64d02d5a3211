"""The pictures of an analysis."""

import math

import matplotlib.pyplot as plt
import numpy as np
from plot.fields import label_axis
from plot.pictures import COLOURS, DASHES

MOST = 8  # panels of gauges
SHOWN = 12  # periods in a panel


def chosen(gauges):
    """At most MOST gauges, from the first to the last."""
    if len(gauges) <= MOST:
        return gauges
    return [gauges[round(i * (len(gauges) - 1) / (MOST - 1))] for i in range(MOST)]


def gauges_picture(result):
    """A panel a gauge: the record, and theory where the table has it."""
    gauges, period = chosen(result.gauges), result.window.period
    figure, axes = plt.subplots(len(gauges), 1, figsize=(7.5, 1.2 + 1.25 * len(gauges)),
                                sharex=True, sharey=True, squeeze=False)  # fmt: skip
    start, end = result.window.start, result.window.end
    if period and end - start > SHOWN * period:
        start = end - SHOWN * period
    figure.suptitle(f"{result.run.title}: wave gauges", fontsize=11)
    for place, gauge in zip(axes[:, 0], gauges):
        part = gauge.between(start, end)
        if part.theory is not None:
            place.plot(part.time, part.theory, color="0.6", linewidth=2.2, label="theory")
        place.plot(part.time, part.elevation, color=COLOURS[0], label="Sluice")
        place.set_title(f"{gauge.name}, {gauge.distance:.4g} m from "
                        + ("the paddle" if result.maker else "x = 0"), loc="left")
        place.set_xlim(start, end)
    for place in axes[:, 0]:
        label_axis(place.yaxis, "elevation", result.run.units["length"])
    axes[-1, 0].set_xlabel(f"time ({result.run.units['time']})")
    if gauges[0].theory is not None:
        axes[0, 0].legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1, ncols=2,
                          frameon=False)  # fmt: skip
    return figure


def binned(one, width):
    """(f, incident, reflected) densities, m^2/Hz, of bins of `width`, Hz."""
    step = np.min(np.diff(one.f))
    bins = np.floor((one.f - one.f[0]) / width).astype(int)
    count = np.bincount(bins)
    kept = count > 0
    return [np.bincount(bins, values)[kept] / count[kept]
            for values in (one.f, one.incident / step, one.reflected / step)]


def spectrum_picture(result):
    """The spectra of the gauges, the target's, and where they are known the incident and the
    reflected one."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    figure.suptitle(f"{result.run.title}: spectra", fontsize=11)
    target = result.maker.target if result.maker else None
    shown = list(zip(chosen(result.gauges), DASHES * 2, COLOURS * 2))
    spectra = dict(zip((gauge.name for gauge in result.gauges), result.spectra))
    for gauge, dashes, colour in shown:
        one = spectra[gauge.name]
        axes.plot(one.f, one.density, color=colour, linestyle=dashes, label=gauge.name)
    if target:
        f = np.linspace(0.8 * target.low, 1.05 * target.high, 400)
        axes.plot(f, target.at(f), color="0.5", linewidth=2.4, alpha=0.7, zorder=1, label="target")
        axes.set_xlim(0.5 * target.low, 1.05 * target.high)
    else:
        total = np.cumsum(spectra[result.gauges[0].name].density)
        one = spectra[result.gauges[0].name]
        axes.set_xlim(0, one.f[np.searchsorted(total, 0.995 * total[-1])] * 1.2)
    if result.reflected:
        f, incident, back = binned(result.reflected, result.spectra[0].resolution)
        axes.plot(f, incident, color="#333333", linewidth=1.0, label="incident")
        axes.fill_between(f, 0, back, color="#333333", alpha=0.35, linewidth=0, label="reflected")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("frequency (Hz)")
    axes.set_ylabel("spectral density (m²/Hz)")
    axes.legend()
    return figure


def flume_picture(result):
    """The first and the second harmonic along the flume, with the incident and the reflected wave
    and the amplitude of both together."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    figure.suptitle(f"{result.run.title}: amplitudes along the flume", fontsize=11)
    x = np.array([gauge.distance for gauge in result.gauges])
    margin = 0.08 * np.ptp(x) + 0.02 * result.maker.length
    fine = np.linspace(x[0] - margin, x[-1] + margin, 600)
    for n, colour in enumerate(COLOURS[:2]):
        values = [abs(found.c[n]) for found in result.harmonics]
        axes.plot(x, values, "os"[n], color=colour, markersize=5, zorder=3,
                  label=f"harmonic {n + 1}, gauges")
    if result.reflection:
        incident, back = result.reflection.at(fine - x[0])
        axes.plot(fine, np.abs(incident + back), color=COLOURS[0], alpha=0.6,
                  label="both waves together")
        axes.plot(fine, np.abs(incident), color="0.3", linestyle=DASHES[1], label="incident")
        axes.plot(fine, np.abs(back), color="0.3", linestyle=DASHES[2], label="reflected")
    if result.second:
        axes.plot(fine, np.abs(result.second.at(fine - x[0])), color=COLOURS[1], alpha=0.6,
                  label="bound and free together")
    axes.axhline(result.maker.height / 2, color="0.6", linewidth=1.0, zorder=1, label="H/2")
    axes.set_xlim(fine[0], fine[-1])
    axes.set_ylim(bottom=0, top=1.35 * max(axes.get_ylim()[1] / 1.05, 1e-12))
    axes.set_xlabel("distance from the paddle (m)")
    label_axis(axes.yaxis, "amplitude", result.run.units["length"])
    axes.legend(ncols=3, loc="upper center")
    return figure


def pictures_of(result):
    """(name, figure) of each picture, one at a time."""
    yield "waves_gauges", gauges_picture(result)
    if result.spectra:
        yield "waves_spectrum", spectrum_picture(result)
    if result.harmonics and not math.isclose(np.ptp(result.places), 0):
        yield "waves_flume", flume_picture(result)

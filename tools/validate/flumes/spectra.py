"""Waves of many components: a JONSWAP spectrum, and a focused group."""

from dataclasses import replace

import numpy as np
from plot.pictures import COLOURS
from waves.agreement import agreement
from waves.gauges import Gauge
from waves.maker import makers_of
from waves.spectrum import spectrum_of
from waves.theory import Target, group_speed, integral, wave_number

from validate.flumes.setups import DEPTH, GRAVITY, Train, flume
from validate.trial import case

SLOPE = 12.0  # the cotangent of a beach that takes most of the long waves
BAND = 0.6, 2.5  # over the peak's frequency, the maker's own


def gauge_of(run, name, place, start):
    """The waves' Gauge of a height probe, from `start` (s) on."""
    table = run.probes()[name]
    gauge = Gauge(name, (place,), place, table["time"], table["elevation"], table["theory"], False,
                  False)
    return gauge.between(start, table["time"][-1])


def mean_period(gauge, period):
    """Tm-1,0 (s) of the record and of the theory, over the maker's band."""
    found = []
    for record in (gauge.elevation, gauge.theory):
        one = Gauge(gauge.name, gauge.at, gauge.distance, gauge.time, record, None, False, False)
        spectrum = spectrum_of(one, period)
        inside = (spectrum.f >= BAND[0] / period) & (spectrum.f <= BAND[1] / period)
        f, s = spectrum.f[inside], spectrum.density[inside]
        found.append(integral(s / f, f) / integral(s, f))
    return found


def show(axes, gauge, label, colour):
    axes.plot(gauge.time, 1000 * gauge.elevation, color=colour, linewidth=0.9, label=label)
    axes.plot(gauge.time, 1000 * gauge.theory, color="0.3", linestyle=":", label="linear theory")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("elevation (mm)")
    axes.legend()


@case("jonswap", "A JONSWAP spectrum of a piston", (), on_gpu=(50,))
def irregular(trial):
    """A piston makes a JONSWAP spectrum with kd = 1 at the peak, Hs/d = 0.1, d = 0.4 m, gamma 3.3;
    after four lengths comes a beach of 1:12. A gauge two lengths from the paddle is compared with
    the sum of the components there, its column `theory`, over sixty periods of the peak after its
    slowest waves have come: the correlation is at least 0.97, the ratio of Hs may be off by 4%,
    the lag by 2% of the peak's period, and Tm-1,0, both by the same spectra, by 2%. Waves that the
    beach returns, and waves bound to components, are not in that sum. That the paddle's components
    have m0 = Hs^2/16 to rounding is a test of its own. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=8.0)
    train = Train(1.0, 0.1)
    period, place, flat = train.period, 2 * train.length, 4 * train.length
    motion = (f'wave = "irregular"; height = {train.height:.12g}; period = {period:.12g};'
              " seed = 1;")
    slowest = group_speed(BAND[1] * train.omega, DEPTH, GRAVITY)
    start = 2 * period + place / slowest
    for n, colour in zip(trial.resolutions, COLOURS):
        config = flume(DEPTH / n, flat, motion, [place], start + 60 * period, SLOPE)
        run = trial.run(f"{n}", config, "gentle")
        (maker,) = makers_of(run.config)
        gauge = gauge_of(run, "g0", place, max(start, maker.steady(place)))
        found = agreement(gauge, period)
        trial.check(f"d/{n}: correlation with theory", found["correlation"], 1, low=0.97)
        trial.within(f"d/{n}: Hs over theory's, less 1", found["ratio"] - 1, 0.04)
        trial.within(f"d/{n}: lag, peak periods", found["lag"] / period, 0.02)
        measured, theory = mean_period(gauge, period)
        trial.within(f"d/{n}: Tm-1,0 over theory's, less 1", measured / theory - 1, 0.02,
                     note=f"{measured:.4f} s, the target {maker.target.mean_period():.4f} s")
        show(axes, gauge.between(gauge.time[0], gauge.time[0] + 20 * period), f"d/{n}", colour)


STEEP = 0.1  # the sum of k a of the group's components


def group_height(train):
    """The crest (m) of a group of the maker's spectrum whose sum of k a is STEEP."""
    peak = 1 / train.period
    target = Target(1.0, peak, 3.3, BAND[0] * peak, BAND[1] * peak)
    f = target.frequencies()
    share = target.at(f)
    k = wave_number(2 * np.pi * f, DEPTH, GRAVITY)
    return STEEP * integral(share, f) / integral(share * k, f)


@case("focused-group", "A focused group of a piston", (), on_gpu=(50,))
def focused(trial):
    """A piston makes a group of a JONSWAP spectrum, kd = 1 at the peak, d = 0.4 m, whose crests
    meet two lengths from it; its amplitudes are proportional to the spectrum (Tromans et al. 1991),
    and the sum of their k a is 0.1. A second run makes its negative, a trough. Half the difference
    of both records at the focus has no second order (Johannessen & Swan 2001). From five periods
    before the focus to five after it, it is compared with the linear sum, the column `theory`: the
    correlation is at least 0.97, and the crest may be off by 6%. For comparison: the crest and the
    trough of the two runs. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=8.0)
    train = Train(1.0, 0.1)
    period, place, flat = train.period, 2 * train.length, 4 * train.length
    slowest = group_speed(BAND[1] * train.omega, DEPTH, GRAVITY)
    # The slowest waves leave after the ramp, and before the focus pass the gauge for five periods.
    focus = 2 * period + place / slowest + 5 * period
    for n, colour in zip(trial.resolutions, COLOURS):
        both = []
        for name, degrees in (("crest", 0.0), ("trough", 180.0)):
            motion = (f'wave = "focused"; height = {group_height(train):.12g};'
                      f" period = {period:.12g}; focus_at = {place:.12g};"
                      f" focus_time = {focus:.12g}; focus_phase = {degrees};")
            config = flume(DEPTH / n, flat, motion, [place], focus + 5 * period, SLOPE)
            run = trial.run(f"{n}-{name}", config, "gentle")
            both.append(gauge_of(run, "g0", place, focus - 5 * period))
        judge_group(trial, f"d/{n}", both, period)
        show(axes, odd_part(*both), f"d/{n}, half the difference", colour)


def odd_part(crest, trough):
    """The Gauge of half the difference of two records."""
    count = min(len(crest.time), len(trough.time))
    return replace(crest, time=crest.time[:count],
                   elevation=(crest.elevation[:count] - trough.elevation[:count]) / 2,
                   theory=(crest.theory[:count] - trough.theory[:count]) / 2)


def judge_group(trial, label, both, period):
    gauge = odd_part(*both)
    found = agreement(gauge, period)
    trial.check(f"{label}: correlation with theory", found["correlation"], 1, low=0.97)
    highest = gauge.theory.max()
    trial.within(f"{label}: crest over theory's, less 1", gauge.elevation.max() / highest - 1, 0.06,
                 note=f"theory {1000 * highest:.1f} mm")
    late = gauge.time[np.argmax(gauge.elevation)] - gauge.time[np.argmax(gauge.theory)]
    trial.check(f"{label}: lag of the crest, peak periods", late / period, None)
    crest, trough = both
    trial.check(f"{label}: crest of its run over theory's", crest.elevation.max() / highest, None)
    trial.check(f"{label}: trough of its run over theory's", -trough.elevation.min() / highest,
                None)


CASES = (irregular, focused)

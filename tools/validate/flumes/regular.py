"""Regular waves of a piston: their height along a flume, their second harmonic, the level."""

import math

import numpy as np
from plot.pictures import COLOURS
from waves.harmonics import number_by_phase, second_harmonic
from waves.maker import makers_of

from validate.flumes.setups import DEPTH, GRAVITY, Train, elevations, flume, harmonics
from validate.steady_wave import SteadyWave
from validate.trial import case

SLOPE = 8.0  # the cotangent of the beach


def fits(t, rise, period, count):
    """Complex amplitudes [gauge, harmonic] over the last `count` periods."""
    last = t >= t[-1] - count * period
    return np.array([harmonics(t[last], one[last], period) for one in rise])


@case("wave-flume", "Regular waves of a piston", (5,), on_gpu=(5, 10))
def regular(trial):
    """A piston makes waves of kd = 1, H/d = 0.25, d = 0.4 m (order 2), with the settings of
    `configs/wave_flume.cfg`; after four lengths comes a beach of 1:8. The first harmonic is fitted
    over the last two periods before the echo of the flume's end. It is compared with that of a
    steady wave of the paddle's H and period without mean flow (Rienecker & Fenton 1981): the mean
    of five gauges from 0.5 to 1.5 lengths may be off by 4%, and the phase at 3 lengths by 2% of a
    period. From one length to three the mean of three gauges each may fall by 3%, at H/10 by 2%.
    Resolutions: spacings in H."""
    (axes,) = trial.axes(wide=6.0)
    train = Train(1.0, 0.25)
    wave = SteadyWave.in_flume(train.height, train.period, DEPTH, GRAVITY)
    lengths = np.array([0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 2.75, 3.0, 3.25])
    places, flat = lengths * train.length, 4 * train.length
    end = (2 * (flat + SLOPE * DEPTH) - places[-1]) / train.group()
    for n, colour in zip(trial.resolutions, COLOURS):
        config = flume(train.height / n, flat, train.motion(), places, end)
        t, rise = elevations(trial.run(f"{n}", config, "gentle"), places)
        first = fits(t, rise, train.period, 2)[:, 0]
        size = np.abs(first) / wave.amplitude[1]
        trial.within(f"H/{n}: first harmonic at 0.5 to 1.5 lengths over theory's, less 1",
                     np.mean(size[:5]) - 1, 0.04)
        trial.check(f"H/{n}: loss from 1 to 3 lengths", 1 - np.mean(size[7:]) / np.mean(size[1:4]),
                    0.03 if n < 10 else 0.02)
        away = np.angle(first[8] * np.exp(1j * wave.k * places[8])) / (2 * math.pi)
        # The paddle's surface is highest as it passes its middle, at t = 0 of its phase.
        trial.within(f"H/{n}: phase at 3 lengths, periods", away, 0.02)
        axes.plot(lengths, size, "o-", color=colour, label=f"H/{n}")
    axes.axhline(1, color="0.5")
    axes.set_xlabel("distance / length")
    axes.set_ylabel("first harmonic / theory")
    axes.legend()


LONG = 16  # lengths of level floor


@case("wave-flume-long", "Regular waves over ten lengths", (), on_gpu=(5, 10))
def long_flume(trial):
    """Regular waves of kd = 1, H/d = 0.25, d = 0.4 m (order 2), as in the flume above, here with 16
    lengths of level floor before the beach of 1:8. Each gauge fits the first harmonic over four
    periods, from nine periods after the front of the waves passed the farthest gauge, and before
    the echo of the flume's end. The mean of five gauges around one length (0.5 to 1.5) and that of
    five around ten (9.5 to 10.5) leave no part of a standing wave. From the first to the second
    the harmonic may fall by 7%, at H/10 by 5%. For comparison: both over a steady wave's without
    mean flow (Rienecker & Fenton 1981), and the phase at ten lengths. Resolutions: spacings in
    H."""
    (axes,) = trial.axes(wide=6.0)
    train = Train(1.0, 0.25)
    wave = SteadyWave.in_flume(train.height, train.period, DEPTH, GRAVITY)
    near = np.arange(0.5, 1.51, 0.25)
    lengths = np.concatenate([near, np.arange(2.0, 9.01), near + 9])
    places, flat = lengths * train.length, LONG * train.length
    end = places[-1] / train.group() + 13 * train.period  # dispersion spreads the front over nine
    for n, colour in zip(trial.resolutions, COLOURS):
        config = flume(train.height / n, flat, train.motion(), places, end)
        t, rise = elevations(trial.run(f"{n}", config, "gentle"), places)
        first = fits(t, rise, train.period, 4)[:, 0]
        size = np.abs(first) / wave.amplitude[1]
        trial.check(f"H/{n}: loss from 1 to 10 lengths", 1 - np.mean(size[-5:]) / np.mean(size[:5]),
                    0.07 if n < 10 else 0.05)
        for mean, where in ((np.mean(size[:5]), 1), (np.mean(size[-5:]), 10)):
            trial.check(f"H/{n}: first harmonic around {where} over theory's, less 1", mean - 1,
                        None)
        away = np.angle(first[-3] * np.exp(1j * wave.k * places[-3])) / (2 * math.pi)
        trial.check(f"H/{n}: phase at 10 lengths, periods", away, None)
        axes.plot(lengths, size, "o-", color=colour, label=f"H/{n}")
    axes.axhline(1, color="0.5")
    axes.set_xlabel("distance / length")
    axes.set_ylabel("first harmonic / theory")
    axes.legend()


def second_parts(run, train, places):
    """Bound and free second harmonic over the first one, and the SecondHarmonic."""
    t, rise = elevations(run, places)
    first, second = fits(t, rise, train.period, 2)[:, :2].T
    ahead = places - places[0]
    k = number_by_phase(ahead, first, train.k)
    (maker,) = makers_of(run.config)
    found = second_harmonic(ahead, second, k, train.omega, maker)
    size = float(np.mean(np.abs(first)))
    return abs(found.bound) / size, abs(found.free) / size, found, second, size


@case("second-harmonic", "Second harmonic of a piston", (25,))
def second(trial):
    """A piston makes waves of kd = 0.6, H/d = 0.15, d = 0.4 m, by the first order and by the second
    (Schaeffer 1996). The second harmonic of seven gauges from 0.8 to 4.4 m, over two periods before
    the echo of the flume's end, is separated into the bound part, of twice the wavenumber, and the
    free one, of the wavenumber of twice the frequency. Over the first harmonic the bound one should
    be 0.190 (Stokes; for comparison). The free one may be 5% by order 2, and must be over 10% by
    order 1. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0)
    train = Train(0.6, 0.15)
    places = np.arange(0.8, 4.41, 0.6)
    flat = 10.4
    end = (2 * (flat + SLOPE * DEPTH) - places[-1]) / train.group()
    for n in trial.resolutions:
        for order, colour in zip((1, 2), COLOURS):
            config = flume(DEPTH / n, flat, train.motion(order), places, end)
            run = trial.run(f"{n}-{order}", config, "gentle")
            bound, free, found, measured, size = second_parts(run, train, places)
            label = f"d/{n}, order {order}"
            if order == 1:
                trial.check(f"{label}: free second harmonic over the first", free, 1, low=0.10)
            else:
                trial.check(f"{label}: free second harmonic over the first", free, 0.05)
            trial.check(f"{label}: bound one over the first", bound, None, note="theory 0.190")
            trial.check(f"{label}: what both leave, over the second harmonic", found.left, None)
            fine = np.linspace(places[0], places[-1], 100)
            axes.plot(places, np.abs(measured) / size, "o", color=colour, label=label)
            axes.plot(fine, np.abs(found.at(fine - places[0])) / size, color=colour)
    axes.set_xlabel("distance from the paddle (m)")
    axes.set_ylabel("second harmonic / first")
    axes.set_ylim(bottom=0)
    axes.legend()


PERIODS, EACH = 30, 5  # of the run, and of a mean


@case("wave-level", "Level of a flume over thirty periods", (16,))
def level(trial):
    """The waves of `configs/wave_flume.cfg` (kd = 1, H/d = 0.25, d = 0.4 m) run for thirty periods
    in a flume of two lengths with a beach of 1:4. The mean elevation of ten gauges over each five
    periods stays within 0.1 spacings of the level at rest, and no particle is lost. Resolutions:
    particles in the depth."""
    (axes,) = trial.axes(wide=6.0)
    train = Train(1.0, 0.25)
    places, flat = np.linspace(0.1, 1.9, 10) * train.length, 2 * train.length
    for n, colour in zip(trial.resolutions, COLOURS):
        dp = DEPTH / n
        config = flume(dp, flat, train.motion(), places, PERIODS * train.period, slope=4.0)
        run = trial.run(f"{n}", config, "gentle")
        t, rise = elevations(run, places)
        group = np.minimum((t / train.period / EACH).astype(int), PERIODS // EACH - 1)
        means = np.array([np.mean(rise[:, group == i]) for i in range(PERIODS // EACH)]) / dp
        trial.within(f"d/{n}: mean level of {EACH} periods, the farthest of {len(means)}, dp",
                     means[np.argmax(np.abs(means))], 0.1)
        table = run.energy()
        trial.check(f"d/{n}: particles lost", table["particles"][0] - table["particles"][-1], 0)
        axes.plot((np.arange(len(means)) + 0.5) * EACH, means, "o-", color=colour, label=f"d/{n}")
    axes.axhline(0, color="0.5")
    axes.set_xlabel("time / period")
    axes.set_ylabel("mean level / dp")
    axes.legend()


CASES = (regular, long_flume, second, level)

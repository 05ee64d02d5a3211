#!/usr/bin/env python3
# test: 4 s
"""The parts of `sluice waves` on records made of exact formulas: single waves, harmonics, bound and
free waves, reflection, spectra, agreement with theory, solitary waves."""

import math
import sys

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

from plot.modules import AskedError  # noqa: E402, I100
from waves import agreement, crossings, harmonics, reflected_spectrum, reflection  # noqa: E402
from waves import solitary, spectrum, theory  # noqa: E402
from waves.gauges import Gauge  # noqa: E402
from waves.maker import Maker  # noqa: E402
from waves.theory import Target  # noqa: E402

DEPTH, GRAVITY, PERIOD = 0.4, 9.81, 1.4537
OMEGA = 2 * math.pi / PERIOD
K = float(theory.wave_number(OMEGA, DEPTH, GRAVITY))
LENGTH = 2 * math.pi / K
GOOD = np.array([0.0, 0.1, 0.27]) * LENGTH


def gauge(time, elevation, distance=1.0, column=None, name="g"):
    return Gauge(name, (distance,), distance, np.asarray(time, float),
                 np.asarray(elevation, float), column, False, False)  # fmt: skip


def maker(**changed):
    values = {"name": "m", "wave": "regular", "depth": DEPTH, "height": 0.1, "gravity": GRAVITY,
              "direction": (1.0, 0.0), "face": 0.0, "end": None, "start": 0.0, "ramp": 2 * PERIOD,
              "stop": math.inf, "period": PERIOD} | changed  # fmt: skip
    return Maker(**values)


def near(value, wanted, tolerance, name):
    ok(abs(value - wanted) <= tolerance, name, f"{value}, wanted {wanted} +- {tolerance}")


def refused(name, words, function, *arguments):
    """The function refuses, and its text has all words."""
    try:
        function(*arguments)
        ok(False, name, "nothing was refused")
    except AskedError as error:
        ok(all(word in str(error) for word in words), name, error)


def test_linear_waves():
    omega = np.array([0.05, 1.0, OMEGA, 40.0])
    k = theory.wave_number(omega, DEPTH, GRAVITY)
    off = np.abs(GRAVITY * k * np.tanh(k * DEPTH) / omega**2 - 1)
    ok(off.max() < 1e-12, "wavenumbers solve the dispersion relation, from shallow to deep", off)
    step = 1e-5
    ends = theory.wave_number(OMEGA * np.array([1 - step, 1 + step]), DEPTH, GRAVITY)
    near(float(theory.group_speed(OMEGA, DEPTH, GRAVITY)), 2 * step * OMEGA / np.diff(ends)[0],
         1e-8, "the group speed is d omega/dk")  # fmt: skip


def test_crossings():
    """Three waves of known heights, each a sine, again and again; the mean level is no 0."""
    heights, periods = np.array([0.04, 0.10, 0.07]), np.array([1.0, 1.5, 1.25])
    time, y, last = [], [], 0.0
    for n in range(12):
        t = np.arange(last, last + periods[n % 3] - 1e-9, 0.025)
        time.append(t)
        y.append(-heights[n % 3] / 2 * np.sin(2 * math.pi * (t - last) / periods[n % 3]))
        last += periods[n % 3]
    time, y = np.concatenate(time), np.concatenate(y)
    found = crossings.waves_of(time, y + 0.3 - y.mean()).summary()
    # The first record begins at a crossing, which has no row above it before.
    used = [heights[n % 3] for n in range(1, 11)]
    ok(found["waves"] == len(used), "waves are counted", found)
    near(found["height_mean"], np.mean(used), 1e-4, "their mean height")
    near(found["height_third"], 0.1, 1e-4, "the highest third")
    near(found["height_max"], 0.1, 1e-4, "the highest")
    near(found["period_mean"], np.mean([periods[n % 3] for n in range(1, 11)]), 1e-3, "mean period")
    near(found["crest"], 0.05, 1e-4, "the highest crest")
    still = np.arange(0, 5, 0.025)
    pause = np.concatenate([y, 0.001 * np.sin(6 * math.pi * still), y])
    ok(crossings.waves_of(0.025 * np.arange(len(pause)), pause).summary()["waves"] == 22,
       "ripples of 1 mm between two groups are no waves")
    ok(crossings.waves_of(time, np.zeros_like(time)).summary()
       == {"waves": 0, "height_mean": None, "height_third": None, "height_max": None,
           "period_mean": None, "crest": None, "trough": None}, "still water has no waves")


def test_harmonics():
    time = np.arange(3.0, 3 + 6.4 * PERIOD, 0.02)
    wanted = np.array([0.05 * np.exp(0.7j), 0.01 * np.exp(1.1j), 0.002 * np.exp(-2j)])
    y = 0.004 + sum((c * np.exp(1j * n * OMEGA * time)).real for n, c in enumerate(wanted, 1))
    found = harmonics.harmonics_of(gauge(time, y), PERIOD)
    ok(np.abs(found.c - wanted).max() < 1e-12, "three harmonics and their phases", found.c)
    ok(len(found.each) == 6 and found.left < 1e-10 and found.error < 1e-12, "over six periods")
    near(found.relative_phase(1), 1.1 - 2 * 0.7, 1e-9, "the second one's phase over the first's")
    grown = harmonics.harmonics_of(gauge(time, y * (1 + 0.02 * (time - 3) / PERIOD)), PERIOD)
    near(grown.drift, 6 * 0.02 / (1 + 0.02 * 3.4), 2e-3, "growth of 2% a period")
    shorter = harmonics.harmonics_of(gauge(time, y), 0.97 * PERIOD)
    ok(shorter.left > 0.1, "another period leaves much", shorter.left)
    refused("seven rows a period are too few", ["7.0 rows", "every = 0.121"],
            harmonics.harmonics_of, gauge(np.arange(0, 9, PERIOD / 7), np.arange(0, 9, PERIOD / 7)),
            PERIOD)  # fmt: skip


def test_second_harmonic():
    """A bound wave of 9 mm and a free one of 3 mm, with the first harmonic 1.6% too long."""
    k, decay = K / 1.016, 0.02 / LENGTH
    free = float(theory.wave_number(2 * OMEGA, DEPTH, GRAVITY))
    beat = 2 * math.pi / (free - 2 * k)
    for places in (np.array([0.0, 0.4 * beat]), np.array([0.0, 0.2, 0.7, 1.3]) * LENGTH):
        c = (0.009 * np.exp(0.4j - 2j * (k - 1j * decay) * places)
             + 0.003 * np.exp(-1j - 1j * free * places))  # fmt: skip
        first = 0.05 * np.exp(0.3j - (1j * k + decay) * places)
        number = harmonics.number_by_phase(places, first, K)
        near(number / k, 1, 1e-12, f"{len(places)} gauges: the wavenumber by phases")
        found = harmonics.second_harmonic(places, c, number, OMEGA, maker(), decay)
        ok(abs(found.bound - 0.009 * np.exp(0.4j)) < 1e-12
           and abs(found.free - 0.003 * np.exp(-1j)) < 1e-12 and found.left < 1e-10,
           f"{len(places)} gauges: bound and free part", found)  # fmt: skip
    ok(np.abs(found.at(places) - c).max() < 1e-12, "both together are the second harmonic")
    wrong = harmonics.second_harmonic(places, c, K, OMEGA, maker(), decay)
    ok(wrong.left > 0.01, "a wrong wavenumber leaves more than 1%", wrong.left)
    refused("gauges that are too near", ["condition", "at most", f"{beat:.3g} m"],
            harmonics.second_harmonic, np.array([0.0, 0.05 * beat]), c[:2], k, OMEGA, maker())
    refused("gauges a whole beat apart", ["condition"],
            harmonics.second_harmonic, np.array([0.0, beat]), c[:2], k, OMEGA, maker())  # fmt: skip


def amplitudes(places, ratio, loss, stretch, phase=1.0):
    """First harmonics of an incident wave of 1 and a reflected one, as in reflection.py."""
    k = K * stretch
    decay = -math.log(1 - loss) * k / (2 * math.pi)
    return (np.exp(-(1j * k + decay) * places)
            + ratio * np.exp(1j * phase + (1j * k + decay) * places))


def test_reflection():
    four = np.append(GOOD, LENGTH)
    for places in (GOOD, four, np.append(four, 3.3 * LENGTH)):
        name = f"{len(places)} gauges"
        chosen, all_fits = reflection.fits(places, amplitudes(places, 0.03, 0.025, 1.02), K, 0.0)
        near(chosen.ratio, 0.03, 1e-8, f"{name}: K_r with a loss and a wrong k")
        near(chosen.k / K, 1.02, 1e-8, f"{name}: the wavenumber")
        near(chosen.loss, 0.025, 1e-7, f"{name}: the loss a length")
        ok(chosen.fitted == "k and loss fitted" and len(all_fits) == 3
           and chosen.is_checked == (len(places) > 3), f"{name}: three fits, the first is chosen")
    # What the simpler fits make of it, the numbers of theory.md.
    still = reflection.fits(GOOD, amplitudes(GOOD, 0.0, 0.0, 1.02), K, 0.0)[1]
    near(still[2].ratio, 0.0125, 0.001, "k 2% off reads 1.25% where nothing comes back")
    near(still[1].ratio, 0.0, 1e-9, "with k fitted it reads nothing")
    lossy = reflection.fits(GOOD, amplitudes(GOOD, 0.03, 0.025, 1.0, 3.0), K, 0.0)[1]
    near(lossy[1].ratio, 0.0277, 0.0005, "a loss of 2.5% that is not fitted makes 3.0% to 2.8%")
    near(lossy[2].ratio, 0.0277, 0.0005, "so with k of theory")
    far = np.append(four, 8 * LENGTH)
    many = reflection.fits(far, amplitudes(far, 0.03, 0.0, 1.06), K, 0.0)[0]
    near(many.k / K, 1.06, 1e-6, "a gauge eight lengths away, half a period late")
    given = reflection.fits(GOOD, amplitudes(GOOD, 0.03, 0.025, 1.02), K, 0.0, 0.025)
    ok(len(given[1]) == 2 and given[0].fitted == "k fitted, loss 2.5% given"
       and abs(given[0].ratio - 0.03) < 1e-9, "a loss that is given is not fitted", given[0])
    near(abs(sum(given[0].at(LENGTH))), abs(amplitudes(np.array(LENGTH), 0.03, 0.025, 1.02)), 1e-9,
         "both waves together along the flume")  # fmt: skip


def test_reflection_noise():
    """The standard error of K_r is that of an ensemble; a fit that is unsure gives way."""
    random, noise = np.random.default_rng(1), 2e-3
    exact, found = amplitudes(GOOD, 0.1, 0.02, 1.01), []
    for _ in range(60):
        disturbed = exact + noise * (random.normal(size=3) + 1j * random.normal(size=3))
        found.append(reflection.fit(GOOD, disturbed, K, 0.0, 2, 0.0).ratio)
    error = reflection.fit(GOOD, exact, K, 0.0, 2, noise).error
    # The deviation of 60 numbers is known to 9%.
    ok(0.7 < np.std(found) / error < 1.3, "the error of K_r", f"{np.std(found)} {error}")
    chosen, fits = reflection.fits(GOOD, exact, K, 0.04)
    ok(chosen is not fits[0] and fits[0].error > 1.5 * fits[2].error > 0.03,
       "much noise: a fit with fewer unknowns", [one.error for one in fits])  # fmt: skip


def test_reflection_refused():
    refused("two gauges", ["three gauges, and there are 2", f"{0.1 * LENGTH:.3g}"],
            reflection.check_places, GOOD[:2], K)
    refused("gauges half a length apart", ["sum of sin^2", "at least 0.1", f"{0.27 * LENGTH:.3g}"],
            reflection.check_places, np.array([0, 0.5, 1.0]) * LENGTH, K)
    near(float(reflection.determinant(GOOD, K)),
         sum(math.sin(2 * math.pi * x) ** 2 for x in (0.1, 0.27, 0.17)), 1e-12, "the determinant")


def sea(target, places, duration, ratio=0.0, loss=0.0, seed=2, count=120):
    """Times and records [place] of components with random phases, a part of which comes back."""
    random = np.random.default_rng(seed)
    width = (target.high - target.low) / count
    f = target.low + width * (np.arange(count) + random.random(count))
    a = np.sqrt(2 * target.at(f) * width)
    a *= target.height / 4 / math.sqrt(np.sum(a**2) / 2)
    k = theory.wave_number(2 * math.pi * f, DEPTH, GRAVITY)
    decay = -math.log(1 - loss) * k / (2 * math.pi)
    time = np.arange(0, duration, 0.05)
    phase = 2 * math.pi * random.random(count)
    turn = np.exp(2j * math.pi * np.outer(time, f))
    return time, [(turn @ (a * np.exp(1j * phase) * (
        np.exp(-(1j * k + decay) * x) + ratio * np.exp(1j + (1j * k + decay) * x)))).real
        for x in places]  # fmt: skip


def test_spectrum():
    target = Target(0.08, 1 / PERIOD, 3.3, 0.6 / PERIOD, 2.5 / PERIOD)
    f = target.frequencies()
    near(theory.integral(target.at(f), f), 0.08**2 / 16, 1e-12, "the target's m0 is Hs^2/16")
    time, (y,) = sea(target, [0.0], 250 * PERIOD)
    one = gauge(time, y)
    found = spectrum.spectrum_of(one, PERIOD)
    state = spectrum.sea_state(one, found, target, 120)
    near(state["Hm0"], 0.08, 0.02 * 0.08, "Hm0 of 250 periods within 2%")
    near(theory.integral(found.density, found.f), y.var(), 0.05 * y.var(), "Welch's m0")
    near(state["ratio"]["Tm10"], 1.0, 0.015, "Tm-1,0")
    near(state["ratio"]["Tp"], 1.0, 0.1, "Tp to a resolution")
    ok(state["below"] + state["above"] < 0.02, "little is beside the band", state)
    ok(40 < found.freedom < 50 and found.segments == 24, "degrees of freedom", found.freedom)
    white = np.random.default_rng(4).normal(size=40000)
    flat = spectrum.welch(white, 1.0, 400)
    inner = flat.density[5:-5]
    near(inner.mean(), 2.0, 0.02, "white noise: its density")
    # Neighbours of Hann's window correlate: 190 values are 100 alone, known to 7%.
    near(2 * (inner.mean() / inner.std()) ** 2 / flat.freedom, 1.0, 0.25, "and degrees of freedom")


def test_scatter():
    target = Target(1.0, 1.0, 3.3, 0.6, 2.5)
    heights = [4 * np.std(sea(target, [0.0], 60.0, seed=seed, count=100)[1][0])
               for seed in range(80)]
    near(np.std(heights) / target.scatter(60.0, 100), 1.0, 0.25, "the scatter of Hs")  # 80: 8%
    near(target.sea_scatter(200.0), 0.0445, 0.0005, "that of a sea in 200 periods, 4.4%")
    ok(target.scatter(200.0, 200) < 0.5 * target.sea_scatter(200.0),
       "fixed amplitudes scatter less than half as much")


def test_reflected_spectrum():
    target = Target(0.08, 1 / PERIOD, 3.3, 0.6 / PERIOD, 2.5 / PERIOD)
    source = maker(wave="irregular", target=target)
    places = np.append(GOOD, 0.7 * LENGTH)  # three tell little of a loss
    time, rows = sea(target, places, 150 * PERIOD, ratio=0.3, loss=0.05)
    gauges = [gauge(time, y, x) for x, y in zip(places, rows)]
    found = reflected_spectrum.reflected_spectrum(gauges, source, 0.05)
    near(found.ratio, 0.3, 0.003, "K_r of an irregular sea")
    near(4 * math.sqrt(found.incident.sum()), 0.08, 0.003, "its incident height")
    ok(found.covered > 0.9 and found.left < 0.02, "of nearly all energy", found.covered)
    without = reflected_spectrum.reflected_spectrum(gauges, source, 0.0)
    ok(without.left > 1.4 * found.left, "without the loss more is left",
       f"{without.left} {found.left}")  # fmt: skip
    time, rows = sea(target, GOOD, 150 * PERIOD)
    gauges = [gauge(time, y, x) for x, y in zip(GOOD, rows)]
    still = reflected_spectrum.reflected_spectrum(gauges, source, 0.0)
    ok(still.ratio < 0.01, "no reflection reads less than 1%", still.ratio)
    refused("two gauges of a sea", ["three gauges"],
            reflected_spectrum.reflected_spectrum, gauges[:2], source, 0.0)  # fmt: skip
    wide = [gauge(time, rows[0], x) for x in np.array([0.0, 0.5, 1.01]) * LENGTH]
    refused("gauges half a length apart", ["sum of sin^2"],
            reflected_spectrum.reflected_spectrum, wide, source, 0.0)  # fmt: skip


def test_agreement():
    time = np.arange(0, 12 * PERIOD, 0.02)
    column = 0.05 * np.cos(OMEGA * time)
    late = 0.045 * np.cos(OMEGA * (time - 0.137))
    found = agreement.agreement(gauge(time, late, column=column), PERIOD / 2)
    near(found["lag"], 0.137, 0.002, "a record that is 0.137 s late")
    near(found["ratio"], 0.9, 0.003, "and 10% low")
    near(found["correlation"], math.cos(OMEGA * 0.137), 0.005, "its correlation")
    ok(found["correlation_at_lag"] > 0.9998, "that at the lag")
    ok(agreement.agreement(gauge(time, late), 1.0) is None, "without theory there is none")


def test_solitary():
    height, speed = 0.1, math.sqrt(GRAVITY * (DEPTH + 0.1))
    beta = math.sqrt(0.75 * height / DEPTH**2 / (DEPTH + height))
    time, gauges = np.arange(0, 8, 0.02), []
    for n, x in enumerate((2.0, 5.0)):
        y = height / np.cosh(beta * (speed * (time - 1.003) - x)) ** 2
        gauges.append(gauge(time, y, x, name=f"g{n}"))
    passages = [solitary.passage(one) for one in gauges]
    near(passages[0]["crest"], height, 1e-5, "the crest of a solitary wave")
    near(passages[1]["time"], 1.003 + 5 / speed, 1e-3, "its time, between rows")
    near(solitary.speeds(gauges, passages)[0]["speed"] / speed, 1, 1e-4, "the speed of its middle")
    skew = solitary.middle(np.array([0.0, 1.0, 4.0]), np.array([0.0, 1.0, 0.0]))
    near(skew, 1.5, 1e-12, "the middle of a skew wave is that of its half heights")
    cut = gauge(time[:120], gauges[1].elevation[:120], 5.0)
    ok(solitary.passage(cut)["middle"] is None, "a record that ends on the crest has no middle")


for test in [value for name, value in list(globals().items()) if name.startswith("test_")]:
    test()
finish()

"""Waves of the makers against theory: regular waves in a flume, solitary waves."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.steady_wave import SteadyWave
from validate.trial import case

DEPTH, GRAVITY = 0.4, 9.81
FLUME = """
title = "A wave flume";
model = "wcsph"; dimension = 2; spacing = {dp:.9g};
domain = {{ min = [-1.0, 0.0]; max = [{length:.9g}, 0.8]; }};
gravity = [0.0, -9.81];
kernel = {{ name = "wendland-c2"; h_over_dp = 2.0; }};
fluid = {{ density = 1000.0; gradients = "renormalised";
  viscosity = {{ kind = "artificial"; alpha = 0.001; }};
  diffusion = {{ kind = "hydrostatic"; delta = 0.1; }}; masses = "hydrostatic"; }};
boundary = {{ kind = "adami"; }};
geometry = (
  {{ name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [{wet:.9g}, 0.4]; }},
  {{ name = "tank"; shape = "walls"; sides = ["bottom", "right"]; }}, {beach}
  {{ name = "paddle"; shape = "box"; type = "wall"; min = [{back:.9g}, 0.0];
     max = [0.0, 0.76]; }} );
motions = ( {{ name = "maker"; carries = "paddle"; kind = "wave"; depth = 0.4; {motion} }} );
initial = ( {{ field = "pressure"; kind = "hydrostatic"; }} );
probes = ( {probes} );
time = {{ end = {end:.9g}; cfl = 0.3; }};
energy = {{ every = 20; tolerance = 1.0e-5; }};
output = {{ every = 0.0; keep = 0; }};
"""
BEACH = (
    '{{ name = "beach"; shape = "polygon"; type = "wall"; fit = "surface";\n'
    "     points = ([{foot:.9g}, 0.0], [{end:.9g}, {top:.9g}], [{end:.9g}, -0.1],\n"
    "               [{foot:.9g}, -0.1]); }},"
)
SLOPE = 8.0  # the cotangent of the beach


def flume(dp, flat, motion, places, end, beach=True):
    """The config of a flume whose floor is level for `flat` (m); places of gauges, m."""
    top = 0.6 if beach else 0.0
    length = flat + SLOPE * top
    wet = flat + SLOPE * DEPTH if beach else flat
    slope = BEACH.format(foot=flat, end=length, top=top) if beach else ""
    gauges = ", ".join(f'{{ name = "g{i}"; kind = "height"; at = [{x:.9g}]; every = 0.01; }}'
                       for i, x in enumerate(places))
    return FLUME.format(dp=dp, length=length, wet=wet, beach=slope, back=-10 * dp, motion=motion,
                        probes=gauges, end=end)


def rises(run, places):
    """Times (s), and the water's rise at each gauge, m [gauge, time]."""
    tables = [run.probes()[f"g{i}"] for i in range(len(places))]
    count = min(len(table["height"]) for table in tables)
    return tables[0]["time"][:count], np.array(
        [table["height"][:count] - table["height"][0] for table in tables])


def harmonics(t, rise, period, count=3):
    """Complex amplitudes c of the parts Re c exp(i n omega t), n from 1, over whole periods."""
    omega = 2 * math.pi / period
    columns = [np.ones_like(t)]
    for n in range(1, count + 1):
        columns += [np.cos(n * omega * t), -np.sin(n * omega * t)]
    found = np.linalg.lstsq(np.array(columns).T, rise, rcond=None)[0]
    return found[1::2] + 1j * found[2::2]


@case("wave-flume", "Regular waves of a piston", (5,))
def regular(trial):
    """A piston makes waves of kd = 1, H/d = 0.25, d = 0.4 m (first order), with the settings of
    `configs/wave_flume.cfg`; after four lengths comes a beach of 1:8. The first harmonic is fitted
    over the last two periods before the echo of the flume's end. It is compared with that of a
    steady wave of the paddle's H and period without mean flow (Rienecker & Fenton 1981): the mean
    of five gauges from 0.5 to 1.5 lengths may be off by 4%, and the phase at 3 lengths by 2% of a
    period. From one length to three the mean of three gauges each may fall by 3%. Resolutions:
    spacings in H."""
    (axes,) = trial.axes(wide=6.0)
    height, length = 0.25 * DEPTH, 2 * math.pi * DEPTH
    period = 2 * math.pi / math.sqrt(GRAVITY * 2 * math.pi / length * math.tanh(1))
    group = length / period * 0.5 * (1 + 2 / math.sinh(2))
    wave = SteadyWave.in_flume(height, period, DEPTH, GRAVITY)
    lengths = np.array([0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 2.75, 3.0, 3.25])
    places, flat = lengths * length, 4 * length
    end = (2 * (flat + SLOPE * DEPTH) - places[-1]) / group
    for n in trial.resolutions:
        motion = f'wave = "regular"; order = 1; height = {height}; period = {period:.12g};'
        run = trial.run(f"{n}", flume(height / n, flat, motion, places, end), "gentle")
        t, rise = rises(run, places)
        last = t >= t[-1] - 2 * period
        first = np.array([harmonics(t[last], one[last], period)[0] for one in rise])
        size = np.abs(first) / wave.amplitude[1]
        trial.within(f"H/{n}: first harmonic at 0.5 to 1.5 lengths over theory's, less 1",
                     np.mean(size[:5]) - 1, 0.04)
        trial.check(f"H/{n}: loss from 1 to 3 lengths", 1 - np.mean(size[7:]) / np.mean(size[1:4]),
                    0.03)
        away = np.angle(first[8] * np.exp(1j * wave.k * places[8])) / (2 * math.pi)
        # The paddle's surface is highest as it passes its middle, at t = 0 of its phase.
        trial.within(f"H/{n}: phase at 3 lengths, periods", away, 0.02)
        axes.plot(lengths, size, "o-", color=COLOURS[0], label=f"H/{n}")
    axes.axhline(1, color="0.5")
    axes.set_xlabel("distance / length")
    axes.set_ylabel("first harmonic / theory")
    axes.legend()


# Height over H and celerity over sqrt(g d), 15 to 20 d from the paddle, H/d = 0.3, of a fully
# nonlinear potential tank with the same paddles.
EXACT = {"boussinesq": (0.977, 1.128), "rayleigh": (1.034, 1.144)}


def middle(t, rise):
    """When the middle between the half heights passes, s."""
    top = int(np.argmax(rise))
    half = rise[top] / 2
    up = np.nonzero(rise[:top] < half)[0][-1]
    down = top + np.nonzero(rise[top:] < half)[0][0]
    first = np.interp(half, rise[up : up + 2], t[up : up + 2])
    last = np.interp(half, rise[[down, down - 1]], t[[down, down - 1]])
    return (first + last) / 2


@case("solitary-wave", "Solitary waves of a piston", (25,))
def solitary(trial):
    """A piston makes a solitary wave of H/d = 0.3, d = 0.4 m, by Rayleigh's and by Boussinesq's
    theory (Goring 1978). Its height at 15 and 20 depths and its celerity between them, the middle
    between the half heights, are compared with those of a fully nonlinear potential tank with the
    same paddle: heights may be off by 3%, celerities by 1%. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0)
    places = np.array([10.0, 15.0, 20.0]) * DEPTH
    for n in trial.resolutions:
        for (theory, (height, celerity)), colour in zip(EXACT.items(), COLOURS):
            motion = f'wave = "solitary"; theory = "{theory}"; height = {0.3 * DEPTH:.9g};'
            config = flume(DEPTH / n, 26 * DEPTH, motion, places, 7.6, beach=False)
            run = trial.run(f"{n}-{theory}", config, "gentle")
            t, rise = rises(run, places)
            label = f"d/{n}, {theory}"
            trial.within(f"{label}: height at 15 to 20 d over the tank's, less 1",
                         np.mean(rise[1:].max(axis=1)) / (0.3 * DEPTH) / height - 1, 0.03)
            speed = (places[2] - places[1]) / (middle(t, rise[2]) - middle(t, rise[1]))
            trial.within(f"{label}: celerity over the tank's, less 1",
                         speed / math.sqrt(GRAVITY * DEPTH) / celerity - 1, 0.01)
            axes.plot(t, rise[2] / DEPTH, color=colour, label=f"{label}, at 20 d")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("rise / d")
    axes.legend()


CASES = (regular, solitary)

"""Waves that keep their height: renormalised gradients."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate import dam_break_wall, dam_breaks, driven, drops, probes, vortices, waves
from validate.bodies import floating, heave
from validate.still_waters import DEPTH, GRAVITY, STEP, WALLS, WATER, WEDGE, wide_tank
from validate.steady_wave import SteadyWave
from validate.trial import case

WATER_DEPTH, PERIODS, GAUGES = 0.4, 13, 8  # m; of the wave; over its length
BOX = """
title = "A steady wave in a periodic box";
model = "wcsph"; dimension = {dimension}; spacing = {dp:.9g};
domain = {{ min = {low}; max = {high}; periodic = {periodic}; }};
gravity = {gravity}; particles = "{particles}";
kernel = {{ name = "wendland-c2"; h_over_dp = 2.0; }};
fluid = {{ density = 1000.0; sound_speed = {sound:.9g};
  viscosity = {{ kind = "artificial"; alpha = 0.001; }};
  diffusion = {{ kind = "hydrostatic"; delta = 0.1; }}; }};
boundary = {{ kind = "adami"; }};
geometry = ( {{ name = "floor"; shape = "walls"; sides = ["bottom"]; }} );
probes = ( {probes} );
time = {{ end = {end:.9g}; cfl = 0.3; }};
energy = {{ every = 20; tolerance = 1.0e-6; }};
output = {{ every = 0.0; keep = 0; }};
backend = {{ precision = "{precision}"; }};
"""


class WaveBox:
    """One length of a steady wave in a periodic box. wide: spacings across it; 0: in 2-D."""

    def __init__(self, spacings, steepness=0.25, kd=1.0, wide=0):
        height = steepness * WATER_DEPTH
        self.dp, self.wide = height / spacings, wide
        self.rows = round(WATER_DEPTH / self.dp)
        self.columns = round(2 * math.pi * WATER_DEPTH / kd / self.dp)
        self.length = self.columns * self.dp
        self.wave = SteadyWave(height, 2 * math.pi / self.length, WATER_DEPTH, GRAVITY)
        self.at = (np.arange(GAUGES) / GAUGES + 0.25 / self.columns) * self.length

    def write(self, trial, name):
        """The particles, with the wave's velocities and pressures."""
        wave, sound = self.wave, 10 * math.sqrt(2 * GRAVITY * WATER_DEPTH)
        x, z = wave.particles(self.columns, self.rows)
        u, w = wave.velocity(x, z)
        p = np.maximum(wave.pressure(x, z, 1000.0), 0)
        mass = 1000 * (1 + 7 * p / (1000 * sound**2)) ** (1 / 7) * self.dp**2
        layers = max(self.wide, 1)
        lay = lambda values: np.tile(values, layers)  # noqa: E731
        across = np.repeat((np.arange(layers) + 0.5) * self.dp, len(x))
        if self.wide:
            places = {"x": lay(x), "y": across, "z": lay(z)}
            speeds = {"vx": lay(u), "vy": 0 * across, "vz": lay(w)}
            mass = mass * self.dp
        else:
            places, speeds = {"x": x, "y": z}, {"vx": u, "vy": w}
        count = layers * len(x)
        return trial.write(name, {"id": np.arange(count), "type": np.zeros(count), **places,
                                  **speeds, "pressure": lay(p), "mass": lay(mass)})

    def config(self, particles, precision="float", periods=PERIODS):
        wave, three = self.wave, bool(self.wide)
        across = self.wide * self.dp
        top = (math.ceil((WATER_DEPTH + 1.2 * 0.25 * WATER_DEPTH) / self.dp) + 3) * self.dp
        middle = f", {across / 2:.9g}" if three else ""
        probes = ", ".join(
            f'{{ name = "g{i}"; kind = "height"; at = [{x:.9g}{middle}]; '
            f"every = {wave.period / 40:.9g}; }}" for i, x in enumerate(self.at)
        )
        return BOX.format(
            dimension=3 if three else 2, dp=self.dp, particles=particles, probes=probes,
            low="[0.0, 0.0, 0.0]" if three else "[0.0, 0.0]",
            high=f"[{self.length:.9g}, {across:.9g}, {top:.9g}]" if three
            else f"[{self.length:.9g}, {top:.9g}]",
            periodic="[true, true, false]" if three else "[true, false]",
            gravity=f"[0.0, 0.0, -{GRAVITY}]" if three else f"[0.0, -{GRAVITY}]",
            sound=10 * math.sqrt(2 * GRAVITY * WATER_DEPTH), end=periods * wave.period,
            precision=precision)  # fmt: skip

    def record(self, run):
        """Time in periods, and complex amplitudes (m) of the first and second harmonics."""
        tables = [run.probes()[f"g{i}"] for i in range(GAUGES)]
        count = min(len(table["height"]) for table in tables)
        heights = np.array([table["height"][:count] for table in tables])
        turns = np.exp(1j * self.wave.k * self.at)
        t = tables[0]["time"][:count] / self.wave.period
        return t, 2 / GAUGES * turns @ heights, 2 / GAUGES * turns**2 @ heights


def mean_of(t, values, start):
    """Over the period from `start`."""
    return float(np.mean(values[(t >= start) & (t < start + 1)]))


def centre(box, run):
    """How far the water's centre rose from the first to the last period, dp."""
    table = run.energy()
    t = table["time"] / box.wave.period
    rise = mean_of(t, table["potential"], PERIODS - 1) - mean_of(t, table["potential"], 0)
    mass = 1000 * box.length * WATER_DEPTH * (box.wide * box.dp if box.wide else 1)
    return rise / (mass * GRAVITY) / box.dp


def sail(trial, name, box, gradients):
    """Runs the wave; returns its run, and its record."""
    path = box.write(trial, name)
    run = trial.run(f"{name}-{gradients}", box.config(path), "gentle", fluid__gradients=gradients)
    t, first, second = box.record(run)
    return run, t, first, second


def loss_of(t, first):
    size = np.abs(first)
    return 1 - mean_of(t, size, PERIODS - 1) / mean_of(t, size, 0)


def judge(trial, name, label, box, loss):
    """Runs and checks the wave with renormalised gradients, beside plain ones. loss: gate of the
    loss over all periods; None: half of the plain form's."""
    _, t_plain, first_plain, _ = sail(trial, name, box, "plain")
    run, t, first, second = sail(trial, name, box, "renormalised")
    lost = loss_of(t_plain, first_plain)
    phase = np.polyfit(t[t > 0.5], np.unwrap(np.angle(first))[t > 0.5], 1)[0] / (2 * math.pi)
    amplitude = box.wave.amplitude
    trial.check(f"{label}: loss of amplitude over {PERIODS - 1} periods", loss_of(t, first),
                lost / 2 if loss is None else loss, note=f"plain gradients {lost:.3f}")
    trial.within(f"{label}: celerity over the exact one, less 1", phase - 1, 0.005)
    trial.within(f"{label}: rise of the water's centre, dp", centre(box, run), 0.02)
    trial.check(f"{label}: second harmonic over the exact one",
                mean_of(t, np.abs(second), PERIODS - 1) / amplitude[2], None)
    table = run.energy()
    trial.check(f"{label}: residual / reference energy",
                np.max(np.abs(table["residual"])) / run.reference_energy, 1e-6)
    return (t_plain, first_plain), (t, first)


@case("wave-box", "A steady wave in a periodic box", (5,), on_gpu=(5, 10))
def wave_box(trial):
    """One length of an exact steady wave (Rienecker & Fenton 1981), kd = 1, H/d = 0.25, d = 0.4 m,
    h/dp 2, alpha 0.001, runs 13 periods in a periodic box, with `fluid.gradients =
    "renormalised"`. Resolutions: spacings in H. The amplitude is that of the first harmonic, from
    eight gauges. Its loss from the first to the last period may be 6%, at H/10 4%. Plain
    gradients are for comparison."""
    (axes,) = trial.axes()
    for n in trial.resolutions:
        box = WaveBox(n)
        found = judge(trial, f"{n}", f"H/{n}", box, 0.06 if n < 10 else 0.04)
        for (t, first), word, colour in zip(found, ("plain", "renormalised"), COLOURS):
            axes.plot(t, np.abs(first) / box.wave.amplitude[1], color=colour,
                      label=f"{word}, H/{n}", linestyle="-" if n == 5 else "--")
    axes.set_xlabel("time (periods)")
    axes.set_ylabel("amplitude / exact")
    axes.legend()


@case("wave-box-lengths", "Longer and shorter steady waves", (5,))
def wave_box_lengths(trial):
    """The same with kd = 0.5 and 2. The loss may be half of that with plain gradients."""
    for n in trial.resolutions:
        for kd in (0.5, 2.0):
            judge(trial, f"{n}-kd-{kd:g}", f"H/{n}, kd {kd:g}", WaveBox(n, kd=kd), None)


@case("wave-box-slice", "A steady wave in a slice of a periodic box", (5,), long=True)
def wave_box_slice(trial):
    """The same wave as in `wave-box` in 3-D, ten spacings across. The loss may be 6%."""
    for n in trial.resolutions:
        judge(trial, f"{n}", f"H/{n}", WaveBox(n, wide=10), 0.06)


REST = {"kernel__h_over_dp": 2.0, "fluid__diffusion__delta": 0.1, "fluid__diffusion__filter": 0.0,
        "time__end": 100 / math.sqrt(GRAVITY / DEPTH), "output__every": 0.0,
        "energy__tolerance": 1.0e-5}  # fmt: skip


def stirred(run):
    """Largest kinetic energies / (m g H) of the third and the fourth quarter."""
    table = run.energy()
    share, t = table["kinetic"] / run.reference_energy, table["time"] / table["time"][-1]
    return np.max(share[(t > 0.5) & (t <= 0.75)]), np.max(share[t > 0.75])


@case("still-water-renormalised", "Still water, renormalised gradients", (32,))
def still_renormalised(trial):
    """Water at rest with `fluid.gradients = "renormalised"`, h/dp 2 and delta 0.1 without a filter,
    in the tank of `still-water` and over the step and the wedge, until t sqrt(g/H) = 100. With
    alpha 0.02 and 0.005 the kinetic energy of the second half may be 1e-6 of m g H, and that of its
    last quarter 1.2 times that of the one before. With 0.001 it may be three times that of plain
    gradients. Resolutions: particles in H."""
    for n in trial.resolutions:
        tanks = {"flat": {"spacing": DEPTH / n}}
        for name, obstacle in (("step", STEP), ("wedge", WEDGE)):
            tanks[name] = {**wide_tank(n), "geometry": (WATER, WALLS, obstacle)}
        for tank, keys in tanks.items():
            for alpha in (0.02, 0.005, 0.001):
                label = f"{n}-{tank}-{alpha:g}"
                keys_of_run = {**REST, **keys, "fluid__viscosity__alpha": alpha}
                run = trial.run(label, "still_water.cfg", "gentle",
                                fluid__gradients="renormalised", **keys_of_run)
                third, last = stirred(run)
                usual = trial.run(f"{label}-plain", "still_water.cfg", "gentle", **keys_of_run)
                plain = max(stirred(usual))
                gate = 3 * plain if alpha < 0.005 else 1e-6
                trial.check(f"{tank}, alpha {alpha:g}: kinetic energy / (m g H), second half",
                            max(third, last), gate, note=f"plain gradients {plain:.1e}")
                trial.check(f"{tank}, alpha {alpha:g}: last quarter over the third", last / third,
                            None if alpha < 0.005 else 1.2)


SWINGS, SWING = 10, 4.567374  # periods of the drop; one, s


def swing_loss(run):
    """The loss of the first harmonic of log(a/b) from the first to the last period."""
    found = [(s.time, *measure.semi_axes(s)) for s in run]
    t, a, b = np.array(found).T
    turns = np.log(a / b) * np.exp(-2j * math.pi * t / SWING)
    size = [abs(np.mean(turns[(t >= n * SWING) & (t < (n + 1) * SWING)])) for n in (0, SWINGS - 1)]
    return 1 - size[1] / size[0]


@case("drop-loss", "Oscillating drop, loss of amplitude", (16, 32))
def drop_loss(trial):
    """The oscillating drop of `configs/drop.cfg` for ten periods, h/dp 2, alpha 0.001. Its
    amplitude is that of the first harmonic of log(a/b), a and b its half axes. With
    `fluid.gradients = "renormalised"` and a memory of 2 s it may lose, from the first to the last
    period, half of what it loses with plain gradients. Resolutions: particles in the radius."""
    for n in trial.resolutions:
        keys = {"spacing": 1 / n, "kernel__h_over_dp": 2.0, "fluid__viscosity__alpha": 0.001,
                "time__end": SWINGS * SWING, "output__every": SWING / 60}  # fmt: skip
        plain = swing_loss(trial.run(f"{n}-plain", "drop.cfg", "gentle", **keys))
        run = trial.run(f"{n}", "drop.cfg", "gentle", fluid__gradients="renormalised",
                        fluid__gradients_memory=2.0, **keys)
        trial.check(f"R/{n}: loss of amplitude over {SWINGS - 1} periods", swing_loss(run),
                    plain / 2, note=f"plain gradients {plain:.3f}")


ON = {"fluid__gradients": "renormalised"}
WITH = 'The same with `fluid.gradients = "renormalised"`. The gates are its own.'
WITHOUT_GRAVITY = WITH + " Without gravity the memory is given."
OTHERS = (
    dam_breaks.martin_moyce.again(
        "martin-moyce-renormalised", "Dam break: Martin & Moyce 1952, renormalised gradients",
        WITH, (20, 40), **ON),
    dam_break_wall.dam_break_wall.again(
        "dam-break-wall-renormalised", "Dam break on a wall, renormalised gradients", WITH, (50,),
        **ON),
    driven.sloshing.again(
        "sloshing-renormalised", "Sloshing in a swaying tank, renormalised gradients", WITH,
        (0.02, 0.01), **ON),
    waves.standing_wave.again(
        "standing-wave-renormalised", "Standing gravity wave, renormalised gradients", WITH,
        (16, 32), **ON),
    drops.oscillating_drop.again(
        "oscillating-drop-renormalised", "Oscillating drop, renormalised gradients",
        WITHOUT_GRAVITY, (16, 32), fluid__gradients_memory=2.0, **ON),
    vortices.taylor_green.again(
        "taylor-green-renormalised", "Taylor-Green vortices, renormalised gradients",
        WITHOUT_GRAVITY, (50, 100), fluid__gradients_memory=1.0, **ON),
    probes.run_up.again(
        "run-up-renormalised", "Run-up of a solitary wave, renormalised gradients", WITH, (32,),
        long=True, **ON),
    floating.floating_box.again(
        "floating-box-renormalised", "Draught of a floating box, renormalised gradients", WITH,
        (40,), **ON),
    heave.heave_decay.again(
        "heave-decay-renormalised", "Heave of a half-immersed cylinder, renormalised gradients",
        WITH, (16,), **ON),
)  # fmt: skip
CASES = (wave_box, wave_box_lengths, wave_box_slice, still_renormalised, drop_loss, *OTHERS)

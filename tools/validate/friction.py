"""Laminar viscosity at free surfaces, and friction of walls that turn."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.trial import case

WAVE_NUMBER = math.pi  # 1/m: two half waves across 2 m, 1 m deep
VISCOSITIES = (0.005, 0.01, 0.02)  # m^2/s
FINE = 0.01  # the one that the finer lattice has, too
WAVE = {
    "time__end": 4.0,
    "energy__every": 5,
    "energy__tolerance": 1.0,
    "output__every": 4.0,
    "probes": (),
}


def exact_decay(nu):
    """-2 Re s of (s + 2 nu k^2)^2 + g k tanh(kH) = 4 nu^2 k^4 sqrt(1 + s/(nu k^2)), by Newton."""
    k = WAVE_NUMBER
    omega2, rate = 9.81 * k * math.tanh(k), nu * k * k
    s = complex(-2 * rate, math.sqrt(omega2))
    for _ in range(50):
        root = np.sqrt(1 + s / rate)
        value = (s + 2 * rate) ** 2 + omega2 - 4 * rate**2 * root
        s -= value / (2 * (s + 2 * rate) - 2 * rate / root)
    return -2 * s.real


def decay_of_maxima(table):
    """The rate (1/s) at which the maxima of the kinetic energy fall, and these maxima (s, J/m)."""
    t, kinetic = table["time"], table["kinetic"]
    half = max(3, int(0.03 / np.median(np.diff(t))))
    found = []
    for i in range(half, len(t) - half):
        near = slice(max(0, i - 2 * half), i + 2 * half + 1)
        if kinetic[i] == kinetic[near].max():
            fitted = slice(i - half, i + half + 1)
            a, b, c = np.polyfit(t[fitted] - t[i], kinetic[fitted], 2)
            found.append((t[i] - b / (2 * a), c - b * b / (4 * a)))
    maxima = np.array(found)
    return -np.polyfit(maxima[:, 0], np.log(maxima[:, 1]), 1)[0], maxima


@case("viscous-wave", "Standing gravity wave with laminar viscosity", (32, 64))
def viscous_wave(trial):
    """The standing wave with laminar viscosity alone, in the default form. Its energy decays at
    -2 Re s of the exact dispersion (s + 2 nu k^2)^2 + g k tanh(kH) = 4 nu^2 k^4 sqrt(1 + s/(nu
    k^2)) (Lamb 1932, section 349, in water of finite depth). The maxima of the kinetic energy in
    four seconds are fitted, and the rate of a run without viscosity is subtracted. Resolutions:
    particles in the depth. The form of Morris et al. has about half of that, for comparison."""
    (axes,) = trial.axes()
    for n in trial.resolutions:
        keys = {"spacing": 1 / n, **WAVE}
        still = trial.run(f"{n}-inviscid", "standing_wave.cfg", "",
                          fluid__viscosity={"kind": "none"}, **keys)
        numerical, _ = decay_of_maxima(still.energy())
        for nu in VISCOSITIES if n == min(trial.resolutions) else (FINE,):
            run = trial.run(f"{n}-{nu:g}", "standing_wave.cfg", "",
                            fluid__viscosity={"kind": "laminar", "nu": nu}, **keys)
            total, maxima = decay_of_maxima(run.energy())
            exact = exact_decay(nu)
            trial.within(f"H/{n}, nu {nu:g}: decay over the exact one, less 1",
                         (total - numerical) / exact - 1, 0.06,
                         f"{total:.4f} 1/s, {numerical:.4f} without viscosity, exact {exact:.4f}")
            axes.semilogy(maxima[:, 0], maxima[:, 1], "o", label=f"H/{n}, nu {nu:g}")
            axes.semilogy(maxima[:, 0], maxima[0, 1] * np.exp(-exact * (maxima[:, 0] -
                                                                        maxima[0, 0])), color="0.4")
    n = min(trial.resolutions)
    run = trial.run(f"{n}-morris", "standing_wave.cfg", "", spacing=1 / n,
                    fluid__viscosity={"kind": "laminar", "nu": FINE, "form": "morris"}, **WAVE)
    total, _ = decay_of_maxima(run.energy())
    trial.within(f"H/{n}, nu {FINE:g}, Morris: decay over the exact one, less 1",
                 total / exact_decay(FINE) - 1, None)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("maxima of the kinetic energy (J/m)")
    axes.legend()


DROP = """model = "wcsph"; dimension = 2;
domain = { min = [-2.0, -2.0]; max = [2.0, 2.0]; };
fluid = { density = 1000.0; sound_speed = 20.0; viscosity = { kind = "laminar"; nu = 0.02; };
          diffusion = { kind = "none"; }; };
forces = ( { kind = "central"; centre = [0.0, 0.0]; strength = 1.5; } );
geometry = (
    { name = "water"; shape = "disc"; type = "fluid"; centre = [0.0, 0.0]; radius = 1.0; } );
initial = ( { field = "velocity"; kind = "rotation"; rate = 1.0; },
            { field = "pressure"; kind = "quadratic"; value = 625.0; curvature = -625.0; } );
time = { end = 10.0; }; energy = { every = 10; tolerance = 0.1; };
output = { every = 2.0; }; backend = { precision = "double"; };
"""


def change_of_spin(table):
    """The largest change of the angular momentum, over its first value."""
    spin = table["angular_z"]
    return np.max(np.abs(spin / spin[0] - 1))


@case("spinning-drop", "Viscous drop that turns freely", (20,), quick=(20,))
def spinning_drop(trial):
    """A disc of water turns as one body, held by a central force, with laminar viscosity. No torque
    acts, so its angular momentum stays the same. Resolutions: particles in the radius."""
    for n in trial.resolutions:
        run = trial.run(f"{n}", DROP, "", spacing=1 / n)
        trial.check(f"R/{n}: change of the angular momentum in 10 s", change_of_spin(run.energy()),
                    1e-10)


DRUM = """model = "wcsph"; dimension = 2;
domain = { min = [-0.7, -0.7]; max = [0.7, 0.7]; };
fluid = { density = 1000.0; sound_speed = 40.0; viscosity = { kind = "laminar"; nu = 0.01; };
          diffusion = { kind = "antuono"; }; };
boundary = { kind = "adami"; slip = "no-slip"; };
geometry = (
    { name = "hole"; shape = "disc"; type = "part"; centre = [0.0, 0.0]; radius = 0.5; },
    { name = "drum"; shape = "disc"; type = "wall"; centre = [0.0, 0.0]; radius = 0.65;
      without = "hole"; fit = "surface"; fill = "solid"; },
    { name = "water"; shape = "disc"; type = "fluid"; centre = [0.0, 0.0]; radius = 0.5; } );
motions = ( { name = "spin"; carries = "drum"; kind = "rotation"; rate = 6.283185307179586; } );
initial = ( { field = "velocity"; kind = "rotation"; rate = 6.283185307179586; },
            { field = "pressure"; kind = "quadratic"; curvature = 19739.208802178716; } );
time = { end = 2.0; }; energy = { every = 20; tolerance = 0.1; };
output = { every = 2.0; }; backend = { precision = "double"; };
"""
RESOLVED = 20  # particles in the radius that ghost nodes need
DRUM_WALLS = {
    "adami": {},
    "mdbc": {"boundary__kind": "mdbc"},
    "dynamic": {"boundary__kind": "dynamic"},
    "wall-law": {"boundary__slip": "wall-law", "fluid__diffusion__kind": "none"},
}


@case("rotating-drum", "Drum that turns with its water", (10, 20), quick=(10,))
def rotating_drum(trial):
    """A round drum and the water that fills it turn as one body, so there is nothing to change: the
    angular momentum of the water must stay for two turns, with each kind of wall. Resolutions:
    particles in the radius. A ghost velocity of 2 v_w - mean(v) takes both at different radii, and
    drives the water faster than its wall. With ghost nodes and 10 particles in the radius sound
    rings in the drum, between free-slip walls as well: there is no gate for that one."""
    (axes,) = trial.axes()
    for n in trial.resolutions:
        for at, (name, keys) in enumerate(DRUM_WALLS.items()):
            run = trial.run(f"{n}-{name}", DRUM, "", spacing=0.5 / n, **keys)
            table = run.energy()
            rings = name == "mdbc" and n < RESOLVED
            trial.check(f"R/{n}, {name}: change of the angular momentum in two turns",
                        change_of_spin(table), None if rings else 0.003)
            axes.plot(table["time"], 100 * (table["angular_z"] / table["angular_z"][0] - 1),
                      color=COLOURS[at % len(COLOURS)], label=f"R/{n}, {name}")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("change of the angular momentum (%)")
    axes.legend()


CASES = (viscous_wave, spinning_drop, rotating_drum)

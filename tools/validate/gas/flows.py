"""Vortices, clouds, shear layers and gas at rest."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.gas import setups
from validate.gas.profiles import gases, l1, orders
from validate.gas.references import gresho, shear_mode
from validate.trial import case

SQUARE = ([-0.5, -0.5], [0.5, 0.5])
VORTEX_GATE, VORTEX_ORDER, VORTEX_N = 0.06, 0.4, 128


def swirl(gas):
    """(r, v_phi) about the origin."""
    r = np.hypot(gas.x[:, 0], gas.x[:, 1])
    turn = gas.x[:, 0] * gas.v[:, 1] - gas.x[:, 1] * gas.v[:, 0]
    return r, turn / np.maximum(r, 1e-300)


@case("gas-gresho", "Gas: vortex of Gresho & Chan", (32, 64, 128))
def gresho_vortex(trial):
    """The steady vortex of Gresho & Chan (1990) in a periodic square of 1 m, density 1, gamma =
    5/3, h/dp = 1.6, on a square lattice. Resolutions: particles across. The number is L1 of v_phi
    over all particles: at t = 1 at most 0.06 at n = 128, with an order of at least 0.4; at t = 3
    for comparison."""
    errors, late = {}, {}
    (axes,) = trial.axes()
    for n in trial.resolutions:
        fields = tuple({"field": name, "kind": "vortex", "centre": [0.0, 0.0]}
                       for name in ("velocity", "pressure"))
        config = setups.text("Vortex of Gresho & Chan", 2, 1 / n, *SQUARE, 3.0,
                             [setups.box(*SQUARE, 1.0, pressure=5.0)], initial=fields,
                             kernel={"h_over_dp": 1.6}, output={"every": 1.0})
        found = {}
        for gas in gases(trial.run(f"{n}", config, "violent")):
            r, v = swirl(gas)
            found[round(gas.time)] = l1(gas, v, gresho(r)[0], r >= 0)
            if round(gas.time) == 1:
                axes.plot(r, v, ".", markersize=1, label=f"Sluice, n {n}")
        errors[n], late[n] = found[1], found[3]
        trial.check(f"n {n}: L1 of v_phi at t = 1", errors[n], VORTEX_GATE if n == VORTEX_N
                    else None)
        trial.check(f"n {n}: L1 of v_phi at t = 3", late[n], None)
    for (coarse, fine), order in orders(errors).items():
        trial.check(f"L1 of v_phi at t = 1: observed order, {coarse} to {fine}", order, math.inf,
                    low=VORTEX_ORDER)
    r = np.linspace(0, 0.7, 500)
    axes.plot(r, gresho(r)[0], "-", linewidth=1, color=COLOURS[1], label="exact")
    axes.set_xlabel("r (m)")
    axes.set_ylabel("v_phi at t = 1 (m/s)")
    axes.legend()


def angular_momentum(gas):
    """(about the z axis, sum of the absolute parts of all particles)."""
    turn = gas.m * (gas.x[:, 0] * gas.v[:, 1] - gas.x[:, 1] * gas.v[:, 0])
    return math.fsum(turn), math.fsum(np.abs(turn))


def spinning(dimension, n):
    """Config of a disc or a sphere that turns and expands, hotter on one side."""
    fields = (
        {"field": "velocity", "kind": "rotation", "rate": 1.0, "centre": [0.0] * dimension},
        {"field": "energy", "kind": "point", "amplitude": 1.0,
         "centre": [0.41, 0.23, 0.17][:dimension]},
    )
    return setups.text("Cloud", dimension, 1 / n, [-4.0] * dimension, [4.0] * dimension, 0.3,
                       [setups.ball(dimension, 1.0, 1.0, energy=1.0)],
                       periodic=[False] * dimension, initial=fields, output={"every": 0.05})


@case("gas-cloud", "Gas: angular momentum of an open cloud", (16,), quick=(16,))
def cloud(trial):
    """A disc, and a sphere, of hot gas of radius 1 m that turns at 1 rad/s and expands into a
    vacuum, with a second source of heat off its centre, for 0.3 s. Resolutions: spacings in the
    radius. The forces of pairs are central, and the step adds them to both particles alike: the
    angular momentum may change by 1e-12 of the sum of its absolute parts."""
    (axes,) = trial.axes()
    for dimension in (2, 3):
        for n in trial.resolutions:
            run = trial.run(f"{dimension}d-{n}", spinning(dimension, n), "violent")
            found = [(gas.time, *angular_momentum(gas), len(gas.m)) for gas in gases(run)]
            times, momenta, scales, counts = map(np.array, zip(*found))
            change = np.abs(momenta - momenta[0]) / scales
            note = f"{counts[-1]} of {counts[0]} particles at the end"
            trial.check(f"{dimension}-D, n {n}: change of the angular momentum", np.max(change),
                        1e-12, note=note)
            axes.plot(times, change, ".-", label=f"{dimension}-D, n {n}")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("change of the angular momentum")
    axes.legend()


LAYERS_END, LAYERS_GATE, LAYERS_PAIR = 1.5, 0.10, (512, 1024)


def layers(n):
    """Config of the two layers of McNally, Lyra & Passy (2012)."""
    fields = (
        {"field": "density", "kind": "shear"},
        {"field": "velocity", "kind": "shear"},
        {"field": "pressure", "kind": "uniform", "value": 2.5},
    )
    return setups.text("Shear layers", 2, 1 / n, (0, 0), (1, 1), LAYERS_END,
                       [setups.box((0, 0), (1, 1), 1.0, pressure=2.5)], initial=fields,
                       output={"every": 0.1})


@case("gas-kelvin-helmholtz", "Gas: Kelvin-Helmholtz instability", (64, 128),
      on_gpu=(128, 256, 512, 1024))
def kelvin_helmholtz(trial):
    """Two smooth shear layers in a periodic square of 1 m, densities 1 and 2, speeds 0.5 and -0.5,
    p = 2.5, gamma = 5/3, and a velocity across them of two waves (McNally, Lyra & Passy 2012).
    Resolutions: particles across. The number is the amplitude of the mode of these two waves at
    both layers, by the paper's sums with the volumes of the particles as weights. At t = 1.5 it
    must rise with n, and 512 across must give 1024's within 10%."""
    grown = {}
    (axes,) = trial.axes()
    for n in trial.resolutions:
        run = trial.run(f"{n}", layers(n), "violent")
        found = [(gas.time, shear_mode(*gas.x.T, gas.v[:, 1], gas.volume)) for gas in gases(run)]
        times, modes = map(np.array, zip(*found))
        grown[n] = modes[-1]
        trial.check(f"n {n}: amplitude at t = 1.5 (m/s)", modes[-1], None,
                    note=f"{modes[0]:.3g} at t = 0")
        axes.semilogy(times, modes, ".-", label=f"Sluice, n {n}")
    for (coarse, low), (fine, high) in zip(sorted(grown.items()), sorted(grown.items())[1:]):
        trial.check(f"amplitude rises from n {coarse} to {fine}", high / low - 1, math.inf, low=0.0)
        if (coarse, fine) == LAYERS_PAIR:
            trial.within(f"amplitude at n {coarse} over that at {fine}, less 1", low / high - 1,
                         LAYERS_GATE)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("amplitude of the mode (m/s)")
    axes.legend()


CROSSINGS, REST_GATE, REST_FROM = 20, 0.02, 64
SOUND = math.sqrt(5 / 3 * 2.5)  # of the gas around the square, m/s


def shape_of(gas, inside):
    """0 for a square along the axes, 1 for a disc of any size: of the ratio of the means of
    max(|x|, |y|)^2 and of r^2, which are 3/4 and 1/2 + 1/pi."""
    x, m = gas.x[inside], gas.m[inside]
    ratio = np.sum(m * np.max(np.abs(x), axis=1) ** 2) / np.sum(m * np.sum(x**2, axis=1))
    return float((ratio - 0.75) / (1 / math.pi - 0.25))


@case("gas-square", "Gas: square at rest", (32, 64))
def square(trial):
    """A square of gas four times as dense as the gas around it, at one pressure p = 2.5, gamma =
    5/3, in a periodic square of twice its size (Saitoh & Makino 2013), for as long as sound of the
    thin gas takes to cross the domain 20 times. Resolutions: spacings in a unit length of the dense
    gas. Nothing should move. The root mean square of the velocity at the end, weighted by mass, may
    be 2% of that speed of sound, from n = 64 on. The shape is 0 for a square, and 1 for a disc."""
    panels = trial.axes(columns=2)
    for n in trial.resolutions:
        gas_around = setups.box(*SQUARE, 1.0, pressure=2.5, name="around")
        dense = setups.box([-0.25] * 2, [0.25] * 2, 4.0, pressure=2.5, name="square")
        end = CROSSINGS / SOUND
        config = setups.text("Square at rest", 2, 1 / n, *SQUARE, end, [gas_around, dense],
                             output={"every": end / 4})
        start, *_, gas = gases(trial.run(f"{n}", config, "violent"))
        inside = np.max(np.abs(start.x), axis=1) < 0.25
        speed = math.sqrt(np.sum(gas.m * np.sum(gas.v**2, axis=1)) / np.sum(gas.m))
        trial.check(f"n {n}: rms velocity over the speed of sound", speed / SOUND,
                    REST_GATE if n >= REST_FROM else None)
        trial.check(f"n {n}: shape of the square at the end", shape_of(gas, inside), None,
                    note=f"{shape_of(start, inside):.3f} at the start; 1 is a disc")
        off = np.sqrt(np.mean((gas.p / 2.5 - 1) ** 2))
        trial.check(f"n {n}: rms error of the pressure, relative", off, None)
    for axes, shown in zip(panels, (start, gas)):
        for keep, colour in ((~inside, COLOURS[1]), (inside, COLOURS[0])):
            axes.plot(*shown.x[keep].T, ".", markersize=2, color=colour)
        axes.set_aspect("equal")
        axes.set_title(f"n {n}, t = {shown.time:.2f} s")


CASES = (gresho_vortex, cloud, kelvin_helmholtz, square)

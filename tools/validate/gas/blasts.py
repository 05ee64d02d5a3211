"""Blasts and implosions of an ideal gas: Sedov and Noh."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate.gas import setups
from validate.gas.profiles import l1, last, last_crossing, mean, means_along, peak
from validate.gas.references import Noh, Sedov
from validate.trial import case

COLD = 1e-6  # u of a gas that should be cold, J/kg
RADIUS = 0.4  # of the blast at the end, m
CFL = 0.3
PEAK, RADIUS_GATE, DRIFT, FALL = 0.7 * 4, 0.02, 5e-3, 3.5


def blast(dimension, n, cfl):
    """Config of 1 J (1 J/m) in one kernel at the centre of a periodic box of 1 m."""
    gas = setups.box([-0.5] * dimension, [0.5] * dimension, 1.0, energy=COLD,
                     lattice="square" if dimension == 2 else "fcc")
    point = {"field": "energy", "kind": "point", "amplitude": 1.0, "centre": [0.0] * dimension}
    return setups.text("Sedov's blast", dimension, 1 / n, [-0.5] * dimension, [0.5] * dimension,
                       Sedov(dimension).time(RADIUS), [gas], initial=(point,), time={"cfl": cfl})


def check_blast(trial, label, gas, exact, n, gated):
    """Checks the shock's radius and the peak; returns the peak, and the radial mean density."""
    r, speed = gas.radial()
    radius = exact.radius(gas.time)
    places, means = means_along(gas, r, gas.rho, 0.5 / n, 0, 0.5)
    place, height = peak(places, means)
    trial.within(f"{label}: radius of the shock, relative error", place / radius - 1,
                 RADIUS_GATE if gated else None, f"{place:.4f} m, exact {radius:.4f} m")
    trial.check(f"{label}: peak of the mean density", height, math.inf if gated else None,
                low=PEAK if gated else None, note="exact 4")
    inside = r < 1.1 * radius
    for what, values, want in zip(("density", "velocity", "pressure"), (gas.rho, speed, gas.p),
                                  exact.sample(r, gas.time)):
        trial.check(f"{label}: L1 of the {what}", l1(gas, values, want, inside), None)
    return height, (places, means)


def check_steps(trial, dimension, n, drift):
    """Checks how the drift falls when the CFL number is halved, and halved again."""
    for cfl, low in ((CFL / 2, FALL), (CFL / 4, None)):
        run = trial.run(f"{n}-cfl-{cfl:g}", blast(dimension, n, cfl), "")
        less = measure.residual_share(run)
        trial.check(f"n {n}: drift at CFL {2 * cfl:g} over that at {cfl:g}", drift / less,
                    None if low is None else math.inf, low=low)
        drift = less


def sedov(trial, dimension, gated_from):
    exact, peaks = Sedov(dimension), {}
    (axes,) = trial.axes()
    for n in trial.resolutions:
        run = trial.run(f"{n}", blast(dimension, n, CFL), "")
        gas, drift = last(run), measure.residual_share(run)
        peaks[n], profile = check_blast(trial, f"n {n}", gas, exact, n, n >= gated_from)
        trial.check(f"n {n}: drift of the energy", drift, DRIFT if n >= gated_from else None,
                    note=f"{run.energy()['step'][-1]:.0f} steps")
        if n == trial.resolutions[0]:
            check_steps(trial, dimension, n, drift)
        axes.plot(*profile, ".-", markersize=3, linewidth=0.8, label=f"Sluice, n {n}, mean")
    for (coarse, low), (fine, high) in zip(sorted(peaks.items()), sorted(peaks.items())[1:]):
        trial.check(f"peak rises from n {coarse} to {fine}", high - low, math.inf, low=0.0)
    r = np.linspace(0.001, 0.5, 1000)
    axes.plot(r, exact.sample(r, gas.time)[0], "-", linewidth=1, color=COLOURS[1], label="exact")
    axes.set_xlabel("r (m)")
    axes.set_ylabel("density (kg/m$^3$)")
    axes.legend()


@case("gas-sedov-2d", "Gas: Sedov's blast in 2-D", (64, 128), on_gpu=(128, 256, 512))
def sedov_2d(trial):
    """1 J/m in one kernel at the centre of a periodic square of 1 m, density 1, gamma = 5/3, u =
    1e-6 J/kg elsewhere, until the exact shock is at R = 0.4 m. Resolutions: particles across. The
    radius of the shock is the place of the peak of the radial mean density, in rings half a spacing
    wide, by a parabola through the highest ring and its neighbours; its height may miss 30% of the
    exact 4, and must rise with n. The drift is the largest residual of the budget, over the energy.
    It must fall 3.5 times when the CFL number is halved, at the coarsest resolution. Gates of
    radius, peak and drift apply from n = 128 on. Exact profile: Sedov 1959, scaled by similarity,
    xi0 = 1.15379."""
    sedov(trial, 2, 128)


@case("gas-sedov-3d", "Gas: Sedov's blast in 3-D", (32, 64), long=True, on_gpu=(64, 128, 256))
def sedov_3d(trial):
    """1 J in one kernel at the centre of a periodic cube of 1 m on an fcc lattice, until the exact
    shock is at R = 0.4 m; numbers and gates are those of the blast in 2-D, with shells instead of
    rings. Resolutions: n of n^3 particles. Gates of radius, peak and drift apply from n = 64 on.
    xi0 = 1.15167."""
    sedov(trial, 3, 64)


NOH_END = 0.6
# dimension: gates of the plateau and of the shock, and the coarsest resolution that they apply to
NOH = {2: (0.05, 0.03, 200), 3: (0.15, 0.10, 60)}


def noh_start(trial, dimension, n):
    """The start file of a disc or sphere of radius 1 that falls to its centre at 1 m/s. In 2-D on a
    hexagonal lattice, in 3-D on an fcc one; n spacings in the radius."""
    x = lattice(dimension, 1 / n)
    r = np.linalg.norm(x, axis=1)
    x, r = x[r < 1], r[r < 1]
    v = -x / np.maximum(r, 1e-12)[:, None]
    columns = {name: x[:, i] for i, name in enumerate("xyz"[:dimension])}
    columns.update({f"v{name}": v[:, i] for i, name in enumerate("xyz"[:dimension])})
    columns["mass"] = np.full(len(x), float(n) ** -dimension)
    columns["density"] = np.ones(len(x))
    columns["energy"] = np.full(len(x), COLD)
    return trial.write(f"{n}", columns)


def lattice(dimension, spacing):
    """Sites of a hexagonal or fcc lattice about the origin, which reach past radius 1. The origin
    is the middle of a triangle or of a cell, so that no site is there."""
    if dimension == 2:
        edge = spacing * math.sqrt(2 / math.sqrt(3))
        count = int(1.5 / edge)
        i, j = np.meshgrid(np.arange(-2 * count, 2 * count), np.arange(-2 * count, 2 * count))
        i, j = i.ravel(), j.ravel()
        return edge * np.column_stack([i + j / 2 + 0.5, (j + 1 / 3) * math.sqrt(3) / 2])
    edge = setups.EDGE * spacing
    count = int(1.1 / edge) + 2
    cells = np.stack(np.meshgrid(*[np.arange(-count, count)] * 3, indexing="ij"), -1)
    sites = np.array([(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]) + 0.25
    return edge * (cells.reshape(-1, 1, 3) + sites).reshape(-1, 3)


def check_noh(trial, label, gas, place, exact, width, gates):
    """Checks plateau and shock of a gas that falls to place 0; returns the mean density."""
    shock = exact.speed * gas.time
    inner = (place > shock / 4) & (place < 3 * shock / 4)
    found = mean(gas, gas.rho, inner)
    trial.within(f"{label}: plateau, relative error", found / exact.plateau - 1, gates and gates[0],
                 f"density {found:.3f}, exact {exact.plateau:.0f}")
    means = means_along(gas, place, gas.rho, width, 0, 2 * shock)
    level = (exact.plateau + float(exact.upstream(shock, gas.time))) / 2
    at = last_crossing(*means, level)
    trial.within(f"{label}: place of the shock, relative error", at / shock - 1, gates and gates[1],
                 f"{at:.4f} m, exact {shock:.4f} m")
    trial.check(f"{label}: density in the inner quarter of the shock, over the exact one",
                mean(gas, gas.rho, place < shock / 4) / exact.plateau, None, note="wall heating")
    return means


def draw_noh(axes, exact, t):
    r = np.linspace(0.001, 2 * exact.speed * t, 1000)
    axes.plot(r, exact.density(r, t), "-", linewidth=1, color=COLOURS[1], label="exact")
    axes.set_xlabel("r (m)")
    axes.set_ylabel("density (kg/m$^3$)")
    axes.legend()


def noh(trial, dimension):
    *gates, gated_from = NOH[dimension]
    exact = Noh(dimension)
    (axes,) = trial.axes()
    for n in trial.resolutions:
        config = setups.text("Noh's implosion", dimension, 1 / n, [-1.5] * dimension,
                             [1.5] * dimension, NOH_END, (), periodic=[False] * dimension,
                             particles=noh_start(trial, dimension, n))
        gas = last(trial.run(f"{n}", config, "violent"))
        width = 1 / n / exact.plateau ** (1 / dimension)
        means = check_noh(trial, f"n {n}", gas, gas.radial()[0], exact, width,
                          gates if n >= gated_from else None)
        axes.plot(*means, ".-", markersize=3, linewidth=0.8, label=f"Sluice, n {n}, mean")
    draw_noh(axes, exact, gas.time)


@case("gas-noh-2d", "Gas: Noh's implosion in 2-D", (50, 100), on_gpu=(100, 200, 400))
def noh_2d(trial):
    """A disc of radius 1, density 1, gamma = 5/3, u = 1e-6 J/kg falls to its centre at 1 m/s, until
    t = 0.6, in an open domain (Noh 1987). Resolutions: spacings in the radius. Behind the shock,
    which is at t/3, the density is 16. The plateau is the mean density over the middle half of the
    shock's radius. The shock is where the radial mean density falls half-way from 16 to the 4 in
    front of it, in rings as wide as the spacing behind it. The inner quarter, where the start heats
    the gas too much, is for comparison. The gates apply from n = 200 on."""
    noh(trial, 2)


@case("gas-noh-3d", "Gas: Noh's implosion in 3-D", (20, 30), on_gpu=(30, 60, 120))
def noh_3d(trial):
    """As the implosion in 2-D, of a sphere on an fcc lattice: the density is 64 behind the shock
    and 16 in front of it. The gates apply from n = 60 on."""
    noh(trial, 3)


PLANE_GATES, PLANE_FROM, PLANE_END = (0.05, 0.03), 64, 0.6
OTHERS = {"wall": "a wall", "stream": "a second stream"}  # what stops the gas


def plane(n, other):
    """Config of gas that falls at 1 m/s to the plane x = 0, where a wall or a second stream stops
    it."""
    length = setups.whole_cells(1.0, 1 / n)
    half = setups.whole_cells(0, 1 / n, setups.WIDTH) / 2
    low, keys = 0.0, {"lattice": "fcc", "energy": COLD}
    gas = [setups.box((0, -half, -half), (length, half, half), 1.0, velocity=[-1.0, 0.0, 0.0],
                      **keys)]
    if other == "wall":
        gas.append({"name": "wall", "shape": "walls", "sides": ("x-",)})
    else:
        low = -length
        gas.append(setups.box((low, -half, -half), (0, half, half), 1.0, velocity=[1.0, 0.0, 0.0],
                              **keys))
    return setups.text("Planar implosion", 3, 1 / n, (low, -half, -half), (length, half, half),
                       PLANE_END, gas, periodic=[False, True, True])


@case("gas-noh-planar", "Gas: a cold stream hits a wall", (32, 64, 128))
def noh_planar(trial):
    """A cold gas of density 1, gamma = 5/3, falls onto a wall at 1 m/s, until t = 0.6: the planar
    implosion of Noh (1987). Resolutions: spacings in a unit length, on an fcc lattice. Behind the
    shock, at t/3, the density is 4. Numbers are those of the implosion in 2-D, over the distance
    from the wall. The gates apply from n = 64 on. The same with a second stream, which comes from
    the other side, in the place of the wall is for comparison."""
    exact = Noh(1)
    panels = trial.axes(columns=2)
    for (other, words), axes in zip(OTHERS.items(), panels):
        for n in trial.resolutions:
            gas = last(trial.run(f"{other}-{n}", plane(n, other), "violent"))
            gates = PLANE_GATES if other == "wall" and n >= PLANE_FROM else None
            means = check_noh(trial, f"{words}, n {n}", gas, np.abs(gas.x[:, 0]), exact, 0.5 / n,
                              gates)
            axes.plot(*means, ".-", markersize=3, linewidth=0.8, label=f"Sluice, n {n}, mean")
        draw_noh(axes, exact, gas.time)
        axes.set_xlabel("distance from the plane (m)")
        axes.set_title(words)


CASES = (sedov_2d, sedov_3d, noh_2d, noh_3d, noh_planar)

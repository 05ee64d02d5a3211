"""Fluid that meets itself or turns, without walls: exact pressures at the start, symmetry."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate.trial import case

RHO0, GAMMA = 1000.0, 7.0
JETS_CFL = 0.2

FREE = """# Particles of a file in empty space: {title}.
title = "{title}";
model = "wcsph"; dimension = 2; spacing = {spacing!r};
domain = {{ min = [-4.0, -4.0]; max = [4.0, 4.0]; }};
fluid = {{ density = 1000.0; sound_speed = {c0!r};
          viscosity = {{ kind = "artificial"; alpha = 0.02; }};
          diffusion = {{ kind = "hydrostatic"; delta = 0.1; }}; }};
particles = "{particles}";
time = {{ end = {end!r}; cfl = {cfl!r}; }};
energy = {{ every = 1; tolerance = 1.0e-3; }};
output = {{ every = {every!r}; precision = "double"; }};
backend = {{ precision = "double"; }};
"""


def lattice(width, height, dp):
    """Sites of a rectangle about the origin."""
    x = (np.arange(round(width / dp)) + 0.5) * dp - width / 2
    y = (np.arange(round(height / dp)) + 0.5) * dp - height / 2
    return (axis.ravel() for axis in np.meshgrid(x, y))


def by_id(snapshot, what):
    return what[np.argsort(snapshot.id)]


def asymmetry(run, images, dp):
    """The largest distance (dp) between particles and the images of their partners, over all
    snapshots: [(time, size)]. images: [(map of positions, partner's index by id)]."""
    sizes = []
    for snapshot in run:
        x = by_id(snapshot, snapshot.x)[:, :2]
        off = [np.max(np.abs(turn(x) - x[partner])) for turn, partner in images]
        sizes.append((snapshot.time, max(off) / dp))
    return np.array(sizes)


def partner_of(x, turn):
    """For each particle the index of the particle at its image."""
    place = {tuple(key): i for i, key in enumerate(np.round(x / (x.max() * 1e-6)).astype(int))}
    return np.array([place[tuple(k)] for k in np.round(turn(x) / (x.max() * 1e-6)).astype(int)])


def images_of(x, turns):
    return [(turn, partner_of(x, turn)) for turn in turns]


def quarter_turn(x):
    return np.column_stack([-x[:, 1], x[:, 0]])


def patch_pressure(x, y, side, omega, terms=60):
    """Pressure (Pa) in a square of rigid rotation whose edge is free: the Poisson equation lap p =
    2 rho omega^2 as a double sine series (Colagrossi 2005)."""
    p = np.zeros_like(x)
    sines = [
        [np.sin((2 * n + 1) * math.pi * (s / side + 0.5)) for n in range(terms)] for s in (x, y)
    ]
    for m in range(terms):
        for n in range(terms):
            a, b = (2 * m + 1) * math.pi / side, (2 * n + 1) * math.pi / side
            p -= 32 * omega**2 / (side**2 * a * b * (a**2 + b**2)) * sines[0][m] * sines[1][n]
    return RHO0 * p


@case("square-patch", "Rotating square patch", (32, 64))
def square_patch(trial):
    """A square of water, side L = 1 m, turns like a rigid body (omega = 1/s, c0 = 10 m/s) with a
    free edge (Colagrossi 2005). It starts with the exact pressure, negative inside, which should
    not change while omega t < 0.1. Two errors are judged over these snapshots: the mean error of
    the pressure at the centre, and the root mean square error of the whole field. Both are divided
    by the exact pressure of the centre. Symmetry: until omega t = 1 every particle is at most 1e-3
    dp from the place of its partner, turned by a quarter. Later the arms, which are in tension,
    break up without shifting, so nothing can be tested. Resolutions: particles in L. In double."""
    left, right = trial.axes(columns=2)
    errors = {}
    for n in trial.resolutions:
        dp = 1 / n
        x, y = lattice(1.0, 1.0, dp)
        start = {"x": x, "y": y, "vx": -y, "vy": x, "pressure": patch_pressure(x, y, 1.0, 1.0)}
        text = FREE.format(title="Rotating square patch", spacing=dp, c0=10.0, cfl=0.3, end=1.0,
                           every=0.01, particles=trial.write(f"{n}-start", start))
        run = trial.run(f"{n}", text, "violent")
        centre = patch_pressure(np.zeros(1), np.zeros(1), 1.0, 1.0)[0]
        means, differences = [], []
        for s in run:
            if s.time > 0.1:
                break
            p = by_id(s, s.pressure)
            middle = np.abs(x) + np.abs(y) < 2.5 * dp
            means.append(np.mean(p[middle]) / np.mean(start["pressure"][middle]))
            differences.append(np.mean((p - start["pressure"]) ** 2))
        errors[n] = np.mean(means) - 1
        trial.within(f"L/{n}: pressure of the centre, omega t < 0.1, relative error", errors[n],
                     0.03, f"exact {centre:.2f} Pa, {len(means)} snapshots")
        trial.check(f"L/{n}: pressure, root mean square difference over the centre's",
                    math.sqrt(np.mean(differences)) / abs(centre), 0.03)
        images = images_of(np.column_stack([x, y]), (quarter_turn,))
        sizes = asymmetry(run, images, dp)
        trial.check(f"L/{n}: asymmetry until omega t = 1, dp", sizes[:, 1].max(), 1e-3)
        right.semilogy(sizes[1:, 0], np.maximum(sizes[1:, 1], 1e-17), label=f"L/{n}")
    draw_patch(left, run, n)
    right.axhline(1e-3, color=COLOURS[1], linestyle=":", label="gate")
    right.set_xlabel("omega t")
    right.set_ylabel("asymmetry (dp)")
    right.legend()
    trial.order("pressure of the centre", errors)


def draw_patch(axes, run, n):
    snapshot = run[-1]
    places = axes.scatter(snapshot.x[:, 0], snapshot.x[:, 1], c=snapshot.pressure, s=180 / n)
    axes.figure.colorbar(places, ax=axes, label="pressure (Pa)")
    axes.set_aspect("equal")
    axes.set_title(f"omega t = {snapshot.time:.2f}, L/{n}")


def shock_pressure(speed, c0):
    """Pressure (Pa) behind the shock that brings Tait fluid of `speed` to rest (Rankine and
    Hugoniot): p = speed^2 rho0 rho/(rho - rho0)."""
    low, high = 1e-9, 1.0  # of rho/rho0 - 1
    for _ in range(200):
        r = (low + high) / 2
        tait = RHO0 * c0**2 / GAMMA * math.expm1(GAMMA * math.log1p(r))
        if tait < speed**2 * RHO0 * (1 + r) / r:
            low = r
        else:
            high = r
    return RHO0 * c0**2 / GAMMA * math.expm1(GAMMA * math.log1p(low))


@case("impinging-jets", "Impinging jets", (32, 64))
def impinging_jets(trial):
    """Two jets, W = 1 m wide and 1.5 m long, meet head on at 1 m/s each; c0 = 10 m/s. Until waves
    from the free sides reach the middle, the pressure there is that behind a plane shock (Rankine
    and Hugoniot for Tait's equation of state). The number is the relative error of its mean over
    |x| < 0.1 W, |y| < 0.1 W and 0.15 < t c0/W < 0.25. The shock is then beyond 0.16 W, and waves
    from the free sides, at 1.3 c0, beyond 0.17 W from the middle. Symmetry: until t = 1 s every
    particle is at most 1e-3 dp from the mirror image of its partner, for both mirrors. Behind the
    shock the lattice rings so fast that with the default CFL of 0.3 the residual misses its gate.
    So CFL is 0.2, and others are for comparison. Resolutions: particles in W. In double."""
    left, right = trial.axes(columns=2)
    errors, c0 = {}, 10.0
    exact = shock_pressure(1.0, c0)
    for n in trial.resolutions:
        dp = 1 / n
        x, y = lattice(3.0, 1.0, dp)
        start = {"x": x, "y": y, "vx": -np.sign(x), "vy": 0 * x, "pressure": 0 * x}
        keys = {"title": "Impinging jets", "spacing": dp, "c0": c0, "end": 1.0, "every": 0.002,
                "particles": trial.write(f"{n}-start", start)}
        run = trial.run(f"{n}", FREE.format(cfl=JETS_CFL, **keys), "violent")
        for cfl in (0.3, 0.1) if n == trial.resolutions[0] else ():
            other = trial.run(f"{n}-cfl{cfl:g}", FREE.format(cfl=cfl, **keys), "")
            trial.check(f"W/{n}, CFL {cfl:g}: residual / reference energy",
                        measure.residual_share(other), None)
        pressures = []
        for s in run:
            if 0.15 < s.time * c0 < 0.25:
                inside = (np.abs(s.x[:, 0]) < 0.1) & (np.abs(s.x[:, 1]) < 0.1)
                pressures.append(np.mean(s.pressure[inside]))
        errors[n] = np.mean(pressures) / exact - 1
        note = f"{np.mean(pressures):.0f} Pa, exact {exact:.0f} Pa, {len(pressures)} snapshots"
        trial.within(f"W/{n}: pressure of the impact, relative error", errors[n], 0.03, note)
        mirrors = (lambda x: x * [-1, 1], lambda x: x * [1, -1])
        sizes = asymmetry(run, images_of(np.column_stack([x, y]), mirrors), dp)
        trial.check(f"W/{n}: asymmetry until 1 s, dp", sizes[:, 1].max(), 1e-3)
        right.semilogy(sizes[1:, 0], np.maximum(sizes[1:, 1], 1e-17), label=f"W/{n}")
    draw_jets(left, run, n, exact, c0)
    right.axhline(1e-3, color=COLOURS[1], linestyle=":", label="gate")
    right.set_xlabel("time (s)")
    right.set_ylabel("asymmetry (dp)")
    right.legend()
    trial.order("pressure of the impact", errors)


def draw_jets(axes, run, n, exact, c0):
    """The pressure along the middle at t c0/W = 0.2."""
    s = min(run, key=lambda snapshot: abs(snapshot.time * c0 - 0.2))
    time = s.time
    near = np.abs(s.x[:, 1]) < 0.1
    axes.plot(s.x[near, 0], s.pressure[near], ".", markersize=2, color=COLOURS[0],
              label=f"Sluice, W/{n}, |y| < 0.1 W")
    shock = time * exact / (RHO0 * 1.0) - time  # m: at p/(rho0 u) in the jet, which moves at u = 1
    axes.plot([-1.5, -shock, -shock, shock, shock, 1.5], [0, 0, exact, exact, 0, 0],
              color=COLOURS[1], linewidth=1, label="exact")
    axes.set_xlim(-0.6, 0.6)
    axes.set_xlabel("x (m)")
    axes.set_ylabel("pressure (Pa)")
    axes.set_title(f"t c0/W = {time * c0:.2f}")
    axes.legend()


CASES = (square_patch, impinging_jets)

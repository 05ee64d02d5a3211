"""Shock tubes and contacts of an ideal gas."""

import numpy as np
from plot.pictures import COLOURS

from validate.gas import setups
from validate.gas.profiles import gases, l1, last, last_crossing, mean, means_along, orders
from validate.gas.references import Riemann, State
from validate.trial import case

GAMMA = 1.4
GAS = {"gamma": GAMMA}
PROFILES = (("rho", "density (kg/m$^3$)"), ("u", "velocity (m/s)"), ("p", "pressure (Pa)"))


def middle(low, high):
    """The middle half of a range."""
    return low + (high - low) / 4, high - (high - low) / 4


def shock_place(gas, exact, spacing, high):
    """Where the mean pressure falls half-way from p* to the right state's, m."""
    x = gas.x[:, 0]
    means = means_along(gas, x, gas.p, spacing / 2, exact.u * gas.time / 2, high)
    return last_crossing(*means, (exact.p + exact.right.p) / 2)


def check_tube(trial, label, gas, exact, spacing, ends, gates):
    """Checks plateaus and shock of the face at 0 by gates (of plateaus, of the shock; None: none).
    spacing: of the right side (m). Returns the L1 errors of rho and u between the middles of both
    sides, where the waves of the other face do not come."""
    x, t = gas.x[:, 0], gas.time
    shock = exact.shock_speed() * t
    behind = middle(exact.tail_speed() * t, exact.u * t)
    ahead = middle(exact.u * t, shock)
    both = (x > behind[0]) & (x < behind[1]) | (x > ahead[0]) & (x < ahead[1])
    for what, values, want, keep in (
        ("p*", gas.p, exact.p, both),
        ("u*", gas.v[:, 0], exact.u, both),
        ("density behind the contact", gas.rho, exact.rho_left, (x > behind[0]) & (x < behind[1])),
        ("density behind the shock", gas.rho, exact.rho_right, (x > ahead[0]) & (x < ahead[1])),
    ):
        found = mean(gas, values, keep)
        trial.within(f"{label}: {what}, relative error", found / want - 1, gates and gates[0],
                     f"{found:.5g}, exact {want:.5g}")
    place = shock_place(gas, exact, spacing, ends[1] / 2)
    trial.within(f"{label}: place of the shock, relative error", place / shock - 1,
                 gates and gates[1], f"{place:.4f} m, exact {shock:.4f} m")
    keep = (x > ends[0] / 2) & (x < ends[1] / 2)
    wanted = exact.sample(x / t)
    return [l1(gas, values, want, keep)
            for values, want in zip((gas.rho, gas.v[:, 0]), wanted)]


def draw_tube(panels, gas, exact, ends, label):
    """Density, velocity and pressure of every particle along the tube, and the exact ones."""
    x = np.linspace(ends[0] / 2, ends[1] / 2, 1000)
    wanted = exact.sample(x / gas.time)
    for axes, (name, words), values, want in zip(panels, PROFILES, (gas.rho, gas.v[:, 0], gas.p),
                                                 wanted):
        axes.plot(gas.x[:, 0], values, ".", markersize=1, color=COLOURS[0], label=label)
        axes.plot(x, want, "-", linewidth=1, color=COLOURS[1], label="exact")
        axes.set_xlim(x[0], x[-1])
        axes.set_xlabel("x (m)")
        axes.set_ylabel(words)
    axes.legend()


def run_tubes(trial, title, sides, lengths, end, gates, gated_from):
    """Runs a tube at all resolutions; {n: L1 of rho}, {n: L1 of u}. gated_from: the coarsest
    resolution at which the gates apply."""
    exact = Riemann(State(*sides[0]), State(*sides[1]), GAMMA)
    errors = {}, {}
    for n in trial.resolutions:
        config, ends = setups.tube(title, n, *(side + (0.0,) for side in sides), lengths, end,
                                   gas=GAS)
        run = trial.run(f"{n}", config, "violent")
        gas, spacing = last(run), (max(s[0] for s in sides) / sides[1][0]) ** (1 / 3) / n
        found = check_tube(trial, f"n {n}", gas, exact, spacing, ends,
                           gates if n >= gated_from else None)
        for kept, error, what in zip(errors, found, ("density", "velocity")):
            kept[n] = error
            trial.check(f"n {n}: L1 of the {what}", error, None)
    draw_tube(trial.axes(columns=3), gas, exact, ends, f"Sluice, n {n}")
    return errors


SOD_GATES, SOD_ORDER, SOD_FROM = (0.02, 0.01), 0.5, 128


@case("gas-sod", "Gas: Sod's shock tube", (64, 128, 256), quick=(64,))
def sod(trial):
    """Sod's tube (1978) in 3-D: (rho, v, p) = (1, 0, 1) and (1/8, 0, 1/10), gamma = 1.4, until t =
    0.15, all particles of one mass. Resolutions: spacings n in a unit length on the dense side. The
    tube is periodic, so it has a second face, which mirrors the first one. The plateaus p*, u* and
    the densities on both sides of the contact are means over the middle half of each exact plateau.
    The shock is where the mean pressure falls half-way from p* to the right state's. L1 is the mean
    error between the middles of both sides. The gates of plateaus, shock and order apply from n =
    128 on. Exact solution: Toro 2009, chapter 4."""
    errors = run_tubes(trial, "Sod's shock tube", ((1.0, 1.0), (0.125, 0.1)), (0.5, 0.6), 0.15,
                       SOD_GATES, SOD_FROM)
    for what, found in zip(("density", "velocity"), errors):
        for (coarse, fine), order in orders(found).items():
            gates = {"gate": np.inf, "low": SOD_ORDER} if coarse >= SOD_FROM else {"gate": None}
            trial.check(f"L1 of the {what}: observed order, {coarse} to {fine}", order, **gates)


STRONG_GATES, STRONG_FROM = (0.05, 0.05), 256


@case("gas-strong-shock", "Gas: strong shock", (64, 128, 256))
def strong_shock(trial):
    """The left half of Woodward & Colella's blasts (1984), as in Toro's test 3: (rho, v, p) = (1,
    0, 1000) and (1, 0, 0.01), gamma = 1.4, until t = 0.012. Resolutions, tube and numbers are those
    of Sod's tube. The gates apply from n = 256 on: the gas behind the shock is 12 spacings of its
    start wide there."""
    errors = run_tubes(trial, "Strong shock", ((1.0, 1000.0), (1.0, 0.01)), (1.0, 0.6), 0.012,
                       STRONG_GATES, STRONG_FROM)
    for what, found in zip(("density", "velocity"), errors):
        trial.order(f"L1 of the {what}", found)


CONTACT_GATE, CONTACT_FROM = 0.01, 64


def distance(x, faces, length):
    """Distances of places along a periodic axis to the nearest face."""
    apart = np.abs(x[:, None] - np.asarray(faces)[None, :])
    return np.min(np.minimum(apart, length - apart), axis=1)


@case("gas-contact", "Gas: contact at rest and moving", (64, 128))
def contact(trial):
    """Two gases of density 1 and 1/8 at one pressure, p = 1, gamma = 1.4, in a periodic tube, at
    rest and moving at u = 1, until t = 0.2. Resolutions: spacings in a unit length of the dense
    gas. Nothing should happen. Farther than 4h from the nearest face, h of the thin gas, p may be
    off by 1%, and the velocity by 0.01 m/s, the largest of all particles. The blip is the largest
    error of p nearer to a face. The gates apply from n = 64 on. The speed of sound is 1.18 and 3.35
    m/s. The internal energy jumps at the face and the summed density does not, so the start has a
    spike of pressure there; the waves that it sends out are most of the error."""
    left, right = trial.axes(columns=2)
    for n in trial.resolutions:
        for speed, axes in ((0.0, left), (1.0, right)):
            config, ends = setups.tube("Contact", n, (1.0, 1.0, speed), (0.125, 1.0, speed),
                                       (1.0, 1.0), 0.2, gas=GAS)
            run = trial.run(f"{n}-u{speed:g}", config, "violent")
            start, gas = next(gases(run)), last(run)
            length = ends[1] - ends[0]
            faces = [(face + speed * gas.time - ends[0]) % length + ends[0]
                     for face in (0.0, ends[0])]
            near = distance(gas.x[:, 0], faces, length) < 4 * np.max(start.h)
            label = f"n {n}, u {speed:g}"
            off, gate = np.abs(gas.p - 1), CONTACT_GATE if n >= CONTACT_FROM else None
            trial.check(f"{label}: p beyond 4h, largest error", np.max(off[~near]), gate)
            drift = np.max(np.abs(gas.v[:, 0] - speed)[~near])
            trial.check(f"{label}: velocity beyond 4h, largest error", drift, gate)
            trial.check(f"{label}: p beyond 4h, mean error", l1(gas, gas.p, 1.0, ~near), None)
            trial.check(f"{label}: blip of p within 4h", np.max(off[near]), None)
            axes.plot(gas.x[:, 0], gas.p, ".", markersize=1, label=f"Sluice, n {n}")
    for speed, axes in ((0, left), (1, right)):
        axes.set_title(f"u = {speed}")
        axes.set_xlabel("x (m)")
        axes.set_ylabel("pressure (Pa)")
        axes.legend()


CASES = (sod, strong_shock, contact)

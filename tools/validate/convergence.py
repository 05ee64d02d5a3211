"""Convergence of a dam break on a wall: the front, its arrival, the impulses."""

import math

import numpy as np
from converge import order
from plot import reference
from sluice import FileError

from validate.dam_break_wall import HEIGHT, arrival, impulse
from validate.trial import case

GRAVITY = 9.81
LENGTHS = (5.36, 5.375)  # of the tank, in heights of the water: one of them is on all lattices
RESERVOIR = 2.0  # H: its length, from where the front is counted
FRONTS = (1.0, 2.0)  # of t sqrt(g/H): the front is read here
SENSORS = ("P1", "P2", "P3")
CFLS = (0.299, 0.298)  # of the runs that show chance
FRONT, ARRIVAL = "front at t = {:g}", "arrival at P1"
CHANGE = 0.01  # of fronts and arrival between the two finest spacings
ORDER = (0.5, order.BEYOND)  # of the arrival
POWERS = (0.05, 4.0)  # an order is looked for between these


def length_on(resolutions):
    """The tank's length, in heights, that is a whole number of spacings at all resolutions."""
    for length in LENGTHS:
        if all(abs(length * n - round(length * n)) < 1e-9 for n in resolutions):
            return length
    raise FileError(f"--resolution: no tank of {' or '.join(map(str, LENGTHS))} H has a whole "
                      "number of particles at all of these; 25, 50, 100, 200 and 24, 40, 56, 80 do")


def keys(n, length):
    """Keys of dam_break_wall.cfg for n particles in the water's height; a probe of the front."""
    sensors = tuple(
        {"name": name, "kind": "patch", "on": "tank", "face": "right", "at": at, "size": 0.0084,
         "every": 0.001}
        for name, at in zip(SENSORS, (0.006, 0.03, 0.06))
    )  # fmt: skip
    front = {"name": "front", "kind": "front", "axis": "x", "above": 0.02 * HEIGHT, "every": 0.001}
    return {"spacing": HEIGHT / n, "domain__max": [round(length * HEIGHT, 9), 3.6],
            "probes": (*sensors, front)}


def numbers_of(run):
    """{what: number} of a run, in H, sqrt(H/g) and rho g H."""
    probes = run.probes()
    known = {c.probe: c for c in reference.known(run.title)}
    front = probes["front"]
    t = front["time"] * np.sqrt(GRAVITY / HEIGHT)
    found = {FRONT.format(at): float(np.interp(at, t, front["front"])) / HEIGHT - RESERVOIR
             for at in FRONTS}
    pressures = {name: known[name].measured(probes[name]) for name in SENSORS}
    found[ARRIVAL] = arrival(*pressures["P1"])
    found.update({f"impulse on {name}": impulse(*pressures[name]) for name in SENSORS})
    return found


def said(judgement):
    """A judgement in words."""
    if judgement.verdict != order.CONVERGING:
        return f"{judgement.verdict}, largest less smallest {judgement.spread:.2g}"
    return (f"converging, order {order.words(judgement.order)}, extrapolated "
            f"{judgement.extrapolated:.4f} +- {judgement.error:.2g}")


def fitted_order(spacings, values):
    """p, f0 and the mean deviation of the least-squares fit f0 + C h^p to three values or more; p
    and f0 are nan if p would be at an end of POWERS. With spacings that are close to each other it
    is steadier than an order from three values (Eca & Hoekstra 2014, J. Comput. Phys. 262,
    104-130)."""
    h, f = np.array(spacings), np.array(values)
    best, powers = (np.inf,), np.linspace(*POWERS, 396)
    for p in powers:
        columns = np.stack([np.ones_like(h), h**p], axis=1)
        line = np.linalg.lstsq(columns, f, rcond=None)[0]
        best = min(best, (float(np.sqrt(np.mean((columns @ line - f) ** 2))), float(p), line[0]))
    if best[1] in (powers[0], powers[-1]):
        return math.nan, math.nan, best[0]
    return best[1], best[2], best[0]


def judge(trial, found, chance):
    """Checks the numbers {resolution: {what: number}}; chance: {what: largest less smallest}."""
    ns = sorted(found)
    for what in found[ns[0]]:
        values = [found[n][what] for n in ns]
        change = values[-1] - values[-2]
        text = ", ".join(f"H/{n} {v:.4f}" for n, v in zip(ns, values))
        trial.within(f"{what}: change from H/{ns[-2]} to H/{ns[-1]}, relative", change / values[-1],
                     None if what.startswith("impulse") else CHANGE, text)
        power, limit, deviation = fitted_order([1 / n for n in ns], values)
        gates = {"gate": ORDER[1], "low": ORDER[0]} if what == ARRIVAL else {"gate": None}
        note = f"extrapolated {limit:.4f}, mean deviation {deviation:.4f}"
        if math.isnan(power):
            note = "no order: the best of {:g} to {:g} is at an end".format(*POWERS)
        trial.check(f"{what}: order fitted to all spacings", power, **gates, note=note)
        for three in zip(ns, ns[1:], ns[2:]):
            judgement = order.judge([1 / n for n in three], [found[n][what] for n in three])
            found_order = judgement.order if math.isfinite(judgement.order) else math.nan
            trial.check(f"{what}: observed order, H/{three[0]} to H/{three[2]}", found_order, None,
                        note=said(judgement))
        trial.check(f"{what}: chance at H/{ns[1]}, largest less smallest", chance[what], None,
                    note=f"three runs; the two finest differ by {abs(change):.4f}")


@case("convergence", "Convergence of a dam break on a wall", (25, 50, 75, 100),
      on_gpu=(25, 50, 100, 200))
def convergence(trial):
    """The dam break on a wall (`configs/dam_break_wall.cfg`) at four spacings, in one tank that
    fits all of them: how far the front has run from the reservoir at t = 1 and 2, its arrival at
    P1, and the impulses on P1 to P3 from t = 2.36 to 7. Units: H, sqrt(H/g) and rho g H. The order
    is fitted to all four by least squares, between 0.05 and 4; each three neighbouring spacings are
    judged as by `sluice converge` too. The arrival must converge with an order from 0.5 to 2.2: the
    tongue is a few spacings thick, so first order is expected. The front is the place of one
    particle, which scatters by a fraction of a spacing. So its order means little; its gate is a
    change of 1% of its distance between the two finest runs. The reservoir's own 2 H is no part of
    it: it is the same in all runs, and would make the change look half as large. The impulses have
    no gate and no order. The splash is chaotic: equal runs, whose steps are 0.3 and 0.7% shorter,
    differ by about 1%, as much as the two finest spacings."""
    length, found = length_on(trial.resolutions), {}
    for n in trial.resolutions:
        found[n] = numbers_of(trial.run(f"{n}", "dam_break_wall.cfg", "violent",
                                        **keys(n, length)))
    if len(found) < 3:
        raise FileError("--resolution: three or more are wanted")
    n = sorted(found)[1]
    equals = [found[n]] + [
        numbers_of(trial.run(f"{n}-cfl-{cfl:g}", "dam_break_wall.cfg", "violent",
                             **keys(n, length), time__cfl=cfl))
        for cfl in CFLS
    ]
    chance = {what: float(np.ptp([e[what] for e in equals])) for what in found[n]}
    judge(trial, found, chance)
    draw(trial, found, chance)


def draw(trial, found, chance):
    """Draws each number over the spacing, with the chance of the second coarsest as a bar."""
    ns = sorted(found)
    for axes, what in zip(trial.axes(2, 3), found[ns[0]]):
        axes.plot([1 / n for n in ns], [found[n][what] for n in ns], "o-")
        axes.errorbar([1 / ns[1]], [found[ns[1]][what]], yerr=chance[what], color="0.5", capsize=4)
        axes.set_title(what)
        axes.set_xlabel("dp/H")
        axes.set_xlim(left=0)


CASES = (convergence,)

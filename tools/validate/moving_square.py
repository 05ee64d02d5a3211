"""SPHERIC test 6: a square that moves through a closed tank."""

import math

import numpy as np
from plot.pictures import COLOURS
from plot.reference import DATA
from sluice import read_table

from validate.tank_flow import Flow
from validate.trial import case

TANK = (10.0, 5.0)  # L
STEADY = (3.0, 7.0)  # L/U, between the start and the far wall
START = (0.0, 1.0)
WINDOW = 0.25  # L/U, before and after a row of the reference
QUICKEST = 0.525652  # L/U: the table's acceleration is 5/sqrt(pi) exp(-25 (t - this)^2) U^2/L


def speed(time):
    """The speed of the square, U."""
    return (math.erf(5 * (time - QUICKEST)) + math.erf(5 * QUICKEST)) / 2


def place(time):
    """x of the square's middle, L: the motion that the reference's table has rounded."""
    def way(t):
        return t * math.erf(5 * t) / 2 + math.exp(-25 * t * t) / (10 * math.sqrt(math.pi))
    return 1.5 + way(time - QUICKEST) - way(QUICKEST) + math.erf(5 * QUICKEST) / 2 * time


def flow(finest, inside, beyond):
    """The incompressible flow at Re 100; finest, inside, beyond: as in tank_flow.Flow."""
    return Flow(TANK, place, speed, 1 / 100, finest, inside, beyond)


def drag(run):
    """(t, drag coefficient) of the square."""
    probe = run.probes()["drag"]
    return probe["time"], -2 * probe["fx"]


def mean_over(t, d, span):
    return float(np.mean(d[(t >= span[0]) & (t <= span[1])]))


def distance(run, dp):
    """The fluid's smallest distance from the tank and the square in all snapshots, in dp."""
    nearest = np.inf
    for s in run:
        x, wall = s.x[:, :2], s.x[s.type != 0][:, :2]
        inside = np.all((wall > 0) & (wall < TANK), axis=1)
        low, high = wall[inside].min(axis=0) - dp / 2, wall[inside].max(axis=0) + dp / 2
        x = x[s.type == 0]
        tank = np.minimum(x, TANK - x).min()
        square = np.maximum(low - x, x - high).max(axis=1).min()
        nearest = min(nearest, tank, square)
    return nearest / dp


@case("moving-square", "Square that moves in a tank: SPHERIC test 6", (16, 24), long=True)
def moving_square(trial):
    """A square of side L speeds up to U within 0.5 L/U and then crosses a closed tank, 10 L by 5 L
    (`configs/moving_square.cfg`), at Re = U L/nu = 100. The drag is the total force of the fluid on
    the square, by the force probe, over rho U^2 L/2. The number compares its mean over 3 <= t U/L
    <= 7 with our own incompressible finite differences (`tools/validate/tank_flow.py`), as a
    relative difference. Their grid resolves the corners; the test's own solution, for comparison,
    does not, and starts with less than the added mass of potential theory. The gate is 8%: the
    noise of the particles adds 5 to 8% to the drag. Resolutions: particles in L; the gate applies
    to 24. For comparison: coarse runs at Re 50 and 150, whose reference we do not have. Walls have
    ghost nodes, and the density counts the shift, as in the cavity. c0 = 60 U: with 15 U the drag
    oscillates by 15% with the tank's own period, 1.3 L/U, until the end."""
    table = read_table(f"{DATA}/spheric_test6_drag.csv")
    t_ref, d_ref = table["t"], table["pressure"] + table["viscosity"]
    known = (t_ref >= STEADY[0]) & (t_ref <= STEADY[1] + 0.01)
    wanted = float(np.mean(d_ref[known]))
    table = read_table(f"{DATA}/moving_square_incompressible.csv")
    t_own, d_own = table["t"], table["pressure"] + table["viscosity"]
    own, own_start = mean_over(t_own, d_own, STEADY), mean_over(t_own, d_own, START)
    trial.check("the test's: mean drag over that of our finite differences, less 1",
                wanted / own - 1, None, note=f"{wanted:.3f} and {own:.3f}")
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    errors, first = {}, trial.resolutions[0]
    for n, reynolds in [(n, 100) for n in trial.resolutions] + [(first, 50), (first, 150)]:
        run = trial.run(f"{reynolds}-{n}", "moving_square.cfg", "gentle", spacing=1 / n,
                        fluid__viscosity__nu=1 / reynolds)
        t, d = drag(run)
        mean = mean_over(t, d, STEADY)
        label = f"Re {reynolds}, L/{n}"
        if reynolds == 100:
            errors[n] = mean / own - 1
            trial.within(f"{label}: mean drag, relative", errors[n], 0.08 if n >= 24 else None,
                         f"{mean:.3f}, our finite differences {own:.3f}")
            trial.check(f"{label}: mean drag over the test's, less 1", mean / wanted - 1, None,
                        note=f"the test's {wanted:.3f}")
            near = np.array([np.mean(d[np.abs(t - at) <= WINDOW]) for at in t_ref])
            off = np.max(np.abs(near / d_ref - 1))
            note = ", ".join(f"{a:.2f} at {at:.1f}" for a, at in zip(near, t_ref))
            trial.check(f"{label}: means over 0.5 L/U, largest difference from the test's", off,
                        None, note=note)
            start = mean_over(t, d, START)
            trial.check(f"{label}: mean drag of the first L/U, relative", start / own_start - 1,
                        None, note=f"{start:.3f}, our finite differences {own_start:.3f}")
            colour = COLOURS[0] if n == trial.resolutions[-1] else "0.6"
            axes.plot(t, d, linewidth=0.8, color=colour, label=f"Sluice, L/{n}")
        else:
            trial.check(f"{label}: mean drag", mean, None)
        lost = run.energy()["particles"][0] - run.energy()["particles"][-1]
        trial.check(f"{label}: particles lost", lost, 0)
        note = "smallest in all snapshots; negative: inside a wall"
        what = f"{label}: fluid's distance from tank and square, dp"
        trial.check(what, distance(run, 1 / n), np.inf, 0.0, note)
    axes.plot(t_own, d_own, "--", color=COLOURS[2], linewidth=0.8, label="our finite differences")
    axes.plot(t_ref, d_ref, "x", color=COLOURS[1], label="the test's finite differences")
    axes.set_ylim(0, 12)
    axes.set_xlabel("t U/L")
    axes.set_ylabel("drag coefficient")
    axes.legend()
    trial.order("mean drag", errors)


CASES = (moving_square,)

"""Fronts of collapsing water columns in 2-D."""

import math

import numpy as np
from plot import measure
from plot.pictures import draw_comparison
from plot.reference import Comparison
from sluice import FileError

from validate.trial import case

GRAVITY = 9.81
WINDOW = (1.0, 3.0)  # of T = t sqrt(2g/a)
DELAY = 0.2  # of T, from the moment when the gate was seen to move until the water is free
MEAN_GATE, LARGEST_GATE = 0.03, 0.06


def front_of(width, file, x, y, label):
    """Compares a front probe with a reference's T = t sqrt(2g/a), Z = x/a. The plot uses the best
    shift of T up to DELAY."""
    return Comparison(
        probe="front",
        file=file,
        x=x,
        y=y,
        x_factor=math.sqrt(2 * GRAVITY / width),
        y_factor=1 / width,
        x_label="T = t sqrt(2g/a)",
        y_label="Z = front/a",
        label=label,
        window=WINDOW,
        shown=(0.0, 4.0),
        shift=DELAY,
    )


def column(width, length, fineness):
    """Keys of dam_break.cfg for a column `width` wide and twice as high in a tank of `length`."""
    return {
        "spacing": width / fineness,
        "domain__max": [length, 6 * width],
        "geometry": (
            {
                "name": "water",
                "shape": "box",
                "type": "fluid",
                "min": [0.0, 0.0],
                "max": [width, 2 * width],
            },
            {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]},
        ),
        "probes": (
            {
                "name": "front",
                "kind": "front",
                "axis": "x",
                "above": 0.04 * width,
                "every": 0.02 * math.sqrt(width / (2 * GRAVITY)),
            },
        ),
    }


def judge_front(trial, run, label, comparison, gated=True):
    """Checks the front's mean and largest error, with the delay; the errors without it are for
    comparison. Returns the mean error."""
    table = run.probes()[comparison.probe]
    found, unshifted = (comparison.errors(table, shift) for shift in (-DELAY, 0.0))
    if found is None or unshifted is None:
        raise FileError(f"{run.path}: the front does not cover T = 1 .. 3")
    at, errors = found
    mean, worst = float(np.mean(errors)), int(np.argmax(errors))
    trial.check(f"{label}: front, mean relative error", mean, MEAN_GATE if gated else None,
                note=f"{len(at)} points of 1 <= T <= 3, T later by {DELAY}")
    trial.check(f"{label}: front, largest relative error", errors[worst],
                LARGEST_GATE if gated else None, note=f"at T = {at[worst]:.3g}")
    trial.check(f"{label}: front, mean relative error without the delay", np.mean(unshifted[1]),
                None, note=f"largest {np.max(unshifted[1]):.4f}")
    return mean


def fronts(trial, comparison, keys, end, calm=4, config="dam_break.cfg"):
    """Runs, judges and draws the case at each resolution; keys(n): the changed keys of the
    config. Before T = `calm` no water reaches the far wall."""
    errors = {}
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    for n in trial.resolutions:
        run = trial.run(f"{n}", config, "violent", **keys(n), time__end=end)
        label = f"a/{n}"
        errors[n] = judge_front(trial, run, label, comparison)
        early = measure.residual_share(run, 0, calm / comparison.x_factor)
        trial.check(f"{label}: residual until T = {calm}, before the impact", early, 1e-5)
        nearest = measure.distance_from_faces(run) / run.config.get("spacing", 1.0)
        note = "smallest in all snapshots; negative: inside a wall"
        trial.check(f"{label}: fluid's distance from the tank, dp", nearest, np.inf, 0.0, note)
    draw_comparison(axes, comparison, run.probes()[comparison.probe])
    axes.set_title(label)
    trial.order("front", errors)


A = 0.05715  # m
TABLE_2 = front_of(A, "martin_moyce_1952_table2.csv", "T", "Z", "Martin & Moyce 1952, table 2")


@case("martin-moyce", "Dam break: Martin & Moyce 1952, a = 2.25 in", (20, 40, 80), quick=(20,))
def martin_moyce(trial):
    """A column of water, a = 0.05715 m wide and 2a high, collapses on a dry floor. The front Z =
    x/a over T = t sqrt(2g/a) is the largest x of fluid higher than 0.04 a, plus dp/2. It is
    compared with table 2 of the paper, by |Z - Zexp|/Zexp at the table's points with 1 <= T <= 3.
    The computed T is made later by 0.2, the same for all runs, because the paper counts time from
    the moment when the tank's gate was seen to move, and the model has no gate. The mean error may
    be 3%, since experiments of this kind differ by about 2%. The largest may be 6%, since at the
    first point, while the gate leaves, one delay cannot stand for the gate's motion. Errors without
    the delay are for comparison. Resolutions: particles in a. `configs/dam_break.cfg` is the case
    at a/40."""
    fronts(trial, TABLE_2, lambda n: {"spacing": A / n}, 0.5)


@case("martin-moyce-mdbc", "Dam break: Martin & Moyce 1952, walls with ghost nodes", (20, 40))
def martin_moyce_mdbc(trial):
    """The same column between walls with ghost nodes (`boundary.kind = "mdbc"`)."""
    fronts(trial, TABLE_2, lambda n: {"spacing": A / n, "boundary__kind": "mdbc"}, 0.5)


@case("martin-moyce-spline", "Dam break: Martin & Moyce 1952, cubic spline", (20, 40))
def martin_moyce_spline(trial):
    """The same column with the cubic spline and h/dp = 1.3: `configs/dam_break_cubic_spline.cfg` at
    a/40. The gates are those of the default kernel. The coarsest run is made again by two of the
    published [strategies](strategies.md). [Theory](theory.md#rows-that-collapse) says how far the
    rows of the lattice collapse."""
    config = "dam_break_cubic_spline.cfg"
    fronts(trial, TABLE_2, lambda n: {"spacing": A / n}, 0.5, config=config)
    n = min(trial.resolutions)
    for strategy in ("x-pencil", "par-part-noloop"):
        run = trial.run(f"{n}-{strategy}", config, "violent", spacing=A / n, time__end=0.5,
                        backend__strategy=strategy)
        judge_front(trial, run, f"a/{n}, {strategy}", TABLE_2)


@case("martin-moyce-small", "Dam break: Martin & Moyce 1952, a = 1.125 in", (20, 40, 80))
def martin_moyce_small(trial):
    """The same experiment with half the column, a = 0.028575 m, against the digitised figure 3. The
    equations contain only T and Z (the artificial viscosity scales with c0 and h), so the computed
    front must equal that of the larger column to rounding. The measured fronts differ. For
    comparison, runs with the water's viscosity, 1e-6 m^2/s, and no slip at the walls, because
    friction matters more for the smaller column."""
    a = 0.028575
    figure = front_of(
        a,
        "martin_moyce_1952_fig3_a1.125in.csv",
        "T_dimless",
        "Z_dimless",
        "Martin & Moyce 1952, fig. 3",
    )
    fronts(trial, figure, lambda n: column(a, 10 * a, n), 0.25)
    for n in trial.resolutions:
        run = trial.run(f"{n}-friction", "dam_break.cfg", "violent", **column(a, 10 * a, n),
                        time__end=0.25, fluid__viscosity__kind="both", boundary__slip="no-slip")
        judge_front(trial, run, f"a/{n}, with friction", figure, gated=False)


@case("koshizuka-oka", "Dam break: Koshizuka & Oka 1996", (20, 40, 80))
def koshizuka_oka(trial):
    """A column 0.146 m wide and twice as high in a tank four columns long. The measured front is
    that of the paper, in the scaling of DualSPHysics (a column of 1 m). It is compared as for
    Martin & Moyce, with the column's width L instead of a. The front meets the far wall at T =
    3.2."""
    length = 0.146
    tip = front_of(
        length, "koshizuka_oka_1996.csv", "T_dimless", "Z_dimless", "Koshizuka & Oka 1996"
    )
    fronts(trial, tip, lambda n: column(length, 4 * length, n), 0.5, calm=3)


CASES = (martin_moyce, martin_moyce_mdbc, martin_moyce_spline, martin_moyce_small, koshizuka_oka)

"""Solitary waves of a piston: their height and celerity, on a wall, on a slope."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.flumes.setups import DEPTH, GRAVITY, elevations, flume
from validate.trial import case

# Height over H and celerity over sqrt(g d), 15 to 20 d from the paddle, H/d = 0.3, of a fully
# nonlinear potential tank with the same paddles.
EXACT = {"boussinesq": (0.977, 1.128), "rayleigh": (1.034, 1.144)}


def piston(height, theory="rayleigh"):
    """The maker's keys; height over d."""
    return f'wave = "solitary"; theory = "{theory}"; height = {height * DEPTH:.9g};'


def crest_time(height, distance):
    """When the crest is this far (d) from the paddle, s, by Rayleigh's celerity: six decays 1/beta
    of its profile after the start."""
    beta, c = math.sqrt(0.75 * height / (1 + height)) / DEPTH, math.sqrt(
        GRAVITY * DEPTH * (1 + height))
    return (6 / beta + distance * DEPTH) / c


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
            config = flume(DEPTH / n, 26 * DEPTH, piston(0.3, theory), places, 7.6, slope=0)
            t, rise = elevations(trial.run(f"{n}-{theory}", config, "gentle"), places)
            label = f"d/{n}, {theory}"
            trial.within(f"{label}: height at 15 to 20 d over the tank's, less 1",
                         np.mean(rise[1:].max(axis=1)) / (0.3 * DEPTH) / height - 1, 0.03)
            speed = (places[2] - places[1]) / (middle(t, rise[2]) - middle(t, rise[1]))
            trial.within(f"{label}: celerity over the tank's, less 1",
                         speed / math.sqrt(GRAVITY * DEPTH) / celerity - 1, 0.01)
            axes.plot(t, rise[2] / DEPTH, color=colour, label=f"{label}, at 20 d")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("elevation / d")
    axes.legend()


WALL, BEFORE = 18.0, 10.0  # d from the paddle: the wall, and the gauge that measures H


@case("solitary-wall", "A solitary wave on a wall: Su & Mirie 1980", (25,))
def on_wall(trial):
    """A piston makes a solitary wave of H/d = 0.3, d = 0.4 m (Rayleigh's), which runs onto an
    upright wall after 18 depths. With e the height over d at 10 depths, before anything comes back,
    the water rises on the wall by R/d = 2 e + e^2/2 + 3 e^3/4 (Su & Mirie 1980). R is read two
    spacings before the wall, where the crest is level, and may be off by 5%. For comparison: the
    height of the reflected wave. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0)
    for n, colour in zip(trial.resolutions, COLOURS):
        dp = DEPTH / n
        places = np.array([BEFORE * DEPTH, WALL * DEPTH - 2 * dp])
        end = crest_time(0.3, WALL + (WALL - BEFORE) + 4)
        config = flume(dp, WALL * DEPTH, piston(0.3), places, end, slope=0)
        t, rise = elevations(trial.run(f"{n}", config, "gentle"), places)
        there = t < crest_time(0.3, WALL)
        e = rise[0, there].max() / DEPTH
        law = 2 * e + e**2 / 2 + 3 * e**3 / 4
        found = rise[1].max() / DEPTH
        trial.within(f"d/{n}: run-up on the wall over the law's, less 1", found / law - 1, 0.05,
                     note=f"R/d {found:.3f}, law {law:.3f}, H/d {e:.3f}")
        trial.check(f"d/{n}: height of the reflected wave over H",
                    rise[0, ~there].max() / DEPTH / e, None)
        axes.plot(t, rise[1] / DEPTH, color=colour, label=f"d/{n}, at the wall")
        axes.plot(t, rise[0] / DEPTH, color=colour, linestyle="--", label=f"d/{n}, at 10 d")
        axes.axhline(law, color=colour, linestyle=":", label="law")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("elevation / d")
    axes.legend()


COTANGENT, TOE, FLAT = 2.75, 16.0, 32.0  # of the slope; its toe, and the level floor's end, d
RUN_UP = 0.2675  # over d: 0.264 by the law, 0.271 by nonlinear theory and experiment


@case("solitary-run-up", "Run-up on a slope of 1:2.75: Synolakis 1987", (), on_gpu=(50,))
def run_up(trial):
    """A piston makes a solitary wave of H/d = 0.1, d = 0.4 m (Rayleigh's), which runs up a fitted
    slope of 1:2.75, 16 depths away. R/d is 0.264 by the law 2.831 sqrt(2.75) (H/d)^1.25 (Synolakis
    1987), and 0.271 with the next order (Li & Raichlen 2001); the middle may be missed by 8%. The
    height H at the toe comes from a second run over a level floor, as in the [run-up over
    1:4](#run-up-of-a-solitary-wave-synolakis-1987): at the toe of the slope the reflected wave lies
    on the incident one. R is brought from this height to H/d = 0.1 by that law. The run-up is where
    water is half a spacing deep. Resolutions: particles in the depth."""
    (axes,) = trial.axes(wide=6.0)
    toe = TOE * DEPTH
    line = (f', {{ name = "runup"; kind = "runup"; from = [{toe + 0.5 * COTANGENT * DEPTH:.9g},'
            f" {0.5 * DEPTH:.9g}]; to = [{toe + 1.45 * COTANGENT * DEPTH:.9g},"
            f" {1.45 * DEPTH:.9g}]; points = 600; every = 0.01; }}")
    for n, colour in zip(trial.resolutions, COLOURS):
        flat = trial.run(f"{n}-flat", flume(DEPTH / n, FLAT * DEPTH, piston(0.1), [toe],
                                            crest_time(0.1, TOE + 5), slope=0), "gentle")
        run = trial.run(f"{n}", flume(DEPTH / n, toe, piston(0.1), [toe],
                                      crest_time(0.1, TOE + 16), COTANGENT, line), "violent")
        _, rise = elevations(flat, [toe])
        e = rise.max() / DEPTH
        table = run.probes()["runup"]
        found = np.nanmax(table["runup"]) / DEPTH - 1
        at_tenth = found * (0.1 / e) ** 1.25
        trial.within(f"d/{n}: run-up at H/d = 0.1 over {RUN_UP}, less 1", at_tenth / RUN_UP - 1,
                     0.08, note=f"R/d {found:.4f} at H/d {e:.4f}, so {at_tenth:.4f} at 0.1")
        _, both = elevations(run, [toe])
        trial.check(f"d/{n}: H/d at the toe, with what is reflected", both.max() / DEPTH, None)
        axes.plot(table["time"], table["runup"] / DEPTH - 1, color=colour, label=f"d/{n}")
        law = 2.831 * math.sqrt(COTANGENT) * e**1.25
        axes.axhline(law, color=colour, linestyle=":", label="law")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("run-up / d")
    axes.legend()


CASES = (solitary, on_wall, run_up)

"""Vortices that decay in a periodic box."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.trial import case

GATE, FINEST = 0.03, 100  # of the largest speed, at 100 particles across


def decay(t, reynolds):
    """The largest speed of U = 1, L = 1 (Taylor & Green 1937)."""
    return np.exp(-8 * math.pi**2 / reynolds * t)


def speed_errors(run, reynolds):
    """Times, and the largest speed over the exact one less 1, of all snapshots."""
    found = list(run)
    times = np.array([s.time for s in found])
    largest = np.array([s.speed.max() for s in found])
    return times, largest / decay(times, reynolds) - 1


@case("taylor-green", "Taylor-Green vortices", (50, 100))
def taylor_green(trial):
    """A periodic box of four vortices (`configs/taylor_green.cfg`), Re = 100 and 1000, until t = 1.
    Resolutions: N particles across. The largest speed in a snapshot is compared with the exact one.
    The number is the largest relative error of all snapshots; the gate applies to N = 100.
    Particles are shifted; otherwise they clump where p < 0 and leave holes."""
    for reynolds, axes in zip((100, 1000), trial.axes(columns=2)):
        errors = {}
        for n in trial.resolutions:
            run = trial.run(f"{reynolds}-{n}", "taylor_green.cfg", "gentle", spacing=1 / n,
                            fluid__viscosity__nu=1 / reynolds)
            times, off = speed_errors(run, reynolds)
            worst = int(np.argmax(np.abs(off)))
            errors[n] = off[worst]
            trial.within(f"Re {reynolds}, N {n}: largest speed, relative error", off[worst],
                         GATE if n >= FINEST else None,
                         f"at t = {times[worst]:.2f}; {off[-1]:+.3f} at t = {times[-1]:.2f}")
            exact = decay(times, reynolds)
            axes.plot(times, exact * (1 + off), ".-", label=f"Sluice, N {n}")
        axes.plot(times, exact, color=COLOURS[1], label="exact")
        axes.set_title(f"Re {reynolds}")
        axes.set_xlabel("t U/L")
        axes.set_ylabel("largest speed / U")
        axes.legend()
        trial.order(f"Re {reynolds}: largest speed", errors)


CASES = (taylor_green,)

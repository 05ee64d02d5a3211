"""A sound wave in an ideal gas: speed, damping, entropy."""

import math

import numpy as np
from plot import measure

from validate.gas import setups
from validate.gas.lattice_waves import CELL, speed
from validate.gas.profiles import gases
from validate.trial import case

KERNELS = {"quintic-spline": 1.0, "cubic-spline": 1.2, "wendland-c2": 1.5, "wendland-c4": 1.7}
SUPPORT = {"quintic-spline": 3.0}  # in h; 2 of the others
AMPLITUDE = 1e-6  # of the velocity, in speeds of sound
PERIODS, SHORT = 5, 2  # of the runs; of those that compare kernels
CFL = 0.1  # the step's error of the speed is then below 1e-4, at n = 32
SPEED_GATE, SCHEME_GATE, ENTROPY_GATE = 1e-3, 1e-4, 1e-10
SPEED_FROM = 64
OMEGA = 2 * math.pi  # 1/s: the speed of sound is 1 m/s, the wave 1 m long
IDEAL = {"alpha": 0.0, "conductivity": 0.0}  # no dissipation


def cells(lattice, n):
    """Cells of a lattice in a wave of about n spacings."""
    return round(n / CELL[lattice])


def wave(n, lattice, kernel, gas, periods=PERIODS):
    """Config of a standing wave of 1 m in a periodic tube, about n spacings long."""
    edge = 1 / cells(lattice, n)
    spacing, ratio = edge / CELL[lattice], KERNELS[kernel]
    across = math.ceil(2.2 * SUPPORT.get(kernel, 2.0) * ratio / CELL[lattice])
    half = across * edge / 2
    low, high = (0.0, -half, -half), (1.0, half, half)
    sine = {"field": "velocity", "kind": "sine", "mode": [1, 0, 0], "value": [AMPLITUDE, 0.0, 0.0]}
    return setups.text("Sound wave", 3, spacing, low, high, periods,
                       [setups.box(low, high, 1.0, pressure=0.6, lattice=lattice)], initial=(sine,),
                       kernel={"name": kernel, "h_over_dp": ratio},
                       gas={"tolerance": 1e-13, **gas}, output={"every": 0.25},
                       time={"cfl": CFL})


def entropy_change(run):
    """The largest relative change of p/rho^gamma of a particle, gamma 5/3."""
    start, *later = (gas.p / gas.rho ** (5 / 3) for gas in gases(run))
    return max(float(np.max(np.abs(s / start - 1))) for s in later)


def check_speed(trial, label, run, wanted, gate):
    """Checks the speed against that of the gas, by a gate (None: no gate), and against that of the
    scheme, `wanted`."""
    omega, decay = measure.wave_fit(run.energy(), OMEGA)
    trial.within(f"{label}: speed of sound, relative error", omega / OMEGA - 1, gate)
    trial.within(f"{label}: speed over that of the scheme on this lattice, less 1",
                 omega / OMEGA / wanted - 1, SCHEME_GATE, note=f"which is {wanted - 1:+.6f} off")
    return 1 - math.exp(-decay)


def check_kernels(trial, n):
    """For each kernel the speed without dissipation, and the damping with the default dissipation,
    in a short run: some lattices are unstable, and rounding grows to the wave's size in a few
    periods."""
    for kernel, ratio in KERNELS.items():
        label = f"n {n}, fcc, {kernel}, h/dp {ratio:g}"
        run = trial.run(f"{n}-fcc-{kernel}-short", wave(n, "fcc", kernel, IDEAL, SHORT), "")
        check_speed(trial, label, run, speed("fcc", kernel, ratio, cells("fcc", n)), None)
        run = trial.run(f"{n}-fcc-{kernel}-damped", wave(n, "fcc", kernel, {}, SHORT), "")
        omega, decay = measure.wave_fit(run.energy(), OMEGA)
        trial.check(f"{label}: fraction of the energy lost in a period, default dissipation",
                    1 - math.exp(-decay), None, note=f"speed {omega / OMEGA - 1:+.2e} off")


@case("gas-sound", "Gas: standing sound wave", (32, 64), on_gpu=(64, 128))
def sound(trial):
    """A standing wave of length 1 m in a periodic tube on fcc and cubic lattices: density 1, speed
    of sound 1, velocity 1e-6, gamma = 5/3, five periods, without dissipation, h to 1e-13, CFL 0.1.
    Kernel: quintic spline, h/dp = 1. Resolutions: spacings n in a wave. The speed is of the
    frequency that is fitted to the kinetic energy; it may be off by 0.1% from n = 64 on. Sums over
    a lattice give the scheme a speed of its own, which does not come nearer to the gas' with n; it
    is computed from the equations, by the same sums without a step in time, and must be met within
    1e-4. The entropy p/rho^gamma of each particle may change by 1e-10 of it: a scheme whose energy
    equation does not belong to its density changes it with the wave. At the coarsest n, for
    comparison: the speed with each kernel, and its loss of energy with the default dissipation,
    over two periods."""
    kernel, (axes,) = "quintic-spline", trial.axes()
    for n in trial.resolutions:
        for lattice in ("fcc", "cubic"):
            label = f"n {n}, {lattice}"
            run = trial.run(f"{n}-{lattice}-{kernel}", wave(n, lattice, kernel, IDEAL), "")
            wanted = speed(lattice, kernel, KERNELS[kernel], cells(lattice, n))
            lost = check_speed(trial, label, run, wanted, SPEED_GATE if n >= SPEED_FROM else None)
            trial.check(f"{label}: fraction of the energy lost in a period", lost, None)
            trial.check(f"{label}: entropy, largest relative change", entropy_change(run),
                        ENTROPY_GATE)
            table = run.energy()
            axes.plot(table["time"], table["kinetic"] / table["kinetic"][0],
                      label=f"Sluice, {label}")
    check_kernels(trial, trial.resolutions[0])
    axes.set_xlabel("time (s)")
    axes.set_ylabel("kinetic energy, relative")
    axes.legend()


CASES = (sound,)

"""Sound and gravity waves that stand."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS
from plot.reference import DATA
from sluice import read_table

from validate.trial import case

# CFL: residual of a prototype of the same scheme (docs/theory.md, "The time step").
PROTOTYPE = {0.4: 3.1e-2, 0.2: 3.7e-3, 0.1: 4.6e-4, 0.05: 5.8e-5}


@case("acoustic", "Standing sound wave: order of the time step", (32,))
def acoustic(trial):
    """A sound wave in a periodic box without viscosity and diffusion, in double, for twenty
    periods. The residual of the energy budget is then the error of the time integration. It must
    fall as the third power of the step, and be within a factor of 3 of a prototype's with the same
    scheme."""
    sizes = {}
    (axes,) = trial.axes()
    for cfl, expected in PROTOTYPE.items():
        run = trial.run(
            f"cfl-{cfl:g}",
            "acoustic_wave.cfg",
            "",
            time__cfl=cfl,
            time__predictor=0.2,
            backend__precision="double",
            energy__tolerance=1,
        )
        sizes[cfl] = measure.residual_share(run)
        trial.check(f"CFL {cfl:g}: residual / E", sizes[cfl], 3 * expected, expected / 3,
                    f"prototype {expected:g}")
    for coarse, fine in zip(list(sizes), list(sizes)[1:]):
        order = math.log2(sizes[coarse] / sizes[fine])
        trial.check(f"order between CFL {coarse:g} and {fine:g}", order, 3.2, 2.8)
    run = trial.run("shipped", "acoustic_wave.cfg", "violent")
    trial.check("as shipped: residual / E", measure.residual_share(run), 2e-4)
    axes.loglog(list(sizes), list(sizes.values()), "o-", color=COLOURS[0], label="Sluice")
    cfl = np.array(list(sizes))
    axes.loglog(cfl, sizes[0.1] * (cfl / 0.1) ** 3, "--", color="0.4", label="third order")
    axes.set_xlabel("CFL")
    axes.set_ylabel("residual / E after 20 periods")
    axes.legend()


RE = 250
WAVE_NUMBER = math.pi  # 1/m: two half waves across 2 m
THEORY = math.sqrt(9.81 * WAVE_NUMBER * math.tanh(WAVE_NUMBER))  # 1/s, H = 1 m


@case("standing-wave", "Standing gravity wave", (16, 32))
def standing_wave(trial):
    """Water one metre deep between two crests 2 m apart (`configs/standing_wave.cfg`), for five
    periods. Resolutions: particles in the depth. The frequency, fitted to the kinetic energy, is
    compared with omega^2 = g k tanh(kH). In that run the artificial viscosity causes the decay. So
    a second run has g = 1 m/s^2, only laminar viscosity, and Re = H sqrt(gH)/nu = 250; its kinetic
    energy should fall as exp(-4 nu k^2 t) (Lighthill; Antuono & Colagrossi 2013). The case
    `viscous-wave` compares the decay with the exact dispersion at larger viscosities."""
    errors = {}
    left, right = trial.axes(columns=2)
    for n in trial.resolutions:
        run = trial.run(f"{n}", "standing_wave.cfg", "gentle", spacing=1 / n)
        omega, _ = measure.wave_fit(run.energy(), THEORY)
        errors[n] = omega / THEORY - 1
        note = f"{omega:.4f} 1/s, linear theory {THEORY:.4f} 1/s"
        trial.within(f"H/{n}: frequency, relative error", errors[n], 0.01, note)
        slow = THEORY / math.sqrt(9.81)
        viscous = trial.run(
            f"{n}-viscous",
            "standing_wave.cfg",
            "gentle",
            spacing=1 / n,
            gravity=[0.0, -1.0],
            fluid__viscosity={"kind": "laminar", "nu": 1 / RE},
            time__end=5 * 2 * math.pi / slow,
            output__every=2.0,
            probes=(),
        )
        omega, decay = measure.wave_fit(viscous.energy(), slow)
        theory = 4 / RE * WAVE_NUMBER**2
        trial.within(f"H/{n}, Re 250: frequency, relative error", omega / slow - 1, 0.01)
        trial.within(f"H/{n}, Re 250: decay over theory's, less 1", decay / theory - 1, None,
                     f"{decay:.4f} 1/s, theory {theory:.4f} 1/s")
    trial.order("frequency", errors)
    table = run.energy()
    left.plot(table["time"], table["kinetic"], color=COLOURS[0], label=f"Sluice, H/{n}")
    left.set_title("Artificial viscosity 0.01")
    exact = read_table(f"{DATA}/standing_wave.csv")
    keep = exact["t"] <= 5 * 2 * math.pi / slow
    right.plot(exact["t"][keep], 1000 * exact["Ekin_Re250"][keep], color=COLOURS[1],
               label="linear theory")
    right.plot(viscous.energy()["time"], viscous.energy()["kinetic"], color=COLOURS[0],
               label=f"Sluice, H/{n}")
    right.set_title("Re 250")
    for axes in (left, right):
        axes.set_xlabel("time (s)")
        axes.set_ylabel("kinetic energy (J/m)")
        axes.legend()


CASES = (acoustic, standing_wave)

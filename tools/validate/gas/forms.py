"""The two forms of a gas's force, on Sod's tube and Sedov's blast."""

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate.gas import blasts, setups, shocks
from validate.gas.profiles import l1, last, mean, means_along, peak
from validate.gas.references import Riemann, Sedov, State
from validate.trial import case

FORMS = ("variational", "mean")
LEFT, RIGHT = (1.0, 1.0), (0.125, 0.1)  # Sod's tube: (density, pressure)


def check_sod(trial, n, form, axes):
    """L1 of density and velocity as in gas-sod, and the entropy of the rarefaction."""
    exact = Riemann(State(*LEFT), State(*RIGHT), shocks.GAMMA)
    config, ends = setups.tube("Sod's shock tube", n, LEFT + (0.0,), RIGHT + (0.0,), (0.5, 0.6),
                               0.15, gas=shocks.GAS)
    run = trial.run(f"sod-{n}-{form}", config, "violent", gas__form=form)
    label = f"Sod, n {n}, {form}"
    gas = last(run)
    x, t = gas.x[:, 0], gas.time
    wanted, keep = exact.sample(x / t), (x > ends[0] / 2) & (x < ends[1] / 2)
    for what, values, want in zip(("density", "velocity"), (gas.rho, gas.v[:, 0]), wanted):
        trial.check(f"{label}: L1 of the {what}", l1(gas, values, want, keep), None)
    fan = (x > -exact.c_left * t) & (x < exact.tail_speed() * t)
    entropy = np.log(gas.p / LEFT[1]) - shocks.GAMMA * np.log(gas.rho / LEFT[0])
    trial.check(f"{label}: entropy in the rarefaction, mean of |ln(p/rho^gamma)|",
                mean(gas, np.abs(entropy), fan), None, note="exact 0")
    axes.plot(x[keep], gas.rho[keep], ".", markersize=1, label=f"{form}, n {n}")


def check_sedov(trial, n, form, axes):
    """Radius, peak, L1 and drift as in gas-sedov-2d."""
    exact = Sedov(2)
    config, label = blasts.blast(2, n, blasts.CFL), f"Sedov, n {n}, {form}"
    run = trial.run(f"sedov-{n}-{form}", config, "", gas__form=form)
    gas = last(run)
    r, speed = gas.radial()
    radius, inside = exact.radius(gas.time), r < 1.1 * exact.radius(gas.time)
    places, means = means_along(gas, r, gas.rho, 0.5 / n, 0, 0.5)
    place, height = peak(places, means)
    trial.check(f"{label}: radius of the shock, relative error", place / radius - 1, None)
    trial.check(f"{label}: peak of the mean density", height, None, note="exact 4")
    for what, values, want in zip(("density", "velocity", "pressure"), (gas.rho, speed, gas.p),
                                  exact.sample(r, gas.time)):
        trial.check(f"{label}: L1 of the {what}", l1(gas, values, want, inside), None)
    trial.check(f"{label}: drift of the energy", measure.residual_share(run), None)
    axes.plot(places, means, ".-", markersize=3, linewidth=0.8, label=f"{form}, n {n}")


@case("gas-form", "Gas: the two forms of the force", (64, 128))
def gas_form(trial):
    """Sod's tube and Sedov's blast in 2-D by both forms, `gas.form = "variational"` (the default)
    and `"mean"`. The errors are defined as in the cases gas-sod and gas-sedov-2d, for comparison.
    The gas in Sod's rarefaction should keep the entropy of the left side, where ln(p/rho^gamma) is
    0. Resolutions: n of these cases. [Theory](theory.md#gas) has a table of the errors."""
    tube, blast = trial.axes(columns=2)
    for n in trial.resolutions:
        for form in FORMS:
            check_sod(trial, n, form, tube)
            check_sedov(trial, n, form, blast)
    x = np.linspace(-0.25, 0.3, 1000)
    exact = Riemann(State(*LEFT), State(*RIGHT), shocks.GAMMA)
    tube.plot(x, exact.sample(x / 0.15)[0], "-", linewidth=1, color=COLOURS[1], label="exact")
    sedov = Sedov(2)
    r = np.linspace(0.001, 0.5, 1000)
    blast.plot(r, sedov.sample(r, sedov.time(blasts.RADIUS))[0], "-", linewidth=1,
               color=COLOURS[1], label="exact")
    for axes, place in ((tube, "x (m)"), (blast, "r (m)")):
        axes.set_xlabel(place)
        axes.set_ylabel("density (kg/m$^3$)")
        axes.legend()


CASES = (gas_form,)

"""A stream that enters a channel uniform, and leaves it as a parabola."""

import numpy as np
from plot.measure import largest
from plot.pictures import COLOURS

from validate.openings.setups import box, rate, sides, stream
from validate.trial import case

DENSITY, SPEED, WIDTH = 1000.0, 1.0, 1.0  # kg/m^3, the mean speed (m/s), m
# Reynolds number: length (widths), sound speed (m/s), end, from where on the flow is steady (s).
CHANNELS = {10: (3.0, 20.0, 6.0, 4.0), 100: (10.0, 12.0, 18.0, 14.0)}


def channel(reynolds, n, walls):
    length, sound, end, _ = CHANNELS[reynolds]
    dp = WIDTH / n
    axis = 'kind = "line"; points = 24; quantity = "pressure"; every = 0.1;'
    return stream(
        "A channel", dp, [0.0, 0.0], [length, WIDTH], sound,
        ",\n  ".join([box("water", [0.0, 0.0], [length, WIDTH]), sides(["bottom", "top"])]),
        f'{{ name = "in"; kind = "inlet"; face = "x-"; velocity = {SPEED}; }},\n'
        '  { name = "out"; kind = "outlet"; face = "x+"; pressure = 0.0; }', end,
        viscosity=f'{{ kind = "laminar"; nu = {SPEED * WIDTH / reynolds:.9g}; }}',
        fluid='shifting = { kind = "everywhere"; };', walls=walls, slip="no-slip",
        initial=f'{{ field = "velocity"; kind = "uniform"; value = [{SPEED}, 0.0]; }}',
        probes=f'{{ name = "axis"; {axis} from = [{0.7 * length}, 0.5];'
               f" to = [{0.9 * length}, 0.5]; }}",
        every=0.1 * (end - CHANNELS[reynolds][3]), reference=DENSITY * SPEED**2 * WIDTH**2)


def rows_of(run, n, start, ends):
    """Mean heights and speeds of the particles in each row of one spacing, between two places of
    x, in all snapshots after `start`."""
    parts = []
    for snapshot in run:
        if snapshot.time >= start:
            fluid = snapshot.fluid
            inside = (fluid.x[:, 0] > ends[0]) & (fluid.x[:, 0] < ends[1])
            parts.append((fluid.x[inside, 1], fluid.velocity[inside, 0]))
    y, u = (np.concatenate(part) for part in zip(*parts))
    row = np.clip((y / WIDTH * n).astype(int), 0, n - 1)
    count = np.bincount(row, minlength=n)
    return [np.bincount(row, v, minlength=n)[count > 0] / count[count > 0] for v in (y, u)]


def through(trial, walls, gate):
    """Runs both channels; the gate is that of the profile."""
    axes = list(trial.axes(columns=2, wide=4.4))
    for n, colour in zip(trial.resolutions, COLOURS):
        for reynolds, place in zip(CHANNELS, axes):
            length, _, end, start = CHANNELS[reynolds]
            run = trial.run(f"{n}-{reynolds}", channel(reynolds, n, walls), "")
            label = f"Re {reynolds}, {n} across"
            y, u = rows_of(run, n, start, (0.7 * length, 0.9 * length))
            off = (u - 6 * SPEED * y * (1 - y)) / (1.5 * SPEED)
            worst = int(np.argmax(np.abs(off)))
            trial.within(f"{label}: profile less the parabola, over its largest", off[worst], gate,
                         f"at y/D = {y[worst]:.3f}")
            axis = run.probe("axis").between(start, np.inf)
            pressure = [float(np.mean(axis[f"pressure_{i}"])) for i in range(24)]
            slope = np.polyfit(np.linspace(0.7, 0.9, 24) * length, pressure, 1)[0]
            exact = -12 * DENSITY * SPEED**2 / reynolds  # 12 mu U/D^2, D = 1 m
            trial.within(f"{label}: gradient of the pressure over 12 mu U/D^2, less 1",
                         slope / exact - 1, 0.04)
            flow = run.table("population.csv")
            entered, left = (rate(flow, f"{way}_mass", end / 3) for way in ("entered", "left"))
            trial.within(f"{label}: mass that leaves over that which enters, less 1",
                         left / entered - 1, 0.002,
                         f"{entered:.1f} kg/s enter, {DENSITY * SPEED * WIDTH:g} given")
            energy = run.energy()
            trial.check(f"{label}: residual of the energy over what viscosity takes",
                        largest(energy["residual"]) / -energy["work_viscous"][-1], None)
            place.plot(u / SPEED, y, ".", color=colour, label=label)
    line = np.linspace(0, 1, 101)
    for place in axes:
        place.plot(6 * line * (1 - line), line, color="0.2", linestyle="--", label="parabola")
        place.set_xlabel("u/U")
        place.set_ylabel("y/D")
        place.legend()


@case("opening-channel", "Channel from an inlet to an outlet", (40,))
def through_adami(trial):
    """Water enters a channel between plates at one speed U over its width D, and leaves under a
    given pressure, at Re = U D/nu 10 (3 D long) and 100 (10 D). Particles are shifted everywhere:
    without that they lose their order, and the gradient is 14% too high. Over the last tenths
    before the outlet the mean speeds of rows of one dp are compared with the parabola (the number
    is the largest difference over 1.5 U; walls of Adami et al. may have 6%), and the gradient of
    the pressure with 12 mu U/D^2 (4%). In the last two thirds of the time as much mass leaves as
    enters (0.2%). For comparison: the residual of the energy, which gravity gives no size here.
    Resolutions: particles across."""
    through(trial, "adami", 0.06)


@case("opening-channel-mdbc", "Channel from an inlet to an outlet, ghost nodes", (40,))
def through_mdbc(trial):
    """The same between walls with ghost nodes (`boundary.kind = "mdbc"`), whose profile may be off
    by 3%."""
    through(trial, "mdbc", 0.03)


CASES = (through_adami, through_mdbc)

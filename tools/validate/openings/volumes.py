"""How much water an inlet gives: into a dry channel, and back and forth."""

import numpy as np
from plot.pictures import COLOURS

from validate.openings.setups import box, sides, stream
from validate.trial import case

DENSITY = 1000.0
DISCHARGE, ENTRY, FILLED = 0.2, 0.2, 4.0  # m^2/s, depth at the inlet (m), s
BUFFER = 5  # rows behind the face of an opening at h/dp 1.5
TABLE = {"t": (0, 1, 3, 4, 10), "velocity": (0, 0.3, -0.3, 0, 0)}  # its integral is 0


@case("opening-volume", "Volume through an inlet", (20,))
def volumes(trial):
    """An inlet 0.2 m deep fills a dry channel with 0.2 m^2/s for 4 s, while the water hits the far
    wall and comes back: a violent flow. The mass past the face is Q t. The velocity of an opening
    of still water 0.4 m deep rises to 0.3 m/s, falls to -0.3 m/s and comes back to 0 in 4 s; after
    6 s the mass is that at the start. Both may be off by one row of particles. Resolutions:
    particles in 0.4 m."""
    axes = list(trial.axes(columns=2, wide=4.4))
    for n, colour in zip(trial.resolutions, COLOURS):
        dp = 0.4 / n
        run = trial.run(f"{n}-fill", stream(
            "A dry channel", dp, [0.0, 0.0], [4.0, 0.8], 30.0,
            ",\n  ".join([box("drop", [3.9, 0.0], [3.9 + 2 * dp, 2 * dp]),
                          sides(["bottom", "x+"])]),
            f'{{ name = "in"; kind = "inlet"; face = "x-"; discharge = {DISCHARGE};'
            f" depth = {ENTRY}; }}", FILLED, falls=True, reference=1000.0), "violent")
        flow, last = run.table("population.csv"), run[-1]
        fluid, face = last.fluid, BUFFER * dp
        entered = np.sum(fluid.mass[fluid.x[:, 0] > face]) - flow["mass"][0]
        given = DENSITY * DISCHARGE * last.time
        trial.within(f"{n}: filling: mass past the face less Q t, rows",
                     (entered - given) / (DENSITY * dp * ENTRY), 1.0,
                     f"{entered:.1f} of {given:.1f} kg")
        trial.check(f"{n}: filling: particles removed", flow["removed"][-1], 0)
        axes[0].plot(flow["time"], flow["entered_mass"], color=colour,
                     label="entered, with the buffer")
        axes[0].plot(flow["time"], DENSITY * DISCHARGE * flow["time"], "--", color="0.2",
                     label="Q t")
        path = trial.write("velocity", {name: np.array(v, float) for name, v in TABLE.items()})
        run = trial.run(f"{n}-reverse", stream(
            "An inlet that reverses", dp, [0.0, 0.0], [3.0, 0.8], 30.0,
            ",\n  ".join([box("water", [0.0, 0.0], [3.0, 0.4]), sides(["bottom", "x+"])]),
            f'{{ name = "in"; kind = "open"; face = "x-"; file = "{path}"; }}', 6.0, falls=True),
            "gentle")
        flow = run.table("population.csv")
        row = DENSITY * dp * 0.4
        trial.within(f"{n}: reversing: mass at the end less that at the start, rows",
                     (flow["mass"][-1] - flow["mass"][0]) / row, 1.0,
                     f"{flow['entered_mass'][-1]:.1f} kg entered, {flow['left_mass'][-1]:.1f} left")
        axes[1].plot(flow["time"], (flow["mass"] - flow["mass"][0]) / row, color=colour,
                     label=f"{n}: reversing")
    for place, what in zip(axes, ("mass (kg/m)", "mass less that at the start (rows)")):
        place.set_xlabel("time (s)")
        place.set_ylabel(what)
        place.legend()


CASES = (volumes,)

"""Still water between two openings of one level."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.openings.setups import GRAVITY, box, polygon, sides, stream
from validate.trial import case

DEPTH = 0.4
BED = ((-0.2, -0.3), (-0.2, 0.0), (0.3, 0.0), (1.2, 0.08), (1.4, 0.18), (1.6, 0.18), (1.8, 0.08),
       (2.7, 0.04), (3.2, 0.04), (3.2, -0.3))
TOP = 0.6  # of the domain, m
# {name: (lower end of the domain, its length, the bed, where the level is measured, the bed at
# either opening), m}
BEDS = {"level bed": (0.0, 2.0, sides(["bottom"], "bed"), 1.0, (0.0, 0.0)),
        "sloped bed with a sill": (-0.3, 3.0, polygon("bed", BED), 0.7, (0.0, 0.04))}


def basin(dp, low, length, bed, place, beds, end):
    ends = zip(("left", "right"), ("x-", "x+"), (0.0, length), beds)
    openings = [f'{{ name = "{name}"; kind = "open"; face = "{face}"; from = [{x}, {z}];'
                f" to = [{x}, {TOP}]; level = {DEPTH}; }}" for name, face, x, z in ends]
    return stream(
        "Still water", dp, [0.0, low], [length, TOP], 10 * math.sqrt(2 * GRAVITY * DEPTH),
        ",\n  ".join([box("water", [0.0, 0.0], [length, DEPTH]), bed]), ",\n  ".join(openings),
        end, fluid='masses = "hydrostatic";', falls=True, each=100,
        probes=f'{{ name = "level"; kind = "height"; at = [{place}]; every = 0.05; }}')


@case("opening-still", "Still water between two openings", (20,))
def still(trial):
    """Water 0.4 m deep between two openings that give one level, over a level bed and over a sloped
    bed with a sill, for 50 sqrt(H/g). Nothing should move once the lattice has settled: at the end
    the kinetic energy is below 1e-6 of m g H, in the last half of the time the level changes by
    less than 0.1 dp, and the mass that has entered or left is below 1e-3 of the water's. For
    comparison: the largest kinetic energy after a sixth of the time, and the change of the level
    since the start. Resolutions: particles in the depth."""
    axes = list(trial.axes(columns=2, wide=4.4))
    end = 50 * math.sqrt(DEPTH / GRAVITY)
    for n, colour in zip(trial.resolutions, COLOURS):
        dp = DEPTH / n
        for (which, bed), plot in zip(BEDS.items(), axes):
            run = trial.run(f"{n}-{which.split()[0]}", basin(dp, *bed, end), "gentle")
            energy, flow = run.energy(), run.table("population.csv")
            size = flow["mass"][0] * GRAVITY * DEPTH
            label = f"H/{n}, {which}"
            trial.check(f"{label}: kinetic energy over m g H", energy["kinetic"][-1] / size, 1e-6)
            trial.check(f"{label}: the largest after a sixth of the time",
                        np.max(energy["kinetic"][energy["time"] > end / 6]) / size, None)
            level = run.probe("level")["height"]
            trial.check(f"{label}: change of the level, dp", np.ptp(level[len(level) // 2 :]) / dp,
                         0.1)
            trial.check(f"{label}: change of the level since the start, dp",
                        (level[-1] - level[0]) / dp, None)
            trial.check(f"{label}: mass entered and left over that of the water",
                        (flow["entered_mass"][-1] + flow["left_mass"][-1]) / flow["mass"][0], 1e-3)
            plot.semilogy(energy["time"][1:], energy["kinetic"][1:] / size, color=colour,
                          label=label)
            plot.axhline(1e-6, color="0.2", linestyle=":", label="gate at the end")
    for plot in axes:
        plot.set_xlabel("time (s)")
        plot.set_ylabel("kinetic energy / m g H")
        plot.legend()


CASES = (still,)

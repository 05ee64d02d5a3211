"""Water at rest: flat, on a wedge, on a step."""

import math

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate.trial import case

GRAVITY, DEPTH, RHO0, GAMMA = 9.81, 1.0, 1000.0, 7.0
C0 = 10 * math.sqrt(2 * GRAVITY * DEPTH)
END = 15.9638  # s: t sqrt(g/H) = 50
HALF_WIDTH = 0.25  # m, of wedge and step; also their height
TANK = 2.0  # m
H_OVER_DP = 2.0  # of the config
# The program's defaults, for comparison.
DEFAULTS = {"kernel__h_over_dp": 1.5, "fluid__viscosity__alpha": 0.02,
            "fluid__diffusion__delta": 0.1, "fluid__diffusion__filter": 0.0}  # fmt: skip


def lowest_line(snapshot, low, high):
    """(z, p) of the fluid's lowest quarter with low < x < high."""
    fluid = snapshot.type == 0
    x, z, p = snapshot.x[fluid, 0], snapshot.x[fluid, 1], snapshot.pressure[fluid]
    keep = (x > low) & (x < high) & (z < DEPTH / 4)
    return z[keep], p[keep]


def floor_pressure(run, where, start, end):
    """Pressure (Pa) at the floor: a line through p(z) of all snapshots with start <= t/T <= end."""
    last = run.times[-1]
    lines = [
        lowest_line(snapshot, *where)
        for snapshot in run
        if start * last <= snapshot.time <= end * last
    ]
    z, p = (np.concatenate(part) for part in zip(*lines))
    return float(np.polyfit(z, p, 1)[1])


def floor_range(run, where):
    """Largest less smallest floor pressure (Pa) over the second half: a line for each snapshot."""
    last = run.times[-1]
    floor = [
        np.polyfit(*lowest_line(snapshot, *where), 1)[1]
        for snapshot in run
        if snapshot.time >= last / 2
    ]
    return float(np.ptp(floor))


def rest_of(run):
    """The gate of the kinetic energy at the end, / (m g H), which is not met without the filter.
    Only a layer of a few dp below the surface moves, at a speed that falls with dp."""
    return 4.5e-10 * (16 * float(run.config.get("spacing", DEPTH / 32)) / DEPTH) ** 3


def judge(trial, run, label, where, gated=True):
    """Checks a run at rest; without gates if not `gated`. Returns the floor pressure's error."""

    def gate(size):
        return size if gated else None

    table = run.energy()
    weight = run.reference_energy
    exact = measure.tait_floor_pressure(RHO0, C0, GAMMA, GRAVITY, DEPTH)
    last = floor_pressure(run, where, 0.8, 1.0)
    half = table.between(0.5 * table["time"][-1], np.inf)["kinetic"] / weight
    duration = table["time"][-1] * math.sqrt(GRAVITY / DEPTH)
    trial.check(f"{label}: kinetic energy / (m g H), its largest of the second half",
                measure.largest(half), gate(1e-8), note=f"t sqrt(g/H) = {duration:.2f}")
    trial.check(f"{label}: the same, at the end", half[-1], gate(rest_of(run)))
    note = f"{last:.2f} Pa, exact {exact:.2f} Pa"
    trial.within(f"{label}: floor pressure, relative error", last / exact - 1, gate(0.005), note)
    trial.check(f"{label}: its range over the second half / (rho g H)",
                floor_range(run, where) / (RHO0 * GRAVITY * DEPTH), gate(2e-4))
    return last / exact - 1


def draw(trial, run, usual=None):
    """Draws the pressure of every particle over its height, and the kinetic energy over time.
    usual: the run with the program's defaults."""
    left, right = trial.axes(columns=2)
    snapshot = run[-1]
    fluid = snapshot.type == 0
    z = np.linspace(0, DEPTH, 101)
    exact = [measure.tait_floor_pressure(RHO0, C0, GAMMA, GRAVITY, DEPTH - h) for h in z]
    left.plot(snapshot.pressure[fluid], snapshot.x[fluid, 1], ".", markersize=2, color=COLOURS[0],
              label="Sluice, every particle")
    left.plot(exact, z, color=COLOURS[1], label="equation of state")
    left.set_xlabel("pressure (Pa)")
    left.set_ylabel("height (m)")
    left.legend()
    for one, colour, label in ((usual, "0.6", "defaults"), (run, COLOURS[0], "the config")):
        if one:
            table = one.energy()
            right.semilogy(table["time"][1:], table["kinetic"][1:] / one.reference_energy,
                           color=colour, label=label)
    right.axhline(1e-8, color=COLOURS[1], linestyle=":", label="gate of the second half")
    right.set_xlabel("time (s)")
    right.set_ylabel("kinetic energy / (m g H)")
    right.legend()


def stand(trial, walls):
    """Runs and checks the tank with walls of this kind."""
    errors = {}
    for n in trial.resolutions:
        run = trial.run(f"{n}", "still_water.cfg", "still", spacing=DEPTH / n,
                        boundary__kind=walls, backend__precision="float")
        errors[n] = judge(trial, run, f"H/{n}, float", (0.25, 0.75))
        if n == 32:
            double = trial.run(f"{n}-double", "still_water.cfg", "still", boundary__kind=walls,
                               backend__precision="double")
            judge(trial, double, f"H/{n}, double", (0.25, 0.75))
    draw(trial, run)
    trial.order("floor pressure", errors)


@case("still-water", "Still water", (16, 32, 64), quick=(16,))
def still_water(trial):
    """A tank of water at rest, whose masses give the hydrostatic pressure, until t sqrt(g/H) = 50,
    in float. Resolutions: particles in the depth H. The shipped case (`configs/still_water.cfg`,
    H/32) runs in double too. The floor pressure comes from a straight line through the pressures of
    the lowest quarter of the water, in the middle half of the tank. Its mean over the last fifth of
    the time is compared with the exact pressure of the equation of state; its range is that of all
    snapshots of the second half. The config has h/dp 2, alpha 1, delta 0.2 and a filter of 8 s.
    With the defaults of the program the lattice goes on creeping. The gate of the kinetic energy at
    the end, 4.5e-10 (16 dp/H)^3, is for the filter: without it the energy is three to six times as
    large."""
    stand(trial, "adami")


@case("still-water-mdbc", "Still water, walls with ghost nodes", (16, 32, 64))
def still_water_mdbc(trial):
    """The same tank with `boundary.kind = "mdbc"`."""
    stand(trial, "mdbc")


def wide_tank(n):
    """Keys of still_water.cfg for a tank two depths wide."""
    return {
        "spacing": DEPTH / n,
        "domain__max": [TANK, 1.3125],
        "probes": ({"name": "floor", "kind": "point", "at": [0.4, 0.0], "every": 0.05},),
    }


WATER = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0], "max": [TANK, DEPTH]}
WALLS = {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"]}
CENTRE = TANK / 2
STEP = {
    "name": "step",
    "shape": "box",
    "type": "wall",
    "fill": "solid",
    "min": [CENTRE - HALF_WIDTH, 0.0],
    "max": [CENTRE + HALF_WIDTH, HALF_WIDTH],
}
WEDGE = {
    "name": "wedge",
    "shape": "polygon",
    "type": "wall",
    "fill": "solid",
    "points": ([CENTRE - HALF_WIDTH, 0.0], [CENTRE + HALF_WIDTH, 0.0], [CENTRE, HALF_WIDTH]),
}
BESIDE = (0.15, CENTRE - HALF_WIDTH - 0.15)  # m: away from the tank's wall and from the obstacle


def stand_on(trial, keys_of, kinds):
    """Runs the tank that is 2 H wide, with the obstacle that keys_of(n) adds, and walls of these
    kinds; again with the program's defaults, for comparison."""
    errors = {}
    for n in trial.resolutions:
        keys = {**wide_tank(n), **keys_of(n)}
        for walls in kinds:
            run = trial.run(f"{n}-{walls}", "still_water.cfg", "still", boundary__kind=walls,
                            **keys)
            error = judge(trial, run, f"H/{n}, {walls}", BESIDE)
            errors.setdefault(n, error)
        usual = trial.run(f"{n}-defaults", "still_water.cfg", "still", **DEFAULTS, **keys)
        judge(trial, usual, f"H/{n}, defaults", BESIDE, gated=False)
    draw(trial, run, usual)
    trial.order(f"floor pressure, {kinds[0]}", errors)


@case("still-water-step", "Still water over a step", (16, 32))
def still_water_step(trial):
    """The same water in a tank 2 H wide, with a step H/2 wide and H/4 high in its middle. The step
    has convex and concave corners. The floor pressure is taken left of the step. The default
    kernel's lattice, Wendland C2 with h/dp 1.5, is unstable to shear along its diagonals in
    proportion to the pressure
    ([theory](theory.md#shear-stiffness-of-a-lattice-under-pressure)), and corners trigger it. With
    the config's 2 the lattice is stable. The program's defaults are shown for comparison."""
    stand_on(trial, lambda n: {"geometry": (WATER, WALLS, STEP)}, ("adami", "mdbc"))


@case("still-water-wedge", "Still water over a wedge", (16, 32))
def still_water_wedge(trial):
    """The same with a wedge instead of the step, of 45 degrees and H/4 high. It is a
    polygon. Its wall particles lie on the lattice, in stairs of one dp, as in the case with which
    English et al. 2022 test their walls; the ghost nodes of `mdbc` are images in its true faces.
    The program's defaults are shown for comparison."""
    stand_on(trial, lambda n: {"geometry": (WATER, WALLS, WEDGE)}, ("adami", "mdbc"))


CASES = (still_water, still_water_mdbc, still_water_step, still_water_wedge)

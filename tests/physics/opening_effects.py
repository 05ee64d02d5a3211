#!/usr/bin/env python3
# test: 10 s
"""Effects of water in a stream between openings: the energy budget closes, the stream goes on, and
what openings hold is neither shifted nor accelerated. An inlet without a depth finds it."""

from case_run import Case, at_most, finish, largest, measure, np, ok
from opening_cases import DEPTH, OUTLET, channel

SPEED, ROWS, DP = 0.5, 5, 0.04
CHANNEL = channel()

# Without gravity: shifting is refused where a stream has a surface.
DUCT = (CHANNEL.replace("[0.0, -9.81]", "[0.0, 0.0]").replace(" depth = 0.4;", "")
        .replace("level = 0.4", "pressure = 500.0").replace('["bottom"]', '["bottom", "top"]')
        .replace("max = [1.2, 0.6]", "max = [1.2, 0.4]").replace(' masses = "hydrostatic";', "")
        .replace('{ field = "pressure"; kind = "hydrostatic"; }',
                 '{ field = "pressure"; kind = "uniform"; value = 500.0; }')
        .replace("tolerance = 1.0;", "tolerance = 1.0; reference = 100.0;"))
SHIFTING = {"fluid__shifting__kind": "inside", "boundary__slip": "no-slip",
            "fluid__viscosity__kind": "laminar", "fluid__viscosity__nu": 0.005}
EFFECTS = {
    "none": {},
    "sps": {"fluid__viscosity__kind": "sps", "fluid__viscosity__nu": 1e-3},
    "antuono": {"fluid__diffusion__kind": "antuono"},
    "mdbc": {"boundary__kind": "mdbc"},
    "tension": {"fluid__tension": 1e-4},
    "law of the wall, eddies": {"boundary__slip": "wall-law", "boundary__roughness": 0.002,
                                "boundary__mixing_length": 0.1},
    "artificial friction": {"boundary__slip": "artificial"},
}


def test_budget():
    """The residual is the error of the time step; identity holds to rounding."""
    case = Case(CHANNEL)
    for name, keys in EFFECTS.items():
        run = case.run("one", **keys)
        at_most(measure.residual_share(run), 1e-5, f"{name}: residual over the reference energy")
        at_most(largest(run.energy()["identity"]), 1e-12, f"{name}: power identity")
        at_most(largest(run.opening("down")["velocity"] / -SPEED - 1), 0.08,
                f"{name}: the stream goes on")


def test_held():
    """In the buffers there is one velocity a column, and no shift; elsewhere there are shifts."""
    run = Case(DUCT).run("held", output__fields="shift", **SHIFTING)
    at_most(measure.residual_share(run), 1e-3, "shifting: residual over the reference energy")
    moved = 0
    for snapshot in list(run)[1:]:
        fluid = snapshot.fluid
        shift = np.abs(fluid.get("shift")).max(axis=1)
        # a shift, of at most DP/20, may carry a particle across the face
        held = np.minimum(fluid.x[:, 0], 1.2 - fluid.x[:, 0]) < (ROWS - 0.05) * DP
        at_most(shift[held].max(), 0, f"shifts in buffers at t = {snapshot.time:.2g} s")
        at_most(np.abs(fluid.velocity[held, 1]).max(), 0, "and velocities across them")
        moved = max(moved, shift[~held].max())
    ok(moved > 1e-6, f"water between them is shifted, by up to {moved:.3g} m")


def test_level():
    """A stream of Froude number 0.76 starts three rows deeper than its outlet's level, which gives
    its depth. The inlet's columns come down to it, all but a row."""
    fast, deep = 1.5, 0.52
    text = channel(
        water=f'{{ shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.2, {deep}]; }}',
        speed=fast, openings=(f'{{ name = "up"; kind = "inlet"; face = "x-"; velocity = {fast}; }}',
                              OUTLET))
    run = Case(text).run("level", time__end=6.0, output__every=6.0, energy__every=50)
    discharge = run.opening("up").between(5.0, np.inf)["discharge"]
    at_most(largest(discharge / fast - DEPTH) / DP, 1.1, "a depth too large: off at the end, rows")


test_budget()
test_held()
test_level()
finish()

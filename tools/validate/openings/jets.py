"""Jets from openings at an angle, without gravity."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.openings.setups import box, stream
from validate.trial import case

SPEED, DENSITY, DP = 1.0, 1000.0, 0.01
BEGIN, END = 3.5, 0.1  # judged: from so many dp before the face, to so far (m) behind the tip


def jet(dimension, centre, normal, size):
    """The config of a jet for half a second. A few particles in a corner start the water."""
    far = [0.92] * dimension
    return stream("A jet", DP, [0.0] * dimension, [1.0] * dimension, 15.0,
                  box("seed", far, [x + 2 * DP for x in far]),
                  f'{{ name = "jet"; kind = "inlet"; centre = {centre}; normal = {normal}; {size};'
                  f" velocity = {SPEED}; }}", 0.5, every=0.25, each=20, reference=10.0)


def judge(trial, label, run, centre, normal, area):
    fluid = run[-1].fluid
    dimension = len(centre)
    n = np.array(normal) / np.linalg.norm(normal)
    x, u = fluid.x[:, :dimension] - np.array(centre), fluid.velocity[:, :dimension]
    along, speed = x @ n, u @ n
    across = np.linalg.norm(x - along[:, None] * n, axis=1)
    jets = (along > BEGIN * DP) & (across < 0.25)
    jets &= along < along[jets].max() - END
    along, speed, x, u = along[jets], speed[jets], x[jets], u[jets]
    axis = x - along[:, None] * n  # of the jet: it stays on the opening's
    near = along < np.median(along)
    drift = np.linalg.norm(axis[~near].mean(axis=0) - axis[near].mean(axis=0))
    run_up = along[~near].mean() - along[near].mean()
    trial.check(f"{label}: direction, its tangent to the normal", drift / run_up, 0.01)
    trial.check(f"{label}: velocity across over that along",
                np.max(np.linalg.norm(u - speed[:, None] * n, axis=1)) / SPEED, 0.01)
    row = np.round((along - along.min()) / DP).astype(int)
    places = np.bincount(row, along) / np.bincount(row)
    spacing = np.diff(places)
    trial.check(f"{label}: spacing of rows less dp, dp", np.max(np.abs(spacing / DP - 1)), 1e-5,
                note=f"{len(places)} rows; mean less dp {np.mean(spacing) / DP - 1:.1e}")
    trial.check(f"{label}: largest pressure over rho U^2",
                np.max(np.abs(fluid.pressure[jets])) / (DENSITY * SPEED**2), 1e-3)
    mass = fluid.mass[jets]
    flux = np.sum(mass * speed**2) / (len(places) * DP)
    trial.within(f"{label}: momentum flux over rho U^2 A, less 1",
                 flux / (DENSITY * SPEED**2 * area) - 1, 0.01)


@case("opening-jets", "Jets at an angle", (100,), quick=(100,))
def jets(trial):
    """An inlet in the middle of nothing, 20 dp wide at 45 and at 30 degrees in 2-D, and a disc of
    20 dp along (1, 0.3, 0.7) in 3-D, without gravity. The jet goes on along the normal (1%), its
    rows stay a dp apart (1e-5 dp), its pressure is below 1e-3 rho U^2, and its momentum flux is rho
    U^2 A (1%). The first three rows before the face and the jet's first 0.1 m are not judged.
    Resolutions: particles in a metre."""
    axes = list(trial.axes(columns=2, wide=4.4))
    for degrees, place in ((45, axes[0]), (30, axes[1])):
        angle = math.radians(degrees)
        centre, normal = [0.2, 0.2], [math.cos(angle), math.sin(angle)]
        run = trial.run(f"{degrees}", jet(2, centre, normal, "size = [0.2]"), "gentle")
        judge(trial, f"{degrees} degrees", run, centre, normal, 0.2)
        x = run[-1].fluid.x
        place.plot(x[:, 0], x[:, 1], ".", markersize=2, color=COLOURS[0])
        place.set_aspect("equal")
        place.set_title(f"{degrees} degrees")
        place.set_xlabel("x (m)")
        place.set_ylabel("y (m)")
    centre, normal = [0.3, 0.5, 0.3], [1.0, 0.3, 0.7]
    run = trial.run("disc", jet(3, centre, normal, "radius = 0.1"), "gentle")
    judge(trial, "disc in 3-D", run, centre, normal, math.pi * 0.1**2)


CASES = (jets,)

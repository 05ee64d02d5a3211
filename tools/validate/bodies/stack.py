"""A dam break that topples a stack of boxes."""

import os
import re

import numpy as np
from plot.pictures import COLOURS

from validate.bodies import overlaps
from validate.bodies.motion import read_motions
from validate.bodies.setups import GRAVITY, ROWS, gate_of
from validate.trial import case

# configs/stacked_boxes.cfg
SIDE, COUNT, DENSITY = 0.08, 25, 800.0  # m, kg/m^3
TANK = 2.4  # m, its length
MASS = DENSITY * SIDE**2  # kg/m
STIFFNESS = 1e7  # Pa, at s/10
EACH_STEP = 1e-6  # s, between rows: less than a step


def gap_of_bodies(motions):
    """The largest error of the momentum of all bodies: its change less the impulses of gravity,
    fluid and contacts, over the largest momentum. The tables have a row for each step. The impulse
    of a step is its length times the mean of the forces in its two rows: the step makes two half
    kicks. Contacts between bodies cancel in the sum."""
    t = motions[0].t
    momentum = MASS * sum(m.v for m in motions)
    force = sum(m.fluid + m.contact for m in motions)
    force[:, 1] -= len(motions) * MASS * GRAVITY
    impulses = (force[1:] + force[:-1]) / 2 * np.diff(t)[:, None]
    gap = np.linalg.norm(momentum[1:] - momentum[0] - np.cumsum(impulses, axis=0), axis=1)
    return float(np.max(gap) / np.max(np.linalg.norm(momentum, axis=1)))


def poses_at(motions, time):
    """[(x, angle)] of the bodies at a time."""
    return [(np.array([np.interp(time, m.t, m.x[:, k]) for k in range(2)]),
             float(np.interp(time, m.t, m.angle))) for m in motions]


def deepest_fluid(run, motions, half):
    """The largest depth of a fluid particle inside a body, and below the floor or beyond the tank's
    ends, in all snapshots, m."""
    inside, beyond = 0.0, 0.0
    for snapshot in run:
        fluid = snapshot.x[snapshot.type == 0, :2]
        beyond = max(beyond, -fluid.min(), fluid[:, 0].max() - TANK)
        for x, angle in poses_at(motions, snapshot.time):
            near = np.all(np.abs(fluid - x) < 1.5 * SIDE, axis=1)
            inside = max(inside, overlaps.depth_inside(fluid[near], x, angle, half))
    return inside, beyond


def count_lost(run):
    """How many fluid particles have left the tank at a place that is not its open top."""
    with open(os.path.join(run.path, "log.txt")) as file:
        places = re.findall(r"left the domain \(id \d+ at (\S+), ([^\s,)]+)", file.read())
    lost = run.energy()["particles"]
    through_top = sum(float(y) >= TANK and 0 <= float(x) <= TANK for x, y in places)
    return int(lost[0] - lost[-1]) - through_top


def draw(axes, snapshot, motions, half):
    fluid = snapshot.type == 0
    axes.plot(snapshot.x[fluid, 0], snapshot.x[fluid, 1], ".", markersize=1, color=COLOURS[0])
    for x, angle in poses_at(motions, snapshot.time):
        quad = overlaps.corners(x[None], np.array([angle]), half)[0]
        axes.fill(*quad.T, facecolor="0.85", edgecolor="0.2", linewidth=0.6)
    axes.set_aspect("equal")
    axes.set_xlim(0, TANK)
    axes.set_ylim(0, TANK / 2)
    axes.set_title(f"t = {snapshot.time:.2f} s")


@case("stacked-boxes", "Dam break that topples 25 boxes", (10, 15, 20), long=True)
def stacked_boxes(trial):
    """Water 0.4 m wide and 0.8 m high breaks onto 25 boxes of 800 kg/m^3, 0.08 m wide, which stand
    in five columns of five (`configs/stacked_boxes.cfg`, 2-D). Nothing passes through anything: in
    all rows of the bodies' tables, no two boxes overlap, and no box is beyond a wall, by more than
    half a spacing; in all snapshots no fluid particle is deeper than that inside a box, or beyond a
    wall, and none is lost but spray through the open top. The change of the boxes' momentum is the
    impulse of gravity, fluid and contacts, to 1e-11 of the largest: to rounding, over 10^5 steps.
    The residual of the energy is at most 1e-3. A corner that hits with the energy U sinks by a
    fraction of dp that goes with (U/E)^(2/5) dp^(-6/5) ([the law](theory.md#contact-of-bodies)), so
    the stiffness E goes with dp^-3, from the config's 10 MPa at s/10 on. Resolutions: particles in
    a box's side; the gates apply to the finest."""
    half = [SIDE / 2, SIDE / 2]
    panels = trial.axes(rows=2, columns=2, wide=4.6, tall=2.6)
    for n in trial.resolutions:
        dp, label = SIDE / n, f"s/{n}"
        last = n == max(trial.resolutions)
        stiffness = STIFFNESS * (n / 10) ** 3
        run = trial.run(f"{n}", "stacked_boxes.cfg", "violent" if last else "", spacing=dp,
                        bodies__box__stiffness=stiffness, contact__stiffness=stiffness,
                        **{f"output__{ROWS}": EACH_STEP})
        motions = read_motions(run, "box", COUNT)
        quads = np.stack([overlaps.corners(m.x, m.angle, half) for m in motions])
        depth, two, row = overlaps.deepest_overlap(quads, 1.5 * SIDE)
        trial.check(f"{label}: deepest overlap of two boxes, dp", depth / dp,
                    gate_of(trial, n, 0.5),
                    note=f"boxes {two[0] + 1} and {two[1] + 1} at {motions[0].t[row]:.3f} s")
        trial.check(f"{label}: largest distance of a box beyond a wall, dp",
                    overlaps.beyond_tank(quads, [0, 0], [TANK, np.inf]) / dp,
                    gate_of(trial, n, 0.5))
        inside, beyond = deepest_fluid(run, motions, half)
        trial.check(f"{label}: deepest fluid inside a box, dp", inside / dp,
                    gate_of(trial, n, 0.5))
        trial.check(f"{label}: largest distance of fluid beyond a wall, dp", beyond / dp,
                    gate_of(trial, n, 0.5))
        trial.check(f"{label}: gap in the boxes' momentum over its largest",
                    gap_of_bodies(motions), gate_of(trial, n, 1e-11))
        trial.check(f"{label}: particles that left other than through the open top",
                    count_lost(run), 0)
        turned = sum(abs(m.angle[-1]) > 0.5 for m in motions)
        trial.check(f"{label}: boxes turned by more than 30 degrees at the end", turned, None)
    for axes, share in zip(panels, (0.0, 0.3, 0.6, 1.0)):
        draw(axes, run[round(share * (len(run) - 1))], motions, half)


CASES = (stacked_boxes,)

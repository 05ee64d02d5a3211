"""Contacts of bodies with walls: seams, tips and edges, rolling."""

import math

from plot.pictures import COLOURS

from validate.bodies.motion import read_motion
from validate.bodies.setups import box, config, gate_of
from validate.trial import case

SIZE = [2.0, 1.0]  # m, the domain
TOP = 0.1  # m, of the floor
SIDE, RADIUS = 0.1, 0.2  # m, of the box and the disc
FLAT = {"friction": 0.0, "restitution": 0.0}


def wall_box(x0, y0, x1, y1):
    return {"shape": "box", "type": "wall", "fill": "solid", "min": [x0, y0], "max": [x1, y1]}


def wedge(degrees):
    """A wedge of wall with its tip at (1.01, 0.4)."""
    half = 0.3 * math.tan(math.radians(degrees / 2))
    return {"shape": "polygon", "type": "wall", "fill": "solid",
            "points": ([1.01 - half, 0.1], [1.01 + half, 0.1], [1.01, 0.4])}


def disc(x, y):
    return {"name": "body", "shape": "disc", "type": "body", "centre": [x, y], "radius": RADIUS}


def text(title, dp, shapes, body, end, on_floor=True, stiffness=1.0e7, **contact):
    """The text of a config: a body among walls, and some water apart from it."""
    low = TOP if on_floor else 0.0
    water = {"name": "water", "shape": "box", "type": "fluid", "min": [1.8, low],
             "max": [2.0, low + 0.1]}
    tank = {"shape": "walls", "sides": ["bottom", "right"]}
    dam = wall_box(1.7, low, 1.8, low + 0.3)  # the water stays behind it
    return config(title, dp, SIZE, (water, tank, *shapes, dam),
                  [{"name": "body", "density": 1000.0, "stiffness": stiffness, **body}], end=end,
                  every=0.0, rows=0.005, contact={"stiffness": stiffness, **contact})


def floor(boxes):
    """A level floor of so many boxes."""
    edges = [SIZE[0] * i / boxes for i in range(boxes + 1)]
    return [wall_box(a, 0.0, b, TOP) for a, b in zip(edges, edges[1:])]


def slide(trial, n, dp, axes):
    for boxes in (1, 2, 20):
        body = {"velocity": [1.0, 0.0], **FLAT}
        run = trial.run(f"slide-{boxes}-{n}",
                        text("Sliding over seams", dp,
                             [*floor(boxes), box("body", [0.3, TOP], [0.3 + SIDE, TOP + SIDE])],
                             body, 0.6, **FLAT), "")
        motion = read_motion(run, "body")
        trial.within(f"dp {dp:g}: speed after sliding over {boxes} boxes, less 1 m/s",
                     float(motion.v[-1, 0]) - 1, gate_of(trial, n, 0.003))
        axes.plot(motion.x[:, 0], motion.v[:, 0], color=COLOURS[0], label=f"slides, {boxes} boxes")


def roll(trial, n, dp, axes):
    for boxes in (1, 10):
        body = {"velocity": [1.0, 0.0], "spin": -1.0 / RADIUS}
        run = trial.run(f"roll-{boxes}-{n}",
                        text("Rolling", dp, [*floor(boxes), disc(0.4, TOP + RADIUS)], body, 0.57),
                        "")
        motion = read_motion(run, "body")
        trial.within(f"dp {dp:g}: speed after rolling over {boxes} boxes, less 1 m/s",
                     float(motion.v[-1, 0]) - 1, gate_of(trial, n, 0.01))
        axes.plot(motion.x[:, 0], motion.v[:, 0], "--", color=COLOURS[1],
                  label=f"rolls, {boxes} boxes")


def rest(trial, n, dp, axes):
    fall = box("body", [0.8, 0.42], [1.2, 0.52])
    slot = [wall_box(0.5, TOP, 0.9, 0.4), wall_box(1.1, TOP, 1.5, 0.4)]
    rests = [(f"on a wedge of {degrees} degrees", [wedge(degrees), fall], "x,rz", 0.45)
             for degrees in (11.0, 4.6)]
    rests.append(("on the edges of a slot", [*slot, disc(1.0, 0.6)], "none",
                  0.4 + math.sqrt(RADIUS**2 - 0.1**2)))
    for i, (what, shapes, locked, right) in enumerate(rests):
        body = {} if locked == "none" else {"locked": locked}
        run = trial.run(f"rest-{i}-{n}",
                        text("At rest", dp, shapes, {"restitution": 0.2, **body}, 0.5,
                             on_floor=False, stiffness=1.0e9, restitution=0.2), "")
        motion = read_motion(run, "body")
        trial.within(f"dp {dp:g}: height at rest {what}, off in dp",
                     (float(motion.x[-1, 1]) - right) / dp, gate_of(trial, n, 0.3))
        axes.plot(motion.t, (motion.x[:, 1] - right) / dp, color=COLOURS[i], label=what)


@case("contacts", "Bodies that slide over seams, rest on tips, and roll", (50,), quick=(50,))
def contacts(trial):
    """A box without friction slides at 1 m/s over a level floor of one, two and twenty boxes of
    wall: it keeps its speed to 0.3%. A disc of 0.2 m rolls at 1 m/s for 0.57 m over one and ten
    boxes: it keeps its speed to 1%. A box that cannot turn falls on the tip of a wedge of wall of
    11 and of 4.6 degrees, and a disc on the two edges of a slot: they come to rest within 0.3 dp of
    where they belong. Resolutions: particles a metre."""
    speeds, heights = trial.axes(columns=2)
    for n in trial.resolutions:
        slide(trial, n, 1 / n, speeds)
        roll(trial, n, 1 / n, speeds)
        rest(trial, n, 1 / n, heights)
    speeds.set_xlabel("x / m")
    speeds.set_ylabel("speed / (m/s)")
    heights.set_xlabel("t / s")
    heights.set_ylabel("height off / dp")
    for axes in (speeds, heights):
        axes.legend(fontsize="x-small")


CASES = (contacts,)

"""Open channels with openings: a bore, a hydraulic jump, a weir with a broad crest."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.openings.setups import (
    ARTIFICIAL,
    GRAVITY,
    box,
    mean,
    polygon,
    quarter,
    rate,
    sides,
    stream,
)
from validate.trial import case

DENSITY = 1000.0


def gauges(places, every=0.02):
    """Height probes h0, h1, ... at these places (m)."""
    return ", ".join(f'{{ name = "h{i}"; kind = "height"; at = [{x}]; every = {every}; }}'
                     for i, x in enumerate(places))


def bore_depth(depth, speed):
    """Depth (m) behind a bore that changes the speed of water of this depth by `speed`."""
    low, high = depth, 20 * depth
    for _ in range(80):
        middle = (low + high) / 2
        given = (middle - depth) * math.sqrt(GRAVITY / 2 * (1 / middle + 1 / depth))
        low, high = (middle, high) if given < speed else (low, middle)
    return low


STILL, PUSH, FLUME = 0.32, 2.05, 20.0  # m, m/s, m


@case("opening-bore", "Bore from an inlet", (), on_gpu=(32,))
def bore(trial):
    """An inlet pushes still water, 0.32 m deep, at 2.05 m/s through a level flume of 20 m. The bore
    is y2/y1 = 2.372 deep by the balance of mass and momentum; the depth at 8 m, once the bore has
    passed it for a second, until 9 s, may be off by 3%. The bore that a wall at the end throws back
    is deep enough to press on it with 9.70 rho g y1^2; the mean force from 1 s after the hit on,
    until 12 s, may be off by 5%. Resolutions: particles in y1."""
    (axes,) = trial.axes(wide=6.0)
    for n, colour in zip(trial.resolutions, COLOURS):
        behind = bore_depth(STILL, PUSH)
        front = PUSH * behind / (behind - STILL)
        run = trial.run(f"{n}", stream(
            "A bore", STILL / n, [0.0, 0.0], [FLUME, 1.8], 45.0,
            ",\n  ".join([box("water", [0.0, 0.0], [FLUME, STILL]),
                          sides(["bottom"], "floor"), sides(["x+"], "end")]),
            f'{{ name = "in"; kind = "inlet"; face = "x-"; velocity = {PUSH}; ramp = 0.3; }}', 12.0,
            falls=True, each=100,
            probes=gauges([2.0, 8.0, 14.0]) + ', { name = "end"; kind = "force"; on = "end";'
            " every = 0.02; }"), "violent")
        table = run.probe("h1")
        bias = table["height"][0] - STILL  # of the lattice's surface
        depth = mean(table, "height", 8.0 / front + 1, 9.0) - bias
        trial.within(f"y1/{n}: depth of the bore over the law's, less 1", depth / behind - 1, 0.03,
                     note=f"y2/y1 {depth / STILL:.3f}, law {behind / STILL:.3f}")
        wall = bore_depth(behind, PUSH)
        law = wall**2 / 2 / STILL**2
        force = mean(run.probe("end"), "fx", FLUME / front + 1) / (DENSITY * GRAVITY * STILL**2)
        trial.within(f"y1/{n}: force on the end wall over the law's, less 1", force / law - 1, 0.05,
                     note=f"{force:.2f} rho g y1^2, law {law:.2f}")
        for i, x in enumerate((2, 8, 14)):
            table = run.probe(f"h{i}")
            axes.plot(table["time"], (table["height"] - bias) / STILL, color=COLOURS[i],
                      label=f"y1/{n}, at {x} m")
        axes.axhline(behind / STILL, color=colour, linestyle=":", label="law")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("depth / y1")
    axes.legend()


SHALLOW, FROUDE = 0.2, 2.0
JUMPED = SHALLOW / 2 * (math.sqrt(1 + 8 * FROUDE**2) - 1)  # m, 0.4745
FAST = FROUDE * math.sqrt(GRAVITY * SHALLOW)
TOE, JUMPS = 2.5, 6.0  # m


def toe(snapshot, dp):
    """Where the water is first deeper than the mean of both depths, m."""
    x = snapshot.fluid.x
    column = np.floor(x[:, 0] / (2 * dp)).astype(int)
    depth = np.bincount(column, minlength=int(JUMPS / (2 * dp))) * dp / 2
    deep = np.convolve(depth, np.ones(5) / 5, "same") > (SHALLOW + JUMPED) / 2
    return 2 * dp * (np.argmax(deep) + 0.5)


def jump_config(dp, level, end):
    """A jump that starts half-way; level (m): of the outlet."""
    flows = (("fast", 0.0, TOE, SHALLOW, FAST),
             ("slow", TOE, JUMPS, round(JUMPED / dp) * dp, FAST * SHALLOW / JUMPED))
    shapes = [box(name, [low, 0.0], [high, depth]) for name, low, high, depth, _ in flows]
    return stream(
        "A hydraulic jump", dp, [0.0, 0.0], [JUMPS, 0.8], 31.0,
        ",\n  ".join([*shapes, sides(["bottom"])]),
        f'{{ name = "in"; kind = "inlet"; face = "x-"; velocity = {FAST:.9g};'
        f' depth = {SHALLOW}; }},\n'
        f'  {{ name = "out"; kind = "outlet"; face = "x+"; level = {level:.9g}; }}',
        end, falls=True, each=100, every=end / 40,
        initial=",\n  ".join(f'{{ field = "velocity"; kind = "uniform"; value = [{u:.9g}, 0.0];'
                             f' on = "{name}"; }}' for name, *_, u in flows))


@case("opening-jump", "Hydraulic jump between openings", (10,), on_gpu=(20,))
def jump(trial):
    """An inlet gives a stream 0.2 m deep of Froude number 2, an outlet 6 m on the level that
    belongs to it behind a jump, y2 = 0.4745 m (Belanger 1828). A jump that starts half-way stays:
    after 28 sqrt(y2/g) its toe, where the water is deeper than the mean of both depths, has moved
    by less than y2. For comparison: an outlet whose level is 3% higher. Resolutions: particles in
    0.2 m."""
    (axes,) = trial.axes(wide=6.0)
    end = 28 * math.sqrt(JUMPED / GRAVITY)
    for n in trial.resolutions:
        dp = SHALLOW / n
        for rise, gate, colour in ((1.0, 1.0, COLOURS[0]), (1.03, None, COLOURS[1])):
            run = trial.run(f"{n}-{rise:g}", jump_config(dp, rise * JUMPED, end), "violent")
            places = [(s.time, toe(s, dp)) for s in run]
            moved = (places[-1][1] - places[0][1]) / JUMPED
            trial.within(f"y1/{n}, level {rise:g} y2: way of the toe, y2", moved, gate)
            axes.plot(*np.transpose(places), color=colour, label=f"y1/{n}, level {rise:g} y2")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("toe (m)")
    axes.legend()


WEIR, NOSE, CREST, FLOW = 0.25, 0.15, 0.667, 0.1525  # m, m, m, m^2/s
BEGINS = 1.25  # m, of the weir


@case("opening-weir", "Weir with a broad crest", (), on_gpu=(40,))
def weir(trial):
    """An inlet gives 0.1525 m^2/s to a channel with a weir 0.25 m high whose nose is rounded by
    0.15 m; its total head is 0.3 of its crest's length. Walls are fitted and slip. The discharge is
    Cd (2/3)^1.5 sqrt(g) H^1.5, and Cd is 0.98 to 1.03. The total head H comes from a gauge
    upstream and the speed there; for comparison, from the head of the opening's columns, and by
    the gauge with h/dp 1.5 in place of 2. Means over the last 2 of 10 s. Resolutions: particles in
    the head of the crest, 0.2 m."""
    (axes,) = trial.axes(wide=6.0)
    ends = BEGINS + NOSE + CREST
    points = [(BEGINS, -0.1), *quarter((BEGINS + NOSE, WEIR - NOSE), NOSE), (ends, WEIR),
              (ends, -0.1)]
    for n in trial.resolutions:
        dp = 0.2 / n
        for h, colour in ((2.0, COLOURS[0]), (1.5, COLOURS[1])):
            text = stream(
                "A weir", dp, [0.0, 0.0], [3.0, 0.7], 30.0,
                ",\n  ".join([box("water", [0.0, 0.0], [BEGINS, 0.44]), sides(["bottom"], "floor"),
                              polygon("weir", points)]),
                f'{{ name = "in"; kind = "inlet"; face = "x-"; discharge = {FLOW}; ramp = 1.0; }},'
                ' { name = "out"; kind = "outlet"; face = "x+"; }', 10.0, viscosity=ARTIFICIAL,
                falls=True, each=200, probes=gauges([0.7, 1.7]))
            run = trial.run(f"{n}-{h:g}", text, "violent", kernel__h_over_dp=h)
            table = run.probe("h0")
            depth = mean(table, "height", 8.0) - (table["height"][0] - 0.44)
            q = rate(run.opening("out"), "mass_out", 8.0) / DENSITY
            heads = {"gauge": depth - WEIR + (q / depth) ** 2 / (2 * GRAVITY)}
            if h == 2.0:
                heads["opening's head"] = mean(run.opening("in"), "head", 8.0) - WEIR
            for how, head in heads.items():
                found = q / ((2 / 3) ** 1.5 * math.sqrt(GRAVITY) * head**1.5)
                judged = h == 2.0 and how == "gauge"
                trial.check(f"H/{n}, h/dp {h:g}: Cd by the {how}", found, 1.03 if judged else None,
                            low=0.98 if judged else None, note=f"q {q:.4f} m^2/s, H {head:.4f} m")
            axes.plot(table["time"], table["height"], color=colour, label=f"H/{n}, h/dp {h:g}")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("level upstream (m)")
    axes.legend()


CASES = (bore, jump, weir)

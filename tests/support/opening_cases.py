"""Small cases with openings, for tests: OPENING_CASES, {name: (config, keys changed)}. Water is
0.4 m deep and ten particles high, unless a case says otherwise."""

import os

from case_run import scratch

SPEED, DEPTH, LENGTH, DP = 0.5, 0.4, 1.2, 0.04
INLET = f'{{ name = "up"; kind = "inlet"; face = "x-"; velocity = {SPEED}; depth = {DEPTH}; }}'
OUTLET = f'{{ name = "down"; kind = "outlet"; face = "x+"; level = {DEPTH}; }}'
WATER = f'{{ shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [{LENGTH}, {DEPTH}]; }}'
FLOOR = '{ name = "floor"; shape = "walls"; sides = ["bottom"]; }'


def channel(*shapes, water=WATER, walls=FLOOR, openings=(INLET, OUTLET), speed=SPEED, more=""):
    """A channel in 2-D, with more shapes, other openings, and more entries of the config."""
    return f"""model = "wcsph"; dimension = 2; spacing = {DP}; gravity = [0.0, -9.81];
    domain = {{ min = [0.0, 0.0]; max = [{LENGTH}, 0.6]; }};
    kernel = {{ name = "wendland-c2"; h_over_dp = 1.5; }};
    fluid = {{ masses = "hydrostatic"; sound_speed = 30.0; viscosity = {{ alpha = 0.02; }};
              diffusion = {{ kind = "hydrostatic"; delta = 0.1; }}; }};
    boundary = {{ kind = "adami"; slip = "free"; }};
    geometry = ( {", ".join((water, walls, *shapes))} );
    initial = ( {{ field = "pressure"; kind = "hydrostatic"; }},
                {{ field = "velocity"; kind = "uniform"; value = [{speed}, 0.0]; }} );
    openings = ( {", ".join(openings)} ); {more}
    time = {{ end = 0.5; }}; energy = {{ every = 5; tolerance = 1.0; }};
    output = {{ every = 0.1; }}; backend = {{ precision = "double"; strategy = "window"; }};"""


def reversing(seconds=1.0):
    """The table of an opening whose velocity goes to 0.3 m/s, to -0.3 m/s and back to 0, each in
    `seconds` or two of them; nothing is left of it in sum."""
    path = os.path.join(scratch, f"reversing-{seconds:g}.csv")
    with open(path, "w") as file:
        file.write("t,velocity\n")
        for t, u in ((0, 0), (0.5, 0.3), (1.5, -0.3), (2, 0), (10, 0)):
            file.write(f"{t * seconds},{u}\n")
    return path


def over_depth():
    """The table of an inlet whose velocity grows over its height and in time."""
    path = os.path.join(scratch, "over-depth.csv")
    with open(path, "w") as file:
        file.write("t,height,velocity\n")
        for t in (0.0, 1.0):
            for height in (0.0, 0.2, 0.4):
                file.write(f"{t},{height},{(0.4 + 0.5 * height) * (1 + t)}\n")
    return path


TANK = '{ name = "tank"; shape = "walls"; sides = ["bottom", "right"]; }'
FAR_END = f'min = [{LENGTH - 2 * DP}, 0.0]; max = [{LENGTH}, 0.08];'
DROP = f'{{ shape = "box"; type = "fluid"; {FAR_END} }}'
POOL = f'{{ shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [{LENGTH}, 0.2]; }}'
SLANTED = (1.5, -0.75)  # velocity, m/s
SHEET = f'{{ shape = "box"; type = "fluid"; min = [0.6, 0.0]; max = [{LENGTH}, 0.12]; }}'
PROBES = f"""probes = (
    {{ name = "depth"; kind = "height"; at = [0.3]; every = 0.02; }},
    {{ name = "passes"; kind = "flux"; from = [0.6, 0.0]; to = [0.6, 0.6]; every = 0.02; }} );"""
# In 3-D, with a seam across; half as long.
ACROSS = f"""model = "wcsph"; dimension = 3; spacing = {DP}; gravity = [0.0, 0.0, -9.81];
    domain = {{ min = [0.0, 0.0, 0.0]; max = [0.8, 0.28, 0.32]; periodic = [false, true, false]; }};
    fluid = {{ masses = "hydrostatic"; sound_speed = 20.0; viscosity = {{ alpha = 0.02; }}; }};
    boundary = {{ kind = "adami"; slip = "free"; }};
    geometry = (
        {{ shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.8, 0.28, 0.2]; }},
        {{ name = "floor"; shape = "walls"; sides = ["z-"]; }} );
    initial = ( {{ field = "pressure"; kind = "hydrostatic"; }},
                {{ field = "velocity"; kind = "uniform"; value = [0.5, 0.0, 0.0]; }} );
    openings = ( {{ name = "up"; kind = "inlet"; face = "x-"; velocity = 0.5; depth = 0.2; }},
                 {{ name = "down"; kind = "outlet"; face = "x+"; level = 0.2; }} );
    time = {{ end = 0.3; }}; energy = {{ every = 5; tolerance = 1.0; }};
    output = {{ every = 0.1; }}; backend = {{ precision = "double"; strategy = "window"; }};"""

OPENING_CASES = {
    "adami": (channel(), {}),
    "mdbc": (channel(), {"boundary__kind": "mdbc"}),
    "absorbing": (channel(), {"openings__up__absorb": True, "openings__down__absorb": True}),
    "cylinder": (
        channel('{ name = "pier"; shape = "disc"; type = "wall"; fit = "surface"; '
                "centre = [0.6, 0.2]; radius = 0.08; }"), {}),
    "gate": (
        channel('{ name = "gate"; shape = "box"; type = "wall"; min = [0.56, 0.2]; '
                'max = [0.68, 0.56]; motion = "lift"; }',
                more='motions = ( { name = "lift"; kind = "linear"; velocity = [0.0, 0.2]; } );'),
        {}),
    "raft": (
        channel('{ name = "raft"; shape = "box"; type = "body"; min = [0.6, 0.32]; '
                "max = [0.84, 0.44]; }",
                more='bodies = ( { name = "raft"; density = 500.0; velocity = [0.5, 0.0]; } );'),
        {"time__end": 1.3, "output__bodies": 0.01}),
    "probes": (channel(more=PROBES), {}),
    "across": (ACROSS, {}),
    # All masses are alike, those of newcomers too, so pair loops read none.
    "lattice": (channel(), {"fluid__masses": "lattice"}),
    "heights": (
        channel(openings=(
            f'{{ name = "up"; kind = "inlet"; face = "x-"; depth = {DEPTH}; '
            f'file = "{over_depth()}"; }}', OUTLET)), {}),
    "slanted": (
        channel(water=POOL, walls='{ name = "tank"; shape = "walls"; '
                'sides = ["bottom", "left", "right"]; }', speed=0.0, openings=(
                    '{ name = "up"; kind = "inlet"; face = "x-"; from = [0.0, 0.36]; '
                    f'to = [0.0, 0.48]; direction = {list(SLANTED)}; '
                    f'velocity = {SLANTED[0]}; }}',)), {}),
    "fills": (
        channel(water=DROP, walls=TANK, speed=0.0, openings=(
            '{ name = "up"; kind = "inlet"; face = "x-"; discharge = 0.1; depth = 0.2; }',)),
        {"time__end": 2.0, "energy__reference": 100.0}),
    "turns": (
        channel(walls=TANK, speed=0.0, openings=(
            f'{{ name = "up"; kind = "open"; face = "x-"; file = "{reversing()}"; }}',)),
        {"time__end": 2.2}),
    "drains": (
        channel(walls='{ name = "tank"; shape = "walls"; sides = ["bottom", "left"]; }', speed=0.0,
                openings=('{ name = "down"; kind = "outlet"; face = "x+"; level = 0.08; }',)),
        {"time__end": 3.0}),
    # All of it leaves.
    "empties": (
        channel(water=SHEET, speed=2.0, openings=(
            '{ name = "down"; kind = "outlet"; face = "x+"; }',)),
        {"time__end": 0.8}),
}

"""Tests that results do not depend on the origin, the order of particles or the direction."""

import numpy as np

from validate.trial import case

STEPS = 200
COARSE = {"spacing": 0.05715 / 16, "time__max_steps": STEPS, "output__every": 0.01}


def state_of(run):
    """Every array of the last checkpoint's particles, in the order of the ids."""
    state = run.state(by_id=True)
    return {name: state[name] for name in state if name.startswith(("fluid/", "wall/"))}


def unlike(one, other, but=()):
    """How many arrays of two states are not the same to the bit."""
    names = [name for name in set(one) | set(other) if name.split("/")[1] not in but]
    return sum(
        name not in one or name not in other or one[name].tobytes() != other[name].tobytes()
        for name in names
    )


def test_shift(trial):
    """Frames moved by a million: only the frame indices may differ, also those in the places of the
    last sort."""
    for name, config, keys in (
        ("dam-break", "dam_break.cfg", COARSE),
        ("drop", "drop.cfg", {"spacing": 0.0625, "time__max_steps": STEPS}),
        ("melt", "lennard_jones.cfg", {"lattice__cells": [8, 8, 8], "time__max_steps": 20}),
    ):
        near = trial.run(f"{name}-near", config, "", **keys)
        shift = [1000000] * near.dimension
        far = trial.run(f"{name}-far", config, "", **keys, domain__frame_shift=shift)
        differing = unlike(state_of(near), state_of(far), but=("frame", "order"))
        note = f"{near.energy()['step'][-1]:.0f} steps, every bit of {len(state_of(near))} arrays"
        trial.check(f"{name}, frame_shift 1e6: arrays that differ", differing, 0, note=note)


def start_columns(run):
    """The first snapshot as columns of a start file."""
    s = run[0]
    columns = {"id": s.id, "type": s.type}
    for axis in range(run.dimension):
        columns["xyz"[axis]] = s.x[:, axis]
        columns["v" + "xyz"[axis]] = s.velocity[:, axis]
    return columns


def test_permutation(trial):
    """The same particles with their ids, in another order of the file."""
    columns = start_columns(trial.run("dam-break-near", "dam_break.cfg", "", **COARSE))
    mixed = np.random.default_rng(1).permutation(len(columns["id"]))
    shuffled = {name: np.asarray(values)[mixed] for name, values in columns.items()}
    states = [
        state_of(
            trial.run(
                f"order-{name}",
                "dam_break.cfg",
                "",
                **COARSE,
                particles=trial.write(name, start),
                geometry=(),
            )
        )
        for name, start in (("straight", columns), ("mixed", shuffled))
    ]
    note = f"{STEPS} steps, every bit of {len(states[0])} arrays"
    trial.check("permuted input, ids kept: arrays that differ", unlike(*states), 0, note=note)


BLOB = """model = "wcsph"; dimension = {dimension}; spacing = 0.0625;
domain = {{ min = {low}; max = {high}; }}; gravity = {gravity};
fluid = {{ density = 1000.0; sound_speed = 40.0;
          viscosity = {{ kind = "both"; alpha = 0.05; nu = 0.001; }}; }};
boundary = {{ slip = "no-slip"; }};
particles = "{particles}";
time = {{ end = 1.0; max_steps = 1; step = 1e-9; }};
energy = {{ every = 1; tolerance = 1e6; reference = 1.0; }};
output = {{ every = 0.0; }};
backend = {{ precision = "double"; }};
"""


def blob(dimension):
    """A disordered body of water in the corner of two walls: columns x, v [n, dimension], type."""
    rng = np.random.default_rng(2)
    cells = np.stack(np.meshgrid(*[np.arange(-3, 12)] * dimension, indexing="ij"), axis=-1)
    cells = cells.reshape(-1, dimension)
    wall = np.any(cells[:, :2] < 0, axis=1)
    keep = wall | np.all(cells < 8, axis=1)
    cells, wall = cells[keep], wall[keep]
    x = (cells + 0.5) * 0.0625
    x[~wall] += rng.uniform(-0.015, 0.015, (np.sum(~wall), dimension))
    v = np.where(wall[:, None], 0.0, rng.uniform(-1, 1, x.shape))
    density = np.where(wall, 1000.0, 1000.0 * (1 + rng.uniform(0, 0.01, len(x))))
    return x, v, wall.astype(int), density


def accelerations(trial, name, x, v, kind, density, gravity):
    dimension = x.shape[1]
    columns = {"id": np.arange(len(x)), "type": kind, "density": density}
    for axis in range(dimension):
        columns["xyz"[axis]] = x[:, axis]
        columns["v" + "xyz"[axis]] = v[:, axis]
    vector = lambda value: "[" + ", ".join(f"{c:.6f}" for c in value) + "]"  # noqa: E731
    text = BLOB.format(
        dimension=dimension,
        low=vector(x.min(axis=0) - 0.5),
        high=vector(x.max(axis=0) + 0.5),
        gravity=vector(gravity),
        particles=trial.write(name, columns),
    )
    return state_of(trial.run(name, text, ""))["fluid/acceleration"]


def test_rotation(trial):
    """The same body turned by 90 degrees about z: the accelerations turn with it."""
    for dimension in (2, 3):
        x, v, kind, density = blob(dimension)
        turn = np.eye(dimension)
        turn[:2, :2] = [[0, -1], [1, 0]]
        gravity = np.zeros(dimension)
        gravity[1] = -9.81
        name = f"turned-{dimension}d"
        straight = accelerations(trial, f"{name}-0", x, v, kind, density, gravity)
        turned = accelerations(
            trial, f"{name}-90", x @ turn.T, v @ turn.T, kind, density, turn @ gravity
        )
        size = np.max(np.abs(straight @ turn.T - turned)) / np.max(np.abs(straight))
        note = f"{len(straight)} particles, walls, both viscosities, double"
        trial.check(f"rotation by 90 degrees, {dimension}-D: largest difference of accelerations",
                    size, 1e-12, note=note)


def test_momentum(trial):
    """Without walls and forces: the sum of m v keeps its start's value."""
    for precision, gate in (("double", 1e-12), ("float", 1e-6)):
        run = trial.run(f"ellipse-{precision}", "elliptical_drop.cfg", "", spacing=0.0625,
                        backend__precision=precision)
        table = run.energy()
        momenta = [table[f"momentum_{axis}"] for axis in "xy"]
        drift = max(np.max(np.abs(series - series[0])) for series in momenta)
        mass = 1000 * table["particles"][0] * 0.0625**2
        size = drift / np.sqrt(2 * mass * table["kinetic"][0])
        trial.check(f"momentum of the elliptical drop, {precision}: drift over (2 m E)^(1/2)", size,
                    gate, note=f"{table['step'][-1]:.0f} steps")


@case("invariance", "Invariance: origin, order, direction, momentum", (1,), quick=(1,))
def invariance(trial):
    """Shifting all frames by a million, or reordering the rows of the start file, must change no
    bit of any array. A disordered body of water in a corner, turned by 90 degrees, must have the
    same accelerations to round-off. A free body must keep its momentum to round-off."""
    test_shift(trial)
    test_permutation(trial)
    test_rotation(trial)
    test_momentum(trial)


CASES = (invariance,)

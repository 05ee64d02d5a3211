"""Configs of tanks with bodies, in 2-D."""

from sluice.config import text_of

GRAVITY, RHO0 = 9.81, 1000.0
ROWS = "bodies"  # the key of `output`: seconds between rows of the bodies' tables


def body_shape(name, **shape):
    """An entry of the geometry: a part of a body, whose particles follow its true surface."""
    return {"name": name, "type": "body", "fit": "surface", **shape}


def box(name, low, high):
    """An entry of the geometry: a body that is a box along the axes, on the lattice."""
    return {"name": name, "shape": "box", "type": "body", "min": list(low), "max": list(high)}


def locked(*axes):
    """The value of `locked` for these degrees of freedom: x, y, z, rx, ry, rz."""
    return ", ".join(axes)


def tank(size, level, *bodies, sides=("left", "right", "bottom")):
    """The geometry: a tank of this size [x, y] from the origin, water up to a level, bodies."""
    water = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
             "max": [size[0], level]}
    return (water, {"name": "tank", "shape": "walls", "sides": list(sides)}, *bodies)


def config(title, spacing, size, geometry, bodies, end, every, rows, **groups):
    """The text of a config: water in a tank of this size, at rest, with the hydrostatic pressure.

    every, rows: seconds between snapshots, and between rows of the bodies' tables. groups: further
    groups, whose keys are added to those here."""
    parts = {
        "title": title,
        "model": "wcsph",
        "dimension": 2,
        "spacing": float(spacing),
        "domain": {"min": [0.0, 0.0], "max": [float(length) for length in size]},
        "gravity": [0.0, -GRAVITY],
        "fluid": {"density": RHO0, "masses": "hydrostatic"},
        "geometry": geometry,
        "bodies": tuple(bodies),
        "initial": ({"field": "pressure", "kind": "hydrostatic"},),
        "time": {"end": float(end)},
        "energy": {"every": 10},
        "output": {"every": float(every), ROWS: float(rows)},
    }
    for key, value in groups.items():
        parts[key] = {**parts.get(key, {}), **value} if isinstance(value, dict) else value
    return "".join(f"{key} = {text_of(value)};\n" for key, value in parts.items())


def gate_of(trial, n, size):
    """The gate at a resolution: of the finest one alone."""
    return size if n == max(trial.resolutions) else None

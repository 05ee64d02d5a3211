"""Configs of an ideal gas as text: for the runner, which takes a text of several lines."""

from sluice.config import text_of

EDGE = 4 ** (1 / 3)  # of the cubic cell of an fcc lattice, in spacings: four particles in a cell
WIDTH = 6  # fcc cells across a tube; its cross-section must hold two of the largest supports


def text(title, dimension, spacing, low, high, end, geometry, **keys):
    """A config of a gas in double, periodic on all axes unless `periodic` says otherwise. Keys are
    those of the config's top level; a dict adds to the group that is here."""
    groups = {
        "title": title,
        "model": "gas",
        "dimension": dimension,
        "spacing": float(spacing),
        "domain": {"min": floats(low), "max": floats(high),
                   "periodic": keys.pop("periodic", [True] * dimension)},
        "geometry": tuple(geometry),
        "time": {"end": float(end)},
        "energy": {"every": 1, "tolerance": 1.0},  # the cases judge the residual
        "output": {"every": float(end), "precision": "double"},
        "backend": {"precision": "double"},
    }
    for name, value in keys.items():
        old = groups.get(name)
        groups[name] = {**old, **value} if isinstance(old, dict) else value
    return "\n".join(f"{name} = {text_of(value)};" for name, value in groups.items()) + "\n"


def floats(vector):
    return [float(x) for x in vector]


def box(low, high, density, **keys):
    """A box of gas; keys: pressure or energy, velocity, lattice, spacing, name."""
    return {"name": "gas", "shape": "box", "type": "fluid", "min": floats(low), "max": floats(high),
            "density": float(density), **keys}


def ball(dimension, radius, density, **keys):
    """A disc or a sphere of gas about the origin."""
    return {"name": "gas", "shape": "disc" if dimension == 2 else "sphere", "type": "fluid",
            "centre": [0.0] * dimension, "radius": float(radius), "density": float(density), **keys}


def whole_cells(length, spacing, least=1):
    """The length nearest to `length` (m) that is a whole number of cells of an fcc lattice."""
    edge = EDGE * spacing
    return max(least, round(length / edge)) * edge


def tube(title, n, left, right, lengths, end, **keys):
    """A periodic tube along x with a face at x = 0. n: spacings per unit length on the dense side;
    left, right: (density, pressure, velocity along x) of its two gases; lengths: of both (m). All
    particles have the same mass. The two ends meet: there is a second face, which mirrors the first
    one in a tube at rest. Returns the config and the tube's ends along x."""
    densest = max(left[0], right[0])
    spacings = [(densest / side[0]) ** (1 / 3) / n for side in (left, right)]
    low, high = (sign * whole_cells(length, s)
                 for sign, length, s in zip((-1, 1), lengths, spacings))
    half = whole_cells(0, max(spacings), WIDTH) / 2
    gases = [
        box((x0, -half, -half), (x1, half, half), rho, name=name, lattice="fcc", pressure=float(p),
            velocity=[float(u), 0.0, 0.0])
        for name, x0, x1, (rho, p, u) in (("left", low, 0, left), ("right", 0, high, right))
    ]
    config = text(title, 3, 1 / n, (low, -half, -half), (high, half, half), end, gases, **keys)
    return config, (low, high)

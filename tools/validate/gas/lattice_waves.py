"""Speed of sound of the scheme itself on a lattice in 3-D, by its sums: the speed in a run without
an error in time. It is not that of the gas, since sums over a lattice with a fixed number of
neighbours miss a part of the integrals, however fine the lattice is."""

import numpy as np

from validate.gas.setups import EDGE
from validate.gas.sums import kernel

GAMMA = 5 / 3
SITES = {"cubic": [(0, 0, 0)], "fcc": [(0, 0, 0), (0.5, 0.5, 0), (0.5, 0, 0.5), (0, 0.5, 0.5)]}
CELL = {"cubic": 1.0, "fcc": EDGE}  # edge of a cell, in spacings
LAYERS = {"cubic": 1, "fcc": 2}  # layers of a cell along x
REACH = 3.0  # the largest support of a kernel, in h


def neighbours(lattice, reach):
    """Places of a site's neighbours within a reach, both in spacings; itself too."""
    count = int(reach / CELL[lattice]) + 2
    cells = np.stack(np.meshgrid(*[np.arange(-count, count + 1)] * 3, indexing="ij"), -1)
    places = CELL[lattice] * (cells.reshape(-1, 1, 3) + np.array(SITES[lattice])).reshape(-1, 3)
    return places[np.linalg.norm(places, axis=1) < reach]


def slope(name, q, step=1e-6):
    """dW/dq, by differences, at q > 0."""
    return (kernel(name, 3, q + step) - kernel(name, 3, q - step)) / (2 * step)


def smoothing_lengths(name, eta, r, mass):
    """h, rho and Omega of layers [n] with distances [n, k] to their neighbours, by Newton's steps:
    Omega = 1 + h/(3 rho) d rho/dh."""
    h = np.full(len(r), eta * mass ** (1 / 3))
    for _ in range(50):
        q = r / h[:, None]
        rho = mass * np.sum(kernel(name, 3, q), axis=1) / h**3
        turn = np.where(q > 0, q * slope(name, np.maximum(q, 1e-3)), 0)
        change = -3 * rho / h - mass * np.sum(turn, axis=1) / h**4
        step = (rho * h**3 - mass * eta**3) / (change * h**3 + 3 * rho * h**2)
        h = h - step
        if np.max(np.abs(step / h)) < 1e-14:
            break
    return h, rho, 1 + h / (3 * rho) * change


def speed(lattice, name, eta, cells):
    """Speed of a standing wave along x that is `cells` cells long, over the exact speed: from the
    acceleration of the layers that the wave displaces a little (Springel & Hernquist 2002, equation
    13, without dissipation)."""
    count = cells * LAYERS[lattice]
    spacing = 1 / (cells * CELL[lattice])
    mass = spacing**3
    places = neighbours(lattice, 1.1 * REACH * eta) * spacing
    other = np.arange(count)[:, None] + np.rint(places[:, 0] * count).astype(int)
    other %= count
    displaced = 1e-6 * spacing * np.sin(2 * np.pi * np.arange(count) / count)
    along = places[None, :, 0] + displaced[other] - displaced[:, None]
    r = np.sqrt(along**2 + np.sum(places[None, :, 1:] ** 2, axis=2))
    h, rho, omega = smoothing_lengths(name, eta, r, mass)
    tension = rho ** (GAMMA - 2) / omega  # P/(Omega rho^2), P = rho^gamma
    apart = r > 0.1 * spacing
    far = np.where(apart, r, spacing)

    def gradient(lengths):
        return np.where(apart, slope(name, far / lengths) / lengths**4 / far, 0)

    force = tension[:, None] * gradient(h[:, None]) + tension[other] * gradient(h[other])
    acceleration = mass * np.sum(force * along, axis=1)
    squared = -np.sum(acceleration * displaced) / np.sum(displaced**2)
    sound = np.sqrt(GAMMA * np.mean(rho) ** (GAMMA - 1))
    return float(np.sqrt(squared) / (2 * np.pi * sound))

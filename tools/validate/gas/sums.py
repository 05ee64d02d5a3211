"""Density and smoothing length of a gas against brute force."""

import math

import numpy as np

from validate.gas import setups
from validate.gas.profiles import gases
from validate.trial import case

ETA = 1.5
CHECKED = 500
END = 0.05  # s: some steps
GATES = {"double": 1e-12, "float": 1e-5}
KERNELS = ("wendland-c2", "wendland-c4", "cubic-spline", "quintic-spline")


def kernel(name, dimension, q):
    """W h^D at q = r/h."""
    if name == "wendland-c2":
        norm = {2: 7 / (4 * math.pi), 3: 21 / (16 * math.pi)}[dimension]
        return norm * np.maximum(1 - q / 2, 0) ** 4 * (1 + 2 * q)
    if name == "wendland-c4":
        norm = {2: 9 / (4 * math.pi), 3: 495 / (256 * math.pi)}[dimension]
        return norm * np.maximum(1 - q / 2, 0) ** 6 * (1 + 3 * q + 35 / 12 * q * q)
    if name == "cubic-spline":
        norm = {2: 10 / (7 * math.pi), 3: 1 / math.pi}[dimension]
        return norm * (np.maximum(2 - q, 0) ** 3 / 4 - np.maximum(1 - q, 0) ** 3)
    norm = {2: 7 / (478 * math.pi), 3: 1 / (120 * math.pi)}[dimension]
    return norm * (np.maximum(3 - q, 0) ** 5 - 6 * np.maximum(2 - q, 0) ** 5
                   + 15 * np.maximum(1 - q, 0) ** 5)


def density(gas, name, i, period):
    """sum_j m_j W(r_ij, h_i) of particle i over all particles; period: of all axes (m)."""
    apart = gas.x - gas.x[i]
    apart -= period * np.rint(apart / period)
    q = np.linalg.norm(apart, axis=1) / gas.h[i]
    return math.fsum(gas.m * kernel(name, len(gas.x[i]), q)) / gas.h[i] ** len(gas.x[i])


def misses(gas, name, period=1.0, eta=ETA):
    """Largest relative errors of the density that belongs to a particle's h, and of rho h^D = m
    eta^D; the sums are those of CHECKED particles, spread over all."""
    dimension = gas.x.shape[1]
    some = range(0, len(gas.m), max(1, len(gas.m) // CHECKED))
    off = [gas.rho[i] / density(gas, name, i, period) - 1 for i in some]
    volume = gas.rho * gas.h**dimension / (gas.m * eta**dimension)
    return float(np.max(np.abs(off))), float(np.max(np.abs(volume - 1)))


def random_start(trial, dimension, n):
    """The start file of n^D random points of a periodic unit box; masses vary by a factor of 2."""
    generator = np.random.default_rng(n)
    count = n**dimension
    columns = {name: generator.random(count) for name in "xyz"[:dimension]}
    columns["mass"] = (0.5 + generator.random(count)) / count
    columns["density"] = np.ones(count)  # where the search for h begins
    columns["energy"] = np.ones(count)
    return trial.write(f"random-{dimension}d-{n}", columns)


def lattice_start(dimension):
    """Keys of the config: a lattice of two densities in a periodic unit box."""
    low, high = [0.0] * dimension, [1.0] * dimension
    return {"geometry": [setups.box(low, high, 1.0, energy=1.0, name="thin"),
                         setups.box(low, [0.5] + high[1:], 4.0, energy=1.0, name="dense")]}


def starts(trial, dimension, n):
    """{name: keys of the config}: a lattice of two densities, and random points."""
    return {"lattice": lattice_start(dimension),
            "random": {"geometry": (), "particles": random_start(trial, dimension, n)}}


@case("gas-density", "Gas: density and smoothing length by brute force", (16,))
def by_brute_force(trial):
    """Density and smoothing length at the start and after some steps, on lattices of two densities
    and on random points of random masses, in periodic boxes, with h to 1e-13. Resolutions: n of n^3
    particles, in 2-D as many. The densities of about 500 particles are compared with the sum of m
    W(r/h) over all particles, in double; each h with rho h^D = m eta^D. Both may be off by 1e-12 in
    double, and by 1e-5 in float."""
    for n in trial.resolutions:
        for dimension in (2, 3):
            size = n if dimension == 3 else int(n**1.5)  # as many particles
            for start, keys in starts(trial, dimension, size).items():
                for name in KERNELS:
                    for precision in ("double", "float"):
                        compare(trial, dimension, size, start, keys, name, precision)


def compare(trial, dimension, n, start, keys, name, precision):
    zero, one = [0.0] * dimension, [1.0] * dimension
    keys = dict(keys)
    config = setups.text("Density", dimension, 1 / n, zero, one, END, keys.pop("geometry"),
                         kernel={"name": name, "h_over_dp": ETA}, gas={"tolerance": 1e-13},
                         backend={"precision": precision}, **keys)
    run = trial.run(f"{dimension}d-{start}-{name}-{precision}", config, "")
    worst = np.max([misses(gas, name) for gas in gases(run)], axis=0)
    for what, value in zip(("density", "rho h^D"), worst):
        trial.check(f"{dimension}-D, {start}, {name}, {precision}: {what}, largest relative error",
                    value, GATES[precision])


CASES = (by_brute_force,)

"""The fraction of water on a grid, from particles.

The fraction at a place is the sum of the particles' volumes V = m/rho0 times a Gaussian of width
WIDTH dp. Within water it is 1, far from it 0, and 1/2 on a flat surface, half a spacing outside the
outermost particles: there it bounds the volume of the particles below. Drops and sheets of few
particles would be lost, for a particle on its own makes a peak of only 0.12. So a particle at whose
place the fraction is less than a least one counts for more, by the factor least/fraction. That is
0.6, or less where water full of spray and bubbles would become too large, down to 0.52: then it is
the one with the particles' volume. Flat surfaces stay where they are, for at their particles
it is 0.73.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

WIDTH = 0.8  # of the Gaussian, in dp
LEAST = (0.52, 0.6)  # of the fraction at the place of a particle
MANY = 1000  # particles of a group whose least fraction may be below the highest
CELLS = 2  # a spacing
# Spreading a particle over the 8 nearest grid points widens it by 1/6 of a squared cell.
SIGMA = np.sqrt((WIDTH * CELLS) ** 2 - 1 / 6)  # of the filter, in cells
REACH = int(4 * SIGMA + 0.5)  # of the filter, in cells
HALO = REACH + 2  # cells from a particle to where its fraction is 0
TILE = 64  # cells: the filter works tile by tile, and leaves out those without water
SLAB = 4_000_000  # cells: particles are spread over so many at once
SLOPE = 1 / (CELLS * WIDTH * np.sqrt(2 * np.pi))  # of the fraction on a flat surface, a cell
BYTES = 20  # of memory for a grid point, about: three fractions, labels, and the library's copy


class TooLarge(Exception):
    """A grid does not fit into memory. The text has the numbers and the remedy."""


@dataclass
class Grid:
    """fraction [nx, ny, nz] at the places origin + cell (i, j, k), m."""

    origin: np.ndarray
    cell: float
    fraction: np.ndarray


def groups(x, width):
    """The number of the group of each particle: those of two groups are more than `width` apart.

    Blocks of edge `width` that touch belong together, so that what flies far from the rest of the
    water gets a grid of its own, and no grid covers the empty space between."""
    low = x.min(0)
    block = np.floor((x - low) / width).astype(np.int64)
    blocks, of = np.unique(block, axis=0, return_inverse=True)
    of = of.reshape(-1)
    if len(blocks) == 1:
        return np.zeros(len(x), dtype=int)
    for axis in range(3):  # gaps become one block wide, so that keys stay small at any distance
        kinds, at = np.unique(blocks[:, axis], return_inverse=True)
        blocks[:, axis] = np.append(0, np.cumsum(np.minimum(np.diff(kinds), 2)))[at.reshape(-1)]
    extent = blocks.max(0) + 3  # keys of neighbours do not wrap around
    key = ((blocks[:, 0] + 1) * extent[1] + blocks[:, 1] + 1) * extent[2] + blocks[:, 2] + 1
    pairs = []
    for i in (0, 1):
        for j in (-1, 0, 1):
            for k in (-1, 0, 1):
                step = (i * extent[1] + j) * extent[2] + k
                if step > 0:
                    at = np.minimum(np.searchsorted(key, key + step), len(key) - 1)
                    there = np.flatnonzero(key[at] == key + step)
                    pairs.append(np.stack([there, at[there]]))
    a, b = np.concatenate(pairs, axis=1)
    graph = coo_matrix((np.ones(len(a), dtype=bool), (a, b)), shape=(len(blocks),) * 2)
    return connected_components(graph, directed=False)[1][of]


def spread(place, weight, shape):
    """Weights of particles at `place` (in cells) on the 8 grid points around each, [shape]."""
    out = np.zeros(shape, dtype=np.float32)
    order = np.argsort(place[:, 0], kind="stable")
    place, weight = place[order], weight[order]
    low = np.floor(place).astype(np.int64)
    part = place - low
    planes = max(1, SLAB // (shape[1] * shape[2]))
    for first in range(0, shape[0], planes):
        last = min(first + planes, shape[0])
        # A particle reaches the planes low and low + 1.
        begin, end = np.searchsorted(low[:, 0], [first - 1, last])
        if begin == end:
            continue
        size = (last - first + 2) * shape[1] * shape[2]  # one more plane on each side
        slab = np.zeros(size)
        base = ((low[begin:end, 0] - first + 1) * shape[1] + low[begin:end, 1]) * shape[2]
        base += low[begin:end, 2]
        for corner in np.ndindex(2, 2, 2):
            fraction = weight[begin:end].copy()
            for axis in range(3):
                along = part[begin:end, axis]
                fraction *= along if corner[axis] else 1 - along
            step = (corner[0] * shape[1] + corner[1]) * shape[2] + corner[2]
            slab += np.bincount(base + step, fraction, minlength=size)
        out[first:last] = slab.reshape(-1, shape[1], shape[2])[1:-1]
    return out


def add_smoothed(out, raw, threads):
    """Adds the Gaussian filter of `raw` to `out`, tile by tile."""

    def smooth(tile):
        low = [TILE * t for t in tile]
        high = [min(a + TILE, n) for a, n in zip(low, raw.shape)]
        wide = [(max(a - REACH, 0), min(b + REACH, n)) for a, b, n in zip(low, high, raw.shape)]
        part = raw[tuple(slice(*ends) for ends in wide)]
        if not part.any():
            return
        part = ndimage.gaussian_filter(part, SIGMA, truncate=REACH / SIGMA, mode="constant")
        inner = tuple(slice(a - w[0], b - w[0]) for a, b, w in zip(low, high, wide))
        out[tuple(slice(a, b) for a, b in zip(low, high))] += part[inner]

    tiles = list(np.ndindex(*[-(-n // TILE) for n in raw.shape]))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(smooth, tiles))


def free_memory():
    """Bytes that programs may still use; without an answer of the system, endless."""
    try:
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":") for line in file)
        return 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return float("inf")


def check_memory(shape, particles):
    need, free = BYTES * int(np.prod(shape, dtype=np.int64)), free_memory()
    if need > free:
        size = " x ".join(str(n) for n in shape)
        raise TooLarge(
            f"the grid of a group of {particles} particles has {size} points, and needs about"
            f" {need / 1e9:.1f} GB of memory, of which {free / 1e9:.1f} GB are free: use fewer"
            " --threads (one snapshot at a time needs least), or a machine with more memory"
        )


def volume_above_half(grid):
    """About the volume in which a fraction exceeds 1/2, m^3. A point near the surface counts in
    part: over a cell a flat surface's fraction falls by SLOPE."""
    parts = (np.clip((plane - 0.5) / SLOPE + 0.5, 0, 1).sum(dtype=float) for plane in grid.fraction)
    return sum(parts) * grid.cell**3


def strengthened(base, place, weight, least, threads):
    """The Grid with the particles below the fraction `least` raised to it, each by itself."""
    here = ndimage.map_coordinates(base.fraction, place.T, order=1)
    short = here < least
    if not short.any():
        return base
    grid = Grid(base.origin, base.cell, base.fraction.copy())
    more = weight[short] * (least / here[short] - 1)
    add_smoothed(grid.fraction, spread(place[short], more, base.fraction.shape), threads)
    return grid


def fraction_of(x, volume, spacing, threads=1):
    """The Grid of the particles at x [n, 3], m, with the volumes [n], m^3."""
    cell = spacing / CELLS
    origin = x.min(0) - (HALO + 1) * cell
    place = (x - origin) / cell
    shape = tuple(int(n) + HALO + 3 for n in np.ceil(place.max(0)))
    check_memory(shape, len(x))
    weight = volume / cell**3
    base = Grid(origin, cell, np.zeros(shape, dtype=np.float32))
    add_smoothed(base.fraction, spread(place, weight, shape), threads)
    low, high = LEAST
    grid, wanted = strengthened(base, place, weight, high, threads), volume.sum()
    most = volume_above_half(grid)
    if len(x) < MANY or most <= wanted:
        return grid
    grid = strengthened(base, place, weight, low, threads)
    fewest = volume_above_half(grid)
    if fewest >= wanted:
        return grid
    between = low + (high - low) * (wanted - fewest) / (most - fewest)
    return strengthened(base, place, weight, between, threads)


def grids(x, volume, spacing, threads=1):
    """(particles, Grid) of each group of particles, one after the other."""
    group = groups(x, 2 * (HALO + 1) * spacing / CELLS)
    order = np.argsort(group, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        yield own, fraction_of(x[own], volume[own], spacing, threads)

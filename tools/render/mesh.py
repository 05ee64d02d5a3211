"""Triangles: of walls from their particles on the lattice, their sections, and the pixels that they
cover."""

import numpy as np

BIG = 4000  # pixels of a triangle's bounding box that is drawn on its own
ROUNDING = 1e-6  # of a surface's largest coordinate: well above errors of floats
CHUNK = 2_000_000  # pixels that are tested at once
SIDES = ((0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1))  # axis, direction


def lattice_cells(x, spacing, origin):
    """The cells [n, 3] of particles at (i + 1/2) spacing from the origin; None: they are not there.
    """
    at = (x - origin) / spacing - 0.5
    cells = np.round(at).astype(np.int64)
    return cells if len(x) and np.percentile(np.abs(at - cells).max(axis=1), 99) < 0.02 else None


def cell_faces(cells, spacing, origin):
    """Triangles [m, 3, 3] (m) around cells: the faces that no two of them share."""
    low = cells.min(axis=0) - 1
    extent = cells.max(axis=0) - low + 2
    weights = np.array([extent[1] * extent[2], extent[2], 1])
    key = (cells - low) @ weights
    triangles = []
    for axis, way in SIDES:
        bare = cells[~np.isin(key + way * weights[axis], key)]
        corner = origin + spacing * bare
        corner[:, axis] += spacing * (way > 0)
        a, b = np.zeros(3), np.zeros(3)
        a[(axis + 1) % 3], b[(axis + 2) % 3] = spacing, spacing
        if way < 0:
            a, b = b, a
        square = np.stack([corner, corner + a, corner + a + b, corner + b], axis=1)
        triangles += [square[:, [0, 1, 2]], square[:, [0, 2, 3]]]
    return np.concatenate(triangles)


def revolved(profile, axis, centre, count=96):
    """Triangles [m, 3, 3] (m) of the surface of revolution about an axis (0 is x) through a centre
    [3]. profile [k, 2]: radius and height (m) from its lower end to its upper one."""
    radius, height = np.asarray(profile, float).T
    angle = np.arange(count + 1) * (2 * np.pi / count)
    angle[-1] = 0.0  # the seam's corners are the same numbers
    points = np.empty((len(radius), count + 1, 3))
    points[..., (axis + 1) % 3] = centre[(axis + 1) % 3] + radius[:, None] * np.cos(angle)
    points[..., (axis + 2) % 3] = centre[(axis + 2) % 3] + radius[:, None] * np.sin(angle)
    points[..., axis] = centre[axis] + height[:, None]
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    found = np.concatenate([np.stack(corners, axis=2).reshape(-1, 3, 3)
                            for corners in ((a, b, c), (a, c, d))])  # fmt: skip
    sides = found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]
    return found[np.linalg.norm(np.cross(*sides), axis=1) > 0]


def outline(points, corners):
    """The segments [k, 2, 3] around triangles in a plane, by their corners' numbers [m, 3]: their
    edges that no two share."""
    ends = np.concatenate([corners[:, [i, (i + 1) % 3]] for i in range(3)])
    _, where, count = np.unique(np.sort(ends, axis=1), axis=0, return_index=True,
                                return_counts=True)  # fmt: skip
    return points[ends[where[count == 1]]]


def places_on(faces, count):
    """`count` places [count, 3], evenly spread over segments or triangles [m, 2 or 3, 3]."""
    sides = faces[:, 1] - faces[:, 0], faces[:, -1] - faces[:, 0]
    across = np.cross(*sides) if faces.shape[1] == 3 else sides[0]
    size = np.cumsum(np.linalg.norm(across, axis=1))
    number = np.arange(count)
    which = np.searchsorted(size, (number + 0.5) / count * size[-1])
    u, v = (number * 0.7548776662 % 1)[:, None], (number * 0.5698402910 % 1)[:, None]
    if faces.shape[1] == 2:
        return faces[which, 0] + u * sides[0][which]
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    return faces[which, 0] + u * sides[0][which] + v * sides[1][which]


def face_normals(triangles):
    """Unit normals [m, 3]; 0 of triangles without area."""
    n = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(n, axis=1, keepdims=True)
    return np.divide(n, length, out=np.zeros_like(n), where=length > 0)


def section(triangles, axis, place):
    """The segments [m, 2, 3] (m) in which triangles [n, 3, 3] cross a plane. Those of a closed
    surface are closed curves, all in the same sense around its inside.

    A plane may lie in faces, as between the cells of a lattice. A corner that two triangles share
    is then on the same side for both, whatever its rounding errors: distances are rounded."""
    off = triangles[..., axis] - place
    grain = ROUNDING * np.abs(triangles).max(initial=0.0) or 1.0
    off = np.round(off / grain) * grain
    above = off >= 0
    crossed = np.flatnonzero(above.any(axis=1) & ~above.all(axis=1))
    lone_above = above[crossed].sum(axis=1) == 1
    lone = np.argmax(above[crossed] == lone_above[:, None], axis=1)  # the corner on its own side
    ends = []
    for other in (1, 2):
        pair = np.stack([lone, (lone + other) % 3], axis=1)
        pair[~lone_above] = pair[~lone_above, ::-1]  # from above: the same numbers for neighbours
        a, b = (triangles[crossed, pair[:, k]] for k in (0, 1))
        a_off, b_off = (off[crossed, pair[:, k]][:, None] for k in (0, 1))
        ends.append(a + (b - a) * (a_off / (a_off - b_off)))
    found = np.stack(ends, axis=1)
    found[~lone_above] = found[~lone_above, ::-1]
    return found


def filled(u, v, size):
    """Which pixels [rows, columns] closed curves surround, given by their segments u, v [m, 2] in
    pixels: where the winding number is not 0."""
    columns, rows = size
    turns = np.zeros((rows, columns + 1), dtype=np.int32)
    ends = np.clip(np.ceil(np.sort(v, axis=1) - 0.5), 0, rows).astype(np.int64)
    count = ends[:, 1] - ends[:, 0]
    which = np.repeat(np.arange(len(u)), count)
    row = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + ends[which, 0]
    share = (row + 0.5 - v[which, 0]) / (v[which, 1] - v[which, 0])
    place = u[which, 0] + share * (u[which, 1] - u[which, 0])
    column = np.clip(np.ceil(place - 0.5), 0, columns).astype(np.int64)
    np.add.at(turns, (row, column), np.where(v[which, 1] > v[which, 0], 1, -1))
    return np.cumsum(turns, axis=1)[:, :-1] != 0


def rigid_move(before, after):
    """The rotation R and shift t with after = before R^T + t, least squares (Kabsch 1976)."""
    a, b = before.mean(axis=0), after.mean(axis=0)
    u, _, v = np.linalg.svd((before - a).T @ (after - b))
    u[:, -1] *= np.sign(np.linalg.det(u @ v))
    turn = (u @ v).T
    return turn, b - turn @ a


def rasterize(u, v, depth, size, farthest=False):
    """The triangle [rows, columns] that each pixel shows, -1: none, and its depth (inf: none).

    u, v, depth [m, 3]: the corners in pixels. farthest: the farthest one wins, not the nearest."""
    columns, rows = size
    best = np.full(rows * columns, np.inf, dtype=np.float32)
    won = np.full(rows * columns, -1, dtype=np.int32)
    sign = -1.0 if farthest else 1.0
    area = (u[:, 1] - u[:, 0]) * (v[:, 2] - v[:, 0]) - (u[:, 2] - u[:, 0]) * (v[:, 1] - v[:, 0])
    i0 = np.clip(np.floor(u.min(axis=1)), 0, columns).astype(np.int64)
    i1 = np.clip(np.ceil(u.max(axis=1)), 0, columns).astype(np.int64)
    j0 = np.clip(np.floor(v.min(axis=1)), 0, rows).astype(np.int64)
    j1 = np.clip(np.ceil(v.max(axis=1)), 0, rows).astype(np.int64)
    count = (i1 - i0) * (j1 - j0)
    used = np.flatnonzero((count > 0) & (np.abs(area) > 1e-9))
    for number in used[count[used] > BIG]:
        place = slice(j0[number], j1[number]), slice(i0[number], i1[number])
        x, y = np.arange(i0[number], i1[number]) + 0.5, np.arange(j0[number], j1[number]) + 0.5
        z = depth_inside(u[number], v[number], depth[number], area[number], x, y[:, None])
        z *= sign
        here = best.reshape(rows, columns)[place]
        with np.errstate(invalid="ignore"):
            better = z < here
        here[better] = z[better]
        won.reshape(rows, columns)[place][better] = number
    used = used[count[used] <= BIG]
    ends = np.cumsum(count[used])
    part = ends // CHUNK
    chunks = np.split(used, np.flatnonzero(np.diff(part)) + 1) if len(used) else []
    for chunk in chunks:
        number = np.repeat(chunk, count[chunk])
        inner = np.arange(len(number)) - np.repeat(
            np.cumsum(count[chunk]) - count[chunk], count[chunk]
        )
        width = (i1 - i0)[number]
        i, j = i0[number] + inner % width, j0[number] + inner // width
        z = depth_inside(u[number], v[number], depth[number], area[number], i + 0.5, j + 0.5)
        inside = np.flatnonzero(np.isfinite(z))
        z, number, pixel = sign * z[inside], number[inside], (j * columns + i)[inside]
        better = np.flatnonzero(z < best[pixel])
        better = better[np.argsort(-z[better], kind="stable")]
        best[pixel[better]] = z[better]  # the last, the nearest one, stays
        won[pixel[better]] = number[better]
    best *= np.float32(sign)
    best[won < 0] = np.inf
    return won.reshape(rows, columns), best.reshape(rows, columns)


def depth_inside(u, v, depth, area, x, y):
    """The depth of triangles at points, NaN outside. Edges count as inside."""
    z, inside = 0.0, True
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        ub, uc, vb, vc = u[..., b], u[..., c], v[..., b], v[..., c]
        share = ((uc - ub) * (y - vb) - (vc - vb) * (x - ub)) / area
        inside = inside & (share >= -1e-6)
        z = z + share * depth[..., a]
    z[~inside] = np.nan
    return z

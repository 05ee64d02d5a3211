"""The solids of a report's viewer: walls and bodies with their surfaces, and where they are."""

import numpy as np

from plot.modules import AskedError
from render import mesh, scene

CREASE = np.cos(np.radians(30.0))  # edges that are sharper stay edges; others are rounded
OPACITY = {scene.TANK: 0.18, scene.OBSTACLE: 1.0, scene.BODY: 1.0}
COLOUR = {scene.TANK: "#8a8f94", scene.OBSTACLE: "#9a9a9a", scene.BODY: "#e68c1a"}
ROUNDING = 1e-6  # of the largest coordinate: points nearer than this are one
DOTS = 20_000  # particles that draw a solid without a surface, at most


def welded(triangles):
    """(points [n, 3], corners [m, 3]) of triangles [m, 3, 3]: equal corners are one point."""
    points, corners = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    corners = corners.reshape(-1, 3)
    edges = [corners[:, i] != corners[:, (i + 1) % 3] for i in range(3)]
    return points, corners[np.all(edges, axis=0)]


def creased(points, corners):
    """The same with a point of its own for each side of a sharp edge, so that a viewer that takes
    a mean normal at each point shows faces flat and round things round."""
    normal = mesh.face_normals(points[corners])
    face = np.repeat(np.arange(len(corners)), 3)
    order = np.argsort(corners.ravel(), kind="stable")
    vertex, face = corners.ravel()[order], face[order]
    first = np.searchsorted(vertex, np.arange(len(points) + 1))
    count = np.diff(first)[vertex]
    a = np.repeat(np.arange(len(vertex)), count)  # each pair of corners at a point
    b = np.arange(len(a)) - np.repeat(np.cumsum(count) - count, count) + first[vertex[a]]
    near = (normal[face[a]] * normal[face[b]]).sum(axis=1) > CREASE
    smooth = np.zeros((len(vertex), 3))
    for axis in range(3):
        smooth[:, axis] = np.bincount(a[near], normal[face[b[near]], axis], len(vertex))
    key = np.column_stack([vertex, np.round(smooth, 3)])
    kinds, number = np.unique(key, axis=0, return_inverse=True)
    out = np.empty(len(vertex), dtype=np.int64)
    out[order] = number.ravel()
    return points[kinds[:, 0].astype(np.int64)], out.reshape(-1, 3)


def loops_of(segments):
    """The lines [k, 2] that segments [m, 2, 2] make end to end. Points on a straight line are left
    out."""
    grain = ROUNDING * max(float(np.abs(segments).max(initial=0.0)), 1e-30)
    _, number = np.unique(np.round(segments.reshape(-1, 2) / grain), axis=0, return_inverse=True)
    following = {}
    for row, (a, b) in enumerate(number.reshape(-1, 2)):
        if a != b:
            following.setdefault(int(a), []).append((int(b), row))
    loops = []
    while following:
        at, rows = next(iter(following)), []
        while at in following:
            others = following[at]
            step, row = others.pop()
            if not others:
                del following[at]
            rows.append(row)
            at = step
        loop = np.concatenate([segments[rows, 0], segments[rows[-1:], 1]])
        loops.append(loop[is_corner(loop)])
    return loops


def is_corner(line):
    """Which points of a line [k, 2] are its ends, or turn it."""
    step = np.diff(line, axis=0)
    turn = step[:-1, 0] * step[1:, 1] - step[:-1, 1] * step[1:, 0]
    size = np.linalg.norm(step[:-1], axis=1) * np.linalg.norm(step[1:], axis=1)
    ahead = (step[:-1] * step[1:]).sum(axis=1) > 0
    return np.concatenate([[True], ~(ahead & (np.abs(turn) <= 1e-4 * size)), [True]])


def parts_of(surfaces):
    """{body's name: (points [n, 3], corners [m, 3])} of a file of bodies' surfaces."""
    points, triangles = surfaces.points.astype(float), surfaces.triangles
    found = {}
    for number, name in enumerate(surfaces.names):
        own = triangles[surfaces.body == number]
        rows, corners = np.unique(own, return_inverse=True)
        found[name] = points[rows], corners.reshape(-1, 3)
    return found


class Solid:
    """points [n, 3] (m) at the first snapshot; corners [m, 3] of its triangles, or None: it is
    drawn by its particles. moves: [(turn [3, 3], shift [3])] of each snapshot, or None."""

    def __init__(self, name, kind, points, corners, is_faces=False):
        self.name, self.kind, self.points, self.corners = name, kind, points, corners
        self.is_faces, self.moves = is_faces, None


def solids_of(run, snapshots, what):
    """The Solids of a scene (scene.make_scene) in some snapshots."""
    found = []
    for solid in what.solids:
        if solid.triangles is None:
            one = Solid(solid.name, solid.kind, solid.start, None)
        else:
            one = Solid(solid.name, solid.kind, *welded(np.asarray(solid.triangles, float)),
                        solid.is_faces)  # fmt: skip
        if solid.moves:
            places = [scene.places_of(solid, snapshot) for snapshot in snapshots]
            if any(len(x) != len(solid.start) for x in places):
                raise AskedError(f"{run.path}: the particles of '{solid.name}' are not the same in"
                                 " all snapshots: give --hide with its name")  # fmt: skip
            one.moves = [mesh.rigid_move(solid.start, x) for x in places]
        found.append(one)
    return found + bodies_of(snapshots, what)


def bodies_of(snapshots, what):
    """The bodies whose surfaces the run wrote."""
    if not what.bodies:
        return []
    files = [snapshot.body_surfaces for snapshot in snapshots]
    places = [parts_of(file) if file else {} for file in files]
    found = []
    for name, (points, corners) in next((parts for parts in places if parts), {}).items():
        one = Solid(name, scene.BODY, *welded(points[corners]))
        one.moves = [mesh.rigid_move(points, parts[name][0]) if name in parts else None
                     for parts in places]  # fmt: skip
        found.append(one)
    return found


def entry_of(solid, block, grid, is_flat):
    """The solid as the viewer reads it. grid: (low, step) of whole numbers of 16 bits."""
    entry = {"name": solid.name, "kind": solid.kind, "colour": COLOUR[solid.kind],
             "opacity": OPACITY[solid.kind]}  # fmt: skip
    entry["moves"] = None if solid.moves is None else [
        None if move is None else [round(float(n), 9) for part in move for n in np.ravel(part)]
        for move in solid.moves
    ]  # fmt: skip
    if solid.corners is None:
        step = max(len(solid.points) // DOTS, 1)
        entry["dots"] = block.add(grid.whole(solid.points[::step]), "d2")
    elif is_flat:
        if np.ptp(solid.points[:, 2]) > 0:  # cells of a lattice, a spacing thick
            segments = mesh.section(solid.points[solid.corners], 2, 0.0)[..., :2]
        else:
            segments = mesh.outline(solid.points, solid.corners)[..., :2]
        loops = loops_of(segments)
        entry["loops"] = [block.add(grid.whole(np.column_stack([loop, 0 * loop[:, 0]])), "d2")
                          for loop in loops]  # fmt: skip
    else:
        points, corners = creased(solid.points, solid.corners)
        entry["points"] = block.add(grid.whole(points), "d2")
        entry["corners"] = block.add(corners, "d4")
    return entry

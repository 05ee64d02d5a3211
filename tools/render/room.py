"""The space between the domain's walls, and the pixels whose line of sight misses it."""

import numpy as np

from render import mesh, scene

LEVEL = 1e-6  # cosine of a wall that is seen edge on


def walls_of(what, snapshot):
    """Normals [k, 3] into the space between the walls, and places [k, 3] (m) on them, for all walls
    but a ceiling: a ceiling is drawn at the top of the frame."""
    normals, places = [np.empty((0, 3))], [np.empty((0, 3))]
    for solid in what.solids:
        if solid.is_faces and solid.triangles is not None:
            triangles = scene.moved_triangles(solid, snapshot)[::2]  # of two in a face
            normal = mesh.face_normals(triangles)
            used = normal[:, 2] > -0.5
            normals.append(normal[used])
            places.append(triangles[used, 0])
    return np.concatenate(normals), np.concatenate(places)


def holds(walls, x):
    """Which places x [n, 3] (m) are between the walls."""
    inside = np.ones(len(x), dtype=bool)
    for normal, place in zip(*walls):
        inside &= (x - place) @ normal >= 0
    return inside


def missed(walls, view, corner, size):
    """Which pixels [rows, columns] of a part of the view look past the space between the walls.
    corner: the part's first column and row; size: its width and height."""
    across = np.arange(size[0], dtype=np.float32) + (corner[0] + 0.5 - view.size[0] / 2)
    up = view.size[1] / 2 - 0.5 - corner[1] - np.arange(size[1], dtype=np.float32)
    first = np.full(size[::-1], -np.inf, dtype=np.float32)  # depths of the room
    last = np.full(size[::-1], np.inf, dtype=np.float32)
    for normal, place in zip(*walls):
        right, rise, towards = (view.axes @ normal).astype(np.float32)
        off = np.float32(normal @ (view.centre - place) * view.scale)
        off = (right * across + off)[None, :] + (rise * up)[:, None]  # in front of the wall
        if abs(towards) < LEVEL:
            last[off < 0] = -np.inf
        elif towards > 0:
            np.minimum(last, off / towards, out=last)
        else:
            np.maximum(first, off / towards, out=first)
    return first > last

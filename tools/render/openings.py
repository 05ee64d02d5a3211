"""Openings in a picture: the outlines of their faces, and arrows the way that water takes."""

import numpy as np

from render import camera, scene

ROUND = 48  # corners of a disc
WAYS = {"inlet": (1,), "outlet": (-1,), "open": (1, -1)}  # along the normal into the water


def face_of_domain(what, opening):
    """Corners [n, 3] (m) of a part of the domain's face, within the frame, and its normal."""
    run = what.run
    low, high = (np.zeros(3) for _ in range(2))
    for end, name in ((low, "min"), (high, "max")):
        end[: run.dimension] = run.config[f"domain.{name}"]
    axis, is_high = "xyz".index(opening["face"][0]), opening["face"][1] == "+"
    for end, name in ((low, "from"), (high, "to")):
        end[: run.dimension] = opening.get(name, end[: run.dimension])
    low, high = np.maximum(low, what.box[0]), np.minimum(high, what.box[1])
    low[axis] = high[axis] = run.config["domain.max" if is_high else "domain.min"][axis]
    normal = np.zeros(3)
    normal[axis] = -1.0 if is_high else 1.0
    if run.dimension == 2:
        return np.stack([low, high]), normal
    return camera.corners((low, high))[list(scene.SIDES[opening["face"]])], normal


def face_at_angle(run, opening):
    """The same of an opening that has a centre and a normal."""
    centre, normal = np.zeros(3), np.zeros(3)
    centre[: run.dimension], normal[: run.dimension] = opening["centre"], opening["normal"]
    normal /= np.linalg.norm(normal)
    up = np.array([0.0, 0.0, 1.0]) if abs(normal[2]) < 0.9999 else np.array([0.0, 1.0, 0.0])
    first = np.cross(up, normal)
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    if opening.get("radius", 0.0) > 0:
        angle = 2 * np.pi * np.arange(ROUND)[:, None] / ROUND
        around = np.cos(angle) * first + np.sin(angle) * second
        return centre + opening["radius"] * around, normal
    half = 0.5 * np.resize(opening["size"], 2)
    if run.dimension == 2:
        return centre + np.array([[-1.0], [1.0]]) * half[0] * first, normal
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return centre + signs[:, :1] * first + signs[:, 1:] * second, normal


def faces_of(what):
    """(corners [n, 3] (m), direction of the water [3], ways along it) of each opening."""
    for opening in what.run.config.get("openings", []):
        has_face = "face" in opening
        corners, normal = (face_of_domain(what, opening) if has_face
                           else face_at_angle(what.run, opening))
        way = np.zeros(3)
        way[: what.run.dimension] = opening.get("direction", normal[: what.run.dimension])
        yield corners, way / np.linalg.norm(way), WAYS[opening["kind"]]


def draw_openings(axes, what, view, top, length, ink):
    """Draws outlines and arrows of this length (pixels) over a picture that ends at `top`."""
    for corners, normal, ways in faces_of(what):
        u, v, _ = view.project(np.concatenate([corners, corners[:1]]))
        axes.plot(u, top - v, color=ink, linewidth=1.2, linestyle=(0, (4, 2)))
        u, v, _ = view.project(corners.mean(axis=0))
        way = length * (view.axes[:2] @ normal)
        ends = np.array([u, top - v]), np.array([u, top - v]) + way
        if np.hypot(*way) < 0.3 * length:  # towards the eye, or away from it
            continue
        style = "<|-|>" if len(ways) == 2 else "-|>"
        start, end = ends if 1 in ways else ends[::-1]
        axes.annotate("", end, start, annotation_clip=False,
                      arrowprops={"arrowstyle": style, "color": ink, "linewidth": 1.6,
                                  "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12})

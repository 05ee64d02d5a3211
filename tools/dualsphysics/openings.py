"""inout: `openings`."""

import numpy as np

from dualsphysics import matrix
from dualsphysics.motion import table_of
from dualsphysics.report import DICTIONARY, LIMITS, refuse

INOUT, OPENINGS = f"{DICTIONARY}#inout", f"{LIMITS}#inlets-and-outlets"
AUTOMATIC = ("memoryresize", "determlimit", "extrapolatemode", "refillingrate", "useboxlimit",
             "resizetime", "reuseids")  # fmt: skip


def read(case, scene, report):
    """(entries, tables): the openings, and (name, header, rows) of files that they need."""
    inout = case.special.first("inout") if case.openings else None
    if inout is None:
        return [], []
    entries, tables = [], []
    for child in inout.children:
        if child.tag in AUTOMATIC:
            report.skipped(child, "memory grows by itself, and values are extrapolated by one rule")
        elif child.tag == "inoutzone":
            rows, table = _zone(case, scene, child, len(entries) + 1, report)
            entries.append((rows, child, ""))
            tables += [table] if table else []
        else:
            report.missing(child, "this part of inout", OPENINGS)
    return entries, tables


def _zone(case, scene, zone, number, report):
    for tag in ("refilling", "inputtreatment", "layers"):
        child = zone.first(tag)
        if child is not None:
            report.skipped(child, "buffers fill and empty by one rule")
    name = f"opening{number}"
    place, low, high = _place(case, scene, zone, report)
    rows, table, speed = _velocity(case, zone, name, report)
    pressure = _pressure(case, zone, report)
    given = bool(rows)
    kind = "open" if not given else "outlet" if speed < 0 else "inlet"
    if kind == "inlet":
        pressure = _as_depth(pressure, low, high)
    elif not given and not pressure:
        refuse(zone, "neither a velocity nor a level is given: nothing says what flows", OPENINGS)
    return [("name", name), ("kind", kind), *place, *rows, *pressure], table


def _as_depth(rows, low, high):
    """With a velocity the level says how deep the water is, and the pressure is the water's."""
    for key, value in rows:
        if key == "level":
            depth = value - low[-1]
            return [("depth", depth)] if depth < high[-1] - low[-1] - 1e-9 else []
    return []


def _place(case, scene, zone, report):
    """Keys of the place, and the bounds of the opening."""
    flat = zone.first("zone2d") or zone.first("zone3d")
    if flat is None:
        refuse(zone, "it has no zone2d or zone3d", INOUT)
    for shape in flat.children:
        if shape.tag == "particles":
            return _from_particles(case, scene, shape, report)
        direction = case.direction(case.need(shape, "direction"))
        turn = _turn(case, shape)
        normal = case.flat(matrix.apply(turn, [direction])[0] - turn[:3, 3])
        if np.linalg.norm(normal) < 1e-9 * np.linalg.norm(direction):
            refuse(shape, "in 2-D water flows along x and z", INOUT)
        normal = normal / np.linalg.norm(normal)
        if shape.tag == "circle":
            centre = case.vector(case.need(shape, "point"))
            radius = case.value(shape, "radius", 0.0, "v")
            middle = case.flat(matrix.apply(turn, [centre])[0])
            rows = [("centre", middle), ("normal", normal), ("radius", radius)]
            return rows, middle - radius, middle + radius
        return _rectangle(case, shape, turn, normal)
    return refuse(flat, "it has no line, box, circle or particles", INOUT)


def _turn(case, shape):
    about = shape.first("rotateaxis") or shape.first("rotate")
    if about is None:
        return np.eye(4)
    angle = case.number(about, "angle", 0.0)
    if about.get("anglesunits", "degrees").startswith("rad"):
        angle = np.degrees(angle)
    first, last = (case.vector(case.need(about, f"point{k}")) for k in (1, 2))
    return matrix.turned_about(-angle, first, last)


def _rectangle(case, shape, turn, normal):
    first = case.vector(case.need(shape, "point"))
    second, size = shape.first("point2"), shape.first("size")
    if second is None and size is None:
        refuse(shape, "it has neither size nor point2", INOUT)
    extent = case.vector(size) if size is not None else case.vector(second) - first
    corners = matrix.apply(turn, [first, first + extent])
    ends = np.array([case.flat(corner) for corner in corners])
    middle = ends.mean(axis=0)
    if case.dimension == 2:
        return ([("centre", middle), ("normal", normal),
                 ("size", float(np.linalg.norm(ends[1] - ends[0])))],
                ends.min(axis=0), ends.max(axis=0))  # fmt: skip
    sides = sorted((abs(e), k) for k, e in enumerate(extent) if abs(e) > 1e-9)
    if len(sides) != 2:
        refuse(shape, "a box of an opening is flat along one axis", INOUT)
    upright = max(sides, key=lambda side: side[1])
    level = min(sides, key=lambda side: side[1])
    return ([("centre", middle), ("normal", normal), ("size", [level[0], upright[0]])],
            ends.min(axis=0), ends.max(axis=0))  # fmt: skip


def _from_particles(case, scene, shape, report):
    """The face that the particles of an mkfluid stand on."""
    mk = case.whole(shape, "mkfluid", 0)
    words = {"left": (0, 1), "right": (0, -1), "front": (1, 1), "back": (1, -1), "bottom": (-1, 1),
             "top": (-1, -1)}  # fmt: skip
    towards = shape.get("direction", "").strip().lower()
    opposite = {"right": "left", "left": "right", "top": "bottom", "bottom": "top", "back": "front",
                "front": "back"}  # fmt: skip
    if towards not in opposite:
        refuse(shape, f"a direction '{towards}' of particles", INOUT)
    axis, sign = words[opposite[towards]]
    if case.dimension == 2 and axis == 1:
        refuse(shape, "in 2-D water flows along x and z", INOUT)
    held = np.zeros(scene.grid.shape, bool)
    for number, (figure, _) in enumerate(scene.drawn):
        if figure.kind == "fluid" and figure.mk == mk:
            held |= scene.grid.figure == number
    if not held.any():
        refuse(shape, f"no fluid has the mk {mk}", INOUT)
    places = np.argwhere(held)
    half = scene.grid.step / 2
    low = np.array([a[i] - half for a, i in zip(scene.grid.axes, places.min(axis=0))])
    high = np.array([a[i] + half for a, i in zip(scene.grid.axes, places.max(axis=0))])
    normal = np.zeros(case.dimension)
    normal[axis] = sign
    centre = (low + high) / 2
    centre[axis] = high[axis] if sign > 0 else low[axis]
    across = [k for k in range(case.dimension) if k != axis % case.dimension]
    size = [high[k] - low[k] for k in across]
    report.changed(shape, f"an opening on the inner face of the particles of mkfluid {mk}", INOUT)
    return ([("centre", centre), ("normal", normal), ("size", size[0] if len(size) == 1 else size)],
            low, high)  # fmt: skip


def _velocity(case, zone, name, report):
    """(rows, table, largest speed)"""
    imposed = zone.first("imposevelocity")
    mode = case.whole(imposed, "mode", 0) if imposed is not None else 0
    if imposed is None or mode == 2:
        return [], None, 0.0
    if mode == 3:
        refuse(imposed, "velocities of another model's mesh", OPENINGS)
    flow = imposed.first("flowvelocity")
    if flow is not None:
        refuse(flow, "a flow in l/s: write its velocity, or `discharge` in m^3/s", INOUT)
    for child in imposed.children:
        child.taken = True
        if child.tag == "velocity":
            speed = case.number(child, "v", 0.0)
            return [("velocity", speed)], None, speed
        if child.tag == "velocity3":
            return _parabola(case, child, report)
        if child.tag == "velocitytimes":
            rows = [[case.number(t, "time", 0.0), case.number(t, "v", 0.0)]
                    for t in child.all("timevalue")]  # fmt: skip
            return _series(name, np.array(rows), child)
        if child.tag == "velocityfile":
            path = case.file(child, child.get("file"))
            return _series(name, table_of(path, 2, child)[:, :2], child)
        refuse(child, "this profile of velocity: uniform, parabolic, log and power are there",
                   INOUT)  # fmt: skip
    return refuse(imposed, "it has no velocity", INOUT)


def _parabola(case, child, report):
    """Three speeds at three heights. Where it is 0 at both edges it is the parabola of Sluice."""
    speeds = [case.number(child, key, 0.0) for key in ("v", "v2", "v3")]
    heights = [case.number(child, key, 0.0) for key in ("z", "z2", "z3")]
    if max(abs(speeds[0]), abs(speeds[2])) > 0.02 * abs(speeds[1]):
        refuse(child, f"a parabola with {speeds[0]:g} and {speeds[2]:g} m/s at its edges: here it"
                      " is 0 there", INOUT)  # fmt: skip
    mean = speeds[1] * 2 / 3
    report.changed(child, f"a parabola over {heights[0]:g} to {heights[2]:g} m, 0 at both edges, of"
                   f" mean {mean:g} m/s", INOUT)  # fmt: skip
    return [("velocity", mean), ("profile", "parabolic")], None, mean


def _series(name, rows, child):
    if len(rows) < 2:
        refuse(child, "a table of one row", INOUT)
    file = f"{name}.csv"
    peak = float(rows[np.argmax(np.abs(rows[:, 1])), 1])
    return [("file", file)], (file, ["t", "velocity"], rows), peak


def _pressure(case, zone, report):
    """Level or pressure."""
    rhop, surface = zone.first("imposerhop"), zone.first("imposezsurf")
    if surface is not None:
        mode = case.whole(surface, "mode", 0)
        remove = surface.first("remove")
        if remove is not None:
            report.skipped(remove, "columns above the level are emptied")
        for tag, text in (("zbottom", "the lower edge of the opening is its bottom"),
                          ("savevtk", "pictures of the level")):  # fmt: skip
            child = surface.first(tag)
            if child is not None:
                report.skipped(child, text)
        if mode == 0:
            level = case.value(surface, "zsurf")
            if level is not None:
                return [("level", level)]
        elif mode == 1:
            refuse(surface, "a level over time together with other values: write a table `file`"
                            " with the columns t and level", INOUT)  # fmt: skip
        return []
    if rhop is not None:
        mode = case.whole(rhop, "mode", 0)
        if mode == 0:
            return [("pressure", 0.0)]
    return []

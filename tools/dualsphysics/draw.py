"""The draw... and fill... commands: figures from their points, faces and files."""

import numpy as np

from dualsphysics import figures, matrix, meshes
from dualsphysics.figures import BlockFigure, FacetFigure, Figure, MeshFigure, RoundFigure
from dualsphysics.report import DICTIONARY, LIMITS, refuse


class Fill(Figure):
    """The empty places around a seed, within a box if there is one."""

    def __init__(self, element, kind, mk, seed, low, high):
        super().__init__(element, kind, mk, True)
        self.seed, self.low, self.high = seed, low, high


def draw(commands, element):
    """Adds the figures of a command."""
    name = element.tag
    if name not in DRAWERS:
        refuse(element, "this figure has no counterpart: draw a mesh, or boxes", DICTIONARY)
    state = commands.state
    if not state.draws_points:
        commands.report.skipped(element, "it draws for pictures and normals alone")
        return
    if state.mode == "wire":
        refuse(element, "figures of wire (setdrawmode wire) are no walls", LIMITS)
    layers = element.first("layers")
    if layers is not None:
        _note_layers(commands, layers)
    for figure in DRAWERS[name](commands, element):
        commands.figures.append(figure)


def _note_layers(commands, layers):
    offsets = [commands.case.number_of(layers, "vdp", word.strip(" *"))
               for word in layers.get("vdp", "").split(",") if word.strip()]  # fmt: skip
    if not offsets:
        return
    nearest = min(offsets, key=abs)
    if abs(nearest) > 0.5:
        commands.report.changed(layers, f"the layer next to the drawn face is {nearest:g} dp off"
                                " it; here the wall's surface is the drawn face")  # fmt: skip
    else:
        commands.report.skipped(layers, "walls are as many layers thick as the kernel reaches")


def _solid(commands, mask=()):
    return commands.state.mode in ("full", "solid") and not mask


def _points(commands, element):
    found = [commands.case.vector(point) for point in element.all("point")]
    if not found:
        refuse(element, "it has no point", DICTIONARY)
    if len(found) > 1 and not np.ptp(found, axis=0).any():
        refuse(element, f"its {len(found)} points are one place", DICTIONARY)
    return np.array(found)


def _mask(element):
    words = element.get("mask", "").replace("|", " ").replace(",", " ").split()
    wrong = [word for word in words if not word.isdigit()]
    if wrong:
        refuse(element, f"mask: '{wrong[0]}' is no number of a face", DICTIONARY)
    return {int(word) for word in words} - {0}


def _figure(commands, kind, element, *rest):
    state = commands.state
    return kind(element, state.kind, state.mk, *rest)


def box_of(commands, element):
    """(lowest, highest corner) of point and size or endpoint, before the matrix."""
    first = element.first("point")
    size, end = element.first("size"), element.first("endpoint")
    if first is None or (size is None and end is None):
        refuse(element, "it has no point, or neither size nor endpoint", DICTIONARY)
    low = commands.case.vector(first)
    high = low + commands.case.vector(size) if size is not None else commands.case.vector(end)
    return np.minimum(low, high), np.maximum(low, high)


def _boxfill(element):
    text = element.first("boxfill")
    words = (text.text if text is not None else "solid").strip().lower()
    shown, hidden = set(), set()
    for i, part in enumerate(words.split("^")):
        for word in part.replace("|", " ").split():
            names = figures.BOX_FACES if word == "all" else (word,)
            (hidden if i else shown).update(names)
    wrong = (shown | hidden) - set(figures.BOX_FACES) - {"solid"}
    if wrong:
        refuse(text, f"no face is called {', '.join(sorted(wrong))}", DICTIONARY)
    return "solid" in shown, (set(figures.BOX_FACES) if "solid" in shown else shown) - hidden


def _drawbox(commands, element):
    solid, faces = _boxfill(element)
    corners = commands.place(figures.box_corners(*box_of(commands, element)))
    yield _figure(commands, BlockFigure, element, solid, figures.box_prisms(corners, faces))


def _block(commands, element, base, opposite, mask, closed=True):
    """Face 1 is the base, 2 its opposite, 3 the first side, and so on."""
    n = len(base)
    sides = [i + 3 not in mask and (closed or i < n - 1) for i in range(n)]
    ends = [1 not in mask and closed, 2 not in mask and closed]
    prism = (commands.place(base), commands.place(opposite), sides, ends)
    solid = _solid(commands, mask) and closed
    yield _figure(commands, BlockFigure, element, solid, [prism])


def _drawprism(commands, element):
    points = _points(commands, element)
    if len(points) < 6 or len(points) % 2:
        refuse(element, f"a prism has two bases of as many points, not {len(points)}", DICTIONARY)
    half = len(points) // 2
    return _block(commands, element, points[:half], points[half:], _mask(element))


def _drawbeach(commands, element):
    points = _points(commands, element)
    opposite = points.copy()
    opposite[:, 1] = 0.0
    return _block(commands, element, points, opposite, _mask(element))


def _drawextrude(commands, element):
    points, by = _points(commands, element), element.first("extrude")
    if by is None:
        refuse(element, "it has no extrude", DICTIONARY)
    closed = element.get("closed", "false").strip().lower() in ("true", "1")
    opposite = points + commands.case.vector(by)
    return _block(commands, element, points, opposite, _mask(element), closed)


def _drawpyramid(commands, element):
    points = _points(commands, element)
    top, base = points[0], points[1:]
    opposite = np.repeat(top[None], len(base), axis=0)
    return _block(commands, element, base, opposite, _mask(element))


def _round(commands, element, count):
    points, radius = _points(commands, element), commands.case.number(element, "radius")
    factor = matrix.scale_of(commands.state.matrix)
    if not radius or radius < 0 or len(points) != count:
        refuse(element, f"it takes a radius above 0 and {count} point{'s'[: count - 1]}",
               DICTIONARY)  # fmt: skip
    if factor is None:
        refuse(element, "a scale that differs between axes makes no sphere and no cylinder")
    mask = _mask(element)
    if mask:
        commands.report.changed(element, f"mask {element.get('mask')}: taken as a whole surface;"
                                " only walls that hold water inside would show it")  # fmt: skip
    yield _figure(commands, RoundFigure, element, _solid(commands, mask), commands.place(points),
                  radius * factor)  # fmt: skip


def _facets(commands, element, groups):
    polygons = [commands.place(np.array(group)) for group in groups]
    polygons = [polygon for polygon in polygons if figures.has_area(polygon)]
    if not polygons:
        refuse(element, "its faces have no area", DICTIONARY)
    yield _figure(commands, FacetFigure, element, polygons)


def _drawfacet(commands, element):
    return _facets(commands, element, [_points(commands, element)])


def _drawstrip(commands, element):
    p = _points(commands, element)
    return _facets(commands, element, [p[i : i + 3] for i in range(len(p) - 2)])


def _drawfan(commands, element):
    p = _points(commands, element)
    return _facets(commands, element, [[p[0], p[i], p[i + 1]] for i in range(1, len(p) - 1)])


def _drawtriangles(commands, element):
    points = _points(commands, element.first("points") or element)
    triangles = commands.case.need(element, "triangles").all("triangle")
    numbers = [[commands.case.whole(t, axis, 0) for axis in "xyz"] for t in triangles]
    if not numbers or not 0 <= np.min(numbers) <= np.max(numbers) < len(points):
        refuse(element, f"its triangles name points beyond the {len(points)} that it has",
               DICTIONARY)  # fmt: skip
    yield _figure(commands, MeshFigure, element, False, commands.place(points)[np.array(numbers)])


def _drawlines(commands, element):
    commands.report.missing(element, "lines of points are no walls", LIMITS)
    return ()


def _drawfile(commands, element):
    """STL, PLY or VTK. GenCase scales, turns and moves the file's points, in this order."""
    path = commands.case.file(element, element.get("file"))
    place = commands.state.matrix.copy()
    found = {tag: element.first(tag) for tag in ("drawmove", "drawrotate", "drawscale")}
    if element.first("drawcenter") is not None:
        refuse(element, "drawcenter: move the file's points by drawmove instead", DICTIONARY)
    if found["drawmove"] is not None:
        place = place @ matrix.moved(commands.case.vector(found["drawmove"]))
    if found["drawrotate"] is not None:
        turn = found["drawrotate"]
        angles = [commands.case.number(turn, f"ang{k}", 0) for k in "xyz"]
        place = place @ matrix.turned_xyz(*angles)
    if found["drawscale"] is not None:
        place = place @ matrix.scaled(commands.case.vector(found["drawscale"], 1.0))
    filled = element.get("autofill", "false").strip().lower() in ("true", "1")
    advanced = element.get("advanced", "false").strip().lower() in ("true", "1")
    for tag in ("depth", "clipdomain", "polyselec"):
        inner = element.first(tag)
        if inner is not None:
            commands.report.changed(inner, "not taken: the surface is used whole")
            inner.take_all()
    element.get("objname"), element.get("reverse")
    try:
        triangles = matrix.apply(place, meshes.read(path))
    except meshes.BadMeshError as error:
        refuse(element, str(error), DICTIONARY)
    yield _figure(commands, MeshFigure, element, filled or advanced, triangles)


def _fill(commands, element):
    """The seed and the box lie under the matrix, which may only move and scale."""
    modes = element.first("modefill")
    mode = modes.text.strip().lower() if modes is not None else "void"
    if mode not in ("void", "border", ""):
        refuse(modes, f"a fill of '{mode}' draws over what is there: only fills of void are taken",
               DICTIONARY)  # fmt: skip
    element.get("mkbound"), element.get("mkfluid")
    square = commands.state.matrix[:3, :3]
    if np.abs(square - np.diag(np.diag(square))).max() > 1e-12:
        refuse(element, "a fill in a turned box cannot be expressed", DICTIONARY)
    seed = commands.place([commands.case.vector(element)])[0]
    low = high = None
    if element.tag == "fillbox":
        corners = commands.place(np.array(box_of(commands, element)))
        low, high = corners.min(axis=0), corners.max(axis=0)
    yield _figure(commands, Fill, element, seed, low, high)


DRAWERS = {
    "drawbox": _drawbox, "drawprism": _drawprism, "drawbeach": _drawbeach,
    "drawextrude": _drawextrude, "drawpyramid": _drawpyramid,
    "drawsphere": lambda c, e: _round(c, e, 1), "drawcylinder": lambda c, e: _round(c, e, 2),
    "drawtriangle": _drawfacet, "drawquadri": _drawfacet, "drawpolygon": _drawfacet,
    "drawtrianglesstrip": _drawstrip, "drawtrianglesfan": _drawfan,
    "drawtriangles": _drawtriangles, "drawfigure": _drawtriangles,
    "drawline": _drawlines, "drawlines": _drawlines, "drawlineto": _drawlines,
    "drawfilestl": _drawfile, "drawfileply": _drawfile, "drawfilevtk": _drawfile,
    "fillbox": _fill, "fillpoint": _fill, "fillvoidpoint": _fill,
}  # fmt: skip

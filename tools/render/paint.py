"""A picture in space: water, solids and the tank, shaded, as pixels."""

import copy

import numpy as np

from render import mesh, moorings, room, scene, splat

LIGHT = np.array([-0.45, 0.70, 0.75]) / np.linalg.norm([-0.45, 0.70, 0.75])
HALF = (LIGHT + [0, 0, 1]) / np.linalg.norm(LIGHT + [0, 0, 1])
COLOURS = {  # apart for all kinds of colour vision, and from the colours of water
    scene.TANK: (0.93, 0.93, 0.91),
    scene.OBSTACLE: (0.62, 0.62, 0.62),
    scene.BODY: (0.90, 0.55, 0.10),
}
MOORINGS = 2000000000  # their number in a layer
FACES, BODIES = 10000, 1000000  # numbers of the tank's faces and of bodies begin there
PLANE_COLOURS = {  # where a tank is a border, and nothing is shaded
    **COLOURS,
    scene.TANK: (0.74, 0.74, 0.72),
    scene.OBSTACLE: (0.45, 0.45, 0.45),
}
FLAT = 0.5  # particles of one surface are flattened so much, or each would be a hump
FINER = 2  # pixels are computed in a picture so many times as wide and high


def colour_of(solid, what):
    """The colour of a solid."""
    in_plane = what.run.dimension == 2 or what.plane is not None
    return (PLANE_COLOURS if in_plane else COLOURS)[solid.kind]


class Layer:
    """Pixels of a picture: depth (inf: nothing), colour [.., 3], and the object's number."""

    def __init__(self, size):
        self.depth = np.full(size[::-1], np.inf, dtype=np.float32)
        self.colour = np.ones((*size[::-1], 3), dtype=np.float32)
        self.ident = np.full(size[::-1], -1, dtype=np.int32)

    def put(self, depth, colour, ident):
        """Pixels that are nearer than the layer's take their place."""
        nearer = depth < self.depth
        self.depth[nearer] = depth[nearer]
        self.colour[nearer] = colour[nearer]
        self.ident[nearer] = ident[nearer] if np.ndim(ident) else ident


def lit(normal, ambient=0.55):
    """The brightness of a surface [..]."""
    return ambient + (1 - ambient) * np.clip(normal @ LIGHT.astype(normal.dtype), 0, None)


def put_triangles(layer, view, triangles, colour, ident, farthest=False, ambient=0.55):
    """Triangles (m) into a layer; ident: a number, or one a triangle."""
    if not len(triangles):
        return
    normal = mesh.face_normals(triangles) @ view.axes.T
    seen = normal[:, 2] > 1e-6
    triangles, normal = triangles[seen], normal[seen]
    won, depth = mesh.rasterize(*view.project(triangles), view.size, farthest)
    shades = (lit(normal, ambient)[:, None] * np.asarray(colour)).astype(np.float32)
    idents = ident[seen] if np.ndim(ident) else np.full(len(triangles), ident)
    if len(triangles):
        layer.put(depth, shades[won], idents[won])


def put_balls(layer, view, x, spacing, colour, ident):
    """Particles of a solid as one smoothed surface."""
    if not len(x):
        return
    width = spacing * view.scale
    won, depth = splat.balls(*view.project(x), 0.75 * width, view.size, FLAT)
    splat.smooth(depth, np.zeros_like(depth), 2.5 * width, width)
    normal = splat.normals(depth, max(6.0, width))
    layer.put(depth, lit(normal)[..., None] * np.asarray(colour, dtype=np.float32), ident)


def put_solid(layer, view, solid, snapshot, spacing, ident):
    colour = COLOURS[solid.kind]
    if solid.triangles is None:
        put_balls(layer, view, scene.places_of(solid, snapshot), spacing, colour, ident)
        return
    triangles = scene.moved_triangles(solid, snapshot)
    if solid.is_faces:
        faces = FACES + 10 * ident + np.arange(len(triangles)) // 2
        put_triangles(layer, view, triangles, colour, faces, ambient=0.8)
    else:
        put_triangles(layer, view, triangles, colour, ident, farthest=solid.kind == scene.TANK)


def static_layer(what, view, snapshot):
    """The solids that are at the same place in all snapshots."""
    layer = Layer(view.size)
    for number, solid in enumerate(what.solids):
        if not solid.moves:
            put_solid(layer, view, solid, snapshot, what.spacing, number)
    return layer


def put_moving(layer, what, view, snapshot):
    for number, solid in enumerate(what.solids):
        if solid.moves:
            put_solid(layer, view, solid, snapshot, what.spacing, number)
    put_bodies(layer, what, view, snapshot)
    put_moorings(layer, what, view, snapshot)


def put_bodies(layer, what, view, snapshot):
    surfaces = snapshot.body_surfaces if what.bodies else None
    if surfaces:
        triangles = surfaces.points[surfaces.triangles].astype(float)
        put_triangles(layer, view, triangles, COLOURS[scene.BODY], BODIES + surfaces.body)


def put_moorings(layer, what, view, snapshot):
    """Lines two pixels of the picture wide, nearer than what lies behind them."""
    for ends in what.moorings.lines(snapshot) if what.moorings else ():
        u, v, depth = view.project(ends)
        count = int(2 * np.hypot(np.ptp(u), np.ptp(v))) + 2
        part = np.linspace(0, 1, count)
        at = [values[0] + part * (values[1] - values[0]) for values in (u, v, depth)]
        for across in range(-FINER, FINER):
            for down in range(-FINER, FINER):
                i, j = (np.floor(at[k] + shift).astype(int) for k, shift in
                        ((0, across), (1, down)))  # fmt: skip
                seen = (i >= 0) & (i < view.size[0]) & (j >= 0) & (j < view.size[1])
                i, j, z = i[seen], j[seen], at[2][seen].astype(np.float32)
                nearer = z < layer.depth[j, i]
                i, j = i[nearer], j[nearer]
                layer.depth[j, i], layer.colour[j, i] = z[nearer], moorings.COLOUR
                layer.ident[j, i] = MOORINGS


def put_section(layer, view, triangles, plane, colour, ident):
    """The inside of a closed surface (m) in a plane, over what the layer has."""
    u, v, _ = view.project(mesh.section(triangles, *plane))
    inside = mesh.filled(u, v, view.size)
    layer.colour[inside], layer.ident[inside] = colour, ident


def sections(what, view, snapshot):
    """A layer with the solids and bodies that are cut by the plane, or lie in it in 2-D."""
    layer, plane = Layer(view.size), what.plane or (2, 0.0)
    for number, solid in enumerate(what.solids):
        if solid.triangles is not None:
            triangles = scene.moved_triangles(solid, snapshot)
            if solid.is_flat:
                put_triangles(layer, view, triangles, colour_of(solid, what), number, ambient=1.0)
            else:
                put_section(layer, view, triangles, plane, colour_of(solid, what), number)
    surfaces = snapshot.body_surfaces if what.bodies else None
    if surfaces:
        points, triangles, body = surfaces.points.astype(float), surfaces.triangles, surfaces.body
        if what.plane is None:
            put_triangles(layer, view, points[triangles], COLOURS[scene.BODY], BODIES + body,
                          ambient=1.0)  # fmt: skip
            put_moorings(layer, what, view, snapshot)
            return layer
        for number in np.unique(body):
            put_section(layer, view, points[triangles[body == number]], plane,
                        COLOURS[scene.BODY], BODIES + number)  # fmt: skip
    return layer


def outlined(layer):
    """The layer's colours, with edges where another object begins."""
    edge = np.zeros(layer.ident.shape, dtype=bool)
    for axis in (0, 1):
        differs = np.diff(layer.ident, axis=axis) != 0
        low = (slice(None, -1), slice(None))[:: 1 if axis == 0 else -1]
        high = (slice(1, None), slice(None))[:: 1 if axis == 0 else -1]
        edge[low] |= differs & (layer.ident[low] >= 0)
        edge[high] |= differs & (layer.ident[high] >= 0)
    layer.colour[edge] *= 0.5
    return layer.colour


def window(u, v, radius, size):
    """The part of a picture that particles cover: first column and row, and its size."""
    ends = []
    for place, most in zip((u, v), size):
        low, high = (place.min() - radius, place.max() + radius) if len(place) else (0, 1)
        first = int(np.clip(np.floor(low), 0, most - 1))
        ends.append((first, int(np.clip(np.ceil(high), first + 1, most))))
    return (ends[0][0], ends[1][0]), tuple(high - low for low, high in ends)


def water(what, snapshot, view, values, is_liquid=True):
    """Where in the picture the fluid is (a pair of slices), its depth, values and normals there."""
    fluid = snapshot.type == 0
    width = what.spacing * view.scale
    radius = 0.9 * width if is_liquid else 0.55 * width
    u, v, depth = view.project(snapshot.x[fluid])
    # A border of one spacing stays empty, because filters repeat an image's last pixels.
    (left, top), size = window(u, v, radius + width, view.size)
    won, surface = splat.balls(u - left, v - top, depth, radius, size, FLAT if is_liquid else 1.0)
    value = values[fluid][won] if fluid.any() else np.zeros(won.shape, dtype=np.float32)
    if is_liquid:
        surface[splat.outermost(np.isfinite(surface), width, 0.6)] = np.inf
        splat.smooth(surface, value, 1.5 * width, 2.5 * width)
    surface[beyond_walls(what, snapshot, view, (left, top), won)] = np.inf
    place = slice(top, top + size[1]), slice(left, left + size[0])
    return place, surface, value, splat.normals(surface, max(6.0, width))


def beyond_walls(what, snapshot, view, corner, won):
    """The pixels past the tank's outer walls whose particle is in the tank: a ball is wider than
    its particle's distance from the wall. corner: first column and row of `won`."""
    walls = room.walls_of(what, snapshot)
    inside = room.holds(walls, snapshot.x[snapshot.type == 0])
    missed = room.missed(walls, view, corner, won.shape[::-1]) & (won >= 0)
    missed[missed] = inside[won[missed]]
    return missed


def mean_of_fine(colour):
    """Each pixel is the mean of its finer ones."""
    return sum(colour[i::FINER, j::FINER] for i in range(FINER) for j in range(FINER)) / FINER**2


def plane_picture(what, view, snapshot, scale):
    """RGB [rows, columns, 3] in 0..1 of a run in 2-D, or of a slice in 3-D: the fluid's particles
    beside the plane, and solids cut by it."""
    fine = view.times(FINER)
    radius = what.reach * fine.scale * own_spacing(what, snapshot)
    u, v, _ = fine.project(snapshot.x)
    off = np.zeros_like(u)
    if what.plane is not None:
        off = (snapshot.x[:, what.plane[0]] - what.plane[1]) * fine.scale
    shown = np.abs(off) <= radius
    shown &= (snapshot.type == 0) | np.isin(scene.group_numbers(snapshot), as_discs(what))
    shown = np.flatnonzero(shown)
    won = splat.discs(u[shown], v[shown], off[shown], radius[shown], fine.size)
    cut = sections(what, fine, snapshot)
    solid = cut.ident >= 0
    place, inside = period(what, fine), np.zeros_like(solid)
    inside[place] = (won >= 0)[place] & ~solid[place]
    inside[place] &= ~splat.outermost(inside[place], what.spacing * fine.scale, 0.85,
                                      ~solid[place])  # fmt: skip
    colour = np.ones((*won.shape, 3), dtype=np.float32)
    colour[inside] = particle_colours(what, snapshot, scale)[shown[won[inside]]]
    colour[solid] = outlined(cut)[solid]
    return mean_of_fine(colour)


def period(what, view):
    """The part of a picture (a pair of slices) between the domain's periodic faces: the fluid goes
    on there, and has no outline."""
    place = [slice(None), slice(None)]
    for axis in np.flatnonzero(what.run.config.get("domain.periodic", [])):
        ends = np.zeros((2, 3))
        ends[:, axis] = [what.run.config[f"domain.{end}"][axis] for end in ("min", "max")]
        u, v, _ = view.project(ends)
        for at, pixels, most in ((1, u, view.size[0]), (0, v, view.size[1])):
            if np.ptp(pixels) > 1:  # not along the line of sight
                first, last = np.clip(np.round(np.sort(pixels)), 0, most).astype(int)
                place[at] = slice(first, last)
    return tuple(place)


def own_spacing(what, snapshot):
    """The spacing of each particle [n], m: of a gas that of its density, else the run's."""
    spacing = np.full(len(snapshot), what.spacing)
    if snapshot.get("smoothing_length") is not None:
        fluid = snapshot.type == 0
        volume = snapshot.mass[fluid] / snapshot.density[fluid]
        # A step of a lattice of triangles or fcc is longer than the root of its volume.
        spacing[fluid] = 1.15 * volume ** (1 / what.run.dimension)
    return spacing


def as_discs(what):
    """The numbers of the groups whose wall particles are drawn beside a plane."""
    return [solid.shape for solid in what.solids if solid.triangles is None]


def particle_colours(what, snapshot, scale):
    """RGB [n, 3] of all particles: fluid by the field, walls by their kind."""
    colours = scale.rgb(scale.field.values(snapshot))
    if not scale.field.walls:
        numbers = scene.group_numbers(snapshot)
        for solid in what.solids:
            which = (snapshot.type != 0) & (numbers == solid.shape)
            colours[which] = colour_of(solid, what)
    return colours


def picture(what, view, snapshot, scale, static=None, is_liquid=True):
    """RGB [rows, columns, 3] in 0..1 of one snapshot. scale: of the field that colours water."""
    fine = view.times(FINER)
    solid = copy.deepcopy(static) if static else static_layer(what, fine, snapshot)
    put_moving(solid, what, fine, snapshot)
    colour = outlined(solid)
    values = scale.field.values(snapshot).astype(np.float32)
    place, depth, value, normal = water(what, snapshot, fine, values, is_liquid)
    wet = depth < solid.depth[place]
    normal = normal[wet]
    shine = np.clip(normal @ HALF.astype(np.float32), 0, None) ** 60
    tint = scale.rgb(value[wet]) * lit(normal, 0.6)[:, None]
    colour[place][wet] = np.minimum(tint + 0.22 * shine[:, None], 1)
    return mean_of_fine(colour)

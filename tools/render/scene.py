"""The scene of a run: its water, the tank's faces, other walls and bodies, and their frame."""

from dataclasses import dataclass

import numpy as np

from render import camera, mesh
from render.moorings import Moorings

SIDES = {  # of camera.corners: anticlockwise, seen from inside
    "x-": (0, 2, 6, 4),
    "x+": (1, 5, 7, 3),
    "y-": (0, 4, 5, 1),
    "y+": (2, 3, 7, 6),
    "z-": (0, 1, 3, 2),
    "z+": (4, 6, 7, 5),
}
PLACES, BARE = 500, 0.02  # tried on a surface; the fraction of them that may have no wall
TANK, OBSTACLE, BODY = "tank", "obstacle", "body"


@dataclass
class Solid:
    """One group of walls. shape: the group's number. start: places [n, 3] (m) of its particles in
    the run's first snapshot. triangles [m, 3, 3] (m) there, or None: it is drawn by its particles.
    is_faces: they are faces of the domain. moves: it is elsewhere in other snapshots."""

    name: str
    kind: str
    shape: int
    start: object
    triangles: object = None
    is_faces: bool = False
    is_flat: bool = False  # they fill it in the plane of a run in 2-D
    moves: bool = False


@dataclass
class Scene:
    """The solids drawn beside the fluid. box: the framed part, low and high [3] (m)."""

    run: object
    spacing: float
    solids: list
    box: tuple
    plane: object = None  # (axis, m): only particles beside this plane are drawn
    reach: float = 1.1  # how far from it, in spacings
    bodies: bool = False  # drawn by their surfaces
    moorings: object = None  # moorings.Moorings


def spacing_of(run, snapshot):
    """The spacing of the config, or that of a lattice of as many particles in the same box."""
    spacing = float(run.config.get("spacing", 0.0))
    if spacing > 0:
        return spacing
    extent = np.ptp(snapshot.x[:, : run.dimension], axis=0)
    return float((np.prod(np.maximum(extent, 1e-12)) / len(snapshot.x)) ** (1 / run.dimension))


def shapes_of(run):
    """The config's shapes, by name."""
    found = {}
    for shape in run.config.get("geometry", []):
        if isinstance(shape, dict):
            found.setdefault(shape.get("name", ""), []).append(shape)
    return found


def group_numbers(snapshot):
    """The number of each particle's group [n]; 0 where the file has none."""
    numbers = snapshot.get("shape")
    return np.zeros(len(snapshot), dtype=int) if numbers is None else numbers


def is_domain_wall(shapes):
    return bool(shapes) and all(shape.get("shape") == "walls" for shape in shapes)


def are_boxes(shapes):
    """Whether the cells of these shapes show them as they are, with flat faces."""
    boxes = [s.get("shape") == "box" and not s.get("rotation_degrees") for s in shapes]
    return bool(boxes) and all(boxes)


def holds_water(x, water):
    """Whether walls surround the fluid: they reach beyond it on all sides but the top."""
    low, high = x.min(axis=0), x.max(axis=0)
    return bool(np.all(low[:2] <= water[0][:2]) and np.all(high[:2] >= water[1][:2])
                and low[2] <= water[0][2])  # fmt: skip


def make_solids(run, first, hide, has_surfaces):
    """The groups of wall particles as solids; `first` is the run's first snapshot."""
    shapes, bodies = shapes_of(run), run.config.names("bodies")
    numbers = group_numbers(first)
    wall = first.type != 0
    water = first.x[~wall]
    solids = []
    for number in np.unique(numbers[wall]):
        name = first.groups[number] if number < len(first.groups) else "walls"
        if name in hide or (name in bodies and has_surfaces):
            continue
        x = first.x[wall & (numbers == number)]
        own = shapes.get(name, [])
        kind = BODY if name in bodies else OBSTACLE
        if is_domain_wall(own) or (run.dimension == 3 and len(water) and holds_water(x, water)):
            kind = TANK
        solids.append(Solid(name, kind, int(number), x))
    return solids


def set_triangles(solid, run, spacing, is_cut):
    """A solid with the surface that the run wrote of it; of runs that wrote none, a solid with flat
    faces, or a round one, from its shapes. is_cut: it is shown by its section, for which walls of
    the domain have a thickness."""
    own = own_surface(solid, run, spacing)
    if own is not None:
        solid.triangles, solid.is_flat = own, run.dimension == 2
        return
    shapes = shapes_of(run).get(solid.name, [])
    surface = round_surface(run, shapes, spacing)
    if is_domain_wall(shapes) and not is_cut:
        solid.triangles = tank_faces(run, shapes)
        solid.is_faces = True
    elif is_domain_wall(shapes) or are_boxes(shapes):
        origin = np.array(run.config["domain.min"], float)
        if run.dimension == 2:
            origin = np.append(origin, -0.5 * spacing)
        cells = mesh.lattice_cells(solid.start, spacing, origin)
        if cells is not None:
            solid.triangles = mesh.cell_faces(cells, spacing, origin)
    elif surface is not None and is_lined(solid, surface, spacing):
        solid.triangles = surface


def own_surface(solid, run, spacing):
    """Triangles [m, 3, 3] (m) that the run wrote of a group, or None: it wrote none, or other
    shapes have cut it, so that there are no walls along a part of them."""
    surfaces = run.wall_surfaces
    if surfaces is None or solid.name not in surfaces.names:
        return None
    corners = surfaces.triangles_of(solid.name)
    points = surfaces.points.astype(float)
    lines = mesh.outline(points, corners) if run.dimension == 2 else points[corners]
    return points[corners] if is_covered(run, lines, spacing) else None


def is_covered(run, faces, spacing):
    """Whether walls of any group are along faces [m, 2 or 3, 3], but for parts beyond the domain
    and sharp edges, which have no room for particles."""
    first = run[0]
    walls = first.x[first.type != 0]
    walls = walls[np.argsort(walls[:, 0])]
    ends = [np.array(run.config[f"domain.{end}"], float) for end in ("min", "max")]
    axes = slice(0, run.dimension)
    places = mesh.places_on(faces, PLACES)
    inside = np.all((places[:, axes] > ends[0]) & (places[:, axes] < ends[1]), axis=1)
    reach = 2 * spacing
    slabs = np.searchsorted(walls[:, 0], places[inside, 0, None] + [-reach, reach])
    far = [not np.any(((walls[low:high] - place) ** 2).sum(axis=1) <= reach**2)
           for place, (low, high) in zip(places[inside], slabs)]  # fmt: skip
    return len(far) == 0 or bool(np.mean(far) <= BARE)


def round_surface(run, shapes, spacing):
    """Triangles (m) of a group that is one sphere, cylinder or disc, as its config has it; None of
    others, and of those that are moved, turned or scaled."""
    shape = shapes[0] if len(shapes) == 1 else {}
    kind, moved = shape.get("shape"), np.any(shape.get("move", 0.0))
    moved = moved or shape.get("rotation_degrees", 0.0) != 0 or shape.get("scale", 1.0) != 1
    if kind not in ("sphere", "cylinder", "disc") or moved:
        return None
    centre, radius = np.array(shape["centre"], float), float(shape["radius"])
    if kind == "sphere":
        angle = np.linspace(-np.pi / 2, np.pi / 2, 49)
        profile = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        profile[[0, -1], 0] = 0.0
        return mesh.revolved(profile, 2, centre)
    half = 0.5 * float(shape["length"]) if kind == "cylinder" else spacing
    axis = "xyz".index(shape.get("axis", "z")) if kind == "cylinder" else 2
    profile = [(0, -half), (radius, -half), (radius, half), (0, half)]
    return mesh.revolved(profile, axis, np.append(centre, 0.0)[:3])


def is_lined(solid, triangles, spacing):
    """Whether the group has particles along the whole surface: no other shape has cut it."""
    places = triangles.mean(axis=1)
    places = places[:: max(len(places) // 500, 1)]
    far = [np.min(((solid.start - place) ** 2).sum(axis=1)) for place in places]
    return bool(np.max(far) < (1.5 * spacing) ** 2)


def tank_faces(run, shapes):
    """Triangles [m, 3, 3] (m) of the domain's faces that are walls, two a face."""
    ends = [np.array(run.config[f"domain.{end}"], float) for end in ("min", "max")]
    sides = [side for shape in shapes for side in shape.get("sides", []) if side in SIDES]
    faces = camera.corners(ends)[[SIDES[side] for side in sides]]
    return faces[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3)


def places_of(solid, snapshot):
    """Where its particles are [n, 3], in the order of the first snapshot."""
    return snapshot.x[(snapshot.type != 0) & (group_numbers(snapshot) == solid.shape)]


def moved_triangles(solid, snapshot):
    """Its triangles at the time of a snapshot, by the motion of its particles as a rigid body."""
    if not solid.moves:
        return solid.triangles
    turn, shift = mesh.rigid_move(solid.start, places_of(solid, snapshot))
    return solid.triangles @ turn.T + shift


def find_moving(solids, snapshots):
    """Marks solids whose particles are not where the first snapshot has them."""
    for solid in solids:
        for snapshot in snapshots:
            x = places_of(solid, snapshot)
            if len(x) != len(solid.start) or np.any(x != solid.start):
                solid.moves = True
                if len(x) != len(solid.start):
                    solid.triangles = None


def frame_box(run, snapshots, solids, spacing):
    """Low and high [3] (m) of fluid, bodies and obstacles in all of the snapshots, and of tanks but
    for their top. The few particles that fly far away do not widen it."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for snapshot in snapshots:
        fluid = snapshot.x[snapshot.type == 0]
        if len(fluid):
            ends = np.percentile(fluid, (0.05, 99.95), axis=0)
            low, high = np.minimum(low, ends[0] - spacing), np.maximum(high, ends[1] + spacing)
        for others in groups(snapshot, solids):
            low, high = np.minimum(low, others.min(0)), np.maximum(high, others.max(0))
    up = run.dimension - 1
    top = high[up]
    for solid in solids if np.isfinite(top) else []:
        for snapshot in snapshots if solid.kind == TANK else []:
            walls = places_of(solid, snapshot) if solid.triangles is None else \
                moved_triangles(solid, snapshot).reshape(-1, 3)  # fmt: skip
            ends = walls.min(0), walls.max(0)
            if ends[1][up] > top + 8 * spacing:
                ends[1][up] = top
            low, high = np.minimum(low, ends[0]), np.maximum(high, ends[1])
    if run.dimension == 2:
        low[:2], high[:2] = low[:2] - 0.5 * spacing, high[:2] + 0.5 * spacing
        low[2] = high[2] = 0.0
    return low, high


def groups(snapshot, solids):
    """Places [n, 3] of the particles of obstacles and bodies, if there are any."""
    numbers = [solid.shape for solid in solids if solid.kind != TANK]
    kept = (snapshot.type != 0) & np.isin(group_numbers(snapshot), numbers) | snapshot.is_body
    return [snapshot.x[kept]] if kept.any() else []


def make_scene(run, snapshots, hide=(), plane=None, by_particles=False):
    """The scene of some of a run's snapshots. by_particles: no surfaces, as the field colours the
    particles of walls and bodies, too."""
    first = run[0]
    spacing = spacing_of(run, first)
    has_surfaces = not by_particles and first.body_surfaces is not None
    solids = make_solids(run, first, hide, has_surfaces)
    for solid in solids if not by_particles else []:
        set_triangles(solid, run, spacing, run.dimension == 2 or plane is not None)
    find_moving(solids, snapshots)
    box = frame_box(run, snapshots, solids, spacing)
    for solid in solids:
        if solid.is_faces:  # no higher than the frame
            solid.triangles[..., 2] = np.minimum(solid.triangles[..., 2], box[1][2])
    return Scene(run, spacing, solids, box, plane, bodies=has_surfaces,
                 moorings=Moorings(run, first) if has_surfaces else None)  # fmt: skip

"""The solids beside the water, as meshes: walls and bodies by their own triangles, where they are
at the time of a snapshot."""

from dataclasses import dataclass

import numpy as np
from sluice.errors import FileError, listed

from plot.modules import AskedError
from render import scene
from render.mesh import rigid_move
from surface.mesh import Mesh, joined

MOST_OFF = 0.1  # spacings that a particle of a wall may be off the wall's rigid motion
FEW = 8  # solids that the output names
DOMAIN = "walls"  # the shape that makes walls of the domain's faces


@dataclass(frozen=True)
class Part:
    """One solid at a time. mesh: welded, so that triangles share their points."""

    name: str
    mesh: Mesh

    @property
    def volume(self):
        """m^3; None: the mesh is open."""
        is_closed = len(self.mesh.triangles) and not self.mesh.open_edges()
        return self.mesh.volume() if is_closed else None

    def row(self):
        return {"name": self.name, "triangles": len(self.mesh.triangles), "volume": self.volume}

    def words(self):
        size = "open" if self.volume is None else f"{self.volume:.5g} m^3"
        count = len(self.mesh.triangles)
        return f"{self.name} ({count:,} triangle{'s' * (count != 1)}, {size})"


@dataclass(frozen=True)
class Wall:
    """A group of walls. mesh: at the start of the run. group: its number. start: the places [n, 3]
    of its particles then, m; None: it does not move."""

    name: str
    mesh: Mesh
    group: int
    start: object

    def at(self, snapshot):
        """The Part in a snapshot: moved as its particles are. FileError: they did not stay
        together."""
        if self.start is None:
            return Part(self.name, self.mesh)
        now = snapshot.x[(snapshot.type != 0) & (snapshot.shape == self.group)].astype(float)
        if now.shape == self.start.shape:
            if np.array_equal(now, self.start):
                return Part(self.name, self.mesh)
            turn, shift = rigid_move(self.start, now)
            off = np.abs(self.start @ turn.T + shift - now).max()
            if off <= MOST_OFF * float(snapshot.header["Spacing"]):
                return Part(self.name, Mesh(self.mesh.points @ turn.T + shift, self.mesh.triangles))
        raise FileError(f"{snapshot.path}: the particles of '{self.name}' have not moved as one:"
                        f" leave it out, by --hide {self.name}")  # fmt: skip


@dataclass(frozen=True)
class Solids:
    """The solids of a run. walls: [Wall]. hidden: names that are left out. without: names of groups
    that have no surface."""

    walls: tuple
    hidden: tuple
    without: tuple

    def at(self, snapshot):
        """[Part] of a snapshot: walls, then bodies."""
        return [wall.at(snapshot) for wall in self.walls] + bodies_at(snapshot, self.hidden)


def welded(points, triangles):
    """A Mesh in which equal points are one, and triangles have three points."""
    used = points[triangles.ravel()].astype(float)
    kinds, number = np.unique(used, axis=0, return_inverse=True)
    number = number.reshape(-1, 3)
    distinct = np.all(number != np.roll(number, 1, axis=1), axis=1)
    return Mesh(kinds, number[distinct])


def bodies_at(snapshot, hidden=()):
    """[Part] of the bodies' surfaces in the file beside a snapshot."""
    surfaces = snapshot.body_surfaces
    if surfaces is None:
        return []
    points, triangles, body = surfaces.points, surfaces.triangles, surfaces.body
    return [Part(name, welded(points, triangles[body == number]))
            for number, name in enumerate(surfaces.names) if name not in hidden]  # fmt: skip


def wall_mesh(run, name, shapes):
    """The Mesh of a group of walls at the start: that of the file of walls, and faces of the
    domain. None: it has no surface."""
    surfaces, found = run.wall_surfaces, []
    if surfaces is not None and name in surfaces.names:
        found.append(welded(surfaces.points, surfaces.triangles_of(name)))
    faces = scene.tank_faces(run, [shape for shape in shapes if shape.get("shape") == DOMAIN])
    if len(faces):
        found.append(welded(faces.reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)))
    return joined(found) if found else None


def solids_of(run, hide=""):
    """The Solids of a run. hide: names of groups, with commas. AskedError: a name that is not
    there, or nothing is left."""
    first, hidden = run[0], tuple(filter(None, hide.split(",")))
    bodies = [part.name for part in bodies_at(first)]
    shapes, walls, without = scene.shapes_of(run), [], []
    numbers = scene.group_numbers(first)
    is_wall = (first.type != 0) & ~first.is_body
    for group in np.unique(numbers[is_wall]):
        name = first.groups[group]
        mesh = wall_mesh(run, name, shapes.get(name, []))
        if mesh is None:
            without.append(name)
            continue
        moves = any(shape.get("motion") for shape in shapes.get(name, []))
        start = first.x[is_wall & (numbers == group)].astype(float) if moves else None
        walls.append(Wall(name, mesh, int(group), start))
    if first.is_body.any() and not bodies:
        without += run.config.names("bodies")
    there = [wall.name for wall in walls] + bodies
    check(run, hidden, there, without)
    return Solids(tuple(wall for wall in walls if wall.name not in hidden), hidden,
                  tuple(name for name in without if name not in hidden))  # fmt: skip


def check(run, hidden, there, without):
    """Refuses names that are not there, and --solids without solids."""
    for name in hidden:
        if name not in there + without:
            raise AskedError(f"--hide {name}: {run.path} has no solid of this name:"
                             f" {listed(there + without, name)}")  # fmt: skip
    if not set(there) - set(hidden):
        why = "no walls and no bodies"
        if there:
            why = "no other solids than --hide leaves out"
        elif without:
            why = f"no surface of its solids, {', '.join(without)}"
        raise AskedError(f"--solids: {run.path} has {why}: leave --solids out")


def mesh_of(parts):
    """(one Mesh of the parts, the number of each triangle's part)."""
    counts = [len(part.mesh.triangles) for part in parts]
    return joined([part.mesh for part in parts]), np.repeat(np.arange(len(parts)), counts)


def listed_words(parts):
    """The parts in words, the first FEW of them by their names."""
    words = [part.words() for part in parts[:FEW]]
    left = len(parts) - FEW
    return ", ".join(words + [f"and {left} others"] * (left > 0))

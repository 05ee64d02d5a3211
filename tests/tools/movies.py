#!/usr/bin/env python3
# test: 16 s
"""Movies and pictures in space, of a small tank made here: the things in view and their colours."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from types import SimpleNamespace

try:
    import h5py
    import matplotlib.image
    from matplotlib import colors
    from matplotlib.text import Text
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import ROOT, finish, ok, skip  # noqa: E402

import sluice  # noqa: E402, I100
import sluice_movie  # noqa: E402
from plot import fields  # noqa: E402
from plot.modules import AskedError  # noqa: E402
from plot.studio import Asked, Studio  # noqa: E402
from render import camera, frame, mesh, openings, paint, room, splat  # noqa: E402

DP = 0.05
CONFIG = """title = "A tank"; model = "wcsph"; dimension = 3; spacing = 0.05;
domain = { min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.0]; };
geometry = (
  { name = "water"; shape = "box"; type = "fluid"; },
  { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; },
  { name = "post"; shape = "box"; type = "wall"; },
  { name = "crate"; shape = "box"; type = "body"; } );
bodies = ( { name = "crate"; } );
"""
GROUPS = ("water", "tank", "post", "crate")
BODY = (0.90, 0.55, 0.10)


def lattice(low, high):
    """Cell centres of a box."""
    axes = [np.arange(a + DP / 2, b, DP) for a, b in zip(low, high)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def write_snapshot(path, time, parts, velocity):
    """parts: places of the groups, in their order."""
    shape = np.concatenate([np.full(len(x), k) for k, x in enumerate(parts)])
    with h5py.File(path, "w") as file:
        file["VTKHDF/Points"] = np.concatenate(parts).astype("f4")
        v = np.zeros((len(shape), 3), dtype="f4")
        v[shape == 0, 0] = velocity
        file["VTKHDF/PointData/Velocity"] = v
        file["VTKHDF/PointData/ParticleType"] = (shape != 0).astype("u1")
        file["VTKHDF/PointData/Shape"] = shape.astype("i4")
        file["VTKHDF/FieldData/ShapeNames"] = np.array(GROUPS, dtype="S")
        file["VTKHDF/FieldData/TimeValue"] = np.array([time])


def write_body(path, shift):
    """A crate's surface: two triangles a face."""
    points = camera.corners(([1.5, 0.3, 0.2], [1.8, 0.7, 0.5])) + [shift, 0, 0]
    faces = np.array([(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1),
                      (4, 5, 7, 6)])  # fmt: skip
    with h5py.File(path, "w") as file:
        file["VTKHDF/Points"] = points.astype("f4")
        file["VTKHDF/Connectivity"] = faces[:, [[0, 1, 2], [0, 2, 3]]].ravel()
        file["VTKHDF/CellData/Body"] = np.zeros(12, dtype="i4")
        file["VTKHDF/FieldData/TimeValue"] = np.array([0.0])


def make_run(folder):
    """Water on the left, a grey post and an orange crate on the right; the crate moves."""
    os.makedirs(folder)
    tank = np.concatenate([
        lattice((-0.1, -0.1, -0.1), (2.1, 1.1, 0)), lattice((-0.1, -0.1, 0), (0, 1.1, 1)),
        lattice((2, -0.1, 0), (2.1, 1.1, 1)), lattice((0, -0.1, 0), (2, 0, 1)),
        lattice((0, 1, 0), (2, 1.1, 1)),
    ])  # fmt: skip
    files = []
    for k in range(4):
        parts = (lattice((0, 0, 0), (0.8, 1, 0.5)), tank, lattice((1.1, 0.4, 0), (1.3, 0.6, 0.6)),
                 lattice((1.5, 0.3, 0.2), (1.8, 0.7, 0.5)) + [0.02 * k, 0, 0])  # fmt: skip
        name = f"snap_{k:06d}.hdf"
        write_snapshot(os.path.join(folder, name), 0.1 * k, parts, 0.5 * k)
        write_body(os.path.join(folder, f"bodies_{k:06d}.hdf"), 0.02 * k)
        files.append({"name": name, "time": 0.1 * k})
    with open(os.path.join(folder, "run.hdf.series"), "w") as file:
        json.dump({"file-series-version": "1.0", "files": files}, file)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write(CONFIG)
    return folder


def share(pixels, colour, tolerance=0.12):
    """The fraction of pixels with this colour, in any light."""
    bright = pixels.max(axis=-1, keepdims=True)
    hue = pixels / np.maximum(bright, 1e-6)
    wanted = np.array(colour) / max(colour)
    near = np.abs(hue - wanted).max(axis=-1) < tolerance
    return float((near & (bright[..., 0] < 0.95)).mean())


def test_picture(run):
    """Water, post and crate are seen, and no wall hides the water."""
    snapshots = [run[0], run[3]]
    studio = Studio(run, snapshots, "speed", Asked(camera="0,30"))
    view = studio.view((320, 240))
    pixels = studio.picture(view, run[3])
    ok(pixels.shape == (240, 320, 3), "a picture of the size asked for")
    # The middle of the water's front face, which a wall of the tank stands before.
    u, v, _ = view.project(np.array([0.4, 0.0, 0.25]))
    seen = pixels[int(v) - 3 : int(v) + 4, int(u) - 3 : int(u) + 4].mean(axis=(0, 1))
    fast = np.array(fields.WATER(1.0)[:3])
    bright = seen / seen.max() - fast / fast.max()
    ok(np.abs(bright).max() < 0.06, "water is seen through the front wall, in its colour", seen)
    ok(share(pixels, BODY) > 0.01, "the body is orange", share(pixels, BODY))
    u, v, _ = view.project(np.array([1.2, 0.4, 0.3]))
    post = pixels[int(v), int(u)]
    ok(np.ptp(post) < 0.02 and 0.2 < post[0] < 0.7, "the obstacle is grey", post)
    white = (pixels > 0.99).all(axis=-1).mean()
    ok(0.02 < white < 0.6, "the frame is tight", white)
    hidden = Studio(run, snapshots, "speed", Asked(camera="0,30", hide="post"))
    hidden = hidden.picture(view, run[3])
    ok(np.abs(hidden[int(v), int(u)] - post).max() > 0.1, "--hide takes a group away")
    moved = [np.argwhere(share_map(studio.picture(view, run[k]))).mean(axis=0)[1] for k in (0, 3)]
    ok(0.5 < (moved[1] - moved[0]) / (0.06 * view.scale) < 1.5, "the body is where its file says",
       moved)  # fmt: skip


def test_room(run):
    """Water is not drawn past the tank's outer walls, unless its particle is there."""
    studio = Studio(run, [run[0]], "speed", Asked(camera="0,30"))
    view = studio.view((640, 480))
    pixels = studio.picture(view, run[0])
    edges = view.project(np.array([(0.0, 0.0, 0.0), (0.8, 0.0, 0.0)]))
    left, right, floor = int(edges[0][0]), int(edges[0][1]), int(np.ceil(edges[1][0]))
    water = np.ptp(pixels, axis=-1) > 0.2
    past = water[floor + 1 :].sum(), water[:, : left - 1].sum()
    ok(past == (0, 0), "no water past the floor's front edge, or a side", past)
    ok(water[floor - 3, left + 3 : right - 3].all(), "and all of it up to the edge")
    walls = room.walls_of(studio.what, run[0])
    at = np.array([(0.01, 0.5, 0.2), (-0.01, 0.5, 0.2), (1, 0.5, -0.01), (1, 0.5, 5), (2.1, 1, 1)])
    ok(room.holds(walls, at).tolist() == [True, False, False, True, False], "inside and outside")
    # Against the lines of sight themselves, in points along them.
    rng = np.random.default_rng(3)
    view = camera.fit(((-1, -1, -1), (3, 2, 2)), camera.axes_towards((0.4, -0.7, 0.5)), (40, 30))
    i, j = rng.integers(0, 40, 200), rng.integers(0, 30, 200)
    right, up = i + 0.5 - 20, 15 - j - 0.5
    depth = np.linspace(-400, 400, 8001)
    seen = np.stack(np.broadcast_arrays(right[:, None], up[:, None], depth), axis=-1) / view.scale
    met = room.holds(walls, (view.centre + seen @ view.axes).reshape(-1, 3)).reshape(200, -1)
    missed = room.missed(walls, view, (5, 4), (35, 26))
    inner = (i >= 5) & (j >= 4)
    same = missed[j[inner] - 4, i[inner] - 5] == ~met.any(axis=1)[inner]
    ok(same.all() and 0.1 < met.any(axis=1).mean() < 0.9, "pixels that look past the tank",
       (same.mean(), met.any(axis=1).mean()))  # fmt: skip


def test_period(run, scratch):
    """Fluid goes on beyond periodic faces: it is drawn up to them, with its corners."""
    folder = shutil.copytree(run.path, os.path.join(scratch, "period"))
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write(CONFIG.replace("max = [2.0, 1.0, 1.0];",
                                  "max = [0.8, 1.0, 0.5]; periodic = [true, false, true];"))
    studio = Studio(sluice.Run(folder), [run[0]], "speed", Asked(slice="y=0.5", hide="tank"))
    view = studio.view((320, 240))
    u, v, _ = view.project(np.array([(0, 0.5, 0), (0.8, 0.5, 0.5)]))
    wanted = np.zeros((240, 320), dtype=bool)
    wanted[round(v[1]) : round(v[0]), round(u[0]) : round(u[1])] = True
    water = np.ptp(studio.picture(view, run[0]), axis=-1) > 0.2
    wrong = np.argwhere(water[:, : round(u[1]) + 5] != wanted[:, : round(u[1]) + 5])
    off = np.abs(wrong[:, None] - [[v[0], u[0]], [v[1], u[1]]]).min(axis=(1, 2), initial=9)
    ok(off.max(initial=0) <= 1 and len(wrong) < 700, "water fills its period", wrong[off > 1][:9])
    corner = water[round(v[1]) + 2, round(u[0]) + 2]
    ok(corner, "with its corners")


def share_map(pixels):
    hue = pixels / np.maximum(pixels.max(axis=-1, keepdims=True), 1e-6)
    return np.abs(hue - np.array(BODY) / max(BODY)).max(axis=-1) < 0.12


def test_slice(run):
    studio = Studio(run, [run[3]], "speed", Asked(slice="y=0.5"))
    view = studio.view((400, 240))
    pixels = studio.picture(view, run[3])
    grey = paint.PLANE_COLOURS
    for place, colour, name in (((0.4, 0.25), fields.WATER(1.0)[:3], "water"),
                                ((1.71, 0.35), BODY, "body"),
                                ((1.2, 0.3), grey["obstacle"], "obstacle"),
                                ((-0.05, 0.2), grey["tank"], "tank")):  # fmt: skip
        u, v, _ = view.project(np.array([place[0], 0.5, place[1]]))
        seen = pixels[int(v), int(u)]
        ok(np.abs(seen - np.array(colour)).max() < 0.02, f"a slice: {name}", (seen, colour))
    ok("y = 0.5 m: fluid within 0.055 m" in studio.note(), "and says how thick it is",
       studio.note())  # fmt: skip
    for place, name in (((1.31, 0.01), "post and floor"), ((1.987, 0.01), "tank")):
        u, v, _ = view.project(np.array([place[0], 0.5, place[1]]))
        ok((pixels[int(v), int(u)] > 0.97).all(), f"no fillet in a corner: {name}",
           pixels[int(v), int(u)])  # fmt: skip
    classes = Studio(run, [run[3]], "shape", Asked(slice="y=0.5"))
    seen = [tuple(c) for c in classes.picture(view, run[3])[::4, ::4].reshape(-1, 3).round(3)]
    shown = [name for name, c in zip(classes.scale.names, classes.scale.colours.colors)
             if tuple(np.round(np.array(colors.to_rgb(c), "f4"), 3)) in seen]  # fmt: skip
    ok(shown == list(GROUPS), "classes of particles: bodies are among them", shown)
    grazed = Studio(run, [run[3]], "speed", Asked(slice="y=0.71"))
    seen = grazed.picture(grazed.view((400, 240)), run[3])
    ok(share(seen, BODY) == 0, "a plane beside a body does not show it", share(seen, BODY))


def test_frame(run, scratch):
    """No word is cut off or lies on another, in a small frame as in a large one."""
    many = shutil.copytree(run.path, os.path.join(scratch, "many"))
    with open(os.path.join(many, "config.cfg"), "w") as file:
        file.write(CONFIG.replace("A tank", "A tank with a long title " * 3).replace(
            'bodies = ( { name = "crate"; } )',
            'bodies = ( { name = "crate"; }, { name = "a very long name"; } )'))
    for path, size, more in ((run.path, (320, 240), ()), (many, (320, 240), ()),
                             (many, (320, 240), ("--slice", "y=0.5")), (run.path, (640, 480), ()),
                             (many, (640, 480), ("--slice", "y=0.5")), (many, (1280, 720), ())):
        words = [path, "--size", "%dx%d" % size, *more]
        movie = sluice_movie.Movie(sluice_movie.arguments(words), sluice.Run(path))
        pixels = movie.draw(0)
        said = f"{os.path.basename(path)} {' '.join(words[1:])}"
        figure = movie.frame.figure
        axes, bar = figure.axes
        found = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        words = [(text.get_text(), text.get_window_extent()) for text in found]
        words += [("patch", patch.get_window_extent()) for patch in axes.patches]
        out = [word for word, box in words
               if box.x0 < 0 or box.y0 < 0 or box.x1 > size[0] + 1 or box.y1 > size[1] + 1]
        ok(pixels.shape == (size[1], size[0], 3) and not out, f"{said}: nothing is cut off", out)
        words.append(("bar", bar.get_window_extent()))
        both = [(a[0], b[0]) for i, a in enumerate(words) for b in words[:i] if a[1].overlaps(b[1])]
        ok(not both, f"{said}: no words lie on others", both)
        seen = [word for word, _ in words]
        ok("crate" in seen or any(word[0] == "+" for word in seen), f"{said}: no name is lost",
           seen)  # fmt: skip


def test_times():
    """The time of a frame is not that of the next one, however short the run is."""
    for times, decimals in (([0, 0.08, 0.16], 3), ([0, 2e-5, 4e-5], 6), ([0, 5, 10], 3), ([1], 3),
                            ([0.1, 0.1001, 0.3], 5)):  # fmt: skip
        found = frame.decimals_of(np.array(times))
        said = {f"{time:.{found}f}" for time in times}
        ok(found == decimals and len(said) == len(times), f"{times}: {decimals} digits", found)


def test_round(run, scratch):
    """A round wall has its true surface, unless another shape has cut it or it is moved."""
    folder = shutil.copytree(run.path, os.path.join(scratch, "round"))
    config = os.path.join(folder, "config.cfg")
    shape = 'shape = "cylinder"; centre = [1.2, 0.5, %g]; radius = 0.1; length = 0.6; axis = "z";'
    for at, more, is_true in ((0.3, "", True), (0.6, "", False), (0.3, "scale = 2.0;", False)):
        with open(config, "w") as file:
            file.write(CONFIG.replace('"post"; shape = "box";', f'"post"; {shape % at} {more}'))
        what = Studio(sluice.Run(folder), [run[0]], "speed", Asked()).what
        post = next(solid for solid in what.solids if solid.name == "post").triangles
        ok((post is not None) == is_true, f"a cylinder at {at} {more}: true surface", is_true)
        if is_true:
            low, high = post.min(axis=(0, 1)), post.max(axis=(0, 1))
            ok(np.allclose([low, high], [(1.1, 0.4, 0), (1.3, 0.6, 0.6)], atol=1e-3), "its box",
               (low, high))  # fmt: skip


def test_asked(run):
    """Wrong options say what is right."""
    for asked, words in (
        (Asked(camera="30"), "azimuth,elevation"),
        (Asked(camera="0,0,0"), "no length"),
        (Asked(camera="0,95"), "not within -90..90"),
        (Asked(slice="y"), "as y=0.5"),
        (Asked(slice="y=7"), "reach from"),
        (Asked(slice="y=0.5", camera="top"), "give one"),
        (Asked(range="2,1"), "smaller one"),
        (Asked(zoom="0"), "from 0.05 to 100"),
        (Asked(hide="pots"), "there are water, tank, post, crate"),
    ):
        try:
            Studio(run, [run[0]], "speed", asked)
            ok(False, f"{asked} is refused")
        except AskedError as error:
            ok(words in str(error), f"refused: {error}", words)


def test_range(run):
    """Colours that are even about 0 are for a range of both signs."""
    for words, name in (("", "coolwarm"), ("-2,1", "coolwarm"), ("0,3", "viridis")):
        scale = Studio(run, [run[3]], "vx", Asked(range=words)).scale
        ok(scale.colours == name, f"--range {words}: {name}", scale.colours)
    ok(fields.handy("m/s", 1.3e-5) == ("\N{MICRO SIGN}m/s", 1e-6)
       and fields.handy("m/s", 0.01) == ("mm/s", 1e-3), "small speeds have small units")


def test_parts():
    """Against known results: the winner of each pixel from all pairs, smooth planes, rigid motions.
    """
    rng = np.random.default_rng(1)
    u, v, depth = rng.uniform(0, 40, 200), rng.uniform(0, 30, 200), rng.uniform(0, 25, 200)
    won, surface = splat.balls(u, v, depth, 4.0, (40, 30))
    j, i = np.mgrid[0:30, 0:40]
    d2 = (np.floor(u) - i[..., None]) ** 2 + (np.floor(v) - j[..., None]) ** 2
    front = np.where(d2 <= 16, depth - np.sqrt(np.maximum(16 - d2, 0)), np.inf)
    best = front.min(axis=-1)
    chosen = np.take_along_axis(front, np.maximum(won, 0)[..., None], -1)[..., 0]
    ok(np.array_equal(won >= 0, np.isfinite(best))
       and np.abs(chosen - best)[won >= 0].max() < 2 / splat.QUANTA,
       "each pixel shows the nearest ball, as all pairs say")  # fmt: skip
    plane = (3 * i + 5 * j).astype("f4")
    kept = plane.copy()
    splat.smooth(kept, plane.copy(), 8.0, 4.0)
    ok(np.abs(kept - plane).max() < 1e-3, "a slope stays as it is when it is smoothed")
    bumps = plane + rng.uniform(-1, 1, plane.shape).astype("f4")
    rough = bumps.copy()
    splat.smooth(bumps, plane.copy(), 8.0, 8.0)
    inner = (slice(10, 20), slice(10, 30))
    ok(np.std((bumps - plane)[inner]) < 0.3 * np.std((rough - plane)[inner]), "bumps become smooth")
    ok(not splat.outermost(np.ones((30, 40), bool), 8.0, 0.85).any(),
       "a wall that goes on beyond the picture has no outline at its edge")  # fmt: skip
    covered, room_ = np.zeros((300, 200), bool), np.ones((300, 200), bool)
    covered[150:, 40:], room_[:, :40] = True, False
    kept = covered & ~splat.outermost(covered, 20.0, 0.85, room_)
    top = kept.argmax(axis=0)[40:]
    ok(set(top) == {top[-1]} and 150 < top[-1] < 160, "a surface is level up to a wall", set(top))
    ok(splat.outermost(covered, 300.0, 0.85).any(), "coarse balls have an outline, too")
    cells = np.argwhere(np.ones((2, 3, 4)))
    faces = mesh.cell_faces(cells, 0.5, np.zeros(3))
    area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
    volume = np.einsum("mk,mk->m", faces[:, 0], np.cross(faces[:, 1], faces[:, 2])).sum() / 6
    ok(abs(area.sum() / 2 - 0.25 * 2 * (6 + 8 + 12)) < 1e-9 and abs(volume - 3.0) < 1e-9,
       "cells become the closed surface of their box", (area.sum() / 2, volume))  # fmt: skip
    for axis in range(3):
        ball = mesh.revolved([(0, -1), (2, -1), (2, 2), (0, 2)], axis, np.array([5.0, 6, 7]), 400)
        volume = np.einsum("mk,mk->m", ball[:, 0], np.cross(ball[:, 1], ball[:, 2])).sum() / 6
        ok(abs(volume / (12 * np.pi) - 1) < 1e-3, "a cylinder, whose outside is outside", volume)
    cut = mesh.section(faces, 2, 0.7)
    inside = mesh.filled(10 * cut[..., 0] - 1.0, 10 * cut[..., 1] + 2.0, (12, 20))
    j, i = np.mgrid[0:20, 0:12]
    wanted = (i < 9) & (j >= 2) & (j < 17)
    ok(np.array_equal(inside, wanted), "the section of a box", (inside.sum(), wanted.sum()))
    # A hollow box from -0.1 to 1.1: a plane between its cells cuts it like one through them.
    cells = np.argwhere(np.ones((12, 12, 12)))
    cells = cells[((cells < 1) | (cells > 10)).any(axis=1)] - 1
    faces = mesh.cell_faces(cells, 0.1, np.zeros(3))
    shares = []
    for place in np.arange(1, 10) * 0.1:
        cut = mesh.section(faces, 1, place)
        inside = mesh.filled(50 * (cut[..., 0] + 0.2), 50 * (cut[..., 2] + 0.2), (70, 70))
        shares.append(int(inside.sum()))
    ok(set(shares) == {60 * 60 - 50 * 50}, "a section between cells", shares)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    x = rng.normal(size=(9, 3))
    found, shift = mesh.rigid_move(x, x @ turn.T + [1, 2, 3])
    ok(np.allclose(found, turn) and np.allclose(shift, [1, 2, 3]), "a rigid motion is found again")


def call(*options, **variables):
    command = [sys.executable, os.path.join(ROOT, "tools", "sluice_movie.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300,
                          env={**os.environ, **variables})  # fmt: skip


def test_openings():
    """The faces of openings: of the domain within the frame; a rectangle and a disc at an angle."""
    keys = [{"kind": "outlet", "face": "x+", "from": [2.0, 0.2, 0.0], "to": [2.0, 0.8, 1.0]},
            {"kind": "inlet", "centre": [0.5, 0.5, 0.5], "normal": [1.0, 1.0, 2.0],
             "size": [0.4, 0.2]},
            {"kind": "open", "centre": [0.5, 0.5, 0.5], "normal": [0.0, 0.0, 1.0], "radius": 0.3}]
    config = {"domain.min": [0.0] * 3, "domain.max": [2.0, 1.0, 1.0], "openings": keys}
    what = SimpleNamespace(run=SimpleNamespace(dimension=3, config=config),
                           box=(np.zeros(3), np.array([2.0, 1.0, 0.6])))
    side, tilted, disc = openings.faces_of(what)
    ok(np.ptp(side[0], axis=0).tolist() == [0, side[0][:, 1].max() - 0.2, 0.6]
       and side[0][:, 0].max() == 2 and np.isclose(side[0][:, 1].max(), 0.8)
       and side[1].tolist() == [-1, 0, 0] and side[2] == (-1,),
       "an outlet of the domain's face: its part in the frame, and out", side)
    edges = np.diff(tilted[0], axis=0)
    ok(np.allclose(tilted[0].mean(axis=0), 0.5) and np.allclose(edges @ tilted[1], 0)
       and np.allclose(np.linalg.norm(edges, axis=1), [0.4, 0.2, 0.4]) and abs(edges[0, 2]) < 1e-9,
       "a rectangle at an angle: its first side is level", tilted)
    ok(np.allclose(np.linalg.norm(disc[0] - 0.5, axis=1), 0.3) and disc[2] == (1, -1),
       "a disc, and both ways", disc)


def test_movie(folder, scratch):
    for options, words in (
        (("--every", "0"), "at least 1"),
        (("--size", "12"), "as 1280x720"),
        (("--rate", "0"), "pictures a second"),
        (("--field", "presure"), "is no field"),
        (("--poster", "9"), "no snapshot is near"),
    ):
        result = call(folder, "--frames", *options)
        ok(result.returncode == 2 and words in result.stderr, f"{' '.join(options)}: refused",
           result.stderr)  # fmt: skip
    result = call(scratch, "--frames")
    ok(result.returncode == 3 and "no folder of a run" in result.stderr, "no run", result.stderr)
    out = os.path.join(scratch, "out.mp4")
    result = call(folder, "--size", "400x321", "--every", "2", "--poster", "0.2", "--frames",
                  "--out", out)  # fmt: skip
    frames = sorted(os.listdir(os.path.join(out, "frames"))) if result.returncode == 0 else []
    ok(frames == ["frame_00000.png", "frame_00001.png"], "two pictures", result.stderr)
    poster = matplotlib.image.imread(os.path.join(out, "poster.png"))[..., :3]
    last = matplotlib.image.imread(os.path.join(out, "frames", frames[-1]))[..., :3]
    ok(poster.shape == (320, 400, 3) and np.array_equal(poster, last),
       "the poster is the picture of its time, with even sides", poster.shape)  # fmt: skip
    programs = os.path.join(scratch, "programs")
    os.makedirs(programs)
    with open(os.path.join(programs, "ffmpeg"), "w") as file:
        file.write("#!/bin/sh\n[ $1 = -hide_banner ] || exit 7\n")
    os.chmod(file.name, 0o755)
    with open(os.path.join(out, "movie.mp4"), "a"):
        before = sorted(os.listdir(out))
    path = f"{programs}:{os.environ['PATH']}"
    broken = call(folder, "--size", "320x240", "--out", out, PATH=path)
    ok(broken.returncode == 3 and "ffmpeg ended with status 7" in broken.stderr
       and sorted(os.listdir(out)) == before, "an ffmpeg that ends too early", broken.stderr)
    if not shutil.which("ffprobe"):
        skip("the movie's pictures are counted", "ffmpeg: ffprobe is missing")
        return
    command = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
               "stream=nb_read_frames,width,height,r_frame_rate", "-of", "json",
               os.path.join(out, "movie.mp4")]  # fmt: skip
    found = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["streams"][0]
    ok((found["nb_read_frames"], found["width"], found["height"], found["r_frame_rate"])
       == ("2", 400, 320, "25/1"), "movie.mp4 has two pictures, 25 a second", found)  # fmt: skip


with tempfile.TemporaryDirectory(prefix="sluice-movie-") as directory:
    made = make_run(os.path.join(directory, "run"))
    test_parts()
    test_openings()
    test_picture(sluice.Run(made))
    test_room(sluice.Run(made))
    test_period(sluice.Run(made), directory)
    test_slice(sluice.Run(made))
    test_round(sluice.Run(made), directory)
    test_times()
    test_frame(sluice.Run(made), directory)
    test_range(sluice.Run(made))
    test_asked(sluice.Run(made))
    test_movie(made, directory)
finish()

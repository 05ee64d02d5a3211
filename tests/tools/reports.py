#!/usr/bin/env python3
# test: 25 s
"""`sluice report`: the facts, what the page holds, how it is thinned, and the page in a browser."""

import base64
import html
import json
import os
import re
import subprocess
import sys
import time
import zlib

from case_run import SLUICE, Case, finish, np, ok, scratch, without_module

try:
    import plotly  # noqa: F401
    import skimage  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: plotly or skimage ({error})")
    sys.exit(0)

import browser  # noqa: E402
import sluice  # noqa: E402, I100
from render import mesh, scene  # noqa: E402
from plot import shaken  # noqa: E402
from plot.choice import Choice  # noqa: E402
from report import curves, facts, page, solids, viewer, water  # noqa: E402
from tap import skip  # noqa: E402

FLAT = """title = "A <small> dam"; model = "wcsph"; dimension = 2; spacing = 0.02;
gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [0.8, 0.4]; };
kernel = { name = "wendland-c2"; h_over_dp = 1.5; };
fluid = { density = 1000.0; viscosity = { kind = "artificial"; alpha = 0.05; };
          diffusion = { kind = "hydrostatic"; delta = 0.1; }; };
boundary = { kind = "adami"; slip = "free"; };
geometry = (
  { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.2, 0.3]; },
  { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
  { name = "crate"; shape = "box"; type = "body"; min = [0.5, 0.02]; max = [0.6, 0.12]; } );
bodies = ( { name = "crate"; density = 600.0; } );
moorings = ( { kind = "spring"; body = "crate"; at = [0.5, 0.02]; to = [0.3, 0.3];
               stiffness = 50.0; },
             { kind = "spring"; body = "crate"; to = [0.7, 0.3]; stiffness = 50.0; } );
probes = ( { name = "P1"; kind = "point"; at = [0.1, 0.05]; every = 0.005; },
           { name = "H1"; kind = "height"; at = [0.1]; every = 0.005; } );
time = { end = 0.2; cfl = 0.3; };
energy = { every = 1; tolerance = 1e-3; };
output = { every = 0.02; };
"""
SPACE = """title = "A post in water"; model = "wcsph"; dimension = 3; spacing = 0.025;
gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [0.5, 0.25, 0.3]; };
kernel = { name = "wendland-c2"; h_over_dp = 1.5; };
fluid = { density = 1000.0; viscosity = { kind = "artificial"; alpha = 0.05; };
          diffusion = { kind = "hydrostatic"; delta = 0.1; }; };
boundary = { kind = "adami"; slip = "free"; };
geometry = (
  { name = "water"; shape = "box"; type = "fluid";
    min = [0.0, 0.0, 0.0]; max = [0.2, 0.25, 0.2]; },
  { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; },
  { name = "post"; shape = "box"; type = "wall";
    min = [0.35, 0.1, 0.0]; max = [0.4, 0.15, 0.2]; },
  { name = "ball"; shape = "sphere"; type = "wall"; centre = [0.28, 0.125, 0.05]; radius = 0.05; },
  { name = "block"; shape = "box"; type = "wall";
    min = [0.425, 0.05, 0.0]; max = [0.475, 0.2, 0.2]; },
  { shape = "box"; type = "void"; min = [0.425, 0.05, 0.1]; max = [0.475, 0.2, 0.2]; } );
time = { end = 0.1; cfl = 0.3; };
energy = { every = 1; tolerance = 1e-3; };
output = { every = 0.02; };
"""
KINDS = {"d2": "<u2", "d4": "<u4"}


def tool(*arguments, **more):
    return subprocess.run([SLUICE, "report", *arguments], capture_output=True, text=True, **more)


def refused(name, done, code, *words):
    said = done.stderr
    ok(done.returncode == code and all(word in said for word in words) and "Traceback" not in said,
       f"refused: {name}", f"exit {done.returncode}: {said}")  # fmt: skip


class Page:
    """What a page holds, read as its scripts do."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.size = os.path.getsize(path)
        self.data = json.loads(self.part("report"))

    def part(self, name):
        return re.search(rf'<script type="[^"]+" id="{name}">(.*?)</script>', self.text,
                         re.DOTALL)[1]  # fmt: skip

    def array(self, number, reference):
        """[rows, columns] of a reference in a block."""
        at, rows, columns, kind = reference
        data = zlib.decompress(base64.b64decode(self.part(f"block{number}")))[at:]
        if kind not in KINDS:
            return np.frombuffer(data, {"f4": "<f4", "u1": "u1"}[kind], rows * columns).reshape(
                columns, rows).T  # fmt: skip
        width = np.dtype(KINDS[kind]).itemsize
        planes = np.frombuffer(data, "u1", rows * columns * width).reshape(width, -1)
        steps = np.ascontiguousarray(planes.T).view(KINDS[kind]).reshape(columns, rows).T
        return np.cumsum(steps, axis=0, dtype=KINDS[kind])

    def places(self, number, reference, grid):
        return np.array(grid["low"]) + np.array(grid["step"]) * self.array(number, reference)


def test_facts(run, folder):
    """--json has what the run's files say."""
    done = tool(folder, "--json")
    one = json.loads(done.stdout)["runs"][0]
    ok(done.returncode == 0 and one["verdict"]["text"] == str(run.verdict)
       and one["ended"] == run.ended == "done", "the verdict and the end are the run's", done)
    given = one["given"]
    ok(not any(value.startswith('"/') for value in given.values()),
       "files without the folders of this machine", given)  # fmt: skip
    ok(given["fluid.viscosity.alpha"] == "0.05" and given["probes.P1.at"] == "[0.1, 0.05]"
       and "output.keep" not in given and "time.first" not in given,
       "keys that were given, and no defaults", given)  # fmt: skip
    counts = {"fluid": 150, "wall": len(run[-1]) - 150}
    ok(one["particles"] == counts, "particles", one["particles"])
    seconds = dict(one["sections"])
    ok("pair loop" in seconds and abs(sum(seconds.values()) / seconds["all"] - 2) < 0.01,
       "the table of times", seconds)  # fmt: skip
    gone = [f"step {n}, t = 0.{n}: 2 particles left (id {n} at 1, 2)" for n in (7, 8, 9)]
    few = facts.folded([gone[0], "another", *gone[1:]])
    ok(few == [f"{gone[0]}; 3 such lines in log.txt, the last: {gone[2]}", "another"],
       "warnings that differ in numbers are one", few)  # fmt: skip
    lines = ["sluice 0.1", "warning: old", "error: x", "sluice 0.2", "warning: new"]
    ok(facts.starting_with(facts.last_start(lines), "error:") == []
       and facts.starting_with(lines, "warning:") == ["old", "new"],
       "after a restart the error before it has gone, and warnings stay")  # fmt: skip


def test_page(run, folder):
    """The page holds the particles and the tables, and names no address."""
    done = tool(folder)
    page = Page(os.path.join(folder, "report.html"))
    ok(page.text.startswith("<!DOCTYPE html>\n<!-- sluice report"), "run --force knows the file")
    entry = page.data["viewers"][0]
    ok(done.returncode == 0 and page.size < 5e6 and len(entry["pictures"]) == len(run),
       "a page of all snapshots", done)  # fmt: skip
    last, picture = run[-1].fluid, entry["pictures"][-1]
    places = page.places(picture["block"], picture["points"], entry["grid"])
    order = np.lexsort(np.round(places, 6).T)
    true = last.x[np.lexsort(np.round(last.x.astype(float), 6).T)]
    ok(np.abs(np.sort(places, axis=0) - np.sort(true, axis=0)).max() < 2e-5 and len(order) == 150,
       "particles are where the snapshot has them")  # fmt: skip
    scale = entry["fields"][0]
    values = scale["low"] + page.array(picture["block"], picture["values"][0])[:, 0] / 255 * (
        scale["high"] - scale["low"])  # fmt: skip
    speed = np.clip(np.sort(last.speed), scale["low"], scale["high"])
    ok(np.abs(np.sort(values) - speed).max() < 0.003 * scale["high"], "their speeds are true")
    panels = {panel["title"]: panel for panel in page.data["panels"]}
    number = page.data["curvesBlock"]
    curve = panels["P1: pressure"]["curves"][0]
    table, over = run.probe("P1"), {"Pa": 1, "kPa": 1e3}[panels["P1: pressure"]["unit"]]
    wet = table["weight"] >= 0.05
    ok(np.allclose(page.array(number, curve["y"])[wet, 0] * over, table["pressure"][wet], rtol=1e-6)
       and {"H1: elevation", "crate: position", "crate: angle"} <= set(panels)
       and not {"H1: depth", "H1: height"} & set(panels), "curves of all tables",
       list(panels))  # fmt: skip
    bare = re.sub(r'<script type="text/plain" id="library">.*?</script>', "", page.text,
                  flags=re.DOTALL)  # fmt: skip
    ok("://" not in bare and " src=" not in bare and " href=" not in bare, "no link to outside")
    ok(html.escape(run.title) in page.text and "<small>" not in page.text
       and "Plotly, Inc" in bare and "WITHOUT WARRANTY" in bare,
       "a title with a tag is text, and the library's licence is there")  # fmt: skip
    crate = next(solid for solid in entry["solids"] if solid["name"] == "crate")
    loop = page.places(entry["solidsBlock"], crate["loops"][0], entry["grid"])
    ok(len(crate["loops"]) == 1 and len(loop) == 5 and np.ptp(loop[:, 0]) > 0.099
       and len(crate["moves"]) == len(run), "a body in 2-D is its outline, and moves", loop)


def badges(text):
    """[(kind, words)] of the badges of a page."""
    return [(kind, html.unescape(words)) for kind, words in
            re.findall(r'<span class="badge (\w+)">(.*?)</span>', text)]  # fmt: skip


def test_lost(run):
    """Beside water that left the domain the verdict is not green."""
    lines = ["sluice 0.1", "warning: step 5, t = 0.1: 2 particles left the domain (id 3 at 1, 2, 0"
             " and others); 2 in all", "warning: step 9, t = 0.2: 1 particle left the domain (id 4"
             " at 1, 2, 0); 3 in all"]  # fmt: skip
    ok(facts.lost_of(lines) == "particles left the domain, 3 so far" and facts.lost_of([]) == ""
       and facts.lost_of([*lines, "3 particles left the domain, 2% of the fluid: a higher domain"])
       == "3 particles left the domain, 2% of the fluid", "what left, by the log")
    drain = Case(FLAT.replace('"x-", "x+", "y-"', '"x-", "x+"')).run("drain").path
    done = tool(drain, "--snapshots", "1")
    words = badges(Page(os.path.join(drain, "report.html")).text)
    left = 150 - sluice.Run(drain)[-1].fluid.x.shape[0]
    lost = f"{left} particles left the domain, {100 * left / 150:.2g}% of the fluid"
    ok(left > 10 and done.returncode == 0 and ("warn", lost) in words
       and [kind for kind, text in words if ": conserved" in text] == ["warn"],
       "a page says it beside a verdict that is not green", words)  # fmt: skip
    good = badges(page.verdict_badge(facts.verdict_of(run), ""))
    ok([kind for kind, _ in good] == ["good"], "without losses it is green", good)


def test_shaken():
    """The table of a run's acceleration is a curve beside the probes, as long as the run."""
    path = os.path.join(scratch, "quake.csv")
    with open(path, "w") as file:
        file.write("# measured\ntime  x\n0  0.0\n0.015, 1.5\n0.5 -1\n")
    made = [Case(FLAT, acceleration=path).run(name, time__end=0.02).path for name in ("q1", "q2")]
    done = tool(made[0], "--snapshots", "1")
    found = Page(os.path.join(made[0], "report.html"))
    panel = found.data["panels"][0]
    x, y = (found.array(found.data["curvesBlock"], panel["curves"][0][axis])[:, 0] for axis in "xy")
    end = sluice.Run(made[0]).energy()["time"][-1]
    ok(done.returncode == 0 and (panel["section"], panel["title"], panel["unit"])
       == ("Probes", "acceleration beside gravity", "m/s^2")
       and np.allclose(x, [0, 0.015, end])
       and np.allclose(y, [0, 1.5, 1.5 - 2.5 * (end - 0.015) / 0.485]),
       "the acceleration until the end of the run", (panel, x, y))  # fmt: skip
    tool(*made, "--snapshots", "1", "--out", made[1])
    panel = Page(os.path.join(made[1], "report.html")).data["panels"][0]
    ok(panel["title"] == "acceleration beside gravity along x"
       and [curve["run"] for curve in panel["curves"]] == [0, 1], "of two runs a curve each", panel)
    figure, lines = shaken.picture(sluice.Run(made[0]), Choice(end=0.016))
    (line,) = figure.axes[0].lines
    ok(np.allclose(line.get_xdata(), [0, 0.015]) and np.allclose(line.get_ydata(), [0, 1.5])
       and line.get_label() == "x" and not lines, "`sluice plot` draws it", lines)  # fmt: skip
    os.remove(path)
    done = tool(made[0], "--snapshots", "1")
    ok(done.returncode == 0 and "no curve of the acceleration" in done.stdout,
       "without its table a line says that there is none", done)  # fmt: skip
    for text in ("", "x\n1\n", "t,x\n0,0\n0,1\n", "t,x\n0\n", "t,x\n0,word\n"):
        with open(path, "w") as file:
            file.write(text)
        _, lines = shaken.accelerations([sluice.Run(made[0])], [1.0])
        ok(len(lines) == 1, f"another table: {text!r}", lines)


def test_several(folder, other):
    path = os.path.join(other, "report.html")
    done = tool(folder, other, "--out", other)
    page = Page(path)
    curve = next(p for p in page.data["panels"] if p["title"] == "P1: pressure")["curves"]
    ok(done.returncode == 0 and [c["run"] for c in curve] == [0, 1]
       and "<code>fluid.viscosity.alpha</code></td><td>0.05</td><td>0.2</td>" in page.text,
       "two runs: their curves are in one graph, and a key differs", done)  # fmt: skip
    first, second = page.data["viewers"]
    shown = [entry["fields"][0]["shown"] for entry in (first, second)]
    ok(first["low"] == second["low"] and shown[0] == shown[1], "and frame and colours are the same")


def ball():
    """Triangles of a sphere."""
    angle = np.linspace(0, np.pi, 60)
    radius = np.sin(angle)
    radius[[0, -1]] = 0
    return mesh.revolved(np.stack([radius, -np.cos(angle)], axis=1), 2, np.zeros(3))


def test_thinning(run):
    """What does not fit is thinned; extremes of curves stay."""
    t = np.linspace(0, 1, 50_001)
    values = np.sin(40 * t)
    values[12_345], values[777] = 9.0, np.nan
    rows = curves.thinned(t, values)
    ok(len(rows) <= curves.POINTS + 3 and 12_345 in rows and 777 in rows and rows[-1] == 50_000,
       "a thinned curve keeps its peak, its gap and its ends", len(rows))  # fmt: skip
    fluid = run[-1].fluid
    one = water.Water(0.1, fluid.x.astype(float), {"speed": fluid.speed})
    grid = viewer.grid_of(np.zeros(3), np.ones(3))
    entries = [viewer.field_entry(run, "speed", [run[-1]])]
    made = [one] * 60
    level, kept = viewer.level_of(made, 0.02, grid, entries, 1e6, 12)
    ok((level, len(kept)) == (0, 60), "what fits is whole")
    level, kept = viewer.level_of(made, 0.02, grid, entries, 60 * 300, 12)
    size = sum(len(viewer.picture_text(made[i], level, 0.02, grid, entries)[1]) for i in kept)
    ok(level > 0 and size < 60 * 300 and kept[0] == 0 and kept[-1] == 59,
       "what does not is thinned to the room", (level, len(kept), size))  # fmt: skip
    one.left_out = 3
    few = viewer.grid_of(np.zeros(3), np.array([0.1, 1.0, 1.0]))
    beyond = int(np.sum(one.points[:, 0] > 0.1))
    ok(viewer.left_out(made, few, False) == [
        f"without up to {beyond} particles that are outside the frame",
        "without up to 3 particles that are not finite"] and beyond > 0,
       "the page says which particles no picture has", beyond)  # fmt: skip
    points, corners = solids.welded(ball())
    coarse = water.clustered(water.Water(0, points, {}, corners), 0.15)
    volume = np.einsum("ij,ij->", coarse.points[coarse.corners[:, 0]], np.cross(
        coarse.points[coarse.corners[:, 1]], coarse.points[coarse.corners[:, 2]])) / 6  # fmt: skip
    ok(len(coarse.corners) < 0.4 * len(corners) and abs(volume / (4 / 3 * np.pi) - 1) < 0.02,
       "a thinned ball keeps its volume", (len(coarse.corners), volume))  # fmt: skip


def test_solids():
    cells = mesh.cell_faces(np.argwhere(np.ones((3, 2, 1))), 0.5, np.zeros(3))
    points, corners = solids.creased(*solids.welded(cells))
    ok(len(np.unique(points, axis=0)) == 24 and len(points) == 3 * 8 + 2 * 12 + 4,
       "a point of a box's edge is two, of a corner three", len(points))  # fmt: skip
    loops = solids.loops_of(mesh.section(cells, 2, 0.25)[..., :2])
    ok(len(loops) == 1 and len(loops[0]) in (5, 6), "the outline of cells has their corners", loops)
    welded = solids.welded(ball())
    ok(len(solids.creased(*welded)[0]) == len(welded[0]), "a ball is smooth all around")


def test_true_surfaces(run):
    """Walls by the surfaces that the run wrote, unless a later shape has cut them."""
    what = scene.make_scene(run, [run[0]])
    by_name = {solid.name: solid for solid in what.solids}
    faces = by_name["ball"].triangles
    volume = np.einsum("ij,ij->", faces[:, 0], np.cross(faces[:, 1], faces[:, 2])) / 6
    ok(abs(volume / (4 / 3 * np.pi * 0.05**3) - 1) < 1e-3 and len(by_name["post"].triangles) == 12,
       "a ball of its volume, a box of 12 triangles", (volume, len(by_name["post"].triangles)))
    ok("block" in run.wall_surfaces.names
       and scene.own_surface(by_name["block"], run, what.spacing) is None,
       "a wall that a later shape cuts is not drawn by its whole surface")  # fmt: skip
    found = {one.name: one for one in solids.solids_of(run, [run[0]], what)}
    ok(found["ball"].corners is not None, "the viewer has its triangles")


def test_moorings(run, folder):
    """Moorings end where they are fastened, and at a point that moves with the body."""
    lines = [np.array(picture["moorings"]).reshape(-1, 2, 3) for picture in
             Page(os.path.join(folder, "report.html")).data["viewers"][0]["pictures"]]  # fmt: skip
    crate = run.body("crate")
    centre = [np.interp(run.times[-1], crate["time"], crate[axis]) for axis in "xy"]
    angle = np.interp(run.times[-1], crate["time"], crate["angle"])
    arm = np.array([-0.05, -0.05])
    turned = [arm[0] * np.cos(angle) - arm[1] * np.sin(angle),
              arm[0] * np.sin(angle) + arm[1] * np.cos(angle)]  # fmt: skip
    moved = np.linalg.norm(lines[-1][0, 0] - lines[0][0, 0])
    ok(np.allclose(lines[0], [[[0.5, 0.02, 0], [0.3, 0.3, 0]], [[0.55, 0.07, 0], [0.7, 0.3, 0]]])
       and np.allclose(lines[-1][0, 0, :2], np.add(centre, turned), atol=1e-4)
       and np.allclose(lines[-1][1, 0, :2], centre, atol=1e-4) and moved > 1e-3,
       "moorings are lines that follow the body", (lines[0], lines[-1], centre, angle))  # fmt: skip


def in_browser(page, path, is_space):
    """Opens a page: it draws itself, the slider moves, the mouse turns, and it fetches nothing."""
    page.open(path)
    page.wait("document.body && document.body.dataset.ready === '1'")
    page.value("document.getElementById('controls').scrollIntoView()")
    page.wait("document.body.dataset.shown === '0'")
    first = page.picture()
    page.value("(slider => { slider.value = slider.max; slider.dispatchEvent(new Event('input'));"
               "})(document.getElementById('slider'))")  # fmt: skip
    page.wait("document.body.dataset.shown === document.getElementById('slider').max")
    later = page.picture()
    ok(first != later, "the slider changes the picture")
    eye = "JSON.stringify(document.querySelector('.canvas')._fullLayout.{})".format(
        "scene._scene.getCamera().eye" if is_space else "xaxis.range")
    before = page.value(eye)
    left, top, wide, tall = page.value(
        "(r => [r.x, r.y, r.width, r.height])(document.querySelector('.canvas')"
        ".getBoundingClientRect())")  # fmt: skip
    middle = (left + 0.4 * wide, top + tall / 2)
    page.drag(middle, (middle[0] + 120, middle[1] - 40))
    ok(page.value(eye) != before, "the mouse turns it" if is_space else "the mouse moves it",
       before)  # fmt: skip
    time.sleep(1)  # a camera that is turned goes on a while
    after = page.value(eye)
    page.value("document.querySelector('.panel').scrollIntoView()")
    page.wait("document.querySelector('.graph .main-svg') !== null")
    page.value("document.getElementById('play').click()")
    page.wait("document.body.dataset.shown === '2'")
    start, turned, last = (np.array(list(json.loads(text).values()) if is_space
                                    else json.loads(text)) for text in
                           (before, after, page.value(eye)))  # fmt: skip
    ok(np.linalg.norm(last - turned) < 0.3 * np.linalg.norm(turned - start),
       "and it stays so while time goes on", (start, turned, last))  # fmt: skip
    outside = [url for url in page.requests if not url.startswith(("file:", "data:", "blob:"))]
    ok(not page.messages and not outside, "nothing on the console, nothing fetched",
       (page.messages, outside))  # fmt: skip


def test_force(folder):
    """A new run removes the report of the one before."""
    path = os.path.join(folder, "report.html")
    done = subprocess.run([SLUICE, "run", os.path.join(folder, "config.cfg"), "--out", folder,
                           "--force", "--quiet", "--set", "time.end=0.001"],
                          capture_output=True, text=True)  # fmt: skip
    ok(done.returncode == 0 and not os.path.exists(path), "--force removes a report", done)


def test_messages(folder):
    done = tool(folder, env=without_module("plotly"))
    refused("a missing library", done, 3, "lacks plotly", "apt-get install python3-plotly")
    refused("no run", tool(scratch), 3, "is no folder of a run")
    refused("a field", tool(folder, "--field", "sped"), 2, "--field sped", "speed")
    refused("a limit", tool(folder, "--limit", "1"), 2, "--limit 1", "from 4 to 1000")
    refused("snapshots", tool(folder, "--snapshots", "0"), 2, "--snapshots 0")
    refused("a group", tool(folder, "--hide", "tnak"), 2, "--hide tnak", "tank")
    refused("too many runs", tool(*[folder] * 9), 2, "one argument too many")


case = Case(FLAT)
folder = case.run("flat").path
other = case.run("other", fluid__viscosity__alpha=0.2).path
space = Case(SPACE).run("space").path
run = sluice.Run(folder)
test_facts(run, folder)
test_page(run, folder)
test_lost(run)
test_shaken()
test_several(folder, other)
test_thinning(run)
test_solids()
test_moorings(run, folder)
test_true_surfaces(sluice.Run(space))
test_messages(folder)
done = tool(space, "--snapshots", "4", "--quiet")
entry = Page(os.path.join(space, "report.html")).data["viewers"][0]
ok(done.returncode == 0 and not done.stdout and len(entry["pictures"]) == 4
   and all("corners" in picture for picture in entry["pictures"])
   and [field["name"] for field in entry["fields"]] == ["speed", "pressure"],
   "in 3-D the water is a surface, with two fields", done)  # fmt: skip
if browser.find():
    with browser.Browser(browser.find(), size=(800, 600)) as page:
        in_browser(page, os.path.join(folder, "report.html"), False)
        in_browser(page, os.path.join(space, "report.html"), True)
else:
    skip("the pages in a browser", "chromium is not installed")
test_force(other)
finish()

#!/usr/bin/env python3
# test: 6 s
"""Which tables and what part of the time `sluice plot` draws, tables of bodies, and pictures of
single files: tables and images of measurements, particles."""

import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

import tool_call  # noqa: E402
from tap import ROOT, finish, ok  # noqa: E402

from sluice import Run  # noqa: E402, I100
from plot import bodies, by_quantity, images, pictures, places, probes, several  # noqa: E402
from plot.choice import Choice  # noqa: E402
from plot.lowpass import LowPass  # noqa: E402
from plot.modules import AskedError  # noqa: E402

TIME = np.linspace(0, 10, 501)
WAVE = 0.1 * np.sin(2 * TIME)


def write_table(path, columns):
    with open(path, "w") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join("" if np.isnan(value) else f"{value:.12g}" for value in row) + "\n")


def make_run(folder, spacing=0.01):
    """A gauge over a deep bed, another one, and a body that heaves and rolls."""
    os.makedirs(folder)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write(f'title = "Heave"; dimension = 2; spacing = {spacing};'
                   'probes = ( { name = "g1"; kind = "height"; }, { name = "g2"; } );'
                   'bodies = ( { name = "buoy"; } );')  # fmt: skip
    start = {"step": np.arange(len(TIME)), "time": TIME}
    for name in ("g1", "g2"):
        heights = {"height": 40 + WAVE, "bed": 0 * TIME, "depth": 40 + WAVE, "elevation": WAVE}
        write_table(os.path.join(folder, f"probe_{name}.csv"), start | heights)
    noise = 50 * np.sin(2 * np.pi * 20 * TIME)
    write_table(os.path.join(folder, "body_buoy.csv"), start | {
        "x": 3 + 0 * TIME, "y": 40 + WAVE, "angle": 0.2 * WAVE, "velocity_x": 0 * TIME,
        "velocity_y": 0.2 * np.cos(2 * TIME), "fluid_force_x": 0 * TIME,
        "fluid_force_y": 400 + noise, "contact_force_x": 0 * TIME, "contact_force_y": 0 * TIME,
        "mooring_force_x": WAVE, "mooring_force_y": 0 * TIME})  # fmt: skip
    return folder


def call(*arguments):
    """(exit code, standard output, standard error) of `sluice plot`."""
    done = tool_call.call("sluice_plot.py", *arguments)
    return done.returncode, done.stdout, done.stderr


def refused(action, words):
    try:
        action()
        ok(False, f"refused: {words}")
    except AskedError as error:
        ok(words in str(error), words, str(error))


def curves(axes):
    """{label: values} of the lines of axes."""
    return {line.get_label(): line.get_ydata() for line in axes.get_lines()}


def shown(figure):
    return [axes for axes in figure.axes if axes.axison]


def test_choice(scratch):
    run = Run(make_run(os.path.join(scratch, "heave")))
    figure = probes.probes_picture(run, None, Choice(probes=("g2",), start=4, end=6))
    (axes,) = figure.axes
    found = curves(axes)["elevation"]
    ok(axes.get_title() == "probe g2" and list(curves(axes)) == ["elevation"]
       and np.allclose(found, WAVE[200:301]) and axes.get_xlim() == (4, 6),
       "one probe, from 4 to 6 s: its elevation, and no bed", curves(axes).keys())
    chosen = Choice(probes=("g1",), columns=("height", "bed"))
    (axes,) = probes.probes_picture(run, None, chosen).axes
    ok(list(curves(axes)) == ["height", "bed"], "the columns asked for", list(curves(axes)))
    ok(bodies.bodies_picture(run, chosen) == (None, []), "and no body")
    looks = [tuple(pictures.look_of(n).values()) for n in range(36)]
    ok(len(set(looks)) == len(looks), "36 curves look different")
    figure, axes = pictures.plt.subplots()
    many = {f"c{n}": np.full(3, float(n)) for n in range(9)}
    probes.draw_columns(axes, Choice(), "many", {"time": np.arange(3.0), **many}, list(many), 0)
    ok(list(curves(axes)) == list(many), "more columns than colours are all drawn",
       list(curves(axes)))
    refused(lambda: Choice(probes=("g3",)).tables(run, "probe"), 
            "has no probe of this name: there are g1, g2")
    refused(lambda: Choice(columns=("hight",)).check_columns([run.probe("g1")]),
            "did you mean 'height'?")
    late = Choice(start=11)
    ok(probes.probes_picture(run, None, late) is None and len(late.missed) == 2
       and "g1 has rows from t = 0 to 10 s" in late.missed[0], "a window without rows", late.missed)
    code, out, err = call(run.path, "--from", "11")
    ok(code == 2 and "leave nothing to draw" in err, "is an error if nothing is left", err)
    code, out, err = call(run.path, "--from", "6", "--to", "4")
    ok(code == 2 and "the end must be after the start" in err, "a window that ends first", err)
    code, out, err = call(run.path, "--probe", "g1", "--out", os.path.join(scratch, "g"))
    ok(code == 0 and out.split() == [os.path.join(scratch, "g", "probes_g1.png")],
       "a picture alone, with its name", out + err)  # fmt: skip
    chosen = Choice(probes=("g2", "g1"), bodies=("buoy",), columns=("y",))
    many = Choice(probes=tuple(f"gauge{n}" for n in range(20)))
    ok(Choice(start=4).picture("probes", ["probe"]) == "probes"
       and chosen.picture("bodies", ["body"]) == "bodies_buoy_y"
       and chosen.picture("compare") == "compare_g2_g1_buoy_y"
       and many.picture("probes").endswith("_gauge8_gauge9_and_10_more"),
       "names of pictures of what is chosen", many.picture("probes"))  # fmt: skip


def test_bodies(scratch):
    run = Run(make_run(os.path.join(scratch, "bodies")))
    figure, said = bodies.bodies_picture(run, Choice())
    titles = [axes.get_title().removeprefix("body buoy: ") for axes in shown(figure)]
    ok(titles == ["displacement", "rotation", "velocity", "force of the fluid",
                  "force of moorings"] and not said, "a body's panels; contacts are all 0", titles)
    place = curves(figure.axes[0])
    ok(np.allclose(place["x"], 0) and np.allclose(place["y"], WAVE), "how far it moved")
    turned = figure.axes[1]
    ok(np.allclose(curves(turned)["angle"], np.degrees(0.2 * WAVE))
       and turned.get_ylabel() == "rotation (degrees)", "degrees", turned.get_ylabel())  # fmt: skip
    figure, _ = bodies.bodies_picture(run, Choice(start=5))
    ok(np.allclose(curves(figure.axes[0])["y"], WAVE[250:]), "from the start of the run")
    filtered = Choice(bodies=("buoy",), columns=("fluid_force_y",), low_pass=LowPass(2.0))
    figure, _ = bodies.bodies_picture(run, filtered)
    pale, smooth = (line.get_ydata() for line in figure.axes[0].get_lines())
    ok(np.ptp(pale) > 90 and np.ptp(smooth[50:-50]) < 1 and "low-pass 2 Hz"
       in figure.axes[0].get_title(), "a force, filtered over the pale measured one")  # fmt: skip
    other = Run(make_run(os.path.join(scratch, "finer"), 0.005))
    figure, said = several.compared_picture([run, other], Choice(bodies=("buoy",)))
    names = [axes.get_ylabel() for axes in shown(figure)]
    ok(names == ["displacement along x (m)", "displacement along y (m)", "angle (degrees)"]
       and not said, "several runs: where the body is", names)  # fmt: skip


def test_moorings(scratch):
    run = Run(make_run(os.path.join(scratch, "moored")))
    write_table(run.file("mooring_line.csv"), {"step": np.arange(len(TIME)), "time": TIME,
                                               "length": 2 + WAVE, "tension": 50 * WAVE})
    figure, said = by_quantity.picture(run, "mooring", Choice(start=5))
    tension, length = figure.axes
    ok(np.allclose(curves(tension)["line"], 50 * WAVE[250:]) and not said
       and (tension.get_ylabel(), length.get_ylabel()) == ("tension (N/m)", "length (m)"),
       "moorings: tension and length", tension.get_ylabel())  # fmt: skip
    ok(by_quantity.picture(run, "mooring", Choice(probes=("g1",))) == (None, []),
       "not with --probe")  # fmt: skip
    code, out, err = call(run.path, "--mooring", "line", "--out", os.path.join(scratch, "m"))
    ok(code == 0 and out.split() == [os.path.join(scratch, "m", "moorings_line.png")],
       "--mooring: its picture alone", out + err)  # fmt: skip


def make_stream(folder, spacing=0.01):
    """A run with an inlet, an outlet that is dry for 5 s, and no energies."""
    run = Run(make_run(folder, spacing))
    start = {"step": np.arange(len(TIME)), "time": TIME}
    wet = np.where(TIME < 5, np.nan, 1.0)
    for name, flow in (("in", 0.3 + WAVE), ("out", -0.3 * (TIME > 5))):
        level = 0.4 + WAVE if name == "in" else wet
        write_table(run.file(f"opening_{name}.csv"), start | {
            "discharge": flow, "mass_in": TIME, "level": level, "velocity": flow, "froude": level,
            "pressure": 5000 * level, "head": np.nan * TIME})  # fmt: skip
    return run


def test_openings(scratch):
    run = make_stream(os.path.join(scratch, "stream"))
    figure, said = by_quantity.picture(run, "opening", Choice())
    labels = [axes.get_ylabel() for axes in shown(figure)]
    ok(labels == ["discharge (m$^2$/s)", "level (m)", "velocity (m/s)", "Froude number",
                  "pressure (kPa)"] and not said, "openings: a panel a quantity, none for a head"
       " without values", labels)  # fmt: skip
    found = curves(figure.axes[0])
    ok(list(found) == ["in", "out"] and np.allclose(found["in"], 0.3 + WAVE)
       and all(axes.get_xlim() == (0, 10) for axes in shown(figure)), "a curve an opening",
       found.keys())  # fmt: skip
    chosen = Choice(openings=("out",), columns=("mass_in", "level"), end=5.5)
    figure, _ = by_quantity.picture(run, "opening", chosen)
    titles = [axes.get_title() for axes in shown(figure)]
    ok(titles == ["mass in of openings", "level of openings"]
       and list(curves(figure.axes[0])) == ["out"] and len(curves(figure.axes[0])["out"]) == 276,
       "one opening, its columns, up to 5.5 s", titles)  # fmt: skip
    ok(probes.probes_picture(run, None, chosen) is None
       and by_quantity.picture(run, "mooring", chosen) == (None, []), "and nothing else")
    for words in (("--opening", "inn"), ("--mooring", "in")):
        code, out, err = call(run.path, *words)
        ok(code == 2 and f"has no {words[0][2:]} of this name" in err, " ".join(words), err)
    code, out, err = call(run.path, "--opening", "in", "--column", "levl")
    ok(code == 2 and "did you mean 'level'?" in err, "a column that none has", err)
    code, out, err = call(run.path, "--column", "level")
    ok(code == 2 and "--column belongs to" in err and "--opening NAME" in err, "no table", err)


def test_openings_of_runs(scratch):
    coarse, fine = (make_stream(os.path.join(scratch, f"stream{dp}"), dp) for dp in (0.02, 0.04))
    figure, said = several.compared_picture([coarse, fine], Choice(openings=("out", "in")))
    titles = [(axes.get_title(), axes.get_ylabel()) for axes in shown(figure)]
    ok(titles == [(f"opening {name}", label) for name in ("in", "out")
                  for label in ("discharge (m$^2$/s)", "level (m)")] and not said,
       "openings of two runs", titles)  # fmt: skip
    os.remove(fine.file("opening_out.csv"))
    refused(lambda: several.compared_picture([coarse, fine], Choice(openings=("out",))),
            f"{fine.path} has no opening of this name: there are in")
    smooth = Choice(openings=("in",), columns=("pressure",), low_pass=LowPass(2.0))
    (axes,) = shown(several.compared_picture([coarse, fine], smooth)[0])
    ok(axes.get_ylabel() == "pressure (kPa)" and "low-pass 2 Hz" in axes.get_title(),
       "a column of theirs, filtered", axes.get_title())  # fmt: skip


def test_tables(scratch):
    """A line is drawn as profiles, points over time, sums over time."""
    count, times = 5, (0.0, 1.0, 2.0)
    rows = [(t, n, 0.5, 0.1 * n, (10 + t) * n if n < 4 else np.nan)
            for t in times for n in range(count)]  # fmt: skip
    time, point, x, y, pressure = (np.array(column, float) for column in zip(*rows))
    path = os.path.join(scratch, "measure_line.csv")
    table = {"step": 0 * time, "time": time, "point": point, "x": x, "y": y, "pressure": pressure,
             "weight": 0 * time + 1, "valid": 0 * time + 1}  # fmt: skip
    write_table(path, table)
    figure, said = places.picture(path, Choice(), [1.0])
    (axes,) = figure.axes
    (line,) = axes.get_lines()
    ok(np.allclose(line.get_xdata()[:4], [0, 11, 22, 33]) and np.isnan(line.get_xdata()[4])
       and np.allclose(line.get_ydata(), 0.1 * np.arange(5))
       and axes.get_xlabel() == "pressure (Pa)"
       and "SI in 2-D" in said[0], "a profile of an upright line at 1 s", said)  # fmt: skip
    table["x"] = np.where(point == 2, 0.7, x)
    write_table(path, table)
    figure, _ = places.picture(path, Choice(), None)
    found = curves(figure.axes[0])
    ok(len(found) == 5 and np.allclose(found["(0.7, 0.2)"], [20, 22, 24]), "points over time")
    code, out, err = call(path, "--probe", "g1")
    ok(code == 2 and "--probe is not for" in err and "--column" in err, "other options", err)
    code, out, err = call(path, "--column", "presure")
    ok(code == 2 and "did you mean 'pressure'?" in err, "a column that is not there", err)
    code, out, err = call(os.path.join(scratch, "missing.csv"))
    ok(code == 3 and "No such file" in err, "a file that is not there", err)


def write_image(path, time, count, values):
    """An image as `sluice measure` writes it: a plane has a second layer."""
    with h5py.File(path, "w") as file:
        group = file.create_group("VTKHDF")
        group.attrs["Type"] = np.bytes_("ImageData")
        thin = [n == 1 for n in count]
        shape = [2 if n == 1 else n for n in count][::-1]
        group.attrs["Origin"] = np.array([1.0, 2.0, 3.0])
        group.attrs["Spacing"] = np.where(thin, 1e-4, 0.1)
        weight = np.broadcast_to(np.linspace(1, 0, count[2])[:, None, None], shape)
        for name, array in (("Pressure_max", np.broadcast_to(values, shape)), ("Weight", weight),
                            ("Valid", (weight > 0.05).astype(float))):  # fmt: skip
            group.create_dataset(f"PointData/{name}", data=array).attrs["units"] = np.bytes_(
                "Pa" if name == "Pressure_max" else "1")  # fmt: skip
        file.create_group("Header").attrs["Time"] = time


def image_of(path, field="", **more):
    args = {"run_dir": [path], "choice": Choice(), "times": None, "snapshots": None,
            "field": field, "range": "", "slice": ""} | more  # fmt: skip
    found = type("Arguments", (), args)()
    return images.picture([(path, 0.5)], found)


def test_images(scratch):
    path = os.path.join(scratch, "measure_plane_000003.hdf")
    values = np.arange(7)[None, None, :] * 1000.0
    write_image(path, 0.5, (7, 1, 4), values)
    figure, said = image_of(path)
    axes = figure.axes[0]
    drawn = np.ma.filled(axes.collections[0].get_array().astype(float), np.nan).reshape(4, 7)
    ok(np.allclose(drawn[:3], np.arange(7) * 1000.0) and np.isnan(drawn[3]).all(),
       "a plane, with a gap where it is not valid", drawn)
    ok((axes.get_xlabel(), axes.get_ylabel(), figure.axes[-1].get_xlabel())
       == ("x (m)", "z (m)", "pressure max (kPa)"), "its axes and its colours",
       figure.axes[-1].get_xlabel())  # fmt: skip
    refused(lambda: image_of(path, "speed"), "no field 'speed': there are pressure_max")
    grid = os.path.join(scratch, "measure_grid.hdf")
    write_image(grid, 0.5, (7, 3, 4), values + 1e4 * np.arange(3)[None, :, None])
    refused(lambda: image_of(grid), "is a grid of 7 x 3 x 4 places: choose a plane of it with")
    figure, said = image_of(grid, slice="y=2.11")
    drawn = figure.axes[0].collections[0].get_array().reshape(4, 7)
    ok(np.allclose(drawn[0], 1e4 + np.arange(7) * 1000.0) and "at y = 2.1 m" in said[0],
       "the nearest layer of a grid", said)  # fmt: skip
    refused(lambda: image_of(grid, slice="y=9"), "the grid reaches from 2 to 2.2 m")
    code, out, err = call(path, "--camera", "top")
    ok(code == 2 and "--camera is not for" in err, "a view of an image makes no sense", err)


def test_start(scratch):
    """The particles that `sluice check --write` writes."""
    path = os.path.join(scratch, "start.hdf")
    made = subprocess.run([os.environ["SLUICE"], "check", "--quiet", "--write", path, "--set",
                           "spacing=0.005715", os.path.join(ROOT, "configs", "dam_break.cfg")],
                          capture_output=True, text=True)  # fmt: skip
    code, out, err = call(path, "--out", scratch)
    picture = os.path.join(scratch, "start.png")
    ok(made.returncode == 0 and code == 0 and out.split() == [picture], "start.png", out + err)
    image = matplotlib.image.imread(picture)[..., :3]
    colours = np.unique((image * 15).astype(int) @ [256, 16, 1])
    ok(len(colours) > 20, "coloured by the pressure at rest", len(colours))
    with h5py.File(path, "r+") as file:
        del file["VTKHDF/PointData/ParticleType"]
    code, out, err = call(path)
    ok(code == 3 and "neither an image" in err, "another file of ParaView", err)


probes.plt.rcParams["savefig.dpi"] = 60
with tempfile.TemporaryDirectory() as directory:
    test_choice(directory)
    test_bodies(directory)
    test_moorings(directory)
    test_openings(directory)
    test_openings_of_runs(directory)
    test_tables(directory)
    test_images(directory)
    test_start(directory)
finish()

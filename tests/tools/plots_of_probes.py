#!/usr/bin/env python3
# test: 5 s
"""How the tables of probes are drawn: all quantities of a gas, lines of points, filtered forces,
and several runs."""

import os
import subprocess
import sys
import tempfile

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import ROOT, finish, ok  # noqa: E402

from sluice import Run  # noqa: E402, I100
from sluice.config import Config as Settings  # noqa: E402, I100
from sluice.units import units_of  # noqa: E402

from plot import probes, several  # noqa: E402, I100
from plot.choice import Choice  # noqa: E402
from plot.lowpass import LowPass  # noqa: E402
from plot.modules import AskedError  # noqa: E402
from plot.pictures import draw_comparison  # noqa: E402
from plot.reference import Comparison  # noqa: E402


class Config:
    """A run of which the ends of a line are known."""

    units = units_of("si", 2)
    dimension = 2

    def __init__(self, **ends):
        self.config = Settings(probes=[Settings(ends, name="line")])


RUN = Config(**{"from": [0.0, 1.0], "to": [3.0, 1.0]})


def test_all_quantities():
    """A probe of a gas that has all quantities: a panel each; a line of few rows has profiles."""
    columns = ("density", "pressure", "energy", "vx", "vy", "smoothing_length", "weight")
    point = {"step": np.arange(3), "time": np.linspace(0, 1, 3)}
    wide = point | {f"{name}_{n}": np.full(3, n + 1.0) for n in range(4) for name in columns}
    ok(probes.panels("P1", point | {"vx": 1, "vy": 2, "weight": 1})[0][2] == "",
       "a probe of one quantity has one panel")
    found = probes.panels("line", wide)
    ok([panel[2] for panel in found]
       == ["density", "pressure", "energy", "velocity", "smoothing length"],
       "a probe of all quantities: a panel each")
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, RUN, found[3])
    drawn = [line.get_ydata() for line in axes.get_lines()]
    ok(len(drawn) == 3 and np.allclose(drawn[0], np.arange(1, 5))
       and axes.get_ylabel() == "vx (m/s)" and axes.get_title() == "probe line: velocity",
       "a line of three rows: a profile of the largest component each")
    axes = probes.plt.figure().subplots()
    probes.draw_probe(axes, RUN, "P1", point | {"energy": np.ones(3), "weight": np.ones(3)})
    ok(axes.get_ylabel() == "energy (J/kg)", "the energy is that of a kilogram")


def test_sections():
    """A flux and its volume, and the numbers of a crest, share no axis."""
    time = {"step": np.arange(3), "time": np.linspace(0, 1, 3)}
    table = time | {name: np.ones(3) for name in ("flux", "volume")}
    shown = [[name for name in panel[1] if name not in time] for panel in probes.panels("S", table)]
    ok(shown == [["flux"], ["volume"]], "a flux probe has two panels", shown)
    names = "q q_mean passed returned events event_volume last_volume largest_volume".split()
    table = time | {name: np.ones(3) for name in names}
    axes = probes.plt.figure().subplots()
    for panel, wanted in zip(probes.panels("C", table),
                             ("q (m$^3$/(s m))", "passed (m$^3$/m)", "event volume (m$^3$/m)")):
        axes.clear()
        probes.draw_panel(axes, RUN, panel)
        ok(axes.get_ylabel() == wanted, wanted, axes.get_ylabel())


def test_places():
    """A line along an axis is drawn over its coordinate, another one over the distance."""
    label, place = probes.places(Config(**{"from": [1.0, 2.0], "to": [1.0, 4.0]}), "line", 3)
    ok(label == "y (m)" and list(place) == [2, 3, 4], "a line along y: its y")
    label, place = probes.places(Config(**{"from": [0.0, 0.0], "to": [3.0, 4.0]}), "line", 2)
    ok(label == "along the line (m)" and list(place) == [0, 5], "a slanting line: its length")
    label, place = probes.places(Config(), "line", 2)
    ok(label == "point along the line" and list(place) == [0, 1], "without ends: numbers")


def test_profiles():
    """u(y) of an upright line has y upwards; many rows have colours, and five profiles."""
    upright = Config(**{"from": [1.0, 2.0], "to": [1.0, 4.0]})
    time = np.linspace(0, 1, 41)
    table = {"step": np.arange(41), "time": time}
    for n in range(3):
        table |= {f"vx_{n}": -time * n, f"vy_{n}": 0 * time, f"weight_{n}": 1 + 0 * time}
    kinds = [panel[3] for panel in probes.panels("line", table)]
    ok(kinds == ["colours", "profiles"], "a line of many rows", kinds)
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", table, "", "profiles"), [0.5])
    (line,) = axes.get_lines()
    ok(list(line.get_ydata()) == [2, 3, 4] and np.allclose(line.get_xdata(), [0, -0.5, -1])
       and (axes.get_xlabel(), axes.get_ylabel()) == ("vx (m/s)", "y (m)"),
       "its profile at the time asked for, with its sign")
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", table, "", "profiles"))
    looks = {(line.get_color(), str(line.get_linestyle())) for line in axes.get_lines()}
    ok(len(looks) == probes.PROFILES, "five profiles, each in its own look", looks)


def test_dry_places():
    """Where the weight is below 0.05 the tables have 0, which is no value: it is not drawn."""
    upright = Config(**{"from": [1.0, 2.0], "to": [1.0, 5.0]})
    time = np.linspace(0, 1, 9)
    table = {"step": np.arange(9), "time": time}
    for n, weight in enumerate((1.0, 0.05, 0.0499, 0.0)):
        speed = 3.0 if weight >= 0.05 else 0.0
        table |= {f"vx_{n}": 0 * time + speed, f"weight_{n}": 0 * time + weight}
    wet = [True, True, False, False]
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", table, "", "profiles"), [0.5])
    drawn = axes.get_lines()[0].get_xdata()
    ends = np.array_equal(np.isfinite(drawn), wet)
    ok(ends, "a profile ends at the water's surface", list(drawn))
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", table, "", "colours"))
    mask = np.ma.getmaskarray(axes.collections[0].get_array()).reshape(4, 9)
    ok(np.array_equal(mask, np.repeat([[not w] for w in wet], 9, axis=1)),
       "and so do the colours over time and height", mask.tolist())
    axes = probes.plt.figure().subplots()
    look = {"color": "black", "label": "run"}
    values = probes.values_of(probes.sites(table)["vx"], table)
    several.draw_profile(axes, upright, "line", "vx", table, 1.0, look, values)
    drawn = axes.get_lines()[0].get_xdata()
    ok(np.array_equal(np.isfinite(drawn), wet), "and the profiles of several runs", list(drawn))
    point = {"time": time, "vx": np.full(9, 3.0), "weight": np.where(time < 0.3, 0.04, 0.06)}
    drawn = probes.measured(point, "vx")
    ok(np.array_equal(np.isnan(drawn), time < 0.3), "a point that is dry for a while", list(drawn))


def test_two_axes():
    """A force and its torque have one line of 0, and the legend says whose axis is whose."""
    run = lambda: None  # noqa: E731
    run.units, run.dimension = units_of("wcsph", 3), 3
    time = np.linspace(0, 1, 11)
    table = {"time": time, "fx": 400 * time, "fy": -30 * time, "tx": 5 - 60 * time}
    axes = probes.plt.figure().subplots()
    probes.draw_probe(axes, run, "F", table)
    left, right = axes.figure.axes
    zeros = [float(-low / (high - low)) for low, high in (left.get_ylim(), right.get_ylim())]
    ok(abs(zeros[0] - zeros[1]) < 1e-12 and 0 < zeros[0] < 1, "force and torque share 0", zeros)
    ends = ((left, -30), (left, 400), (right, -55), (right, 5))
    inside = all(a.get_ylim()[0] < value < a.get_ylim()[1] for a, value in ends)
    ok(inside, "and nothing is cut off", (left.get_ylim(), right.get_ylim()))
    names = [text.get_text() for text in left.get_legend().get_texts()]
    ok(names == ["fx", "fy", "tx (right axis)"], "the legend names the axis", names)
    axes.figure.canvas.draw()
    box, panel = left.get_legend().get_window_extent(), left.get_window_extent()
    ok(box.y1 < panel.y0, "and covers no curve: it is below them", (box.y1, panel.y0))
    table = {"time": time, "pressure": 13000 * time}
    axes = probes.plt.figure().subplots()
    probes.draw_probe(axes, run, "P", table)
    ticks = axes.yaxis.get_major_formatter()(13000.0, 0)
    ok((axes.get_ylabel(), ticks) == ("pressure (kPa)", "13"), "a large pressure is in kPa",
       (axes.get_ylabel(), ticks))  # fmt: skip


def test_gauges():
    """A gauge has its elevation and its theory, if there is one, in metres, and a legend above; a
    gauge that begins dry has its height. None shares its axis with the bed."""
    time = np.linspace(0, 8, 81)
    wave = 0.1 * np.sin(2 * time)
    table = {"time": time, "height": 0.5 + wave, "bed": 0 * time, "depth": 0.5 + wave,
             "elevation": wave}
    none = np.full(len(time), np.nan)
    for more, wanted, what in (
            ({"theory": wave}, ["elevation", "theory"], "a wave gauge"),
            ({"theory": none}, ["elevation"], "a gauge that waves do not come to"),
            ({}, ["elevation"], "water without waves"),
            ({"theory": wave, "elevation": none}, ["height"], "a dry start")):
        axes = probes.plt.figure(figsize=(4.4, 2.7)).subplots()
        probes.draw_probe(axes, Config(), "wg", table | more)
        drawn = [line.get_label() for line in axes.get_lines()]
        ok(drawn == wanted, what, drawn)
        ok(axes.get_ylabel() == f"{wanted[0]} (m)", "in metres", axes.get_ylabel())
        axes.figure.canvas.draw()
        legend = axes.get_legend()
        top = axes.transData.transform((0, max(line.get_ydata().max()
                                               for line in axes.get_lines())))[1]  # fmt: skip
        ok(legend is None or legend.get_window_extent().y0 >= top, "the legend is above the crests")
        probes.plt.close(axes.figure)


def test_comparison(scratch):
    """The axis of a comparison, and those of lines of points, are in kPa, too."""
    path = os.path.join(scratch, "reference.csv")
    with open(path, "w") as file:
        file.write("t,p\n0,0\n1,13000\n")
    table = {"time": np.linspace(0, 1, 11), "pressure": 13000 * np.linspace(0, 1, 11)}
    for label, wanted, tick in (("pressure P1 (Pa)", "pressure P1 (kPa)", "13"),
                                ("P1 / (rho g H)", "P1 / (rho g H)", None), ("", "p", None)):
        axes = probes.plt.figure().subplots()
        draw_comparison(axes, Comparison("P1", path, "t", "p", y_label=label), table)
        shown = axes.yaxis.get_major_formatter()(13000.0, 0) if tick else None
        ok((axes.get_ylabel(), shown) == (wanted, tick), f"'{label}' is '{wanted}'",
           (axes.get_ylabel(), shown))  # fmt: skip
    time = np.linspace(0, 4, 401)
    shaken = {"time": time, "pressure": 13000 * time + 500 * np.sin(2 * np.pi * 20 * time)}
    axes = probes.plt.figure().subplots()
    draw_comparison(axes, Comparison("P1", path, "t", "p"), shaken, LowPass(2.0))
    smooth = next(line for line in axes.get_lines() if line.get_label() == "Sluice").get_ydata()
    ok(np.abs(smooth - 13000 * time)[50:-50].max() < 10 and axes.get_title().startswith("low-pass"),
       "and the line is filtered, if asked for", np.abs(smooth - 13000 * time)[50:-50].max())
    line = {"time": np.linspace(0, 1, 11)}
    line |= {f"pressure_{n}": 6500 * n + 0 * line["time"] for n in range(3)}
    upright = Config(**{"from": [1.0, 2.0], "to": [1.0, 4.0]})
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", line, "", "profiles"))
    ok(axes.get_xlabel() == "pressure (kPa)", "so are profiles", axes.get_xlabel())
    axes = probes.plt.figure().subplots()
    probes.draw_panel(axes, upright, ("line", line, "", "colours"))
    bar = axes.figure.axes[1].yaxis
    ok((bar.get_label_text(), bar.get_major_formatter()(13000.0, 0)) == ("pressure (kPa)", "13"),
       "and colours", bar.get_label_text())  # fmt: skip


def test_low_pass():
    """The gain of a Butterworth filter of order 2, both ways: 1/(1 + (f/f0)^4) at any f, with f0
    such that half the power is left at the frequency asked for."""
    time = np.arange(0, 4, 0.001)
    inside = slice(1000, 3000)
    power = 1 / (np.sqrt(2) - 1)
    for frequency in (5.0, 20.0, 60.0):
        wave = np.sin(2 * np.pi * frequency * time)
        found = LowPass(20.0).filtered(time, wave)[inside]
        gain = 2 * np.mean(found * wave[inside])
        wanted = 1 / (1 + (frequency / 20) ** 4 / power)
        ok(abs(gain - wanted) < 0.01, f"{frequency:g} Hz through 20 Hz", (gain, wanted))
    ramp = LowPass(20.0).filtered(time, 3 + 2 * time)
    ok(np.abs(ramp - 3 - 2 * time).max() < 1e-6, "a ramp stays, to its ends")
    gap = np.where(np.abs(time - 2) < 0.1, np.nan, 1.0)
    kept = LowPass(20.0).filtered(time, gap)
    ok(np.array_equal(np.isnan(kept), np.isnan(gap)) and np.allclose(kept[~np.isnan(gap)], 1),
       "a gap stays a gap")
    coarse = LowPass(900.0)
    ok(coarse.smooth(time, ramp, "probe F") is None, "a frequency that the rows do not have")
    try:
        coarse.remarks()
        ok(False, "a filter that filters nothing is an error")
    except AskedError as error:
        ok("probe F are 0.001 s apart, so that at most 400 Hz" in str(error), f"refused: {error}")
    coarse.frequency = 20.0
    ok(coarse.smooth(time, ramp, "G", "theory") is None, "a theory is not filtered")
    ok(coarse.smooth(time, ramp, "G", "fx") is not None and len(coarse.remarks()) == 1,
       "one filtered curve: the other one is a remark", coarse.remarks())


def make_run(folder, spacing, factor, title="One case"):
    os.makedirs(folder)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write(f'title = "{title}"; dimension = 2; spacing = {spacing};')
    with open(os.path.join(folder, "probe_front.csv"), "w") as file:
        file.write("step,time,front\n")
        file.writelines(f"{k},{0.1 * k},{factor * k}\n" for k in range(9))
    return folder


def test_several(scratch):
    folders = [make_run(os.path.join(scratch, name), dp, k + 1.0)
               for k, (name, dp) in enumerate((("a", 0.02), ("b", 0.01), ("c", 0.005)))]
    choice = Choice(low_pass=LowPass(2.0))
    figure, said = several.compared_picture([Run(path) for path in folders], choice)
    ok(not said and figure.axes[0].get_title().startswith("probe front\nlow-pass 2 Hz"),
       "the curves of several runs are filtered", figure.axes[0].get_title())
    figure, said = several.compared_picture([Run(path) for path in folders])
    lines = figure.axes[0].get_lines()
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    ok(names == ["dp 0.02 m", "dp 0.01 m", "dp 0.005 m"] and not said, "runs by their spacings",
       names)
    ok([line.get_ydata()[-1] for line in lines] == [8, 16, 24], "the front of each run")
    ends = {tuple(np.round(place.get_xlim(), 9)) for place in figure.axes}
    ok(ends == {(0.0, 0.8)}, "all panels have the same times", ends)
    ok(len({line.get_color() for line in lines}) == 3
       and [line.get_linestyle() for line in lines] == ["-", "--", "--"], "each in its own look")
    tool = [sys.executable, os.path.join(ROOT, "tools", "sluice_plot.py")]
    out = os.path.join(scratch, "out")
    made = subprocess.run([*tool, *folders, "--out", out, "--format", "pdf"], capture_output=True,
                          text=True)
    with open(os.path.join(out, "compare.pdf"), "rb") as file:
        ok(made.returncode == 0 and file.read(5) == b"%PDF-", "compare.pdf", made.stderr)
    other = make_run(os.path.join(scratch, "d"), 0.01, 1.0, "Another case")
    made = subprocess.run([*tool, folders[0], other, "--out", out], capture_output=True, text=True)
    ok(made.returncode == 0 and "different titles" in made.stdout, "another title gives a warning",
       made.stdout + made.stderr)
    late = Run(make_run(os.path.join(scratch, "e"), 0.03, 1.0))
    with open(late.file("probe_front.csv"), "a") as file:
        file.write("9,1.5,9\n")
    for name, stays in (("flux", True), ("vz", False), ("tx", False), ("depth", True)):
        tables = {0: {"time": [0, 1], name: np.zeros(2)}, 1: {"time": [0, 1], name: np.zeros(2)}}
        is_still = several.is_still(("probe", "P", name), tables)
        ok(is_still != stays, f"{name} of 0: drawn is {stays}")
    figure, said = several.compared_picture([Run(folders[0]), late])
    ok(figure.axes[0].get_xlim() == (0, 1.5), "those of the longest run", figure.axes[0].get_xlim())
    made = subprocess.run([*tool, *folders, "--slice", "y=1"], capture_output=True, text=True)
    ok(made.returncode == 2 and "--slice is for one run, and 3 are given" in made.stderr,
       "options of one run are refused", made.stderr)


test_all_quantities()
test_sections()
test_places()
test_profiles()
test_dry_places()
test_two_axes()
test_gauges()
test_low_pass()
with tempfile.TemporaryDirectory() as directory:
    test_several(directory)
    test_comparison(directory)
finish()

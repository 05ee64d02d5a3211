"""Shows a run in ParaView: water by speed, walls translucent, obstacles grey, bodies solid.

As a macro: open run.hdf.series, select it in the pipeline, press the macro's button. Install it
with Macros > Import new macro.

As a state: File > Load State, or from a shell

    paraview --script=tools/paraview/sluice_view.py          run.hdf.series of the working folder
    pvpython tools/paraview/sluice_view.py RUN_DIR --save-state RUN_DIR/run.pvsm
    pvbatch tools/paraview/sluice_view.py RUN_DIR --screenshot view.png --time 0.5

SLUICE_RUN names another folder. ParaView 5.11 or later.
"""

import argparse
import os
import sys

from paraview import simple

SERIES, BODIES = "run.hdf.series", "bodies.hdf.series"
WATER = [  # speed from 0 to 1 as red, green, blue: ColorBrewer's YlGnBu without its palest end
    0.00, 0.05, 0.13, 0.39, 0.25, 0.14, 0.30, 0.60, 0.50, 0.13, 0.55, 0.75,
    0.75, 0.40, 0.75, 0.76, 1.00, 0.87, 0.95, 0.70,
]  # fmt: skip
GREY, ORANGE, PALE = [0.62] * 3, [0.90, 0.55, 0.10], [0.75] * 3


def fail(words):
    raise RuntimeError(f"sluice_view: {words}")


def arguments():
    """The options of a shell; a macro has none."""
    parser = argparse.ArgumentParser(prog="sluice_view.py", description="Shows a run in ParaView.")
    parser.add_argument("run_dir", nargs="?", help=f"the folder of a run, which has {SERIES}")
    parser.add_argument("--save-state", metavar="FILE", help="write a state, FILE.pvsm")
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture, FILE.png")
    parser.add_argument("--time", type=float, help="s (default: the last snapshot)")
    parser.add_argument("--size", nargs=2, type=int, default=(1280, 720), metavar=("W", "H"))
    options, unknown = parser.parse_known_args()  # a session of ParaView has its own
    if unknown:
        print(f"sluice_view: no such option, ignored: {' '.join(unknown)}", file=sys.stderr)
    return options


def file_of(source):
    """The file that a reader of the pipeline shows."""
    names = getattr(source, "FileName", "") if source else ""
    return names if isinstance(names, str) else (list(names) or [""])[0]


def find_run(options):
    """The reader of the run that is selected or named, and its folder."""
    active = simple.GetActiveSource()
    if not options.run_dir and os.path.basename(file_of(active)) == SERIES:
        return active, os.path.dirname(file_of(active))
    folder = options.run_dir or os.environ.get("SLUICE_RUN") or os.getcwd()
    series = os.path.join(folder, SERIES)
    if not os.path.isfile(series):
        fail(f"{series}: there is no such file. Open {SERIES} of a run and select it, or name the "
             "run's folder in SLUICE_RUN")  # fmt: skip
    reader = simple.OpenDataFile(series)
    if reader is None:
        fail(f"{series}: this ParaView cannot open it; 5.11 or later can")
    return reader, folder


def times_of(reader):
    times = reader.TimestepValues  # one value alone is a number
    return list(times) if hasattr(times, "__len__") else [times]


def texts(data, name):
    """The values of an array of texts in a file's FieldData."""
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(k) for k in range(array.GetNumberOfValues())] if array else []


def choose(reader, array, low, high, name):
    """Points whose array is from low to high, as a named filter."""
    found = simple.Threshold(registrationName=name, Input=reader, Scalars=["POINTS", array],
                             ThresholdMethod="Between", LowerThreshold=low - 0.5,
                             UpperThreshold=high + 0.5)  # fmt: skip
    found.UpdatePipeline()
    return found


def bounds_of(source):
    return source.GetDataInformation().DataInformation.GetBounds()


def spacing_of(water):
    """A particle's width, from its volume."""
    data = simple.servermanager.Fetch(water)
    points = data.GetPointData()
    mass, density = points.GetArray("Mass"), points.GetArray("Density")
    bounds, count = data.GetBounds(), max(data.GetNumberOfPoints(), 1)
    flat = bounds[4] == bounds[5]
    sides = [bounds[2 * c + 1] - bounds[2 * c] for c in range(2 if flat else 3)]
    volume = 1.0
    for side in sides:
        volume *= side
    volume /= count
    if mass and density and data.GetNumberOfPoints():
        volume = mass.GetTuple1(0) / density.GetTuple1(0)
    return volume ** (1 / len(sides)), flat


def holds(walls, water):
    """Whether walls reach beyond the water to all sides, so that they would hide it."""
    return walls[0] <= water[0] and walls[1] >= water[1] and (
        walls[2] <= water[2] and (walls[3] >= water[3] or water[4] == water[5])
    )  # fmt: skip


def show_points(source, view, radius, flat, colour=None, opacity=1.0):
    display = simple.Show(source, view)
    display.SetRepresentationType("Point Gaussian")
    display.ShaderPreset = "Plain circle" if flat else "Sphere"
    display.GaussianRadius = radius
    display.Opacity = opacity
    if colour:
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = colour
    return display


def usual_speed(water, times):
    """A speed that few particles exceed at any time: spray is faster than the water."""
    found = []
    for time in times[:: max(len(times) // 6, 1)] + times[-1:]:
        water.UpdatePipeline(time)
        array = simple.servermanager.Fetch(water).GetPointData().GetArray("Velocity")
        count = array.GetNumberOfTuples() if array else 0
        tuples = (array.GetTuple(i) for i in range(0, count, max(count // 5000, 1)))
        found += [sum(c * c for c in velocity) ** 0.5 for velocity in tuples]
    return sorted(found)[int(0.995 * len(found))] if found else 0.0


def colour_by_speed(water, display, view, times):
    """The same colours at all times."""
    simple.ColorBy(display, ("POINTS", "Velocity", "Magnitude"))
    table = simple.GetColorTransferFunction("Velocity")
    table.RGBPoints = WATER
    table.ColorSpace = "Lab"
    table.RescaleTransferFunction(0.0, usual_speed(water, times) or 1.0)
    bar = simple.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = "speed (m/s)", ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.RangeLabelFormat = "%.3g"
    display.SetScalarBarVisibility(view, True)


def show_bodies(folder, view):
    """The bodies' surfaces; returns their names."""
    series = os.path.join(folder, BODIES)
    if not os.path.isfile(series):
        return []
    reader = simple.OpenDataFile(series)
    simple.RenameSource("bodies", reader)
    reader.UpdatePipeline()
    display = simple.Show(reader, view)
    display.SetRepresentationType("Surface")
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = ORANGE
    return texts(simple.servermanager.Fetch(reader), "BodyNames")


def show_groups(reader, names, bodies, water, view):
    """A named filter for each group that has wall particles."""
    spacing, flat = spacing_of(water)
    walls = choose(reader, "ParticleType", 1, 1, "all walls")
    numbers = simple.servermanager.Fetch(walls).GetPointData().GetArray("Shape")
    used = sorted({int(numbers.GetTuple1(i)) for i in range(numbers.GetNumberOfTuples())}) \
        if numbers else []  # fmt: skip
    simple.Hide(walls, view)
    for number in used:
        name = names[number] if number < len(names) else f"group {number}"
        kind = "body" if name in bodies else "obstacle"
        group = choose(walls, "Shape", number, number, name)
        if kind == "obstacle" and holds(bounds_of(group), bounds_of(water)):
            kind = "wall"
        simple.RenameSource(f"{kind} {name}", group)
        if kind == "body":  # its surface is shown
            simple.Hide(group, view)
        else:
            wall = kind == "wall"
            show_points(group, view, 0.5 * spacing, flat, PALE if wall else GREY,
                        0.06 if wall and not flat else 1.0)  # fmt: skip


def make_view(reader, bounds, flat, size):
    view = simple.GetActiveViewOrCreate("RenderView")
    view.ViewSize = list(size)
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = int(not flat)
    clock = simple.AnnotateTimeFilter(reader, registrationName="time")
    clock.Format = "t = {time:.3f} s"
    display = simple.Show(clock, view)
    display.Color = [0.1, 0.1, 0.1]
    middle = [(bounds[2 * c] + bounds[2 * c + 1]) / 2 for c in range(3)]
    towards = (0, 0, 1) if flat else (0.47, -0.81, 0.34)  # azimuth 30, elevation 20 degrees
    view.CameraParallelProjection = 1
    view.CameraFocalPoint = middle
    view.CameraPosition = [x + d for x, d in zip(middle, towards)]
    view.CameraViewUp = [0, 1, 0] if flat else [0, 0, 1]
    return view


def main():
    options = arguments()
    reader, folder = find_run(options)
    times = times_of(reader)
    reader.UpdatePipeline(times[0])
    names = texts(simple.servermanager.Fetch(reader), "ShapeNames")
    simple.RenameSource(os.path.basename(os.path.abspath(folder)), reader)
    water = choose(reader, "ParticleType", 0, 0, "water")
    spacing, flat = spacing_of(water)
    view = make_view(reader, bounds_of(reader), flat, options.size)
    simple.Hide(reader, view)
    display = show_points(water, view, (0.75 if flat else 0.6) * spacing, flat)
    bodies = show_bodies(folder, view)
    show_groups(reader, names, bodies, water, view)
    colour_by_speed(water, display, view, times)
    simple.SetActiveSource(water)
    simple.ResetCamera(view)
    view.CameraParallelScale *= 0.75  # it fits a ball around all
    view.ViewTime = min(times, key=lambda t: abs(t - (times[-1] if options.time is None
                                                      else options.time)))  # fmt: skip
    simple.GetAnimationScene().AnimationTime = view.ViewTime
    simple.Render(view)
    if options.screenshot:
        simple.SaveScreenshot(options.screenshot, view, ImageResolution=list(options.size))
    if options.save_state:
        simple.SaveState(options.save_state)


try:
    main()
except RuntimeError as error:
    print(error, file=sys.stderr)
    if __name__ == "__main__" and len(sys.argv) > 1:
        sys.exit(1)

"""Draws a run with ParaView: one picture a snapshot, and a movie of them where ffmpeg is found.

    pvbatch tools/paraview/movie.py RUN_DIR
    xvfb-run -a pvbatch tools/paraview/movie.py RUN_DIR      (on a machine without a display)

ParaView 5.11 or later (Debian and Ubuntu: paraview, python3-paraview, xvfb).
"""

import argparse
import os
import shutil
import subprocess
import sys

UNITS = {"Velocity": "speed (m/s)", "Pressure": "pressure (Pa)", "Density": "density (kg/m^3)"}


def arguments():
    parser = argparse.ArgumentParser(
        prog="pvbatch movie.py",
        description="Draws a run with ParaView: pictures of its snapshots, and a movie of them.",
    )
    parser.add_argument("run_dir", help="folder of a run: the one that holds run.hdf.series")
    parser.add_argument("--out", help="folder for the pictures (default: RUN_DIR/frames)")
    parser.add_argument("--field", default="Velocity", choices=sorted(UNITS), help="what colours")
    parser.add_argument("--range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of colours")
    parser.add_argument("--size", nargs=2, type=int, default=(1280, 720), metavar=("W", "H"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth snapshot")
    parser.add_argument("--last", action="store_true", help="only the last snapshot")
    parser.add_argument("--no-walls", action="store_true", help="leave the wall particles out")
    parser.add_argument(
        "--from",
        dest="direction",
        nargs=3,
        type=float,
        default=(0.6, -1.0, 0.5),
        metavar=("X", "Y", "Z"),
        help="where a 3-D run is looked at from (default: 0.6 -1 0.5)",
    )
    parser.add_argument("--rate", type=int, default=25, metavar="N", help="frames a second")
    parser.add_argument("--no-movie", action="store_true", help="only the pictures")
    return parser.parse_args()


def particles(simple, reader, kind):
    return simple.Threshold(
        Input=reader,
        Scalars=["POINTS", "ParticleType"],
        ThresholdMethod="Between",
        LowerThreshold=kind - 0.5,  # a bound of 0 would be taken for not set
        UpperThreshold=kind + 0.5,
    )


def spacing_of(reader, simple):
    """A particle's width, from its volume: ParaView does not read the snapshots' own headers."""
    data = simple.servermanager.Fetch(reader)
    points = data.GetPointData()
    mass, density = points.GetArray("Mass"), points.GetArray("Density")
    flat = data.GetBounds()[4] == data.GetBounds()[5]
    if mass is None or density is None or data.GetNumberOfPoints() == 0:
        low = data.GetBounds()
        volume = (low[1] - low[0]) * (low[3] - low[2]) * (1 if flat else low[5] - low[4])
        volume /= max(data.GetNumberOfPoints(), 1)
    else:
        volume = mass.GetTuple1(0) / density.GetTuple1(0)
    return volume ** (1 / 2 if flat else 1 / 3), flat


def show(simple, source, view, radius):
    display = simple.Show(source, view)
    display.SetRepresentationType("Point Gaussian")
    display.ShaderPreset = "Plain circle" if "Plain circle" in presets(display) else "Sphere"
    display.GaussianRadius = radius
    return display


def presets(display):
    try:
        return list(display.GetProperty("ShaderPreset").Available)
    except AttributeError:
        return []


def colour(simple, display, view, options, reader, times):
    component = ("Magnitude",) if options.field == "Velocity" else ()
    simple.ColorBy(display, ("POINTS", options.field, *component))
    table = simple.GetColorTransferFunction(options.field)
    table.ApplyPreset("Viridis (matplotlib)", True)
    low, high = options.range or value_range(reader, simple, options.field, times)
    table.RescaleTransferFunction(low, high)
    bar = simple.GetScalarBar(table, view)
    # Plain text: ParaView sets titles with markup in its own fonts, if at all.
    bar.Title = UNITS[options.field]
    bar.ComponentTitle = ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.TitleFontSize = bar.LabelFontSize = 14
    bar.RangeLabelFormat = "%.3g"
    bar.HorizontalTitle = 1
    bar.Visibility = 1
    display.SetScalarBarVisibility(view, True)


def value_range(reader, simple, field, times):
    """The same for all pictures: over a few of the snapshots, extremes left out."""
    values = []
    for t in times[:: max(len(times) // 8, 1)]:
        reader.UpdatePipeline(t)
        array = simple.servermanager.Fetch(reader).GetPointData().GetArray(field)
        if array is None:
            sys.exit(f"the run has no {field}: Lennard-Jones particles have only Velocity")
        for i in range(0, array.GetNumberOfTuples(), max(array.GetNumberOfTuples() // 20000, 1)):
            tuple_ = array.GetTuple(i)
            values.append(sum(c * c for c in tuple_) ** 0.5 if len(tuple_) > 1 else tuple_[0])
    values.sort()
    if not values:
        return 0.0, 1.0
    low = 0.0 if field == "Velocity" else values[len(values) // 200]
    high = values[-1 - len(values) // 200]
    return (low, high) if high > low else (low, low + 1.0)


def look(simple, view, bounds, flat, options):
    centre = [(bounds[2 * c] + bounds[2 * c + 1]) / 2 for c in range(3)]
    size = [bounds[2 * c + 1] - bounds[2 * c] for c in range(3)]
    view.CameraFocalPoint = centre
    view.CameraParallelProjection = 1
    if flat:
        view.CameraPosition = [centre[0], centre[1], centre[2] + 1]
        view.CameraViewUp = [0, 1, 0]
    else:
        view.CameraPosition = [x + d for x, d in zip(centre, options.direction)]
        view.CameraViewUp = [0, 0, 1]
    simple.ResetCamera(view)
    if flat:  # fills the picture, with room for the colour bar
        aspect = options.size[0] / options.size[1]
        view.CameraParallelScale = 0.55 * max(size[1], 1.25 * size[0] / aspect)


def make_view(simple, options):
    simple._DisableFirstRenderCameraReset()
    view = simple.CreateView("RenderView")
    view.ViewSize = list(options.size)
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    return view


def draw(simple, reader, times, options):
    """The pictures; returns their names."""
    view = make_view(simple, options)
    fluid, walls = particles(simple, reader, 0), particles(simple, reader, 1)
    fluid.UpdatePipeline(times[0])
    spacing, flat = spacing_of(fluid, simple)
    display = show(simple, fluid, view, 0.6 * spacing)  # overlapping a little
    colour(simple, display, view, options, fluid, times)
    if not options.no_walls:
        wall_display = show(simple, walls, view, (0.5 if flat else 0.1) * spacing)
        wall_display.ColorArrayName = ["POINTS", ""]
        wall_display.AmbientColor = wall_display.DiffuseColor = [0.75, 0.75, 0.75]
    clock = simple.AnnotateTimeFilter(reader)
    clock.Format = "t = {time:.3f} s"
    clock_display = simple.Show(clock, view)
    clock_display.Color = [0, 0, 0]
    clock_display.FontSize = 18
    reader.UpdatePipeline(times[0])
    shown = fluid if options.no_walls else reader
    look(simple, view, shown.GetDataInformation().DataInformation.GetBounds(), flat, options)

    names = []
    for number, time in enumerate(times):
        view.ViewTime = time
        names.append(os.path.join(options.out, f"frame_{number:05d}.png"))
        simple.SaveScreenshot(names[-1], view, ImageResolution=list(options.size))
        print(f"{names[-1]}  t = {time:.6g}", flush=True)
    return names


def join(options):
    """A movie of the pictures."""
    movie = os.path.join(options.out, "movie.mp4")
    ffmpeg = shutil.which("ffmpeg")
    frames = os.path.join(options.out, "frame_%05d.png")
    command = [ffmpeg or "ffmpeg", "-y", "-loglevel", "error", "-framerate", str(options.rate)]
    command += ["-i", frames, "-pix_fmt", "yuv420p", movie]
    if ffmpeg is None:
        print("ffmpeg is not there, so there are only pictures. With it:", " ".join(command))
    else:
        subprocess.run(command, check=True)
        print(movie)


def main():
    options = arguments()
    series = os.path.join(options.run_dir, "run.hdf.series")
    if not os.path.isfile(series):
        sys.exit(f"{series}: there is no such file; RUN_DIR is the folder that 'sluice run' wrote")
    options.out = options.out or os.path.join(options.run_dir, "frames")
    os.makedirs(options.out, exist_ok=True)
    from paraview import simple

    reader = simple.OpenDataFile(series)
    if reader is None:
        sys.exit(f"{series}: this ParaView cannot open it; 5.11 or later can")
    times = reader.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    times = times[-1:] if options.last else times[:: max(options.every, 1)]
    names = draw(simple, reader, times, options)
    if len(names) > 1 and not options.no_movie:
        join(options)


if __name__ == "__main__":
    main()

"""Images of `sluice measure`: planes and grids, coloured by one of their fields."""

import re
from dataclasses import replace
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np

from plot import fields, pictures, studio
from plot.modules import AskedError
from plot.places import title_of
from sluice import FileError, Image, NotThere

SURFACE = 0.5  # weight at the water's surface


def values_of(image, field):
    """A field's values [z, y, x]. AskedError: there is no such field."""
    try:
        return image[field]
    except NotThere as error:
        raise AskedError(f"--field {field}: {error}") from error


def plane_of(image, asked):
    """(axis across the plane, number of its layer). AskedError: the image has three axes, and no
    plane is chosen."""
    single = np.flatnonzero(image.count == 1)
    if asked and not len(single):
        axis, at = studio.plane_of(asked)
        layer = int(round((at - image.origin[axis]) / image.step[axis]))
        if not 0 <= layer < image.count[axis]:
            there = image.places(axis)
            raise AskedError(f"--slice {asked}: the grid reaches from {there[0]:.4g} to"
                             f" {there[-1]:.4g} m")  # fmt: skip
        return axis, layer
    if asked:
        raise AskedError(f"--slice {asked}: {image.path} is a plane already")
    if not len(single):
        sizes = " x ".join(map(str, image.count))
        raise AskedError(f"{image.path} is a grid of {sizes} places: choose a plane of it with"
                         " --slice, as y=0.5")  # fmt: skip
    return int(single[-1]), 0


def layer_of(values, plane):
    """[up, across] of a plane's layer."""
    return np.take(values, plane[1], axis=2 - plane[0])


def chosen(members, args):
    """[(path, time)] of the images that are drawn: nearest to --times, or evenly of the window."""
    inside = [entry for entry in members if args.choice.start <= entry[1] <= args.choice.end]
    if not inside:
        raise AskedError(f"no image from t = {args.choice.start:g} to {args.choice.end:g} s: there"
                         f" are {len(members)}, from {members[0][1]:g} to {members[-1][1]:g} s")
    if args.times:
        times = np.array([time for _, time in inside])
        return [inside[k] for k in sorted({int(np.argmin(np.abs(times - t))) for t in args.times})]
    return pictures.evenly(inside, args.snapshots or 4)


def scale_of(name, unit, layers, asked):
    """The colours of a field: those that plot has for it; those of Pressure_max are pressure's."""
    base = re.sub(r"_(mean|rms|min|max)$", "", name)
    known = fields.FIELDS.get(fields.SAME.get(base, base))
    field = known or fields.Field(name, name.replace("_", " "), "", None)
    field = replace(field, label=name.replace("_", " ") if base != name else field.label,
                    unit="of the image", signed=field.signed and base == name, classes=False)
    sample = SimpleNamespace(type=np.zeros(layers.size))
    scale = fields.scale_of(replace(field, values=lambda _: layers.ravel()), [sample])
    return studio.range_of(scale, asked), {"of the image": "" if unit == "1" else unit}


def picture(members, args):
    """(figure, lines of text) of images in one scale of colours; a line where the weight is 0.5."""
    found = [(Image(path, time), time) for path, time in chosen(members, args)]
    first = found[0][0]
    if not first.fields:
        raise FileError(f"{first.path} has no field to draw, only weight and valid")
    name = (args.field or first.fields[0]).lower()
    plane = plane_of(first, args.slice)
    layers = np.array([layer_of(values_of(image, name), plane) for image, _ in found])
    scale, units = scale_of(name, first.unit(name), layers, args.range)
    across, up = pictures.PLANES[plane[0]]
    if np.min(first.count[[across, up]]) < 2:
        raise AskedError(f"{first.path}: one row of places is no plane: 'sluice measure' with --out"
                         " NAME.csv writes a table, which is drawn as curves")  # fmt: skip
    x, y = first.places(across), first.places(up)
    ratio = float(np.clip((y[-1] - y[0]) / (x[-1] - x[0]), 0.08, 12))
    columns = pictures.columns_of(ratio, len(found))
    rows = -(-len(found) // columns)
    tall = min(max(2.6, rows * (7.2 / columns * ratio + 0.32) + 1.0), 13.0)
    figure, axes = plt.subplots(rows, columns, figsize=(7.2, tall), squeeze=False, sharex=True,
                                sharey=True)  # fmt: skip
    figure.suptitle(title_of(args.run_dir[0]), fontsize=11)
    for place in axes.flat[len(found) :]:
        place.set_axis_off()
    for k, (place, (image, time), layer) in enumerate(zip(axes.flat, found, layers)):
        draw(place, image, plane, (x, y, layer), scale)
        place.set_title(f"t = {time:.3g} s")
        if k + columns >= len(found):
            place.set_xlabel(f"{'xyz'[across]} (m)")
            place.tick_params(labelbottom=True)
        if k % columns == 0:
            place.set_ylabel(f"{'xyz'[up]} (m)")
    pictures.draw_bar(figure, axes, scale, units)
    return figure, note(first, plane)


def draw(axes, image, plane, values, scale):
    axes.pcolormesh(*values, norm=scale.norm, cmap=scale.colours, shading="nearest",
                    rasterized=True)  # fmt: skip
    weight = layer_of(image["weight"], plane)
    if np.nanmin(weight) < SURFACE < np.nanmax(weight):
        axes.contour(*values[:2], weight, [SURFACE], colors="black", linewidths=0.8)
    axes.set_aspect("equal")
    axes.grid(False)


def note(image, plane):
    at = image.places(plane[0])[plane[1]]
    is_grid = np.all(image.count > 1)
    line = f"the plane of places at {'xyz'[plane[0]]} = {at:g} m"
    return ([line] if is_grid else []) + ["the black line is where the weight is 0.5"]

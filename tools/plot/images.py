"""Images of `sluice measure`: planes and grids, coloured by one of their fields."""

import re
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

from plot import fields, pictures, studio
from plot.modules import AskedError
from plot.places import title_of
from sluice import FileError
from sluice.errors import listed
from sluice.vtk_file import VtkFile

THIN = 1e-2  # an axis with one layer has this part of the others' spacing, at most
SURFACE = 0.5  # weight at the water's surface
VECTOR = ("speed", "vx", "vy", "vz")  # what an array Velocity also gives
HIDDEN = ("Weight", "Valid")


class Image:
    """One image: its arrays [z, y, x] by name, without the second layer of a plane."""

    def __init__(self, path):
        self.path = path
        file = VtkFile(path)
        with file.open() as opened:
            whole = opened["VTKHDF"]
            self.origin, self.step = (whole.attrs[name].astype(float)
                                      for name in ("Origin", "Spacing"))  # fmt: skip
            self.names = list(whole["PointData"])
            self.units = {name: _text(array.attrs.get("units", "1"))
                          for name, array in whole["PointData"].items()}  # fmt: skip
            shape = next(iter(whole["PointData"].values())).shape[:3]
        self.file, self.count = file, np.array(shape[::-1])
        doubled = (self.count == 2) & (self.step < THIN * self.step.max())
        self.count[doubled] = 1

    def array(self, name):
        """[z, y, x] or [z, y, x, 3] of an array."""
        z, y, x = (slice(0, n) for n in self.count[::-1])
        return self.file.read(f"VTKHDF/PointData/{name}")[z, y, x]

    def fields(self):
        """{name of a field in small letters: its array}"""
        found = {name.lower(): name for name in self.names if name not in HIDDEN}
        if "Velocity" in self.names:
            found |= dict.fromkeys([name for name in VECTOR if name not in found], "Velocity")
        return found

    def values(self, field):
        """(values [z, y, x] of a field, its unit). AskedError: there is no such field."""
        there = self.fields()
        name = field.lower()
        if name not in there or name == "velocity":
            words = [word for word in there if word != "velocity"]
            raise AskedError(f"--field {field}: {self.path} has no such field:"
                             f" {listed(words, name)}")  # fmt: skip
        values = self.array(there[name])
        if there[name] == "Velocity":
            values = (np.linalg.norm(values, axis=-1) if name == "speed"
                      else values[..., VECTOR.index(name) - 1])  # fmt: skip
        if "Valid" in self.names:
            values = np.where(self.array("Valid") == 1, values, np.nan)
        return values, self.units[there[name]]

    def plane(self, asked):
        """(axis across the plane, number of its layer). AskedError: the image has three axes, and
        no plane is chosen."""
        single = np.flatnonzero(self.count == 1)
        if asked and not len(single):
            axis, at = studio.plane_of(asked)
            layer = int(round((at - self.origin[axis]) / self.step[axis]))
            if not 0 <= layer < self.count[axis]:
                last = self.origin[axis] + (self.count[axis] - 1) * self.step[axis]
                raise AskedError(f"--slice {asked}: the grid reaches from {self.origin[axis]:.4g}"
                                 f" to {last:.4g} m")  # fmt: skip
            return axis, layer
        if asked:
            raise AskedError(f"--slice {asked}: {self.path} is a plane already")
        if not len(single):
            sizes = " x ".join(map(str, self.count))
            raise AskedError(f"{self.path} is a grid of {sizes} places: choose a plane of it with"
                             " --slice, as y=0.5")  # fmt: skip
        return int(single[-1]), 0

    def layer(self, values, plane):
        """[up, across] of a plane's layer."""
        return np.take(values, plane[1], axis=2 - plane[0])

    def places(self, axis):
        return self.origin[axis] + self.step[axis] * np.arange(self.count[axis])


def _text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


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
    sample = type("Sample", (), {"type": np.zeros(layers.size)})()
    scale = fields.scale_of(replace(field, values=lambda _: layers.ravel()), [sample])
    return studio.range_of(scale, asked), {"of the image": "" if unit == "1" else unit}


def picture(members, args):
    """(figure, lines of text) of images in one scale of colours; a line where the weight is 0.5."""
    found = [(Image(path), time) for path, time in chosen(members, args)]
    first = found[0][0]
    names = [name for name in first.fields() if name != "velocity"]
    if not names:
        raise FileError(f"{first.path} has no field to draw, only {', '.join(first.names)}")
    name = (args.field or names[0]).lower()
    plane = first.plane(args.slice)
    read = [image.values(name) for image, _ in found]
    layers = np.array([image.layer(values, plane) for (image, _), (values, _) in zip(found, read)])
    scale, units = scale_of(name, read[0][1], layers, args.range)
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
    weight = image.layer(image.array("Weight"), plane) if "Weight" in image.names else np.ones(1)
    if np.nanmin(weight) < SURFACE < np.nanmax(weight):
        axes.contour(*values[:2], weight, [SURFACE], colors="black", linewidths=0.8)
    axes.set_aspect("equal")
    axes.grid(False)


def note(image, plane):
    at = image.places(plane[0])[plane[1]]
    is_grid = np.all(image.count > 1)
    line = f"the plane of places at {'xyz'[plane[0]]} = {at:g} m"
    return ([line] if is_grid else []) + ["the black line is where the weight is 0.5"]

"""The fields that colour the particles of a picture, and their scales."""

import re
from dataclasses import dataclass, replace

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize

from plot.modules import AskedError
from sluice.errors import listed

CLASS_COLOURS = ("#1f5fa8", "#d1622b", "#3a8f4d", "#8657a6", "#a8873a", "#4d4d4d", "#c14b7c",
                 "#5aa9c4", "#9aa53a", "#7a4a32")

# From deep to bright water: ColorBrewer's YlGnBu, safe for all kinds of colour vision, without its
# palest end, which would not show on paper.
WATER = ListedColormap(colormaps["YlGnBu_r"](np.linspace(0.03, 0.88, 256)), "water")


def label_of(unit):
    """A unit as matplotlib writes it: kg/m^3 with a raised 3."""
    return re.sub(r"\^(\d)", r"$^\1$", unit)


def handy(unit, most):
    """(unit, divisor) for numbers up to `most`: a large pressure is in kPa or MPa, a small speed in
    mm/s or micrometres a second."""
    if unit == "Pa" and most >= 2e3:
        return ("MPa", 1e6) if most >= 2e6 else ("kPa", 1e3)
    if unit == "m/s" and 0 < most < 0.02:
        return ("mm/s", 1e-3) if most >= 2e-5 else ("\N{MICRO SIGN}m/s", 1e-6)
    return unit, 1.0


def divide_ticks(axis, over):
    """The numbers of an axis, divided."""
    if over != 1.0:
        axis.set_major_formatter(lambda value, _: f"{value / over:g}")


def label_axis(axis, words, unit):
    """Labels an axis with its quantity, in a unit that suits the numbers in view; a plain number
    has none."""
    unit, over = handy(unit, max(map(abs, axis.get_view_interval())))
    axis.set_label_text(words if unit == "1" else f"{words} ({label_of(unit)})")
    divide_ticks(axis, over)


@dataclass(frozen=True)
class Field:
    """values(snapshot): one a particle, or None where its file has no such array.

    unit: a key of Run.units, or the unit itself. colours: matplotlib's colour map. signed: colours
    are even about 0. classes: whole numbers that number classes. walls: wall particles are
    coloured, too."""

    name: str
    label: str
    unit: str
    values: object
    colours: object = "viridis"
    signed: bool = False
    classes: bool = False
    walls: bool = False


def part(name):
    return lambda snapshot: getattr(snapshot, name, None)


def component(axis):
    return lambda snapshot: snapshot.velocity[:, axis]


FIELDS = {
    field.name: field
    for field in (
        Field("speed", "speed", "speed", part("speed"), WATER),
        Field("vx", "velocity along x", "speed", component(0), signed=True),
        Field("vy", "velocity along y", "speed", component(1), signed=True),
        Field("vz", "velocity along z", "speed", component(2), signed=True),
        Field("pressure", "pressure", "pressure", part("pressure")),
        Field("density", "density", "density", part("density"), "cividis"),
        Field("energy", "internal energy", "specific energy", part("internal_energy"), "inferno"),
        Field("smoothing-length", "smoothing length", "length", part("smoothing_length"),
              "cividis"),
        Field("phase", "phase", "", part("phase"), classes=True),
        Field("shape", "shape", "", part("shape"), classes=True, walls=True),
    )
}

# Names of the snapshots' arrays.
SAME = {"velocity": "speed", "internalenergy": "energy", "smoothinglength": "smoothing-length"}


def there(run, snapshot):
    """The names of the fields that a run's snapshots have."""
    return [
        name
        for name, field in FIELDS.items()
        if field.values(snapshot) is not None and not (name == "vz" and run.dimension == 2)
    ]


def name_of(text):
    """The field's name, from a name in letters of any size or from the snapshots' array."""
    return SAME.get(text.lower(), text.lower())


def find(name, run, snapshots):
    """The field of that name. AskedError: it is unknown, or missing in one of the snapshots."""
    names = there(run, snapshots[0])
    name = name_of(name)
    if name not in names:
        why = "is not in the snapshots of this run" if name in FIELDS else "is no field"
        meant = "" if name in FIELDS else name
        raise AskedError(f"--field {name}: '{name}' {why}: {listed(names, meant)}")
    for snapshot in snapshots:
        if FIELDS[name].values(snapshot) is None:
            raise AskedError(
                f"--field {name}: '{name}' is not in the snapshot of t = {snapshot.time:g}"
            )
    return FIELDS[name]


@dataclass(frozen=True)
class Scale:
    """The scale from a field's values to colours. names: of the classes, in order; or None."""

    field: Field
    colours: object
    norm: object
    extend: str
    names: object = None

    def label(self, units):
        """(the bar's label, the divisor of its numbers)."""
        most = 0.0 if self.names else max(abs(self.norm.vmin), abs(self.norm.vmax))
        unit, over = handy(units.get(self.field.unit, ""), most)
        return (f"{self.field.label} ({label_of(unit)})" if unit else self.field.label), over

    def label_bar(self, bar, units, **look):
        """Labels a colour bar, and its classes by their names."""
        label, over = self.label(units)
        bar.set_label(label, **look)
        if self.names:
            edges = self.norm.boundaries
            bar.set_ticks((edges[:-1] + edges[1:]) / 2, labels=self.names)
            if sum(map(len, self.names)) > 50:  # too long for one line
                bar.ax.tick_params(axis="x", rotation=30)
        else:
            divide_ticks(bar.ax.xaxis, over)

    def within(self, low, high):
        """The same colours from low to high. Those that are even about 0 are for both signs."""
        colours = "viridis" if self.field.signed and low * high >= 0 else self.colours
        return replace(self, colours=colours, norm=Normalize(low, high), extend="both")

    def rgb(self, values):
        """Red, green and blue in 0..1 [.., 3] of values."""
        if self.names:
            return self.colours(self.norm(values))[..., :3].astype("f4")
        table = colormaps.get_cmap(self.colours)(np.linspace(0, 1, 256))[:, :3].astype("f4")
        low, high = self.norm.vmin, self.norm.vmax
        place = np.nan_to_num((values - low) * (255.999 / (high - low)))
        return table[np.clip(place, 0, 255).astype(np.uint8)]


def scale_of_classes(field, values, names):
    """names: those that the values count from 0, or empty."""
    kinds = np.unique(values).astype(int)
    colours = ListedColormap([CLASS_COLOURS[i % len(CLASS_COLOURS)] for i in range(len(kinds))])
    edges = np.append(kinds - 0.5, kinds[-1] + 0.5)
    norm = BoundaryNorm(edges, len(kinds))
    labels = [names[kind] if 0 <= kind < len(names) else str(kind) for kind in kinds]
    return Scale(field, colours, norm, "neither", labels)


def scale_of(field, snapshots):
    """One scale for all snapshots. The few largest and smallest values do not stretch it."""
    shown = [field.values(s)[(s.type == 0) | field.walls] for s in snapshots]
    values = np.concatenate(shown) if shown else np.zeros(0)
    values = values[np.isfinite(values)]
    if field.classes and len(values):
        return scale_of_classes(field, values, snapshots[0].groups if field.walls else [])
    low, high = np.percentile(values, (0.5, 99.5)) if len(values) else (0.0, 1.0)
    if field.signed:
        high = max(abs(low), abs(high)) or 1.0
        return Scale(field, "coolwarm", Normalize(-high, high), "both")
    if field.name == "speed":
        return Scale(field, field.colours, Normalize(0.0, high if high > 0 else 1.0), "max")
    if not high > low:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    return Scale(field, field.colours, Normalize(low, high), "both")

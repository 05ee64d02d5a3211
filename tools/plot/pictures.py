"""The figures: particles of some snapshots, the comparison with a reference, the probes."""

import math
import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.colors import to_rgba

from plot import fields
from sluice import NotThere
from sluice.tables import value_columns
from sluice.units import unit_of

plt.rcParams.update(
    {
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.grid": True,
        "grid.alpha": 0.25,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": True,
        "legend.edgecolor": "none",
        "legend.framealpha": 0.8,
        "legend.fontsize": 8,
        "savefig.dpi": 150,
        "lines.linewidth": 1.4,
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-3, 4),
        "figure.constrained_layout.use": True,
    }
)
WALL = "0.55"
COLOURS = ("#1f5fa8", "#d1622b", "#3a8f4d", "#8657a6", "#a8873a", "#4d4d4d")


def nearest(run, times):
    """The snapshots nearest to the times, each once. AskedError: none is near one of them."""
    try:
        found = {snapshot.path: snapshot for snapshot in map(run.at, times)}
    except NotThere as error:
        raise fields.AskedError(f"--times: {error}") from error
    return list(found.values())


def evenly(items, count):
    """At most `count` of the items, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]


def shown_particles(snapshot, run, field, middle):
    """Numbers of the fluid's and the walls' particles that a picture shows, the farthest first.

    2-D: all. 3-D, seen along y: fluid and bodies, as a side wall would hide them; for a field that
    walls have, a slice across y = middle."""
    if run.dimension == 2:
        order = np.arange(len(snapshot.x))
    else:
        order = np.argsort(-snapshot.x[:, 1], kind="stable")
        if field.walls:
            reach = 0.75 * float(run.config.get("spacing", 0.0))
            order = order[np.abs(snapshot.x[order, 1] - middle) <= reach]
    fluid = order[snapshot.type[order] == 0]
    wall = order[snapshot.type[order] != 0]
    if run.dimension == 3 and not field.walls:
        wall = wall[snapshot.is_body[wall]]
    return fluid, wall


def layers(snapshot, run, scale, fluid, wall):
    """What is drawn one over the other: numbers of particles, and their colours or None for those
    of the scale. Bodies in space hide fluid, and fluid hides bodies."""
    if run.dimension == 2 or scale.field.walls or not len(wall):
        return (wall, None if scale.field.walls else WALL), (fluid, None)
    both = np.concatenate([fluid, wall])
    both = both[np.argsort(-snapshot.x[both, 1], kind="stable")]
    colours = np.empty((len(both), 4))
    flows = snapshot.type[both] == 0
    mapped = plt.cm.ScalarMappable(norm=scale.norm, cmap=scale.colours)
    colours[flows] = mapped.to_rgba(scale.field.values(snapshot)[both[flows]])
    colours[~flows] = to_rgba(WALL)
    return ((both, colours),)


def middle_of(snapshots):
    """The middle of the first snapshot's fluid along y, m."""
    y = snapshots[0].x[snapshots[0].type == 0, 1]
    return 0.5 * (y.min() + y.max()) if len(y) else 0.0


def draw_particles(axes, snapshot, run, scale, box, middle):
    """Particles as discs of the spacing's width."""
    up = 1 if run.dimension == 2 else 2
    fluid, wall = shown_particles(snapshot, run, scale.field, middle)
    spacing = float(run.config.get("spacing", 0.0))
    # A little more than the spacing, so that no pattern of gaps shows.
    size = 1.45 * (spacing or typical_spacing(snapshot.x[fluid], run.dimension))
    for which, colour in layers(snapshot, run, scale, fluid, wall):
        if not len(which):
            continue
        discs = EllipseCollection(
            widths=size,
            heights=size,
            angles=0.0,
            units="xy",
            offsets=snapshot.x[which][:, [0, up]],
            offset_transform=axes.transData,
            linewidths=0,
            rasterized=True,
        )
        if colour is not None:
            discs.set_facecolor(colour)
        else:
            discs.set_array(scale.field.values(snapshot)[which])
            discs.set_cmap(scale.colours)
            discs.set_norm(scale.norm)
        axes.add_collection(discs)
    axes.set_xlim(box[0], box[1])
    axes.set_ylim(box[2], box[3])
    axes.set_aspect("equal")
    axes.grid(False)


def typical_spacing(x, dimension):
    """The spacing of as many particles on a lattice that fills the same bounding box."""
    extent = np.ptp(x[:, :dimension], axis=0)
    return float((np.prod(np.maximum(extent, 1e-12)) / max(len(x), 1)) ** (1 / dimension))


def shown_box(snapshots, run, field):
    """x0, x1, y0, y1 (m): all particles across; upwards the fluid, in space bodies as well, and in
    a slice walls."""
    up = 1 if run.dimension == 2 else 2
    sliced = up == 2 and field.walls
    solid = [up == 2 and s.is_body for s in snapshots]
    fluid = np.concatenate([s.x[(s.type == 0) | b | sliced] for s, b in zip(snapshots, solid)])
    across = np.concatenate(
        [s.x[(s.type == 0) | b | (up == 1) | sliced][:, 0] for s, b in zip(snapshots, solid)]
    )
    spacing = float(run.config.get("spacing", 0.0))
    margin = 0.01 * np.ptp(across) + 2 * spacing
    x0, x1 = across.min() - margin, across.max() + margin
    y0, y1 = fluid[:, up].min() - margin, fluid[:, up].max() + margin
    return x0, x1, y0, max(y1, y0 + 0.1 * (x1 - x0))


def label_of(unit):
    """A unit as matplotlib writes it: kg/m^3 with a raised 3."""
    return re.sub(r"\^(\d)", r"$^\1$", unit)


def draw_bar(figure, axes, scale, units):
    """The bar of colours below the pictures, with the names of the classes in use."""
    bar = figure.colorbar(
        plt.cm.ScalarMappable(norm=scale.norm, cmap=scale.colours),
        ax=axes,
        location="bottom",
        fraction=0.06,
        aspect=45,
        pad=0.02,
        extend=scale.extend,
    )
    unit = label_of(units.get(scale.field.unit, ""))
    bar.set_label(f"{scale.field.label} ({unit})" if unit else scale.field.label)
    bar.outline.set_visible(False)
    if scale.names:
        edges = scale.norm.boundaries
        bar.set_ticks((edges[:-1] + edges[1:]) / 2, labels=scale.names)
        if sum(map(len, scale.names)) > 50:  # too long for one line
            bar.ax.tick_params(axis="x", rotation=30)


def draw_snapshots(figure, run, snapshots, columns, field):
    """The snapshots in a grid of `columns`, one scale of colours for all."""
    units = run.units
    box = shown_box(snapshots, run, field)
    middle = middle_of(snapshots)
    sliced = f", y = {middle:.3g} {units['length']}" if run.dimension == 3 and field.walls else ""
    scale = fields.scale_of(field, snapshots)
    rows = math.ceil(len(snapshots) / columns)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for i, place in enumerate(axes.flat):
        if i >= len(snapshots):
            place.set_axis_off()
            continue
        draw_particles(place, snapshots[i], run, scale, box, middle)
        place.set_title(f"t = {snapshots[i].time:.3g} {units['time']}{sliced}")
        if i + columns >= len(snapshots):
            place.set_xlabel(f"x ({units['length']})")
            place.tick_params(labelbottom=True)
        if i % columns == 0:
            place.set_ylabel(f"{'y' if run.dimension == 2 else 'z'} ({units['length']})")
    draw_bar(figure, axes, scale, units)


def error_text(result):
    """The error of a comparison in words, for the terminal; times in X, as in the picture."""
    error, shift, at, points = result
    moved = f", the run's line moved by {-shift:+.3f}" if shift else ""
    return f"largest error {100 * error:.1f}% (of {points} points, at {at:.3g}){moved}"


def draw_comparison(axes, comparison, table):
    """The measured line and the reference points, without the time shift."""
    x, y = comparison.measured(table)
    x_ref, y_ref = comparison.reference()
    many = len(x_ref) > 60
    axes.plot(
        x_ref,
        y_ref,
        "-" if many else "o",
        color="0.55" if many else COLOURS[1],
        markersize=4,
        linewidth=1.0,
        label=comparison.label,
        zorder=1 if many else 3,
    )
    axes.plot(x, y, color=COLOURS[0], label="Sluice")
    low, high = comparison.shown or (x.min(), x.max())
    axes.set_xlim(low, high if high > low else low + 1)
    seen = [v[(u >= low) & (u <= high) & np.isfinite(v)] for u, v in ((x, y), (x_ref, y_ref))]
    seen = np.concatenate(seen)
    if len(seen):
        axes.set_ylim(min(0.0, 1.05 * seen.min()), 1.08 * seen.max() or 1.0)
    axes.set_xlabel(comparison.x_label or comparison.x)
    axes.set_ylabel(comparison.y_label or comparison.y)
    result = comparison.error(table)
    if result and result[1]:
        inside = (x - result[1] >= comparison.window[0]) & (x - result[1] <= comparison.window[1])
        axes.plot(
            x[inside] - result[1],
            y[inside],
            ":",
            color=COLOURS[0],
            label=f"Sluice, {-result[1]:+.2f} in {comparison.x}",
        )
    if result:
        axes.axvspan(
            *comparison.window,
            color="0.5",
            alpha=0.10,
            linewidth=0,
            label=f"compared: at most {100 * result[0]:.1f}% apart",
        )
    axes.legend(loc="best")
    return result


def main_picture(run, comparisons, count, field="speed", times=None):
    """Snapshots coloured by a field, and beside them the first comparison, if there is one: at most
    `count`, or those nearest to `times`. None: no snapshots."""
    snapshots = evenly(list(run), count) if times is None else nearest(run, times)
    if not snapshots:
        return None
    found = fields.find(field, run, snapshots)
    probes = run.probes()
    chosen = next((c for c in comparisons if c.probe in probes), None)
    box = shown_box(snapshots, run, found)
    ratio = (box[3] - box[2]) / (box[1] - box[0])
    columns = 1 if ratio < 0.25 else 2 if ratio < 0.9 else 3 if len(snapshots) > 4 else 4
    columns = min(columns, len(snapshots))
    rows = math.ceil(len(snapshots) / columns)
    wide = 7.2
    tall = max(2.6, rows * (wide / columns * ratio + 0.32) + 1.0)
    figure = plt.figure(figsize=(wide + (4.3 if chosen else 0), tall))
    figure.suptitle(run.title, fontsize=11)
    if chosen:
        left, right = figure.subfigures(1, 2, width_ratios=(wide, 4.3))
        draw_comparison(right.subplots(), chosen, probes[chosen.probe])
    else:
        left = figure
    draw_snapshots(left, run, snapshots, columns, found)
    return figure


def comparison_picture(run, comparisons):
    """One panel a comparison. Returns the figure and the lines of text about the errors."""
    probes = run.probes()
    chosen = [c for c in comparisons if c.probe in probes]
    if not chosen:
        return None, []
    columns = 1 if len(chosen) == 1 else 2
    rows = math.ceil(len(chosen) / columns)
    figure, axes = plt.subplots(rows, columns, figsize=(5.2 * columns, 3.4 * rows), squeeze=False)
    figure.suptitle(run.title, fontsize=11)
    said = []
    for i, place in enumerate(axes.flat):
        if i >= len(chosen):
            place.set_axis_off()
            continue
        result = draw_comparison(place, chosen[i], probes[chosen[i].probe])
        place.set_title(f"probe {chosen[i].probe}")
        if result:
            said.append(f"{chosen[i].probe} against {chosen[i].label}: {error_text(result)}")
        elif chosen[i].window:
            said.append(
                f"{chosen[i].probe} against {chosen[i].label}: the run does not cover the window"
                f" {chosen[i].window}"
            )
    return figure, said


def sites(table):
    """Columns of the points of a line probe: {"pressure": [...]}, {"vx": [...], "vy": [...]}."""
    groups = {}
    for name in value_columns(table):
        found = re.fullmatch(r"(.*)_(\d+)", name)
        if found and found[1] != "weight":
            groups.setdefault(found[1], []).append(name)
    return groups


def places(run, name, count):
    """(label, place of each point) of a line: the coordinate that it runs along, or the distance
    from its start; the points' numbers where the config does not say."""
    settings = run.config.entry("probes", name)
    ends = [np.array(settings.get(end, []), float) for end in ("from", "to")]
    if not len(ends[0]) or len(ends[0]) != len(ends[1]):
        return "point along the line", np.arange(count)
    moved = np.flatnonzero(ends[0] != ends[1])
    if len(moved) == 1:
        axis = moved[0]
        label, low, high = "xyz"[axis], ends[0][axis], ends[1][axis]
    else:
        label, low, high = "along the line", 0.0, np.linalg.norm(ends[1] - ends[0])
    return f"{label} ({run.units['length']})", np.linspace(low, high, count)


def line_values(run, groups, table):
    """(name, unit, values [point, row]) of a line, with gaps where it has no fluid; of a velocity
    its speed."""
    if "vx" in groups:
        kind, unit = "speed", run.units["speed"]
        parts = [[table[column] for column in columns] for columns in groups.values()]
        values = np.sqrt(np.sum(np.square(parts), axis=0))
    else:
        kind, columns = next(iter(groups.items()))
        kind, unit = kind.replace("_", " "), label_of(unit_of(kind, run.units))
        values = np.array([table[column] for column in columns])
    weights = [f"weight_{n}" for n in range(len(values))]
    if all(weight in table for weight in weights):
        values = np.where(np.array([table[weight] for weight in weights]) > 0, values, np.nan)
    return kind, unit, values


def draw_line(axes, run, name, groups, table):
    """A line of points: of few rows a profile each, else colours over time and place."""
    kind, unit, values = line_values(run, groups, table)
    label, place = places(run, name, len(values))
    times = table["time"]
    if len(times) <= len(COLOURS):
        for time, row, colour in zip(times, values.T, COLOURS):
            axes.plot(place, row, color=colour, label=f"t = {time:.3g} {run.units['time']}")
        axes.set_xlabel(label)
        axes.set_ylabel(f"{kind} ({unit})")
        axes.legend()
        return
    mesh = axes.pcolormesh(times, place, values, shading="nearest", rasterized=True)
    axes.figure.colorbar(mesh, ax=axes, label=f"{kind} ({unit})")
    axes.set_ylabel(label)
    axes.grid(False)


WETNESS = ("weight", "wet")  # columns that are 0 without fluid, of a point and of a patch


def draw_columns(axes, run, table, columns, quantity, colours, style="-"):
    """Columns of one unit over time, with gaps where the probe has no fluid."""
    measured = next((table[name] > 0 for name in WETNESS if name in table), slice(None))
    for column, colour in zip(columns, colours):
        values = np.full(len(table["time"]), np.nan)
        values[measured] = table[column][measured]  # empty fields are gaps
        axes.plot(table["time"], values, style, color=colour, label=column)
    axes.set_xlim(table["time"][0], max(table["time"][-1], table["time"][0] + 1e-9))
    axes.set_ylabel(f"{quantity.replace('_', ' ')} ({label_of(unit_of(quantity, run.units))})")


def draw_probe(axes, run, name, table, quantity=""):
    """All columns of a probe but its wetness, over time; a torque has its own axis. `quantity` is
    for the title."""
    axes.set_title(f"probe {name}{quantity and ': '}{quantity}")
    axes.set_xlabel(f"time ({run.units['time']})")
    groups = sites(table)
    if groups:
        draw_line(axes, run, name, groups, table)
        return
    shown = [column for column in value_columns(table) if column not in WETNESS][: len(COLOURS)]
    turning = [column for column in shown if column in ("tx", "ty", "tz", "torque")]
    pushing = [column for column in shown if column not in turning]
    quantity = {"vx": "velocity", "fx": "force"}.get(shown[0], shown[0])
    draw_columns(axes, run, table, pushing, quantity, COLOURS)
    lines = axes.get_lines()
    if turning:
        other = axes.twinx()
        draw_columns(other, run, table, turning, "torque", COLOURS[len(pushing) :], ":")
        other.grid(False)
        lines = lines + other.get_lines()
    if len(shown) > 1:
        axes.legend(handles=list(lines))


def panels(name, table):
    """(name, table, quantity) of each panel of a probe: a panel a quantity where it has all."""
    found = {}
    for column in value_columns(table):
        base = re.sub(r"_\d+$", "", column)
        if base != "weight":
            found.setdefault({"vy": "vx", "vz": "vx"}.get(base, base), []).append(column)
    if len(found) < 2 or "density" not in found:
        return [(name, table, "")]
    common = {key: table[key] for key in table if key in ("step", "time") or "weight" in key}
    return [
        (name, common | {column: table[column] for column in columns},
         "velocity" if base == "vx" else base.replace("_", " "))
        for base, columns in found.items()
    ]  # fmt: skip


def probes_picture(run):
    """A panel a probe, or a quantity of one that has all. None: no probes with rows."""
    drawn = [
        panel
        for name, table in run.probes().items()
        if len(table["time"])
        for panel in panels(name, table)
    ]
    if not drawn:
        return None
    columns = min(len(drawn), 1 if len(drawn) == 1 else 2 if len(drawn) <= 4 else 3)
    rows = math.ceil(len(drawn) / columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.4 * columns + 0.6, 2.7 * rows + 0.4), squeeze=False
    )
    figure.suptitle(run.title, fontsize=11)
    for place in axes.flat[len(drawn) :]:
        place.set_axis_off()
    for place, (name, table, quantity) in zip(axes.flat, drawn):
        draw_probe(place, run, name, table, quantity)
    return figure

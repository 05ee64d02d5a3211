"""The figures: particles of some snapshots, and the comparison with a reference."""

import math
import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch
from matplotlib.transforms import ScaledTranslation

from plot import fields
from plot.modules import AskedError
from plot.studio import Asked, Studio
from render import frame
from sluice import NotThere

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
# Colours of lines, apart for all kinds of colour vision: Okabe and Ito's (2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#333333")
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)), (0, (9, 2)), (0, (3, 1)))


def look_of(number):
    """A colour and a dash for each of many curves."""
    turn = number // len(COLOURS)
    return {"color": COLOURS[number % len(COLOURS)],
            "linestyle": DASHES[(number + turn) % len(DASHES)]}  # fmt: skip


def nearest(run, times, option="times"):
    """The snapshots nearest to the times, each once. AskedError: none is near one of them."""
    try:
        found = {snapshot.path: snapshot for snapshot in map(run.at, times)}
    except NotThere as error:
        raise AskedError(f"--{option}: {error}") from error
    return list(found.values())


def evenly(items, count):
    """At most `count` of the items, the first and the last among them; of one the last."""
    if count == 1:
        return [items[-1]] if len(items) else []
    if len(items) <= count:
        return list(items)
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]


PLANES = ((1, 2), (0, 2), (0, 1))  # across and up in a picture seen along x, y, z
DOTS = 200  # pixels an inch of a picture
NAMES = 6  # of a legend
LETTERS = 90  # of a legend in one row


def draw_flat(axes, studio, snapshot, view):
    """A 2-D run, or a slice, in axes with coordinates."""
    axes.imshow(studio.picture(view, snapshot), extent=view.extent(), interpolation="antialiased")
    axes.set_aspect("equal")
    axes.grid(False)


def draw_space(axes, studio, snapshot, view, is_first):
    """A 3-D run; beside the first picture a scale and the directions."""
    wide, tall = view.size
    axes.imshow(studio.picture(view, snapshot), extent=(0, wide, 0, tall),
                interpolation="antialiased")  # fmt: skip
    axes.axis("off")
    strip = 0.13 * wide
    axes.set_ylim(-strip, tall)
    if is_first:
        frame.directions(axes, view, 0.06 * wide, -0.75 * strip, 0.5 * strip, 8)
        frame.scale_bar(axes, view, 0.2 * wide, -0.45 * strip, 0.28 * wide,
                        studio.run.units["length"], 8)  # fmt: skip


def draw_snapshots(figure, studio, snapshots, columns, wide):
    """The snapshots in a grid of `columns`, with one scale of colours, whose bar it returns. wide:
    inches."""
    units, flat = studio.run.units, studio.is_flat
    rows = math.ceil(len(snapshots) / columns)
    axes = figure.subplots(rows, columns, sharex=flat, sharey=flat, squeeze=False)
    pixels = int(wide / columns * DOTS)
    view = studio.view((pixels, max(int(pixels * aspect_of(studio)), 16)))
    for i, place in enumerate(axes.flat):
        if i >= len(snapshots):
            place.set_axis_off()
            continue
        place.set_title(f"t = {snapshots[i].time:.3g} {units['time']}")
        if not flat:
            draw_space(place, studio, snapshots[i], view, i == (rows - 1) * columns)
            continue
        draw_flat(place, studio, snapshots[i], view)
        across, up = PLANES[2 if studio.what.plane is None else studio.what.plane[0]]
        if i + columns >= len(snapshots):
            place.set_xlabel(f"{'xyz'[across]} ({units['length']})")
            place.tick_params(labelbottom=True)
        if i % columns == 0:
            place.set_ylabel(f"{'xyz'[up]} ({units['length']})")
    return draw_bar(figure, axes, studio.scale, units)


def aspect_of(studio):
    """Height over width of the view."""
    low, high = studio.spans()
    return float(np.clip((high[1] - low[1]) / max(high[0] - low[0], 1e-30), 0.08, 12))


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
    scale.label_bar(bar, units)
    bar.outline.set_visible(False)
    return bar


def draw_names(figure, bar, kinds):
    """The names of walls and bodies, below the label of the bar of colours. kinds: (name, colour);
    in two rows if they are long."""
    patches = [Patch(facecolor=colour or "none", edgecolor="0.4" if colour else "none", label=name)
               for name, colour in kinds]  # fmt: skip
    words = bar.ax.xaxis.get_tightbbox(figure.canvas.get_renderer())
    down = (bar.ax.bbox.y0 - words.y0) / bar.ax.figure.dpi
    long = sum(len(name) + 6 for name, _ in kinds) > LETTERS
    bar.ax.legend(handles=patches, loc="upper right", ncols=math.ceil(len(kinds) / (1 + long)),
                  frameon=False, bbox_to_anchor=(1, 0), borderaxespad=0.2,
                  bbox_transform=bar.ax.transAxes
                  + ScaledTranslation(0, -down, figure.dpi_scale_trans))  # fmt: skip


def error_text(result):
    """The error of a comparison in words, for the terminal; times in X, as in the picture."""
    error, shift, at, points = result
    moved = f", the run's line moved by {-shift:+.3f}" if shift else ""
    return f"largest error {100 * error:.1f}% (of {points} points, at {at:.3g}){moved}"


def label_quantity(axes, label):
    """Labels the vertical axis; a label that ends with its unit, as (Pa), gets a handy unit."""
    found = re.fullmatch(r"(.+) \((\S+)\)", label)
    if found:
        fields.label_axis(axes.yaxis, *found.groups())
    else:
        axes.set_ylabel(label)


def draw_comparison(axes, comparison, table, low_pass=None):
    """The measured line and the reference points, without the time shift. low_pass: a LowPass of
    the line; then the measured one is pale. The error is that of the measured one."""
    x, y = comparison.measured(table)
    smooth = low_pass and low_pass.smooth(table["time"], y, comparison.probe)
    if smooth is not None:
        axes.plot(x, y, color=COLOURS[0], alpha=0.25, linewidth=0.8)
        axes.set_title(low_pass.words(), fontsize=9)
        y = smooth
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
    label_quantity(axes, comparison.y_label or comparison.y)
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


def columns_of(ratio, count):
    """The shape of a grid of pictures whose height over width is `ratio`."""
    if ratio < (0.3 if count > 2 else 0.5):
        return 1
    return min(count, 2 if ratio < 0.9 else 3 if count > 4 else 4)


def main_picture(run, comparisons, count, field="speed", times=None, asked=Asked(), among=None,
                 low_pass=None):
    """Snapshots coloured by a field, and beside them the first comparison, if there is one: at most
    `count` of the numbers `among` (None: of all), or those nearest to `times`. low_pass: of the
    comparison. None: no snapshots."""
    numbers = evenly(range(len(run)) if among is None else among, count)
    snapshots = [run[i] for i in numbers] if times is None else nearest(run, times)
    if not snapshots:
        return None
    studio = Studio(run, sorted(snapshots, key=lambda snapshot: snapshot.time), field, asked)
    tables = run.probes()
    chosen = next((c for c in comparisons if c.probe in tables), None)
    ratio = aspect_of(studio)
    columns = columns_of(ratio, len(snapshots))
    rows = math.ceil(len(snapshots) / columns)
    wide = 7.2
    strip = 0.32 if studio.is_flat else 0.25 + 0.13 * wide / columns
    tall = min(max(2.6, rows * (wide / columns * ratio + strip) + 1.0), 13.0)
    figure = plt.figure(figsize=(wide + (4.3 if chosen else 0), tall))
    note = studio.note()
    figure.suptitle(run.title + (f"\n{note}" if note else ""), fontsize=11)
    left = figure
    if chosen:
        left, right = figure.subfigures(1, 2, width_ratios=(wide, 4.3))
        draw_comparison(right.subplots(), chosen, tables[chosen.probe], low_pass)
    bar = draw_snapshots(left, studio, snapshots, columns, wide)
    kinds = frame.legend_of(studio.what, studio.field)
    if kinds:
        kinds = kinds if len(kinds) <= NAMES else frame.named_legend(kinds, NAMES - 1)
        draw_names(left, bar, kinds)
    return figure


def comparison_picture(run, comparisons, low_pass=None):
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
        result = draw_comparison(place, chosen[i], probes[chosen[i].probe], low_pass)
        words = place.get_title()
        place.set_title(f"probe {chosen[i].probe}" + (f"\n{words}" if words else ""))
        if result:
            said.append(f"{chosen[i].probe} against {chosen[i].label}: {error_text(result)}")
        elif chosen[i].window:
            said.append(
                f"{chosen[i].probe} against {chosen[i].label}: the run does not cover the window"
                f" {chosen[i].window}"
            )
    return figure, said

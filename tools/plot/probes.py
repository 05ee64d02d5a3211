"""The tables of probes over time, and the profiles of lines of points."""

import math
import re

import matplotlib.pyplot as plt
import numpy as np

from plot.choice import Choice
from plot.fields import label_axis
from plot.pictures import evenly, look_of
from sluice.tables import value_columns
from sluice.units import unit_of

PROFILES = 5  # of a line of points in one panel
# A column that says how much fluid is there, of a point and of a patch: {its name: the least}.
# Below it a table's value is 0, as its place counts as dry: see probes/probe.c.
WETNESS = {"weight": 0.05, "wet": np.nextafter(0, 1)}

# Panels of sections: columns of one table that share no axis.
SECTIONS = (("flux",), ("volume",), ("q", "q_mean"), ("passed", "returned"),
            ("event_volume", "largest_volume"))  # fmt: skip


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
    """(name, unit, values [point, row]) of a line, with gaps where it has no fluid; of a vector or
    tensor the component that is largest."""
    parts = {kind: values_of(columns, table) for kind, columns in groups.items()}
    kind = max(parts, key=lambda kind: np.nanmax(np.abs(parts[kind]), initial=0.0))
    return kind.replace("_", " "), unit_of(kind, run.units), parts[kind]


def smooth_points(choice, table, values, name):
    """(values [point, row] of a line, filtered if asked for; the filter's words for a title)."""
    if not choice.low_pass:
        return values, ""
    found = [choice.low_pass.smooth(table["time"], point, name) for point in values]
    done = [new is not None for new in found]
    values = np.array([old if new is None else new for old, new in zip(values, found)])
    return values, f"\n{choice.low_pass.words()}" if any(done) else ""


def values_of(columns, table):
    """[point, row] of the columns of a line, with gaps where it has no fluid."""
    values = np.array([table[column] for column in columns])
    weights = [f"weight_{n}" for n in range(len(values))]
    if all(weight in table for weight in weights):
        wet = np.array([table[weight] for weight in weights]) >= WETNESS["weight"]
        values = np.where(wet, values, np.nan)
    return values


def profile_rows(times, asked):
    """The rows of a table that profiles are drawn of: nearest to the times asked for, or some."""
    if asked:
        return sorted({int(np.argmin(np.abs(times - time))) for time in asked})
    return evenly(range(len(times)), PROFILES)


def draw_profiles(axes, run, line, place, table, asked=None):
    """A line of points at some times: u(y) of an upright line, p(x) of a level one. line: (name,
    unit, values [point, row]); place: (label, place of each point)."""
    kind, unit, values = line
    label, place = place
    upright = label[0] == "xyz"[run.dimension - 1]
    for k, row in enumerate(profile_rows(table["time"], asked)):
        pair = (values[:, row], place) if upright else (place, values[:, row])
        axes.plot(*pair, **look_of(k),
                  label=f"t = {table['time'][row]:.3g} {run.units['time']}")  # fmt: skip
    along, across = (axes.yaxis, axes.xaxis) if upright else (axes.xaxis, axes.yaxis)
    along.set_label_text(label)
    label_axis(across, kind, unit)
    axes.legend()


def draw_line(axes, run, line, place, table):
    """A line of points over time and place, as colours."""
    kind, unit, values = line
    label, place = place
    mesh = axes.pcolormesh(table["time"], place, values, shading="nearest", rasterized=True)
    label_axis(axes.figure.colorbar(mesh, ax=axes).ax.yaxis, kind, unit)
    axes.set_xlabel(f"time ({run.units['time']})")
    axes.set_ylabel(label)
    axes.grid(False)


def measured(table, column):
    """The values of a column, with gaps where the probe has no fluid or the field is empty."""
    values = np.full(len(table["time"]), np.nan)
    wet = next((table[name] >= least for name, least in WETNESS.items() if name in table),
               slice(None))  # fmt: skip
    values[wet] = table[column][wet]
    return values


def label_values(axes, run, quantity, along="y"):
    """Labels the axis of a quantity that is drawn, in a handy unit."""
    axis = getattr(axes, f"{along}axis")
    label_axis(axis, quantity.replace("_", " "), unit_of(quantity, run.units))


def draw_curve(axes, choice, time, values, name, column, look):
    """values(time) of a table's column; filtered, if asked for, over the pale measured curve.
    Returns whether it was filtered."""
    smooth = choice.low_pass and choice.low_pass.smooth(time, values, name, column)
    if smooth is not None:
        axes.plot(time, values, color=look["color"], alpha=0.25, linewidth=0.8)
    axes.plot(time, values if smooth is None else smooth, **look)
    return smooth is not None


def draw_columns(axes, choice, name, table, columns, first):
    """Columns of one unit over time. name: of the table; first: the number of the first one's
    colour and dash. Returns whether one was filtered."""
    done = False
    for number, column in enumerate(columns, first):
        look = {**look_of(number), "label": column}
        done |= draw_curve(axes, choice, table["time"], measured(table, column), name, column, look)
    axes.set_xlim(table["time"][0], max(table["time"][-1], table["time"][0] + 1e-9))
    return done


def named(axes):
    """The lines that a legend names."""
    return [line for line in axes.get_lines() if not line.get_label().startswith("_")]


def share_zero(left, right):
    """The limits of two axes such that their zeros are at one height."""
    ends = [np.array(axes.get_ylim()) for axes in (left, right)]
    spans = [np.abs(pair).max() for pair in ends]
    low = min(0.0, *(pair[0] / span for pair, span in zip(ends, spans)))
    high = max(0.0, *(pair[1] / span for pair, span in zip(ends, spans)))
    for axes, span in zip((left, right), spans):
        axes.set_ylim(low * span, high * span)


def shown_columns(table):
    """The columns that are drawn of a probe: all but its wetness. Of a height the elevation about
    still water, and its theory where waves are made; of a height that begins dry itself. The bed is
    far below both: in one graph with it, waves would be a straight line."""
    columns = [column for column in value_columns(table) if column not in WETNESS]
    if "elevation" in columns:
        columns = [column for column in ("elevation", "theory")
                   if column in table and np.any(np.isfinite(table[column]))]  # fmt: skip
        columns = columns if "elevation" in columns else ["height"]
    return columns


def draw_probe(axes, run, name, table, quantity="", choice=Choice()):
    """The columns of a probe over time; a torque has its own axis. `quantity` is for the title."""
    shown = choice.columns_of(shown_columns(table), value_columns(table))
    turning = [column for column in shown if column in ("tx", "ty", "tz", "torque")]
    pushing = [column for column in shown if column not in turning]
    table_name = f"probe {name}"
    filtered = draw_columns(axes, choice, table_name, table, pushing, 0)
    if pushing:
        label_values(axes, run, {"vx": "velocity", "fx": "force"}.get(pushing[0], pushing[0]))
    lines = named(axes)
    if turning:
        other = axes.twinx() if pushing else axes
        filtered |= draw_columns(other, choice, table_name, table, turning, len(pushing))
        label_values(other, run, "torque")
    if turning and pushing:
        other.grid(False)
        share_zero(axes, other)
        for line in named(other):
            line.set_label(f"{line.get_label()} (right axis)")
        legend_below(axes, lines, named(other))
    elif len(shown) > 1:
        legend_above(axes, named(axes))
    axes.set_title(f"{table_name}{quantity and ': '}{quantity}"
                   + (f"\n{choice.low_pass.words()}" if filtered else ""))  # fmt: skip
    axes.set_xlabel(f"time ({run.units['time']})")


def legend_of_all(figure, panels):
    """One legend for all panels, below them."""
    lines = {line.get_label(): line for axes in panels for line in named(axes)}
    columns = max(1, min(len(lines), int(figure.get_figwidth() * 11)
                         // (6 + max(map(len, lines)))))  # fmt: skip
    room = (0.2 * math.ceil(len(lines) / columns) + 0.1) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(lines.values(), lines.keys(), loc="lower center", ncols=columns)


def legend_above(axes, lines):
    """A legend in room of its own above the curves."""
    rows = math.ceil(len(lines) / 3)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + (0.06 + 0.13 * rows) * (high - low))
    axes.legend(handles=lines, loc="upper center", ncols=math.ceil(len(lines) / rows),
                frameon=False, borderaxespad=0.1)  # fmt: skip


def legend_below(axes, left, right):
    """A legend of the lines of both axes below the panel, as no corner is free of both; a row for
    each axis if they have as many."""
    ordered = [line for pair in zip(left, right) for line in pair]
    alike = len(left) == len(right)
    axes.legend(handles=ordered if alike else left + right, loc="upper center",
                bbox_to_anchor=(0.5, -0.27), borderaxespad=0, columnspacing=1.2, handlelength=1.6,
                ncols=len(left) if alike else 3)  # fmt: skip


def draw_panel(axes, run, panel, asked=None, choice=Choice()):
    """A probe over time, or a line of points: as colours, or its profiles."""
    name, table, quantity, kind = panel
    if not kind:
        draw_probe(axes, run, name, table, quantity, choice)
        return
    groups = sites(table)
    chosen = {name: columns for name, columns in groups.items() if name in choice.columns}
    word, unit, values = line_values(run, chosen or groups, table)
    values, filtered = smooth_points(choice, table, values, f"probe {name}")
    place = places(run, name, len(values))
    axes.set_title(f"probe {name}{quantity and ': '}{quantity}{filtered}")
    if kind == "profiles":
        draw_profiles(axes, run, (word, unit, values), place, table, asked)
    else:
        draw_line(axes, run, (word, unit, values), place, table)


def panels(name, table, choice=Choice()):
    """(name, table, quantity, kind) of each panel of a probe: a panel a quantity where it has all;
    a line has its profiles, and if they are many, a panel of colours. Columns that are asked for
    are in one panel; of a line also those of one of its points, as vx_3."""
    if any(column in table for column in choice.columns):
        return [(name, table, "", "")]
    found = {}
    for column in value_columns(table):
        base = re.sub(r"_\d+$", "", column)
        if base != "weight":
            found.setdefault({"vy": "vx", "vz": "vx"}.get(base, base), []).append(column)
    parts = [(name, table, "")]
    if "volume" in found or "passed" in found:
        kept = {key: table[key] for key in ("step", "time") if key in table}
        return [(name, kept | {column: table[column] for column in columns},
                 columns[0].replace("_", " "), "")
                for columns in SECTIONS if columns[0] in found]  # fmt: skip
    if len(found) >= 2 and "density" in found:
        common = {key: table[key] for key in table if key in ("step", "time") or "weight" in key}
        parts = [
            (name, common | {column: table[column] for column in columns},
             "velocity" if base == "vx" else base.replace("_", " "))
            for base, columns in found.items()
        ]  # fmt: skip
    if not sites(table):
        return [(*part, "") for part in parts]
    parts = parts[:1] if choice.columns else parts
    kinds = ("profiles",) if len(table["time"]) <= PROFILES else ("colours", "profiles")
    return [(*part, kind) for part in parts for kind in kinds]


def grid_of_panels(count, title):
    """(figure, its `count` axes) of a picture of panels."""
    columns = min(count, 1 if count == 1 else 2 if count <= 4 else 3)
    rows = math.ceil(count / columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.4 * columns + 0.6, 2.7 * rows + 0.4), squeeze=False
    )
    figure.suptitle(title, fontsize=11)
    for place in axes.flat[count:]:
        place.set_axis_off()
    return figure, list(axes.flat[:count])


def probes_picture(run, asked=None, choice=Choice()):
    """A panel a probe, or a quantity of one that has all. asked: times of profiles. None: no probes
    with rows."""
    drawn = [panel for name, table in choice.tables(run, "probe").items()
             if not choice.columns or choice.has_column(table)
             for panel in panels(name, table, choice)]  # fmt: skip
    if not drawn:
        return None
    figure, axes = grid_of_panels(len(drawn), run.title)
    for place, panel in zip(axes, drawn):
        draw_panel(place, run, panel, asked, choice)
    return figure

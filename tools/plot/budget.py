"""The energy budget: its text, its verdict and its figure."""

import matplotlib.pyplot as plt
import numpy as np

from plot import measure
from plot.pictures import COLOURS
from sluice import FileError

ENERGIES = (
    ("kinetic", "kinetic"),
    ("potential", "potential"),
    ("elastic", "elastic"),
    ("thermal", "internal"),
    ("spring", "wall springs"),
    ("bodies", "bodies"),
    ("contact", "contacts, moorings"),
    ("pair", "pairs"),
)
WORKS = (
    ("work_viscous", "viscosity"),
    ("work_diffusion", "density diffusion"),
    ("work_ghost", "extrapolated walls"),
    ("work_body", "moving walls"),
    ("work_contact", "impacts, dampers"),
    ("work_open", "openings"),
    ("work_shift", "particle shifting"),
    ("work_tension", "limit on tension"),
    ("work_memory", "renormalised gradients"),
    ("work_heat", "heat into the gas"),
    ("work_force", "accelerations"),
)
FLOWS = (  # the energy of particles: name, sign, look, label
    ("entered", 1, ":", "particles that came"),
    ("left", -1, "-.", "particles taken out"),
    ("removed", -1, "-", "particles that left"),
)
NEEDED = ("time", "kinetic", "total", "residual")


def check(table):
    missing = [name for name in NEEDED if name not in table]
    if missing:
        raise FileError(
            f"energy.csv has no column {', '.join(missing)}: it has {', '.join(table)}"
        )
    if not len(table["time"]):
        raise FileError("energy.csv has no rows yet")


def unfinished(run, table):
    """A line about a run that has not ended, as in `sluice energy`; '' for other runs."""
    if measure.is_at_end(run.config, table):
        return ""
    unit = run.units["time"]
    at, end = table["time"][-1], run.config.get("time.end", 0.0)
    return f"unfinished: the run is at t = {at:.6g} {unit} of {end:.6g} {unit}"


def draw_legend(axes, **look):
    """Beside the axes, so that it covers no curve."""
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), **look)


def lines(entries, table):
    """The columns that the table has: name, label and a line of its own look."""
    for k, (name, label) in enumerate(entries):
        if name in table:
            style = "-" if k < len(COLOURS) else "-."
            yield name, {"label": label, "color": COLOURS[k % len(COLOURS)], "linestyle": style}


def draw_energies(axes, run, table, start):
    """Energy changes since the start: a large constant potential would hide all other terms."""
    t = table["time"]
    changes = {name: table[name] - start[name][0] for name, _ in ENERGIES if name in table}
    scale = max(np.nanmax(np.abs(change)) for change in changes.values())
    for name, look in lines(ENERGIES, table):
        if np.nanmax(np.abs(changes[name])) > 1e-3 * scale:
            axes.plot(t, changes[name], **look)
    axes.plot(t, table["total"] - start["total"][0], color="0.2", linestyle="--", label="total")
    axes.set_ylabel(f"change since the start ({run.units['energy']})")
    axes.set_title("What is there")
    draw_legend(axes)


def works_in(table):
    """The works of a table: those that have a label here, then those of other effects."""
    known = [name for name, _ in WORKS]
    others = [name for name in table if name.startswith("work_") and name not in known]
    return [*WORKS, *((name, name.removeprefix("work_").replace("_", " ")) for name in others)]


def draw_works(axes, run, table, start):
    t, unit = table["time"], run.units["energy"]
    for name, look in lines(works_in(table), table):
        if np.any(table[name] != 0):
            axes.plot(t, table[name], **look)
    for name, sign, style, label in FLOWS:
        if name in table and np.any(table[name] != 0):
            axes.plot(t, sign * table[name], color="0.6", linestyle=style, label=label)
    axes.plot(
        t, table["total"] - start["total"][0], color="0.2", linestyle="--", label="total - total(0)"
    )
    axes.set_ylabel(f"work ({unit})")
    axes.set_title("What came and went")
    draw_legend(axes)


def draw_residual(axes, run, table, judged):
    t = table["time"]
    over = judged.reference or 1.0
    label = (
        "|residual| / reference energy"
        if judged.reference
        else f"|residual| ({run.units['energy']})"
    )
    size = np.abs(table["residual"]) / over
    largest = [size]
    if "identity" in table:
        identity = np.abs(table["identity"])
        largest.append(identity)
        shown = np.where(identity > 0, identity, np.nan)
        axes.plot(t, shown, ".", markersize=1.5, color="0.7", label="power identity", zorder=1)
    axes.plot(t, np.where(size > 0, size, np.nan), color=COLOURS[0], label=label)
    if judged.reference:
        axes.axhline(judged.tolerance, color=COLOURS[1], linestyle=":", label="tolerance")
        largest.append(np.array([judged.tolerance]))
    tops = [top for top in (np.max(values) for values in largest) if np.isfinite(top) and top > 0]
    if tops:
        axes.set_ylim(1e-3 * min(tops), 5 * max(tops))
    axes.set_yscale("log")
    axes.set_xlabel(f"time ({run.units['time']})")
    axes.set_ylabel("share" if judged.reference else run.units["energy"])
    axes.set_title("What is missing")
    draw_legend(axes, markerscale=4)


def draw_lj(axes, table):
    """Temperature and pressure, if the table has them."""
    for name, colour in (("temperature", COLOURS[1]), ("pressure", COLOURS[0])):
        axes.plot(table["time"], table[name], color=colour, label=name)
    axes.set_ylabel("reduced")
    axes.set_title("State")
    draw_legend(axes)


def draw_momentum(axes, run, table):
    shown = False
    for name, colour in zip(("momentum_x", "momentum_y", "momentum_z"), COLOURS):
        if name in table and np.any(table[name] != 0):
            axes.plot(table["time"], table[name], color=colour, label=name[-1])
            shown = True
    axes.set_ylabel("kg/s" if run.dimension == 2 else "kg m/s")
    axes.set_title("Linear momentum")
    if shown:
        draw_legend(axes)


def picture(run, table, judged, window=(-np.inf, np.inf)):
    """Energies, works, residual, and momentum or the state of a molecular system. window: the part
    of the time that is drawn, s, in which the table has rows."""
    check(table)
    start, table = table, table.between(*window)
    figure, axes = plt.subplots(2, 2, figsize=(12.4, 6.6), sharex=True)
    figure.suptitle("\n".join(filter(None, (run.title, str(judged)))), fontsize=10)
    draw_energies(axes[0, 0], run, table, start)
    draw_works(axes[0, 1], run, table, start)
    draw_residual(axes[1, 0], run, table, judged)
    if "temperature" in table and np.any(np.nan_to_num(table["temperature"]) != 0):
        draw_lj(axes[1, 1], table)
    else:
        draw_momentum(axes[1, 1], run, table)
    axes[1, 1].set_xlabel(f"time ({run.units['time']})")
    return figure

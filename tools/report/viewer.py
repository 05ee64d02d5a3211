"""The viewer of a run in a report: which pictures it has, and how they fit into a page."""

from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps

from plot import fields
from plot.pictures import evenly
from plot.studio import Studio
from render import scene
from report import solids, water
from report.packed import Block

SAMPLE = 8  # pictures that choose colours and frame
TRIED = 4  # pictures by which a level of detail is chosen
PICTURES = {2: 100, 3: 40}  # by dimension
STOPS = 16  # of a scale of colours
WHOLE = 65535


@dataclass(frozen=True)
class Grid:
    """Whole numbers of 16 bits that stand for places: low + step n, m."""

    low: np.ndarray
    step: np.ndarray

    def whole(self, places):
        return np.clip(np.round((places - self.low) / self.step), 0, WHOLE)

    def entry(self):
        return {"low": self.low.tolist(), "step": self.step.tolist()}


def grid_of(low, high):
    """The Grid of a box (m), one step larger."""
    extent = np.maximum(high - low, 1e-9 * max(1.0, float(np.abs(high).max())))
    return Grid(low, extent / WHOLE)


def is_surface(run, first):
    """Whether the run's particles bound water, and are drawn by its surface."""
    is_gas = "internal_energy" in first.fields or first.header.get("Units") == "lj"
    return run.dimension == 3 and not is_gas


def names_of(run, first, asked):
    """The fields that the viewer can colour by: the asked one first, then the pressure."""
    chosen = fields.find(asked, run, [first]).name
    there = fields.there(run, first)
    more = [name for name in ("pressure", "phase", "energy") if name in there and name != chosen]
    return [chosen, *more[:1]]


def field_entry(run, name, sample):
    """A field and its scale, as the viewer reads them."""
    scale = fields.scale_of(fields.FIELDS[name], sample)
    label, over = scale.label(run.units)
    label = label.replace("$^", "^").replace("$", "")
    if scale.names:
        low, high = scale.norm.boundaries[0], scale.norm.boundaries[-1]
        places = (np.arange(len(scale.names)) + 0.5) / len(scale.names)
        colours = [scale.colours(i) for i in range(len(scale.names))]
        stops = [[i / len(colours), colour] for i, colour in enumerate(colours)]
        stops += [[(i + 1) / len(colours), colour] for i, colour in enumerate(colours)]
        stops.sort(key=lambda stop: stop[0])
        marks = [[float(low + (high - low) * place), str(text)]
                 for place, text in zip(places, scale.names)]  # fmt: skip
    else:
        low, high = scale.norm.vmin, scale.norm.vmax
        table, marks = colormaps.get_cmap(scale.colours), []
        stops = [[x, table(x)] for x in np.linspace(0, 1, STOPS)]
    return {"name": name, "label": label, "low": float(low), "high": float(high), "over": over,
            "shown": [float(low), float(high)], "marks": marks,
            "stops": [[x, hex_of(colour)] for x, colour in stops]}  # fmt: skip


def hex_of(colour):
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])


def bytes_of(values, entry):
    """Values as bytes of the scale from its low to its high end."""
    part = (values - entry["low"]) / (entry["high"] - entry["low"])
    return np.clip(np.round(255 * np.nan_to_num(part)), 0, 255)


def picture_text(one, level, spacing, grid, entries):
    """(the picture's references, its block in base64, how many points it has)."""
    part = water.thinned(one, level, spacing)
    inside = np.all((part.points >= grid.low) & (part.points <= grid.low + grid.step * WHOLE), 1)
    block = Block()
    if part.corners is None:
        part = water.Water(part.time, part.points[inside],
                           {name: values[inside] for name, values in part.values.items()})
    picture = {"time": part.time, "points": block.add(grid.whole(part.points), "d2")}
    picture["values"] = [block.add(bytes_of(part.values[entry["name"]], entry), "u1")
                         for entry in entries]  # fmt: skip
    if part.corners is not None:
        picture["corners"] = block.add(part.corners, "d4")
    return picture, block.text(), len(part.points)


def level_of(made, spacing, grid, entries, room, fewest):
    """(the level of detail at which the pictures fit into `room` bytes, the numbers of those that
    are kept)."""
    tried = evenly(range(len(made)), TRIED)
    for level, fraction in enumerate(water.FRACTIONS):
        kept = evenly(range(len(made)), max(int(fraction * len(made)), min(fewest, len(made))))
        sizes = [len(picture_text(made[i], level, spacing, grid, entries)[1]) for i in tried]
        if 1.1 * max(np.mean(sizes), 1) * len(kept) < room:
            break
    return level, kept


def left_out(made, grid, are_two):
    """Lines that say what no picture shows. are_two: the run has two fluids."""
    lines = []
    if made[0].corners is not None and are_two:
        lines.append("the surface of the first fluid alone")
    high = grid.low + grid.step * WHOLE
    outside = max(np.sum(np.any((one.points < grid.low) | (one.points > high), axis=1))
                  for one in made)  # fmt: skip
    for count, why in ((outside, "outside the frame"),
                       (max(one.left_out for one in made), "not finite")):  # fmt: skip
        if count:
            lines.append(f"without up to {count} particles that are {why}")
    return lines


class Viewer:
    """What a page shows of a run: `entry` for the page, `lines` of what was thinned, for people."""

    def __init__(self, run, asked, blocks, room):
        self.run, self.asked, self.blocks, self.lines = run, asked, blocks, []
        every = list(run)
        hidden = Studio.hidden(asked.hide, every[0])
        count = asked.snapshots or PICTURES[run.dimension]
        self.snapshots = evenly(every, count)
        self.spacing = scene.spacing_of(run, every[0])
        sample = evenly(every, SAMPLE)
        names = names_of(run, every[0], asked.field)
        self.fields = [field_entry(run, name, sample) for name in names]
        made = list(water.waters(self.snapshots, names, is_surface(run, every[0]), asked.threads))
        if len(every) > len(made):
            self.lines.append(f"{len(made)} of {len(every)} snapshots")
        what = scene.make_scene(run, self.snapshots, hidden)
        self.entry = self.entry_of(made, what, room)

    def entry_of(self, made, what, room):
        low, high = (np.array(end, float) for end in what.box)
        things = solids.solids_of(self.run, self.snapshots, what)
        grid = self.grid_around(made, things, low, high)
        level, kept = level_of(made, self.spacing, grid, self.fields, room, water.FEWEST)
        self.say_thinned(made, level, kept)
        self.lines += left_out(made, grid, "phase" in self.snapshots[0].fields)
        block = Block()
        entries = [solids.entry_of(one, block, grid, self.run.dimension == 2) for one in things]
        for entry in entries:
            entry["moves"] = entry["moves"] and [entry["moves"][i] for i in kept]
        lines = [what.moorings.lines(snapshot) for snapshot in self.snapshots] \
            if what.moorings and what.moorings.entries else []  # fmt: skip
        number = self.blocks.add(block.text())
        pictures = []
        for i in kept:
            picture, text, _ = picture_text(made[i], level, self.spacing, grid, self.fields)
            if lines:
                picture["moorings"] = np.round(lines[i], 6).reshape(-1, 6).tolist()
            pictures.append({**picture, "block": self.blocks.add(text)})
        return {"dimension": self.run.dimension, "grid": grid.entry(), "low": low.tolist(),
                "high": high.tolist(), "spacing": self.width_of(level), "fields": self.fields,
                "solids": entries, "solidsBlock": number, "pictures": pictures,
                "unit": self.run.units["length"], "timeUnit": self.run.units["time"],
                "thinned": self.lines}  # fmt: skip

    def width_of(self, level):
        """The spacing of the particles that are drawn, m."""
        return self.spacing * water.SHARES[level] ** (1 / self.run.dimension)

    def grid_around(self, made, things, low, high):
        """Of surfaces all of them; of particles those in the frame and a little more."""
        low, high = low - 4 * self.spacing, high + 4 * self.spacing
        shown = [one.points for one in things]
        shown += [one.points for one in made if one.corners is not None]
        for points in filter(len, shown):
            low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
        return grid_of(low, high)

    def say_thinned(self, made, level, kept):
        if len(kept) < len(made):
            self.lines.append(f"{len(kept)} of {len(made)} pictures, to fit")
        if made[0].corners is not None:
            self.lines.append(f"points of the surface {water.CELLS[level]:g} dp apart")
        elif water.SHARES[level] > 1:
            self.lines.append(f"one of {water.SHARES[level]} particles")


def aligned(entries):
    """Gives viewers of runs of one case the same frame and the same colours."""
    for name, choose in (("low", min), ("high", max)):
        ends = [choose(values) for values in zip(*(entry[name] for entry in entries))]
        for entry in entries:
            entry[name] = ends
    names = [[field["name"] for field in entry["fields"]] for entry in entries]
    for fields_of_runs in zip(*(entry["fields"] for entry in entries)) if alike(names) else ():
        low, high = zip(*(field["shown"] for field in fields_of_runs))
        if alike([field["over"] for field in fields_of_runs]):
            for field in fields_of_runs:
                field["shown"] = [min(low), max(high)]


def alike(values):
    return all(value == values[0] for value in values)

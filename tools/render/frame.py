"""The frame of a picture: title, time, colour bar, scale bar, directions, legend."""

import math

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from render import paint, scene
from render.openings import draw_openings

TOP, BOTTOM, WIDE = 52, 92, 1280  # heights (pixels) of the strips in a picture of this width
LEAST_ZOOM = 0.65  # of text and strips in narrower ones: it stays readable
BAR = 0.66  # of the width: there the bar of colours begins
LETTER = 0.66 * 100 / 72  # width of a letter of text of 1 point, pixels; most are narrower
LEAST_TEXT = 6.0  # points; what does not fit in this size is cut
ROWS = 3  # of a legend
INK = "0.15"


def zoom_of(size):
    """The factor of text and strips in a frame of size (width, height) to those in a WIDE one."""
    return max(size[0] / WIDE, LEAST_ZOOM)


def strips(size):
    """Heights (pixels) of the strips above and below the picture in a frame."""
    return tuple(int(round(strip * zoom_of(size))) for strip in (TOP, BOTTOM))


def round_length(longest):
    """The largest of 1, 2, 5 times a power of ten that is not longer."""
    power = 10.0 ** math.floor(math.log10(longest))
    return max(step * power for step in (1, 2, 5) if step * power <= longest * (1 + 1e-9))


def length_text(length, unit):
    """A length in words, as 5 mm."""
    if unit != "m":
        return f"{length:g} ({unit})"
    for factor, name in ((1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "\N{MICRO SIGN}m")):
        if length >= factor * (1 - 1e-9):
            return f"{length / factor:.6g} {name}"
    return f"{length:g} m"


def scale_bar(axes, camera, x, y, longest, unit, size):
    """A bar at (x, y), in pixels of `axes`, of a round length up to `longest` pixels."""
    length = round_length(longest / camera.scale)
    wide = length * camera.scale
    axes.plot([x, x, x, x + wide, x + wide, x + wide], [y - 5, y + 5, y, y, y + 5, y - 5],
              color=INK, linewidth=1.6, solid_joinstyle="miter", clip_on=False)  # fmt: skip
    axes.text(x + wide / 2, y - 8, length_text(length, unit), ha="center", va="top", fontsize=size,
              color=INK)  # fmt: skip
    return wide


def directions(axes, camera, x, y, length, size):
    """The axes x, y, z as they are seen, from (x, y)."""
    ways = camera.axes[:2].T * length  # of x, y, z
    for way, name in zip(ways, "xyz"):
        if np.hypot(*way) < 0.15 * length:
            continue
        axes.annotate("", (x + way[0], y + way[1]), (x, y),
                      arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.3,
                                  "shrinkA": 0, "shrinkB": 0,
                                  "mutation_scale": 0.8 * size})  # fmt: skip
        away = way / np.hypot(*way) * (np.hypot(*way) + 1.1 * size)
        axes.text(x + away[0], y + away[1], name, ha="center", va="center", fontsize=size,
                  color=INK)  # fmt: skip


def legend_of(what, field):
    """(name, colour) of what is drawn beside the fluid and not by the field, each name once."""
    entries = {}
    if field.walls:
        return []
    for solid in what.solids:
        entries.setdefault(solid.name, paint.colour_of(solid, what))
    if what.bodies:
        names = sorted(set(what.run.config.names("bodies")))
        for name in names if len(names) < 4 else ["bodies"]:
            entries[name] = paint.COLOURS[scene.BODY]
    return list(entries.items())


def shortened(text, most):
    """The text in at most this number of letters."""
    if len(text) <= most:
        return text
    return text[: max(most - 1, 1)].rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def write_within(axes, x, y, text, size, room, **look):
    """Writes text in `size` points, or smaller if it would be wider than `room` pixels."""
    size = max(min(size, room / (LETTER * max(len(text), 1))), min(size, LEAST_TEXT))
    axes.text(x, y, shortened(text, int(room / (LETTER * size))), va="center", fontsize=size,
              **look)  # fmt: skip


def rows_of(entries, size, room):
    """Entries of a legend in rows: [[(name, colour, width)]], as many as fit."""
    rows, used = [[]], 0.0
    for name, colour in entries:
        patch = 2 * size if colour is not None else 0
        name = shortened(name, int((room - patch) / (LETTER * size)))
        wide = patch + LETTER * size * len(name)
        if rows[-1] and used + wide > room:
            rows, used = [*rows, []], 0.0
        rows[-1].append((name, colour, wide))
        used += wide + 1.6 * size
    return rows


def draw_legend(axes, entries, x, y, size, room):
    """Patches of colour with names, in rows from (x, y) downwards, `room` pixels wide."""
    kept = len(entries)
    while kept and len(rows_of(named_legend(entries, kept), size, room)) > ROWS:
        kept -= 1
    for number, row in enumerate(rows_of(named_legend(entries, kept), size, room)):
        at, level = x, y - 2 * size * number
        for name, colour, wide in row:
            if colour is not None:
                axes.add_patch(Rectangle((at, level - 0.55 * size), 1.5 * size, 1.1 * size,
                                         facecolor=colour, edgecolor="0.4", linewidth=0.7))
            patch = 2 * size if colour is not None else 0
            axes.text(at + patch, level, name, va="center", fontsize=size, color=INK)
            at += wide + 1.6 * size


def named_legend(entries, kept):
    """The first entries, and how many there are beside them."""
    left = len(entries) - kept
    return entries[:kept] + ([(f"+{left}", None)] if left else [])


def default_size(spans, wide=WIDE):
    """Width and height of a frame whose picture has these spans (low, high), even numbers."""
    extent = np.maximum(spans[1] - spans[0], 1e-30)
    tall = wide * float(np.clip(extent[1] / extent[0], 0.15, 0.72)) * 1.02
    return wide, int(round((tall + TOP + BOTTOM) / 2)) * 2


def decimals_of(times):
    """How many digits behind the point tell the times of frames apart, and one more."""
    steps = np.diff(times)
    steps = steps[steps > 0]
    return int(np.clip(1 - np.floor(np.log10(steps.min()) + 1e-6), 3, 9)) if len(steps) else 3


class Frame:
    """A frame of a movie; only the picture and the time change."""

    def __init__(self, size, what, camera, scale, times, note=""):
        """camera: of the picture alone, as wide as the frame and lower by the strips. times: of all
        frames. note: small text, as of a slice."""
        self.size, self.units, zoom = size, what.run.units, zoom_of(size)
        self.figure = Figure(figsize=[(n + 0.01) / 100 for n in size], dpi=100, facecolor="white")
        self.figure.set_layout_engine("none")
        self.canvas = FigureCanvasAgg(self.figure)
        self.small, large = 11 * zoom, 14 * zoom
        axes = self.figure.add_axes([0, 0, 1, 1])
        axes.set_xlim(0, size[0])
        axes.set_ylim(0, size[1])
        axes.axis("off")
        top, room = size[1] - 0.5 * TOP * zoom, size[0] - 250 * zoom  # beside the time
        high = top + 0.16 * TOP * zoom if note else top
        write_within(axes, 20 * zoom, high, what.run.title, large, room, color=INK)
        if note:
            write_within(axes, 20 * zoom, top - 0.28 * TOP * zoom, note, 0.9 * self.small, room,
                         color="0.35")  # fmt: skip
        self.decimals = decimals_of(times)
        self.clock = axes.text(size[0] - 20 * zoom, top, "", va="center", ha="right", color=INK,
                               fontsize=large, family="monospace")  # fmt: skip
        self.below(axes, what, camera, scale, zoom)
        draw_openings(axes, what, camera, size[1] - strips(size)[0], 36 * zoom, INK)
        self.image = None

    def below(self, axes, what, camera, scale, zoom):
        """The strip under the picture."""
        x, y = 24 * zoom, 0.62 * BOTTOM * zoom
        if what.run.dimension == 3:
            directions(axes, camera, x + 14 * zoom, y - 22 * zoom, 34 * zoom, self.small)
            x += 78 * zoom
        longest = min(190 * zoom, 0.15 * self.size[0])
        x += scale_bar(axes, camera, x, y, longest, self.units["length"], self.small) + 40 * zoom
        room = BAR * self.size[0] - 20 * zoom - x
        draw_legend(axes, legend_of(what, scale.field), x, y, self.small, room)
        bar = self.figure.add_axes([BAR, 0.56 * BOTTOM * zoom / self.size[1], 0.31,
                                    16 * zoom / self.size[1]])  # fmt: skip
        mapped = ScalarMappable(norm=scale.norm, cmap=scale.colours)
        colours = self.figure.colorbar(
            mapped, cax=bar, orientation="horizontal", extend=scale.extend
        )
        scale.label_bar(colours, what.run.units, fontsize=self.small, color=INK)
        colours.ax.xaxis.labelpad *= zoom
        colours.ax.tick_params(labelsize=0.9 * self.small, length=3.5 * zoom, pad=3.5 * zoom)
        colours.outline.set_visible(False)

    def draw(self, pixels, time):
        """The frame [rows, columns, 3] of bytes."""
        rows, columns = pixels.shape[:2]
        top = strips(self.size)[0]
        self.clock.set_text(f"t = {time:.{self.decimals}f} {self.units['time']}")
        self.canvas.draw()
        frame = np.array(np.asarray(self.canvas.buffer_rgba())[..., :3])
        bytes_ = (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)
        room = frame[top : top + rows, :columns]
        room[:] = np.minimum(room, bytes_[: room.shape[0]])
        return frame

"""What stands around a picture: title, time, colour bar, scale bar, directions, legend."""

import math

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from render import paint, scene

TOP, BOTTOM, WIDE = 52, 92, 1280  # heights (pixels) of the strips in a picture of this width
LEAST_ZOOM = 0.65  # of text and strips in narrower ones: it stays readable
BAR = 0.66  # of the width: there the bar of colours begins
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
    return list(entries.items())[:6]


def draw_legend(axes, entries, x, y, size, most):
    """Patches of colour with names, in rows from x to at most `most`. Returns the last row's y."""
    start = x
    for name, colour in entries:
        wide = 2 * size + 0.66 * size * 100 / 72 * len(name)
        if x > start and x + wide > most:
            x, y = start, y - 2 * size
        axes.add_patch(Rectangle((x, y - 0.55 * size), 1.5 * size, 1.1 * size, facecolor=colour,
                                 edgecolor="0.4", linewidth=0.7))  # fmt: skip
        axes.text(x + 2 * size, y, name, va="center", fontsize=size, color=INK)
        x += wide + 1.6 * size
    return y


def default_size(spans, wide=WIDE):
    """Width and height of a frame whose picture has these spans (low, high), even numbers."""
    extent = np.maximum(spans[1] - spans[0], 1e-30)
    tall = wide * float(np.clip(extent[1] / extent[0], 0.15, 0.72)) * 1.02
    return wide, int(round((tall + TOP + BOTTOM) / 2)) * 2


class Frame:
    """A frame of a movie; only the picture and the time change."""

    def __init__(self, size, what, camera, scale, note=""):
        """camera: of the picture alone, as wide as the frame and lower by the strips. note: small
        text, as of a slice."""
        self.size, self.units, zoom = size, what.run.units, zoom_of(size)
        self.figure = Figure(figsize=[(n + 0.01) / 100 for n in size], dpi=100, facecolor="white")
        self.figure.set_layout_engine("none")
        self.canvas = FigureCanvasAgg(self.figure)
        self.small, large = 11 * zoom, 14 * zoom
        axes = self.figure.add_axes([0, 0, 1, 1])
        axes.set_xlim(0, size[0])
        axes.set_ylim(0, size[1])
        axes.axis("off")
        top = size[1] - 0.5 * TOP * zoom
        title, room = what.run.title, size[0] - 250 * zoom  # beside the time
        fitting = min(large, room / (0.62 * 100 / 72 * max(len(title), 1)))
        axes.text(20 * zoom, top, title, va="center", fontsize=fitting, color=INK)
        self.clock = axes.text(size[0] - 20 * zoom, top, "", va="center", ha="right", color=INK,
                               fontsize=large, family="monospace")  # fmt: skip
        self.below(axes, what, camera, scale, note, zoom)
        self.image = None

    def below(self, axes, what, camera, scale, note, zoom):
        """The strip under the picture."""
        x, y = 24 * zoom, 0.62 * BOTTOM * zoom
        if what.run.dimension == 3:
            directions(axes, camera, x + 14 * zoom, y - 22 * zoom, 34 * zoom, self.small)
            x += 78 * zoom
        wide = scale_bar(axes, camera, x, y, 190 * zoom, self.units["length"], self.small)
        x += wide + 40 * zoom
        entries = legend_of(what, scale.field)
        y = draw_legend(axes, entries, x, y, self.small, BAR * self.size[0] - 20 * zoom)
        if note:
            low = min(0.22 * BOTTOM * zoom, y - 2 * self.small)
            axes.text(x, low, note, va="center", color="0.35", fontsize=0.9 * self.small)
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
        self.clock.set_text(f"t = {time:.3f} {self.units['time']}")
        self.canvas.draw()
        frame = np.array(np.asarray(self.canvas.buffer_rgba())[..., :3])
        bytes_ = (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)
        room = frame[top : top + rows, :columns]
        room[:] = np.minimum(room, bytes_[: room.shape[0]])
        return frame

"""The wave maker of a run, as its effective config and its log have it, and when its waves are
where."""

import math
import re
from dataclasses import dataclass, replace

import numpy as np

from waves.theory import Target, group_speed, wave_number

# What sluice_case_log_waves writes: a maker's name, its paddle's face, the reflector and its place.
RUN = re.compile(r"Z waves of '(.*)': from ([xy]) = (\S+) m to (.*) at [xy] = (\S+) m$",
                 re.MULTILINE)
REACH = 6  # beta c t from a solitary paddle's start to its crest, as in motion/wave_maker.c


@dataclass(frozen=True)
class Maker:
    """What a motion of kind "wave" makes. Lengths in m, times in s. face: where its paddle is at
    rest, along `direction` from the origin; None: unknown. end: where the water ends, or the
    reflector is, which sends waves back. height and period are 0 where a file has them."""

    name: str
    wave: str
    depth: float
    height: float
    gravity: float
    direction: tuple
    face: float
    end: float
    start: float
    ramp: float
    stop: float
    period: float = 0.0
    theory: str = ""
    target: Target = None
    components: int = 0
    reflector: str = "the water's end"

    @property
    def is_known(self):
        """Whether the config tells its waves: a record or a spectrum in a file does not count, as
        no file is read here."""
        return self.wave in ("regular", "solitary", "focused") or self.target is not None

    @property
    def k(self):
        return float(wave_number(2 * math.pi / self.period, self.depth, self.gravity))

    @property
    def length(self):
        return 2 * math.pi / self.k

    @property
    def celerity(self):
        """The celerity of the peak's waves, or of a solitary wave."""
        if self.wave == "solitary":
            return math.sqrt(self.gravity * (self.depth + self.height))
        return self.length / self.period

    @property
    def speed(self):
        """That of the waves that a record must have to be steady: of a spectrum the slowest."""
        if self.wave == "solitary":
            return self.celerity
        last = self.target.high if self.target else 1 / self.period
        return float(group_speed(2 * math.pi * last, self.depth, self.gravity))

    @property
    def crest(self):
        """When the crest of a solitary wave would be at the paddle at rest: it leaves it half a
        stroke, H/(beta d), ahead."""
        steep = self.depth + (0 if self.theory == "boussinesq" else self.height)
        beta = math.sqrt(0.75 * self.height / self.depth**2 / steep)
        return self.start + (REACH - self.height / self.depth) / (beta * self.celerity)

    def steady(self, distance):
        """When waves with their full height are `distance` from the paddle; of a solitary wave when
        its crest is."""
        begin = self.crest if self.wave == "solitary" else self.start + self.ramp
        return begin + distance / self.speed

    @property
    def way(self):
        """From the paddle to the reflector; None: one of both is unknown."""
        return None if self.end is None or self.face is None else self.end - self.face

    @property
    def front(self):
        """The speed of its first waves: of a spectrum those of its lowest frequency."""
        if self.wave == "solitary":
            return self.celerity
        first = self.target.low if self.target else 1 / self.period
        return float(group_speed(2 * math.pi * first, self.depth, self.gravity))

    @property
    def slows(self):
        """When its paddle begins to come to rest; infinite: never."""
        return self.stop - self.ramp if math.isfinite(self.stop) else math.inf

    def first(self, way):
        """When the first waves, or a solitary wave's crest, have gone so far."""
        return (self.crest if self.wave == "solitary" else self.start) + way / self.front

    def echo(self, distance):
        """When the first waves are back from the reflector; None: where it is is unknown."""
        return None if self.way is None else self.first(2 * self.way - distance)

    def again(self, distance):
        """When they are there once more, which the paddle has reflected; None: unknown."""
        return None if self.way is None else self.first(2 * self.way + distance)


def corners(shape, dimension):
    """[n, dimension] corners of a box or a polygon; None: of another shape."""
    if shape.get("shape") == "box":
        ends = np.array([shape["min"], shape["max"]], float)[:, :dimension]
        return np.array([[ends[i, a] for a, i in enumerate(index)]
                         for index in np.ndindex(*(2,) * dimension)])  # fmt: skip
    if shape.get("shape") == "polygon" and dimension == 2:
        return np.array(shape["points"], float)
    return None


def reach_of(shapes, direction, dimension):
    """How far shapes reach along a direction; None: there are none, or not all are known."""
    found = [corners(shape, dimension) for shape in shapes]
    if not found or any(points is None for points in found):
        return None
    return max(float((points @ direction).max()) for points in found)


def direction_of(motion, dimension):
    given = np.array(motion.get("direction", []), float)[:dimension]
    if given.size and np.any(given):
        return given / np.linalg.norm(given)
    along = 1 if motion.get("paddle") == "flap" and motion.get("axis") == "x" else 0
    return np.eye(dimension)[along]


def period_of(motion, depth, gravity):
    """0: a solitary wave has none, and a record or a spectrum in a file has its own."""
    period, length = float(motion.get("period", 0.0)), float(motion.get("length", 0.0))
    if period > 0 or length <= 0:
        return period
    k = 2 * math.pi / length
    return 2 * math.pi / math.sqrt(gravity * k * math.tanh(k * depth))


def target_of(motion, period, height):
    """The Target of irregular waves; None: of other waves, or of a spectrum in a file."""
    spectrum = motion.get("spectrum", "jonswap")
    if motion["wave"] != "irregular" or spectrum == "file":
        return None
    gamma = motion.get("gamma", 3.3) if spectrum == "jonswap" else 1.0
    return Target(height, 1 / period, gamma, motion.get("band_low", 0.6) / period,
                  motion.get("band_high", 2.5) / period)  # fmt: skip


def is_carried(shape, motion):
    """Whether a motion moves a shape: the shape names the motion, or the motion the shape."""
    carries = motion.get("carries", "")
    return shape.get("motion") == motion["name"] or bool(carries and shape.get("name") == carries)


def maker_of(config, motion):
    """The Maker of an entry of the config's motions."""
    dimension = int(config.get("dimension", 3))
    gravity = -float(config["gravity"][dimension - 1])
    direction = direction_of(motion, dimension)
    shapes = config.get("geometry", [])
    height = float(motion.get("height", 0.0)) * abs(float(motion.get("gain", 1.0)))
    depth = float(motion["depth"])
    period = period_of(motion, depth, gravity)
    carried = [shape for shape in shapes if is_carried(shape, motion)]
    return Maker(
        name=motion["name"], wave=motion["wave"], depth=depth, height=height, gravity=gravity,
        direction=tuple(direction), face=reach_of(carried, direction, dimension),
        end=reach_of([s for s in shapes if s.get("type") == "fluid"], direction, dimension),
        start=float(motion.get("start", 0.0)), ramp=float(motion.get("ramp", 0.0)) or 2 * period,
        stop=float(motion.get("stop", 0.0)) or math.inf, period=period,
        theory=motion.get("theory", ""), target=target_of(motion, period, height),
        components=int(motion.get("components", 0)),
    )  # fmt: skip


def with_run(maker, found):
    """The Maker with the face and the reflector that the log has."""
    _, axis, face, reflector, end = found
    along = maker.direction["xy".index(axis)]
    title = reflector if reflector == "the water's end" else f"{reflector} at {axis} = {end} m"
    return replace(maker, face=along * float(face), end=along * float(end), reflector=title)


def makers_of(config, log=""):
    """The wave makers of a config, in its order. log: the text of the run's; without the runs of
    its waves the water's end counts as the reflector."""
    runs = {found[0]: found for found in RUN.findall(log)}
    makers = [maker_of(config, motion) for motion in config.get("motions", [])
              if motion.get("kind") == "wave"]  # fmt: skip
    return [with_run(maker, runs[maker.name]) if maker.name in runs else maker for maker in makers]

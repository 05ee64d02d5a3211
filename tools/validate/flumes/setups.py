"""Flumes with a piston at one end and a beach or a wall at the other, and their gauges."""

import math
from dataclasses import dataclass

import numpy as np
from waves.theory import group_speed, wave_number

DEPTH, GRAVITY = 0.4, 9.81
FLUME = """
title = "A wave flume";
model = "wcsph"; dimension = 2; spacing = {dp:.9g}; settings = "waves";
domain = {{ min = [{behind:.9g}, 0.0]; max = [{length:.9g}, 0.8]; }};
gravity = [0.0, -9.81];
fluid = {{ density = 1000.0; diffusion = {{ kind = "hydrostatic"; delta = 0.1; }};
  masses = "hydrostatic"; }};
boundary = {{ kind = "adami"; }};
geometry = (
  {{ name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [{wet:.9g}, 0.4]; }},
  {{ name = "tank"; shape = "walls"; sides = ["bottom", "right"]; }}, {beach}
  {{ name = "paddle"; shape = "box"; type = "wall"; min = [{back:.9g}, 0.0];
     max = [0.0, 0.76]; }} );
motions = ( {{ name = "maker"; carries = "paddle"; kind = "wave"; depth = 0.4; {motion} }} );
initial = ( {{ field = "pressure"; kind = "hydrostatic"; }} );
probes = ( {probes} );
time = {{ end = {end:.9g}; cfl = 0.3; }};
energy = {{ every = 20; tolerance = 1.0e-5; }};
output = {{ every = 0.0; keep = 0; }};
"""
BEACH = (
    '{{ name = "beach"; shape = "polygon"; type = "wall"; fit = "surface";\n'
    "     points = ([{foot:.9g}, 0.0], [{end:.9g}, {top:.9g}], [{end:.9g}, -0.1],\n"
    "               [{foot:.9g}, -0.1]); }},"
)
TOP = 0.6  # m, of the beach


def flume(dp, flat, motion, places, end, slope=8.0, more=""):
    """The config of a flume whose floor is level for `flat` (m). places: of gauges, m. slope: the
    cotangent of the beach after it; 0: a wall. more: other probes. The end is on the lattice."""
    length = round((flat + slope * TOP) / dp) * dp
    beach = BEACH.format(foot=flat, end=length, top=(length - flat) / slope) if slope else ""
    wet = flat + slope * DEPTH if slope else length
    gauges = ", ".join(f'{{ name = "g{i}"; kind = "height"; at = [{x:.9g}]; every = 0.01; }}'
                       for i, x in enumerate(places))
    return FLUME.format(dp=dp, length=length, wet=wet, beach=beach, back=-10 * dp,
                        behind=-math.ceil(1 / dp) * dp, motion=motion, probes=gauges + more,
                        end=end)


def elevations(run, places):
    """Times (s), and the elevation at each gauge, m [gauge, time]."""
    tables = [run.probes()[f"g{i}"] for i in range(len(places))]
    count = min(len(table["time"]) for table in tables)
    return tables[0]["time"][:count], np.array([table["elevation"][:count] for table in tables])


def harmonics(t, rise, period, count=3):
    """Complex amplitudes c of the parts Re c exp(i n omega t), n from 1, over whole periods."""
    omega = 2 * math.pi / period
    columns = [np.ones_like(t)]
    for n in range(1, count + 1):
        columns += [np.cos(n * omega * t), -np.sin(n * omega * t)]
    found = np.linalg.lstsq(np.array(columns).T, rise, rcond=None)[0]
    return found[1::2] + 1j * found[2::2]


@dataclass(frozen=True)
class Train:
    """Linear waves in DEPTH of water: k d, and their height over d."""

    kd: float
    steepness: float

    @property
    def height(self):
        return self.steepness * DEPTH

    @property
    def k(self):
        return self.kd / DEPTH

    @property
    def length(self):
        return 2 * math.pi / self.k

    @property
    def omega(self):
        return math.sqrt(GRAVITY * self.k * math.tanh(self.kd))

    @property
    def period(self):
        return 2 * math.pi / self.omega

    def group(self, harmonic=1):
        """Group speed (m/s) of free waves of this harmonic."""
        return float(group_speed(harmonic * self.omega, DEPTH, GRAVITY))

    @property
    def k_free(self):
        """The wavenumber of a free second harmonic, 1/m."""
        return float(wave_number(2 * self.omega, DEPTH, GRAVITY))

    def motion(self, order=2):
        return (f'wave = "regular"; order = {order}; height = {self.height:.12g};'
                f" period = {self.period:.12g};")

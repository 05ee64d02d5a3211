"""Configs of water with openings, and what their tables say."""

import math

import numpy as np

GRAVITY = 9.81
STREAM = """
title = "{title}";
model = "wcsph"; dimension = {dimension}; spacing = {dp:.9g};
domain = {{ min = {low}; max = {high}; }};
gravity = {gravity};
kernel = {{ name = "wendland-c2"; h_over_dp = 1.5; }};
fluid = {{ density = 1000.0; sound_speed = {sound:.9g}; viscosity = {viscosity};
  diffusion = {{ kind = "{diffusion}"; delta = 0.1; }}; {fluid} }};
boundary = {{ kind = "{walls}"; slip = "{slip}"; }};
geometry = ( {geometry} );
initial = ( {initial} );
openings = ( {openings} );
probes = ( {probes} );
time = {{ end = {end:.9g}; }};
energy = {{ every = {each}; {reference} }};
output = {{ every = {every:.9g}; }};
"""
ARTIFICIAL = '{ kind = "artificial"; alpha = 0.02; }'
HYDROSTATIC = '{ field = "pressure"; kind = "hydrostatic"; }'


def stream(title, dp, low, high, sound, geometry, openings, end, *, viscosity=ARTIFICIAL,
           diffusion="molteni", fluid="", walls="adami", slip="free", initial="", probes="",
           every=1.0, each=50, reference=None, falls=False):
    """The config of water in a domain from low to high (m). falls: it has weight, and the pressure
    is hydrostatic at first. reference: of the energy (J), where gravity gives none."""
    down = [0.0] * (len(low) - 1) + [-GRAVITY if falls else 0.0]
    return STREAM.format(
        title=title, dimension=len(low), dp=dp, low=list(low), high=list(high), gravity=down,
        sound=sound, viscosity=viscosity, fluid=fluid, walls=walls, slip=slip, geometry=geometry,
        diffusion="hydrostatic" if falls else diffusion, openings=openings, probes=probes, end=end,
        initial=", ".join(part for part in (HYDROSTATIC if falls else "", initial) if part),
        every=every, each=each,
        reference="" if reference is None else f"reference = {reference:.9g};")


def box(name, low, high):
    return f'{{ name = "{name}"; shape = "box"; type = "fluid"; min = {low}; max = {high}; }}'


def sides(names, name="sides"):
    words = ", ".join(f'"{side}"' for side in names)
    return f'{{ name = "{name}"; shape = "walls"; sides = [{words}]; }}'


def polygon(name, points):
    """A wall fitted to its surface."""
    corners = ", ".join(f"[{x:.9g}, {z:.9g}]" for x, z in points)
    return (f'{{ name = "{name}"; shape = "polygon"; type = "wall"; fit = "surface";\n'
            f"     points = ({corners}); }}")


def quarter(centre, radius, count=16):
    """Points of a quarter of a circle, from its left to its top."""
    angles = np.linspace(math.pi, math.pi / 2, count + 1)
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def rate(table, name, start):
    """The slope of a column over time after `start` (s), by least squares."""
    late = table.between(start, np.inf)
    return float(np.polyfit(late["time"], late[name], 1)[0])


def mean(table, name, start, end=np.inf):
    return float(np.nanmean(table.between(start, end)[name]))

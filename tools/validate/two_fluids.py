"""Two fluids: at rest with the lighter one above, and unstable with the lighter one below."""

import math
import re

import numpy as np
from plot import measure
from plot.pictures import COLOURS

from validate.trial import case

RATIOS = (2, 10, 1000)

# --- Layers: metres and seconds of configs/two_layers.cfg ---

GRAVITY, HEIGHT, HEAVY, GAMMA = 9.81, 1.0, 1000.0, 7.0
C0 = 10 * math.sqrt(2 * GRAVITY * HEIGHT)
END = 5.0  # s: t sqrt(g/H) = 15.7


def below(pressure, rho0, depth):
    """Pressure below a layer of fluid at rest, from the pressure above it. The head grows by g
    d/c0^2; both fluids have the same stiffness B = rho0 c0^2/gamma."""
    stiffness, c2 = HEAVY * C0**2 / GAMMA, HEAVY * C0**2 / rho0
    head = ((1 + pressure / stiffness) ** ((GAMMA - 1) / GAMMA) - 1) / (GAMMA - 1)
    head += GRAVITY * depth / c2
    return stiffness * ((1 + (GAMMA - 1) * head) ** (GAMMA / (GAMMA - 1)) - 1)


def line(run, phase, low, high):
    """Slope and value at z = 0 of the pressure of a phase between two heights, over the snapshots
    of the last fifth of the time."""
    z, p = [], []
    for s in run:
        if s.time >= 0.8 * END:
            keep = (s.phase == phase) & (s.x[:, 1] > low) & (s.x[:, 1] < high)
            z.append(s.x[keep, 1])
            p.append(s.pressure[keep])
    return np.polyfit(np.concatenate(z), np.concatenate(p), 1)


@case("two-layers", "Two layers at rest", (32,))
def two_layers(trial):
    """A layer of light fluid on a layer of water, each half of the depth H, in an open tank
    (`configs/two_layers.cfg`). Density ratios are 1 to 2, 10 and 1000; the light fluid is as stiff
    as the water. The runs end at t sqrt(g/H) = 15.7, in float. A straight line is fitted to the
    pressures of each layer, except within two spacings of its ends, over the last fifth of the
    time. It is compared with the exact pressure of the equations of state. At the interface the two
    lines should meet."""
    for n in trial.resolutions:
        inset = 2 / n
        for ratio in RATIOS:
            label = f"H/{n}, 1 to {ratio}"
            light = HEAVY / ratio
            run = trial.run(f"{n}-{ratio}", "two_layers.cfg", "still", spacing=HEIGHT / n,
                            fluid__second__density=light, time__end=END, output__every=END / 50)
            table = run.energy()
            kinetic = table["kinetic"] / run.reference_energy
            interface = below(0.0, light, HEIGHT / 2)
            floor = below(interface, HEAVY, HEIGHT / 2)
            heavy = line(run, 1, inset, HEIGHT / 2 - inset)
            upper = line(run, 2, HEIGHT / 2 + inset, HEIGHT - inset)
            trial.check(f"{label}: kinetic energy / (m g H), at the end", kinetic[-1], 1e-6)
            trial.check(f"{label}: its largest at any time", measure.largest(kinetic), None)
            trial.within(f"{label}: floor pressure, relative error", heavy[1] / floor - 1, 0.005,
                         f"{heavy[1]:.2f} Pa, exact {floor:.2f} Pa")
            at = [fit[1] + fit[0] * HEIGHT / 2 for fit in (heavy, upper)]
            trial.within(f"{label}: jump of the pressure at the interface, over the floor's",
                         (at[1] - at[0]) / floor, 0.005)
            trial.within(f"{label}: slope in the light layer over -rho g, less 1",
                         -upper[0] / (light * GRAVITY) - 1, 0.02)
    draw_layers(trial, run, light)


def draw_layers(trial, run, light):
    (axes,) = trial.axes()
    snapshot = run[-1]
    for phase, colour, name in ((1, COLOURS[0], "water"), (2, COLOURS[2], "the light fluid")):
        keep = snapshot.phase == phase
        axes.plot(snapshot.pressure[keep], snapshot.x[keep, 1], ".", markersize=2, color=colour,
                  label=f"Sluice, {name}")
    top = below(0.0, light, HEIGHT / 2)
    axes.plot([0, top, below(top, HEAVY, HEIGHT / 2)], [HEIGHT, HEIGHT / 2, 0], color=COLOURS[1],
              label="equations of state")
    axes.set_xlabel("pressure (Pa)")
    axes.set_ylabel("height (m)")
    axes.legend()


# --- Rayleigh and Taylor: wavelength 1, gravity 1, the heavy fluid's density 1 ---

WAVE = 2 * math.pi
AMPLITUDE = 0.01
DEPTH = 1.0  # of either layer
KERNEL = {"name": "wendland-c4", "h_over_dp": 2.5}  # its lattice hardly resists shear
SHIPPED = {"name": "wendland-c2", "h_over_dp": 1.5}
REPULSION, REPELLED_FROM = 0.08, 10  # Monaghan & Rafiee 2013; from this density ratio on
REACH = 0.35  # wavelengths: the run ends when theory's bubble is this high


def start_columns(n, ratio):
    """The start: a lattice whose columns are stretched on one side of the interface and squeezed on
    the other, so that the interface is a cosine. The masses follow, so that nothing is compressed
    by it, and give the hydrostatic pressure."""
    dp = 1 / n
    x, z = np.meshgrid((np.arange(n) + 0.5) * dp, (np.arange(2 * n) + 0.5) * dp - DEPTH)
    x, z = x.ravel(), z.ravel()
    light = z < 0
    rise = AMPLITUDE * np.cos(WAVE * x)
    room = 1 - 2 * rise * np.sign(z) * (1 - np.abs(z) / DEPTH) / DEPTH
    height = z + rise * (1 - np.abs(z) / DEPTH) ** 2
    stiffness = 100 * 2 * 2 * DEPTH  # rho0 c0^2, of both; c0^2 = 100 * 2 g H
    pressure = np.where(light, DEPTH - z / ratio, DEPTH - z)
    density = np.where(light, 1 / ratio, 1.0) * (1 + 7 * pressure / stiffness) ** (1 / 7)
    order = np.argsort(light, kind="stable")
    columns = {"x": x, "y": height, "phase": light + 1.0, "mass": density * room * dp**2}
    return {name: c[order] for name, c in columns.items()}


def overturn_settings(n, ratio, end):
    """Keys that differ from configs/two_layers.cfg, except the start file."""
    return {
        "title": f"Rayleigh-Taylor, 1 to {ratio}",
        "spacing": 1 / n,
        "gravity": [0.0, -1.0],
        "domain__min": [0.0, -DEPTH],
        "domain__max": [1.0, DEPTH],
        "domain__periodic": [True, False],
        "fluid__density": 1.0,
        "fluid__second__density": 1 / ratio,
        "time__end": end,
        "output__every": end / 60,
        "energy__tolerance": 1e-3,
    }


def linear_rate(ratio):
    """Growth rate, in sqrt(g/wavelength), of two layers, each DEPTH deep (Rayleigh 1883)."""
    return math.sqrt((ratio - 1) / (ratio + 1) * WAVE * math.tanh(WAVE * DEPTH))


def measured_rate(snapshots):
    """Growth rate, from the time when the mode is 2.5 times as large; it grows as cosh(rate t)."""
    modes = [mode_amplitude(s) for s in snapshots]
    return math.acosh(2.5) / float(np.interp(2.5 * AMPLITUDE, modes, [s.time for s in snapshots]))


def bubble_theory(ratio, times):
    """Height of the bubble by the buoyancy-drag model of Oron et al. 2001, in 2-D (C_a = 2, C_d = 6
    pi), with E = exp(-6 pi height/wavelength):

    [(l + 2 h) + (2 l + h) E] du/dt = (h - l) (1 - E) g - 6 pi h u^2/wavelength"""
    heavy, light = 1.0, 1.0 / ratio

    def slope(y):
        shape = math.exp(-3 * WAVE * y[0])
        inertia = (light + 2 * heavy) + (2 * light + heavy) * shape
        force = (heavy - light) * (1 - shape) - 3 * WAVE * heavy * y[1] ** 2
        return np.array([y[1], force / inertia])

    y, now, out = np.array([AMPLITUDE, 0.0]), 0.0, []
    for time in times:
        steps = max(1, math.ceil((time - now) / 1e-3))
        for _ in range(steps):
            h = (time - now) / steps
            y = y + h * slope(y + h / 2 * slope(y))
        now = time
        out.append(y[0])
    return np.array(out)


def bubble_height(snapshot, n):
    """The height at x = 0 where, going up, the light fluid's fraction of the volume falls below a
    half. Fractions are weighted by a kernel with a radius of four spacings."""
    heights = np.arange(-DEPTH, DEPTH, 0.25 / n)
    fluid = snapshot.phase > 0
    x = (snapshot.x[fluid, 0] + 0.5) % 1 - 0.5
    near = np.abs(x) < 4 / n
    volume = (snapshot.mass / snapshot.density)[fluid][near]
    distance = np.hypot(x[near, None], snapshot.x[fluid, 1][near, None] - heights[None, :])
    weight = volume[:, None] * np.maximum(1 - distance * n / 4, 0) ** 4 * (1 + distance * n)
    share = weight[snapshot.phase[fluid][near] == 2].sum(0) / weight.sum(0)
    last = np.flatnonzero(share > 0.5)[-1]
    if last == len(heights) - 1:
        return DEPTH
    part = (share[last] - 0.5) / (share[last] - share[last + 1])
    return heights[last] + part * 0.25 / n


def mode_amplitude(snapshot):
    """Amplitude of the interface's first Fourier mode: twice the integral of cos(kx) over the
    light fluid."""
    light = snapshot.phase == 2
    volume = (snapshot.mass / snapshot.density)[light]
    return 2 * float(np.sum(volume * np.cos(WAVE * snapshot.x[light, 0])))


def one_overturn(trial, name, n, ratio, end, kernel, repulsion):
    """Runs a case; returns (relative error of the growth rate, times, bubble's heights,
    snapshots)."""
    run = trial.run(name, "two_layers.cfg", "violent", probes=(), kernel=kernel,
                    geometry=({"shape": "walls", "sides": ["bottom", "top"]},),
                    particles=trial.write(f"{n}-start", start_columns(n, ratio)),
                    fluid__second__repulsion=repulsion, **overturn_settings(n, ratio, end))
    snapshots = list(run)
    times = np.array([s.time for s in snapshots])
    bubble = np.array([bubble_height(s, n) for s in snapshots])
    return measured_rate(snapshots) / linear_rate(ratio) - 1, times, bubble, snapshots


def variants(trial, ratio):
    """Yields the runs of a case: (what differs, or "", resolution, kernel, repulsion)."""
    own, other, differs = 0.0, REPULSION, f"repulsion {REPULSION}"
    if ratio >= REPELLED_FROM:
        own, other, differs = REPULSION, 0.0, "no repulsion"
    yield "Wendland C2 of 1.5 dp", trial.resolutions[0], SHIPPED, own
    for n in trial.resolutions:
        yield differs, n, KERNEL, other
    for n in trial.resolutions:
        yield "", n, KERNEL, own


def overturn(trial, ratio):
    rate = linear_rate(ratio)
    fine = np.linspace(0, 10 / rate, 2001)
    end = float(fine[np.searchsorted(bubble_theory(ratio, fine), REACH)])
    panels = list(trial.axes(columns=3))
    errors = {}
    for differs, n, kernel, repulsion in variants(trial, ratio):
        label = f"1/{n}, {differs}" if differs else f"1/{n}"
        error, times, bubble, snapshots = one_overturn(
            trial, re.sub(r"\W+", "-", f"{n} {differs}".strip()), n, ratio, end, kernel, repulsion)
        theory = bubble_theory(ratio, times)
        trial.within(f"{label}: growth rate of the mode until it is 2.5 times as large, relative "
                     "error", error, None if differs else 0.1,
                     f"linear theory {rate:.4f} sqrt(g/wavelength)")
        worst = int(np.argmax(np.abs(bubble - theory)))
        trial.within(f"{label}: bubble, farthest from theory, wavelengths",
                     float(bubble[worst] - theory[worst]), None if differs else 0.05,
                     f"at t = {times[worst]:.2f}, where theory has {theory[worst]:.3f}")
        if not differs:
            errors[n] = error
        colour = "0.6" if kernel == SHIPPED else COLOURS[2 + (n != trial.resolutions[0])]
        panels[0].plot(times, bubble, "--" if differs else "-", color=colour,
                       label=f"Sluice, {label}")
        if kernel == KERNEL and n == trial.resolutions[-1]:
            draw_fluids(panels[2 if differs else 1], snapshots[-1], label)
    trial.order("growth rate", errors)
    panels[0].plot(times, theory, color=COLOURS[1], label="Oron et al. 2001")
    panels[0].set_xlabel("t sqrt(g/wavelength)")
    panels[0].set_ylabel("bubble / wavelength")
    panels[0].legend()


def draw_fluids(axes, snapshot, label):
    for phase, colour in ((1, COLOURS[0]), (2, COLOURS[2])):
        keep = snapshot.phase == phase
        axes.plot(*snapshot.x[keep, :2].T, ".", markersize=1.5, color=colour)
    axes.set_aspect("equal")
    axes.set_title(label)


OVERTURN = """A heavy fluid above a light one, density ratio 1 to {ratio}, each one wavelength deep,
    between free-slip walls below and above, periodic from side to side. The interface is a cosine
    of 0.01 wavelengths, at rest. Resolutions: particles in the wavelength, in float. Two things are
    compared with theory. The first is the growth of the first mode until it is 2.5 times as large,
    with linear theory (Rayleigh 1883: rate^2 = A g k tanh(kH), A = (R - 1)/(R + 1)). The second is
    the bubble's height, until theory has it at 0.35 wavelengths, with the model of inertia,
    buoyancy and drag of Oron et al. 2001. That model begins as linear theory and ends as the steady
    bubble of Layzer 1955 and Goncharov 2002. Neither includes viscosity; the artificial one is the
    default. The kernel is Wendland C4 with h/dp = 2.5, because its lattice under pressure [hardly
    resists shear](theory.md#shear-stiffness-of-a-lattice-under-pressure); the default kernel is for
    comparison. {repulsion}"""
OVERTURN_AGAIN = """The same with a density ratio of 1 to {ratio}. {repulsion}"""
REPELLED = """The fluids repel each other (`fluid.second.repulsion` = 0.08, the constant of
    Monaghan & Rafiee 2013); runs without are for comparison."""
UNREPELLED = """The fluids do not repel each other; runs with `fluid.second.repulsion` = 0.08
    are for comparison."""


def of_ratio(ratio, long=False):
    def function(trial):
        overturn(trial, ratio)

    repulsion = REPELLED if ratio >= REPELLED_FROM else UNREPELLED
    text = OVERTURN if ratio == RATIOS[0] else OVERTURN_AGAIN
    function.__doc__ = text.format(ratio=ratio, repulsion=repulsion)
    return case(f"rayleigh-taylor-{ratio}", f"Rayleigh-Taylor instability, 1 to {ratio}", (32, 64),
                long=long)(function)


CASES = (two_layers, *(of_ratio(ratio, long=ratio == 1000) for ratio in RATIOS))

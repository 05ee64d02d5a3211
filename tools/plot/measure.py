"""Numbers measured in a run's folder, for comparison with closed forms and experiments."""

import numpy as np

from sluice import FileError

ROUNDING = 1e-14  # fraction of time.end that the last step may lack, as in sluice_time_reached


def is_at_end(config, table):
    """Whether the last row of energy.csv is at the run's end, by the rule of `sluice energy`."""
    end, most = config.get("time.end", 0.0), config.get("time.max_steps", 0)
    step = table["step"][-1] if "step" in table else 0
    return bool(table["time"][-1] >= end * (1 - ROUNDING) or 0 < most <= step)


def largest(values):
    """The largest absolute value; infinite when any is not finite."""
    values = np.asarray(values)
    return float(np.max(np.abs(values))) if np.all(np.isfinite(values)) else float("inf")


def residual_share(run, start=0.0, end=np.inf):
    """max |residual| / reference energy over a range of time."""
    table = run.energy().between(start, end)
    reference = run.reference_energy
    if not reference or not table.rows:
        raise FileError(
            f"{run.path}: no reference energy, or no rows between {start} and {end} s"
        )
    return largest(table["residual"]) / reference


def tait_floor_pressure(rho0, c0, gamma, gravity, depth):
    """Exact hydrostatic pressure (Pa) under `depth` of a Tait fluid: dp = -rho g dz and p(rho)."""
    ratio = (1 + (gamma - 1) * gravity * depth / c0**2) ** (1 / (gamma - 1))
    return rho0 * c0**2 / gamma * (ratio**gamma - 1)


def floor_pressure(run, depth, middle=0.5, lowest=0.25, last=0.2):
    """Pressure (Pa) at the floor: a line through p(z) of the fluid's lowest quarter, at z = 0.

    Particles of the tank's middle half; all snapshots of the last fifth of the time.
    """
    end = run.times[-1]
    heights, pressures = [], []
    for snapshot in run:
        if snapshot.time < (1 - last) * end or snapshot.time == 0:
            continue
        fluid = snapshot.fluid
        x, z, p = fluid.x[:, 0], fluid.x[:, run.dimension - 1], fluid.pressure
        centre, half = (x.min() + x.max()) / 2, (x.max() - x.min()) / 2
        keep = (np.abs(x - centre) < middle * half) & (z < lowest * depth)
        heights.append(z[keep])
        pressures.append(p[keep])
    if not heights or sum(len(h) for h in heights) < 10:
        raise FileError(f"{run.path}: no snapshots in the last fifth of the time")
    slope, at_floor = np.polyfit(np.concatenate(heights), np.concatenate(pressures), 1)
    return float(at_floor), float(slope), len(heights)


def first_above(t, values, level):
    """The first time at which a value is above the level; nan: never."""
    above = np.nonzero(values > level)[0]
    return float(t[above[0]]) if len(above) else float("nan")


def integral(t, values, end):
    """Integral from 0 to `end` by the trapezoidal rule."""
    keep = t <= end
    trapezoid = getattr(np, "trapezoid", None) or np.trapz  # the name before numpy 2
    return float(trapezoid(values[keep], t[keep]))


def rms_difference(t, values, t_ref, values_ref):
    """RMS of values - reference at those of the reference's times that the values cover."""
    keep = (t_ref >= t[0]) & (t_ref <= t[-1])
    return float(np.sqrt(np.mean((np.interp(t_ref[keep], t, values) - values_ref[keep]) ** 2)))


def distance_from_faces(run):
    """Smallest distance (m) of fluid from the domain's low faces and its high x face."""
    low, high = run.config.get("domain.min", [0.0]), run.config.get("domain.max", [0.0])
    nearest = np.inf
    for snapshot in run:
        x = snapshot.fluid.x
        for axis in range(run.dimension):
            nearest = min(nearest, np.min(x[:, axis]) - low[axis])
        nearest = min(nearest, high[0] - np.max(x[:, 0]))
    return float(nearest)


def semi_axes(snapshot):
    """Semi-axes along x and y of the uniform ellipse with the fluid's second moments."""
    x = snapshot.fluid.x[:, :2]
    return 2 * np.sqrt(np.mean((x - x.mean(axis=0)) ** 2, axis=0))


def drop_period(run):
    """The mean time (s) between upward crossings of a = b of an oscillating drop; their number."""
    times, ratio = [], []
    for snapshot in run:
        a, b = semi_axes(snapshot)
        times.append(snapshot.time)
        ratio.append(np.log(a / b))
    times, ratio = np.array(times), np.array(ratio)
    # A drop that starts as a circle and then grows along x begins a period at t = 0.
    up = [0.0] if len(ratio) > 1 and abs(ratio[0]) < 1e-3 < ratio[1] else []
    for i in range(1, len(ratio) - 1):
        if ratio[i] < 0 <= ratio[i + 1]:
            up.append(times[i] - ratio[i] * (times[i + 1] - times[i]) / (ratio[i + 1] - ratio[i]))
    if len(up) < 2:
        raise FileError(f"{run.path}: the drop does not complete a period")
    return (up[-1] - up[0]) / (len(up) - 1), len(up) - 1


def wave_fit(table, guess, width=0.3):
    """omega and b (1/s) of a standing wave's kinetic energy, (A + B cos 2wt + C sin 2wt) e^(-bt).

    Least squares, linear in A, B, C, over a grid of w within `width` of the guess, and of b.
    """
    t, kinetic = table["time"], table["kinetic"]

    def misfits(omega, decays):
        phase = 2 * omega * t
        wave = np.stack([np.ones_like(t), np.cos(phase), np.sin(phase)], axis=1)
        for decay in decays:
            basis = np.exp(-decay * t)[:, None] * wave
            solution = np.linalg.solve(basis.T @ basis, basis.T @ kinetic)
            yield float(np.sum((basis @ solution - kinetic) ** 2)), omega, decay

    best = (guess, 0.0)
    span = width
    for _ in range(6):
        omegas = best[0] + guess * span * np.linspace(-1, 1, 41)
        decays = np.maximum(best[1] + span * guess * np.linspace(-1, 1, 21), 0)
        best = min(found for w in omegas for found in misfits(w, np.unique(decays)))[1:]
        span /= 5
    return best

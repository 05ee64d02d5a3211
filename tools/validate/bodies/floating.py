"""Bodies that float: their draught, their attitude, and a light one for a long time."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.bodies.motion import late, read_motion
from validate.bodies.setups import RHO0, body_shape, box, config, gate_of, tank
from validate.trial import case

WIDTH, HEIGHT = 0.4, 0.2  # m, of the box
DENSITIES = (250.0, 500.0, 750.0)
TANK, LEVEL = 0.8, 0.3  # m


def draught_text(n, density):
    """A box of n particles in its height, at its draught."""
    bottom = LEVEL - density / RHO0 * HEIGHT
    middle = TANK / 2
    crate = box("crate", [middle - WIDTH / 2, bottom], [middle + WIDTH / 2, bottom + HEIGHT])
    size = [TANK, 2.5 * HEIGHT]
    return config("Draught of a box", HEIGHT / n, size, tank(size, LEVEL, crate),
                  [{"name": "crate", "density": density}], end=4.0, every=1.0, rows=0.005)


def draught_of(y, density):
    """The draught (m) at heights of the centre, with the level that the water's volume gives: where
    the box rises by dy, the level in the tank falls by dy WIDTH/(TANK - WIDTH)."""
    start = LEVEL - density / RHO0 * HEIGHT + HEIGHT / 2
    return density / RHO0 * HEIGHT - (y - start) * TANK / (TANK - WIDTH)


@case("floating-box", "Draught of a floating box", (40, 48, 56), long=True)
def floating_box(trial):
    """A box twice as wide as high, of the densities 0.25, 0.5 and 0.75, is released at its draught
    in a tank twice as wide as the box. Its draught, the mean of the last fifth of 4 s, is compared
    with that of Archimedes. The level follows from the water's volume. Resolutions: particles in
    the height of the box, so that the draught of the lightest is 10, 12 and 14 particles; the gates
    apply to the finest."""
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    for density, colour in zip(DENSITIES, COLOURS):
        errors, exact = {}, density / RHO0 * HEIGHT
        for n in trial.resolutions:
            run = trial.run(f"{n}-{density:g}", draught_text(n, density), "gentle")
            motion = read_motion(run, "crate")
            draught = draught_of(motion.x[:, 1], density)
            mean = late(motion.t, draught)
            errors[n] = mean / exact - 1
            label = f"density {density / RHO0:g}, h/{n}"
            trial.within(f"{label}: draught, relative error", errors[n], gate_of(trial, n, 0.01),
                         f"{1000 * mean:.3f} mm, Archimedes {1000 * exact:g} mm")
            trial.check(f"{label}: range of the last fifth over the draught",
                        np.ptp(draught[motion.t >= 0.8 * motion.t[-1]]) / exact, None)
            tilt = math.degrees(late(motion.t, motion.angle))
            trial.within(f"{label}: tilt, degrees", tilt, None)
        axes.plot(motion.t, draught / exact, color=colour, label=label)
        trial.order(f"density {density / RHO0:g}: draught", errors)
    axes.axhspan(0.99, 1.01, color="0.5", alpha=0.15, linewidth=0)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("draught over that of Archimedes")
    axes.legend()


SIDE, TILT = 0.2, 5.0  # m, degrees


def square_text(n):
    size, level = [5 * SIDE, 3 * SIDE], 1.5 * SIDE
    square = body_shape("square", shape="box", min=[-SIDE / 2] * 2, max=[SIDE / 2] * 2,
                        rotation_degrees=TILT, move=[size[0] / 2, level])
    return config("Square section that turns", SIDE / n, size, tank(size, level, square),
                  [{"name": "square", "density": 500.0}], end=10.0, every=0.5, rows=0.01)


def from_upright(angle):
    """Degrees between a side and the vertical, 0 to 90, of rad turned since the release."""
    return np.mod(TILT + np.degrees(angle), 90.0)


@case("floating-square", "Square section that turns to its edge", (16, 32, 48), long=True)
def floating_square(trial):
    """A square section, half as dense as water, is released at 5 degrees. Upright it is stable only
    at densities below 0.211 and above 0.789. It turns until it rests with a diagonal in the
    surface, at 45 degrees. The number is the mean angle of the last fifth of 10 s, 70 sqrt(l/g).
    The gate is 3 degrees. Resolutions: particles in the side l; the gate applies to the finest."""
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    for n in trial.resolutions:
        run = trial.run(f"{n}", square_text(n), "violent")
        motion = read_motion(run, "square")
        angle = from_upright(motion.angle)
        last = angle[motion.t >= 0.8 * motion.t[-1]]
        trial.within(f"l/{n}: mean angle of the last fifth less 45 degrees", np.mean(last) - 45,
                     gate_of(trial, n, 3.0), f"from {last.min():.2f} to {last.max():.2f} degrees")
        height = late(motion.t, motion.x[:, 1]) / SIDE - 1.5
        trial.within(f"l/{n}: height of its centre above the level, l", height, None)
        axes.plot(motion.t, angle, color=COLOURS[0] if n == trial.resolutions[-1] else "0.7",
                  label=f"Sluice, l/{n}")
    axes.axhspan(42, 48, color="0.5", alpha=0.15, linewidth=0)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("angle (degrees)")
    axes.legend()


BOX_CELLS, LIGHT, STEPS = 6, 100.0, 100000
LIGHT_LEVEL = 0.24  # m
# Keys that let still water come to rest (configs/still_water.cfg), and the program's defaults.
CALM = {"kernel": {"h_over_dp": 2.0},
        "fluid": {"diffusion": {"kind": "hydrostatic", "delta": 0.1, "filter": 3.0}}}
VARIANTS = {"filter": CALM, "defaults": {}}


def light_text(n, groups):
    """A square of 6 particles at its draught, in water of n particles."""
    dp = LIGHT_LEVEL / n
    size = [2 * LIGHT_LEVEL, 1.5 * LIGHT_LEVEL]
    side = BOX_CELLS * dp
    bottom = LIGHT_LEVEL - LIGHT / RHO0 * side
    crate = body_shape("crate", shape="box", min=[size[0] / 2 - side / 2, bottom],
                       max=[size[0] / 2 + side / 2, bottom + side])
    text = config("Light box", dp, size, tank(size, LIGHT_LEVEL, crate),
                  [{"name": "crate", "density": LIGHT}], end=1000.0, every=10.0, rows=0.05,
                  **groups)
    return text


def fifths(t, values):
    """The means of the second and of the last fifth of the time."""
    share = (t - t[0]) / (t[-1] - t[0])
    second = (share >= 0.2) & (share < 0.4)
    return float(np.mean(values[second])), float(np.mean(values[share >= 0.8]))


@case("light-box", "Light box that floats still", (16, 24, 32))
def light_box(trial):
    """A square of 6 particles and of density 0.1, less than its added mass, floats for 1e5 steps,
    from its draught of 0.6 particles on. The kinetic energy of water and box together, the mean of
    the last fifth of the steps, must be at most that of the second fifth. Water at rest would go on
    creeping without the filter of its diffusion (see still water), so the runs have it, and a
    kernel with h/dp = 2. For comparison: the box alone, and runs with the program's defaults.
    Resolutions: particles in the depth of the water; the box has 6 in each. The gate applies to the
    finest."""
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    for n in trial.resolutions:
        for name, groups in VARIANTS.items():
            run = trial.run(f"{n}-{name}", light_text(n, groups), "gentle", time__max_steps=STEPS)
            table, label = run.energy(), f"H/{n}, {name}"
            second, last = fifths(table["time"], table["kinetic"])
            gate = gate_of(trial, n, 1.0) if name == "filter" else None
            trial.check(f"{label}: kinetic energy of the last fifth over that of the second",
                        last / second, gate,
                        note=f"{last / run.reference_energy:.2e} of the reference energy")
            trial.check(f"{label}: steps", table["step"][-1], None)
            motion = read_motion(run, "crate")
            second, last = fifths(motion.t, np.sum(motion.v**2, axis=1))
            trial.check(f"{label}: the same of the box alone, without its rotation", last / second,
                        None)
            lost = table["particles"][0] - table["particles"][-1]
            trial.check(f"{label}: particles lost", lost, 0)
            if n == trial.resolutions[-1]:
                axes.semilogy(table["time"][1:],
                              table["kinetic"][1:] / run.reference_energy, label=label)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("kinetic energy / reference energy")
    axes.legend()


CASES = (floating_box, floating_square, light_box)

"""Heave of a half-immersed cylinder after a release, against linear potential theory."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.bodies.heave_theory import Heave
from validate.bodies.motion import crossings, extrema, read_motion
from validate.bodies.setups import GRAVITY, body_shape, config, gate_of, tank
from validate.trial import case

RADIUS, DEPTH, LENGTH, HEIGHT = 0.1, 4.0, 32.0, 6.0  # m; the others in radii
RELEASE = 0.2  # radii above and below the place at rest
END = 8.0  # sqrt(a/g)
UNIT = math.sqrt(RADIUS / GRAVITY)  # s


def text(n, height):
    """The config with n particles in the radius; released `height` radii above its rest."""
    level = DEPTH * RADIUS
    size = [LENGTH * RADIUS, HEIGHT * RADIUS]
    cylinder = body_shape("cylinder", shape="disc", radius=RADIUS,
                          centre=[size[0] / 2, level + height * RADIUS])
    return config("Heave of a half-immersed cylinder", RADIUS / n, size,
                  tank(size, level, cylinder), [{"name": "cylinder", "density": 500.0}],
                  end=END * UNIT, every=END * UNIT / 8, rows=END * UNIT / 800,
                  fluid={"viscosity": {"kind": "artificial", "alpha": 0.01}})


def numbers(t, z):
    """The period and the first two amplitudes of a decay: twice the time between the first two
    zeros, the extremes before and after the second one."""
    zeros, tops = crossings(t, z), extrema(t, z)
    if len(zeros) < 2 or len(tops) < 2:
        return [math.nan] * 3
    return [2 * (zeros[1] - zeros[0]), tops[0][1], tops[1][1]]


def compare(trial, label, found, wanted, gates):
    """Checks period and amplitudes [3] against the theory's, relative."""
    for what, value, exact, gate in zip(("period", "first amplitude", "second amplitude"), found,
                                        wanted, gates):
        trial.within(f"{label}: {what}, relative error", value / exact - 1, gate,
                     f"{value:.4f}, theory {exact:.4f}")


@case("heave-decay", "Heave of a half-immersed cylinder", (16, 24, 32), long=True)
def heave_decay(trial):
    """A cylinder half as dense as water, of radius a = 0.1 m, is released 0.2 a above and, in a
    second run, 0.2 a below its place at rest. Half of the difference of both motions is free of
    quadratic terms, and of an error of the place at rest. It is compared with linear potential
    theory for the same depth, 4 a: added mass and damping from multipoles (Ursell 1949, Yu & Ursell
    1961), the motion from these (Cummins 1962), in `tools/validate/bodies/heave_theory.py`. The
    period is twice the time between the first two zeros; the amplitudes are the two extremes that
    follow the release. The tank is 32 a long. Long waves need 15 sqrt(a/g) to its ends and back,
    and the run takes 8; but also the water that the cylinder displaces feels the ends. Linear
    boundary elements give a period of 6.885 sqrt(a/g) and a second amplitude of 0.404 in a closed
    tank of 18 a, 6.998 and 0.348 in one of 28 a, 7.004 and 0.344 without ends.
    Resolutions: particles in the radius; the gates apply to the finest. For comparison:
    each of the two runs on its own, and the theory for infinite depth."""
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    t_exact, z_exact = Heave(DEPTH).release(END)
    wanted = numbers(t_exact, z_exact)
    errors = {}
    for n in trial.resolutions:
        ways = {}
        for name, way in (("up", 1), ("down", -1)):
            run = trial.run(f"{n}-{name}", text(n, way * RELEASE), "gentle")
            motion = read_motion(run, "cylinder")
            ways[name] = (motion.t / UNIT, way * (motion.x[:, 1] / RADIUS - DEPTH) / RELEASE)
            compare(trial, f"a/{n}, {name}", numbers(*ways[name]), wanted, [None] * 3)
        t, z = ways["up"]
        z = (z + np.interp(t, *ways["down"])) / 2
        found = numbers(t, z)
        gates = [gate_of(trial, n, size) for size in (0.03, 0.10, 0.10)]
        compare(trial, f"a/{n}", found, wanted, gates)
        errors[n] = found[0] / wanted[0] - 1
        axes.plot(t, z, color=COLOURS[0] if n == trial.resolutions[-1] else "0.7",
                  label=f"Sluice, a/{n}")
    trial.order("period", errors)
    endless = Heave()
    compare(trial, "theory, infinite depth", numbers(*endless.release(END)), wanted, [None] * 3)
    axes.plot(t_exact, z_exact, color=COLOURS[1], label="linear theory, depth 4 a")
    axes.plot(*endless.release(END), ":", color="0.3", label="linear theory, infinite depth")
    axes.set_xlabel("t sqrt(g/a)")
    axes.set_ylabel("height over height of release")
    axes.legend()


CASES = (heave_decay,)

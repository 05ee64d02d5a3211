"""Bodies that fall into water, and a disc that sinks."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate.bodies.curves import Band, published
from validate.bodies.motion import crossings, read_motion
from validate.bodies.setups import GRAVITY, RHO0, body_shape, config, gate_of, locked, tank
from validate.trial import case

GAP = 3  # spacings between the body and the water at the start: the reach of the kernel
# Spray opens and does not pull; water hits the body at some 20 times its own speed of fall.
SPRAY = {"tension": 1.0e-4}


def speed_above(speed, gap):
    """The speed (m/s) at a height `gap` above the water, for a body that enters at this speed."""
    return math.sqrt(speed**2 - 2 * GRAVITY * gap)


def touch_time(motion, start, gap):
    """The time when the body has fallen through the gap: its lowest point is at the still level."""
    found = crossings(motion.t, motion.x[:, 1], start - gap)
    return found[0] if len(found) else math.nan


def draw(axes, band, curves, names):
    """The references, with the second one as points, and the measured curves [(t, y, label)]."""
    for i, (t, y, label) in enumerate(curves):
        axes.plot(t, y, color=COLOURS[0] if i == len(curves) - 1 else "0.7", label=label)
    axes.plot(band.t, band.y, "--", color=COLOURS[1], label=names[0])
    if band.other is not None:
        t, gap = band.other
        axes.plot(t, np.interp(t, band.t, band.y) + gap, "o", markersize=4, color=COLOURS[2],
                  label=names[1])
    axes.legend()


DIAMETER, ENTRY = 0.11, 2.955  # m, m/s
UNIT = math.sqrt(DIAMETER / GRAVITY)  # s
CYLINDERS = {"half": 500.0, "neutral": 1000.0}
CYLINDER_DEPTH, CYLINDER_TANK = 5.5 * DIAMETER, [11 * DIAMETER, 10 * DIAMETER]  # m


def cylinder_text(n, density, end):
    dp = DIAMETER / n
    centre = [CYLINDER_TANK[0] / 2, CYLINDER_DEPTH + GAP * dp + DIAMETER / 2]
    cylinder = body_shape("cylinder", shape="disc", centre=centre, radius=DIAMETER / 2)
    body = {"name": "cylinder", "density": density,
            "velocity": [0.0, -speed_above(ENTRY, GAP * dp)]}
    return config("Cylinder that falls into water", dp, CYLINDER_TANK,
                  tank(CYLINDER_TANK, CYLINDER_DEPTH, cylinder), [body], end=end, every=end / 8,
                  rows=end / 400, fluid={"sound_speed": 20 * ENTRY, **SPRAY})


def cylinder_depth(motion, n):
    """(t sqrt(g/D), depth/D) from the touch on."""
    gap, start = GAP * DIAMETER / n, motion.x[0, 1]
    return ((motion.t - touch_time(motion, start, gap)) / UNIT,
            (start - gap - motion.x[:, 1]) / DIAMETER)


@case("cylinder-entry", "Cylinder that falls into water: Greenhow & Lin 1983", (20, 40, 60),
      long=True)
def cylinder_entry(trial):
    """A horizontal cylinder, D = 0.11 m, meets still water at 2.955 m/s, the speed after a fall of
    its centre from 0.5 m above the surface. It is half as dense as water, or as dense. The depth of
    its lowest point below the still level, over D, is compared over t sqrt(g/D) with the experiment
    of Greenhow & Lin 1983 and with boundary elements, both as published in Sun et al. 2018. The
    number is the mean distance over the record of the boundary elements, as a fraction of its
    range; a result between both references has no distance, otherwise the nearer one counts. The
    gate is 5%. The experiment with the denser cylinder is not used: its points move at twice the
    speed of the entry. The water is 5.5 D deep and 11 D wide, so that floor and ends act little;
    its sound speed is 20 times the entry's. Resolutions: particles in D; the gates apply to the
    finest."""
    panels = trial.axes(columns=2)
    names = ("boundary elements", "Greenhow & Lin 1983")
    for axes, (name, density) in zip(panels, CYLINDERS.items()):
        bem = published(f"entry_bem_{name}.csv")
        experiment = published("greenhow_lin_1983_half.csv") if name == "half" else None
        band, curves, errors = Band(bem, experiment), [], {}
        for n in trial.resolutions:
            end = UNIT * (band.t[-1] + 0.02) + GAP * DIAMETER / n / ENTRY
            run = trial.run(f"{name}-{n}", cylinder_text(n, density, end), "violent")
            t, depth = cylinder_depth(read_motion(run, "cylinder"), n)
            label = f"{name}, D/{n}"
            errors[n] = band.mean_distance(t, depth)
            trial.check(f"{label}: mean distance over the range", errors[n],
                        gate_of(trial, n, 0.05))
            for other, curve in zip(names, (bem, experiment)):
                if curve is not None:
                    trial.check(f"{label}: the same from {other} alone",
                                Band(curve).mean_distance(t, depth), None)
            curves.append((t, depth, f"Sluice, D/{n}"))
        trial.order(name, errors)
        draw(axes, band, curves, names)
        axes.set_title(f"density {density / RHO0:g}")
        axes.set_xlabel("t sqrt(g/D)")
        axes.set_ylabel("depth / D")


WEDGE, DEADRISE, MASS, WEDGE_ENTRY = 1.2, 25.0, 94.0, 5.05  # m, degrees, kg/m, m/s
WEDGE_SIDE = 0.1  # m, of the upright sides above; the mass is given, so they change nothing
WEDGE_DEPTH, WEDGE_TANK = 1.1, [4.0, 2.0]  # m
WEDGE_END = 0.041  # s after the touch


def wedge_text(n):
    dp = WEDGE / n
    low, half = WEDGE_DEPTH + GAP * dp, WEDGE / 2
    middle, high = WEDGE_TANK[0] / 2, low + half * math.tan(math.radians(DEADRISE))
    top = high + WEDGE_SIDE
    wedge = body_shape("wedge", shape="polygon",
                       points=([middle, low], [middle + half, high], [middle + half, top],
                               [middle - half, top], [middle - half, high]))
    body = {"name": "wedge", "mass": MASS, "locked": locked("x", "rz"),
            "velocity": [0.0, -speed_above(WEDGE_ENTRY, GAP * dp)]}
    end = WEDGE_END + GAP * dp / WEDGE_ENTRY
    return config("Wedge that falls into water", dp, WEDGE_TANK,
                  tank(WEDGE_TANK, WEDGE_DEPTH, wedge), [body], end=end, every=end / 8,
                  rows=end / 400, fluid={"sound_speed": 20 * WEDGE_ENTRY, **SPRAY})


@case("wedge-entry", "Wedge that falls into water: Yettou et al. 2006", (120, 240, 480), long=True)
def wedge_entry(trial):
    """A wedge 1.2 m wide, with a deadrise of 25 degrees and 94 kg for a metre, meets still water at
    5.05 m/s. Its speed over 40 ms is compared with the experiment of Yettou et al. 2006, and with
    boundary elements (Zhao & Faltinsen 1993), both as published in Sun et al. 2015. The number is
    the mean distance over the record of the boundary elements, as a fraction of its range; a result
    between both has no distance, otherwise the nearer one counts. The gate is 5%. The wedge moves
    along y only, as on its rail. The tank is 4 m long, the water 1.1 m deep. The sound speed is 20
    times the entry's: the water's edge runs along the wedge at pi/2 V/tan(25 degrees), 3.4 times
    the entry's speed, under 11 times its stagnation pressure. For comparison: the force of the
    water in the computation of Sun et al. 2015. Resolutions: particles in the width; the gate
    applies to the finest."""
    left, right = trial.axes(columns=2)
    names = ("boundary elements", "Yettou et al. 2006")
    bem, experiment = (published(f"{name}.csv") for name in
                       ("zhao_faltinsen_1993_velocity", "yettou_2006_velocity"))
    band, force = Band(bem, experiment), Band(published("sun_2015_force.csv"))
    curves, forces, errors = [], [], {}
    for n in trial.resolutions:
        run = trial.run(f"{n}", wedge_text(n), "violent")
        motion = read_motion(run, "wedge")
        t = 1000 * (motion.t - touch_time(motion, motion.x[0, 1], GAP * WEDGE / n))
        speed, label = -motion.v[:, 1], f"w/{n}"
        errors[n] = band.mean_distance(t, speed)
        trial.check(f"{label}: mean distance of the speed over its range", errors[n],
                    gate_of(trial, n, 0.05))
        for other, curve in zip(names, (bem, experiment)):
            inside = curve[0] <= bem[0][-1]
            alone = Band((curve[0][inside], curve[1][inside]))
            trial.check(f"{label}: the same from {other} alone", alone.mean_distance(t, speed),
                        None)
        trial.check(f"{label}: mean distance of the force from Sun et al. 2015 over its range",
                    force.mean_distance(t, motion.fluid[:, 1]), None)
        curves.append((t, speed, f"Sluice, {label}"))
        forces.append((t, motion.fluid[:, 1], f"Sluice, {label}"))
    trial.order("speed", errors)
    draw(left, band, curves, names)
    left.set_ylabel("speed (m/s)")
    draw(right, force, forces, ("Sun et al. 2015, SPH",))
    right.set_ylabel("force of the water (N/m)")
    for axes in (left, right):
        axes.set_xlabel("time (ms)")


DISC, CHANNEL, DISC_START = 0.0025, [0.02, 0.06], [0.01, 0.04]  # m
DISC_DENSITY, NU, STEADY = 1250.0, 1.0e-5, (0.3, 0.62)  # kg/m^3, m^2/s, s
DISC_SOUND, DISC_BACKGROUND = 1.0, 10.0  # m/s, Pa
FAR = 1000.0  # m


def disc_text(n, weighs=False):
    """weighs: the water has its weight; else the disc alone has, less its buoyancy."""
    disc = body_shape("disc", shape="disc", centre=DISC_START, radius=DISC / 2)
    pull = (DISC_DENSITY - RHO0) * GRAVITY * math.pi * DISC**2 / 4
    fluid = {"sound_speed": DISC_SOUND, "viscosity": {"kind": "laminar", "nu": NU}}
    groups = {
        "fluid": {**fluid, "masses": "lattice", "background_pressure": DISC_BACKGROUND},
        "initial": (),
        "gravity": [0.0, 0.0],
        "moorings": ({"kind": "spring", "body": "disc", "to": [DISC_START[0], -FAR],
                      "stiffness": pull / (FAR + DISC_START[1]), "length": 0.0},),
        "energy": {"reference": RHO0 * GRAVITY * DISC**2 * CHANNEL[1]},
    }
    if weighs:
        groups = {"fluid": {**fluid, "sound_speed": 11.0}}
    return config("Disc that sinks in a channel", DISC / n, CHANNEL,
                  tank(CHANNEL, CHANNEL[1], disc, sides=("left", "right", "bottom", "top")),
                  [{"name": "disc", "density": DISC_DENSITY}], end=0.65, every=0.05, rows=0.001,
                  boundary={"kind": "adami", "slip": "no-slip"}, **groups)


@case("sinking-disc", "Disc that sinks in a channel: Glowinski et al. 2001", (8, 12, 16),
      long=True)
def sinking_disc(trial):
    """A disc, D = 2.5 mm and 1250 kg/m^3, sinks from rest in a closed channel, 0.02 m x 0.06 m,
    from (0.01, 0.04) m, with nu = 1e-5 m^2/s. Its mean velocity from 0.3 to 0.62 s is compared with
    that of Glowinski et al. 2001, -0.0555 m/s, as a relative difference; the gate is 5%. The
    Reynolds number is then 14. Walls and disc have no slip. In an incompressible fluid the weight
    of the water changes nothing but the pressure: here the water has none, and the disc is pulled
    down by its weight less its buoyancy, along a line to a point 1 km below. For comparison: the
    mean distance from the whole curve until then, over its range; and the disc in water with its
    weight, D/8. There the pressure is 2,000 times the viscous stress, and the shear stiffness of a
    lattice under pressure (docs/theory.md) slows the disc down. Resolutions: particles in D; the
    gate applies to the finest."""
    (axes,) = trial.axes(wide=6.4, tall=4.0)
    t_ref, v_ref = published("glowinski_2001_velocity.csv")
    steady = (t_ref >= STEADY[0]) & (t_ref <= STEADY[1] + 0.005)
    wanted = float(np.mean(v_ref[steady]))
    band = Band((t_ref[t_ref <= STEADY[1] + 0.005], v_ref[t_ref <= STEADY[1] + 0.005]))
    curves, errors = [], {}

    def fall(name, text):
        motion = read_motion(trial.run(name, text, "gentle"), "disc")
        inside = (motion.t >= STEADY[0]) & (motion.t <= STEADY[1])
        return motion, float(np.mean(motion.v[inside, 1]))

    for n in trial.resolutions:
        motion, mean = fall(f"{n}", disc_text(n))
        errors[n] = mean / wanted - 1
        label = f"D/{n}"
        trial.within(f"{label}: velocity, relative error", errors[n], gate_of(trial, n, 0.05),
                     f"{mean:.5f} m/s, Glowinski et al. {wanted:.5f} m/s")
        trial.check(f"{label}: mean distance from the curve over its range",
                    band.mean_distance(motion.t, motion.v[:, 1]), None)
        trial.within(f"{label}: its way to the side, D", (motion.x[-1, 0] - DISC_START[0]) / DISC,
                     None)
        curves.append((motion.t, motion.v[:, 1], f"Sluice, {label}"))
    n = min(trial.resolutions)
    motion, mean = fall(f"{n}-weight", disc_text(n, weighs=True))
    trial.within(f"D/{n}, with the water's weight: velocity, relative error", mean / wanted - 1,
                 None, f"{mean:.5f} m/s")
    trial.order("velocity", errors)
    draw(axes, band, curves, ("Glowinski et al. 2001",))
    axes.set_xlabel("time (s)")
    axes.set_ylabel("velocity (m/s)")


CASES = (cylinder_entry, wedge_entry, sinking_disc)

#!/usr/bin/env python3
# test: 19 s
"""References and measures of the validation of bodies: linear theory of a heaving cylinder,
distances from published curves, overlaps of boxes; and its cases on tables made here: exact motions
meet the gates, wrong ones do not."""

import math
import os

from case_run import at_most, finish, h5py, np, ok, scratch, within

import matplotlib.pyplot as plt  # noqa: E402, I100
from sluice import Run  # noqa: E402, I100
from validate.bodies import (  # noqa: E402, I100
    curves, falling, floating, heave, heave_theory, motion, overlaps, setups, stack,
)
from validate.suite import CASES  # noqa: E402
from validate.trial import Trial  # noqa: E402

INF = math.inf


# --- Linear theory ---


def ursell(ka):
    """(added mass, damping) in water without end by the stream function, as Ursell 1949 has them:
    other integrals than those of heave_theory, and another condition on the cylinder."""
    angle, weight = heave_theory.gauss(0, math.pi / 2, 40)
    x, y = ka * np.sin(angle), ka * np.cos(angle)
    k, k_weight = (np.concatenate(part) for part in zip(*(
        heave_theory.gauss(low, high, 24)
        for low, high in zip([0, *np.geomspace(1e-4, 1e4, 60)], np.geomspace(1e-4, 1e4, 60)))))

    def parts(x, y):
        """Stream function and potential of the source, in phase and out of phase."""
        fall = np.exp(-np.outer(x, k)) / (1 + k**2)
        cosine, sine = np.cos(np.outer(y, k)), np.sin(np.outer(y, k))
        wave = math.pi * np.exp(-y)
        return (wave * np.sin(x), (fall * (k * sine + cosine)) @ k_weight - wave * np.cos(x),
                wave * np.cos(x), -(fall * (k * cosine - sine)) @ k_weight + wave * np.sin(x))

    stream_c, stream_s, phi_c, phi_s = parts(x, y)
    edge_c, edge_s = (float(part[0]) for part in parts(np.array([ka]), np.zeros(1))[:2])
    m = np.arange(1, 11)
    signs, wide = (-1.0) ** (m - 1), np.outer(angle, m)
    functions = -np.sin(2 * wide) - ka / (2 * m - 1) * (
        np.sin(2 * wide - angle[:, None]) - np.outer(np.sin(angle), signs))
    p, q = (np.linalg.lstsq(functions, stream - edge * np.sin(angle), rcond=None)[0]
            for stream, edge in ((stream_c, edge_c), (stream_s, edge_s)))
    a, b = (edge + np.sum(signs * ka / (2 * m - 1) * share)
            for edge, share in ((edge_c, p), (edge_s, q)))
    big_m, big_n = (np.sum(weight * phi * np.cos(angle)) + math.pi / 4 * ka * share[0] +
                    np.sum(signs * share / (4 * m**2 - 1)) for phi, share in ((phi_s, q),
                                                                             (phi_c, p)))
    square = math.pi / 2 * (a**2 + b**2)
    return (math.pi * (big_m * b + big_n * a) / square,
            math.pi * math.sqrt(ka) * (big_m * a - big_n * b) / square)


def test_ursell():
    """Ten of his polynomials leave 1e-4 where the waves are short."""
    for ka in (0.25, 0.8, 2.0):
        found, wanted = heave_theory.radiation(math.sqrt(ka))[:2], ursell(ka)
        at_most(found[0] / wanted[0] - 1, 1e-3, f"K a = {ka}: added mass, as Ursell 1949 has it")
        at_most(found[1] / wanted[1] - 1, 1e-3, f"K a = {ka}: damping")


def test_limits():
    mass = heave_theory.MASS
    at_most(heave_theory.radiation(INF)[0] / mass - 1, 1e-12,
            "without gravity: the added mass of half a circle")
    for ka in (16.0, 30.0):
        found = heave_theory.radiation(math.sqrt(ka))[0] / mass
        at_most((found - 1 + 4 / (3 * math.pi * ka)) * ka**2, 0.6,
                f"short waves, K a = {ka:g}: added mass 1 - 4/(3 pi Ka) + O(Ka^-2), Ursell 1953")
    height = heave_theory.radiation(math.sqrt(1e-4))[2]
    at_most(height / 2e-4 - 1, 2e-3, "long waves: their height is 2 Ka of the heave's")
    for depth in (2.0, 4.0, 8.0):
        damping = heave_theory.radiation(0.01, depth)[1]
        at_most(damping * math.sqrt(depth) / 2 - 1, 2e-3, f"long waves on a depth of {depth:g}")
    for omega in (0.7, 1.0, 2.0):
        deep, endless = (heave_theory.radiation(omega, depth)[:2] for depth in (30.0, INF))
        at_most(max(abs(a / b - 1) for a, b in zip(deep, endless)), 2e-3,
                f"omega {omega}: a depth of 30 is as good as none")


def test_energy():
    """The work of the damping is the energy that the waves carry away, to what 14 multipoles leave
    of the shortest waves here, 1e-4."""
    for depth in (INF, 10.0, 4.0, 2.0):
        worst = 0.0
        for omega in (0.1, 0.5, 1.0, 1.5, 2.5):
            _, damping, height = heave_theory.radiation(omega, depth)
            carried = 2 * heave_theory.group_velocity(omega, depth) * height**2 / omega**2
            worst = max(worst, abs(carried / damping - 1))
        at_most(worst, 3e-4, f"depth {depth:g}: energy of the waves over the work")


def test_release():
    """The motion by Cummins' equation is that of the integral over the frequencies which Maskell &
    Ursell 1970 call h2; the memory gives back the added mass (Ogilvie 1964)."""
    for depth in (INF, heave.DEPTH):
        water = heave_theory.Heave(depth)
        t, z = water.release(16.0)
        force = water.omega**2 * (heave_theory.MASS + water.added_mass_at)
        square = (heave_theory.STIFFNESS - force) ** 2 + (water.omega * water.damping_at) ** 2
        share = water.weight * heave_theory.STIFFNESS * water.damping_at / square
        exact = 2 / math.pi * np.cos(np.outer(t, water.omega)) @ share
        at_most(np.max(np.abs(z - exact)), 1e-4, f"depth {depth:g}: Cummins, Maskell & Ursell")
        coarse = water.release(16.0, 0.02)[1]
        at_most(np.max(np.abs(coarse - z[::2])), 2e-4, "and with a step twice as long")
    t = np.arange(0, 60, 0.01)
    memory = water.memory(t)
    for omega in (0.7, 1.0, 1.5):
        found = water.added_mass - np.sum(memory * np.sin(omega * t)) * 0.01 / omega
        wanted = heave_theory.radiation(omega, heave.DEPTH)[0]
        at_most(found / wanted - 1, 2e-3, f"omega {omega}: added mass from the memory")


# --- Curves and overlaps ---


def test_band():
    t = np.linspace(0, 1, 11)
    band = curves.Band((t, t**2), (np.array([0.0, 0.5, 1.0]), np.array([0.1, 0.35, 1.1])))
    fine = np.linspace(0, 1, 1001)
    curve = np.interp(fine, t, t**2)
    for off, wanted in ((0.0, 0.0), (0.05, 0.0), (0.1, 0.0), (0.15, 0.05), (-0.02, 0.02)):
        at_most(band.mean_distance(fine, curve + off) - wanted, 1e-9,
                f"a curve {off:+g} from one reference and {off - 0.1:+.2g} from the other")
    ok(not math.isfinite(band.mean_distance(fine[fine < 0.9], curve[fine < 0.9])),
       "a record that ends too early has no distance")
    alone = curves.Band((t, 2 * t))
    at_most(alone.mean_distance(fine, 2 * fine + 0.05) - 0.025, 1e-9, "as a share of the range")
    for name in ("entry_bem_half", "entry_bem_neutral", "greenhow_lin_1983_half",
                 "yettou_2006_velocity", "zhao_faltinsen_1993_velocity", "sun_2015_force",
                 "glowinski_2001_velocity"):
        t, values = curves.published(f"{name}.csv")
        ok(len(t) > 5 and np.all(np.diff(t) > 0) and np.all(np.isfinite(values)), f"{name}.csv")


def test_extremes():
    t = np.arange(0, 10, 0.01) * 0.98
    z = np.exp(-0.2 * t) * np.cos(2 * t)
    lag = math.atan(0.1)
    tops = motion.extrema(t, z)
    for k in (0, 1):
        when = (math.pi * (k + 1) - lag) / 2
        at_most(tops[k][0] - when, 0.02, f"extreme {k + 1}: its time")
        at_most(tops[k][1] / (math.exp(-0.2 * when) * math.cos(2 * when)) - 1, 0.01, "its size")
    zeros = motion.crossings(t, z)
    at_most(np.max(np.abs(zeros - math.pi / 4 * np.arange(1, 2 * len(zeros), 2))), 1e-4, "zeros")


def test_overlaps():
    half = [0.5, 0.5]
    one = overlaps.corners(np.zeros((1, 2)), np.zeros(1), half)
    for x, angle, wanted in (((0.9, 0.0), 0.0, 0.1), ((1.1, 0.3), 0.0, -0.1),
                             ((1.0, 0.0), math.pi / 4, math.sqrt(0.5) - 0.5),
                             ((0.9, 0.9), math.pi / 4, math.sqrt(0.5) + 0.5 - 0.9 * math.sqrt(2))):
        other = overlaps.corners(np.array([x]), np.array([angle]), half)
        at_most(overlaps.overlap(one, other)[0] - wanted, 1e-9, f"a square at {x}: {wanted:.3f}")
    apart = overlaps.corners(np.array([[0.9, 0.9]]), np.array([math.pi / 4]), half)
    ok(overlaps.overlap(apart, one)[0] < 0, "squares corner to side are apart")
    quads = np.stack([np.repeat(one, 3, axis=0),
                      overlaps.corners(np.array([[3, 0], [0.8, 0], [2, 0]]), np.zeros(3), half),
                      overlaps.corners(np.array([[9.0, 0]] * 3), np.zeros(3), half)])
    depth, two, row = overlaps.deepest_overlap(quads, 1.5)
    ok(abs(depth - 0.2) < 1e-9 and two == (0, 1) and row == 1, "the deepest overlap", (depth, two))
    at_most(overlaps.beyond_tank(quads, [-0.6, -0.6], [9.2, INF]) - 0.3, 1e-9, "beyond a wall")
    points = np.array([[0.0, 0.9], [0.0, 0.6], [2.0, 2.0]])
    at_most(overlaps.depth_inside(points, np.zeros(2), math.pi / 4, half) -
            (0.5 - 0.6 * math.sqrt(0.5)), 1e-9, "a particle in a square on its corner")
    ok(overlaps.depth_inside(points[2:], np.zeros(2), 0.0, half) == 0, "none inside: 0")


# --- The cases, on tables made here ---

TABLE = ("step,time,x,y,angle,velocity_x,velocity_y,spin,fluid_force_x,fluid_force_y,"
         "contact_force_x,contact_force_y").split(",")


def write_table(path, names, columns):
    n = len(columns["time"])
    rows = np.stack([np.broadcast_to(columns.get(name, 0.0), n) for name in names], axis=1)
    np.savetxt(path, rows, delimiter=",", header=",".join(names), comments="", fmt="%.17g")


def write_energy(folder, t, kinetic=0.0, lost=0):
    write_table(os.path.join(folder, "energy.csv"), ("step", "time", "kinetic", "reference",
                                                     "particles"),
                {"step": 1000 * np.arange(len(t)), "time": t, "kinetic": kinetic,
                 "reference": 1.0, "particles": 100.0 - lost * (np.arange(len(t)) > 9)})


class Tables:
    """A runner whose runs are tables that make(folder, label) writes."""

    out = scratch

    def __init__(self, make):
        self.make = make

    def run(self, name, config, settings):
        folder = os.path.join(scratch, f"run-{name}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "config.cfg"), "w") as file:
            file.write(config if "\n" in config else "dimension = 2;\n")
        self.make(folder, name)
        return Run(folder), {"version": "sluice 1", "backend": "cpu", "seconds": 1.0}


def judged(name, make, resolutions):
    """(the gates' first words that are missed, gates) of a case whose runs are such tables."""
    trial = Trial(name, Tables(make), resolutions)
    CASES[name].function(trial)
    plt.close("all")
    return [c.what for c in trial.checks if not c.passed], trial.gates


def check_case(name, make_of, resolutions, gates, wrong):
    """The case with exact tables, make_of(), meets its gates, and misses as many as `wrong` says
    with tables make_of(**changes): [(changes, missed)]."""
    missed, found = judged(name, make_of(), resolutions)
    ok(not missed and found == gates, f"{name}: {found} gates, met by exact tables", missed)
    for changes, count in wrong:
        missed, _ = judged(name, make_of(**changes), resolutions)
        ok(len(missed) == count, f"{name}: {len(missed)} missed with {changes}", missed)


def body(folder, name, **columns):
    write_table(os.path.join(folder, f"body_{name}.csv"), TABLE, columns)


def heave_tables(stretch=1.0, height=1.0, off=0.0):
    t, z = heave_theory.Heave(heave.DEPTH).release(1.1 * heave.END)

    def make(folder, name):
        way = heave.RELEASE if name.endswith("up") else -heave.RELEASE
        keep = t * stretch <= heave.END
        y = heave.RADIUS * (heave.DEPTH + off + way * np.where(t > 1, height, 1) * z)
        body(folder, "cylinder", time=stretch * t[keep] * heave.UNIT, y=y[keep])
    return make


def box_tables(off=0.0):
    def make(folder, name):
        share = float(name.split("-")[-1]) / setups.RHO0
        t = np.linspace(0, 4, 400)
        start = floating.LEVEL + floating.HEIGHT * (0.5 - share)
        ratio = (floating.TANK - floating.WIDTH) / floating.TANK
        y = start - off * share * floating.HEIGHT * ratio * (1 - np.exp(-3 * t))
        body(folder, "crate", time=t, y=y)
    return make


def square_tables(rest=45.0):
    def make(folder, _):
        t = np.linspace(0, 10, 500)
        angle = rest + (5 - rest) * np.exp(-t) * np.cos(5 * t)
        body(folder, "square", time=t, y=0.3, angle=np.radians(angle - 5))
    return make


def light_tables(rate=-1e-4):
    def make(folder, _):
        t = np.linspace(0, 30, 400)
        write_energy(folder, t, 1e-6 * np.exp(rate * t))
        body(folder, "crate", time=t, velocity_y=1e-3 * np.sin(t))
    return make


def entry_tables(share=0.0, add=0.0):
    """Between both references, and off by a part of the range."""
    def make(folder, name):
        kind, n = name.split("-")[-2:]
        t, y = curves.published(f"entry_bem_{kind}.csv")
        if kind == "half":
            t_other, y_other = curves.published("greenhow_lin_1983_half.csv")
            gap = np.interp(t, t_other, y_other - np.interp(t_other, t, y), right=0)
            y = y + share * gap
        y = y + add * np.ptp(y) * np.minimum(1, 5 * t)
        first = falling.GAP / int(n)  # D
        t = np.concatenate([[-first * falling.DIAMETER / falling.ENTRY / falling.UNIT], [0.0], t,
                            [t[-1] + 0.02]])
        y = np.concatenate([[-first], [0.0], np.maximum(y, 1e-6), [y[-1] + 0.01]])
        fine = np.linspace(t[0], t[-1], 2000)
        body(folder, "cylinder", time=(fine - fine[0]) * falling.UNIT,
             y=1 - falling.DIAMETER * np.interp(fine, t, y))
    return make


def wedge_tables(factor=1.0):
    def make(folder, name):
        gap = falling.GAP * falling.WEDGE / int(name.split("-")[-1])
        t_ref, v_ref = curves.published("zhao_faltinsen_1993_velocity.csv", 1e-3)
        t = np.linspace(-gap / falling.WEDGE_ENTRY, falling.WEDGE_END, 4000)
        v = -np.interp(t, t_ref, v_ref, left=falling.WEDGE_ENTRY)
        y = np.concatenate([[0], np.cumsum(np.diff(t) * (v[1:] + v[:-1]) / 2)])
        t_force, force = curves.published("sun_2015_force.csv", 1e-3)
        body(folder, "wedge", time=t - t[0], y=2 + y, velocity_y=v * np.where(t > 0, factor, 1),
             fluid_force_y=np.interp(t, t_force, force))
    return make


def disc_tables(factor=1.0):
    def make(folder, _):
        t_ref, v_ref = curves.published("glowinski_2001_velocity.csv")
        t = np.linspace(0, 0.65, 651)
        body(folder, "disc", time=t, x=0.01, velocity_y=factor * np.interp(t, t_ref, v_ref))
    return make


def write_snapshot(folder, fluid):
    """The series of one snapshot, of fluid particles at these places."""
    with h5py.File(os.path.join(folder, "snap_000000.hdf"), "w") as file:
        grid = file.create_group("VTKHDF")
        grid["Points"] = np.column_stack([fluid, np.zeros(len(fluid))])
        grid["PointData/ParticleType"] = np.zeros(len(fluid), dtype=np.uint8)
    with open(os.path.join(folder, "run.hdf.series"), "w") as file:
        file.write('{"files": [{"name": "snap_000000.hdf", "time": 0.5}]}')


def stack_tables(push=0.0, pitch=6, water=(0.2, 0.2), force=1.0, lost=()):
    """Columns of boxes that fall freely, 0.1 m above the floor; the first one is pushed. Particles
    leave at the places `lost`."""
    def make(folder, _):
        t = np.linspace(0, 0.1, 200)
        t = t**1.01 * 0.1**-0.01  # steps that differ
        for k in range(stack.COUNT):
            lateral = push if k == 0 else 0.0
            body(folder, f"box_{k + 1}", time=t,
                 x=1.0 + pitch * 0.016 * (k // 5) + lateral * t**2 / 2,
                 y=0.14 + 0.08 * (k % 5) - setups.GRAVITY * t**2 / 2,
                 velocity_x=lateral * t, velocity_y=-setups.GRAVITY * t,
                 fluid_force_x=lateral * force * stack.MASS)
        write_energy(folder, t, lost=len(lost))
        with open(os.path.join(folder, "log.txt"), "w") as file:
            for x, y in lost:
                file.write(f"warning: step 9, t = 0.1: 1 particle left the domain (id 7 at {x}, "
                           f"{y}, 0); 1 in all\n")
        write_snapshot(folder, np.array([[0.1, 0.1], water]))
    return make


def test_cases():
    check_case("heave-decay", heave_tables, (16, 32), 3,
               [({"stretch": 1.04}, 1), ({"height": 1.15}, 2)])
    trial = Trial("heave-decay", Tables(heave_tables(off=0.01)), (16,))
    CASES["heave-decay"].function(trial)
    ok(trial.missed == 0, "heave-decay: a place at rest that is off changes nothing")
    check_case("floating-box", box_tables, (40, 48), 3, [({"off": 0.02}, 3), ({"off": -0.008}, 0)])
    check_case("floating-square", square_tables, (16,), 1,
               [({"rest": 40.0}, 1), ({"rest": 135.0}, 0), ({"rest": 5.0}, 1)])
    check_case("light-box", light_tables, (16,), 3, [({"rate": 0.01}, 1)])
    check_case("cylinder-entry", entry_tables, (20, 40), 2,
               [({"share": 0.5}, 0), ({"add": 0.07}, 2), ({"share": 1.0, "add": 0.02}, 0)])
    check_case("wedge-entry", wedge_tables, (120,), 1, [({"factor": 0.9}, 1)])
    check_case("sinking-disc", disc_tables, (10, 15), 1, [({"factor": 1.06}, 1)])
    check_case("stacked-boxes", stack_tables, (10,), 6,
               [({"pitch": 4.5}, 1), ({"water": (1.0, 0.1)}, 1), ({"push": -5.0}, 0),
                ({"push": -5.0, "force": 0.9}, 1), ({"water": (0.2, -0.01)}, 1),
                ({"lost": [(1.0, 2.4001)]}, 0), ({"lost": [(1.0, -0.1), (1.0, 2.5)]}, 1)])


def test_missing_column():
    folder = os.path.join(scratch, "run-short")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.cfg"), "w") as file:
        file.write("dimension = 2;\n")
    with open(os.path.join(folder, "body_crate.csv"), "w") as file:
        file.write("step,time,x\n0,0,0\n")
    try:
        motion.read_motion(Run(folder), "crate")
        ok(False, "a table without y is refused")
    except motion.FileError as error:
        ok("no column y, velocity_x, velocity_y" in str(error).replace("no rows, or ", ""),
           "a table without y is refused", str(error))


def test_speeds():
    gap = 0.01
    speed = falling.speed_above(2.955, gap)
    at_most(math.sqrt(speed**2 + 2 * setups.GRAVITY * gap) - 2.955, 1e-12, "the speed of the entry")
    pull = 250 * setups.GRAVITY * math.pi * falling.DISC**2 / 4
    ok(f"stiffness = {pull / 1000.04:.6}"[:18] in falling.disc_text(8),
       "the disc is pulled by its weight in water")
    within(heave.END, 7.9, 8.1, "the end of the heave's record")


test_ursell()
test_limits()
test_energy()
test_release()
test_band()
test_extremes()
test_overlaps()
test_cases()
test_missing_column()
test_speeds()
finish()

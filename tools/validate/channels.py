"""Flow between two plates that do not move, and over the floor of an open channel."""

import math

import numpy as np
from plot.pictures import COLOURS
from plot.reference import DATA
from sluice import read_table

from validate.trial import case

WIDTH, NU = 1e-3, 1e-6  # m, m^2/s
FORCE = 1e-4  # m/s^2, Morris, Fox & Zhu 1997
TIMES = (0.0225, 0.045, 0.1125, 0.225, 1.0)  # s, of the reference file
TERMS = 60


def poiseuille(y, t, force=FORCE):
    """The series of Morris et al. 1997, eq. 21 (m/s): a start from rest at t = 0."""
    u = force / (2 * NU) * y * (WIDTH - y)
    for n in range(TERMS):
        k = (2 * n + 1) * math.pi / WIDTH
        u = u - 4 * force / (NU * WIDTH * k**3) * np.sin(k * y) * np.exp(-NU * k**2 * t)
    return u


def profile(snapshot):
    """(y, u, actual time) of the fluid particles of one snapshot."""
    fluid = snapshot.fluid
    return fluid.x[:, 1], fluid.velocity[:, 0], snapshot.time


def nearest_snapshots(run, times):
    return [min(run, key=lambda snapshot: abs(snapshot.time - time)) for time in times]


@case("poiseuille", "Poiseuille flow from rest: Morris et al. 1997", (25, 50, 100), quick=(50,))
def poiseuille_from_rest(trial):
    """Water between two plates 1 mm apart, driven along a periodic axis (`configs/poiseuille.cfg`)
    at Re = 0.0125, so it hardly leaves its lattice. At the times of the reference file each
    particle's speed is compared with the series solution at its place. The number is the largest
    difference over the largest exact speed of that time. Walls are those of Adami et al. without
    slip. Resolutions: particles across; the gate applies to 50."""
    worst = {}
    (axes,) = trial.axes(wide=5.4, tall=4.0)
    for n in trial.resolutions:
        run = trial.run(f"{n}", "poiseuille.cfg", "gentle", spacing=WIDTH / n)
        errors = []
        for snapshot in nearest_snapshots(run, TIMES):
            y, u, t = profile(snapshot)
            exact = poiseuille(y, t)
            errors.append(float(np.max(np.abs(u - exact)) / np.max(exact)))
            if n == trial.resolutions[-1]:
                axes.plot(u, y, ".", markersize=3, color=COLOURS[0])
        note = ", ".join(f"{e:.4f} at {t:g} s" for e, t in zip(errors, TIMES))
        worst[n] = max(errors)
        trial.check(f"{n} across: largest error of the speed", worst[n],
                    0.02 if n >= 50 else None, note=note)
        steady = errors[-1]
        trial.check(f"{n} across: that of the steady profile, 1 s", steady,
                    0.02 if n >= 50 else None)
    table = read_table(f"{DATA}/poiseuille_couette.csv")
    axes.plot(table["u_poiseuille_m_s"], table["y_m"], "x", markersize=4, color=COLOURS[1],
              label="series solution")
    axes.plot([], [], ".", color=COLOURS[0], label=f"Sluice, {n} across, every particle")
    axes.set_xlabel("speed (m/s)")
    axes.set_ylabel("y (m)")
    axes.legend()
    trial.order("speed", worst)


REYNOLDS = 10
SPEED = REYNOLDS * NU / WIDTH  # m/s, the largest
TRAVEL = 20  # widths


def travel(trial, walls, gate):
    """Runs the flow between walls of this kind until it has travelled 20 widths. Checks the mean
    profile; the gate applies at 50 particles across and finer."""
    force = 8 * NU * SPEED / WIDTH**2
    late = 32 / math.pi**3 / (math.pi**2 * NU / WIDTH**2)  # s, the delay by the start from rest
    end = TRAVEL * WIDTH / SPEED + late
    (axes,) = trial.axes(wide=5.4, tall=4.0)
    errors = {}
    for n in trial.resolutions:
        run = trial.run(
            f"{n}",
            "poiseuille.cfg",
            "gentle",
            spacing=WIDTH / n,
            gravity=[force, 0.0],
            boundary__kind=walls,
            fluid__sound_speed=10 * SPEED,
            time__end=end,
            output__every=end / 100,
            probes=(),
            energy__reference=1000 * WIDTH * 4e-4 * SPEED**2 / 4,
        )
        parts = [profile(snapshot)[:2] for snapshot in run if snapshot.time >= 0.9 * end]
        y, u = (np.concatenate(part) for part in zip(*parts))
        row = np.clip((y / WIDTH * n).astype(int), 0, n - 1)
        count = np.maximum(np.bincount(row, minlength=n), 1)
        mean_u, mean_y = (np.bincount(row, v, minlength=n) / count for v in (u, y))
        filled = np.bincount(row, minlength=n) > 0
        mean_u, mean_y = mean_u[filled], mean_y[filled]
        off = (mean_u - poiseuille(mean_y, end, force)) / SPEED
        worst = int(np.argmax(np.abs(off)))
        errors[n] = abs(off[worst])
        trial.within(f"{n} across: error of the profile over the largest speed", off[worst],
                     gate if n >= 50 else None, f"at y/L = {mean_y[worst] / WIDTH:.3f}")
        off = (u - poiseuille(y, end, force)) / SPEED
        trial.check(f"{n} across: the worst of single particles", np.max(np.abs(off)), None)
        axes.plot(mean_u / SPEED, mean_y / WIDTH, ".-", markersize=4, label=f"Sluice, {n} across")
    y = np.linspace(0, 1, 101)
    axes.plot(4 * y * (1 - y), y, color="0.2", linestyle="--", label="parabola")
    axes.set_xlabel("u/U")
    axes.set_ylabel("y/L")
    axes.legend()
    trial.order("profile", errors)


@case("poiseuille-moving", "Poiseuille flow at Re 10, 20 widths on", (20, 50, 100))
def poiseuille_moving(trial):
    """The same channel a thousand times faster (Re = 10, by the largest speed), until the fluid in
    the middle has travelled 20 widths. The particles have long left their lattice by then. Their
    speeds in the last tenth of the time, averaged over rows of one dp, are compared with the
    parabola. The number is the largest difference over the largest speed. The gate is the one for
    walls of Adami et al.; the aim is 3%."""
    travel(trial, "adami", 0.06)


@case("poiseuille-moving-mdbc", "Poiseuille flow at Re 10, 20 widths on, ghost nodes",
      (20, 50, 100))
def poiseuille_moving_mdbc(trial):
    """The same between walls with ghost nodes (`boundary.kind = "mdbc"`)."""
    travel(trial, "mdbc", 0.03)


DEPTH, GRAIN, SLOPE, GRAVITY = 0.2, 0.002, 0.002, 9.81  # of configs/channel.cfg
KAPPA, ROUGH = 0.41, 32.6  # u/u* = ln(32.6 z/ks)/kappa (Nikuradse 1933)


def logarithmic(z, grain=GRAIN):
    """Speed over u* at a height over a rough floor."""
    return np.log(ROUGH * z / grain) / KAPPA


@case("open-channel", "Open channel in uniform flow", (10, 20), on_gpu=(10, 20, 40))
def open_channel(trial):
    """A stream 0.2 m deep down a slope of 0.002 over grains of 2 mm (`configs/channel.cfg`), with
    the law of the wall and a mixing length of at most a tenth of the depth. In uniform flow the
    floor takes rho g S H, so u* = 0.0626 m/s. The number is the mean speed over the depth against
    that of the logarithmic law, 17.3 u*; Manning's formula with n = ks^(1/6)/(8.1 sqrt(g)) is a
    comparison. The water starts a twentieth too slow, and 80 s are three times the time in which
    a difference falls to 1/e. Means over the last 20 s. At the coarser resolution ghost nodes,
    grains of 0.5 and 8 mm, and h/dp 2 are shown beside it. Resolutions: particles over the
    depth."""
    shear = math.sqrt(GRAVITY * SLOPE * DEPTH)
    (axes,) = trial.axes(wide=5.4, tall=4.0)

    def stream(label, n, gate, grain=GRAIN, **settings):
        law = logarithmic(DEPTH, grain) - 1 / KAPPA  # the mean over the depth, in u*
        run = trial.run(label, "channel.cfg", "gentle", spacing=DEPTH / n,
                        boundary__roughness=grain, domain__max=[20 * DEPTH / n, 1.2 * DEPTH],
                        time__end=80.0,
                        output__every=2.0, initial=(
                            {"field": "pressure", "kind": "hydrostatic"},
                            {"field": "velocity", "kind": "uniform",
                             "value": [0.95 * law * shear, 0.0]}),
                        geometry=(
                            {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
                             "max": [20 * DEPTH / n, DEPTH]},
                            {"name": "floor", "shape": "walls", "sides": ["bottom"]}),
                        probes=({"name": "friction", "kind": "force", "on": "floor",
                                 "every": 0.1},), **settings)
        parts = [profile(snapshot)[:2] for snapshot in run if snapshot.time >= 60]
        z, u = (np.concatenate(part) for part in zip(*parts))
        speed = float(np.mean(u)) / shear
        manning = 8.1 * (DEPTH / grain) ** (1 / 6)
        trial.within(f"{label}: mean speed against the logarithmic law", speed / law - 1, gate,
                     note=f"{speed:.2f} u*; Manning {speed / manning - 1:+.1%}")
        return run, z, u

    for n in trial.resolutions:
        run, z, u = stream(f"{n}", n, 0.05)
        force = run.probes()["friction"]
        late = force["time"] >= 60
        trial.within(f"{n}: friction of the floor against rho g S H",
                     float(np.mean(force["fx"][late])) / (1000 * shear**2 * 20 * DEPTH / n) - 1,
                     0.02)
        axes.plot(u / shear, z / DEPTH, ".", markersize=2, label=f"Sluice, {n} deep")
    n = trial.resolutions[0]
    stream(f"{n}, mdbc", n, 0.05, boundary__kind="mdbc")
    stream(f"{n}, ks 0.5 mm", n, 0.05, grain=0.0005)
    stream(f"{n}, ks 8 mm", n, 0.05, grain=0.008)
    stream(f"{n}, h/dp 2", n, None, kernel__h_over_dp=2.0)
    height = np.linspace(0.01, 1, 100)
    axes.plot(logarithmic(height * DEPTH), height, color="0.2", linestyle="--",
              label="logarithmic law")
    axes.set_xlabel("u/u*")
    axes.set_ylabel("z/H")
    axes.legend()


CASES = (poiseuille_from_rest, poiseuille_moving, poiseuille_moving_mdbc, open_channel)

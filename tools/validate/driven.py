"""Flows that moving walls drive: Couette, a cavity's lid, a tank that sways."""

import math

import numpy as np
from plot.pictures import COLOURS
from plot.reference import DATA
from sluice import read_table

from validate.channels import NU, TIMES, WIDTH, nearest_snapshots, profile
from validate.potential import GRAVITY, sway_elevation
from validate.trial import case

SPEED = 1.25e-5  # m/s, of the upper plate, Morris, Fox & Zhu 1997
LENGTH = 4e-4  # m, of the periodic piece


def couette(y, t, terms=60):
    """The series of Morris et al. 1997, eq. 27 (m/s)."""
    u = SPEED * y / WIDTH
    for n in range(1, terms):
        k = n * math.pi / WIDTH
        u = u + 2 * SPEED / (n * math.pi) * (-1) ** n * np.sin(k * y) * np.exp(-NU * k**2 * t)
    return u


@case("couette", "Couette flow from rest: Morris et al. 1997", (25, 50, 100))
def couette_from_rest(trial):
    """The channel of Poiseuille's case without a force; its upper plate moves at 12.5 micrometres a
    second from t = 0. At the times of the reference file every particle's speed is compared with
    the series solution. The number is the largest difference over the plate's speed. Resolutions:
    particles across; the gate applies to 50."""
    worst = {}
    (axes,) = trial.axes(wide=5.4, tall=4.0)
    for n in trial.resolutions:
        box = {"shape": "box", "type": "fluid", "min": [0.0, 0.0], "max": [LENGTH, WIDTH]}
        run = trial.run(
            f"{n}",
            "poiseuille.cfg",
            "gentle",
            spacing=WIDTH / n,
            gravity=[0.0, 0.0],
            geometry=(
                box,
                {"shape": "walls", "sides": ["bottom"]},
                {"shape": "walls", "sides": ["top"], "motion": "plate"},
            ),
            motions=({"name": "plate", "kind": "linear", "velocity": [SPEED, 0.0]},),
            energy__reference=1000 * LENGTH * WIDTH * SPEED**2 / 6,  # the steady flow's
        )
        errors = []
        for snapshot in nearest_snapshots(run, TIMES):
            y, u, t = profile(snapshot)
            errors.append(float(np.max(np.abs(u - couette(y, t))) / SPEED))
            if n == trial.resolutions[-1]:
                axes.plot(u, y, ".", markersize=3, color=COLOURS[0])
        note = ", ".join(f"{e:.4f} at {t:g} s" for e, t in zip(errors, TIMES))
        worst[n] = max(errors)
        trial.check(f"{n} across: largest error of the speed", worst[n],
                    0.02 if n >= 50 else None, note=note)
    table = read_table(f"{DATA}/poiseuille_couette.csv")
    axes.plot(table["u_couette_m_s"], table["y_m"], "x", markersize=4, color=COLOURS[1],
              label="series solution")
    axes.plot([], [], ".", color=COLOURS[0], label=f"Sluice, {n} across, every particle")
    axes.set_xlabel("speed (m/s)")
    axes.set_ylabel("y (m)")
    axes.legend()
    trial.order("speed", worst)


SLIP = {"u": "vx", "v": "vy"}
ENDS = {100: 15.0, 400: 30.0, 1000: 40.0}  # L/U: when the centre lines have settled


def centre_line(run, probe, before=0.0):
    """(place, speed) along a line probe: the mean over the last L/U, or over an earlier one."""
    table = run.probes()[probe]
    last = table["time"][-1] - before
    late = (table["time"] >= last - 1.0) & (table["time"] <= last)
    count = int(run.config.entry("probes", probe)["points"])
    low, high = (run.config.entry("probes", probe)[end] for end in ("from", "to"))
    along = 1 if probe == "u" else 0
    place = np.linspace(low[along], high[along], count)
    names = [f"{SLIP[probe]}_{i}" for i in range(count)]
    return place, np.array([np.mean(table[name][late]) for name in names])


def line_error(run, reynolds, probe):
    """The largest difference along a centre line, over U; also the paper's points and our line."""
    along = "y" if probe == "u" else "x"
    exact = read_table(f"{DATA}/ghia_1982_{probe}.csv")
    misprint = probe == "v" and reynolds == 400
    keep = ~(misprint & (np.abs(exact[along] - 0.9063) < 1e-4))
    keep &= (exact[along] > 0.01) & (exact[along] < 0.99)
    place, speed = centre_line(run, probe)
    at, wanted = exact[along][keep], exact[f"Re{reynolds}"][keep]
    off = np.interp(at, place, speed) - wanted
    return float(np.max(np.abs(off))), (at, wanted), (place, speed)


def settling(run):
    """The largest change of the centre lines in the last 5 L/U of a run, relative to U."""
    return max(
        float(np.max(np.abs(centre_line(run, probe)[1] - centre_line(run, probe, 5.0)[1])))
        for probe in SLIP
    )


@case("cavity", "Lid-driven cavity: Ghia et al. 1982", (50, 100), long=True)
def cavity(trial):
    """A square box with a moving lid (`configs/cavity.cfg`), at Re = 100, 400 and 1000, from rest
    until 15, 30 and 40 L/U. The speeds along both centre lines, averaged over the last L/U, are
    compared with the paper's tables (without one known misprint, v at Re 400, x = 0.9063). The
    number is the largest difference over the lid's speed. Resolutions: N particles across; the gate
    applies to N = 100. Walls have ghost nodes, and the density counts the shift (Sun et al.
    2019)."""
    panels = trial.axes(1, 3, wide=3.8)
    for (reynolds, end), axes in zip(ENDS.items(), panels):
        worst = {}
        for n in trial.resolutions:
            run = trial.run(f"{reynolds}-{n}", "cavity.cfg", "gentle", spacing=1 / n,
                            fluid__viscosity__nu=1 / reynolds, time__end=end)
            errors = {}
            for probe in SLIP:
                errors[probe], (at, wanted), line = line_error(run, reynolds, probe)
                if n == trial.resolutions[-1]:
                    colour = COLOURS[0] if probe == "u" else COLOURS[2]
                    axes.plot(*line, color=colour, label=f"{probe}, Sluice, N {n}")
                    axes.plot(at, wanted, "x", color=colour, markersize=4)
            worst[n] = max(errors.values())
            trial.check(f"Re {reynolds}, N {n}: centre lines, largest error over U", worst[n],
                        0.03 if n >= 100 else None,
                        note=f"u {errors['u']:.4f}, v {errors['v']:.4f}")
            trial.check(f"Re {reynolds}, N {n}: change in the last 5 L/U, over U", settling(run),
                        None)
        axes.set_title(f"Re {reynolds} (crosses: Ghia et al.)")
        axes.set_xlabel("place / L")
        axes.set_ylabel("speed / U")
        axes.legend()
        trial.order(f"Re {reynolds}: centre lines", worst)


PERIOD, LEVEL, SWAY, TANK = 1.3, 0.6, 0.032, 1.73  # s, m, m, m
PROBE = 0.05  # m from the tank's left wall
PLACES = np.linspace(PROBE - 2 * SWAY, PROBE, 9)  # m, of the probes, which stand still


def elevation(run):
    """(t, elevation) 5 cm from the tank's left wall, interpolated between probes at rest."""
    probes = run.probes()
    tables = [probes[f"h{i}"] for i in range(len(PLACES))]
    t = tables[0]["time"]
    place = PROBE + SWAY * (np.cos(2 * math.pi * t / PERIOD) - 1)
    heights = np.array([table["height"] for table in tables])
    found = [np.interp(place[k], PLACES, heights[:, k]) for k in range(len(t))]
    return t, np.array(found) - found[0]


def own_rate(k):
    """Angular frequency, rad/s, of a low wave of wave number k, 1/m."""
    return math.sqrt(GRAVITY * k * math.tanh(k * LEVEL))


def linear_elevation(t, modes=60):
    """Linear potential theory of that sway, 5 cm from the wall: the sum over the odd modes of the
    tank, from rest (Faltinsen & Timokha 2009, Sloshing, chapter 5)."""
    omega, found = 2 * math.pi / PERIOD, np.zeros_like(t)
    for m in range(1, modes, 2):
        k = m * math.pi / TANK
        own = own_rate(k)
        pushed = -4 / (TANK * k) * math.tanh(k * LEVEL) * SWAY * omega**2
        found += (
            pushed / (own**2 - omega**2) * (np.cos(omega * t) - np.cos(own * t))
        ) * math.cos(PROBE * k)
    return found


def crests_and_period(t, h):
    """(the highest elevation of each swing, mean time between upward crossings of 0)."""
    up = [
        t[i] - h[i] * (t[i + 1] - t[i]) / (h[i + 1] - h[i])
        for i in range(len(t) - 1)
        if h[i] < 0 <= h[i + 1]
    ]
    crests = [np.max(h[(t >= a) & (t <= b)]) for a, b in zip(up, up[1:])]
    return np.array(crests), (up[-1] - up[0]) / (len(up) - 1)


def potential_elevation(end, count=256):
    """(t, elevation) of that sway by potential theory, nonlinear to all orders."""
    omega = 2 * math.pi / PERIOD
    return sway_elevation(
        lambda t: -SWAY * omega**2 * math.cos(omega * t), end, PROBE, TANK, LEVEL, count
    )


def forced_and_free(t, h):
    """Amplitudes of h at the sway's period and at the water's own, which only the start excites.

    Found by least squares, together with waves of their sums, differences and doubles, which high
    waves have too.
    """
    omega, k = 2 * math.pi / PERIOD, math.pi / TANK
    own = own_rate(k)
    rates = (omega, own, 2 * omega, 2 * own, omega + own, omega - own)
    waves = [wave(rate * t) for rate in rates for wave in (np.cos, np.sin)]
    found = np.linalg.lstsq(np.column_stack([np.ones_like(t)] + waves), h, rcond=None)[0]
    return math.hypot(*found[1:3]), math.hypot(*found[3:5])


def judge_sway(trial, label, found, experiment, theory):
    """Checks a run's elevation (t, h) against theory; the experiment is for comparison."""
    (t, h), (t_ref, h_ref) = found, experiment
    gates = {"theory": (theory, 0.02, 0.01), "the experiment": (experiment, None, None)}
    crests, period = crests_and_period(t, h)
    for name, (other, gate, period_gate) in gates.items():
        crests_other, period_other = crests_and_period(*other)
        what = label if gate else f"{label} and {name}"
        note = f"{1000 * np.mean(crests):.1f} mm of {len(crests)}, {name} "
        note += f"{1000 * np.mean(crests_other):.1f} mm of {len(crests_other)}"
        trial.within(f"{what}: mean height of the crests, relative",
                     np.mean(crests) / np.mean(crests_other) - 1, gate, note)
        note = f"{1000 * h.max():.1f} mm, {name} {1000 * other[1].max():.1f} mm"
        trial.within(f"{what}: highest crest, relative", h.max() / other[1].max() - 1, gate, note)
        note = f"{period:.3f} s, {name} {period_other:.3f} s"
        trial.within(f"{what}: period, relative", period / period_other - 1, period_gate, note)
    linear, early = linear_elevation(t), t < PERIOD / 2
    note = f"{1000 * h[early].min():.1f} mm, theory {1000 * linear[early].min():.1f} mm,"
    note += f" experiment {1000 * h_ref[t_ref < PERIOD / 2].min():.1f} mm"
    trial.within(f"{label}: first trough over linear theory's, less 1",
                 h[early].min() / linear[early].min() - 1, None, note)


def converge(trial, end, theory):
    """Compares the theory with that of half and of twice as many points."""
    crests, highest = crests_and_period(*theory)[0], theory[1].max()
    for count in (128, 512):
        t, h = potential_elevation(end, count)
        trial.within(f"theory with {count} points instead of 256: highest crest, relative",
                     h.max() / highest - 1, None, f"mean of the crests "
                     f"{np.mean(crests_and_period(t, h)[0]) / np.mean(crests) - 1:+.4f}")


def compare_parts(trial, records):
    """Compares the forced and the free wave, of the experiment and of a run, with those of theory.
    """
    parts = {name: forced_and_free(*record) for name, record in records.items()}
    theory = parts.pop("theory")
    for i, what in enumerate(("the sway's period", "the water's own period")):
        for name, part in parts.items():
            note = f"{1000 * part[i]:.1f} mm, theory {1000 * theory[i]:.1f} mm"
            trial.within(f"{name}: wave of {what} over theory's, less 1", part[i] / theory[i] - 1,
                         None, note)


@case("sloshing", "Sloshing in a swaying tank: Faltinsen et al. 2000", (0.03, 0.02, 0.01))
def sloshing(trial):
    """Water 0.6 m deep in a tank 1.73 m long that moves as x = 32 mm (cos(2 pi t/1.3 s) - 1), from
    rest (`configs/sloshing.cfg`). The elevation 5 cm from the tank's left wall is compared with
    potential theory for this motion, by conformal mapping, exact for waves of any height
    (`tools/validate/potential.py`; Dyachenko et al. 1996): the mean height of the crests, the
    highest one, and the mean time between upward crossings. The gates are 2% for crests, of which
    the theory's own error is 0.2%, and 1% for the period. The experiment is for comparison: its
    first trough, before friction matters, is a quarter lower than theory's, so its start or motion
    was not the stated one. Resolutions: dp in m; at 0.01 the tank is 1.73 m long, else 1.74 m. Also
    for comparison: the first trough, which is small, by linear potential theory; and two parts of
    each record. The part with the period of the sway depends on the motion alone, the part with the
    water's own period on the start."""
    reference = read_table(f"{DATA}/faltinsen_2000.csv")
    t_ref, h_ref = reference["t"], reference["value"]
    (axes,) = trial.axes(wide=7.0)
    axes.plot(t_ref, h_ref, ".", markersize=4, color=COLOURS[1], label="Faltinsen et al. 2000")
    t_theory, h_theory = potential_elevation(float(t_ref[-1]))
    converge(trial, float(t_ref[-1]), (t_theory, h_theory))
    for dp in trial.resolutions:
        length = round(math.ceil(TANK / dp - 1e-6) * dp, 9)
        run = trial.run(
            f"{dp:g}",
            "sloshing.cfg",
            "violent",
            spacing=dp,
            domain__max=[length, 1.1],
            geometry=(
                {"name": "water", "shape": "box", "type": "fluid", "min": [0.0, 0.0],
                 "max": [length, LEVEL]},
                {"name": "tank", "shape": "walls", "sides": ["left", "right", "bottom"],
                 "motion": "sway"},
            ),
            probes=tuple(
                {"name": f"h{i}", "kind": "height", "at": [float(place)], "every": 0.01}
                for i, place in enumerate(PLACES)
            ),
            time__end=float(t_ref[-1]),
        )
        t, h = elevation(run)
        judge_sway(trial, f"dp {dp:g}", (t, h), (t_ref, h_ref), (t_theory, h_theory))
        axes.plot(t, h, color=COLOURS[0] if dp == trial.resolutions[-1] else "0.6",
                  linewidth=1, label=f"Sluice, dp {dp:g} m")
    axes.plot(t_theory, h_theory, "--", color=COLOURS[2], linewidth=0.8, label="potential theory")
    at_ref = [(t_ref, np.interp(t_ref, *record)) for record in ((t, h), (t_theory, h_theory))]
    compare_parts(trial, {"experiment": (t_ref, h_ref), f"dp {dp:g}": at_ref[0],
                          "theory": at_ref[1]})
    axes.set_xlabel("time (s)")
    axes.set_ylabel("elevation (m)")
    axes.legend()


CASES = (couette_from_rest, cavity, sloshing)

"""SPHERIC test 2: a dam break on a box, in 3-D."""

import os
from dataclasses import dataclass

import numpy as np
from plot import measure, reference
from plot.pictures import draw_comparison
from sluice import FileError, read_table

from validate.runner import ON_GPU
from validate.trial import case

END = 2.0  # s
DEPTH = 0.55  # m
BOX = {"min": (2.3955, 0.295, 0.0), "max": (2.5565, 0.698, 0.161)}  # m
SENSORS = ("P1", "P2", "P3", "P4")  # on the front of the box, from below
ARRIVED = 500.0  # Pa
PULL = -200.0  # Pa; a pressure below it is tension, not noise of the sensor
VOLUME_OF_FLUID = "spheric_test2_vof.csv"  # t_s, P1_Pa .. P4_Pa
P4_OFF = {"experiment": 0.25, "volume of fluid": 0.15}  # one of the two must be met


@dataclass(frozen=True)
class Tier:
    """The spacing whose run is judged and its gates: largest relative errors by sensor. Sizes that
    are None, and sensors that are missing, have no gate."""

    decides: float  # m
    first: dict
    impulse: dict
    p4: bool = False  # whether the impulse on P4 has a gate
    change: float = None  # of an impulse at the other spacings
    cfls: tuple = ()  # of the runs that show chance


ON_CPU_TIER = Tier(0.02, first={"P1": 0.06}, impulse={"P1": 0.2})
ON_GPU_TIER = Tier(0.01, first=dict.fromkeys(("P1", "P2", "P4"), 0.06),
                   impulse=dict.fromkeys(SENSORS[:3], 0.12), p4=True, change=0.08,
                   cfls=(0.299, 0.298))  # fmt: skip


def mean_between(series, start, end):
    """The mean of (t, values) over start <= t <= end."""
    whole = measure.integral(*series, end) - measure.integral(*series, start)
    return whole / (end - start)


def fraction_below(t, values, level):
    """The fraction of the samples up to END that are below a level."""
    return float(np.mean(values[t <= END] < level))


def box_on_lattice(dp):
    """Keys of the box with its faces rounded to the lattice; otherwise its volume of particles can
    be off by more than 5%."""
    return {
        f"geometry__box__{face}": [float(f"{np.floor(x / dp + 0.5) * dp:.6g}") for x in place]
        for face, place in BOX.items()
    }


def volume_of_fluid():
    """{sensor: (t, p)} of the finest volume-of-fluid run."""
    path = os.path.join(reference.DATA, VOLUME_OF_FLUID)
    table = read_table(path)
    if table["t_s"][-1] < END - 0.02:
        raise FileError(f"{path}: it ends at {table['t_s'][-1]:g} s, before {END:g} s")
    return {name: (table["t_s"], table[f"{name}_Pa"]) for name in SENSORS}


class Records:
    """The records of a run, of the experiment, and of the volume of fluid, by probe."""

    def __init__(self, run):
        self.probes = run.probes()
        self.known = {c.probe: c for c in reference.known(run.title) if c.probe in self.probes}
        missing = {*SENSORS, "H2", "H4"} - set(self.known)
        if missing:
            raise FileError(f"{run.path}: no reference for {', '.join(sorted(missing))}")
        self.run = {name: c.measured(self.probes[name]) for name, c in self.known.items()}
        self.experiment = {name: c.reference() for name, c in self.known.items()}
        self.volume_of_fluid = volume_of_fluid()

    def impulse(self, name):
        return measure.integral(*self.run[name], END)


def judge_p4(trial, records, label, gated):
    """Checks the error of the impulse on P4 as a fraction of its gate: against the experiment, or
    against the volume of fluid, whichever is better. Each is compared as long as its record lasts.
    """
    errors, notes = [], []
    for what, known in (("experiment", records.experiment["P4"]),
                        ("volume of fluid", records.volume_of_fluid["P4"])):
        end = min(END, known[0][-1])
        found, wanted = (measure.integral(*p, end) for p in (records.run["P4"], known))
        off = found / wanted - 1
        errors.append(abs(off) / P4_OFF[what])
        notes.append(f"{found:.0f} Pa s to {end:.3f} s, {what} {wanted:.0f} Pa s "
                     f"({off:+.1%}, may be {P4_OFF[what]:.0%})")
    trial.check(f"{label}: P4 impulse to 2 s, smaller fraction of what it may be off", min(errors),
                1.0 if gated else None, note="; ".join(notes))


def judge(trial, records, label, tier):
    """Checks a run against the experiment; tier None: for comparison."""
    gated = tier is not None
    first_gates, impulse_gates = (tier.first, tier.impulse) if gated else ({}, {})
    for name in SENSORS:
        measured, expected = records.run[name], records.experiment[name]
        first = [measure.first_above(*p, ARRIVED) for p in (measured, expected)]
        trial.within(f"{label}: {name} first above 500 Pa, relative", first[0] / first[1] - 1,
                     first_gates.get(name), f"{first[0]:.3f} s, experiment {first[1]:.3f} s")
        impulse = [measure.integral(*p, END) for p in (measured, expected)]
        trial.within(f"{label}: {name} impulse to 2 s, relative", impulse[0] / impulse[1] - 1,
                     impulse_gates.get(name),
                     f"{impulse[0]:.0f} Pa s, experiment {impulse[1]:.0f} Pa s")
        trial.check(f"{label}: {name}, fraction of 2 s below -200 Pa",
                    fraction_below(*measured, PULL),
                    0.001 if gated else None,
                    note=f"lowest {np.min(measured[1]):.0f} Pa; experiment "
                         f"{fraction_below(*expected, PULL):.4f}")
        peak = [np.max(p[1]) for p in (measured, expected)]
        trial.check(f"{label}: {name} peak over the experiment's", peak[0] / peak[1], None,
                    note=f"{peak[0]:.0f} Pa, experiment {peak[1]:.0f} Pa")
    judge_p4(trial, records, label, gated and tier.p4)
    mean = [mean_between(p["P1"], 1.0, END) for p in (records.run, records.experiment)]
    trial.within(f"{label}: P1 mean of 1 to 2 s, relative", mean[0] / mean[1] - 1,
                 0.15 if gated else None, f"{mean[0]:.0f} Pa, experiment {mean[1]:.0f} Pa")
    for name in ("H4", "H2"):
        off = measure.rms_difference(*records.run[name], *records.experiment[name])
        trial.check(f"{label}: {name}, root mean square error over 0.55 m", off / DEPTH,
                    0.1 if gated else None)


def judge_changes(trial, records, tier):
    """Checks the impulses at the other spacings against those at the one that decides."""
    for dp, coarser in records.items():
        for name in SENSORS[:3] if dp != tier.decides else ():
            pair = [r.impulse(name) for r in (coarser, records[tier.decides])]
            trial.within(f"dp {dp:g}: {name} impulse against dp {tier.decides:g}, relative",
                         pair[0] / pair[1] - 1, tier.change,
                         f"{pair[0]:.0f} Pa s, {pair[1]:.0f} Pa s")


def show_chance(trial, equals, label):
    """Mean and spread of the impulses of runs that are equal but for the length of their steps."""
    for name in SENSORS:
        wanted = measure.integral(*equals[0].experiment[name], END)
        off = [r.impulse(name) / wanted - 1 for r in equals]
        trial.check(f"{label}: {name} impulse, mean of {len(off)} equal runs, relative",
                    np.mean(off), None, note=", ".join(f"{x:+.1%}" for x in off))
        trial.check(f"{label}: {name} impulse, largest less smallest of these",
                    np.max(off) - np.min(off), None, note="of the experiment's")


@case("spheric-2", "Dam break on a box: SPHERIC test 2", (0.04, 0.03, 0.02), long=True,
      on_gpu=(0.02, 0.01, 0.0075))
def spheric_2(trial):
    """The tank of Kleefsman et al. 2005 in 3-D (`configs/dam_break_3d.cfg`), with four sensors
    on the front of the box. Resolutions: dp in m. On a GPU the run at dp = 0.01 decides.
    Impulses from 0 to 2 s may be off by 12% (P1 to P3), arrivals by 6%. P4 stands in the thin
    sheet that shoots up over the box, which a mesh of affordable cells does not have right
    either. So its impulse may be off by 25% from the experiment, or by 15% from the finest
    volume-of-fluid run. Pressures below -200 Pa are tension, which the sensors do not show:
    they may last for 0.1% of the time, which is what the experiment's P3 has. At dp = 0.02 and
    0.0075 the impulses on P1 to P3 may differ from those at 0.01 by 8%. Equal runs differ by
    chance, when a gap closes with a slam. So two more runs, with steps 0.3 and 0.7% shorter,
    show by how much; the first run is judged. On a CPU the run at dp = 0.02 decides. There the
    box is 8 spacings high and a sensor's sum covers 6, so that P1 to P4 are not apart from each
    other: only P1 has gates for arrival and impulse (20%). Tension and heights are resolved and
    keep the gates of dp = 0.01. The depth of 0.55 m becomes 28 particles, 0.56 m. This explains
    most of the error of H4 at the start. Peaks last milliseconds and are for comparison."""
    tier = ON_GPU_TIER if trial.runner.backend in ON_GPU else ON_CPU_TIER
    records = {}
    for dp in trial.resolutions:
        run = trial.run(f"{dp:g}", "dam_break_3d.cfg", "violent", spacing=dp, **box_on_lattice(dp))
        records[dp] = Records(run)
        judge(trial, records[dp], f"dp {dp:g}", tier if dp == tier.decides else None)
    if tier.decides in records:
        judge_changes(trial, records, tier)
        equals = [records[tier.decides]]
        for cfl in tier.cfls:
            run = trial.run(f"{tier.decides:g}-cfl-{cfl:g}", "dam_break_3d.cfg", "violent",
                            spacing=tier.decides, **box_on_lattice(tier.decides), time__cfl=cfl)
            equals.append(Records(run))
        if len(equals) > 1:
            show_chance(trial, equals, f"dp {tier.decides:g}")
    draw(trial, tier.decides if tier.decides in records else min(records), records)


def draw(trial, dp, records):
    """Draws the four sensors and two heights at a spacing."""
    shown = records[dp]
    for axes, name in zip(trial.axes(3, 2), (*SENSORS, "H4", "H2")):
        if name in SENSORS:
            axes.plot(*shown.volume_of_fluid[name], color="C2", linewidth=0.8, zorder=2,
                      label="volume of fluid")
        draw_comparison(axes, shown.known[name], shown.probes[name])
        axes.set_title(f"{name}, dp {dp:g} m")


CASES = (spheric_2,)

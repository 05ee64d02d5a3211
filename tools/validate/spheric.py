"""SPHERIC test 2: a dam break on a box, in 3-D."""

import numpy as np
from plot import measure, reference
from plot.pictures import draw_comparison

from validate.runner import ON_GPU
from validate.trial import case

END = 2.0  # s
DEPTH = 0.55  # m
BOX = {"min": (2.3955, 0.295, 0.0), "max": (2.5565, 0.698, 0.161)}  # m


def mean_between(series, start, end):
    """The mean of (t, values) over start <= t <= end."""
    whole = measure.integral(*series, end) - measure.integral(*series, start)
    return whole / (end - start)


def box_on_lattice(dp):
    """Keys of the box with its faces rounded to the lattice; otherwise its volume of particles can
    be off by more than 5%."""
    return {
        f"geometry__box__{face}": [float(f"{np.floor(x / dp + 0.5) * dp:.6g}") for x in place]
        for face, place in BOX.items()
    }


def judge(trial, run, label, gated):
    """Checks P1 and the heights against the experiment; returns its records, by probe."""
    known = {c.probe: c for c in reference.known(run.title) if c.probe in run.probes()}
    measured = {name: c.measured(run.probes()[name]) for name, c in known.items()}
    expected = {name: c.reference() for name, c in known.items()}
    gate = lambda size: size if gated else None  # noqa: E731
    first = [measure.first_above(*p["P1"], 500.0) for p in (measured, expected)]
    note = f"{first[0]:.3f} s, experiment {first[1]:.3f} s"
    trial.within(f"{label}: P1 first above 500 Pa, relative", first[0] / first[1] - 1, gate(0.05),
                 note)
    impulse = [measure.integral(*p["P1"], END) for p in (measured, expected)]
    note = f"{impulse[0]:.0f} Pa s, experiment {impulse[1]:.0f} Pa s"
    trial.within(f"{label}: P1 impulse to 2 s, relative", impulse[0] / impulse[1] - 1, gate(0.2),
                 note)
    mean = [mean_between(p["P1"], 1.0, END) for p in (measured, expected)]
    note = f"{mean[0]:.0f} Pa, experiment {mean[1]:.0f} Pa"
    trial.within(f"{label}: P1 mean of 1 to 2 s, relative", mean[0] / mean[1] - 1, gate(0.15), note)
    peak = [np.max(p["P1"][1]) for p in (measured, expected)]
    note = f"{peak[0]:.0f} Pa, experiment {peak[1]:.0f} Pa"
    trial.check(f"{label}: P1 peak over the experiment's", peak[0] / peak[1], None, note=note)
    for name in ("H4", "H2"):
        off = measure.rms_difference(*measured[name], *expected[name])
        trial.check(f"{label}: {name}, root mean square error over 0.55 m", off / DEPTH, gate(0.1))
    return known


@case("spheric-2", "Dam break on a box: SPHERIC test 2", (0.04, 0.03, 0.02), long=True,
      on_gpu=(0.04, 0.02, 0.01))
def spheric_2(trial):
    """The tank of Kleefsman et al. 2005 in 3-D (`configs/dam_break_3d.cfg`). Resolutions: dp in m.
    The gates apply to dp = 0.02 on a CPU (0.01 on a GPU); coarser runs show the trend. Pressure
    peaks are two to four times the experiment's. Where the first spray passes (P3), the fluid is in
    tension, which water does not bear. So the gates are for arrival, impulse and means, not for
    peaks. At dp = 0.02 the depth of 0.55 m becomes 28 particles, 0.56 m. This explains most of the
    error of H4 at the start."""
    finest = 0.01 if trial.runner.backend in ON_GPU else 0.02
    for dp in trial.resolutions:
        run = trial.run(f"{dp:g}", "dam_break_3d.cfg", "violent", spacing=dp, **box_on_lattice(dp))
        known = judge(trial, run, f"dp {dp:g}", dp <= finest)
    panels = trial.axes(2, 2)
    for axes, name in zip(panels, ("P1", "P3", "H4", "H2")):
        draw_comparison(axes, known[name], run.probes()[name])
        axes.set_title(f"{name}, dp {dp:g} m")


CASES = (spheric_2,)

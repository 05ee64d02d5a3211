#!/usr/bin/env python3
# test: 6 s
"""Probes of overtopping in runs: their volume is that of the water behind the crest, they go on
after a restart with the same bytes, and in 3-D their numbers are those of a metre of the crest."""

import os
import tempfile
import warnings

from case_run import Case, finish, np, ok, restart, within

import sluice  # noqa: E402, I100

FLAT = """title = "over a crest"; model = "wcsph"; dimension = 2; spacing = 0.025;
gravity = [0.0, -9.81]; domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.6, 0.5]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
    { name = "step"; shape = "box"; type = "wall"; min = [1.0, 0.0]; max = [1.1, 0.2]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = (
    { name = "crest"; kind = "overtopping"; from = [1.05, 0.0]; to = [1.05, 1.0]; gap = 0.05;
      every = 0.005; },
    { name = "against"; kind = "overtopping"; from = [1.05, 0.0]; to = [1.05, 1.0]; gap = 0.05;
      reverse = true; every = 0.005; },
    { name = "section"; kind = "flux"; from = [1.05, 0.0]; to = [1.05, 1.0]; every = 0.005; } );
time = { end = 1.0; }; energy = { tolerance = 1.0; }; backend = { strategy = "window"; };
output = { every = 0.5; checkpoint_every_s = 0.0; };
"""
SOLID = """title = "over a crest"; model = "wcsph"; dimension = 3; spacing = 0.05;
gravity = [0.0, 0.0, -9.81];
domain = { min = [0.0, 0.0, 0.0]; max = [1.2, 0.3, 0.8]; periodic = [false, true, false]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [0.5, 0.3, 0.5]; },
    { shape = "walls"; sides = ["x-", "x+", "z-"]; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "part"; kind = "overtopping"; from = [0.7, 0.05, 0.0]; to = [0.7, 0.2, 0.8];
             gap = 0.1; every = 0.01; },
    { name = "whole"; kind = "overtopping"; from = [0.7, 0.0, 0.0]; to = [0.7, 0.9, 0.8];
      gap = 0.1; every = 0.01; },
    { name = "flux"; kind = "flux"; from = [0.7, 0.05, 0.0]; to = [0.7, 0.2, 0.8];
      every = 0.01; } );
time = { end = 0.4; }; energy = { tolerance = 1.0; }; output = { every = 0.0; };
"""


def bytes_of(run, name):
    with open(os.path.join(run.path, f"probe_{name}.csv"), "rb") as file:
        return file.read()


def test_volume(run):
    crest, against, section = (run.table(f"probe_{name}.csv")
                               for name in ("crest", "against", "section"))
    volume = crest["passed"] - crest["returned"]
    water = [snapshot.fluid for snapshot in sluice.Run(run.path)]
    behind = [(part.mass / part.density)[part.x[:, 0] > 1.05].sum() for part in water]
    ok(volume[-1] > 0.02 and behind[0] == 0, "water passes over", (volume[-1], behind))
    # a particle counts before and behind the section as its kernel passes
    within(volume[-1] / behind[-1], 0.98, 1.02, "its volume is that behind the crest")
    ok(np.allclose(section["volume"], volume, rtol=0, atol=1e-12), "so is that of a flux probe")
    ok(np.array_equal(against["returned"], crest["passed"])
       and np.array_equal(against["q"], -crest["q"]), "against the axis")  # fmt: skip
    total = crest["passed"][-1]
    events = np.nan_to_num(crest["last_volume"])[np.diff(crest["events"], prepend=0) > 0]
    ok(abs(events.sum() + crest["event_volume"][-1] - total) < 0.01 * total,
       "events have the volume", (events, crest["event_volume"][-1], total))  # fmt: skip
    passed = crest["time"][-1] - crest["time"][0]
    ok(np.isclose(crest["q_mean"][-1] * passed, total), "the mean discharge")


def test_restart(case, run):
    half = case.run("half", time__max_steps=int(0.7 * run.table("probe_crest.csv")["step"][-1]))
    ok(0 < half.table("probe_crest.csv")["passed"][-1], "stopped while water passes")
    on = restart(half.path, time__max_steps=0, backend__threads=2)
    for name in ("crest", "section"):
        ok(bytes_of(on, name) == bytes_of(run, name), f"{name}: the same bytes after a restart")


def test_width():
    run = Case(SOLID).run("solid", expect=(0, 1))
    part, whole, flux = (run.table(f"probe_{name}.csv") for name in ("part", "whole", "flux"))
    ok(flux["flux"].max() > 0.01 and np.allclose(part["q"], flux["flux"] / 0.15, rtol=1e-12),
       "in 3-D a metre of the crest")  # fmt: skip
    ratio = whole["passed"][-1] / part["passed"][-1]
    within(ratio, 0.9, 1.1, "and a crest longer than the period is the period")


def test_wide_section():
    """A section that reaches beyond the side walls divides by more than the crest's width."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        path = os.path.join(folder, "walls.cfg")
        with open(path, "w") as file:
            file.write(SOLID.replace("[false, true, false]", "[false, false, false]"))
        sluice.check(path)
    words = "probe 'whole': the section reaches from 0 to 0.9 along y, and the domain from 0 to 0.3"
    found = [str(warning.message) for warning in said]
    ok(sum("the section reaches" in text for text in found) == 1
       and any(words in text for text in found), "a section wider than the domain", found)


flat = Case(FLAT)
first = flat.run("flat", expect=(0, 1))
test_volume(first)
test_restart(flat, first)
test_width()
test_wide_section()
finish()

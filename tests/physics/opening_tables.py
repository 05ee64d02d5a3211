#!/usr/bin/env python3
# test: 10 s
"""The tables of openings, opening_NAME.csv, of a slow stream in a channel: what they say of the
stream and of each other, after a restart, and without a budget. What `sluice check` says of the
openings, and of ids."""

import os

from case_run import SLUICE, Case, Run, at_most, finish, largest, np, ok, restart, scratch, within
from opening_cases import DP, OUTLET as DOWN, channel

GRAVITY = 9.81
SPEED, DEPTH = 0.5, 0.4
CHANNEL = (channel().replace("every = 5; tolerance = 1.0", "every = 10")
           .replace("every = 0.1", "every = 1.0"))


def test_stream():
    """A row of particles in the strip is a quarter of a row of depth: what is 0.04 m of 0.4."""
    run = Case(CHANNEL).run("stream")
    energy, people = run.energy(), run.table("population.csv")
    ok(run.opening_names == ["up", "down"], f"names in the config's order: {run.opening_names}")
    up, down = run.opening("up"), run.opening("down")
    for name, table, sign in (("up", up, 1), ("down", down, -1)):
        ok(np.array_equal(table["step"], energy["step"]), f"{name}: rows where energy.csv has them")
        at_most(largest(sign * table["velocity"] / SPEED - 1), 0.05, f"{name}: velocity")
        at_most(largest(sign * table["discharge"] / (SPEED * DEPTH) - 1), 0.05,
                f"{name}: discharge")
        at_most(largest(table["depth"] / DEPTH - 1), 0.06, f"{name}: depth")
        ok(np.array_equal(table["level"], table["depth"]), f"{name}: the lower edge is at 0")
        froude = SPEED / np.sqrt(GRAVITY * DEPTH)
        at_most(largest(sign * table["froude"] / froude - 1), 0.08, f"{name}: Froude number")
        ok(np.isnan(table["head"][0]), f"{name}: nothing has passed at the start")
        at_most(largest(table["head"][1:] / (DEPTH + SPEED**2 / (2 * GRAVITY)) - 1), 0.08,
                f"{name}: total head, from energy, work and discharge")
        middle = 1000 * GRAVITY * (DEPTH - 0.3)  # the opening is 0.6 m high
        at_most(largest(table["pressure"] - middle) / (1000 * GRAVITY * DEPTH), 0.05,
                f"{name}: pressure at the centre, over that at the floor")
    for what, column in (("in", "entered"), ("out", "left")):
        both = {n: up[f"{n}_{what}"] + down[f"{n}_{what}"] for n in ("particles", "mass", "energy")}
        ok(np.array_equal(both["particles"], people[column]), f"particles {what}")
        ok(both["particles"][-1] > 10, f"there are some: {both['particles'][-1]}")
        at_most(largest(both["mass"] - people[f"{column}_mass"]), 1e-9, f"mass {what}, kg/m")
        at_most(largest(both["energy"] - energy[column]), 1e-9, f"energy {what}, J/m")
    power = up["power"] + down["power"]
    work = np.sum((power[1:] + power[:-1]) / 2 * np.diff(up["time"]))
    at_most(abs(work - energy["work_open"][-1]) / np.abs(up["power"]).max(), 0.01,
            "the powers' integral is the work of openings, s")
    ok(up.units["discharge"] == "m^2/s" and up.units["power"] == "W/m" and up.units["head"] == "m",
       "units of columns")
    return run


def test_restart(whole):
    """The means of the row after the checkpoint begin before it."""
    steps = int(whole.energy()["step"][-1])
    half = Case(CHANNEL).run("half", time__max_steps=steps // 2 + 5)
    again = restart(half.path, time__max_steps=steps)
    for name in ("opening_up.csv", "opening_down.csv"):
        ok(again.bytes_of(name) == whole.bytes_of(name), f"{name}: the same bits restarted")


def test_without():
    """Without a budget no table has rows, so there are none; nor without openings."""
    run = Case(CHANNEL).run("none", energy__every=0, time__end=0.05)
    ok(not any(run.has(f) for f in ("opening_up.csv", "population.csv", "energy.csv")),
       "energy.every = 0: no tables")
    text = CHANNEL[:CHANNEL.index("openings")] + CHANNEL[CHANNEL.index("time ="):]
    run = Case(text).run("closed", time__end=0.02, boundary__slip="free")
    ok(not [f for f in os.listdir(run.path) if f.startswith("opening_")], "none without openings")


def test_no_gravity():
    """Level and Froude number need gravity; what has no number is empty."""
    text = CHANNEL.replace("gravity = [0.0, -9.81];", "")
    for key in ("depth = 0.4;", "level = 0.4;", '{ field = "pressure"; kind = "hydrostatic"; },'):
        text = text.replace(key, "")
    run = Case(text).run("flat", fluid__diffusion__kind="molteni", fluid__masses="lattice",
                         time__end=0.05, energy__reference=1.0)
    table = run.opening("up")
    for name in ("level", "depth", "froude", "head"):
        ok(np.isnan(table[name]).all(), f"without gravity {name} is empty")
    within(table["velocity"].mean(), 0.45, 0.55, "but the velocity has values")


def test_dry():
    """An inlet into an empty channel: its buffer alone has water, and the outlet waits."""
    text = CHANNEL.replace("min = [0.0, 0.0]; max = [1.2, 0.4]", "min = [0.0, 0.0]; "
                           "max = [0.2, 0.4]")
    run = Case(text).run("dry", time__end=0.2)
    up, down = run.opening("up"), run.opening("down")
    ok(up["depth"][0] == 0 and np.isnan(up["velocity"][0]), "no water in front of it at first")
    within(up["depth"][-1], 0.2, DEPTH, "then there is some")
    ok(down["discharge"].max() == 0 and np.isnan(down["froude"]).all(), "none at the outlet")


def check(text, expect=(0,), **keys):
    words = [SLUICE, "check", Case(text).path]
    for key, value in keys.items():
        words += ["--set", f"{key.replace('__', '.')}={value}"]
    return Run(scratch, words, expect).said


def test_check():
    said = check(CHANNEL)
    for text in ("inlet, face at x = 0.2 m; area 0.6 m: 15 columns of 5 rows",
                 "velocity 0.5 m/s, depth 0.4 m; the pressure is extrapolated",
                 "Froude number 0.252 at a depth of 0.4 m: a subcritical stream takes 1 condition "
                 "where it enters, and has 1", "particles       125 a second enter",
                 "face at x = 1 m", "level 0.4 m; the velocity is extrapolated",
                 "where it leaves, and has 1", "particles       125 a second leave",
                 # 62.5 in half a second, and 15 columns of a row more than their buffers
                 "up to 152 particles come", "about 63 go"):
        ok(text in said, f"check says: {text}", said)
    said = check(CHANNEL.replace("velocity = 0.5;", "velocity = 3.0;"))
    ok("a supercritical stream takes 2 conditions where it enters, and has 1" in said,
       "check knows a fast stream", said)
    said = check(CHANNEL.replace("velocity = 0.5; depth", "level"))
    ok("is not given: ids are checked as they come" in said, "what comes under a level is unknown",
       said)
    # Columns of large openings are wider: docs/theory.md
    wide = """model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, 0.0];
        domain = { min = [0.0, 0.0, 0.0]; max = [2.4, 4.8, 4.8]; };
        fluid = { density = 1000.0; sound_speed = 10.0; };
        geometry = (
            { name = "water"; shape = "box"; type = "fluid";
              min = [0.0, 0.0, 0.0]; max = [2.4, 4.8, 4.8]; },
            { name = "sides"; shape = "walls"; sides = ["bottom", "top", "front", "back"]; } );
        openings = ( { name = "in"; kind = "inlet"; face = "x-"; velocity = 1.0; absorb = true; },
            { name = "out"; kind = "outlet"; face = "x+"; pressure = 1e3; absorb = true; } );
        time = { end = 1.0; }; output = { every = 0.0; };
        energy = { every = 10; reference = 500.0; };"""
    said = check(wide)
    ok("area 23.04 m^2: 576 columns of 5 rows, each 2 x 2 particles wide" in said,
       "check says how wide columns are", said)


def test_ids():
    """By what enters until time.end, not by time.max_steps, and only if it is known."""
    check(CHANNEL, time__max_steps=10**12)
    if "4294967295" not in check(CHANNEL):
        return  # ids of 64 bits
    said = check(CHANNEL, (2,), time__end=1e9, output__every=0)
    ok("IDS=64" in said and "time.end" in said and "ids reach" in said,
       "a run whose ids would not fit is refused", said)
    check(CHANNEL.replace("velocity = 0.5; depth", "level"), time__end=1e9, output__every=0)


def test_profile():
    """A profile keeps the discharge, also over a bed that closes columns of the opening."""
    bed = '{ name = "bed"; shape = "box"; type = "wall"; min = [0.0, 0.0]; max = [1.2, 0.2]; }'
    inlet = ('{ name = "up"; kind = "inlet"; face = "x-"; discharge = 0.1; depth = 0.2; '
             'profile = "power"; }')
    run = Case(channel(bed, openings=(inlet, DOWN))).run("profile", time__end=0.1)
    fluid = run[-1].fluid
    speed = fluid.velocity[fluid.x[:, 0] < 4 * DP, 0]
    within(speed.mean(), 0.499, 0.501, "mean velocity in the buffer: discharge over depth")
    ok(speed.max() > 1.1 * speed.min(), "and it has a profile")


test_restart(test_stream())
test_without()
test_no_gravity()
test_dry()
test_check()
test_ids()
test_profile()
finish()

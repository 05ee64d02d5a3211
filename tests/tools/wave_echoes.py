#!/usr/bin/env python3
# test: 9 s
"""`sluice waves` where a wall sends waves back: the reflector of the log, the default window of a
steady reflection, what is proposed or said to be impossible, and gauges beside the waves. The runs
are made here: exact waves that come, go back, and come again."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

import sluice  # noqa: E402, I100
from waves import report, theory  # noqa: E402
from waves.analysis import analyse  # noqa: E402

CONFIG = """title = "Flume"; model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
geometry = (
  { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [30.0, 0.4]; },
  { name = "paddle"; shape = "box"; type = "wall"; min = [-0.2, 0.0]; max = [0.0, 0.7]; } );
motions = ( { kind = "wave"; name = "maker"; carries = "paddle"; depth = 0.4; wave = "regular";
              height = 0.1; period = 1.5; } );
probes = ( %s );
"""
PERIOD, K_R = 1.5, 0.3
OMEGA = 2 * math.pi / PERIOD
K = float(theory.wave_number(OMEGA, 0.4, 9.81))
LENGTH = 2 * math.pi / K
SPEED = float(theory.group_speed(OMEGA, 0.4, 9.81))
RAMP = 2 * PERIOD
APART = (0, 0.1 * LENGTH, 0.27 * LENGTH)


def part(time, way, amplitude, phase):
    """A wave that has gone `way`, m: full a ramp after its front."""
    rise = np.clip((time - way / SPEED) / RAMP, 0, 1)
    return amplitude * rise * np.cos(OMEGA * time - phase)


def record(time, x, reflector):
    """Incident, reflected and, three times as high, what the paddle makes of that."""
    way, turn = 2 * reflector, K * 2 * reflector
    return (part(time, x, 0.05, K * x) + part(time, way - x, 0.05 * K_R, turn - K * x)
            + part(time, way + x, 0.15, turn + K * x))  # fmt: skip


def made(folder, places, reflector, end, beside=()):
    """A run with gauges at the places, whose log has a caisson there; `beside` have no theory."""
    os.makedirs(folder)
    time = np.arange(0, end, 0.02)
    entries = []
    for name, x in places.items():
        entries.append(f'{{ kind = "height"; name = "{name}"; at = [{x!r}]; every = 0.02; }}')
        height = 0.4 + record(time, x, reflector)
        none = np.full(len(time), np.nan)
        columns = {"step": np.arange(len(time)), "time": time, "height": height, "bed": 0 * time,
                   "depth": height, "elevation": height - 0.4,
                   "theory": none if name in beside else part(time, x, 0.05, K * x)}
        np.savetxt(f"{folder}/probe_{name}.csv", np.array(list(columns.values())).T, "%.9g", ",",
                   header=",".join(columns), comments="")
    with open(f"{folder}/config.cfg", "w") as file:
        file.write(CONFIG % ", ".join(entries))
    with open(f"{folder}/log.txt", "w") as file:
        file.write("2026-01-01T00:00:00Z waves of 'maker': from x = 0 m to 'caisson' at x ="
                   f" {reflector:.9g} m\n")
    return sluice.Run(folder)


def spaced(first):
    return {name: first + way for name, way in zip("abc", APART)}


def note(result, words):
    return next((text for text in result.notes if words in text), "")


def test_default_window(scratch):
    near = math.ceil((3 * PERIOD + RAMP) * SPEED / 2 * 100) / 100 + 0.1
    run = made(f"{scratch}/good", spaced(near), near + 4, 40)
    result = analyse(run, None, None, None, None)
    start = (2 * (near + 4) - near) / SPEED + RAMP
    ok(abs(result.window.start - start) < 1e-6
       and abs(result.window.end - (3 * near + 8) / SPEED) < 1e-6,
       "the window is that of a steady reflection before the paddle's", result.window)
    ok(abs(result.reflection.ratio - K_R) < 2e-3, "and has its K_r", result.reflection)
    ok(not note(result, "echo"), "there are no notes of echoes", result.notes)
    gauge = report.json_of(result, [])["gauges"][0]
    ok(abs(gauge["echo"] - start + RAMP) < 1e-6
       and abs(gauge["again"] - result.window.end) < 1e-6, "the JSON has both times", gauge)
    late = analyse(run, None, start, None, None)
    again = (3 * near + 8) / SPEED
    ok(f"those waves are at 'a' from {again:.4g} s on" in note(late, "paddle reflects"),
       "a longer window has a note of the paddle's reflection", late.notes)  # fmt: skip


def test_advice(scratch):
    near = math.ceil((3 * PERIOD + RAMP) * SPEED / 2 * 100) / 100 + 0.1
    places = {"z": 1.0} | spaced(near)
    run = made(f"{scratch}/one_near", places, near + 4, 40)
    text = note(analyse(run, None, None, None, None), "reflection is steady at a,b,c")
    found = re.search(r"--probes (\S+) --from (\S+) --to (\S+) measures it", text)
    ok(found, "without the nearest gauge the reflection can be measured", text)
    if found:
        then = analyse(run, found[1], float(found[2]), float(found[3]), None)
        ok(abs(then.reflection.ratio - K_R) < 2e-3, "and so it is", then.reflection)
    echo = note(analyse(run, None, None, None, None), "the echo of 'caisson' at x =")
    found = re.search(r"at 'c' from (\S+) s: --probes (\S+) --from (\S+) --to (\S+) leaves", echo)
    ok(found and abs(float(found[1]) - (near + 8 - APART[2]) / SPEED) < 0.01,
       "a note of the first echo", echo)
    if found:
        then = analyse(run, found[2], float(found[3]), float(found[4]), None)
        ok(not note(then, "echo"), "what it proposes is accepted, and has none", then.notes)


def test_impossible(scratch):
    run = made(f"{scratch}/short", spaced(2.0), 5.0, 40)
    text = note(analyse(run, None, None, None, None), "clean periods for the reflection")
    found = re.search(r"gauges (\S+) m or farther from the paddle, and the reflector (\S+) m", text)
    ok(found and "--from" not in text, "no window holds three periods: nothing is proposed", text)
    if found:
        far, wall = float(found[1]), float(found[2])
        there = made(f"{scratch}/far", spaced(far), wall, 60)
        ok(analyse(there, None, None, None, None).window.periods >= 3 - 1e-9
           and abs(wall - far - 3) < 0.011, "such a flume leaves three", (far, wall))
        closer = made(f"{scratch}/closer", spaced(far - 0.02), wall - 0.02, 60)
        ok(note(analyse(closer, None, None, None, None), "clean periods"), "a nearer one does not")
    ends = made(f"{scratch}/ends", spaced(8.0), 11.0, 17)
    text = note(analyse(ends, None, None, None, None), "run to")
    least = 14 / SPEED + RAMP + 3 * PERIOD
    found = re.search(r"run to (\S+) s or longer", text)
    ok(found and abs(float(found[1]) - least) < 0.01, "a run that ends before", text)


def test_beside(scratch):
    places = spaced(3.0) | {"lee": 9.0, "back": -0.5, "over": 5.0}
    run = made(f"{scratch}/beside", places, 8.0, 30, ("lee", "over", "back"))
    result = analyse(run, None, None, None, None)
    text = note(result, "waves do not come to")
    ok([gauge.name for gauge in result.gauges] == ["a", "b", "c"]
       and text.startswith("waves do not come to lee,back,over on a straight path"),
       "gauges beside the waves are left out, in one line", text)  # fmt: skip
    asked = analyse(run, "a,lee", None, None, None)
    ok([gauge.name for gauge in asked.gauges] == ["a", "lee"], "--probes takes them")


def test_options(scratch):
    words = [os.environ["SLUICE"], "waves", f"{scratch}/beside"]

    def said(*options):
        run = subprocess.run([*words, *options], capture_output=True, text=True)
        return run.returncode, run.stderr.strip(), run.stdout

    for options, code, text in (
            (("--from", "12", "--to", "8"), 2, "--from 12 is after --to 8"),
            (("--probes", "a,b,a"), 2, "--probes a,b,a: 'a' is there twice: name each probe once"),
            (("--from", "abc"), 2, "--from abc: a number is needed"),
            (("--out", f"{scratch}/beside/log.txt/x"), 3,
             f"--out {scratch}/beside/log.txt/x: the folder cannot be made: Not a directory")):
        given, error, _ = said(*options)
        ok((given, error) == (code, f"sluice waves: {text}"), " ".join(options), error)
    out = ("--out", f"{scratch}/pictures")
    ok("in place of" not in said(*out)[2], "new pictures")
    ok("waves_flume.png, in place of an earlier one" in said(*out)[2], "pictures are replaced")
    ok(len(json.loads(said(*out, "--json")[2])["replaced"]) == 2, "the JSON has them")


with tempfile.TemporaryDirectory() as place:
    for test in (test_default_window, test_advice, test_impossible, test_beside, test_options):
        test(place)
finish()

#!/usr/bin/env python3
# test: 8 s
"""`sluice waves` on run folders made here: the window, what is left out or refused, the table, the
JSON and the pictures."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import matplotlib.image
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

import sluice  # noqa: E402, I100
from plot.modules import AskedError  # noqa: E402
from waves import report, theory  # noqa: E402
from waves.analysis import analyse  # noqa: E402
from waves.figures import pictures_of  # noqa: E402
from waves.maker import makers_of  # noqa: E402

CONFIG = """title = "Flume"; model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
geometry = (
  {{ name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [20.0, 0.4]; }},
  {{ name = "paddle"; shape = "box"; type = "wall"; min = [-0.2, 0.0]; max = [0.0, 0.7]; }} );
motions = ( {motion} );
probes = ( {probes} );
"""
MAKER = '{{ kind = "wave"; name = "maker"; carries = "paddle"; depth = 0.4; {} }}'
PERIOD = 1.45
OMEGA = 2 * math.pi / PERIOD
K = float(theory.wave_number(OMEGA, 0.4, 9.81))
LENGTH = 2 * math.pi / K
SPEED = float(theory.group_speed(OMEGA, 0.4, 9.81))
REGULAR = MAKER.format(f'wave = "regular"; height = 0.1; period = {PERIOD};')
IRREGULAR = MAKER.format(f'wave = "irregular"; height = 0.08; period = {PERIOD}; gamma = 3.3;'
                         " components = 100; band_low = 0.6; band_high = 2.5;")
PLACES = {"a": 2.0, "b": 2.0 + 0.1 * LENGTH, "c": 2.0 + 0.27 * LENGTH, "d": 2.0 + 0.8 * LENGTH}


def write_run(path, motion, records, extra="", config=CONFIG):
    """A run's folder. records: {name: (place, columns by name)}."""
    os.makedirs(path, exist_ok=True)
    probes = ", ".join(f'{{ kind = "height"; name = "{name}"; at = [{place!r}]; every = 0.02; }}'
                       for name, (place, _) in records.items())
    with open(os.path.join(path, "config.cfg"), "w") as file:
        file.write(config.format(motion=motion, probes=probes + extra))
    for name, (_, columns) in records.items():
        table = {"step": np.arange(len(columns["time"]))} | columns
        np.savetxt(os.path.join(path, f"probe_{name}.csv"), np.array(list(table.values())).T,
                   delimiter=",", header=",".join(table), comments="", fmt="%.9g")
    return path


def record(time, rise, **more):
    """The columns of a height probe whose reading at rest is 5 mm too high."""
    height = 0.405 + np.asarray(rise)
    return {"time": time, "height": height, "bed": 0 * time, "depth": height} | more


def regular_run(path, changed=None, end=20.0):
    """Waves of 5 cm with 10% reflected, from 6 s on; before them still water."""
    time, records = np.arange(0, end, 0.02), {}
    for name, x in PLACES.items():
        wave = 0.05 * np.cos(OMEGA * time - K * x) + 0.005 * np.cos(OMEGA * time + K * x + 1)
        records[name] = (x, record(time, np.where(time < 6, 0, wave)))
    return write_run(path, REGULAR, records | (changed(time) if changed else {}))


def refused(name, words, *arguments):
    try:
        analyse(*arguments)
        ok(False, name, "nothing was refused")
    except (AskedError, sluice.FileError) as error:
        ok(all(word in str(error) for word in words), name, error)


def test_regular(scratch):
    run = sluice.Run(regular_run(f"{scratch}/regular"))
    result = analyse(run, None, None, None, None)
    steady = 2 * PERIOD + PLACES["d"] / SPEED
    ok(abs(result.window.start - steady) < 1e-6 and "of 'd' is steady" in result.window.why,
       "the window begins when the farthest record is steady", result.window)
    made = json.loads(json.dumps(report.json_of(result, [])))
    ok(abs(made["reflection"]["ratio"] - 0.1) < 1e-4
       and abs(made["reflection"]["k"] / K - 1) < 1e-4, "K_r of four gauges", made["reflection"])
    first = made["gauges"][0]
    ok(first["name"] == "a" and abs(first["harmonics"]["amplitude"][0] - abs(
        0.05 + 0.005 * np.exp(1j * (2 * K * 2.0 + 1)))) < 1e-6, "a1 of the first gauge", first)
    ok(abs(first["crossings"]["period_mean"] - PERIOD) < 1e-3, "and its mean period")
    ok(any("no column 'elevation'" in note for note in made["notes"]), "a note of the rest reading")
    begin = 2 * 20 / SPEED
    ok(not any("echo" in note for note in made["notes"]) and begin > 20, "no echo before the end")
    text = "\n".join(report.lines_of(result))
    ok("harmonics" in text and "K_r" in text and "2a1/H" in text, "the table has all parts", text)
    shorter = analyse(run, "c,a", 10.0, 16.0, None)
    ok([gauge.name for gauge in shorter.gauges] == ["a", "c"] and shorter.window.start == 10
       and "three gauges" in shorter.refused["reflection"],
       "--probes, --from and --to choose; two gauges have no K_r", shorter.refused)
    three = "\n".join(report.lines_of(analyse(run, "a,b,c", None, None, None)))
    ok("a fourth gauge would check it" in three, "three gauges: the fit of all has no remainder")
    given = analyse(run, None, None, None, 0.0)
    ok(len(given.fits) == 2, "--loss is not fitted")


def test_notes(scratch):
    def grows(time):
        wave = 0.05 * (1 + 0.02 * time) * np.cos(OMEGA * time - K * 2)
        return {"a": (2.0, record(time, wave)), "e": (12.0, record(time, wave))}

    run = sluice.Run(regular_run(f"{scratch}/grows", grows, 40.0))
    notes = analyse(run, None, None, None, None).notes
    ok(any(re.search(r"'a' is not steady: .* \+\d\d\.\d% over", note) for note in notes),
       "a note of a record that grows", notes)
    echo = (40 - 12) / SPEED
    ok(any("echo of the water's end" in note and f"--to {echo:.4g}" in note for note in notes),
       "a note of the echo with its time", notes)


def test_refused(scratch):
    def dry(time):
        table = record(time, 0 * time)
        table["depth"] = np.where(time > 8, 0, table["depth"])
        return {"dry": (4.0, table)}

    run = sluice.Run(regular_run(f"{scratch}/dry", dry))
    result = analyse(run, None, None, None, None)
    ok(len(result.gauges) == 4 and any("'dry' is dry" in note for note in result.notes),
       "a dry gauge is left out with a note", result.notes)
    refused("a dry gauge that is asked for", ["'dry' is dry", "--probes"],
            run, "a,dry", None, None, None)
    refused("an unknown gauge", ["--probes q", "there are a, b, c, d, dry"],
            run, "a,q", None, None, None)
    refused("two periods", ["1.9 periods of 1.45 s", "3 are needed"], run, None, 10, 12.8, None)
    refused("a window beyond the records", ["--to 30", "from 0 to 19.98 s"],
            run, None, None, 30.0, None)
    short = sluice.Run(regular_run(f"{scratch}/short", end=8.0))
    refused("a run that ends too soon", ["of 'd' is steady", "time.end", "--probes"],
            short, None, None, None, None)
    time = np.arange(0, 20, 0.02)
    none = write_run(f"{scratch}/none", REGULAR, {})
    with open(f"{none}/probe_P1.csv", "w") as file:
        file.write("step,time,pressure\n0,0,1\n")
    refused("no height probe", ["no height probe, but only P1", 'kind = "height"'],
            sluice.Run(none), None, None, None, None)
    bare = sluice.Run(write_run(f"{scratch}/bare", REGULAR, {}))
    refused("no probe at all", [f"{bare.path} has no table of a probe: add a height probe"],
            bare, None, None, None, None)
    odd = REGULAR.replace('"paddle"', '"elsewhere"')
    lost = write_run(f"{scratch}/lost", odd, {"a": (2.0, record(time, 0 * time))})
    refused("a paddle of unknown shape", ["--from"], sluice.Run(lost), None, None, None, None)


def test_columns(scratch):
    """The columns elevation and theory are used where the tables have them."""
    time = np.arange(0, 20, 0.02)
    wave = 0.05 * np.cos(OMEGA * time - K * 2)
    table = record(time, 0.9 * wave + 1.0, elevation=0.9 * wave, theory=wave)
    run = sluice.Run(write_run(f"{scratch}/columns", REGULAR, {"a": (2.0, table)}))
    result = analyse(run, None, None, None, None)
    found = result.rows["a"]["theory"]
    ok(abs(found["ratio"] - 0.9) < 1e-3 and found["correlation"] > 0.9999
       and abs(found["lag"]) < 1e-3, "agreement with theory", found)
    table["theory"] = np.where(time < 15, wave, np.nan)
    gaps = sluice.Run(write_run(f"{scratch}/gaps", REGULAR, {"a": (2.0, table)}))
    ok(any("no theory in parts" in note for note in analyse(gaps, None, None, None, None).notes)
       and analyse(gaps, None, None, 14.9, None).rows["a"]["theory"], "a note of gaps in theory")
    ok(abs(result.rows["a"]["level"]) < 2e-3 and not any("elevation" in n for n in result.notes),
       "the elevation is the table's", result.rows["a"]["level"])


def test_others(scratch):
    time = np.arange(0, 160 * PERIOD, 0.04)
    random = np.random.default_rng(5)
    f = (0.6 + 1.9 * (np.arange(100) + random.random(100)) / 100) / PERIOD
    target = theory.Target(0.08, 1 / PERIOD, 3.3, 0.6 / PERIOD, 2.5 / PERIOD)
    a = np.sqrt(2 * target.at(f) * 0.019 / PERIOD)
    k = theory.wave_number(2 * math.pi * f, 0.4, 9.81)
    phase = 2 * math.pi * random.random(100)
    turn = np.exp(2j * math.pi * np.outer(time, f)) * a * np.exp(1j * phase)
    waves = {name: (turn @ np.exp(-1j * k * x)).real for name, x in PLACES.items() if name != "d"}
    records = {name: (PLACES[name], record(time, y, theory=y)) for name, y in waves.items()}
    folder = write_run(f"{scratch}/irregular", IRREGULAR, records)
    result = analyse(sluice.Run(folder), None, None, None, None)
    made = report.json_of(result, [])
    slowest = float(theory.group_speed(2 * math.pi * 2.5 / PERIOD, 0.4, 9.81))
    ok(abs(result.window.start - 2 * PERIOD - PLACES["c"] / slowest) < 1e-6,
       "of a spectrum the slowest waves must be there", result.window)
    ok(abs(made["gauges"][0]["spectrum"]["ratio"]["Hm0"] - 1) < 0.05
       and made["reflection"]["ratio"] < 0.015, "irregular waves", made["reflection"]["ratio"])
    ok("degrees of freedom" in "\n".join(report.lines_of(result)), "the table of spectra")
    solitary = MAKER.format('wave = "solitary"; height = 0.1; theory = "rayleigh";')
    speed = math.sqrt(9.81 * 0.5)
    beta = math.sqrt(0.75 * 0.1 / 0.16 / 0.5)
    time = np.arange(0, 22, 0.02)

    def passing(x, start):
        return 0.1 / np.cosh(beta * (speed * (time - start) - x)) ** 2

    start = (6 - 0.1 / 0.4) / (beta * speed)  # it leaves the paddle half a stroke ahead
    records = {name: (x, record(time, passing(x, start) + 1.3 * passing(40 - x, start)))
               for name, x in (("near", 2.0), ("far", 6.0))}
    result = analyse(sluice.Run(write_run(f"{scratch}/solitary", solitary, records)),
                     None, None, None, None)
    text = "\n".join(report.lines_of(result))
    ok(re.search(r"near to far +2\.21\d\d +1\.000\d", text), "a solitary wave's speed", text)
    ok(abs(result.rows["far"]["passage"]["crest"] - 0.1) < 1e-5
       and abs(result.window.end - start - 20 / speed) < 1e-9, "its echo is left out")
    result = analyse(sluice.Run(write_run(f"{scratch}/no_maker", "", records)),
                     None, None, None, None)
    ok(any("no wave maker" in note for note in result.notes), "a run without a wave maker")


def made_by(scratch, name, motion, **more):
    """The Result of two gauges with waves of PERIOD, with the motion given."""
    time = np.arange(0, 40, 0.02)
    records = {gauge: (PLACES[gauge], record(time, 0.04 * np.cos(OMEGA * time - K * PLACES[gauge])))
               for gauge in ("a", "c")}  # fmt: skip
    folder = write_run(f"{scratch}/{name}", motion, records, **more)
    return analyse(sluice.Run(folder), None, None, None, None)


def test_files(scratch):
    """Waves in a file: the paddle's face counts, and nothing is compared with a target."""
    spectrum = 'wave = "irregular"; spectrum = "file"; file = "s.csv"; components = 100;'
    for name, keys, head in (
            ("elevation", 'wave = "elevation"; file = "e.csv"; start = 9.0; stop = 30.0;',
             "waves by a record of the surface of 'maker': depth 0.4 m"),
            ("paddle", 'wave = "paddle"; file = "p.csv";',
             "waves by a record of the paddle of 'maker': depth 0.4 m"),
            ("file", spectrum, "irregular waves of 'maker': depth 0.4 m"),
            ("length", spectrum + f" length = {LENGTH!r}; height = 0.08;",
             "irregular waves of 'maker': Hs 0.08 m, period 1.45 s, length"),
            ("length 0", spectrum + " length = 0.0; period = 0.0;",
             "irregular waves of 'maker': depth 0.4 m")):  # fmt: skip
        result = made_by(scratch, name, MAKER.format(keys))
        text, made = "\n".join(report.lines_of(result)), report.json_of(result, [])
        ok(text.startswith(head), f"{name}: the head", text)
        ok(any("'maker' are those of a file" in note for note in result.notes), f"{name}: a note")
        ok(result.window.start == 0 and abs(result.window.end - 39.98) < 1e-9,
           f"{name}: all of the records", result.window)  # fmt: skip
        first = made["gauges"][0]
        ok(abs(first["spectrum"]["Hm0"] / (4 * 0.04 / math.sqrt(2)) - 1) < 0.02
           and "target" not in first["spectrum"] and "Hm0/Hs" not in text,
           f"{name}: a spectrum without a target", first["spectrum"])
        ok([name for name, _ in pictures_of(result)] == ["waves_gauges", "waves_spectrum"],
           f"{name}: its pictures")  # fmt: skip
        plt.close("all")
    focused = 'wave = "focused"; spectrum = "file"; file = "s.csv"; height = 0.05;'
    result = made_by(scratch, "focused", MAKER.format(focused))
    ok("focused waves of 'maker': crest 0.05 m, depth" in "\n".join(report.lines_of(result)),
       "a focused group without a period")  # fmt: skip


def test_faces(scratch):
    """The paddle is the shape that names the motion, or that the motion carries."""
    named = REGULAR.replace(' carries = "paddle";', "")
    wall = ('{{ name = "paddle"; shape = "box"; type = "wall";',
            '{{ motion = "maker"; shape = "box"; type = "wall";')
    nameless = ('{{ name = "water"; shape', "{{ shape")
    for name, motion in (("left out", named), ("empty", REGULAR.replace('"paddle"', '""'))):
        config = CONFIG.replace(*wall).replace(*nameless).replace("[0.0, 0.7]", "[0.5, 0.7]")
        result = made_by(scratch, f"carries {name}", motion, config=config)
        ok(result.maker.face == 0.5 and abs(result.gauges[0].distance - 1.5) < 1e-12,
           f"carries is {name}: the shape names the motion", result.maker)  # fmt: skip
    lost = sluice.Run(write_run(f"{scratch}/nothing", named, {}))
    ok(makers_of(lost.config)[0].face is None, "a motion that moves nothing has no face")
    solitary = MAKER.format('wave = "solitary"; height = 0.1;').replace(' carries = "paddle";', "")
    notes = made_by(scratch, "origin", solitary).notes
    ok(any("distances are from the origin" in note for note in notes), "a note says so", notes)


def test_profiles(scratch):
    """A profile stands at a horizontal place and has a height, but is no gauge."""
    time = np.arange(0, 20, 0.02)
    profile = ', { kind = "profile"; name = "p"; at = [3.0]; points = 2; every = 0.02; }'
    records = {"a": (2.0, record(time, 0.05 * np.cos(OMEGA * time - K * 2)))}
    folder = write_run(f"{scratch}/profile", REGULAR, records, profile)
    shutil.copy(f"{folder}/probe_a.csv", f"{folder}/probe_p.csv")
    run = sluice.Run(folder)
    ok("p" in run.probe_names, "a profile has a table")
    ok([gauge.name for gauge in analyse(run, None, None, None, None).gauges] == ["a"],
       "a profile is no gauge")  # fmt: skip
    refused("a profile that is asked for", ["--probes p", "no height probe"],
            run, "p", None, None, None)


def test_program(scratch):
    """The verb: pictures in --out, one JSON object, exit codes."""
    out = f"{scratch}/pictures"
    words = [os.environ["SLUICE"], "waves"]
    made = subprocess.run([*words, f"{scratch}/regular", "--out", out, "--json"],
                          capture_output=True, text=True)  # fmt: skip
    ok(made.returncode == 0 and made.stderr == "", "sluice waves --json", made.stderr)
    files = json.loads(made.stdout)["files"]
    names = sorted(map(os.path.basename, files))
    ok(names == ["waves_flume.png", "waves_gauges.png"], "its pictures", files)
    for file in files:
        picture = matplotlib.image.imread(file)
        ok(picture.shape[1] > 800 and picture[..., :3].std() > 0.02, f"{file} shows something")
    sea = subprocess.run([*words, f"{scratch}/irregular", "--out", out, "--quiet"],
                         capture_output=True, text=True)  # fmt: skip
    ok(sea.returncode == 0 and sea.stdout == "" and os.path.exists(f"{out}/waves_spectrum.png"),
       "--quiet says nothing; a spectrum is drawn", sea.stderr)  # fmt: skip
    wrong = subprocess.run([*words, f"{scratch}/regular", "--probes", "q", "--no-plot"],
                           capture_output=True, text=True)  # fmt: skip
    ok(wrong.returncode == 2 and "sluice waves: --probes q" in wrong.stderr, "exit code 2",
       wrong.stderr)  # fmt: skip
    missing = subprocess.run([*words, f"{scratch}/nowhere"], capture_output=True, text=True)
    ok(missing.returncode == 3, "exit code 3 without the folder", missing.stderr)


with tempfile.TemporaryDirectory() as place:
    for test in (test_regular, test_notes, test_refused, test_columns, test_others, test_files,
                 test_faces, test_profiles, test_program):
        test(place)
finish()

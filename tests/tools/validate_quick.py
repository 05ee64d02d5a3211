#!/usr/bin/env python3
# test: 88 s, slow
"""sluice validate: the quick subset meets its gates, a missed gate ends with 1, and the page keeps
what was not run again."""

import os
import shutil
import subprocess
import sys

from case_run import SLUICE, finish, np, ok, scratch

from plot.reference import DATA  # noqa: E402, I100
from sluice import read_table  # noqa: E402
from sluice.finished import named_files  # noqa: E402
from validate import convergence, driven, moving_square  # noqa: E402, I100
from validate import page, potential, suite, tank_flow  # noqa: E402, I100
from validate.trial import Trial, case  # noqa: E402

ONE_CASE = "nist-configurations"


def validate(*words):
    """(exit code, all output), in the scratch folder."""
    done = subprocess.run(
        [SLUICE, "validate", *words],
        cwd=scratch,
        env={**os.environ, "PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_command_line():
    code, said = validate("--list")
    missing = [name for name in suite.CASES if f"\n{name} " not in f"\n{said}"]
    ok(code == 0 and not missing, f"--list has every case {' '.join(missing)}", said)
    command = [SLUICE, "validate", "--list"]
    env = {**os.environ, "PYTHON": sys.executable}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as child:
        child.stdout.close()
        said = child.stderr.read().decode()
    ok(child.returncode == 3 and not said, "--list that nobody reads: 3, and no word", said)
    help_text = subprocess.run([SLUICE, "validate", "--help"], capture_output=True,
                               text=True).stdout
    listed = [line for line in help_text.splitlines() if line.strip().startswith("--list ")]
    ok("cases" in listed[0], "its help says that --list lists cases", listed)
    code, said = validate("no-such-case")
    ok(code == 2 and "martin-moyce" in said, "an unknown case: 2, and those there are", said)
    code, said = validate(ONE_CASE, "--resolution", "fine")
    ok(code == 2 and "--resolution fine" in said, "a resolution that is no number", said)
    code, said = validate("jonswap", "--out", "gpu_alone")
    ok(code == 3 and "--backend cuda" in said, "a case for a GPU alone says so on a CPU", said)


def test_quick():
    code, said = validate("--quick", "--threads", "1", "--out", "quick")
    ok(code == 0, "the quick subset meets all its gates", said)
    quick = [c.name for c in suite.CASES.values() if c.quick]
    ok(all(f"\n{name}: " in f"\n{said}" for name in quick), f"it is {', '.join(quick)}", said)
    code, said = validate(ONE_CASE, "--out", "quick")
    ok(code == 0 and "$ sluice run" not in said, "a finished run is used again", said)


def test_at_once():
    """Cases that run at once print in order, and each writes its section."""
    path = os.path.join(scratch, "at-once.md")
    with open(path, "w") as file:
        file.write("# Page\n\n<!-- summary -->\n<!-- end -->\n")
    names = ["invariance", ONE_CASE, "lammps"]  # the first of them takes longest
    code, said = validate(*names, "--out", "quick", "--", "--jobs", "2", "--write", path)
    heads = [said.find(f"{name}: {suite.CASES[name].title}\n") for name in names]
    ok(code == 0 and -1 < heads[0] < heads[1] < heads[2], "cases at once print in order", said)
    ok("\n3 cases, " in said, "and are counted together", said)
    with open(path) as file:
        text = file.read()
    ok(all(f"## {suite.CASES[name].title}\n" in text for name in names), "each has a section", text)
    broken = os.path.join(scratch, "broken")
    with open(broken, "w") as file:
        file.write("#!/bin/sh\n[ $1 = --version ] && exec '%s' --version\necho boom >&2\nexit 4\n"
                   % SLUICE)
    os.chmod(broken, 0o755)
    code, said = validate(*names, "--out", "broken-out", "--", "--jobs", "2", "--sluice", broken)
    ok(code == 3 and "exit 4: boom" in said and "Traceback" not in said,
       "a run that fails ends all with 3, and its message", said)
    code, said = validate(ONE_CASE, "--", "--jobs", "0")
    ok(code == 2 and "--jobs 0" in said, "no cases at once", said)


def test_named_files():
    """A run is not used again if a table changed, here one that an included file names."""
    part, table = os.path.join(scratch, "part.cfg"), os.path.join(scratch, "path.csv")
    text = '@include "part.cfg"\ntitle = "no file of this name";\n'
    with open(part, "w") as file:
        file.write('motions = ( { name = "sway"; file = "path.csv"; } );\n')
    found = []
    for row in ("0,0", "0,0", "0,1"):
        with open(table, "w") as file:
            file.write(f"t,x\n{row}\n")
        found.append(named_files(text, scratch))
    ok(sorted(found[0]) == ["part.cfg", "path.csv"], "files that a config names", found[0])
    ok(found[0] == found[1] != found[2], "and their contents", found)


def test_missed_gate():
    """A drop of four particles in the radius, which no one would call resolved."""
    code, said = validate("elliptical-drop", "--resolution", "4", "--out", "coarse")
    ok(code == 1, f"a missed gate: exit status {code}", said)
    ok("\n  MISS " in said and " missed: elliptical-drop" in said, "it is named", said)


def test_potential():
    """Waves of a hundredth of the sway's are those of linear theory, within twice what their height
    and 64 points leave, 0.008."""
    omega, share = 2 * np.pi / driven.PERIOD, 0.01
    t, h = potential.sway_elevation(
        lambda t: -share * driven.SWAY * omega**2 * np.cos(omega * t),
        5.0, driven.PROBE, driven.TANK, driven.LEVEL, count=64, dt=0.01,
    )
    linear = share * driven.linear_elevation(t)
    off = np.max(np.abs(h - linear)) / np.max(np.abs(linear))
    ok(off < 0.02, f"low waves by potential theory, nonlinear and linear: {off:.4f} apart")


def test_high_waves():
    """Waves of the whole sway keep their energy once the tank stands: they lose 0.0015 to the
    smoothing; without any one of the nonlinear terms it changes by 0.03 or more."""
    omega, dt, ends = 2 * np.pi / driven.PERIOD, 0.005, 2 * driven.PERIOD
    water = potential.Surface(driven.TANK, driven.LEVEL, 128)
    energies = []
    for i in range(1000):
        pushes = [-driven.SWAY * omega**2 * np.cos(omega * t) if t < ends else 0.0
                  for t in ((i + part) * dt for part in (1e-9, 0.5, 1 - 1e-9))]
        water.step(dt, *pushes)
        if (i + 1) * dt > ends:
            energies.append(water.energy())
    lost = 1 - np.min(energies) / energies[0], 1 - np.max(energies) / energies[0]
    ok(max(np.abs(lost)) < 0.004, f"high waves keep their energy, to {max(np.abs(lost)):.4f} of it")


def standing_wave(count, steepness, periods=10.3):
    """(rate over that of a low wave, energy lost) of a standing wave on deep water; steepness: its
    height times its wave number."""
    water, dt = potential.Surface(1.0, 2.0, count), 0.32 / count
    k = water.k[1]
    water.y = steepness / k * np.cos(k * water.xi)
    water.y -= np.mean(water.y * water.places(water.y)[1])
    low, first, high = np.sqrt(potential.GRAVITY * k), water.energy(), []
    for _ in range(int(periods * 2 * np.pi / low / dt)):
        high.append(np.fft.rfft(water.y)[1].real)
        water.step(dt, 0.0, 0.0, 0.0)
    high = np.array(high)
    up = np.nonzero((high[:-1] < 0) & (high[1:] >= 0))[0]
    t = dt * (up + high[up] / (high[up] - high[up + 1]))
    return 2 * np.pi * (len(t) - 1) / (t[-1] - t[0]) / low, 1 - water.energy() / first


def test_standing_wave():
    """A standing wave of steepness s is slower than a low one by s^2/8 (Rayleigh 1915; Penney &
    Price 1952); the next term, and the start without third harmonics, make 2% of it at s = 0.1.
    Its energy converges to a constant: each doubling of the points divides the loss by more than
    10 (24 and 31)."""
    found = {count: standing_wave(count, 0.1) for count in (16, 32, 64)}
    shift = (1 - found[64][0]) / (0.1**2 / 8)
    ok(abs(shift - 1) < 0.04, f"a standing wave is slower, by {shift:.4f} of theory's s^2/8")
    lost = [found[count][1] for count in (16, 32, 64)]
    ok(lost[0] > 10 * lost[1] > 100 * lost[2] > 0 and lost[2] < 1e-4,
       "its energy converges: lost " + ", ".join(f"{x:.1e}" for x in lost))


def test_added_mass():
    """A square that begins to move has the added mass of potential theory, 4.754 (L/2)^2 rho in
    water without end (Newman 1977, Marine Hydrodynamics, table 4.3): 0.5% more on this grid, in a
    tank 60 L wide and high."""
    water = tank_flow.Flow((60.0, 60.0), lambda t: 30 + t * t / 2, lambda t: t, 1e-9,
                           1 / 50, 25, 50)
    water.step(1e-4)
    off = water.pressure_drag() / 2 / (4.754 / 4) - 1
    ok(0 < off < 0.01, f"finite differences: the added mass of a square, {off:.4f} too large")


def test_square_in_tank():
    """With 24 cells a side, where 3 to 4% are missed: the drag that the page's file has."""
    file = read_table(f"{DATA}/moving_square_incompressible.csv")
    t, pressure, friction = tank_flow.drag(moving_square.flow(1 / 24, 12, 24), 0.004, 1.5)
    want = np.interp(t, file["t"], file["pressure"] + file["viscosity"])
    off = np.max(np.abs(pressure + friction - want)[t > 0.4] / want[t > 0.4])
    ok(off < 0.05, f"finite differences: the drag of the square in the tank, {off:.4f} off")


def converging(power=1.0, off=0.0):
    """The checks of numbers 2 + h^power at four spacings. off: added to the finest front."""
    names = ("front at t = 1", convergence.ARRIVAL, "impulse on P1")
    found = {n: {name: 2 + n**-power for name in names} for n in (10, 20, 40, 80)}
    found[80]["front at t = 1"] += off
    trial = Trial("convergence", None, tuple(found))
    convergence.judge(trial, found, {name: 0.001 for name in names})
    return trial


def test_convergence():
    """Numbers of a known order, and what the gates refuse. An order at the end of the search, or
    beyond it, is not said to be one."""
    trial = converging()
    orders = [check.value for check in trial.checks if "order" in check.what]
    ok(len(orders) == 9 and max(abs(o - 1) for o in orders) < 0.01, "of order 1", str(orders))
    ok(trial.gates == 3 and trial.missed == 0, "they meet the gates")
    for power, off, missed in ((1.0, 0.05, ["front"]), (0.3, 0.0, ["front", "arrival", "arrival"])):
        words = [c.what.split()[0] for c in converging(power, off).checks if not c.passed]
        ok(words == missed, f"order {power}, a front {off} off: gates are missed", str(words))
    steep = converging(6.0)
    fitted = [check for check in steep.checks if "fitted" in check.what]
    ok([check.row()[1] for check in fitted] == ["none"] * 3
       and all("no order" in check.note for check in fitted), "order 6, fitted: none to 4")
    ok([c.what for c in steep.checks if not c.passed] == [f"{convergence.ARRIVAL}: order fitted to "
       "all spacings"], "and its gate is missed")


class Done:
    """A runner of nothing."""

    out = scratch


def trial_of(name, value, resolutions=(1,), backend="cpu"):
    trial = Trial(name, Done(), resolutions)
    trial.stamps = [{"version": "sluice 1", "backend": backend, "seconds": 1.0}]
    trial.check("thing", value, 1.0)
    trial.check("other thing", 10 * value, None, note="theirs")
    return trial


@case("first", "The first", (1,))
def first(trial):
    """Text of the first."""


@case("second", "The second", (2, 3), on_gpu=(1,))
def second(trial):
    """Text of the second."""


def test_page():
    path = os.path.join(scratch, "page.md")
    with open(path, "w") as file:
        file.write("# Page\n\n<!-- summary -->\n<!-- end -->\n")
    cases = {"first": first, "second": second}
    page.write(path, {"second": trial_of("second", 0.75, backend="cuda")}, cases, {"third": "time"})
    page.write(path, {"second": trial_of("second", 0.5, (2, 3))}, cases, {"third": "time"})
    page.write(path, {"first": trial_of("first", 2.0)}, cases, {"third": "time"})
    page.write(path, {"first": trial_of("first", 3.0)}, cases, {"third": "time"})
    with open(path) as file:
        text = file.read()
    ok(
        text.count("| thing | 3 | <= 1 | MISS |  |") == 1 and "| thing | 2 |" not in text,
        "a section is replaced",
        text,
    )
    ok("| thing | 0.5 | <= 1 | pass |  |" in text, "a case not run keeps its section", text)
    ok("not at all of" not in text, "all that a section wants was run", text)
    ok(
        "| thing | 0.75 | <= 1 | pass |  |" in text
        and text.index("## The second\n") < text.index("## The second, on a GPU\n"),
        "a case's GPU section stands beside its CPU section",
        text,
    )
    ok(text.index("## The first") < text.index("## The second"), "in the order of the suite", text)
    ok(
        "| [The first](#the-first) | MISSED | 1 of 1 gates missed | sluice 1, cpu |" in text
        and "| [The second](#the-second) | pass | 1 gates met | sluice 1, cpu |" in text
        and "| [The second, on a GPU](#the-second-on-a-gpu) | pass | 1 gates met | sluice 1, cuda |"
        in text
        and "| third | not possible yet | needs time | |" in text,
        "the summary has every verdict",
        text,
    )
    wrapped = text.replace(" Measured with ", "\nMeasured with ", 1)
    ok(page.summary(wrapped, cases, {}) == page.summary(text, cases, {}),
       "a verdict that is wrapped counts, too")
    try:
        page.summary(text.replace("**MISSED**", "missed"), cases, {})
        ok(False, "a section without a verdict is an error")
    except ValueError as error:
        ok("first" in str(error), "a section without a verdict is an error", str(error))
    with open(os.path.join(scratch, page.COMPARISONS)) as file:
        notes = file.read()
    ok(
        "other thing" not in text and "| other thing | 30 | theirs |" in notes
        and "| other thing | 20 |" not in notes and "| other thing | 5 | theirs |" in notes,
        "numbers without a gate are on the second page",
        notes,
    )
    link = "[1 more for comparison](notes/validation-comparisons.md#the-second-on-a-gpu)."
    ok(link in text and "\n## The second, on a GPU\n" in notes,
       "the sections link to the second page", text)


test_command_line()
test_quick()
test_at_once()
test_named_files()
test_missed_gate()
test_potential()
test_high_waves()
test_standing_wave()
test_added_mass()
test_square_in_tank()
test_convergence()
test_page()
shutil.rmtree(os.path.join(scratch, "quick"), ignore_errors=True)
finish()

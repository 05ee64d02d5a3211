#!/usr/bin/env python3
# test: 3 s
"""The progress line: on a terminal only, one line that is rewritten and taken away at the end."""
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
from pathlib import Path

from tap import finish, ok

PROGRAM = os.path.abspath(os.environ.get("SLUICE", "build/sluice"))
CASE = """
title = "progress"; model = "wcsph"; dimension = 2; spacing = 0.01; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [0.4, 0.3]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.1, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-"]; } );
time = { end = 1000.0; }; output = { every = 0.0; }; backend = { threads = 1; };
"""

# One of two drops flies out of the domain in the first steps.
DROPS = """
model = "wcsph"; dimension = 2; spacing = 0.05; fluid = { sound_speed = 30.0; };
domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };
geometry = ( { name = "one"; shape = "box"; type = "fluid"; min = [1.95, 0.0]; max = [2.0, 0.05]; },
             { shape = "box"; type = "fluid"; min = [0.5, 0.5]; max = [0.55, 0.55]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [30.0, 0.0]; on = "one"; } );
time = { end = 1000.0; }; output = { every = 0.0; }; backend = { threads = 1; };
"""


def run_on_terminal(arguments, enough, out=subprocess.PIPE, **environment):
    """The output on a terminal 120 columns wide, until `enough` accepts it and the program is asked
    to stop; the program's standard output (None: on the terminal, too), and its exit status."""
    import fcntl
    import struct
    import termios
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    child = subprocess.Popen([PROGRAM, *arguments], stderr=theirs, stdout=out or theirs,
                             env=environment)
    os.close(theirs)
    seen, asked = b"", False
    while select.select([ours], [], [], 60.0)[0]:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if not asked and enough(seen):
            asked = True
            child.terminate()
    os.close(ours)
    out = child.communicate(timeout=60)[0]
    return seen.decode(), out and out.decode(), child.returncode


def test_line(folder):
    seen, out, status = run_on_terminal(["run", "case.cfg", "--out", folder],
                                        lambda text: text.count(b"M/s: ") >= 3)
    ok(status == 75, "stopped with a checkpoint", status)
    line = (r"\r *\d+\.\d%  step \d+  t \S+ s  dt \S+ s  left \S+( s)?"
            r"  M/s: fluid [^ ,]+, all [^ ,]+, pairs ~[^\r]*\x1b\[K")
    ok(len(re.findall(line, seen)) >= 3,
       "the line says percent, step, time, dt, left, and rates of fluid, all, and pairs",
       repr(seen))
    drawn = [found for found in re.finditer(r"\r([^\r\x1b\n]+)\x1b\[K", seen)]
    ok(seen.rfind("\r\x1b[K") > drawn[-1].start(), "it is taken away before the end", repr(seen))
    drawn = [found[1] for found in drawn if " step " in found[1]]
    ok(all(len(text) < 120 for text in drawn), "it fits the terminal", repr(drawn))
    whole = r".*pairs ~[\d.e+]+(  residual -?\d\.\de[+-]\d\d)?"
    ok(all(re.fullmatch(whole, text) for text in drawn), "and cuts no number in two", repr(drawn))
    ok("stopped at" in out and "\r" not in out, "standard output has no progress", repr(out))
    log = Path(folder, "log.txt").read_text()
    ok("\r" not in log and "\x1b" not in log, "nor has the log", repr(log))
    ok("checkpoint at step" in seen, "log lines come between", repr(seen))


def test_without(folder, option):
    seen, _, status = run_on_terminal(
        ["run", "case.cfg", "--out", folder, option, "--set", "time.max_steps=20"], lambda _: False)
    ok(status == 0 and seen == "", f"{option}: nothing on the terminal", repr(seen))


def test_fitted():
    """Fitting walls may take long: a line says so and then disappears."""
    fitted = CASE.replace('{ shape = "walls"', """{ shape = "disc"; type = "wall"; fit = "surface";
               centre = [0.05, 0.1]; radius = 0.03; }, { shape = "walls\"""")
    Path("fitted.cfg").write_text(fitted)
    line = re.compile(r"\r(fitted walls|geometry): [^\r]*\d s\x1b\[K")
    run = ["run", "fitted.cfg", "--force", "--set", "time.max_steps=5", "--out", "fitted"]
    for words in ["check", "fitted.cfg"], run:
        seen, out, status = run_on_terminal(words, lambda _: False)
        ok(status == 0 and line.search(seen), f"{words[0]}: the line is there", repr(seen))
        drawn = [found.end() for found in line.finditer(seen)]
        ok(drawn and "\r\x1b[K" in seen[drawn[-1]:], "and is taken away", repr(seen))
        ok("\r" not in out, "standard output has none", repr(out))
        seen, _, _ = run_on_terminal([*words, "--quiet"], lambda _: False)
        ok(not line.search(seen), "nor has the terminal with --quiet", repr(seen))
    ok("finding" not in Path("fitted", "log.txt").read_text(), "nor has the log")


def test_colour():
    """Warnings yellow, errors and a failed verdict red, a good verdict green, but yellow where
    water left the domain."""
    def say(words, out=None, **environment):
        return run_on_terminal([*words, "--set", "time.max_steps=5"], lambda _: False, out,
                               **environment)[0]

    run = ["run", "case.cfg", "--force", "--out", "colour"]
    warned = [*run, "--set", "time.step=1e-4"]
    ok("\x1b[32mconserved\x1b[0m" in say(run), "conserved is green")
    failed = say([*run, "--set", "energy.tolerance=1e-15"])
    ok("\x1b[31mNOT conserved\x1b[0m" in failed, "not conserved is red", repr(failed))
    Path("drop.cfg").write_text(DROPS)
    left = say(["run", "drop.cfg", "--out", "drop"])
    ok("\x1b[33mconserved\x1b[0m" in left, "conserved is yellow where water left", repr(left))
    ok("\x1b[33mwarning:\x1b[0m" in say(warned), "a warning is yellow", repr(say(warned)))
    ok("sluice: \x1b[31merror:\x1b[0m" in say(["run", "none.cfg"]), "an error is red")
    plain = [say(warned, NO_COLOR="1"), say(warned, TERM="dumb"), say(warned, TERM="")]
    ok(not any("\x1b[3" in said for said in plain), "none with NO_COLOR, a dumb terminal, or none",
       repr(plain))
    _, out, _ = run_on_terminal([*run, "--set", "time.max_steps=5"], lambda _: False)
    log = Path("colour", "log.txt").read_text()
    ok("conserved" in out + log and "\x1b" not in out + log, "none in a pipe or the log", repr(out))


scratch = tempfile.mkdtemp()
try:
    os.chdir(scratch)
    Path("case.cfg").write_text(CASE)
    test_line("line")
    test_without("quiet", "--quiet")
    test_without("json", "--json")
    test_fitted()
    test_colour()
finally:
    os.chdir("/")
    shutil.rmtree(scratch)
finish()

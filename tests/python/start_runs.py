#!/usr/bin/env python3
# test: 14 s
"""The package sluice starts runs: keys, folders, progress, finished runs used again, exit codes as
exceptions, interrupts; and is found where it is installed."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import sys
import time
import types
import warnings
from concurrent.futures import ThreadPoolExecutor

from case_run import ROOT, SLUICE, finish, ok, scratch

import sluice  # noqa: E402, I100
from sluice import program  # noqa: E402
from sluice.config import text_of  # noqa: E402

DAM = os.path.join(ROOT, "configs", "dam_break.cfg")
COARSE = {"spacing": 0.005715, "time.end": 0.05, "output.every": 0.025, "backend.threads": 1}
os.environ["SLUICE"] = SLUICE
os.chdir(scratch)


def raised(kind, words, call, code):
    """The call raises that error with these words and this exit code; returns it."""
    try:
        call()
        ok(False, f"{kind.__name__}: {words}", "no error")
    except sluice.ProgramError as error:
        ok(type(error) is kind and words in str(error) and error.code == code,
           f"{kind.__name__}: {words}", f"{type(error).__name__} {error.code}: {error}")
        return error


def last_time(run):
    return run.energy()["time"][-1]


def test_run():
    seen = []
    run = sluice.run(DAM, set=COARSE, fluid__viscosity__alpha=0.05, precision="double",
                     progress=lambda done, text: seen.append((done, text)))
    ok(run.path == os.path.join("out", "dam_break") and run.times[-1] > 0.049, f"{run}")
    ok(run.config["fluid.viscosity.alpha"] == 0.05 and run.config["spacing"] == 0.005715
       and run.config["backend.precision"] == "double", "keys and options are the run's")
    parts = [done for done, _ in seen]
    ok(parts and parts == sorted(parts) and 0 <= parts[0] <= parts[-1] <= 1
       and all("step " in text for _, text in seen), f"progress: {parts}", seen)
    ok(run.ended == "done", "it has ended")
    longer = sluice.restart(run, time__end=0.06)
    ok(last_time(longer) > 0.059, f"a restart: {longer}")
    raised(sluice.ConfigError, "out/dam_break is not empty", lambda: sluice.run(DAM, set=COARSE), 2)
    again = sluice.run(DAM, set=COARSE, force=True)
    ok(last_time(again) < 0.055, "force removes the earlier run")


def begin_and_kill(keys, earlier):
    """Begins the same run in the folder of an earlier one, by the program, and kills it."""
    before = earlier.log
    words = [f"--set={key}={text_of(value)}" for key, value in keys.items()]
    command = [SLUICE, "run", DAM, "--out", earlier.path, "--force", "--quiet", *words]
    with subprocess.Popen(command) as child:
        while child.poll() is None:
            with contextlib.suppress(sluice.FileError):  # the program replaces the files
                if earlier.has("energy.csv") and earlier.log != before:
                    child.kill()
            time.sleep(0.002)


def test_reuse():
    def made(**more):
        run = sluice.run(DAM, out="kept", set={**COARSE, **more}, reuse=True)
        return os.stat(run.file("energy.csv")).st_ino, run

    first, _ = made()
    ok(made()[0] == first, "a finished run is used again")
    found = glob.glob("kept*")
    ok(found == ["kept"], "and nothing lies beside it that kept* would find", found)
    second, run = made(gravity=[0.0, -9.8])
    ok(second != first and run.config["gravity"] == [0.0, -9.8], "not with another key")
    subprocess.run([SLUICE, "restart", "kept", "--quiet", "--set", "time.end=0.06"], check=True)
    third, run = made(gravity=[0.0, -9.8])
    ok(last_time(run) < 0.055, "nor if somebody has restarted it meanwhile", run)
    begin_and_kill({**COARSE, "gravity": [0.0, -9.8]}, run)
    _, run = made(gravity=[0.0, -9.8])
    ok(run.ended == "done" and last_time(run) > 0.049, "nor if the same was begun anew and killed",
       run.log)
    energy = run.energy()
    try:
        made(energy={"tolerance": 1e-12})
        ok(False, "an open budget is no result to keep")
    except sluice.NotConserved:
        kept = os.path.exists(os.path.join("kept", "reuse.json"))
        ok(not kept, "an open budget is no result to keep")
    ok(energy.rows > 0, "tables that were read stay")


def test_errors():
    raised(sluice.ConfigError, "fluid.alhpa: unknown key",
           lambda: sluice.run(DAM, out="none", set={"fluid.alhpa": 1.0}), 2)
    meant = "unknown key: did you mean the argument 'progress' of sluice.run?"
    for call, words in ((sluice.run, meant), (sluice.check, "did you mean 'probes'?")):
        raised(sluice.ConfigError, words, lambda call=call: call(DAM, progess=True), 2)
    error = raised(sluice.ConfigError, "spacng: unknown key: did you mean 'spacing'?",
                   lambda: sluice.run(DAM, out="none", spacng=1.0), 2)
    ok("argument" not in str(error), "a key that is like no argument", error)
    ok(not os.path.exists("none"), "a wrong config leaves no folder")
    os.makedirs("mine")
    with open(os.path.join("mine", "thesis.tex"), "w"):
        error = raised(sluice.ConfigError, "mine is not empty",
                       lambda: sluice.run(DAM, out="mine"), 2)
        ok(error and error.run is None, "a folder of something else is no run")
    raised(sluice.FileError, "cannot read the config 'nowhere.cfg'",
           lambda: sluice.run("nowhere.cfg"), 3)
    raised(sluice.FileError, "nowhere", lambda: sluice.restart("nowhere"), 3)
    raised(sluice.ConfigError, "is for AMD GPUs, and this program was built without it",
           lambda: sluice.run(DAM, out="gpu", set=COARSE, backend="hip"), 2)
    with open("little-memory", "w") as file:
        file.write(f"#!/bin/sh\nulimit -v 200000\nexec '{SLUICE}' \"$@\"\n")
    os.chmod("little-memory", 0o755)
    os.environ["SLUICE"] = "./little-memory"
    raised(sluice.DeviceError, "memory",
           lambda: sluice.run(DAM, out="large", spacing=5e-5, backend="cpu"), 4)
    os.environ["SLUICE"] = SLUICE
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        error = raised(sluice.BlowUp, "the simulation blew up at step",
                       lambda: sluice.run(DAM, out="blown", spacing=0.005, time__step=0.003), 5)
    ok(error and error.run.path == "blown" and len(error.run) == 1 and "run" in error.command
       and error.run.ended == "failed",
       "the run as far as it came, and the command")
    ok(any("a fixed step may be unstable" in str(w.message) for w in told)
       and all(w.filename == __file__ and w.category is sluice.SluiceWarning for w in told),
       "its warnings are Python's, of the caller's line", [str(w) for w in told])
    tight = {**COARSE, "energy.tolerance": 1e-12}
    error = raised(sluice.NotConserved, "NOT conserved", lambda: sluice.run(DAM, out="open",
                                                                           set=tight), 1)
    ok(error.run.verdict.conserved is False, "the run is there, with its verdict")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run = sluice.run(DAM, out="open", set=tight, force=True, strict=False)
    ok(run.verdict.conserved is False and "NOT conserved" in str(told[-1].message),
       "not strict: a warning")


def test_check():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = sluice.check(DAM, spacing=0.005, write="start.hdf")
    ok(found["fluid_particles"] == len(sluice.Snapshot("start.hdf").fluid) > 0
       and any("3.2% off" in str(w.message) for w in told), "a check counts, warns and writes")
    raised(sluice.ConfigError, "out of range", lambda: sluice.check(DAM, spacing=-1.0), 2)


def test_stop():
    """An interrupt of a terminal or a notebook reaches both; the program writes a checkpoint."""
    script = f"""
import signal, sys; sys.path.insert(0, {os.path.join(ROOT, "python")!r})
import sluice
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
try:
    sluice.run({DAM!r}, out="stopped", spacing=0.0028575, threads=1,
               progress=lambda done, text: print("on", flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                             start_new_session=True)
    ok(child.stdout.readline() == "on\n", "it runs")
    os.killpg(child.pid, signal.SIGINT)
    said = child.communicate(timeout=60)[0]
    stopped = sluice.Run("stopped")
    kept = [name for name in os.listdir("stopped") if name.startswith("checkpoint_")]
    ok(said.endswith("interrupted\n") and len(kept) == 1 and stopped.ended == "stopped",
       "a checkpoint, then KeyboardInterrupt", said)
    run = sluice.restart(stopped, time__end=float(stopped.energy()["time"][-1]) + 0.01)
    ok(run.verdict.conserved, "the run goes on")

    class EnoughError(Exception):
        pass

    def enough(done, text):
        raise EnoughError(text)

    try:
        sluice.run(DAM, out="enough", spacing=0.0028575, progress=enough)
        ok(False, "an error of the function stops the run")
    except EnoughError:
        ok(any(name.startswith("checkpoint_") for name in os.listdir("enough")),
           "an error of the function stops the run", os.listdir("enough"))
    error = program._error(75, ["sluice: error: stopped"], ["sluice", "run"], None)
    ok(type(error) is sluice.Stopped and program._error(-9, [], ["sluice", "run"], None).args
       == ("sluice run was ended by signal 9",), "a program that is stopped or killed")


def test_displays():
    shown = []

    class ZMQInteractiveShell:
        pass

    handle = types.SimpleNamespace(update=shown.append)
    notebook = types.ModuleType("IPython")
    notebook.get_ipython = ZMQInteractiveShell
    notebook.display = types.SimpleNamespace(HTML=str, display=lambda bar, display_id: handle)
    sys.modules["IPython"] = notebook
    try:
        sluice.run(DAM, out="shown", set=COARSE)
    finally:
        del sys.modules["IPython"]
    ok(len(shown) > 1 and "<progress" in shown[0] and "step " in shown[0] and shown[-1] == "",
       "a bar in a notebook, which goes at the end", shown)
    script = (f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'python')!r}); import sluice;"
              f"sluice.run({DAM!r}, out='term', set={COARSE!r})")
    reader, writer = os.openpty()
    subprocess.run([sys.executable, "-c", script], stderr=writer, check=True)
    said = os.read(reader, 65536).decode()
    ok(f"\rterm  {'':2}" in said and "%  step " in said and said.endswith("\r\x1b[K"),
       "a line in a terminal", repr(said))
    script = script.replace("term", "silent")
    silent = subprocess.run([sys.executable, "-W", "ignore", "-c", script],
                            capture_output=True, text=True, check=True)
    ok(silent.stderr == silent.stdout == "", "and nothing elsewhere", silent)


def test_together():
    def one(alpha):
        return sluice.run(DAM, out=f"alpha_{alpha}", set=COARSE, fluid__viscosity__alpha=alpha)

    with ThreadPoolExecutor(2) as pool:
        work = [-run.energy()["work_viscous"][-1] for run in pool.map(one, (0.01, 0.1))]
    ok(0 < work[0] < work[1], f"runs side by side: viscosity takes {work[0]:.3g}, {work[1]:.3g}")


def test_found():
    said = subprocess.run([SLUICE, "--version"], capture_output=True, text=True, check=True).stdout
    ok(said.startswith(f"sluice {sluice.__version__}, "), "the package has the program's version",
       said)
    prefix = os.path.join(scratch, "prefix")
    python = os.path.join(prefix, "bin", "python3")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages",
                    prefix], check=True)
    package = os.path.join(prefix, "share", "sluice", "python")
    shutil.copytree(os.path.join(ROOT, "python", "sluice"), os.path.join(package, "sluice"))
    os.symlink(SLUICE, os.path.join(prefix, "bin", "sluice"))
    install = [os.path.join(ROOT, "tools", "install-python.sh")]
    env = {**os.environ, "PYTHON": python, "PATH": "/usr/bin:/bin"}
    del env["SLUICE"]
    subprocess.run([*install, "install", prefix], env=env, check=True, capture_output=True)
    ask = [python, "-c", "import sluice; print(sluice.__file__, sluice.find_program())"]
    said = subprocess.run(ask, env=env, capture_output=True, text=True, check=False)
    ok(said.stdout.split() == [os.path.join(package, "sluice", "__init__.py"),
                               os.path.join(prefix, "bin", "sluice")],
       "an installed Python finds package and program", said)
    subprocess.run([*install, "uninstall", prefix], env=env, check=True)
    said = subprocess.run(ask, env=env, capture_output=True, text=True, check=False)
    ok("No module named 'sluice'" in said.stderr, "and no longer after make uninstall", said)
    bare = [sys.executable, "-S", "-c", "import sluice"]  # without site-packages
    said = subprocess.run(bare, env={"PYTHONPATH": package}, capture_output=True, text=True,
                          check=False).stderr
    ok(f"this Python, {sys.executable}, lacks h5py" in said and "apt-get install" in said,
       "a Python without numpy and h5py is named", said)
    nowhere = os.path.join(scratch, "nowhere")
    said = subprocess.run([*install, "install", nowhere], env=env, capture_output=True, text=True,
                          check=True).stdout
    ok(f"PYTHONPATH={nowhere}/share/sluice/python" in said, "another prefix: how to go on", said)
    os.environ["SLUICE"] = "/nowhere/sluice"
    raised(sluice.FileError, "SLUICE names /nowhere/sluice", sluice.find_program, 3)
    os.environ["SLUICE"] = SLUICE


for test in (test_run, test_reuse, test_errors, test_check, test_stop, test_displays, test_together,
             test_found):
    test()
finish()

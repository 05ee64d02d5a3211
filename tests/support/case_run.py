"""Cases run by the program, for the tests in Python: TAP on stdout, folders in a scratch place that
goes when the test ends.

    case = Case("configs/dam_break.cfg", spacing=0.003)   or config text; keys changed, __ for a dot
    run = case.run("first")                               folder, exit code, output, peak memory
    at_most(largest(run.energy()["identity"]), 1e-12, "power identity")
    finish()
"""

import atexit
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import h5py  # noqa: F401
    import numpy as np  # noqa: F401
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import ROOT, diag, finish, ok  # noqa: E402, F401

import sluice  # noqa: E402, I100
from sluice.config import text_of  # noqa: E402
from sluice.runs import is_run  # noqa: E402
from plot import measure  # noqa: E402, F401

SLUICE = os.environ.get("SLUICE") or os.path.join(ROOT, "build", "sluice")
largest = measure.largest
LIMIT_S = 900  # of one run: a hang is a failure, not a wait
scratch = os.environ.get("GATES_KEEP") or tempfile.mkdtemp(prefix="sluice-test-")
if not os.environ.get("GATES_KEEP"):  # GATES_KEEP=FOLDER keeps the runs, to look at them
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)


def at_most(value, gate, name):
    """|value| <= gate; what is not finite never passes."""
    return ok(bool(abs(value) <= gate), f"{name}: {value:.4g} (gate {gate:.3g})")


def within(value, low, high, name):
    return ok(bool(low <= value <= high), f"{name}: {value:.6g} ({low:.6g} .. {high:.6g})")


def refused(kind, words, call):
    """The call raises that error, whose text has these words."""
    try:
        call()
        ok(False, f"{kind.__name__}: {words}", "no error")
    except sluice.SluiceError as error:
        ok(isinstance(error, kind) and words in str(error), f"{kind.__name__}: {words}",
           f"{type(error).__name__}: {error}")


class Case:
    def __init__(self, config, **keys):
        self.keys = keys
        self.path = os.path.join(ROOT, config)
        if "\n" in config or "=" in config:
            file, self.path = tempfile.mkstemp(".cfg", dir=scratch, text=True)
            with os.fdopen(file, "w") as stream:
                stream.write(config)

    def command(self, folder, keys):
        keys = dict(keys)
        words = [SLUICE, "run", self.path, "--out", folder, "--quiet"]
        words += ["--threads", str(keys.pop("threads", 1))]
        if keys.get("ranks", 1) > 1:
            words += ["--ranks", str(keys["ranks"])]
        keys.pop("ranks", None)
        for key, value in {**self.keys, **keys}.items():
            words += ["--set", f"{key.replace('__', '.')}={text_of(value)}"]
        return words

    def run(self, name, expect=(0,), **keys):
        """Runs it into a fresh folder; an exit code that is not expected is a failed check that
        shows what was said."""
        folder = os.path.join(scratch, name)
        shutil.rmtree(folder, ignore_errors=True)
        return Run(folder, self.command(folder, keys), expect)


def together(*jobs):
    """Calls the functions side by side, as many at a time as there are cores; their results in
    order. Each run has one thread: small cases gain little from more, and wait long at each barrier
    on a busy machine."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


def restart(folder, expect=(0,), ranks=1, **keys):
    words = [SLUICE, "restart", folder, "--quiet"]
    words += ["--ranks", str(ranks)] if ranks > 1 else []
    for key, value in keys.items():
        words += ["--set", f"{key.replace('__', '.')}={text_of(value)}"]
    return Run(folder, words, expect)


class Run(sluice.Run):
    """A finished run: folder, exit code, output, seconds on the clock and peak resident memory
    (kB)."""

    def __init__(self, folder, command, expect):
        begun = time.monotonic()
        with tempfile.TemporaryFile("w+") as said:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
            )
            self.code, self.memory = wait(child)
            said.seek(0)
            self.said = said.read()
        self.command, self.seconds = " ".join(command), time.monotonic() - begun
        if self.code not in expect:
            ok(
                False,
                f"{os.path.basename(folder)}: exit {self.code}",
                f"{self.command}\n{self.said}",
            )
        self.path = folder
        if is_run(folder):  # not if the program refused the case
            super().__init__(folder)

    def bytes_of(self, name):
        with open(os.path.join(self.path, name), "rb") as file:
            return file.read()


def tables(run):
    return sorted(f for f in os.listdir(run.path) if f.endswith((".csv", ".series")))


def differences(one, other, by_id=False):
    """The differences of two runs: in arrays of the last checkpoint, in tables byte by byte."""
    a, b = one.state(by_id), other.state(by_id)
    unequal = [key for key in a if key not in b or a[key].tobytes() != b[key].tobytes()]
    unequal += [key for key in b if key not in a]
    if tables(one) != tables(other):
        return unequal + [f"files: {tables(one)} and {tables(other)}"]
    return unequal + [f for f in tables(one) if one.bytes_of(f) != other.bytes_of(f)]


def without_module(name):
    """The environment of a tool that finds no module of this name."""
    hidden = tempfile.mkdtemp(dir=scratch)
    with open(os.path.join(hidden, "sitecustomize.py"), "w") as file:
        file.write("import importlib.util as u\nfind = u.find_spec\n"
                   f"u.find_spec = lambda name, *more: None if name == '{name}' else "
                   "find(name, *more)\n")  # fmt: skip
    paths = [hidden, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": ":".join(paths)}


def wait(child):
    """Exit code (minus the signal) of a child, and its peak resident memory in kB as last sampled:
    a child's rusage would begin with this process's memory. A child that hangs is killed."""
    deadline, memory = time.monotonic() + LIMIT_S, 0
    while child.poll() is None:
        memory = max(memory, peak_memory(child.pid))
        if time.monotonic() > deadline:
            child.kill()
        time.sleep(0.005)
    return child.returncode, memory


def peak_memory(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            lines = [line.split() for line in file if line.startswith("VmHWM:")]
    except OSError:
        return 0
    return int(lines[0][1]) if lines else 0

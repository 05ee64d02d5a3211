"""Runs the program on shipped configs with some keys changed, and keeps finished runs."""

import hashlib
import json
import os
import re
import subprocess
import time

from sluice import FileError, Run
from sluice.config import text_of

ON_GPU = ("cuda", "hip")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIGS = os.path.join(ROOT, "configs")


def version_of(program):
    """The first line of `sluice --version`: version and revision."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise FileError(f"{program} cannot be run: {error.strerror}") from error
    lines = said.stdout.strip().splitlines()
    if said.returncode != 0 or not lines:
        raise FileError(f"{program} --version says nothing (exit {said.returncode})")
    return lines[0]


def named_files(text, folder):
    """{name: digest} of the files that the quotes of a config's text name, as seen from its folder:
    tables and @include files, and the files that these include."""
    found = {}
    for name in re.findall(r'"([^"\n]+)"', text):
        path = os.path.join(folder, name)
        if name in found or not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            data = file.read()
        found[name] = hashlib.sha256(data).hexdigest()
        if re.search(rf'@include\s*"{re.escape(name)}"', text):
            found |= named_files(data.decode(errors="replace"), os.path.dirname(path))
    return found


class Blown(Exception):
    """A run blew up; the text is the program's message."""


class RunFailed(FileError):
    """A run ended with an exit code that stands for no result."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class Runner:
    """The program, the folder of its runs, and its options; backend or threads None: the config's.

    A finished run is used again if the config's text, the files that it names, the keys, the
    backend and the program's version are the same. With `reuse` the version may differ; with
    `again` every run is made anew. What is run is printed to `shown`; None: standard output."""

    def __init__(self, program, out, backend="cpu", threads=0, again=False, reuse=False,
                 shown=None):
        self.program, self.out, self.backend, self.threads = program, out, backend, threads
        self.again, self.reuse, self.shown = again, reuse, shown
        self.version = version_of(program)

    def options(self, changed):
        """The words of the command line for the changed keys, the backend and the threads."""
        words = [word for change in changed for word in ("--set", change)]
        if self.threads is not None:
            words += ["--threads", str(self.threads)]
        if self.backend is not None:
            words += ["--backend", self.backend]
        return words

    def kept(self, folder, wanted):
        """The stamp of a finished run that may be used again, or None."""
        path = folder + ".done"
        if self.again or not os.path.exists(path):
            return None
        with open(path) as file:
            stamp = json.load(file)
        same = all(
            stamp.get(key) == wanted[key] for key in ("config", "files", "settings", "backend")
        )
        return stamp if same and (self.reuse or stamp["version"] == wanted["version"]) else None

    def run(self, name, config, settings):
        """Runs a shipped config, or the text of a config (several lines), with some keys changed;
        `__` in a key stands for a dot. Returns its folder and stamp."""
        path = os.path.join(CONFIGS, config)
        if "\n" in config:
            path = os.path.join(self.out, name) + ".cfg"
            with open(path, "w") as file:
                file.write(config)
        changed = [f"{key.replace('__', '.')}={text_of(value)}" for key, value in settings.items()]
        return self.run_file(name, path, changed)

    def run_file(self, name, path, changed):
        """Runs a config file with keys changed, "KEY=VALUE" each. Returns its folder and stamp."""
        folder = os.path.join(self.out, name)
        with open(path) as file:
            text = file.read()
        stamp = {
            "config": text,
            "files": named_files(text, os.path.dirname(path)) | named_files("\n".join(changed), ""),
            "settings": changed,
            "backend": self.backend,
            "version": self.version,
        }
        kept = self.kept(folder, stamp)
        if kept:
            print(f"  {folder}: finished before, used again", file=self.shown, flush=True)
            return Run(folder), kept
        if os.path.exists(folder + ".done"):
            os.remove(folder + ".done")
        options = self.options(changed)
        command = [self.program, "run", path, "--out", folder, "--force", "--quiet", *options]
        print("  $ sluice run", os.path.relpath(path, ROOT) if path.startswith(CONFIGS) else path,
              *options, file=self.shown, flush=True)
        begun = time.monotonic()
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        stamp["seconds"] = time.monotonic() - begun
        stamp["exit"] = result.returncode
        said = result.stderr.strip()[-800:]
        if result.returncode == 5:
            raise Blown(f"{name} blew up: {said}")
        # 1 means that it ran and its energy verdict failed: the checks here say by how much.
        if result.returncode not in (0, 1):
            raise RunFailed(f"{name}: exit {result.returncode}: {said}", result.returncode)
        with open(folder + ".done", "w") as file:
            json.dump(stamp, file)
        return Run(folder), stamp

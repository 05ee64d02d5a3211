"""Runs the program on shipped configs with some keys changed, and keeps finished runs."""

import json
import os
import subprocess
import time

from plot.run_folder import FolderError, RunFolder

ON_GPU = ("cuda", "hip")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIGS = os.path.join(ROOT, "configs")


def setting(value):
    """A value as --set takes it: libconfig text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + " ".join(f"{key} = {setting(v)};" for key, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        groups = value == () or any(isinstance(item, (dict, list, tuple)) for item in value)
        inside = ", ".join(setting(item) for item in value)
        return f"( {inside} )" if groups else f"[{inside}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def version_of(program):
    """The first line of `sluice --version`: version and revision."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise FolderError(f"{program} cannot be run: {error.strerror}") from error
    lines = said.stdout.strip().splitlines()
    if said.returncode != 0 or not lines:
        raise FolderError(f"{program} --version says nothing (exit {said.returncode})")
    return lines[0]


class Blown(Exception):
    """A run blew up; the text is the program's message."""


class Runner:
    """The program, the folder of its runs, and its options.

    A finished run is used again if the config's text, keys, backend and the program's version are
    the same. With `reuse` the version may differ; with `again` every run is made anew."""

    def __init__(self, program, out, backend="cpu", threads=0, again=False, reuse=False):
        self.program, self.out, self.backend, self.threads = program, out, backend, threads
        self.again, self.reuse = again, reuse
        self.version = version_of(program)

    def command(self, folder, config, settings):
        words = [self.program, "run", config, "--out", folder, "--force"]
        words += ["--quiet", "--threads", str(self.threads), "--backend", self.backend]
        for key, value in settings.items():
            words += ["--set", f"{key.replace('__', '.')}={setting(value)}"]
        return words

    def kept(self, folder, wanted):
        """The stamp of a finished run that may be used again, or None."""
        path = folder + ".done"
        if self.again or not os.path.exists(path):
            return None
        with open(path) as file:
            stamp = json.load(file)
        same = all(stamp.get(key) == wanted[key] for key in ("config", "settings", "backend"))
        return stamp if same and (self.reuse or stamp["version"] == wanted["version"]) else None

    def run(self, name, config, settings):
        """Runs a shipped config, or the text of a config (several lines), with some keys changed;
        `__` in a key stands for a dot. Returns its folder and stamp."""
        folder = os.path.join(self.out, name)
        path = os.path.join(CONFIGS, config)
        if "\n" in config:
            path = folder + ".cfg"
            with open(path, "w") as file:
                file.write(config)
        with open(path) as file:
            text = file.read()
        stamp = {
            "config": text,
            "settings": [f"{key}={setting(value)}" for key, value in settings.items()],
            "backend": self.backend,
            "version": self.version,
        }
        kept = self.kept(folder, stamp)
        if kept:
            return RunFolder(folder), kept
        if os.path.exists(folder + ".done"):
            os.remove(folder + ".done")
        command = self.command(folder, path, settings)
        shown = path if "\n" in config else f"configs/{config}"
        print("  $ sluice run", shown, *command[11:], flush=True)
        begun = time.monotonic()
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        stamp["seconds"] = time.monotonic() - begun
        said = result.stderr.strip()[-800:]
        if result.returncode == 5:
            raise Blown(f"{name} blew up: {said}")
        # 1 means that it ran and its energy verdict failed: the checks here say by how much.
        if result.returncode not in (0, 1):
            raise FolderError(f"{name}: exit {result.returncode}: {said}")
        with open(folder + ".done", "w") as file:
            json.dump(stamp, file)
        return RunFolder(folder), stamp

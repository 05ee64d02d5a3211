"""Runs the program on shipped configs with some keys changed, and keeps finished runs."""

import os
import time
import warnings

from sluice import BlowUp, NotConserved, ProgramError, Run, SluiceWarning, finished
from sluice.config import text_of
from sluice.program import follow, version

# `sluice check` shows the program's warnings; the cases' checks judge these runs.
warnings.simplefilter("ignore", SluiceWarning)

ON_GPU = ("cuda", "hip")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIGS = os.path.join(ROOT, "configs")


class Runner:
    """The program, the folder of its runs, and its options; backend or threads None: the config's.

    A finished run is used again if the config's text, the files that it names, the keys, the
    backend and the program's version are the same. With `reuse` the version may differ; with
    `again` every run is made anew. Commands are printed to `shown`; None: standard output."""

    def __init__(self, program, out, backend="cpu", threads=0, again=False, reuse=False,
                 shown=None):
        self.program, self.out, self.backend, self.threads = program, out, backend, threads
        self.again, self.reuse, self.shown = again, reuse, shown
        self.version = version(program)

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
        if self.again:
            return None
        without = ("version",) if self.reuse else ()
        return finished.read_stamp(folder) if finished.is_result(folder, wanted, without) else None

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
        stamp = finished.stamp_of(path, changed, backend=self.backend, version=self.version)
        kept = self.kept(folder, stamp)
        if kept:
            print(f"  {folder}: finished before, used again", file=self.shown, flush=True)
            return Run(folder), kept
        finished.forget(folder)
        options = self.options(changed)
        command = [self.program, "run", path, "--out", folder, "--force", *options]
        print("  $ sluice run", os.path.relpath(path, ROOT) if path.startswith(CONFIGS) else path,
              *options, file=self.shown, flush=True)
        begun = time.monotonic()
        try:
            run, stamp["exit"] = follow(command, folder), 0
        except NotConserved as error:  # it has run to its end: the case's checks judge its budget
            run, stamp["exit"] = error.run, error.code
        except ProgramError as error:
            how = "blew up" if isinstance(error, BlowUp) else f"exit {error.code}"
            raise type(error)(f"{name}: {how}: {str(error)[-800:]}", error.code) from error
        stamp["seconds"] = time.monotonic() - begun
        finished.keep(folder, stamp)
        return run, stamp

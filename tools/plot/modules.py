"""Shared by the tools: the command line, the required modules, errors and SIGPIPE."""

import argparse
import importlib.metadata
import importlib.util
import os
import re
import shlex
import signal
import sys

from plot import ROOT

WHEELS = {"skimage": "scikit-image"}  # names of packages that are not their modules'
# What argparse says of a value that is no number.
NO_NUMBER = re.compile(r"argument (?:-\w/)?(--[\w-]+): invalid (float|int) value: '(.*)'")
# The oldest versions that serve, as in pyproject.toml.
OLDEST = {"numpy": (1, 22), "h5py": (3, 0), "matplotlib": (3, 6), "scipy": (1, 6),
          "skimage": (0, 19), "plotly": (5, 4)}  # fmt: skip
ALWAYS = ("numpy", "matplotlib", "h5py")  # what the program looks for in a Python
# The command that adds all that tools need to a package that pip installed.
ADD_EXTRAS = f'{shlex.quote(sys.executable)} -m pip install "sluice-sph[look]"'
# Installed by pip, the package sluice is among Python's other modules, not beside the tools.
BY_PIP = not os.path.isdir(os.path.join(ROOT, "python"))
TRIED = "SLUICE_PYTHON_TRIED"  # environment variable: this is the second Python already


class ArgumentParser(argparse.ArgumentParser):
    """Usage errors are one line that begins with the program's name, and exit 2."""

    def __init__(self, program, description):
        super().__init__(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.program = program

    def error(self, message):
        wrong = NO_NUMBER.fullmatch(message)
        if wrong:
            kind = "a whole number" if wrong[2] == "int" else "a number"
            message = f"{wrong[1]} {wrong[3]}: {kind} is needed"
        self.exit(2, f"{self.program}: {message}\n")


class AskedError(Exception):
    """An option asks for a thing that does not exist, or makes no sense; the text lists what
    exists."""


def run_tool(program, main):
    """Runs a tool's main. An error is one line that begins with the program's name, and an exit
    code: 2 for a wrong request, 3 for a wrong file."""
    from sluice import FileError  # needs the modules that `require` has found

    end_with_reader()
    try:
        main()
    except (AskedError, FileError, OSError) as error:
        print(f"{program}: {text_of(error)}", file=sys.stderr)
        sys.exit(2 if isinstance(error, AskedError) else 3)


def text_of(error):
    """An error in the words of the program: "FILE: No such file or directory"."""
    named = isinstance(error, OSError) and error.filename is not None and error.strerror
    return f"{error.filename}: {error.strerror}" if named else str(error)


def end_with_reader():
    """Ends the tool silently when the reader of its output goes away (`| head`)."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def make_folder(path, is_own=False):
    """Creates the folder of --out, or one of our own in a run's folder, which is no link.
    NotADirectoryError: a file has its name."""
    if is_own and os.path.islink(path):
        raise NotADirectoryError(f"{path} is a link to another folder: remove it")
    if os.path.exists(path) and not os.path.isdir(path):
        raise NotADirectoryError(f"--out {path}: it takes a folder, and this is a file")
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise OSError(f"--out {path}: the folder cannot be made: {error.strerror}") from error


def save_figure(figure, path, **options):
    """Saves a figure of matplotlib. A link of that name is replaced, not followed."""
    from sluice.whole_file import whole

    ending = os.path.splitext(path)[1][1:] or "png"
    with whole(path if os.path.splitext(path)[1] else f"{path}.png") as temporary:
        figure.savefig(temporary, format=ending, **options)


def old_version(name):
    """The version of a module that is there but too old, as text; "": it serves."""
    try:
        version = importlib.metadata.version(WHEELS.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return ""
    numbers = tuple(int(n) for n in re.findall(r"\d+", version)[:2])
    return version if numbers < OLDEST.get(name, ()) else ""


def shortcoming(name):
    """What this Python lacks of a module, in words; "": nothing."""
    if importlib.util.find_spec(name) is None:
        return name
    version = old_version(name)
    oldest = ".".join(str(n) for n in OLDEST.get(name, ()))
    return f"{name} {oldest} or later (it has {version})" if version else ""


def remedies(names, missing):
    """How to get missing modules, a line each."""
    if BY_PIP:
        return [f"To install it: {ADD_EXTRAS}"]
    packages = " ".join(f"python3-{name}" for name in missing)
    wheels = " ".join(WHEELS.get(name, name) for name in dict.fromkeys(ALWAYS + names))
    # A release of Debian with an old version of one has no newer version.
    from_debian = not any(importlib.util.find_spec(name) for name in missing)
    return [f"Debian, Ubuntu: apt-get install {packages}"] * from_debian + [
        "Elsewhere, in a virtual environment: python3 -m venv ~/sluice-venv;"
        f" ~/sluice-venv/bin/pip install {wheels}",
        "then name its Python: PYTHON=~/sluice-venv/bin/python sluice ...",
    ]


def require(*names, needed_by="drawing"):
    """Checks that the modules are there, and not too old. Otherwise restarts the tool with $PYTHON
    or the system's Python; if that lacks one, too, prints the packages and exits 3. No other Python
    has a package sluice that pip installed: then there is no restart."""
    missing = {name: text for name in names if (text := shortcoming(name))}
    others = [path for path in (os.environ.get("PYTHON"), "/usr/bin/python3") if path]
    if missing and TRIED not in os.environ and others and not BY_PIP:
        os.environ[TRIED] = sys.executable
        try:
            os.execvp(others[0], [others[0]] + sys.argv)
        except OSError:
            pass
    if missing:
        print(f"{sys.executable} lacks {', '.join(missing.values())}, which {needed_by} needs.",
              *remedies(names, missing), sep="\n", file=sys.stderr)
        sys.exit(3)
    if "matplotlib" in names:
        import matplotlib

        matplotlib.use("Agg")

"""How a tool begins: it ends with the reader of its output, and finds a Python with the modules
that drawing needs, or names the packages and exits 3."""

import importlib.util
import os
import signal
import sys

PACKAGES = {"numpy": "python3-numpy", "matplotlib": "python3-matplotlib", "h5py": "python3-h5py"}
TRIED = "SLUICE_PYTHON_TRIED"  # in the environment: this is already the second Python


def end_with_reader():
    """A reader that went away (`| head`) ends the tool without a word."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def require(*names):
    """Goes on with $PYTHON or the system's Python where the present one lacks a module."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    others = [path for path in (os.environ.get("PYTHON"), "/usr/bin/python3") if path]
    if missing and TRIED not in os.environ and others:
        os.environ[TRIED] = sys.executable
        try:
            os.execvp(others[0], [others[0]] + sys.argv)
        except OSError:
            pass
    if missing:
        packages = " ".join(PACKAGES[name] for name in missing)
        print(
            f"{sys.executable} lacks {', '.join(missing)}, which drawing needs.\nDebian, Ubuntu:"
            f" apt-get install {packages}; elsewhere: pip install {' '.join(missing)}; or name a"
            " Python that has them in PYTHON.",
            file=sys.stderr,
        )
        sys.exit(3)
    if "matplotlib" in names:
        import matplotlib

        matplotlib.use("Agg")

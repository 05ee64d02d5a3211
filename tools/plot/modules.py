"""Says which Debian packages to install when a Python module is missing; exits 3."""

import importlib.util
import sys

PACKAGES = {"numpy": "python3-numpy", "matplotlib": "python3-matplotlib", "h5py": "python3-h5py"}


def require(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        packages = " ".join(PACKAGES[name] for name in missing)
        print(
            f"{sys.executable} lacks the module(s) {', '.join(missing)}, which drawing"
            f" needs.\nDebian, Ubuntu: apt-get install {packages}; elsewhere: pip install"
            f" {' '.join(missing)}; or set PYTHON to a Python that has them.",
            file=sys.stderr,
        )
        sys.exit(3)
    if "matplotlib" in names:
        import matplotlib

        matplotlib.use("Agg")

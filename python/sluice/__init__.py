"""Sluice in Python: start runs of the SPH program sluice, and read their results.

    import sluice

    run = sluice.Run("out/dam_break")
    print(run.times)                         # s, of the snapshots
    pressure = run[10].fluid.pressure        # Pa, a row a particle
    front = run.probe("front")["front"]      # m, over run.probe("front")["time"]
    print(run.verdict)                       # was energy conserved?

    finer = sluice.run("configs/dam_break.cfg", spacing=0.001, out="out/finer")

docs/python.md explains it all.
"""

import sys

try:
    import h5py  # type: ignore[import-untyped] # noqa: F401
    import numpy.typing  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"sluice needs numpy 1.22 or later and h5py, and this Python, {sys.executable}, lacks"
        f" {error.name}: start one that has them (Debian: /usr/bin/python3, apt-get install"
        f" python3-numpy python3-h5py), or {sys.executable} -m pip install numpy h5py, in a virtual"
        " environment",
        name=error.name,
    ) from None

from sluice.body_surfaces import BodySurfaces
from sluice.config import Config, read_config
from sluice.errors import (
    ConfigError,
    DeviceError,
    FileError,
    NoField,
    NotThere,
    ProgramError,
    SluiceError,
    SluiceWarning,
)
from sluice.exit_codes import BlowUp, NotConserved, Stopped
from sluice.image import Image
from sluice.particles import Particles
from sluice.program import check, restart, run
from sluice.programs import find_program
from sluice.runs import Run
from sluice.snapshot import Snapshot
from sluice.tables import Table, read_table
from sluice.verdict import Verdict

__version__ = "0.2.0"
__all__ = [
    "BlowUp",
    "BodySurfaces",
    "Config",
    "ConfigError",
    "DeviceError",
    "FileError",
    "Image",
    "NoField",
    "NotConserved",
    "NotThere",
    "Particles",
    "ProgramError",
    "Run",
    "SluiceError",
    "SluiceWarning",
    "Snapshot",
    "Stopped",
    "Table",
    "Verdict",
    "check",
    "find_program",
    "read_config",
    "read_table",
    "restart",
    "run",
]

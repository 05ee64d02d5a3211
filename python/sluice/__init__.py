"""Sluice in Python: start runs of the SPH program sluice, and read their results.

    import sluice

    run = sluice.Run("out/dam_break")
    print(run.times)                         # s, of the snapshots
    pressure = run[10].fluid.pressure        # Pa, a row a particle
    front = run.probe("front")["front"]      # m, over run.probe("front")["time"]
    print(run.verdict)                       # was energy conserved?

docs/python.md explains it all.
"""

from sluice.body_surfaces import BodySurfaces
from sluice.config import Config, read_config
from sluice.errors import (
    BlowUp,
    ConfigError,
    DeviceError,
    FileError,
    NoField,
    NotConserved,
    NotThere,
    ProgramError,
    SluiceError,
    Stopped,
)
from sluice.particles import Particles
from sluice.runs import Run
from sluice.snapshot import Snapshot
from sluice.tables import Table, read_table
from sluice.verdict import Verdict

__version__ = "0.1.0"
__all__ = [
    "BlowUp",
    "BodySurfaces",
    "Config",
    "ConfigError",
    "DeviceError",
    "FileError",
    "NoField",
    "NotConserved",
    "NotThere",
    "Particles",
    "ProgramError",
    "Run",
    "SluiceError",
    "Snapshot",
    "Stopped",
    "Table",
    "Verdict",
    "read_config",
    "read_table",
]

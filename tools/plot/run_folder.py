"""The files of a run's folder: config, tables, snapshots. Each is read on demand."""

import json
import os

import h5py
import numpy as np

from plot import libconfig


class FolderError(Exception):
    """A file of the folder is missing or wrong. The text names the file and the remedy."""


def read_table(path):
    """A CSV with one header line as {column: array}; blank lines and those with # are skipped.

    A last line that was cut off by a running or killed program is left out."""
    try:
        with open(path) as file:
            lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror}") from error
    if not lines:
        raise FolderError(f"{path} is empty: it has no header line")
    names = [name.strip() for name in lines[0].split(",")]
    rows = [line.split(",") for line in lines[1:]]
    if rows and len(rows[-1]) != len(names):
        rows.pop()
    try:
        columns = np.array([[number(field) for field in row] for row in rows], dtype=float).reshape(
            -1, len(names)
        )
    except ValueError as error:
        raise FolderError(
            f"{path}: not a table of {len(names)} columns of numbers ({error})"
        ) from error
    return {name: columns[:, i] for i, name in enumerate(names)}


def value_columns(table):
    """The names of a probe's columns but step and time."""
    names = [name for name in table if name not in ("step", "time")]
    if not names or "time" not in table:
        raise FolderError(
            f"a probe's table has the columns {', '.join(table)}: time and a value are needed"
        )
    return names


def number(field):
    """A number, or NaN for a field that is empty or a word (a kernel's name in reference data)."""
    try:
        return float(field)
    except ValueError:
        if field.strip() == "" or field.strip()[0].isalpha():
            return float("nan")
        raise


class Snapshot:
    """One snapshot: positions [n, 3] (m), velocities [n, 3] and speeds [n] (m/s), types [n] (1:
    wall), ids [n], pressures [n] (Pa), densities [n] (kg/m^3), masses [n], phases [n] and shapes
    [n] or None, the names that shapes count from 0, time (s); of a gas specific internal energies
    [n] (J/kg) and smoothing lengths [n] (m), otherwise None."""

    def __init__(self, path, time=None):
        try:
            with h5py.File(path, "r") as file:
                grid = file["VTKHDF"]
                self.x = grid["Points"][:]
                data = grid["PointData"]
                self.velocity = (
                    data["Velocity"][:] if "Velocity" in data else np.zeros_like(self.x)
                )
                self.type = (
                    data["ParticleType"][:]
                    if "ParticleType" in data
                    else np.zeros(len(self.x), dtype=int)
                )
                self.id = data["Id"][:] if "Id" in data else None
                self.pressure = data["Pressure"][:] if "Pressure" in data else None
                self.density = data["Density"][:] if "Density" in data else None
                self.mass = data["Mass"][:] if "Mass" in data else None
                self.energy = data["InternalEnergy"][:] if "InternalEnergy" in data else None
                self.h = data["SmoothingLength"][:] if "SmoothingLength" in data else None
                self.phase = data["Phase"][:] if "Phase" in data else None
                self.shape = data["Shape"][:] if "Shape" in data else None
                names = grid["FieldData/ShapeNames"][:] if "FieldData/ShapeNames" in grid else []
                self.shape_names = [name.decode(errors="replace") for name in names]
                self.header = dict(file["Header"].attrs) if "Header" in file else {}
                if time is None:
                    time = float(grid["FieldData/TimeValue"][0])
        except (OSError, KeyError) as error:
            raise FolderError(
                f"{path} is not a snapshot that this tool can read: {error}"
            ) from error
        self.speed = np.linalg.norm(self.velocity, axis=1)
        self.time = time


class RunFolder:
    def __init__(self, path):
        self.path = path
        if not os.path.isdir(path):
            raise FolderError(f"{path} is no folder: give the folder of a run, as out/dam_break")
        self.name = os.path.basename(os.path.abspath(path))
        self.config = self._read_config()
        # An empty title is none. The folder's name is for folders without a config.
        self.title = str(self.config.get("title", "" if self.config else self.name))

    def _file(self, name):
        path = os.path.join(self.path, name)
        return path if os.path.exists(path) else None

    def _read_config(self):
        path = self._file("config.cfg")
        if not path:
            return {}
        with open(path) as file:
            try:
                return libconfig.parse(file.read())
            except ValueError as error:
                raise FolderError(f"{path}: {error}") from error

    def setting(self, path, default):
        """A setting by its path, as "energy.tolerance"."""
        value = self.config
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                return default
            value = value[key]
        return value

    @property
    def dimension(self):
        return int(self.setting("dimension", 3))

    @property
    def units(self):
        """Names of units for labels, by quantity."""
        if self.setting("units", "si") == "lj":
            names = "time length speed energy pressure density force torque flux".split()
            return {name: "reduced" for name in [*names, "specific energy"]}
        si = {"time": "s", "length": "m", "speed": "m/s", "pressure": "Pa"}
        si |= {"density": "kg/m$^3$", "specific energy": "J/kg"}
        if self.dimension == 2:  # for a metre of depth
            return si | {"energy": "J/m", "force": "N/m", "torque": "N m/m", "flux": "m$^2$/s"}
        return si | {"energy": "J", "force": "N", "torque": "N m", "flux": "m$^3$/s"}

    def energy(self):
        path = self._file("energy.csv")
        return read_table(path) if path else None

    def reference_energy(self, energy):
        """The reference energy of the residual, J, from the table or the config. None: unknown."""
        if energy and "reference" in energy and len(energy["reference"]):
            return float(energy["reference"][-1])
        for path, _ in self.snapshots()[:1]:
            header = Snapshot(path).header
            if "Budget.reference" in header:
                return float(np.ravel(header["Budget.reference"])[0])
        value = float(self.setting("energy.reference", 0.0))
        return value if value > 0 else None

    def probes(self):
        """Tables of the probes, {name: {column: array}}, in the config's order, then by name."""
        names = [
            name[6:-4]
            for name in sorted(os.listdir(self.path))
            if name.startswith("probe_") and name.endswith(".csv")
        ]
        order = [
            probe.get("name") for probe in self.setting("probes", []) if isinstance(probe, dict)
        ]
        names.sort(key=lambda name: (order.index(name) if name in order else len(order), name))
        return {name: read_table(os.path.join(self.path, f"probe_{name}.csv")) for name in names}

    def probe_settings(self, name):
        for probe in self.setting("probes", []):
            if isinstance(probe, dict) and probe.get("name") == name:
                return probe
        return {}

    def snapshots(self):
        """[(path, time)] of the snapshots that the series names and that exist."""
        path = self._file("run.hdf.series")
        if not path:
            return []
        try:
            with open(path) as file:
                entries = json.load(file)["files"]
        except (ValueError, KeyError) as error:
            raise FolderError(f"{path} is no file series: {error}") from error
        found = [
            (os.path.join(self.path, entry["name"]), float(entry["time"])) for entry in entries
        ]
        return [(name, time) for name, time in found if os.path.exists(name)]

"""CSV tables of a run: probes, bodies, the energy budget; and of reference data."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sluice.errors import FileError, NotThere, listed
from sluice.units import Units, unit_of


class Table(dict[str, NDArray[np.float64]]):
    """The columns of a table by name, [rows] each, in the order of the file: a dictionary.

    path: of the file. units: {column: unit}; empty for tables that no run wrote. Arrays are
    read-only: copy those you change. `pandas.DataFrame(table)` makes a data frame of it."""

    def __init__(
        self,
        columns: Mapping[str, NDArray[np.float64]],
        path: str = "",
        units: Mapping[str, str] | None = None,
    ):
        super().__init__(columns)
        self.path = path
        self.units = Units(units or {})

    def __missing__(self, name: str) -> NDArray[np.float64]:
        raise NotThere(f"{self.path}: no column '{name}': {listed(self, name)}")

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), ()))

    @property
    def values_of(self) -> list[str]:
        """The names of the columns but step and time."""
        return [name for name in self if name not in ("step", "time")]

    def between(self, start: float, end: float) -> Table:
        """The rows with start <= time <= end."""
        keep = (self["time"] >= start) & (self["time"] <= end)
        return Table({name: column[keep] for name, column in self.items()}, self.path, self.units)

    def __repr__(self) -> str:
        columns = (
            f"{name} ({self.units[name]})" if self.units.get(name, "1") != "1" else name
            for name in self
        )
        return f"<Table {os.path.basename(self.path)}: {self.rows} rows of {', '.join(columns)}>"


def wide(table: Table) -> Table:
    """A table with a row a time and point (columns point, x, y) as one with a row a time, and
    columns as pressure_0; other tables as they are. A last time that lacks points is left out."""
    if "point" not in table or not table.rows:
        return table
    count = int(np.max(table["point"])) + 1
    rows = table.rows // count
    found = {name: table[name][: rows * count : count] for name in ("step", "time")}
    names = [name for name in table if name not in ("step", "time", "point", "x", "y", "z")]
    for k in range(count):
        found |= {f"{name}_{k}": table[name][k : rows * count : count] for name in names}
    units = {name: table.units.get(re.sub(r"_\d+$", "", name), "1") for name in found}
    return Table(found, table.path, units)


def read_table(path: str, units: Mapping[str, str] | None = None) -> Table:
    """A CSV file with one header line; blank lines and those that begin with # are skipped.

    A field that is empty or a word is NaN. A last line that was cut off by a running or killed
    program is left out. units: of the run, by quantity, if the table is one of a run. FileError:
    the file cannot be read, or is no table."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    if not lines:
        raise FileError(f"{path} is empty: it has no header line")
    names = [name.strip() for name in lines[0].split(",")]
    # A run ends each of its lines. Other files may not end the last, which then has all fields.
    cut = not text.endswith("\n") and (units or lines[-1].count(",") != len(names) - 1)
    if len(lines) > 1 and cut:
        lines.pop()
    try:
        rows = _numbers(lines[1:], len(names))
    except ValueError as error:
        raise FileError(
            f"{path}: not a table of {len(names)} columns of numbers ({error})"
        ) from error
    rows.flags.writeable = False
    columns = {name: rows[i] for i, name in enumerate(names)}
    return Table(columns, path, units and {name: unit_of(name, dict(units)) for name in names})


def value_columns(table: Mapping[str, Any]) -> list[str]:
    """The names of a probe's columns but step and time. FileError: there is no time or no value."""
    names = [name for name in table if name not in ("step", "time")]
    if not names or "time" not in table:
        raise FileError(
            f"a probe's table has the columns {', '.join(table)}: time and a value are needed"
        )
    return names


def _numbers(lines: list[str], columns: int) -> NDArray[np.float64]:
    """[columns, rows] of the lines' fields; each column lies in one piece."""
    if not lines:
        return np.empty((columns, 0))
    try:
        rows = np.loadtxt(lines, delimiter=",", ndmin=2, comments=None)
    except ValueError:  # an empty field or a word: slower
        rows = np.array([[_number(field) for field in line.split(",")] for line in lines], float)
    if rows.shape[1:] != (columns,):
        raise ValueError(f"rows have {rows.shape[-1]} fields")
    return np.ascontiguousarray(rows.T)


def _number(field: str) -> float:
    """A number, or NaN for a field that is empty or a word (a kernel's name in reference data)."""
    try:
        return float(field)
    except ValueError:
        if field.strip() == "" or field.strip()[0].isalpha():
            return float("nan")
        raise

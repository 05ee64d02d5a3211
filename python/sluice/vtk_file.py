"""Arrays of VTKHDF files, each read when it is asked for, and only the rows asked for."""

from __future__ import annotations

import os
from typing import Any, Union

import h5py  # type: ignore[import-untyped]
import numpy as np
from numpy.typing import NDArray

from sluice.errors import FileError

Array = NDArray[Any]
Rows = Union[slice, NDArray[np.int64]]  # which rows of an array; a slice where they lie together


class VtkFile:
    """A snapshot's or a bodies' file. It is open only while something is read from it.

    path: the file's path. time: s. Errors are FileError and name the file."""

    def __init__(self, path: str, time: float | None = None):
        self.path = os.fspath(path)
        self._time = time
        self._header: dict[str, Any] | None = None

    @property
    def time(self) -> float:
        """The time of the file's contents, s."""
        if self._time is None:
            self._time = float(self.read("VTKHDF/FieldData/TimeValue")[0])
        return self._time

    @property
    def header(self) -> dict[str, Any]:
        """The attributes of /Header by name: numbers, arrays, text. Empty if there are none."""
        if self._header is None:
            with self.open() as file:
                found = dict(file["Header"].attrs) if "Header" in file else {}
            self._header = {name: _plain(value) for name, value in found.items()}
        return self._header

    def open(self) -> Any:
        """The file, opened with h5py for reading."""
        try:
            return h5py.File(self.path, "r")
        except OSError as error:
            raise self.wrong(error) from error

    def wrong(self, why: object) -> FileError:
        return FileError(f"{self.path} is not a snapshot that can be read: {why}")

    def has(self, name: str) -> bool:
        with self.open() as file:
            return name in file

    def read(self, name: str, rows: Rows = slice(None)) -> Array:
        """Rows of a dataset by its path in the file. FileError: it is not there, or damaged."""
        try:
            with self.open() as file:
                return _rows_of(file[name], rows)
        except (OSError, KeyError) as error:
            raise self.wrong(error) from error

    def attribute(self, name: str, attribute: str) -> str:
        """A text that a dataset has as its attribute, as units; empty: it has none."""
        with self.open() as file:
            return str(_plain(file[name].attrs.get(attribute, "")))

    def texts(self, name: str) -> list[str]:
        """A dataset of texts; empty if it is not there."""
        return [str(_plain(text)) for text in self.read(name)] if self.has(name) else []


class Contents:
    """Something that a file holds: particles, or the bodies' surfaces, at one time."""

    def __init__(self, file: VtkFile):
        self.file = file

    @property
    def path(self) -> str:
        """The file."""
        return self.file.path

    @property
    def time(self) -> float:
        """Time, s."""
        return self.file.time


def together(rows: NDArray[np.int64]) -> Rows:
    """Row numbers in rising order, as a slice if no row between them is missing."""
    if not len(rows):
        return slice(0, 0)
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first + 1 == len(rows) else rows


def _rows_of(dataset: Any, rows: Rows) -> Array:
    """Reads the piece from the first row to the last at once: HDF5 is slow to pick rows."""
    if isinstance(rows, slice):
        return np.asarray(dataset[rows])
    first = int(rows.min()) if len(rows) else 0
    piece = dataset[first : int(rows.max()) + 1] if len(rows) else dataset[0:0]
    return np.asarray(piece[rows - first])


def _plain(value: Any) -> Any:
    """Text instead of bytes, Python's numbers instead of numpy's."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value.item() if isinstance(value, np.generic) else value

"""Arrays packed for a page: blocks of them are deflated, and written in base64.

A reference to an array is [block, first byte, rows, columns, kind], as viewer.js and page.js read
it. Kinds: "f4" floats, "u1" bytes; "d2" and "d4" whole numbers of 16 and 32 bits as differences
from row to row, the bytes of one weight after those of another, which deflates to a third.
"""

import base64
import zlib

import numpy as np

LEVEL = 6  # of zlib: 9 takes three times as long for 2%
TEXT = 4 / 3  # bytes of base64 a byte


def differences(values, kind):
    """The bytes of whole numbers [n, columns], column by column: low bytes first, then high."""
    steps = np.diff(values.astype(kind), axis=0, prepend=np.zeros((1, values.shape[1]), kind))
    columns = np.ascontiguousarray(steps.T)
    return columns.view(np.uint8).reshape(-1, np.dtype(kind).itemsize).T.tobytes()


CODERS = {
    "f4": lambda values: np.ascontiguousarray(values.T, dtype="<f4").tobytes(),
    "u1": lambda values: np.ascontiguousarray(values.T, dtype=np.uint8).tobytes(),
    "d2": lambda values: differences(values, "<u2"),
    "d4": lambda values: differences(values, "<u4"),
}


class Block:
    """Arrays that a page unpacks together: those of one picture, or all curves."""

    def __init__(self):
        self.parts, self.at = [], 0

    def add(self, values, kind):
        """The reference of an array [n] or [n, columns], without the block's number."""
        values = np.asarray(values)
        values = values.reshape(len(values), -1)
        data = CODERS[kind](values)
        data += bytes(-len(data) % 4)
        reference = [self.at, *values.shape, kind]
        self.parts.append(data)
        self.at += len(data)
        return reference

    def text(self):
        """The block in base64."""
        return base64.b64encode(zlib.compress(b"".join(self.parts), LEVEL)).decode()


class Blocks:
    """The blocks of a page, by number."""

    def __init__(self):
        self.texts = []

    def add(self, text):
        self.texts.append(text)
        return len(self.texts) - 1

    @property
    def size(self):
        """Bytes in the page."""
        return sum(map(len, self.texts))

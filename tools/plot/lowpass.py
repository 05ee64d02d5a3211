"""A low-pass filter for measurements over time, and which columns it is for."""

from dataclasses import dataclass

import numpy as np

from plot.modules import AskedError

FILTERED = ("fx", "fy", "fz", "tx", "ty", "tz", "force", "torque")
MOST = 0.4  # of the rows' frequency: above it there is too little to filter


def unused(low_pass, columns):
    """A line of text if a filter was asked for but applies to none of the columns."""
    if not low_pass or any(column in FILTERED for column in columns):
        return None
    return f"--low-pass {low_pass.frequency:g} has filtered nothing: no force or torque was drawn"


@dataclass(frozen=True)
class LowPass:
    """A Butterworth filter of order 2, forwards and backwards: it delays nothing, and together it
    halves the power at `frequency` (Hz)."""

    frequency: float

    def words(self):
        return f"low-pass {self.frequency:g} Hz (Butterworth, 2nd order, both ways)"

    def filtered(self, time, values, name=""):
        """values(time), filtered. Gaps stay, and each part between gaps is filtered on its own.
        AskedError: the rows are too few or too far apart."""
        found = np.full(len(values), np.nan)
        good = np.isfinite(values)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], good, [0]])))
        for start, end in zip(edges[::2], edges[1::2]):
            if end - start >= 4:
                part = slice(start, end)
                found[part] = self._of_part(time[part], values[part], name)
        return found

    def _of_part(self, time, values, name):
        step = (time[-1] - time[0]) / (len(time) - 1)
        if not self.frequency * step <= MOST:
            raise AskedError(f"--low-pass {self.frequency:g}: the rows of {name or 'a probe'} are "
                             f"{step:.3g} s apart, so that at most {MOST / step:.3g} Hz can be "
                             "filtered")  # fmt: skip
        even = np.linspace(time[0], time[-1], len(time))  # steps differ by a little
        samples = np.interp(even, time, values)
        pad = min(int(np.ceil(3 / (self.frequency * step))), len(samples) - 1)
        samples = np.concatenate([2 * samples[0] - samples[pad:0:-1], samples,
                                  2 * samples[-1] - samples[-2 : -pad - 2 : -1]])  # fmt: skip
        # Both ways together have their half power at the frequency if each way has it higher up.
        tangent = np.tan(np.pi * self.frequency * step / (np.sqrt(2) - 1) ** 0.25)
        once = recursive(samples, tangent)
        twice = recursive(once[::-1], tangent)[::-1]
        return np.interp(time, even, twice[pad : pad + len(even)])


def recursive(x, k):
    """One direction of the filter, by the bilinear transform; k: the tangent of pi frequency step.
    """
    scale = 1 / (1 + np.sqrt(2) * k + k * k)
    b = k * k * scale
    a1, a2 = 2 * (k * k - 1) * scale, (1 - np.sqrt(2) * k + k * k) * scale
    y = np.empty(len(x))
    x1 = x2 = y1 = y2 = x[0]  # at rest before
    for i, x0 in enumerate(x):
        y0 = b * (x0 + 2 * x1 + x2) - a1 * y1 - a2 * y2
        y[i] = y0
        x1, x2, y1, y2 = x0, x1, y0, y1
    return y

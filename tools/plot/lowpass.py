"""A low-pass filter for measurements over time."""

import numpy as np

from plot.modules import AskedError

EXACT = ("theory",)  # a column that is no measurement is not filtered
MOST = 0.4  # of the rows' frequency: above it there is too little to filter
LEAST = 4  # rows of a part between gaps


class LowPass:
    """A Butterworth filter of order 2, forwards and backwards: it delays nothing, and together it
    halves the power at `frequency` (Hz). It keeps count of what it has filtered, for `remarks`."""

    def __init__(self, frequency):
        self.frequency = frequency
        self.done, self.left = 0, {}

    def words(self):
        return f"low-pass {self.frequency:g} Hz (Butterworth, 2nd order, both ways)"

    def smooth(self, time, values, name, column=""):
        """values(time) filtered; None where it is not possible, which `remarks` then says of the
        table `name`."""
        if column in EXACT:
            return None
        if np.isfinite(values).sum() < LEAST:
            self.left[name] = f"{name} has fewer than {LEAST} rows with values"
            return None
        most = MOST / interval(time)
        if not self.frequency <= most:
            self.left[name] = (f"the rows of {name} are {interval(time):.3g} s apart, so that at"
                               f" most {most:.3g} Hz can be filtered")  # fmt: skip
            return None
        self.done += 1
        return self.filtered(time, values)

    def remarks(self):
        """Lines of text about tables that were not filtered. AskedError: none was."""
        if self.done:
            return [f"--low-pass {self.frequency:g}: {why}" for why in self.left.values()]
        why = "; ".join(self.left.values()) or "no table but energies was drawn"
        raise AskedError(f"--low-pass {self.frequency:g} has filtered nothing: {why}")

    def filtered(self, time, values):
        """values(time), filtered. Gaps stay, and each part between gaps is filtered on its own;
        parts of fewer than LEAST rows are gaps, too."""
        found = np.full(len(values), np.nan)
        good = np.isfinite(values)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], good, [0]])))
        for start, end in zip(edges[::2], edges[1::2]):
            if end - start >= LEAST:
                part = slice(start, end)
                found[part] = self._of_part(time[part], values[part])
        return found

    def _of_part(self, time, values):
        step = interval(time)
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


def interval(time):
    """The mean interval of rows, s."""
    return (time[-1] - time[0]) / (len(time) - 1)


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

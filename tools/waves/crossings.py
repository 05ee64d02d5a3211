"""Single waves by zero-down-crossings (IAHR 1989), about the mean of the record."""

from dataclasses import dataclass

import numpy as np

# Between two waves the record must go above and below its mean by this fraction of its standard
# deviation: the noise of a still surface makes no waves.
BAND = 0.05


@dataclass(frozen=True)
class Waves:
    """Of each wave: height, crest above and trough below the mean, m; period, s."""

    height: np.ndarray
    crest: np.ndarray
    trough: np.ndarray
    period: np.ndarray

    def summary(self):
        """Mean, significant and largest height, mean period, highest crest and deepest trough; None
        where there are no waves."""
        count = len(self.height)
        third = np.sort(self.height)[::-1][: max(1, round(count / 3))]
        return {
            "waves": count,
            "height_mean": float(self.height.mean()) if count else None,
            "height_third": float(third.mean()) if count else None,
            "height_max": float(self.height.max()) if count else None,
            "period_mean": float(self.period.mean()) if count else None,
            "crest": float(self.crest.max()) if count else None,
            "trough": float(self.trough.min()) if count else None,
        }


def top(y, i):
    """The highest value of the parabola through y[i - 1], y[i], y[i + 1], where that is a top."""
    if not 0 < i < len(y) - 1:
        return float(y[i])
    slope, bend = 0.5 * (y[i + 1] - y[i - 1]), y[i + 1] - 2 * y[i] + y[i - 1]
    return float(y[i] - 0.5 * slope**2 / bend) if bend < 0 else float(y[i])


def down_crossings(y):
    """The numbers i such that y falls through 0 between i and i + 1; one a wave."""
    least = BAND * y.std()
    found, armed, last = [], False, None
    for i in range(len(y) - 1):
        armed = armed or y[i] > least
        if armed and last is None and y[i] >= 0 > y[i + 1]:
            last = i
        if y[i + 1] < -least and last is not None:
            found.append(last)
            armed, last = False, None
    return np.array(found, int)


def waves_of(time, elevation):
    """The whole waves of a record."""
    y = elevation - elevation.mean()
    at = down_crossings(y)
    moment = time[at] + y[at] / (y[at] - y[at + 1]) * (time[at + 1] - time[at])
    crest, trough = [], []
    for first, last in zip(at[:-1], at[1:]):
        part = slice(first, last + 2)
        crest.append(top(y[part], int(np.argmax(y[part]))))
        trough.append(-top(-y[part], int(np.argmin(y[part]))))
    crest, trough = np.array(crest), np.array(trough)
    return Waves(crest - trough, crest, trough, np.diff(moment))

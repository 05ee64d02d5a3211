"""A wave that passes once: crests, their times, and the speed between gauges."""

import numpy as np

from waves.agreement import refined
from waves.crossings import top


def middle(time, y):
    """When the middle between the half heights passes, s; None: one of them is not in the record.
    A flat crest slides; the middle does not."""
    crest = int(np.argmax(y))
    half = y[crest] / 2
    up, down = np.flatnonzero(y[:crest] < half), np.flatnonzero(y[crest:] < half)
    if not len(up) or not len(down):
        return None
    i, j = up[-1], crest + down[0]
    return float(0.5 * (np.interp(half, y[i : i + 2], time[i : i + 2])
                        + np.interp(half, y[[j, j - 1]], time[[j, j - 1]])))  # fmt: skip


def passage(gauge):
    """The highest crest of a record: its height, m, its time and that of its middle, s."""
    i = int(np.argmax(gauge.elevation))
    time = np.interp(refined(gauge.elevation, i), np.arange(len(gauge.time)), gauge.time)
    return {"crest": top(gauge.elevation, i), "time": float(time),
            "middle": middle(gauge.time, gauge.elevation)}


def speeds(gauges, passages):
    """From each gauge to the next: the speed of the middle, m/s; None where one is missing or the
    gauges are at one distance."""
    found = []
    for first, second, one, other in zip(gauges, gauges[1:], passages, passages[1:]):
        way = second.distance - first.distance
        known = way > 0 and one["middle"] is not None and other["middle"] is not None
        late = other["middle"] - one["middle"] if known else 0
        found.append({"from": first.name, "to": second.name,
                      "speed": way / late if late > 0 else None})  # fmt: skip
    return found

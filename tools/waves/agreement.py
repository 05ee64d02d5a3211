"""How a record agrees with the column of theory."""

import numpy as np

from waves.gauges import uniform


def refined(y, i):
    """Where the parabola through y[i - 1], y[i], y[i + 1] is highest."""
    if not 0 < i < len(y) - 1:
        return float(i)
    bend = y[i + 1] - 2 * y[i] + y[i - 1]
    return i - 0.5 * (y[i + 1] - y[i - 1]) / bend if bend < 0 else float(i)


def correlation(a, b):
    """nan if one is constant."""
    size = np.std(a) * np.std(b)
    return float(np.mean((a - a.mean()) * (b - b.mean())) / size) if size > 0 else float("nan")


def agreement(gauge, most):
    """correlation, ratio of standard deviations (record over theory), lag (s, above 0: the record
    is late), and the correlation at that lag; lags up to `most`, s. None: no theory."""
    if gauge.theory is None or np.std(gauge.theory) == 0:
        return None
    step, record, theory = uniform(gauge)
    reach = max(1, min(int(round(most / step)), len(record) // 4))
    lags = np.arange(-reach, reach + 1)
    inner = slice(reach, len(record) - reach)
    values = np.array([correlation(np.roll(record, -lag)[inner], theory[inner]) for lag in lags])
    best = int(np.argmax(values))
    return {
        "correlation": correlation(record, theory),
        "ratio": float(np.std(record) / np.std(theory)),
        "lag": float((refined(values, best) - reach) * step),
        "correlation_at_lag": float(values[best]),
    }

"""Linear waves over a level floor, and the spectra of wave makers."""

from dataclasses import dataclass

import numpy as np

SINE = 20  # k d above which sinh(2 k d) is beyond all rounding
POINTS = 2000  # of a spectrum's integrals


def wave_number(omega, depth, gravity):
    """k, 1/m, of omega^2 = g k tanh(k d). omega (1/s) is a number above 0 or an array of such."""
    still = np.asarray(omega, float) ** 2 * depth / gravity
    kd = np.maximum(still, np.sqrt(still))
    for _ in range(50):  # Newton's method, from above: the left side is convex in k d
        tanh = np.tanh(kd)
        kd = kd - (kd * tanh - still) / (tanh + kd * (1 - tanh**2))
    return kd / depth


def group_speed(omega, depth, gravity):
    """The speed of energy, m/s."""
    k = wave_number(omega, depth, gravity)
    kd = np.minimum(k * depth, SINE)
    return 0.5 * omega / k * (1 + 2 * kd / np.sinh(2 * kd))


def jonswap(f, peak, gamma):
    """JONSWAP (Hasselmann et al. 1973) over f, Hz, but for a factor; gamma 1: Pierson & Moskowitz
    (1964)."""
    ratio = peak / np.asarray(f, float)
    width = np.where(f > peak, 0.09, 0.07)
    return (ratio**5 * np.exp(-1.25 * ratio**4)
            * gamma ** np.exp(-0.5 * ((f / peak - 1) / width) ** 2))  # fmt: skip


def integral(y, x):
    """By the trapezoidal rule."""
    return float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))


@dataclass(frozen=True)
class Target:
    """The spectrum that a maker is asked for: height Hs, m; peak, low and high, Hz."""

    height: float
    peak: float
    gamma: float
    low: float
    high: float

    def frequencies(self):
        return np.linspace(self.low, self.high, POINTS)

    def at(self, f):
        """The spectrum, m^2/Hz: 0 outside the band, and Hs^2/16 in all."""
        inner = self.frequencies()
        whole = integral(jonswap(inner, self.peak, self.gamma), inner)
        f = np.asarray(f, float)
        inside = (f >= self.low) & (f <= self.high)
        shape = jonswap(np.where(inside, f, self.peak), self.peak, self.gamma)
        return np.where(inside, self.height**2 / 16 * shape / whole, 0.0)

    def mean_period(self):
        """Tm-1,0 = m-1/m0, s."""
        f = self.frequencies()
        return integral(self.at(f) / f, f) / integral(self.at(f), f)

    def scatter(self, duration, components, rounds=10):
        """The standard deviation over the mean of Hs, of records of `duration` (s) with other
        random frequencies and phases. The mean square of a sum of sines has the variance
        sum m_i m_j sinc^2((f_i - f_j) duration) over i != j, m_i the square of a_i/sqrt 2."""
        random = np.random.default_rng(1)
        width = (self.high - self.low) / components
        total = 0.0
        for _ in range(rounds):
            f = self.low + width * (np.arange(components) + random.random(components))
            m = self.at(f)
            m /= m.sum()
            square = np.outer(m, m) * np.sinc(np.subtract.outer(f, f) * duration) ** 2
            total += square.sum() - np.trace(square)
        return float(0.5 * np.sqrt(total / rounds))

    def sea_scatter(self, duration):
        """That of a Gaussian sea of this spectrum, whose amplitudes are random as well."""
        f = self.frequencies()
        return 0.5 * np.sqrt(integral(self.at(f) ** 2, f) / duration) * 16 / self.height**2

"""Reflection of regular waves by three or more gauges (Mansard & Funke 1980), with the wavenumber
and the loss between the gauges as unknowns.

At the place x (m from the first gauge) the first harmonic is I exp(-(i k + m) x) + R exp((i k + m)
x): the incident wave decays away from the maker, the reflected one towards it. I and R are those at
the first gauge. loss: of a length, 1 - exp(-m L)."""

import math
from dataclasses import dataclass

import numpy as np
from plot.modules import AskedError

LEAST = 0.1  # of the determinant, the sum of sin^2 over three pairs
# Fits beyond these are of something else: the nonlinear k of the steepest waves is 10% off.
FAR_K, FAR_LOSS = 0.12, 0.3
# A fit whose K_r has a standard error above UNSURE, and above MORE times that of the fit with the
# fewest unknowns, gives way to one with fewer.
UNSURE, MORE = 0.02, 1.5
TRIES = 60  # of least squares


@dataclass(frozen=True)
class Reflection:
    """incident, reflected: complex, m, at the first gauge. k: 1/m; loss: a length; error: the
    standard error of K_r; left: the remainder over the amplitudes, which of `unknowns` as many as
    the data is 0 whatever they are (known: without a check)."""

    incident: complex
    reflected: complex
    k: float
    loss: float
    left: float
    error: float
    unknowns: int
    data: int
    fitted: str

    @property
    def ratio(self):
        return abs(self.reflected) / abs(self.incident)

    @property
    def decay(self):
        return -math.log(1 - self.loss) * self.k / (2 * math.pi)

    @property
    def is_checked(self):
        return self.unknowns < self.data

    def at(self, places):
        """(incident, reflected) amplitudes at places, m from the first gauge."""
        grow = np.exp((1j * self.k + self.decay) * np.asarray(places, float))
        return self.incident / grow, self.reflected * grow


def determinant(places, k):
    """The sum of sin^2 k (x_i - x_j), as of three pairs: Mansard & Funke's is twice that of three
    gauges, and 0 where waves of both directions look alike."""
    pairs = np.triu_indices(len(places), 1)
    part = np.sin(np.multiply.outer(k, np.subtract.outer(places, places)[pairs])) ** 2
    return 3 * part.mean(axis=-1)


def check_places(places, k):
    """AskedError: too few gauges, or spacings that tell nothing."""
    length = 2 * math.pi / k
    good = f"0, {0.1 * length:.3g} and {0.27 * length:.3g} m (0.1 and 0.27 of a length) apart"
    if len(places) < 3:
        raise AskedError(f"K_r needs three gauges, and there are {len(places)}: put them"
                         f" {good}")
    found = float(determinant(places, k))
    if found < LEAST:
        raise AskedError(f"the spacings of the gauges tell nothing of reflection: the sum of sin^2"
                         f" (k spacing) over three pairs is {found:.2g}, and at least {LEAST:g} is"
                         f" needed: put three {good}, or choose others with --probes")


def solve(places, c, k, decay):
    """(I, R, remainder [n]) by least squares."""
    grow = np.exp((1j * k + decay) * places)
    matrix = np.array([1 / grow, grow]).T
    found = np.linalg.lstsq(matrix, c, rcond=None)[0]
    return found[0], found[1], c - matrix @ found


def solve_changed(places, c, k, q):
    """The same of the wavenumber k (1 + q[0]), and the decay q[1] times that."""
    number = k * (1 + q[0])
    return solve(places, c, number, q[1] * number)


def remainder(places, c, k, q):
    """The relative remainder as real numbers."""
    left = solve_changed(places, c, k, q)[2] / np.linalg.norm(c)
    return np.concatenate([left.real, left.imag])


def least_squares(function, start):
    """The q near `start` at which |function(q)|^2 is least: Levenberg (1944), Marquardt (1963)."""
    q, damping = np.array(start, float), 1e-3
    value = function(q)
    for _ in range(TRIES):
        step = 1e-6
        slopes = np.array([(function(q + step * e) - function(q - step * e)) / (2 * step)
                           for e in np.eye(len(q))]).T  # fmt: skip
        square = slopes.T @ slopes
        move = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-30),
                               -slopes.T @ value)  # fmt: skip
        next_value = function(q + move)
        if next_value @ next_value <= value @ value:
            q, value, damping = q + move, next_value, max(damping / 10, 1e-15)
            if np.linalg.norm(move) < 1e-12:
                break
        elif (damping := 10 * damping) > 1e8:
            break
    return q


def start_of(places, c, k):
    """The change of k with which to begin. Gauges many lengths apart have several minima."""
    steps = np.arange(-FAR_K, FAR_K, 0.2 / (k * np.ptp(places)) + 1e-3)
    errors = [np.linalg.norm(remainder(places, c, k, (q, 0.0))) for q in steps]
    return float(steps[int(np.argmin(errors))])


def fit(places, c, k, given, unknowns, noise):
    """A Reflection. given: the loss where it is no unknown. unknowns: 0, 1 (k) or 2 (and loss).
    noise: standard error of a real or imaginary part of c, m."""
    fixed = -math.log(1 - given) / (2 * math.pi)

    def numbers(data):
        if unknowns == 0:
            return np.array([0.0, fixed])
        begin = start_of(places, c, k)
        if unknowns == 2:
            return least_squares(lambda q: remainder(places, data, k, q), [begin, fixed])
        return np.append(
            least_squares(lambda q: remainder(places, data, k, (q[0], fixed)), [begin]), fixed)

    def ratio(data):
        found = solve_changed(places, data, k, numbers(data))
        return abs(found[1]) / abs(found[0])

    q = numbers(c)
    found, square = solve_changed(places, c, k, q), 0.0
    for step in np.vstack([np.eye(len(c)), 1j * np.eye(len(c))]) if noise else ():
        square += (ratio(c + noise * step) - abs(found[1]) / abs(found[0])) ** 2
    words = ("k of linear theory", "k fitted", "k and loss fitted")[unknowns]
    if unknowns < 2:
        words += f", loss {100 * given:.3g}% given" if given else ", no loss"
    return Reflection(found[0], found[1], k * (1 + q[0]), 1 - math.exp(-2 * math.pi * q[1]),
                      float(np.linalg.norm(found[2]) / np.linalg.norm(c)), math.sqrt(square),
                      4 + unknowns, 2 * len(c), words)  # fmt: skip


def is_good(fitted, k, least):
    """least: the standard error of K_r of the fit with the fewest unknowns."""
    return (abs(fitted.k / k - 1) < FAR_K and abs(fitted.loss) < FAR_LOSS
            and fitted.error <= max(UNSURE, MORE * least))  # fmt: skip


def fits(places, c, k, noise, given=None):
    """(the chosen Reflection, all of them): that with the most unknowns that are sure. c
    [n]: the first harmonic; k: of linear theory, 1/m; given: the loss a length, which is then no
    unknown. AskedError: the gauges tell nothing."""
    check_places(places, k)
    most = 2 if given is None else 1
    found = [fit(places, c, k, given or 0.0, unknowns, noise) for unknowns in range(most, -1, -1)]
    chosen = next((one for one in found if is_good(one, k, found[-1].error)), found[-1])
    return chosen, found

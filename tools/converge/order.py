"""The observed order of a number at three spacings, its extrapolation and its error bar.

The model is f(h) = f0 + C h^p, with h1 < h2 < h3. Observed order and sign test: Celik et al. 2008.
Error bar: the grid convergence index of Roache 1994. docs/theory.md, "Convergence"."""

import math
from dataclasses import dataclass

FORMAL_ORDER = 2.0  # of a sum over particles with a kernel that is even and positive
SAFETY = 1.25  # for three spacings (Roache 1994)
BEYOND = 1.1 * FORMAL_ORDER  # larger orders are not the scheme's (Oberkampf & Roy 2010):
SAFETY_BEYOND = 3.0  # then the formal order, with this factor
SAME = 1e-6  # float has seven digits: smaller differences, relative to the number, are none
STEEPEST = 30.0  # an order beyond it is infinite: (1.1)^30 is 17, and no scheme has it

CONVERGING, OSCILLATING, DIVERGING = "converging", "oscillating", "diverging"
EQUAL, NONE = "equal", "no number"


@dataclass(frozen=True)
class Judgement:
    """verdict (equal: those of the two finer spacings are); observed order; extrapolated value;
    error bar of the value at the finest spacing; spread: largest minus smallest value. nan: there
    is none."""

    verdict: str
    order: float = math.nan
    extrapolated: float = math.nan
    error: float = math.nan
    spread: float = math.nan

    @property
    def beyond(self):
        """Whether the order is too large to be the scheme's."""
        return self.verdict == CONVERGING and self.order > BEYOND


def words(order, digits=3):
    """An order as text. An order beyond -STEEPEST or STEEPEST is not known, and the text says only
    that it is beyond."""
    if math.isinf(order):
        return f">{STEEPEST:g}" if order > 0 else f"<-{STEEPEST:g}"
    return "-" if math.isnan(order) else f"{order:.{digits}g}"


def observed_order(spacings, ratio):
    """p of (h3^p - h2^p)/(h2^p - h1^p) = ratio > 0, which is Celik's equation for s = 1. The left
    side rises with p, so the root is found by halving."""
    h1, h2, h3 = spacings
    fine, coarse = math.log(h2 / h1), math.log(h3 / h2)

    def excess(p):
        if abs(p) < 1e-12:
            return math.log(coarse / fine) - math.log(ratio)
        return p * fine + math.log(math.expm1(p * coarse) / math.expm1(p * fine)) - math.log(ratio)

    low, high = -STEEPEST, STEEPEST
    if excess(low) > 0 or excess(high) < 0:
        return -math.inf if excess(low) > 0 else math.inf
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return (low + high) / 2


def judge(spacings, values):
    """The judgement of three values at three spacings, in any order."""
    (h1, f1), (h2, f2), (h3, f3) = sorted(zip(spacings, values))
    if not all(math.isfinite(f) for f in values):
        return Judgement(NONE)
    spread, size = max(values) - min(values), max(abs(f) for f in values)
    fine, coarse = (d if abs(d) > SAME * size else 0.0 for d in (f2 - f1, f3 - f2))
    if fine == 0:
        return Judgement(EQUAL, spread=spread)
    if fine * coarse < 0:
        # Celik's equation for s = -1 has an order above 0 if the differences shrink.
        return Judgement(OSCILLATING if abs(fine) < abs(coarse) else DIVERGING, spread=spread)
    order = observed_order((h1, h2, h3), coarse / fine) if coarse else -math.inf
    if order <= 0:
        return Judgement(DIVERGING, order, spread=spread)
    to_limit = (f1 - f2) / ((h2 / h1) ** min(order, FORMAL_ORDER) - 1)
    error = (SAFETY_BEYOND if order > BEYOND else SAFETY) * abs(to_limit)
    return Judgement(CONVERGING, order, f1 + to_limit, error, spread)

"""Whether a run conserved its energy: the rule of `sluice energy`, `run` and `restart`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sluice.tables import Table


@dataclass(frozen=True)
class Verdict:
    """How large the residual, the energy that the budget misses, is.

    residual: the largest, J (2-D: J/m). reference: the reference energy, in the same unit; None:
    not known, and there is no verdict. tolerance: the config's energy.tolerance."""

    residual: float
    reference: float | None
    tolerance: float

    @property
    def share(self) -> float | None:
        """residual/reference."""
        return self.residual / self.reference if self.reference else None

    @property
    def conserved(self) -> bool | None:
        """share <= tolerance; None: no verdict."""
        return None if self.share is None else self.share <= self.tolerance

    def __str__(self) -> str:
        if self.share is None:
            return (
                f"largest residual {self.residual:.3g}; no reference energy is known, so there is"
                " no verdict"
            )
        word = "conserved" if self.conserved else "NOT conserved"
        return (
            f"largest residual {self.share:.2e} of the reference energy, tolerance"
            f" {self.tolerance:.0e}: {word}"
        )


def judge(energy: Table, reference: float | None, tolerance: float) -> Verdict:
    """The verdict on an energy budget. A residual that is not finite is the worst of all."""
    residual = np.abs(energy["residual"])
    worst = float(np.max(residual)) if np.all(np.isfinite(residual)) else float("inf")
    return Verdict(worst, reference, tolerance)

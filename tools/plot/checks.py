"""A number, its gate and its verdict; and a table of them."""

import math


class Check:
    """A number compared with a gate: passes when it is at most `gate` (or within [low, gate])."""

    def __init__(self, what, value, gate, unit="", low=None, note=""):
        self.what, self.value, self.gate, self.unit = what, float(value), gate, unit
        self.low, self.note = low, note

    @property
    def passed(self):
        if self.gate is None:
            return True
        low = -math.inf if self.low is None else self.low
        return math.isfinite(self.value) and low <= self.value <= self.gate

    def row(self):
        gate = "" if self.gate is None else f"<= {self.gate:.3g}"
        if self.low is not None:
            gate = f">= {self.low:.4g}"
            if math.isfinite(self.gate):
                gate = f"{self.low:.3g} .. {self.gate:.3g}"
        verdict = "for comparison" if self.gate is None else "pass" if self.passed else "MISS"
        value = "none" if math.isnan(self.value) else f"{self.value:.4g} {self.unit}".strip()
        return [self.what, value, gate, verdict, self.note]


def table_text(rows, head=("check", "measured", "gate", "verdict", "")):
    lines = ["| " + " | ".join(head).rstrip() + " |", "|" + "---|" * len(head)]
    return "\n".join(
        lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    )

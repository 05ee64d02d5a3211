"""The part of the records that is analysed."""

from dataclasses import dataclass

from plot.modules import AskedError

from waves.echo import PERIODS, clean_reflection


@dataclass(frozen=True)
class Window:
    """Seconds; why: where it begins and ends, in words; period: of the waves, or None."""

    start: float
    end: float
    why: str
    period: float = None

    @property
    def periods(self):
        return None if self.period is None else (self.end - self.start) / self.period


def default_start(gauges, maker):
    """(time, why): when waves of the full height are at the farthest gauge; of a wave that passes
    once, without a maker, or with one whose waves are not known, the start of the records."""
    first = max(gauge.time[0] for gauge in gauges)
    if maker is None or not maker.is_known or maker.wave in ("solitary", "focused"):
        return first, "from the start"
    if maker.face is None:
        raise AskedError(f"the paddle of '{maker.name}' is no box: when its waves are at the gauges"
                         " is not known: say with --from where the records are steady")
    last = max(gauges, key=lambda gauge: gauge.distance)
    return (max(first, maker.steady(max(last.distance, 0.0))),
            f"from when the record of '{last.name}' is steady")  # fmt: skip


def default_end(gauges, maker):
    """(time, why): the end of the records, or when the paddle slows down; of a solitary wave, half
    way between its passage of the farthest gauge and its return."""
    end = min(gauge.time[-1] for gauge in gauges)
    far = max(max(gauge.distance for gauge in gauges), 0.0)
    if maker and maker.wave == "solitary" and maker.echo(far) is not None:
        middle = 0.5 * (maker.steady(far) + maker.echo(far))
        return min(end, middle), "before the echo" if middle < end else "to the end"
    if maker is None or not maker.is_known or maker.wave in ("solitary", "focused"):
        return end, "to the end"
    return min(end, maker.slows), ("until the paddle slows down" if maker.slows < end else
                                   "to the end")  # fmt: skip


def choose(gauges, maker, start, end):
    """The Window of --from and --to, s, or None. AskedError: it has too little of the records."""
    low = max(gauge.time[0] for gauge in gauges)
    high = min(gauge.time[-1] for gauge in gauges)
    for name, value in (("from", start), ("to", end)):
        if value is not None and not low <= value <= high * (1 + 1e-9):
            raise AskedError(f"--{name} {value:g}: the records are from {low:.6g} to {high:.6g} s")
    if start is not None and end is not None and start >= end:
        raise AskedError(f"--from {start:g} is after --to {end:g}" if start > end else
                         f"--from {start:g} and --to {end:g} are the same time")  # fmt: skip
    clean = clean_reflection(gauges, maker) if start is None and end is None else None
    if clean:
        return Window(*clean, f"the reflection of {maker.reflector} is steady, and the paddle has"
                      " not reflected it again", maker.period)  # fmt: skip
    parts = []
    if start is None:
        start, why = default_start(gauges, maker)
        parts.append(why)
    if end is None:
        end, why = default_end(gauges, maker)
        parts.append(why)
    why = ", ".join(parts) or "as asked"
    lasts = maker and maker.is_known and maker.wave in ("regular", "irregular")
    period = maker.period if lasts else None
    if start >= end or (period and end - start < PERIODS * period * (1 - 1e-9)):
        size = "nothing"
        if period:
            size = f"{max(end - start, 0) / period:.2g} periods of {period:.4g} s"
        raise AskedError(f"the window from {start:.4g} to {end:.4g} s ({why}) holds {size}, and"
                         f" {PERIODS} are needed: run longer (time.end), choose nearer gauges with"
                         " --probes, or give --from and --to")
    return Window(start, end, why, period)

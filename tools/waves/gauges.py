"""The records of wave gauges: the tables of a run's height probes."""

from dataclasses import dataclass, replace

import numpy as np
from plot.modules import AskedError

import sluice
from sluice.errors import listed


@dataclass(frozen=True)
class Gauge:
    """time [n], s; elevation [n] above the water at rest and theory [n] (or None), m. distance:
    from the paddle, or from the origin if there is none, m. own_rest: the table has no elevation,
    so the first reading counts as that at rest."""

    name: str
    at: tuple
    distance: float
    time: np.ndarray
    elevation: np.ndarray
    theory: np.ndarray
    own_rest: bool
    dry: bool

    def between(self, start, end):
        keep = (self.time >= start) & (self.time <= end)
        return replace(self, time=self.time[keep], elevation=self.elevation[keep],
                       theory=None if self.theory is None else self.theory[keep])  # fmt: skip


def height_probes(run):
    """The names of the height probes that have a table."""
    return [name for name in run.probe_names
            if run.config.entry("probes", name).get("kind") == "height"]  # fmt: skip


def names_of(run, asked):
    """The probes that --probes chooses; None: all."""
    there = height_probes(run)
    if not there:
        others = ", ".join(run.probe_names)
        has = f"no height probe, but only {others}" if others else "no table of a probe"
        raise AskedError(f"{run.path} has {has}: add a height probe to the config's probes, as"
                         ' { name = "g1"; kind = "height"; at = [1.0]; every = 0.02; },'
                         " and run it again")
    names = [name.strip() for name in asked.split(",")] if asked else there
    for name in names:
        if name and names.count(name) > 1:
            raise AskedError(f"--probes {asked}: '{name}' is there twice: name each probe once")
        if name not in there:
            raise AskedError(f"--probes {name}: no height probe of {run.path}:"
                             f" {listed(there, name)}")
    return names


def wet_record(table):
    """Time, elevation, whether the first reading is taken as that at rest, and whether the gauge is
    dry in some rows, of a height probe's table."""
    height, depth = table["height"], table.get("depth", table["height"])
    dry = bool(np.any(~np.isfinite(height) | ~(depth > 0)))
    if "elevation" in table:
        return table["time"], table["elevation"], False, dry
    return table["time"], height - (height[0] if len(height) else 0), True, dry


def read_gauge(run, name, maker):
    """A Gauge. FileError: its table has no rows."""
    table = run.probe(name)
    if not table.rows:
        raise sluice.FileError(f"{table.path} has no rows yet")
    dimension = run.dimension
    at = tuple(float(x) for x in run.config.entry("probes", name)["at"])[: dimension - 1]
    along = maker.direction[: dimension - 1] if maker else (1.0, 0.0)[: dimension - 1]
    place = float(np.dot(at, along)) - ((maker.face or 0.0) if maker else 0.0)
    time, elevation, own_rest, dry = wet_record(table)
    theory = table["theory"] if "theory" in table else None
    return Gauge(name, at, place, time, elevation, theory, own_rest, dry)


def beside(gauges, maker):
    """The gauges that the maker's waves do not come to on a straight path: those behind its paddle
    or the reflector, and those without any theory where others have it."""
    if maker is None or maker.face is None:
        return []
    far = np.inf if maker.way is None else maker.way * (1 + 1e-9)
    known = [gauge.theory is not None and bool(np.any(np.isfinite(gauge.theory)))
             for gauge in gauges]  # fmt: skip
    return [gauge for gauge, has in zip(gauges, known)
            if not 0 <= gauge.distance <= far or (any(known) and not has)]


def leave_out_beside(gauges, maker):
    """(gauges, notes): those that --probes does not ask for, and that waves do not come to, are
    left out, unless there are no others."""
    out = beside(gauges, maker)
    if not out or len(out) == len(gauges):
        return gauges, []
    names = ",".join(gauge.name for gauge in out)
    inner = [gauge for gauge in gauges if all(gauge is not other for other in out)]
    return inner, [f"waves do not come to {names} on a straight path (behind {maker.reflector}, in"
                   f" a wall or at the paddle): left out; --probes {names} has their numbers"]


def read_gauges(run, asked, maker):
    """(gauges by their distance, notes). Dry gauges, and those that waves do not come to, are left
    out with a note; if --probes asks for them the first are an error, the second are kept."""
    gauges = [read_gauge(run, name, maker) for name in names_of(run, asked)]
    gauges, notes = (gauges, []) if asked else leave_out_beside(gauges, maker)
    dry = [gauge.name for gauge in gauges if gauge.dry]
    why = "is dry at times, so it has no elevation" if len(dry) == 1 else "are dry at times"
    names = ", ".join(f"'{name}'" for name in dry)
    if dry and (asked or len(dry) == len(gauges)):
        raise AskedError(f"{names} {why}: leave it out of --probes, or put gauges where water"
                         " always is")
    notes += [f"{names} {why}: left out"] if dry else []
    kept = sorted((gauge for gauge in gauges if not gauge.dry), key=lambda gauge: gauge.distance)
    if any(gauge.own_rest for gauge in kept):
        notes.append("the tables have no column 'elevation': it is height less its first reading")
    return kept, notes


def uniform(gauge, step=None, start=None, count=None):
    """(step, elevation, theory) at even times by linear interpolation, as rows are at the end of
    the time step that reaches their time. Without arguments: of the gauge's own median step."""
    step = step or float(np.median(np.diff(gauge.time)))
    start = gauge.time[0] if start is None else start
    count = count or int((gauge.time[-1] - start) / step * (1 + 1e-12)) + 1
    times = start + step * np.arange(count)
    theory = None if gauge.theory is None else np.interp(times, gauge.time, gauge.theory)
    return step, np.interp(times, gauge.time, gauge.elevation), theory

"""When echoes are in the records of gauges, what of them is clean, and what to do about it.

Of regular waves two windows are clean: before the echo, and, for the reflection, from when the echo
is steady at all gauges until the paddle's reflection of it comes to the first of them."""

import math

PERIODS = 3  # least number in a window


def before_reflector(gauges, maker):
    """The gauges between the paddle and the reflector; none where that, or the waves' speed, is
    unknown: that of a focused group is."""
    if maker is None or not maker.is_known or maker.wave == "focused" or maker.way is None:
        return []
    return [gauge for gauge in gauges if 0 <= gauge.distance <= maker.way * (1 + 1e-9)]


def incident_window(gauges, maker):
    """(from, to), s: all records are steady, and none has an echo."""
    return (maker.steady(max(gauge.distance for gauge in gauges)),
            min(maker.echo(gauge.distance) for gauge in gauges))  # fmt: skip


def reflected_window(gauges, maker):
    """(from, to), s: the echo is steady in all records, and the paddle's reflection in none."""
    return (max(maker.echo(gauge.distance) for gauge in gauges) + maker.ramp,
            min(maker.again(gauge.distance) for gauge in gauges))  # fmt: skip


def periods_of(part, maker):
    """Whole periods fit into what the millisecond of the options leaves."""
    start, end = rounded(part)
    return max(0.0, (end - start) / maker.period)


def rounded(part):
    """A window within, of whole milliseconds, as --from and --to print it."""
    return math.ceil(1e3 * part[0] - 1e-6) / 1e3, math.floor(1e3 * part[1] + 1e-6) / 1e3


def clean_reflection(gauges, maker):
    """The window of a steady reflection that the records hold; None: there is none, or too few
    gauges."""
    if maker is None or maker.wave != "regular":
        return None
    known = before_reflector(gauges, maker)
    if len({gauge.distance for gauge in known}) < 3 or len(known) < len(gauges):
        return None
    start, end = reflected_window(known, maker)
    end = min(end, maker.slows, *(gauge.time[-1] for gauge in known))
    return (start, end) if end - start >= PERIODS * maker.period * (1 - 1e-9) else None


def names(gauges):
    return ",".join(gauge.name for gauge in gauges)


def options(part):
    start, end = rounded(part)
    return f"--from {start:g} --to {end:g}"


def up(length):
    """A length, m, to the centimetre above it."""
    return f"{math.ceil(1e2 * length - 1e-6) / 1e2:g} m"


# --- Notes ---


def best(gauges, maker, window, least):
    """The most neighbours of the gauges, at least so many, whose window holds enough periods."""
    count = len(gauges)
    for size in range(count, least - 1, -1):
        for first in range(count - size + 1):
            part = gauges[first : first + size]
            if periods_of(window(part, maker), maker) >= PERIODS:
                return part
    return None


def longer(part, maker):
    """How much a window lacks, s."""
    return PERIODS * maker.period - (part[1] - part[0])


def echo_note(gauges, maker, part):
    """On an echo that grows within the window, or has before; None: there is none."""
    first, gauge = min(((maker.echo(gauge.distance), gauge) for gauge in gauges),
                       key=lambda pair: pair[0])  # fmt: skip
    steady = maker.wave == "regular" and part.start >= reflected_window(gauges, maker)[0] - 1e-9
    if first >= part.end or steady:
        return None
    text = f"the echo of {maker.reflector} is at '{gauge.name}' from {first:.4g} s"
    if maker.wave == "irregular":
        return f"{text}: the records hold waves of both directions"
    if maker.wave == "solitary":
        return f"{text}: --to {rounded((0, first))[1]:g} leaves it out"
    if first - part.start >= PERIODS * maker.period:
        return f"{text}: --to {rounded((0, first))[1]:g} leaves it out"
    chosen = best(gauges, maker, incident_window, 1)
    if chosen:
        where = "" if len(chosen) == len(gauges) else f"--probes {names(chosen)} "
        window = options(incident_window(chosen, maker))
        return f"{text}: {where}{window} leaves it out"
    window = incident_window(gauges, maker)
    need = maker.way + longer(window, maker) * maker.front / 2
    return (f"{text}: this flume leaves {periods_of(window, maker):.2g} steady periods before it at"
            f" these gauges; with the reflector {up(need)} or farther from the paddle it would"
            f" leave {PERIODS}")  # fmt: skip


def reflection_note(gauges, maker, part, records_end):
    """How to measure the reflection of regular waves; None: it is measured, or is not there."""
    start, end = reflected_window(gauges, maker)
    if part.start >= start * (1 - 1e-9) or part.end <= min(maker.echo(g.distance) for g in gauges):
        return None
    chosen = best(gauges, maker, reflected_window, 3)
    if chosen:
        start, end = reflected_window(chosen, maker)
        where = "" if len(chosen) == len(gauges) else f" at {names(chosen)}"
        least = rounded((start, end))[0] + PERIODS * maker.period
        if min(records_end, maker.slows) < least:
            return (f"its reflection is steady{where} from {start:.4g} s on, and the records hold"
                    f" less than {PERIODS} periods of it: run to {least:.4g} s or longer (time.end,"
                    " and stop of the motion)")  # fmt: skip
        window = options((start, min(end, records_end, maker.slows)))
        probes = "" if len(chosen) == len(gauges) else f"--probes {names(chosen)} "
        return (f"its reflection is steady{where} from {start:.4g} s until the paddle reflects it"
                f" again, {end:.4g} s: {probes}{window} measures it")
    lack = longer((start, end), maker) * maker.front / 2
    near = min(gauge.distance for gauge in gauges)
    return (f"this flume leaves {periods_of((start, end), maker):.2g} clean periods for the"
            " reflection at these gauges, between its steady echo and what the paddle makes of"
            f" that: gauges {up(near + lack)} or farther from the paddle, and the reflector"
            f" {up(maker.way + lack)} or farther, would leave {PERIODS}")


def again_note(gauges, maker, part):
    """On waves within the window that the paddle has reflected; None: there are none."""
    first, gauge = min(((maker.again(gauge.distance), gauge) for gauge in gauges),
                       key=lambda pair: pair[0])  # fmt: skip
    if part.end <= first * (1 + 1e-9):
        return None
    return (f"the paddle reflects the echo again: those waves are at '{gauge.name}' from"
            f" {first:.4g} s on")  # fmt: skip


def notes_on(gauges, maker, part, records_end):
    """The notes on the echoes of a window."""
    gauges = before_reflector(gauges, maker)
    if not gauges:
        return []
    found = [echo_note(gauges, maker, part)]
    if maker.wave == "regular" and len(gauges) >= 3:
        found.append(reflection_note(gauges, maker, part, records_end))
    return [note for note in [*found, again_note(gauges, maker, part)] if note]

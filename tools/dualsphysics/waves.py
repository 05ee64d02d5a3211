"""wavepaddles: pistons and flaps that make waves."""

import math

import numpy as np

from dualsphysics.motion import Motion
from dualsphysics.report import DICTIONARY, GUIDE, LIMITS, refuse

WAVES = f"{LIMITS}#waves"
MAKERS = ("piston", "flap", "piston_spectrum", "flap_spectrum", "piston_focused",
          "piston_solitary")  # fmt: skip


def read(case, report):
    """The motions of kind wave."""
    paddles = case.special.first("wavepaddles") if case.waves else None
    found = []
    for element in paddles.children if paddles is not None else []:
        if element.tag in MAKERS:
            found += _maker(case, element, report)
        else:
            report.missing(element, "this wave maker", WAVES)
    return found


def _maker(case, element, report):
    mk = case.whole_value(element, "mkbound", 0)
    name = f"bound{mk}"
    rows = [("name", f"waves_{name}"), ("carries", name), ("kind", "wave")]
    solitary, flap = "solitary" in element.tag, element.tag.startswith("flap")
    spectrum, focused = "spectrum" in element.tag, "focused" in element.tag
    word = ("solitary" if solitary else "irregular" if spectrum
            else "focused" if focused else "regular")  # fmt: skip
    rows.append(("wave", word))
    if flap:
        ends = [case.vector(case.need(element, f"flapaxis{k}")) for k in (0, 1)]
        centre = case.flat(ends[0])
        rows += [("paddle", "flap"), ("centre", centre)]
        if case.dimension == 3:
            across = int(np.argmax(np.abs(ends[1] - ends[0])))
            rows.append(("axis", "xyz"[across]))
        draft = case.value(element, "variabledraft", 0.0)
        if draft:
            rows.append(("hinge", -draft))
    direction = element.first("pistondir")
    if direction is not None:
        flat = case.flat(case.direction(direction))
        if flat[-1] or not flat.any():
            refuse(direction, "a piston moves along the floor", f"{GUIDE}#waves")
        if not np.allclose(flat / np.linalg.norm(flat), np.eye(len(flat))[0]):
            rows.append(("direction", flat))
    depth = case.value(element, "depth")
    if depth is None:
        refuse(element, "it has no depth", DICTIONARY)
    rows.append(("depth", depth))
    height = case.value(element, "waveheight")
    if height is None:
        refuse(element, "it has no waveheight", DICTIONARY)
    rows.append(("height", height))
    period = case.value(element, "waveperiod")
    if period is not None and not solitary:
        rows.append(("period", period))
    rows += _kind(case, element, word, period, report)
    start = case.value(element, "start", 0.0)
    if start:
        rows.append(("start", start))
    duration = case.value(element, "duration", 0.0)
    if duration and not solitary:
        rows.append(("stop", start + duration))
    _leftovers(element, report)
    return [Motion(element, rows, reach=height * np.eye(case.dimension)[0])]


def _kind(case, element, word, period, report):
    rows = []
    order, gain = element.first("waveorder"), case.value(element, "gainstroke", 1.0)
    if gain != 1.0:
        rows.append(("gain", gain))
    if order is not None:
        value = case.whole(order, "value", 1)
        if word == "regular" and value == 1:
            rows.append(("order", 1))
        elif word == "regular":
            pass  # the second order where it holds
        elif value > 1:
            report.changed(order, "spectra are of first order: their long waves are free", WAVES)
    if word == "regular":
        phase = case.value(element, "phase", 0.0)
        if phase:
            rows.append(("phase", phase * math.pi))
        ramp = case.value(element, "ramp", 0.0) * (period or 0.0)
        if ramp:
            rows.append(("ramp", ramp))
        else:
            report.changed(element, "no ramp: two periods are taken, for a paddle begins at rest",
                           f"{GUIDE}#waves")  # fmt: skip
    if word == "solitary":
        theory = case.whole_value(element, "theory", 1)
        if theory not in (1, 2):
            refuse(element, f"theory {theory} (KdV) is not there: 1 (Rayleigh) or 2 (Boussinesq)",
                   DICTIONARY)  # fmt: skip
        rows.append(("theory", {1: "rayleigh", 2: "boussinesq"}[theory]))
        for tag in ("durationcoef", "waves"):
            child = element.first(tag)
            if child is not None and case.number(child, "value", 1.0) != 1.0:
                if tag == "waves":
                    report.missing(child, "one wave is made: each further one is an entry of"
                                   " `motions` with its `start`", DICTIONARY)  # fmt: skip
                else:
                    report.changed(child, "the paddle moves as long as its theory says", DICTIONARY)
    if word in ("irregular", "focused"):
        rows += _spectrum(case, element, word, report)
    return rows


def _spectrum(case, element, word, report):
    rows = []
    named = element.first("spectrum")
    kind = named.get("value", "jonswap").strip().lower() if named is not None else "jonswap"
    if kind not in ("jonswap", "pierson-moskowitz"):
        refuse(named, f"a spectrum '{kind}' is not known", WAVES)
    rows.append(("spectrum", kind))
    if kind == "jonswap":
        rows.append(("gamma", case.value(element, "peakcoef", 3.3)))
    components = case.whole_value(element, "waves")
    if components:
        rows.append(("components", components))
    seed = case.whole_value(element, "randomseed")
    if seed is not None:
        rows.append(("seed", seed))
        report.changed(element.first("randomseed"),
                       "the same number gives another record: this program has its own random"
                       " numbers", DICTIONARY)  # fmt: skip
    ramp = case.value(element, "ramptime", 0.0)
    if ramp:
        rows.append(("ramp", ramp))
    if word == "focused":
        rows.append(("focus_at", case.value(element, "xf", 0.0)))
        time = case.value(element, "tf", 0.0)
        rows.append(("focus_time", time))
        if not time:
            report.changed(element, "it has no tf: `sluice check` says from which focus_time on all"
                           " waves are there", f"{GUIDE}#waves")  # fmt: skip
        phase = case.value(element, "fphase", 0.0)
        if phase:
            rows.append(("focus_phase", math.degrees(phase)))
    for tag, text in (
        ("serieini", "the record begins at its own start"),
        ("discretization", "a frequency at a random place of each equal interval"),
    ):
        child = element.first(tag)
        if child is not None:
            child.take_all()
            report.changed(child, text, DICTIONARY)
    return rows


def _leftovers(element, report):
    for child in element.children:
        if child.taken:
            continue
        if child.tag in ("savemotion", "saveserie", "saveseriewaves", "calcserielength"):
            report.skipped(child, "height probes have a column `theory`")
        elif child.tag.startswith("awas"):
            report.missing(child, "absorption of reflected waves at the paddle (AWAS)", WAVES)


def damping(case, report):
    """damping and relaxationzones: to the list."""
    for tag, text in (
        ("damping", "damping zones: a long tank or a gentle beach instead"),
        ("relaxationzones", "relaxation zones: a wave maker instead"),
        ("mlpistons", "multi-layer pistons"),
        ("mlayerpistons", "multi-layer pistons"),
    ):
        element = case.special.first(tag) if case.special is not None else None
        if element is not None:
            report.missing(element, text, WAVES)

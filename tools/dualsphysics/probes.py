"""gauges: `probes`."""

import numpy as np

from dualsphysics.report import DICTIONARY, LIMITS

PROBES = f"{LIMITS}#probes"


def read(case, constants, report):
    """The entries of `probes`: (rows, element, words)."""
    gauges = case.special.first("gauges") if case.special is not None else None
    if gauges is None:
        return []
    shared, entries = gauges.first("default"), []
    if shared is not None:
        _settings(shared, report)
    for child in gauges.children:
        if child.tag == "default":
            continue
        maker = MAKERS.get(child.tag)
        if not maker:
            report.missing(child, "this gauge: see `sluice measure` for planes and grids", PROBES)
            continue
        rows = maker(case, child, report)
        if rows:
            every = _every(case, constants, child, shared)
            entries.append(([("name", child.get("name", f"{child.tag}{len(entries)}")), *rows,
                             ("every", every)], child, ""))  # fmt: skip
            _settings(child, report)
    return entries


def _settings(element, report):
    for child in element.children:
        if child.tag in ("savevtkpart", "output", "computetime", "outputtime", "pointdp",
                         "coefmasslimit", "masslimit", "computedt", "outputdt",
                         "distlimit"):  # fmt: skip
            if not child.taken:
                report.skipped(child, "probes have a name, a place and `every`")
            child.take_all()


def _every(case, constants, child, shared):
    """The interval of the table: outputdt, else computedt, else a tenth of TimeOut."""
    for tag in ("outputdt", "computedt"):
        for element in (child, shared):
            value = case.value(element, tag) if element is not None else None
            if value:
                return value
    return (constants.parameter("TimeOut") or 0.01) / 10


def _point(case, element, tag):
    child = element.first(tag)
    return None if child is None else case.place(child)


def _swl(case, element, report):
    """A line from point0 to point2: upright a height, along the floor a front, else a run-up."""
    first, last = _point(case, element, "point0"), _point(case, element, "point2")
    if first is None or last is None:
        report.missing(element, "a level without point0 and point2", PROBES)
        return None
    level = np.ptp(np.array([first, last]), axis=0)
    if np.all(level[:-1] <= 1e-9):
        return [("kind", "height"), ("at", first[:-1])]
    if level[-1] <= 1e-9 and np.sum(level[:-1] > 1e-9) == 1:
        axis = int(np.argmax(level[:-1]))
        report.changed(element, "a level line: the foremost water above its height, from the"
                                " domain's lower end on", PROBES)  # fmt: skip
        return [("kind", "front"), ("axis", "xyz"[axis]), ("above", first[-1])]
    if first[-1] > last[-1]:
        first, last = last, first
    report.changed(element, "a slanting line: the run-up of water along it", PROBES)
    count = max(2, int(np.linalg.norm(last - first) / case.spacing) + 1)
    return [("kind", "runup"), ("from", first), ("to", last), ("points", min(count, 100000))]


def _velocity(case, element, _report):
    place = element.first("point")
    at = case.place(place if place is not None else element)
    return [("kind", "point"), ("quantity", "velocity"), ("at", at)]


def _maxz(case, element, report):
    place = element.first("point0")
    if place is None:
        report.missing(element, "a gauge without point0", PROBES)
        return None
    report.changed(element, "the water's level, not the highest particle", PROBES)
    height = element.first("height")
    if height is not None:
        height.take_all()
    return [("kind", "height"), ("at", case.place(place)[:-1])]


def _force(case, element, report):
    target = element.first("target")
    mk = case.number(target, "mkbound") if target is not None else None
    if mk is None:
        report.missing(element, "a force on something else than an mkbound", PROBES)
        return None
    return [("kind", "force"), ("on", f"bound{int(mk)}")]


def _flow(case, element, report):
    report.missing(element, "a flow gauge: a probe of kind flux, with its corners", DICTIONARY)


MAKERS = {"swl": _swl, "velocity": _velocity, "vel": _velocity, "maxz": _maxz, "force": _force,
          "flow": _flow}  # fmt: skip

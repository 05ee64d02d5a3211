"""The domain: GenCase's limits, `simulationdomain`, periodic axes, on the lattice of the faces."""

import numpy as np

from dualsphysics.report import DICTIONARY, LIMITS, refuse

PERIODIC = {"XYPeriodic": "xy", "XZPeriodic": "xz", "YZPeriodic": "yz"}


def periodic_axes(case, constants, report):
    """Which axes of the space are periodic."""
    found = set()
    for name, element in constants.parameters.items():
        if name in PERIODIC:
            value = element.get("value", "0").strip().lower()
            found |= set(PERIODIC[name]) if value not in ("false", "0") else set()
        elif name[1:].startswith("PeriodicInc") and name[0] in "XYZ":
            found.add(name[0].lower())
            if constants.parameter(name):
                report.missing(element, f"a periodic axis with an offset of"
                               f" {constants.parameter(name):g} m", f"{LIMITS}#geometry")
    axes = "xz" if case.dimension == 2 else "xyz"
    return [axis in found for axis in axes]


def _limit(case, element, axis, default, size):
    """"default", "default + 50%", "default - 2" or a number."""
    if element is None:
        return default
    text = element.get(axis, "default").strip()
    if not text.startswith("default"):
        return case.number_of(element, axis, text)
    rest = text[len("default") :].replace(" ", "")
    if not rest:
        return default
    share = rest.endswith("%")
    try:
        by = float(rest.rstrip("%"))
    except ValueError:
        refuse(element, f"'{text}' is no place", DICTIONARY)
    return default + (by / 100 * size if share else by)


class Domain:
    """`low`, `high`, `periodic` of the config."""

    def __init__(self, case, constants, scene, extra, report):
        self.periodic = periodic_axes(case, constants, report)
        self.element = None
        limits = case.root.first("execution/parameters/simulationdomain")
        low, high = scene.low.copy(), scene.high.copy()
        for shape in scene.shapes:
            if shape.kind == "body":
                low = np.minimum(low, shape.form.bounds()[0])
                high = np.maximum(high, shape.form.bounds()[1])
        size = high - low
        axes = "xz" if case.dimension == 2 else "xyz"
        if limits is not None:
            self.element = limits
            for name, ends in (("posmin", low), ("posmax", high)):
                element = limits.first(name)
                for k, axis in enumerate(axes):
                    ends[k] = _limit(case, element, axis, ends[k], size[k])
                if element is not None:
                    element.take_all()
        elif "IncZ" in constants.parameters:
            high[-1] += (constants.parameter("IncZ") or 0.0) * size[-1]
        for name, element in constants.parameters.items():
            if name.startswith("DomainFixed") and limits is None:
                self._fixed(case, name, element, low, high)
        for bounds in extra:
            low, high = np.minimum(low, bounds[0]), np.maximum(high, bounds[1])
        for k, periodic in enumerate(self.periodic):
            if periodic:
                low[k], high[k] = self._period(case, scene, k, report)
        dp = case.spacing
        steps = np.floor((low - scene.anchor) / dp + 1e-6)
        snapped = scene.anchor + steps * dp
        self.low = np.where(self.periodic, low, snapped)
        counts = np.ceil((high - self.low) / dp - 1e-6)
        self.high = self.low + counts * dp

    def _fixed(self, case, name, element, low, high):
        """DomainFixed = "xmin:ymin:zmin:xmax:ymax:zmax", or one limit, DomainFixedXmin."""
        numbers = [case.number_of(element, "value", word)
                   for word in element.get("value", "").split(":")]  # fmt: skip
        self.element = element
        if len(numbers) == 6:
            low[:], high[:] = case.flat(numbers[:3]), case.flat(numbers[3:])
        elif len(numbers) == 1 and name[-4:-3] in "XYZ":
            axes = "XZ" if case.dimension == 2 else "XYZ"
            if name[-4] in axes:
                (low if name.endswith("min") else high)[axes.index(name[-4])] = numbers[0]
        else:
            refuse(element, "it takes one number, or six between colons", DICTIONARY)

    def _period(self, case, scene, k, report):
        """GenCase's period: its points and one more spacing."""
        bounds = [shape.form.bounds() for shape in scene.shapes if shape.kind in ("fluid", "wall")]
        low = max(min(b[0][k] for b in bounds), case.point_min[k])
        high = min(max(b[1][k] for b in bounds), case.point_max[k])
        count = max(1, int(np.ceil((high - low) / case.spacing - 1e-6)))
        if abs(count * case.spacing - (high - low)) > 1e-6 * case.spacing:
            report.changed(None, f"the period along axis {k + 1} is {count * case.spacing:.6g} m,"
                           f" whole spacings, and {high - low:.6g} m is drawn")  # fmt: skip
        return low, low + count * case.spacing

    def write(self, text):
        rows = [("min", self.low, None), ("max", self.high, self.element)]
        if any(self.periodic):
            rows.append(("periodic", self.periodic, None))
        text.group("domain", rows)

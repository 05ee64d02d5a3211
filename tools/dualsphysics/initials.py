"""initials and rhopgradient: `initial`."""

import numpy as np

from dualsphysics.report import LIMITS, refuse

START = f"{LIMITS}#start"


def read(case, constants, fluids, periodic, report):
    """The entries of `initial`. `fluids` are the mkfluid that figures drew."""
    entries, has_density = [], False
    initials = case.root.first("casedef/initials")
    for child in initials.children if initials is not None else []:
        if any(inner.tag == "onlypos" for inner in child.children):
            report.missing(child, "a start by place: a file of particles instead", START)
        elif child.tag in ("velocity", "fluidvelocity"):
            entries += _velocity(case, child, fluids, report)
        elif child.tag == "densitydepth":
            place = child.first("posswl")
            level = [("level", case.number(place, "z", 0.0))] if place is not None else []
            if _on(case, child, fluids):
                report.changed(child, "this pressure is that of all of the water", START)
            entries.append(([("field", "pressure"), ("kind", "hydrostatic"), *level], child, ""))
            has_density = True
        elif child.tag == "densityuniform":
            rho = case.number(child, "rhop", 0.0)
            entries.append(([("field", "density"), ("kind", "uniform"), ("value", rho)]
                            + _on(case, child, fluids), child, ""))  # fmt: skip
            has_density = True
        elif child.tag in ("densitygradient", "velmesh", "velwave", "densitymesh", "moverandom",
                           "move", "rotateaxis"):  # fmt: skip
            report.missing(child, "this start: a file of particles instead", START)
    gradient = constants.of.get("rhopgradient")
    kind = int(constants.number("rhopgradient", 2.0))
    if kind != 1 and any(constants.gravity) and not has_density and fluids:
        axis = int(np.argmax(np.abs(case.flat(constants.gravity))))
        if periodic[axis]:
            return entries
        horizontal = np.delete(constants.gravity, np.argmax(np.abs(constants.gravity)))
        if np.any(horizontal):
            report.changed(gradient or constants.of["gravity"], "gravity is not along an axis:"
                           " the pressure starts at 0", START)  # fmt: skip
        else:
            entries.append(([("field", "pressure"), ("kind", "hydrostatic")],
                            gradient or constants.of["gravity"], ""))  # fmt: skip
    return entries


def _on(case, child, fluids):
    """The fluid that is set, unless it is all of it."""
    mk = case.whole(child, "mkfluid")
    if mk is None or fluids == {mk}:
        return []
    return [("on", f"fluid{mk}")]


def _velocity(case, child, fluids, report):
    if child.get("mkbound") is not None:
        refuse(child, "a velocity of a wall that stays where it is: a motion of kind linear along a"
               " periodic axis instead", START)  # fmt: skip
    direction = child.first("direction")
    if direction is None:
        vector = case.vector(child)
    else:
        speed = child.first("velocity")
        if speed is None:
            report.missing(child, "a profile of the velocity at the start", START)
            return []
        unit = case.direction(direction)
        vector = unit / np.linalg.norm(unit) * case.number(speed, "v", 0.0)
    flat = case.in_plane(vector, child, report)
    if not flat.any():
        report.skipped(child, "water is at rest unless set")
        return []
    return [([("field", "velocity"), ("kind", "uniform"), ("value", flat)]
             + _on(case, child, fluids), child, "")]  # fmt: skip

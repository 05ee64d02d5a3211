"""floatings, and the bodies and links of chrono: `bodies`, `moorings`, `contact`."""

from dualsphysics.case import numbers_of
from dualsphysics.report import DICTIONARY, LIMITS, refuse

BODIES = f"{LIMITS}#bodies"
LINKS = {"link_pointline": "a joint that slides", "link_pulley": "a pulley",
         "link_coulombdamping": "a damper by friction", "link_distance": "a rod"}  # fmt: skip


def read(case, constants, drawn, report):
    """The entries of `bodies`: (rows, element, words). `drawn` are the mk that figures drew."""
    entries = []
    for mk, element in sorted(case.bodies.items()):
        if mk not in drawn:
            report.changed(element, f"no figure has the mk {mk}: no body", DICTIONARY)
            element.take_all()
            continue
        entries.append((_body(case, constants, mk, element, report), element, f"mk {mk}"))
    return entries


def _body(case, constants, mk, element, report):
    rows = [("name", f"bound{mk}")]
    density, weight = case.number(element, "rhopbody"), case.number(element, "relativeweight")
    mass = case.value(element, "massbody")
    if mass:
        rows.append(("mass", mass))
    elif density or weight:
        rows.append(("density", density or weight * constants.number("rhop0", 1000.0)))
    else:
        refuse(element, "it has no massbody, rhopbody or relativeweight above 0", DICTIONARY)
    centre = element.first("center")
    if centre is not None:
        rows.append(("centre", case.place(centre)))
    rows += _inertia(case, element)
    for tag, key in (("linearvelini", "velocity"), ("angularvelini", "spin")):
        child = element.first(tag)
        if child is not None:
            vector = case.vector(child)
            if key == "velocity":
                rows.append((key, case.in_plane(vector, child, report)))
            else:
                rows.append((key, -float(vector[1]) if case.dimension == 2 else vector))
                if case.dimension == 2 and any(vector[[0, 2]]):
                    report.changed(child, "in 2-D a body turns about y alone: its x and z are left"
                                          " out")  # fmt: skip
    locked = _locked(case, element)
    if locked:
        rows.append(("locked", ", ".join(locked)))
    pause = constants.parameter("FtPause", 0.0)
    if pause:
        rows.append(("release", pause))
    for tag in ("linearvel", "angularvel", "linearforce", "angularforce"):
        child = element.first(tag)
        if child is not None:
            refuse(child, "a body on a path, or with a force, of a table: a wall with a motion of"
                          " kind table instead", BODIES)  # fmt: skip
    child = element.first("masspart")
    if child is not None:
        report.skipped(child, "masses of points follow from the body's")
    if element.get("property") is not None:
        rows += _material(case, element, report)
    return rows


def _inertia(case, element):
    child, full = element.first("inertia"), element.first("inertiafull")
    if full is not None:
        values = {}
        for line in full.all("values"):
            for name in list(line.attributes):
                values[name] = case.number(line, name)
        diagonal = [values.get(f"v{k}{k}", 0.0) for k in (1, 2, 3)]
        if case.dimension == 2:
            return [("inertia", diagonal[1])]
        products = [values.get("v12", 0.0), values.get("v13", 0.0), values.get("v23", 0.0)]
        return [("inertia", diagonal)] + ([("products", products)] if any(products) else [])
    if child is None:
        return []
    vector = case.vector(child)
    return [("inertia", float(vector[1]) if case.dimension == 2 else vector)]


def _locked(case, element):
    """Degrees of freedom that are held. In 2-D the plane is (x, z), and rotations are about y."""
    found = []
    for tag, before in (("translationDOF", ""), ("rotationDOF", "r")):
        child = element.first(tag)
        if child is None:
            continue
        free = [case.number(child, axis, 1.0) != 0 for axis in "xyz"]
        if case.dimension == 3:
            found += [before + axis for axis, is_free in zip("xyz", free) if not is_free]
        elif before:
            found += [] if free[1] else ["rz"]
        else:
            found += [name for name, is_free in zip("xy", (free[0], free[2])) if not is_free]
    return found


def _material(case, element, report):
    """Young's modulus and its like, from the properties of the file itself."""
    name = element.get("property")
    properties = case.root.first("casedef/properties")
    rows = []
    for child in properties.children if properties is not None else []:
        if child.tag == "property" and child.attributes.get("name") == name:
            for tag, key in (("Young_Modulus", "stiffness"), ("PoissonRatio", "poisson"),
                             ("Restitution_Coefficient", "restitution"), ("Kfric", "friction")):
                value = child.first(tag)
                if value is not None:
                    rows.append((key, case.number(value, "value", 0.0)))
            child.take_all()
            return rows
    report.changed(element, f"the property '{name}' is in another file: default contacts (stiffness"
                   " 1e6 Pa, restitution 0.5, friction 0.4)", "docs/guide-bodies.md#contacts")
    return rows


def moorings(case, report):
    """The links of chrono as springs and hinges."""
    chrono = case.special.first("chrono") if case.special is not None else None
    if chrono is None:
        return []
    entries, names = [], {}
    for child in chrono.children:
        if child.tag in ("bodyfloating", "bodyfixed", "bodymoving"):
            mks = numbers_of(child, "mkbound")
            if len(mks) > 1:
                report.changed(child, f"joints hold its first part alone, mk {mks[0]}", BODIES)
            names[child.get("id", "")] = (child.tag, f"bound{mks[0]}")
            child.take_all()
        elif child.tag in ("savedata", "schemescale", "collision"):
            report.skipped(child, "bodies touch each other and walls always")
        elif child.tag in ("link_hinge", "link_spheric", "link_linearspring"):
            entry = _link(case, child, names, report)
            entries += [entry] if entry else []
        elif child.tag.startswith("link_"):
            report.missing(child, LINKS.get(child.tag, "this joint"), BODIES)
    return entries


def _ends(child, names):
    """(floating, other): the other is None where it is fixed."""
    bodies = [names.get(child.get(f"idbody{k}", ""), None) for k in (1, 2)]
    floating = [body[1] for body in bodies if body and body[0] == "bodyfloating"]
    moving = [body for body in bodies if body and body[0] == "bodymoving"]
    if moving or not floating:
        return None, None
    return floating[0], floating[1] if len(floating) > 1 else None


def _link(case, child, names, report):
    body, other = _ends(child, names)
    if body is None:
        report.missing(child, "a joint to a wall that moves, or to no floating body", BODIES)
        return None
    rows = [("kind", "spring" if "spring" in child.tag else "hinge"), ("body", body)]
    rows += [("other", other)] if other else []
    stiffness, damper = (case.value(child, tag, 0.0) for tag in ("stiffness", "damping"))
    if "spring" in child.tag:
        points = [case.place(case.need(child, f"point_fb{k}")) for k in (1, 2)]
        if names.get(child.get("idbody1", ""), ("", ""))[1] != body:
            points.reverse()
        rows += [("at", points[0]), ("to", points[1]), ("stiffness", stiffness),
                 ("damping", damper), ("length", case.value(child, "rest_length", 0.0))]
        saved = child.first("savevtk")
        if saved is not None:
            report.skipped(saved, "pictures of springs")
    else:
        at = case.place(case.need(child, "rotpoint"))
        rows.append(("at", at))
        axis = child.first("rotvector")
        if axis is not None and case.dimension == 3 and child.tag == "link_hinge":
            rows += [("axis", case.vector(axis)), ("width", 4 * case.spacing)]
        elif axis is not None:
            axis.take_all()
        if stiffness or damper:
            report.changed(child, f"a spring about the joint ({stiffness:g} N m, damping"
                                  f" {damper:g}) is left out", BODIES)  # fmt: skip
        rows.append(("stiffness", _hinge_stiffness(case)))
        report.changed(child, f"the joint is a spring of {rows[-1][1]:g} N/m, which gives a little:"
                       " choose it", "docs/guide-bodies.md#moorings")  # fmt: skip
    return rows, child, f"{child.get('idbody1', '')} {child.get('idbody2', '')}".strip()


def _hinge_stiffness(case):
    """One at which water of a cube of twenty spacings hangs with a hundredth of a spacing."""
    weight = 9.81 * 1000.0 * (20 * case.spacing) ** case.dimension
    return float(f"{weight / (0.01 * case.spacing):.1g}")


def others(case, report):
    """moorings (MoorDyn), flexible structures, properties."""
    for tag, text, page in (
        ("moorings", "lines with weight and drag (MoorDyn)", BODIES),
        ("flexstrucs", "structures that bend", BODIES),
        ("ftcollisions", "", ""),
    ):
        element = case.special.first(tag) if case.special is not None else None
        if element is None:
            continue
        if text:
            report.missing(element, text, page)
        else:
            report.skipped(element, "bodies touch each other and walls always")
    properties = case.root.first("casedef/properties")
    if properties is not None:
        for child in properties.children:
            report.skipped(child, "materials of walls and bodies have keys of their own: `contact`"
                           " and those of `bodies`")  # fmt: skip

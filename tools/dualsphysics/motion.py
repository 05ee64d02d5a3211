"""motion: walls on known paths. One movement without an end is a motion of its kind; a sequence is
a table."""

import math
import os

import numpy as np

from dualsphysics.report import DICTIONARY, LIMITS, refuse

ROWS_A_SECOND, MOST_ROWS, MOST_MOVEMENTS = 200, 10_000_000, 100_000
FILES = ("mvrectfile", "mvrotfile", "mvfile", "mvpredef")  # the last two: names of older versions


class Motion:
    """An entry of `motions`: its rows, and the table that it needs, (name, header, rows)."""

    def __init__(self, element, rows, table=None, reach=0.0):
        self.element, self.rows, self.table, self.reach = element, rows, table, reach

    @property
    def speed(self):
        """The largest speed that it gives, m/s, as far as it is known."""
        rows = dict(self.rows)
        if self.table:
            header, values = self.table[1:]
            places = values[:, [k for k, name in enumerate(header) if name in "xyz"]]
            steps = np.linalg.norm(np.diff(places, axis=0), axis=1) / np.diff(values[:, 0])
            return float(steps.max())
        if "amplitude" in rows:
            return float(2 * math.pi * np.linalg.norm(rows["amplitude"]) / rows["period"])
        return float(np.linalg.norm(rows.get("velocity", 0.0)))


def read(case, constants, report):
    """The motions of the case, but for those that a wave maker drives."""
    motion = case.root.first("casedef/motion")
    if motion is None:
        return []
    found, moved = [], set()
    for child in motion.children:
        if child.tag == "objreal":
            if child.get("ref") in moved:
                refuse(child, "another objreal moves the same mk: add the paths in a table",
                       DICTIONARY)  # fmt: skip
            moved.add(child.get("ref"))
            made = _object(case, constants, child, report)
            found += [made] if made else []
        elif child.tag == "obj":
            report.missing(child, "an obj within an obj: add the two paths in a table", DICTIONARY)
    return found


def _movements(element):
    return [child for child in element.children if child.tag.startswith(("mv", "wait"))]


def _object(case, constants, element, report):
    mk = case.whole(element, "ref", 0)
    name = f"bound{mk}"
    moves = {case.whole(m, "id", 1): m for m in _movements(element)}
    if len(moves) < len(_movements(element)):
        refuse(element, "two of its movements have one id", DICTIONARY)
    for m in moves.values():
        m.taken = True
    begins = element.all("begin")
    if all(m.tag == "mvnull" for m in moves.values()):
        report.skipped(element, "a movement that does nothing (mvnull)")
        return None
    if not begins:
        refuse(element, "it has no begin", DICTIONARY)
    end = constants.parameter("TimeMax") or 0.0
    starts = [(case.number(b, "start", 0.0), case.whole(b, "mov", 1),
               case.number(b, "finish", math.inf)) for b in begins]  # fmt: skip
    only = list(moves.values())[0] if len(moves) == 1 and len(starts) == 1 else None
    if only is not None and only.tag in FILES:
        return _file(case, only, [("name", f"motion_{name}"), ("carries", name)], report, end,
                     starts[0][0], starts[0][2])  # fmt: skip
    first = starts[0]
    if len(starts) == 1 and first[0] == 0 and first[2] >= end and first[1] in moves:
        move = moves[first[1]]
        duration = case.number(move, "duration", -1.0)
        if duration < 0 or duration >= end - 1e-9:
            move.get("next")
            made = _simple(case, move, name, report, end)
            if made:
                return made
    return _sequence(case, constants, element, moves, starts, end, name, report)


def _axis(case, move):
    """(first, last point) of the axis."""
    points = [case.vector(case.need(move, f"axisp{k}")) for k in (1, 2)]
    if np.array_equal(*points):
        refuse(move, "its axis has no length", DICTIONARY)
    return points


def _turn(case, move, first, last):
    """(axis word, centre, sign): Sluice counts anticlockwise about +axis, DualSPHysics clockwise
    about the direction of its axis. In 2-D y leads into the plane, so its clockwise is
    anticlockwise."""
    direction = last - first
    k = int(np.argmax(np.abs(direction)))
    if np.abs(np.delete(direction, k)).max() > 1e-9 * abs(direction[k]):
        refuse(move, "a wall turns about an axis along x, y or z", f"{LIMITS}#bodies")
    sign = -math.copysign(1.0, direction[k])
    if case.dimension == 2:
        if k != 1:
            refuse(move, "in 2-D a wall turns about y alone", DICTIONARY)
        return "z", np.array([first[0], first[2]]), -sign
    return "xyz"[k], first, sign


def _radians(move, value, default="degrees"):
    units = move.get("anglesunits", default).strip().lower()
    return math.radians(value) if units.startswith("deg") else value


def _simple(case, move, name, report, end):
    """A motion of its own kind, or None if there is none for it."""
    base = [("name", f"motion_{name}"), ("carries", name)]
    if move.tag == "mvrect":
        child = case.need(move, "vel")
        velocity = case.in_plane(case.vector(child), child, report)
        if not velocity.any():
            return None
        return Motion(move, [*base, ("kind", "linear"), ("velocity", velocity)],
                      reach=velocity * end)  # fmt: skip
    if move.tag == "mvrectace":
        start, rate = move.first("velini"), case.need(move, "ace")
        velocity = (np.zeros(case.dimension) if start is None
                    else case.in_plane(case.vector(start), start, report))  # fmt: skip
        acceleration = case.in_plane(case.vector(rate), rate, report)
        if not velocity.any() and not acceleration.any():
            return None
        return Motion(move, [*base, ("kind", "linear"), ("velocity", velocity),
                             ("acceleration", acceleration)],
                      reach=velocity * end + acceleration * end**2 / 2)  # fmt: skip
    if move.tag == "mvrot":
        axis, centre, sign = _turn(case, move, *_axis(case, move))
        rate = sign * _radians(move, case.number(case.need(move, "vel"), "ang", 0.0))
        return Motion(move, [*base, ("kind", "rotation"), ("rate", rate), ("axis", axis),
                             ("centre", centre)], reach=None)  # fmt: skip
    if move.tag in ("mvrectsinu", "mvrotsinu"):
        return _sine(case, move, base, report)
    if move.tag in FILES:
        return _file(case, move, base, report, end)
    return None


def _sine(case, move, base, report):
    if move.tag == "mvrotsinu":
        axis, centre, sign = _turn(case, move, *_axis(case, move))
        angle = sign * _radians(move, case.value(move, "ampl", 0.0, "v"))
        frequency = case.value(move, "freq", 0.0, "v")
        phase = _radians(move, case.value(move, "phase", 0.0, "v"))
        if not frequency:
            return None
        return Motion(move, [*base, ("kind", "sine"), ("angle", angle), ("period", 1 / frequency),
                             ("phase", phase), ("axis", axis), ("centre", centre)],
                      reach=None)  # fmt: skip
    ampl = case.need(move, "ampl")
    amplitude = case.in_plane(case.vector(ampl), ampl, report)
    frequency = case.place(case.need(move, "freq"))
    child = move.first("phase")
    phase = np.zeros(case.dimension) if child is None else case.place(child)
    used = amplitude != 0
    if not used.any() or not frequency[used].all():
        return None
    if np.ptp(frequency[used]) > 0 or np.ptp(phase[used]) > 0:
        return None
    return Motion(move, [*base, ("kind", "sine"), ("amplitude", amplitude),
                         ("period", float(1 / frequency[used][0])),
                         ("phase", _radians(move, float(phase[used][0])))],
                  reach=2 * np.abs(amplitude))  # fmt: skip


def table_of(path, fields, element):
    """The numbers of a file of columns, whatever separates them; lines of words are its head."""
    rows = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.replace(";", " ").replace(",", " ").replace("\t", " ").split()
            try:
                rows.append([float(word) for word in words])
            except ValueError:
                continue
    rows = [row for row in rows if len(row) >= max(2, fields)]
    if len(rows) < 2:
        refuse(element, f"{os.path.basename(path)} has no two rows of {max(2, fields)} numbers",
               DICTIONARY)  # fmt: skip
    width = min(len(row) for row in rows)
    return np.array([row[:width] for row in rows])


def _column(case, file, name, width):
    number = case.whole(file, name)
    if number is not None and not 0 <= number < width:
        refuse(file, f"{name}: column {number} of a file that has 0 to {width - 1}", DICTIONARY)
    return number


def _file(case, move, base, report, end, start=0.0, finish=math.inf):
    file = case.need(move, "file")
    path = case.file(file, file.get("name"))
    table = table_of(path, case.whole(file, "fields", 2), file)
    column = {name: _column(case, file, name, table.shape[1])
              for name in ("fieldtime", "fieldx", "fieldy", "fieldz")}  # fmt: skip
    time = table[:, column["fieldtime"] or 0]
    keep = np.concatenate([[True], time[1:] > np.maximum.accumulate(time)[:-1]])
    if not keep.all():
        report.changed(file, f"{int(np.sum(~keep))} rows whose time does not rise are left out")
    table, time = table[keep], time[keep] - time[0]
    name = f"{dict(base)['carries']}_path.csv"
    rows = [*base, ("kind", "table"), ("file", name), ("interpolation", "monotone")]
    report.changed(file, f"{os.path.basename(path)}: {len(time)} rows, displacements from the"
                   " first, joined by a smooth curve (DualSPHysics: by lines)")  # fmt: skip
    duration = case.number(move, "duration", -1.0)
    duration = min(duration if duration >= 0 else math.inf, finish - start)
    move.get("next")
    if duration < time[-1]:
        table, time = table[time <= duration], time[time <= duration]
    if start > 0:
        table, time = np.vstack([table[:1], table]), np.concatenate([[0.0], time + start])
    if time[-1] < end:
        report.changed(file, f"it ends at {time[-1]:g} s, before TimeMax ({end:g} s): the wall"
                             " rests from then on", DICTIONARY)  # fmt: skip
        table, time = np.vstack([table, table[-1:]]), np.append(time, end)
    if move.tag == "mvrotfile":
        axis, centre, sign = _turn(case, move, *_axis(case, move))
        angle = sign * np.array([_radians(move, value) for value in table[:, 1]])
        rows += [("axis", axis), ("centre", centre)]
        columns = {"angle": angle - angle[0]}
        reach = None
    else:
        columns = {axis: table[:, column[f"field{axis}"]] - table[0, column[f"field{axis}"]]
                   for axis in "xyz" if column[f"field{axis}"] is not None}  # fmt: skip
        if not columns:
            columns = {"x": table[:, 1] - table[0, 1]}
        farthest = [np.abs(columns.get(axis, 0.0)).max() for axis in "xyz"]
        reach = case.in_plane(farthest, file, report)
        if case.dimension == 2:
            columns.pop("y", None)
            columns = {"y" if name == "z" else name: values for name, values in columns.items()}
            columns = columns or {"x": np.zeros(len(time))}
    return Motion(move, rows, (name, ["t", *columns],
                               np.column_stack([time, *columns.values()])), reach)  # fmt: skip


# --- Sequences ---


def _sequence(case, constants, element, moves, starts, end, name, report):
    """Runs through the movements and samples the path."""
    if not 0 < end * ROWS_A_SECOND < MOST_ROWS:
        refuse(constants.parameters.get("TimeMax", element),
               f"a path of {end:g} s: its table has {ROWS_A_SECOND} rows a second, and up to"
               f" {MOST_ROWS}", DICTIONARY)  # fmt: skip
    count = max(2, math.ceil(end * ROWS_A_SECOND) + 1)
    time = np.linspace(0.0, end, count)
    shift, angle, steps = np.zeros((count, 3)), np.zeros(count), 0
    turning = None
    for start, first, finish in sorted(starts):
        at, number, previous = start, first, {}
        while at < min(end, finish) and number in moves:
            move = moves[number]
            duration = case.number(move, "duration", -1.0)
            until = min(end, finish, at + duration if duration >= 0 else math.inf)
            local = np.clip(time, at, until) - at
            by, turned, axis = _one(case, move, local, until - at, previous)
            shift += by
            angle += turned
            if axis is not None:
                if turning is not None and turning != axis:
                    refuse(move, "a wall turns about one axis, and its sequence has two",
                           f"{LIMITS}#bodies")  # fmt: skip
                turning = axis
            at = until
            following = case.whole(move, "next")
            steps += 1
            if following is None or duration < 0:
                break
            if steps > MOST_MOVEMENTS:
                refuse(move, f"over {MOST_MOVEMENTS} movements before TimeMax", DICTIONARY)
            number = following
    reach = case.in_plane(np.abs(shift).max(axis=0), element, report)
    columns, rows = {}, [("name", f"motion_{name}"), ("carries", name), ("kind", "table"),
                         ("file", f"{name}_path.csv"), ("interpolation", "monotone")]  # fmt: skip
    for axis, path in zip("xyz", case.flat(shift.T)):
        if np.any(path):
            columns[axis] = path
    if np.any(angle):
        columns["angle"] = angle
        rows += [("axis", turning[0]), ("centre", np.array(turning[1]))]
    if not columns:
        report.skipped(element, "it does not move before TimeMax")
        return None
    report.changed(element, f"its movements are one table, {name}_path.csv, of {count} rows",
                   DICTIONARY)  # fmt: skip
    return Motion(element, rows, (f"{name}_path.csv", ["t", *columns],
                                  np.column_stack([time, *columns.values()])),
                  None if np.any(angle) else reach)  # fmt: skip


def _one(case, move, local, duration, previous):
    """(displacement, angle, axis) over the local times of one movement, and 0 before it."""
    by, angle, axis = np.zeros((len(local), 3)), np.zeros(len(local)), None
    move.taken = True
    child = move.first
    if move.tag in ("wait", "mvnull"):
        return by, angle, None
    if move.tag == "mvrect":
        by = local[:, None] * case.vector(case.need(move, "vel"))
    elif move.tag == "mvrectace":
        start = child("velini")
        velocity = (case.vector(start) if start is not None
                    else previous.get("velocity", np.zeros(3)))  # fmt: skip
        rate = case.vector(case.need(move, "ace"))
        by = local[:, None] * velocity + local[:, None] ** 2 / 2 * rate
        previous["velocity"] = velocity + rate * duration
    elif move.tag == "mvrectsinu":
        amplitude, frequency = (case.vector(case.need(move, k)) for k in ("ampl", "freq"))
        given = child("phase")
        phase = (np.array([_radians(move, v) for v in case.vector(given)]) if given is not None
                 else previous.get("phase", np.zeros(3)))  # fmt: skip
        turn = 2 * math.pi * frequency
        by = amplitude * (np.sin(turn * local[:, None] + phase) - np.sin(phase))
        previous["phase"] = phase + turn * duration
    elif move.tag in ("mvrot", "mvrotace", "mvrotsinu"):
        word, centre, sign = _turn(case, move, *_axis(case, move))
        axis = (word, tuple(centre))
        if move.tag == "mvrotsinu":
            turn = 2 * math.pi * case.value(move, "freq", 0.0, "v")
            phase = _radians(move, case.value(move, "phase", 0.0, "v"))
            size = _radians(move, case.value(move, "ampl", 0.0, "v"))
            angle = sign * size * (np.sin(turn * local + phase) - math.sin(phase))
        else:
            start, rate = child("vel") or child("velini"), child("ace")
            speed = (_radians(move, case.number(start, "ang", 0.0)) if start is not None
                     else previous.get("spin", 0.0))  # fmt: skip
            growth = _radians(move, case.number(rate, "ang", 0.0)) if rate is not None else 0.0
            angle = sign * (speed * local + growth * local**2 / 2)
            previous["spin"] = speed + growth * duration
    else:
        refuse(move, "this movement is not taken: write its path as a table", DICTIONARY)
    return by, angle, axis

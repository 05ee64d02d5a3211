"""Moorings as lines between a body and a place in space, or between two bodies."""

import numpy as np

from render import mesh

COLOUR = (0.15, 0.15, 0.15)


def settings_of(run):
    """The springs of a run's config. Hinges have no length."""
    return [entry for entry in run.config.get("moorings", []) if entry.get("kind") == "spring"]


def centre_of(run, name):
    """The centre of mass of a body at the start [3], m."""
    table = run.body(name)
    return np.array([table[axis][0] if axis in table else 0.0 for axis in "xyz"])


def end_at_start(run, place, name):
    """A place that the config gives, or a body's centre if it gives none: [3], m."""
    found = np.array(place if isinstance(place, list) else [], float)
    if not len(found) or not np.all(np.isfinite(found)):
        return centre_of(run, name)
    return np.append(found, np.zeros(3 - len(found)))


def ends_at_start(run, entry):
    """The two ends [2, 3] (m) of a mooring at the start: along periodic axes the nearer images."""
    ends = np.array([end_at_start(run, entry.get("at"), entry.get("body")),
                     end_at_start(run, entry.get("to"), entry.get("other"))])  # fmt: skip
    for axis in np.flatnonzero(run.config.get("domain.periodic", [])):
        length = run.config["domain.max"][axis] - run.config["domain.min"][axis]
        ends[1, axis] -= length * np.round((ends[1, axis] - ends[0, axis]) / length)
    return ends


class Moorings:
    """The moorings of a run whose bodies have surfaces, from its first snapshot on."""

    def __init__(self, run, first):
        self.entries = settings_of(run) if first.body_surfaces else []
        self.start = [ends_at_start(run, entry) for entry in self.entries]
        self.places = self.places_of(first) if self.entries else {}

    @staticmethod
    def places_of(snapshot):
        """{body's name: points of its surface [n, 3]}."""
        surfaces = snapshot.body_surfaces
        if not surfaces:
            return {}
        points = surfaces.points.astype(float)
        return {name: points[np.unique(surfaces.triangles_of(name))] for name in surfaces.names}

    def lines(self, snapshot):
        """The ends [n, 2, 3] (m) of all moorings at the time of a snapshot."""
        now = self.places_of(snapshot) if self.entries else {}
        found = np.array(self.start).reshape(-1, 2, 3)
        for entry, ends in zip(self.entries, found):
            for row, name in enumerate((entry.get("body"), entry.get("other"))):
                if name in now and name in self.places:
                    turn, shift = mesh.rigid_move(self.places[name], now[name])
                    ends[row] = turn @ ends[row] + shift
        return found

"""Surfaces of triangles (3-D): STL, PLY and VTK files, their section with a plane, and the form."""

import os
import re
import struct

import numpy as np

from dualsphysics.forms import Form


class BadMeshError(Exception):
    """The file is no surface that can be read here."""


def read(path):
    """The triangles of a file, (n, 3, 3)."""
    with open(path, "rb") as file:
        data = file.read()
    ending = os.path.splitext(path)[1].lower()
    reader = {".stl": _stl, ".vtk": _vtk, ".ply": _ply}.get(ending)
    if not reader:
        raise BadMeshError(f"{os.path.basename(path)}: a {ending or 'nameless'} file is not read:"
                           " convert it to STL")  # fmt: skip
    try:
        triangles = reader(data)
    except (ValueError, IndexError, struct.error) as error:
        raise BadMeshError(f"{os.path.basename(path)}: cut off or damaged: {error}") from None
    if not len(triangles):
        raise BadMeshError(f"{os.path.basename(path)}: there are no triangles in it")
    return triangles


def _stl(data):
    if len(data) >= 84:
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) == 84 + 50 * count:
            rows = np.frombuffer(data, "<u1", 50 * count, 84).reshape(count, 50)
            return rows[:, 12:48].copy().view("<f4").reshape(count, 3, 3).astype(float)
    numbers = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data)
    return np.array(numbers, float).reshape(-1, 3, 3)


def _fans(polygons):
    """Polygons of vertex numbers as triangles."""
    return [(face[0], face[i], face[i + 1])
            for face in polygons for i in range(1, len(face) - 1)]  # fmt: skip


def _ply(data):
    head, body = re.split(rb"end_header\r?\n", data, maxsplit=1)
    if b"format ascii" not in head:
        raise ValueError("binary PLY is not read here: convert it to STL")
    vertices, faces = (int(re.search(rb"element " + name + rb" (\d+)", head)[1])
                       for name in (b"vertex", b"face"))  # fmt: skip
    lines = body.decode("ascii").split("\n")
    points = np.array([line.split()[:3] for line in lines[:vertices]], float)
    polygons = [[int(word) for word in line.split()[1:]]
                for line in lines[vertices : vertices + faces]]  # fmt: skip
    return points[np.array(_fans(polygons), int)]


def _vtk(data):
    """Legacy VTK, DATASET POLYDATA, ASCII or BINARY."""
    binary = re.search(rb"^\s*BINARY", data[:512], re.MULTILINE | re.IGNORECASE)
    points = re.search(rb"POINTS\s+(\d+)\s+(float|double)[ \t]*\r?\n", data, re.IGNORECASE)
    faces = re.search(rb"POLYGONS\s+(\d+)\s+(\d+)[ \t]*\r?\n", data, re.IGNORECASE)
    if not points or not faces:
        raise ValueError("there are no POINTS or no POLYGONS in it")
    count, size = int(points[1]), int(faces[2])
    if binary:
        kind = ">f4" if points[2].lower() == b"float" else ">f8"
        places = np.frombuffer(data, kind, 3 * count, points.end())
        numbers = np.frombuffer(data, ">i4", size, faces.end())
    else:
        places = np.array(data[points.end() :].split(None, 3 * count)[: 3 * count], float)
        numbers = np.array(data[faces.end() :].split(None, size)[:size], int)
    polygons, at = [], 0
    while at < size:
        if not 0 < numbers[at] < size - at:
            raise ValueError(f"a polygon of {numbers[at]} points: polygons are counts and numbers"
                             " as in VTK 4; convert a file of VTK 5 to STL")  # fmt: skip
        polygons.append(numbers[at + 1 : at + 1 + numbers[at]].tolist())
        at += 1 + int(numbers[at])
    return places.reshape(-1, 3).astype(float)[np.array(_fans(polygons), int)]


def write_stl(path, triangles):
    """Writes binary STL to a new file."""
    corners = np.asarray(triangles, "<f4")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros((len(corners), 50), "u1")
    both = np.concatenate([normals / np.where(lengths > 0, lengths, 1), corners.reshape(-1, 9)], 1)
    rows[:, :48] = np.ascontiguousarray(both.astype("<f4")).view("u1").reshape(-1, 48)
    with open(path, "xb") as file:
        file.write(b"converted".ljust(80) + struct.pack("<I", len(corners)) + rows.tobytes())


def open_edges(triangles):
    """Number of edges with one triangle only: 0 for a closed surface."""
    scale = float(np.ptp(triangles.reshape(-1, 3), axis=0).max()) * 1e-6
    _, numbers = np.unique(np.round(triangles.reshape(-1, 3) / scale).astype(np.int64), axis=0,
                           return_inverse=True)  # fmt: skip
    corners = numbers.reshape(-1, 3)
    edges = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), 1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    _, counts = np.unique(edges, axis=0, return_counts=True)
    return int(np.sum(counts % 2 == 1))


def section(triangles, y):
    """(closed polygons, open lines) in (x, z) of a surface with the plane of that y."""
    low, high = triangles[:, :, 1].min(), triangles[:, :, 1].max()
    slack = 1e-9 * (high - low)
    if low - slack <= y <= high + slack:  # not in a face that lies in the plane
        y = min(max(y, low + slack), high - slack)
    offset = triangles[:, :, 1] - y
    offset = np.where(np.abs(offset) < 1e-12, 1e-12, offset)
    segments = []
    for corners, away in zip(triangles, offset):
        ends = []
        for i in range(3):
            j = (i + 1) % 3
            if (away[i] > 0) != (away[j] > 0):
                t = away[i] / (away[i] - away[j])
                ends.append((corners[i] + t * (corners[j] - corners[i]))[[0, 2]])
        if len(ends) == 2 and np.linalg.norm(ends[1] - ends[0]) > 1e-12:
            segments.append(ends)
    return _join(segments)


def _join(segments):
    if not segments:
        return [], []
    scale = max(float(np.ptp(np.array(segments).reshape(-1, 2), axis=0).max()) * 1e-6, 1e-12)
    meets = {}
    for number, ends in enumerate(segments):
        for end in ends:
            meets.setdefault(tuple(np.round(end / scale).astype(int)), []).append(number)
    used, closed, open_lines = set(), [], []
    for start in range(len(segments)):
        if start in used:
            continue
        used.add(start)
        line = list(segments[start])
        for _ in range(2):
            while True:
                u, v = np.round(line[-1] / scale).astype(int)
                near = [n for i in (0, -1, 1) for j in (0, -1, 1)
                        for n in meets.get((u + i, v + j), ())]  # fmt: skip
                following = next((n for n in near if n not in used), None)
                if following is None:
                    break
                used.add(following)
                a, b = segments[following]
                near_first = np.linalg.norm(a - line[-1]) <= np.linalg.norm(b - line[-1])
                line.append(b if near_first else a)
            line.reverse()
        if len(line) > 3 and np.linalg.norm(line[0] - line[-1]) <= 2 * scale:
            closed.append(_straightened(np.array(line[:-1])))
        else:
            open_lines.append(np.array(line))
    return closed, open_lines


def _straightened(points):
    """Without corners that lie on the line of their neighbours."""
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    a, b = points - before, after - points
    bend = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    kept = points[bend > 1e-6 * np.maximum(lengths, 1e-300)]
    return kept if len(kept) >= 3 else points


class Mesh(Form):
    """A surface of triangles."""

    def __init__(self, triangles):
        self.triangles = np.asarray(triangles, float)
        self.open = open_edges(self.triangles)
        self.file = None

    def is_closed(self):
        return self.open == 0

    def bounds(self):
        corners = self.triangles.reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)

    def contains(self, places, _slack):
        """By the parity of crossings along x; the places are a grid of open axes."""
        x, y, z = (np.asarray(values).ravel() for values in places)
        inside = np.zeros((len(x), len(y), len(z)), bool)
        nudge = 1e-7 * float(np.ptp(self.triangles.reshape(-1, 3), axis=0).max())
        y, z = y + nudge, z + 0.7 * nudge
        for a, b, c in self.triangles:
            rows = np.nonzero((y >= min(a[1], b[1], c[1])) & (y <= max(a[1], b[1], c[1])))[0]
            columns = np.nonzero((z >= min(a[2], b[2], c[2])) & (z <= max(a[2], b[2], c[2])))[0]
            if not len(rows) or not len(columns):
                continue
            turn = (b[1] - a[1]) * (c[2] - a[2]) - (c[1] - a[1]) * (b[2] - a[2])
            if turn == 0:
                continue
            u, v = y[rows][:, None] - a[1], z[columns][None, :] - a[2]
            s = (u * (c[2] - a[2]) - v * (c[1] - a[1])) / turn
            t = (v * (b[1] - a[1]) - u * (b[2] - a[2])) / turn
            hits = np.argwhere((s >= 0) & (t >= 0) & (s + t <= 1))
            for i, j in hits:
                at = a[0] + s[i, j] * (b[0] - a[0]) + t[i, j] * (c[0] - a[0])
                inside[x < at, rows[i], columns[j]] ^= True
        return inside

    def faces(self, step):
        found = []
        for a, b, c in self.triangles:
            longest = max(np.linalg.norm(b - a), np.linalg.norm(c - a), np.linalg.norm(c - b))
            n = max(1, int(np.ceil(longest / step)))
            i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
            keep = i + j <= n
            s, t = i[keep][:, None] / n, j[keep][:, None] / n
            found.append(a + s * (b - a) + t * (c - a))
        return np.concatenate(found)

    def keys(self):
        return [("shape", "mesh"), ("file", self.file)]

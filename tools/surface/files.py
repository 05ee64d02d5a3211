"""Files of a surface: VTKHDF for ParaView, PLY and OBJ for Blender and others."""

import json
from dataclasses import dataclass

import h5py
import numpy as np
from sluice.whole_file import whole

VTK_TRIANGLE = 5
INT_MAX = 2**31 - 1


@dataclass(frozen=True)
class Groups:
    """The solids that a mesh consists of: their names, and the number of each triangle's one, from
    0, in rising order."""

    names: tuple
    number: np.ndarray


def text(value):
    """Text of an attribute as ParaView reads it: of fixed length. Texts of a field have any length,
    and are ASCII by their type."""
    return np.bytes_(value)


def add(group, name, values, unit, what):
    """A dataset with its unit and description, compressed."""
    packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if len(values) else {}
    made = group.create_dataset(name, data=values, **packed)
    made.attrs["units"], made.attrs["description"] = text(unit), text(what)


def add_cells(grid, mesh):
    """The triangles, laid out as those of the bodies' surfaces."""
    points, cells = len(mesh.points), len(mesh.triangles)
    for name, count in (("Points", points), ("Cells", cells), ("ConnectivityIds", 3 * cells)):
        grid[f"NumberOf{name}"] = np.array([count], dtype=np.int64)
    corner, first = (np.int32 if most < INT_MAX else np.int64 for most in (points, 3 * cells))
    add(grid, "Connectivity", mesh.triangles.ravel().astype(corner), "1",
        "the corners of the triangles")
    add(grid, "Offsets", 3 * np.arange(cells + 1, dtype=first), "1", "where each triangle begins")
    add(grid, "Types", np.full(cells, VTK_TRIANGLE, dtype=np.uint8), "1", "triangles")
    grid.create_group("CellData")


def write_vtkhdf(path, mesh, data, about, precision, groups=None):
    """data: {name: (values [points] or [points, 3], unit, description)}; about: {attribute:
    value} of /Header, with Time and Step. precision: of the places. groups: Groups, or None."""
    with whole(path) as temporary, h5py.File(temporary, "w") as file:
        grid = file.create_group("VTKHDF")
        grid.attrs["Type"] = text("UnstructuredGrid")
        grid.attrs["Version"] = np.array([1, 0], dtype=np.int64)
        add(grid, "Points", mesh.points.astype(precision), "m", "position")
        add_cells(grid, mesh)
        for name, (values, unit, what) in data.items():
            add(grid, f"PointData/{name}", values.astype(np.float32), unit, what)
        if groups:
            add(grid, "CellData/Solid", groups.number.astype(np.int32), "1", "number of the solid")
            grid.create_dataset("FieldData/SolidNames", dtype=h5py.string_dtype("ascii"),
                                data=[name.encode() for name in groups.names])  # fmt: skip
        grid["FieldData/TimeValue"] = np.array([about["Time"]])
        grid["FieldData/Step"] = np.array([about["Step"]], dtype=np.int64)
        header = file.create_group("Header")
        for name, value in about.items():
            header.attrs[name] = text(value) if isinstance(value, str) else value


def write_series(path, entries):
    """entries: [(name, time)] in the order of the times."""
    lines = [json.dumps({"name": name, "time": time}) for name, time in entries]
    with whole(path) as temporary, open(temporary, "w") as file:
        file.write('{"file-series-version" : "1.0", "files" : [\n')
        file.write(",\n".join(lines) + "\n]}\n")


def columns_of(data):
    """[(name, values [points])] of fields: the components of a vector apart, as vx, vy, vz."""
    out = []
    for name, (values, _, _) in data.items():
        if values.ndim == 1:
            out.append((name.lower(), values))
        else:
            short = {"Normals": "n", "Velocity": "v"}[name]
            out += [(short + axis, values[:, i]) for i, axis in enumerate("xyz")]
    return out


def write_ply(path, mesh, data, about, precision, groups=None):
    """Binary PLY: points with their normals and fields, all in float, and triangles. Groups are a
    column of the points, which no two of them share."""
    del precision
    columns = [(axis, mesh.points[:, i]) for i, axis in enumerate("xyz")] + columns_of(data)
    if groups:
        of_point = np.zeros(len(mesh.points))
        of_point[mesh.triangles] = groups.number[:, None]
        columns.append(("solid", of_point))
    rows = np.empty(len(mesh.points), dtype=[(name, "<f4") for name, _ in columns])
    for name, values in columns:
        rows[name] = values
    faces = np.empty(len(mesh.triangles), dtype=[("count", "u1"), ("corner", "<i4", 3)])
    faces["count"], faces["corner"] = 3, mesh.triangles
    head = ["ply", "format binary_little_endian 1.0"]
    head += [f"comment {name} {value}" for name, value in about.items()]
    names = groups.names if groups else ()
    head += [f"comment Solid {number} {name}" for number, name in enumerate(names)]
    head += [f"element vertex {len(rows)}", *(f"property float {name}" for name, _ in columns)]
    head += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    with whole(path) as temporary, open(temporary, "wb") as file:
        file.write(("\n".join(head) + "\n").encode())
        file.write(rows.tobytes())
        file.write(faces.tobytes())


def write_obj(path, mesh, data, about, precision, groups=None):
    """Wavefront OBJ: points, normals if there are any, and triangles; the format has no fields.
    Groups are its objects."""
    del precision
    normals = data["Normals"][0] if "Normals" in data else np.zeros((0, 3))
    corner = mesh.triangles + 1
    with whole(path) as temporary, open(temporary, "w") as file:
        file.writelines(f"# {name} {value}\n" for name, value in about.items())
        np.savetxt(file, mesh.points, "v %.9g %.9g %.9g")
        np.savetxt(file, normals, "vn %.4f %.4f %.4f")
        for number, name in enumerate(groups.names if groups else [""]):
            file.write(f"o {name}\n" if groups else "")
            own = corner[groups.number == number] if groups else corner
            if len(normals):
                np.savetxt(file, np.repeat(own, 2, axis=1), "f %d//%d %d//%d %d//%d")
            else:
                np.savetxt(file, own, "f %d %d %d")

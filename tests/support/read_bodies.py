"""Reads a file of bodies' surfaces, or their series, for tests/bodies/body_files.c.

    python3 tests/support/read_bodies.py h5py FILE
    pvpython tests/support/read_bodies.py paraview SERIES

Prints what it found, one "name value ..." a line, numbers with nine digits.
"""

import sys


def say(name, *values):
    print(name, *(f"{v:.9g}" if isinstance(v, float) else v for v in values))


def say_body(number, points, corners, velocity):
    """The volume that the triangles enclose, the extent, and the largest velocity on each axis."""
    import numpy

    a, b, c = (points[corners[:, k]] for k in range(3))
    say("volume", number, float(numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6))
    mine = numpy.unique(corners)
    say("low", number, *(float(v) for v in points[mine].min(0)))
    say("high", number, *(float(v) for v in points[mine].max(0)))
    say("fastest", number, *(float(v) for v in numpy.abs(velocity[mine]).max(0)))


def read_with_h5py(path):
    import h5py
    import numpy

    with h5py.File(path) as file:
        grid = file["VTKHDF"]
        corners = grid["Connectivity"][:].reshape(-1, 3)
        body = grid["CellData/Body"][:]
        say("kind", grid.attrs["Type"].decode(), *grid.attrs["Version"])
        say("types", *(grid[n].dtype for n in ("Points", "Connectivity", "Types", "CellData/Body")))
        say("counts", *(int(grid[f"NumberOf{n}"][0]) for n in ("Points", "Cells")))
        say("rows", *(len(grid[n]) for n in ("Points", "CellData/Body", "PointData/Velocity")))
        offsets = numpy.diff(grid["Offsets"][:])
        say("cells", set(grid["Types"][:].tolist()), bool((offsets == 3).all()))
        say("names", *(name.decode() for name in grid["FieldData/BodyNames"][:]))
        say("time", float(grid["FieldData/TimeValue"][0]), float(file["Header"].attrs["Time"]))
        say("step", int(grid["FieldData/Step"][0]), int(file["Header"].attrs["Step"]))
        points = grid["Points"][:].astype(float)
        velocity = grid["PointData/Velocity"][:].astype(float)
        for number in range(int(file["Header"].attrs["Bodies"])):
            say_body(number, points, corners[body == number], velocity)


def read_with_paraview(path):
    from paraview import simple

    reader = simple.OpenDataFile(path)
    times = reader.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    say("times", *(float(t) for t in times))
    for time in times:
        reader.UpdatePipeline(time)
        info = reader.GetDataInformation()
        data = simple.servermanager.Fetch(reader)
        names = data.GetFieldData().GetAbstractArray("BodyNames")
        body = data.GetCellData().GetArray("Body").GetRange()
        say("cells", info.GetNumberOfCells(), *(int(v) for v in body))
        say("bounds", *(float(v) for v in info.DataInformation.GetBounds()))
        say("names", *(names.GetValue(k) for k in range(names.GetNumberOfValues())))
        say("velocity", data.GetPointData().GetArray("Velocity").GetNumberOfComponents())


if __name__ == "__main__":
    {"h5py": read_with_h5py, "paraview": read_with_paraview}[sys.argv[1]](sys.argv[2])

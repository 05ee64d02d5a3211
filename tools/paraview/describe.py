"""A run as ParaView finds it: times, counts, arrays and their ranges, particles by type. As JSON.

    pvpython tools/paraview/describe.py RUN_DIR

Needs no display. ParaView 5.11 or later (Debian and Ubuntu: paraview, python3-paraview).
"""

import argparse
import json
import os
import sys


def arguments():
    parser = argparse.ArgumentParser(
        prog="pvpython describe.py", description="What ParaView finds in a run, as JSON."
    )
    parser.add_argument("run_dir", help="folder of a run: the one that holds run.hdf.series")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth snapshot")
    return parser.parse_args()


def arrays_of(data):
    """Components and the range of each component, by name; for texts their values."""
    found = {}
    for index in range(data.GetNumberOfArrays()):
        array = data.GetAbstractArray(index)
        if array.GetDataTypeAsString() == "string":
            values = [array.GetValue(k) for k in range(array.GetNumberOfValues())]
            found[array.GetName()] = {"type": "string", "values": values}
            continue
        ranges = [array.GetRange(c) for c in range(array.GetNumberOfComponents())]
        found[array.GetName()] = {"type": array.GetDataTypeAsString(), "ranges": ranges}
    return found


def describe(reader, simple, time):
    """One snapshot, after a Threshold filter for each type that there may be."""
    reader.UpdatePipeline(time)
    info = reader.GetDataInformation()
    types = {}
    for kind in (0, 1):
        threshold = simple.Threshold(
            Input=reader,
            Scalars=["POINTS", "ParticleType"],
            ThresholdMethod="Between",
            LowerThreshold=kind - 0.5,  # a bound of 0 would be taken for not set
            UpperThreshold=kind + 0.5,
        )
        threshold.UpdatePipeline(time)
        types[kind] = threshold.GetDataInformation().GetNumberOfPoints()
        simple.Delete(threshold)
    return {
        "time": time,
        "points": info.GetNumberOfPoints(),
        "cells": info.GetNumberOfCells(),
        "bounds": info.DataInformation.GetBounds(),
        "types": types,
        "point_arrays": arrays_of(simple.servermanager.Fetch(reader).GetPointData()),
        "field_arrays": arrays_of(simple.servermanager.Fetch(reader).GetFieldData()),
    }


def main():
    options = arguments()
    series = os.path.join(options.run_dir, "run.hdf.series")
    if not os.path.isfile(series):
        sys.exit(f"{series}: there is no such file; RUN_DIR is the folder that 'sluice run' wrote")
    from paraview import simple

    reader = simple.OpenDataFile(series)
    if reader is None:
        sys.exit(f"{series}: this ParaView cannot open it; 5.11 or later can")
    # One value alone is given as a number.
    times = reader.TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    found = [describe(reader, simple, t) for t in times[:: max(options.every, 1)]]
    json.dump({"times": times, "snapshots": found}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()

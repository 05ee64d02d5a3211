#!/usr/bin/env python3
# test: 1 s
"""The package sluice reads runs: snapshots and their parts, tables, configs, units; and if
something is missing, the message says what exists."""

import gc
import os
import weakref

import h5py
from case_run import Case, finish, np, ok, refused, scratch

import sluice  # noqa: E402, I100
from sluice import config, tables, units  # noqa: E402
from sluice.verdict import judge  # noqa: E402

FLOAT = """
title = "a float"; model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];
domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };
geometry = ( { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.5]; },
             { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-"]; },
             { name = "crate"; shape = "box"; type = "body";
               min = [0.4, 0.4]; max = [0.6, 0.6]; } );
bodies = ( { name = "crate"; density = 500.0; } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
probes = ( { name = "floor"; kind = "point"; quantity = "pressure"; at = [0.5, 0.05];
             every = 0.01; } );
time = { end = 0.05; };
energy = { tolerance = 0.01; };
output = { every = 0.01; };
"""


def test_config():
    read = config.parse(
        'a = 1; b : { c = [1.5, -2e3], d = "x\\"y" "z"; }; e = ( { f = true; name = "n"; }, () );'
        " g = 0x10; // end"
    )
    wanted = {"a": 1, "b": {"c": [1.5, -2000.0], "d": 'x"yz'}, "e": [{"f": True, "name": "n"}, []]}
    ok(read == wanted | {"g": 16}, "a config's text is read", read)
    ok(read["b.c"] == [1.5, -2000.0] and read["e.n.f"] is read["e.[0].f"] is True,
       "paths lead into groups and lists, by name and by number")
    ok(read.get("b.x", 7) == 7 and "b.d" in read and "b.x" not in read, "a path that is not there")
    refused(sluice.NotThere, "no key 'b.e' in this config: there are c, d", lambda: read["b.e"])
    for text in ("a = ;", "a = {", "a = ( 1", 'a = "b'):
        try:
            ok(False, f"{text}: an error", config.parse(text))
        except ValueError as error:
            ok("config" in str(error), f"{text}: {error}")
    with open(f"{scratch}/outer.cfg", "w") as file:
        file.write('# @include "none"\na = {\n@include "inner.cfg"\n}; b = "@include";')
    with open(f"{scratch}/inner.cfg", "w") as file:
        file.write("c = 3;")
    ok(config.read_config(f"{scratch}/outer.cfg") == {"a": {"c": 3}, "b": "@include"},
       "a file that another includes")
    with open(f"{scratch}/inner.cfg", "w") as file:
        file.write('@include "inner.cfg"')
    try:
        ok(False, "a circle of files", config.read_config(f"{scratch}/outer.cfg"))
    except sluice.FileError as error:
        ok("more than 10 files in a row" in str(error), f"refused: {error}")
    ok(config.parse('a = "1\\t2\\x41\\\\n";')["a"] == "1\t2A\\n", "escapes in a text")
    values = {"a": True, "b": [0, 0.5], "c": 'a "b"\\n\n', "d": ({"e": (1, 2)}, {}),
              "f": np.float32(0.5), "g": np.arange(2), "h": ()}
    text = " ".join(f"{key} = {config.text_of(value)};" for key, value in values.items())
    again = {"a": True, "b": [0.0, 0.5], "c": 'a "b"\\n\n', "d": [{"e": [1, 2]}, {}], "f": 0.5,
             "g": [0, 1], "h": []}
    ok(config.parse(text) == again, "values are written as they are read", text)


def test_snapshots(run):
    with h5py.File(run[2].path) as file:
        raw = {name: file[f"VTKHDF/PointData/{name}"][:] for name in file["VTKHDF/PointData"]}
        x = file["VTKHDF/Points"][:]
        names = [name.decode() for name in file["VTKHDF/FieldData/ShapeNames"]]
    parts = {"fluid": raw["ParticleType"] == 0, "boundary": raw["ParticleType"] == 1,
             "bodies": raw["Shape"] == names.index("crate"),
             "walls": raw["Shape"] == names.index("tank")}
    for name, mask in parts.items():
        part = getattr(run[2], name)
        same = (np.array_equal(part.pressure, raw["Pressure"][mask])
                and np.array_equal(part.x, x[mask]) and np.array_equal(part.id, raw["Id"][mask]))
        ok(len(part) == mask.sum() > 0 and same, f"{len(part)} particles of {name}", part)
    s = run[2]
    ok(np.array_equal(s["crate"].mass, raw["Mass"][parts["bodies"]]) and s.groups == names,
       "a group by its name")
    left = s.fluid.where(s.fluid.x[:, 0] < 0.5)
    high = left.where(left.x[:, 1] > 0.25)
    mask = parts["fluid"] & (x[:, 0] < 0.5) & (x[:, 1] > 0.25)
    ok(np.array_equal(high.velocity, raw["Velocity"][mask]) and 0 < len(high) < len(left),
       "a part of a part")
    ok(s.fluid.pressure.dtype == np.float32 and s.unit("pressure") == "Pa"
       and s.fluid.unit("mass") == "kg/m" and s.unit("speed") == "m/s", "units of fields")
    ok(np.allclose(s.speed, np.linalg.norm(raw["Velocity"], axis=1)) and "speed" in s.fields,
       "speed")
    ok(s.config["bodies.crate.density"] == 500.0 and s.header["Units"] == "si"
       and sluice.Snapshot(s.path).config == run.config, "header and config of a snapshot")
    refused(sluice.NoField, "no field 'phase': there are position", lambda: s.phase)
    refused(sluice.NoField, "did you mean 'pressure'?", lambda: s.field("presure"))
    refused(sluice.NoField, "did you mean 'pressure'? there are position,",
            lambda: s.fluid.presure)
    refused(sluice.NoField, "did you mean 'fluid'? there are position,", lambda: s.flud)
    refused(sluice.NotThere, "no group 'tnak': did you mean 'tank'? there are water, tank, crate",
            lambda: s["tnak"])
    ok(s.get("phase") is None and not hasattr(s, "phase"), "a field that may be missing")
    try:
        s.fluid.pressure[0] = 1.0
        ok(False, "arrays are read-only")
    except ValueError:
        ok(True, "arrays are read-only")


def test_lazy(run):
    """Only the fields that are used are read, and they go when their snapshot goes."""
    s = run[-1]
    with h5py.File(s.path, "r+") as file:  # damage that reading all fields would meet
        del file["VTKHDF/PointData/Density"]
        kept = file["VTKHDF/PointData/Velocity"][:]
        del file["VTKHDF/PointData/Velocity"]
    fluid = run[-1].fluid
    ok(len(fluid.pressure) == len(fluid), "one field is read without the others")
    refused(sluice.NoField, "velocity", lambda: fluid.velocity)
    with h5py.File(s.path, "r+") as file:
        file["VTKHDF/PointData/Velocity"] = kept
    gc.disable()
    try:
        gone = weakref.ref(run[0].fluid.pressure)
        ok(gone() is None, "arrays go with their snapshot")
    finally:
        gc.enable()


def test_run(run):
    ok(len(run) == len(run.times) == 6 and abs(run.times[-1] - 0.05) < 0.01, f"{run}")
    ok(run[-1].time == run.times[-1] and [s.time for s in run] == list(run.times), "snapshots")
    ok([s.time for s in run[::2]] == list(run.times[::2]) and run.at(0.021).time == run.times[2],
       "some snapshots, and the nearest")
    refused(sluice.NotThere, "no snapshot is near t = 1; the run has 6, from 0 to",
            lambda: run.at(1.0))
    ok(run.groups == ["water", "tank", "crate"] and run.title == "a float", "groups and title")
    floor, energy, crate = run.probe("floor"), run.energy(), run.body("crate")
    ok(list(floor) == ["step", "time", "pressure", "weight"] and floor.units["pressure"] == "Pa",
       f"{floor}")
    ok(energy.units["kinetic"] == "J/m" and energy.units["max_speed"] == "m/s"
       and crate.units["fluid_force_y"] == "N/m" and crate.units["spin"] == "rad/s", "units")
    space = units.units_of("si", 3)
    ok([units.unit_of(name, space) for name in ("yaw", "left_mass", "left_momentum_x")]
       == ["rad", "kg", "kg m/s"], "units of bodies in 3-D and of population.csv")
    unknown = {name for table in (energy, crate) for name in table
               if units.quantity_of(name) == "number"} - {"step", "identity", "particles"}
    ok(not unknown, "every column has a quantity", unknown)
    ok(energy.between(0.02, 0.03).rows < energy.rows and run.body_names == ["crate"], "rows")
    state, again = run.state(), run.state(by_id=True)
    velocity = {n: tuple(x) for n, x in zip(state["fluid/id"], state["fluid/velocity"])}
    ok(list(again["fluid/id"]) == sorted(velocity) == list(run[-1].fluid.id)
       and [tuple(x) for x in again["fluid/velocity"]] == [velocity[n] for n in sorted(velocity)],
       "the newest checkpoint, in the order of the ids", state.keys())
    energy["kinetic"] = energy["kinetic"] + 1
    ok(run.energy()["kinetic"][0] == 0, "a changed table is the caller's own")
    surfaces = run[0].body_surfaces
    corners = surfaces.points[surfaces.triangles_of("crate")][:, :, :2]
    (ax, ay), (bx, by) = np.moveaxis(corners[:, 1:] - corners[:, :1], 0, -1)
    ok(abs(0.5 * np.sum(ax * by - ay * bx) - 0.04) < 1e-6, "the triangles fill the crate")
    ok(run.verdict.conserved is True and "conserved" in str(run.verdict), str(run.verdict))
    energy["residual"] = energy["residual"] + np.inf
    ok(judge(energy, 1.0, 1e-3).conserved is False and judge(energy, None, 1e-3).conserved is None,
       "an endless residual is open, but only against a reference")
    refused(sluice.NotThere, "no snapshot is near t = nan", lambda: run.at(float("nan")))
    refused(sluice.NotThere, "no probe 'flor': did you mean 'floor'?", lambda: run.probe("flor"))
    refused(sluice.NotThere, "no unit of 'presure': did you mean 'pressure'?",
            lambda: run.units["presure"])
    refused(sluice.NotThere, "no unit of 'kinetik': did you mean 'kinetic'?",
            lambda: run.energy().units["kinetik"])
    refused(sluice.NotThere, "no column 'kinetik': did you mean 'kinetic'?",
            lambda: energy["kinetik"])
    refused(sluice.FileError, "is no folder", lambda: sluice.Run(os.path.join(scratch, "nowhere")))
    other = os.path.join(scratch, "other")
    os.makedirs(other)
    with open(os.path.join(other, "picture.png"), "w"), open(os.path.join(other, "log.csv"), "w"):
        refused(sluice.FileError, "other is no folder of a run: it has none of config.cfg, log.txt",
                lambda: sluice.Run(other))


def test_tables():
    path = os.path.join(scratch, "table.csv")
    with open(path, "w") as file:
        file.write("# a remark\ntime,value,name\n0,1,\n\n1,2.5e-3,wendland\n2,3,")
    table = tables.read_table(path)
    ok(np.array_equal(table["value"], [1, 2.5e-3, 3]) and np.isnan(table["name"]).all(),
       "fields that are empty or words are NaN", table)
    for text, units, rows in (("2,0.25", {"number": "1", "time": "s"}, 1), ("2,0.25", None, 2),
                              ("2", None, 1)):
        with open(path, "w") as file:
            file.write(f"step,time\n1,0.125\n{text}")
        found = tables.read_table(path, units).rows
        ok(found == rows, f"an unfinished line {text} {'of a run' if units else ''}", found)
    for text, words in (("", "is empty"), ("a,b\n1,2,3\n1,2\n", "2 columns"),
                        ("a,b\n1,2\n3\n", "2 columns"),
                        ("a,b\n1,x2\n1;2,3\n", "2 columns")):
        with open(path, "w") as file:
            file.write(text)
        refused(sluice.FileError, words, lambda: tables.read_table(path))


test_config()
test_tables()
float_run = Case(FLOAT).run("float", expect=(0, 1))
test_run(float_run)
test_snapshots(float_run)
test_lazy(float_run)
finish()

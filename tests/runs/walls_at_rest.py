#!/usr/bin/env python3
# test: 2 s
"""Fluid at rest beside a wall at rest stays at rest, whatever the wall and the slip: no pressure,
no gravity, so that every force is exactly zero."""

from case_run import Case, finish, largest, ok

CASE = """model = "wcsph"; spacing = 0.05; dimension = %s
fluid = { sound_speed = 10.0; viscosity = { kind = "both"; nu = 0.01; }; };
time = { end = 0.1; max_steps = 5; }; energy = { reference = 1.0; }; output = { every = 0.0; };
"""
FLAT = CASE % """2;
domain = { max = [1.0, 0.6]; periodic = [true, false]; };
geometry = ( { shape = "box"; type = "fluid"; max = [1.0, 0.5]; min = [0.0, 0.0]; },
             { shape = "walls"; sides = ["y-"]; } );"""
DEEP = CASE % """3;
domain = { max = [0.4, 0.4, 0.4]; periodic = [true, true, false]; };
geometry = ( { shape = "box"; type = "fluid"; max = [0.4, 0.4, 0.2]; min = [0.0, 0.0, 0.0]; },
             { shape = "walls"; sides = ["z-"]; } );"""

for text, name in ((FLAT, "2-D"), (DEEP, "3-D")):
    for kind in ("adami", "dynamic", "mdbc"):
        for slip in ("free", "no-slip"):
            run = Case(text, boundary__kind=kind, boundary__slip=slip).run(f"{name}-{kind}-{slip}")
            speed = largest(run.energy()["max_speed"])
            ok(speed == 0, f"{name}, {kind} walls, {slip}: largest speed {speed:g}")
finish()

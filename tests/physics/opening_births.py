#!/usr/bin/env python3
# test: 4 s, gpu
"""Thousands of particles come and go in one step: the same bits on any number of threads, and the
books of the openings are those of the population."""

import os

from case_run import Case, at_most, differences, finish, ok

BACKEND = os.environ.get("SLUICE_TEST_BACKEND") or "cpu"
COLUMNS = 32  # along each edge


def box(columns, length, geometry, initial, openings, steps):
    """A box with openings at both ends of x; its other sides are walls."""
    dp = 1 / columns
    return f"""model = "wcsph"; dimension = 3; spacing = {dp}; gravity = [0.0, 0.0, 0.0];
    domain = {{ min = [0.0, 0.0, 0.0]; max = [{length * dp}, 1.0, 1.0]; }};
    kernel = {{ name = "wendland-c2"; h_over_dp = 1.5; }};
    fluid = {{ sound_speed = 10.0; viscosity = {{ alpha = 0.02; }}; }};
    boundary = {{ kind = "adami"; slip = "free"; }};
    geometry = ( {{ name = "sides"; shape = "walls"; sides = ["y-", "y+", "z-", "z+"]; }},
                 {{ shape = "box"; type = "fluid"; {geometry} }} );
    initial = ( {{ field = "velocity"; kind = "uniform"; value = [{initial}, 0.0, 0.0]; }} );
    openings = ( {openings} );
    time = {{ end = 1.0; max_steps = {steps}; }}; energy = {{ every = 5; reference = 500.0; }};
    output = {{ every = 0.0; }};"""


def same_on_threads(name, text):
    """Runs a case; returns what one thread has found."""
    case = Case(text, backend__name=BACKEND)
    one, *others = (case.run(f"{name}-{n}", threads=n) for n in (1, 2, 3))
    for n, other in enumerate(others, 2):
        different = differences(one, other)
        ok(not different, f"{name}, {n} threads: the same bits", str(different))
    return one


def whole(name, run, columns):
    """Every newcomer has the mass of a cell of the lattice: no place of the list was left out."""
    people = run.table("population.csv")
    cells = people["entered"][-1] * 1000 / columns**3
    at_most(abs(people["entered_mass"][-1] / cells - 1), 1e-6, f"{name}: mass of all that entered")


def same_books(name, run, openings, flow, way):
    """The openings' particles, masses and energies add up to those of the population."""
    people, tables = run.table("population.csv"), [run.table(f"opening_{o}.csv") for o in openings]
    for what in ("particles", "mass", "energy"):
        of_all = people[flow if what == "particles" else f"{flow}_{what}"][-1]
        at_most(abs(sum(t[f"{what}_{way}"][-1] for t in tables) / of_all - 1), 1e-12,
                f"{name}: {what} that {flow}")  # fmt: skip


# A stream: a row of every column at once.
LENGTH = 20 / COLUMNS
stream = same_on_threads("stream", box(
    COLUMNS, 20, f"min = [0.0, 0.0, 0.0]; max = [{LENGTH}, 1.0, 1.0];", 1.0,
    """{ name = "in"; kind = "inlet"; face = "x-"; velocity = 1.0; absorb = true; },
    { name = "out"; kind = "outlet"; face = "x+"; pressure = 0.0; absorb = true; }""", 60))
ok(stream.table("population.csv")["entered"][-1] == 2 * COLUMNS**2, "two rows of every column come")
whole("stream", stream, COLUMNS)
same_books("stream", stream, ["in"], "entered", "in")
same_books("stream", stream, ["out"], "left", "out")

# Two inlets into an empty box: all rows of the buffers in one step, columns of 2 x 2 particles.
COLUMNS = 48
jets = same_on_threads("jets", box(
    COLUMNS, 24, "min = [0.25, 0.25, 0.25]; max = [0.3125, 0.3125, 0.3125];", 0.0,
    """{ name = "left"; kind = "inlet"; face = "x-"; velocity = 1.0; ramp = 0.0; },
    { name = "right"; kind = "inlet"; face = "x+"; velocity = 0.5; }""", 30))
came = jets.table("population.csv")["entered"]
ok(came[1] >= 10 * COLUMNS**2, f"the buffers' five rows come at once: {came[1]:.0f} particles")
whole("jets", jets, COLUMNS)
same_books("jets", jets, ["left", "right"], "entered", "in")
finish()

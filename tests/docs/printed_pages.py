#!/usr/bin/env python3
# test: 12 s
"""The pages of docs/ that the program prints (`make docs`): docs/columns.md is what it prints, and
has every column of the tables of some runs, with the unit that the Python package gives it;
docs/options.md has the help of every verb. tests/config/reader.c has the test of docs/config.md."""

import re
import subprocess
from pathlib import Path

from case_run import ROOT, SLUICE, Case, finish, ok

import sluice
from sluice.units import PLANE, SPACE

# All kinds of probes, a body and a mooring, in 3-D.
TANK = """
model = "wcsph"; dimension = 3; spacing = 0.05;
domain = { max = [2.0, 0.4, 1.0]; };
gravity = [0.0, 0.0, -9.81];
fluid = { shifting = { kind = "inside"; };
          viscosity = { kind = "sps"; nu = 1e-6; smagorinsky = 0.12; }; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
      max = [1.2, 0.4, 0.5]; },
    { name = "tank"; shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; },
    { name = "crate"; shape = "box"; type = "body"; min = [0.4, 0.1, 0.35];
      max = [0.6, 0.3, 0.55]; }
);
bodies = ( { name = "crate"; density = 500.0; } );
moorings = ( { kind = "spring"; body = "crate"; at = [0.5, 0.2, 0.35]; to = [0.5, 0.2, 0.0];
               stiffness = 2000.0; length = 0.25; slack = true; } );
probes = (
    { kind = "point"; quantity = "all"; at = [0.2, 0.2, 0.2]; every = 0.01; },
    { kind = "point"; quantity = "shift"; at = [0.2, 0.2, 0.2]; every = 0.01; },
    { kind = "point"; quantity = "sub_particle_stress"; at = [0.2, 0.2, 0.2]; every = 0.01; },
    { kind = "line"; quantity = "velocity"; from = [0.2, 0.2, 0.1]; to = [0.2, 0.2, 0.4];
      points = 12; every = 0.01; },
    { kind = "line"; quantity = "all"; table = "long"; from = [0.2, 0.2, 0.1];
      to = [0.2, 0.2, 0.4]; points = 3; every = 0.01; },
    { kind = "height"; at = [0.8, 0.2]; every = 0.01; },
    { kind = "front"; axis = "x"; above = 0.1; every = 0.01; },
    { kind = "force"; on = "crate"; every = 0.01; },
    { kind = "flux"; from = [1.0, 0.0, 0.0]; to = [1.0, 0.4, 1.0]; every = 0.01; },
    { kind = "overtopping"; from = [1.0, 0.0, 0.2]; to = [1.0, 0.4, 1.0]; gap = 0.5;
      every = 0.01; },
    { kind = "runup"; from = [0.2, 0.2, 0.0]; to = [1.8, 0.2, 0.0]; points = 60; every = 0.01; },
    { kind = "profile"; at = [0.8, 0.2]; points = 4; quantity = "velocity"; every = 0.01; },
    { kind = "patch"; on = "tank"; face = "x-"; at = [0.2, 0.2]; size = [0.1, 0.1]; every = 0.01; }
);
time = { end = 1.0; };
output = { every = 0.0; };
"""
CASES = (TANK, "configs/floating_box.cfg", "configs/weir.cfg", "configs/wave_flume.cfg",
         "configs/beach.cfg", "configs/channel.cfg", "configs/sod.cfg")
# Of Lennard-Jones alone, in reduced units.
REDUCED = {"energy.csv": ("temperature", "pressure")}
# These words are energies in energy.csv, and the Python package knows a column by its name.
COUNTS = {"population.csv": ("entered", "left", "removed")}


def printed(*words):
    return subprocess.run([SLUICE, *words], check=True, capture_output=True, text=True).stdout


def names_of(cell, dimension):
    """A pattern for the names of a row: `spin`; in 3-D `spin_x`, ..."""
    plane, _, space = cell.partition("; in 3-D ")
    chosen = space if space and dimension == 3 else plane
    names = [re.escape(name) for name in re.findall("`([^`]+)`", chosen)]
    if chosen.endswith("..."):
        names = [re.sub("[xyz]{1,2}$", lambda axes: "[xyz]" * len(axes[0]), names[0])]
    return "|".join(names)


def sections_of(page):
    """The rows, (names, unit, sentence), below each heading."""
    sections = {}
    for part in re.split(r"\n##+ ", page)[1:]:
        heading, _, text = part.partition("\n")
        sections[heading] = [tuple(cell.strip() for cell in line.strip("|").split(" | "))
                             for line in text.splitlines() if line.startswith("| `")]
    return sections


def unit_on_page(rows, column, dimension):
    """None: it is not there."""
    for cell, unit, _ in rows:
        if re.fullmatch(names_of(cell, dimension), column):
            plane = {SPACE[quantity]: PLANE[quantity] for quantity in SPACE}
            return plane.get(unit, unit) if dimension == 2 else unit
    return None


def rows_for(sections, file, kinds):
    """The rows of the page for a table of a run, whose probes have these kinds."""
    if not file.startswith("probe_"):
        return sections[re.sub(r"^(body|mooring|opening)_.*\.csv", r"\1_NAME.csv", file)]
    return sections[f"Kind `{kinds[file[6:-4]]}`"] + sections["Quantities"]


def check_table(sections, table, file, dimension, kinds):
    rows = sections["All tables"] + rows_for(sections, file, kinds)
    missing, other = [], []
    for column in table:
        unit = unit_on_page(rows, re.sub(r"_\d+$", "", column), dimension)
        if unit is None:
            missing.append(column)
        elif (column not in REDUCED.get(file, ()) + COUNTS.get(file, ())
              and unit != table.units[column]):
            other.append(f"{column}: {unit}, in Python {table.units[column]}")
    ok(not missing, f"{file}: the page has its {len(table)} columns", str(missing))
    ok(not other, f"{file}: with their units", str(other))


def check_columns():
    page = Path(ROOT, "docs/columns.md").read_text()
    ok(page == printed("info", "--columns", "--markdown"),
       "docs/columns.md is what the program prints (make docs)")
    sections = sections_of(page)
    kinds = set()
    for number, case in enumerate(CASES):
        run = sluice.Run(Case(case).run(f"case{number}", time__max_steps=2,
                                        backend__strategy="window").path)
        probes = {probe.get("name", f"{probe['kind']}_{i}"): probe["kind"]
                  for i, probe in enumerate(run.config.get("probes", ()))}
        kinds |= set(probes.values())
        for file in sorted(file.name for file in Path(run.path).glob("*.csv")):
            check_table(sections, run.table(file), file, run.dimension, probes)
    ok({f"Kind `{kind}`" for kind in kinds} == {name for name in sections if "Kind" in name},
       f"the runs have all kinds of probes: {len(kinds)}")
    text = printed("info", "--columns")
    ok(all(name in text for name in ("energy.csv", "tension", "fluid_torque_x", "froude")),
       "the same as text")


def check_options():
    page = Path(ROOT, "docs/options.md").read_text()
    made = subprocess.run([Path(ROOT, "tools/options-page.sh"), SLUICE], check=True,
                          capture_output=True, text=True).stdout
    ok(page == made, "docs/options.md is what the program prints (make docs)")
    listed = [line.split("\t") for line in printed("help", "--list").splitlines()]
    verbs = [words[1] for words in listed if words[0] == "verb"]
    ok(re.findall("^## (.*)", page, re.M) == verbs, f"it has all verbs: {len(verbs)}")
    texts = dict(zip(verbs, re.split("^## ", page, flags=re.M)[1:]))
    missing = [words[1:3] for words in listed
               if words[0] == "option" and not re.search(f"{words[2]}\\b", texts[words[1]])]
    ok(not missing, "and all their options", str(missing))


check_columns()
check_options()
finish()

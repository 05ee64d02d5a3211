"""Which tables of a run are drawn, and which part of their time: the options --probe, --body,
--mooring, --opening, --column, --from, --to and --low-pass."""

import re
from dataclasses import dataclass, field

import numpy as np

from plot.lowpass import LowPass
from plot.modules import AskedError
from sluice.errors import listed

LONGEST = 80  # letters of what is chosen in a picture's name
# The kinds of tables, and what a run calls their names.
KINDS = {"probe": "probe_names", "body": "body_names", "mooring": "mooring_names",
         "opening": "opening_names"}  # fmt: skip


@dataclass
class Choice:
    """probes, bodies, moorings, openings, columns: names; empty: all. start, end: s; infinite: not
    given. low_pass: a LowPass, or None. missed: tables without rows in the window."""

    probes: tuple = ()
    bodies: tuple = ()
    moorings: tuple = ()
    openings: tuple = ()
    columns: tuple = ()
    start: float = -np.inf
    end: float = np.inf
    low_pass: object = None
    missed: list = field(default_factory=list)

    def asked(self, kind):
        """The names that the option of a kind gives."""
        return {"probe": self.probes, "body": self.bodies, "mooring": self.moorings,
                "opening": self.openings}[kind]  # fmt: skip

    @property
    def is_of_tables(self):
        """Whether tables are named, so that only these are drawn."""
        return any(self.asked(kind) for kind in KINDS)

    def picture(self, name, kinds=tuple(KINDS)):
        """The name of a picture of tables of these kinds: "probes", or of chosen ones
        "probes_g1_g2_height", so that it does not take the place of the one with all."""
        tables = [table for kind in kinds for table in self.asked(kind)]
        words = [name, *tables, *self.columns] if tables else [name]
        kept = len(words)
        while kept > 2 and sum(map(len, words[:kept])) + kept > LONGEST:
            kept -= 1
        more = [f"and_{len(words) - kept}_more"] if kept < len(words) else []
        return "_".join(words[:kept] + more)

    def names(self, run, kind):
        """The names of the run's tables of a kind that are drawn. AskedError: there is no such."""
        asked = self.asked(kind)
        there = getattr(run, KINDS[kind])
        for name in asked:
            if name not in there:
                raise AskedError(f"--{kind} {name}: {run.path} has no {kind} of this name:"
                                 f" {listed(there, name)}")  # fmt: skip
        return [name for name in there if name in asked or not self.is_of_tables]

    def tables(self, run, kind):
        """{name: table} of those that are drawn and have rows in the window."""
        found = {}
        for name in self.names(run, kind):
            table = getattr(run, kind)(name)
            part = self.cut(table)
            if part.rows:
                found[name] = part
            elif table.rows:
                self.missed.append(f"{kind} {name} has rows from t = {table['time'][0]:g} to"
                                   f" {table['time'][-1]:g} s, and none in the window")
        return found

    def cut(self, table):
        """The rows of a table in the window."""
        return table.between(self.start, self.end)

    def snapshots(self, run):
        """The numbers of the snapshots in the window. AskedError: there are some, but none in it.
        """
        times = run.times
        found = np.flatnonzero((times >= self.start) & (times <= self.end))
        if len(times) and not len(found):
            raise AskedError(f"no snapshot from t = {self.start:g} to {self.end:g} s: those of"
                             f" {run.path} are from {times[0]:g} to {times[-1]:g} s")  # fmt: skip
        return found

    def has_column(self, table):
        """Whether a table has one of the columns that are asked for; a line has vx as vx_0, ..."""
        return any(name in self.columns or re.sub(r"_\d+$", "", name) in self.columns
                   for name in table)  # fmt: skip

    def check_columns(self, tables):
        """AskedError: a column that is asked for is in none of the tables."""
        for column in self.columns:
            alone = Choice(columns=(column,))
            if not any(alone.has_column(table) for table in tables):
                there = dict.fromkeys(name for table in tables for name in table)
                raise AskedError(f"--column {column}: the tables drawn have no column of this name:"
                                 f" {listed(there, column)}")  # fmt: skip

    def columns_of(self, shown, there):
        """The columns to draw: those that are asked for, of those that a table has; or `shown`."""
        return [name for name in there if name in self.columns] if self.columns else shown


def add_choice(parser):
    parser.add_argument("--probe", metavar="NAME,...", help="draw only these probes; with"
                        " --reference the one that it belongs to")  # fmt: skip
    parser.add_argument("--body", metavar="NAME,...", help="draw only these bodies")
    parser.add_argument("--mooring", metavar="NAME,...", help="draw only these moorings")
    parser.add_argument("--opening", metavar="NAME,...", help="draw only these openings")
    parser.add_argument("--column", metavar="NAME,...", help="columns to draw of the tables that"
                        " are chosen, or to compare with --reference")  # fmt: skip
    parser.add_argument("--from", dest="start", type=float, help="start of what is drawn, s")
    parser.add_argument("--to", dest="end", type=float, help="end of what is drawn, s")
    parser.add_argument("--low-pass", type=float, metavar="HZ", help="filter the curves of all"
                        " tables but energies above this frequency")  # fmt: skip


def choice_of(parser, args):
    """The Choice of the options; wrong ones are usage errors."""
    start, end = (otherwise if value is None else value
                  for value, otherwise in ((args.start, -np.inf), (args.end, np.inf)))  # fmt: skip
    for name, value in (("from", args.start), ("to", args.end)):
        if value is not None and not abs(value) < np.inf:
            parser.error(f"--{name} {value}: a finite number is needed")
    if not start < end:
        parser.error(f"--from {start:g} --to {end:g}: the end must be after the start")
    if args.low_pass is not None and not 0 < args.low_pass < np.inf:
        parser.error(f"--low-pass {args.low_pass:g}: a frequency in Hz above 0 is needed")
    words = {name: tuple(filter(None, (getattr(args, name) or "").split(",")))
             for name in (*KINDS, "column")}  # fmt: skip
    low_pass = None if args.low_pass is None else LowPass(args.low_pass)
    return Choice(words["probe"], words["body"], words["mooring"], words["opening"],
                  words["column"], start, end, low_pass)

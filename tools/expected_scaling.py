#!/usr/bin/env python3
"""Writes the tables of docs/scaling.md, "What to expect": what `sluice check --ranks` predicts.

  expected_scaling.py [--check] [SLUICE]

A table stands between its marks, <!-- expected NAME --> and <!-- end -->. With --check nothing is
written, and the exit status is 1 if a table is another one.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "scaling.md"
RANKS = (1, 2, 4, 8, 64, 512, 4096)
DAM = [str(ROOT / "configs/dam_break_3d.cfg"), "--set", "kernel.h_over_dp=2.0"]
DAM_PARTICLES = 5.19e6
CUBE = """model = "wcsph"; dimension = 3; spacing = 0.02; kernel = { h_over_dp = 2.0; };
domain = { min = [0.0, 0.0, 0.0]; max = [1.28, 1.28, 1.28]; periodic = [true, true, true]; };
fluid = { sound_speed = 10.0; };
geometry = ( { name = "all"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0];
    max = [1.28, 1.28, 1.28]; } );
time = { end = 1.0; }; energy = { reference = 1.0; };
"""
LONG = ["--set", "domain.max=[2.56,1.28,1.28]", "--set", "geometry.all.max=[2.56,1.28,1.28]"]

# name, the case's words, particles, weak, machine, ms on one GPU and on two (docs/scaling.md)
MEASURED = (
    ("`dam_break_3d`, 5.19 M", DAM, DAM_PARTICLES, False, "h100", 3.76, 2.36),
    ("the same by NCCL", DAM, DAM_PARTICLES, False, "h100-nccl", 3.76, 2.49),
    ("`dam_break_3d`, 19.8 M", DAM, 19.8e6, False, "h100", 14.3, 7.9),
    ("cube, 16 M a GPU, by NCCL", None, 16e6, True, "h100-nccl", 18.04, 19.04),
)
EFFICIENCIES = (
    ("cube, 16 M a GPU", None, 16e6, True),
    ("dam break, 20 M a GPU", DAM, 20e6, True),
    ("dam break, 20 M in all", DAM, 20e6, False),
    ("dam break, 1 G in all", DAM, 1e9, False),
)


class Predictions:
    def __init__(self, program, folder):
        self.program = program
        self.said = {}
        self.cube = os.path.join(folder, "cube.cfg")
        Path(self.cube).write_text(CUBE, encoding="utf-8")

    def plans(self, case, particles, weak, ranks, more=()):
        """The output of check for each number of ranks."""
        return self.check(case, particles, weak, ranks, more)["plans"]

    def check(self, case, particles, weak, ranks, more=()):
        words = [self.program, "check", *(case or [self.cube]), *more, "--json", "--quiet"]
        words += ["--set", "output.every=0.0", "--set", 'backend.name="cpu"']
        words += ["--ranks", ",".join(map(str, ranks)), "-n", f"{particles:.0f}"]
        words += ["--weak"] if weak else []
        key = tuple(words)
        if key not in self.said:
            self.said[key] = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
        return json.loads(self.said[key])


def machine(plan, name):
    return next(m for m in plan["predicted"] if m["machine"] == name)


def error(predicted, measured):
    return f"{100 * (predicted / measured - 1):+.0f}%"


def measured_table(predict):
    head = "case", "GPUs", "measured, ms", "predicted, ms", "error", "times as fast, measured"
    yield "| " + " | ".join(head) + " | predicted |"
    yield "|---|---|---|---|---|---|---|"
    for name, case, particles, weak, kind, *ms in MEASURED:
        if weak:  # twice as long, as it was measured
            plans = predict.plans(case, particles, False, (1,))
            plans += predict.plans(case, 2 * particles, False, (2,), LONG)
        else:
            plans = predict.plans(case, particles, False, (1, 2))
        said = [1e3 * machine(plan, kind)["seconds_a_step"] for plan in plans]
        for gpus in (1, 2):
            row = [name if gpus == 1 else "", gpus, ms[gpus - 1], f"{said[gpus - 1]:.3g}"]
            row += [error(said[gpus - 1], ms[gpus - 1])]
            work = 2 if weak else 1
            fast = (work * ms[0] / ms[1], work * said[0] / said[1])
            row += [""] * 2 if gpus == 1 else [f"{fast[0]:.2f}", f"{fast[1]:.2f}"]
            yield "| " + " | ".join(map(str, row)) + " |"


def efficiency_table(predict):
    yield "| GPUs | " + " | ".join(map(str, RANKS)) + " |"
    yield "|---" * (len(RANKS) + 1) + "|"
    for name, case, particles, weak in EFFICIENCIES:
        plans = predict.plans(case, particles, weak, RANKS)
        share = [machine(plan, "h100")["efficiency"] for plan in plans]
        row = [f"{100 * x:.0f}%" if x >= 0.01 else "below 1%" for x in share]
        row = [x + (" (ids)" if not p["ids_suffice"] else "") for x, p in zip(row, plans)]
        yield "| " + " | ".join([name, *row]) + " |"


def halo_table(predict):
    yield "| GPUs | " + " | ".join(map(str, RANKS)) + " |"
    yield "|---" * (len(RANKS) + 1) + "|"
    plans = predict.plans(None, 16e6, True, RANKS)
    first = plans[0]["own_particles"]["mean"]
    rows = (
        ("particles", lambda p: f"{p['particles']:.2g}"),
        ("most halo particles of a rank, M", lambda p: f"{p['copies']['most'] / 1e6:.2g}"),
        ("sent a step, MB", lambda p: f"{machine(p, 'h100')['bytes_sent_most'] / 1e6:.3g}"),
        ("frames", lambda p: f"{p['frames']:.2g}"),
        ("fullest rank of the first planes", lambda p: f"{p['own_particles']['most'] / first:.2f}"),
        ("ms a step", lambda p: f"{1e3 * machine(p, 'h100')['seconds_a_step']:.3g}"),
    )
    for name, cell in rows:
        yield f"| {name} | " + " | ".join(cell(plan) for plan in plans) + " |"


def cell_of(value):
    if isinstance(value, dict):  # a link
        return f"{value['round']:.3g}, {value['bandwidth']:.3g}"
    return f"{value:.3g}"


def constants_table(predict):
    machines = predict.check(DAM, DAM_PARTICLES, False, (1, 2))["machines"]
    yield "| | " + " | ".join(f"`{m['machine']}`" for m in machines) + " |"
    yield "|---" * (len(machines) + 1) + "|"
    for key in machines[0]["constants"]:
        cells = [cell_of(m["constants"][key]) for m in machines]
        yield f"| {key} | " + " | ".join(cells) + " |"


TABLES = {
    "constants": constants_table,
    "measured": measured_table,
    "efficiency": efficiency_table,
    "cube": halo_table,
}


def main():
    words = sys.argv[1:]
    checks = "--check" in words
    program = next((w for w in words if not w.startswith("-")), str(ROOT / "build/sluice"))
    page = before = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        predict = Predictions(program, folder)
        for name, table in TABLES.items():
            begin = f"<!-- expected {name} -->\n"
            head, _, rest = page.partition(begin)
            _, end, tail = rest.partition("<!-- end -->")
            if not end:
                sys.exit(f"{PAGE.name} has no place for the table: {begin.strip()}")
            page = head + begin + "\n".join(table(predict)) + "\n" + end + tail
    if checks:
        if page != before:
            print(f"{PAGE.name}: its tables are not those of this program: make expected")
        return page != before
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

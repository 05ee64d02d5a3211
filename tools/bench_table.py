#!/usr/bin/env python3
"""The tables of docs/benchmarks.md and docs/notes/benchmarks.md, from rows of `sluice bench --csv`.

    tools/bench_table.py            prints each table, made anew
    tools/bench_table.py --write    puts them into the pages
    tools/bench_table.py --check    exit status 1 if a page differs

A table stands between <!-- table FILE VERB --> and <!-- end of table -->: rows of FILE, beside the
page, of `sluice bench VERB`. Steps are compared with the same case of dualsphysics.csv by the time
a pair. An empty cell was not recorded. VERB `rows`: the whole file, as sluice_bench.py prints it; a
missing file has not been measured. VERB `machines`: a row for each JSON file of the folder FILE, of
`sluice bench --json`; its name says which machine it is. VERB `effects`: steps with an effect each,
which the column of this name says, beside the first row of the case, which has none.
"""
import csv
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import sluice_bench  # noqa: E402

DOCS = Path(__file__).parent.parent / "docs"
PAGES = (DOCS / "benchmarks.md", DOCS / "notes/benchmarks.md")
TABLE = re.compile(r"(<!-- table (\S+) (\w+) -->\n).*?(<!-- end of table -->)", re.S)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text, form="{:,.0f}", factor=1.0):
    return form.format(float(text) * factor) if text else ""


def giga(text):
    return number(text, "{:.4g} G", 1e-9) if text and float(text) >= 1e9 else \
        number(text, "{:,.0f} M" if text and float(text) >= 1e8 else "{:.3g} M", 1e-6)


def milliseconds(text):
    return number(text, "{:.4g}", 1e3)


def markdown_head(head):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]


def spread(row):
    if not row["min_s"]:
        return ""
    return f"{1e3 * float(row['min_s']):.4g} to {1e3 * float(row['max_s']):.4g}"


def times_as_fast(row, other):
    """The other program's time a pair, by default and at best, divided by this row's."""
    if not other or not row["pairs"]:
        return ""
    own = float(row["median_s"]) / float(row["pairs"])
    return " / ".join(f"{float(other[key]) / float(other['pairs']) / own:.1f}"
                      for key in ("default_s", "best_s") if other[key])


# Of `sluice bench --json`: the case, the column's head, what it shows, its form.
MACHINE_COLUMNS = (("h2.0", "pair loop h/dp 2, pairs/s", "pairs_per_s", giga),
                   ("spheric-2", "spheric-2, ms a step", "median_s", milliseconds),
                   ("spheric-2", "fluid particles/s", "fluid_per_s", giga),
                   ("dam-break-2d", "dam-break-2d, ms a step", "median_s", milliseconds),
                   ("dam-break-2d", "fluid particles/s", "fluid_per_s", giga))


def machines_table(folder):
    lines = markdown_head(["machine", "processor or GPU", "threads", "version",
                           *(column[1] for column in MACHINE_COLUMNS)])
    for path in sorted(folder.glob("*.json")):
        sent = json.loads(path.read_text())
        rows = {row["case"]: row for row in sent["rows"]}
        first = sent["rows"][0]
        cells = [path.stem, f"{first['device']}, {first['isa']}"
                 if first["backend"] == "cpu" else first["device"],
                 str(first["threads"] or ""), f"{sent['version']}, {first['revision']}"]
        cells += [form(str(rows[case][key])) if case in rows else ""
                  for case, _, key, form in MACHINE_COLUMNS]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def effects_table(path):
    rows = rows_of(path)
    cases = list(dict.fromkeys(row["case"] for row in rows))
    head = ["effect"]
    for case in cases:
        head += [f"{case}, ms", "least to most", "neighbours", "over the first row"]
    lines = markdown_head(head)
    for effect in dict.fromkeys(row["effect"] for row in rows):
        cells = [effect]
        for case in cases:
            first, *_ = (row for row in rows if row["case"] == case)
            row, *_ = (row for row in rows if (row["case"], row["effect"]) == (case, effect))
            over = float(row["median_s"]) / float(first["median_s"])
            cells += [milliseconds(row["median_s"]), spread(row), row["neighbours"], f"{over:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def table(path, verb):
    if verb == "effects":
        return effects_table(path)
    if verb == "machines":
        return machines_table(path)
    if verb == "rows":
        return sluice_bench.table(rows_of(path)) if path.exists() else \
            "No device has been measured yet.\n"
    others = {row["case"]: row for row in rows_of(path.parent / "dualsphysics.csv")}
    steps = verb == "step"
    head = ["case", "particles", "fluid", "h/dp", "neighbours", "ms", "least to most", "pairs/s",
            "particles/s"]
    head += ["DualSPHysics 5.4, ms: default / best", "times as fast, by pairs"] if steps else []
    lines = markdown_head(head)
    for row in rows_of(path):
        if row["bench"] != verb:
            continue
        cells = [row["case"], number(row["particles"]), number(row["fluid"]), row["h_over_dp"],
                 row["neighbours"], milliseconds(row["median_s"]), spread(row),
                 giga(row["pairs_per_s"]), giga(row["particles_per_s"])]
        if steps:
            other = others.get(row["case"])
            cells += [" / ".join(milliseconds(other[key])
                                 for key in ("default_s", "best_s") if other[key]) if other else "",
                      times_as_fast(row, other)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--write"], ["--check"]):
        print(__doc__)
        return 2
    differ = False
    for path in PAGES:
        page = path.read_text()
        made = TABLE.sub(lambda m: m[1] + table(path.parent / m[2], m[3]) + m[4], page)
        if arguments == ["--write"]:
            path.write_text(made)
        elif arguments == ["--check"] and made != page:
            print(f"{path} differs from its rows: tools/bench_table.py --write")
            differ = True
        elif not arguments:
            print("\n".join(table(path.parent / m[2], m[3]) for m in TABLE.finditer(page)))
    return differ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

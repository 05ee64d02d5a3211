#!/usr/bin/env python3
# test: 90 s, slow
"""docs/tutorials: their commands run one after the other, and print the numbers to reach.

A page runs in an empty folder, with `sluice` on the PATH: every block fenced as ```sh, in order.
Its table has a row `| name | 0.242 ± 0.003 m | ... |` for each number to reach; PRINTED says where
the output has it. The tolerances are those of the pages: rounding differs between processors, and
after thousands of steps the places of particles do, too.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import case_run  # noqa: F401: ends the test where modules for pictures are missing
from tap import ROOT, finish, ok
from docs_commands import blocks_of

PAGES = Path(ROOT, "docs/tutorials")
MOST_LINES = 120
LIMIT_S = 300
ROW = re.compile(r"^\| ([^|]+?) +\| (-?[\d.]+) ± ([\d.]+)", re.M)
NUMBER = r"(-?[\d.]+(?:e[+-]\d+)?)"
PRINTED = {
    "dam-break.md": {
        "largest error of the front": rf"largest error {NUMBER}%",
        "front after 0.17 s": rf"front +end \(m\) +\S+ +\S+ +{NUMBER}",
        "the same at four times the spacing": rf"front +end \(m\) +{NUMBER}",
    },
    "floater.md": {
        "centre of the free box": rf"^y {NUMBER}",
        "level at the gauge": rf"^height {NUMBER}",
        "tension of the rope": rf"^tension {NUMBER}",
        "length of the rope": rf"^length {NUMBER}",
    },
    "flume.md": {
        "height": rf"^mine +\S+ +\S+ +\d+ +{NUMBER}",
        "period": rf"^mine +\S+ +\S+ +\d+ +\S+ +\S+ +\S+ +{NUMBER}",
        "first harmonic": rf"^harmonics .*\nmine +{NUMBER}",
        "second harmonic": rf"^harmonics .*\nmine +\S+ +{NUMBER}",
        "correlation with theory": rf"^theory .*\nmine +{NUMBER}",
    },
    "own-stl.md": {
        "volume of the mesh": rf"^ +mesh 3 .*volume {NUMBER} m\^3 asked",
        "its particles, spacing 2 cm": rf"wall, 260 particles.*, {NUMBER} m\^3 actual",
        "its particles, spacing 1 cm": rf"wall, 2020 particles.*, {NUMBER} m\^3 actual",
        "mass of the body": rf"^Bodies\n +pyramid +mass {NUMBER} kg",
    },
    "shock-tube.md": {
        "left plateau, at x = 0.06 m": rf"^out/fine: left plateau {NUMBER}",
        "right plateau, at x = 0.2 m": rf"^out/fine: right plateau {NUMBER}",
        "shock": rf"^out/fine: shock at {NUMBER}",
        "mean error, fine": rf"^out/fine: mean error {NUMBER}",
        "mean error, coarse": rf"^out/coarse: mean error {NUMBER}",
    },
}


def environment(folder):
    """`sluice` is the program under test, `python3` the one that runs this test."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "sluice").symlink_to(Path(os.environ["SLUICE"]).resolve())
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python3").chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}


def run_page(page):
    """What the page's commands print; each block is a check."""
    said = ""
    with tempfile.TemporaryDirectory(prefix="sluice-tutorial-") as scratch:
        env = environment(Path(scratch))
        folder = Path(scratch, "work")
        folder.mkdir()
        for line, language, mark, script in blocks_of(page):
            if language != "sh":
                ok(language == "text", f"{page.name}:{line}: text is output, sh commands", language)
                continue
            ok(mark is None, f"{page.name}:{line} runs as it stands", str(mark))
            # A page changes into its case's folder once: the next block goes on there.
            script += '\npwd >"$OLD_FOLDER/folder"\n'
            env["OLD_FOLDER"] = scratch
            run = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd=folder,
                                 env=env, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            ok(run.returncode == 0, f"{page.name}:{line} {script.strip().splitlines()[0]}",
               f"exit code {run.returncode}\n{run.stdout}")
            said += run.stdout
            if run.returncode == 0:
                folder = Path(Path(scratch, "folder").read_text().strip())
    return said


def check_page(page):
    text = page.read_text()
    ok(len(text.splitlines()) <= MOST_LINES, f"{page.name}: at most {MOST_LINES} lines",
       str(len(text.splitlines())))
    rows = {name: (float(value), float(apart)) for name, value, apart in ROW.findall(text)}
    printed = PRINTED.get(page.name, {})
    ok(rows and sorted(rows) == sorted(printed), f"{page.name}: each number to reach is checked",
       f"page: {sorted(rows)}, test: {sorted(printed)}")
    said = run_page(page)
    for name, pattern in printed.items():
        found = re.search(pattern, said, re.M)
        value, apart = rows.get(name, (0.0, 0.0))
        shown = found[1] if found else "not printed"
        ok(found and abs(float(found[1]) - value) <= apart * (1 + 1e-9),
           f"{page.name}: {name}: {shown}, on the page {value} ± {apart}", said[-2000:])


def main():
    pages = sorted(PAGES.glob("*.md"))
    chosen = sys.argv[1:] or [page.name for page in pages]
    ok({page.name for page in pages} == set(PRINTED), "docs/tutorials has the pages of the test")
    for page in pages:
        if page.name in chosen:
            check_page(page)
    finish()


if __name__ == "__main__":
    main()

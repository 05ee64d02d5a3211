#!/usr/bin/env python3
# test: 20 s
"""The examples in Python work: the blocks of docs/python.md, one after the other, and the cells of
the notebooks, each in a folder of its own. Runs of the page that name no time.end are shortened to
the one on the line before the fence: <!-- test: time_end=0.1 -->."""

import glob
import json
import os
import re
import shutil

from case_run import ROOT, SLUICE, finish, ok, scratch

import matplotlib  # noqa: E402, I100

matplotlib.use("Agg")
import sluice  # noqa: E402
from matplotlib import pyplot  # noqa: E402

os.environ["SLUICE"] = SLUICE
BLOCK = re.compile(r"<!-- test: (?:time_end=(\S+)|as above) -->\n```python\n(.*?)```", re.DOTALL)
program_run = sluice.run


def execute(code, name, space):
    """Executes a block of code; a failed check shows its exception."""
    try:
        exec(compile(code, name, "exec"), space)
        ok(True, name)
    except Exception as error:
        ok(False, name, f"{type(error).__name__}: {error}\n{code}")


def folder_like(*parts):
    """A new folder of the scratch place with the tree's configs and data, and in it a folder."""
    top = os.path.join(scratch, parts[0])
    os.makedirs(os.path.join(top, *parts[1:]))
    for name in ("configs", "data"):
        os.symlink(os.path.join(ROOT, name), os.path.join(top, name))
    return os.path.join(top, *parts[1:])


def test_page():
    with open(os.path.join(ROOT, "docs", "python.md")) as file:
        text = file.read()
    blocks = BLOCK.findall(text)
    ok(len(blocks) == text.count("```python") >= 5, f"{len(blocks)} blocks of docs/python.md")
    os.chdir(folder_like("page"))
    space, end = {}, None
    for number, (time_end, code) in enumerate(blocks, 1):
        end = float(time_end) if time_end else end
        sluice.run = lambda config, **keys: program_run(config, **{"time__end": end, **keys})
        execute(code, f"docs/python.md, block {number}", space)
    sluice.run = program_run
    ok(len(pyplot.gca().lines) == 3 and os.path.getsize("out/study.png") > 10000,
       "the study draws three lines")
    lines = next(code for _, code in blocks if "for alpha" in code).strip().splitlines()
    ok(len([line for line in lines if line]) <= 10, "in ten lines")


def test_notebooks():
    for path in sorted(glob.glob(os.path.join(ROOT, "python", "examples", "*.ipynb"))):
        name = os.path.basename(path)
        os.chdir(folder_like("notebooks", "python", "examples"))
        os.symlink(os.path.join(ROOT, "python", "sluice"), "../sluice")
        with open(path) as file:
            cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
        pyplot.close("all")
        space = {}
        for number, cell in enumerate(cells, 1):
            execute("".join(cell["source"]), f"{name}, cell {number}", space)
        pictures = sum("image/png" in output.get("data", {})
                       for cell in cells for output in cell["outputs"])
        drawn = [figure for figure in map(pyplot.figure, pyplot.get_fignums())
                 if all(axes.has_data() for axes in figure.axes)]
        ok(len(drawn) == pictures > 0, f"{name} draws its {pictures} pictures", len(drawn))
        kept = [output for cell in cells for output in cell["outputs"]
                if output["output_type"] == "error" or output.get("name") == "stderr"]
        ok(not kept, f"{name} is kept without errors and warnings", kept)
        shutil.rmtree(os.path.join(scratch, "notebooks"))


test_page()
test_notebooks()
os.chdir(ROOT)
finish()

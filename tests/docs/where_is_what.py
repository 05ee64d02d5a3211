#!/usr/bin/env python3
# test: 0.1 s
"""What the documents say about the tree: each file in the table "Where is what" of docs/design.md
has the names beside it, the layers there are those of tools/check-tree.py, the interface of
backends is as small as it says, the messages in docs/user-guide.md are those of
tests/data/config-errors, and all files have one version."""
import ast
import re
from pathlib import Path

import tap
from tap import finish, ok

ROOT = Path(tap.ROOT)
LINK = re.compile(r"\]\(\.\./([^)#]+)\)")
NEEDED = ("time loop", "step", "pair formula", "config key", "snapshot", "wall", "strategy",
          "probe", "error message", "option")


def section(page, title):
    """The lines of a section, up to the next heading of its level."""
    text = (ROOT / page).read_text().split(f"\n## {title}\n", 1)[1]
    return re.split(r"\n## ", text)[0].splitlines()


def rows(lines):
    """The cells of a table's rows, without its head."""
    table = [line for line in lines if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1:]]


def check_names():
    table = rows(section("docs/design.md", "Where is what"))
    for what, files, names in table:
        paths = [ROOT / path for path in LINK.findall(files)]
        missing = [str(path) for path in paths if not path.is_file()]
        ok(paths and not missing, f"{what}: its files exist", " ".join(missing))
        text = "".join(path.read_text() for path in paths if path.is_file())
        for name in re.findall(r"`([^`]+)`", names):
            ok(name in text, f"{what}: {name} is there", files)
    for word in NEEDED:
        ok(any(word in row[0] for row in table), f"the table has a row for: {word}")


def check_layers():
    table = {name: int(level) for level, names, _ in rows(section("docs/design.md", "Layers"))
             for name in re.findall(r"`([^`]+)`", names)}
    code = (ROOT / "tools/check-tree.py").read_text()
    levels = ast.literal_eval(re.search(r"^LEVELS = (\[.*?^\])", code, re.M | re.S)[1])
    for level, names in enumerate(levels):
        for name in names:
            if [*ROOT.glob(name)]:
                ok(table.get(name) == level, f"{name} has level {level}", table.get(name))
    ok({name for names in levels for name in names} >= set(table), "no other folder is a layer")
    ok((ROOT / "docs/pictures/design-layers.svg").is_file(), "there is a picture of the layers")


def check_messages():
    said = "".join(p.read_text() for p in ROOT.glob("tests/data/config-errors/*.expected"))
    guide = "\n".join(section("docs/user-guide.md", "When something is wrong"))
    quoted = re.search(r"```text\n(.*?)```", guide, re.S)[1].splitlines()
    ok(len(quoted) == 5, f"{len(quoted)} messages in the user guide")
    for line in quoted:
        ok(f"/{line}\n" in said, f"the program says: {line}")


def check_operations():
    """The interface of a backend stays small, and knows no physics."""
    text = (ROOT / "src/backend/backend.h").read_text()
    table = text.split("struct sluice_backend_ops {", 1)[1].split("\n};", 1)[0]
    names = set(re.findall(r"\(\*(\w+)\)\(", table)) - {"spawn", "retire"}
    ok(len(names) <= 30, f"a backend has {len(names)} operations")
    physics = re.findall(r"\b\w*(?:body|bodies|eos|sound_speed|viscosity)\w*", text)
    ok(not physics, "backend.h names neither bodies nor equations of state", " ".join(physics))
    product = "".join(p.read_text() for p in [*ROOT.glob("kernels/cpu/**/*.[ch]"),
                                              *ROOT.glob("kernels/gpu/**/*.[chu]*")])
    ok("kernels/bench" not in product, "no backend includes what benchmarks alone need")


def check_effects():
    """Each effect has its folder's line in the list, and its heading in theory.md."""
    listed = re.findall(r'^#include "(\S+)"$', (ROOT / "src/physics/effects.def").read_text(), re.M)
    there = {str(p.relative_to(ROOT / "src")) for p in ROOT.glob("src/physics/*/*.def")}
    ok(set(listed) == there and len(listed) == len(there), "each effect is in the list once",
       set(listed) ^ there)
    headings = set(re.findall(r"^#+ (.*)$", (ROOT / "docs/theory.md").read_text(), re.M))
    for path in listed:
        text = (ROOT / "src" / path).read_text()
        for name, title in re.findall(r'^EFFECT\((\w+), "(.*)"\)', text, re.M):
            ok(title in headings, f"theory.md has {title!r}, of {name}")


def check_versions():
    """All files that have the program's version have the same (RELEASING.md)."""
    wanted = re.search(r'\.version = "(.*)"', (ROOT / "src/core/version.c").read_text())[1]
    for name, pattern in (("python/sluice/__init__.py", r'^__version__ = "(.*)"'),
                          ("CITATION.cff", r'^version: "(.*)"'),
                          ("CHANGELOG.md", r"^## (\d\S*) - \d{4}-\d\d-\d\d$")):
        found = re.search(pattern, (ROOT / name).read_text(), re.M)
        ok(found and found[1] == wanted, f"{name} has version {wanted}", found and found[1])


def check_oldest_modules():
    """The tools refuse the versions that pyproject.toml refuses."""
    code = (ROOT / "tools/plot/modules.py").read_text()
    oldest = ast.literal_eval(re.search(r"^OLDEST = (\{.*?\})", code, re.M | re.S)[1])
    asked = dict(re.findall(r'"([\w-]+)>=([\d.]+)"', (ROOT / "pyproject.toml").read_text()))
    for name, version in oldest.items():
        wanted = ".".join(str(n) for n in version)
        ok(asked.get(name.replace("skimage", "scikit-image")) == wanted,
           f"pyproject.toml asks for {name} {wanted}", asked)


check_names()
check_layers()
check_effects()
check_operations()
check_messages()
check_versions()
check_oldest_modules()
finish()

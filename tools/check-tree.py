#!/usr/bin/env python3
"""Proves the rules of the source tree that a compiler does not.

  check-tree.py [--objects DIR] [--headers LIST] [--picture] [ROOT]

  layers     a file includes only its own folder and folders of lower levels (LEVELS below), so
             folders neither need each other nor stand in a circle; at most 15 levels. Lists of
             data (.def), which include each other and formulas alone, are below all levels
  picture    the picture of the layers shows LEVELS; --picture draws it
  circles    no two files need each other, directly or through others: by what they include, and
             with --objects DIR by the symbols of the objects that a build left there; in Python by
             what they import, also within functions. Nor do the folders of python and tools
  platforms  only comm_mpi.c sees mpi.h, only GPU folders and .cu files see CUDA and HIP headers;
             no header asks for SLUICE_WITH_MPI and its like: configurations share the objects of
             .c files that do not ask (Makefile)
  alone      every header compiles on its own, but those that call themselves "A template";
             --headers "A.h B.h": of these alone, for most of the time goes there
  folders    a folder of src or kernels holds up to 30 files
  names      no file is called utils, helpers, common or misc
  length     files of src and kernels up to 450 lines, others 500; lines of scripts up to 100
             columns (clang-format sees to C, and tests of the command line quote messages as long
             as they are)
  links      relative links of the documentation lead somewhere
  paths      no file holds a path of somebody's machine
  merges     no file holds the marks of a conflict that was left

Prints one line a finding (file:line: rule: what) and exits 1 if there is any.
The compiler is $CC (gcc).
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import python_imports

# Low to high: each folder by itself, and what its box in the picture says. "a/*": each folder of a
# that is not named.
LEVELS = [
    {"src/core": "status, parameters, log, timers, threads"},
    {"src/particles": "fields, sets", "src/grid": "frames", "src/files": "CSV, HDF5, meshes",
     "src/surface": "closed surfaces"},
    {"kernels": "registry.h: the lists", "kernels/types": "lanes, sums",
     "src/config/syntax": "text to tree"},
    {"src/config": "checked keys", "src/domain": "ranks: planes, MPI",
     "kernels/pair": "formulas of pairs", "kernels/gpu/emulator": "for tests"},
    {"src/backend": "the interface", "src/motion": "paths and poses",
     "src/solids": "signed distances", "kernels/pointwise": "of one particle"},
    {"src/geometry": "cells of shapes", "src/solids/mesh": "mending meshes",
     "src/snapshots": "checkpoints", "kernels/formulas": "tables of the lists",
     "kernels/cpu": "threads", "kernels/backends": "find and open",
     "kernels/bench": "not the product's"},
    {"src/contact": "contact of bodies", "src/fit": "fitted walls",
     "kernels/cpu/loops": "threads and vectors", "kernels/gpu": "CUDA, HIP, emulator",
     "kernels/bench/cpu": "its own loops"},
    {"src/bodies": "rigid bodies", "kernels/gpu/step": "sort, kick, sums",
     "kernels/gpu/window": "strategy", "kernels/gpu/cells": "strategies",
     "kernels/gpu/bucket": "strategy", "kernels/bench/cpu/loops": "other loops"},
    {"src/model": "what models share", "kernels/bench/gpu": "other loops"},
    {"src/case": "the problem", "src/physics": "list of effects", "src/physics/water": "its step",
     "src/physics/gas": "its step", "src/physics/lennard_jones": "its step",
     "kernels/gpu/host": "operations", "kernels/bench/gpu/host": "operations"},
    {"src/probes": "measurements during a run", "src/physics/*": "an effect of water each",
     "src/case/checks": "refused or warned of"},
    {"src/sim": "step, budget, output plan, auto", "src/measure": "sluice measure"},
    {"src/bench": "sluice bench", "src/plan": "what ranks hold, send and cost",
     "src/app/shipped": "tools, configs"},
    {"src/app": "main, commands"},
]
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
PICTURE = Path("docs/pictures/design-layers.svg")
VAGUE_NAMES = {"util", "utils", "helper", "helpers", "common", "misc"}
MACHINE_PATH = re.compile(r"(?<![\w.$}/*])/(?:work|root|home|Users)/[\w.]|\.\./shared\b")
DEPENDS = re.compile(r"SLUICE_WITH_(MPI|CUDA|HIP|EMULATED)\b")
GPU_HEADER = re.compile(r"^(cuda|hip|cub/|rocprim|thrust/|nv_)")
MAX_COLUMNS, MAX_FILES, MAX_LEVELS = 100, 30, 15
MAX_LINES = {"src": 450, "kernels": 450}  # of files elsewhere: 500

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")


def tracked_files(root):
    """What git tracks or would track, relative to root; every file where git is not in use."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    listing = subprocess.run(command, capture_output=True)
    if listing.returncode == 0:
        names = [Path(n) for n in listing.stdout.decode().split("\0") if n]
        return sorted({n for n in names if (root / n).is_file()})
    skip = {".git", "build", "out", "__pycache__"}
    found = (p.relative_to(root) for p in root.rglob("*") if p.is_file())
    return sorted(p for p in found if not skip & set(p.parts))


def is_code(path):
    return path.suffix in {".c", ".cc", ".h", ".cu", ".cuh", ".inc"}


def is_of_gpu(path):
    """Whether this is a file of kernels/gpu or kernels/bench/gpu."""
    return path.parts[0] == "kernels" and "gpu" in path.parts[1:3]


def resolve_include(root, path, target):
    """The repository's file that an include names, in the build's search order, or None."""
    for base in (path.parent, Path("."), Path("src"), Path("tests")):
        candidate = Path(os.path.normpath(base / target))
        if (root / candidate).is_file():
            return candidate
    return None


def unit_of(path):
    """A header and the file that implements it are one unit: src/sim/step for step.c and step.h."""
    return path.parent / path.name.split(".")[0]


def level_of(path):
    """The level of a source file's folder, or None outside src and kernels."""
    folder = path.parent
    return LEVEL.get(folder.as_posix(), LEVEL.get((folder.parent / "*").as_posix()))


def layer_problem(path, target):
    """Why `path` may not include `target` (both of this repository), or None."""
    if target.parts[0] == "tests" and path.parts[0] != "tests":
        return f"only tests include tests/: {target}"
    if path.suffix == ".def":
        formula = target.as_posix().startswith(("kernels/pair/", "kernels/pointwise/"))
        return None if formula or target.suffix == ".def" else f"a list of data includes {target}"
    if target.suffix == ".def":  # data, which stands below all code
        return None
    own, other = level_of(path), level_of(target)
    if own is None or other is None or path.parent == target.parent or other < own:
        return None
    return f"{path.parent} of level {own} includes {target} of level {other}"


def draw_layers():
    """The picture of LEVELS, as text."""
    width, height, left, gap, step = 1000, 40, 56, 8, 48
    colours = [("src", "host code", "#e8f0fa", "#4a78b0"),
               ("kernels/", "backends", "#fdf0df", "#c98a2b"),
               ("kernels", "formulas, lists", "#e9f5e6", "#5a9a4a")]
    formulas = {"kernels", "kernels/types", "kernels/pair", "kernels/pointwise",
                "kernels/formulas"}
    total = step * len(LEVELS) + 60
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" '
            f'viewBox="0 0 {width} {total}"',
            '     font-family="DejaVu Sans, Arial, sans-serif" font-size="13" fill="#1a1a1a">',
            "<title>The layers of the source tree</title>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{total - 1}" rx="8" '
            'fill="#ffffff" stroke="#999999"/>']
    for level, names in enumerate(LEVELS):
        y = 16 + step * (len(LEVELS) - 1 - level)
        wide = (width - 24 - left + gap) / len(names) - gap
        text.append(f'<text x="36" y="{y + 25}" text-anchor="middle" fill="#666666">{level}</text>')
        for k, (name, what) in enumerate(names.items()):
            x = left + k * (wide + gap)
            kind = 0 if name.startswith("src") else 2 if name in formulas else 1
            _, _, fill, stroke = colours[kind]
            size = min(13, 1.55 * wide / len(name)) # a long name stays in its box
            text += [f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{height}" rx="5" '
                     f'fill="{fill}" stroke="{stroke}"/>',
                     f'<text x="{x + wide / 2:.0f}" y="{y + 17}" text-anchor="middle" '
                     f'font-weight="bold" font-size="{size:.1f}">{name}</text>',
                     f'<text x="{x + wide / 2:.0f}" y="{y + 34}" text-anchor="middle" '
                     f'font-size="12">{what}</text>']
    y = total - 30
    for k, (_, what, fill, stroke) in enumerate(colours):
        x = left + 130 * k
        text += [f'<rect x="{x}" y="{y}" width="16" height="16" rx="3" fill="{fill}" '
                 f'stroke="{stroke}"/>',
                 f'<text x="{x + 22}" y="{y + 13}" font-size="12">{what}</text>']
    text += [f'<text x="{width - 24}" y="{y + 13}" text-anchor="end" font-size="12">'
             "a folder includes itself and lower levels</text>", "</svg>"]
    return "\n".join(text) + "\n"


def check_picture(root):
    if len(LEVELS) > MAX_LEVELS:
        yield f"tools/check-tree.py:1: layers: {len(LEVELS)} levels, more than {MAX_LEVELS}"
    if (root / PICTURE).is_file() and (root / PICTURE).read_text() != draw_layers():
        yield f"{PICTURE}:1: picture: does not show LEVELS; check-tree.py --picture draws it"


def platform_problem(path, name):
    if name == "mpi.h" and path != Path("src/domain/comm_mpi.c"):
        return "mpi.h is for src/domain/comm_mpi.c only"
    on_gpu = path.suffix in {".cu", ".cuh"} or is_of_gpu(path)
    if GPU_HEADER.match(name) and not on_gpu:
        return f"{name} is for GPU folders and .cu files only"
    return None


def check_includes(root, path, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = resolve_include(root, path, match[2])
        if target is None:
            problem, rule = platform_problem(path, match[2]), "platforms"
        else:
            problem, rule = layer_problem(path, target), "layers"
        if problem:
            yield f"{path}:{number}: {rule}: {problem}"


def check_sharing(path, lines):
    for number, line in enumerate(lines, 1):
        if path.suffix in {".h", ".inc"} and DEPENDS.search(line):
            yield f"{path}:{number}: platforms: this is for .c files only"


def check_folders(files):
    inside = [p for p in files if p.parts[0] in ("src", "kernels") and is_code(p)]
    unknown = sorted({p.parent for p in inside if level_of(p) is None})
    for folder in unknown:
        yield f"{folder}:1: layers: no level is known for this folder; give it one here"
    for folder, count in sorted(Counter(p.parent for p in inside).items()):
        if count > MAX_FILES:
            yield f"{folder}:1: folders: {count} files, more than {MAX_FILES}"


def find_circles(needs):
    """Groups of nodes that reach each other (Tarjan 1972); needs: node -> set of nodes."""
    number, low, stack, circles = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(needs.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            circles.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(needs):
        if node not in number:
            visit(node)
    return [circle for circle in circles if len(circle) > 1]


def needs_by_includes(root, files):
    needs = {}
    for path in files:
        if path.parts[0] not in ("src", "kernels") or not is_code(path):
            continue
        own = needs.setdefault(unit_of(path), set())
        for line in (root / path).read_text().splitlines():
            match = INCLUDE.match(line)
            target = match and resolve_include(root, path, match[2])
            if target and target.suffix != ".def" and unit_of(target) != unit_of(path):
                own.add(unit_of(target))
    return needs


def needs_by_symbols(objects, units):
    """Which unit uses a symbol that another one defines; variants of one file are one unit.
    Objects of files that are gone do not count."""
    made, used = {}, {}
    for found in sorted(objects.rglob("*.o")):
        unit = unit_of(found.relative_to(objects))
        if unit not in units:
            continue
        run = subprocess.run(["nm", "--extern-only", found], capture_output=True, text=True)
        for line in run.stdout.splitlines():
            *_, kind, symbol = line.split()
            if kind == "U":
                used.setdefault(unit, set()).add(symbol)
            elif kind in "TDBRC":
                made[symbol] = unit
    return {unit: {made[s] for s in symbols if s in made} - {unit}
            for unit, symbols in used.items()}


def check_circles(needs, by):
    for circle in find_circles(needs):
        names = ", ".join(map(str, circle))
        yield f"{circle[0]}:1: circles: by {by} these need each other: {names}"


def check_imports(root, files):
    """Circles of Python's files; where there are none, those of its folders."""
    needs, folders, unreadable = python_imports.needs_by_imports(root, files)
    yield from unreadable
    found = [*check_circles(needs, "imports")]
    yield from found or check_circles(folders, "imports")


def is_template(root, header):
    """Headers that say so in their first comment are compiled by those that include them."""
    return "A template" in (root / header).read_text()[:500]


def check_alone(root, header):
    """Compiles one header by itself, without any include before it."""
    compiler = shlex.split(os.environ.get("CC", "gcc"))
    flags = "-std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -I. -Isrc -Itests"
    language = "c"
    if is_of_gpu(header):  # as the emulator's
        flags = flags.replace("gnu11", "gnu++17")
        flags = flags.replace("-Wextra", "-DSLUICE_EMULATED -Wno-unknown-pragmas")
        language = "c++"
    libraries = subprocess.run(["pkg-config", "--cflags", "hdf5"],
                               capture_output=True, text=True)
    source = f'#include "{header}"\nextern int not_empty;\n'
    run = subprocess.run(compiler + flags.split() + libraries.stdout.split()
                         + ["-fsyntax-only", "-x", language, "-"],
                         input=source, text=True, capture_output=True, cwd=root)
    if run.returncode != 0:
        lines = run.stderr.splitlines()
        first = next((text for text in lines if "error" in text), "the compiler failed")
        yield f"{header}:1: alone: does not compile on its own: {first.strip()}"


def check_name(path):
    stem = path.name.split(".")[0].lower()
    if VAGUE_NAMES & set(re.split(r"[-_]", stem)):
        yield f"{path}:1: names: name what it does"


def check_length(path, lines):
    if not (is_code(path) or path.suffix in {".py", ".sh", ".def"}):
        return
    free_columns = is_code(path) or (path.parts[0] == "tests" and path.suffix == ".sh")
    most = MAX_LINES.get(path.parts[0], 500)
    if len(lines) > most:
        yield f"{path}:{most + 1}: length: {len(lines)} lines, more than {most}"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS and not free_columns:
            yield f"{path}:{number}: length: {len(line)} columns, more than {MAX_COLUMNS}"


def check_kernels(path, lines):
    """Kernels wait for the launches before them: gpu_begin() in kernels/gpu/platform.h."""
    if not is_of_gpu(path):
        return
    text = "\n".join(lines)
    for found in re.finditer(r"^(?![ *#/]*\*|#| */).*__global__", text, re.M):
        body = re.compile(r"\n *\{[ \\]*\n *(.*)").search(text, found.end())
        if body and not body.group(1).startswith("gpu_begin("):
            number = text.count("\n", 0, found.start()) + 1
            yield f"{path}:{number}: kernels: the first line of a kernel is gpu_begin"


def headings(text):
    """The anchors that GitHub gives the headings of a page."""
    anchors = set()
    for line in re.findall(r"^#+\s+(.*)$", text, re.M):
        plain = re.sub(r"[^\w\- ]", "", line.strip().lower())
        anchors.add(plain.replace(" ", "-"))
    return anchors


def check_links(root, path, lines):
    inside_fence = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            inside_fence = not inside_fence
        if inside_fence:
            continue
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = root / path.parent / name if name else root / path
            if not target.exists():
                yield f"{path}:{number}: links: {link} leads nowhere"
            elif anchor and target.suffix == ".md" and anchor not in headings(target.read_text()):
                yield f"{path}:{number}: links: {name or path} has no heading for #{anchor}"


def check_paths(path, lines):
    for number, line in enumerate(lines, 1):
        match = MACHINE_PATH.search(line)
        if match:
            yield f"{path}:{number}: paths: a path of one machine: {line.strip()[:60]}"


def check_merges(path, lines):
    for number, line in enumerate(lines, 1):
        if line.startswith(("<" * 7 + " ", ">" * 7 + " ")):
            yield f"{path}:{number}: merges: a conflict was left: {line.strip()[:60]}"


def check_tree(root, objects, only=None):
    """All findings for the tree at root, as lines of text; only: the headers to compile, all."""
    files = tracked_files(root)
    findings = [*check_folders(files), *check_picture(root)]
    includes = needs_by_includes(root, files)
    findings += check_circles(includes, "includes")
    findings += check_imports(root, files)
    if objects:
        findings += check_circles(needs_by_symbols(objects, includes), "symbols")
    for path in files:
        findings += check_name(path)
        try:
            lines = (root / path).read_text().splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        if is_code(path) or path.suffix == ".def":
            findings += check_includes(root, path, lines)
        if is_code(path):
            findings += check_sharing(path, lines)
            findings += check_kernels(path, lines)
        if path.suffix == ".md":
            findings += check_links(root, path, lines)
        findings += check_length(path, lines)
        findings += check_paths(path, lines)
        findings += check_merges(path, lines)
    headers = [p for p in files if p.suffix == ".h" and not is_template(root, p) and
               (only is None or p.as_posix() in only)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for found in pool.map(lambda header: list(check_alone(root, header)), headers):
            findings += found
    return findings, len(files), len(headers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--objects", type=Path, help="folder of a build's objects")
    parser.add_argument("--headers", type=str.split, help="those to compile on their own; all")
    parser.add_argument("--picture", action="store_true", help=f"draw {PICTURE}")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parent.parent)
    options = parser.parse_args()
    if options.picture:
        (options.root / PICTURE).write_text(draw_layers())
    findings, files, headers = check_tree(options.root.resolve(), options.objects,
                                          options.headers)
    for finding in findings:
        print(finding)
    print(f"check-tree: {files} files, {headers} headers: {len(findings) or 'no'} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Proves the rules of the source tree that a compiler does not: check-tree.py [ROOT].

  layers     a folder includes only its own level and lower ones; kernels/ reaches up to
             src/backend; of kernels/, src/ includes only the registry
  platforms  only comm_mpi.c sees mpi.h, only kernels/gpu and .cu files see CUDA and HIP headers
  alone      every header compiles on its own, but those that call themselves "A template"
  names      no file is called utils, helpers, common or misc
  length     files up to 500 lines; lines of scripts up to 100 columns (clang-format sees to C,
             and tests of the command line quote messages as long as they are)
  links      relative links of the documentation lead somewhere
  paths      no file holds a path of somebody's machine

Prints one line a finding (file:line: rule: what) and exits 1 if there is any.
The compiler is $CC (gcc).
"""
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LEVEL = {"core": 0, "config": 1, "particles": 1, "grid": 1, "files": 2, "backend": 2, "model": 3,
         "domain": 3, "case": 3, "probes": 3, "snapshots": 3, "sim": 4, "bench": 5, "app": 5}
KERNELS_REACH = 2  # the highest level that kernels/ may include
VAGUE_NAMES = {"util", "utils", "helper", "helpers", "common", "misc"}
MACHINE_PATH = re.compile(r"(?<![\w.$}/*])/(?:work|root|home|Users)/[\w.]|\.\./shared\b")
GPU_HEADER = re.compile(r"^(cuda|hip|cub/|rocprim|thrust/|nv_)")
MAX_LINES, MAX_COLUMNS = 500, 100

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
    return path.suffix in {".c", ".cc", ".h", ".cu", ".cuh"}


def resolve_include(root, path, target):
    """The repository's file that an include names, in the build's search order, or None."""
    for base in (path.parent, Path("."), Path("src"), Path("tests")):
        candidate = Path(os.path.normpath(base / target))
        if (root / candidate).is_file():
            return candidate
    return None


def level_of(path):
    if len(path.parts) >= 3 and path.parts[0] == "src":
        return LEVEL.get(path.parts[1])
    return None


def layer_problem(path, target):
    """Why `path` may not include `target` (both of this repository), or None."""
    if target.parts[0] == "tests" and path.parts[0] != "tests":
        return f"only tests include tests/: {target}"
    if path.parts[0] == "src":
        own, other = level_of(path), level_of(target)
        if (target.parts[0] == "kernels" and target != Path("kernels/registry.h")
                and target.parts[1] != "types"):
            return f"src/ includes kernels/registry.h only, not {target}"
        if other is not None and own is not None and other > own:
            return f"level {own} includes {target} of level {other}"
    if path.parts[0] == "kernels":
        other = level_of(target)
        if other is not None and other > KERNELS_REACH:
            return f"kernels/ includes {target} of level {other}, above {KERNELS_REACH}"
    return None


def platform_problem(path, name):
    if name == "mpi.h" and path != Path("src/domain/comm_mpi.c"):
        return "mpi.h is for src/domain/comm_mpi.c only"
    on_gpu = path.suffix in {".cu", ".cuh"} or path.parts[:2] == ("kernels", "gpu")
    if GPU_HEADER.match(name) and not on_gpu:
        return f"{name} is for kernels/gpu and .cu files only"
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


def check_folders(files):
    inside = [p for p in files if len(p.parts) >= 3 and p.parts[0] == "src"]
    for folder in sorted({p.parts[1] for p in inside}):
        if folder not in LEVEL:
            yield f"src/{folder}:1: layers: no level is known for this folder; give it one here"


def is_template(root, header):
    """Headers that say so in their first comment are compiled by those that include them."""
    return "A template" in (root / header).read_text()[:500]


def check_alone(root, header):
    """Compiles one header by itself, with nothing included before it."""
    compiler = shlex.split(os.environ.get("CC", "gcc"))
    flags = "-std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -I. -Isrc -Itests"
    language = "c"
    if header.parts[:2] == ("kernels", "gpu"):  # as the emulator's
        flags = flags.replace("gnu11", "gnu++17")
        flags = flags.replace("-Wextra", "-DSLUICE_EMULATED -Wno-unknown-pragmas")
        language = "c++"
    libraries = subprocess.run(["pkg-config", "--cflags", "hdf5", "libconfig"],
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
    if not (is_code(path) or path.suffix in {".py", ".sh"}):
        return
    free_columns = is_code(path) or (path.parts[0] == "tests" and path.suffix == ".sh")
    if len(lines) > MAX_LINES:
        yield f"{path}:{MAX_LINES + 1}: length: {len(lines)} lines, more than {MAX_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS and not free_columns:
            yield f"{path}:{number}: length: {len(line)} columns, more than {MAX_COLUMNS}"


def check_kernels(path, lines):
    """Kernels wait for the launches before them: gpu_begin() in kernels/gpu/rt.h."""
    if path.parts[:2] != ("kernels", "gpu"):
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


def check_tree(root):
    """All findings for the tree at root, as lines of text."""
    files = tracked_files(root)
    findings = list(check_folders(files))
    for path in files:
        findings += check_name(path)
        try:
            lines = (root / path).read_text().splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        if is_code(path):
            findings += check_includes(root, path, lines)
            findings += check_kernels(path, lines)
        if path.suffix == ".md":
            findings += check_links(root, path, lines)
        findings += check_length(path, lines)
        findings += check_paths(path, lines)
    headers = [p for p in files if p.suffix == ".h" and not is_template(root, p)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for found in pool.map(lambda header: list(check_alone(root, header)), headers):
            findings += found
    return findings, len(files), len(headers)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    findings, files, headers = check_tree(root)
    for finding in findings:
        print(finding)
    print(f"check-tree: {files} files, {headers} headers: {len(findings) or 'no'} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

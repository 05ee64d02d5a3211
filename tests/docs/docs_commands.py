#!/usr/bin/env python3
# test: 94 s, slow
"""Runs the commands of the pages at the root of the tree and in docs: every block fenced as ```sh,
in order, by page.

Each page with a block to run has a scratch copy of the tree to itself, already built, and runs from
its root, with `sluice` on the PATH. A block is one check and fails with its first failing command.
The line before the fence marks a block that is not to run as it stands, where readers of the source
see it:

    <!-- not tested: why -->                the block is not run; the reason is printed
    <!-- test adds: --set time.end=1 -->    added to each `sluice run` and `sluice converge`
                                            of the block

Output and other languages are fenced otherwise (```console, ```text, ```c): never as ```bash or
```shell, which would go by untested.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tap
from tap import diag, finish, ok

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else tap.ROOT).resolve()
LIMIT_S = 300
MARK = re.compile(r"<!--\s*(not tested|test adds):\s*(.*?)\s*-->")
RUN = re.compile(r"^((?:\S*/)?sluice (?:run|converge)\b[^#\n]*)", re.M)


def blocks_of(page):
    """(line number, language, mark, text) of each fenced block."""
    mark, block = None, None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        stripped = line.strip()
        if block is not None:
            if stripped == "```":
                yield block[0], block[1], block[2], "\n".join(block[3]) + "\n"
                mark, block = None, None
            else:
                block[3].append(line)
        elif stripped.startswith("```"):
            block = (number, stripped[3:], mark, [])
        elif stripped:
            found = MARK.search(stripped)
            mark = (found[1], found[2]) if found else None


def with_arguments(script, arguments):
    """The script with `arguments` at the end of each run and comparison of runs, continued lines
    included."""
    joined = script.replace("\\\n", " ")
    changed, count = RUN.subn(lambda match: f"{match[1].rstrip()} {arguments} ", joined)
    return changed, count


def scratch_copy(folder):
    """The files that git tracks or would track, and the build under test without its tests'
    programs. An existing copy is kept."""
    if (folder / "build").exists():
        return
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=True).stdout.decode()
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    program = Path(os.environ["SLUICE"])
    build = folder / "build" / program.parent.name
    programs = [program.parent / "tests"]
    shutil.copytree(program.parent, build, symlinks=True, ignore=lambda path, names: [
        name for name in names if Path(path, name) in programs])
    (folder / "build/sluice").symlink_to(f"{program.parent.name}/sluice")


# Variables that a make which runs this test would pass on to the makes of the documents.
MAKES_OWN = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "TESTS"}


def environment(folder):
    env = {k: v for k, v in os.environ.items() if k not in MAKES_OWN}
    env["PATH"] = f"{folder / 'build'}:{env['PATH']}"
    env["NO_INSTALL"] = "1"  # the packages are there, or the tests would not run
    # `make test-quick` only has to start: the suite runs its tests anyway.
    env["TESTS"] = "threads grid"
    env["DEMO_FLAGS"] = "--set time.end=0.02"  # of `make demo`, which takes minutes as it is
    return env


def run_block(folder, script):
    """Exit code and output; 124 when it ran into the limit."""
    try:
        run = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd=folder, text=True,
                             env=environment(folder), stdin=subprocess.DEVNULL, timeout=LIMIT_S,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.returncode, run.stdout
    except subprocess.TimeoutExpired:
        return 124, f"more than {LIMIT_S} s"


def test_page(page):
    name = page.relative_to(ROOT)
    with tempfile.TemporaryDirectory(prefix="sluice-docs-") as scratch:
        folder = Path(scratch)
        for line, language, mark, script in blocks_of(page):
            label = f"{name}:{line} {(script.strip() or 'empty').splitlines()[0]}"
            if language in {"bash", "shell", "zsh", ""}:
                ok(False, label, f"fenced as '{language}': say sh for commands, console for output")
                continue
            if language != "sh":
                continue
            if mark and mark[0] == "not tested":
                diag(f"{label}: not run: {mark[1]}")
                ok(bool(mark[1]), f"{name}:{line} says why it is not run", "no reason given")
                continue
            if mark:
                script, count = with_arguments(script, mark[1])
                ok(count > 0, f"{name}:{line} has a run to add to", script)
            scratch_copy(folder)
            code, text = run_block(folder, script)
            ok(code == 0, label, f"exit code {code}\n{text}")


def main():
    for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        test_page(page)
    finish()


if __name__ == "__main__":
    main()

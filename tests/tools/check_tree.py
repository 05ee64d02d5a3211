#!/usr/bin/env python3
# test: 21 s
"""check-tree accepts a clean tree and reports each planted violation, by file, line and rule."""
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import ROOT, finish, ok

CHECKER = Path(ROOT) / "tools" / "check-tree.py"

CLEAN = {
    "src/core/status.h": "int sluice_status_of(int code);\n",
    "src/sim/step.h": '#include "core/status.h"\n',
    "kernels/registry.h": '#include "core/status.h"\n',
    "kernels/formulas/formulas.h": '#include "kernels/pair/pair_lj.h"\n',
    "kernels/gpu/host/host.h": "int gpu_host;\n",
    "src/grid/grid.h": "int grid;\n",
    "src/case/checks/checks.h": "int checks;\n",
    "kernels/pair/pair_lj.h": '#include "core/status.h"\n',
    "src/model/model.c": '#include "kernels/registry.h"\n',
    "docs/theory.md": "# The theory\n## The time step\nSee [above](#the-theory).\n",
    "README.md": "[theory](docs/theory.md#the-time-step) [web](https://example.org/)\n",
}

# name, file, content, the line that must be reported
PLANTED = [
    ("a lower level includes a higher one", "src/core/log.c",
     '#include "sim/step.h"\n', "src/core/log.c:1: layers:"),
    ("the same by a relative path", "src/core/log.c",
     '\n#include "../sim/step.h"\n', "src/core/log.c:2: layers:"),
    ("a pair includes the formulas of all", "kernels/pair/a.h",
     '#include "kernels/formulas/formulas.h"\n', "kernels/pair/a.h:1: layers:"),
    ("a folder includes one of its level", "src/particles/a.h",
     '#include "grid/grid.h"\n', "src/particles/a.h:1: layers:"),
    ("a folder within another includes a higher one", "kernels/gpu/cells/a.h",
     '#include "kernels/gpu/host/host.h"\n', "kernels/gpu/cells/a.h:1: layers:"),
    ("a folder includes one within it", "src/case/a.h",
     '#include "case/checks/checks.h"\n', "src/case/a.h:1: layers:"),
    ("a folder without a level, within one that has", "src/sim/more/a.c", "int a;\n",
     "src/sim/more:1: layers:"),
    ("a picture of other layers", "docs/pictures/design-layers.svg", "<svg/>\n",
     "docs/pictures/design-layers.svg:1: picture:"),
    ("kernels include the simulation", "kernels/cpu/a.c",
     '#include "sim/step.h"\n', "kernels/cpu/a.c:1: layers:"),
    ("so does a template", "kernels/cpu/loops/a.inc",
     '#include "sim/step.h"\n', "kernels/cpu/loops/a.inc:1: layers:"),
    ("a folder without a level", "src/stuff/a.c", "int a;\n", "src/stuff:1: layers:"),
    ("mpi.h outside comm_mpi.c", "src/sim/a.c", "#include <mpi.h>\n", "src/sim/a.c:1: platforms:"),
    ("a CUDA header in host C", "src/backend/a.c",
     "#include <cuda_runtime.h>\n", "src/backend/a.c:1: platforms:"),
    ("a HIP header in host C", "kernels/cpu/a.c",
     "#include <hip/hip_runtime.h>\n", "kernels/cpu/a.c:1: platforms:"),
    ("a header that depends on MPI", "src/sim/a.h",
     "#ifdef SLUICE_WITH_MPI\n#endif\n", "src/sim/a.h:1: platforms:"),
    ("a header that needs another first", "src/files/a.h",
     "size_t a(void);\n", "src/files/a.h:1: alone:"),
    ("a kernel that does not wait", "kernels/gpu/early.cu",
     "__global__ void f(int *a)\n{\n    *a = 1;\n}\n", "kernels/gpu/early.cu:1: kernels:"),
    ("a vague name", "src/files/string_utils.c", "int a;\n", "src/files/string_utils.c:1: names:"),
    ("a long file", "src/files/long.c", "int a;\n" * 451, "src/files/long.c:451: length:"),
    ("data that includes code", "src/physics/a/a.def", '#include "core/status.h"\n',
     "src/physics/a/a.def:1: layers:"),
    ("a long line of data", "src/physics/a/a.def", "/* " + "x" * 99 + "\n",
     "src/physics/a/a.def:1: length:"),
    ("no Python", "tools/a.py", "def f(\n", "tools/a.py:1: circles: this is no Python"),
    ("a long line", "tools/wide.py", "# " + "x" * 99 + "\n", "tools/wide.py:1: length:"),
    ("a dead link", "docs/a.md", "[x](missing.md)\n", "docs/a.md:1: links:"),
    ("a dead anchor", "docs/a.md", "\n[x](theory.md#nothing)\n", "docs/a.md:2: links:"),
    ("a conflict", "docs/a.md", "<" * 7 + " HEAD\n", "docs/a.md:1: merges:"),
    ("a machine's path", "docs/a.md", "see /ho" + "me/someone/x\n", "docs/a.md:1: paths:"),
]
ALLOWED = [
    ("mpi.h in comm_mpi.c", "src/domain/comm_mpi.c", "#include <mpi.h>\n"),
    ("a formula in a list of data", "src/physics/a/a.def",
     '#include "kernels/pair/pair_lj.h"\n'),
    ("CUDA under kernels/gpu", "kernels/gpu/a.cu", "#include <cuda_runtime.h>\n"),
    ("a kernel that waits", "kernels/gpu/late.cu",
     "__global__ void f(int *a)\n{\n    gpu_begin();\n    *a = 1;\n}\n"),
]


# name, files, the line that must be reported
CIRCLES = [
    ("two headers that include each other",
     {"src/sim/a.h": '#pragma once\n#include "sim/b.h"\n',
      "src/sim/b.h": '#pragma once\n#include "sim/a.h"\n'},
     "src/sim/a:1: circles: by includes"),
    ("a circle over three files",
     {"src/sim/a.c": '#include "sim/b.h"\n', "src/sim/b.c": '#include "sim/c.h"\n',
      "src/sim/c.c": '#include "sim/a.h"\n',
      **{f"src/sim/{name}.h": "int x;\n" for name in "abc"}},
     "src/sim/a:1: circles: by includes"),
    ("two files that call each other",
     {"src/sim/a.c": "int b(void);\nint a(void)\n{\n    return b();\n}\n",
      "src/sim/b.c": "int a(void);\nint b(void)\n{\n    return a();\n}\n"},
     "src/sim/a:1: circles: by symbols"),
    ("two modules of Python, one by an import in a function",
     {"python/sluice/a.py": "from sluice import b\n",
      "python/sluice/b.py": "def f():\n    import sluice.a\n"},
     "python/sluice/a.py:1: circles: by imports"),
    ("a module that asks its package, for checkers of types",
     {"python/sluice/__init__.py": "from .a import A\n",
      "python/sluice/a.py": "if False:\n    from sluice import A\n"},
     "python/sluice/__init__.py:1: circles: by imports"),
    ("two folders of tools",
     {"tools/plot/a.py": "from render import b\n", "tools/plot/c.py": "C = 1\n",
      "tools/render/b.py": "from plot.c import C\n"},
     "tools/plot:1: circles: by imports"),
    ("a folder of 31 files", {f"src/sim/f{n}.c": f"int f{n};\n" for n in range(30)},
     "src/sim:1: folders: 31 files"),
]


def check(extra):
    """Runs the checker on the clean tree with some files more, compiled: exit code and output."""
    with tempfile.TemporaryDirectory() as folder:
        objects = Path(folder, "build", "obj")
        for name, content in {**CLEAN, **extra}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
            if path.suffix == ".c" and "#include" not in content:
                made = (objects / name).with_suffix(".o")
                made.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["gcc", "-c", path, "-o", made], check=True)
        run = subprocess.run([sys.executable, CHECKER, "--objects", objects, folder],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


code, text = check({})
ok(code == 0, "a clean tree passes", text)
for name, path, content in ALLOWED:
    code, text = check({path: content})
    ok(code == 0, f"allowed: {name}", text)
ALL = [(name, {path: content}, expected) for name, path, content, expected in PLANTED] + CIRCLES
for name, planted, expected in ALL:
    code, text = check(planted)
    found = [line for line in text.splitlines() if line.startswith(expected)]
    ok(code == 1 and len(found) == 1 and "1 findings" in text, f"caught: {name}", text)
finish()

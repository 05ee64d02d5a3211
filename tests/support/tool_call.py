"""A tool's program in the process of its test, where numpy and matplotlib are loaded already."""

import contextlib
import io
import os
import runpy
import subprocess
import sys

from tap import ROOT


def call(name, *arguments):
    """Runs tools/NAME; its exit code, and what it printed."""
    path, before = os.path.join(ROOT, "tools", name), sys.argv
    code, out, err = 0, io.StringIO(), io.StringIO()
    sys.argv = [path, *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = before
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

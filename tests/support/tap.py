"""The Test Anything Protocol for tests in Python.

    ok(passed, "name", "what a failed check was about")
    finish()                                      the plan, and the exit code

Modules of tools/ can be imported by name, and so can the package sluice.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "python")]
checks = failures = 0


def ok(passed, name, detail=""):
    global checks, failures
    checks += 1
    failures += not passed
    print(f"{'ok' if passed else 'not ok'} {checks} - {name}", flush=True)
    if not passed and detail:
        print("\n".join("#   " + line for line in str(detail).splitlines()[-30:]), flush=True)
    return passed


def skip(name, why):
    global checks
    checks += 1
    print(f"ok {checks} - {name} # SKIP {why}", flush=True)


def diag(text):
    print(f"# {text}", flush=True)


def finish():
    print(f"1..{checks}")
    sys.exit(failures > 0 or checks == 0)

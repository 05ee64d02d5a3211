#!/bin/sh
# Prints a Python 3 that has the named modules: find-python.sh numpy h5py. Tries $PYTHON, then
# python3 on the PATH, then the system's own, which may differ (pyenv, conda). Exits 1 and prints
# nothing if none has them.
imports=$(echo "${*:-sys}" | tr ' ' ',')
for python in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$python" ] || continue
    "$python" -c "import sys; assert sys.version_info >= (3, 9); import $imports" >/dev/null 2>&1 ||
        continue
    command -v "$python"
    exit 0
done
exit 1

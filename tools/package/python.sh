#!/bin/sh
# Prints the Python that has what requirements.txt lists, in build/package-python; makes it first.
# NO_INSTALL=1: says what is missing, and exits 1.
set -eu
cd "$(dirname "$0")/../.."
wanted=tools/package/requirements.txt
folder=build/package-python
if ! cmp -s "$wanted" "$folder/installed.txt"; then
    if [ -n "${NO_INSTALL:-}" ]; then
        echo "The packages of $wanted are missing from $folder, and NO_INSTALL is set." >&2
        exit 1
    fi
    echo "Installing the packages of $wanted into $folder (100 MB)" >&2
    rm -rf "$folder"
    "$(tools/find-python.sh venv ensurepip)" -m venv "$folder"
    "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted" >&2
    cp "$wanted" "$folder/installed.txt"
fi
echo "$folder/bin/python"

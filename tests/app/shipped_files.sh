#!/usr/bin/env bash
# test: 2 s
# Where a program finds the configs and tools that come with it, and the Python that it takes for
# them: in the tree, installed in a prefix, through a link, in a virtual environment.
. tests/support/tap.sh
tree=$PWD
cd "$work" || exit 1

# --- The source tree ---
run 3 sluice run dam_break
has "$err" "Sluice comes with $tree/configs/dam_break.cfg" "a shipped config has no folder"
run 3 sluice check configs/hull.cfg
has "$err" "Sluice comes with $tree/configs/hull.cfg"
run 3 sluice check missing.cfg
has_not "$err" "Sluice comes with" "other configs are only missing"
run 0 sluice info --json
has "$out" "\"configs\": \"$tree/configs\"" "info says where the configs are"

# --- A prefix, with folders of these names above the program that are not Sluice's ---
prefix="$work/a prefix"
mkdir -p "$prefix"/bin "$prefix"/share/sluice/configs "$prefix"/share/sluice/tools "$prefix"/configs elsewhere
cp "$SLUICE" "$prefix"/bin/sluice
cp "$tree/configs/dam_break.cfg" "$prefix"/share/sluice/configs
echo nothing >"$prefix"/configs/dam_break.cfg
ln -s "$prefix/bin/sluice" elsewhere/sluice
run 3 elsewhere/sluice check dam_break
has "$err" "Sluice comes with $prefix/share/sluice/configs/dam_break.cfg"
run 0 "$prefix"/bin/sluice check "$prefix"/share/sluice/configs/dam_break.cfg

# --- Python: pip's, beside the program, is taken before others; it must have the package ---
echo 'print("tool")' >"$prefix"/share/sluice/tools/sluice_plot.py
fake_python()
{
    printf '#!/bin/sh\n[ "$1" != -c ] || case $2 in *%s*) exit 1 ;; *) exit 0 ;; esac\necho "%s: $1"\n' \
        "$1" "$2" >"$3"
    chmod +x "$3"
}
mkdir others
fake_python nothing beside "$prefix"/bin/python3
fake_python nothing other others/python3
run 0 env PYTHON= PATH="$work/others:$PATH" elsewhere/sluice plot run
has "$out" "beside: $prefix/share/sluice/tools/sluice_plot.py" "the Python beside the program"
fake_python sluice beside "$prefix"/bin/python3
run 0 env PYTHON= PATH="$work/others:$PATH" elsewhere/sluice plot run
has "$out" "other: " "without the package another one"
fake_python sluice other others/python3
run 3 env PYTHON="$work/others/python3" elsewhere/sluice plot run
has "$err" "lacks numpy, matplotlib, h5py or sluice"
if ! /usr/bin/python3 -c 'import matplotlib, sluice' 2>/dev/null; then
    run 3 env PYTHON= PATH="$work/others:$PATH" elsewhere/sluice plot run
    has "$err" "(tried $prefix/bin/python3, python3, /usr/bin/python3)" "those tried are named"
    has "$err" "\"$prefix/bin/python3\" -m pip install \"sluice-sph[look]\"" \
        "the remedy is that Python's pip"
fi
real=$("$tree/tools/find-python.sh" numpy matplotlib h5py)
if [ -n "$real" ] && ! "$real" -c 'import sluice.runs' 2>/dev/null; then
    mkdir sluice # as in the folder above a clone
    run 3 env PYTHONPATH= PYTHON="$real" elsewhere/sluice plot run
    has "$err" "lacks numpy, matplotlib, h5py or sluice" "a folder named sluice is no package"
fi
run 0 env PYTHON= PATH="$work/others:$PATH" SLUICE_TOOLS="$tree/tools" elsewhere/sluice plot run
has "$out" "beside: $tree/tools/sluice_plot.py" "of other tools the package is beside them"
mkdir "$prefix"/share/sluice/python
run 0 env PYTHON= PATH="$work/others:$PATH" elsewhere/sluice plot run
has "$out" "beside: " "a package beside the tools serves any Python"

done_testing

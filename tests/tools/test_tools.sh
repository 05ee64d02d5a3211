#!/usr/bin/env bash
# test: 0.7 s
# The tools that run the tests fail when they must: on skips of required tests, on documented
# commands that fail, on missing packages.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
checks=0
failures=0

# check NAME EXPECTED_STATUS PATTERN COMMAND...: status, and a line of the output that matches
check()
{
    local name=$1 want=$2 pattern=$3 text status
    shift 3
    text=$("$@" 2>&1)
    status=$?
    checks=$((checks + 1))
    if [ $status -eq "$want" ] && grep -qE -- "$pattern" <<<"$text"; then
        echo "ok $checks - $name"
    else
        failures=$((failures + 1))
        echo "not ok $checks - $name"
        printf '#   status %s, wanted %s and /%s/ in:\n' "$status" "$want" "$pattern"
        printf '%s\n' "$text" | sed 's/^/#   /'
    fi
}

one()
{
    local require=$1
    mkdir -p "$scratch/running" "$scratch/failed"
    SLUICE_RUNNING=$scratch/running SLUICE_FAILED=$scratch/failed SLUICE_REQUIRE=$require \
        bash "$here/tools/run-tests.sh" --one "$scratch/t.sh"
}
echo 'echo "1..0 # SKIP ParaView is not installed"' >"$scratch/t.sh"
check "a skipped test passes" 0 '^1\.\.0' one ""
check "a test skipped for what is required fails" 1 '^not ok 1 - required' one "nvcc paraview"
check "a test skipped for something else passes" 0 '^1\.\.0' one nvcc
echo 'echo 1..1; echo "ok 1 - movie # SKIP no paraview"' >"$scratch/t.sh"
check "a skipped check fails where required" 1 '^not ok 1' one paraview
check "no skip at all is allowed with 'all'" 1 '^not ok 1' one all
echo 'echo 1..1; echo "ok 1 - fine"; exit 3' >"$scratch/t.sh"
check "a test's exit status is passed on" 3 '^ok 1' one ""
echo 'echo 1..2; echo "not ok 1 - low"; echo "#   why"; echo "ok 2 - fine"; exit 1' >"$scratch/t.sh"
check "a failed check fails" 1 '^not ok 1 - low' one ""
check "what is said about it is kept for the end" 0 '#   why' cat "$scratch/failed/t.sh"

# A page of documentation, with a program that fails on demand.
mkdir -p "$scratch/page/build/release"
printf '#!/bin/sh\necho "sluice $*"\n[ "$1" != fail ]\n' >"$scratch/page/build/release/sluice"
chmod +x "$scratch/page/build/release/sluice"
git -C "$scratch/page" init -q
echo build/ >"$scratch/page/.gitignore"
page()
{
    printf %b "$1" >"$scratch/page/README.md"
    SLUICE=$scratch/page/build/release/sluice PYTHONPATH=$here/tests/support "${PYTHON:-python3}" \
        "$here/tests/docs/docs_commands.py" "$scratch/page"
}
# shellcheck disable=SC2016  # fences
check "a documented command that works" 0 '^ok 1' page '```sh\nsluice info\n```\n'
# shellcheck disable=SC2016
check "a documented command that fails" 1 '^not ok 1' page '```sh\nsluice fail\ntrue\n```\n'
# shellcheck disable=SC2016
check "a fence that would go by untested" 1 '^not ok 1' page '```bash\nsluice info\n```\n'
# shellcheck disable=SC2016
check "a block that says why it is not run" 0 'not run: no time' \
    page '<!-- not tested: no time -->\n```sh\nsluice fail\n```\n'

# Tests found by their first line, in a tree of three.
tree=$scratch/tree
mkdir -p "$tree/tools" "$tree/tests/grid" "$tree/tests/data"
cp "$here/tools/list-tests.sh" "$tree/tools/"
echo '/* test: 2 s, emulator, tsan-slow */' >"$tree/tests/grid/curve.c"
printf '#!/bin/sh\n# test: 10.5 s, mpi, slow\n' >"$tree/tests/grid/far.sh"
echo '/* The fields of a test: none. */' >"$tree/tests/grid/fields.c"
cp "$tree/tests/grid/far.sh" "$tree/tests/data/"
list() { "$tree/tools/list-tests.sh" "$@" | tr '\n' ' '; return "${PIPESTATUS[0]}"; }
check "tests are listed, the longest first" 0 '^tests/grid/far.sh tests/grid/curve.c $' list
check "by language" 0 '^tests/grid/curve.c $' list --language c,cu
check "by tag, of several" 0 '^tests/grid/curve.c $' list --tagged gpu,tsan-slow
check "a tag is a whole word" 0 '^$' list --tagged tsan
check "without a tag" 0 '^tests/grid/curve.c $' list --without slow
check "by folder, and by name" 0 '^tests/grid/far.sh tests/grid/curve.c $' list grid grid/curve
check "a name is no beginning of a name" 1 'No test is named cur' list cur
echo '/* test: 2 s, emulater */' >"$tree/tests/grid/curve.c"
check "unknown tags are refused" 1 'curve.c: no tag is called "emulater"' list
echo '/* test: emulator */' >"$tree/tests/grid/curve.c"
check "a test has a time" 1 'curve.c: the first line gives no time' list
check "other options are refused" 1 'knows no --fast' list --fast

check "unknown package groups are refused" 2 usage "$here/tools/packages.sh" check nonsense
empty=$scratch/empty
mkdir -p "$empty"
for tool in sh dirname tr cat id grep env ls; do ln -s "$(command -v $tool)" "$empty/$tool"; done
bare() { PATH=$empty NO_INSTALL=1 "$here/tools/packages.sh" install build; }
check "without apt the libraries are named" 1 'HDF5' bare
check "libconfig is one of them" 1 'libconfig with headers' bare
echo exit 1 >"$empty/apt-get" && chmod +x "$empty/apt-get"
check "NO_INSTALL=1 installs nothing and says how" 1 'apt-get install .*libhdf5-dev libconfig-dev' bare

echo "1..$checks"
exit $((failures > 0))

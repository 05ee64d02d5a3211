#!/usr/bin/env bash
# Runs the tests of the GPU's kernels on the CPU (kernels/gpu/emulator/emulator.h): warps of 32
# and of 64 lanes, lanes forward and in reverse order. No GPU takes part; the backend is
# called "emulated".
#
#   run-emulated.sh BUILD_DIR WARP/ORDER... -- TEST...
#   run-emulated.sh build/sanitize-emulated-mpi 32/forward 64/reverse -- --tagged emulator
#
# Only the emulated backend is tested (SLUICE_TEST_BACKEND); other runs test the CPU's. No test may
# skip: one that finds no emulated GPU would test nothing. Slow tests are divided into
# SLUICE_TEST_PARTS (12) parts, and each run does another one (SLUICE_TEST_PART), the first
# run part SLUICE_TEST_FIRST (1).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
runs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    runs+=("$1")
    shift
done
shift
failed=
parts=${SLUICE_TEST_PARTS:-12}
part=$((${SLUICE_TEST_FIRST:-1} - 1))
for run in "${runs[@]}"; do
    echo "=== emulated GPU: warps of ${run%/*}, ${run#*/}, $(basename "$build")"
    part=$((part % parts + 1))
    SLUICE_EMULATED_WARP=${run%/*} SLUICE_EMULATED_ORDER=${run#*/} SLUICE_TEST_BACKEND=emulated \
        SLUICE_REQUIRE=all SLUICE_TEST_PART=$part/$parts \
        "$here/run-tests.sh" "$build" "$@" || failed="$failed $run"
done
[ -z "$failed" ] || { echo "FAILED, emulated:$failed" >&2 && exit 1; }

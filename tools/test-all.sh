#!/usr/bin/env bash
# Runs every case of every test in full, in every build, but for a sample under ThreadSanitizer:
# `make test-all`. It takes hours. It can be stopped at any moment and goes on where it was, as long
# as the tree is the same. Verdicts and logs stand in build/test-all/TREE/; TREE is a hash.
#
#   test-all.sh              builds what is missing, runs what has not passed, prints what failed
#   test-all.sh --estimate   prints the hours that each stage takes, and what is a sample
#
# JOBS tests run at once (all cores). STAGES="mpi fuzz": these alone. HOURS=3: begins nothing later.
set -u
cd "$(dirname "$0")/.." || exit 1
export JOBS=${JOBS:-$(nproc)} WERROR=1 NO_INSTALL=1
HOURS=${HOURS:-0}
SANITIZED=build/sanitize-emulated-mpi
EMULATED="SLUICE_TEST_BACKEND=emulated SLUICE_REQUIRE=all"
REQUIRED=SLUICE_REQUIRE=paraview,python,h5py,plotly,chromium,ffmpeg,xvfb,valgrind,zsh,fish,sphinx
WARP_32="$EMULATED SLUICE_EMULATED_WARP=32 SLUICE_EMULATED_ORDER=forward"
WARP_64="$EMULATED SLUICE_EMULATED_WARP=64 SLUICE_EMULATED_ORDER=reverse"

# Name | build folder | which tests | environment | times slower than `make test` | how many
# of the PARTS of a divided test (tests/support/part.h)
STAGES_OF_TESTS="
release | build/release | --language c,sh,py | $REQUIRED | 1 | 40
mpi | build/release-mpi | --tagged mpi | SLUICE_REQUIRE=MPI,mpirun,python,IDS=64 | 3 | 40
sanitize | $SANITIZED | --language c,cu,sh | SLUICE_TEST_BACKEND=cpu | 8 | 40
emulated-32 | $SANITIZED | --tagged emulator,emulator-slow | $WARP_32 | 60 | 40
emulated-64 | $SANITIZED | --tagged emulator,emulator-slow | $WARP_64 | 60 | 40
tsan-32 | build/tsan-emulated | --tagged tsan,tsan-slow | $WARP_32 | 600 | 2
tsan-64 | build/tsan-emulated | --tagged tsan,tsan-slow | $WARP_64 | 600 | 2
"
# Name | command | minutes
STAGES_OF_COMMANDS="
tree | make check-tree check-format | 1
lint | make -k lint analyze | 60
gpu-builds | make check-gpu-builds | 20
hip | make build-hip | 60
fuzz | make fuzz SECONDS=600 | 35
validate | build/release/sluice validate | 75
"
# Divided tests run here in so many parts, so that a stop loses little. Where all parts would take
# longer than 12 hours on two cores, a sample of them runs.
PARTS=40

rows() { printf '%s' "$1" | grep '|' | sed 's/ *| */|/g'; }
is_asked() { [ -z "${STAGES:-}" ] || [[ " $STAGES " == *" $1 "* ]]; }

# Lines "seconds stage build test part environment" of all test runs, with `|` between.
items()
{
    local stage build which environment slower factor taken source seconds parts part command
    local minutes
    rows "$STAGES_OF_TESTS" | while IFS='|' read -r stage build which environment slower taken; do
        is_asked "$stage" || continue
        # shellcheck disable=SC2086  # words of a selection
        tools/list-tests.sh $which | while read -r source; do
            seconds=$(sed -nE '1,2s/^(\/\*|#) test: ([0-9.]+) s.*/\2/p' "$source")
            parts=1 factor=$slower
            [[ $source = *.c* || $factor -le 3 ]] || factor=3 # whole runs, more at once
            [ "$factor" -le 3 ] || ! grep -q 'support/part.h"' "$source" || parts=$PARTS
            for part in $(seq $((parts < taken ? parts : taken))); do
                awk -v s="$seconds" -v f="$factor" -v n=$parts 'BEGIN { printf "%d", s * f / n }'
                echo "|$stage|$build|$source|$part/$parts|$environment"
            done
        done
    done
    rows "$STAGES_OF_COMMANDS" | while IFS='|' read -r stage command minutes; do
        ! is_asked "$stage" || echo "$((minutes * 60 * JOBS))|$stage|-|$command|1/1|"
    done
}

tree=$( (git ls-files -s && git diff HEAD && git ls-files -o --exclude-standard) |
    git hash-object --stdin)
export STATE=build/test-all/${tree:0:12}
export UNTIL=$((HOURS ? $(date +%s) + HOURS * 3600 : 0))

# A line of `items` in the names of its files.
name_of()
{
    local seconds stage build what part environment
    IFS='|' read -r seconds stage build what part environment <<<"$1"
    echo "$STATE/$stage/$(basename "$what" | tr -c 'A-Za-z0-9_.=\n' -).${part%/*}"
}

# Runs one line of `items`; its verdict is a file beside its log.
run_item()
{
    local seconds stage build what part environment name verdict=passed began=$SECONDS
    IFS='|' read -r seconds stage build what part environment <<<"$1"
    name=$(name_of "$1")
    [ ! -e "$name.passed" ] || return 0
    [ "$UNTIL" = 0 ] || [ "$(date +%s)" -lt "$UNTIL" ] || return 0
    mkdir -p "$(dirname "$name")"
    rm -f "$name.failed"
    if [ "$build" = - ]; then
        $what >"$name.log" 2>&1 || verdict=failed
    else
        [ "${part#*/}" = 1 ] || environment+=" SLUICE_TEST_PART=$part"
        # shellcheck disable=SC2086  # NAME=VALUE, several
        JOBS=1 env $environment tools/run-tests.sh "$build" "$what" >"$name.log" 2>&1 ||
            verdict=failed
    fi
    echo "$((SECONDS - began))" >"$name.$verdict"
    printf '[%s] %-6s %5d s  %s %s, part %s\n' "$(date +%T)" $verdict $((SECONDS - began)) \
        "$stage" "$what" "$part"
}
export -f name_of run_item

if [ "${1:-}" = --estimate ]; then
    items | awk -F'|' -v jobs="$JOBS" -v parts=$PARTS '
        !($2 in seconds) { order[++stages] = $2 }
        {
            seconds[$2] += $1
            items[$2]++
            split($5, part, "/")
            if (part[2] > 1 && part[1] > taken[$2]) taken[$2] = part[1]
        }
        END {
            for (i = 1; i <= stages; i++) {
                stage = order[i]
                all += seconds[stage]
                printf "%-12s %6.1f h  %5d items", stage, seconds[stage] / jobs / 3600, items[stage]
                if (stage in taken && taken[stage] < parts)
                    printf "  a sample: %d of %d parts of divided tests", taken[stage], parts
                print ""
            }
            printf "%-12s %6.1f h on %d cores\n", "all", all / jobs / 3600, jobs
        }'
    exit
fi

# Builds for any of these stages that was asked for.
build_for()
{
    local stages=$1 stage
    shift
    for stage in $stages; do
        is_asked "$stage" || continue
        make --no-print-directory -j"$JOBS" "$@" || exit 1
        return
    done
}
mkdir -p "$STATE"
build_for "release fuzz validate" all tests-build
build_for mpi test-mpi-build
build_for "sanitize emulated-32 emulated-64" SANITIZE=1 EMULATED=1 MPI=1 sanitize-build
build_for "tsan-32 tsan-64" SANITIZE=thread EMULATED=1 BUILT_TESTS="--tagged tsan,tsan-slow" \
    sanitize-build

items | while read -r item; do printf '%s\0' "$item"; done |
    xargs -0 -P "$JOBS" -I{} bash -c 'run_item "$1"' - {}

passed=0 failed='' left=0
while read -r item; do
    name=$(name_of "$item")
    if [ -e "$name.passed" ]; then passed=$((passed + 1))
    elif [ -e "$name.failed" ]; then failed+=" $name.log"
    else left=$((left + 1)); fi
done < <(items)
echo "$passed passed, $left have not run; logs in $STATE"
[ -z "$failed" ] || { printf 'FAILED:\n' && printf '%s\n' $failed; }
[ -z "$failed" ] && [ $left = 0 ]

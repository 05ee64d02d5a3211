#!/usr/bin/env bash
# Runs tests with prove; prints every half minute which are still running.
#
#   run-tests.sh BUILD_DIR [as list-tests.sh: --tagged mpi, NAME...]      all but the slow ones
#
# Those that take longest run first, so that no core idles at the end. Tests in C are programs in
# BUILD_DIR/tests. All are run from the root of the repository, and see
#   SLUICE          the program under test
#   SLUICE_CONFIG   the build configuration: release, debug, sanitize
#   PYTHON          a Python with numpy, matplotlib and h5py, if there is one
#   SLUICE_REQUIRE  tools that must be there: a check that is skipped for want of one fails;
#                   "all" allows no skip
# JOBS is the number of tests that run at once: by default that of the cores, at most 8, since their
# runs have threads of their own.
set -u
here=$(cd "$(dirname "$0")" && pwd)

# Runs one test; a skip for want of a required tool becomes a failure. A failed test and its output
# are kept for the end. Open MPI gets a folder of its own: an mpirun that ends removes the common
# one, while another begins in it.
run_one()
{
    local file=$1
    mark=$SLUICE_RUNNING/$(basename "$file")
    : >"$mark"
    export OMPI_MCA_orte_tmpdir_base=$SLUICE_FAILED/${mark##*/}.mpi
    mkdir -p "$OMPI_MCA_orte_tmpdir_base"
    trap 'rm -rf "$mark" "$OMPI_MCA_orte_tmpdir_base"' EXIT
    case $file in
    *.py) set -- "${PYTHON:-python3}" "$@" ;;
    *.sh) set -- bash "$@" ;;
    esac
    set -o pipefail
    "$@" </dev/null | awk -v required="${SLUICE_REQUIRE:-}" \
        -v file="$file" -v kept="$SLUICE_FAILED/${mark##*/}" '
        function is_required(line,    n, i, words) {
            n = split(required, words, /[ ,]+/)
            for (i = 1; i <= n; i++) {
                if (words[i] == "all") return 1
                if (words[i] != "" && index(tolower(line), tolower(words[i])) > 0) return 1
            }
            return 0
        }
        /# *[Ss][Kk][Ii][Pp]/ && is_required($0) {
            broken = 1
            reason = $0
            sub(/^.*# *[Ss][Kk][Ii][Pp][A-Za-z:]* */, "required, but skipped: ", reason)
            if ($0 ~ /^1\.\.0/) { print "1..1"; $0 = "not ok 1 - " reason }
            else { sub(/ *#.*/, ""); sub(/^ok/, "not ok"); $0 = $0 " " reason }
        }
        /^not ok/ { about = 1; print file ": " $0 >kept; print; fflush(); next }
        !/^#/ { about = 0 }
        about { print >kept }
        { print; fflush() }
        END { exit broken }'
}
if [ "${1:-}" = --one ]; then
    shift
    run_one "$@"
    exit
fi

build=$1
shift
cd "$here/.." || exit 1
if ! command -v prove >/dev/null; then
    echo "The tests need 'prove', a part of Perl: 'make packages' installs it." >&2
    exit 1
fi

[ $# -gt 0 ] || set -- --without slow
sources=$("$here/list-tests.sh" "$@") || exit 1
tests=$(for source in $sources; do
    case $source in
    *.c) echo "$build/${source%.c}" ;;
    *.cu) [ ! -x "$build/${source%.cu}" ] || echo "$build/${source%.cu}" ;;
    *) echo "$source" ;;
    esac
done)
if [ -z "$tests" ]; then
    echo "No test is like that: $*. Those in .cu are in emulated builds (tests/README.md)." >&2
    exit 1
fi

SLUICE=${SLUICE:-$PWD/$build/sluice}
SLUICE_CONFIG=$(basename "$build")
PYTHON=$("$here/find-python.sh" numpy matplotlib h5py scipy skimage) ||
    PYTHON=$("$here/find-python.sh" numpy matplotlib h5py) || PYTHON=$("$here/find-python.sh") ||
    PYTHON=python3
PYTHONPATH=$PWD/tests/support${PYTHONPATH:+:$PYTHONPATH}
export SLUICE SLUICE_CONFIG PYTHON PYTHONPATH SLUICE_REQUIRE
# The emulator's OpenMP threads would spin while idle, and tests share the cores.
case $build in *emulated*) export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} ;; esac
export ASAN_OPTIONS=${ASAN_OPTIONS:-abort_on_error=0:detect_leaks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
# A program would wait a second for its threads at its end; the emulator's fibers do not need that.
export TSAN_OPTIONS=${TSAN_OPTIONS:-atexit_sleep_ms=0}

# Tests must not use or change the user's cache of strategy auto.
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME

# A line every half minute shows that a long test does not hang.
heartbeat()
{
    local began=$SECONDS running
    while sleep 30 >/dev/null 2>&1; do
        running=$(cd "$SLUICE_RUNNING" && echo *)
        echo "# $((SECONDS - began)) s, running: $running" >&2
    done
}
SLUICE_RUNNING=$(mktemp -d)
SLUICE_FAILED=$(mktemp -d)
export SLUICE_RUNNING SLUICE_FAILED
heartbeat &
heart=$!
trap 'kill $heart 2>/dev/null; rm -rf "$SLUICE_RUNNING" "$SLUICE_FAILED" "$XDG_CACHE_HOME"' EXIT

cores=$(nproc 2>/dev/null || echo 2)
jobs=${JOBS:-$((cores < 8 ? cores : 8))}
count=$(echo "$tests" | wc -l)
echo "Running $count test files of $build, $jobs at once"
# shellcheck disable=SC2086  # file names here hold no spaces
prove --jobs "$jobs" --timer --exec "bash $here/run-tests.sh --one" $tests
code=$?
find "$SLUICE_FAILED" -type f -size +0 -exec echo "Failed, with what was said:" ';' -exec cat {} +
exit $code

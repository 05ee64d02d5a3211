#!/bin/sh
# Compiles one .cu file, in float and in double, as device code with nvcc and as C++17 with g++.
#
#   check-nvcc.sh FILE.cu FLAG...
#
# nvcc is looked for on the PATH and in /usr/local/cuda/bin; where it is not found, that is said,
# and the check passes: most machines have none.
set -u
file=$1
shift
status=0

check()
{
    what=$1
    shift
    if "$@"; then
        echo "check-nvcc: $what: compiles"
    else
        echo "check-nvcc: $what: DOES NOT COMPILE" >&2
        status=1
    fi
}

object=$(mktemp)
trap 'rm -f "$object"' EXIT
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)
for precision in float double; do
    define=$([ $precision = double ] && echo -DSLUICE_DOUBLE)
    if [ -n "$nvcc" ]; then
        # shellcheck disable=SC2086  # an empty define must vanish
        check "$precision, $("$nvcc" --version | sed -n 's/.*release \([^,]*\),.*/nvcc \1/p')" \
            "$nvcc" -std=c++17 -arch=sm_90 $define "$@" -c "$file" -o "$object"
    else
        echo "check-nvcc: NOT CHECKED: nvcc not found ($precision)" >&2
    fi
    if command -v g++ >/dev/null; then
        # shellcheck disable=SC2086
        check "$precision, $(g++ --version | head -n 1)" g++ -std=c++17 -Wall -Wextra \
            -Wno-unused-function -Werror $define "$@" -x c++ -c "$file" -o "$object"
    else
        echo "check-nvcc: NOT CHECKED: g++ not found ($precision)" >&2
    fi
done
exit $status

#!/bin/sh
# Checks the layout of the C code and lints it, with one version of the tools only, since versions
# disagree. Without that version nothing is checked, and a message says so.
#
#   lint.sh format|check-format VERSION FILE...
#   lint.sh has-tidy VERSION            exit 0 if that clang-tidy is there; else a message
#   lint.sh tidy VERSION FILE FLAG...   findings are errors
set -u
action=$1
version=$2
shift 2

# find_tool NAME WHAT: prints the command, NAME or NAME-VERSION; WHAT is not checked without it
find_tool()
{
    for command in "$1" "$1-$version"; do
        if "$command" --version 2>/dev/null | grep -q "version $version\."; then
            echo "$command"
            return 0
        fi
    done
    echo "NOT CHECKED: $1 $version not found ($2)." \
        "Debian 12: tools/packages.sh install lint" >&2
    return 1
}

case $action in
format)
    tool=$(find_tool clang-format "nothing is laid out") || exit 1
    "$tool" -i "$@"
    ;;
check-format)
    tool=$(find_tool clang-format "the layout of the code") || exit 0
    if ! found=$("$tool" --dry-run -Werror "$@" 2>&1); then
        changed=$(echo "$found" | sed -n 's/:[0-9]*:[0-9]*: error: .*//p' | sort -u)
        printf 'make format would change:\n%s\n' "${changed:-$found}" >&2
        exit 1
    fi
    echo "check-format: $# files as .clang-format has them"
    ;;
has-tidy)
    find_tool clang-tidy "the lint" >/dev/null
    ;;
tidy)
    tool=$(find_tool clang-tidy "the lint") || exit 1
    file=$1
    shift
    # Standard error only has the counts of suppressed warnings in system headers.
    "$tool" --quiet --warnings-as-errors='*' "$file" -- -std=gnu11 -fopenmp-simd "$@" 2>/dev/null
    ;;
*)
    echo "lint.sh: no such action: $action" >&2
    exit 2
    ;;
esac

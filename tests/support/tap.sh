# The Test Anything Protocol for shell tests of the program; sourced, from the root of the tree.
#
#   run 0 sluice help           runs, and checks the exit status; output is then in $out and $err
#   ok "name" test -f x         a check: the command succeeds
#   has "$err" "text" "name"    a file contains a text; has_not: it does not
#   done_testing                the plan, last
SLUICE=${SLUICE:-$PWD/build/sluice}
case $SLUICE in /*) ;; *) SLUICE=$PWD/$SLUICE ;; esac
PYTHON=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/stdout
err=$work/stderr
tap_count=0
tap_failed=0

sluice()
{
    "$SLUICE" "$@"
}

tap_result()
{
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
    fi
    return "$1"
}

ok()
{
    local name=$1
    shift
    "$@" >/dev/null 2>&1
    tap_result $? "$name"
}

# The details of a failed check, as comments.
show()
{
    local file
    for file; do
        sed "s|^|#   ${file##*/}: |" "$file" | head -n 20
    done
}

run()
{
    local wanted=$1 status command
    shift
    command=$(printf '%s ' "$@" | tr -s '\n ' '  ' | sed "s|$work/||g")
    "$@" >"$out" 2>"$err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ]
    if ! tap_result $? "exit status $wanted: $command"; then
        echo "#   exit status $status"
        show "$out" "$err"
        return 1
    fi
}

has()
{
    grep -qF -e "$2" "$1"
    tap_result $? "${3:-says \"$2\"}" || show "$1"
}

has_not()
{
    ! grep -qF -e "$2" "$1"
    tap_result $? "${3:-does not say \"$2\"}" || show "$1"
}

is_empty()
{
    [ ! -s "$1" ]
    tap_result $? "$2" || show "$1"
}

# json FILE EXPRESSION NAME: the file is one JSON value `j`, and a Python expression of it is true.
json()
{
    "$PYTHON" - "$1" "$2" 2>"$work/.json" <<'CODE'
import json, sys
j = json.load(open(sys.argv[1]))
sys.exit(not eval(sys.argv[2]))
CODE
    tap_result $? "$3" || show "$work/.json" "$1"
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for()
{
    local tries=$(($1 * 20))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

# A dam break of a few hundred particles in $work/dam.cfg; how it goes on is the test's business.
small_case()
{
    cat >"$work/dam.cfg" <<'CONFIG'
title = "A small dam break";
model = "wcsph"; dimension = 2; spacing = 0.01;
domain = { min = [0.0, 0.0]; max = [0.4, 0.3]; };
gravity = [0.0, -9.81];
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.1, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-"]; } );
probes = ( { name = "front"; kind = "front"; axis = "x"; above = 0.01; every = 0.005; } );
time = { end = 0.05; };
output = { every = 0.01; };
backend = { threads = 1; };
CONFIG
}

done_testing()
{
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
    exit
}

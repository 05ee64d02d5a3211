#!/usr/bin/env bash
# Completion of bash: verbs, options, values, config files, folders and keys.
. tests/tap.sh
small_case
script=$PWD/tools/sluice-completion.bash
cd "$work" || exit 1
mkdir -p out/dam other
touch notes.txt energy.csv

# complete_line WORD...: what is offered for the last word, one a line in $out. Words are as bash
# splits them: --out=x is three.
complete_line()
{
    bash --norc -c '
        . "$1"; shift
        program=$1; shift
        COMP_WORDS=(sluice "$@"); COMP_CWORD=$#
        _sluice "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' complete "$script" "$SLUICE" "$@" >"$out" 2>"$err"
}
offers()
{
    local name=$1
    shift
    ok "$name: offers $1" grep -qxF -e "$1" "$out" || show "$out" "$err"
}
offers_not()
{
    ok "$1: does not offer $2" bash -c '! grep -qxF -e "$1" "$2"' _ "$2" "$out"
}

complete_line r
offers "sluice r" run
offers "sluice r" restart
offers_not "sluice r" check
complete_line run --
offers "run --" --out
offers "run --" --force
offers_not "run --" --csv
complete_line check --f
offers_not "check --f" --force
complete_line run ""
offers "run" dam.cfg
offers "run" other
offers_not "run" notes.txt
complete_line run dam.cfg --precision ""
offers "--precision" double
complete_line run dam.cfg --precision = d
offers "--precision=d" double
offers_not "--precision=d" float
complete_line run dam.cfg --precision =
offers "--precision=" float
complete_line run --force ""
offers "after a flag, the argument" dam.cfg
complete_line run -o o
offers "-o o" out
offers_not "-o o" notes.txt
complete_line restart ou
offers "restart ou" out
complete_line run dam.cfg --set time.
offers "--set time." time.end=
offers_not "--set time." fluid.density=
complete_line help en
offers "help en" energy
complete_line bench ""
offers "bench" pair
offers "bench" step
offers "bench" strategies
offers "bench" lists
complete_line nonsense ""
is_empty "$err" "an unknown verb is no error"
ok "completion is registered" bash --norc -c '. "$0" && complete -p sluice' "$script"
done_testing

#!/usr/bin/env bash
# test: 3 s
# Completion of bash, zsh and fish: verbs, options, values, cases, config files, folders and keys.
. tests/support/tap.sh
small_case
scripts=$PWD/tools/completion
cd "$work" || exit 1
mkdir -p out/dam other bin
touch notes.txt energy.csv
ln -s "$SLUICE" bin/sluice
PATH=$work/bin:$PATH

# The program's completions of the last word, without their descriptions.
asked()
{
    sluice --complete "$@" 2>"$err" | cut -f 1 >"$out"
}

# complete_line WORD...: what bash offers for the last word, one a line in $out. Words are as bash
# splits them: --out=x is three.
complete_line()
{
    bash --norc -c '
        . "$1"; shift
        program=$1; shift
        COMP_WORDS=(sluice "$@"); COMP_CWORD=$#
        _sluice "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' complete "$scripts/sluice.bash" sluice "$@" >"$out" 2>"$err"
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
complete_line new be
offers "new be" beach
offers_not "new be" hull
complete_line new beach ""
offers "new beach" other
complete_line run --
offers "run --" --out
offers "run --" --force
offers_not "run --" --csv
complete_line plot --op
offers "plot --op" --opening
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
complete_line info --co
offers "info --co" --columns
complete_line info --columns --m
offers "after a flag that other verbs give a value" --markdown
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
complete_line run dam.cfg --set boundary.kind =
offers "--set boundary.kind=" mdbc
offers_not "--set boundary.kind=" notes.txt
complete_line run dam.cfg --set boundary.kind = d
offers "--set boundary.kind=d" dynamic
offers_not "--set boundary.kind=d" adami
complete_line run dam.cfg --out = o
offers "--out=o" out
complete_line bench pair ""
offers "bench pair" h1.5
offers_not "bench pair" step
complete_line validate still
offers "validate still" still-water-mdbc
complete_line nonsense ""
is_empty "$err" "an unknown verb is no error"
ok "completion is registered" bash --norc -c '. "$0" && complete -p sluice' "$scripts/sluice.bash"

# --- The program's own words, which all shells take ---
asked run dam.cfg --set boundary.kind=
ok "the choices of a key" bash -c 'diff <(printf "boundary.kind=%s\n" adami dynamic repulsive mdbc) "$0"' "$out"
asked run dam.cfg --set 'probes.[0].kind=hei'
offers "keys of lists" "probes.[0].kind=height"
asked run dam.cfg --set boundary.spring=
offers "true and false" boundary.spring=false
asked run dam.cfg --set particles=
offers "a key that names a file" :file
asked bench lists ""
offers "bench lists" n113
asked bench pair h1.5 ""
is_empty "$out" "bench takes no third word"
asked run dam.cfg ""
is_empty "$out" "run takes one config"
asked run --force --
offers_not "an option that was given" --force
asked run --set a=1 --
offers "an option that may be given again" --set
asked plot out --field ""
offers "fields to draw" pressure
asked surface out --f
offers "options of surface" --fields
offers "options of surface" --format
asked surface out --format ""
offers "formats of surfaces" ply
offers_not "formats of surfaces" png
asked run -- -
offers_not "after -- there are no options" --force
for line in "" "nonsense x" "run --nonsense=" "run --force=" "run --set nonsense=" "run --set =" "-x"; do
    # shellcheck disable=SC2086
    asked $line
    is_empty "$err" "'$line' is no error"
done
asked validate ""
cp "$out" cases
if PYTHON=$("${scripts%/completion}/find-python.sh" numpy matplotlib h5py); then
    PYTHON=$PYTHON "$SLUICE" validate --list | awk '$1 != "-" { print $1 }' >listed
    ok "the validation cases are those of validate --list" diff listed cases
else
    echo "ok $((tap_count += 1)) - the validation cases # SKIP no Python with numpy, matplotlib and h5py"
fi

# --- Zsh: the function with what it calls put in its place ---
zsh_line()
{
    zsh -f -c 'functions[_sluice]="$(<$1)"; shift
        compset() { : }
        _files() { print -r -- "files $*" }
        _describe() { print -rl -- "${(@P)3}" }
        words=(sluice "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
        _sluice' zsh "$scripts/_sluice" "$@" >"$out" 2>"$err"
}
if command -v zsh >/dev/null; then
    zsh_line re
    offers "zsh: sluice re" "restart:go on from the newest good checkpoint"
    zsh_line run dam.cfg --set boundary.kind=
    offers "zsh: --set boundary.kind=" boundary.kind=mdbc
    zsh_line run ""
    offers "zsh: run" "files -g *.cfg"
    zsh_line run --out=o
    offers "zsh: --out=o" "files -/"
    is_empty "$err" "zsh has no complaint"
else
    echo "ok $((tap_count += 1)) - zsh # SKIP zsh is missing"
fi

# --- Fish ---
fish_line()
{
    fish --no-config -c "source $scripts/sluice.fish; complete -C '$1'" 2>"$err" | cut -f 1 >"$out"
}
if command -v fish >/dev/null; then
    fish_line "sluice re"
    offers "fish: sluice re" restart
    offers_not "fish: sluice re" run
    fish_line "sluice run dam.cfg --set boundary.kind="
    offers "fish: --set boundary.kind=" boundary.kind=mdbc
    fish_line "sluice run "
    offers "fish: run" dam.cfg
    offers "fish: run" other/
    offers_not "fish: run" notes.txt
    fish_line "sluice run --out=o"
    offers "fish: --out=o" --out=other/
    is_empty "$err" "fish has no complaint"
else
    echo "ok $((tap_count += 1)) - fish # SKIP fish is missing"
fi
done_testing

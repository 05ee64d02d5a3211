#!/usr/bin/env bash
# test: 6 s
# Help, the manual page, and what the command line refuses.
. tests/support/tap.sh

# --- Help ---
run 2 sluice
is_empty "$out" "without arguments standard output stays empty"
has "$err" "Usage: sluice VERB" "without arguments the usage goes to standard error"
run 0 sluice help
cp "$out" "$work/overview"
has "$out" "To begin with:"
is_empty "$err" "help says nothing on standard error"
for word in --help -h; do
    sluice "$word" >"$work/again"
    ok "sluice $word is sluice help" cmp "$out" "$work/again"
done
sluice help --list >"$work/list"
verbs=$(awk -F '\t' '$1 == "verb" { print $2 }' "$work/list")
ok "nine verbs are listed" test "$(echo "$verbs" | wc -l)" -ge 9
for verb in $verbs; do
    has "$work/overview" "  $verb " "the overview has $verb"
    run 0 sluice help "$verb"
    cp "$out" "$work/help"
    has "$out" "Usage: sluice $verb"
    has "$out" "Examples:"
    has "$out" "  sluice $verb" "the examples of $verb are of $verb"
    run 0 sluice "$verb" --help
    ok "--help of $verb is its help" cmp "$out" "$work/help"
    ok "the help of $verb fits into 130 columns" awk 'length > 130 { exit 1 }' "$out"
    awk -F '\t' -v verb="$verb" '$1 == "option" && $2 == verb { print $3 }' "$work/list" \
        >"$work/options"
    missing=$(while read -r option; do
        grep -qF -e "$option" "$out" || echo "$option"
    done <"$work/options")
    ok "the help of $verb has all its options ($missing)" test -z "$missing"
done
run 0 sluice help surface
has "$out" "ply (for Blender), or obj, without fields" "obj alone has no fields"
ok "examples in the help name verbs and options that exist" bash -c '
    "$0" help --list >"$1/list"
    verbs=$(awk -F "\t" "\$1 == \"verb\" { print \$2 }" "$1/list")
    for verb in $verbs; do "$0" help "$verb"; done |
    grep "^  .*sluice " | sed "s/ -- .*//; s/  *#.*//" | while read -r line; do
        set -- "$1" $line
        while [ "$2" != sluice ]; do set -- "$1" "${@:3}"; done
        verb=$3
        for word in "${@:4}"; do
            case $word in --*) grep -qP "^option\t$verb\t$word\t" "$1/list" || exit 1 ;; esac
        done
        grep -qP "^verb\t$verb\t" "$1/list" || exit 1
    done' "$SLUICE" "$work"

# --- The manual page ---
page=docs/sluice.1
for verb in $verbs; do
    ok "the manual page has the verb $verb" grep -qE "^\.B $verb( |\$)" "$page"
done
sed 's/\\-/-/g; s/\\f.//g' "$page" >"$work/page"
awk -F '\t' '$1 == "option" { print $3 }' "$work/list" | sort -u >"$work/options"
while read -r option; do
    ok "the manual page has $option" grep -qE -e "^\.BR? .*$option( |\$)" "$work/page"
done <"$work/options"
grep -oE -e '--[a-z][a-z-]*' "$work/page" | sort -u |
    grep -vxF -e --option -f "$work/options" >"$work/foreign"
is_empty "$work/foreign" "the manual page has no option that does not exist"
if command -v man >/dev/null &&
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>"$err"; then
    is_empty "$err" "man has no warnings about the manual page"
else
    echo "ok $((tap_count += 1)) - manual page # SKIP no man that formats"
fi

# --- Refusals ---
refused()
{
    local said=$1
    shift
    run 2 sluice "$@"
    has "$err" "sluice: error: $said" "it says: $said"
    is_empty "$out" "nothing on standard output"
}
refused "there is no verb 'rnu': did you mean 'sluice run'?" rnu
refused "there is no verb 'chekc': did you mean 'sluice check'?" chekc x.cfg
run 0 sluice help plot
has "$out" "--out DIR           folder to write to (default: RUN_DIR)" "a verb's own words"
run 0 sluice help measure
has "$out" "--out FILE          table, .csv, or image, .hdf" "and its own argument"
refused "--out needs a value: --out FILE" measure run --out
refused "there is no verb 'simulate-it': 'sluice help' lists them" simulate-it
refused "there is no verb 'dance'" help dance
refused "'run' has no option '--froce': did you mean '--force'?" run x.cfg --froce
refused "'check' has no option '--out'" check x.cfg --out y
refused "'run' has no option '-z'" run x.cfg -z
refused "'--json' stands before the verb" --json run x.cfg
refused "'run' needs CONFIG" run
refused "'energy' needs RUN_DIR" energy --json
refused "'b.cfg' is one argument too many" run a.cfg b.cfg
refused "'--force' is one argument too many" run a.cfg -- --force
refused "--out needs a value: --out DIR" run a.cfg --out
refused "--out needs a value: --out DIR" run a.cfg --out=
refused "--out was given twice: 'x' and 'y'" run a.cfg --out x -o y
refused "'--force=yes': --force takes no value" run a.cfg --force=yes
refused "--json, --markdown and --keys print different things" info --markdown --keys
refused "--json, --markdown and --keys print different things" info --columns --keys
refused "'--columns=x': --columns takes no value" info --columns=x
refused "--repeats two: a whole number of at least 10 is needed" bench pair --repeats two

# --- Standard output that does not take what is printed ---
run 3 bash -c '"$0" help >&-' "$SLUICE"
has "$err" "sluice: error: standard output cannot be written"
# A disk that says only at the close that it is full.
cat >"$work/close.c" <<'CODE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
int fclose(FILE *stream)
{
    if (stream != stdout)
        return ((int (*)(FILE *))dlsym(RTLD_NEXT, "fclose"))(stream);
    errno = EDQUOT;
    return EOF;
}
CODE
case ${SLUICE_CONFIG:-release} in
*sanitize* | *tsan*) tap_result 0 "a close that fails # SKIP sanitizers come before other libraries" ;;
*)
    if "${CC:-gcc}" -shared -fPIC "$work/close.c" -o "$work/close.so" -ldl 2>"$err"; then
        run 3 env LD_PRELOAD="$work/close.so" "$SLUICE" info
        has "$err" "standard output cannot be written: Disk quota exceeded" "a close that fails"
    else
        tap_result 0 "a close that fails # SKIP no library can be made here"
    fi
    ;;
esac
if [ -w /dev/full ]; then
    run 3 bash -c '"$0" help >/dev/full' "$SLUICE"
    has "$err" "No space left on device"
    run 3 bash -c '"$0" info --json >/dev/full' "$SLUICE"
fi
{ sleep 0.3; sluice help 2>"$err"; echo $? >"$work/status"; } | :
ok "a reader that went away is an error of output" test "$(cat "$work/status")" -eq 3
run 0 bash -c '"$0" help 2>&-' "$SLUICE"

# --- Version and info ---
run 0 sluice version
has "$out" "revision"
sluice --version >"$work/again"
ok "sluice --version is sluice version" cmp "$out" "$work/again"
run 0 sluice version --json
json "$out" 'j["version"] and j["compiler"]' "version --json is JSON"
run 0 sluice info
has "$out" "HDF5"
has "$out" "fluid.density"
has "$out" "window"
run 0 sluice info --json
json "$out" 'j["backends"][-1]["name"] == "cpu" and j["backends"][-1]["devices"] and j["threads"] >= 1' "info --json is JSON"
json "$out" '"window" in j["strategies"] and "lj" in j["pairs"]' "with strategies and pairs"
run 0 sluice info --keys
ok "--keys has keys, one a line" grep -qx "time.end" "$out"
run 0 sluice info --markdown
ok "--markdown is a table" grep -q '^|' "$out"
run 0 sluice info --columns
ok "--columns has columns with units" grep -qE '^  max_speed +m/s ' "$out"
ok "also those of blow_up.csv" grep -qE '^  x, y, z +m ' "$out"
ok "and of measure_total.csv" grep -qE '^  momentum_x +kg m/s ' "$out"
run 0 sluice info --columns --markdown
ok "--columns --markdown is a table" grep -q '^| `max_speed` | m/s |' "$out"
run 0 sluice info --help
has "$out" "--columns           print the columns" "--columns takes no value here"
done_testing

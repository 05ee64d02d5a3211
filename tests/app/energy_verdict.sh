#!/usr/bin/env bash
# test: 40 s, slow
# sluice energy: both verdicts, wrong tables; sluice plot: the files that it needs.
. tests/support/tap.sh
small_case
tools=$PWD/tools
cd "$work" || exit 1

run 0 sluice run dam.cfg --out good --quiet
run 0 sluice energy good --no-plot
has "$out" "kinetic"
has "$out" "work of viscosity"
has "$out" "reference energy"
ok "the verdict stands at the end" bash -c 'tail -n 1 "$0" | grep -q "^conserved: "' "$out"
run 0 sluice energy good --no-plot --json
json "$out" 'j["exit"] == 0 and j["conserved"] is True' "energy --json"
json "$out" 'j["max_residual_share"] <= j["tolerance"]' "the share is within the tolerance"
json "$out" 'abs(j["last"]["total"] - sum(j["last"][part] for part in
    ("kinetic", "potential", "elastic", "spring"))) < 1e-9' "the total is the sum of its parts"
share=$(sed -n 's/.*"max_residual_share": \(.*\),/\1/p' "$out")

# The same from the table itself, by another program's arithmetic.
want=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { r = $c["residual"]; if (r < 0) r = -r; if (r > m) m = r; e = $c["reference"] }
    END { printf "%.12g", m / e }' good/energy.csv)
ok "the fraction $share is the largest residual over the reference, $want" awk -v a="$share" \
    -v b="$want" 'BEGIN { exit !(b > 0 && a - b <= 1e-9 * b && b - a <= 1e-9 * b) }'

# --- Bodies: the terms add up, above the blank line and below ---
sed 's|sides = .*|sides = ["x-", "x+", "y-"]; },\
    { name = "brick"; shape = "box"; type = "body"; min = [0.2, 0.0]; max = [0.25, 0.05]; } );\
    bodies = ( { name = "brick"; density = 3000.0; velocity = [1.0, 0.0]; } );|' dam.cfg >brick.cfg
run 0 sluice run brick.cfg --out brick --quiet
run 0 sluice energy brick --no-plot
has "$out" "contacts and moorings"
has "$out" "work of impacts and dampers"
ok "the printed changes add up to that of the total" awk '
    NF < 4 || $(NF - 2) !~ /^-?[0-9.]+e[-+][0-9]+$/ { next }
    $1 == "total" { total = $NF; next }
    !total { energies += $NF; next }
    { works += $NF }
    END { e = 1e-5 # the last printed digits
        exit !(total && (total - energies)^2 < e^2 && (total - works)^2 < e^2) }' "$out"

# --- A tank without a floor ---
sed 's|sides = .*|sides = ["x-", "x+"]; } );|' dam.cfg >hole.cfg
run 0 sluice run hole.cfg --out hole --set energy.tolerance=1.0
has "$err" "gravity: warning: it pulls towards y-, a side of the domain without a wall"
run 0 sluice energy hole --no-plot
has "$out" "left with particles" "fluid has left"
has_not "$out" "-0.000000e+00" "nothing is minus zero"

# --- Without a title ---
run 0 sluice run dam.cfg --out untitled --quiet --set 'title=""' --set time.max_steps=3
run 0 sluice energy untitled --no-plot
ok "an empty title takes no line" bash -c 'head -n 1 "$0" | grep -q "^t = "' "$out"

# --- Unfinished ---
run 0 sluice energy good --no-plot
has_not "$out" "unfinished"
cp -r good half
head -n 9 good/energy.csv >half/energy.csv
run 0 sluice energy half --no-plot
has "$out" "unfinished: the run is at t = "
run 0 sluice energy half --no-plot --json
json "$out" 'j["finished"] is False' "in JSON too"

# --- Not conserved ---
strict="--set energy.tolerance=1e-15"
run 1 sluice run dam.cfg --out strict --quiet $strict
has "$err" "sluice: strict: energy NOT conserved; largest residual " "--quiet says why it ends with 1"
is_empty "$out" "and nothing on standard output"
run 1 sluice restart strict
has "$out" "energy: NOT conserved" "a restart with nothing left to do judges too"
run 1 sluice run dam.cfg --out strict --force --json $strict --set time.max_steps=20
json "$out" 'j["exit"] == 1 and j["ended"] == "done" and j["energy"]["conserved"] is False' \
    "a run that ends by its steps is judged, --json"
run 1 sluice restart strict --set time.max_steps=0
has "$out" "energy: NOT conserved" "a restart keeps the largest residual of the run"
has "$out" "The exit status is 1." "and says what follows"
has strict/log.txt "energy: NOT conserved" "the log has the verdict"
run 0 sluice run dam.cfg --out unjudged --set energy.every=0
has "$out" "energy: no verdict" "a run without a budget is not judged"
"$SLUICE" run dam.cfg --out stopped --force $strict --set time.end=1000 >"$out" 2>"$err" &
stopped=$!
wait_for 20 test -s stopped/snap_000001.hdf
kill -TERM $stopped
wait $stopped
ok "a stopped run ends with 75, whatever its energy" test $? -eq 75
has "$out" "energy: NOT conserved" "which it says"
run 5 sluice run dam.cfg --out boom $strict --set time.step=0.02 --set time.end=5
run 1 sluice energy strict --no-plot
ok "NOT conserved" bash -c 'tail -n 1 "$0" | grep -q "^NOT conserved: "' "$out"
is_empty "$err" "an open budget is no error of sluice energy"
run 1 sluice energy strict --no-plot --quiet
is_empty "$out" "energy --quiet has nothing on standard output"
has "$err" "NOT conserved: largest residual" "and says why it ends with 1"
run 0 sluice energy good --no-plot -q
ok "energy --quiet says nothing of energy that is conserved" [ ! -s "$out" -a ! -s "$err" ]
run 1 sluice energy strict --no-plot --json
json "$out" 'j["exit"] == 1 and j["conserved"] is False' "in JSON too"
cp -r good nan
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    NR == 3 { $c["residual"] = "nan" } { print }' good/energy.csv >nan/energy.csv
run 1 sluice energy nan --no-plot
has "$out" "NOT conserved" "a residual that is not a number is not conserved"

# --- Tables ---
cp -r good cut
head -c -20 good/energy.csv >cut/energy.csv
run 0 sluice energy cut --no-plot
awk 'NR == 4 { $0 = "1,2,three" } { print }' good/energy.csv >cut/energy.csv
run 3 sluice energy cut --no-plot
has "$err" "energy.csv:4: "
head -n 1 good/energy.csv >cut/energy.csv
run 3 sluice energy cut --no-plot
has "$err" "no rows yet"
echo "a,b" >cut/energy.csv
run 3 sluice energy cut --no-plot
has "$err" "no column 'time'"
rm cut/energy.csv
run 3 sluice energy cut --no-plot
rm cut/config.cfg
run 3 sluice energy cut --no-plot
run 3 sluice energy nowhere
has "$err" "is nowhere the folder of a run?"

# --- Pictures ---
mkdir bin none
cat >bin/python3 <<'FAKE'
#!/bin/sh
exit 1
FAKE
chmod +x bin/python3
if ! /usr/bin/python3 -c 'import numpy, matplotlib, h5py' 2>/dev/null; then
    run 3 env PATH="$work/bin:$PATH" PYTHON= "$SLUICE" plot good
    has "$err" "no Python with numpy, matplotlib and h5py"
    has "$err" "apt-get install"
fi
run 3 env PYTHON="$work/wrong" "$SLUICE" plot good
has "$err" "PYTHON names $work/wrong, which cannot be run" "no other Python is taken for that in PYTHON"
run 3 env PYTHON="$work/bin/python3" "$SLUICE" plot good
has "$err" "PYTHON names $work/bin/python3, which lacks numpy, matplotlib or h5py"
run 3 env SLUICE_TOOLS="$work/none" "$SLUICE" plot good
has "$err" "SLUICE_TOOLS"
run 3 env SLUICE_TOOLS="$work/none" "$SLUICE" energy good
has "$err" "no picture: " "a picture that is missing is an error"
has "$err" "; --no-plot asks for none" "with its remedy"
has "$out" "conserved" "the verdict is there"
run 3 env SLUICE_TOOLS="$work/none" "$SLUICE" energy good --json
has "$out" '"error": "no picture: ' "as JSON"
run 1 env SLUICE_TOOLS="$work/none" "$SLUICE" energy strict
has "$err" "no picture: " "a failed verdict counts more"
cp "$SLUICE" bin/sluice
run 3 bin/sluice plot good
has "$err" "name its folder in SLUICE_TOOLS"
mkdir -p share/sluice
cp -r "$tools" "$tools/../python" share/sluice/
if PYTHON=$("$tools/find-python.sh" numpy matplotlib h5py); then
    export PYTHON
    run 0 bin/sluice plot good
    ok "pictures are drawn by the installed tools" bash -c 'ls good/*.png'
    run 2 sluice plot good --times abc
    ok "an error of a tool is one line, without its usage" \
        bash -c 'test "$(cat "$0")" = "sluice plot: --times abc: numbers separated by commas are needed"' "$err"
    cp -r good ./-x
    rm -f ./-x/*.png
    run 0 sluice energy -- -x
    run 0 sluice plot -- -x
    ok "a folder's name may begin with a dash" bash -c 'ls ./-x/energy.png ./-x/picture.png'
    echo precious >victim
    for name in energy picture probes; do ln -sf ../victim "./-x/$name.png"; done
    run 0 sluice energy -- -x
    run 0 sluice plot -- -x
    ok "a link in the folder is replaced, not followed" \
        bash -c 'test "$(cat victim)" = precious && test ! -L ./-x/energy.png -a ! -L ./-x/picture.png'
    run 2 sluice plot good --field presure
    has "$err" "there are speed, vx, vy, pressure" "plot's options reach the tool"
    run 2 sluice plot good --feild speed
    has "$err" "did you mean '--field'?" "a misspelt option of the tool is met by sluice"
    run 1 sluice energy strict
    ok "the budget is drawn" bash -c 'ls strict/*.png'
    run 1 sluice energy strict --json
    json "$out" 'j["conserved"] is False' "the tool's output does not get into the JSON"
    run 0 sluice plot good --quiet
    is_empty "$out" "plot --quiet says nothing"
else
    echo "ok $((tap_count += 1)) - pictures # SKIP no Python with numpy, matplotlib and h5py"
fi
done_testing

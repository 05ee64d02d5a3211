#!/usr/bin/env bash
# test: 4 s
# Strategy auto on the command line: the table and the choices in the log, --replay, a restart that
# repeats its log's choices, the cache, and refusals.
. tests/support/tap.sh

cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache
choices=cache/sluice/choices

# A collapsing column, with enough steps for several measurements on a busy machine.
cat >dam.cfg <<'CONFIG'
title = "A small dam break";
model = "wcsph"; dimension = 2; spacing = 0.01;
domain = { min = [0.0, 0.0]; max = [0.8, 0.3]; };
gravity = [0.0, -9.81];
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.1, 0.2]; },
             { shape = "walls"; sides = ["x-", "x+", "y-"]; } );
time = { end = 100.0; max_steps = 3600; };
output = { every = 0.0; };
backend = { name = "cpu"; threads = 1; auto_share = 1000.0; };
CONFIG

run 0 sluice run dam.cfg -o first
has first/log.txt "auto: window           64 x 8 x 1" "the log has a table of strategies and bins"
has first/log.txt "auto: from step 0 on window" "and the choice"
has "$err" "auto: strategy window from step 0 on (measured in " "the terminal has one short line"
ok "the terminal has no other line of the start" [ "$(grep -c "auto: .*step 0 on" "$err")" -eq 1 ]
has_not "$err" "auto: window" "the table is not on the terminal"
ok "lines about auto fit the terminal" bash -c '! grep "auto:" "$0" | grep -q ".\{81\}"' "$err"
late=$(sed -n 's/.*auto: from step \([1-9][0-9]*\) on window.*/\1/p' first/log.txt | tail -n 1)
ok "a collapse is measured again, here at step $late" [ "$late" -ge 1000 ]
ok "at a multiple of a thousand steps" [ $((late % 1000)) -eq 0 ]
# Cell counts depend on the bins: two measurements are compared only with the same bins.
ok "with the same bins only a change of the cells by a quarter starts one" awk '
    function is_other(now, before) { return now > 1.25 * before || now < before / 1.25 }
    /auto: from step/ {
        bins = $0; sub(/.*bins of a frame /, "", bins); sub(/;.*/, "", bins)
        mean = $0; sub(/.*cells hold /, "", mean); sub(/ .*/, "", mean)
        most = $0; sub(/.*in the mean, /, "", most); sub(/ .*/, "", most)
        looks++
        bad += bins == bins_before && !is_other(mean, mean_before) && !is_other(most, most_before)
        bins_before = bins; mean_before = mean; most_before = most
    }
    END { exit !(looks > 1 && !bad) }' first/log.txt
ok "the choice is kept" grep -q $'2-D.*\twindow\t' "$choices"
run 0 sluice run dam.cfg -o second
has second/log.txt "(as an earlier run found)" "a later run takes what was kept"
has_not second/log.txt "measured in" "and measures nothing"

# The same bits, from a log
run 0 sluice run dam.cfg -o again --replay first/log.txt
has again/log.txt "(replayed)" "a log is replayed"
ok "a replayed run has the same energies, to the bit" cmp first/energy.csv again/energy.csv
cp first/log.txt own.txt
run 0 sluice run dam.cfg -o first --force --quiet --replay first/log.txt
ok "a log that --force removes is read before" cmp first/energy.csv again/energy.csv

# Choices that auto would not make by luck: another strategy and other bins during the run
sed -E 's/^(.*from step '"$late"' on) window, bins of a frame [0-9x ]*;(.*)/\1 tiled, bins of a frame 256 x 2 x 1;\2/' \
    own.txt >other.txt
has other.txt "from step $late on tiled" "a log with another choice"
run 0 sluice run dam.cfg -o whole --quiet --replay other.txt --set output.checkpoint_every_s=0.02 \
    --set output.keep=1000
ok "shows in the bits" bash -c '! cmp -s whole/energy.csv again/energy.csv'
cp whole/energy.csv whole.csv
for checkpoint in whole/checkpoint_*.hdf; do
    step=${checkpoint#whole/checkpoint_}
    [ "$((10#${step%.hdf}))" -lt "$late" ] || rm "$checkpoint"
done
ok "a checkpoint from before the choice is left" test -n "$(ls whole/checkpoint_*.hdf)"
run 0 sluice restart whole --quiet
has whole/log.txt "from step $late on tiled, bins of a frame 256 x 2 x 1; cells" "restarted from it"
ok "the restart repeats its log's choice" [ "$(grep -c "from step $late on tiled.*(replayed)" \
    whole/log.txt)" -eq 2 ]
ok "the same energies, to the bit" cmp whole/energy.csv whole.csv
# From a later checkpoint, the choice is the checkpoint's.
run 0 sluice run dam.cfg -o parts --quiet --replay other.txt --set time.max_steps=$((late + 200))
run 0 sluice restart parts --quiet --set time.max_steps=3600
ok "a restart goes on with its checkpoint's choice" cmp parts/energy.csv whole.csv

# A bad cache never stops a run.
printf 'what is this\n\x01\t\t\n%s' "$(head -c 300 /dev/urandom | tr -d '\0')" >>"$choices"
run 0 sluice run dam.cfg -o spoilt --set time.max_steps=60
has spoilt/log.txt "(as an earlier run found)" "lines that are no lines are passed over"
head -c 5000 /dev/urandom >"$choices"
run 0 sluice run dam.cfg -o spoilt --force --set time.max_steps=60
has spoilt/log.txt "measured in" "a file of noise is not used"
rm "$choices" && mkdir "$choices"
run 0 sluice run dam.cfg -o spoilt --force --set time.max_steps=60
has spoilt/log.txt "it is no file that sluice wrote" "nor is a folder"
XDG_CACHE_HOME=/dev/null run 0 sluice run dam.cfg -o spoilt --force --set time.max_steps=60
has spoilt/log.txt "/dev/null/sluice/choices is not used" "nor a place where nothing can be"
XDG_CACHE_HOME=/proc run 0 sluice run dam.cfg -o spoilt --force --set time.max_steps=60
has spoilt/log.txt "auto: the choice is not kept: /proc/sluice" "or be written"
rm -r cache
run 0 sluice run dam.cfg -o spoilt --force --set time.max_steps=60 --set backend.auto_cache=false
ok "backend.auto_cache = false keeps nothing" test ! -e cache

# Runs without a measurement
run 0 sluice run dam.cfg -o rule --quiet --set backend.auto_share=0.01 --set time.max_steps=20
has rule/log.txt "(the rule: the run is too short to measure)" "a short run takes the rule"
run 0 sluice run dam.cfg -o rule --force --quiet --set backend.auto_share=0 --set time.max_steps=20
has rule/log.txt "(the rule: backend.auto_share is 0)" "and one without a share"
run 0 sluice run dam.cfg -o rule --force --quiet --strategy window --set time.max_steps=20
has_not rule/log.txt "auto:" "a strategy by name leaves nothing to choose"
run 2 sluice run dam.cfg -o no --strategy window --replay own.txt
has "$err" 'backend.strategy = "window" leaves it no choice' "nor to replay"
run 2 sluice run dam.cfg -o no --replay rule/log.txt
has "$err" "it holds no choice of auto" "a log without choices is refused"
sed 's/bins of a frame [0-9]* x/bins of a frame 48 x/' own.txt >odd.txt
run 2 sluice run dam.cfg -o no --replay odd.txt
odd=$(grep -n "auto: from step" odd.txt | head -n 1 | cut -d: -f1)
has "$err" "odd.txt:$odd: this choice of auto cannot be repeated" "and a line that no run wrote"
run 3 sluice run dam.cfg -o no --replay nowhere/log.txt
done_testing

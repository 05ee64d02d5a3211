#!/usr/bin/env bash
# test: 11 s
# A run that is killed at any moment goes on from its newest whole checkpoint to the same bits; and
# a restart may ask for other outputs.
. tests/support/tap.sh
small_case
cd "$work" || exit 1
more="--set time.end=0.3 --set spacing=0.005 --set output.keep=3 --strategy window"

same_tables()
{
    local file
    for file in energy.csv probe_front.csv run.hdf.series; do
        cmp "$1/$file" "$2/$file" || return
    done
}
digest()
{
    "$PYTHON" - "$1" <<'CODE'
import glob, sys, h5py
newest = max(glob.glob(sys.argv[1] + "/checkpoint_*.hdf"))
print(h5py.File(newest)["State"].attrs["Digest"])
CODE
}
same_state()
{
    [ "$(digest "$1")" = "$(digest "$2")" ]
}

# shellcheck disable=SC2086  # a list of words
run 0 sluice run dam.cfg -o whole $more --quiet

kills=0
# shellcheck disable=SC2086
"$SLUICE" run dam.cfg -o killed $more --quiet --set output.checkpoint_every_s=0.02 2>"$err" &
pid=$!
while wait_for 20 bash -c 'ls killed/checkpoint_*.hdf' && [ "$kills" -lt 6 ]; do
    sleep "0.1$kills"
    kill -KILL "$pid" 2>/dev/null || break
    wait "$pid" 2>/dev/null
    kills=$((kills + 1))
    "$SLUICE" restart killed --quiet 2>>"$err" &
    pid=$!
done
wait "$pid"
status=$?
ok "killed $kills times, then it ends well: $status" test "$status" -eq 0 -a "$kills" -gt 1
ok "tables and series are those of the run that was never killed" same_tables whole killed
if "$PYTHON" -c 'import h5py' 2>/dev/null; then
    ok "and so is every bit of the state" same_state whole killed
else
    tap_result 0 "and so is every bit of the state # SKIP python's h5py is missing"
fi
ok "nothing half-written is left" bash -c '! ls killed/*.tmp'
ok "three checkpoints are kept" test "$(ls killed/checkpoint_*.hdf | wc -l)" -le 3

# shellcheck disable=SC2086
run 0 sluice run dam.cfg -o damaged $more --quiet --set time.end=0.1
older=$(ls damaged/checkpoint_*.hdf)
run 0 sluice restart damaged --quiet --set time.end=0.2
newest=$(ls damaged/checkpoint_*.hdf | tail -n 1)
truncate -s -100 "$newest"
run 0 sluice restart damaged --set time.end=0.3
has damaged/log.txt "passed over: $newest" "a damaged checkpoint is passed over, with its name"
ok "to the same tables" same_tables whole damaged
ok "the damaged one is gone, the older one not" test ! -e "$newest" -a -e "$older"

run 0 sluice run dam.cfg -o other --quiet
run 0 sluice restart other --quiet --set time.end=0.1 --set output.every=0.025
times=$(sed -n 's/.*"time" : \([0-9.]*\).*/\1/p' other/run.hdf.series |
    awk '{ printf "%s%.3f", (NR > 1 ? " " : ""), $1 - $1 % 0.005 }')
ok "other outputs after a restart, at their times: $times" \
    test "$times" = "0.000 0.010 0.020 0.030 0.040 0.050 0.075 0.100"
done_testing

#!/usr/bin/env bash
# test: 12 s
# Results that are deleted before a restart or during a run, and lists that lack snapshots: nothing
# more is lost, and a warning names the losses.
. tests/support/tap.sh
small_case
cd "$work" || exit 1

# --- Tables that are missing at a restart ---
run 0 sluice run dam.cfg -o before --quiet --set time.max_steps=30
rm before/energy.csv
run 3 sluice restart before --set time.max_steps=40
has "$err" "before/energy.csv is missing: its rows up to step 30 are lost" "it is said at once"
has "$err" "error: the run is done, but rows are lost: before/energy.csv was missing" "and at the end"
ok "the log has it" grep -q "warning: before/energy.csv is missing" before/log.txt
ok "the table goes on" grep -q '^40,' before/energy.csv
run 0 sluice restart before --set time.max_steps=50
has_not "$err" "is missing" "it is said once"
rm before/energy.csv before/probe_front.csv
run 3 sluice restart before --quiet --set time.max_steps=60
has "$err" "before/energy.csv and other tables were missing" "with --quiet too"

# --- Tables that are deleted, moved or replaced while the run writes them ---
more="--set time.end=0.4 --set spacing=0.005 --strategy window"
# shellcheck disable=SC2086  # a list of words
run 0 sluice run dam.cfg -o whole --quiet $more
begin()
{
    # shellcheck disable=SC2086
    "$SLUICE" run dam.cfg -o "$1" $more >"$out" 2>"$err" &
    pid=$!
    wait_for 60 grep -q '^50,' "$1/energy.csv"
}
ended()
{
    wait "$pid"
    status=$?
    ok "$2: exit status $1, not $status" test "$status" -eq "$1"
}

begin deleted
rm deleted/energy.csv deleted/probe_front.csv
ended 0 "deleted tables"
ok "the table is there with every row" cmp whole/energy.csv deleted/energy.csv
ok "a probe's table is there with every row" cmp whole/probe_front.csv deleted/probe_front.csv
has "$err" "deleted/energy.csv: was deleted while the run wrote it" "it is said"

begin moved
mv moved/energy.csv moved/first.csv
ended 0 "a table that was moved away"
ok "the table is there with every row, too" cmp whole/energy.csv moved/energy.csv

begin replaced
echo mine >replaced/mine.csv
mv replaced/mine.csv replaced/energy.csv
ended 3 "another file in its place"
ok "stays" grep -qx mine replaced/energy.csv
has "$err" "replaced/energy.csv: another file took its name" "and is named"

begin nolog
rm nolog/log.txt
ended 3 "a log that was deleted"
has "$err" "nolog/log.txt was deleted" "it is named"

# --- Snapshots that the list lacks ---
run 0 sluice run dam.cfg -o list --quiet
sed -i '/snap_000002/d' list/run.hdf.series
run 0 sluice restart list --set time.end=0.07
has "$err" "1 snapshot (snap_000002.hdf) not listed in run.hdf.series" "a lost entry is said"
ok "it is in the list again" grep -q snap_000002 list/run.hdf.series
ok "and the snapshot is there" test -s list/snap_000002.hdf
rm list/run.hdf.series
run 0 sluice restart list --quiet --set time.end=0.09
ok "a list that was deleted is made anew" test "$(grep -c snap_ list/run.hdf.series)" -eq 10

cp list/snap_000001.hdf keep.hdf
run 0 sluice run dam.cfg -o back --quiet --set output.keep=9
run 0 sluice restart back --quiet --set time.end=0.08 --set output.keep=9
newest=$(ls back/checkpoint_*.hdf | tail -n 1)
truncate -s -100 "$newest"
run 0 sluice restart back --set time.end=0.06
has "$err" "removed 3 snapshots (snap_000006.hdf, snap_000007.hdf, snap_000008.hdf) later than" \
    "snapshots after the checkpoint go, with their names"
has "$err" "removed 1 damaged checkpoint later than" "the damaged checkpoint too"
cp keep.hdf back/snap_000123.hdf
run 3 sluice restart back --set time.end=0.07
has "$err" "back/snap_000123.hdf: is of step" "a snapshot that is not the run's"
ok "stays" cmp keep.hdf back/snap_000123.hdf
done_testing

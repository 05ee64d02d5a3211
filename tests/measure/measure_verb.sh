#!/usr/bin/env bash
# test: 4 s
# sluice measure: tables, JSON, what it says and refuses; files that are there already.
. tests/support/tap.sh
small_case
cd "$work" || exit 1
run 0 sluice run dam.cfg --out run --quiet
printf 'x,y\n0.05,0.05\n0.05,0.25\n' >points.csv

# --- Tables ---
run 0 sluice measure run --points points.csv --fields pressure
has "$out" "kernel wendland-c2, h = 0.015 m; valid from a weight of 0.05 on"
has "$out" "pressure, Pa"
has "$out" "run/measure_points.csv"
is_empty "$err" "no warning"
ok "the columns" test "$(head -n 1 run/measure_points.csv)" = \
    step,time,point,x,y,pressure,weight,valid
ok "a row for each of six times and two places" test "$(wc -l <run/measure_points.csv)" -eq 13
ok "fields of a dry place are empty" bash -c 'grep -q "^0,0,1,.*,,0,0$" run/measure_points.csv'
ok "a place in the water has all of its kernel there" awk -F, \
    'NR == 2 { exit !($7 > 0.98 && $7 < 1.02 && $8 == 1) }' run/measure_points.csv
run 0 sluice measure run --points points.csv --times 0.02,0.021,0.04:0.06 --json
json "$out" '[round(t["time"], 2) for t in j["times"]] == [0.02, 0.04, 0.05]' "times, each once"
json "$out" 'j["places"] == 2 and all(t["valid"] == 1 for t in j["times"])' "and what is valid"
json "$out" 'j["times"][0]["pressure"]["min"] == j["times"][0]["pressure"]["max"]' "of one place"
run 0 sluice measure run --points points.csv --min-weight 0 --times last --json
json "$out" 'j["times"][0]["valid"] == 1' "a place without fluid is never valid"
run 0 sluice measure run --line 0,0.01:0.4,0.01:41 --reduce arrival --quiet
is_empty "$out" "--quiet"
ok "the front arrives later farther away" awk -F, 'NR > 1 && $7 != "" { if ($7 < last) exit 1
    last = $7; n++ } END { exit !(n > 10 && last > 0.03) }' run/measure_line_reduced.csv
run 0 sluice measure run --points points.csv --reduce max,arrival --fields speed
has "$out" "6 times, from 0 to 0.05"
ok "the reduced numbers are printed" awk '
    $1 == "speed_max," { found = $3 > 0 && $3 == $5 && $6 == 1 }
    END { exit !found }' "$out"
run 0 sluice measure run --points points.csv --reduce max --json
json "$out" 'j["reduced"]["wet"]["max"] == 1 and j["reduced"]["pressure_max"]["max"] == \
    max(t["pressure"]["max"] for t in j["times"] if t["valid"])' "and in JSON"
run 0 sluice measure run --total --json
json "$out" 'all(abs(t["mass"] - 20) < 1e-3 for t in j["times"]) and len(j["times"]) == 6' "--total"
json "$out" 'j["potential_from"][0] is None and all(abs(t["potential"] - t["mass"] * 9.81 * (t["centre_y"] - \
    j["potential_from"][1])) < 1e-3 for t in j["times"])' "the potential counts from the height it says"
run 0 sluice measure run --total --times last
has "$out" "potential energy counts from y = -" "and the text says it, too"
run 0 sluice measure run --total --box 0.2,0:0.4,0.3 --json --times 0
json "$out" 'j["times"][0]["particles"] == 0 and j["times"][0]["centre_x"] is None' "an empty box"
run 0 sluice measure run --flux 0.1,0:0.1,0.3
has "$out" "volume_flow, m^2/s"
run 0 sluice measure run --grid 0.02
has "$out" "grid of 21 x 16 x 1 places"
has "$out" "run/measure_grid.hdf.series"
run 0 sluice measure run --grid 10,10 --out grid.csv --with-walls --quiet
ok "a grid as a table" test "$(wc -l <grid.csv)" -eq 101

# --- Warnings ---
run 0 sluice measure run --line 0.05,0.05:0.05,0.5:10 --times last
has "$err" "warning: --line: 4 of 10 places lie outside the domain"
run 0 sluice measure run --line 0.3,0.2:0.3,0.29:3 --times 0
has "$err" "none of 3 places has fluid near it at any of 1 times: all fields are empty"

run 0 sluice measure run --total --times 0.04:7
has "$err" "warning: --times 0.04:7: the snapshots of run are of t = 0 to 0.05"
has "$out" "run/measure_total.csv (replaces an earlier measurement)"
run 0 sluice measure run --total --times 0.04:0.054 --out new.csv
is_empty "$err" "no warning of less than half the time between snapshots"
has_not "$out" "replaces"

# --- Refusals ---
refused()
{
    local said=$1
    shift
    run 2 sluice measure "$@"
    has "$err" "$said" "it says: $said"
}
refused "say where to measure: --points, --line" run
refused "--points and --total: measure one at a time" run --points points.csv --total
refused "--box is for --plane, --grid and --total, not for --line" run --line 0,0:1,1:3 \
    --box 0,0:1,1
refused "--fields is for fields at places, not for --total" run --total --fields Pressure
refused "--line 0,0:1,1: give its ends and the number of places, as x,y:x,y:N" run --line 0,0:1,1
refused "the run is in 2-D: use --grid" run --plane y=0.5
refused "--grid 0: the distance of places is 0 m" run --grid 0
refused "--grid 5,5,5: give the numbers of places as NX,NY" run --grid 5,5,5
refused "all 3 places lie outside the domain: they are at x = 5 to 6" run --line 5,0:6,0:3
refused "--box 1,1:2,2: lies outside the domain, which along x is 0 to 0.4" run --grid 0.1 \
    --box 1,1:2,2
refused "ends at 0, before it begins at 0.2" run --grid 0.1 --box 0.2,0:0,0.1
refused "its corners agree on 0 axes" run --flux 0,0:0.1,0.1
refused "--flux 9,0:9,1: lies outside the domain" run --flux 9,0:9,1
refused "--fields Presure: there is no such field: did you mean 'Pressure'? This run has Velocity, " \
    run --grid 0.1 --fields Presure
refused "--fields Phase: this run has no such field; it has Velocity, Speed, Pressure, Density" \
    run --grid 0.1 --fields Phase
refused "--times 9: a time is out of range; the 6 snapshots of run are of t = 0 to 0.05" \
    run --grid 0.1 --times 9
refused "--times 0.05:0.02: the range ends at 0.02, before it begins at 0.05" run --grid 0.1 \
    --times 0.05:0.02
refused "--line 0,0:1,0:1: one place is at one end alone" run --line 0,0:1,0:1
refused "no snapshot is of these times" run --grid 0.1 --times 0.012:0.013
refused "--times soon: give times in s" run --grid 0.1 --times soon
refused "--min-weight 2: a number from 0 to 1" run --grid 0.1 --min-weight 2
refused "'median' is none of mean, rms, min, max, arrival" run --grid 0.1 --reduce median
refused "'vz' is no column that is measured" run --grid 0.1 --reduce arrival --above vz=1
refused "it is for --reduce arrival" run --grid 0.1 --above pressure=1
refused "this run has no shape of that name; it has " run --total --shape tnak
refused "only planes and grids are images" run --points points.csv --out x.hdf
refused "a name that ends with .csv (a table) or .hdf (an image for ParaView)" run --grid 0.1 \
    --out x.vtk
printf 'x,z\n1,1\n' >wrong.csv
refused "wrong.csv: the first line must name the columns x,y" run --points wrong.csv
printf 'x,y\n1,one\n' >wrong.csv
refused "wrong.csv:2: number 2 of the row" run --points wrong.csv
run 3 sluice measure run --points none.csv
has "$err" "none.csv: cannot be read"
run 3 sluice measure nowhere --grid 0.1
has "$err" "nowhere: there are no snapshots in its run.hdf.series: is it the folder of a run?"
run 2 sluice measure run --grid 0.1 --times 9 --json
json "$out" 'j["exit"] == 2 and "out of range" in j["error"]' "an error is one object with --json"

# --- Files that are there already ---
cp run/run.hdf.series series
for name in snap run checkpoint bodies; do
    run 2 sluice measure run --grid 0.1 --times all --out run/$name.hdf
done
run 2 sluice measure run --total --out run/energy.csv
has "$err" "a run's own files have names as run/energy.csv"
ok "the run's list is as it was" cmp series run/run.hdf.series
printf 'x,y\n0.05,0.05\n' >run/measure_points.csv
refused "run/measure_points.csv: is there already, and is no measurement" run \
    --points run/measure_points.csv
ok "the user's file is as it was" test "$(wc -l <run/measure_points.csv)" -eq 2
run 0 sluice measure run --grid 0.1 --times 0:0.02 --quiet
run 0 sluice measure run --grid 0.1 --times last --quiet
ok "images of an earlier measurement are replaced" test "$(ls run/measure_grid_*.hdf)" = \
    run/measure_grid_000005.hdf
echo mine >run/measure_grid_000001.hdf
refused "measure_grid_000001.hdf: is there already, and measure_grid.hdf.series does not list it" \
    run --grid 0.1 --times 0.01
ok "mine stays" grep -q mine run/measure_grid_000001.hdf
ok "and the earlier images" test -e run/measure_grid_000005.hdf
rm run/measure_grid_000001.hdf

# --- An error leaves earlier measurements as they were ---
run 0 sluice measure run --grid 0.1 --times all --quiet
run 0 sluice measure run --total --quiet
run 0 sluice measure run --grid 0.1 --reduce mean --quiet
sums()
{
    (cd run && cksum measure_*)
}
sums >before
cp run/snap_000004.hdf good
truncate -s 3000 run/snap_000004.hdf
for what in "--grid 0.1 --times all" "--grid 0.1 --reduce mean" "--line 0,0:0.1,0:3"; do
    # shellcheck disable=SC2086 # words
    run 3 sluice measure run $what
done
run 3 sluice measure run --total
cp good run/snap_000004.hdf
for what in "--grid 0.1 --times all" "--grid 0.1 --reduce mean" --total; do
    # shellcheck disable=SC2086
    run 2 sluice measure run $what --shape tnak
    is_empty "$out" "no heading before the error"
done
ok "all are as they were, and nothing else is there" test "$(sums)" = "$(cat before)"
echo mine >run/measure_grid_000001.hdf

# --- Several lines ---
run 0 sluice measure run --line 0,0.01:0.1,0.01:3 --line 0.05,0:0.05,0.1:5 --times last --json
json "$out" '[m["file"] for m in j["measurements"]] == ["run/measure_line_1.csv",
    "run/measure_line_2.csv"] and [m["places"] for m in j["measurements"]] == [3, 5]' "two lines"
ok "each in its file" test "$(wc -l <run/measure_line_1.csv)" -eq 4 -a \
    "$(wc -l <run/measure_line_2.csv)" -eq 6
rm run/measure_line_[12].csv
run 0 sluice measure run --line 0,0.01:0.1,0.01:3 --line 0.05,0:0.05,0.9:5 --times last --quiet
has "$err" "--line number 2: 3 of 5 places lie outside the domain"
rm run/measure_line_[12].csv
run 2 sluice measure run --line 0,0.01:0.1,0.01:3 --line 9,0:9,0.1:5
ok "nothing is measured if one of them is wrong" test ! -e run/measure_line_1.csv
run 2 sluice measure run --line 0,0.01:0.1,0.01:3 --line 0,0.02:0.1,0.02:3 --out two.csv
has "$err" "--out names one file, and there are 2 lines and planes"

run 0 sluice run dam.cfg --out run --quiet --force
ok "a new run removes measurements of the earlier one" test ! -e run/measure_line_reduced.csv \
    -a ! -e run/measure_grid.hdf.series
ok "but not the user's files" test -e run/measure_points.csv -a -e run/measure_grid_000001.hdf
done_testing

#!/usr/bin/env bash
# test: 16 s
# sluice bench: its rows are whole and agree with themselves. Times are not judged.
. tests/support/tap.sh
. tests/support/check_loops.sh
tools=$PWD/tools
cd "$work" || exit 1

run 0 sluice bench pair --threads 1 -n 1000 --csv pair.csv
is_empty "$out" "with --csv nothing goes to standard output"
check_rows()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [row["case"] for row in rows] == sys.argv[2].split(), rows
assert all(None not in row and None not in row.values() for row in rows), rows  # no comma too many
for row in rows:
    low, median, high = float(row["min_s"]), float(row["median_s"]), float(row["max_s"])
    pairs = float(row["pairs"])
    assert 0 < low <= median <= high and int(row["repeats"]) >= 10
    assert abs(float(row["ns_per_pair"]) * pairs / 1e9 / median - 1) < 1e-2
    assert abs(float(row["pairs_per_s"]) * median / pairs - 1) < 1e-2
    for key, count in (("particles_per_s", "particles"), ("fluid_per_s", "fluid")):
        assert abs(float(row[key]) * median / float(row[count]) - 1) < 1e-2
    assert abs(float(row["neighbours"]) * float(row["fluid"]) / pairs - 1) < 1e-2
    assert row["revision"] and row["isa"] and row["threads"] == "1"
if len(sys.argv) > 3:
    for row, least, most in zip(rows, (54, 107, 255), (61, 119, 275)):
        assert least <= float(row["neighbours"]) <= most, row
CODE
}
ok "pair: three rows, the neighbours of a disordered lattice" check_rows pair.csv "h1.2 h1.5 h2.0" 1
run 0 sluice bench step spheric-2 -t 1 --csv step.csv --set spacing=0.08
ok "step: the 3-D row" check_rows step.csv spheric-2
run 0 sluice bench step dam-break-2d -t 1 --csv step.csv --set spacing=0.0028575
ok "step: the 2-D row" check_rows step.csv dam-break-2d
run 0 sluice bench step cube -t 1 -n 1000 --after 4 --csv step.csv
ok "step: a disordered block" check_rows step.csv cube
run 0 sluice bench step melt-1m -t 1 --csv step.csv --set lattice.cells=[6,6,6]
ok "step: the melt" check_rows step.csv melt-1m
for name in $(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p'); do
    run 0 sluice bench pair h1.2 -t 1 -n 1000 --backend "$name" --csv pair.csv
    ok "$name: its row, the device without commas" check_rows pair.csv h1.2
done

# What a user sends of a machine: the same numbers as CSV and as JSON, and a table of them
run 0 sluice bench machine h1.5 -t 1 -n 1000 --csv machine.csv --json
is_sent()
{
    "$PYTHON" - "$1" <<'CODE'
import csv, json, sys
sent, row = json.load(open(sys.argv[1])), next(csv.DictReader(open("machine.csv")))
assert sent["bench"] == "machine" and sent["version"] and sent["processors"] >= 1
assert sent["free_memory_bytes"] > 0 and len(sent["rows"]) == 1
for key, value in sent["rows"][0].items():
    if isinstance(value, str):
        assert row[key] == value.replace(",", " "), key
    else:
        assert value is None and not row[key] or abs(float(row[key]) / value - 1) < 1e-2, key
assert len(row) == len(sent["rows"][0])
CODE
}
ok "machine: JSON and CSV agree" is_sent "$out"
run 2 sluice bench machine none
has "$err" "bench machine has no case 'none': h1.2, h1.5, h2.0, spheric-2"

# strategies: all, named; a table of them
cells="par-part-noloop par-part-loop par-cell par-cell-sm x-pencil x-pencil-reg all-in-sm"
run 0 sluice bench strategies 2x10 --backend cpu -t 1 --csv cpu.csv
ok "strategies: all, with the same pairs" check_strategies cpu.csv "window tiled $cells" near
run 0 sluice bench strategies 2x10 --backend cpu -t 1 --all-candidates --shared 1 --csv all.csv
ok "all candidates, by every strategy of cells" check_strategies all.csv "$cells" all
run 0 "$PYTHON" "$tools/sluice_strategies.py" cpu.csv
has "$out" "| 2^3 | 10 |" "their table"
has "$out" "3.4e-05 | 1.8e-05 |" "with the published times"
run 0 sluice bench strategies 2x10 --backend cpu -t 1 --strategy x-pencil --softening 0.05 --csv soft.csv
ok "a softened pair has a name of its own" grep -q "^x-pencil,lj-0.05,near" soft.csv
run 2 sluice bench strategies 2x10 --backend cpu --softening 2
has "$err" "--softening 2: a number from 0 to 1, in cutoffs"
run 2 sluice bench strategies 2x10 --backend cpu --ghost-threads
has "$err" "--ghost-threads is for \`bench strategies --all-candidates\`"
run 2 sluice bench pair --softening 0.1
has "$err" "--all-candidates, --softening and --shared are for \`bench strategies\`"

# sph: each strategy, and with energies; the published sizes are those of GPUs
variants="window window-energies"
for strategy in $cells; do
    variants="$variants $strategy $strategy-energies"
done
sph()
{
    local case=$1
    shift
    run 0 sluice bench sph "$case" -n 1000 --backend cpu -t 1 --csv sph.csv "$@"
    ok "sph, $case: a row of each strategy" check_loops sph.csv "$variants"
}
sph cube-m4-1.0
ok "its cube has cells of a cutoff: 16 spacings are eight" grep -q ,4096, sph.csv
sph tank-c2-1.3 --set spacing=0.08
run 2 sluice bench sph cube-m4-1.0 -n 1000 --backend cpu --strategy tiled
has "$err" "bench sph compares window and the strategies of cells"
run 2 sluice bench strategies 2x10 --backend cpu --all-candidates --strategy window
has "$err" "--all-candidates is for the strategies of cells"
# auto: its choice, every one that there is, and how long it looked
check_auto()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
cases = {}
for row in rows:
    cases.setdefault(row["case"], []).append(row)
    assert None not in row and None not in row.values(), row
    assert 0 < float(row["min_s"]) <= float(row["median_s"]) <= float(row["max_s"]), row
assert list(cases) == sys.argv[2].split(), list(cases)
for found in cases.values():
    names = [row["variant"] for row in found]
    assert names[0].startswith("auto-") and names[-1] == "look", names
    # On a busy machine auto may go on to the next choice: rows, then bins along x.
    taken, rule = ([int(n) for n in names[k].split("-")[1].split("x")] for k in (0, 1))
    assert (found[0]["strategy"] + names[0][4:] in names[1:-1]
            or found[0]["strategy"] == found[1]["strategy"] == "window"
            and all(t / r in (0.5, 1, 2) for t, r in zip(taken, rule))), names
    assert len(set(names)) == len(names) >= int(sys.argv[3]), names
    assert len({row["pairs"] for row in found}) == 1 and float(found[0]["pairs"]) > 700, found
CODE
}
run 0 sluice bench auto 2x10 --backend cpu -t 1 --csv auto.csv
ok "auto: in a cube" check_auto auto.csv "2x10-lj 2x10-low 2x10-high" 6
run 0 "$PYTHON" "$tools/sluice_bench.py" auto.csv
has "$out" "| 2x10-low | window-" "its table"
run 0 sluice bench auto spheric-2 --set spacing=0.08 --backend cpu -t 1 --csv auto.csv
ok "auto: in a step" check_auto auto.csv spheric-2 6
run 2 sluice bench auto 2x10 --strategy tiled
has "$err" "bench auto compares all strategies with auto: without --strategy"
TMPDIR=$work/none run 0 sluice bench auto 2x1 --backend cpu -t 1 --csv auto.csv # needs no folder
run 2 sluice bench auto 3x10
has "$err" "bench auto has no case '3x10': 2x1, 4x1, 8x1, 16x1, 32x1, 2x10"
run 2 sluice bench strategies 3x10
has "$err" "bench strategies has no case '3x10': 2x1, 4x1, 8x1, 16x1, 32x1, 2x10"
# The parts of a step; values of the device that are not known are left empty.
check_parts()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    parts = [float(row[key] or 0) for key in row if key.startswith("part_")]
    assert len(parts) == 7 and abs(sum(parts) - 1) < 1e-2, row
    assert float(row["part_pairs"]) > 0.2 and float(row["bytes_per_particle"]) > 60, row
    assert row["backend"] != "cpu" or row["issue_fraction"] == row["memory_fraction"] == "", row
CODE
}
run 0 sluice bench scaling n4000 -t 1 -n 4000 --csv step.csv
ok "scaling: its row" check_rows step.csv n4000
ok "and the parts of the step" check_parts step.csv

# Loops beside the program's, of which the program itself checks the forces and pairs.
run 0 sluice bench split -t 1 --set spacing=0.08 --backend cpu --csv loops.csv
ok "split: sets and one loop" check_loops loops.csv "sets mixed"
run 0 "$PYTHON" "$tools/sluice_bench.py" step.csv loops.csv --png .
has "$out" "| n4000 | 4.096 k | 2 |" "their tables"
has "$out" "| spheric-2 | mixed |"
ok "and a picture" test -s bench-scaling.png
run 0 sluice bench contrast c2 -t 1 -n 2000 --csv contrast.csv
run 0 "$PYTHON" "$tools/contrast_picture.py" contrast.csv contrast.png
has "$out" '| `bucket` |' "contrast: window and bucket"
ok "and a picture" test -s contrast.png
run 1 "$PYTHON" "$tools/sluice_bench.py" pair.csv loops.csv none.csv
run 2 sluice bench step dam
has "$err" "bench step has no case 'dam': spheric-2, spheric-2-1m, spheric-2-5m, spheric-2-20m, dam-break-2d"
run 2 sluice bench split cube
has "$err" "bench split has no case 'cube': spheric-2, spheric-2-1m, spheric-2-5m, spheric-2-20m"
run 2 sluice bench scaling n1 -n 20000
has "$err" "bench scaling has no case 'n1': n4000, n16000"
run 2 sluice bench lists --backend cpu
has "$err" "bench lists: its loops are for GPUs, and this runs on cpu"
run 2 sluice bench blocks n5 --backend cpu
has "$err" "bench blocks has no case 'n5': n54, n113, n268"
run 2 sluice bench scans --backend cpu
has "$err" "bench scans: its sums are for GPUs, and this runs on cpu"
run 2 sluice bench pair h9
has "$err" "bench pair has no case 'h9': h1.2, h1.5, h2.0"
run 2 sluice bench everything
has "$err" "it measures 'machine', 'pair', 'step', 'scaling', 'split', 'strategies', 'sph', 'auto', 'blocks', 'layouts', 'lists', 'claims', 'scans' or 'contrast'"
run 3 sluice bench pair -n 1000 --csv none/pair.csv
run 2 sluice bench pair --repeats 3
has "$err" "at least 10"
if [ -w /dev/full ]; then
    run 3 sluice bench pair -n 1000 -t 1 --csv /dev/full
    run 3 bash -c '"$0" bench pair -n 1000 -t 1 >/dev/full' "$SLUICE"
fi
done_testing

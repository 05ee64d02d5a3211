#!/usr/bin/env bash
# sluice bench claims: whole rows, verdicts that follow from the numbers, CSV and JSON alike, on
# every backend. The program itself compares forces and places; times are not judged.
. tests/tap.sh
cd "$work" || exit 1

check_claims()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [row["variant"] for row in rows] == sys.argv[3].split(), rows
for row in rows:
    assert None not in row and None not in row.values(), row  # no comma too many
    low, median, high = (float(row[key]) for key in ("min_s", "median_s", "max_s"))
    assert 0 < low <= median <= high and row["repeats"] == "10", row
    assert row["case"] == sys.argv[2] and row["revision"] and row["device"], row
    published, measured = float(row["published"] or 0), float(row["measured"] or 0)
    assert (row["verdict"] != "") == (published > 0), row
    if row["unit"] == "times as fast":
        assert float(row["least"]) <= measured <= float(row["most"]), row
        if published > 1:
            assert (row["verdict"] == "holds") == (measured >= 0.9 * published), row
        elif published > 0:
            assert (row["verdict"] == "holds") == (published >= 0.9 * measured), row
        assert row["verdict"] != "in part" or published < 1 or measured > 1, row
if len(sys.argv) > 4:
    told = json.load(open(sys.argv[4]))
    assert told["bench"] == "claims" and len(told["rows"]) == len(rows), told
    for row, same in zip(rows, told["rows"]):
        assert list(row) == list(same), same
        for key, value in same.items():
            text = "" if value is None else value
            assert (float(row[key]) == float(f"{value:.5g}") if isinstance(value, float)
                    else row[key] == str(text).replace(",", " ")), (key, row[key], value)
CODE
}
flat="structures selective arrays padded"
wide="naive transposed chunks-2 chunks-4 chunks-8 chunks-16"
lists="just-in-time list list-skin build build-skin sort list-skin build-skin build-skin list-skin"
# A small tank whose shapes are whole numbers of spacings.
tank=(--set spacing=0.11 --set "geometry.[0].max=[1.21,0.99,0.55]"
    --set "geometry.[2].min=[2.42,0.33,0.0]" --set "geometry.[2].max=[2.53,0.66,0.11]")

for name in cpu $(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p'); do
    on=(--backend "$name" -t 1 --csv claims.csv)
    run 0 sluice bench claims layouts -n 1000 "${on[@]}" --json
    ok "$name: layouts" check_claims claims.csv layouts "$flat" "$out"
    run 0 sluice bench claims lists-h1.2 -n 1000 "${on[@]}" --json
    ok "$name: lists" check_claims claims.csv lists-h1.2 "$lists" "$out"
    run 0 sluice bench claims split "${tank[@]}" "${on[@]}"
    ok "$name: split" check_claims claims.csv split "branches split sets"
    run 0 sluice bench claims swarm -n 512 "${on[@]}"
    ok "$name: swarm" check_claims claims.csv swarm "$wide"
    run 0 sluice bench claims chunks -n 512 "${on[@]}"
    best=$(tail -1 claims.csv | cut -d, -f2)
    ok "$name: chunks, and the fastest" check_claims claims.csv chunks "$wide $best"
done
run 0 sluice bench claims lists-h2.0 -n 1000 --precision double --backend cpu -t 2 --csv claims.csv
ok "double: lists" check_claims claims.csv lists-h2.0 "$lists"
run 0 sluice bench claims split "${tank[@]}" --precision double --backend cpu -t 2 --csv claims.csv
ok "double: split" check_claims claims.csv split "branches split sets"

run 2 sluice bench claims none
has "$err" "bench claims has no case 'none': lists-h1.2, lists-h1.5, lists-h2.0, split, layouts, chunks, swarm"
run 2 sluice bench claims layouts --set spacing=0.1
has "$err" "bench claims layouts has no config that --set could change"
run 2 sluice bench claims split --set 'boundary.kind="adami"'
has "$err" 'with boundary.kind = "dynamic" and kernel "wendland-c2"'
run 2 sluice bench claims lists-h1.2 -n 1000 --set 'kernel.name="cubic-spline"'
has "$err" 'its lists are of fluid without walls, with kernel "wendland-c2"'
run 2 sluice bench pair -n 1000 --json
has "$err" '--json is for `bench claims` and `bench scaling --ranks N,...`'
run 3 sluice bench claims layouts -n 1000 --csv none/claims.csv
done_testing

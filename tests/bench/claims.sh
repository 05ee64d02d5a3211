#!/usr/bin/env bash
# test: 20 s
# sluice bench claims: whole rows, verdicts that follow from the numbers, CSV and JSON alike. The
# program itself compares forces and places; times are not judged. GPUs: gpu_bench.
. tests/support/tap.sh
. tests/support/check_loops.sh
tools=$PWD/tools
cd "$work" || exit 1

flat="structures selective arrays padded"
wide="naive transposed chunks-2 chunks-4 chunks-8 chunks-16"
lists="just-in-time list list-skin build build-skin sort list-skin build build-skin list-skin"
# A small tank whose shapes are whole numbers of spacings.
tank=(--set spacing=0.11 --set "geometry.[0].max=[1.21,0.99,0.55]"
    --set "geometry.[2].min=[2.42,0.33,0.0]" --set "geometry.[2].max=[2.53,0.66,0.11]")

on=(--backend cpu -t 1 --csv claims.csv)
run 0 sluice bench claims layouts -n 1000 "${on[@]}" --json
ok "layouts" check_claims claims.csv layouts "$flat" "$out"
run 0 sluice bench claims lists-h1.2 -n 1000 "${on[@]}" --json
ok "lists" check_claims claims.csv lists-h1.2 "$lists" "$out"
run 0 sluice bench claims split "${tank[@]}" "${on[@]}"
ok "split" check_claims claims.csv split "branches split sets"
run 0 sluice bench claims swarm -n 512 "${on[@]}"
ok "swarm" check_claims claims.csv swarm "$wide"
run 0 sluice bench claims chunks -n 512 "${on[@]}"
ok "chunks, and the fastest" check_claims claims.csv chunks "$wide $(tail -1 claims.csv | cut -d, -f3)"
types="mixed sorted mixed-cells sorted-cells"
sums="float double kahan kbn-branch kbn-select two-sum two-sum-16 double-float"
for case in kahan kahan-cache; do
    run 0 sluice bench claims "$case" -n 1000 "${on[@]}"
    ok "$case, with errors" check_claims claims.csv "$case" "$sums kbn-branch $sums"
done
for precision in float double; do
    run 0 sluice bench claims sorted-types "${tank[@]}" --precision "$precision" "${on[@]}"
    ok "$precision: sorted-types" check_claims claims.csv sorted-types "$types $types"
    run 0 sluice bench claims linearisation -n 5000 --precision "$precision" "${on[@]}"
    ok "$precision: linearisation, and the fastest" check_claims claims.csv linearisation \
        "long-x long-y long-z $(tail -1 claims.csv | cut -d, -f3)"
    run 0 sluice bench claims split-lists -n 2000 --precision "$precision" "${on[@]}"
    ok "$precision: split-lists" check_claims claims.csv split-lists \
        "one-list two-lists split-list split-list"
done
run 0 sluice bench claims kahan -n 1000 --precision double "${on[@]}"
has "$err" "claims, kahan: left out, it compares floats with doubles on the CPU"
run 0 sluice bench claims lists-h2.0 -n 1000 --precision double --backend cpu -t 2 --csv claims.csv
ok "double: lists" check_claims claims.csv lists-h2.0 "$lists"
run 0 sluice bench claims split "${tank[@]}" --precision double --backend cpu -t 2 --csv claims.csv
ok "double: split" check_claims claims.csv split "branches split sets"

run 0 "$PYTHON" "$tools/sluice_bench.py" claims.csv
has "$out" "| split | sets |" "their table"

run 2 sluice bench claims none
has "$err" "bench claims has no case 'none': lists-h1.2, lists-h1.5, lists-h2.0, split, layouts, chunks, swarm, kahan, kahan-cache, sorted-types, linearisation, split-lists"
run 2 sluice bench claims layouts --set spacing=0.1
has "$err" "bench claims layouts has no config that --set could change"
run 2 sluice bench claims split --set 'boundary.kind="adami"'
has "$err" 'with boundary.kind = "dynamic" and kernel "wendland-c2"'
run 2 sluice bench claims lists-h1.2 -n 1000 --set 'kernel.name="cubic-spline"'
has "$err" 'its lists are of fluid of one mass without walls and laminar viscosity'
run 3 sluice bench claims layouts -n 1000 --csv none/claims.csv
done_testing

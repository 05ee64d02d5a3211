#!/usr/bin/env bash
# test: 150 s, emulator, gpu
# Loops that only sluice bench runs, on every GPU that is there, small. The program itself compares
# their forces and pairs with plain sums, and fails where they differ; times are not judged.
. tests/support/tap.sh
. tests/support/check_loops.sh
tools=$PWD/tools
backends=$(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p')
[ -n "$backends" ] || { echo "1..0 # SKIP no GPU, or no backend for one in this program" && exit 0; }
cd "$work" || exit 1
# SPHERIC test 2 with 3,163 particles, since the emulator is slow.
tank=(--set spacing=0.2 --set 'domain.max=[3.2,1.0,2.0]' --set 'geometry.[0].max=[1.2,1.0,0.6]'
    --set 'geometry.[2].min=[2.4,0.4,0.0]' --set 'geometry.[2].max=[2.6,0.6,0.2]')

for name in $backends; do
    run 0 sluice bench blocks -n 512 --backend "$name" --csv loops.csv
    ok "$name: blocks" check_loops loops.csv "1 2 4 8 16 32 64 128 256 512 1024"
    run 0 sluice bench layouts n54 -n 1000 --backend "$name" --csv loops.csv
    ok "$name: layouts" check_loops loops.csv \
        "structures padded packed arrays chunks-2 chunks-4 chunks-8 chunks-16"
    run 0 sluice bench lists n113 -n 1000 --precision double --backend "$name" --csv loops.csv
    ok "$name: lists" check_loops loops.csv "just-in-time sort list-build list-force"
    run 0 "$PYTHON" "$tools/sluice_bench.py" loops.csv
    has "$out" "| a list for 20 |" "$name: its table"
    run 0 sluice bench scans n24 -n 2400 --backend "$name" --csv loops.csv
    ok "$name: prefix sums" check_loops loops.csv "warps code-1 code-1-half algorithm-6 blelloch"
    run 0 sluice bench split spheric-2 "${tank[@]}" --backend "$name" --csv loops.csv
    ok "$name: sets and one loop" check_loops loops.csv "sets mixed"
    run 0 sluice bench claims layouts -n 1000 --backend "$name" --csv loops.csv
    ok "$name: claims of layouts" check_claims loops.csv layouts "structures selective arrays padded"
    run 0 sluice bench claims lists-h1.2 -n 1000 --backend "$name" --csv loops.csv
    ok "$name: claims of lists" check_claims loops.csv lists-h1.2 \
        "just-in-time list list-skin build build-skin sort list-block-cache list-skin build build-skin list-skin"
    run 0 sluice bench claims split "${tank[@]}" --backend "$name" --csv loops.csv
    ok "$name: claims of split loops" check_claims loops.csv split "branches split sets"
    run 0 sluice bench strategies 2x10 --strategy all-in-sm --backend "$name" --csv near.csv
    ok "$name: a strategy" check_strategies near.csv all-in-sm near
    run 0 sluice bench strategies 2x10 --all-candidates --backend "$name" --csv all.csv
    ok "$name: all candidates, by every strategy of cells" check_strategies all.csv \
        "par-part-noloop par-part-loop par-cell par-cell-sm x-pencil x-pencil-reg all-in-sm" all
    run 0 sluice bench strategies 2x10 --all-candidates --ghost-threads --strategy all-in-sm \
        --backend "$name" --csv all.csv
    ok "$name: threads for ghosts" check_strategies all.csv all-in-sm all-ghost-threads
    run 0 sluice bench sph cube-m4-1.0 -n 1000 --strategy x-pencil --backend "$name" --csv sph.csv
    ok "$name: water by a strategy" check_loops sph.csv \
        "x-pencil x-pencil-published x-pencil-energies"
    run 2 sluice bench strategies 2x10 --all-candidates --strategy window --backend "$name"
    has "$err" "--all-candidates is for the strategies of cells"
    run 2 sluice bench strategies 2x10 --strategy x-pencil --shared 1000 --backend "$name"
    has "$err" "--shared 1000: this device gives a block"
done
done_testing

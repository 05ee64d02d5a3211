#!/usr/bin/env bash
# test: 60 s, emulator, gpu
# Strategy auto on every GPU backend that runs here: it tries those with windows, all pairs and
# cells, with time enough for all; its log replayed, and a run that was stopped and restarted, have
# the same bits.
. tests/support/tap.sh

backends=$(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p')
[ -n "$backends" ] || { echo "1..0 # SKIP no GPU, or no backend for one in this program" && exit 0; }

cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache
cat >atoms.cfg <<'CONFIG'
model = "lj"; units = "lj"; dimension = 2;
lattice = { kind = "square"; cells = [7, 7]; density = 0.5; };
domain = { periodic = [true, true]; }; thermal = { temperature = 1.44; };
pair = { name = "lj"; }; time = { end = 10.0; step = 0.004; max_steps = 6; };
energy = { tolerance = 1.0; }; output = { every = 0.0; };
backend = { auto_share = 1000.0; };
CONFIG

for name in $backends; do
    run 0 sluice run atoms.cfg -o first --force --backend "$name"
    for strategy in window tiled x-pencil all-in-sm; do
        ok "$name: $strategy is timed" grep -Eq "auto: $strategy +[0-9x ]+[0-9.]+e" first/log.txt
    done
    has first/log.txt "auto: from step 0 on" "$name: the choice is said"
    # Two choices, of cells and of all pairs, that auto may not have taken.
    for choice in "par-part-noloop, bins of a frame 8 x 8 x 1" "tiled, bins of a frame 16 x 16 x 1"; do
        sed -E "s/(from step 0 on ).*(; cells hold.*)/\1$choice\2/" first/log.txt >log.txt
        run 0 sluice run atoms.cfg -o whole --force --quiet --backend "$name" --replay log.txt
        has whole/log.txt "on $choice; cells" "$name: ${choice%%,*}, replayed"
        run 0 sluice run atoms.cfg -o parts --force --quiet --backend "$name" --replay log.txt \
            --set time.max_steps=3
        run 0 sluice restart parts --quiet --set time.max_steps=6
        ok "$name: stopped and restarted, the same energies, to the bit" \
            cmp whole/energy.csv parts/energy.csv
        cp whole/energy.csv "${choice%%,*}.csv"
    done
    ok "$name: strategies show in the bits" bash -c '! cmp -s tiled.csv par-part-noloop.csv'
    rm -f ./*.csv
done
done_testing

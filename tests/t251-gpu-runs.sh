#!/usr/bin/env bash
# Whole steps on every GPU backend that runs here, against the CPU: short runs of the shipped cases,
# small, each strategy. In float the numbers part by rounding; in double by less.
. tests/tap.sh

backends=$(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p')
[ -n "$backends" ] || { echo "1..0 # SKIP no GPU, or no backend for one in this program" && exit 0; }

# agree A B TOLERANCE NAME: every column of the last rows of two budgets that is an energy, relative
# to the largest of them.
agree()
{
    ok "$4" awk -F, -v tolerance="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        { for (i = 1; i <= NF; i++) value[FILENAME, i] = $i; n = NF }
        END {
            for (i = 3; i <= 9; i++) {
                a = value[ARGV[1], i]; b = value[ARGV[2], i]
                if (a < 0 ? -a > most : a > most) most = a < 0 ? -a : a
                d = a > b ? a - b : b - a
                if (d > worst || d != d) worst = d
            }
            exit !(worst <= tolerance * most && most > 0)
        }' "$1/energy.csv" "$2/energy.csv"
}

# compare CONFIG STEPS SETTING...: on the CPU, and on each GPU with each strategy and precision.
compare()
{
    local config=$1 steps=$2 name set=() precision strategy tolerance
    shift 2
    for name; do set+=(--set "$name"); done
    for precision in float double; do
        tolerance=2e-5
        [ $precision = float ] || tolerance=1e-12
        set_all=("${set[@]}" --set "backend.precision=$precision" --set "time.max_steps=$steps")
        run 0 sluice run "configs/$config.cfg" --backend cpu --out "$work/cpu" --force \
            "${set_all[@]}"
        for name in $backends; do
            for strategy in window tiled; do
                run 0 sluice run "configs/$config.cfg" --backend "$name" --out "$work/gpu" --force \
                    "${set_all[@]}" --strategy "$strategy"
                agree "$work/cpu" "$work/gpu" "$tolerance" \
                    "$config on $name, $strategy, $precision: energies as on the CPU"
            done
        done
    done
}

compare dam_break 20 spacing=0.01
compare dam_break_3d 3 spacing=0.12
compare lennard_jones 5 'lattice.cells=[4, 4, 4]'
compare drop 10 spacing=0.1
compare two_layers 5 spacing=0.1
compare taylor_green 5 spacing=0.1
compare sloshing 10 spacing=0.1
compare sloshing 10 spacing=0.1 'boundary.kind="repulsive"'
compare sloshing 5 spacing=0.1 'boundary.kind="mdbc"'
done_testing

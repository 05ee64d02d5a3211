#!/usr/bin/env bash
# test: 120 s, emulator, gpu
# Whole steps on every GPU backend that runs here, against the CPU: short runs of the shipped cases,
# small, each strategy. In float the numbers part by rounding; in double by less.
. tests/support/tap.sh

backends=$(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p')
[ -n "$backends" ] || { echo "1..0 # SKIP no GPU, or no backend for one in this program" && exit 0; }

# agree A B TOLERANCE NAME: in the last rows of two budgets the columns from kinetic to total, each
# relative to the largest of them.
agree()
{
    ok "$4" awk -F, -v tolerance="$3" '
        FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        { for (i = 1; i <= NF; i++) value[FILENAME, i] = $i }
        END {
            for (i = column["kinetic"]; i <= column["total"]; i++) {
                a = value[ARGV[1], i]; b = value[ARGV[2], i]
                if (a < 0 ? -a > most : a > most) most = a < 0 ? -a : a
                d = a > b ? a - b : b - a
                if (d > worst || d != d) worst = d
            }
            exit !(worst <= tolerance * most && most > 0)
        }' "$1/energy.csv" "$2/energy.csv"
}

# compare CONFIG STEPS SETTING...: on the CPU, and on each GPU with each strategy and precision. The
# emulator is slow: there every case has another strategy of cells, and another precision.
cases=0
cells=(x-pencil par-part-noloop all-in-sm par-cell x-pencil-reg par-cell-sm par-part-loop)
compare()
{
    local config=$1 steps=$2 name set=() precision strategy tolerance strategies="window tiled"
    local precisions=(float double)
    [ "$backends" != emulated ] || precisions=("${precisions[cases % 2]}")
    shift 2
    if grep -q '^model = "gas"' "configs/$config.cfg"; then
        strategies="$strategies bucket"
    elif [ "$backends" != emulated ]; then
        strategies="$strategies ${cells[*]}"
    else
        strategies="$strategies ${cells[cases % ${#cells[@]}]}"
    fi
    cases=$((cases + 1))
    for name; do set+=(--set "$name"); done
    for precision in "${precisions[@]}"; do
        tolerance=2e-5
        [ $precision = float ] || tolerance=1e-12
        # The config's tolerance is for its own spacing; the budgets are compared below.
        set_all=("${set[@]}" --set "backend.precision=$precision" --set "time.max_steps=$steps"
            --set energy.tolerance=1)
        run 0 sluice run "configs/$config.cfg" --backend cpu --out "$work/cpu" --force \
            "${set_all[@]}"
        for name in $backends; do
            for strategy in $strategies; do
                run 0 sluice run "configs/$config.cfg" --backend "$name" --out "$work/gpu" --force \
                    "${set_all[@]}" --strategy "$strategy"
                agree "$work/cpu" "$work/gpu" "$tolerance" \
                    "$config on $name, $strategy, $precision: energies as on the CPU"
            done
        done
    done
}

# Lone drops with a fixed step: one leaves while others enter new frames. Up to eight steps are
# under way, so the host knows late. No other drop is in the frame of the one that left.
leavers()
{
    local k name boxes=
    for k in $(seq 0 27); do
        boxes+=$(awk -v k="$k" 'BEGIN {
            x = k < 12 ? 99.9 - 0.15 * k : 20 + 0.08 * (k - 12)
            printf "%s{ shape = \"box\"; type = \"fluid\"; min = [%.2f, %.2f]; max = [%.2f, %.2f]; }",
                k ? ", " : "", x, 5 + 10 * k, x + 0.05, 5.05 + 10 * k }')
    done
    cat >"$work/drops.cfg" <<CONFIG
model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.0, 0.0];
fluid = { sound_speed = 300.0; };
domain = { min = [0.0, 0.0]; max = [100.0, 300.0]; };
geometry = ( $boxes );
initial = ( { field = "velocity"; kind = "uniform"; value = [50.0, 0.0]; } );
time = { end = 0.04; step = 0.0002; }; output = { every = 0.0; };
CONFIG
    for name in cpu $backends; do
        run 0 sluice run "$work/drops.cfg" --backend "$name" --out "$work/drops" --force
        grep -o 'step .* left the domain .*' "$work/drops/log.txt" >"$work/left_$name"
    done
    ok "on the CPU twelve lone drops leave" [ "$(wc -l <"$work/left_cpu")" -eq 12 ]
    for name in $backends; do
        ok "$name: the same, at the same steps" cmp "$work/left_cpu" "$work/left_$name"
    done
}

leavers
compare dam_break 20 spacing=0.01
compare dam_break_3d 3 spacing=0.12 'geometry.box.min=[2.4,0.24,0.0]' \
    'geometry.box.max=[2.52,0.72,0.12]'
compare lennard_jones 5 'lattice.cells=[4, 4, 4]'
compare drop 10 spacing=0.1
compare two_layers 5 spacing=0.1
compare taylor_green 5 spacing=0.1
compare sloshing 10 spacing=0.1
compare sloshing 10 spacing=0.1 'boundary.kind="repulsive"'
compare sloshing 5 spacing=0.1 'boundary.kind="mdbc"'
compare sloshing 5 spacing=0.1 'fluid.viscosity.kind="sps"' 'fluid.diffusion.kind="antuono"' \
    'boundary.slip="no-slip"'
compare kelvin_helmholtz 5 spacing=0.0625
compare sedov 2 spacing=0.125
done_testing

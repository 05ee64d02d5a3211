#!/usr/bin/env bash
# test: 200 s, emulator, gpu
# A run that is stopped between two sorts and restarted has the same bits as one that goes on: the
# checkpoint holds the order that the particles stand in. On every GPU backend that runs here.
. tests/support/tap.sh

backends=$(sluice info | sed -n 's/^  \(cuda\|hip\|emulated\) \+device 0: .*/\1/p')
[ -n "$backends" ] || { echo "1..0 # SKIP no GPU, or no backend for one in this program" && exit 0; }
order='at the last sort: frame in x, rows of bins in y and z, place in this row'

# stops BACKEND CONFIG STEPS STOPS SETTING...: a run of so many steps, and for each stop a run that
# stops there and restarts; at one stop particles have drifted since the last sort. The emulator is
# slow: it has the last stop only.
stops()
{
    local name=$1 config=$2 steps=$3 stops=$4 stop set=() kept=0
    shift 4
    [ "$name" != emulated ] || stops=${stops##* }
    for stop; do set+=(--set "$stop"); done
    set+=(--backend "$name" --strategy window --set energy.every=1 --set output.keep=1)
    run 0 sluice run "$config.cfg" --out whole --force "${set[@]}" \
        --set "time.max_steps=$steps"
    for stop in $stops; do
        run 0 sluice run "$config.cfg" --out parts --force "${set[@]}" \
            --set "time.max_steps=$stop"
        ! grep -qa "$order" parts/checkpoint_*.hdf || kept=$((kept + 1))
        run 0 sluice restart parts --quiet --set "time.max_steps=$steps"
        ok "$name, $config: stopped after $stop of $steps steps, the same energies, to the bit" \
            cmp whole/energy.csv parts/energy.csv
    done
    ok "$name, $config: $kept of these checkpoints are of steps between two sorts" [ "$kept" -gt 0 ]
}

# probed BACKEND: between two sorts a probe's particles share the sort's scratch space with the
# places of the last sort, which the next step needs. The probe must not change them.
probed()
{
    local name=$1 every set=(--set boundary.kind=dynamic --set spacing=0.01 --set output.every=0.0)
    set+=(--backend "$name" --strategy window --set energy.every=1 --set time.max_steps=30)
    for every in 1e-6 1; do
        run 0 sluice run dam_break.cfg --out "probed_$every" --force "${set[@]}" \
            --set "probes.[0].every=$every"
    done
    ok "$name, dynamic walls: a probe in every step" [ "$(wc -l <probed_1e-6/probe_front.csv)" -gt 30 ]
    ok "$name, dynamic walls: with a probe in every step the same energies, to the bit" \
        cmp probed_1e-6/energy.csv probed_1/energy.csv
}

# Water that runs through the seam of a periodic x.
cat >"$work/jet.cfg" <<'CONFIG'
model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [1.0, 0.5, -9.81];
kernel = { h_over_dp = 2.0; }; fluid = { sound_speed = 120.0; };
domain = { min = [0.0, 0.0, 0.0]; max = [1.7, 0.8, 1.4]; periodic = [true, false, false]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.7, 0.8, 0.8]; },
  { shape = "walls"; sides = ["y-", "y+", "z-"]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [1.5, 0.5, 0.5]; } );
time = { end = 9.0; }; output = { every = 0.0; };
CONFIG
# A sheet of so few particles that warps share targets, also emulated (of warps of 64), where bins are
# fine enough for a block to know which rows are empty; a restart's table has one bin a row of a frame.
cat >"$work/sheet.cfg" <<'CONFIG'
model = "wcsph"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];
kernel = { h_over_dp = 1.2; }; fluid = { sound_speed = 60.0; };
domain = { min = [0.0, 0.0, 0.0]; max = [3.0, 0.8, 1.0]; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.5, 0.8, 0.2]; },
  { shape = "walls"; sides = ["x-", "x+", "y-", "y+", "z-"]; } );
initial = ( { field = "velocity"; kind = "uniform"; value = [0.5, 0.1, 0.5]; } );
backend = { frame_cutoffs = 3; bins = [8, 2, 2]; };
time = { end = 9.0; }; output = { every = 0.0; };
CONFIG
# A body that falls into water, and turns, beside a piston.
cat >"$work/crate.cfg" <<'CONFIG'
model = "wcsph"; dimension = 3; spacing = 0.08; gravity = [0.0, 0.0, -9.81];
kernel = { h_over_dp = 1.5; }; fluid = { sound_speed = 120.0; };
domain = { min = [0.0, 0.0, 0.0]; max = [1.6, 0.8, 1.6]; };
geometry = ( { shape = "walls"; sides = ["y-", "y+", "z-", "x+"]; },
  { shape = "walls"; sides = ["x-"]; motion = "piston"; },
  { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.6, 0.8, 0.8]; },
  { shape = "box"; type = "body"; name = "crate"; min = [0.56, 0.24, 0.72]; max = [1.04, 0.56, 1.04]; } );
bodies = ( { name = "crate"; density = 600.0; velocity = [2.0, 0.0, -2.0]; spin = [1.0, 3.0, 2.0]; } );
motions = ( { name = "piston"; kind = "linear"; velocity = [2.0, 0.0, 0.0]; } );
time = { end = 9.0; }; output = { every = 0.0; };
CONFIG
# A wall that turns in water.
cat >"$work/mixer.cfg" <<'CONFIG'
model = "wcsph"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];
kernel = { h_over_dp = 2.0; }; fluid = { sound_speed = 60.0; };
domain = { min = [0.0, 0.0]; max = [1.0, 0.8]; };
geometry = ( { shape = "walls"; sides = ["x-", "x+", "y-"]; },
  { shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 0.6]; },
  { shape = "box"; type = "wall"; motion = "mixer"; min = [0.2, 0.26]; max = [0.8, 0.34]; } );
motions = ( { name = "mixer"; kind = "rotation"; centre = [0.5, 0.3]; rate = 5.0; } );
time = { end = 9.0; }; output = { every = 0.0; };
CONFIG
cp configs/dam_break.cfg configs/dam_break_3d.cfg configs/sloshing.cfg "$work/"
cd "$work" || exit 1
for name in $backends; do
    stops "$name" dam_break 30 "3 12 13" spacing=0.01
    stops "$name" dam_break_3d 12 "4 9" spacing=0.12 'geometry.box.min=[2.4,0.24,0.0]' \
        'geometry.box.max=[2.52,0.72,0.12]'
    stops "$name" jet 14 "9 10 11" spacing=0.1
    stops "$name" sheet 24 "4 11 13"
    stops "$name" crate 24 "9 10 11"
    stops "$name" mixer 24 "9 10 11" 'boundary.kind="repulsive"'
    stops "$name" sloshing 24 "9 10 11"
    probed "$name"
done
done_testing

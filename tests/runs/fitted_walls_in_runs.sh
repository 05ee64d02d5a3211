#!/usr/bin/env bash
# test: 6 s
# Still water around a fitted cylinder and over a fitted wedge: what check prints and writes, and
# that the wall's spring stays at rest.
. tests/support/tap.sh
cat >"$work/still.cfg" <<'END'
model = "wcsph"; dimension = 2; spacing = 0.01;
domain = { min = [0.0, 0.0]; max = [0.8, 0.4]; };
gravity = [0.0, -9.81];
kernel = { h_over_dp = 2.0; };
fluid = { density = 1000.0; masses = "hydrostatic";
          viscosity = { kind = "artificial"; alpha = 0.1; }; };
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [0.8, 0.35]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
    { name = "pile"; shape = "disc"; type = "wall"; fit = "surface";
      centre = [0.25, 0.18]; radius = 0.08; },
    { name = "wedge"; shape = "polygon"; type = "wall"; fit = "surface";
      points = ([0.45, 0.0], [0.6, 0.15], [0.75, 0.0], [0.75, -0.05], [0.45, -0.05]); } );
initial = ( { field = "pressure"; kind = "hydrostatic"; } );
time = { end = 10.0; max_steps = 600; };
output = { every = 0.0; };
energy = { every = 1; };
backend = { name = "cpu"; precision = "double"; strategy = "window"; };
END
cd "$work" || exit 1

# --- check ---
run 0 sluice check still.cfg --write start.hdf --threads 1
has "$out" "Fitted walls"
has "$out" "wall particles    0 missing"
has "$out" "fluid particles   0 more or fewer"
has "$out" "volume of fluid"
has "$out" "particles of the start written to start.hdf"
ok "the file is HDF5" grep -q HDF start.hdf
# The mass is that of the volume: 0.28 less the disc and the triangle, as whole particles of 0.1 kg;
# hydrostatic masses add up to 0.5%.
ok "mass of the fluid" awk '/mass of fluid/ {
    open = 1000 * (0.28 - 3.14159265 * 0.08 ^ 2 - 0.15 ^ 2)
    if ($4 > open * 0.999 && $4 < open * 1.006) good = 1
} END { exit !good }' "$out"
run 2 sluice check still.cfg --write start.hdf
has "$err" "there is such a file already"
run 2 sluice check still.cfg --write start.vtk
has "$err" "start.vtk.hdf"
run 0 sluice check still.cfg --json --write json.hdf
ok "JSON has the distances" grep -q '"fluid_to_wall"' "$out"
ok "and no particle of walls is missing" grep -q '"wall_particles_missing": *0' "$out"
ok "and the fluid has the particles of its volume" grep -q '"fluid_particles_off": *0' "$out"
ok "and the file is there" test -s json.hdf
sed 's/sides = /fit = "surface"; sides = /' still.cfg >walls.cfg
run 2 sluice check walls.cfg
has "$err" "fit" "walls of the domain take no fit"

# --- A run starts with the file that check wrote: its walls are fitted ---
run 0 sluice run still.cfg -o again --quiet --set 'particles="start.hdf"' \
    --set 'geometry.pile.fit="lattice"' --set 'geometry.wedge.fit="lattice"' --set time.max_steps=2

# The file's walls are round, whatever cells of the lattice would be.
small='--set geometry.pile.radius=0.0233'
run 0 sluice check still.cfg $small --write small.hdf --quiet
run 0 sluice check still.cfg $small --set 'geometry.pile.fit="lattice"'
has "$err" "disc 3 'pile'" "a warning of the cells of a small disc"
run 0 sluice check still.cfg $small --set 'particles="small.hdf"' \
    --set 'geometry.pile.fit="lattice"' --set 'geometry.wedge.fit="lattice"'
has "$err" "take the place of the geometry's" "of walls that a snapshot brings"
has_not "$err" "disc 3 'pile'" "their cells are not"

# --- The spring ---
for kind in adami mdbc; do
    run 0 sluice run still.cfg -o $kind --quiet --set "boundary={kind=\"$kind\"}"
    ok "$kind: the spring has no energy in 600 steps" awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "spring") at = i; next }
        $at != 0 { exit 1 } END { exit NR < 600 || !at }' $kind/energy.csv
    # Packed rows settle: 8e-6 of m g H at most. If all water fell by a tenth of a spacing, it would
    # be 3e-3.
    ok "$kind: the water stays still, within 3e-5 of m g H" awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["kinetic"] > 3e-5 * $c["reference"] { exit 1 }' $kind/energy.csv
done
done_testing

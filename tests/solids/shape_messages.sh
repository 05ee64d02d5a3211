#!/usr/bin/env bash
# test: 3 s
# Messages about the files of shapes: each names the shape and its line in the config, the file and
# its line, and a remedy that fits.
. tests/support/tap.sh
cd "$work" || exit 1
cat >case.cfg <<'END'
model = "wcsph"; dimension = 3; spacing = 0.05;
domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; };
gravity = [0.0, 0.0, -9.81];
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 0.5]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "front", "back", "bottom"]; },
    { name = "block"; shape = "mesh"; type = "wall"; file = "block.obj"; },
    { name = "bed"; shape = "heightfield"; type = "wall"; file = "bed.csv"; } );
time = { end = 0.1; };
output = { every = 0.0; };
backend = { name = "cpu"; };
END
printf 'x,z\n0,0.1\n1,0.2\n' >bed.csv

# Cubes from LOW to HIGH, one after another.
cubes()
{
    awk 'BEGIN {
        split("1 4 3 2 5 6 7 8 1 2 6 5 2 3 7 6 3 4 8 7 4 1 5 8", face, " ")
        for (c = 1; c + 1 < ARGC; c += 2) {
            for (i = 0; i < 8; i++)
                print "v", ARGV[c + (i % 4 == 1 || i % 4 == 2)], ARGV[c + (i % 4 >= 2)], \
                    ARGV[c + (i >= 4)]
            for (f = 0; f < 6; f++) {
                printf "f"
                for (k = 1; k < 5; k++)
                    printf " %d", face[4 * f + k] + 4 * (c - 1)
                print ""
            }
        }
        exit
    }' "$@"
}
check() # exit code, then options
{
    run "$1" sluice check case.cfg "${@:2}"
}
in_block="geometry: mesh 3 'block' (case.cfg:7): "
in_bed="geometry: heightfield 4 'bed' (case.cfg:8): "

# --- meshes ---
cubes 0.3 0.7 >block.obj
check 0
has_not "$err" "block.obj"
check 3 --set 'geometry.block.file="none.stl"'
has "$err" "error: $in_block$work/none.stl: cannot be read"
cubes 0.3 0.7 | sed '$d' >hole.obj
check 0 --set 'geometry.block.file="hole.obj"'
has "$err" "warning: $in_block$work/hole.obj: the surface has 1 hole"
check 0 --set 'geometry.block.file="hole.obj"' --set 'gravity=[0.0,0.0,9.81]' --json
has "$err" "warning: $in_block$work/hole.obj: the surface has 1 hole"
json "$out" "(len(j['warning_texts']) == j['warnings'] and
    any(w.startswith(\"$in_block\") and '1 hole' in w for w in j['warning_texts']) and
    any('it points up' in w for w in j['warning_texts']))" "JSON has the texts, the config's as well"
check 0 --set 'geometry.block.file="hole.obj"' --set 'gravity=[0.0,0.0,9.81]'
has "$out" "$(grep -c '^.*warning: ' "$err") warnings, see above" "all of them are counted in text"
check 0 --json --quiet
json "$out" "not any('hole' in w for w in j['warning_texts'])" "a block without a hole"

cubes 300 700 >mm.obj
check 0 --set 'geometry.block.file="mm.obj"' --set geometry.block.scale=0.001
has_not "$err" "unit of length"
check 2 --set 'geometry.block.file="mm.obj"'
has "$err" "does scale = 1 fit the file's unit of length? For one in m it is 1, in mm 0.001"
check 2 --set geometry.block.scale=0.001
has "$err" "does scale = 0.001 fit the file's unit of length?"

# What two cubes enclose, 2 x 0.4^3 - 0.2^3, is 0.12: 6% less than both.
cubes 0.3 0.7 0.5 0.9 >two.obj
check 0 --set 'geometry.block.file="two.obj"'
has "$err" "mesh 3 'block' (case.cfg:7) has a volume of 0.12 on the lattice instead of 0.128"
has "$err" "counts twice in the latter: unite them in the file"
has_not "$err" "made of whole cells"

# --- ASCII STL ---
cat >typo.stl <<'END'
solid one
facet normal 0 0 1
outer loop
vertex 0 0 0
vertx 1 0 0
END
check 2 --set 'geometry.block.file="typo.stl"'
has "$err" "$in_block$work/typo.stl:5: 'vertx' is no word of STL: did you mean 'vertex'?"
printf 'solid one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nver' >cut.stl
check 2 --set 'geometry.block.file="cut.stl"'
has "$err" "$work/cut.stl:5: 'ver' is no word of STL: the file ends there: it is cut off"

# --- heightfields ---
bed() # text, exit code
{
    printf '%b' "$1" >bed.csv
    check "$2"
}
bed 'x;z\n0;0\n1;0.1\n' 2
has "$err" "$in_bed$work/bed.csv:1: column 'x;z' is unknown; there are x, y, z; separate them by"
bed '0,0\n1,0.1\n' 2
has "$err" "bed.csv:1: column '0' is unknown; there are x, y, z; the first line names the columns"
bed 'x,z\n0,0\n1,high\n' 2
has "$err" "bed.csv:3: number 2 of the row is missing or is none: 'high'; the header names 2"
bed 'x,z\n0,0.1\n1000,200\n' 0
has "$err" "$in_bed$work/bed.csv: the heights lie from x = 0 to 1000, the domain from 0 to 1: does"
bed 'x,z\n0,0.1\n15,2\n' 0
has_not "$err" "unit of length"
bed 'x,z\n0,-3\n1,-2\n' 2
has "$err" "(case.cfg:8) lies beyond the domain: its end is z = -2, the domain reaches from 0 to 1;"

# --- other shapes, of two dimensions; --set names itself as their place ---
cat >plane.cfg <<'END'
model = "wcsph"; dimension = 2; spacing = 0.05;
domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; };
gravity = [0.0, -9.81];
geometry = (
    { name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [2.0, 0.5]; },
    { name = "tank"; shape = "walls"; sides = ["left", "right", "bottom"]; },
    { name = "part"; shape = "disc"; type = "part"; centre = [0.5, 0.5]; radius = 0.2; },
    { name = "pier"; shape = "disc"; type = "wall"; centre = [1.0, 0.2]; radius = 0.2; } );
time = { end = 0.1; };
output = { every = 0.0; };
END
plane() # exit code, the pier
{
    run "$1" sluice check plane.cfg --set "geometry.pier={ name=\"pier\"; type=\"wall\"; $2 }"
}
pier="'pier' (--set geometry.pier:1)"
plane 2 'shape="half-space"; centre=[4.0, 0.0]; normal=[-1.0, 1.0];'
has "$err" "lies in half-space 4 $pier, which has no end along x: it lies beyond the domain, or is too"
plane 2 'shape="box"; min=[1.0, 0.0]; max=[1.5, 0.5]; within="part";'
has "$err" "no particle of the lattice lies in box 4 $pier and within \"part\": move one of them"
plane 2 'shape="polygon"; points=([0.5, 0.1], [1.0, 0.5], [1.0, 0.1], [0.5, 0.5]);'
has "$err" "geometry: polygon 4 $pier: the polygon crosses itself: the edge from corner 1"
ground='{ name="tank"; shape="half-space"; type="wall"; centre=[0.0, 0.3]; normal=[0.0, 1.0]; }'
run 0 sluice check plane.cfg --set "geometry.tank=$ground" --set 'geometry.pier.fit="surface"' \
    --set geometry.pier.radius=0.05 --set 'geometry.pier.centre=[1.0, 0.1]'
has "$err" "nothing is left of disc 4 'pier' (plane.cfg:8)"
bed 'x,y\n0.2,0\n0.8,0\n0.5,0.6\n' 2
run 2 sluice check case.cfg \
    --set 'geometry.bed={ name="bed"; shape="polygon"; type="wall"; axis="y"; file="bed.csv"; }'
has "$err" "bed.csv: the corners of this polygon need the columns x and z, those across its axis"

# A pillar of 2.6 spacings is too thin for all of its third layer.
bed 'x,z\n0,0.1\n1,0.2\n' 0
pillar='{ name="block"; shape="cylinder"; type="wall"; fit="surface"; axis="z"; radius=0.13;'
run 0 sluice check case.cfg \
    --set "geometry.block=$pillar centre=[0.5, 0.5, 0.5]; length=1.0; }"
has "$err" "; farthest off is cylinder 3 'block' (--set geometry.block:1), by "

# --- check --write ---
bed 'x,z\n0,0.1\n1,0.2\n' 0
check 3 --write none/start.hdf
has "$err" "--write none/start.hdf: its folder cannot be written to: No such file or directory"
ok "before anything is computed" test ! -s "$out"
check 0 --write ./start.hdf
done_testing

#!/usr/bin/env bash
# test: 6 s
# sluice new: the list of shipped cases, copies that run, nothing overwritten, a case of DualSPHysics.
. tests/support/tap.sh
root=$PWD
cd "$work" || exit 1

run 0 sluice new
cp "$out" list
has list "a wave on a beach"
has list "a floating box"
has list "water over a weir"
missing=$(for config in "$root"/configs/*.cfg; do
    name=$(basename "$config" .cfg)
    grep -q "^  $name " list || echo "$name"
done)
ok "every shipped config is in the list ($missing)" test -z "$missing"
strange=$(awk '/^  / && NF > 1 { print $1 }' list | while read -r name; do
    [ -f "$root/configs/$name.cfg" ] || echo "$name"
done)
ok "every case of the list is shipped ($strange)" test -z "$strange"

run 0 sluice new beach
has "$out" "sluice check beach.cfg" "it says what to do next"
ok "a copy is the shipped config" cmp beach/beach.cfg "$root/configs/beach.cfg"
run 0 sluice new hull ship
ok "a mesh comes along" cmp ship/hull.stl "$root/configs/hull.stl"
(cd ship && sluice check hull.cfg --set spacing=0.05 --set dimension=3 >/dev/null 2>"$err")
ok "and the copy is ready to run" test $? = 0 || show "$err"
run 0 sluice new moving_square
(cd moving_square && sluice check moving_square.cfg >/dev/null 2>"$err")
ok "a table of another folder comes along, and its path is right" test $? = 0 || show "$err"
ok "it lies beside the config" test -f moving_square/spheric_test6_motion.csv

echo mine >beach/beach.cfg
run 2 sluice new beach
has "$err" "beach/beach.cfg exists" "nothing is overwritten"
ok "and mine is still there" test "$(cat beach/beach.cfg)" = mine
run 2 sluice new beech
has "$err" "there is no case 'beech' (did you mean beach?)"
run 2 sluice new Case_Def.xml
has "$err" "sluice new --from Case_Def.xml" "a case of DualSPHysics takes --from"
run 2 sluice new wave
has "$err" "did you mean wave_flume or standing_wave or lasting_wave or acoustic_wave?"
ok "nothing is made of a name that is wrong" test ! -e beech
touch file
run 2 sluice new weir file
has "$err" "file is a file"
run 2 sluice new weir a b
run 0 sluice new weir --list

if ! "$root/tools/find-python.sh" numpy matplotlib h5py >/dev/null; then
    echo "ok $((tap_count += 1)) - cases of DualSPHysics # SKIP no Python with numpy, matplotlib and h5py"
    done_testing
    exit
fi
cat >Column_Def.xml <<'END'
<?xml version="1.0"?>
<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><coefh value="1.0"/></constantsdef>
<geometry><definition dp="0.02"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>
<commands><mainlist>
<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="0.2" y="2" z="0.4"/></drawbox>
<setmkbound mk="0"/>
<drawbox><boxfill>all^top</boxfill><point x="0" y="-1" z="0"/><size x="0.8" y="2" z="0.6"/></drawbox>
</mainlist></commands></geometry></casedef>
<execution><special><damping><dampingzone/></damping></special>
<parameters><parameter key="TimeMax" value="0.01"/><parameter key="NewKey" value="1"/></parameters>
</execution></case>
END
run 0 sluice new --from Column_Def.xml
has "$out" "damping zones: a long tank or a gentle beach instead (docs/limits.md#waves)"
has "$out" "NewKey" "a parameter that is not known is in the list"
has "$out" "the shapes miss 0 of them and add 0"
ok "the list lies beside the config" grep -q "damping zones" Column/Column.txt
(cd Column && sluice run Column.cfg --quiet >/dev/null 2>"$err")
ok "the config runs" test $? = 0 || show "$err"
run 2 sluice new --from Column_Def.xml
has "$err" "Column/Column.cfg exists" "a conversion overwrites nothing"
sed 's/<setmkbound/<clipplane\/><setmkbound/' Column_Def.xml >Clip_Def.xml
run 2 sluice new --from Clip_Def.xml other
has "$err" "line 8, <clipplane>: clipping cannot be expressed as shapes (docs/from-dualsphysics.md)"
ok "and nothing is written" test ! -e other
run 3 sluice new --from Nothing_Def.xml
has "$err" "Nothing_Def.xml: No such file or directory"
echo words >Words_Def.xml
run 2 sluice new --from Words_Def.xml
has "$err" "there is no element in it"
done_testing

#!/usr/bin/env bash
# test: 12 s
# sluice run, check, restart: folder, --force, --set, JSON, every exit status but the signals'.
. tests/support/tap.sh
small_case
here=$PWD
cd "$work" || exit 1

# --- A run, and what it leaves ---
run 0 sluice run dam.cfg
has "$out" "results in out/dam" "the folder is out/ and the config's name"
has "$out" "energy: "
has "$out" "sluice plot out/dam" "it says what to type next"
has "$out" "out/dam/run.hdf.series" "it says what to open in ParaView"
has "$out" "pair loop" "seconds by section"
has "$out" "M fluid particles, " "rates of fluid, of all particles, and of pairs"
has "$out" "(pairs a step, counted: " "whose pairs are counted"
has_not "$err" $'\r' "no progress line where there is no terminal"
ok "a log line during the run" grep -q 'M/s: fluid .*, all .*, pairs ~' "$err"
for file in config.cfg log.txt energy.csv probe_front.csv snap_000000.hdf run.hdf.series; do
    ok "$file is there" test -s "out/dam/$file"
done
ok "the last checkpoint is there" bash -c 'ls out/dam/checkpoint_*.hdf'
ok "no lock is left" test ! -e out/dam/.lock
ok "the log has the revision" grep -q revision out/dam/log.txt
ok "the log has the title" grep -q "A small dam break" out/dam/log.txt
ok "the log has the last words" grep -q 'results in' out/dam/log.txt

# --- A folder with results is refused; --force removes a run's files and no others ---
run 2 sluice run dam.cfg
has "$err" "sluice: error: out/dam is not empty"
has "$err" "--force" "the remedy is named"
ok "a refused run changes nothing" test -s out/dam/energy.csv
mkdir out/dam/mine
echo notes >out/dam/notes.txt
echo "t,x" >out/dam/probe_measured.csv
echo precious >out/dam/snap_best.hdf
echo precious >out/dam/checkpoint_old.hdf.bak
ln -s ../notes.txt out/dam/snap_000777.hdf
printf '\211HDF stale' >out/dam/snap_000999.hdf
printf '\211HDF stale' >out/dam/checkpoint_000000999.hdf
echo stale >out/dam/snap_000001.hdf.0123abcd.tmp
echo '# step 3, t = 0.1' >out/dam/blow_up.csv
touch out/dam/movie.mp4 out/dam/picture_000001.png
run 0 sluice run dam.cfg --force --set time.end=0.01
has "$err" "warning: --force keeps pictures and movies in out/dam (2: " "old pictures are named"
has "$err" "movie.mp4" "the movie too"
rm out/dam/movie.mp4 out/dam/picture_000001.png
foreign="mine notes.txt probe_measured.csv snap_best.hdf checkpoint_old.hdf.bak snap_000777.hdf"
for file in $foreign; do
    ok "--force leaves $file alone" test -e "out/dam/$file" -o -L "out/dam/$file"
done
own="snap_000999.hdf checkpoint_000000999.hdf snap_000001.hdf.0123abcd.tmp blow_up.csv snap_000003.hdf"
for file in $own; do
    ok "--force removes $file of the run before" test ! -e "out/dam/$file"
done

# --- The user's own files of a run's names are never overwritten ---
mkdir own
cp dam.cfg own/config.cfg
run 2 sluice run own/config.cfg --out own
has "$err" "own/config.cfg is not of an earlier run" "the config itself"
run 2 sluice run own/config.cfg --out own --force
has "$err" "choose another folder with --out" "nor with --force"
ok "it is as it was" cmp dam.cfg own/config.cfg
for file in log.txt energy.csv snap_000000.hdf probe_front.csv; do
    mkdir -p "own_$file"
    echo "precious, time" >"own_$file/$file"
    run 2 sluice run dam.cfg --out "own_$file" --force
    has "$err" "own_$file/$file is not of an earlier run" "nor a $file"
    ok "$file is as it was" grep -q precious "own_$file/$file"
done

# --- An effective config that was changed, in the folder that its run would go to ---
run 0 sluice run dam.cfg --out first --quiet --set time.max_steps=2
mkdir again
sed '$a # mine' first/config.cfg >again/config.cfg
cp again/config.cfg mine.cfg
run 2 sluice run again/config.cfg --out again
has "$err" "again/config.cfg would be overwritten by its own run"
run 2 sluice run again/config.cfg --out again --force --set spacing=0.03
has "$err" "the limit is 5%"
ok "a run that fails before it begins leaves the config" cmp again/config.cfg mine.cfg
run 0 sluice run again/config.cfg --out again --force --quiet

# --- Folders ---
run 0 sluice run dam.cfg --out a/b/c --set time.max_steps=2 --quiet
is_empty "$out" "--quiet: nothing on standard output"
is_empty "$err" "--quiet: nothing on standard error"
ok "parents are made" test -s a/b/c/energy.csv
mkdir empty
run 0 sluice run -o empty -- dam.cfg
run 3 sluice run dam.cfg --out dam.cfg
run 3 sluice run dam.cfg --out /dev/null/x
mkdir busy
"$PYTHON" - busy/.lock <<'PYTHON' &
import fcntl, os, sys, time
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
file.write(f"{os.getpid()}\n")
file.flush()
open("held", "w").close()
time.sleep(60)
PYTHON
holder=$!
wait_for 20 test -e held
run 3 sluice run dam.cfg --out busy
has "$err" "folder in use by process $holder"
run 3 sluice restart busy
has "$err" "folder in use by process $holder" "restart is refused too"
kill -9 $holder
wait $holder 2>/dev/null
run 0 sluice run dam.cfg --out busy --set time.max_steps=1

# --- Wrong configs: all errors at once, and no folder ---
run 3 sluice run missing.cfg
has "$err" "missing.cfg"
sed 's/spacing = 0.01/spacng = 0.01/; s/dimension = 2/dimension = 5/' dam.cfg >wrong.cfg
run 2 sluice run wrong.cfg
has "$err" "sluice: error: wrong.cfg has"
has "$err" "wrong.cfg:2: "
has "$err" "spacng"
has "$err" "dimension"
ok "nothing was made" test ! -e out/wrong
run 2 sluice run dam.cfg --out set --set fluid.densty=1
has "$err" "did you mean 'density'?" "an unknown key in --set gets the nearest one"
run 2 sluice run dam.cfg --out set --set time.cfl=fast
has "$err" "time.cfl"
run 2 sluice run dam.cfg --out set --set time.cfl
run 2 sluice run dam.cfg --out set --threads many
run 2 sluice run dam.cfg --out set --precision half
has "$err" "backend.precision"
run 2 sluice run dam.cfg --out set --backend abacus
if [ -z "$(sluice info --json | grep '"name": "hip"')" ]; then
    run 2 sluice run dam.cfg --out set --backend hip
    has "$err" "make HIP=1" "a backend that is not in this build: how to get it"
fi
run 2 sluice run dam.cfg --out set --strategy guess
run 2 sluice run dam.cfg --out gas --backend cpu --strategy bucket
has "$err" '"bucket" is for a gas' "water has no strategy for supports that differ"
run 2 sluice run "$here/configs/sedov.cfg" --out gas --force --backend cpu --strategy x-pencil
has "$err" '"x-pencil" needs one support' "a gas has none of cells"
run 2 sluice run dam.cfg --out set --backend 'a"b'
ok "nothing was made by any of them" test ! -e set
run 0 sluice run dam.cfg --out double --precision double --strategy tiled --backend cpu \
    --set time.max_steps=1
ok "the options stand in the effective config" grep -q '"double"' double/config.cfg
ok "the strategy stands in the effective config" grep -q '"tiled"' double/config.cfg

# --- JSON ---
run 0 sluice run dam.cfg --out json --json --set time.max_steps=3
json "$out" 'j["exit"] == 0 and j["ended"] == "done"' "run --json is one object"
json "$out" 'j["steps"] == 3 and j["folder"] == "json"' "with steps and folder"
json "$out" 'j["energy"]["conserved"] is True and j["energy"]["total"] > 0' "with the energies"
run 2 sluice run dam.cfg --out json --json
json "$out" 'j["exit"] == 2 and "not empty" in j["error"]' "an error is one object too"
run 2 sluice run wrong.cfg --json
json "$out" '"spacng" in j["error"] and "dimension" in j["error"]' "every error is in it"
run 3 bash -c '"$0" run dam.cfg -o full --json --set time.max_steps=1 >/dev/full' "$SLUICE"

# --- Check ---
run 0 sluice check dam.cfg
has "$out" "first time step"
ok "the memory in one line" test "$(grep -c 'bytes a particle' "$out")" -eq 1
has "$out" "about" "the number of steps"
has "$out" "on this machine, without output: the median of" "and how long they take"
run 0 sluice check dam.cfg --set time.end=1e12 --set output.every=1e9 \
    --set probes.[0].every=1e9
ok "years are days without an exponent" grep -qE '^about [0-9]{4,} days' "$out"
run 0 sluice check dam.cfg --json
json "$out" 'j["fluid_particles"] == 200 and j["wall_particles"] > 0' "check --json is one object"
json "$out" 'j["expected_steps"] > 10 and j["first_time_step"] > 0' "with the time step"
json "$out" 'j["expected_steps_in_contact"] == j["expected_steps"]' "no bodies, no contacts"
json "$out" 'j["measured_steps"] >= 1 and abs(j["expected_seconds"] / j["seconds_a_step"] -
    j["expected_steps"]) < 1e-6 * j["expected_steps"] and j["seconds_a_step"] < 1' "and their time"
json "$out" 'j["memory_bytes"] > 0 and len(j["shapes"]) == 2' "with memory and shapes"
json "$out" '{"position", "search table"} <= {m["array"] for m in j["memory"]}' "memory by array"
run 0 sluice check dam.cfg --json --set time.step=0.05
json "$out" 'j["measured_steps"] == 0 and "blew up at step" in j["not_measured"]' "or why they have none"
run 0 sluice check "$here/configs/floating_box.cfg"
has "$out" "steps to t = 6 s, more while bodies touch: " "contacts take more steps"
run 0 sluice check dam.cfg -q --set time.step=1e-4
ok "check --quiet says errors only" [ ! -s "$out" -a ! -s "$err" ]
run 2 sluice check wrong.cfg -q
has "$err" "spacng"
run 2 sluice check wrong.cfg
ok "check writes nothing" test ! -e out/wrong

# --- Restart ---
run 0 sluice run dam.cfg --out whole --quiet
run 0 sluice run dam.cfg --out parts --quiet --set time.max_steps=20
run 0 sluice restart parts --set time.max_steps=0 --json
json "$out" 'j["verb"] == "restart" and j["exit"] == 0' "restart --json is one object"
ok "stopped and restarted gives the same energies, to the bit" cmp whole/energy.csv parts/energy.csv
cp whole/checkpoint_*.hdf ended.hdf
run 0 sluice restart whole
has "$err" "nothing is left to do" "a restart of a run that has ended says so"
ok "and its checkpoint, with the walls' pressures, stays" cmp ended.hdf whole/checkpoint_*.hdf
cp whole/config.cfg ended.cfg
run 0 sluice restart whole --set time.end=0.05
has "$err" "nothing is left to do" "the end that it had may be set again"
run 2 sluice restart whole --set time.end=0.01
has "$err" "--set time.end=0.01: the run has passed that, its checkpoint is of t = " "an early end"
run 0 sluice run dam.cfg --out fixed --quiet --set time.step=1e-4 --set time.max_steps=20
has fixed/log.txt "a fixed step may be unstable" "a config's warnings are in the log, --quiet or not"
run 2 sluice restart fixed --set time.end=1e-3
has "$err" "the run has passed that" "also beside a warning"
has "$err" "a fixed step may be unstable" "which is said too"
run 0 sluice restart fixed --set time.end=0.5
has "$err" "with --set time.max_steps=0 it goes on" "what ended it is named"
ok "a restart writes the warnings too" [ "$(grep -c "a fixed step may be unstable" fixed/log.txt)" -eq 2 ]
ok "and what was set is not kept" bash -c '! grep -q "end = 0.5;" fixed/config.cfg'
run 2 sluice restart whole --set time.max_steps=3
has "$err" "--set time.max_steps=3: the run has passed that" "too few steps"
ok "the config is as it was" cmp ended.cfg whole/config.cfg
run 2 sluice restart parts --set fluid.density=900
has "$err" "fluid.density" "a restart refuses other keys by name"
run 3 sluice restart nowhere
run 3 sluice restart empty/..
has "$err" "so there is nothing to restart from; 'sluice run CONFIG --out empty/.. --force' begins"
ok "no lock is left by refused restarts" test ! -e .lock

# --- Several programs, one case ---
OMPI_COMM_WORLD_SIZE=4 run 2 sluice run dam.cfg --out ranks
has "$err" "mpirun or srun started 4 programs (OMPI_COMM_WORLD_SIZE), and each would run"
has "$err" "start one, by \`srun -n 1\`, \`mpirun -n 1\` or neither"
has "$err" "unset OMPI_COMM_WORLD_SIZE, PMI_SIZE and SLURM_STEP_NUM_TASKS"
SLURM_STEP_NUM_TASKS=2 run 2 sluice restart whole
ok "no folder is made" test ! -e ranks
SLURM_STEP_NUM_TASKS=1 PMI_SIZE=1 run 0 sluice run dam.cfg --out one --set time.max_steps=1

# --- A simulation that blows up ---
run 5 sluice run dam.cfg --out boom --set time.step=0.02 --set time.end=5
has "$err" "sluice: error: the simulation blew up at step"
ok "the surroundings are dumped" test -s boom/blow_up.csv
ok "the log says why" grep -q "blew up" boom/log.txt
run 5 sluice run dam.cfg --out boom --force --json --set time.step=0.02 --set time.end=5
json "$out" 'j["exit"] == 5 and "blew up" in j["error"]' "blown up is one object"

# --- The disk is full: a snapshot cannot be written, so the run ends ---
run 3 bash -c 'ulimit -f 40
    exec "$0" run dam.cfg -o noroom --set output.compression=0 \
        --set time.max_steps=60' "$SLUICE"
has "$err" "snap_000000.hdf: cannot be written: File too large"
ok "the log says so too" grep -q "error: .*snap_000000.hdf" noroom/log.txt
ok "nothing partial is left" test -z "$(find noroom -name 'snap_*')"
ok "no series names a partial snapshot" test ! -e noroom/run.hdf.series

# --- Out of memory ---
if [ "${SLUICE_CONFIG:-}" != sanitize ]; then
    run 4 bash -c 'ulimit -v 90000
        exec "$0" run dam.cfg -o memory --set spacing=0.0002 --set time.max_steps=1' "$SLUICE"
    has "$err" "memory"
    # HDF5, and a stack that must grow, crash without memory: the program must stop before that.
    for limit in $(seq 50000 400 70000); do
        (ulimit -v $limit; exec "$SLUICE" run dam.cfg -o memory --force -q -t 1 \
            --set time.max_steps=10) >"$out" 2>"$err"
        status=$?
        ok "with $limit KiB it runs or says what it lacks: $status" \
            test $status = 0 -o $status = 4
    done
fi
cd "$here" || exit 1
done_testing

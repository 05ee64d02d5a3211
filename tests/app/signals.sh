#!/usr/bin/env bash
# test: 4 s
# Signals: a stop with a checkpoint, a second one that ends at once, a checkpoint during the run.
# Under nohup this shell, and so the program, ignores SIGHUP: start again without it.
if [ -n "$(trap -p HUP)" ]; then
    exec env --default-signal=HUP bash "$0" "$@"
fi
. tests/support/tap.sh
small_case
cd "$work" || exit 1

# Starts an endless run in the background; $pid. It has its own process group: otherwise a shell
# makes background jobs ignore SIGINT.
begin()
{
    set -m
    "$SLUICE" run dam.cfg "${@:2}" -o "$1" --set time.end=1000 --set output.every=0 \
        >"$out" 2>"$err" &
    pid=$!
    set +m
    wait_for 60 grep -q 'first time step' "$1/log.txt"
}
# ends WANTED NAME
ends()
{
    local status
    wait "$pid"
    status=$?
    [ "$status" -eq "$1" ]
    tap_result $? "$2: exit status $1" || show "$err"
}
checkpoints()
{
    ls "$1"/checkpoint_*.hdf 2>/dev/null | wc -l
}

for signal in INT TERM HUP; do
    begin "$signal"
    kill -$signal "$pid"
    ends 75 "the first SIG$signal"
    ok "it leaves one checkpoint" test "$(checkpoints $signal)" -eq 1
    ok "no unfinished file" bash -c "! ls $signal/*.tmp"
    has "$err" "finishing the step" "it says so"
    has "$out" "sluice restart $signal" "and how to go on"
    step=$(ls $signal/checkpoint_*.hdf | tr -dc '0-9')
    run 0 sluice restart $signal --set "time.max_steps=$((10#$step + 5))" --json
    json "$out" 'j["steps"] == 5' "the checkpoint is good: five steps more"
done

# The kernel and the shell may each send a SIGHUP when a session ends.
begin hangup
kill -STOP "$pid"
kill -TERM "$pid"
kill -HUP "$pid"
kill -CONT "$pid"
ends 75 "a SIGHUP after a SIGTERM"
ok "leaves a checkpoint" test "$(checkpoints hangup)" -eq 1
# Then the session's manager may send a SIGTERM, too. A step and its checkpoint take longer than the
# second signal; if ever they do not, the status is the same.
begin logout --set spacing=0.001
kill -HUP "$pid"
wait_for 20 grep -q "finishing the step" "$err"
kill -TERM "$pid" 2>/dev/null
ends 75 "a SIGTERM after a SIGHUP"
ok "leaves a checkpoint, too" test "$(checkpoints logout)" -eq 1
trap '' HUP
begin nohup
trap - HUP
kill -HUP "$pid"
sleep 0.2
ok "an ignored SIGHUP (nohup) stays ignored" kill -0 "$pid"
kill -TERM "$pid"
ends 75 "after it, SIGTERM"

# While walls are fitted, for some seconds, no step has begun: there is nothing to save.
sed 's/geometry = (/geometry = ( { shape = "disc"; type = "wall"; fit = "surface"; \
    centre = [0.3, 0.1]; radius = 0.04; },/' dam.cfg >fitted.cfg
for signal in INT:130 TERM:143 HUP:129; do
    set -m
    "$SLUICE" run fitted.cfg -o fitted --set spacing=0.0002 >"$out" 2>"$err" &
    pid=$!
    set +m
    wait_for 60 test -s fitted/log.txt
    kill -${signal%:*} "$pid"
    ends ${signal#*:} "SIG${signal%:*} before the first step"
    has "$err" "stopped before the first step" "it says so"
    ok "and leaves no files" test -z "$(ls fitted)"
done
run 0 sluice run fitted.cfg -o fitted --quiet --set time.max_steps=1
ok "the folder can be used" test -s fitted/energy.csv

# While the program waits for its config it has no folder to write to; then the run begins.
mkfifo early.cfg
"$SLUICE" run early.cfg -o early --set time.max_steps=1 >"$out" 2>"$err" &
pid=$!
exec 3>early.cfg
kill -USR1 "$pid"
cat dam.cfg >&3
exec 3>&-
ends 0 "SIGUSR1 before the run begins"

# A stopped process gets both signals when it continues, so no short step comes between them.
begin second
kill -STOP "$pid"
kill -TERM "$pid"
kill -INT "$pid"
kill -CONT "$pid"
wait "$pid"
status=$?
ok "the second signal ends it at once: $status" test "$status" -eq 130 -o "$status" -eq 143
ok "without a checkpoint" test "$(checkpoints second)" -eq 0

begin usr1
kill -USR1 "$pid"
ok "SIGUSR1 writes a checkpoint" wait_for 20 bash -c 'ls usr1/checkpoint_*.hdf'
ok "and the run goes on" kill -0 "$pid"
first=$(ls usr1/checkpoint_*.hdf)
sleep 0.2
kill -TERM "$pid"
ends 75 "after SIGUSR1, SIGTERM"
ok "with a checkpoint of its own" test "$(ls usr1/checkpoint_*.hdf | tail -n 1)" != "$first"

begin killed
kill -KILL "$pid"
wait "$pid" 2>/dev/null
run 0 sluice run dam.cfg --out killed --force --set time.max_steps=1
ok "a killed run's lock does not hold the folder" test -s killed/energy.csv

begin json2 --json
kill -TERM "$pid"
ends 75 "--json"
json "$out" 'j["exit"] == 75 and j["ended"] == "stopped"' "stopped is one object"

run 0 sluice run dam.cfg -o none --set output.keep=0 --set time.max_steps=3
ok "with output.keep = 0 the end writes no checkpoint" test "$(checkpoints none)" -eq 0
has none/log.txt "output.keep is 0: no checkpoint" "the log says so"
begin asked --set output.keep=0
kill -TERM "$pid"
ends 75 "a SIGTERM all the same"
ok "writes one" test "$(checkpoints asked)" -eq 1
done_testing

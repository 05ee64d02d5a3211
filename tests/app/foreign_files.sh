#!/usr/bin/env bash
# test: 0.9 s
# Other people's files in a run's folder stay as they are: locks, logs and temporary names that are
# links, or that somebody else wrote. A shared folder may hold traps.
. tests/support/tap.sh
small_case
cd "$work" || exit 1
short="--quiet --set time.max_steps=3 --set energy.every=1"

# fresh FOLDER: an empty folder, and a file elsewhere that nobody may change
fresh()
{
    rm -rf "$1" secret
    mkdir "$1"
    echo precious >secret
}
secret_is_whole()
{
    [ "$(cat secret)" = precious ]
}

# --- .lock ---
fresh own
echo "my notes" >own/.lock
# shellcheck disable=SC2086  # a list of words
{
    run 3 sluice run dam.cfg -o own $short
    has "$err" "own/.lock is not the lock of a run (it holds no process number" "a user's own .lock"
    ok "it is as it was" grep -qx "my notes" own/.lock
    ok "and nothing is written beside it" test ! -e own/config.cfg

    for text in 12x "12 13" 123456789012345678901234567890123456789; do
        echo "$text" >own/.lock
        run 3 sluice run dam.cfg -o own $short
        ok "'$text' is no process" grep -qx "$text" own/.lock
    done

    fresh link
    ln -s ../secret link/.lock
    run 3 sluice run dam.cfg -o link $short
    has "$err" "is a symbolic link" "a symbolic link"
    ok "its target is whole" secret_is_whole
    ok "and the link is there" test -L link/.lock

    fresh hard
    : >secret
    ln secret hard/.lock
    run 3 sluice run dam.cfg -o hard $short
    has "$err" "hard links" "a hard link"
    ok "stays" test -e hard/.lock
    ok "with its other name" test ! -s secret

    fresh dangling
    ln -s ../made dangling/.lock
    run 3 sluice run dam.cfg -o dangling $short
    ok "a link that leads nowhere makes no file there" test ! -e made

    fresh pipe
    mkfifo pipe/.lock
    run 3 timeout 20 "$SLUICE" run dam.cfg -o pipe $short
    has "$err" "is no regular file" "a pipe"
    fresh folder
    mkdir folder/.lock
    run 3 sluice run dam.cfg -o folder $short
    has "$err" "is no regular file" "a folder"

    for text in 4242 ""; do
        fresh left
        printf %s "$text" >left/.lock
        run 0 sluice run dam.cfg -o left $short
        ok "a lock left by a run that was killed ('$text') is taken, and goes" test ! -e left/.lock
    done

    fresh begun
    echo 4242 >begun/.lock
    echo half >begun/config.cfg.0123abcd.tmp
    run 0 sluice run dam.cfg -o begun $short
    ok "a run that was killed at its start does not hold the folder" \
        test ! -e begun/config.cfg.0123abcd.tmp

    # --- Temporary names ---
    fresh temporary
    for name in config.cfg run.hdf.series energy.csv probe_front.csv snap_000000.hdf; do
        ln -s ../secret "temporary/$name.tmp"
    done
    echo mine >temporary/checkpoint_000000003.hdf.tmp
    run 0 sluice run dam.cfg -o temporary --force $short
    ok "no temporary file goes through a link" secret_is_whole
    ok "all links are there" test "$(find temporary -name '*.tmp' -type l | wc -l)" -eq 5
    ok "a foreign file of a temporary name is not overwritten" grep -qx mine temporary/checkpoint_000000003.hdf.tmp
    run 0 sluice restart temporary --quiet --set time.max_steps=6
    ok "no temporary file of a restart goes through a link" secret_is_whole
    ok "a restart leaves the links alone" test "$(find temporary -name '*.tmp' -type l | wc -l)" -eq 5

    ln -s ../secret temporary/config.cfg.0123abcd.tmp
    echo half >temporary/snap_000009.hdf.0123abcd.tmp
    run 0 sluice restart temporary --quiet --set time.max_steps=9
    ok "temporary files of a killed run go" test ! -e temporary/snap_000009.hdf.0123abcd.tmp
    ok "a link of such a name stays" test -L temporary/config.cfg.0123abcd.tmp

    # --- log.txt ---
    fresh log
    ln -s ../secret log/log.txt
    run 2 sluice run dam.cfg -o log $short
    ok "a log that is a link is not written" secret_is_whole
    fresh log
    run 0 sluice run dam.cfg -o log $short
    mv log/log.txt log.old
    ln -s ../secret log/log.txt
    run 3 sluice restart log --quiet --set time.max_steps=6
    has "$err" "log/log.txt is a symbolic link" "nor by a restart"
    ok "its target is whole, too" secret_is_whole
    rm log/log.txt
    cp log.old log/log.txt
    ln log/log.txt kept.txt
    run 3 sluice restart log --quiet --set time.max_steps=6
    has "$err" "hard links" "a log with another name"
    ok "stays" cmp kept.txt log.old
    rm log/log.txt
    cp secret log/log.txt
    run 3 sluice restart log --quiet --set time.max_steps=6
    has "$err" "is not the log of a run" "a text that is no log"
    ok "stays, too" cmp secret log/log.txt
    mv log.old log/log.txt
    run 0 sluice restart log --quiet --set time.max_steps=6
    ok "a run's own log goes on" grep -q "going on at step 3" log/log.txt

    # --- Tables and lists that never end ---
    for name in energy.csv run.hdf.series; do
        rm -rf trap && cp -a log trap && rm "trap/$name" && mkfifo "trap/$name"
        run 3 timeout -s KILL 20 "$SLUICE" restart trap --quiet --set time.max_steps=9
        has "$err" "trap/$name: cannot be read: it is no regular file" "a pipe as $name"
    done

    # --- Copies of a folder that share its files ---
    cp -al log copy 2>/dev/null || cp -a log copy
    rm log/log.txt
    cp log/energy.csv energy.old
    run 0 sluice restart log --quiet --set time.max_steps=9
    ok "tables of a copy with hard links stay as they were" cmp energy.old copy/energy.csv
    ok "the run's own go on" grep -q '^8,' log/energy.csv
}
done_testing

#!/usr/bin/env bash
# test: 10 s
# Threads: the fastest number where backend.threads is 0, what the environment asks for, and a
# system that starts fewer.
. tests/support/tap.sh
small_case
cd "$work" || exit 1
unset OMP_NUM_THREADS OMP_WAIT_POLICY GOMP_SPINCOUNT
# auto may choose differently in two runs, and so change the order of a sum.
set -- "$SLUICE" run dam.cfg --force --quiet --strategy window --set time.max_steps=30 \
    --set time.end=10

run 0 "$@" -o one --threads 1
run 0 "$@" -o two --threads 2
ok "the same bits with one thread and two" cmp one/energy.csv two/energy.csv
ok "a number that is given is used: nothing is tried" bash -c '! grep -q " threads: " two/log.txt'

# --- 0: the fastest number ---
if [ "$(nproc)" -gt 1 ]; then
    run 0 "$@" -o fastest --threads 0 --set time.max_steps=8000
    ok "the choice is a line of the log" \
        grep -qE ' threads: [0-9]+ of [0-9]+; a step takes [0-9]+: [0-9.e-]+ ms, ' fastest/log.txt
    run 0 "$@" -o alone --set time.max_steps=8000 --threads 1
    ok "the choice changes no bit" cmp fastest/energy.csv alone/energy.csv
    run 0 env OMP_NUM_THREADS=2 "$@" -o asked --threads 0 --set time.max_steps=3000
    ok "OMP_NUM_THREADS is a number, too" bash -c '! grep -q " threads: " asked/log.txt'
fi
run 0 taskset -c "$(taskset -cp $$ | grep -oE '[0-9]+' | tail -n 1)" "$@" -o bound --threads 0
ok "with one processor, nothing is tried" bash -c '! grep -q " threads: " bound/log.txt'

# --- Fewer than asked for ---
if [ "${SLUICE_CONFIG:-}" != sanitize ]; then
    run 0 bash -c 'ulimit -v 600000; exec "$@" -o short --threads 4000' - "$@"
    ok "a warning names both numbers" \
        grep -qE 'warning: [0-9]+ of 4000 threads could be started \(.*\), [0-9]+ are used' \
        short/log.txt
    ok "the same bits" cmp one/energy.csv short/energy.csv

    cat >refuse.c <<'CODE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Refuses the calls from number REFUSE_FROM to number REFUSE_TO. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                   void *data)
{
    static int calls;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    calls++;
    if (calls >= atoi(getenv("REFUSE_FROM")) && calls <= atoi(getenv("REFUSE_TO")))
        return EAGAIN;
    return real(thread, attr, start, data);
}
CODE
    ${CC:-gcc} -shared -fPIC refuse.c -o refuse.so -ldl
    run 0 env LD_PRELOAD="$work/refuse.so" REFUSE_FROM=7 REFUSE_TO=7 "$@" -o some --threads 8
    ok "7 of 8 threads start: it goes on with 5" \
        grep -q 'warning: 7 of 8 threads could be started (.*), 5 are used' some/log.txt
    ok "the same bits" cmp one/energy.csv some/energy.csv
    run 4 env LD_PRELOAD="$work/refuse.so" REFUSE_FROM=1 REFUSE_TO=1000 "$@" -o none --threads 8
    has "$err" "the output's thread cannot be started: Resource temporarily unavailable"
fi
done_testing

#include "core/threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/processors.h"
#include "core/timer.h"

/* A loop is open while `state` has parts. A worker first counts itself in `active`, then checks
 * that the loop is still open. The caller first closes the loop, then checks `active`. One of the
 * two sees the other, so the caller never leaves a loop while a worker is in it. */
enum { PARTS_BITS = 16, ENDS = (1 << PARTS_BITS) - 1, LINE = 64 };

/* A spinning thread reads the clock once in READS_A_LOOK pauses. */
enum { STACK_BYTES = 1 << 20, READS_A_LOOK = 32 };
static const double spin_seconds = 1e-4; /* more than a step's longest serial part */

/* The items of one part that are left: next to end - 1. */
struct part {
    _Alignas(LINE) _Atomic int64_t next;
    int64_t end;
};

struct worker {
    _Alignas(LINE) struct sluice_threads *team;
    pthread_t thread;
    pthread_cond_t wake;
    int index, asleep;
};

struct sluice_threads {
    int count, used;
    long long spins; /* at most; -1: for spin_seconds */
    char shortage[256];
    sluice_loop *body; /* of the loop that is open */
    void *data;
    struct part *part;     /* [count] */
    struct worker *worker; /* [count]; the first is the caller's, and unused */
    pthread_mutex_t mutex; /* held to sleep and to wake */
    pthread_cond_t done;
    _Alignas(LINE) _Atomic uint64_t state; /* loops opened and closed, then PARTS_BITS: parts */
    _Atomic int asleep, caller_asleep;
    _Alignas(LINE) _Atomic int active; /* workers in the loop */
};

/* --- Waiting --- */

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* One turn of a wait, number *turn. Returns 0 if it has lasted long enough to sleep. */
static int spins_on(const struct sluice_threads *t, long long *turn, double *begun)
{
    const long long k = (*turn)++;
    pause_briefly();
    if (t->spins >= 0)
        return k < t->spins;
    if (k % READS_A_LOOK != 0)
        return 1;
    if (k == 0)
        *begun = sluice_seconds();
    return sluice_seconds() - *begun < spin_seconds;
}

/* Whether a worker has work: a state that it has not seen, with a part for it. */
static int concerns(const struct worker *w, uint64_t state, uint64_t seen)
{
    return state != seen && (int)(state & ENDS) > w->index;
}

static uint64_t wait_for_loop(struct worker *w, uint64_t seen)
{
    struct sluice_threads *t = w->team;
    uint64_t state;
    long long turn = 0;
    double begun = 0;
    do {
        state = atomic_load(&t->state);
        if (concerns(w, state, seen))
            return state;
    } while (spins_on(t, &turn, &begun));
    pthread_mutex_lock(&t->mutex);
    w->asleep = 1;
    atomic_fetch_add(&t->asleep, 1);
    while (!concerns(w, state = atomic_load(&t->state), seen))
        pthread_cond_wait(&w->wake, &t->mutex);
    w->asleep = 0;
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->mutex);
    return state;
}

static void wait_for_workers(struct sluice_threads *t)
{
    long long turn = 0;
    double begun = 0;
    do {
        if (atomic_load(&t->active) == 0)
            return;
    } while (spins_on(t, &turn, &begun));
    pthread_mutex_lock(&t->mutex);
    atomic_store(&t->caller_asleep, 1);
    while (atomic_load(&t->active) > 0)
        pthread_cond_wait(&t->done, &t->mutex);
    atomic_store(&t->caller_asleep, 0);
    pthread_mutex_unlock(&t->mutex);
}

static void wake_workers(struct sluice_threads *t, int parts)
{
    if (atomic_load(&t->asleep) == 0)
        return;
    pthread_mutex_lock(&t->mutex);
    for (int k = 1; k < parts && k < t->count; k++)
        if (t->worker[k].asleep)
            pthread_cond_signal(&t->worker[k].wake);
    pthread_mutex_unlock(&t->mutex);
}

/* --- Workers --- */

static void leave_loop(struct sluice_threads *t)
{
    if (atomic_fetch_sub(&t->active, 1) > 1 || !atomic_load(&t->caller_asleep))
        return;
    pthread_mutex_lock(&t->mutex);
    pthread_cond_signal(&t->done);
    pthread_mutex_unlock(&t->mutex);
}

static void *serve(void *data)
{
    struct worker *w = data;
    struct sluice_threads *t = w->team;
    for (uint64_t state = 0; ((state = wait_for_loop(w, state)) & ENDS) != ENDS;) {
        atomic_fetch_add(&t->active, 1);
        if (atomic_load(&t->state) == state) {
            struct sluice_share share = {.team = t, .part = w->index, .parts = (int)(state & ENDS)};
            t->body(&share, t->data);
        }
        leave_loop(t);
    }
    return NULL;
}

int sluice_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *), void *data)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    if (stack > 0)
        pthread_attr_setstacksize(&attributes, stack);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    error = pthread_create(thread, &attributes, work, data);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* --- The team --- */

/* Starts as many workers as the system allows. Returns 0, or the error of the first that failed. */
static int start_workers(struct sluice_threads *t, int count)
{
    atomic_store(&t->state, 0);
    for (int k = 1; k < count; k++) {
        struct worker *w = &t->worker[k];
        w->team = t;
        w->index = k;
        pthread_cond_init(&w->wake, NULL);
        const int error = sluice_thread_start(&w->thread, STACK_BYTES, serve, w);
        if (error) {
            pthread_cond_destroy(&w->wake);
            return error;
        }
        t->count = k + 1;
    }
    return 0;
}

static void stop_workers(struct sluice_threads *t)
{
    atomic_fetch_or(&t->state, ENDS);
    wake_workers(t, t->count);
    for (int k = 1; k < t->count; k++) {
        pthread_join(t->worker[k].thread, NULL);
        pthread_cond_destroy(&t->worker[k].wake);
    }
    t->count = 1;
}

/* Goes on with a smaller team. A quarter of the threads that could start is given up again, to
 * leave some for the program's other threads, and memory. */
static void go_on_with_fewer(struct sluice_threads *t, int asked, int error)
{
    const int started = t->count, given_up = started / 4 > 2 ? started / 4 : 2;
    stop_workers(t);
    if (started > given_up)
        start_workers(t, started - given_up);
    snprintf(t->shortage, sizeof t->shortage,
             "%d of %d threads could be started (%s), %d are used; `ulimit -u` and `ulimit -v` "
             "show limits, --threads asks for fewer",
             started, asked, strerror(error), t->count);
}

sluice_status sluice_threads_create(struct sluice_threads **threads, int count)
{
    const size_t n = (size_t)(count > 1 ? count : 1);
    struct sluice_threads *t = aligned_alloc(LINE, sizeof *t);
    *threads = NULL;
    SLUICE_CHECK(t, SLUICE_DEVICE, "no memory for a team of %zu threads", n);
    memset(t, 0, sizeof *t);
    t->part = aligned_alloc(LINE, n * sizeof *t->part);
    t->worker = aligned_alloc(LINE, n * sizeof *t->worker);
    if (!t->part || !t->worker) {
        free(t->part);
        free(t->worker);
        free(t);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for a team of %zu threads", n);
    }
    memset(t->worker, 0, n * sizeof *t->worker);
    t->count = 1;
    t->spins = sluice_processors_spins((int)n);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->done, NULL);
    const int error = start_workers(t, (int)n);
    if (error)
        go_on_with_fewer(t, (int)n, error);
    t->used = t->count;
    *threads = t;
    return SLUICE_OK;
}

void sluice_threads_destroy(struct sluice_threads **threads)
{
    struct sluice_threads *t = *threads;
    if (!t)
        return;
    stop_workers(t);
    pthread_cond_destroy(&t->done);
    pthread_mutex_destroy(&t->mutex);
    free(t->part);
    free(t->worker);
    free(t);
    *threads = NULL;
}

int sluice_threads_count(const struct sluice_threads *threads)
{
    return threads ? threads->count : 1;
}

const char *sluice_threads_shortage(const struct sluice_threads *threads)
{
    return threads ? threads->shortage : "";
}

void sluice_threads_use(struct sluice_threads *threads, int used)
{
    if (threads)
        threads->used = used < 1 ? 1 : used < threads->count ? used : threads->count;
}

int sluice_threads_used(const struct sluice_threads *threads)
{
    return threads ? threads->used : 1;
}

/* --- Loops --- */

static void open_loop(struct sluice_threads *t, int64_t items, int parts)
{
    for (int k = 0; k < parts; k++) {
        atomic_store_explicit(&t->part[k].next, items / parts * k + items % parts * k / parts,
                              memory_order_relaxed);
        t->part[k].end = items / parts * (k + 1) + items % parts * (k + 1) / parts;
    }
    atomic_store(&t->state,
                 ((atomic_load(&t->state) >> PARTS_BITS) + 1) << PARTS_BITS | (uint64_t)parts);
}

static void close_loop(struct sluice_threads *t)
{
    atomic_store(&t->state, ((atomic_load(&t->state) >> PARTS_BITS) + 1) << PARTS_BITS);
    wait_for_workers(t);
}

void sluice_threads_run(struct sluice_threads *threads, int64_t items, sluice_loop *body,
                        void *data)
{
    const int64_t used = sluice_threads_used(threads);
    const int parts = (int)(used < items ? used : items);
    struct sluice_share share = {.team = threads, .parts = parts};
    if (parts <= 1) {
        share.team = NULL;
        share.items = items;
        body(&share, data);
        return;
    }
    threads->body = body;
    threads->data = data;
    open_loop(threads, items, parts);
    wake_workers(threads, parts);
    body(&share, data);
    close_loop(threads);
}

int sluice_share_next(struct sluice_share *share, int64_t *item)
{
    if (!share->team) {
        *item = share->next;
        return share->next++ < share->items;
    }
    for (; share->tried < share->parts; share->tried++) {
        struct part *p = &share->team->part[share->part];
        /* Read before writing: most parts are empty at the end of a loop. */
        if (atomic_load_explicit(&p->next, memory_order_relaxed) < p->end) {
            *item = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
            if (*item < p->end)
                return 1;
        }
        share->part = share->part + 1 < share->parts ? share->part + 1 : 0;
    }
    return 0;
}

/* --- Memory --- */

enum { MEMORY_BLOCK = 1 << 20 };

struct memory {
    char *to;
    const char *from; /* NULL: zeroes */
    int64_t bytes;
};

static void write_blocks(struct sluice_share *share, void *data)
{
    const struct memory *m = data;
    int64_t i, end;
    while (sluice_share_block(share, m->bytes, MEMORY_BLOCK, &i, &end))
        if (m->from)
            memcpy(m->to + i, m->from + i, (size_t)(end - i));
        else
            memset(m->to + i, 0, (size_t)(end - i));
}

void sluice_threads_clear(struct sluice_threads *threads, void *memory, size_t bytes)
{
    sluice_threads_copy(threads, memory, NULL, bytes);
}

void sluice_threads_copy(struct sluice_threads *threads, void *to, const void *from, size_t bytes)
{
    struct memory m = {to, from, (int64_t)bytes};
    sluice_threads_run(threads, sluice_blocks(m.bytes, MEMORY_BLOCK), write_blocks, &m);
}

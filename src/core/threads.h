/* A team of threads shares the items of a loop: the caller and its workers.
 *
 *   items    0 ........ 41 | 42 ....... 83 | 84 ...     a part for each thread, with a cursor
 *
 * Each thread takes the items of its own part in order, and then items of other parts. If a thread
 * loses its core, only its current item waits: the other threads take the rest of its part. A loop
 * ends when all its items are done. It does not wait for workers that never joined it.
 *
 * A waiting thread spins for a bounded time and then sleeps. OMP_WAIT_POLICY and GOMP_SPINCOUNT in
 * the environment change how long it spins, as in programs with GNU's OpenMP.
 *
 * Which thread takes an item, and when, is not determined: results must not depend on it. */
#ifndef SLUICE_CORE_THREADS_H
#define SLUICE_CORE_THREADS_H
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct sluice_threads;

/* One thread's place in a loop. */
struct sluice_share {
    struct sluice_threads *team; /* NULL: the caller is alone */
    int part, tried, parts;      /* current part; parts found empty; number of parts */
    int64_t next, items;         /* used only if the caller is alone */
};

/* The body of a loop. Each thread that joins the loop calls the body once. The body takes items
 * with sluice_share_next or sluice_share_block until none are left. */
typedef void sluice_loop(struct sluice_share *share, void *data);

/* Creates a team of the caller and count - 1 new workers. Signals never go to a worker. If the
 * system starts fewer workers, the team is smaller. Errors (SLUICE_DEVICE): no memory for the
 * team. */
sluice_status sluice_threads_create(struct sluice_threads **threads, int count);
void sluice_threads_destroy(struct sluice_threads **threads);

/* The number of threads in the team, and the reason if it is smaller than requested ("": it is
 * not). A NULL team is the caller alone. */
int sluice_threads_count(const struct sluice_threads *threads);
const char *sluice_threads_shortage(const struct sluice_threads *threads);

/* The number of threads that share the next loops: 1 to sluice_threads_count. */
void sluice_threads_use(struct sluice_threads *threads, int used);
int sluice_threads_used(const struct sluice_threads *threads);

/* Runs a loop over `items` items and returns when it is done. Only one thread at a time may call
 * this. */
void sluice_threads_run(struct sluice_threads *threads, int64_t items, sluice_loop *body,
                        void *data);

/* Takes the next item; 0: none is left. */
int sluice_share_next(struct sluice_share *share, int64_t *item);

/* For a loop over n elements that takes `block` of them at a time: run it over sluice_blocks(n,
 * block) items. sluice_share_block takes the next elements, first to last - 1; 0: none is left. */
static inline int64_t sluice_blocks(int64_t n, int64_t block)
{
    return (n + block - 1) / block;
}
static inline int sluice_share_block(struct sluice_share *share, int64_t n, int64_t block,
                                     int64_t *first, int64_t *last)
{
    int64_t b;
    if (!sluice_share_next(share, &b))
        return 0;
    *first = b * block;
    *last = n - *first < block ? n : *first + block;
    return 1;
}

/* Zeroes or copies memory in parallel: the system gives out memory when it is first written, which
 * takes longer than writing it. The two arrays must not overlap. */
void sluice_threads_clear(struct sluice_threads *threads, void *memory, size_t bytes);
void sluice_threads_copy(struct sluice_threads *threads, void *to, const void *from, size_t bytes);

/* Starts a thread that blocks all signals: the thread that runs the steps must get them. `stack`:
 * its bytes; 0: the system's. Returns 0 or the error. */
int sluice_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *), void *data);
#endif

/* A team of threads shares the items of a loop: the caller and its workers.
 *
 *   items    0 ........ 41 | 42 ....... 83 | 84 ...     a part for each thread, with a cursor
 *
 * Each thread takes the items of its own part in order, and then those of other parts. So a thread
 * that loses its core holds up one item, and the others take over the rest. A loop ends when its
 * items are done. It does not wait for workers that never joined it.
 *
 * A waiting thread spins for a bounded time and then sleeps. OMP_WAIT_POLICY and GOMP_SPINCOUNT in
 * the environment change how long it spins, as in programs with GNU's OpenMP.
 *
 * Which thread takes an item, and when, is not determined: results must not depend on it. */
#ifndef SLUICE_CORE_THREADS_H
#define SLUICE_CORE_THREADS_H
#include <stdint.h>

#include "core/status.h"

struct sluice_threads;

/* One thread's place in a loop. */
struct sluice_share {
    struct sluice_threads *team; /* NULL: the caller is alone */
    int part, tried, parts;      /* the part it takes items from; empty parts seen; all parts */
    int64_t next, items;         /* if the caller is alone */
};

/* The body of a loop. Each thread that joins calls it once; it takes items until none are left. */
typedef void sluice_loop(struct sluice_share *share, void *data);

/* Starts count - 1 workers, which get no signals. The team is smaller if the system allows only
 * fewer. Errors (SLUICE_DEVICE): no memory for the team. */
sluice_status sluice_threads_create(struct sluice_threads **threads, int count);
void sluice_threads_destroy(struct sluice_threads **threads);

/* The threads of the team, and why they are fewer than requested ("" if they are not). A NULL team
 * is the caller alone. */
int sluice_threads_count(const struct sluice_threads *threads);
const char *sluice_threads_shortage(const struct sluice_threads *threads);

/* The number of threads that share the next loops: 1 to sluice_threads_count. */
void sluice_threads_use(struct sluice_threads *threads, int used);
int sluice_threads_used(const struct sluice_threads *threads);

/* Runs a loop over `items` items; only one thread at a time may call this. */
void sluice_threads_run(struct sluice_threads *threads, int64_t items, sluice_loop *body,
                        void *data);

/* Takes the next item; 0: none is left. */
int sluice_share_next(struct sluice_share *share, int64_t *item);

/* The same for a loop over n things in blocks: takes the things [first, last) of one block. The
 * loop has sluice_blocks(n, block) items. */
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

#endif

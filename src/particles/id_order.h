/* The order of particles by id, in which all files have them: it depends neither on sorts nor on
 * who holds which particles. */
#ifndef SLUICE_PARTICLES_ID_ORDER_H
#define SLUICE_PARTICLES_ID_ORDER_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/threads.h"
#include "particles/id.h"

/* from[k] becomes the index of the k-th smallest of n different ids; the caller frees it. team:
 * threads that share the work; NULL: the caller alone. Errors: memory; two particles of one id. */
sluice_status sluice_order_by_id(struct sluice_threads *team, const sluice_id *id, int64_t n,
                                 uint32_t **from);

/* A digest of ids in any order. Those of two lists add up to that of both. */
uint64_t sluice_digest_ids(const sluice_id *id, int64_t n);

/* to[k] = from[order[k]] for n entries of `bytes` bytes; the arrays do not overlap. */
void sluice_reorder(struct sluice_threads *team, void *to, const void *from, const uint32_t *order,
                    int64_t n, size_t bytes);
#endif

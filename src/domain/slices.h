/* The rows of a file that each rank writes. A file has the particles of a type in the order of
 * their ids. Each rank takes a slice of consecutive rows, whoever computes these particles, so no
 * rank needs memory for all of them. */
#ifndef SLUICE_DOMAIN_SLICES_H
#define SLUICE_DOMAIN_SLICES_H
#include <stddef.h>
#include <stdint.h>

#include "domain/comm.h"
#include "core/threads.h"
#include "particles/id.h"

/* Rows of a slice begin at a multiple of this: chunks of compressed datasets, and pieces of
 * digests, lie in one slice each. */
enum { SLUICE_SLICE_ROWS = 65536 };

/* The first row of the slice of a rank, 0 to comm->size, of `rows` rows. */
int64_t sluice_slice_first(const struct sluice_comm *comm, int64_t rows, int rank);

/* How the particles of a type come into slices. */
struct sluice_slices {
    struct sluice_comm *comm;    /* borrowed */
    struct sluice_threads *team; /* borrowed; shares the work; NULL: the caller is alone */
    int64_t first, count;        /* rows of this rank's slice */
    int64_t sent;                /* own particles */
    uint32_t *order;             /* [sent] their indices, by id */
    int64_t *to, *from;          /* [size] particles for each rank, and of each; by id */
    uint32_t *place;             /* [count] where those that came are, by id */
};

/* Plans the slices; collective. id[n]: of the particles of this rank; own[n] is 0 for halo
 * particles, NULL if there are none. first[0..size]: the first row of each rank's slice, and the
 * number of all. Errors: memory; two particles of one id. */
sluice_status sluice_slices_create(struct sluice_slices *s, struct sluice_comm *comm,
                                   struct sluice_threads *team, const sluice_id *id,
                                   const uint8_t *own, int64_t n, const int64_t *first);

/* Memory of messages, kept from call to call. A zeroed struct is a valid empty one. */
struct sluice_slice_scratch {
    char *memory;
    size_t bytes;
};
void sluice_slice_scratch_destroy(struct sluice_slice_scratch *scratch);

/* Collective: brings one field. from[n]: of the particles of this rank, of `bytes` bytes each;
 * to[count]: of its slice, in the order of the ids. Errors: memory. */
sluice_status sluice_slices_bring(const struct sluice_slices *s,
                                  struct sluice_slice_scratch *scratch, size_t bytes,
                                  const void *from, void *to);
void sluice_slices_destroy(struct sluice_slices *s);
#endif

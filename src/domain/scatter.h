/* The rows of a file on their way to the ranks that need them: the reverse of slices.h. Each rank
 * reads a slice of rows, and sends each row to every rank that needs it. The rows that come to a
 * rank are in the order of the file. */
#ifndef SLUICE_DOMAIN_SCATTER_H
#define SLUICE_DOMAIN_SCATTER_H
#include <stddef.h>
#include <stdint.h>

#include "domain/comm.h"

struct sluice_scatter {
    struct sluice_comm *comm; /* borrowed */
    int64_t first, count;     /* rows of this rank's slice */
    int64_t held;             /* rows that come to this rank */
    struct sluice_scattered {
        uint32_t *index; /* [count] rows of this rank's slice for a rank, ascending */
        int64_t count, capacity;
        int64_t arrive; /* rows of that rank's slice for this rank */
    } * rank;           /* [comm->size] */
};

/* Finds this rank's slice of `rows` rows. One rank alone holds all of them, and calls none of the
 * next three functions. A zeroed struct is a valid empty one. Errors: memory. */
sluice_status sluice_scatter_begin(struct sluice_scatter *s, struct sluice_comm *comm,
                                   int64_t rows);
/* Row `row` of the slice, from 0, goes to a rank; for each rank the rows ascend. Errors: memory. */
sluice_status sluice_scatter_add(struct sluice_scatter *s, int rank, int64_t row);
/* Collective: finds s->held. */
sluice_status sluice_scatter_end(struct sluice_scatter *s);

/* Collective: sends rows of `bytes` bytes each. from[count]: of the slice; to[held]. Errors:
 * memory. */
sluice_status sluice_scatter_send(const struct sluice_scatter *s, size_t bytes, const void *from,
                                  void *to);
void sluice_scatter_destroy(struct sluice_scatter *s);
#endif

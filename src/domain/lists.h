/* Lists of particles, made by a team of threads: their order does not depend on the team. */
#ifndef SLUICE_DOMAIN_LISTS_H
#define SLUICE_DOMAIN_LISTS_H
#include <stdint.h>

#include "core/status.h"
#include "core/threads.h"

/* The particles are asked about in so many pieces. */
enum { SLUICE_LIST_PIECES = 64 };

/* The entries that a piece adds to the lists. */
struct sluice_list_piece {
    struct sluice_list_entry {
        uint32_t index;
        int32_t list;
    } * entry;
    int64_t count, capacity;
    int failed; /* no memory */
};

/* List k, ascending: index[first[k]] to index[first[k + 1] - 1]. */
struct sluice_lists {
    int count; /* of lists */
    int64_t *first, capacity;
    uint32_t *index;
    struct sluice_list_piece piece[SLUICE_LIST_PIECES];
};

sluice_status sluice_lists_create(struct sluice_lists *lists, int count);
void sluice_lists_destroy(struct sluice_lists *lists);

static inline const uint32_t *sluice_list(const struct sluice_lists *lists, int k)
{
    return lists->index + lists->first[k];
}
static inline int64_t sluice_list_count(const struct sluice_lists *lists, int k)
{
    return lists->first[k + 1] - lists->first[k];
}

/* Adds each of the particles first to last - 1 to the lists that it belongs to. */
typedef void sluice_list_range(struct sluice_list_piece *piece, int64_t first, int64_t last,
                               void *data);
void sluice_list_add(struct sluice_list_piece *piece, int list, int64_t i);

/* Makes the lists of n particles anew. */
sluice_status sluice_lists_fill(struct sluice_lists *lists, struct sluice_threads *team, int64_t n,
                                sluice_list_range *range, void *data);
#endif

/* The division of a case among ranks. Planes cut space into one region a rank.
 *
 * A rank owns the particles in its region, and computes them. Beside them it has copies of the
 * particles of other ranks within the pair's reach of its region, its halo. Own and halo particles
 * are sorted together, so each own particle meets the same neighbours in the same order as in a run
 * of one rank, and gets the same bits, wherever the planes lie.
 *
 * At a sort, particles go to every rank that they are near to. A pass computes own particles; then
 * halos get its results (sluice_domain_refresh). Pointwise operations compute own and halo
 * particles, to the same result. Sums are of own particles, and added over all ranks.
 *
 * The table of frames (grid.h) is the same on all ranks, so a frame's slot has one meaning. */
#ifndef SLUICE_DOMAIN_DOMAIN_H
#define SLUICE_DOMAIN_DOMAIN_H
#include <math.h>

#include "domain/comm.h"
#include "domain/lists.h"
#include "grid/grid.h"
#include "kernels/types/exact_sum.h"
#include "kernels/types/regions.h"
#include "particles/particles.h"

/* The division of a set. */
struct sluice_shared_set {
    int divided;            /* 0: this rank has all that it needs, and perhaps more, unmarked */
    uint8_t *own;           /* [capacity] of each particle, in its present order: 1 or 0 */
    uint8_t *other, *marks; /* [capacity] for a sort of `own`; the memory of both */
    int64_t capacity;
    int listed;                /* `lists` are those of the last sort */
    struct sluice_lists lists; /* of what is shared with each rank */
};

/* Messages of this rank, in memory that is used again. */
struct sluice_parcels {
    struct sluice_message *send, *receive; /* [size] */
    int64_t *sent, *got;                   /* [size] particles in them */
    char *memory;
    size_t capacity;
};

struct sluice_domain {
    struct sluice_comm *comm;    /* borrowed */
    struct sluice_threads *team; /* borrowed; shares the loops over particles in host memory */
    struct sluice_regions regions;
    double low[3], high[3]; /* of the case's domain, m from the centre of frame 0 */
    int divided;            /* the cuts are made */
    int cut_count;
    int moved;                            /* the last sluice_domain_divide made new cuts */
    int fixed;                            /* 1: it makes none, and compares no costs */
    uint64_t seed;                        /* not 0: new cuts at random at every sort, for tests */
    int64_t sorts, check_at, check_after; /* sorts so far; at the next check of the costs; between
                                             two of them */
    double busiest, mean;                 /* costs of the busiest rank and of the mean rank, added
                                             up over the checks */
    uint8_t *frame_inner;                 /* [frames] the frame lies in regions.inner */
    int frame_capacity;
    int *neighbour, neighbours; /* the ranks whose regions are within reach of this one's */
    struct sluice_shared_set set[SLUICE_TYPE_COUNT];
    struct sluice_lists lists; /* of what is sent before a sort */
    struct sluice_parcels parcels;
};

/* team: or NULL. drift: how far a particle may move between two sorts, m. Errors: memory.
 * SLUICE_TEST_PLANES in the environment is a seed for random cuts. */
sluice_status sluice_domain_create(struct sluice_domain **domain, struct sluice_comm *comm,
                                   struct sluice_threads *team, const struct sluice_grid *g,
                                   double drift);
void sluice_domain_destroy(struct sluice_domain **domain);

/* Sets how far pairs reach from the next sort on, m. drift: as above. */
void sluice_domain_set_reach(struct sluice_domain *d, double cutoff, double drift);

/* Fills x with the places of particles 0, every, 2 every, ..., (n - 1) every of a set, m from the
 * centre of frame 0; the backend's. */
typedef sluice_status sluice_domain_sample(void *data, const struct sluice_grid *g,
                                           const struct sluice_set *set, int64_t every, int64_t n,
                                           double (*x)[3]);

/* One of so many particles of a type is a sample of their places, if there are count[t] of each.
 */
int64_t sluice_domain_sample_every(enum sluice_type type, const int64_t count[SLUICE_TYPE_COUNT]);

/* Makes the cuts from n samples of the case, m from the centre of frame 0, before there are sets:
 * then a rank needs no more of the case than what it is near to, and all ghost nodes. */
sluice_status sluice_domain_cut(struct sluice_domain *d, const double (*x)[3], int64_t n);

/* The first call makes the cuts, if there are none, by recursive bisection, so that each rank gets
 * an equal part of the particles of the sets, of which each rank has all then. Later calls make new
 * ones if the cuts are random, or if a rank costs 2% more than the mean. cost: of this rank since
 * the last call that made new cuts or left them for being even, in any unit that is the same on all
 * ranks. Collective. */
sluice_status sluice_domain_divide(struct sluice_domain *d, const struct sluice_grid *g,
                                   struct sluice_set *const *sets, int n, int64_t cost,
                                   sluice_domain_sample *sample, void *data);

/* The coordinates of particle i of a set, m from the centre of frame 0. */
static inline void sluice_domain_place(const struct sluice_grid *g, const struct sluice_set *set,
                                       int64_t i, double x[3])
{
    const void *position = set->field[SLUICE_FIELD_POSITION];
    const int32_t *frame = g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]];
    const int dim = set->dimension;
    for (int c = 0; c < dim; c++)
        x[c] = frame[c] * g->width[c] +
               sluice_real_at(position, set->real_bytes, (dim + 1) * i + c);
}

/* The coordinates of a place, m from the centre of frame 0. */
static inline void sluice_domain_place_of(const struct sluice_grid *g,
                                          const struct sluice_place *place, double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = c < g->dimension ? place->frame[c] * g->width[c] + place->offset[c] : 0;
}

/* Fills d->frame_inner for the present table of frames. */
sluice_status sluice_domain_find_inner(struct sluice_domain *d, const struct sluice_grid *g);

/* Whether a box, m from the centre of frame 0, is within reach of this rank's region. */
int sluice_domain_needs_box(const struct sluice_domain *d, const double low[3],
                            const double high[3]);

/* Whether this rank may get particles of a frame before the table of frames changes. */
int sluice_domain_needs_frame(const struct sluice_domain *d, const struct sluice_grid *g, int slot);

/* The capacity of a set of `count` particles, so that sorts seldom find too little: an eighth more;
 * of a large set, whose halo is thin, as many as 8 layers on one side of a cube. */
static inline int64_t sluice_domain_capacity(int64_t count)
{
    const double n = (double)count;
    return count + (int64_t)fmin(n / 8, 8 * pow(n, 2.0 / 3));
}

/* Whether this rank owns what is at a place. d: NULL, or the division. */
static inline int sluice_domain_owns(const struct sluice_domain *d, const struct sluice_grid *g,
                                     const struct sluice_place *place)
{
    double x[3];
    if (!d)
        return 1;
    sluice_domain_place_of(g, place, x);
    return sluice_regions_owner(&d->regions, x) == d->comm->rank;
}

/* Marks the last n particles of a set in host memory, which have come into it, as this rank's own.
 */
sluice_status sluice_domain_own_last(struct sluice_domain *d, struct sluice_set *set, int64_t n);

/* Makes the arrays of a set large enough for `count` particles; the backend's. */
typedef sluice_status sluice_domain_grow(void *data, struct sluice_set *set, int64_t count);

/* Sends each own particle to all ranks that it is near to, drops the others, and sets set->own. The
 * particles are in no order then. key[i] = SLUICE_LEFT: it goes, and only its owner
 * keeps it. In host memory. Collective. */
#define SLUICE_LEFT UINT32_MAX
sluice_status sluice_domain_share(struct sluice_domain *d, const struct sluice_grid *g,
                                  struct sluice_set *set, const uint32_t *key,
                                  sluice_domain_grow *grow, void *data);

/* Brings fields of halo particles from their owners; the results of ghost nodes to all ranks. The
 * first call after a sort lists these particles. Collective. */
sluice_status sluice_domain_refresh(struct sluice_domain *d, const struct sluice_grid *g,
                                    const struct sluice_set *set, sluice_fields fields);

/* The own particles of all ranks (of a set in host memory), or the n listed ones of each (index),
 * field after field of `fields`, to all. *count: how many. array[f]: of field f, in *memory, which
 * the caller frees. Collective. */
sluice_status sluice_domain_gather(struct sluice_domain *d, const struct sluice_set *set,
                                   sluice_fields fields, const uint32_t *index, int64_t n,
                                   int64_t *count, void *array[SLUICE_FIELD_COUNT], void **memory);

/* Adds exact totals over all ranks. Collective. */
sluice_status sluice_domain_add(struct sluice_domain *d, exact_total *total, int n);
#endif

/* A cluster: a few particles of one frame that are near each other, one a vector lane, that meet
 * their candidates together.
 *
 *   strategy   finds the candidates, and calls begin(cluster), list(cluster, candidates) ...,
 *              end(cluster): window.c, bucket.c, tiled.c, cells.c
 *   pair       loads the lanes; sums a list of candidates into them; stores: pairs.c. An adaptive
 *              one may leave lanes whose sums are not final: then all begins again for these
 *
 * A candidate is broadcast to all lanes, so nothing is gathered. A lane adds its candidates in the
 * order of the lists, and exact zeros for those out of its reach, so a particle's sum does not
 * depend on its cluster. Lanes without a particle repeat the last one. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_CLUSTER_H
#define SLUICE_KERNELS_CPU_LOOPS_CLUSTER_H
/* Lanes of a cluster: a vector's width, but not 64 bytes: such a cluster meets too many candidates
 * that few of its lanes need. */
#ifdef __AVX2__
#define SLUICE_LANE_BYTES 32
#else
#define SLUICE_LANE_BYTES 16
#endif
#include "kernels/cpu/loops/lane_sums.h"
#include "kernels/cpu/variant.h"
#include "kernels/types/lanes.h"
#include "kernels/types/view.h"

enum { CLUSTER_FIELDS = 79, LIST_MOST = 1024, CONSTANTS_BYTES = 1536 };

struct cpu_cluster {
    _Alignas(64) real x[3][LANES]; /* offsets from the frame's centre */
    real field[CLUSTER_FIELDS]
              [LANES];        /* the pair's: members loaded of the targets, then members summed */
    uint32_t particle[LANES]; /* of the target; the last one again in lanes from `count` on */
    int count;
    unsigned left; /* bit l: lane l is to be stored; of an adaptive pair: its sums are not final */
    real reach;    /* of an adaptive pair: the largest support of these lanes, m */
    int64_t hits;  /* ordered pairs i != j within the cutoff, where they are counted */
};

/* Candidates: particles of source `source`, all seen with one shift: d = (x_i - x_j) + shift; with
 * -x_i for x_i along the axes of `mirror`, where the targets' images behind walls meet them. */
struct cpu_list {
    int source;
    unsigned mirror; /* bits of axes */
    int same;        /* the source is the target, and the shift is 0: i meets itself */
    real shift[3];
    int count;
    uint32_t index[LIST_MOST + 64]; /* whole vectors may be written at the end */
};

/* One pass, as the threads see it. */
struct cpu_call {
    const struct cpu_lane_ops *ops;
    _Alignas(64) char constants[CONSTANTS_BYTES];
    struct sluice_view target, source[SLUICE_PASS_SOURCES];
    const struct sluice_bins *target_bins, *source_bins[SLUICE_PASS_SOURCES];
    const uint8_t *own;            /* of the target, or NULL */
    int same[SLUICE_PASS_SOURCES]; /* the source is the target */
    int dim, count_pairs;
    real cutoff;
    unsigned wanted; /* sums of the pass */
    struct sum_scales scales;
    struct shared_sums *sums; /* of all threads */
};

/* A pair for one dimension, energies on or off. */
struct cpu_lane_ops {
    int candidate_bytes; /* of its place and what is loaded of it */
    real (*prepare)(void *constants, const void *params, double mass); /* returns the cutoff, m */
    void (*begin)(const struct cpu_call *call, struct cpu_cluster *cluster);
    void (*list)(const struct cpu_call *call, struct cpu_cluster *cluster,
                 const struct cpu_list *list);
    void (*end)(const struct cpu_call *call, struct cpu_cluster *cluster, struct lane_sums *sums);
    /* For an adaptive pair, else NULL: the supports of `count` particles of a view, from `first`
     * on, m. Returns the largest. */
    real (*support)(const struct cpu_call *call, const struct sluice_view *v, int64_t first,
                    int64_t count, real *to);
    /* For an adaptive pair, else NULL: turns the cluster into its image behind a wall across an
     * axis, and back. */
    void (*mirror)(struct cpu_cluster *cluster, int axis);
    int gathers_either; /* such a pair meets candidates within their support, too */
};
/* Puts consecutive particles into the lanes, of which it stores those that this rank computes. */
static inline void cluster_put(const struct cpu_call *call, struct cpu_cluster *cluster,
                               int64_t first, int count)
{
    cluster->count = count;
    cluster->left = (1u << count) - 1;
    for (int l = 0; l < LANES; l++)
        cluster->particle[l] = (uint32_t)first + (uint32_t)(l < count ? l : count - 1);
    for (int l = 0; call->own && l < count; l++)
        if (!call->own[first + l])
            cluster->left &= ~(1u << l);
}

/* Takes the next cluster of particles *first to last - 1. It begins and ends with one that this
 * rank computes. 0: none is left. */
static inline int cluster_next(const struct cpu_call *call, struct cpu_cluster *cluster,
                               int64_t *first, int64_t last)
{
    const uint8_t *own = call->own;
    while (own && *first < last && !own[*first])
        ++*first;
    if (*first == last)
        return 0;
    const int64_t from = *first;
    int count = last - from < LANES ? (int)(last - from) : LANES;
    *first += count;
    while (own && !own[from + count - 1])
        count--;
    cluster_put(call, cluster, from, count);
    return 1;
}

/* Fills the call from the pass, whose sets are binned, and clears `sums`. pairs.c. */
void VARIANT(call_open)(struct cpu_call *call, const struct sluice_pass *pass,
                        struct shared_sums *sums);

/* Sums the list into the cluster, counts its pairs where asked, and empties it. pairs.c. */
void VARIANT(list_flush)(const struct cpu_call *call, struct cpu_cluster *cluster,
                         struct cpu_list *list);

/* Finds the candidates of all clusters with the call's own functions and cutoff. window.c. */
sluice_status VARIANT(run_window)(struct sluice_threads *team, const struct sluice_grid *g,
                                  const struct cpu_call *call, struct cpu_scratch *work);

/* Adds what a thread has summed, with `hits` pairs, and empties its sums. pairs.c. */
void VARIANT(add_sums)(const struct cpu_call *call, struct lane_sums *sums, int64_t hits);

/* Fills the totals of the pass from the sums of all threads. pairs.c. */
void VARIANT(call_close)(const struct cpu_call *call, struct sluice_pass *pass);
#endif

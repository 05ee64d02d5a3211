/* `sluice bench claims`: claims of Bilotta, Zago & Herault 2018, "Design and implementation of
 * particle systems for meshfree methods with high performance", doi:10.5772/intechopen.81755,
 * measured here.
 *
 * A case has several ways of doing the same work. They are measured in turn, one launch or more of
 * each, as often as --repeats says. Other programs then slow all ways alike. On the CPU seconds
 * are processor time, divided by the threads.
 *
 * A claim is a number, most often how many times as long another way takes, repeat by repeat. A way
 * is faster than another if that is above 1 in the median and in three of four repeats. Verdicts:
 *
 *   holds            it is faster, by nine tenths of the published number at least; by all of it
 *                    if that is a bound ("over 1.5")
 *   in part          it is faster, but by less
 *   does not hold    otherwise
 *
 * If the published number is below 1, the other way is faster, and both are turned over. That a way
 * is the fastest holds if it is faster than each other; it does not hold if another one is faster
 * than it; else it is a tie. */
#ifndef SLUICE_BENCH_CLAIMS_H
#define SLUICE_BENCH_CLAIMS_H
#include "kernels/bench/swarm.h"
#include "bench/benchmark.h"

enum { SLUICE_CLAIM_WAYS = 8 };

/* A layout of kernels/bench/swarm.h. claims_layouts.c. */
struct sluice_swarm_shape {
    const char *name;
    int components, chunk, stride;
};
extern const struct sluice_swarm_shape sluice_swarm_shapes[SLUICE_SWARM_LAYOUT_COUNT];

/* A way. `claim` NULL: nothing was published of it; `published` 0: no number. */
struct sluice_claim_way {
    const char *name;
    double bytes;      /* a particle, of the arrays that the way needs */
    const char *claim; /* way `against` takes `published` times as long */
    double published;
    int is_bound; /* 1: at least so many times */
    int against;
    sluice_status (*launch)(void *data, int way); /* queues the work once */
    struct sluice_backend *backend;               /* of the way; NULL: the case's */
    int apart; /* measured after the others: it overwrites what they read */
};

/* A case: the ways in order, and what was measured of them. */
struct sluice_claims {
    struct sluice_bench *bench;
    struct sluice_backend *backend; /* borrowed */
    const char *name;
    double particles;
    struct sluice_claim_way way[SLUICE_CLAIM_WAYS];
    int ways;
    void *data;      /* of the launches */
    double *seconds; /* [ways][repeats] a launch */
    int launches[SLUICE_CLAIM_WAYS];
};

/* --- claims_rows.c ---- */

/* Measures all ways. Afterwards `seconds` is to be freed. */
sluice_status sluice_claims_measure(struct sluice_claims *c);
/* Prints a row of each way. */
sluice_status sluice_claims_print(const struct sluice_claims *c);

/* A claim of another number than one way's time over that of another. NaN: there is none; numbers
 * that are not finite are printed as nothing. */
struct sluice_claim_number {
    int way;
    const char *claim, *unit;
    double published, measured, least, most;
    const char *verdict;
};
sluice_status sluice_claims_print_number(const struct sluice_claims *c,
                                         const struct sluice_claim_number *n);
/* One more claim of a way: that way `against` takes `published` times as long. */
sluice_status sluice_claims_print_factor(const struct sluice_claims *c, int way, int against,
                                         double published, const char *claim);
/* The verdict of a number that is to be as large as the published one; mostly: it is above 1 in
 * three of four repeats. */
const char *sluice_claims_verdict(double published, double measured, int is_bound, int mostly);
/* Whether the way is faster than another. */
int sluice_claims_is_faster(const struct sluice_claims *c, int way, int other);

/* --- claims_fields.c ---- */

/* The number of a particle is (id >> shift) & bits. */
struct sluice_claim_ids {
    int shift;
    sluice_id bits;
};
static const struct sluice_claim_ids sluice_claim_all_ids = {0, (sluice_id)-1};
/* Downloads a field of reals, by the particles' numbers. */
sluice_status sluice_claims_fetch(struct sluice_sim *sim, enum sluice_type type,
                                  enum sluice_field field, struct sluice_claim_ids ids, double *to);

/* --- claims_split.c ---- */

/* Errors: not what the branching loop is for. */
sluice_status sluice_claims_check_tank(const struct sluice_bench *bench, const char *name);
/* Random velocities: water at rest would have no rates to compare. */
void sluice_claims_stir(struct sluice_start *fluid);

/* --- The cases ---- */

sluice_status sluice_claims_lists(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_split(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_layouts(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_types(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_axes(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_typed_lists(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_sums(struct sluice_bench *bench, const char *name);
#endif

/* `sluice bench claims`: claims of Bilotta, Zago & Herault 2018, "Design and implementation of
 * particle systems for meshfree methods with high performance", doi:10.5772/intechopen.81755,
 * measured here.
 *
 * A case has several ways of doing the same work. They are measured in turn, one launch or more of
 * each, as often as --repeats says: so what else the machine does hits all of them. On the CPU
 * seconds are processor time, divided by the threads. A claim is a number, most often how many
 * times as long another way takes; its verdict is
 *
 *   holds            the median is at least nine tenths of the published number
 *   in part          it is less, but above 1 in the median and in three of four repeats
 *   does not hold    otherwise
 *
 * If the published number is below 1, the other way is faster, and both are turned over. */
#ifndef SLUICE_BENCH_CLAIMS_H
#define SLUICE_BENCH_CLAIMS_H
#include "bench/benchmark.h"

enum { SLUICE_CLAIM_WAYS = 8 };

/* A way. `claim` NULL: nothing was published of it; `published` 0: no number. */
struct sluice_claim_way {
    const char *name;
    double bytes;      /* a particle, of what the way needs */
    const char *claim; /* way `against` takes `published` times as long */
    double published;
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
void sluice_claims_print(const struct sluice_claims *c);

/* A claim of another number than one way's time over that of another. */
struct sluice_claim_number {
    int way;
    const char *claim, *unit;
    double published, measured; /* NaN: there is none */
    const char *verdict;
};
void sluice_claims_print_number(const struct sluice_claims *c, const struct sluice_claim_number *n);
/* As for times, of a measured number that is to be as large as the published one. */
const char *sluice_claims_verdict(double published, double measured, int mostly);

/* The median of n numbers, with the least and the most; it sorts them. */
double sluice_claims_median(double *x, int n, double *least, double *most);

/* --- The cases ---- */

sluice_status sluice_claims_lists(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_split(struct sluice_bench *bench, const char *name);
sluice_status sluice_claims_layouts(struct sluice_bench *bench, const char *name);
#endif

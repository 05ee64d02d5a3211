/* What `sluice bench` measures: cases as config texts, and one CSV row of a measurement. */
#ifndef SLUICE_APP_BENCH_H
#define SLUICE_APP_BENCH_H
#include <stdio.h>

#include "app/verbs.h"
#include "sim/sim.h"

enum { SLUICE_BENCH_TEXT = 2048 };

/* A periodic cube of about `particles` particles, for the pair loop alone; h over dp decides the
 * neighbours. */
void sluice_bench_cube(char text[SLUICE_BENCH_TEXT], long long particles, double h_over_dp);

/* Whole steps: names and config texts, NULL at the end; `large`: only when asked for by name. */
struct sluice_bench_case {
    const char *name, *text;
    int large;
};
extern const struct sluice_bench_case sluice_bench_steps[];

/* Bends the lattice of a case by shears that keep volumes, and shakes it: a lattice in line with
 * the bins is faster than any flow. Velocities and densities become random, the same in every run.
 */
sluice_status sluice_bench_disorder(struct sluice_case *setup);

/* A number in [-0.5, 0.5) from a counter (Steele, Lea & Flood 2014, splitmix64). */
double sluice_bench_random(uint64_t counter);

/* sluice bench strategies: CSV rows of all cubes, strategies and synthetic pairs, each of `repeats`
 * measurements. */
sluice_status sluice_bench_strategies(const struct sluice_arguments *arguments, FILE *out,
                                      int repeats);

/* A field of a CSV, without commas; and the device that a backend runs on, by name. */
void sluice_bench_field(char *out, size_t size, const char *text);
void sluice_bench_device(const struct sluice_backend *b, char device[256]);

/* One measured thing. */
struct sluice_bench_row {
    const char *verb, *name;
    const struct sluice_sim *sim;
    double pairs;    /* ordered, i != j, within the cutoff, of one repetition */
    double *seconds; /* [repeats] borrowed; sorted by printing */
    int repeats;
    double cpu_seconds; /* of all threads, the mean of the repetitions */
};
void sluice_bench_print_header(FILE *out);
void sluice_bench_print_row(FILE *out, struct sluice_bench_row *row);

/* Ordered pairs within the cutoff that a force evaluation visits: fluid from fluid and walls, and
 * the wall pass. Disturbs the accelerations. */
sluice_status sluice_bench_count_pairs(struct sluice_sim *sim, double *pairs);
#endif

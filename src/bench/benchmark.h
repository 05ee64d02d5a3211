/* Shared by the benchmarks: their list, their cases, timing, and CSV rows. */
#ifndef SLUICE_BENCH_BENCHMARK_H
#define SLUICE_BENCH_BENCHMARK_H
#include <stdio.h>

#include "kernels/types/lj_params.h"
#include "bench/bench.h"
#include "case/case.h"
#include "core/json.h"
#include "sim/sim.h"

enum { SLUICE_BENCH_TEXT = 2048, SLUICE_BENCH_PARTICLES = 216000, SLUICE_BENCH_SPHERIC = 4 };

/* One call of `sluice bench`. */
struct sluice_bench {
    const struct sluice_bench_settings *settings;
    FILE *out;               /* CSV rows; NULL: none */
    struct sluice_json json; /* rows, if settings->json */
    int rows;                /* printed */
    double *seconds;         /* [settings->repeats] one row's measurements */
    struct sluice_log log;
    /* The case that runs, if the benchmark has configs; else the backend alone. */
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim; /* by sluice_bench_start */
    struct sluice_backend backend;
};

/* A case of a benchmark. */
struct sluice_bench_case {
    const char *name;
    const char *config; /* its text, which --set changes; NULL: the benchmark has no configs */
    int large;          /* it runs only when it is named */
    /* Room for a name and a config that are made on the spot. */
    char made_name[32], made_config[SLUICE_BENCH_TEXT];
};

struct sluice_benchmark {
    const char *name;
    /* Describes case k; returns 0 after the last. */
    int (*find_case)(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found);
    sluice_status (*run)(struct sluice_bench *bench, int k, const char *name);
};
extern const struct sluice_benchmark sluice_bench_machine, sluice_bench_pair, sluice_bench_step,
    sluice_bench_scaling, sluice_bench_split, sluice_bench_strategies, sluice_bench_auto,
    sluice_bench_blocks, sluice_bench_layouts, sluice_bench_lists, sluice_bench_claims,
    sluice_bench_scans, sluice_bench_contrast, sluice_bench_sph;

/* --- cases.c ---- */

/* The cases of whole steps: SLUICE_BENCH_SPHERIC cases of SPHERIC test 2, then others; a cube (text
 * NULL), and a row with the name NULL. */
struct sluice_bench_config {
    const char *name, *text;
    int large;
};
extern const struct sluice_bench_config sluice_bench_configs[];
/* Describes the case of config k; returns 0 after the last. */
int sluice_bench_find_config(int k, struct sluice_bench_case *found);

/* The number of particles that the user asked for, or the benchmarks' own. */
long long sluice_bench_particles(const struct sluice_bench_settings *settings);

/* Gives a case the config of a periodic box of particles; its edges are in spacings. h_over_dp sets
 * the number of neighbours. */
void sluice_bench_make_box(struct sluice_bench_case *c, const double edge[3], const char *kernel,
                           double h_over_dp);

/* Gives a case the config of a periodic cube of about `particles` particles, with a kernel;
 * h_over_dp sets the number of neighbours. */
void sluice_bench_make_cube(struct sluice_bench_case *c, long long particles, const char *kernel,
                            double h_over_dp);

/* The same for SPHERIC test 2, with 85,400 particles of water, or 489,510 if as many were asked
 * for.
 */
void sluice_bench_make_tank(struct sluice_bench_case *c, long long particles, const char *kernel,
                            double h_over_dp);

/* The force of the fluid alone, as in a step, energies included. */
struct sluice_pass sluice_bench_fluid_pass(struct sluice_sim *sim);

/* Gives a case the config of a cube of about `particles` particles of a gas, and 1/32 as many
 * around it, so many times as far apart. */
void sluice_bench_make_contrast(struct sluice_bench_case *c, long long particles, int times);

/* Creates the simulation of the case, in place of an earlier one, and computes its first forces.
 * tunes: strategy `auto` measures, as in a long run. */
sluice_status sluice_bench_start(struct sluice_bench *bench, int tunes);

/* Shifts each particle of a case at random, and bends the lattice of a periodic box by shears that
 * keep volumes: on a lattice in line with the bins the pair loop is faster than in any flow.
 * Velocities and densities become random, the same in every run. */
sluice_status sluice_bench_disorder(struct sluice_case *setup);

/* split_sets.c. Turns the walls of a case into fluid, behind the fluid's own particles. */
sluice_status sluice_bench_make_one_set(struct sluice_case *setup);

/* A pseudo-random number in [-0.5, 0.5) made from a counter (Steele, Lea & Flood 2014, splitmix64).
 */
double sluice_bench_random(uint64_t counter);
/* The place of atom i, random in a cube with this edge. */
void sluice_bench_random_place(int64_t i, double edge, double x[3]);

/* The median of n numbers, with the least and the most; it sorts them. */
double sluice_bench_median(double *x, int n, double *least, double *most);

/* --- Cubes of random atoms (strategies.c): cells of one cutoff along an edge, atoms a cell ---- */

enum { SLUICE_BENCH_CUBES = 15, SLUICE_BENCH_CUBE_PAIRS = 3 };
struct sluice_bench_cube {
    int edge, filling;
    int64_t atoms;
};
struct sluice_bench_cube sluice_bench_cube_at(int k);
/* Names the case of cube k: "8x10"; returns 0 after the last. */
int sluice_bench_name_cube(int k, struct sluice_bench_case *found);
extern const int sluice_bench_cube_pairs[SLUICE_BENCH_CUBE_PAIRS];

/* --- Atoms on a backend without a simulation (sorted_cube.c) ---- */

/* Lennard-Jones' parameters, with a cutoff of 1 and masses of 1. */
struct lj_params sluice_bench_lj(double sigma);

/* n particles of mass 1 in an open cube with an edge of `edge` cutoffs; the cutoff is 1. They are
 * sorted into the bins that the backend's strategy wants for Lennard-Jones with `filling` particles
 * in a cubic cutoff. Particle i has the id i, and its place at x[i stride] (host). */
struct sluice_bench_set {
    struct sluice_backend *backend; /* borrowed */
    struct sluice_grid grid;
    struct sluice_set set;
};
sluice_status sluice_bench_set_create(struct sluice_bench_set *s, struct sluice_backend *b,
                                      const double *x, int stride, int64_t n, double edge,
                                      double filling);
void sluice_bench_set_destroy(struct sluice_bench_set *s);
sluice_status sluice_bench_set_sort(struct sluice_bench_set *s); /* again; waits */

/* --- A row of results: CSV, JSON or both (rows.c) ---- */

/* A copy without commas. */
void sluice_bench_csv_text(char out[256], const char *text);

struct sluice_bench_row {
    struct sluice_bench *bench;
    char head[1024], line[2048];
    size_t head_used, line_used;
    int cells, is_cut; /* is_cut: some text did not fit */
};
struct sluice_bench_row sluice_bench_row_begin(struct sluice_bench *bench);
void sluice_bench_row_text(struct sluice_bench_row *r, const char *key, const char *text);
/* Whole numbers in full, others with so many digits in CSV, and all of them in JSON. NaN: empty,
 * null. */
void sluice_bench_row_number(struct sluice_bench_row *r, const char *key, double value, int digits);
/* The columns that say where it was measured. */
void sluice_bench_row_origin(struct sluice_bench_row *r, const struct sluice_backend *b);
sluice_status sluice_bench_row_end(struct sluice_bench_row *r);

/* --- Measurements, and their rows ---- */

/* The measurements of a row: each is the mean of `launches` launches. */
struct sluice_bench_times {
    double *seconds; /* [repeats] borrowed; sorted by printing */
    int repeats, launches;
};

struct sluice_bench_limits {
    int most;      /* launches a measurement */
    double budget; /* s a measurement, about */
};
/* Launches the work twice to warm up, then measures it. `work` queues one launch. From the second
 * launch follows how many fit into the limits. */
sluice_status sluice_bench_time(struct sluice_bench_times *times, struct sluice_backend *b,
                                const struct sluice_bench_limits *limits,
                                sluice_status (*work)(void *data), void *data);

/* Launches a pass once, and counts its pairs. */
sluice_status sluice_bench_count(struct sluice_backend *b, const struct sluice_grid *g,
                                 struct sluice_pass *pass, double *pairs);

/* A row of whole steps, or of their pair loop. */
struct sluice_bench_steps {
    const char *name;
    const struct sluice_sim *sim;
    double pairs;                         /* ordered, i != j, within the cutoff, a repetition */
    double flops;                         /* of all pairs */
    double moved;                         /* least bytes read and written a repetition */
    double section[SLUICE_SECTION_COUNT]; /* s, in proportion; all 0: unknown */
    double cpu_seconds;                   /* of all threads, a repetition */
};
sluice_status sluice_bench_print_steps(struct sluice_bench *bench,
                                       const struct sluice_bench_steps *row);

/* A row of one loop, as all other benchmarks print. */
struct sluice_bench_loop {
    const char *name, *variant;
    const struct sluice_backend *backend;
    double particles, pairs; /* pairs as above */
    double flops;            /* a pair */
    double moved, held;      /* bytes a particle: least read and written; allocated */
    struct sluice_bench_times times;
};
sluice_status sluice_bench_print_loop(struct sluice_bench *bench, struct sluice_bench_loop *row);
/* The same as a row of `strategies`. */
sluice_status sluice_bench_print_strategy(struct sluice_bench *bench, struct sluice_bench_loop *row,
                                          const struct sluice_bench_cube *cube);

/* The least bytes that a pass reads and writes: every field of the target that the pair reads,
 * every one that it writes, and the fields that it reads of sources other than the target. */
double sluice_bench_moved(const struct sluice_pass *pass);
#endif

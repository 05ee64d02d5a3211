/* What `sluice bench` measures: cases as config texts, and one CSV row of a measurement. */
#ifndef SLUICE_BENCH_BENCH_H
#define SLUICE_BENCH_BENCH_H
#include <stdio.h>

#include "app/verbs.h"
#include "backend/backend.h"
#include "sim/sim.h"

enum {
    SLUICE_BENCH_TEXT = 2048,
    SLUICE_BENCH_BOXES = 5,
    SLUICE_BENCH_FILLINGS = 3,
    SLUICE_BENCH_CUBE_PAIRS = 3,
    SLUICE_BENCH_NAMES = 256
};

/* The names of the cases of a sub-benchmark, "a, b, c"; "": it has none, or there is no such. */
void sluice_bench_names(const char *what, char known[SLUICE_BENCH_NAMES]);

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

/* The cubes of `strategies`: cells of a cutoff along an edge, and particles a cell in the mean. */
extern const int sluice_bench_boxes[SLUICE_BENCH_BOXES],
    sluice_bench_fillings[SLUICE_BENCH_FILLINGS];
extern const int sluice_bench_cube_pairs[SLUICE_BENCH_CUBE_PAIRS];
void sluice_bench_cube_name(int box, int filling, char name[32]); /* 8x10 */

/* Such a cube as a file of particles, in a folder of its own, and the config of a run of it with
 * Lennard-Jones' pair. Remove what was written, also after an error. */
struct sluice_bench_atoms_file {
    int box, filling;
    char folder[512], path[600];
};
sluice_status sluice_bench_atoms_write(struct sluice_bench_atoms_file *file, int box, int filling);
void sluice_bench_atoms_text(const struct sluice_bench_atoms_file *file,
                             char text[SLUICE_BENCH_TEXT]);
void sluice_bench_atoms_remove(struct sluice_bench_atoms_file *file);

/* auto: rows of what it chooses for a case, of all that it may choose from, and of its look.
 * Errors: the case names a strategy. */
sluice_status sluice_bench_auto(const struct sluice_case *setup, const char *name, FILE *out,
                                int repeats);

/* Loops beside the program's own, by the name of the sub-benchmark: blocks, layouts, lists. */
const char *sluice_bench_loop_name(int i); /* of its cases; NULL: there are no more */
sluice_status sluice_bench_loops(const struct sluice_arguments *arguments, FILE *out, int repeats);

/* split: sets against one mixed loop, of a case with walls, which is changed. seconds: [repeats] to
 * work in. */
sluice_status sluice_bench_split(struct sluice_case *setup, const char *name, FILE *out,
                                 double *seconds, int repeats);

/* Opens the backend of a sub-benchmark without a config, by --backend, --strategy, --precision and
 * --threads. Errors: what is wrong with them, or a --set. */
sluice_status sluice_bench_open(struct sluice_backend *b, const struct sluice_arguments *arguments);
/* A device, and not the CPU or one emulated. */
int sluice_bench_is_device(const struct sluice_backend *b);

/* Lennard-Jones' parameters, with a cutoff of 1 and masses of 1. */
struct sluice_bench_lj {
    union {
        double align;
        char bytes[256];
    };
};
void sluice_bench_lj(struct sluice_bench_lj *lj, double sigma);

/* Particles of mass 1 at x (host) in an open cube of `edge` cutoffs of 1, sorted, in bins as the
 * backend's strategy wants them for Lennard-Jones and `filling` particles a cubic cutoff; ids are
 * indices of x. */
struct sluice_bench_set {
    struct sluice_backend *backend; /* borrowed */
    struct sluice_grid grid;
    struct sluice_set set;
};
sluice_status sluice_bench_set_create(struct sluice_bench_set *s, struct sluice_backend *b,
                                      const double (*x)[3], int64_t n, double edge, double filling);
void sluice_bench_set_destroy(struct sluice_bench_set *s);
sluice_status sluice_bench_set_sort(struct sluice_bench_set *s); /* again; waits */

/* A field of a CSV, without commas; and the device that a backend runs on, by name. */
void sluice_bench_field(char *out, size_t size, const char *text);
void sluice_bench_device(const struct sluice_backend *b, char device[256]);

/* One measured thing. */
struct sluice_bench_row {
    const char *verb, *name;
    const struct sluice_sim *sim;
    double pairs; /* ordered, i != j, within the cutoff, of one repetition */
    double flops; /* of these */
    double moved; /* bytes read and written at least, of one repetition */
    double section[SLUICE_SECTION_COUNT]; /* s, in proportion; all 0: not known */
    double *seconds;                      /* [repeats] borrowed; sorted by printing */
    int repeats;
    double cpu_seconds; /* of all threads, the mean of the repetitions */
};
void sluice_bench_print_header(FILE *out);
void sluice_bench_print_row(FILE *out, struct sluice_bench_row *row);

/* Bytes that a pass reads and writes at least: each field of its target that the pair reads, each
 * that it writes, and of other sources what it reads there. */
double sluice_bench_moved(const struct sluice_pass *pass);

/* A row of blocks, layouts, lists or split: one launch of a loop. */
struct sluice_bench_loop {
    const char *bench, *name, *variant;
    const struct sluice_backend *backend;
    double particles, pairs; /* pairs as above */
    double flops;            /* of a pair */
    double moved, held;    /* bytes a particle: that it reads and writes at least, that it needs */
    double *seconds;       /* [repeats] borrowed; sorted by printing */
    int repeats, launches; /* a measurement is the mean of so many */
};
void sluice_bench_print_limits(FILE *out, const struct sluice_backend *b, double flops,
                               double bytes, double seconds); /* two columns, which may be empty */
void sluice_bench_print_loop_header(FILE *out);
void sluice_bench_print_loop(FILE *out, struct sluice_bench_loop *row);

/* Ordered pairs within the cutoff that a force evaluation visits, and their operations: fluid from
 * fluid and walls, and the wall pass. Disturbs the accelerations. */
sluice_status sluice_bench_count_pairs(struct sluice_sim *sim, double *pairs, double *flops);
#endif

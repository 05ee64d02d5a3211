/* The interface of a backend. cpu, cuda and hip each fill one table of operations; nothing above
 * this level knows which one runs.
 *
 * Memory belongs to the backend that allocated it. Host and device pointers never mix; only upload
 * and download cross. Every operation queues its work in order and returns; on the CPU the work is
 * done when it returns.
 *
 * Results in host memory (sluice_pass.sum, sluice_reduce.out, `gone` of bin) are filled when
 * `sync` returns, or `wait` for their batch: keep those structs in place until then. Input (params,
 * grid, central forces, origin, what is uploaded) is read before the operation returns. Copies run
 * after the work queued before; download waits for it. They fill no results.
 *
 * Before its results are filled, a set's `count` may be too high: particles that have gone are at
 * the end of the sorted arrays, and the backend passes over them. The `sync` or `wait` that lists
 * them takes them off the count. Only a bin() with births raises the count: wait for all queued
 * work before it.
 *
 * Steps may be queued before the results of earlier ones are known, so the particles may have blown
 * up already: an operation stays inside its arrays, whatever the numbers are. */
#ifndef SLUICE_BACKEND_BACKEND_H
#define SLUICE_BACKEND_BACKEND_H
#include <stddef.h>
#include <stdint.h>

#include "backend/orders.h"
#include "core/status.h"
#include "core/timer.h"
#include "grid/grid.h"
#include "kernels/types/exact_sum.h"
#include "kernels/types/interaction.h"
#include "particles/particles.h"

enum { SLUICE_PASS_SOURCES = 2 };

/* One interaction: a target set from one or two source sets, in one loop over the target's
 * particles. */
struct sluice_pass {
    const char *name;   /* row of the timing table */
    int pair;           /* SLUICE_PAIR_... of kernels/registry.h */
    const void *params; /* the pair's struct NAME_params, double, host memory */
    struct sluice_set *target;
    struct sluice_set *source[SLUICE_PASS_SOURCES]; /* NULL: none */
    unsigned sums;                /* those that are wanted, SLUICE_SUM_BIT(...); others are 0 */
    int count_pairs;              /* fill SLUICE_SUM_PAIRS (slower; benchmarks and tests) */
    uint32_t least_motion;        /* leave out targets whose MOTION is less; 0: none */
    struct sluice_scales scales;  /* of the sums */
    double sum[SLUICE_SUM_COUNT]; /* out, after sync or wait; NaN if a term was out of range, but
                                     never PAIRS */
    int64_t out_of_range;         /* out: terms that are not finite, or beyond 2^16 of the scale */
    exact_total total[SLUICE_SUM_COUNT]; /* the backend's: of this rank */
    const uint8_t *asked; /* the backend's: 0 for targets that are left out; NULL: as set->own */
};

/* Fills a pass's sums from the totals of all its targets. */
void sluice_pass_fill(struct sluice_pass *pass, const exact_total total[SLUICE_SUM_COUNT],
                      int64_t out_of_range);

/* The common mass of all particles of the target and the sources, kg; 0 if masses differ. */
double sluice_pass_mass(const struct sluice_pass *pass);

/* Only the pass `reaction` reads these fields of the fluid, in few steps. On the host it sends them
 * to halos itself. */
#define SLUICE_LATE_FIELDS (SLUICE_BIT(PUSH) | SLUICE_BIT(FRICTION))

/* The fields that a pass writes, and that its targets in the halos of other ranks need after it. */
sluice_fields sluice_pass_refreshes(const struct sluice_pass *pass, int on_host);

/* An operation on each particle of a set by itself. */
struct sluice_point {
    const char *name;
    int op;             /* SLUICE_POINTWISE_... of kernels/registry.h */
    const void *params; /* the operation's own struct, double, host memory */
    struct sluice_set *set;
};

/* The extremes of a set. */
struct sluice_extremes {
    double max_speed2, max_acceleration2; /* m^2/s^2, m^2/s^4 */
    double min_scalar, max_scalar;        /* of r = rho/rho0 - 1; of a gas of u, J/kg */
    double max_rate;          /* of a gas: the inverse of its time step of cfl 1, 1/s; else 0 */
    double max_length;        /* of a gas: the largest smoothing length, m; else 0 */
    int64_t not_finite;       /* particles whose velocity, acceleration or scalar is not finite;
                                 with sums also those whose position is not, or which have a term
                                 beyond 2^16 of its scale */
    int64_t first_not_finite; /* the smallest id of them; -1 if none, in a loop INT64_MAX */
};

/* The result of reduce() for a set. Its sums are exact: kernels/types/exact_sum.h; NaN if a
 * particle is not finite. Walls have a mass and an elastic energy, and 0 for the other sums. */
struct sluice_summary {
    struct sluice_extremes extremes;
    double mass, kinetic, elastic, potential; /* kg, J */
    double momentum[3];                       /* kg m/s */
    double angular[3];   /* kg m^2/s about the potential origin; [2] only in 2-D */
    double driven_power; /* of the acceleration without a potential, W */
};

/* The arguments of reduce beside the arrays. */
struct sluice_reduce {
    struct sluice_set *set;
    int sums; /* 0: only the extremes of `out` are filled, in less time */
    /* Gives the energy that SCALAR holds (kernels/types/scalar_energy.h); NULL: it holds none. */
    const struct scalar_energy_params *energy;
    /* m/s^2: with a potential, -g.x; and the rest, which is 0 beyond the dimension */
    double gravity[3], driven[3];
    struct sluice_scales scales; /* of the sums */
    int central_count;
    const struct sluice_central *central; /* conservative central forces */
    struct sluice_place origin;           /* where the gravitational potential is 0 */
    struct sluice_summary out;            /* after sync or wait */
    exact_total total[SUMMARY_SUMS];      /* the backend's: of this rank */
    struct sluice_extremes extremes;      /* the same */
};

/* Fills r->out from the totals of all particles. */
void sluice_summary_fill(struct sluice_reduce *r, const exact_total total[SUMMARY_SUMS],
                         const struct sluice_extremes *extremes);

/* Sums over the particles of each label, a number that a formula gives a particle. */
enum { SLUICE_LABEL_TERMS_MOST = 43, SLUICE_LABEL_ROUNDS = 12 };
struct sluice_label_sums {
    int formula;        /* SLUICE_LABELLED_... of kernels/registry.h */
    const void *params; /* the formula's own struct, double, host memory */
    struct sluice_set *set;
    int labels, terms;                  /* labels 0, 1, ...; the terms of each particle */
    int scale[SLUICE_LABEL_TERMS_MOST]; /* of the terms: kernels/types/exact_sum.h */
    double *out; /* [terms][labels], NaN: a term was out of range; with rounds work space */
    struct sluice_label_rounds *rounds; /* NULL: the sums alone */
    int later; /* 1, without rounds: filled after sync or wait; `out` may then be the backend's own
                  memory, good until the next sums. For one caller a step */
};

/* Rounds of such sums, each of which changes the state of the labels; the terms of the next round
 * follow from it. They end when no state changes by more than the tolerance. For each label: */
struct sluice_label_rounds {
    void *state;       /* before and after the rounds */
    void *table;       /* the same in the backend's memory, where the formula reads it */
    const void *given; /* does not change */
    void *result;      /* out */
    size_t state_bytes, given_bytes, result_bytes;
    /* The formula's NAME_round for the host. Returns by how much the state changes, relative. */
    double (*round)(int dimension, const void *given, const double *sum, void *state, void *result);
    double tolerance;
    int count; /* how many it took; SLUICE_LABEL_ROUNDS + 1: it did not end */
};

/* A particle by itself, in host memory. */
struct sluice_listed_particle {
    sluice_id id; /* first: lists are sorted by it */
    uint32_t phase, group;
    uint32_t retires; /* of one that is gone: its field of this name; 0: it left the domain */
    int32_t slot;     /* a guess of its frame's slot in the grid's table */
    struct sluice_place place;
    double velocity[3], scalar, mass; /* m/s; r = rho/rho0 - 1, u in J/kg, else 0; kg */
    double acceleration[3]; /* of one that comes: a(n) and a(n-1), for its prediction, m/s^2 */
    double energy;          /* of one that came or went, J: once sim/population.c has summed them */
};

/* A list of them, in host memory. It is enlarged with realloc; the caller frees it. A zeroed struct
 * is a valid empty one. */
struct sluice_particle_list {
    int64_t count, capacity;
    struct sluice_listed_particle *particle;
};

/* A box, m, in the config's coordinates (domain.frame_shift taken off); in 2-D x and y count. */
struct sluice_box {
    double low[3], high[3];
};

/* A request for the particles of a set that lie in any of some boxes. The backend may bring more,
 * up to the whole set, in any order; callers that sum order them by id. The memory is on the host:
 * the backend enlarges it, the caller frees it with sluice_fetch_destroy. A zeroed struct is a
 * valid empty one. */
struct sluice_fetch {
    struct sluice_set *set;
    sluice_fields
        fields; /* SLUICE_BIT(...) of the arrays wanted; those that the set lacks stay NULL */
    const struct sluice_box *box;
    int box_count;
    int64_t count;                   /* out */
    void *field[SLUICE_FIELD_COUNT]; /* out: arrays of `count`, in `memory`; NULL: absent */
    void *memory;
    size_t bytes;
};

/* A question: among the particles above a height on the last axis, how far does the foremost one
 * reach along `axis`? */
struct sluice_foremost {
    int axis;
    double above; /* m, config coordinates; -INFINITY: all of them */
    double x;     /* out: m, to the rounding of doubles; -INFINITY: there are none */
};

/* Particles in the occupied cells of a set. A cell is a box of bins, a cutoff wide or a little
 * more. */
struct sluice_occupancy {
    double mean; /* 0: no particles */
    int64_t fullest;
};

/* Counts of a set on one of several ranks: halo particles, and own particles in the halos of other
 * ranks. */
struct sluice_halo {
    int ranks;
    int64_t count, sent;
};

struct sluice_backend;
struct sluice_domain;

/* The memory that a backend allocates beside the sets, once it is open. */
enum sluice_beside {
    SLUICE_BESIDE_FRAMES, /* the table of frames */
    SLUICE_BESIDE_RANKS,  /* of several ranks: lists of shared particles, and messages */
    SLUICE_BESIDE_REST,   /* work space of the scan, results */
    SLUICE_BESIDE_COUNT
};

enum { SLUICE_IN_FLIGHT = 8 }; /* batches that may be posted and not yet waited for */

/* Where the last sort put a particle: the frame in x, the rows of bins in y and z counted
 * from frame 0, and the place among the particles of this row in this frame. */
struct sluice_sorted {
    int32_t frame_x, row_y, row_z, place;
};

/* A set is sorted again before any particle has moved farther than SLUICE_DRIFT_MOST cutoffs. With
 * finer rows, so that a cutoff and twice that drift reach over more than SLUICE_DRIFT_ROWS of them,
 * each step sorts. */
#define SLUICE_DRIFT_MOST 0.05
enum { SLUICE_DRIFT_ROWS = 6 };

struct sluice_backend_ops {
    const char *name; /* as in backend.name */

    int on_host;       /* 1: steps run on the host's processors, which output shares then */
    int tunes_x;       /* 1: `auto` tries other bins in x than bins() gives */
    int tries_cells;   /* 1: `auto` tries the strategies of cells; 0: they are never faster */
    double tiled_most; /* most pairs tested in a step for which `tiled` may be fastest; 0: never */
    double timing_noise; /* relative; `auto` ignores smaller gains */

    /* Whether device `number` can be used. `text`: its name, memory and architecture, or the reason
     * why not (no driver, driver too old, no such device). Needs no open backend, and leaves
     * nothing behind. */
    int (*device)(int number, char *text, size_t size);

    /* The bins a cutoff on each axis that a strategy wants. pair: the enum sluice_pair that takes
     * most of a step; reach: the cutoff over the spacing of particles (Lennard-Jones: over
     * sigma). */
    void (*bins)(int strategy, int pair, int dimension, double reach, double bins_per_cutoff[3]);

    sluice_status (*open)(struct sluice_backend *b, int device, int threads, int real_bytes);
    void (*close)(struct sluice_backend *b);
    /* Opens the path of messages between ranks, and names it in b->messages, once b->domain is set.
     * Collective. NULL: MPI carries them from host memory. */
    sluice_status (*join)(struct sluice_backend *b);
    sluice_status (*alloc)(struct sluice_backend *b, size_t bytes,
                           void **out); /* zeroed, 64-byte aligned */
    void (*free)(struct sluice_backend *b, void *memory);
    /* Free bytes for arrays. beside: the bytes allocated for no set in particular; NULL: not asked.
     * The operation is NULL if there is no limit. */
    int64_t (*available)(const struct sluice_backend *b, int64_t beside[SLUICE_BESIDE_COUNT]);

    /* Columns of scratch space (columns.h) that the backend wants for a set of known fields and
     * capacity; NULL: only those that the fields need. */
    int (*scratch_columns)(const struct sluice_set *set);

    /* Estimates, to a few percent, the bytes that the backend will take for a planned set
     * (sluice_set_plan) of set->count particles beside the set's own memory. count[slot]: particles
     * in each frame of the grid's table that this rank needs; NULL: not known. halo: of one of
     * several ranks; NULL: the program is alone. The operation is NULL if `available` is. */
    int64_t (*needs)(const struct sluice_backend *b, const struct sluice_grid *g,
                     const struct sluice_set *set, const uint32_t *count,
                     const struct sluice_halo *halo);
    sluice_status (*upload)(struct sluice_backend *b, void *to, const void *from_host,
                            size_t bytes);
    sluice_status (*download)(struct sluice_backend *b, void *to_host, const void *from,
                              size_t bytes);

    /* v += dt/2 a; r += dt/2 R; x += dt v, all compensated. Puts positions back into frames; FRAME
     * slots may then point to any slot of the table, occupied or not. This and the operations below
     * need sets that were binned. A backend may defer this and the kick to the set's next
     * operation; until then the set's fields stay where they are. */
    sluice_status (*kick_drift)(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_set *set, double dt);

    /* Sorts each of the n sets that moves (all sets the first time) by bin, then by id. If needed,
     * rebuilds the table of frames and renumbers the slots of every set. With b->drifted > 0
     * nothing is sorted.
     *
     * Before the sort `born` comes into the fluid (NULL: none): the same list on all ranks, each of
     * which takes those in its region. The set's memory grows if it must. Fluid that has left the
     * domain on open axes, and fluid whose field RETIRES is not 0, goes: `gone` lists it after sync
     * or wait, on all ranks. Between two sorts nothing comes or goes. */
    sluice_status (*bin)(struct sluice_backend *b, struct sluice_grid *g,
                         struct sluice_set *const *sets, int n,
                         const struct sluice_particle_list *born,
                         struct sluice_particle_list *gone);

    /* For checkpoints between two sorts; both NULL if every bin() sorts. order (collective): where
     * the last sort put each particle of a moving set among those of all ranks, [count] in host
     * memory; only of the particles that this rank owns. bin_as: the first bin() of sets that are
     * in the order of an earlier sort, with b->drifted > 0; bin[type]: the order of a moving set.
     * Errors: SLUICE_IO, the particles are not in this order. Both wait for the device. */
    sluice_status (*order)(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, struct sluice_sorted *bin);
    sluice_status (*bin_as)(struct sluice_backend *b, struct sluice_grid *g,
                            struct sluice_set *const *sets, int n,
                            struct sluice_sorted *const bin[SLUICE_TYPE_COUNT]);

    sluice_status (*pointwise)(struct sluice_backend *b, const struct sluice_grid *g,
                               const struct sluice_point *point);
    sluice_status (*interact)(struct sluice_backend *b, const struct sluice_grid *g,
                              struct sluice_pass *pass);
    /* Collective, the same on every rank. Waits for the work before; with s->later only ranks do */
    sluice_status (*sum_labels)(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_label_sums *s);
    sluice_status (*kick)(struct sluice_backend *b, struct sluice_set *set,
                          double dt); /* v += dt/2 a; r += dt/2 R */
    sluice_status (*reduce)(struct sluice_backend *b, const struct sluice_grid *g,
                            struct sluice_reduce *r);
    void (*bins_free)(struct sluice_bins **bins); /* a set's search table; NULL allowed */

    /* Waits for all queued work and fills its results. Also returns errors of the device that were
     * not known when their operation returned; so does wait. */
    sluice_status (*sync)(struct sluice_backend *b);

    /* post: the work queued since the last post becomes the batch of this slot, 0 to
     * SLUICE_IN_FLIGHT - 1. wait: waits for that batch, not for later ones, and fills its results.
     * early: NULL, or it waits only until the list of what has gone in that batch is complete, if
     * that is before the batch's end, and sets *early to whether it is.
     * Wait for batches in the order of their posts. Both NULL if operations are done when they
     * return. */
    sluice_status (*post)(struct sluice_backend *b, int slot);
    sluice_status (*wait)(struct sluice_backend *b, int slot, int *early);

    /* mark: the work queued from here on belongs to a section of the step (-1: to none). elapsed:
     * after a sync or wait, adds the device's seconds of the work marked since the last call; only
     * some steps are marked. Both NULL if the host's clock times the work correctly. */
    void (*mark)(struct sluice_backend *b, int section);
    sluice_status (*elapsed)(struct sluice_backend *b, double seconds[SLUICE_SECTION_COUNT]);

    /* The state of a set as it was last sorted; filled when it returns. No queued work may be
     * left. */
    sluice_status (*occupancy)(struct sluice_backend *b, const struct sluice_grid *g,
                               const struct sluice_set *set, struct sluice_occupancy *out);

    /* For probes; both wait for the work queued before. fetch brings the particles in boxes;
     * foremost answers n questions about one set. */
    sluice_status (*fetch)(struct sluice_backend *b, const struct sluice_grid *g,
                           struct sluice_fetch *fetch);
    sluice_status (*foremost)(struct sluice_backend *b, const struct sluice_grid *g,
                              const struct sluice_set *set, struct sluice_foremost *of, int n);
};

/* Results of this rank alone, that sluice_settle adds over all ranks. */
struct sluice_pending {
    int pass_count, pass_capacity, reduce_count;
    struct sluice_pass **pass; /* [pass_capacity] */
    exact_total *sum;          /* [sum_capacity] work space of sluice_settle */
    int64_t sum_capacity;
    struct sluice_reduce *reduce[SLUICE_TYPE_COUNT];
    struct sluice_particle_list *gone;
};

/* Sizes of the strategies of cells. Published: on the CPU a vector has particles of one cell alone.
 * Ghost threads: and all-in-sm has one for each particle of a box and of the cells around it. */
enum sluice_published { SLUICE_OWN_SIZES, SLUICE_PUBLISHED_SIZES, SLUICE_PUBLISHED_GHOST_THREADS };

struct sluice_backend {
    const struct sluice_backend_ops *ops;
    void *data;                  /* the backend's own */
    int real_bytes;              /* 4 or 8 */
    int passes;                  /* that may be queued between two posts or syncs, at most */
    struct sluice_orders orders; /* what decides the order of sums */
    const char *isa;    /* instruction set or device in use, for the log and the checkpoint */
    char device_id[64]; /* what only this device of the host has; "": no device */
    int shares_device;  /* 1: some ranks use the same device */
    char messages[256]; /* the path of messages between ranks, and the reason; "": MPI carries
                           them from host memory */
    int64_t free_least; /* bytes of `available` that were free when arrays took most, since open */
    struct sluice_domain *domain; /* the division among ranks; NULL: this program is alone */
    struct sluice_pending pending;
    struct sluice_threads *team; /* that computes; NULL: a device does. Code that times steps may
                                    change how many threads are used (core/threads.h) */
    /* m: the farthest that a particle can have moved since its set was sorted, this step's drift
     * included; at most SLUICE_DRIFT_MOST cutoffs. 0: the next bin() sorts. */
    double drifted;
    int published;  /* enum sluice_published */
    int shared_kib; /* KiB of shared memory that strategies give a block at most, on the CPU KiB of
                       candidates that particles meet together; 0: 48, which every GPU has; -1: all
                       that this one has */
    char passed_over[512]; /* the backends that "auto" did not take, and the reasons; or "" */
};

/* settle.c: fills the results of a pass, or of a reduction, from their totals; on several ranks
 * at the next sluice_settle, which is collective. */
sluice_status sluice_settle_pass(struct sluice_backend *b, struct sluice_pass *pass);
sluice_status sluice_settle_reduce(struct sluice_backend *b, struct sluice_reduce *r);
sluice_status sluice_settle(struct sluice_backend *b);
void sluice_settle_destroy(struct sluice_backend *b);

/* settle.c: an occupancy, from that of each rank. Collective. */
sluice_status sluice_occupancy_add(struct sluice_domain *d, struct sluice_occupancy *out,
                                   int64_t occupied, int64_t particles);

/* pass.c: estimates the pairs that a strategy tests for this many targets, each with this many
 * neighbours among the sources. */
double sluice_strategy_tests(int strategy, int dimension, double neighbours, double targets,
                             double sources);

/* Sets the fields, count, capacity and columns of a set of n particles, without allocating it. */
void sluice_set_plan(const struct sluice_backend *b, struct sluice_set *set, sluice_fields fields,
                     int64_t n);
/* Fails if n particles are more than a set can hold: they have indices of 32 bits, of which the
 * last ones have a meaning of their own. Results of ghost nodes lie by id, so no rank may have
 * more. */
#define SLUICE_SET_MOST (INT64_C(0xffff0000))
sluice_status sluice_set_check(const struct sluice_set *set, int64_t n);
/* Allocates, in the backend's memory, the arrays of `fields` for n particles, zeroed. */
sluice_status sluice_set_create(struct sluice_backend *b, struct sluice_set *set,
                                sluice_fields fields, int64_t n);
/* Moves a set to new memory for n particles. Keeps its STATE fields. For backends whose memory is
 * the host's. */
sluice_status sluice_set_resize(struct sluice_backend *b, struct sluice_set *set, int64_t n);
/* Makes a set large enough for n particles. One that is too small gets memory for half as many more
 * if there is any. For backends whose memory is the host's. */
sluice_status sluice_set_grow(struct sluice_backend *b, struct sluice_set *set, int64_t n);
void sluice_set_destroy(struct sluice_backend *b, struct sluice_set *set);

/* Lays out arrays of `count` particles, each at a multiple of 64 bytes. Returns the bytes of all.
 */
size_t sluice_fetch_lay_out(struct sluice_fetch *fetch, int64_t count);
/* Allocates memory for `count` particles, and lays out the arrays in it. */
sluice_status sluice_fetch_reserve(struct sluice_fetch *fetch, int64_t count);
/* Brings the n listed particles of each rank (index NULL: all own ones) to all ranks, from a set in
 * host memory. Collective. */
sluice_status sluice_fetch_from_ranks(struct sluice_backend *b, struct sluice_fetch *fetch,
                                      const struct sluice_set *host, const uint32_t *index,
                                      int64_t n);
/* A copy of set->own in host memory, NULL where the set has none; the caller frees it. */
sluice_status sluice_own_to_host(struct sluice_backend *b, const struct sluice_set *set,
                                 uint8_t **own);
/* Brings the particles of the set that this rank owns, in their order. */
sluice_status sluice_fetch_own(struct sluice_backend *b, struct sluice_fetch *fetch);
void sluice_fetch_destroy(struct sluice_fetch *fetch);
#endif

/* What a backend can do. cpu, cuda and hip each fill one table; nothing above this line knows which
 * is in use.
 *
 * Memory belongs to the backend that gave it: host pointers and device pointers never mix, and only
 * upload and download cross. Every operation queues its work in order and returns; on the CPU all
 * is done when it returns.
 *
 * What an operation gives back in host memory (sluice_pass.sum, sluice_reduce.out,
 * sluice_removed) is filled when `sync` returns, or `wait` for the batch that it belongs to: those
 * structs stay where they are until then. What only goes in (params, grid, central forces, origin)
 * is read before the operation returns. upload and download wait for what was queued before them,
 * but fill nothing of this.
 *
 * A set's `count` may be too high until then: what left the domain stands at the end of the sorted
 * arrays, is passed over by the backend itself, and is taken off the count of its set by the
 * `sync` or `wait` that lists it. So `count` never grows, and arrays sized by it hold.
 *
 * Steps may be queued ahead of the results of earlier ones, so the particles may have blown up
 * already: whatever the numbers are, an operation stays inside its arrays. */
#ifndef SLUICE_BACKEND_BACKEND_H
#define SLUICE_BACKEND_BACKEND_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "core/timer.h"
#include "grid/grid.h"
#include "kernels/types/interaction.h"
#include "particles/particles.h"

enum { SLUICE_PASS_SOURCES = 2 };

/* One interaction: target set from one or two source sets, all within one loop over the target's
 * particles. */
struct sluice_pass {
    const char *name;   /* row of the timing table */
    int pair;           /* SLUICE_PAIR_... of kernels/registry.h */
    const void *params; /* the pair's struct NAME_params, double, host memory */
    struct sluice_set *target;
    struct sluice_set *source[SLUICE_PASS_SOURCES]; /* NULL: none */
    int energy;                                     /* sum the powers too */
    int count_pairs;              /* fill SLUICE_SUM_PAIRS (slower; benchmarks and tests) */
    double sum[SLUICE_SUM_COUNT]; /* out, after sync or wait */
};

/* The mass of every particle that the pass meets, kg: of the target and of the sources; 0 where
 * they differ. */
double sluice_pass_mass(const struct sluice_pass *pass);

/* Work on each particle of a set alone. */
struct sluice_point {
    const char *name;
    int op;             /* SLUICE_POINTWISE_... of kernels/registry.h */
    const void *params; /* the operation's own struct, double, host memory */
    struct sluice_set *set;
};

/* What reduce() finds in a set: one small read-back. Sums in double, in blocks of fixed size and a
 * fixed tree. */
struct sluice_summary {
    double mass, kinetic, elastic, potential; /* kg, J */
    double momentum[3];                       /* kg m/s */
    double angular[3];                    /* kg m^2/s about the potential origin; [2] only in 2-D */
    double max_speed2, max_acceleration2; /* m^2/s^2, m^2/s^4 */
    double gravity_power;                 /* sum m g.v along periodic axes, W */
    double min_density, max_density;      /* of r = rho/rho0 - 1 */
    int64_t not_finite;                   /* particles with a value that is not finite */
    int64_t first_not_finite;             /* index in the set of the first of them, -1: none */
};

/* What reduce needs beside the arrays. */
struct sluice_reduce {
    struct sluice_set *set;
    int eos; /* sluice_eos of the elastic energy; SLUICE_EOS_NONE: no elastic energy */
    double sound_speed, gamma; /* m/s, 1 */
    double background;         /* background pressure over rho0, J/kg */
    int two;                   /* there is a second fluid: */
    struct {
        uint32_t from;                         /* its particles have this id or a larger one */
        double sound_speed, gamma, background; /* as above */
    } second;
    double gravity[3]; /* m/s^2; components along periodic axes have no potential, but a power */
    int central_count;
    const struct sluice_central *central; /* conservative central forces */
    struct sluice_place origin;           /* where the gravitational potential is 0 */
    struct sluice_summary out;            /* after sync or wait */
};

/* Fluid particles that bin() removed because they left the domain on an open axis; after sync or
 * wait. The backend enlarges the list, host memory, with realloc; the caller frees it. A zeroed
 * struct is a valid empty one. */
struct sluice_removed {
    int64_t count, capacity;
    struct sluice_removed_particle {
        uint32_t id;
        struct sluice_place place;
        double velocity[3], density, mass; /* m/s; r = rho/rho0 - 1 (0 without densities); kg */
    } * particle;
};

/* A box, m, in the config's coordinates (domain.frame_shift taken off); in 2-D x and y count. */
struct sluice_box {
    double low[3], high[3];
};

/* Particles that are wanted on the host, and no others: those of a set in any of some boxes. What
 * comes may be more than that, up to all of them, and stands in no order: who adds takes them by
 * their ids. The memory is the host's: the backend makes it larger, the caller frees it with
 * sluice_fetch_destroy; a zeroed struct is a valid empty one. */
struct sluice_fetch {
    struct sluice_set *set;
    unsigned
        fields; /* SLUICE_BIT(...): which arrays; those that the set does not have do not come */
    const struct sluice_box *box;
    int box_count;
    int64_t count;                   /* out */
    void *field[SLUICE_FIELD_COUNT]; /* out: arrays of `count`, in `memory`; NULL: absent */
    void *memory;
    size_t bytes;
};

/* How far on an axis the particles reach that are higher than `above` on the last axis. */
struct sluice_foremost {
    int axis;
    double above; /* m, config coordinates; -INFINITY: all of them */
    double x;     /* out: m, to the rounding of doubles; -INFINITY: there are none */
};

/* How full the cells of a set are, boxes of bins that are a cutoff wide or a little more: of those
 * that hold any. */
struct sluice_occupancy {
    double mean; /* 0: no particles */
    int64_t fullest;
};

struct sluice_backend;

/* What a backend allocates beside the sets. */
enum sluice_beside {
    SLUICE_BESIDE_FRAMES, /* the table of frames */
    SLUICE_BESIDE_SUMS,   /* what warps and blocks leave of a step's sums */
    SLUICE_BESIDE_REST,   /* work space of the scan, results */
    SLUICE_BESIDE_COUNT
};

enum { SLUICE_IN_FLIGHT = 8 }; /* batches that may be posted and not yet waited for */

/* Of the cutoff: further than this no particle moves before its set is sorted again; and rows of
 * bins in y and z that a cutoff and twice that may reach: with finer ones sets are sorted in every
 * step. */
#define SLUICE_DRIFT_MOST 0.05
enum { SLUICE_DRIFT_ROWS = 6 };

struct sluice_backend_ops {
    const char *name; /* as in backend.name */

    int on_host;       /* 1: steps compute on the host's processors, which output shares then, and
                          only strategies of kind SLUICE_ON_CPU run */
    int tunes_x;       /* 1: other bins in x than the rule's may be faster */
    double tiled_most; /* pairs tested in a step up to which `tiled` may be the fastest; 0: never */
    double timing_noise; /* relative: a change must be faster by more than this to count */

    /* Whether the device of this number can be used, and in words what it is (name, memory,
     * architecture) or why it cannot (no driver, driver too old, no such device). Needs no open
     * backend, and leaves nothing behind. */
    int (*device)(int number, char *text, size_t size);

    /* The bins a cutoff on each axis that a strategy wants. pair: enum sluice_pair, that which
     * takes most of a step; reach: the cutoff over the particles' distance (Lennard-Jones: over
     * sigma). */
    void (*bins)(int strategy, int pair, int dimension, double reach, double bins_per_cutoff[3]);

    sluice_status (*open)(struct sluice_backend *b, int device, int threads, int real_bytes);
    void (*close)(struct sluice_backend *b);
    sluice_status (*alloc)(struct sluice_backend *b, size_t bytes,
                           void **out); /* zeroed, 64-byte aligned */
    void (*free)(struct sluice_backend *b, void *memory);
    int64_t (*available)(struct sluice_backend *b); /* bytes for arrays; NULL: not limited here */

    /* Columns of the room that the backend wants in the memory of a set (columns.h) whose fields
     * and capacity are known; NULL: only what its fields need. */
    int (*room)(const struct sluice_set *set);

    /* Bytes, beside the set's own memory, that the backend will take for a planned set
     * (sluice_set_plan) with count[slot] particles in each frame of the grid's table; NULL: not
     * known where they are. An estimate, good to a few percent. NULL where `available` is. */
    int64_t (*needs)(const struct sluice_backend *b, const struct sluice_grid *g,
                     const struct sluice_set *set, const uint32_t *count);
    /* Bytes that it has taken for no set in particular; NULL: not counted. */
    void (*beside)(const struct sluice_backend *b, int64_t bytes[SLUICE_BESIDE_COUNT]);
    sluice_status (*upload)(struct sluice_backend *b, void *to, const void *from_host,
                            size_t bytes);
    sluice_status (*download)(struct sluice_backend *b, void *to_host, const void *from,
                              size_t bytes);

    /* v += dt/2 a; r += dt/2 R; x += dt v: compensated; positions put back into frames. FRAME slots
     * may then point to any slot of the table, occupied or not. Here and below: of sets that were
     * binned before. A backend may leave it, and the kick, for the set's next operation to do:
     * until then the set's fields stay where they are. */
    sluice_status (*kick_drift)(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_set *set, double dt);

    /* Sorts each of the n sets that moves (all sets the first time) by bin, then by id; rebuilds
     * the table of frames when needed and renumbers the slots of every set; removes what left the
     * domain (fluid, open axes) and lists it. With b->drifted > 0 sets stay as they were sorted,
     * and what left the domain stays until the next sort. */
    sluice_status (*bin)(struct sluice_backend *b, struct sluice_grid *g,
                         struct sluice_set *const *sets, int n, struct sluice_removed *removed);

    /* Both NULL where every bin() sorts. order: where each particle of a free set stood when it was
     * sorted: [count][3], host memory, the frame in x, and the rows of bins in y and z counted from
     * frame 0. bin_as: the first bin() of sets that stand in the order of a sort long past, with
     * b->drifted > 0; `bin` is the free set's. Errors: SLUICE_IO where that is no such order. Both
     * wait for the device. */
    sluice_status (*order)(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, int32_t (*bin)[3]);
    sluice_status (*bin_as)(struct sluice_backend *b, struct sluice_grid *g,
                            struct sluice_set *const *sets, int n, const int32_t (*bin)[3]);

    sluice_status (*pointwise)(struct sluice_backend *b, const struct sluice_grid *g,
                               const struct sluice_point *point);
    sluice_status (*interact)(struct sluice_backend *b, const struct sluice_grid *g,
                              struct sluice_pass *pass);
    sluice_status (*kick)(struct sluice_backend *b, struct sluice_set *set,
                          double dt); /* v += dt/2 a; r += dt/2 R */
    sluice_status (*reduce)(struct sluice_backend *b, const struct sluice_grid *g,
                            struct sluice_reduce *r);
    void (*bins_free)(struct sluice_bins **bins); /* a set's search table; NULL allowed */

    /* Waits for all that was queued, and fills what it gives back. Errors of the device that were
     * not known when an operation returned come from here, and from wait. */
    sluice_status (*sync)(struct sluice_backend *b);

    /* post: what was queued since the last post is the batch of this slot, 0 to SLUICE_IN_FLIGHT -
     * 1. wait: waits for that batch, not for later ones, and fills what it gives back; batches are
     * waited for in the order of their posts. Both NULL where all is done when a call returns:
     * there is nothing to run ahead of. */
    sluice_status (*post)(struct sluice_backend *b, int slot);
    sluice_status (*wait)(struct sluice_backend *b, int slot);

    /* mark: what is queued from here on belongs to a section of the step (-1: to none). elapsed:
     * adds, after a sync or wait, the device's seconds of what was marked since the last call; only
     * some steps are marked. Both NULL where the host's own clock is right. */
    void (*mark)(struct sluice_backend *b, int section);
    sluice_status (*elapsed)(struct sluice_backend *b, double seconds[SLUICE_SECTION_COUNT]);

    /* Of a set as it was sorted last; there when it returns. Nothing may be under way. */
    sluice_status (*occupancy)(struct sluice_backend *b, const struct sluice_grid *g,
                               const struct sluice_set *set, struct sluice_occupancy *out);

    /* For probes; both wait for what was queued before. fetch: brings the particles in boxes.
     * foremost: n questions about one set. */
    sluice_status (*fetch)(struct sluice_backend *b, const struct sluice_grid *g,
                           struct sluice_fetch *fetch);
    sluice_status (*foremost)(struct sluice_backend *b, const struct sluice_grid *g,
                              const struct sluice_set *set, struct sluice_foremost *of, int n);
};

struct sluice_backend {
    const struct sluice_backend_ops *ops;
    void *data;      /* the backend's own */
    int real_bytes;  /* 4 or 8 */
    int strategy;    /* SLUICE_STRATEGY_... of kernels/registry.h, used by interact */
    const char *isa; /* instruction set or device in use, for the log and the checkpoint */
    struct sluice_threads *team; /* that computes; NULL: a device does. Who times steps may change
                                    how many of them are used (core/threads.h) */
    double drifted;        /* m: how far a particle can have moved since its set was sorted, with
                              the drift that is under way; up to SLUICE_DRIFT_MOST of the cutoff.
                              0: the next bin() sorts */
    char passed_over[512]; /* where "auto" chose: what came before it, and why not that; "" */
};

/* pass.c: about how many distances of pairs a strategy tests for so many targets, each with so many
 * neighbours among the sources. */
double sluice_strategy_tests(int strategy, int dimension, double neighbours, double targets,
                             double sources);

/* What memory a set of n particles with these fields will have, but not the memory: capacity and
 * words. */
void sluice_set_plan(const struct sluice_backend *b, struct sluice_set *set, unsigned fields,
                     int64_t n);
/* Allocates, in the backend's memory, the arrays of `fields` for n particles, zeroed. */
sluice_status sluice_set_create(struct sluice_backend *b, struct sluice_set *set, unsigned fields,
                                int64_t n);
void sluice_set_destroy(struct sluice_backend *b, struct sluice_set *set);

/* Lays out arrays of `count` particles, each at a multiple of 64 bytes; bytes of all of them. */
size_t sluice_fetch_lay_out(struct sluice_fetch *fetch, int64_t count);
/* The same, with memory for them. */
sluice_status sluice_fetch_reserve(struct sluice_fetch *fetch, int64_t count);
/* Brings all particles of the set, in their order. */
sluice_status sluice_fetch_all(struct sluice_backend *b, struct sluice_fetch *fetch);
void sluice_fetch_destroy(struct sluice_fetch *fetch);
#endif

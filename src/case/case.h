/* The case: the config's geometry filled with particles, in double, with every derived number that
 * a run needs. `sluice check` prints it, the simulation starts from it.
 *
 * The particles are made chunk by chunk, each time that they are asked for, so that the host needs
 * no memory for all of them. Those of a case with a particle file are held.
 *
 * Two fluids are one set, whose particles then have a phase.
 *
 * A case depends on the config and its files alone. No backend is opened, but the one that the
 * config names decides the bins. */
#ifndef SLUICE_CASE_CASE_H
#define SLUICE_CASE_CASE_H
#include <stdint.h>
#include <stdio.h>

#include "backend/backend.h"
#include "config/config.h"
#include "core/log.h"
#include "core/threads.h"
#include "fit/fit.h"
#include "geometry/gas_shapes.h"
#include "geometry/geometry.h"
#include "grid/grid.h"
#include "particles/groups.h"
#include "motion/motion_table.h"
#include "model/physics.h"

/* Particles of one type at the start, or a chunk of them: arrays of `count`, in any order. Ids are
 * unique over fluid and walls. A ghost node has the id of its wall particle; with ghost nodes the
 * ids of the walls follow one another. */
struct sluice_start {
    int64_t count;
    sluice_id *id; /* NULL, as the other arrays: the particles are not held */
    struct sluice_place *place;
    double (*velocity)[3]; /* m/s */
    double *density;       /* r = rho/rho0 - 1; of a gas rho, kg/m^3 */
    double *energy;        /* u of a gas, J/kg; NULL: of other models */
    double *mass;          /* kg; kg/m in 2-D */
    uint32_t *phase;       /* the fluid: 0 the first, 1 the second; NULL: there is one */
    uint32_t *group;       /* of fluid and walls */
    uint32_t *node;        /* number of the ghost node, or of a wall particle's; NULL: no nodes */
    int32_t *shape;        /* -1: of a file; NULL: still water has one level */
    uint32_t
        *motion; /* walls and nodes: 1 + the number of the motion, 0 at rest; NULL: none moves */
    uint8_t *has_friction; /* walls: 1 or 0; NULL: they agree */
    double (*offset)[3];   /* walls with ghost nodes: from the node to the particle, m; or NULL */
};

/* X(name) of each array. */
#define SLUICE_START_ARRAYS(X)                                                                     \
    X(id)                                                                                          \
    X(place)                                                                                       \
    X(velocity)                                                                                    \
    X(density)                                                                                     \
    X(energy) X(mass) X(phase) X(group) X(node) X(shape) X(motion) X(has_friction) X(offset)

/* The array of a field of type U32, but FRAME; NULL: the start has none. */
static inline const uint32_t *sluice_start_numbers(const struct sluice_start *s,
                                                   enum sluice_field field)
{
    return field == SLUICE_FIELD_MOTION  ? s->motion
           : field == SLUICE_FIELD_PHASE ? s->phase
           : field == SLUICE_FIELD_GROUP ? s->group
           : field == SLUICE_FIELD_NODE  ? s->node
                                         : NULL;
}

/* The number of a field of one real, SCALAR or HAS_FRICTION. */
static inline double sluice_start_scalar(const struct sluice_start *s, enum sluice_field field,
                                         int64_t i)
{
    return field == SLUICE_FIELD_HAS_FRICTION ? s->has_friction[i]
           : s->energy                        ? s->energy[i]
                                              : s->density[i];
}

/* The place of a probe, on the actual faces. */
struct sluice_case_probe {
    double x[3];  /* m, config coordinates: point, or the start of a line, or the foot of a height
                     probe, or the lowest corner of a patch */
    double to[3]; /* end of a line, or the highest corner of a patch, m */
    double side[2][3]; /* patch: the corners at the ends of its sides from x; in 2-D the second is x
                        */
    int points[2];     /* of a patch, along its sides; in 2-D the second is 1 */
    int on_wall;       /* it lies on the surface of walls: */
    double normal[3];  /* across that surface, of length 1 */
    int motion;        /* that moves the walls; -1: none */
};

/* Where the waves of a maker run: from the face of its paddle to the first wall that rises above
 * the water at rest, which sends them back. Places along an axis, m. */
struct sluice_wave_run {
    int axis, sense; /* sense: 1 or -1 along the axis */
    double face;     /* of the paddle at rest */
    double end;      /* where the water before it ends, or a reflector is */
    int reflector;   /* the shape of the first wall above the water; -1: none, or not looked for */
    int is_steep;    /* the reflector is steeper than 45 degrees there */
};

/* The impact that takes the shortest steps. */
struct sluice_case_contact {
    double step_at_1; /* at 1 m/s, s */
    int body, other;  /* body -1: there is none; other -1: a wall */
};

/* Least and largest values of a gas at the start; h as the densities of shapes and files give it.
 */
struct sluice_gas_ranges {
    double density[2], pressure[2], energy[2], h[2]; /* kg/m^3, Pa, J/kg, m */
};

struct sluice_case {
    const struct sluice_config *config; /* borrowed */
    struct sluice_grid_options grid; /* of the search; bins as the config or the backend has them */
    struct sluice_start start[SLUICE_TYPE_COUNT];
    struct sluice_case_builder *builder; /* makes the particles; NULL: they are held */
    int more_passes;        /* between two syncs, beside those of a step: a benchmark queues them */
    int64_t fluid_count[2]; /* particles of the first and the second fluid */
    double fluid_mass[2];   /* kg; kg/m in 2-D */
    int64_t *moving;        /* [motions] wall particles of each motion */
    struct sluice_geometry geometry;     /* with `box` NULL: no shapes, or those of a gas */
    struct sluice_gas_shapes gas_shapes; /* of a gas, which has no `geometry` */
    struct sluice_gas_ranges gas;        /* zeroed: no gas */
    struct sluice_shape_report *shapes;  /* [config->shape_count] */
    struct sluice_fit_report fit;
    struct sluice_groups groups;        /* of all particles */
    struct sluice_case_probe *probes;   /* [config->probe_count] */
    struct sluice_physics physics;      /* what the models need */
    struct sluice_case_contact contact; /* of bodies, if there are any */
    double fluid_low[3], fluid_high[3]; /* extent of the fluid's lattice cells, m */
    double fluid_depth;                 /* extent along gravity, m; 0 without gravity */
    double reference_energy; /* energy.reference, or that of weights and bodies' starts; 0: the
                                simulation takes that of the initial state */
    double cutoff;           /* m */
    double contrast;         /* of a gas: the widest spacing over the narrowest one; else 0 */
    double reach;      /* the cutoff over the spacing of particles (Lennard-Jones: over sigma) */
    double neighbours; /* within the cutoff, deep in the fluid: an estimate */
    int wall_layers;
    char motion_digest[SLUICE_MOTION_DIGEST]; /* of the motions' tables */
    int64_t warning_count;
};

/* Builds the case of a config that sluice_config_read has checked, and holds all its particles.
 * Warnings (mass error over 1%,
 * fewer wall layers than the kernel needs, ...) go to `warnings` (NULL: nowhere). Errors: a mass
 * error over 5%, no particles, particles in one place or outside the domain, a sound speed that
 * cannot be derived, a periodic length that is no multiple of the spacing, a start file that is
 * wrong (with its line), ... */
sluice_status sluice_case_create(struct sluice_case *c, const struct sluice_config *config,
                                 FILE *warnings);
/* The same, for large cases: only the particles of a case with a particle file are held. If it
 * takes long, a line on `terminal` (NULL: nowhere) says so while it lasts. */
sluice_status sluice_case_create_on(struct sluice_case *c, const struct sluice_config *config,
                                    FILE *warnings, FILE *terminal);
void sluice_case_destroy(struct sluice_case *c);

/* Sets the zeroed parameters of water, and of a second fluid, by physics->config alone: sound
 * speeds of 0 stay. wcsph.second then points into the struct, which must not be copied. */
void sluice_case_set_water(struct sluice_physics *physics);
/* Once the sound speed of the first fluid is known: sets that of a second one that has none. */
void sluice_case_set_second_speed(struct sluice_physics *physics);

/* Work on a chunk of the particles of one type. first: its first particle. team: for loops; NULL:
 * there are few particles. */
typedef sluice_status sluice_case_work(void *data, const struct sluice_start *chunk, int64_t first,
                                       struct sluice_threads *team);

/* Calls `work` for one chunk of the type's particles after another. Each time they are the same, in
 * the same order. Errors: those of `work`, memory. */
sluice_status sluice_case_each(const struct sluice_case *c, enum sluice_type type,
                               sluice_case_work *work, void *data);

/* A visit of particles that need not be all of them. */
enum { SLUICE_CASE_BLOCK = 1 << 14 };
struct sluice_case_visit {
    sluice_case_work *work; /* on each chunk; NULL: none */
    void *data;
    /* A loop of the team over the particles of each chunk, by blocks of SLUICE_CASE_BLOCK; *chunk
     * is set before. NULL: none. */
    sluice_loop *loop;
    const struct sluice_start **chunk;
    /* Whether particles in this box may be wanted, m. NULL: all are. Otherwise chunks may lack
     * those that are not, and `first` is that of the chunk's first particle only. */
    int (*wants)(const void *data, const double low[3], const double high[3]);
    /* 1: a collective visit: each rank makes and visits some of the chunks. */
    int shared;
    /* Work that goes on from chunk to chunk, after `work`, as sums do whose bits depend on the
     * order; NULL: none. A shared visit passes its state, `bytes` bytes, from rank to rank, so that
     * it ends as if one rank had visited all. Then all ranks have it. */
    sluice_case_work *in_turn;
    void *state;
    size_t bytes;
};
sluice_status sluice_case_visit(const struct sluice_case *c, enum sluice_type type,
                                const struct sluice_case_visit *visit);

/* The largest speed (m/s) and acceleration (m/s^2) of a motion's particles until time.end, from
 * samples and the rows of its table, and the speed at t = 0. */
struct sluice_motion_peaks {
    double speed, acceleration, start;
};
struct sluice_motion_peaks sluice_case_motion_peaks(const struct sluice_case *c, int motion);

/* "box 2 'paddle' (a.cfg:9), which motion 'push' (a.cfg:15) moves": the first shape that the motion
 * moves, or the group of a particle file. Returns `text`. */
const char *sluice_case_motion_title(const struct sluice_case *c, int motion, char *text,
                                     size_t size);

static inline int64_t sluice_case_body_particles(const struct sluice_case *c, int number)
{
    const struct sluice_rigid_body *body = &c->physics.bodies[number];
    int64_t particles = 0;
    for (int k = 0; k < body->shapes; k++)
        particles += c->shapes[body->shape[k]].particles;
    return particles;
}

/* The fields of the particles of a type. */
sluice_fields sluice_case_fields(const struct sluice_case *c, enum sluice_type type);

/* The unit of a mass, to print behind a number: "" unless in SI. */
const char *sluice_case_mass_unit(const struct sluice_config *config);

/* --- checks/wave_run.c --- */

/* The run of the waves of a motion of kind "wave", as far as there is water. Returns 0 where they
 * go at an angle to the axes, or no shape is its paddle. */
int sluice_case_wave_run(const struct sluice_case *c, int motion, struct sluice_wave_run *r);
/* The same as far as the reflector, on a straight path along the surface of the water at rest: in
 * 3-D that of the middle one of some lines, by their lengths, so that piles are none. Bodies are
 * none. */
int sluice_case_wave_reflection(const struct sluice_case *c, int motion, struct sluice_wave_run *r);

/* "'caisson'", "polygon 3", or "the water's end". Returns `text`. */
const char *sluice_case_reflector_title(const struct sluice_case *c,
                                        const struct sluice_wave_run *r, char *text, int size);

/* How a place is to the waves of a run that sluice_case_wave_reflection has found. */
enum sluice_gauge_place {
    SLUICE_GAUGE_OPEN,
    SLUICE_GAUGE_BEHIND_PADDLE,
    SLUICE_GAUGE_IN_STROKE,
    SLUICE_GAUGE_IN_WALL, /* or on its face; it rises above the water, and *shape is it */
    SLUICE_GAUGE_BEHIND_REFLECTOR,
};
/* x: its horizontal coordinates count, m. */
enum sluice_gauge_place sluice_case_gauge_place(const struct sluice_case *c, int motion,
                                                const struct sluice_wave_run *r, const double x[3],
                                                int *shape);

/* A paddle until the end of the run, by samples, at the surface of the water at rest, along the
 * waves: m, m/s, m/s^2. */
struct sluice_paddle_path {
    double low, high, speed, acceleration;
};
struct sluice_paddle_path sluice_case_paddle_path(const struct sluice_case *c, int motion);

/* Notes the runs of waves in the log's file, a line each:
 *   waves of 'MOTION': from x = FACE m to TITLE at x = END m */
void sluice_case_log_waves(const struct sluice_case *c, struct sluice_log *log);
/* The output of `sluice check`: shapes with asked and actual faces and mass errors, counts, derived
 * numbers. The probes follow: probes/probe_report.h. */
void sluice_case_print(const struct sluice_case *c, FILE *out);
/* The largest time step (s) of the hardest impact to be expected; INFINITY: no bodies touch. */
double sluice_case_impact_step(const struct sluice_case *c);
/* Describes the bodies and their moorings in the log's file: a line each; of the many bodies of one
 * entry a line for all. */
void sluice_case_log_bodies(const struct sluice_case *c, struct sluice_log *log);
/* start_bodies.c. The body with this number of a mover, if a snapshot has it elsewhere than its
 * shapes; else NULL. */
const struct sluice_rigid_body *sluice_case_moved_body(const struct sluice_case *c, int mover);
#endif

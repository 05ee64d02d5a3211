/* The parts of building a case; for src/case alone. */
#ifndef SLUICE_CASE_BUILDER_H
#define SLUICE_CASE_BUILDER_H
#include "case/case.h"
#include "grid/cell_lists.h"
#include "geometry/geometry.h"
#include "case/initial.h"
#include "geometry/lattice.h"
#include "case/particle_file.h"
#include "core/threads.h"
#include "core/waiting.h"
#include "core/warnings.h"
#include "snapshots/snapshot.h"

/* Wall particles as a body that other particles may lie in: wall_body.c. */
struct sluice_wall_body {
    double spacing, low[3], high[3]; /* m; the extent */
    struct sluice_cell_lists lists;
};

/* Particles of the geometry that those of the file displace. */
struct sluice_case_displaced {
    int64_t count[SLUICE_TYPE_COUNT];
    int64_t second; /* of the fluid: particles of the second one */
};

/* Slabs: see slabs.c. */
enum sluice_slab_kind {
    SLUICE_SLABS_OF_FILE,
    SLUICE_SLABS_OF_SHAPE,
    SLUICE_SLABS_OF_FIT,
    SLUICE_SLABS_OF_LATTICE
};

struct sluice_slab_source {
    enum sluice_slab_kind kind;
    struct sluice_cells box; /* of cells, or of one row: lines of a file, points of fitted walls */
    int shape, phase;        /* of a shape's cells or sites; -1: the crystal; of fluid: 1 or 2 */
    int64_t first, slabs;    /* its slabs */
    int64_t across, rows;    /* slabs along a row of cells; rows of cells in a slab */
};

/* The slabs of one type. A zeroed struct is valid and empty. */
struct sluice_slabs {
    struct sluice_slab_source *source; /* [sources] */
    int sources, capacity;
    int64_t count;      /* slabs */
    uint8_t *particles; /* [count] */
};

/* A particle of a slab. */
struct sluice_slab_particle {
    double x[3]; /* m */
    double mass;
    int shape, motion;                     /* -1: none */
    const struct sluice_particle_row *row; /* of a file; NULL: of the geometry */
};
typedef void sluice_slab_visitor(void *data, const struct sluice_slab_particle *particle);

/* Thermal velocities are made in passes: each needs a sum over all particles of the one before. */
struct sluice_thermal {
    int drifts, scaled; /* of the mean velocities: how many are removed; the scale is known */
    double drift[2][3]; /* mean velocities */
    double scale;       /* of all velocities */
};

struct sluice_case_builder {
    struct sluice_case *c;
    const struct sluice_config *config;
    struct sluice_warnings warnings;
    struct sluice_waiting waiting;
    struct sluice_snapshot_body *from_body; /* [from_bodies] of a snapshot; -1: it has no list */
    int from_bodies;
    const struct sluice_backend_ops *backend;     /* of the run; not opened */
    int strategy;                                 /* SLUICE_STRATEGY_... */
    struct sluice_lattice lattice;                /* prepared when the config has one */
    struct sluice_particle_file file;             /* read when the config has `particles` */
    struct sluice_grid grid;                      /* turns coordinates into places */
    struct sluice_slabs slabs[SLUICE_TYPE_COUNT]; /* a ghost node is made as its wall particle */
    int64_t from_file[SLUICE_TYPE_COUNT]; /* particles of the file; they come first in their type */
    int64_t filled_second;                /* particles of the second fluid in its shapes */
    struct sluice_wall_body body;         /* the file's walls */
    struct sluice_case_displaced replaced; /* the file has the fluid, or a snapshot the group */
    struct sluice_case_displaced inside;   /* they lie in the file's walls */
    int *shape_group, *file_group;         /* [shape_count], [file.groups.count]: of case.groups */
    int *row_motion;              /* [case.groups.count] motion of the file's rows; -1: none */
    int *row_shape;               /* [case.groups.count] a shape with their slip; -1: none */
    int no_name[SLUICE_WALL + 1]; /* the group of rows without a name, by type */
    sluice_id first_id[SLUICE_TYPE_COUNT]; /* of the geometry's particles of a type */
    double particle_mass;                  /* default, kg */
    struct sluice_layers layers;           /* of two fluids under gravity */
    struct sluice_fit *fit;                /* NULL: no wall is fitted */
    struct sluice_initial_frame frame;     /* of the initial state */
    int fields;     /* initial fields that chunks have; all once the state is prepared */
    double *level;  /* [shape_count] of still water in a shape, as frame.top; NULL: one for all */
    int has_levels; /* an entry of `initial` is not for all fluid, or has a level */
    int *initial_group;  /* [initial_count] the group that an entry is on; -1: all fluid */
    double *point_total; /* [initial_count] sum m_j W_j of each point of energy in a gas */
    int has_state;       /* 0: chunks have no densities, and velocities and masses as first given */
    struct sluice_thermal thermal;
    double start_mass, largest_mass, largest_speed; /* of all fluid, kg; of a particle, kg, m/s */
};

/* slabs.c: cuts the particles of a type, and counts those of each slab by threads and ranks
 * together (collective). Sets the type's start.count and first_id, counts those that a file
 * displaces, and finds the reach of motions. *next_id: of the geometry's next particle. The builder
 * frees them. Errors: memory. */
sluice_status sluice_slabs_create(struct sluice_case_builder *b, enum sluice_type type,
                                  sluice_id *next_id);

/* The source of slab k. after: one before it or itself, as that of slab k - 1; NULL: any. */
const struct sluice_slab_source *sluice_slab_source(const struct sluice_slabs *s, int64_t k,
                                                    const struct sluice_slab_source *after);

/* slab_sources.c. The file's particles come first, then the shapes' or the lattice's, the first
 * fluid's before the second's. */
sluice_status sluice_slabs_add_sources(const struct sluice_case_builder *b, enum sluice_type type,
                                       struct sluice_slabs *slabs);

/* The cells of slab k: `cells` along x, and the rows from `row` up to `end`. A plane of the box has
 * `plane` rows. */
struct sluice_slab_part {
    int64_t cells[2], row, end, plane;
};
struct sluice_slab_part sluice_slab_part(const struct sluice_slab_source *source, int64_t k);

/* The lattice of a source; that of shape -1 is the crystal. */
const struct sluice_lattice *sluice_slab_lattice(const struct sluice_case_builder *b,
                                                 const struct sluice_slab_source *source);

/* Calls `visit` for each particle of slab k. Several threads may call it. */
void sluice_slab_each(const struct sluice_case_builder *b, enum sluice_type type,
                      const struct sluice_slab_source *source, int64_t k,
                      sluice_slab_visitor *visit, void *data);

/* The box around the particles of slab k, m; infinite where that is not known. */
void sluice_slab_extent(const struct sluice_case_builder *b,
                        const struct sluice_slab_source *source, int64_t k, double low[3],
                        double high[3]);

/* chunks.c: makes all particles, holds them, and destroys the builder. Errors: memory. */
sluice_status sluice_case_hold(struct sluice_case *c);
void sluice_start_destroy(struct sluice_start *s);
void sluice_case_builder_destroy(struct sluice_case_builder **builder);

/* fill.c: finds where the particles come from, and counts them. Errors: no particles, too many for
 * the ids or the memory, a particle outside the domain or in the place of another one. */
sluice_status sluice_case_fill(struct sluice_case_builder *b);
/* builder.c: reads the file of particles, once. Errors: of the file, other units than the case's.
 */
sluice_status sluice_case_read_file(struct sluice_case_builder *b);

/* measure_start.c: counts and weighs the fluid and the groups, and finds the largest mass and
 * speed, once the state is set. */
sluice_status sluice_case_sum_start(struct sluice_case_builder *b);

/* set_scales.c: shows the case to its effects, whose tables are made then. */
sluice_status sluice_case_prepare_effects(struct sluice_case_builder *b);

/* set_scales.c: the scales of the sums, from the start. */
void sluice_case_set_scales(struct sluice_case_builder *b);

/* warn_narrow.c: warns of gaps between walls, and of walls, that are narrower than the kernel's
 * reach asks for. Errors: memory. */
sluice_status sluice_case_warn_narrow(struct sluice_case_builder *b);

/* assign_groups.c: makes the groups from the names of shapes and rows, and finds the motions of the
 * rows. Errors: one name for fluid and walls, a motion that carries no walls, shapes and rows of
 * one name with different motions. */
sluice_status sluice_case_set_groups(struct sluice_case_builder *b);
/* Finds the groups that entries are on. Errors: the name of no fluid; a level that has no sense. */
sluice_status sluice_case_find_initial_groups(struct sluice_case_builder *b);
/* Whether a file's fluid, or a snapshot's group of the same name, replaces a shape. */
int sluice_case_is_replaced(const struct sluice_case_builder *b, int shape);
/* The group of a particle, and of a row of the file. */
int sluice_case_group(const struct sluice_case_builder *b, const struct sluice_slab_particle *p);
int sluice_case_row_group(const struct sluice_case_builder *b,
                          const struct sluice_particle_row *row);
/* The friction of a wall particle, enum sluice_slip. */
int sluice_case_slip(const struct sluice_case_builder *b, const struct sluice_slab_particle *p);
/* Warns of the displaced particles. */
void sluice_case_warn_displaced(struct sluice_case_builder *b);

/* wall_body.c. A point is inside a body of wall particles when one is closer than half a spacing,
 * or when it lies in a hole between them. Errors of create: memory. Destroy the lists. */
sluice_status sluice_wall_body_create(struct sluice_wall_body *body,
                                      const struct sluice_case_builder *b, int64_t capacity);
void sluice_wall_body_add(struct sluice_wall_body *body, const double x[3]);
/* 0: x is outside the body. Otherwise 1 + the index of the nearest particle, in the order of add.
 */
int64_t sluice_wall_body_holds(const struct sluice_wall_body *body, const double x[3]);
/* Counts particles of the body without another one nearby: water passes between them. */
int64_t sluice_wall_body_count_isolated(const struct sluice_wall_body *body);

/* gas.c. prepare_gas sets the parameters of a gas, makes the lattices of its shapes and reads its
 * file: the cutoff follows from them. report_gas fills the reports of the shapes once their
 * particles are counted. Errors: of shapes and files, no particles, a mass over 5% off. */
sluice_status sluice_case_prepare_gas(struct sluice_case_builder *b);
sluice_status sluice_case_report_gas(struct sluice_case_builder *b);

/* Estimated memory of a run with this many particles, bytes; with a fraction of the particles'
 * fields: 0 where those lie on a device. */
double sluice_case_memory_needed(const struct sluice_case *c, double fraction, double fluid,
                                 double wall);

/* warn_file_spacing.c: warns if the fluid of a table is not as far apart as the case's spacing
 * says. Errors: memory. */
sluice_status sluice_case_warn_file_spacing(struct sluice_case_builder *b);

/* start_bodies.c. Reads the bodies of a snapshot, and removes their rows from the file: the shapes
 * make them. Errors: a snapshot of an older program, without the places of its bodies; walls whose
 * ghost nodes cannot move. */
sluice_status sluice_case_read_bodies(struct sluice_case_builder *b);
/* Whether a snapshot has bodies and fluid, and each fitted shape is one of them or of its walls. */
int sluice_case_keeps_fluid(const struct sluice_case_builder *b);
/* Where a body begins, once its centre is known. Errors: its shapes are not those of the snapshot's
 * run. */
sluice_status sluice_case_start_body(struct sluice_case_builder *b, struct sluice_rigid_body *body);

/* check_snapshot_bodies.c: fails if bodies of a snapshot are none in this case. */
sluice_status sluice_case_check_snapshot_bodies(const struct sluice_case_builder *b);

/* check_places.c: fails if two particles are in one place. */
sluice_status sluice_case_check_coincident(const struct sluice_case_builder *b);
/* Fails if fluid of the file lies in walls. Fluid of a snapshot may touch its own walls. */
sluice_status sluice_case_check_fluid(const struct sluice_case_builder *b);

/* set_scales.c: the reference energy, of the fluid and the bodies, J; 0: there is no gravity, or it
 * is a gas. */
double sluice_case_reference_energy(const struct sluice_case_builder *b);

/* measure_start.c: the extent and the depth of the fluid. */
sluice_status sluice_case_measure_fluid(struct sluice_case_builder *b);

/* measure_start.c: prepares the initial state, once the sound speed is known (b->frame); after that
 * every chunk has it. Errors: an initial field that does not fit the case. */
sluice_status sluice_case_prepare_state(struct sluice_case_builder *b);
/* set_state.c: sets masses, densities and velocities of a chunk that begins with particle `first`
 * of its type. Errors: an initial field that does not fit the case. */
sluice_status sluice_case_set_state(const struct sluice_case_builder *b, enum sluice_type type,
                                    struct sluice_start *chunk, int64_t first,
                                    struct sluice_threads *team);

/* check_initial_pressure.c: warns of fluid on walls that starts without the pressure that carries
 * it, and shows the line to add. After set_state. Errors: memory. */
sluice_status sluice_case_check_initial_pressure(struct sluice_case_builder *b);

/* second_fluid.c. Both do nothing without a second fluid. find_second finds its particles, after
 * the fill; layers makes the hydrostatic pressure of both. Errors: no particle of the second fluid,
 * particles of it in a case of one fluid, memory. */
sluice_status sluice_case_find_second(struct sluice_case_builder *b);
sluice_status sluice_case_layers(struct sluice_case_builder *b);
/* Default mass of a particle of this phase (2: the second fluid), kg. */
double sluice_case_mass_of(const struct sluice_case_builder *b, int phase);
/* Mass of a row of the file: its own, or the default; of a gas its density times dp^D. */
double sluice_case_row_mass(const struct sluice_case_builder *b,
                            const struct sluice_particle_row *row);

/* water_levels.c: finds the levels of shapes that differ, from the cells of the geometry. Errors:
 * memory. */
sluice_status sluice_case_find_levels(struct sluice_case_builder *b);
/* How high the water at rest stands at particle i of a chunk, along gravity, as frame.top, m. */
double sluice_case_level(const struct sluice_case_builder *b, enum sluice_type type,
                         const struct sluice_start *s, int64_t i, const double x[3]);
/* Whether the fluid nearest to a wall particle begins with a hydrostatic pressure. */
int sluice_case_is_hydrostatic(const struct sluice_case_builder *b, const double x[3]);
/* Whether entry i of `initial` sets particles of a group. */
static inline int sluice_case_initial_is_on(const struct sluice_case_builder *b, int i, int group)
{
    return !b->initial_group || b->initial_group[i] < 0 || b->initial_group[i] == group;
}

/* make_bodies.c: makes the bodies of the case, before its particles. Errors: a body without an end
 * or a volume, or with its centre beside the domain; bodies that overlap; memory. */
sluice_status sluice_case_make_bodies(struct sluice_case_builder *b);
void sluice_case_destroy_bodies(struct sluice_case *c);

/* check_bodies.c. Errors: the centre is beside the domain, where nothing holds it; bodies that
 * overlap, moorings that cannot be. */
sluice_status sluice_case_check_body_centre(struct sluice_case_builder *b,
                                            const struct sluice_rigid_body *body);
sluice_status sluice_case_check_body_contacts(struct sluice_case_builder *b);
/* Once there are particles: warns of masses, inertia and releases that are hardly meant. Errors: a
 * body without particles, or that later shapes cut. */
sluice_status sluice_case_check_bodies(struct sluice_case_builder *b);
/* check_motions.c: warns of walls that run into others, and of motions that start with a jump of
 * speed. Errors: memory. */
sluice_status sluice_case_check_motions(struct sluice_case_builder *b);
/* Warns of bodies that are too fast for the speed of sound. */
void sluice_case_warn_fast_bodies(struct sluice_case_builder *b);
/* impact_step.c: shows the time step that contacts bear, and warns where it is very short. */
void sluice_case_print_contacts(const struct sluice_case *c, FILE *out);
/* checks/wave_makers.c: prints what one makes. Warns of waves that nearly break, of a depth that is
 * not the water's, of a theory at the end of its range. Errors: a hinge that is not where its
 * motion turns, a paddle of walls of the domain. */
void sluice_case_print_waves(const struct sluice_case *c, int motion, FILE *out);
sluice_status sluice_case_check_wave_makers(struct sluice_case_builder *b);
/* checks/wave_arrivals.c: prints when waves and their echoes are at the height probes; warns of
 * those that the waves of a maker do not come to on a straight path. Errors: memory. */
void sluice_case_print_arrivals(const struct sluice_case *c, int motion, FILE *out);
sluice_status sluice_case_check_gauges(struct sluice_case_builder *b);

/* print_bodies.c: the bodies and moorings. */
void sluice_case_print_bodies(const struct sluice_case *c, FILE *out);
/* Says how many times as long as `limit` (s) the step is: time.step, or the fluid's. Nothing if it
 * is not longer. */
void sluice_case_print_longer_step(const struct sluice_case *c, double limit, FILE *out);
void sluice_case_warn_stiff_contacts(struct sluice_case_builder *b);

/* place_probes.c: finds the places of the probes, on the actual faces. Errors: no such shape or
 * face.
 */
sluice_status sluice_case_place_probes(struct sluice_case_builder *b);
/* place_on_surface.c: notes the walls that a probe lies on: those of a shape, if it is one of
 * walls. */
void sluice_case_put_on_wall(const struct sluice_case_builder *b, int shape, const double normal[3],
                             struct sluice_case_probe *place);

/* place_on_surface.c: places a point or a patch on the surface of shapes that are neither plain
 * boxes nor walls: the first surface seen from the face's side. Errors: there is none. */
sluice_status sluice_case_place_on_surface(struct sluice_case_builder *b,
                                           const struct sluice_probe *probe,
                                           struct sluice_case_probe *place);
#endif

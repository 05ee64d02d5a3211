/* The parts of building a case, in the order in which case.c calls them. Not for callers of the
 * case. */
#ifndef SLUICE_CASE_BUILDER_H
#define SLUICE_CASE_BUILDER_H
#include "case/case.h"
#include "case/geometry.h"
#include "case/initial.h"
#include "case/lattice.h"
#include "case/particle_file.h"

/* Wall particles as a body that other particles may lie in (wall_body.c). */
struct sluice_wall_body {
    int dimension, periodic[3];
    double spacing, low[3], length[3]; /* m; of the domain along periodic axes */
    double cell[3];                    /* of the search, its reach or more, m */
    int64_t cells[3];                  /* along periodic axes */
    double from[3], to[3];             /* extent, m */
    double (*x)[3];                    /* [count] m */
    int64_t *head, *next;              /* lists of each cell: 1 + a particle, 0: the end */
    int64_t count;
    uint64_t mask; /* of the hash of cells */
};

/* Particles of the geometry that gave way to the file's. */
struct sluice_case_left_out {
    int64_t inside[SLUICE_TYPE_COUNT];   /* they lie in the file's walls */
    int64_t replaced[SLUICE_TYPE_COUNT]; /* the file has the fluid, or a snapshot the group */
    double inside_mass, replaced_mass;   /* of the fluid, kg */
};

struct sluice_case_builder {
    struct sluice_case *c;
    const struct sluice_config *config;
    FILE *warnings;                       /* NULL: nowhere */
    struct sluice_geometry geometry;      /* prepared when the config has shapes */
    struct sluice_lattice lattice;        /* with model lj and a lattice */
    struct sluice_particle_file file;     /* with `particles` */
    struct sluice_grid grid;              /* turns coordinates into places */
    int64_t from_file[SLUICE_TYPE_COUNT]; /* particles of the file: the first of their type */
    struct sluice_wall_body body;         /* the file's walls */
    struct sluice_case_left_out left_out;
    int *shape_group, *file_group; /* [shape_count], [file.groups.count]: of case.groups */
    int *row_motion;               /* [case.groups.count] that carries the file's rows; -1: none */
    int no_name[SLUICE_WALL + 1];  /* the group of rows without a name, by type */
    double particle_mass;          /* kg, where nothing says otherwise */
    struct sluice_initial_layers layers; /* with a second fluid, under gravity */
};

/* Says a warning and counts it. */
void sluice_case_warn(struct sluice_case_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* fill.c: makes the particles at their places, with ids and masses; velocities and densities
 * are zero but for a file's. Errors: none to make, too many for the ids or the memory, a particle
 * outside the domain or in another's place. */
sluice_status sluice_case_fill(struct sluice_case_builder *b);

/* join_groups.c: the names of shapes and rows, and which ids of the file have which. Errors: a name
 * of fluid and walls, a motion that carries no walls, shapes and rows of one name that move in
 * different ways. */
sluice_status sluice_case_set_groups(struct sluice_case_builder *b);
/* Whether a shape's place is taken by a snapshot's group of the same name, or by a file's fluid. */
int sluice_case_is_replaced(const struct sluice_case_builder *b, int shape);
/* Particles and masses of the groups, once the state is set. */
void sluice_case_sum_groups(struct sluice_case_builder *b);
/* The group that a row of the file belongs to. */
int sluice_case_row_group(const struct sluice_case_builder *b,
                          const struct sluice_particle_row *row);
/* Warns of what gave way to the file's particles. */
void sluice_case_warn_left_out(struct sluice_case_builder *b);

/* wall_body.c. A point is inside a body of wall particles when one is closer than half a spacing,
 * or when it lies in a hole between them. Errors of create: memory. */
sluice_status sluice_wall_body_create(struct sluice_wall_body *body,
                                      const struct sluice_case_builder *b, int64_t room);
void sluice_wall_body_add(struct sluice_wall_body *body, const double x[3]);
void sluice_wall_body_destroy(struct sluice_wall_body *body);
/* 1 + the nearest particle of the body that x lies in, in the order of add; 0: x is outside. */
int64_t sluice_wall_body_holds(const struct sluice_wall_body *body, const double x[3]);
/* How many particles of the body have no other nearby: water would pass between those. */
int64_t sluice_wall_body_count_alone(const struct sluice_wall_body *body);
/* Fluid of the file must lie outside all walls; a snapshot's may touch its own. */
sluice_status sluice_case_check_fluid(const struct sluice_case_builder *b);

/* Memory, bytes: what the run would need for so many particles, and what this machine can give (0:
 * unknown). */
double sluice_case_memory_needed(const struct sluice_config *config, double fluid, double wall);
double sluice_case_memory_there(void);

/* check_places.c: fails when two particles of the case are in one place, with both ids. */
sluice_status sluice_case_check_places(const struct sluice_case_builder *b);

/* set_state.c: extent and depth of the fluid; then, once the sound speed is known, masses,
 * densities and velocities. */
void sluice_case_measure_fluid(struct sluice_case_builder *b, struct sluice_initial_frame *frame);
sluice_status sluice_case_set_state(struct sluice_case_builder *b,
                                    const struct sluice_initial_frame *frame);

/* check_rest.c: warns of fluid on walls that starts without the pressure that carries it, and shows
 * the line to add. After set_state. Errors: no memory. */
sluice_status sluice_case_check_rest(struct sluice_case_builder *b,
                                     const struct sluice_initial_frame *frame);

/* check_strategy.c: warns of a strategy by name whose work is over ten times that of the default's.
 * After the number of neighbours is known. */
sluice_status sluice_case_check_strategy(struct sluice_case_builder *b);

/* two_fluids.c: what a second fluid has of its own; its speed of sound once the first one's is
 * known; which particles it is of, between the fill and the state, and the layers that make the
 * hydrostatic pressure. Without a second fluid nothing. Errors: no particle of it, ids of the two
 * that are mixed, no memory. */
void sluice_case_set_second(struct sluice_case_builder *b);
void sluice_case_set_second_speed(struct sluice_case_builder *b);
sluice_status sluice_case_find_second(struct sluice_case_builder *b);
sluice_status sluice_case_layers(struct sluice_case_builder *b, struct sluice_initial_frame *frame);
/* The largest kinematic viscosity, m^2/s: of two fluids also where they meet, and the harmonic mean
 * of theirs acts on the lighter one. */
double sluice_case_most_viscous(const struct sluice_case_builder *b);
/* Mass of a particle of this phase (2: the second fluid), kg, where nothing says otherwise. */
double sluice_case_mass_of(const struct sluice_case_builder *b, int phase);

/* place_probes.c: places of the probes, on the actual faces. Errors: a shape or face that is not
 * there. */
sluice_status sluice_case_place_probes(struct sluice_case_builder *b);
#endif

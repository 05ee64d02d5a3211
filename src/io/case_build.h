/* The parts of building a case, in the order in which case.c calls them. Not for callers of the
 * case. */
#ifndef SLUICE_IO_CASE_BUILD_H
#define SLUICE_IO_CASE_BUILD_H
#include "io/case.h"
#include "io/geometry.h"
#include "io/initial.h"
#include "io/lattice.h"
#include "io/particle_file.h"

/* Where the particles of a type come from. */
enum sluice_case_source {
    SLUICE_FROM_NOWHERE,
    SLUICE_FROM_SHAPES,
    SLUICE_FROM_LATTICE,
    SLUICE_FROM_FILE
};

struct sluice_case_builder {
    struct sluice_case *c;
    const struct sluice_config *config;
    FILE *warnings;                   /* NULL: nowhere */
    struct sluice_geometry geometry;  /* prepared when the config has shapes */
    struct sluice_lattice lattice;    /* with model lj and a lattice */
    struct sluice_particle_file file; /* with `particles` */
    struct sluice_grid grid;          /* turns coordinates into places */
    enum sluice_case_source source[SLUICE_TYPE_COUNT];
    double particle_mass;                /* kg, where nothing says otherwise */
    struct sluice_initial_layers layers; /* with a second fluid, under gravity */
};

/* Says a warning and counts it. */
void sluice_case_warn(struct sluice_case_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number of the pair's own parameters by the path of its key ("pair.mass"), `preset` where the
 * pair has no such key. */
double sluice_case_pair_number(const struct sluice_config *config, const char *path, double preset);

/* case_fill.c: makes the particles at their places, with ids and masses; velocities and densities
 * are zero but for a file's. Errors: none to make, too many for the ids or the memory, a particle
 * outside the domain or in another's place. */
sluice_status sluice_case_fill(struct sluice_case_builder *b);

/* Memory, bytes: what the run would need for so many particles, and what this machine can give (0:
 * unknown). */
double sluice_case_memory_needed(const struct sluice_config *config, double fluid, double wall);
double sluice_case_memory_there(void);

/* case_place.c: fails when two particles of the case are in one place, with both ids. */
sluice_status sluice_case_check_places(const struct sluice_case_builder *b);

/* case_state.c: extent and depth of the fluid; then, once the sound speed is known, masses,
 * densities and velocities. */
void sluice_case_measure_fluid(struct sluice_case_builder *b, struct sluice_initial_frame *frame);
sluice_status sluice_case_set_state(struct sluice_case_builder *b,
                                    const struct sluice_initial_frame *frame);

/* case_rest.c: warns of fluid on walls that starts without the pressure that carries it, and shows
 * the line to add. After set_state. Errors: no memory. */
sluice_status sluice_case_check_rest(struct sluice_case_builder *b,
                                     const struct sluice_initial_frame *frame);

/* case_second.c: what a second fluid has of its own; its speed of sound once the first one's is
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

/* case_probes.c: places of the probes, on the actual faces. Errors: a shape or face that is not
 * there. */
sluice_status sluice_case_place_probes(struct sluice_case_builder *b);
#endif

/* Fitted walls: wall particles in layers along the surface of their shapes (fit = "surface"), and
 * the fluid's first rows beside them.
 *
 *        o   o   o   o         fluid; beyond the kernel's reach it stays on its lattice
 *      o    o   o   o          first rows: moved until they fit the walls
 *     ---------------------    the surface, wherever it lies
 *       x    x    x    x       layer 0, at dp/2
 *        x    x    x    x      layer 1, at 3 dp/2, ...
 *
 * Layer k stands for the walls' volume between the depths k dp and (k + 1) dp, and has as many
 * particles as that volume holds dp^D. The depth counts from the surface of all walls together,
 * less what later shapes cut out of them: so a wedge's layers run into the floor's. */
#ifndef SLUICE_FIT_FIT_H
#define SLUICE_FIT_FIT_H
#include "core/waiting.h"
#include "core/warnings.h"
#include "fit/pack.h"
#include "geometry/geometry.h"
#include "grid/grid.h"

/* The result. Distances are in spacings. */
struct sluice_fit_report {
    int64_t walls; /* their particles; 0: none is fitted */
    int64_t thin;  /* cells of fitted walls that are too thin for their layer */
    int64_t left;  /* particles left out, too near to others */
    /* particles that the layers lack by their volume, before 'left' are taken out */
    int64_t unplaced;
    int worst;                     /* shape whose number is farthest from its layers' volume */
    double worst_by;               /* by so many particles; 0: none is off */
    double nearest;                /* of two particles of walls */
    int64_t moved, added, removed; /* fluid; moved by over 0.001 */
    int64_t fluid_unplaced; /* more or fewer than its volume asks for, and those without a place */
    double fluid_nearest, fluid_to_wall;
    int64_t fluid;    /* its particles */
    double fluid_due; /* by its volume */
    double narrow;    /* of these, in gaps that no particle fits into */
    double fraction;  /* largest fraction of the walls at a particle: above 0.3 the spring pushes */
};

struct sluice_fit_source {
    const struct sluice_config *config;
    const struct sluice_geometry *geometry;
    const struct sluice_grid_options *grid; /* periodic axes */
    double cutoff;                          /* of the kernel, m */
    struct sluice_waiting *waiting;         /* reports the progress; NULL: none */
    int keeps_fluid; /* the fluid comes from a snapshot, and lies beside these walls already */
};

struct sluice_fit;

/* Makes the fitted walls and the fluid beside them, and the report. Corrects the reports of their
 * shapes ([shape_count]) and the numbers of particles, `made`. *fit: NULL if no wall is fitted.
 * Everything in the source is borrowed. Errors: particles of a file beside them, a wall that is too
 * thin for any layer, memory. */
sluice_status sluice_fit_create(struct sluice_fit **fit, const struct sluice_fit_source *source,
                                struct sluice_fit_report *report,
                                struct sluice_shape_report *shapes,
                                int64_t made[SLUICE_TYPE_COUNT]);
void sluice_fit_destroy(struct sluice_fit **fit);

/* Warns of wall and fluid particles without a place, and of springs that push at rest. */
void sluice_fit_warn(const struct sluice_fit_report *report, const struct sluice_config *config,
                     struct sluice_warnings *warnings);

/* Whether a shape is fitted: its particles are points, and none is on the lattice. */
int sluice_fit_is_fitted(const struct sluice_config *config, int shape);

/* Moves x, a place of fluid on the lattice, to where its particle is. Returns 0 if there is none.
 */
int sluice_fit_move(const struct sluice_fit *fit, double x[3]);

/* The particles that are not of the lattice, of shapes of `type`: `count` points, whose `kind` is
 * the shape. They come after those of the lattice. */
const struct sluice_pack_point *sluice_fit_points(const struct sluice_fit *fit, int type,
                                                  int64_t *count);

/* The ghost node of a wall particle, as sluice_geometry_mirror; exact at fitted walls. */
void sluice_fit_mirror(const struct sluice_fit *fit, int shape, const double x[3], double ghost[3]);
#endif

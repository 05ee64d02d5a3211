/* The parts of fitted walls; for src/fit alone.
 *
 * Cells of the lattice near fitted walls are in a table. Those of fitted walls give the seeds of
 * the layers. Open cells, dry ones as well, are filled to relax the fluid; the dry ones' particles
 * are dropped afterwards. Fluid does not move beyond the centres of its outer cells towards dry
 * ones, so a free surface stays where it is. */
#ifndef SLUICE_FIT_FIT_INTERNAL_H
#define SLUICE_FIT_FIT_INTERNAL_H
#include "fit/cell_map.h"
#include "fit/fit.h"
#include "fit/pack.h"
#include "fit/shape_tree.h"

/* Which walls make a surface: those of a motion, -1: those at rest, or these. */
enum { SLUICE_FIT_ALL_WALLS = -2, SLUICE_FIT_FITTED_WALLS = -3 };

/* How near fluid comes to the surface, dp; so 0.85 to layer 0. */
#define SLUICE_FIT_TO_SURFACE 0.35

/* The contents of a cell of the table. */
enum sluice_fit_content {
    SLUICE_CELL_SEED,    /* of a layer of its fitted shape */
    SLUICE_CELL_BEYOND,  /* of any wall, beyond the room for its particles around the domain */
    SLUICE_CELL_LATTICE, /* a wall particle of the lattice */
    SLUICE_CELL_FLUID,
    SLUICE_CELL_DRY
};

struct sluice_fit_cell {
    enum sluice_fit_content content;
    int shape;    /* that owns it; -1: none */
    int removed;  /* fluid: it has no particle */
    int narrow;   /* fluid: in a gap that no particle fits into; it has no particle */
    int deep;     /* a seed's neighbour, deeper in the wall than its layers */
    int border;   /* bits 2 axis + (1: upper side): fluid beside dry, or dry beside fluid */
    double x[3];  /* m: its centre; of fluid, where its particle is */
    double apart; /* m: from the nearest fitted surface, that of shape `nearest` */
    int nearest;
    double depth; /* of seeds: in the walls of their motion, m */
};

struct sluice_fit {
    const struct sluice_config *config; /* the source's */
    const struct sluice_geometry *geometry;
    const struct sluice_grid_options *grid;
    double cutoff; /* m */
    struct sluice_waiting *waiting;
    struct sluice_geometry
        surface;                /* a copy of the geometry whose fitted solids go on into walls */
    struct sluice_solid *solid; /* [shape_count] of that copy */
    struct sluice_shape
        *extended; /* [shape_count] the shapes of the solids that go on into walls */
    int *motion;   /* [shape_count] of walls; -1: at rest */
    struct sluice_shape_tree tree; /* of that copy */
    struct sluice_threads *team;
    struct sluice_cell_map map;
    struct sluice_fit_cell *cell; /* [map.count] */
    int64_t cell_capacity;
    double near;       /* a surface runs through a cell whose centre is as near to it, dp */
    int layers;        /* deepest layer, and one */
    double *due;       /* [shape_count * layers] particles of a layer, by its volume */
    double *due_fluid; /* [shape_count + 1] more particles than cells, by the volume; the last:
                          of dry cells */
    double narrow;     /* fluid's volume, dp^D, in gaps that no particle fits into */
    double *volume;    /* [shape_count] m^D, of fitted shapes, before later ones cut them */
    int64_t
        *buried; /* [shape_count] seeds of fitted shapes, deeper in all walls than their layers */
    int64_t wall_count, wall_capacity;
    struct sluice_pack_point *wall; /* [wall_count] kind: its shape */
    int64_t added_count, added_capacity;
    struct sluice_pack_point *added; /* [added_count] fluid; kind: its shape */
};

/* surface.c: the solids of the walls' surface. Errors: memory. */
sluice_status sluice_fit_create_surface(struct sluice_fit *fit);
void sluice_fit_destroy_surface(struct sluice_fit *fit);
/* The signed distance from the surface of these walls, negative in them; `way` leads to
 * the nearest point, `shape` (may be NULL) is the wall that it is of. INFINITY: there is none. */
double sluice_fit_distance(const struct sluice_fit *fit, int motion, const double x[3],
                           double way[3], int *shape);
/* The unit vector out of the walls at x, whose distance and way are known. */
void sluice_fit_outwards(const struct sluice_fit *fit, int motion, const double x[3],
                         double distance, const double way[3], double out[3]);
/* The fraction of a cube of edge 1 about the origin where y.normal < depth, |normal| = 1. */
double sluice_fit_cube_fraction(int dimension, const double normal[3], double depth);

/* Moves x to a depth (m) below the walls' surface, along the gradient, one Newton step a time, up
 * to `steps`. Returns how far from that depth it was before the last one, m. out (may be NULL): the
 * unit vector out of the walls there. */
double sluice_fit_to_depth(const struct sluice_fit *fit, int motion, double depth, int steps,
                           double x[3], double out[3]);

/* Moves x out of all walls until it is `least` (m) from their surface, one wall a step. Returns how
 * far it was before the last step, m; INFINITY: there are no walls. */
double sluice_fit_hold(const struct sluice_fit *fit, double least, int steps, double x[3]);

/* The cell of the lattice that holds x; along periodic axes within the period. */
void sluice_fit_cell_at(const struct sluice_geometry *g, const double x[3], int64_t cell[3]);

/* cells.c: fills the table of cells, and sums the volumes: due, due_fluid, volume. */
sluice_status sluice_fit_find_cells(struct sluice_fit *fit);
/* The layer that a depth (m) belongs to. Rows of the lattice may lie on the border of two layers:
 * all go to the deeper one. */
int sluice_fit_layer_at(const struct sluice_fit *fit, double depth);
/* Particles of a fitted shape: of all its depth, or only the layers. */
int sluice_fit_layers_of(const struct sluice_fit *fit, int shape);

/* walls.c, fluid.c: place the particles. */
sluice_status sluice_fit_walls(struct sluice_fit *fit, struct sluice_fit_report *report);
sluice_status sluice_fit_fluid(struct sluice_fit *fit, struct sluice_fit_report *report);
#endif

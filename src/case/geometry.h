/* Shapes on the lattice: the cells that hold a fluid or a wall particle.
 *
 * The lattice has a particle at (i + 1/2) step from domain.min on each axis, the same for fluid and
 * walls. So the surface of a wall lies half a spacing from the first row on either side. The flat
 * faces of a shape are moved to the nearest faces of the lattice; then the shape owns the cells
 * whose centres it contains. Of several shapes the last one wins. A void owns cells and fills none.
 *
 * A periodic axis is n cells exactly: its step is length/n, which is the spacing to within
 * LATTICE_FIT/n. */
#ifndef SLUICE_CASE_GEOMETRY_H
#define SLUICE_CASE_GEOMETRY_H
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"
#include "case/case.h"

/* Tolerance of a periodic length to a whole number of spacings, in spacings. */
#define SLUICE_LATTICE_FIT 1e-4

/* Cells from low up to, not including, high. */
struct sluice_cells {
    int64_t low[3], high[3];
};

struct sluice_geometry {
    const struct sluice_config *config; /* borrowed */
    int dimension;
    double spacing;            /* dp, m */
    double origin[3], step[3]; /* domain.min; distance of two cells on each axis, m */
    int64_t n[3];              /* cells of the domain on each axis; 1 on the missing one */
    int periodic[3];
    unsigned sides;           /* of all walls shapes together, bits as in struct sluice_shape */
    int layers;               /* of the walls, and of shells */
    struct sluice_cells *box; /* [shape_count] the cells that a shape can own */
    struct sluice_cells with_walls; /* the domain and its wall layers */
};

/* Prepares the lattice and snaps every shape; allocates [shape_count] boxes.
 * Errors: a periodic length that is no multiple of the spacing, fluid beyond the domain. */
sluice_status sluice_geometry_create(struct sluice_geometry *g, const struct sluice_config *config,
                                     int layers);
void sluice_geometry_destroy(struct sluice_geometry *g);

/* The part of sluice_geometry_create that makes the lattice of the domain: origin, step, n and
 * periodic. */
sluice_status sluice_geometry_set_lattice(struct sluice_geometry *g);

/* Called for each particle of the shapes of `type`, shape by shape, x running fastest. x: m, config
 * coordinates. */
typedef void (*sluice_geometry_visitor)(void *data, int shape, const double x[3]);
void sluice_geometry_visit(const struct sluice_geometry *g, int type, sluice_geometry_visitor visit,
                           void *data);

/* The shape that owns a cell, or -1. */
int sluice_geometry_owner(const struct sluice_geometry *g, const int64_t cell[3]);

/* The ghost node of the wall particle of a shape at x (m): its image in the walls' surface
 * (geometry_surface.c). x itself where no surface is within the thickness of the layers. */
void sluice_geometry_mirror(const struct sluice_geometry *g, int shape, const double x[3],
                            double ghost[3]);

/* Upper bound of the number of particles, from the sizes of the shapes alone, before anything is
 * counted or allocated. */
double sluice_geometry_bound(const struct sluice_geometry *g);

/* Cells of a shape. */
struct sluice_cell_count {
    int64_t owned;              /* before later shapes cut it */
    int64_t filled;             /* with its particle */
    int64_t cut;                /* would be filled, but a later shape owns them */
    struct sluice_cells extent; /* of the owned cells */
};
void sluice_geometry_count(const struct sluice_geometry *g, int shape,
                           struct sluice_cell_count *count);

/* geometry_report.c: counts the particles of each type and fills a report for each shape (`report`
 * is [shape_count]). Errors: fluid or flat walls whose volume on the lattice is over 5% off, a
 * shape without a cell. */
sluice_status sluice_geometry_report(const struct sluice_geometry *g,
                                     struct sluice_shape_report *report,
                                     int64_t count[SLUICE_TYPE_COUNT]);

/* (actual - asked)/asked volume of a shape; 0 where it has none. */
double sluice_geometry_volume_error(const struct sluice_shape_report *report);

/* Whether a shape deserves a warning, which is written to `text`. */
int sluice_geometry_warning(const struct sluice_geometry *g, int shape,
                            const struct sluice_shape_report *report, char *text, size_t size);

/* The face of a shape as asked for, m; of a walls shape the domain's. */
double sluice_geometry_asked_face(const struct sluice_geometry *g, const struct sluice_shape *s,
                                  int axis, int high);

/* Whether a set of sides, bits as in struct sluice_shape, has this one. */
static inline int sluice_has_side(unsigned sides, int axis, int high)
{
    return (sides >> (2 * axis + high)) & 1;
}

/* "box 2 'obstacle' (dam.cfg:14)": a shape's name in messages. Returns `text`. */
const char *sluice_geometry_title(const struct sluice_config *config, int shape, char *text,
                                  int size);

/* Whether a face of a box, or the cap of a cylinder, lies on a wall at the domain's face. A shell
 * is open there. */
int sluice_geometry_face_on_wall(const struct sluice_geometry *g, int shape, int axis, int high);
#endif

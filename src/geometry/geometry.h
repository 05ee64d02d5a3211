/* Shapes on the lattice: the cells that hold a fluid or a wall particle.
 *
 * Every shape but "walls" is a solid with a signed distance (solid.h). The lattice has a particle
 * at (i + 1/2) step from domain.min on each axis, the same for fluid and walls. So the surface of a
 * wall lies half a spacing from the first row on either side. The flat faces of a shape along the
 * axes are moved to the nearest faces of the lattice; then the shape owns the cells whose centres
 * it contains. The last of several shapes wins. A void owns cells and fills none. A part owns none;
 * it is there for `within` and `without` of later shapes.
 *
 * A periodic axis is n cells exactly: its step is length/n, which is the spacing to within
 * LATTICE_FIT/n. */
#ifndef SLUICE_GEOMETRY_GEOMETRY_H
#define SLUICE_GEOMETRY_GEOMETRY_H
#include <math.h>
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"
#include "core/waiting.h"
#include "core/warnings.h"
#include "geometry/raster.h"
#include "geometry/shape_bins.h"
#include "solids/solid.h"
#include "particles/particles.h"

/* Tolerance of a periodic length to a whole number of spacings, in spacings. */
#define SLUICE_LATTICE_FIT 1e-4

/* A shape as asked for, and on the lattice, before later shapes cut it. Volumes are areas in 2-D.
 * The volume of a walls shape is the space between its walls, or 0 if only one side has a wall; of
 * a shape without ends, clipped, or combined with others, an estimate of what lies in the domain
 * and its walls' layers. */
struct sluice_shape_report {
    double asked_min[3], asked_max[3], actual_min[3], actual_max[3]; /* m */
    double asked_volume, actual_volume;                              /* m^3; m^2 in 2-D */
    double deviation; /* standard deviation of asked_volume where that is an estimate, or 0 */
    double asked_mass, actual_mass; /* kg; kg/m in 2-D; of fluid at rho0, 0 for others */
    double clipped;                 /* part of the volume that the domain has no room for */
    int endless;                    /* it goes on beyond the domain without an end */
    int64_t particles;              /* after the cuts */
    int64_t cut;                    /* particles in the place of later shapes */
    int64_t displaced;              /* particles in the place of a file's */
    int64_t buried; /* of fitted walls: cells without a particle, deeper in walls than the layers */
};

struct sluice_geometry {
    const struct sluice_config *config; /* borrowed */
    int dimension;
    double spacing;            /* dp, m */
    double origin[3], step[3]; /* domain.min; distance of two cells on each axis, m */
    int64_t n[3];              /* cells of the domain on each axis; 1 on the missing one */
    int periodic[3];
    unsigned sides;             /* of all walls shapes together, bits as in struct sluice_shape */
    int layers;                 /* of the walls, and of shells */
    struct sluice_shape *asked; /* [shape_count] the config's; without rotation, at their places */
    struct sluice_shape *snapped;   /* [shape_count] the same with faces on those of the lattice */
    struct sluice_solid *solid;     /* [shape_count] of the snapped shapes */
    struct sluice_raster *raster;   /* [shape_count] of shapes that are not plain */
    int *has_seams;                 /* [shape_count] see sluice_geometry_has_seams */
    struct sluice_cells *box;       /* [shape_count] the cells that a shape can own */
    struct sluice_cells with_walls; /* the domain and its wall layers */
    struct sluice_shape_bins bins;  /* of all shapes but parts */
    struct sluice_waiting *waiting; /* borrowed, reports progress; NULL: none */
};

/* Prepares the lattice, reads the files of shapes, and snaps every shape. Warns of what is wrong
 * with files. Errors: a periodic length that is no multiple of the spacing, fluid beyond the
 * domain, a file that cannot be read, memory. After an error it is destroyed. */
sluice_status sluice_geometry_create(struct sluice_geometry *g, const struct sluice_config *config,
                                     int layers, struct sluice_warnings *warnings);
void sluice_geometry_destroy(struct sluice_geometry *g);

/* The part of sluice_geometry_create that makes the lattice of the domain: origin, step, n and
 * periodic. */
sluice_status sluice_geometry_set_lattice(struct sluice_geometry *g);

/* Called for each particle of the shapes of `type`, shape by shape, x running fastest. x: m, config
 * coordinates. */
typedef void (*sluice_geometry_visitor)(void *data, int shape, const double x[3]);
void sluice_geometry_visit(const struct sluice_geometry *g, int type, sluice_geometry_visitor visit,
                           void *data);

/* The boxes of cells that a shape can fill, in the order of its particles; within a box x runs
 * fastest. Returns how many there are; a box may be empty. */
enum { SLUICE_SHAPE_BOXES = 6 };
int sluice_geometry_boxes(const struct sluice_geometry *g, int shape,
                          struct sluice_cells box[SLUICE_SHAPE_BOXES]);

/* Whether a shape has a particle in a cell of its boxes. */
int sluice_geometry_fills(const struct sluice_geometry *g, int shape, const int64_t cell[3]);

/* Whether the lattice alone makes the shape: a box, sphere, disc, cylinder or walls along the axes,
 * neither combined with others nor fitted. */
int sluice_geometry_is_plain(const struct sluice_shape *shape);

/* Whether a shape owns a cell, before later ones cut it. */
int sluice_geometry_owns(const struct sluice_geometry *g, int shape, const int64_t cell[3]);

/* Whether a shape is flat across an axis, with faces to be snapped, rather than round or turned. */
int sluice_geometry_is_flat(const struct sluice_shape *shape, int axis);

/* --- snap.c, for src/geometry --- */

/* Whether the keys of a shape give its extent along the axes: of a plain one, combined or not. */
int sluice_geometry_has_faces(const struct sluice_shape *s);

/* First cell whose centre is at or above x. */
int64_t sluice_geometry_cell_above(const struct sluice_geometry *g, int axis, double x);

/* Whether a shape that moves is combined with this one, and brings cells of it into the domain. */
int sluice_geometry_is_carried(const struct sluice_geometry *g, int shape);

/* Makes a shape's solid, asked, snapped and box. Errors: its file. */
sluice_status sluice_geometry_snap(struct sluice_geometry *g, int shape,
                                   struct sluice_warnings *warnings);

/* Makes the solid of a shape, as it is placed. Messages about its file name the shape. */
sluice_status sluice_geometry_create_solid(const struct sluice_config *config, int shape,
                                           const struct sluice_shape *placed,
                                           struct sluice_solid *solid,
                                           struct sluice_warnings *warnings);

/* --- Cells --- */

/* Squared distance of a cell's centre from the centre or the axis of a round shape, m^2. */
double sluice_geometry_round2(const struct sluice_geometry *g, const struct sluice_shape *shape,
                              const int64_t cell[3]);

/* The signed distance (m, negative inside) of x (m) from the surface of a shape as `within` and
 * `without` cut it; `way` leads to the nearest point. Its size is exact outside and inside a single
 * shape and outside a union; see has_seams for inside. At an edge that `within` or `without` makes
 * it may be too small. */
double sluice_geometry_distance(const struct sluice_geometry *g, int shape, const double x[3],
                                double way[3]);

/* The same from the layers outside these sides of the domain, as if they had no end. */
double sluice_geometry_sides_distance(const struct sluice_geometry *g, unsigned sides,
                                      const double x[3], double way[3]);

/* Whether a shape has x inside or on its surface. At seams this takes less time
 * than the distance. */
int sluice_geometry_contains(const struct sluice_geometry *g, int shape, const double x[3]);

/* How far (m) around x all is on the same side of the shape as x, unless a surface is nearer. */
double sluice_geometry_certain(const struct sluice_geometry *g, int shape, const double x[3]);

/* Whether a shape is a union whose parts touch: of the shapes that `within` names, or of its own
 * periodic images. Then distances inside are exact within one spacing more than the layers of
 * walls, and that is their size where it is deeper. */
int sluice_geometry_has_seams(const struct sluice_geometry *g, int shape);

/* How far x is at least from the shape, by its extent; 0 within that, and of a walls shape. */
double sluice_geometry_box_distance(const struct sluice_geometry *g, int shape, const double x[3]);

/* Coordinate of a cell's centre, m; 0 on the missing axis. */
double sluice_geometry_centre(const struct sluice_geometry *g, int axis, int64_t cell);
void sluice_geometry_centre_of(const struct sluice_geometry *g, const int64_t cell[3], double x[3]);
/* The cell at a place, which may lie beyond the domain; and the same one within a period. */
void sluice_geometry_cell_at(const struct sluice_geometry *g, const double x[3], int64_t cell[3]);
void sluice_geometry_wrap(const struct sluice_geometry *g, int64_t cell[3]);

/* The shape that owns a cell, or -1. */
int sluice_geometry_owner(const struct sluice_geometry *g, const int64_t cell[3]);

/* The ghost node of the wall particle of a shape at x (m): its image in the walls' surface
 * (mirror.c). x itself where no surface is within the thickness of the layers. */
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
/* Counts by threads and ranks together (collective). Errors: memory. */
sluice_status sluice_geometry_count(const struct sluice_geometry *g, int shape,
                                    struct sluice_cell_count *count);

/* report.c: counts the particles of each type and fills a report for each shape (`report`
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

/* The extent of a shape as asked for, m; where it has no end, and of a walls shape, the domain's.
 */
double sluice_geometry_asked_face(const struct sluice_geometry *g, int shape, int axis, int high);

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

/* How far (m) beyond a face a cell's centre counts as on it: rounding of coordinates, which grows
 * with their size. */
static inline double sluice_geometry_tie(const struct sluice_geometry *g)
{
    double far = 0;
    for (int a = 0; a < g->dimension; a++)
        far = fmax(far,
                   fmax(fabs(g->origin[a]), fabs(g->origin[a] + (double)g->n[a] * g->step[a])));
    return fmin(1e-2 * g->spacing, fmax(1e-9 * g->spacing, 4e-15 * far));
}
#endif

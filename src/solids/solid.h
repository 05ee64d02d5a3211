/* Solids: the spaces that shapes of the config enclose, each as a signed distance.
 *
 * A solid has coordinates of its own, those of its keys or its file. The shape's scale, rotation
 * and displacement lead to the config's coordinates: x = scale R own + move. A kind of solid knows
 * its own coordinates alone, and is one file: a struct sluice_solid_kind, which solid.c lists. */
#ifndef SLUICE_SOLIDS_SOLID_H
#define SLUICE_SOLIDS_SOLID_H
#include "config/config.h"
#include "core/status.h"
#include "core/warnings.h"
#include "surface/moments.h"

struct sluice_solid_kind;
struct sluice_sharp;
struct sluice_facets;

struct sluice_solid {
    const struct sluice_solid_kind *kind; /* NULL: none, as of shape "walls" */
    const struct sluice_config *config;   /* borrowed */
    const struct sluice_shape *shape;     /* borrowed */
    int dimension;
    double rotation[3][3];
    double low[3], high[3]; /* extent, m, in the config's coordinates; infinite where unbounded */
    double own_low[3], own_high[3]; /* the same in its own coordinates, before they are scaled */
    double volume;                  /* m^3, in 2-D m^2; 0: unbounded */
    int counts_twice; /* parts of its surface cross: the volume counts some places twice */
    void *data;       /* of the kind */
};

/* All numbers are in the solid's own coordinates and unit of length. */
struct sluice_solid_kind {
    /* Sets data, and low, high, volume of the unscaled solid. Errors: as of the shape. */
    sluice_status (*create)(struct sluice_solid *solid, struct sluice_warnings *warnings);
    /* Frees data; NULL: there is none. */
    void (*destroy)(void *data);
    /* The signed distance of x from the surface, negative inside; `way` is the displacement from x
     * to the nearest point of the surface. */
    double (*distance)(const struct sluice_solid *solid, const double x[3], double way[3]);
    /* How far around x all is on the same side as x, unless the surface is nearer. NULL: without
     * end. */
    double (*certain)(const struct sluice_solid *solid, const double x[3]);
    /* The largest x . direction of all points x: how far the solid reaches in that direction. NULL:
     * as far as its box, low to high. */
    double (*reach)(const struct sluice_solid *solid, const double direction[3]);
    /* The moments about the middle of own_low .. own_high, exactly. Returns 0 if they are not
     * known. NULL: they never are. */
    int (*moments)(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *moments);
    /* Lists the corners and edges that point outwards (sharp.h). NULL: it has none. Errors: memory.
     */
    sluice_status (*sharp)(const struct sluice_solid *solid, struct sluice_sharp *sharp);
    /* Adds the surface as triangles, in 2-D its outline and what fills it (facets.h). Errors:
     * memory. */
    sluice_status (*triangles)(const struct sluice_solid *solid, struct sluice_facets *facets);
};

/* Errors: a file that cannot be read or is wrong. A solid that was not created is all zero. */
sluice_status sluice_solid_create(struct sluice_solid *solid, const struct sluice_config *config,
                                  const struct sluice_shape *shape,
                                  struct sluice_warnings *warnings);
void sluice_solid_destroy(struct sluice_solid *solid);

/* The signed distance (m, negative inside) of x (m, config coordinates) from the surface; `way`
 * leads from x to the nearest point of the surface, so that -way/distance is the gradient of the
 * distance, the direction outwards. Where several points are nearest it is one of them. */
double sluice_solid_distance(const struct sluice_solid *solid, const double x[3], double way[3]);

/* How far (m) around x all is on the same side as x, unless the surface is nearer: a surface with
 * holes has none where its lids are. */
double sluice_solid_certain(const struct sluice_solid *solid, const double x[3]);

/* The largest x . direction (m, config coordinates) of all points x of the solid: how far it
 * reaches along a direction of length 1. Where it has no end, infinite. */
double sluice_solid_reach(const struct sluice_solid *solid, const double direction[3]);

/* The moments about `origin` (m, config coordinates), in the config's axes, exactly. Returns 0 if
 * they are not known: it has no end, or parts of its surface cross, or it has holes. */
int sluice_solid_moments(const struct sluice_solid *solid, const double origin[3],
                         struct sluice_moments *moments);

/* Solid's own coordinates -> the config's. */
static inline void sluice_solid_place(const struct sluice_solid *solid, const double own[3],
                                      double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = solid->shape->move[i];
        for (int k = 0; k < 3; k++)
            if (solid->rotation[i][k] != 0)
                x[i] += solid->shape->scale * solid->rotation[i][k] * own[k];
    }
}

/* The signed distance of x from a box, and the displacement to its surface. */
double sluice_solid_box_distance(const double low[3], const double high[3], int dimension,
                                 const double x[3], double way[3]);

extern const struct sluice_solid_kind sluice_solid_box, sluice_solid_sphere, sluice_solid_cylinder,
    sluice_solid_cone, sluice_solid_half_space, sluice_solid_polygon, sluice_solid_heightfield,
    sluice_solid_mesh;
#endif

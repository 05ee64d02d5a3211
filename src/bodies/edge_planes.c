#include "bodies/edge_planes.h"

#include <math.h>

#include "core/vector.h"

struct planes {
    int count, seen[SLUICE_CUTS_MOST]; /* seen: by how many samples */
    struct sluice_half_space *side;    /* what is below all planes */
};

/* The distance above a plane, where the half-space ends. */
static double above(const struct sluice_half_space *side, const double x[3])
{
    return -side->offset - sluice_dot(side->normal, x);
}

/* Adds the plane of a sample, unless it is known, or does not cut the cell, or goes through an edge
 * of two known ones. Returns 0 if the list is full. */
static int add_plane(struct planes *p, const struct sluice_distance_sample *s, double sense,
                     const double half[3], int dimension, double tolerance)
{
    double foot[3], reach = 0;
    struct sluice_half_space side = {.offset = -sense * s->d};
    int through = 0;
    for (int a = 0; a < 3; a++) {
        side.normal[a] = -sense * s->out[a];
        side.offset += sense * s->out[a] * s->at[a];
        foot[a] = s->at[a] - s->d * s->out[a];
        reach += a < dimension ? fabs(s->out[a]) * half[a] : 0;
    }
    if (side.offset >= reach)
        return 1;
    for (int k = 0; k < p->count; k++) {
        const int meets = fabs(above(&p->side[k], foot)) <= tolerance;
        if (meets && sluice_dot(p->side[k].normal, side.normal) > 0.9999) {
            p->seen[k]++;
            return 1;
        }
        through += meets;
    }
    if (through >= 2)
        return 1;
    if (p->count == SLUICE_CUTS_MOST)
        return 0;
    p->seen[p->count] = 1;
    p->side[p->count++] = side;
    return 1;
}

/* sense: 1 of a convex edge, -1 of a hollow one. */
static int find_planes(struct planes *p, const struct sluice_distance_sample *sample, int samples,
                       int dimension, const double half[3], double tolerance, int least,
                       double sense)
{
    p->count = 0;
    for (int outer = 0; outer < 2; outer++)
        for (int i = 0; i < samples; i++)
            if ((sense * sample[i].d >= 0) == outer &&
                !add_plane(p, &sample[i], sense, half, dimension, tolerance))
                return 0;
    for (int i = 0; i < samples; i++) {
        double most = -INFINITY;
        for (int k = 0; k < p->count; k++)
            most = fmax(most, above(&p->side[k], sample[i].at));
        if (most > sense * sample[i].d + tolerance)
            return 0;
    }
    for (int k = 0; k < p->count; k++)
        if (p->seen[k] < least)
            return 0;
    return p->count > 0;
}

int sluice_edge_planes(const struct sluice_distance_sample *sample, int samples, int dimension,
                       const double half[3], double tolerance, int least,
                       struct sluice_half_space side[SLUICE_CUTS_MOST], int *is_hollow)
{
    struct planes p = {.side = side};
    for (*is_hollow = 0; *is_hollow < 2; ++*is_hollow)
        if (find_planes(&p, sample, samples, dimension, half, tolerance, least,
                        *is_hollow ? -1 : 1))
            return p.count;
    return -1;
}

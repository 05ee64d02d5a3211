/* Which rank owns a place, and which ranks need what is there. Planes cut space into one region a
 * rank: src/domain/domain.h. Shared by the host and the GPU. */
#ifndef SLUICE_KERNELS_TYPES_REGIONS_H
#define SLUICE_KERNELS_TYPES_REGIONS_H
#include "kernels/types/device.h"

/* A cut: space below x on the axis belongs to `below`, the rest to `above`: another cut, or, if
 * negative, the rank -1 - k. */
struct sluice_cut {
    int axis;
    double x; /* m from the centre of frame 0 */
    int below, above;
};

/* The region of a rank, m from the centre of frame 0; infinite on the domain's open sides. */
struct sluice_region {
    double low[3], high[3];
};

struct sluice_regions {
    int dimension, ranks;
    double reach;                 /* m: of a pair, and of what particles move between two sorts */
    double length[3];             /* of the period; 0 on open axes */
    struct sluice_cut *cut;       /* [ranks - 1]; the first one cuts all of space */
    struct sluice_region *region; /* [ranks] */
    struct sluice_region inner;   /* of this rank's region, what no other rank is within reach of;
                                     infinite on the axes that the region covers whole */
};

HD int sluice_regions_owner(const struct sluice_regions *s, const double x[3])
{
    int k = s->ranks > 1 ? 0 : -1;
    while (k >= 0)
        k = x[s->cut[k].axis] < s->cut[k].x ? s->cut[k].below : s->cut[k].above;
    return -1 - k;
}

/* How far x is from an interval; 0: it lies in it, or is not finite. */
HD double regions_gap(double low, double high, double x)
{
    const double below = low - x, above = x - high, most = below > above ? below : above;
    return most > 0 ? most : 0;
}

/* Whether a rank must have a particle at x: its own, or within reach of its region. */
HD int sluice_regions_is_near(const struct sluice_regions *s, int rank, const double x[3])
{
    const struct sluice_region *r = &s->region[rank];
    double sum = 0;
    for (int c = 0; c < s->dimension; c++) {
        double far = regions_gap(r->low[c], r->high[c], x[c]);
        for (int side = -1; side <= 1 && s->length[c] > 0; side += 2) {
            const double image = regions_gap(r->low[c], r->high[c], x[c] + side * s->length[c]);
            far = image < far ? image : far;
        }
        sum += far * far;
    }
    return sum < s->reach * s->reach;
}

/* Whether a place lies in s->inner. */
HD int sluice_regions_is_inner(const struct sluice_regions *s, const double x[3])
{
    int in = 1;
    for (int c = 0; c < s->dimension; c++)
        in &= (x[c] > s->inner.low[c]) & (x[c] < s->inner.high[c]);
    return in;
}
#endif

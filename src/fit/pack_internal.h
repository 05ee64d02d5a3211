/* The parts of packing; for src/fit/pack*.c alone. */
#ifndef SLUICE_FIT_PACK_INTERNAL_H
#define SLUICE_FIT_PACK_INTERNAL_H
#include <math.h>

#include "fit/pack.h"

/* Lists reach so much farther than the forces, dp. */
#define SLUICE_PACK_SKIN 0.4

/* The forces on a point. */
struct sluice_pack_action {
    double force[3]; /* the sum of g */
    double apart[3]; /* m: summed over neighbours, half of (range of the short force - distance) */
};

/* pack_relax.c: sums what acts on moving point i; the short force has this range, m. */
void sluice_pack_sum(const struct sluice_pack *p, int64_t i, double range,
                     struct sluice_pack_action *sum);
/* The sum of the kernel over the neighbours of moving point i. */
double sluice_pack_density(const struct sluice_pack *p, int64_t i);

/* pack_list.c: lists the neighbours, unless the lists still hold. Errors: memory. */
sluice_status sluice_pack_list_if_needed(struct sluice_pack *p);

/* The displacement from a to b, to its nearest image. Returns its square. */
static inline double sluice_pack_way(const struct sluice_pack *p, const double a[3],
                                     const double b[3], double way[3])
{
    way[0] = b[0] - a[0];
    way[1] = b[1] - a[1];
    way[2] = b[2] - a[2];
    for (int k = 0; k < 3 && p->wraps; k++)
        if (p->length[k] > 0 && fabs(way[k]) > 0.5 * p->length[k])
            way[k] -= p->length[k] * rint(way[k] / p->length[k]);
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}
#endif

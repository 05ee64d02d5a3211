/* The state of wall particles from the fluid's state at their ghost nodes (English et al. 2022,
 * modified dynamic boundary conditions; kernels/pair/pair_mdbc.h):
 *
 *   e_w = e_g + (x_w - x_g).grad e, r_w >= 0 of it, p_w by the equation of state
 *   no slip: v_w = u_w + u_m - v_g, for the viscous term only
 *
 * u_m is the velocity that the wall's rigid motion has at the place of the mean v_g, so water and
 * walls that turn together have no friction; English et al. have 2 u_w. The lower limit keeps walls
 * from pulling. It holds for the whole pressure, as in kernels/pair/pair_adami.h. */
#ifndef SLUICE_POINTWISE_FROM_GHOSTS_H
#define SLUICE_POINTWISE_FROM_GHOSTS_H
#include "kernels/types/wcsph_params.h"
#include "kernels/pair/eos.h"
#include "kernels/pointwise/rigid_motion.h"
#include "kernels/types/view.h"

#define from_ghosts_READS                                                                          \
    (SLUICE_BIT(NODE) | SLUICE_BIT(OFFSET) | SLUICE_BIT(MOTION) | SLUICE_BIT(VELOCITY))
#define from_ghosts_WRITES (SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED))

struct from_ghosts_constants {
    struct eos_constants eos;
    const real *head, *predicted; /* of the ghosts; predicted NULL: free slip */
    real least, least_head;       /* r at which the whole pressure is 0, and its head */
    struct rigid_motion_params motions;
};

static inline struct from_ghosts_constants from_ghosts_prepare(const struct from_ghosts_params *p)
{
    struct from_ghosts_constants k;
    k.eos = eos_prepare(&p->wcsph);
    k.head = (const real *)p->ghosts->field[SLUICE_FIELD_HEAD];
    k.predicted = (const real *)p->ghosts->field[SLUICE_FIELD_PREDICTED];
    k.least = k.eos.background > 0 ? eos_relative_density(&k.eos, -k.eos.background) : 0;
    k.least_head = eos_head(&k.eos, k.least);
    k.motions = *p->motions;
    return k;
}

/* x_w - x_g, turned with the particle's motion. */
HD void from_ghosts_offset(const struct from_ghosts_constants *k, const struct sluice_view *v,
                           int64_t i, const int dim, double offset[3])
{
    const struct sluice_rigid *b = rigid_motion_of(&k->motions, v, i);
    double at_start[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++)
        at_start[c] = (double)VIEW(v, OFFSET, i, dim, c);
    for (int c = 0; c < 3; c++)
        offset[c] = !b ? at_start[c]
                       : b->turn[c][0] * at_start[0] + b->turn[c][1] * at_start[1] +
                             b->turn[c][2] * at_start[2];
}

HD void from_ghosts_point(const struct from_ghosts_constants *k, const struct sluice_view *v,
                          const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const int64_t n = (dim + 1) * (int64_t)view_number(v, SLUICE_FIELD_NODE, i);
    const real *velocity = v->field[SLUICE_FIELD_VELOCITY];
    double offset[3], head = (double)k->head[n];
    (void)frames;
    from_ghosts_offset(k, v, i, dim, offset);
    for (int c = 0; c < dim; c++)
        head += offset[c] * (double)k->head[n + 1 + c];
    /* Walls far from the fluid are many, and need no iteration. */
    const real r = (real)head > k->least_head
                       ? real_max(eos_density_of_head(&k->eos, (real)head), k->least)
                       : k->least;
    eos_record(&k->eos, r, eos_pressure(&k->eos, r), &VIEW(v, EOS, i, 2, 0));
    if (!k->predicted)
        return;
    for (int c = 0; c < dim; c++)
        VIEW(v, PREDICTED, i, dim + 1, c) = k->predicted[n + c] +
                                            (velocity ? velocity[dim * i + c] : 0);
    VIEW(v, PREDICTED, i, dim + 1, dim) = eos_head(&k->eos, r);
}
#endif

/* Shifts that the loop of the forces finds beside them (pair_shift.h). */
#ifndef SLUICE_PAIR_WCSPH_SHIFT_H
#define SLUICE_PAIR_WCSPH_SHIFT_H
#include "kernels/pair/wcsph_walls.h"

/* The sums of the shift. mf: m_j F. */
HD void wcsph_add_shift(const wcsph_constants *k, const struct shift_rule *rule,
                        const struct pair_loop loop, const struct pair_distance *at, const lane mf,
                        const wcsph_src *j, wcsph_acc_lanes *sum)
{
    lane *const push[3] = {&sum->hx, &sum->hy, &sum->hz}, *const counted[3] = {&sum->cx, &sum->cy,
                                                                               &sum->cz};
    shift_add(rule, &k->kernel, loop, at, mf * j->space, push, &sum->spread, counted);
}

/* After the rate is stored. unit: of V in the sums. */
HD void wcsph_store_shift(const struct shift_rule *rule, const struct sluice_view *v, int64_t n,
                          const struct pair_loop loop, const real unit, const real pressure,
                          const struct wcsph_result *q, const wcsph_acc *sum,
                          double out[SLUICE_SUM_COUNT])
{
    const struct shift_sums all = {{unit * sum->hx, unit * sum->hy, unit * sum->hz},
                                   unit * sum->spread,
                                   sum->phi,
                                   {unit * sum->cx, unit * sum->cy, unit * sum->cz}};
    real dx[3];
    shift_of(rule, loop.dim, &all, dx);
    shift_store_limited(rule, v, n, loop, dx, &all, q->mass, (double)pressure, out);
}
#endif

#include <math.h>

#include "pair_reference_terms.h"

void reference_add_shift(const struct wcsph_params *p, int source, const struct point *i,
                         const struct point *j, const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *pj = source == 0 ? wcsph_of(p, j->phase) : p;
    const double r = sqrt(r2), volume = j->m * j->s / pj->rho0,
                 f = reference_kernel_f(p->dimension, p->h, p->kernel, r),
                 clump = pow(reference_kernel_w(p->dimension, p->h, p->kernel, r) / p->shift.w_dp,
                             4);
    for (int c = 0; c < p->dimension; c++) {
        t->shift.push[c] += volume * f * (1 + 0.2 * clump) * d[c];
        t->shift.counted[c] += (source == 0 ? 2 : 1) * volume * f * d[c];
        if (source == 0 && pj != wcsph_of(p, i->phase))
            t->shift.mean[c] += volume * f * d[c];
    }
    t->shift.spread -= volume * f * r2;
    if (source == 1)
        t->shift.phi += pow(p->spacing, p->dimension) *
                        reference_kernel_w(p->dimension, 0.8 * p->spacing, 0, r);
    t->shift.size += reference_size(p, volume, f) * (1 + clump);
    t->shift.rate_size += reference_size(p, 2 * volume, f);
}

void reference_finish_shift(struct reference *r, const struct wcsph_params *p, int64_t n,
                            const struct point *i, const struct sums *t)
{
    const double s0 = p->dimension == 2 ? 1.5 : 2.75, most = 0.05 * p->spacing,
                 speed = p->second ? fmin(p->sound_speed, p->second->sound_speed) : p->sound_speed,
                 step = p->shift.strength * speed / 10 * p->h * p->dt,
                 part = p->spring && t->shift.phi > 0.24 ? 0
                        : p->shift.inside
                            ? fmin(fmax((t->shift.spread - s0) / (p->dimension - s0), 0), 1)
                            : 1;
    /* Two fluids: without the part along the gradient of the other one's colour, where that is more
     * than 1e-3/h. */
    const double *normal = t->shift.mean, *push = t->shift.push,
                 n2 = p->second ? reference_dot(normal, normal) + 1e-6 / (p->h * p->h) : 0,
                 across = p->second ? reference_dot(push, normal) / n2 : 0;
    double along[3] = {0, 0, 0};
    for (int c = 0; c < p->dimension; c++)
        along[c] = push[c] - across * normal[c];
    const double length = part * step * sqrt(reference_dot(along, along)),
                 limit = length > most ? most / length : 1;
    for (int c = 0; c < p->dimension; c++)
        r->shift[n][c] = -limit * part * step * along[c];
    /* The direction of the normal has the error of its sum. */
    r->shift_scale[n] = step * t->shift.size * (p->shift.inside ? 1 + 4 * t->shift.spread : 1) *
                        (p->second ? 1 + 2 * t->shift.rate_size / sqrt(n2) : 1);
    const double counted = p->shift.counted ? reference_dot(r->shift[n], t->shift.counted) / p->dt
                                            : 0,
                 rate_scale = r->shift_scale[n] * t->shift.rate_size / p->dt + fabs(r->rate[n]) +
                              fabs(counted);
    r->rate[n] += counted;
    r->rate_scale[n] += rate_scale;
    r->sum[SLUICE_SUM_SHIFT] -= i->m * reference_dot(p->shift.gravity, r->shift[n]);
    r->sum[SLUICE_SUM_SHIFT_DENSITY] += i->m * i->p * p->rho0 * counted;
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        r->scale[k] += i->m * (sqrt(reference_dot(p->gravity, p->gravity)) * r->shift_scale[n] +
                               fabs(i->p) * p->rho0 * rate_scale);
}

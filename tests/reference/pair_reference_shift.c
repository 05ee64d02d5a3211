#include <math.h>

#include "pair_reference_terms.h"

void reference_add_shift(const struct wcsph_shift_params *q, int source, const struct point *i,
                         const struct point *j, const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *p = &q->wcsph, *pj = source == 0 ? wcsph_of(p, j->phase) : p;
    const double r = sqrt(r2), volume = j->m * j->s / pj->rho0,
                 f = reference_kernel_f(p->dimension, p->h, p->kernel, r),
                 clump = pow(reference_kernel_w(p->dimension, p->h, p->kernel, r) / q->w_dp, 4);
    for (int c = 0; c < p->dimension; c++) {
        t->lift[c] += volume * f * (1 + 0.2 * clump) * d[c];
        t->wv[c] += (source == 0 ? 2 : 1) * volume * f * d[c];
        if (source == 0 && pj != wcsph_of(p, i->phase))
            t->mean[c] += volume * f * d[c];
    }
    t->rate -= volume * f * r2;
    if (source == 1)
        t->phi += pow(p->spacing, p->dimension) *
                  reference_kernel_w(p->dimension, 0.8 * p->spacing, 0, r);
    t->a_scale += reference_size(p, volume, f) * (1 + clump);
    t->rate_scale += reference_size(p, 2 * volume, f);
}

void reference_finish_shift(struct reference *r, const struct sluice_set *set,
                            const struct wcsph_shift_params *q, int64_t n, const struct point *i,
                            const struct sums *t)
{
    const struct wcsph_params *p = &q->wcsph;
    const double s0 = p->dimension == 2 ? 1.5 : 2.75, most = 0.05 * p->spacing,
                 speed = p->second ? fmin(p->sound_speed, p->second->sound_speed) : p->sound_speed,
                 step = q->strength * speed / 10 * p->h * q->dt,
                 part = p->spring && t->phi > 0.24 ? 0
                        : q->inside ? fmin(fmax((t->rate - s0) / (p->dimension - s0), 0), 1)
                                    : 1;
    /* Two fluids: without the part along the gradient of the other one's colour, where that is more
     * than 1e-3/h. */
    const double n2 = p->second ? reference_dot(t->mean, t->mean) + 1e-6 / (p->h * p->h) : 0,
                 across = p->second ? reference_dot(t->lift, t->mean) / n2 : 0;
    double along[3] = {0, 0, 0};
    for (int c = 0; c < p->dimension; c++)
        along[c] = t->lift[c] - across * t->mean[c];
    const double length = part * step * sqrt(reference_dot(along, along)),
                 limit = length > most ? most / length : 1;
    for (int c = 0; c < p->dimension; c++)
        r->v[n][c] = -limit * part * step * along[c];
    /* The direction of the normal has the error of its sum. */
    r->a_scale[n] = step * t->a_scale * (q->inside ? 1 + 4 * t->rate : 1) *
                    (p->second ? 1 + 2 * t->rate_scale / sqrt(n2) : 1);
    r->sum[SLUICE_SUM_SHIFT] -= i->m * reference_dot(p->gravity, r->v[n]);
    const double counted = q->counted ? reference_dot(r->v[n], t->wv) / q->dt : 0;
    r->rate[n] = field_at(set, SLUICE_FIELD_RATE, n, 0) + counted;
    r->rate_scale[n] = r->a_scale[n] * t->rate_scale / q->dt + fabs(r->rate[n]);
    r->sum[SLUICE_SUM_SHIFT_DENSITY] += i->m * i->p * p->rho0 * counted;
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        r->scale[k] += i->m * (sqrt(reference_dot(p->gravity, p->gravity)) * r->a_scale[n] +
                               fabs(i->p) * p->rho0 * r->rate_scale[n]);
}

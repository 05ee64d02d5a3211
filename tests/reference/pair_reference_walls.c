/* The formulas of kernels/pair/pair_repulsive.h and pair_adami.h. */
#include <math.h>

#include "pair_reference_terms.h"

void reference_add_repulsive(const struct wcsph_params *p, const struct point *j, const double d[3],
                             double r2, struct sums *t)
{
    const double dp2 = p->spacing * p->spacing, soft2 = r2 + 1e-4 * dp2, x = dp2 / soft2;
    const double over = fmax(0, x - 1), strength = p->sound_speed * p->sound_speed / 40,
                 f = strength * x * over / soft2;
    for (int c = 0; c < 3; c++)
        t->a[c] += f * d[c];
    t->body += f * reference_dot(j->v, d);
    t->energy += strength * over * over / 4;
    /* As for Lennard-Jones: an error of d counts more the closer a pair is, five times for r^-5; x
     * - 1 has one, too. */
    const double size = strength * (over > 0 ? x * x : 0) / sqrt(soft2) * (1 + 0.3 / sqrt(soft2));
    t->a_scale += size;
    t->power_scale += size * (sqrt(reference_dot(j->v, j->v)) + sqrt(soft2));
}

void reference_add_adami(const struct wcsph_params *p, const struct point *j, const double d[3],
                         double r2, struct sums *t)
{
    const double w = reference_kernel_w(p->dimension, p->h, p->kernel, sqrt(r2)),
                 rho = wcsph_of(p, j->phase)->rho0 / j->s;
    t->w += w;
    t->wp += j->p * rho * rho * w;
    t->p_scale += (fabs(j->p * rho * rho) +
                   rho * p->h * sqrt(reference_dot(p->gravity, p->gravity))) *
                  w;
    for (int c = 0; c < p->dimension; c++) {
        t->lift[c] += rho * d[c] * w;
        t->wv[c] += j->v[c] * w;
        t->mean[c] -= d[c] * w;
    }
}

void reference_finish_adami(struct reference *r, const struct sluice_set *set,
                            const struct wcsph_params *p, int64_t n, const struct point *i,
                            const struct sums *t)
{
    const int near = t->w > 1e-6 * reference_kernel_w(p->dimension, p->h, p->kernel, 0);
    double lifted = 0, turned[3];
    reference_turned(p, i->motion, t->mean, turned);
    for (int c = 0; c < p->dimension; c++) {
        const double a = set->field[SLUICE_FIELD_ACCELERATION]
                             ? field_at(set, SLUICE_FIELD_ACCELERATION, n, c)
                             : 0;
        lifted += (p->gravity[c] - a) * t->lift[c];
        r->v[n][c] = near ? 2 * i->v[c] + (turned[c] - t->wv[c]) / t->w : i->v[c];
    }
    r->p[n] = near ? fmax(0, (t->wp + lifted) / t->w) : 0;
    r->p_scale[n] = near ? t->p_scale / t->w : 1;
}

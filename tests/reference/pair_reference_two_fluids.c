/* Two fluids, as docs/theory.md has them: forces of volumes, V = m/rho. */
#include <math.h>

#include "pair_reference_terms.h"

/* 2/(1/a + 1/b). */
static double harmonic(double a, double b)
{
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

static void add_fluid(const struct wcsph_params *p, const struct point *i, const struct point *j,
                      const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *pi = wcsph_of(p, i->phase), *pj = wcsph_of(p, j->phase);
    const double rho_i = pi->rho0 / i->s, rho_j = pj->rho0 / j->s, eta2 = 0.01 * p->h * p->h;
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    const double volume = j->m / rho_j, p_sum = i->p * rho_i * rho_i + j->p * rho_j * rho_j;
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]},
                 vd = reference_dot(v, d);
    const double b = harmonic(pi->alpha * pi->rho0 * pi->sound_speed,
                              pj->alpha * pj->rho0 * pj->sound_speed) *
                     p->h,
                 mu = harmonic(pi->nu * pi->rho0, pj->nu * pj->rho0);
    const double e = pi == pj
                         ? 1
                         : 1 + p->repulsion * fabs(pi->rho0 - pj->rho0) / (pi->rho0 + pj->rho0);
    const double eddies = p->mixing.most > 0 ? p->rho0 * reference_eddies(p, i, j, vd, r2) *
                                                   harmonic(pi->rho0, pj->rho0)
                                             : 0,
                 artificial = (vd < 0 ? -b * vd / (r2 + eta2) : 0) + eddies;
    double laminar[3];
    reference_laminar(p, v, d, r2, laminar);
    for (int c = 0; c < p->dimension; c++)
        t->a[c] += volume * f / rho_i * (2 * mu * laminar[c] - (e * p_sum + artificial) * d[c]);
    t->rate += e * volume * f * vd / i->s;
    t->viscous += 0.5 * volume * f / rho_i * (2 * mu * reference_dot(laminar, v) - artificial * vd);
    const double speed = sqrt(reference_dot(v, v)), size = e * reference_size(p, volume, f),
                 sizes = fabs(i->p * rho_i * rho_i) + fabs(j->p * rho_j * rho_j) + fabs(artificial),
                 friction = 2 * mu * fabs(volume * f) *
                            (8 * speed + sqrt(reference_dot(laminar, laminar)));
    t->a_scale += (size * sizes + friction) / rho_i;
    t->rate_scale += size * speed;
    t->power_scale += (size * sizes + friction) * speed / rho_i;
    if (pi != pj)
        return;
    const double c2 = pi->sound_speed * pi->sound_speed,
                 k = 2 * pi->delta * p->h * pi->sound_speed * j->m / pi->rho0,
                 gd = p->hydrostatic_diffusion ? reference_dot(p->gravity, d) / c2 : 0;
    t->diffusion += -k * f * (j->e - i->e + gd);
    t->diffusion_scale += reference_size(p, k, f) *
                          (fabs(j->e) + fabs(i->e) +
                           2 * p->h * sqrt(reference_dot(p->gravity, p->gravity)) / c2);
}

static void add_wall(const struct wcsph_params *p, const struct point *i, const struct point *j,
                     const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *own = wcsph_of(p, i->phase);
    const double rho = own->rho0 / i->s, rho_w = p->rho0 / j->s, volume = j->m / rho_w;
    const double r = sqrt(r2), hs = 0.8 * p->spacing, cell = pow(p->spacing, p->dimension),
                 f = reference_kernel_f(p->dimension, p->h, p->kernel, r),
                 spring = cell * reference_kernel_f(p->dimension, hs, 0, r);
    const double p_i = i->p * rho * rho, p_w = j->p * rho_w * rho_w;
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]},
                 vd = reference_dot(v, d);
    const double mu = p->slip || j->slips ? 0 : own->nu * own->rho0,
                 w[3] = {i->v[0] - j->w[0], i->v[1] - j->w[1], i->v[2] - j->w[2]};
    const double b = own->alpha * own->rho0 * own->sound_speed * p->h,
                 pi = p->artificial_walls && !j->slips && vd < 0
                          ? -b * vd / (r2 + 0.01 * p->h * p->h)
                          : 0;
    double laminar[3], viscous[3];
    reference_laminar(p, w, d, r2, laminar);
    if (p->wall_law.used && !j->slips)
        reference_add_wall_law(p, j, d, j->m * f, t);
    for (int c = 0; c < 3; c++) {
        viscous[c] = volume * f / rho * (2 * mu * laminar[c] - pi * d[c]);
        t->a[c] += viscous[c] - volume * f / rho * (p_i + p_w) * d[c];
        t->s[c] += spring * d[c];
    }
    t->rate += volume * f * vd / i->s;
    t->ghost -= volume * f / rho * p_w * vd;
    t->body += reference_dot(viscous, j->v) -
               volume * f / rho * (p_i + p_w) * reference_dot(j->v, d);
    t->wall_viscous += reference_dot(viscous, v);
    t->phi += cell * reference_kernel_w(p->dimension, hs, 0, r);
    t->su += spring * reference_dot(j->v, d);
    t->spring += fabs(spring);
    t->spring_d += fabs(spring) * r;
    const double speed = sqrt(reference_dot(v, v)) + sqrt(reference_dot(j->v, j->v)),
                 size = reference_size(p, volume, f),
                 friction = sqrt(reference_dot(viscous, viscous)) +
                            fabs(volume * f) / rho * 16 * mu * sqrt(reference_dot(w, w));
    t->a_scale += size * (fabs(p_i) + fabs(p_w)) / rho + friction;
    t->rate_scale += size * speed;
    t->power_scale += size * (fabs(p_i) + fabs(p_w)) / rho * speed + friction * speed +
                      (p->spring ? own->sound_speed * own->sound_speed * fabs(spring) * p->h * speed
                                 : 0);
}

void reference_add_two_fluids(const struct wcsph_params *p, int source, const struct point *i,
                              const struct point *j, const double d[3], double r2, struct sums *t)
{
    (source == 0 ? add_fluid : add_wall)(p, i, j, d, r2, t);
}

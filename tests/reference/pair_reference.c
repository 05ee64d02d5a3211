#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair_reference_terms.h"

static void add_fluid(const struct wcsph_params *p, const struct point *i, const struct point *j,
                      const double d[3], double r2, struct sums *t)
{
    const double f = reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2)), mf = j->m * f,
                 eta2 = 0.01 * p->h * p->h;
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]},
                 vd = reference_dot(v, d);
    const double artificial = vd < 0
                                  ? -p->alpha * p->sound_speed * p->h * vd / (p->rho0 * (r2 + eta2))
                                  : 0,
                 pi = artificial + (p->mixing.most > 0 ? reference_eddies(p, i, j, vd, r2) : 0);
    const double c02 = p->sound_speed * p->sound_speed;
    const double gd = p->hydrostatic_diffusion && !p->piezometric
                          ? reference_dot(p->gravity, d) / c02
                          : 0;
    const double nu = mf * 2 * p->nu / p->rho0 * i->s * j->s;
    double laminar[3];
    reference_laminar(p, v, d, r2, laminar);
    for (int c = 0; c < p->dimension; c++)
        t->a[c] += -mf * (i->p + j->p + pi) * d[c] + nu * laminar[c];
    t->rate += mf * vd / p->rho0;
    t->diffusion += -2 * p->delta * p->h * p->sound_speed / p->rho0 * mf * (j->e - i->e + gd);
    t->viscous += 0.5 * (-mf * pi * vd + nu * reference_dot(laminar, v));
    const double speed = sqrt(reference_dot(v, v)), size = reference_size(p, j->m, f),
                 friction = fabs(nu) * (16 * speed + sqrt(reference_dot(laminar, laminar)));
    t->a_scale += size * (fabs(i->p) + fabs(j->p) + fabs(pi)) + friction;
    t->rate_scale += size * speed / p->rho0;
    t->diffusion_scale += 2 * p->delta * p->sound_speed / p->rho0 * size * p->h *
                          (fabs(j->e) + fabs(i->e) +
                           2 * p->h * sqrt(reference_dot(p->gravity, p->gravity)) / c02);
    t->power_scale += size * (fabs(i->p) + fabs(j->p) + fabs(pi)) * speed + friction * speed;
}

static void add_wall(const struct wcsph_params *p, const struct point *i, const struct point *j,
                     const double d[3], double r2, struct sums *t)
{
    const double r = sqrt(r2), mf = j->m * reference_kernel_f(p->dimension, p->h, p->kernel, r);
    const double hs = 0.8 * p->spacing, volume = pow(p->spacing, p->dimension),
                 spring = volume * reference_kernel_f(p->dimension, hs, 0, r);
    const double v[3] = {i->v[0] - j->v[0], i->v[1] - j->v[1], i->v[2] - j->v[2]},
                 vd = reference_dot(v, d);
    const double nu = p->slip || j->slips ? 0 : mf * 2 * p->nu / p->rho0 * i->s * j->s,
                 w[3] = {i->v[0] - j->w[0], i->v[1] - j->w[1], i->v[2] - j->w[2]};
    const double pi = p->artificial_walls && !j->slips && vd < 0
                          ? -p->alpha * p->sound_speed * p->h * vd /
                                (p->rho0 * (r2 + 0.01 * p->h * p->h))
                          : 0;
    double laminar[3], viscous[3];
    reference_laminar(p, w, d, r2, laminar);
    for (int c = 0; c < 3; c++) {
        viscous[c] = nu * laminar[c] - mf * pi * d[c];
        t->a[c] += -mf * (i->p + j->p) * d[c] + viscous[c];
        t->s[c] += spring * d[c];
    }
    if (p->wall_law.used && !j->slips)
        reference_add_wall_law(p, j, d, mf, t);
    t->rate += mf * vd / p->rho0;
    t->ghost -= mf * j->p * vd;
    t->body += -mf * (i->p + j->p) * reference_dot(j->v, d) + reference_dot(viscous, j->v);
    t->wall_viscous += reference_dot(viscous, v);
    t->phi += volume * reference_kernel_w(p->dimension, hs, 0, r);
    t->su += spring * reference_dot(j->v, d);
    const double speed = sqrt(reference_dot(v, v)) + sqrt(reference_dot(j->v, j->v)),
                 size = reference_size(p, j->m, mf / j->m);
    t->a_scale += size * (fabs(i->p) + fabs(j->p) + fabs(pi)) +
                  sqrt(reference_dot(viscous, viscous)) + 16 * fabs(nu) * sqrt(reference_dot(w, w));
    t->spring += fabs(spring);
    t->spring_d += fabs(spring) * r;
    t->rate_scale += size * speed / p->rho0;
    t->power_scale += size * (fabs(i->p) + fabs(j->p) + fabs(pi)) * speed +
                      (sqrt(reference_dot(viscous, viscous)) +
                       16 * fabs(nu) * sqrt(reference_dot(w, w))) *
                          speed +
                      (p->spring ? p->sound_speed * p->sound_speed * fabs(spring) * p->h * speed
                                 : 0);
}

static void finish_wcsph(struct reference *r, const struct sluice_set *set,
                         const struct wcsph_params *p, int64_t n, const struct point *i,
                         const struct sums *t)
{
    const double over = p->spring && t->phi > 0.3 ? t->phi - 0.3 : 0,
                 push = -p->sound_speed * p->sound_speed * over;
    double va = 0, friction[3] = {0, 0, 0}, friction_power = 0, on_wall = 0, friction_scale = 0;
    if (p->wall_law.used)
        friction_scale = reference_finish_wall_law(p, i, t, friction, &on_wall);
    for (int c = 0; c < p->dimension; c++) {
        const double body = p->begins ? p->body[c] : field_at(set, SLUICE_FIELD_ACCELERATION, n, c);
        r->a[n][c] = body + t->a[c] + push * t->s[c] + friction[c];
        friction_power += friction[c] * i->v[c];
        va += i->v[c] * t->a[c];
    }
    double leak = 0;
    const double bent = p->renormalised ? reference_remember(r, set, p, n, t, &leak) : 0;
    const double rate = t->rate + t->diffusion + bent,
                 least = p->limits_tension && p->dt > 0
                             ? (-p->tension - p->gap - i->density) / p->dt
                             : rate;
    r->rate[n] = fmax(rate, least);
    /* The spring's push is a product of two sums, and each has an error. */
    r->a_scale[n] = t->a_scale + 1 + friction_scale +
                    (p->spring ? p->sound_speed * p->sound_speed * p->h *
                                     (t->spring * (1 + over) +
                                      t->spring_d * sqrt(reference_dot(t->s, t->s)))
                               : 0);
    r->rate_scale[n] = t->rate_scale + t->diffusion_scale + fabs(r->rate[n] - rate) + fabs(bent);
    r->sum[SLUICE_SUM_VISCOUS] += i->m * (t->viscous + t->wall_viscous + friction_power - on_wall);
    r->sum[SLUICE_SUM_TENSION] += i->m * i->p * p->rho0 * (r->rate[n] - rate);
    r->sum[SLUICE_SUM_MEMORY] += i->m * i->p * p->rho0 * leak;
    r->sum[SLUICE_SUM_DIFFUSION] += i->m * i->p * p->rho0 * t->diffusion;
    r->sum[SLUICE_SUM_GHOST] += p->ghost ? i->m * t->ghost : 0;
    r->sum[SLUICE_SUM_BODY] += i->m * (t->body + push * t->su + on_wall);
    r->sum[SLUICE_SUM_SPRING] += 0.5 * i->m * p->sound_speed * p->sound_speed * over * over;
    const double scale = i->m *
                         (t->power_scale + friction_scale * (2 + sqrt(reference_dot(i->v, i->v))) +
                          fabs(i->p) * p->rho0 * r->rate_scale[n] +
                          (p->spring ? p->sound_speed * p->sound_speed * t->phi * t->phi : 0) +
                          fabs(va));
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        r->scale[k] += scale;
}

/* On wall particle i, of mass m_w, from fluid j: minus m_f times what add_wall gives j. */
static void add_reaction(const struct wcsph_reaction_params *q, const struct point *i,
                         const struct point *j, const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *p = &q->wcsph;
    const double back[3] = {-d[0], -d[1], -d[2]}, a_scale = t->a_scale;
    const double f0 = reference_kernel_f(p->dimension, 0.8 * p->spacing, 0, 0);
    struct sums of_fluid;
    memset(&of_fluid, 0, sizeof of_fluid);
    if (q->repulsive)
        reference_add_repulsive(p, i, back, r2, &of_fluid);
    else if (p->second)
        reference_add_two_fluids(p, 1, j, i, back, r2, &of_fluid);
    else
        add_wall(p, j, i, back, r2, &of_fluid);
    if (!q->repulsive && !p->slip && !i->slips && wcsph_has_stress(p))
        reference_add_stress(p, 1, j, i, back, r2, &of_fluid);
    const double push = q->repulsive || !p->spring
                            ? 0
                            : j->push *
                                  reference_kernel_f(p->dimension, 0.8 * p->spacing, 0, sqrt(r2)) /
                                  f0;
    const double share = q->repulsive || !p->wall_law.used || i->slips
                             ? 0
                             : i->m * reference_kernel_f(p->dimension, p->h, p->kernel, sqrt(r2));
    for (int c = 0; c < p->dimension; c++)
        t->a[c] -= j->m * (of_fluid.a[c] - push * d[c] + share * j->b[c]);
    t->a_scale = a_scale + j->m * (of_fluid.a_scale + fabs(push) + fabs(j->push) * 0.05);
}

/* Whether a pair is a combination of the terms of water (kernels/pair/wcsph_combinations.h). */
static int is_water(int pair)
{
    return strncmp(sluice_pairs[pair].formulas, "wcsph_", 6) == 0;
}

static int has_gradients(const struct wcsph_params *p)
{
    return wcsph_has_stress(p) || p->corrected_diffusion;
}

static int finds_shift(int pair)
{
    return (sluice_pairs[pair].writes & SLUICE_BIT(SHIFT)) != 0;
}

static void finish(struct reference *r, const struct sluice_pass *pass, int64_t n,
                   const struct point *i, const struct sums *t)
{
    const struct sluice_set *set = pass->target;
    const struct wcsph_params *p = pass->params;
    if (is_water(pass->pair)) {
        finish_wcsph(r, set, wcsph_of(p, i->phase), n, i, t);
        if (has_gradients(p))
            reference_finish_gradients(r, p, n, i, t);
        if (finds_shift(pass->pair))
            reference_finish_shift(r, p, n, i, t);
        return;
    }
    switch (pass->pair) {
    case SLUICE_PAIR_lj:
    case SLUICE_PAIR_low:
    case SLUICE_PAIR_high:
        if (pass->pair == SLUICE_PAIR_low) { /* it jumps at the cutoff */
            r->a_scale[n] = 1e6 * t->close;
            r->scale[SLUICE_SUM_VIRIAL] += 1e6 * t->close;
        }
        for (int c = 0; c < set->dimension; c++) {
            const struct lj_params *of = pass->params;
            const double body = of->begins ? of->body[c]
                                           : field_at(set, SLUICE_FIELD_ACCELERATION, n, c);
            r->a[n][c] = body + t->a[c] / i->m;
        }
        r->a_scale[n] += t->a_scale / i->m + 1;
        r->sum[SLUICE_SUM_PAIR_ENERGY] += t->energy;
        r->sum[SLUICE_SUM_VIRIAL] += t->virial;
        for (int k = 0; k < SLUICE_SUM_COUNT; k++)
            r->scale[k] += t->power_scale;
        break;
    case SLUICE_PAIR_repulsive:
        for (int c = 0; c < set->dimension; c++)
            r->a[n][c] = field_at(set, SLUICE_FIELD_ACCELERATION, n, c) + t->a[c];
        r->a_scale[n] = t->a_scale + 1;
        r->sum[SLUICE_SUM_BODY] += i->m * t->body;
        r->sum[SLUICE_SUM_SPRING] += i->m * t->energy;
        for (int k = 0; k < SLUICE_SUM_COUNT; k++)
            r->scale[k] += i->m * t->power_scale;
        break;
    case SLUICE_PAIR_adami_wendland:
    case SLUICE_PAIR_adami_chosen:
        reference_finish_adami(r, set, p, n, i, t);
        break;
    case SLUICE_PAIR_reaction:
        memcpy(r->v[n], t->a, sizeof t->a);
        r->a_scale[n] = t->a_scale;
        break;
    case SLUICE_PAIR_mdbc_wendland:
    case SLUICE_PAIR_mdbc_chosen:
        reference_finish_mdbc(r, set, p, n, t);
        break;
    case SLUICE_PAIR_shift:
        r->rate[n] = field_at(set, SLUICE_FIELD_RATE, n, 0);
        reference_finish_shift(r, p, n, i, t);
        break;
    default:
        r->rate[n] = t->rate;
        r->rate_scale[n] = t->rate_scale;
    }
}

static void add_water(const struct wcsph_params *p, int source, const struct point *i,
                      const struct point *j, const double d[3], double r2, struct sums *t)
{
    if (p->second)
        reference_add_two_fluids(p, source, i, j, d, r2, t);
    else
        (source == 0 ? add_fluid : add_wall)(p, i, j, d, r2, t);
    if (wcsph_has_stress(p) && (source == 0 || !(p->slip || j->slips)))
        reference_add_stress(p, source, i, j, d, r2, t);
    if (has_gradients(p) && (source == 0 || !p->slip))
        reference_add_gradients(p, source, i, j, d, r2, t);
    if (p->renormalised)
        reference_add_tensor(p, j, d, r2, t);
    if (source == 0 && p->renormalised)
        reference_add_renormalised(p, i, j, d, r2, t);
    if (source == 0 && p->corrected_diffusion)
        reference_add_slope(p, i, j, d, r2, t);
}

static void add_pair(const struct sluice_pass *pass, int source, const struct point *i,
                     const struct point *j, const double d[3], double r2, struct sums *t)
{
    const struct wcsph_params *p = pass->params;
    if (is_water(pass->pair)) {
        add_water(p, source, i, j, d, r2, t);
        if (finds_shift(pass->pair))
            reference_add_shift(p, source, i, j, d, r2, t);
        return;
    }
    switch (pass->pair) {
    case SLUICE_PAIR_lj:
        reference_add_lj(pass->params, d, r2, t);
        break;
    case SLUICE_PAIR_low:
        reference_add_low(pass->params, d, r2, t);
        break;
    case SLUICE_PAIR_high:
        reference_add_high(pass->params, d, r2, t);
        break;
    case SLUICE_PAIR_repulsive:
        reference_add_repulsive(p, j, d, r2, t);
        break;
    case SLUICE_PAIR_adami_wendland:
    case SLUICE_PAIR_adami_chosen:
        reference_add_adami(p, j, d, r2, t);
        break;
    case SLUICE_PAIR_reaction:
        add_reaction(pass->params, i, j, d, r2, t);
        break;
    case SLUICE_PAIR_mdbc_wendland:
    case SLUICE_PAIR_mdbc_chosen:
        reference_add_mdbc(p, j, d, r2, t);
        break;
    case SLUICE_PAIR_shift:
        reference_add_shift(p, source, i, j, d, r2, t);
        break;
    default:
        add_fluid(p, i, j, d, r2, t);
    }
}

/* All images of particle j of a source that particle i of the target meets; is_same: j is i. */
static void meet(struct reference *r, const struct sluice_grid *g, const struct sluice_pass *pass,
                 double rc, int source, const struct point *pi, const struct point *pj, int is_same,
                 struct sums *t)
{
    double base[3] = {0, 0, 0};
    int images[3] = {0, 0, 0};
    for (int c = 0; c < g->dimension; c++) {
        base[c] = (double)(pi->frame[c] - pj->frame[c]) * g->width[c] + (pi->x[c] - pj->x[c]);
        images[c] = g->periodic[c] ? 2 : 0;
    }
    /* Most are nowhere near the cutoff, already along one axis. */
    const double far = 1.001 * rc * rc;
    double d[3];
    for (int z = -images[2]; z <= images[2]; z++) {
        d[2] = base[2] + z * g->wrap[2] * g->width[2];
        if (d[2] * d[2] > far)
            continue;
        for (int y = -images[1]; y <= images[1]; y++) {
            d[1] = base[1] + y * g->wrap[1] * g->width[1];
            if (d[1] * d[1] > far)
                continue;
            for (int x = -images[0]; x <= images[0]; x++) {
                d[0] = base[0] + x * g->wrap[0] * g->width[0];
                const double r2 = d[0] * d[0] > far ? INFINITY : reference_dot(d, d);
                if (r2 > far || (is_same && !x && !y && !z))
                    continue;
                r->close_pairs += fabs(r2 / (rc * rc) - 1) < 2e-5;
                t->close += fabs(r2 / (rc * rc) - 1) < 2e-5;
                r->sum[SLUICE_SUM_PAIRS] += r2 < rc * rc;
                if (r2 < rc * rc)
                    add_pair(pass, source, pi, pj, d, r2, t);
            }
        }
    }
}

/* The particles of a set, or NULL without one. */
static struct point *points_of(const struct sluice_grid *g, const struct sluice_set *set)
{
    struct point *points = set ? calloc((size_t)set->count + 1, sizeof *points) : NULL;
    for (int64_t i = 0; set && i < set->count; i++)
        points[i] = reference_point(g, set, i);
    return points;
}

void reference_run(struct reference *r, const struct world *w, const struct sluice_pass *on_backend)
{
    struct sluice_pass host = *on_backend; /* the same sets, in host memory */
    const struct sluice_pass *pass = &host;
    host.target = (struct sluice_set *)&w->host[host.target->type];
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (host.source[s])
            host.source[s] = (struct sluice_set *)&w->host[host.source[s]->type];
    const size_t n = (size_t)pass->target->count + 1;
    memset(r, 0, sizeof *r);
    r->n = pass->target->count;
    r->a = calloc(n, sizeof *r->a);
    r->a_scale = calloc(n, sizeof *r->a_scale);
    r->rate = calloc(n, sizeof *r->rate);
    r->rate_scale = calloc(n, sizeof *r->rate_scale);
    r->p = calloc(n, sizeof *r->p);
    r->p_scale = calloc(n, sizeof *r->p_scale);
    r->v = calloc(n, sizeof *r->v);
    r->shift = calloc(n, sizeof *r->shift);
    r->shift_scale = calloc(n, sizeof *r->shift_scale);
    r->stress = calloc(n, sizeof *r->stress);
    r->stress_scale = calloc(n, sizeof *r->stress_scale);
    r->slope = calloc(n, sizeof *r->slope);
    r->slope_scale = calloc(n, sizeof *r->slope_scale);
    r->correction = calloc(n, sizeof *r->correction);
    r->correction_scale = calloc(n, sizeof *r->correction_scale);
    r->memory = calloc(n, sizeof *r->memory);
    r->head = calloc(n, sizeof *r->head);
    r->head_scale = calloc(n, sizeof *r->head_scale);
    r->of_id = calloc(n, sizeof *r->of_id);
    const double rc = sluice_pairs[pass->pair].support(pass->params);
    struct point *source[SLUICE_PASS_SOURCES];
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        source[s] = points_of(&w->grid, pass->source[s]);
    for (int64_t i = 0; i < r->n; i++) {
        const struct point pi = reference_point(&w->grid, pass->target, i);
        struct sums t = {0};
        r->of_id[((const sluice_id *)pass->target->field[SLUICE_FIELD_ID])[i]] = i;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            for (int64_t j = 0; pass->source[s] && j < pass->source[s]->count; j++)
                meet(r, &w->grid, pass, rc, s, &pi, &source[s][j],
                     pass->source[s] == pass->target && j == i, &t);
        finish(r, pass, i, &pi, &t);
    }
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        free(source[s]);
}

void reference_free(struct reference *r)
{
    free(r->a);
    free(r->a_scale);
    free(r->rate);
    free(r->rate_scale);
    free(r->p);
    free(r->p_scale);
    free(r->v);
    free(r->shift);
    free(r->shift_scale);
    free(r->stress);
    free(r->stress_scale);
    free(r->slope);
    free(r->slope_scale);
    free(r->correction);
    free(r->correction_scale);
    free(r->memory);
    free(r->head);
    free(r->head_scale);
    free(r->of_id);
}

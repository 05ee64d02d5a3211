#include "probes/probe_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"

static const double surface_weight = 0.4; /* sum V W that marks the free surface */
static const double least_sum = 0.1;      /* sum V W below which there is no water near */
enum { HEIGHT_BLOCK = 256, HEIGHT_BISECTIONS = 25 };

/* --- Levels --- */

static double horizontal_distance(const double a[3], const double b[3], int up)
{
    const double d0 = a[0] - b[0], d1 = up == 2 ? a[1] - b[1] : 0;
    return sqrt(d0 * d0 + d1 * d1);
}

/* Lists the entries within the support of the column through x, in their order. */
static sluice_status list_column(struct sluice_levels *l, const double x[3],
                                 const struct sluice_near *near)
{
    const int up = l->setup->config->dimension - 1;
    l->column.count = 0;
    for (int64_t k = 0; k < near->count; k++)
        if (horizontal_distance(near->entry[k].x, x, up) < l->setup->cutoff)
            SLUICE_TRY(sluice_near_add(&l->column, &near->entry[k]));
    return SLUICE_OK;
}

/* n heights above x. */
struct heights {
    double x[3], bottom, step;
    int n;
};

/* Adds an entry's part of sum V W at the heights bottom + k step to sum[k]. */
static void add_to_heights(const struct sluice_levels *l, const struct sluice_host_particles *p,
                           const struct sluice_near_entry *e, const struct heights *at, double *sum)
{
    const struct wcsph_params *params = &l->setup->physics.wcsph;
    const double support = l->setup->cutoff,
                 volume = p->mass[e->particle] / p->density[e->particle];
    const int up = p->dimension - 1;
    const double lowest = ceil((e->x[up] - support - at->bottom) / at->step),
                 highest = floor((e->x[up] + support - at->bottom) / at->step);
    double site[3] = {at->x[0], at->x[1], at->x[2]};
    for (int k = (int)fmax(0, lowest), last = (int)fmin(at->n - 1, highest); k <= last; k++) {
        site[up] = at->bottom + k * at->step;
        const double r = sluice_near_distance(e->x, site);
        if (r < support)
            sum[k] += volume * sluice_wcsph_w(params, r);
    }
}

static void sum_heights(const struct sluice_levels *l, const struct sluice_host_particles *p,
                        const struct heights *at, double *sum)
{
    memset(sum, 0, (size_t)at->n * sizeof *sum);
    for (int64_t k = 0; k < l->column.count; k++)
        add_to_heights(l, p, &l->column.entry[k], at, sum);
}

/* The water's level above a surface in the listed column; NAN on a dry one. Walks up in steps of
 * dp/2 from the height of the first row of particles, where the bed takes little from the sum,
 * until the sum falls below the surface's value, then bisects. Sums a block of heights at a time,
 * as the column's length is not known. */
static double level_above(const struct sluice_levels *l, const struct sluice_host_particles *p,
                          const double x[3], const struct sluice_surface *surface)
{
    const double step = l->setup->config->spacing / 2, start = surface->height + step;
    struct heights at = {{x[0], x[1], x[2]}, start, step, HEIGHT_BLOCK};
    double sum[HEIGHT_BLOCK];
    int k;
    for (;; at.bottom += HEIGHT_BLOCK * step) { /* ends: above the last particle the sums are 0 */
        sum_heights(l, p, &at, sum);
        for (k = 0; k < HEIGHT_BLOCK && sum[k] >= surface_weight; k++)
            continue;
        if (k < HEIGHT_BLOCK)
            break;
    }
    double high = at.bottom + k * step, low = high - step;
    if (high <= start)
        return NAN;
    at.n = 1;
    for (int i = 0; i < HEIGHT_BISECTIONS; i++) {
        at.bottom = 0.5 * (low + high);
        sum_heights(l, p, &at, sum);
        if (sum[0] >= surface_weight)
            low = at.bottom;
        else
            high = at.bottom;
    }
    return fmin(0.5 * (low + high), surface->ceiling);
}

/* Beside a wall half of the kernel lies in the wall, and deep water looks dry: then the column one
 * spacing away from the wall decides. */
sluice_status sluice_levels_find(struct sluice_levels *l, const struct sluice_host_particles *p,
                                 const double x[3], const struct sluice_surface *surface,
                                 const struct sluice_near *near, double *level)
{
    const double half = l->setup->config->spacing / 2;
    const struct heights start = {{x[0], x[1], x[2]}, surface->height + half, half, 1};
    double step[3], sum;
    SLUICE_TRY(list_column(l, x, near));
    *level = level_above(l, p, x, surface);
    sum_heights(l, p, &start, &sum);
    if (!isnan(*level) || sum < least_sum)
        return SLUICE_OK;
    SLUICE_TRY(sluice_beds_away(&l->beds, x, surface->height, step));
    if (step[0] == 0 && step[1] == 0)
        return SLUICE_OK;
    const double away[3] = {x[0] + step[0], x[1] + step[1], x[2] + step[2]};
    SLUICE_TRY(list_column(l, away, near));
    *level = level_above(l, p, away, surface);
    return SLUICE_OK;
}

static sluice_status measure_height(struct sluice_levels *l, struct sluice_bed_site *site,
                                    const struct sluice_near *near,
                                    const struct sluice_host_particles *p, double *values)
{
    double level = NAN;
    struct sluice_surface surface = {0};
    SLUICE_TRY(sluice_beds_load(&l->beds, site));
    SLUICE_TRY(list_column(l, site->x, near));
    for (int k = 0; k < l->beds.column.count && isnan(level); k++)
        if (sluice_beds_surface(&l->beds, k, &surface))
            level = level_above(l, p, site->x, &surface);
    if (isnan(level)) {
        SLUICE_TRY(sluice_beds_dry(&l->beds, site, &surface));
        SLUICE_TRY(sluice_levels_find(l, p, site->x, &surface, near, &level));
    }
    values[0] = level - l->beds.foot;
    values[1] = surface.height - l->beds.foot;
    values[2] = isnan(level) ? 0 : values[0] - values[1];
    return SLUICE_OK;
}

static double theory_at(const struct sluice_levels *l, int probe, double time)
{
    const double *x = l->probe[probe].site->x;
    double sum = l->probe[probe].has_theory ? 0 : NAN;
    for (int i = 0; i < l->maker_count && !isnan(sum); i++) {
        const struct sluice_wave_run *r = &l->maker[i].run;
        const double distance = r->sense * (x[r->axis] - r->face);
        sum += sluice_wave_maker_elevation(l->maker[i].maker, distance, time);
    }
    return sum;
}

/* Theory has the waves that come to a probe on a straight path alone. */
static int has_theory(const struct sluice_levels *l, const double x[3])
{
    int has = 1, shape;
    for (int i = 0; i < l->maker_count; i++)
        has &= sluice_case_gauge_place(l->setup, l->maker[i].motion, &l->maker[i].run, x, &shape) ==
               SLUICE_GAUGE_OPEN;
    return has;
}

sluice_status sluice_levels_height(struct sluice_levels *l, int probe,
                                   const struct sluice_near *near,
                                   const struct sluice_host_particles *p, double time,
                                   double *values)
{
    struct sluice_bed_site *site = l->probe[probe].site;
    double *rest = &l->rest[probe];
    sluice_walls_move(&l->beds.walls, time);
    SLUICE_TRY(measure_height(l, site, near, p, values));
    if (isinf(*rest))
        *rest = values[0];
    values[3] = values[0] - *rest;
    if (l->maker_count > 0)
        values[4] = theory_at(l, probe, time);
    return SLUICE_OK;
}

sluice_status sluice_levels_profile(struct sluice_levels *l, int probe,
                                    const struct sluice_sites_source *source,
                                    struct sluice_sites *at, double *values)
{
    const int up = l->setup->config->dimension - 1, count = at->sites * (at->values.count + 1);
    double level[3];
    sluice_walls_move(&l->beds.walls, source->time);
    SLUICE_TRY(measure_height(l, l->probe[probe].site, source->near, source->p, level));
    values[0] = level[0];
    values[1] = level[1];
    if (isnan(level[0])) {
        for (int k = 0; k < count; k++)
            values[2 + k] = NAN;
        return SLUICE_OK;
    }
    at->from[up] = at->last[up] = l->beds.foot + level[1] + 0.5 * level[2] / at->sites;
    at->to[up] = l->beds.foot + level[0] - 0.5 * level[2] / at->sites;
    sluice_sites_measure(at, source, values + 2);
    return SLUICE_OK;
}

sluice_status sluice_levels_beds(struct sluice_levels *l, int probe, double *low, double *high)
{
    const struct sluice_level_probe *v = &l->probe[probe];
    const int upright = sluice_probe_has(l->setup->config->probes[probe].kind,
                                         SLUICE_PROBE_IS_UPRIGHT);
    const int up = l->setup->config->dimension - 1;
    sluice_walls_move(&l->beds.walls, 0);
    *low = INFINITY;
    *high = -INFINITY;
    for (int s = 0; s < v->count; s++) {
        struct sluice_surface surface;
        SLUICE_TRY(sluice_beds_load(&l->beds, &v->site[s]));
        surface = sluice_beds_nearest(&l->beds, v->site[s].x[up]);
        if (upright)
            SLUICE_TRY(sluice_beds_dry(&l->beds, &v->site[s], &surface));
        const double bed = surface.height - l->beds.foot;
        *low = fmin(*low, bed);
        *high = fmax(*high, bed);
    }
    return SLUICE_OK;
}

/* --- Creation --- */

static sluice_status create_sites(struct sluice_levels *l, int i)
{
    const struct sluice_probe *probe = &l->setup->config->probes[i];
    const struct sluice_case_probe *place = &l->setup->probes[i];
    struct sluice_level_probe *v = &l->probe[i];
    const int count = probe->kind == SLUICE_PROBE_RUNUP ? probe->points : 1;
    SLUICE_ALLOCATE(v->site, count, "points of a probe");
    v->count = count;
    v->has_theory = probe->kind == SLUICE_PROBE_HEIGHT && has_theory(l, place->x);
    for (int s = 0; s < count; s++) {
        double x[3];
        sluice_near_site(place->x, place->to, count, s, x);
        SLUICE_TRY(sluice_bed_site_create(&l->beds, x, &v->site[s]));
    }
    return SLUICE_OK;
}

/* Lists the makers if theory knows the waves of all of them. Paddles side by side make parts of the
 * same waves, which it does not know. */
static sluice_status list_makers(struct sluice_levels *l)
{
    const struct sluice_case *c = l->setup;
    const int n = c->config->motion_count;
    int count = 0;
    SLUICE_ALLOCATE(l->maker, n, "makers of waves");
    for (int i = 0; i < n; i++) {
        struct sluice_level_maker *m = &l->maker[count];
        m->maker = &c->physics.motions.maker[i];
        m->motion = i;
        if (!m->maker->of)
            continue;
        if (m->maker->of->kind == SLUICE_WAVE_PADDLE || !sluice_case_wave_reflection(c, i, &m->run))
            return SLUICE_OK;
        for (int k = 0; k < count; k++)
            if (l->maker[k].run.axis == m->run.axis && l->maker[k].run.sense == m->run.sense)
                return SLUICE_OK;
        count++;
    }
    l->maker_count = count;
    return SLUICE_OK;
}

sluice_status sluice_levels_create(struct sluice_levels *l, const struct sluice_case *c)
{
    const int n = c->config->probe_count;
    int most = 1, any = 0;
    *l = (struct sluice_levels){.setup = c};
    for (int i = 0; i < n; i++)
        any |= sluice_probe_has(c->config->probes[i].kind, SLUICE_PROBE_HAS_LEVEL);
    if (!any)
        return SLUICE_OK;
    SLUICE_TRY(sluice_beds_create(&l->beds, c));
    SLUICE_ALLOCATE(l->probe, n, "probes");
    SLUICE_ALLOCATE(l->rest, n, "probes");
    SLUICE_TRY(list_makers(l));
    for (int i = 0; i < n; i++)
        l->rest[i] = INFINITY;
    for (int i = 0; i < n; i++)
        if (sluice_probe_has(c->config->probes[i].kind, SLUICE_PROBE_HAS_LEVEL)) {
            SLUICE_TRY(create_sites(l, i));
            most = l->probe[i].count > most ? l->probe[i].count : most;
        }
    SLUICE_ALLOCATE(l->shore, most, "points of a probe");
    return SLUICE_OK;
}

void sluice_levels_destroy(struct sluice_levels *l)
{
    for (int i = 0; l->probe && i < l->setup->config->probe_count; i++) {
        for (int s = 0; s < l->probe[i].count; s++)
            free(l->probe[i].site[s].resting.span);
        free(l->probe[i].site);
    }
    free(l->probe);
    free(l->rest);
    free(l->maker);
    free(l->shore);
    free(l->column.entry);
    sluice_beds_destroy(&l->beds);
    *l = (struct sluice_levels){0};
}

/* Run-up: how far the connected water reaches up a line.
 *
 * The depth of a point is sum_j V_j T(x - x_j) over the fluid in the lowest layers above its bed. T
 * is the tent of half-width dp along each horizontal axis, of integral 1. A row of particles is dp
 * deep, and half of that at the end of its last cell.
 *
 * A stretch is a run of points as deep as `depth` asks for, with gaps of less than a spacing. The
 * stretch with most water counts.
 *
 * The run-up is its highest bed, and from there on to where the depth falls below `depth`, linear
 * between two points. */
#include <math.h>
#include <stdlib.h>

#include "probes/probe_level.h"

/* Fluid counts so far above the depth asked for, and so far below the bed, where it is pressed into
 * the steps of the lattice; spacings. */
static const double layer = 1.5, pressed = 0.25;

/* Adds an entry to the depth of a point, if it lies in its lowest layers. */
static void add_to_depth(const struct sluice_levels *l, const double e[3], double volume,
                         const double x[3], double wanted, struct sluice_shore *shore)
{
    const int up = l->setup->config->dimension - 1;
    const double dp = l->setup->config->spacing, height = e[up] - shore->surface.height;
    double w = volume;
    for (int a = 0; a < up; a++)
        w *= fmax(0, 1 - fabs(e[a] - x[a]) / dp) / dp;
    if (height > -pressed * dp && height < wanted + layer * dp && e[up] < shore->surface.ceiling)
        shore->depth += w;
}

/* The depths at all points of a line in one pass: each particle reaches few of them. */
static void sum_depths(struct sluice_levels *l, const struct sluice_level_probe *v, double wanted,
                       const struct sluice_near *near, const struct sluice_host_particles *p)
{
    const int up = l->setup->config->dimension - 1;
    double from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    for (int a = 0; a < up; a++) {
        from[a] = v->site[0].x[a];
        to[a] = v->site[v->count - 1].x[a];
    }
    for (int64_t k = 0; k < near->count; k++) {
        const struct sluice_near_entry *e = &near->entry[k];
        const double volume = p->mass[e->particle] / p->density[e->particle];
        double flat[3] = {0, 0, 0};
        int first, last;
        for (int a = 0; a < up; a++)
            flat[a] = e->x[a];
        sluice_near_sites(from, to, v->count, up * l->setup->config->spacing, flat, &first, &last);
        for (int s = first; s <= last; s++)
            add_to_depth(l, e->x, volume, v->site[s].x, wanted, &l->shore[s]);
    }
}

/* How far two points on the shore may be apart to be connected, m: a spacing, or neighbours. */
static double gap_of(const struct sluice_levels *l, const struct sluice_level_probe *v)
{
    return fmax(l->setup->config->spacing, 1.01 * sluice_near_distance(v->site[0].x, v->site[1].x));
}

/* The stretch of connected points with most water, its ends included. Returns 0 if all are dry. */
static int find_stretch(const struct sluice_levels *l, const struct sluice_level_probe *v,
                        double wanted, int *first, int *last)
{
    double most = 0, water = 0;
    int begin = -1, end = -1;
    for (int s = 0; s < v->count; s++) {
        if (l->shore[s].depth < wanted)
            continue;
        if (end < 0 || sluice_near_distance(v->site[s].x, v->site[end].x) > gap_of(l, v)) {
            begin = s;
            water = 0;
        }
        end = s;
        water += l->shore[s].depth;
        if (water > most) {
            most = water;
            *first = begin;
            *last = end;
        }
    }
    return most > 0;
}

/* Goes on from wet point s to where the depth is as wanted before its dry neighbour, and finds the
 * bed there. */
static sluice_status go_on(struct sluice_levels *l, const struct sluice_level_probe *v, int s,
                           int dry, double wanted, double level, double *values)
{
    const int up = l->setup->config->dimension - 1;
    const double *from = v->site[s].x, *to = v->site[dry].x, depth = l->shore[s].depth,
                 t = (depth - wanted) / (depth - l->shore[dry].depth);
    struct sluice_bed_site site;
    double x[3];
    for (int a = 0; a < 3; a++)
        x[a] = from[a] + t * (to[a] - from[a]);
    sluice_status status = sluice_bed_site_create(&l->beds, x, &site);
    if (status == SLUICE_OK)
        status = sluice_beds_load(&l->beds, &site);
    free(site.resting.span);
    SLUICE_TRY(status);
    const double bed = sluice_beds_nearest(&l->beds, x[up]).height - l->beds.foot;
    if (bed < values[0])
        return SLUICE_OK;
    values[0] = fmin(bed, level); /* a face is wet up to the water's level */
    for (int a = 0; a < up; a++)
        values[1 + a] = x[a];
    return SLUICE_OK;
}

sluice_status sluice_runup_measure(struct sluice_levels *l, int probe,
                                   const struct sluice_near *near,
                                   const struct sluice_host_particles *p, double time,
                                   double *values)
{
    const struct sluice_level_probe *v = &l->probe[probe];
    const struct sluice_config *config = l->setup->config;
    const int up = config->dimension - 1;
    const double wanted = config->probes[probe].depth > 0 ? config->probes[probe].depth
                                                          : 0.5 * config->spacing;
    int first = 0, last = 0, best;
    double level;
    sluice_walls_move(&l->beds.walls, time);
    for (int s = 0; s < v->count; s++) {
        SLUICE_TRY(sluice_beds_load(&l->beds, &v->site[s]));
        l->shore[s] = (struct sluice_shore){sluice_beds_nearest(&l->beds, v->site[s].x[up]), 0};
    }
    sum_depths(l, v, wanted, near, p);
    for (int a = 0; a <= up; a++)
        values[a] = NAN;
    if (!find_stretch(l, v, wanted, &first, &last))
        return SLUICE_OK;
    best = first;
    for (int s = first; s <= last; s++) /* of those at one height the last */
        if (l->shore[s].depth >= wanted &&
            l->shore[s].surface.height >= l->shore[best].surface.height)
            best = s;
    values[0] = l->shore[best].surface.height - l->beds.foot;
    for (int a = 0; a < up; a++)
        values[1 + a] = v->site[best].x[a];
    SLUICE_TRY(sluice_levels_find(l, p, v->site[best].x, &l->shore[best].surface, near, &level));
    level = fmax(level - l->beds.foot, values[0] + l->shore[best].depth); /* NAN: the other */
    for (int side = -1; side <= 1; side += 2) {
        const int dry = best + side;
        if (dry >= 0 && dry < v->count && l->shore[dry].depth < wanted)
            SLUICE_TRY(go_on(l, v, best, dry, wanted, level, values));
    }
    return SLUICE_OK;
}

/* Between two points a slope rises by less than a spacing, and a face of the lattice does not. */
sluice_status sluice_runup_steps(struct sluice_levels *l, int probe, int *shape)
{
    const struct sluice_level_probe *v = &l->probe[probe];
    const struct sluice_geometry *g = &l->setup->geometry;
    const int up = l->setup->config->dimension - 1;
    double before = NAN;
    *shape = -1;
    sluice_walls_move(&l->beds.walls, 0);
    for (int s = 0; g->box && s < v->count && *shape < 0; s++) {
        SLUICE_TRY(sluice_beds_load(&l->beds, &v->site[s]));
        const double bed = sluice_beds_nearest(&l->beds, v->site[s].x[up]).height,
                     rise = fabs(bed - before);
        double x[3] = {v->site[s].inside[0], v->site[s].inside[1], v->site[s].inside[2]};
        before = bed;
        if (!(rise > 1e-6 * g->spacing && rise < g->spacing))
            continue;
        x[up] = bed - 1e-3 * g->spacing;
        for (int m = -1; m < l->setup->config->motion_count && *shape < 0; m++) {
            int found;
            if (sluice_wall_surfaces_of(&l->beds.walls.surfaces, m, x, &found) < 0 &&
                l->setup->config->shapes[found].fit != SLUICE_FIT_SURFACE)
                *shape = found;
        }
    }
    return SLUICE_OK;
}

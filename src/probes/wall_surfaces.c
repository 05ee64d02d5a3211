#include "probes/wall_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

/* In spacings. TOUCH: a line has met a surface. SAME: and another one at that place. AHEAD: the
 * steps of a line that begins in a wall. */
#define TOUCH 0.02
#define SAME  0.05
#define AHEAD 0.1

enum { GROUPS = 32, MOST_STEPS = 64 };

/* The distances of some groups from a place. */
struct distances {
    int count, group[GROUPS], shape[GROUPS]; /* shape: the nearest of the group */
    double d[GROUPS];
};

sluice_status sluice_wall_surfaces_create(struct sluice_wall_surfaces *s,
                                          const struct sluice_case *c, double reach)
{
    const struct sluice_config *config = c->config;
    const struct sluice_geometry *g = &c->geometry;
    double low[3] = {0}, high[3] = {0};
    memset(s, 0, sizeof *s);
    s->setup = c;
    s->reach = reach;
    SLUICE_ALLOCATE(s->group, config->shape_count, "shapes");
    SLUICE_ALLOCATE(s->mover, config->shape_count, "shapes");
    SLUICE_ALLOCATE(s->now, config->motion_count, "motions");
    SLUICE_ALLOCATE(s->moves, config->motion_count, "motions");
    for (int k = 0; k < config->shape_count; k++) {
        const struct sluice_shape *shape = &config->shapes[k];
        char name[SLUICE_TEXT_MAX];
        const int wall = shape->type == SLUICE_SHAPE_WALL || shape->kind == SLUICE_SHAPE_WALLS;
        s->group[k] = wall && !shape->body
                          ? sluice_groups_find(&c->groups, sluice_config_group(config, k, name))
                          : -1;
        s->mover[k] = sluice_config_mover(config, k);
        if (s->group[k] >= 0 && s->mover[k] >= 0)
            s->moves[s->mover[k]] = 1;
    }
    for (int a = 0; a < g->dimension; a++) {
        low[a] = g->origin[a] - (g->layers + 3) * g->spacing;
        high[a] = g->origin[a] + (double)g->n[a] * g->step[a] + (g->layers + 3) * g->spacing;
    }
    return sluice_shape_tree_create(&s->tree, g, low, high, reach);
}

void sluice_wall_surfaces_destroy(struct sluice_wall_surfaces *s)
{
    free(s->group);
    free(s->mover);
    free(s->now);
    free(s->moves);
    sluice_shape_tree_destroy(&s->tree);
    memset(s, 0, sizeof *s);
}

void sluice_wall_surfaces_move(struct sluice_wall_surfaces *s, double time)
{
    for (int m = 0; m < s->setup->config->motion_count; m++)
        if (s->moves[m])
            sluice_motions_at(&s->setup->physics.motions, m, time, &s->now[m]);
}

/* Turns x into the image that is in the domain. */
static void wrap(const struct sluice_geometry *g, double x[3])
{
    for (int a = 0; a < g->dimension; a++) {
        const double length = (double)g->n[a] * g->step[a];
        if (g->periodic[a])
            x[a] -= length * floor((x[a] - g->origin[a]) / length);
    }
}

/* With more groups near than the list can hold, the farthest ones are left out. */
static void join_group(struct distances *of, int group, int shape, double d)
{
    int k = 0;
    while (k < of->count && of->group[k] != group)
        k++;
    if (k == GROUPS) {
        k = 0;
        for (int n = 1; n < GROUPS; n++)
            k = of->d[n] > of->d[k] ? n : k;
        of->group[k] = d < of->d[k] ? group : of->group[k];
    }
    if (k == of->count) {
        of->group[k] = group;
        of->d[k] = INFINITY;
        of->count++;
    }
    if (d < of->d[k]) {
        of->d[k] = d;
        of->shape[k] = shape;
    }
}

/* Adds the walls of one motion at a place of the geometry at t = 0, shape by shape: each wall joins
 * its group, each other shape cuts those before it. */
static void add_mover(const struct sluice_wall_surfaces *s, int mover, double x[3],
                      struct distances *to)
{
    const struct sluice_geometry *g = &s->setup->geometry;
    struct distances of = {0};
    double way[3];
    int count;
    wrap(g, x);
    const int *list = sluice_shape_tree_near(&s->tree, x, &count);
    for (int k = 0; k < count; k++) {
        const int shape = list[k], part = s->setup->config->shapes[shape].type == SLUICE_SHAPE_PART,
                  is_wall = s->setup->config->shapes[shape].type == SLUICE_SHAPE_WALL ||
                            s->setup->config->shapes[shape].kind == SLUICE_SHAPE_WALLS;
        if (part || (is_wall && (s->group[shape] < 0 || s->mover[shape] != mover)) ||
            (!is_wall && of.count == 0) || sluice_geometry_box_distance(g, shape, x) >= s->reach)
            continue;
        const double d = sluice_geometry_distance(g, shape, x, way);
        if (is_wall)
            join_group(&of, s->group[shape], shape, d);
        for (int n = 0; !is_wall && n < of.count; n++)
            of.d[n] = fmax(of.d[n], -d);
    }
    for (int n = 0; n < of.count; n++)
        join_group(to, of.group[n], of.shape[n], of.d[n]);
}

double sluice_wall_surfaces_of(const struct sluice_wall_surfaces *s, int mover, const double x[3],
                               int *shape)
{
    struct distances all = {0};
    double at[3] = {x[0], x[1], x[2]}, least = s->reach;
    add_mover(s, mover, at, &all);
    if (shape)
        *shape = -1;
    for (int n = 0; n < all.count; n++)
        if (all.d[n] < least) {
            least = all.d[n];
            if (shape)
                *shape = all.shape[n];
        }
    return least;
}

void sluice_wall_surfaces_near(const struct sluice_wall_surfaces *s, const double x[3],
                               struct sluice_wall_near *near)
{
    struct distances all = {0};
    double at[3] = {x[0], x[1], x[2]};
    add_mover(s, -1, at, &all);
    for (int m = 0; m < s->setup->config->motion_count; m++)
        if (s->moves[m]) {
            sluice_motions_carry_back(&s->setup->physics.motions, m, &s->now[m], x, at);
            add_mover(s, m, at, &all);
        }
    *near = (struct sluice_wall_near){{-1, -1}, {s->reach, s->reach}, 0};
    for (int n = 0; n < all.count; n++) {
        near->depth = fmax(near->depth, -all.d[n]);
        const int place = all.d[n] < near->distance[0] ? 0 : all.d[n] < near->distance[1] ? 1 : 2;
        if (place == 0) {
            near->group[1] = near->group[0];
            near->distance[1] = near->distance[0];
        }
        if (place < 2) {
            near->group[place] = all.group[n];
            near->distance[place] = all.d[n];
        }
    }
}

/* From one free ball to the next: no wall is nearer than the distance. Fluid that lies on a wall,
 * or in the lattice's steps beneath its true surface, has met it unless the path leads out
 * first. */
int sluice_wall_surfaces_first(const struct sluice_wall_surfaces *s, const double x[3],
                               const struct sluice_wall_near *at_x, const double way[3], int *other)
{
    const double dp = s->setup->config->spacing,
                 length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double gone = 0;
    int met = -1, out = 0;
    *other = -1;
    for (int step = 0; step < MOST_STEPS && gone < length; step++) {
        struct sluice_wall_near near = *at_x;
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = x[a] + gone / length * way[a];
        if (step > 0)
            sluice_wall_surfaces_near(s, at, &near);
        if (near.distance[0] >= TOUCH * dp) {
            out = 1;
            met = *other = -1;
            gone += near.distance[0];
            continue;
        }
        if (met < 0) {
            met = near.group[0];
            *other = near.distance[1] < SAME * dp ? near.group[1] : -1;
        }
        if (out)
            break;
        gone += AHEAD * dp;
    }
    return met;
}

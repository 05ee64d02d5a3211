#include "geometry/narrow.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/threads.h"
#include "core/vector.h"
#include "domain/comm.h"
#include "geometry/nearby.h"

/* In spacings. Surfaces that are closer touch: TOUCH at the middle between them. A ray from a
 * surface begins at START, and its steps are STEP long at least. BESIDE: a cell's centre is as near
 * to a surface that runs through it or along it. */
#define TOUCH  0.005
#define START  0.02
#define STEP   0.05
#define BESIDE 0.9

/* Two surfaces face each other within 45 degrees. */
#define FACING 0.7

/* Looks for narrow places along the surface of one shape. */
struct seeker {
    const struct sluice_geometry *g;
    const struct sluice_narrow_limits *limits;
    int shape;
    struct sluice_nearby_shapes near; /* shapes whose surfaces may be met */
    int64_t cell_count, cell_capacity;
    int64_t (*cell)[3];        /* at the surface */
    pthread_mutex_t mutex;     /* of the members below */
    struct sluice_narrow *hit; /* each with one place */
    int64_t hit_count, hit_capacity;
    int memory_short;
};

/* One thread's view from a cell: the shapes near it, and those of them near a part of a ray. */
struct view {
    struct seeker *k;
    struct sluice_nearby_shapes cell, part;
};

/* --- Walls as one --- */

/* Lists those shapes of `all` whose boxes are within r of x. */
static void list_within(const struct sluice_geometry *g, const struct sluice_nearby_shapes *all,
                        const double x[3], double r, struct sluice_nearby_shapes *within)
{
    within->count = 0;
    for (int i = 0; i < all->count; i++)
        if (sluice_geometry_box_distance(g, all->shape[i], x) <= r)
            within->shape[within->count++] = all->shape[i];
}

static void go(const double x[3], const double direction[3], double length, double end[3])
{
    for (int a = 0; a < 3; a++)
        end[a] = x[a] + length * direction[a];
}

/* --- Rays --- */

/* Where a ray from x leaves open space (sense 1) or walls (sense -1), between two lengths. There
 * the sign of the distance is enough: shapes that do not reach this part of the ray are left out.
 */
static double bisect(struct view *v, const double x[3], const double direction[3], int sense,
                     double last, double length)
{
    const struct sluice_geometry *g = v->k->g;
    double middle[3], way[3];
    int of;
    go(x, direction, (last + length) / 2, middle);
    list_within(g, &v->cell, middle, (length - last) / 2 + STEP * g->spacing, &v->part);
    for (int i = 0; i < 40; i++) {
        const double half = (last + length) / 2;
        go(x, direction, half, middle);
        if (sense * sluice_nearby_distance(g, &v->part, middle, way, &of) > 0)
            last = half;
        else
            length = half;
    }
    return length;
}

/* From a surface at x through open space (sense 1) or walls (sense -1): the length to the next
 * surface, infinite if it is not below the limit. */
static double ray(struct view *v, const double x[3], const double direction[3], int sense,
                  double limit)
{
    const struct sluice_geometry *g = v->k->g;
    const double dp = g->spacing, half = limit / 2;
    double end[3], way[3], last = START * dp, length = last;
    int of;
    go(x, direction, half, end);
    if (sense * sluice_nearby_distance(g, &v->cell, end, way, &of) >= half * (1 - 1e-6))
        return INFINITY; /* a ball that touches the surface at x has room */
    for (;;) {
        go(x, direction, length, end);
        const double clearance = sense * sluice_nearby_distance(g, &v->cell, end, way, &of);
        if (clearance < -TOUCH * dp)
            break;
        if (clearance > 0)
            last = length;
        length += fmax(clearance, STEP * dp);
        if (last >= limit || length > 2 * limit)
            return INFINITY;
    }
    length = bisect(v, x, direction, sense, last, length);
    return length < limit * (1 - 1e-6) ? length : INFINITY;
}

static void add(struct seeker *k, const struct sluice_narrow *hit)
{
    pthread_mutex_lock(&k->mutex);
    if (k->hit_count == k->hit_capacity) {
        const int64_t capacity = 2 * k->hit_capacity + 64;
        struct sluice_narrow *larger = realloc(k->hit, (size_t)capacity * sizeof *larger);
        if (larger) {
            k->hit = larger;
            k->hit_capacity = capacity;
        } else
            k->memory_short = 1;
    }
    if (k->hit_count < k->hit_capacity)
        k->hit[k->hit_count++] = *hit;
    pthread_mutex_unlock(&k->mutex);
}

/* The angle of the edge in which a plate ends, radians; 0: it does not end within two spacings, or
 * bluntly. The planes of both surfaces meet at 'length' from x: at 0.7 of it there must still be
 * wall, at 1.5 none. up, down: unit normals out of them. */
static double edge_angle(const struct view *v, const double x[3], double width, const double up[3],
                         const double down[3])
{
    const struct sluice_geometry *g = v->k->g;
    double ahead[3], at[3], way[3];
    int of;
    for (int a = 0; a < 3; a++)
        ahead[a] = up[a] + down[a];
    const double half = asin(fmin(1, sluice_norm(ahead) / 2));
    const double length = half > 0 ? width / tan(2 * half) : INFINITY;
    if (length > 2 * g->spacing)
        return 0;
    for (int a = 0; a < 3; a++)
        ahead[a] /= 2 * sin(half);
    go(x, ahead, 0.7 * length, at);
    if (sluice_nearby_distance(g, &v->cell, at, way, &of) > 0)
        return 0; /* it ends before: it is blunt */
    go(x, ahead, 1.5 * length, at);
    return sluice_nearby_distance(g, &v->cell, at, way, &of) > 0 ? 2 * half : 0;
}

/* Their gap changes as they move: how wide it is at the start says little. */
static int are_two_bodies(const struct sluice_geometry *g, int one, int other)
{
    const int a = g->config->shapes[one].body, b = g->config->shapes[other].body;
    return a > 0 && b > 0 && a != b;
}

/* Looks from a point of the walls' surface along a direction, and adds the gap or plate it meets.
 */
static void seek_along(struct view *v, const double x[3], const double direction[3], int sense)
{
    struct seeker *k = v->k;
    const struct sluice_geometry *g = k->g;
    const struct sluice_narrow_limits *l = k->limits;
    const double limit = sense > 0 ? l->gap : fmax(l->plate, l->floor),
                 width = ray(v, x, direction, sense, limit);
    double beyond[3], way[3];
    struct sluice_narrow hit = {.axis = -1, .width = width, .places = 1};
    int other = k->shape;
    if (isinf(width))
        return;
    go(x, direction, width + STEP * g->spacing, beyond);
    sluice_nearby_distance(g, &v->cell, beyond, way, &other);
    const double length = sluice_norm(way);
    if (!(length > 0) || -sluice_dot(way, direction) < FACING * length)
        return;
    if (sense > 0 && are_two_bodies(g, k->shape, other))
        return;
    const int in_domain = sluice_nearby_is_in_domain(g, beyond);
    hit.kind = sense > 0   ? SLUICE_NARROW_GAP
               : in_domain ? SLUICE_NARROW_PLATE
                           : SLUICE_NARROW_FLOOR;
    go(x, direction, width / 2, hit.x);
    if ((hit.kind == SLUICE_NARROW_PLATE && width >= l->plate * (1 - 1e-6)) ||
        (hit.kind == SLUICE_NARROW_FLOOR && width >= l->floor * (1 - 1e-6)) ||
        (hit.kind == SLUICE_NARROW_GAP && !sluice_nearby_is_in_domain(g, hit.x)))
        return;
    if (hit.kind == SLUICE_NARROW_PLATE) {
        double up[3], down[3];
        for (int a = 0; a < 3; a++) {
            up[a] = -direction[a];
            down[a] = -way[a] / length;
        }
        hit.edge = edge_angle(v, hit.x, width, up, down);
    }
    for (int a = 0; a < 3 && a < g->dimension; a++) {
        const double period = (double)g->n[a] * g->step[a];
        if (fabs(direction[a]) > 1 - 1e-9)
            hit.axis = a;
        if (g->periodic[a])
            hit.x[a] -= period * floor((hit.x[a] - g->origin[a]) / period);
    }
    hit.shape = other < k->shape ? other : k->shape;
    hit.other = other < k->shape ? k->shape : other;
    add(k, &hit);
}

/* How far from a surface shapes can matter. A ray ends where it has gone the limit, or finds more
 * room than is left of twice the limit; an edge is within three spacings of a plate's middle. */
static double reach_of(const struct seeker *k)
{
    const struct sluice_narrow_limits *l = k->limits;
    const double most = fmax(l->gap, fmax(l->plate, l->floor));
    return fmax(2 * most, most / 2 + 3 * k->g->spacing) + STEP * k->g->spacing;
}

/* The point of the shape's surface nearest to a cell's centre, if it is a surface of the walls,
 * and the direction out of them there. */
static int find_surface(struct view *v, const int64_t cell[3], double x[3], double out[3])
{
    const struct seeker *k = v->k;
    const struct sluice_geometry *g = k->g;
    const double dp = g->spacing;
    double way[3], length = 0, end[3];
    int of;
    sluice_geometry_centre_of(g, cell, x);
    double d = sluice_geometry_distance(g, k->shape, x, way);
    if (fabs(d) < 1e-6 * dp) { /* no direction: look from beside it */
        for (int a = 0; a < g->dimension; a++)
            x[a] += (0.1 - 0.03 * a) * dp;
        d = sluice_geometry_distance(g, k->shape, x, way);
    }
    length = sluice_norm(way);
    if (fabs(d) > BESIDE * dp || !(length > 0))
        return 0;
    list_within(g, &k->near, x, length + reach_of(k), &v->cell);
    const double sense = (d < 0) == (g->asked[k->shape].type == SLUICE_SHAPE_WALL) ? 1 : -1;
    for (int a = 0; a < 3; a++) {
        x[a] += way[a];
        out[a] = sense * way[a] / length;
    }
    go(x, out, -START * dp, end);
    if (sluice_nearby_distance(g, &v->cell, end, way, &of) > -TOUCH * dp)
        return 0;
    go(x, out, START * dp, end);
    return sluice_nearby_is_in_domain(g, end) &&
           sluice_nearby_distance(g, &v->cell, end, way, &of) > TOUCH * dp;
}

static void look_from_cell(struct view *v, const int64_t cell[3])
{
    double x[3], out[3], in[3];
    if (!find_surface(v, cell, x, out))
        return;
    for (int a = 0; a < 3; a++)
        in[a] = -out[a];
    seek_along(v, x, out, 1);
    seek_along(v, x, in, -1);
}

static void look_from_cells(struct sluice_share *share, void *data)
{
    struct seeker *k = data;
    int64_t i, end;
    struct view v = {.k = k};
    v.cell.shape = malloc(2 * (size_t)k->near.count * sizeof *v.cell.shape);
    if (!v.cell.shape) {
        pthread_mutex_lock(&k->mutex);
        k->memory_short = 1;
        pthread_mutex_unlock(&k->mutex);
        return;
    }
    v.part.shape = v.cell.shape + k->near.count;
    while (sluice_share_block(share, k->cell_count, 64, &i, &end))
        for (; i < end; i++)
            look_from_cell(&v, k->cell[i]);
    free(v.cell.shape);
}

/* --- Where to look --- */

static int is_at_surface(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_raster *r = &g->raster[shape];
    if (r->ready && sluice_raster_at(r, cell) == SLUICE_RASTER_BESIDE)
        return 1;
    if (!sluice_geometry_owns(g, shape, cell))
        return 0;
    for (int a = 0; a < g->dimension; a++)
        for (int step = -1; step <= 1; step += 2) {
            int64_t other[3] = {cell[0], cell[1], cell[2]};
            other[a] += step;
            if (!sluice_geometry_owns(g, shape, other))
                return 1;
        }
    return 0;
}

/* Whether a row of cells along x lies within a box, which has a surface at its ends alone. */
static int is_inner_row(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_cells *box = &g->box[shape];
    for (int a = 1; a < g->dimension; a++)
        if (cell[a] == box->low[a] || cell[a] == box->high[a] - 1)
            return 0;
    return sluice_geometry_is_plain(&g->asked[shape]) && g->asked[shape].kind == SLUICE_SHAPE_BOX;
}

static sluice_status list_cells(struct seeker *k)
{
    const struct sluice_geometry *g = k->g;
    const struct sluice_raster *r = &g->raster[k->shape];
    const struct sluice_cells *box = r->ready ? &r->cells : &g->box[k->shape];
    int64_t c[3];
    k->cell_count = 0;
    for (c[2] = box->low[2]; c[2] < box->high[2]; c[2]++)
        for (c[1] = box->low[1]; c[1] < box->high[1]; c[1]++) {
            const int64_t last = box->high[0] - 1,
                          step = is_inner_row(g, k->shape, c) && last > box->low[0]
                                     ? last - box->low[0]
                                     : 1;
            for (c[0] = box->low[0]; c[0] <= last; c[0] += step)
                if (is_at_surface(g, k->shape, c)) {
                    SLUICE_GROW(k->cell, k->cell_count, k->cell_capacity, "cells at a surface");
                    memcpy(k->cell[k->cell_count++], c, sizeof c);
                }
        }
    return SLUICE_OK;
}

/* Whether another shape may be met from this one's surface. */
static int is_near(const struct sluice_geometry *g, int shape, int other, double reach)
{
    const struct sluice_solid *s = &g->solid[shape], *o = &g->solid[other];
    for (int a = 0; a < g->dimension && o->kind; a++) {
        const double period = (double)g->n[a] * g->step[a];
        const int images = g->periodic[a];
        int meet = 0;
        for (int k = -images; k <= images && !meet; k++)
            meet = s->low[a] + k * period <= o->high[a] + reach &&
                   s->high[a] + k * period >= o->low[a] - reach;
        if (!meet)
            return 0;
    }
    return g->asked[other].type != SLUICE_SHAPE_PART;
}

/* Lists the shapes nearby. Returns whether the shape is a wall, or cuts one. */
static int list_near(struct seeker *k)
{
    const struct sluice_geometry *g = k->g;
    const struct sluice_narrow_limits *l = k->limits;
    const double reach = 2 * fmax(l->gap, fmax(l->plate, l->floor)) + 2 * g->spacing;
    const int type = g->asked[k->shape].type;
    int cuts = 0;
    k->near.count = 0;
    if (g->asked[k->shape].kind == SLUICE_SHAPE_WALLS || type == SLUICE_SHAPE_PART)
        return 0;
    for (int s = 0; s < g->config->shape_count; s++)
        if (is_near(g, k->shape, s, reach)) {
            k->near.shape[k->near.count++] = s;
            cuts |= s < k->shape && g->asked[s].type == SLUICE_SHAPE_WALL;
        }
    return type == SLUICE_SHAPE_WALL || cuts;
}

/* Between two walls of the domain. */
static void look_across_domain(struct seeker *k)
{
    const struct sluice_geometry *g = k->g;
    for (int a = 0; a < g->dimension; a++) {
        struct sluice_narrow hit = {.axis = a, .width = (double)g->n[a] * g->step[a], .places = 1};
        int high = -1, low = -1;
        for (int s = 0; s < g->config->shape_count; s++) {
            const struct sluice_shape *shape = &g->asked[s];
            const unsigned sides = shape->kind == SLUICE_SHAPE_WALLS ? shape->sides : 0;
            low = sluice_has_side(sides, a, 0) ? s : low;
            high = sluice_has_side(sides, a, 1) ? s : high;
        }
        if (low < 0 || high < 0 || hit.width >= k->limits->gap * (1 - 1e-6))
            continue;
        for (int b = 0; b < g->dimension; b++)
            hit.x[b] = g->origin[b] + (double)g->n[b] * g->step[b] / 2;
        hit.shape = low < high ? low : high;
        hit.other = low < high ? high : low;
        add(k, &hit);
    }
}

/* A team is made for the first shape that has cells enough for it. */
static sluice_status seek(struct seeker *k, int threads, struct sluice_threads **team)
{
    enum { FEW = 1000 };
    look_across_domain(k);
    for (k->shape = 0; k->shape < k->g->config->shape_count; k->shape++) {
        if (!list_near(k))
            continue;
        SLUICE_TRY(list_cells(k));
        if (k->cell_count > FEW && threads > 1 && !*team)
            SLUICE_TRY(sluice_threads_create(team, threads));
        sluice_threads_run(k->cell_count > FEW ? *team : NULL, sluice_blocks(k->cell_count, 64),
                           look_from_cells, k);
    }
    /* The message belongs to this thread, not to those of the team. */
    SLUICE_CHECK(!k->memory_short, SLUICE_DEVICE, "no memory for over %lld narrow places",
                 (long long)k->hit_count);
    return SLUICE_OK;
}

sluice_status sluice_geometry_find_narrow(const struct sluice_geometry *g,
                                          const struct sluice_narrow_limits *limits,
                                          struct sluice_narrow **narrow, int64_t *count)
{
    const int threads = sluice_config_threads(g->config, sluice_world()->sharing);
    struct seeker k = {.g = g, .limits = limits, .mutex = PTHREAD_MUTEX_INITIALIZER};
    struct sluice_threads *team = NULL;
    SLUICE_ALLOCATE(k.near.shape, g->config->shape_count, "shapes");
    sluice_status status = seek(&k, threads, &team);
    sluice_threads_destroy(&team);
    if (status == SLUICE_OK)
        status = sluice_narrow_join(g, k.hit, &k.hit_count);
    *narrow = k.hit;
    *count = k.hit_count;
    free(k.near.shape);
    free(k.cell);
    if (status != SLUICE_OK) {
        free(k.hit);
        *narrow = NULL;
        *count = 0;
    }
    return status;
}

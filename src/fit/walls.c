/* The layers of fitted walls: from the cells of the lattice onto the surfaces of equal depth, and
 * spread there by packing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_internal.h"
#include "core/allocate.h"
#include "core/hash.h"
#include "core/vector.h"

static const double reach = 2.5, /* of the packing, dp */
    unwatched = 0.1,             /* move of a point without a look at the surface, dp */
    least_apart = 0.8,           /* of two wall particles, dp */
    crowded = 0.85,              /* of two that are too near to stay, dp */
    astray = 0.01;               /* of a particle that has found no place in its layer, dp */

/* kind = shape * layers + k. Shapes of one motion have their layers in common. */
static int32_t kind_of(const struct sluice_fit *f, int shape, int k)
{
    return (int32_t)((int64_t)shape * f->layers + k);
}

static int32_t layer_of(const struct sluice_fit *f, int shape, int k)
{
    return (int32_t)((f->motion[shape] + 1) * f->layers + k);
}

static double depth_of(const struct sluice_fit *f, int32_t kind)
{
    return (kind % f->layers + 0.5) * f->surface.spacing;
}

/* Short steps follow the plane of the layer. After a tenth of a spacing the point is put back onto
 * the layer, which has curved away by the square of that. At an edge that takes several steps. */
static void hold_to_layer(const void *data, struct sluice_pack_point *p, const double step[3])
{
    const struct sluice_fit *f = data;
    const int motion = f->motion[p->kind / f->layers];
    const double depth = depth_of(f, p->kind), length = sluice_norm(step),
                 off = sluice_dot(step, p->out);
    for (int a = 0; a < 3; a++)
        p->x[a] += step[a] - off * p->out[a];
    p->went += length;
    if (p->went < p->safe)
        return;
    if (sluice_fit_to_depth(f, motion, depth, 1, p->x, p->out) > 0.1 * p->went)
        sluice_fit_to_depth(f, motion, depth, 4, p->x, p->out);
    p->safe = unwatched * f->surface.spacing;
    p->went = 0;
}

/* A little off the lattice, so that no two seeds meet in one place: up to 1e-3 spacings. */
static void shake(const struct sluice_fit *f, int64_t i, double x[3])
{
    uint64_t h = (uint64_t)i;
    for (int a = 0; a < f->surface.dimension; a++)
        x[a] += (sluice_mix_unit(h += SLUICE_MIX_STEP) - 0.5) * 2e-3 * f->surface.spacing;
}

/* Adds the points that other particles stand for: of the lattice, and beyond the room for walls. */
static sluice_status add_fixed(struct sluice_fit *f, struct sluice_pack *p)
{
    for (int64_t i = 0; i < f->map.count; i++) {
        struct sluice_fit_cell *c = &f->cell[i];
        if (c->content != SLUICE_CELL_LATTICE && c->content != SLUICE_CELL_BEYOND)
            continue;
        double way[3];
        const int k = sluice_fit_layer_at(
            f, -sluice_fit_distance(f, f->motion[c->shape], c->x, way, NULL));
        if (k >= f->layers)
            continue;
        if (c->content == SLUICE_CELL_BEYOND && sluice_fit_is_fitted(f->config, c->shape))
            sluice_fit_to_depth(f, f->motion[c->shape], (k + 0.5) * f->surface.spacing, 8, c->x,
                                NULL);
        struct sluice_pack_point point = {.layer = layer_of(f, c->shape, k), .tag = i};
        memcpy(point.x, c->x, sizeof point.x);
        SLUICE_TRY(sluice_pack_add(p, &point));
    }
    p->fixed = p->count;
    return SLUICE_OK;
}

/* Notes that a seed has found no place in its layer. One on the upper border of the layer stands
 * for volume of the layer above as well: there it is not missing. */
static void note_thin(struct sluice_fit *f, int32_t kind, double depth,
                      struct sluice_fit_report *report)
{
    if (depth < (kind % f->layers + 1e-6) * f->surface.spacing)
        return;
    f->due[kind] = fmax(0, f->due[kind] - 1);
    report->thin++;
}

/* A seed moves to its layer. Where the wall is too thin to have that layer, it is left out. */
static sluice_status add_seeds(struct sluice_fit *f, struct sluice_pack *p,
                               struct sluice_fit_report *report)
{
    for (int64_t i = 0; i < f->map.count; i++) {
        const struct sluice_fit_cell *c = &f->cell[i];
        if (c->content != SLUICE_CELL_SEED)
            continue;
        const int k = sluice_fit_layer_at(f, c->depth);
        if (k >= sluice_fit_layers_of(f, c->shape)) {
            f->buried[c->shape] += !c->deep;
            continue;
        }
        struct sluice_pack_point point = {
            .layer = layer_of(f, c->shape, k), .kind = kind_of(f, c->shape, k), .tag = i};
        memcpy(point.x, c->x, sizeof point.x);
        shake(f, i, point.x);
        if (sluice_fit_to_depth(f, f->motion[c->shape], depth_of(f, point.kind), 12, point.x,
                                point.out) > astray * f->surface.spacing) {
            note_thin(f, point.kind, c->depth, report);
            continue;
        }
        SLUICE_TRY(sluice_pack_add(p, &point));
    }
    return SLUICE_OK;
}

/* Adds and removes points, a few in one place at a time, until no change is left. */
static sluice_status change_numbers(struct sluice_pack *p, int64_t kinds, int64_t *change)
{
    enum { ROUNDS = 8 };
    int64_t left = 1;
    for (int round = 0; round < ROUNDS && left > 0; round++) {
        SLUICE_TRY(sluice_pack_adjust(p, kinds, change));
        SLUICE_TRY(sluice_pack_relax(p, 8, 0));
        left = 0;
        for (int64_t k = 0; k < kinds; k++)
            left += llabs(change[k]);
    }
    return SLUICE_OK;
}

/* Spreads the points, each layer with as many as its volume holds. Edges of a layer draw points:
 * where those get too near to each other, some are taken out and go where there is most room. */
static sluice_status spread(const struct sluice_fit *f, struct sluice_pack *p, int64_t *change,
                            struct sluice_fit_report *report)
{
    enum { ROUNDS = 4 };
    const int64_t kinds = (int64_t)f->config->shape_count * f->layers;
    for (int64_t k = 0; k < kinds; k++)
        change[k] = llround(f->due[k]);
    for (int64_t i = p->fixed; i < p->count; i++)
        change[p->point[i].kind]--;
    SLUICE_TRY(sluice_pack_relax(p, 12, 0));
    SLUICE_TRY(change_numbers(p, kinds, change));
    SLUICE_TRY(sluice_pack_relax(p, 40, 0));
    for (int round = 0; round < ROUNDS; round++) {
        SLUICE_TRY(sluice_pack_thin(p, crowded * f->surface.spacing, change));
        SLUICE_TRY(change_numbers(p, kinds, change));
    }
    for (int64_t k = 0; k < kinds; k++)
        report->unplaced += change[k] > 0 ? change[k] : 0;
    return sluice_pack_relax(p, 20, 1);
}

/* Removes points that are astray, and those too near to fixed ones or to others of any layer. */
static sluice_status remove_bad(const struct sluice_fit *f, struct sluice_pack *p,
                                unsigned char *keep, struct sluice_fit_report *report)
{
    const double spacing = f->surface.spacing;
    const int64_t before = p->count;
    for (int64_t i = p->fixed; i < p->count; i++) {
        struct sluice_pack_point *point = &p->point[i];
        keep[i - p->fixed] = sluice_fit_to_depth(f, f->motion[point->kind / f->layers],
                                                 depth_of(f, point->kind), 100, point->x,
                                                 point->out) < 1e-9 * spacing;
    }
    for (int64_t i = 0; i < p->count; i++)
        p->point[i].layer = 0; /* from here on all of them count */
    p->listed = 0;
    sluice_pack_remove(p, keep);
    SLUICE_TRY(sluice_pack_thin(p, least_apart * spacing, NULL));
    report->left = before - p->count;
    SLUICE_TRY(sluice_pack_list(p));
    report->nearest = reach;
    for (int64_t i = 0; i < p->count - p->fixed; i++)
        for (uint32_t k = 0; k < p->near[i]; k++)
            report->nearest = fmin(
                report->nearest,
                sluice_pack_distance(p, p->fixed + i, p->other[p->first[i] + k]) / spacing);
    return SLUICE_OK;
}

/* Takes the points over, shape by shape. */
static sluice_status take(struct sluice_fit *f, const struct sluice_pack *p)
{
    for (int s = 0; s < f->config->shape_count; s++)
        for (int64_t i = p->fixed; i < p->count && sluice_fit_is_fitted(f->config, s); i++) {
            if (p->point[i].kind / f->layers != s)
                continue;
            SLUICE_GROW(f->wall, f->wall_count, f->wall_capacity, "particles of fitted walls");
            f->wall[f->wall_count] = p->point[i];
            f->wall[f->wall_count++].kind = s;
        }
    return SLUICE_OK;
}

static sluice_status pack(struct sluice_fit *f, struct sluice_pack *p,
                          struct sluice_fit_report *report)
{
    int64_t *change = NULL;
    unsigned char *keep = NULL;
    SLUICE_TRY(add_fixed(f, p));
    SLUICE_TRY(add_seeds(f, p, report));
    SLUICE_ALLOCATE(change, (int64_t)f->config->shape_count * f->layers, "layers of fitted walls");
    sluice_status status = spread(f, p, change, report);
    free(change);
    SLUICE_TRY(status);
    SLUICE_ALLOCATE(keep, p->count - p->fixed, "particles of fitted walls");
    status = remove_bad(f, p, keep, report);
    free(keep);
    SLUICE_TRY(status);
    return take(f, p);
}

sluice_status sluice_fit_walls(struct sluice_fit *f, struct sluice_fit_report *report)
{
    struct sluice_pack p = {.manifold = f->surface.dimension - 1,
                            .spacing = f->surface.spacing,
                            .reach = reach * f->surface.spacing,
                            .pace = 0.25, /* more drives points onto the layers' edges */
                            .momentum = 0.5,
                            .grid = f->grid,
                            .waiting = f->waiting,
                            .what = "fitted walls",
                            .team = f->team,
                            .hold = hold_to_layer,
                            .data = f};
    const sluice_status status = pack(f, &p, report);
    sluice_pack_destroy(&p);
    report->walls = f->wall_count;
    return status;
}

/* Lists of neighbours: the points of one layer are sorted into cells, and each point is compared
 * with those in the cells around it. A list reaches a skin farther than the forces, so it holds
 * until a point has gone half of that. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "fit/cell_map.h"
#include "fit/pack_internal.h"

enum { BLOCK = 32, AROUND = 125 };
/* The third number of a cell holds the layer, too: layers are farther apart than any cells. */
#define LAYER_STEP (INT64_C(1) << 40)

/* Frees the lists, and all that has the points' numbers. */
static void forget(struct sluice_pack *p)
{
    free(p->x);
    free(p->was);
    free(p->first);
    free(p->near);
    free(p->other);
    free(p->step);
    p->x = p->was = p->step = NULL;
    p->first = NULL;
    p->near = p->other = NULL;
    p->listed = 0;
}

void sluice_pack_destroy(struct sluice_pack *p)
{
    forget(p);
    free(p->point);
    p->point = NULL;
    p->count = p->capacity = p->fixed = 0;
}

/* --- Cells --- */

/* The points of cell c are point[start[c]] to point[start[c + 1] - 1]. */
struct cells {
    const struct sluice_pack *p;
    int around;        /* neighbours of a cell that are looked at, to each side */
    double edge[3];    /* m */
    int64_t period[3]; /* cells along periodic axes; 0: others */
    struct sluice_cell_map map;
    int64_t *start;
    uint32_t *point, *cell_of; /* [count] */
    double (*x)[3];            /* of point[] */
};

static void destroy_cells(struct cells *c)
{
    sluice_cell_map_destroy(&c->map);
    free(c->start);
    free(c->point);
    free(c->cell_of);
    free(c->x);
}

/* Layers have cells of their own. The layers of surfaces are flat, so that cells as wide as the
 * lists reach hold few points; in space half of that compares fewer. */
static void set_edges(struct cells *c, double reach)
{
    const struct sluice_grid_options *grid = c->p->grid;
    c->around = c->p->manifold == grid->dimension ? 2 : 1;
    for (int a = 0; a < grid->dimension; a++) {
        const double length = grid->high[a] - grid->low[a], least = reach / c->around;
        c->period[a] = grid->periodic[a] ? (int64_t)fmax(1, floor(length / least)) : 0;
        c->edge[a] = grid->periodic[a] ? length / (double)c->period[a] : least;
    }
}

static void wrap_cell(const struct cells *c, int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        if (c->period[a])
            cell[a] = (cell[a] % c->period[a] + c->period[a]) % c->period[a];
}

/* Finds the cell of each point. The next point is often in the same one. */
static sluice_status find_cells(struct cells *c)
{
    const struct sluice_pack *p = c->p;
    int64_t last[3] = {0}, known = -1;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t cell[3] = {0};
        for (int a = 0; a < p->grid->dimension; a++)
            cell[a] = (int64_t)floor((p->x[i][a] - p->grid->low[a]) / c->edge[a]);
        wrap_cell(c, cell);
        cell[2] += p->point[i].layer * LAYER_STEP;
        if (known < 0 || memcmp(cell, last, sizeof cell) != 0) {
            known = sluice_cell_map_find(&c->map, cell);
            if (known < 0) {
                known = c->map.count;
                SLUICE_TRY(sluice_cell_map_add(&c->map, cell));
            }
            memcpy(last, cell, sizeof last);
        }
        c->cell_of[i] = (uint32_t)known;
    }
    return SLUICE_OK;
}

static sluice_status fill_cells(struct cells *c)
{
    const struct sluice_pack *p = c->p;
    SLUICE_ALLOCATE(c->cell_of, p->count, "particles at fitted walls");
    SLUICE_ALLOCATE(c->point, p->count, "particles at fitted walls");
    SLUICE_ALLOCATE(c->x, p->count, "particles at fitted walls");
    SLUICE_TRY(find_cells(c));
    SLUICE_ALLOCATE(c->start, c->map.count + 2, "cells at fitted walls");
    for (int64_t i = 0; i < p->count; i++)
        c->start[c->cell_of[i] + 2]++;
    for (int64_t k = 0; k < c->map.count; k++)
        c->start[k + 2] += c->start[k + 1];
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t at = c->start[c->cell_of[i] + 1]++;
        c->point[at] = (uint32_t)i;
        memcpy(c->x[at], p->x[i], sizeof c->x[at]);
    }
    return SLUICE_OK;
}

/* The cells around a cell and itself, each once even across a short period. */
static int find_around(const struct cells *c, int64_t cell, int64_t list[AROUND])
{
    const int64_t *own = c->map.cell[cell];
    int64_t d[3], low[3] = {0}, high[3] = {0};
    int n = 0;
    for (int a = 0; a < c->p->grid->dimension; a++) {
        const int all = c->period[a] && c->period[a] <= 2 * c->around;
        low[a] = all ? 0 : -c->around;
        high[a] = all ? c->period[a] - 1 : c->around;
    }
    /* The cell without its layer. */
    const int64_t layer = (own[2] + LAYER_STEP / 2) / LAYER_STEP;
    for (d[2] = low[2]; d[2] <= high[2]; d[2]++)
        for (d[1] = low[1]; d[1] <= high[1]; d[1]++)
            for (d[0] = low[0]; d[0] <= high[0]; d[0]++) {
                int64_t at[3] = {own[0] + d[0], own[1] + d[1], own[2] - layer * LAYER_STEP + d[2]};
                wrap_cell(c, at);
                at[2] += layer * LAYER_STEP;
                const int64_t k = sluice_cell_map_find(&c->map, at);
                if (k >= 0)
                    list[n++] = k;
            }
    return n;
}

/* --- Lists --- */

/* The neighbours of the points in a block of cells. */
struct block {
    int64_t count, capacity;
    uint32_t *other;
};

struct listing {
    struct sluice_pack *p;
    struct cells cells;
    double reach2; /* m^2, with the skin */
    struct block *block;
    atomic_int failed;
};

/* Lists the neighbours of a point. The list can hold all points around it. */
static void list_point(const struct listing *l, struct block *block, int64_t i,
                       const int64_t *around, int cells)
{
    const struct sluice_pack *p = l->p;
    const double x[3] = {p->x[i][0], p->x[i][1], p->x[i][2]};
    uint32_t *other = block->other + block->count;
    int64_t n = 0;
    for (int k = 0; k < cells; k++)
        for (int64_t s = l->cells.start[around[k]]; s < l->cells.start[around[k] + 1]; s++) {
            double way[3];
            const uint32_t j = l->cells.point[s];
            other[n] = j;
            n += (sluice_pack_way(p, x, l->cells.x[s], way) < l->reach2) & (j != i);
        }
    p->first[i - p->fixed] = block->count; /* as yet from that of the block */
    p->near[i - p->fixed] = (uint32_t)n;
    block->count += n;
}

static int reserve(struct block *block, int64_t more)
{
    if (block->count + more <= block->capacity)
        return 1;
    const int64_t capacity = 2 * (block->count + more);
    void *larger = realloc(block->other, (size_t)capacity * sizeof *block->other);
    if (!larger)
        return 0;
    block->other = larger;
    block->capacity = capacity;
    return 1;
}

static void list_cell(struct listing *l, struct block *block, int64_t cell)
{
    const struct cells *c = &l->cells;
    int64_t around[AROUND], all = 0;
    if (c->point[c->start[cell + 1] - 1] < l->p->fixed) /* its last point is fixed as well */
        return;
    const int cells = find_around(c, cell, around);
    for (int k = 0; k < cells; k++)
        all += c->start[around[k] + 1] - c->start[around[k]];
    for (int64_t s = c->start[cell]; s < c->start[cell + 1]; s++)
        if (c->point[s] >= l->p->fixed) {
            if (!reserve(block, all)) {
                atomic_store(&l->failed, 1);
                return;
            }
            list_point(l, block, c->point[s], around, cells);
        }
}

static void list_blocks(struct sluice_share *share, void *data)
{
    struct listing *l = data;
    int64_t first, last;
    while (sluice_share_block(share, l->cells.map.count, BLOCK, &first, &last))
        for (int64_t k = first; k < last; k++)
            list_cell(l, &l->block[first / BLOCK], k);
}

/* Puts the lists of the blocks behind each other. */
static sluice_status join_blocks(struct listing *l, int64_t blocks)
{
    struct sluice_pack *p = l->p;
    int64_t all = 0, cell = 0;
    for (int64_t b = 0; b < blocks; b++)
        all += l->block[b].count;
    SLUICE_ALLOCATE(p->other, all, "neighbours at fitted walls");
    all = 0;
    for (int64_t b = 0; b < blocks; b++) {
        if (l->block[b].count > 0)
            memcpy(p->other + all, l->block[b].other, (size_t)l->block[b].count * sizeof *p->other);
        for (; cell < l->cells.map.count && cell < (b + 1) * BLOCK; cell++)
            for (int64_t s = l->cells.start[cell]; s < l->cells.start[cell + 1]; s++)
                if (l->cells.point[s] >= p->fixed)
                    p->first[l->cells.point[s] - p->fixed] += all;
        all += l->block[b].count;
    }
    return SLUICE_OK;
}

static sluice_status list(struct listing *l)
{
    struct sluice_pack *p = l->p;
    SLUICE_TRY(fill_cells(&l->cells));
    const int64_t blocks = sluice_blocks(l->cells.map.count, BLOCK);
    SLUICE_ALLOCATE(l->block, blocks, "neighbours at fitted walls");
    sluice_threads_run(p->team, blocks, list_blocks, l);
    sluice_status status = SLUICE_OK;
    if (atomic_load(&l->failed))
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for the neighbours of %lld particles",
                             (long long)(p->count - p->fixed));
    else
        status = join_blocks(l, blocks);
    for (int64_t b = 0; b < blocks; b++)
        free(l->block[b].other);
    free(l->block);
    return status;
}

static sluice_status make_arrays(struct sluice_pack *p)
{
    const int64_t moving = p->count - p->fixed;
    SLUICE_ALLOCATE(p->x, p->count, "particles at fitted walls");
    SLUICE_ALLOCATE(p->was, moving, "particles at fitted walls");
    SLUICE_ALLOCATE(p->first, moving, "particles at fitted walls");
    SLUICE_ALLOCATE(p->near, moving, "particles at fitted walls");
    SLUICE_ALLOCATE(p->step, moving, "particles at fitted walls");
    return SLUICE_OK;
}

sluice_status sluice_pack_list(struct sluice_pack *p)
{
    const int64_t moving = p->count - p->fixed;
    const double reach = p->reach + SLUICE_PACK_SKIN * p->spacing;
    struct listing l = {.p = p, .cells = {.p = p}, .reach2 = reach * reach};
    if (!p->listed) { /* else the points are the same, and keep their steps */
        forget(p);
        SLUICE_TRY(make_arrays(p));
    }
    for (int64_t i = 0; i < p->count; i++)
        memcpy(p->x[i], p->point[i].x, sizeof p->x[i]);
    memcpy(p->was, p->x + p->fixed, (size_t)moving * sizeof *p->was);
    for (int a = 0; a < 3; a++) {
        p->length[a] = p->grid->periodic[a] ? p->grid->high[a] - p->grid->low[a] : 0;
        p->wraps |= p->grid->periodic[a];
    }
    free(p->other);
    p->other = NULL;
    set_edges(&l.cells, reach);
    const sluice_status status = list(&l);
    destroy_cells(&l.cells);
    p->listed = status == SLUICE_OK;
    p->went = 0;
    return status;
}

sluice_status sluice_pack_list_if_needed(struct sluice_pack *p)
{
    return p->listed && p->went < 0.5 * SLUICE_PACK_SKIN * p->spacing ? SLUICE_OK
                                                                      : sluice_pack_list(p);
}

double sluice_pack_distance(const struct sluice_pack *p, int64_t i, int64_t j)
{
    double way[3];
    return sqrt(sluice_pack_way(p, p->x[i], p->x[j], way));
}

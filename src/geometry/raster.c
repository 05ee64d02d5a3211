#include "geometry/raster.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/threads.h"
#include "core/waiting.h"
#include "domain/comm.h"

enum { BLOCK = 16 }; /* cells along an axis; those of a row along x are one word */

struct painter {
    struct sluice_raster *raster;
    const struct sluice_raster_source *source;
    int64_t blocks[3];
    atomic_llong near, deep;
};

/* Paints cells of one block, all in one state. */
static int64_t paint(struct sluice_raster *r, const int64_t low[3], const int64_t high[3],
                     enum sluice_raster_state state)
{
    int64_t painted = 0;
    for (int64_t z = low[2]; z < high[2]; z++)
        for (int64_t y = low[1]; y < high[1]; y++) {
            uint32_t *word = &r->word[(z * r->rows[0] + y) * r->words + low[0] / 16];
            for (int64_t x = low[0]; x < high[0]; x++)
                *word |= (uint32_t)state << 2 * (x % 16);
            painted += high[0] - low[0];
        }
    return painted;
}

static void add(struct painter *p, enum sluice_raster_state state, int64_t cells)
{
    if (state == SLUICE_RASTER_NEAR)
        atomic_fetch_add(&p->near, cells);
    else if (state == SLUICE_RASTER_DEEP)
        atomic_fetch_add(&p->deep, cells);
}

/* Paints a part of a block, from low up to high in cells of the raster. */
static void divide(struct painter *p, const int64_t low[3], const int64_t high[3])
{
    const struct sluice_raster_source *of = p->source;
    double x[3] = {0, 0, 0}, half2 = 0;
    int64_t cell[3], most = 0;
    for (int a = 0; a < 3; a++) {
        cell[a] = p->raster->cells.low[a] + low[a];
        const double first = of->step[a] > 0 ? of->origin[a] + ((double)cell[a] + 0.5) * of->step[a]
                                             : 0,
                     last = first + (double)(high[a] - low[a] - 1) * of->step[a];
        x[a] = (first + last) / 2;
        half2 += (last - first) * (last - first) / 4;
        most = high[a] - low[a] > most ? high[a] - low[a] : most;
    }
    const double d = of->distance(of->data, x);
    if (most == 1) {
        if (!of->owns(of->data, cell, d)) {
            paint(p->raster, low, high, SLUICE_RASTER_BESIDE);
            return;
        }
        const enum sluice_raster_state state = -d > of->layers ? SLUICE_RASTER_DEEP
                                                               : SLUICE_RASTER_NEAR;
        add(p, state, paint(p->raster, low, high, state));
        return;
    }
    const double far = sqrt(half2) * (1 + 1e-9) + of->margin;
    const int same = fabs(d) > far && (!of->certain || of->certain(of->data, x) > far);
    if (d > far && same)
        return;
    if (d < -far && same && (d + far < -of->layers || d - far > -of->layers)) {
        const enum sluice_raster_state state = d + far < -of->layers ? SLUICE_RASTER_DEEP
                                                                     : SLUICE_RASTER_NEAR;
        add(p, state, paint(p->raster, low, high, state));
        return;
    }
    for (int part = 0; part < 8; part++) {
        int64_t from[3], to[3];
        int empty = 0;
        for (int a = 0; a < 3; a++) {
            const int64_t middle = low[a] + (high[a] - low[a] + 1) / 2;
            from[a] = part >> a & 1 ? middle : low[a];
            to[a] = part >> a & 1 ? high[a] : middle;
            empty |= from[a] >= to[a];
        }
        if (!empty)
            divide(p, from, to);
    }
}

static void paint_blocks(struct sluice_share *share, void *data)
{
    struct painter *p = data;
    const struct sluice_cells *c = &p->raster->cells;
    int64_t block;
    while (sluice_share_next(share, &block)) {
        sluice_waiting_report(p->source->waiting, "geometry: finding the cells of a shape");
        const int64_t at[3] = {block % p->blocks[0], block / p->blocks[0] % p->blocks[1],
                               block / p->blocks[0] / p->blocks[1]};
        int64_t low[3], high[3];
        for (int a = 0; a < 3; a++) {
            const int64_t wide = c->high[a] - c->low[a];
            low[a] = at[a] * BLOCK;
            high[a] = low[a] + BLOCK < wide ? low[a] + BLOCK : wide;
        }
        divide(p, low, high);
    }
}

sluice_status sluice_raster_create(struct sluice_raster *r,
                                   const struct sluice_raster_source *source,
                                   const struct sluice_cells *cells)
{
    struct painter p = {.raster = r, .source = source};
    double size = 1;
    r->cells = *cells;
    for (int a = 0; a < 3; a++) {
        const int64_t wide = cells->high[a] > cells->low[a] ? cells->high[a] - cells->low[a] : 0;
        p.blocks[a] = (wide + BLOCK - 1) / BLOCK;
        r->cells.high[a] = cells->low[a] + wide;
        size *= (double)(a == 0 ? p.blocks[0] : wide);
        SLUICE_CHECK((double)wide <= source->longest, SLUICE_BAD_INPUT,
                     "it is %.4g m long along %c, far more than the domain, and moves as a whole: "
                     "does its scale fit the unit of length, and has it no corner far off?",
                     (double)wide * source->step[a], "xyz"[a]);
        if (a > 0)
            r->rows[a - 1] = wide;
    }
    SLUICE_CHECK(size < 1e11, SLUICE_BAD_INPUT,
                 "it spreads over %.3g cells of the lattice, too many to go through: make the "
                 "spacing larger, or the domain or the shape smaller",
                 16 * size);
    const int64_t blocks = p.blocks[0] * p.blocks[1] * p.blocks[2];
    r->words = p.blocks[0];
    SLUICE_ALLOCATE(r->word, (int64_t)size, "cells of a shape");
    struct sluice_threads *team = NULL;
    const int threads = sluice_config_threads(source->config, sluice_world()->sharing);
    if (blocks > 64 && threads > 1)
        SLUICE_TRY(sluice_threads_create(&team, threads));
    sluice_threads_run(team, blocks, paint_blocks, &p);
    sluice_threads_destroy(&team);
    r->count[SLUICE_RASTER_NEAR] = atomic_load(&p.near);
    r->count[SLUICE_RASTER_DEEP] = atomic_load(&p.deep);
    r->ready = 1;
    return SLUICE_OK;
}

void sluice_raster_deepen(struct sluice_raster *r, const int64_t cell[3])
{
    const int64_t x = cell[0] - r->cells.low[0],
                  row = (cell[2] - r->cells.low[2]) * r->rows[0] + cell[1] - r->cells.low[1];
    r->word[row * r->words + x / 16] ^= UINT32_C(3) << 2 * (x % 16);
    r->count[SLUICE_RASTER_NEAR]--;
    r->count[SLUICE_RASTER_DEEP]++;
}

void sluice_raster_destroy(struct sluice_raster *r)
{
    free(r->word);
    *r = (struct sluice_raster){0};
}

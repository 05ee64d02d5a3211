/* The particle swarm of `sluice bench claims` (kernels/bench/swarm.h). A thread takes a group of
 * particles and goes over their chunks; so vectors hold several particles where chunks are small,
 * as where a device gives each particle a work item. Compiled without contraction (Makefile): all
 * layouts give the same bits. */
#include <string.h>

#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/bench/swarm.h"

enum { GROUP = SLUICE_SWARM_GROUP, GROUPS_AT_ONCE = 16 };

/* The layout, and what to do with the particles first .. first + GROUP - 1. */
struct group {
    const struct sluice_swarm *swarm;
    int64_t first;
    int components, chunk, stride, whole;
};

/* Element 0 of chunk k of the group's particles, which follow one another by `stride`. */
HD real *chunk_of(void *array, const struct group *g, int k)
{
    return (real *)array + ((int64_t)k * g->swarm->count + g->first) * g->stride;
}

HD void start_group(const struct group g)
{
    const struct sluice_swarm *s = g.swarm;
    const int separate = g.stride == g.chunk;
    for (int k = 0; k < g.components / g.chunk; k++)
        for (int r = 0; r < GROUP * g.chunk; r++) {
            const int p = r / g.chunk, e = r % g.chunk, c = k * g.chunk + e;
            real *x = chunk_of(s->x, &g, k) + p * g.stride + e;
            swarm_start(g.first + p, c, x, separate ? chunk_of(s->v, &g, k) + r : x + 3);
            if (s->best)
                chunk_of(s->best, &g, k)[r] = *x;
        }
    for (int p = 0; s->best && p < GROUP; p++)
        ((real *)s->value)[g.first + p] = INFINITY;
}

HD void drift_structures(const struct group *g, real dt, real keep)
{
    real *x = chunk_of(g->swarm->x, g, 0);
    for (int p = 0; p < GROUP; p++, x += g->stride)
        for (int c = 0; c < 3; c++) {
            x[c] = swarm_drift(x[c], x[3 + c], dt);
            if (g->whole)
                x[3 + c] *= keep;
        }
}

HD void drift_group(const struct group g)
{
    const real dt = (real)g.swarm->dt;
    if (g.stride != g.chunk) {
        drift_structures(&g, dt, (real)g.swarm->keep);
        return;
    }
    for (int k = 0; k < g.components / g.chunk; k++) {
        real *restrict x = chunk_of(g.swarm->x, &g, k);
        const real *restrict v = chunk_of(g.swarm->v, &g, k);
        for (int r = 0; r < GROUP * g.chunk; r++)
            x[r] = swarm_drift(x[r], v[r], dt);
    }
}

HD void move_group(const struct group g)
{
    const struct sluice_swarm *s = g.swarm;
    const real *lead = s->lead;
    real *least = (real *)s->value + g.first, value[GROUP] = {0};
    for (int k = 0; k < g.components / g.chunk; k++) {
        real *restrict x = chunk_of(s->x, &g, k), *restrict v = chunk_of(s->v, &g, k);
        const real *restrict best = chunk_of(s->best, &g, k);
        for (int r = 0; r < GROUP * g.chunk; r++) {
            const int p = r / g.chunk, c = k * g.chunk + r % g.chunk;
            value[p] = swarm_move(s->moment, g.first + p, c, best[r], lead[c], &x[r], &v[r],
                                  value[p]);
        }
    }
    for (int p = 0; p < GROUP; p++) {
        if (!(value[p] < least[p]))
            continue;
        least[p] = value[p];
        for (int k = 0; k < g.components / g.chunk; k++)
            memcpy(chunk_of(s->best, &g, k) + p * g.chunk, chunk_of(s->x, &g, k) + p * g.chunk,
                   (size_t)g.chunk * sizeof(real));
    }
}

HD void run_group(const struct group g)
{
    if (g.swarm->work == SLUICE_SWARM_START)
        start_group(g);
    else if (g.swarm->work == SLUICE_SWARM_DRIFT)
        drift_group(g);
    else if (g.components == SLUICE_SWARM_COMPONENTS)
        move_group(g);
}

/* The compiler knows the layout in each of them. */
static void run_groups(struct sluice_share *share, void *data)
{
    const struct sluice_swarm *s = data;
    int64_t first, last;
    while (sluice_share_block(share, s->count, GROUPS_AT_ONCE * GROUP, &first, &last))
        for (; first < last; first += GROUP)
            switch (s->layout) {
#define X(name, text, components, chunk, stride, whole)                                            \
    case SLUICE_SWARM_##name:                                                                      \
        run_group((struct group){s, first, components, chunk, stride, whole});                     \
        break;
                SLUICE_SWARM_LAYOUTS(X)
#undef X
            case SLUICE_SWARM_LAYOUT_COUNT:
                break;
            }
}

static void find_lead(const struct sluice_swarm *s)
{
    static const int chunks[] = {
#define X(name, text, components, chunk, stride, whole) chunk,
        SLUICE_SWARM_LAYOUTS(X)
#undef X
    };
    const int chunk = chunks[s->layout];
    const real *value = s->value, *best = s->best;
    real *lead = s->lead;
    int64_t first = 0;
    for (int64_t i = 1; i < s->count; i++)
        first = value[i] < value[first] ? i : first;
    for (int c = 0; c < SLUICE_SWARM_COMPONENTS; c++)
        lead[c] = best[swarm_place(chunk, chunk, s->count, first, c)];
    lead[SLUICE_SWARM_COMPONENTS] = value[first];
}

void VARIANT(swarm)(struct sluice_threads *team, const struct sluice_swarm *s)
{
    struct sluice_swarm swarm = *s;
    if (s->work == SLUICE_SWARM_LEAD)
        find_lead(s);
    else
        sluice_threads_run(team, sluice_blocks(s->count, (int64_t)GROUPS_AT_ONCE * GROUP),
                           run_groups, &swarm);
}

/* Kicks and drift, compensated: docs/theory.md, "The time step". Compiled without contraction
 * (Makefile), for compensated sums stand as written. */
#include "kernels/cpu/variant.h"
#include "kernels/types/reframe.h"

/* value[k] += dt rate[k], k in [first, last) of flat arrays; nothing if either array is missing. */
static void add_all(void *value, void *low, const void *rate, int64_t first, int64_t last, real dt)
{
    real *restrict x = value;
    real_low *restrict lost = low;
    const real *restrict v = rate;
    if (!x || !v)
        return;
#pragma omp simd
    for (int64_t k = first; k < last; k++)
        compensated_add(&x[k], &lost[k], dt * v[k]);
}

static void kick_range(struct sluice_set *set, int64_t first, int64_t last, real half)
{
    const int dim = set->dimension;
    if (set->moves == SLUICE_FREE)
        add_all(set->field[SLUICE_FIELD_VELOCITY], set->field[SLUICE_FIELD_VELOCITY_LOW],
                set->field[SLUICE_FIELD_ACCELERATION], dim * first, dim * last, half);
    add_all(set->field[SLUICE_FIELD_SCALAR], set->field[SLUICE_FIELD_SCALAR_LOW],
            set->field[SLUICE_FIELD_RATE], first, last, half);
}

/* A loop over the particles of a set. */
struct integration {
    const struct sluice_grid *grid;
    struct sluice_set *set;
    real dt;
};

static void kick_blocks(struct sluice_share *share, void *data)
{
    const struct integration *k = data;
    int64_t first, last;
    while (sluice_share_block(share, k->set->count, CPU_BLOCK, &first, &last))
        kick_range(k->set, first, last, k->dt / 2);
}

void VARIANT(kick)(struct sluice_threads *team, struct sluice_set *set, double dt)
{
    struct integration k = {NULL, set, (real)dt};
    sluice_threads_run(team, sluice_blocks(set->count, CPU_BLOCK), kick_blocks, &k);
}

/* Puts a particle that left its frame into the neighbour. */
static void cross_border(const struct sluice_grid *g, real *x, real_low *kept, uint32_t *frame,
                         const real half[3])
{
    int side[3] = {0, 0, 0};
    real low[3] = {0, 0, 0};
    for (int c = 0; c < g->dimension; c++) {
        side[c] = frame_side(x[c], half[c]);
        low[c] = lost_of(x[c], kept[c]);
    }
    if (reframe((const int32_t(*)[27])g->neighbour, frame, side, half, x, low, g->dimension))
        for (int c = 0; c < g->dimension; c++)
            kept[c] = kept_of(x[c], low[c]);
}

/* Particles [first, last), CPU_BLOCK at most. */
static inline __attribute__((always_inline)) void drift_range(const struct sluice_grid *g,
                                                              struct sluice_set *set, int64_t first,
                                                              int64_t last, real dt, const int dim)
{
    const int count = (int)(last - first);
    real *position = (real *)set->field[SLUICE_FIELD_POSITION] + (dim + 1) * first;
    real_low *restrict lost = (real_low *)set->field[SLUICE_FIELD_POSITION_LOW] + dim * first;
    const real *restrict velocity = (const real *)set->field[SLUICE_FIELD_VELOCITY] + dim * first;
    uint32_t *frame = (uint32_t *)set->field[SLUICE_FIELD_FRAME] + first;
    const real half[3] = {(real)g->width[0] / 2, (real)g->width[1] / 2, (real)g->width[2] / 2};
    real flat[3 * CPU_BLOCK]; /* offsets without the masses between them, for vectors */
#pragma omp simd
    for (int k = 0; k < dim * count; k++) {
        real x = position[k + k / dim];
        compensated_add(&x, &lost[k], dt * velocity[k]);
        flat[k] = x;
    }
    for (int i = 0; i < count; i++) {
        real *x = position + (dim + 1) * i;
        int outside = 0;
        for (int c = 0; c < dim; c++) {
            x[c] = flat[dim * i + c];
            outside |= x[c] >= half[c] || x[c] < -half[c];
        }
        if (outside)
            cross_border(g, x, lost + dim * i, frame + i, half);
    }
}

static void kick_drift_blocks(struct sluice_share *share, void *data)
{
    const struct integration *k = data;
    struct sluice_set *set = k->set;
    int64_t first, last;
    while (sluice_share_block(share, set->count, CPU_BLOCK, &first, &last)) {
        kick_range(set, first, last, k->dt / 2);
        if (set->moves == SLUICE_FREE && set->dimension == 3)
            drift_range(k->grid, set, first, last, k->dt, 3);
        else if (set->moves == SLUICE_FREE)
            drift_range(k->grid, set, first, last, k->dt, 2);
    }
}

void VARIANT(kick_drift)(struct sluice_threads *team, const struct sluice_grid *g,
                         struct sluice_set *set, double dt)
{
    struct integration k = {g, set, (real)dt};
    sluice_threads_run(team, sluice_blocks(set->count, CPU_BLOCK), kick_drift_blocks, &k);
}

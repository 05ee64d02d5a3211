/* Work on each particle alone: one loop for every operation of the registry. */
#define SLUICE_REGISTRY_HEADERS
#include "kernels/cpu/leaf.h"

static struct sluice_view view_of(const struct sluice_set *set)
{
    struct sluice_view v = {.count = set->count, .id = set->field[SLUICE_FIELD_ID]};
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        v.field[f] = set->field[f];
    return v;
}

#define X(op, what)                                                                                \
    static void run_##op(const struct sluice_frames_view *frames,                                  \
                         const struct sluice_point *point)                                         \
    {                                                                                              \
        const struct op##_constants k = op##_prepare(point->params);                               \
        const struct sluice_view v = view_of(point->set);                                          \
        const int dim = point->set->dimension;                                                     \
        _Pragma(                                                                                   \
            "omp parallel for schedule(static) if (v.count >= CPU_ALONE_BELOW)") for (int64_t i =  \
                                                                                          0;       \
                                                                                      i < v.count; \
                                                                                      i++)         \
        {                                                                                          \
            if (dim == 3)                                                                          \
                op##_point(&k, &v, frames, i, 3);                                                  \
            else                                                                                   \
                op##_point(&k, &v, frames, i, 2);                                                  \
        }                                                                                          \
    }
SLUICE_POINTWISE(X)
#undef X

void LEAF(pointwise)(const struct sluice_grid *g, const struct sluice_point *point)
{
    struct sluice_frames_view frames = {.index = (const int32_t(*)[3])g->frame,
                                        .neighbour = (const int32_t(*)[27])g->neighbour};
    view_set_widths(&frames, g->width, g->wrap);
    switch (point->op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        run_##op(&frames, point);                                                                  \
        break;
        SLUICE_POINTWISE(X)
#undef X
    }
}

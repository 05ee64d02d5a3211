/* Work on each particle alone: one loop for every operation of the registry. */
#include "kernels/cpu/variant.h"
#include "kernels/formulas/formulas.h"

#define X(op, what)                                                                                \
    struct op##_loop {                                                                             \
        const struct sluice_frames_view *frames;                                                   \
        struct op##_constants constants;                                                           \
        struct sluice_view view;                                                                   \
        int dim;                                                                                   \
    };                                                                                             \
    static void op##_blocks(struct sluice_share *share, void *data)                                \
    {                                                                                              \
        const struct op##_loop *loop = data;                                                       \
        const int dim = loop->dim;                                                                 \
        int64_t first, last;                                                                       \
        while (sluice_share_block(share, loop->view.count, CPU_BLOCK, &first, &last))              \
            for (int64_t i = first; i < last; i++) {                                               \
                if (dim == 3)                                                                      \
                    op##_point(&loop->constants, &loop->view, loop->frames, i, 3);                 \
                else                                                                               \
                    op##_point(&loop->constants, &loop->view, loop->frames, i, 2);                 \
            }                                                                                      \
    }                                                                                              \
    static void run_##op(struct sluice_threads *team, const struct sluice_frames_view *frames,     \
                         const struct sluice_point *point)                                         \
    {                                                                                              \
        struct op##_loop loop = {frames, op##_prepare(point->params), view_of(point->set),         \
                                 point->set->dimension};                                           \
        sluice_threads_run(team, sluice_blocks(loop.view.count, CPU_BLOCK), op##_blocks, &loop);   \
    }
SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X

void VARIANT(pointwise)(struct sluice_threads *team, const struct sluice_grid *g,
                        const struct sluice_point *point)
{
    const struct sluice_frames_view frames = cpu_frames_of(g);
    switch (point->op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        run_##op(team, &frames, point);                                                            \
        break;
        SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X
    }
}

/* The window strategy of a pass: the object of its pair. */
#include "kernels/gpu/variant.h"
/* after variant.h, which gives the host's headers C linkage */
#include "kernels/registry.h"

namespace SLUICE_GPU::GPU_PRECISION
{

#define X(name, formulas, kernel, what)                                                            \
    sluice_status WINDOW_OF(name)(struct gpu_backend * gpu, const struct sluice_grid *g,           \
                                  struct sluice_pass *pass);
#ifdef PASS_PAIRS /* a build of few pairs has these alone */
PASS_PAIRS(X)
#else
SLUICE_EVEN_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#endif
#undef X

sluice_status interact_window(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_pass *pass)
{
    switch (pass->pair) {
#define X(name, formulas, kernel, what)                                                            \
    case SLUICE_PAIR_##name:                                                                       \
        return WINDOW_OF(name)(gpu, g, pass);
#ifdef PASS_PAIRS /* a build of few pairs has these alone */
        PASS_PAIRS(X)
#else
        SLUICE_EVEN_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#endif
#undef X
#define X(name, formulas, kernel, what) case SLUICE_PAIR_##name:
        SLUICE_ADAPTIVE_PAIRS(X)
#undef X
        return interact_adaptive(gpu, g, pass);
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "pass %s: this program lacks its pair on GPUs",
                       pass->name);
}

} // namespace SLUICE_GPU::GPU_PRECISION

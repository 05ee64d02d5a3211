#include "physics/effects.h"

#include <stddef.h>

const struct sluice_effect *const sluice_effects[] = {
#define X(name) &sluice_effect_##name,
    SLUICE_EFFECTS(X)
#undef X
        NULL};

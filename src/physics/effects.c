#include "physics/effects.h"

const struct sluice_effect *const sluice_effects[SLUICE_EFFECT_COUNT] = {
#define EFFECT(name, title) &sluice_effect_##name,
#include "physics/effects.def"
};

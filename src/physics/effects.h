/* The effects of water by their names, from the list of effects.def. */
#ifndef SLUICE_PHYSICS_EFFECTS_H
#define SLUICE_PHYSICS_EFFECTS_H
#include "model/effect.h"

#define EFFECT(name, title) extern const struct sluice_effect sluice_effect_##name;
#include "physics/effects.def"
#endif

/* The effects of water: what stands in effects.c, one line each. */
#ifndef SLUICE_PHYSICS_EFFECTS_H
#define SLUICE_PHYSICS_EFFECTS_H
#include "model/effect.h"

/* In the order in which they act. */
#define SLUICE_EFFECTS(X)                                                                          \
    X(adami)                                                                                       \
    X(dynamic)                                                                                     \
    X(repulsive)                                                                                   \
    X(mdbc)                                                                                        \
    X(filter)                                                                                      \
    X(mixing_length)                                                                               \
    X(gradients)                                                                                   \
    X(shifting)                                                                                    \
    X(reaction)

#define X(name) extern const struct sluice_effect sluice_effect_##name;
SLUICE_EFFECTS(X)
#undef X
#endif

/* The properties of walls. Each kind is declared in src/physics/walls/walls.def, with the word of
 * boundary.kind and what such walls have or allow. The config's checks, the case and the models ask
 * for these properties; none of them compares kinds. docs/adding-a-boundary.md adds a kind. */
#ifndef SLUICE_CONFIG_BOUNDARY_H
#define SLUICE_CONFIG_BOUNDARY_H

enum {
    SLUICE_WALL_IN_PAIRS = 1 << 0,     /* neighbours of fluid in its pair loop, layers of them */
    SLUICE_WALL_EXTRAPOLATED = 1 << 1, /* pressure found in the fluid; its power is P_ghost */
    SLUICE_WALL_DENSITY = 1 << 2,      /* a density of their own, from continuity */
    SLUICE_WALL_GHOSTS = 1 << 3,       /* a ghost node for each particle */
    SLUICE_WALL_SPRING = 1 << 4,       /* boundary.spring acts */
    SLUICE_WALL_FRICTION = 1 << 5,     /* allow boundary.slip other than "free" */
    SLUICE_WALL_SHIFTING = 1 << 6,     /* allow fluid.shifting */
    SLUICE_WALL_TWO_FLUIDS = 1 << 7,   /* allow fluid.second */
    SLUICE_WALL_REACTION = 1 << 8,     /* allow probes of kind "force" */
    SLUICE_WALL_LIKE_FLUID = SLUICE_WALL_IN_PAIRS | SLUICE_WALL_SPRING | SLUICE_WALL_FRICTION |
                             SLUICE_WALL_SHIFTING | SLUICE_WALL_REACTION
};

enum sluice_boundary {
#define EFFECT_WALLS(value, word, has) value,
#include "physics/effects.def"
    SLUICE_BOUNDARY_COUNT
};

struct sluice_boundary_info {
    const char *word;
    unsigned has; /* SLUICE_WALL_... */
};
extern const struct sluice_boundary_info sluice_boundaries[SLUICE_BOUNDARY_COUNT];
#endif

/* The kinds of walls: a row each, with the word of boundary.kind and what such walls have or allow.
 * The config's checks, the case and the models ask the row; none of them compares kinds. What a
 * kind computes is a file of src/physics/walls. docs/adding-a-boundary.md adds a kind. */
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

#define SLUICE_BOUNDARIES(X)                                                                       \
    X(SLUICE_BOUNDARY_ADAMI, "adami",                                                              \
      SLUICE_WALL_LIKE_FLUID | SLUICE_WALL_EXTRAPOLATED | SLUICE_WALL_TWO_FLUIDS)                  \
    X(SLUICE_BOUNDARY_DYNAMIC, "dynamic", SLUICE_WALL_LIKE_FLUID | SLUICE_WALL_DENSITY)            \
    X(SLUICE_BOUNDARY_REPULSIVE, "repulsive", SLUICE_WALL_REACTION)                                \
    X(SLUICE_BOUNDARY_MDBC, "mdbc",                                                                \
      SLUICE_WALL_LIKE_FLUID | SLUICE_WALL_EXTRAPOLATED | SLUICE_WALL_GHOSTS)

#define SLUICE_BOUNDARY_VALUE(value, word, has)   value,
#define SLUICE_BOUNDARY_CHOICES(value, word, has) word "|"
enum sluice_boundary { SLUICE_BOUNDARIES(SLUICE_BOUNDARY_VALUE) SLUICE_BOUNDARY_COUNT };

struct sluice_boundary_info {
    const char *word;
    unsigned has; /* SLUICE_WALL_... */
};
extern const struct sluice_boundary_info sluice_boundaries[SLUICE_BOUNDARY_COUNT];
#endif

/* The kinds of probes, a row each: docs/adding-a-probe.md adds one.
 *
 *   X(_, VALUE, word, properties, sentence, why a gas has none)
 *
 * word: of the key kind. The last one is NULL of a kind that a gas has. The columns of their tables
 * are in lookup.c. */
#ifndef SLUICE_CONFIG_PROBE_KINDS_H
#define SLUICE_CONFIG_PROBE_KINDS_H
#include <stddef.h>

#include "files/columns.h"

enum {
    SLUICE_PROBE_TAKES_QUANTITY = 1 << 0, /* the key quantity: values and a weight at each site */
    SLUICE_PROBE_TAKES_FACE = 1 << 1,     /* the keys on, face and at: a place on a face */
    SLUICE_PROBE_TAKES_ENDS = 1 << 2,     /* the keys from and to: its place reaches that far */
    SLUICE_PROBE_TAKES_POINTS = 1 << 3,   /* the key points, of the line between its ends */
    SLUICE_PROBE_TAKES_SIZE = 1 << 4,     /* the keys size and round: its place is an area */
    SLUICE_PROBE_HAS_LEVEL = 1 << 5,      /* it measures the level of water over a bed */
    SLUICE_PROBE_NEEDS_FLUID = 1 << 6,    /* it is given the fluid near its place */
    SLUICE_PROBE_IS_UPRIGHT = 1 << 7,     /* its place is horizontal: it stands there */
    SLUICE_PROBE_IS_SECTION = 1 << 8      /* its ends are corners of a section across an axis */
};

#define SLUICE_PROBE_OF_WALLS                                                                      \
    "as a gas has no wall particles: take the pressure along the wall by a \"line\""
#define SLUICE_PROBE_OF_VOLUMES                                                                    \
    "whose volume stays: take density and velocity along the section by a \"line\" with quantity " \
    "= \"all\""
#define SLUICE_PROBE_OF_LEVELS "as a gas has no level: choose \"point\" or \"line\""

#define SLUICE_PROBE_KINDS(X, _)                                                                   \
    X(_, SLUICE_PROBE_POINT, "point",                                                              \
      SLUICE_PROBE_TAKES_QUANTITY | SLUICE_PROBE_TAKES_FACE | SLUICE_PROBE_NEEDS_FLUID, "a point", \
      NULL)                                                                                        \
    X(_, SLUICE_PROBE_LINE, "line",                                                                \
      SLUICE_PROBE_TAKES_QUANTITY | SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_TAKES_POINTS |          \
          SLUICE_PROBE_NEEDS_FLUID,                                                                \
      "points on a line", NULL)                                                                    \
    X(_, SLUICE_PROBE_HEIGHT, "height",                                                            \
      SLUICE_PROBE_HAS_LEVEL | SLUICE_PROBE_NEEDS_FLUID | SLUICE_PROBE_IS_UPRIGHT,                 \
      "the height of the water", SLUICE_PROBE_OF_LEVELS)                                           \
    X(_, SLUICE_PROBE_FRONT, "front", 0, "the foremost fluid along an axis",                       \
      "as a gas has no edge: find a shock in the density of a \"line\"")                           \
    X(_, SLUICE_PROBE_FORCE, "force", 0, "the force of the fluid on a group of walls",             \
      SLUICE_PROBE_OF_WALLS)                                                                       \
    X(_, SLUICE_PROBE_FLUX, "flux",                                                                \
      SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_IS_SECTION | SLUICE_PROBE_NEEDS_FLUID,                \
      "the volume flow through a section", SLUICE_PROBE_OF_VOLUMES)                                \
    X(_, SLUICE_PROBE_OVERTOPPING, "overtopping",                                                  \
      SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_IS_SECTION | SLUICE_PROBE_NEEDS_FLUID,                \
      "the water that passes over a crest, wave by wave", SLUICE_PROBE_OF_VOLUMES)                 \
    X(_, SLUICE_PROBE_RUNUP, "runup",                                                              \
      SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_TAKES_POINTS | SLUICE_PROBE_HAS_LEVEL |               \
          SLUICE_PROBE_NEEDS_FLUID,                                                                \
      "the run-up of the water on a slope", SLUICE_PROBE_OF_LEVELS)                                \
    X(_, SLUICE_PROBE_PROFILE, "profile",                                                          \
      SLUICE_PROBE_TAKES_QUANTITY | SLUICE_PROBE_TAKES_POINTS | SLUICE_PROBE_HAS_LEVEL |           \
          SLUICE_PROBE_NEEDS_FLUID | SLUICE_PROBE_IS_UPRIGHT,                                      \
      "points from the bed to the surface", SLUICE_PROBE_OF_LEVELS)                                \
    X(_, SLUICE_PROBE_PATCH, "patch",                                                              \
      SLUICE_PROBE_TAKES_FACE | SLUICE_PROBE_TAKES_SIZE | SLUICE_PROBE_NEEDS_FLUID,                \
      "the mean pressure on a patch of a face", SLUICE_PROBE_OF_WALLS)

enum sluice_probe_kind {
#define SLUICE_PROBE_VALUE(_, value, ...) value,
    SLUICE_PROBE_KINDS(SLUICE_PROBE_VALUE, )
#undef SLUICE_PROBE_VALUE
        SLUICE_PROBE_KIND_COUNT
};

/* The bits 1 << kind of those that have a property: a constant expression. */
#define SLUICE_PROBE_BIT(property, value, word, has, ...) | ((has) & (property) ? 1u << (value) : 0)

#define SLUICE_PROBES_WITH(property) (0u SLUICE_PROBE_KINDS(SLUICE_PROBE_BIT, property))

/* By their values. */
extern const struct sluice_probe_kind_info {
    const char *word, *sentence;
    unsigned has;
    const char *not_of_gas;
    const struct sluice_column *columns; /* after step and time; those of its sites follow */
    const struct sluice_column *more;    /* columns of some runs: `theory` of a height where the
                                            case has wave makers, and those of a line with a row a
                                            point; an empty list of other kinds */
} sluice_probe_kinds[SLUICE_PROBE_KIND_COUNT];

/* kind: a valid one, or -1, which has none. */
static inline int sluice_probe_has(int kind, unsigned property)
{
    return kind >= 0 && (sluice_probe_kinds[kind].has & property) != 0;
}
#endif

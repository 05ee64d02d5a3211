/* Where the arrays of a set lie in its memory, and how a sort moves them.
 *
 * The memory is one piece of `columns` columns, each of `capacity` 16-bit numbers. A field of 2k
 * bytes a particle is k columns side by side. The first columns belong to the equation of state, or
 * to the sort if the set has none. Behind them lie the STATE fields and the scratch space, which
 * holds the SCRATCH fields and what the backend adds. A sort moves field after field through the
 * scratch space to its other end, so it takes no memory of its own:
 *
 *     | EOS | position | frame | velocity | ... | predicted, backend's own |      before
 *     | EOS | position | frame |  . . . . . . .  | velocity | ...          |
 *     | EOS | predicted, backend's own | position | frame | velocity | ... |      after; next time
 *                                                                                 the other way
 *
 * During a sort the first columns and the scratch space are free for the order of the particles. */
#ifndef SLUICE_PARTICLES_COLUMNS_H
#define SLUICE_PARTICLES_COLUMNS_H
#include "particles/particles.h"

/* The move of one field. `waits`: the moves before it must be done first, because it goes where one
 * of those fields was. */
struct sluice_move {
    enum sluice_field field;
    const void *from;
    void *to;
    int columns, waits;
};

/* Bytes of a particle in a column, and columns of a 32-bit number. */
enum { SLUICE_COLUMN_BYTES = 2, SLUICE_COLUMNS_OF_INDEX = 4 / SLUICE_COLUMN_BYTES };

/* Columns that the set's fields need: the first ones, those of the STATE fields, and those of the
 * SCRATCH fields in the scratch space. `largest`: of the largest STATE field, which the scratch
 * space must hold if a sort moves fields through it. */
struct sluice_columns {
    int first, state, scratch, largest;
};
struct sluice_columns sluice_columns_of(const struct sluice_set *set);

/* Lays out the arrays of set->fields in set->memory, which has set->columns columns. The scratch
 * space takes the rest. */
void sluice_columns_lay_out(struct sluice_set *set);

/* Column k of the scratch space, in the set's memory (device or host). */
void *sluice_columns_scratch(const struct sluice_set *set, int k);

/* Plans the moves of all STATE fields to the other side of the scratch space, in the order in which
 * they may be made. Returns their number. */
int sluice_columns_plan(const struct sluice_set *set, struct sluice_move move[SLUICE_FIELD_COUNT]);

/* Call once the moves are made or queued: the set's fields then have their new places, the SCRATCH
 * fields in the scratch space. */
void sluice_columns_moved(struct sluice_set *set, const struct sluice_move *move, int count);
#endif

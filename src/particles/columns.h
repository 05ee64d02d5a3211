/* Where the arrays of a set stand in its memory, and how they move when it is sorted.
 *
 * The memory is one piece of `columns` columns, each of `capacity` 16-bit numbers. A field of 2k
 * bytes a particle is k columns side by side. Behind the first columns, which are the equation of
 * state's, or the sort's where a set has none, stand the STATE fields and beside them the room,
 * which holds what is made anew after every sort. Sorting moves field after field through the room
 * to its other end, so that it takes no memory of its own:
 *
 *     | EOS | position | frame | velocity | ... | predicted, backend's own |      before
 *     | EOS | position | frame |  . . . . . . .  | velocity | ...          |
 *     | EOS | predicted, backend's own | position | frame | velocity | ... |      after; next time
 *                                                                                 the other way
 *
 * While it is sorted, the first columns and the room are free for the order of the particles. */
#ifndef SLUICE_PARTICLES_COLUMNS_H
#define SLUICE_PARTICLES_COLUMNS_H
#include "particles/particles.h"

/* One field on its way. `waits`: what comes before it in the list must be done first, for it goes
 * where that stood. */
struct sluice_move {
    enum sluice_field field;
    const void *from;
    void *to;
    int columns, waits;
};

/* Bytes of a particle in a column, and columns of a 32-bit number. */
enum { SLUICE_COLUMN_BYTES = 2, SLUICE_COLUMNS_OF_INDEX = 4 / SLUICE_COLUMN_BYTES };

/* Columns that the set's fields need: of the first ones, of STATE fields, of the room that holds
 * its SCRATCH fields; and of the largest STATE field, which the room of a set that is sorted
 * through it must hold. */
struct sluice_columns {
    int first, state, scratch, largest;
};
struct sluice_columns sluice_columns_of(const struct sluice_set *set);

/* Puts the arrays of set->fields into set->memory, whose columns are set->columns, the room as
 * large as what is left. */
void sluice_columns_lay_out(struct sluice_set *set);

/* Column k of the room: device or host memory as the set's. */
void *sluice_columns_room(const struct sluice_set *set, int k);

/* Every STATE field to the other side of the room; returns how many moves there are, in the order
 * in which they may be made. Nothing has moved yet. */
int sluice_columns_plan(const struct sluice_set *set, struct sluice_move move[SLUICE_FIELD_COUNT]);

/* The moves are made, or queued: the fields are where they went, the SCRATCH fields in the room. */
void sluice_columns_moved(struct sluice_set *set, const struct sluice_move *move, int count);
#endif

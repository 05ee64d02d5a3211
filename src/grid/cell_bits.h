/* Two bits a cell, of cells without bounds: the words that are not 0 are in a hash. A word holds 32
 * cells that follow one another in x, so dense cells take a byte or less each. */
#ifndef SLUICE_GRID_CELL_BITS_H
#define SLUICE_GRID_CELL_BITS_H
#include <stdint.h>

#include "core/status.h"

struct sluice_cell_bits {
    int64_t used, slots; /* words with bits; a power of two, or 0 */
    struct sluice_cell_word {
        int64_t at[3]; /* x over 32, y, z */
        uint64_t bits; /* 0: a free slot */
    } * word;
};

/* Sets bits (1 to 3) of a cell. A zeroed struct is valid and empty. Errors: memory. */
sluice_status sluice_cell_bits_set(struct sluice_cell_bits *b, const int64_t cell[3],
                                   unsigned bits);
/* Sets the bits of n words; free slots among them are skipped. Errors: memory. */
sluice_status sluice_cell_bits_join(struct sluice_cell_bits *b, const struct sluice_cell_word *word,
                                    int64_t n);
unsigned sluice_cell_bits_at(const struct sluice_cell_bits *b, const int64_t cell[3]);
void sluice_cell_bits_destroy(struct sluice_cell_bits *b);
#endif

#include "grid/cell_bits.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"

enum { CELLS = 32, FIRST_SLOTS = 1024 };

static int64_t x_word(int64_t x)
{
    return x >= 0 ? x / CELLS : -1 - (-1 - x) / CELLS;
}

static int shift_of(int64_t x)
{
    return (int)(2 * (x - CELLS * x_word(x)));
}

/* The slot of a word, or the free one where it would stand. */
static struct sluice_cell_word *find_word(const struct sluice_cell_bits *b, const int64_t at[3])
{
    const uint64_t last = (uint64_t)b->slots - 1;
    uint64_t h = 0;
    for (int a = 0; a < 3; a++)
        h = sluice_mix(h + (uint64_t)at[a] + SLUICE_MIX_STEP);
    while (b->word[h & last].bits && memcmp(b->word[h & last].at, at, 3 * sizeof *at) != 0)
        h++;
    return &b->word[h & last];
}

/* Twice the slots. */
static sluice_status grow(struct sluice_cell_bits *b)
{
    struct sluice_cell_bits larger = {.slots = b->slots ? 2 * b->slots : FIRST_SLOTS};
    SLUICE_ALLOCATE(larger.word, larger.slots, "words of cells");
    for (int64_t k = 0; k < b->slots; k++)
        if (b->word[k].bits)
            *find_word(&larger, b->word[k].at) = b->word[k];
    free(b->word);
    b->word = larger.word;
    b->slots = larger.slots;
    return SLUICE_OK;
}

static sluice_status set_word(struct sluice_cell_bits *b, const int64_t at[3], uint64_t bits)
{
    if (4 * (b->used + 1) > 3 * b->slots)
        SLUICE_TRY(grow(b));
    struct sluice_cell_word *word = find_word(b, at);
    b->used += !word->bits;
    memcpy(word->at, at, sizeof word->at);
    word->bits |= bits;
    return SLUICE_OK;
}

sluice_status sluice_cell_bits_set(struct sluice_cell_bits *b, const int64_t cell[3], unsigned bits)
{
    const int64_t at[3] = {x_word(cell[0]), cell[1], cell[2]};
    return set_word(b, at, (uint64_t)bits << shift_of(cell[0]));
}

sluice_status sluice_cell_bits_join(struct sluice_cell_bits *b, const struct sluice_cell_word *word,
                                    int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (word[k].bits)
            SLUICE_TRY(set_word(b, word[k].at, word[k].bits));
    return SLUICE_OK;
}

unsigned sluice_cell_bits_at(const struct sluice_cell_bits *b, const int64_t cell[3])
{
    const int64_t at[3] = {x_word(cell[0]), cell[1], cell[2]};
    return b->slots ? (unsigned)(find_word(b, at)->bits >> shift_of(cell[0])) & 3 : 0;
}

void sluice_cell_bits_destroy(struct sluice_cell_bits *b)
{
    free(b->word);
    memset(b, 0, sizeof *b);
}

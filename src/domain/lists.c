#include "domain/lists.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

sluice_status sluice_lists_create(struct sluice_lists *lists, int count)
{
    lists->count = count;
    SLUICE_ALLOCATE(lists->first, count + 1, "lists of particles");
    return SLUICE_OK;
}

void sluice_lists_destroy(struct sluice_lists *lists)
{
    for (int p = 0; p < SLUICE_LIST_PIECES; p++)
        free(lists->piece[p].entry);
    free(lists->first);
    free(lists->index);
}

void sluice_list_add(struct sluice_list_piece *piece, int list, int64_t i)
{
    if (piece->count == piece->capacity) {
        const int64_t capacity = 2 * piece->capacity + 64;
        void *larger = realloc(piece->entry, (size_t)capacity * sizeof *piece->entry);
        piece->failed |= !larger;
        if (!larger)
            return;
        piece->entry = larger;
        piece->capacity = capacity;
    }
    piece->entry[piece->count++] = (struct sluice_list_entry){(uint32_t)i, list};
}

struct filling {
    struct sluice_lists *lists;
    int64_t n, size; /* particles; of them in a piece */
    sluice_list_range *range;
    void *data;
};

static void fill_pieces(struct sluice_share *share, void *data)
{
    const struct filling *f = data;
    int64_t first, last;
    while (sluice_share_block(share, f->n, f->size, &first, &last))
        f->range(&f->lists->piece[first / f->size], first, last, f->data);
}

/* Puts the pieces' entries into the lists. */
static sluice_status join_pieces(struct sluice_lists *lists)
{
    int64_t *end = lists->first + 1, all = 0;
    int failed = 0;
    memset(lists->first, 0, ((size_t)lists->count + 1) * sizeof *lists->first);
    for (int p = 0; p < SLUICE_LIST_PIECES; p++) {
        const struct sluice_list_piece *piece = &lists->piece[p];
        failed |= piece->failed;
        all += piece->count;
        for (int64_t k = 0; k < piece->count; k++)
            end[piece->entry[k].list]++;
    }
    if (all > lists->capacity) {
        free(lists->index);
        lists->capacity = all + all / 4;
        lists->index = malloc((size_t)lists->capacity * sizeof *lists->index);
        lists->capacity = lists->index ? lists->capacity : 0;
    }
    SLUICE_CHECK(!failed && (lists->index || all == 0), SLUICE_DEVICE,
                 "no memory for lists of %lld particles", (long long)all);
    for (int k = lists->count - 1; k >= 0; k--) /* the first place of each list */
        end[k] = all -= end[k];
    for (int p = 0; p < SLUICE_LIST_PIECES; p++) /* which becomes its end */
        for (int64_t k = 0; k < lists->piece[p].count; k++) {
            const struct sluice_list_entry e = lists->piece[p].entry[k];
            lists->index[end[e.list]++] = e.index;
        }
    return SLUICE_OK;
}

sluice_status sluice_lists_fill(struct sluice_lists *lists, struct sluice_threads *team, int64_t n,
                                sluice_list_range *range, void *data)
{
    struct filling f = {lists, n, sluice_blocks(n, SLUICE_LIST_PIECES), range, data};
    for (int p = 0; p < SLUICE_LIST_PIECES; p++)
        lists->piece[p].count = lists->piece[p].failed = 0;
    if (n > 0)
        sluice_threads_run(team, sluice_blocks(n, f.size), fill_pieces, &f);
    return join_pieces(lists);
}

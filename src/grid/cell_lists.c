#include "grid/cell_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

sluice_status sluice_cell_lists_create(struct sluice_cell_lists *l,
                                       const struct sluice_grid_options *grid, double edge,
                                       int64_t capacity)
{
    uint64_t slots = 64;
    memset(l, 0, sizeof *l);
    while (slots < (uint64_t)capacity)
        slots *= 2;
    l->mask = slots - 1;
    l->dimension = grid->dimension;
    for (int a = 0; a < l->dimension; a++) {
        l->periodic[a] = grid->periodic[a];
        l->low[a] = grid->low[a];
        l->length[a] = grid->high[a] - grid->low[a];
        l->cells[a] = (int64_t)fmax(1, floor(l->length[a] / edge));
        l->cell[a] = l->periodic[a] ? l->length[a] / (double)l->cells[a] : edge;
    }
    l->x = malloc(((size_t)capacity + 1) * sizeof *l->x);
    l->next = malloc(((size_t)capacity + 1) * sizeof *l->next);
    l->head = calloc(slots, sizeof *l->head);
    if (l->x && l->next && l->head)
        return SLUICE_OK;
    sluice_cell_lists_destroy(l);
    return SLUICE_FAIL(SLUICE_DEVICE, "no memory for the cells of %lld particles",
                       (long long)capacity);
}

void sluice_cell_lists_destroy(struct sluice_cell_lists *l)
{
    free(l->x);
    free(l->head);
    free(l->next);
    memset(l, 0, sizeof *l);
}

void sluice_cell_lists_cell(const struct sluice_cell_lists *l, const double x[3], int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        cell[a] = a < l->dimension ? (int64_t)floor((x[a] - l->low[a]) / l->cell[a]) : 0;
}

static int64_t *head_of(const struct sluice_cell_lists *l, const int64_t cell[3])
{
    uint64_t h = 0;
    for (int a = 0; a < l->dimension; a++) {
        int64_t c = cell[a];
        if (l->periodic[a])
            c = (c % l->cells[a] + l->cells[a]) % l->cells[a];
        h = sluice_mix(h + (uint64_t)c + SLUICE_MIX_STEP);
    }
    return &l->head[h & l->mask];
}

int64_t sluice_cell_lists_first(const struct sluice_cell_lists *l, const int64_t cell[3])
{
    return *head_of(l, cell);
}

void sluice_cell_lists_add(struct sluice_cell_lists *l, const double x[3])
{
    int64_t cell[3];
    sluice_cell_lists_cell(l, x, cell);
    int64_t *head = head_of(l, cell);
    memcpy(l->x[l->count], x, sizeof l->x[l->count]);
    l->next[l->count++] = *head;
    *head = l->count;
}

double sluice_cell_lists_way(const struct sluice_cell_lists *l, int64_t k, const double x[3],
                             double way[3])
{
    double d2 = 0;
    way[2] = 0;
    for (int a = 0; a < l->dimension; a++) {
        way[a] = l->x[k][a] - x[a];
        if (l->periodic[a])
            way[a] -= l->length[a] * rint(way[a] / l->length[a]);
        d2 += way[a] * way[a];
    }
    return d2;
}

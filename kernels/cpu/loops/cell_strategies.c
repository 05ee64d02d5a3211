/* The strategies of Algis, Bramas, Darles & Aveneau (2024) on the CPU: the cells that a thread
 * takes at once, and how many candidates its particles meet together. The sizes of units are those
 * that the paper gives blocks of a GPU (kernels/gpu/cells), whose shared memory the stage stands
 * for. */
#include "kernels/cpu/loops/cells.h"

#include <string.h>

enum {
    PAR_CELL_SM_MOST = 512,    /* candidates at a time */
    X_PENCIL_REG_TARGETS = 512 /* in a unit, if all its cells are as full as the fullest */
};

/* Candidates around a unit of this size, if all cells are as full as the fullest. */
static int64_t candidates_around(const struct cell_demand *d, const int size[3])
{
    int64_t n = d->fullest;
    for (int c = 0; c < 3; c++)
        n *= size[c] + 2 * d->reach[c];
    return n;
}

static int64_t candidates_of_row(const struct cell_demand *d, int length)
{
    return d->fullest * (length + 2 * d->reach[0]);
}

static void plan_row(const struct cell_demand *d, int size[3])
{
    size[0] = d->bins[0];
}

/* As many cells along x as leave a row of candidates in the stage (5.2). */
static void plan_x_pencil(const struct cell_demand *d, int size[3])
{
    size[0] = d->bins[0];
    while (size[0] > 1 && candidates_of_row(d, size[0]) > d->capacity)
        size[0]--;
}

/* 8 x 2 x 2 cells, halved along z, y, x while they hold too many particles (5.3). */
static void plan_x_pencil_reg(const struct cell_demand *d, int size[3])
{
    static const int wanted[3] = {8, 2, 2};
    for (int c = 0; c < 3; c++)
        size[c] = wanted[c] < d->bins[c] ? wanted[c] : d->bins[c];
    while (size[0] > 1 && (d->fullest * size[0] * size[1] * size[2] > X_PENCIL_REG_TARGETS ||
                           candidates_of_row(d, size[0]) > d->capacity))
        size[size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0] /= 2;
}

/* The largest box, nearly a cube, that fits into the stage with all cells around it (5.1). */
static void plan_all_in_sm(const struct cell_demand *d, int size[3])
{
    for (int grown = 1; grown;) {
        grown = 0;
        for (int c = 0; c < d->dimension; c++) {
            const int larger[3] = {size[0] + (c == 0), size[1] + (c == 1), size[2] + (c == 2)};
            if (larger[c] <= d->bins[c] && candidates_around(d, larger) <= d->capacity) {
                memcpy(size, larger, sizeof larger);
                grown = 1;
            }
        }
    }
}

CELL_STRATEGY(par_part_noloop, .plan = plan_row, .alone = 1)
CELL_STRATEGY(par_part_loop, .plan = plan_row, .alone = 1, .strided = 1)
CELL_STRATEGY(par_cell, .alone = 1)
CELL_STRATEGY(par_cell_sm, .most = PAR_CELL_SM_MOST)
CELL_STRATEGY(x_pencil, .plan = plan_x_pencil)
CELL_STRATEGY(x_pencil_reg, .plan = plan_x_pencil_reg)
CELL_STRATEGY(all_in_sm, .plan = plan_all_in_sm)

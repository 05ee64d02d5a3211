/* The columns of openings at the start: which walls close, and which have water. */
#include <stdlib.h>

#include "core/allocate.h"
#include "physics/openings/openings.h"

struct counting {
    const struct sluice_effect_setup *setup;
    struct openings *openings;
    int *count; /* [columns] particles in each buffer */
};

static void count_one(void *data, const double x[3])
{
    const struct counting *to = data;
    for (int i = 0; i < to->openings->count; i++) {
        const struct opening *of = &to->openings->opening[i];
        double s;
        const int c = opening_column_of(of, to->setup->grid, x, &s);
        if (c >= 0 && s <= 0 && s > -of->rows * of->spacing)
            to->count[of->first + c]++;
    }
}

/* Columns in whose buffers walls stand are closed. */
static sluice_status close_walled(const struct counting *of)
{
    struct openings *o = of->openings;
    SLUICE_TRY(of->setup->each_place(of->setup, SLUICE_WALL, count_one, (void *)of));
    for (int c = 0; c < o->columns; c++) {
        if (of->count[c] > 0)
            o->column[c].closed = 1;
        of->count[c] = 0;
    }
    return SLUICE_OK;
}

/* A buffer starts full or empty, column by column: an empty one fills in the first step. */
static sluice_status fill_rows(const struct counting *of)
{
    struct openings *o = of->openings;
    SLUICE_TRY(of->setup->each_place(of->setup, SLUICE_FLUID, count_one, (void *)of));
    for (int i = 0; i < o->count; i++) {
        const struct opening *at = &o->opening[i];
        for (int c = 0; c < opening_columns_of(at); c++) {
            const int found = of->count[at->first + c], full = at->rows * opening_row_of(at);
            SLUICE_CHECK(at->keys->kind == SLUICE_OPENING_OUTLET || found == 0 || found == full ||
                             o->column[at->first + c].closed,
                         SLUICE_BAD_INPUT,
                         "openings: \"%s\": the buffer behind its face, %.9g m deep, has %d "
                         "particles in one of its columns, and %d fill it: fill it with water "
                         "throughout, or leave it empty",
                         at->keys->name, at->rows * at->spacing, found, full);
            o->row[at->first + c].moved = found == full ? 0 : at->rows * at->spacing;
            o->opening[i].starts_wet |= found > 0;
        }
    }
    return SLUICE_OK;
}

sluice_status openings_fill(struct openings *o, const struct sluice_effect_setup *setup)
{
    struct counting counting = {setup, o, NULL};
    SLUICE_ALLOCATE(counting.count, o->columns, "columns of openings");
    sluice_status status = close_walled(&counting);
    if (status == SLUICE_OK)
        status = fill_rows(&counting);
    free(counting.count);
    return status;
}

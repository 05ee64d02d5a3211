/* The columns of openings at the start: which walls close, and which have water. */
#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "physics/openings/openings.h"

struct counting {
    const struct sluice_effect_setup *setup;
    struct openings *openings;
    double front; /* how far in front of the face counts, m */
    int *count;   /* [columns] particles in each buffer */
};

static void count_one(void *data, const double x[3])
{
    const struct counting *to = data;
    for (int i = 0; i < to->openings->count; i++) {
        const struct opening *of = &to->openings->opening[i];
        double s;
        const int c = opening_column_of(of, to->setup->grid, x, &s);
        if (c >= 0 && s <= to->front && s > -of->rows * of->spacing)
            to->count[of->first + c]++;
    }
}

/* Columns in whose buffers walls stand are closed, and those with a wall right in front of the
 * face.
 */
static sluice_status close_walled(struct counting *of)
{
    struct openings *o = of->openings;
    of->front = of->setup->physics->wcsph.spacing;
    SLUICE_TRY(of->setup->each_place(of->setup, SLUICE_WALL, count_one, of));
    for (int c = 0; c < o->columns; c++) {
        if (of->count[c] > 0)
            o->column[c].closed = 1;
        of->count[c] = 0;
    }
    return SLUICE_OK;
}

/* Whether columns do not lie along an axis. */
static int is_askew(const struct opening *of)
{
    int components = 0;
    for (int c = 0; c < 3; c++)
        components += fabs(of->axis[c]) > 1e-9;
    return components > 1;
}

/* A buffer starts full or empty, column by column: an empty one fills in the first step. */
static sluice_status fill_rows(struct counting *of)
{
    struct openings *o = of->openings;
    of->front = 0;
    SLUICE_TRY(of->setup->each_place(of->setup, SLUICE_FLUID, count_one, of));
    for (int i = 0; i < o->count; i++) {
        const struct opening *at = &o->opening[i];
        for (int c = 0; c < opening_columns_of(at); c++) {
            const int found = of->count[at->first + c], full = at->rows * opening_row_of(at);
            SLUICE_CHECK(at->keys->kind == SLUICE_OPENING_OUTLET || found == 0 || found == full ||
                             o->column[at->first + c].closed,
                         SLUICE_BAD_INPUT,
                         OPENING_NAME
                         "the buffer behind its face, %.9g m deep, has %d particles in "
                         "one of its columns, and %d fill it: %s",
                         OPENING_NAME_OF(at->keys), at->rows * at->spacing, found, full,
                         is_askew(at) ? "its columns are askew to the lattice of particles, so "
                                        "leave it empty at the start; its rows come in the first "
                                        "step"
                                      : "fill it with water throughout, or leave it empty");
            o->row[at->first + c].moved = found == full ? 0 : at->rows * at->spacing;
            o->opening[i].starts_wet |= found > 0;
        }
    }
    return SLUICE_OK;
}

/* Closes the empty columns of a line that lie beneath its water, or where it has none beneath its
 * walls: they are in the ground, which may be hollow. at: of the lowest column; up: to the next
 * one.
 */
static void close_beneath(struct opening_column *at, const int *count, int n, int up)
{
    int water = 0, wall = 0;
    while (water < n && !(count[(int64_t)water * up] > 0))
        water++;
    while (wall < n && !at[(int64_t)wall * up].closed)
        wall++;
    const int ground = water < n ? water : wall < n ? wall : 0;
    for (int k = 0; k < ground; k++)
        at[(int64_t)k * up].closed = 1;
}

/* Closes what lies in the ground. The lower edge is then that of the lowest column that is open. */
static void find_ground(const struct counting *of, struct opening *at)
{
    const struct wcsph_params *water = &of->setup->physics->wcsph;
    const double rise[2] = {opening_height(water, at->edge[0]), opening_height(water, at->edge[1])};
    const int e = fabs(rise[1]) > fabs(rise[0]), n = at->columns[e], across = at->columns[!e],
              stride = e ? at->columns[0] : 1, aside = e ? 1 : at->columns[0],
              first = rise[e] > 0 ? 0 : (n - 1) * stride;
    if (fabs(rise[e]) < 0.5)
        return;
    for (int line = 0; line < across; line++) {
        const int64_t low = at->first + first + (int64_t)line * aside;
        close_beneath(&of->openings->column[low], &of->count[low], n,
                      rise[e] > 0 ? stride : -stride);
    }
    at->low = INFINITY;
    for (int c = 0; c < opening_columns_of(at); c++)
        if (!of->openings->column[at->first + c].closed)
            at->low = fmin(at->low, at->height[c] - (fabs(rise[0]) + fabs(rise[1])) * at->size / 2);
}

sluice_status openings_fill(struct openings *o, const struct sluice_effect_setup *setup)
{
    struct counting counting = {setup, o, 0, NULL};
    SLUICE_ALLOCATE(counting.count, o->columns, "columns of openings");
    sluice_status status = close_walled(&counting);
    if (status == SLUICE_OK)
        status = fill_rows(&counting);
    for (int i = 0; i < o->count && status == SLUICE_OK; i++)
        find_ground(&counting, &o->opening[i]);
    free(counting.count);
    return status;
}

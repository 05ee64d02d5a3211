#include "geometry/wet_faces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

static const double cells_most = 2e7;

struct flood {
    const struct sluice_geometry *g;
    int64_t count;
    char *state;   /* [count] of a cell: open, wet */
    int64_t *next; /* [count] wet cells whose neighbours were not looked at */
    int64_t waiting;
    double highest; /* of the fluid's cells, along gravity, m^2/s^2 */
};

enum { CLOSED, OPEN, WET };

static void cell_at(const struct sluice_geometry *g, int64_t i, int64_t cell[3])
{
    cell[0] = i % g->n[0];
    cell[1] = i / g->n[0] % g->n[1];
    cell[2] = i / g->n[0] / g->n[1];
}

static double height_of(const struct sluice_geometry *g, const int64_t cell[3])
{
    double sum = 0;
    for (int a = 0; a < 3; a++)
        if (a < g->dimension && !g->periodic[a])
            sum -= g->config->gravity[a] * sluice_geometry_centre(g, a, cell[a]);
    return sum;
}

static void wet(struct flood *f, int64_t i)
{
    if (f->state[i] != OPEN)
        return;
    f->state[i] = WET;
    f->next[f->waiting++] = i;
}

/* Whether walls leave their place, as gates and bodies do. */
static int may_leave(const struct sluice_geometry *g, int shape)
{
    return sluice_config_mover(g->config, shape) >= 0;
}

/* Fluid begins where its shapes are. Above the highest of its cells none comes. Where other walls
 * than those of `shape` may leave it can come. */
static void find_fluid(struct flood *f, int shape)
{
    const struct sluice_geometry *g = f->g;
    int64_t cell[3];
    for (int64_t i = 0; i < f->count; i++) {
        cell_at(g, i, cell);
        const int owner = sluice_geometry_owner(g, cell),
                  type = owner < 0 ? SLUICE_SHAPE_VOID : g->config->shapes[owner].type;
        const int stays = type == SLUICE_SHAPE_WALL && (owner == shape || !may_leave(g, owner));
        f->state[i] = stays ? CLOSED : OPEN;
        if (type != SLUICE_SHAPE_FLUID)
            continue;
        f->highest = fmax(f->highest, height_of(g, cell));
        wet(f, i);
    }
    for (int64_t i = 0; i < f->count; i++) {
        cell_at(g, i, cell);
        if (f->state[i] == OPEN && height_of(g, cell) > f->highest + 1e-9 * fabs(f->highest))
            f->state[i] = CLOSED;
    }
}

static void spread(struct flood *f)
{
    const struct sluice_geometry *g = f->g;
    const int64_t stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
    int64_t cell[3];
    while (f->waiting > 0) {
        const int64_t i = f->next[--f->waiting];
        cell_at(g, i, cell);
        for (int a = 0; a < g->dimension; a++)
            for (int sense = -1; sense <= 1; sense += 2) {
                int64_t to = cell[a] + sense;
                if (g->periodic[a])
                    to = (to + g->n[a]) % g->n[a];
                if (to >= 0 && to < g->n[a])
                    wet(f, i + (to - cell[a]) * stride[a]);
            }
    }
}

/* Whether a wet cell lies beside a face. */
static int is_wet(const struct flood *f, const struct sluice_cells *box, int axis, int high)
{
    const struct sluice_geometry *g = f->g;
    int64_t cell[3], low[3], end[3];
    for (int a = 0; a < 3; a++) {
        low[a] = box->low[a] > 0 ? box->low[a] : 0;
        end[a] = box->high[a] < g->n[a] ? box->high[a] : g->n[a];
    }
    low[axis] = high ? box->high[axis] : box->low[axis] - 1;
    if (g->periodic[axis])
        low[axis] = (low[axis] + g->n[axis]) % g->n[axis];
    if (low[axis] < 0 || low[axis] >= g->n[axis])
        return 0;
    end[axis] = low[axis] + 1;
    for (cell[2] = low[2]; cell[2] < end[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] < end[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] < end[0]; cell[0]++)
                if (f->state[cell[0] + g->n[0] * (cell[1] + g->n[1] * cell[2])] == WET)
                    return 1;
    return 0;
}

sluice_status sluice_geometry_wet_faces(const struct sluice_geometry *g, int shape,
                                        const struct sluice_cells *extent, unsigned *faces)
{
    struct flood f = {.g = g, .count = g->n[0] * g->n[1] * g->n[2], .highest = -INFINITY};
    *faces = ~0u;
    if ((double)g->n[0] * (double)g->n[1] * (double)g->n[2] > cells_most)
        return SLUICE_OK;
    f.state = calloc((size_t)f.count, sizeof *f.state);
    f.next = calloc((size_t)f.count, sizeof *f.next);
    if (!f.state || !f.next) {
        free(f.state);
        free(f.next);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld cells", (long long)f.count);
    }
    find_fluid(&f, shape);
    if (f.waiting > 0) {
        spread(&f);
        *faces = 0;
        for (int k = 0; k < 2 * g->dimension; k++)
            *faces |= (unsigned)is_wet(&f, extent, k / 2, k % 2) << k;
    }
    free(f.state);
    free(f.next);
    return SLUICE_OK;
}

double sluice_geometry_wet_error(const struct sluice_geometry *g,
                                 const struct sluice_shape_report *r, unsigned faces)
{
    double ratio = 1;
    for (int a = 0; a < g->dimension; a++)
        if (sluice_has_side(faces, a, 0) && sluice_has_side(faces, a, 1))
            ratio *= (r->actual_max[a] - r->actual_min[a]) / (r->asked_max[a] - r->asked_min[a]);
    return ratio - 1;
}

void sluice_geometry_describe_moves(const struct sluice_geometry *g,
                                    const struct sluice_shape_report *r, char *text, size_t size)
{
    size_t used = strlen(text);
    for (int k = 0; k < 2 * g->dimension && used < size; k++) {
        const double from = k % 2 ? r->asked_max[k / 2] : r->asked_min[k / 2],
                     to = k % 2 ? r->actual_max[k / 2] : r->actual_min[k / 2];
        if (fabs(to - from) > 1e-6 * g->spacing)
            used += (size_t)snprintf(text + used, size - used,
                                     "; its face at %c = %.6g moves by %.3g to %.6g", "xyz"[k / 2],
                                     from, fabs(to - from), to);
    }
}

/* A second fluid: its speed of sound, its particles, and the hydrostatic pressure of two fluids. */
#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "case/builder.h"
#include "case/hydrostatic_layers.h"
#include "domain/comm.h"
#include "kernels/registry.h"

void sluice_case_set_second_speed(struct sluice_physics *physics)
{
    struct wcsph_params *p = &physics->wcsph, *second = &physics->second;
    if (p->second && second->sound_speed == 0)
        second->sound_speed = p->sound_speed * sqrt(p->rho0 / second->rho0);
}

sluice_status sluice_case_find_second(struct sluice_case_builder *b)
{
    const int has_second = b->c->physics.wcsph.second != NULL;
    int64_t count = b->filled_second;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type != SLUICE_FLUID || row->phase != 2)
            continue;
        SLUICE_CHECK(has_second, SLUICE_BAD_INPUT,
                     "%s:%lld: column 'phase': particle %lld is of the second fluid, and the case "
                     "has one; give fluid.second",
                     b->config->particles, (long long)row->line, (long long)row->id);
        count++;
    }
    SLUICE_CHECK(count > 0 || !has_second, SLUICE_BAD_INPUT,
                 "fluid.second: no particle is of it; give a shape phase = 2, or the file of "
                 "particles a column phase");
    return SLUICE_OK;
}

/* --- Layers --- */

struct rows {
    const struct sluice_case_builder *b;
    const struct sluice_start *chunk;
    int64_t (*count)[2]; /* [rows] particles of the first fluid, and of the second */
};

static int64_t row_of(const struct sluice_case_builder *b, const struct sluice_place *place)
{
    const struct sluice_layers *l = &b->layers;
    double x[3];
    sluice_grid_coordinates(&b->grid, place, x);
    const int64_t row = (int64_t)floor(sluice_initial_depth(&b->frame, x) / l->thickness);
    return row < 0 ? 0 : row >= l->rows ? l->rows - 1 : row;
}

/* Particles that follow one another mostly lie in one row, to which they are added at once. */
static void add_blocks(struct sluice_share *share, void *data)
{
    const struct rows *rows = data;
    const struct sluice_start *fluid = rows->chunk;
    int64_t i, end;
    while (sluice_share_block(share, fluid->count, SLUICE_CASE_BLOCK, &i, &end))
        for (int64_t row = row_of(rows->b, &fluid->place[i]); i < end;) {
            int64_t count[2] = {0}, next = row;
            for (; i < end && next == row; i++) {
                count[fluid->phase[i]]++;
                next = i + 1 < end ? row_of(rows->b, &fluid->place[i + 1]) : row;
            }
            for (int n = 0; n < 2; n++)
                __atomic_fetch_add(&rows->count[row][n], count[n], __ATOMIC_RELAXED);
            row = next;
        }
}

/* Finds the fractions of the first fluid. A row without fluid is like the one above. */
static sluice_status find_fractions(struct sluice_case_builder *b)
{
    struct sluice_layers *l = &b->layers;
    struct sluice_comm *world = sluice_world();
    struct rows rows = {.b = b};
    const struct sluice_case_visit visit = {
        .loop = add_blocks, .data = &rows, .chunk = &rows.chunk, .shared = 1};
    SLUICE_ALLOCATE(rows.count, l->rows, "rows of fluid");
    sluice_status status = sluice_case_visit(b->c, SLUICE_FLUID, &visit);
    if (status == SLUICE_OK)
        status = world->ops->sum(world, rows.count[0], 2 * l->rows);
    for (int64_t k = 0; k < l->rows; k++) {
        const double first = (double)rows.count[k][0], all = first + (double)rows.count[k][1];
        l->fraction[k] = all > 0 ? first / all : k > 0 ? l->fraction[k - 1] : 1;
    }
    free(rows.count);
    return status;
}

sluice_status sluice_case_layers(struct sluice_case_builder *b)
{
    struct sluice_initial_frame *frame = &b->frame;
    struct sluice_layers *l = &b->layers;
    if (!b->c->physics.wcsph.second || frame->gravity == 0)
        return SLUICE_OK;
    l->fluid[0] = &b->c->physics.wcsph;
    l->fluid[1] = b->c->physics.wcsph.second;
    l->gravity = frame->gravity;
    l->thickness = b->config->spacing;
    l->rows = (int64_t)ceil(frame->fluid_depth / l->thickness) + 1;
    SLUICE_ALLOCATE(l->fraction, l->rows, "rows of fluid");
    SLUICE_ALLOCATE(l->pressure, l->rows, "rows of fluid");
    SLUICE_TRY(find_fractions(b));
    sluice_layers_integrate(l);
    frame->layers = l;
    return SLUICE_OK;
}

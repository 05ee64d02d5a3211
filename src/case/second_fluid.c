/* A second fluid: its parameters, its particles, and the hydrostatic pressure of two fluids. */
#include <math.h>

#include "core/allocate.h"
#include "case/builder.h"
#include "kernels/registry.h"

void sluice_case_set_second(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    struct wcsph_params *p = &b->c->physics.wcsph, *second = &b->c->physics.second;
    const int both = config->fluid.viscosity.kind == SLUICE_VISCOSITY_BOTH,
              artificial = both || config->fluid.viscosity.kind == SLUICE_VISCOSITY_ARTIFICIAL,
              laminar = both || config->fluid.viscosity.kind == SLUICE_VISCOSITY_LAMINAR;
    if (!config->fluid.second.used)
        return;
    *second = *p;
    second->rho0 = config->fluid.second.density;
    second->sound_speed = config->fluid.second.sound_speed;
    second->gamma = config->fluid.second.gamma;
    second->alpha = artificial ? config->fluid.second.alpha : 0;
    second->nu = laminar ? config->fluid.second.nu : 0;
    p->repulsion = config->fluid.second.repulsion;
    p->second = second;
    p->second_from = SLUICE_ID_MAX;
}

void sluice_case_set_second_speed(struct sluice_case_builder *b)
{
    struct wcsph_params *p = &b->c->physics.wcsph, *second = &b->c->physics.second;
    if (p->second && second->sound_speed == 0)
        second->sound_speed = p->sound_speed * sqrt(p->rho0 / second->rho0);
}

double sluice_case_most_viscous(const struct sluice_case_builder *b)
{
    const struct wcsph_params *p = &b->c->physics.wcsph, *q = p->second;
    if (!q)
        return p->nu;
    const double mu = p->rho0 * p->nu, mu2 = q->rho0 * q->nu, lighter = fmin(p->rho0, q->rho0),
                 mean = mu + mu2 > 0 ? 2 * mu * mu2 / (mu + mu2) : 0;
    return fmax(fmax(p->nu, q->nu), mean / lighter);
}

/* Rows of a file come by id, and the fluid of phase 2 must be the last of the fluid. */
static sluice_status find_in_file(struct sluice_case_builder *b)
{
    const struct sluice_particle_row *first = NULL;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type != SLUICE_FLUID)
            continue;
        SLUICE_CHECK(row->phase != 2 || b->c->physics.wcsph.second, SLUICE_BAD_INPUT,
                     "%s:%lld: column 'phase': particle %lld is of the second fluid, and the case "
                     "has one; give fluid.second",
                     b->config->particles, (long long)row->line, (long long)row->id);
        SLUICE_CHECK(
            row->phase == 2 || !first, SLUICE_BAD_INPUT,
            "%s:%lld: column 'phase': particle %lld is of the first fluid, and particle %lld "
            "of the second; ids of the second must be larger",
            b->config->particles, (long long)row->line, (long long)row->id,
            (long long)(first ? first->id : 0));
        if (row->phase == 2 && !first)
            first = row;
    }
    if (first)
        b->c->physics.wcsph.second_from = first->id;
    return SLUICE_OK;
}

struct second_count {
    sluice_id from;
    int64_t count;
};

static sluice_status count_second(void *data, const struct sluice_start *fluid, int64_t first,
                                  struct sluice_threads *team)
{
    struct second_count *of = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < fluid->count; i++)
        of->count += fluid->id[i] >= of->from;
    return SLUICE_OK;
}

sluice_status sluice_case_find_second(struct sluice_case_builder *b)
{
    if (b->from_file[SLUICE_FLUID] > 0)
        SLUICE_TRY(find_in_file(b));
    if (!b->c->physics.wcsph.second)
        return SLUICE_OK;
    struct second_count second = {.from = b->c->physics.wcsph.second_from};
    SLUICE_TRY(sluice_case_each(b->c, SLUICE_FLUID, count_second, &second));
    SLUICE_CHECK(second.count > 0, SLUICE_BAD_INPUT,
                 "fluid.second: no particle is of it; give a shape phase = 2, or the file of "
                 "particles a column phase");
    return SLUICE_OK;
}

/* --- Layers --- */

/* Counts the particles of each row in l->pressure, and those of the first fluid in l->share. */
static sluice_status add_to_rows(void *data, const struct sluice_start *fluid, int64_t first,
                                 struct sluice_threads *team)
{
    struct sluice_case_builder *b = data;
    struct sluice_layers *l = &b->layers;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        const int64_t row = (int64_t)floor(sluice_initial_depth(&b->frame, x) / l->thickness),
                      k = row < 0          ? 0
                          : row >= l->rows ? l->rows - 1
                                           : row;
        l->pressure[k]++;
        l->share[k] += fluid->id[i] < b->c->physics.wcsph.second_from;
    }
    return SLUICE_OK;
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
    SLUICE_ALLOCATE(l->share, l->rows, "rows of fluid");
    SLUICE_ALLOCATE(l->pressure, l->rows, "rows of fluid");
    double *all = l->pressure; /* particles of a row, until the pressures are known */
    SLUICE_TRY(sluice_case_each(b->c, SLUICE_FLUID, add_to_rows, b));
    for (int64_t k = 0; k < l->rows; k++) /* a row without fluid is like the one above */
        l->share[k] = all[k] > 0 ? l->share[k] / all[k] : k > 0 ? l->share[k - 1] : 1;
    sluice_layers_integrate(l);
    frame->layers = l;
    return SLUICE_OK;
}

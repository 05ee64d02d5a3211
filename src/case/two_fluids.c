/* A second fluid: what it has of its own, which particles are of it, and the pressure of two fluids
 * at rest. */
#include <math.h>
#include <stdlib.h>

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
    p->second_from = UINT32_MAX;
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

double sluice_case_mass_of(const struct sluice_case_builder *b, int phase)
{
    const struct wcsph_params *p = &b->c->physics.wcsph;
    return phase == 2 && p->second ? b->particle_mass * (p->second->rho0 / p->rho0)
                                   : b->particle_mass;
}

/* Rows of a file come by id: the fluid of phase 2 must be the last of the fluid. */
static sluice_status find_in_file(struct sluice_case_builder *b)
{
    const struct sluice_particle_row *first = NULL;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type != SLUICE_FLUID)
            continue;
        SLUICE_CHECK(row->phase != 2 || b->c->physics.wcsph.second, SLUICE_BAD_INPUT,
                     "%s:%lld: column 'phase': particle %u is of the second fluid, and the case "
                     "has one; give fluid.second",
                     b->config->particles, (long long)row->line, row->id);
        SLUICE_CHECK(row->phase == 2 || !first, SLUICE_BAD_INPUT,
                     "%s:%lld: column 'phase': particle %u is of the first fluid, and particle %u "
                     "of the second; ids of the second must be larger",
                     b->config->particles, (long long)row->line, row->id, first ? first->id : 0);
        if (row->phase == 2 && !first)
            first = row;
    }
    if (first)
        b->c->physics.wcsph.second_from = first->id;
    return SLUICE_OK;
}

sluice_status sluice_case_find_second(struct sluice_case_builder *b)
{
    const struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    int64_t count = 0;
    if (b->from_file[SLUICE_FLUID] > 0)
        SLUICE_TRY(find_in_file(b));
    if (!b->c->physics.wcsph.second)
        return SLUICE_OK;
    for (int64_t i = 0; i < fluid->count; i++)
        count += fluid->id[i] >= b->c->physics.wcsph.second_from;
    SLUICE_CHECK(count > 0, SLUICE_BAD_INPUT,
                 "fluid.second: no particle is of it; give a shape phase = 2, or the file of "
                 "particles a column phase");
    return SLUICE_OK;
}

/* --- Layers --- */

/* Pressure below a depth of `depth` of a mixture whose pressure at its top is p. */
static double pressure_below(const struct sluice_initial_layers *l, double share, double p,
                             double depth)
{
    double below = 0;
    for (int n = 0; n < 2; n++) {
        const struct wcsph_params *f = l->fluid[n];
        const double part = n ? 1 - share : share;
        if (part == 0)
            continue;
        const double head = sluice_wcsph_head(f, sluice_wcsph_relative_density(f, p)) +
                            l->pull * depth / (f->sound_speed * f->sound_speed);
        below += part * sluice_wcsph_pressure(f, sluice_initial_density_of_head(f, head));
    }
    return below;
}

void sluice_initial_layers_weigh(struct sluice_initial_layers *l)
{
    double p = 0;
    for (int64_t k = 0; k < l->rows; k++) {
        l->pressure[k] = p;
        p = pressure_below(l, l->share[k], p, l->thickness);
    }
}

double sluice_initial_layers_pressure(const struct sluice_initial_layers *l, double depth)
{
    int64_t k = (int64_t)floor(depth / l->thickness);
    k = k < 0 ? 0 : k >= l->rows ? l->rows - 1 : k;
    return pressure_below(l, l->share[k], l->pressure[k], depth - (double)k * l->thickness);
}

void sluice_initial_layers_destroy(struct sluice_initial_layers *l)
{
    free(l->share);
    free(l->pressure);
    l->share = l->pressure = NULL;
}

sluice_status sluice_case_layers(struct sluice_case_builder *b, struct sluice_initial_frame *frame)
{
    const struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    struct sluice_initial_layers *l = &b->layers;
    const double *g = frame->pull, pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!b->c->physics.wcsph.second || pull == 0)
        return SLUICE_OK;
    l->fluid[0] = &b->c->physics.wcsph;
    l->fluid[1] = b->c->physics.wcsph.second;
    l->pull = pull;
    l->thickness = b->config->spacing;
    l->rows = (int64_t)ceil(frame->fluid_depth / l->thickness) + 1;
    l->share = calloc((size_t)l->rows, sizeof *l->share);
    l->pressure = calloc((size_t)l->rows, sizeof *l->pressure);
    double *all = calloc((size_t)l->rows, sizeof *all);
    if (!l->share || !l->pressure || !all) {
        free(all);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for the pressure of %lld rows",
                           (long long)l->rows);
    }
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        const int64_t row = (int64_t)floor(sluice_initial_depth(frame, x) / l->thickness),
                      k = row < 0          ? 0
                          : row >= l->rows ? l->rows - 1
                                           : row;
        all[k]++;
        l->share[k] += fluid->id[i] < b->c->physics.wcsph.second_from;
    }
    for (int64_t k = 0; k < l->rows; k++) /* a row without fluid is as the one above */
        l->share[k] = all[k] > 0 ? l->share[k] / all[k] : k > 0 ? l->share[k - 1] : 1;
    free(all);
    sluice_initial_layers_weigh(l);
    frame->layers = l;
    return SLUICE_OK;
}

/* What the header of a snapshot or a checkpoint says of the run, and of the step. */
#include "core/version.h"
#include "sim/output_state.h"
#include "sim/sim_internal.h"

void sluice_output_fill_header(struct sluice_snapshot_header *h, const struct sluice_sim *sim)
{
    static const char *const kernels[] = {SLUICE_SMOOTHING_KERNELS(SLUICE_CHOICE_WORD)},
                             *const equations[] = {SLUICE_EQUATIONS_OF_STATE(SLUICE_CHOICE_WORD)},
                             *const units[] = {SLUICE_UNIT_SYSTEMS(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = sim->config;
    const struct wcsph_params *wcsph = sim->matter.water;
    const struct sluice_grid *g = &sim->grid;
    *h = (struct sluice_snapshot_header){
        .dimension = config->dimension,
        .spacing = config->spacing,
        .units = units[config->units],
        .seed = config->thermal.seed,
        .ranks = sluice_world()->size,
        .version = sluice_version.version,
        .revision = sluice_version.revision,
        .compiler = sluice_version.compiler,
        .backend = sim->backend.ops->name,
        .device = sim->backend.isa,
        .config = sluice_config_text(config),
        .precision = config->output.precision == SLUICE_OUTPUT_DOUBLE ? 8 : 4,
        .compression = (int)config->output.compression};
    for (int axis = 0; axis < 3; axis++) {
        h->low[axis] = g->low[axis];
        h->high[axis] = g->high[axis];
        h->periodic[axis] = g->periodic[axis];
        h->frame_width[axis] = g->width[axis];
        h->gravity[axis] = config->gravity[axis];
    }
    if (!wcsph)
        return;
    h->smoothing_length = wcsph->h;
    h->rho0 = wcsph->rho0;
    h->sound_speed = wcsph->sound_speed;
    h->kernel = kernels[config->kernel.name];
    h->eos = equations[wcsph->eos];
}

/* The terms of the budget for the header of a file; none if the powers are not summed. */
static void energies_of(const struct sluice_sim *sim, struct sluice_named_real *out, int *count)
{
    *count = 0;
    if (!sim->model.energy)
        return;
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        out[(*count)++] = (struct sluice_named_real){sluice_budget_columns[c].name,
                                                     sluice_budget_columns[c].unit,
                                                     sluice_budget_value(&sim->now, c)};
}

void sluice_output_stamp(struct sluice_output *o, const struct sluice_sim *sim,
                         struct sluice_named_real *energies, int beside)
{
    o->header.threads = beside && sim->backend.ops->on_host ? 1 : (int)sim->config->backend.threads;
    o->header.time = sim->time;
    o->header.dt = sim->dt;
    o->header.step = sim->step;
    energies_of(sim, energies, &o->header.energy_count);
    o->header.energies = energies;
    o->header.body = sluice_bodies_list(&sim->model.bodies, &o->header.bodies);
}

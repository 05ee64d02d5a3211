#include "model/model.h"

#include <math.h>
#include <string.h>

#include "kernels/types/wcsph_params.h"
#include "kernels/registry.h"

const struct sluice_model_ops *sluice_model_ops_of(int model)
{
    static const struct sluice_model_ops *const ops[] = {[SLUICE_MODEL_WCSPH] = &sluice_model_wcsph,
                                                         [SLUICE_MODEL_LJ] = &sluice_model_lj,
                                                         [SLUICE_MODEL_GAS] = &sluice_model_gas};
    return ops[model];
}

int sluice_model_passes(const struct sluice_physics *physics)
{
    return sluice_model_ops_of(physics->config->model)->passes(physics);
}

static struct scalar_energy_fluid energy_of_fluid(const struct wcsph_params *p)
{
    return (struct scalar_energy_fluid){.sound_speed = p->sound_speed,
                                        .gamma = p->gamma,
                                        .background = p->background / p->rho0,
                                        .opening = sluice_wcsph_opening(p),
                                        .least = wcsph_least(p)};
}

static struct scalar_energy_params energy_of(const struct sluice_physics *physics)
{
    const struct wcsph_params *p = &physics->wcsph, *second = p->second ? p->second : p;
    if (physics->config->model == SLUICE_MODEL_GAS)
        return (struct scalar_energy_params){.eos = SLUICE_EOS_IDEAL,
                                             .fluid = {{.least = -INFINITY}}};
    return (struct scalar_energy_params){.eos = p->eos,
                                         .two = p->second != NULL,
                                         .fluid = {energy_of_fluid(p), energy_of_fluid(second)}};
}

sluice_status sluice_model_create(struct sluice_model *m, const struct sluice_physics *physics,
                                  const struct sluice_grid *g,
                                  struct sluice_set sets[SLUICE_TYPE_COUNT],
                                  struct sluice_timers *timers)
{
    const struct sluice_config *config = physics->config;
    memset(m, 0, sizeof *m);
    m->ops = sluice_model_ops_of(config->model);
    m->physics = physics;
    m->timers = timers;
    m->energy = config->energy.every > 0;
    m->sums = sluice_model_sums(m, 1);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        m->set[t] = &sets[t];
    SLUICE_TRY(sluice_bodies_create(&m->bodies, &physics->motions, physics->bodies,
                                    physics->body_count, g->low));
    sluice_model_set_body_scales(m);
    _Static_assert((int)SLUICE_CONFIG_CENTRALS <= (int)SLUICE_CENTRAL_MAX, "one record a force");
    m->central_count = config->central_count;
    if (config->model != SLUICE_MODEL_LJ)
        m->scalar_energy = energy_of(physics);
    if (config->model == SLUICE_MODEL_LJ && config->pair.index == SLUICE_PAIR_lj) {
        memcpy(&m->lj, config->pair.params.bytes, sizeof m->lj);
        m->lj.begins = m->central_count == 0;
        memcpy(m->lj.body, config->gravity, sizeof m->lj.body);
    }
    for (int i = 0; i < m->central_count; i++) {
        const double *x = config->centrals[i].centre;
        SLUICE_CHECK(sluice_grid_holds(g, x), SLUICE_BAD_INPUT,
                     "forces.[%d].centre: (%.9g, %.9g, %.9g) is more frames of %.9g from the "
                     "domain than can be counted; move it nearer",
                     i, x[0], x[1], x[2], g->width[0]);
        sluice_grid_place(g, x, &m->central[i].centre);
        m->central[i].strength = config->centrals[i].strength;
    }
    return SLUICE_OK;
}

int64_t sluice_model_table_bytes(const struct sluice_physics *physics)
{
    int64_t bytes = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        bytes += (int64_t)physics->table[e].bytes;
    return bytes;
}

sluice_status sluice_model_place_tables(struct sluice_model *m, struct sluice_backend *b)
{
    SLUICE_TRY(sluice_model_place_carriers(m, b));
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect_table *from = &m->physics->table[e];
        if (from->bytes == 0)
            continue;
        SLUICE_TRY(b->ops->alloc(b, from->bytes, &m->table[e]));
        SLUICE_TRY(b->ops->upload(b, m->table[e], from->data, from->bytes));
    }
    return SLUICE_OK;
}

void sluice_model_release_tables(struct sluice_model *m, struct sluice_backend *b)
{
    sluice_model_release_carriers(m, b);
    sluice_bodies_destroy(&m->bodies);
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        if (m->table[e])
            b->ops->free(b, m->table[e]);
        m->table[e] = NULL;
    }
}

void sluice_model_describe(const struct sluice_model *m, const struct sluice_grid *g,
                           enum sluice_type type, struct sluice_reduce *r)
{
    const struct sluice_config *config = m->physics->config;
    memset(r, 0, sizeof *r);
    r->set = m->set[type];
    r->energy = m->set[type]->field[SLUICE_FIELD_SCALAR] ? &m->scalar_energy : NULL;
    sluice_motions_pull(&m->physics->motions, m->time, r->driven);
    for (int c = 0; c < g->dimension; c++) {
        r->gravity[c] = g->periodic[c] ? 0 : config->gravity[c];
        r->driven[c] -= r->gravity[c];
    }
    r->scales = m->physics->scales;
    r->central_count = m->central_count;
    r->central = m->central;
    sluice_grid_place(g, g->low, &r->origin);
}

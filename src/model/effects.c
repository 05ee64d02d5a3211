#include "model/effect.h"

/* Effect e of a run of water; NULL: the run does not have it. */
static const struct sluice_effect *of_run(const struct sluice_physics *p, int e)
{
    const struct sluice_effect *effect = sluice_effects[e];
    return p->config->model == SLUICE_MODEL_WCSPH && (!effect->used || effect->used(p)) ? effect
                                                                                        : NULL;
}

void sluice_effects_derive(struct sluice_physics *p)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        if (sluice_effects[e]->derive)
            sluice_effects[e]->derive(p);
}

sluice_fields sluice_effects_fields(const struct sluice_physics *p, enum sluice_type type)
{
    sluice_fields fields = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (effect && effect->fields)
            fields |= effect->fields(p, type);
    }
    return fields;
}

int sluice_effects_passes(const struct sluice_physics *p)
{
    int passes = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        passes += of_run(p, e) ? sluice_effects[e]->passes : 0;
    return passes;
}

double sluice_effects_decay(const struct sluice_physics *p)
{
    double rate = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (effect && effect->decay)
            rate += effect->decay(p);
    }
    return rate;
}

sluice_status sluice_effects_prepare(const struct sluice_effect_setup *setup)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(setup->physics, e);
        if (effect && effect->prepare)
            SLUICE_TRY(effect->prepare(setup));
    }
    return SLUICE_OK;
}

void sluice_effects_print(const struct sluice_physics *p, FILE *out)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (effect && effect->print)
            effect->print(p, out);
    }
}

void sluice_effects_begin_step(const struct sluice_model *m, struct wcsph_params *params)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (effect && effect->begin_step)
            effect->begin_step(m, params);
    }
}

void sluice_effects_swap(struct sluice_model *m)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        for (int k = 0; effect && effect->swap[k].used != effect->swap[k].found; k++)
            sluice_set_swap(m->set[SLUICE_FLUID], effect->swap[k].used, effect->swap[k].found);
    }
}

sluice_fields sluice_effects_found(const struct sluice_physics *p)
{
    sluice_fields found = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        for (int k = 0; effect && effect->swap[k].used != effect->swap[k].found; k++)
            found |= SLUICE_FIELD_BIT(effect->swap[k].found);
    }
    return found;
}

int sluice_effects_start_twice(const struct sluice_physics *p)
{
    int twice = sluice_effects_found(p) != 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        twice |= of_run(p, e) && sluice_effects[e]->starts_twice;
    return twice;
}

int sluice_effects_move_particles(const struct sluice_physics *p)
{
    int move = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        move |= of_run(p, e) && sluice_effects[e]->moves_particles;
    return move;
}

int sluice_effects_can_change(const struct sluice_physics *p)
{
    int can = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        can |= of_run(p, e) && sluice_effects[e]->change.work;
    return can;
}

int sluice_effects_bear_alike(const struct sluice_physics *p, double mass, int real_bytes)
{
    int alike = 1;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (!effect || !effect->change.work)
            continue;
        const double born = effect->change.mass ? effect->change.mass(p) : 0;
        alike &= real_bytes == 4 ? (float)born == (float)mass : born == mass;
    }
    return alike;
}

int64_t sluice_effects_births(const struct sluice_physics *p)
{
    int64_t births = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        births += of_run(p, e) && sluice_effects[e]->change.births
                      ? sluice_effects[e]->change.births(p)
                      : 0;
    return births;
}

double sluice_effects_births_until_end(const struct sluice_physics *p, double from, double steps,
                                       double *going)
{
    double births = 0, leaving;
    *going = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (!effect || !effect->change.work)
            continue;
        leaving = NAN;
        births += effect->change.until_end ? effect->change.until_end(p, from, &leaving)
                                           : steps * (double)effect->change.births(p);
        *going += leaving;
    }
    return births;
}

void sluice_effects_book(struct sluice_model *m, const struct sluice_grid *g,
                         const struct sluice_particle_list *born,
                         const struct sluice_particle_list *gone)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (effect && effect->change.booked)
            effect->change.booked(m, g, born, gone);
    }
}

double *sluice_effects_state(const struct sluice_physics *p, int e, int64_t *count)
{
    const struct sluice_effect *effect = of_run(p, e);
    *count = 0;
    return effect && effect->state.at ? effect->state.at(p, count) : NULL;
}

void sluice_effects_restored(const struct sluice_physics *p)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(p, e);
        if (effect && effect->state.restored)
            effect->state.restored(p);
    }
}

static int tables_of(const struct sluice_physics *p, int e)
{
    const struct sluice_effect *effect = of_run(p, e);
    return effect && effect->tables.count ? effect->tables.count(p) : 0;
}

int sluice_effects_tables(const struct sluice_physics *p)
{
    int count = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        count += tables_of(p, e);
    return count;
}

const struct sluice_effect *sluice_effects_table(const struct sluice_physics *p, int *k)
{
    int e = 0;
    for (; *k >= tables_of(p, e); e++)
        *k -= tables_of(p, e);
    return sluice_effects[e];
}

int sluice_effects_change_now(const struct sluice_model *m)
{
    int now = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        now |= effect && effect->change.work && effect->change.now(m);
    }
    return now;
}

sluice_status sluice_effects_change(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_particle_list *born)
{
    born->count = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (effect && effect->change.work && effect->change.now(m))
            SLUICE_TRY(effect->change.work(m, b, g, born));
    }
    return SLUICE_OK;
}

sluice_status sluice_effects_prepare_next(struct sluice_model *m, struct sluice_backend *b)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (effect && effect->prepare_next)
            SLUICE_TRY(effect->prepare_next(m, b));
    }
    return SLUICE_OK;
}

void sluice_effects_add_sums(struct sluice_model *m)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (effect && effect->add_sums)
            effect->add_sums(m);
    }
}

sluice_status sluice_effects_act(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes,
                                 enum sluice_stage stage)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        const struct sluice_effect *effect = of_run(m->physics, e);
        if (!effect || !effect->stage[stage].work)
            continue;
        const enum sluice_section section = effect->stage[stage].section;
        if (stage != SLUICE_STAGE_FINISH)
            sluice_section_begin(m->timers, section);
        const sluice_status status = effect->stage[stage].work(m, b, g, passes);
        if (stage != SLUICE_STAGE_FINISH)
            sluice_section_end(m->timers, section);
        SLUICE_TRY(status);
    }
    return SLUICE_OK;
}

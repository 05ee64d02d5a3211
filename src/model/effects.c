#include "model/effect.h"

sluice_fields sluice_effects_fields(const struct sluice_physics *p, enum sluice_type type)
{
    sluice_fields fields = 0;
    for (int e = 0; sluice_effects[e]; e++)
        if (sluice_effects[e]->fields && sluice_effects[e]->used(p))
            fields |= sluice_effects[e]->fields(p, type);
    return fields;
}

sluice_status sluice_effects_act(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes,
                                 enum sluice_stage stage)
{
    for (int e = 0; sluice_effects[e]; e++) {
        const struct sluice_effect *effect = sluice_effects[e];
        if (!effect->stage[stage].work || !effect->used(m->physics))
            continue;
        sluice_section_begin(m->timers, effect->stage[stage].section);
        const sluice_status status = effect->stage[stage].work(m, b, g, passes);
        sluice_section_end(m->timers, effect->stage[stage].section);
        SLUICE_TRY(status);
    }
    return SLUICE_OK;
}

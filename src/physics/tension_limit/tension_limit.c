/* The limit on tension is a term of the pair loop. */
#include "model/effect.h"
#include "physics/effects.h"

#define GAP_REMEMBERED 0.01 /* as much as a weakly compressible fluid may change its density */

static void derive(struct sluice_physics *p)
{
    p->wcsph.limits_tension = p->config->tension_limit.most < 1;
    p->wcsph.tension = p->config->tension_limit.most;
    p->wcsph.gap = GAP_REMEMBERED;
}

const struct sluice_effect sluice_effect_tension_limit = {.name = "limit on tension",
                                                          .derive = derive};

/* The ids of particles that come by effects. */
#include "model/effect.h"

sluice_status sluice_effect_check_ids(const struct sluice_effect_setup *setup, int64_t births)
{
    const double steps = (double)setup->physics->config->time.max_steps,
                 most = (double)(setup->fluid + setup->walls) + (steps + 1) * (double)births;
    SLUICE_CHECK(most <= (double)SLUICE_ID_MAX, SLUICE_BAD_INPUT,
                 "time.max_steps: %.0f steps with up to %lld births need ids up to %.0f, the "
                 "largest one is " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY,
                 steps, (long long)births, most);
    return SLUICE_OK;
}

/* The backends of this build, by name. */
#include "backend/backend.h"

#include <string.h>

#include "kernels/registry.h"

static const struct sluice_backend_ops *const backends[] = {&sluice_cpu_ops, NULL};

const struct sluice_backend_ops *sluice_backend_at(int index)
{
    return backends[index];
}

static sluice_status find_strategy(const char *name, int *strategy)
{
    *strategy = SLUICE_STRATEGY_window; /* auto: until it profiles, a fixed rule */
    if (!name || !*name || strcmp(name, "auto") == 0)
        return SLUICE_OK;
    for (int i = 0; i < SLUICE_STRATEGY_COUNT; i++)
        if (strcmp(name, sluice_strategies[i].name) == 0) {
            *strategy = i;
            return SLUICE_OK;
        }
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "backend.strategy: there is no \"%s\"; `sluice info` lists the strategies, "
                       "auto chooses one",
                       name);
}

sluice_status sluice_backend_open(struct sluice_backend *b,
                                  const struct sluice_backend_choice *choice)
{
    const int any = !choice->name || !*choice->name || strcmp(choice->name, "auto") == 0;
    memset(b, 0, sizeof *b);
    SLUICE_TRY(find_strategy(choice->strategy, &b->strategy));
    for (int i = 0; backends[i] && !b->ops; i++)
        if (any || strcmp(choice->name, backends[i]->name) == 0)
            b->ops = backends[i];
    SLUICE_CHECK(b->ops, SLUICE_BAD_INPUT,
                 "backend.name: this program has no backend \"%s\"; `sluice info` lists them, auto "
                 "chooses one",
                 choice->name);
    b->isa = choice->isa && *choice->isa ? choice->isa : NULL;
    const sluice_status opened = b->ops->open(b, choice->device, choice->threads,
                                              choice->real_bytes);
    if (opened != SLUICE_OK)
        b->ops = NULL;
    return opened;
}

double sluice_pass_mass(const struct sluice_pass *pass)
{
    double mass = pass->target->mass;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s]->count > 0 && pass->source[s]->mass != mass)
            mass = 0;
    return mass;
}

void sluice_backend_close(struct sluice_backend *b)
{
    if (b->ops)
        b->ops->close(b);
    b->ops = NULL;
}

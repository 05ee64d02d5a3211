#include "kernels/backends/backends.h"

#include <stdio.h>
#include <string.h>

static const struct sluice_backend_ops *const backends[] = {
#ifdef SLUICE_WITH_CUDA
    &sluice_cuda_ops,
#endif
#ifdef SLUICE_WITH_HIP
    &sluice_hip_ops,
#endif
    &sluice_cpu_ops,
#ifdef SLUICE_WITH_EMULATED
    &sluice_emulated_ops,
#endif
    NULL,
};

static const struct sluice_backend_known known[] = {
    {"cuda", "NVIDIA GPUs", "CUDA=1"},
    {"hip", "AMD GPUs", "HIP=1"},
    {NULL, NULL, NULL},
};

const struct sluice_backend_ops *sluice_backend_at(int index)
{
    return backends[index];
}

const struct sluice_backend_known *sluice_backend_known_at(int index)
{
    return known[index].name ? &known[index] : NULL;
}

static const struct sluice_backend_ops *choose(const struct sluice_backend_ops *const *list,
                                               int device, char *passed_over, size_t size)
{
    size_t used = 0;
    for (; list[1]; list++) {
        char text[256];
        if (list[0]->device(device < 0 ? 0 : device, text, sizeof text))
            return list[0];
        if (used < size)
            used += (size_t)snprintf(passed_over + used, size - used, "%s%s: %s", used ? "; " : "",
                                     list[0]->name, text);
    }
    return list[0];
}

sluice_status sluice_backend_find(const struct sluice_backend_ops *const *list, const char *name,
                                  int device, const struct sluice_backend_ops **ops,
                                  char *passed_over, size_t size)
{
    if (!list)
        list = backends;
    if (size)
        passed_over[0] = '\0';
    *ops = NULL;
    if (!name || !*name || strcmp(name, "auto") == 0) {
        *ops = choose(list, device, passed_over, size);
        return SLUICE_OK;
    }
    for (int i = 0; list[i]; i++)
        if (strcmp(name, list[i]->name) == 0) {
            *ops = list[i];
            return SLUICE_OK;
        }
    for (int i = 0; known[i].name; i++)
        SLUICE_CHECK(strcmp(name, known[i].name) != 0, SLUICE_BAD_INPUT,
                     "backend.name: \"%s\" is for %s, and this program was built without it: `make "
                     "%s` builds one with it; \"auto\" takes the best that is there",
                     name, known[i].what, known[i].make);
    (void)SLUICE_FAIL(SLUICE_BAD_INPUT,
                      "backend.name: there is no backend \"%s\"; `sluice info` lists them, auto "
                      "chooses one",
                      name);
    return SLUICE_BAD_INPUT;
}

sluice_status sluice_strategy_find(const char *name, int *strategy)
{
    *strategy = SLUICE_STRATEGY_window; /* what "auto" uses until it has measured */
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

static int device_of(const struct sluice_backend_ops *ops,
                     const struct sluice_backend_choice *choice)
{
    char text[256];
    int devices = 0;
    if (choice->device >= 0 || choice->number == 0)
        return choice->device < 0 ? 0 : choice->device;
    while (devices <= choice->number && ops->device(devices, text, sizeof text))
        devices++;
    return devices ? choice->number % devices : 0;
}

sluice_status sluice_backend_open(struct sluice_backend *b,
                                  const struct sluice_backend_choice *choice)
{
    memset(b, 0, sizeof *b);
    SLUICE_TRY(sluice_strategy_find(choice->strategy, &b->orders.strategy));
    SLUICE_TRY(sluice_backend_find(NULL, choice->name, choice->device, &b->ops, b->passed_over,
                                   sizeof b->passed_over));
    b->isa = choice->isa && *choice->isa ? choice->isa : NULL;
    b->published = choice->published;
    b->shared_kib = choice->shared_kib;
    b->passes = choice->passes > 0 ? choice->passes : 8;
    const sluice_status opened = b->ops->open(b, device_of(b->ops, choice), choice->threads,
                                              choice->real_bytes);
    if (opened != SLUICE_OK)
        b->ops = NULL;
    return opened;
}

void sluice_backend_close(struct sluice_backend *b)
{
    if (b->ops)
        b->ops->close(b);
    b->ops = NULL;
    sluice_settle_destroy(b);
}

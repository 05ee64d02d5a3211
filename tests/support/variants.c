#include "variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/cpu_backend.h"
#include "kernels/backends/backends.h"

static int instruction_sets(struct variant *list, int n, const char *backend)
{
    for (int i = 0; cpu_variants[i] && n < VARIANTS_MOST; i++) {
        if (cpu_variants[i]->real_bytes != 4 || !cpu_variant_runs_here(cpu_variants[i]))
            continue;
        list[n] = (struct variant){.backend = backend, .isa = cpu_variants[i]->isa, .is_cpu = 1};
        snprintf(list[n].name, sizeof list[n].name, "%s %s", backend, cpu_variants[i]->isa);
        n++;
    }
    return n;
}

int backend_runs_here(const struct sluice_backend_ops *ops)
{
    const char *only = getenv("SLUICE_TEST_BACKEND");
    char why[256];
    if (only && *only && strcmp(only, ops->name) != 0)
        snprintf(why, sizeof why, "SLUICE_TEST_BACKEND=%s", only);
    else if (ops->device(0, why, sizeof why))
        return 1;
    printf("# %s: not run: %s\n", ops->name, why);
    return 0;
}

int variants_here(struct variant list[VARIANTS_MOST])
{
    int n = 0;
    for (int i = 0; sluice_backend_at(i); i++) {
        const struct sluice_backend_ops *ops = sluice_backend_at(i);
        if (!backend_runs_here(ops))
            continue;
        if (ops->on_host) {
            n = instruction_sets(list, n, ops->name);
        } else if (n < VARIANTS_MOST) {
            list[n] = (struct variant){.backend = ops->name};
            snprintf(list[n].name, sizeof list[n].name, "%s", ops->name);
            n++;
        }
    }
    return n;
}

#include <stdlib.h>

#include "kernels/cpu/cpu_backend.h"

void cpu_bins_destroy(struct sluice_bins **bins)
{
    if (!*bins)
        return;
    free((*bins)->frame);
    free((*bins)->start);
    free(*bins);
    *bins = NULL;
}

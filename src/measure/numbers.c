#include "measure/numbers.h"

#include <math.h>
#include <stdlib.h>

int sluice_measure_numbers(const char **at, int count, char end, double *value)
{
    for (int k = 0; k < count; k++) {
        char *next;
        value[k] = strtod(*at, &next);
        if (next == *at || !isfinite(value[k]) || *next != (k + 1 < count ? ',' : end))
            return 0;
        *at = next + (*next != 0);
    }
    return 1;
}

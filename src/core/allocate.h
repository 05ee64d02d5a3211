/* Allocation of zeroed arrays. */
#ifndef SLUICE_CORE_ALLOCATE_H
#define SLUICE_CORE_ALLOCATE_H
#include <stdlib.h>

#include "core/status.h"

/* Allocates n zeroed elements, or one where n is 0, and returns from the caller on failure: "no
 * memory for 12 probes". The caller frees. */
#define SLUICE_ALLOCATE(pointer, n, what)                                                          \
    do {                                                                                           \
        const size_t n_ = (size_t)(n);                                                             \
        (pointer) = calloc(n_ ? n_ : 1, sizeof *(pointer));                                        \
        SLUICE_CHECK((pointer), SLUICE_DEVICE, "no memory for %zu %s", n_, (what));                \
    } while (0)
#endif

/* Allocation of arrays. */
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

/* Makes an array long enough for one more element, in steps that double the capacity; returns from
 * the caller on failure, with the array as it was. */
#define SLUICE_GROW(pointer, count, capacity, what)                                                \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            const size_t n_ = 2 * (size_t)(capacity) + 64;                                         \
            void *larger_ = realloc((pointer), n_ * sizeof *(pointer));                            \
            SLUICE_CHECK(larger_, SLUICE_DEVICE, "no memory for %zu %s", n_, (what));              \
            (pointer) = larger_;                                                                   \
            (capacity) += (capacity) + 64;                                                         \
        }                                                                                          \
    } while (0)
#endif

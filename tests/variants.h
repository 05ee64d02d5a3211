/* Everything that can run here: each instruction set of the CPU backend, and every other backend of
 * this build that finds a device. */
#ifndef SLUICE_TESTS_VARIANTS_H
#define SLUICE_TESTS_VARIANTS_H
#include "backend/backend.h"

enum { VARIANTS_MOST = 16 };

struct variant {
    char name[64];       /* "cpu x86-64-v3", "cuda" */
    const char *backend; /* as sluice_backend_choice wants them */
    const char *isa;
    int is_cpu;
};

/* Fills the list and returns how many there are. A backend without a device is named in a comment
 * of the test's output, "# cuda: not run: ...", and is not in the list. SLUICE_TEST_BACKEND in the
 * environment chooses one. */
int variants_here(struct variant list[VARIANTS_MOST]);
#endif

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

/* Whether it finds a device, and SLUICE_TEST_BACKEND in the environment, if set, names it; else a
 * comment of the test's output says why not: "# cuda: not run: ...". */
int backend_runs_here(const struct sluice_backend_ops *ops);

/* Fills the list with what runs here and returns how many there are. */
int variants_here(struct variant list[VARIANTS_MOST]);
#endif

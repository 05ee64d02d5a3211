/* The backends of this build: their list, the choice of one by its name, and its opening. */
#ifndef SLUICE_KERNELS_BACKENDS_H
#define SLUICE_KERNELS_BACKENDS_H
#include "backend/backend.h"
#include "kernels/registry.h"

extern const struct sluice_backend_ops sluice_cpu_ops, sluice_cuda_ops, sluice_hip_ops;
extern const struct sluice_backend_ops sluice_emulated_ops; /* in builds for tests only */

/* The backends of this build, the fastest first, cpu last; NULL after the last index. */
const struct sluice_backend_ops *sluice_backend_at(int index);

/* Backends that only some builds have, and the make option that builds them; NULL after the last
 * index. */
struct sluice_backend_known {
    const char *name, *what, *make; /* "cuda", "NVIDIA GPUs", "CUDA=1" */
};
const struct sluice_backend_known *sluice_backend_known_at(int index);

/* Finds a backend by its name without opening it. "auto", NULL or "" takes the first of `list`
 * whose device can be used, else the last. `list` ends with NULL; list NULL: the backends of this
 * build. `passed_over`, of `size`, says why auto did not take the ones before ("cuda: no driver").
 * Errors (SLUICE_BAD_INPUT): unknown name, or not in this build. */
sluice_status sluice_backend_find(const struct sluice_backend_ops *const *list, const char *name,
                                  int device, const struct sluice_backend_ops **ops,
                                  char *passed_over, size_t size);

/* Finds a strategy by its name; "auto", NULL or "" takes the default. Errors (SLUICE_BAD_INPUT):
 * unknown name. */
sluice_status sluice_strategy_find(const char *name, int *strategy);
/* Whether the backend has a strategy; SLUICE_BAD_INPUT, with a message, if not. */
int sluice_backend_has(const struct sluice_backend_ops *ops, int strategy);
sluice_status sluice_backend_check(const struct sluice_backend_ops *ops, int strategy);

struct sluice_backend_choice {
    const char *name;                /* "cpu", "cuda", "hip", "auto": as sluice_backend_find */
    const char *strategy;            /* "window", "tiled", "auto": as sluice_strategy_find */
    const char *isa;                 /* instruction set ("x86-64-v3"); NULL or "": the best here */
    int real_bytes, device, threads; /* threads 0: all that this process may use */
};
/* Finds and opens a backend. */
sluice_status sluice_backend_open(struct sluice_backend *b,
                                  const struct sluice_backend_choice *choice);
void sluice_backend_close(struct sluice_backend *b);
#endif

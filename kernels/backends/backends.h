/* Lists the backends of this build, finds one by its name, and opens it. */
#ifndef SLUICE_KERNELS_BACKENDS_H
#define SLUICE_KERNELS_BACKENDS_H
#include "backend/backend.h"
#include "kernels/registry.h"

extern const struct sluice_backend_ops sluice_cpu_ops, sluice_cuda_ops, sluice_hip_ops;
extern const struct sluice_backend_ops sluice_emulated_ops; /* only in builds for tests */

/* Backend number `index` of this build: cuda, hip, cpu, as far as it has them, and in builds for
 * tests the emulated one. NULL after the last one. */
const struct sluice_backend_ops *sluice_backend_at(int index);

/* A backend that only some builds have, and the make option that adds it. */
struct sluice_backend_known {
    const char *name, *what, *make; /* "cuda", "NVIDIA GPUs", "CUDA=1" */
};
/* Row `index` of the table of such backends; NULL after the last row. */
const struct sluice_backend_known *sluice_backend_known_at(int index);

/* Finds a backend by its name, without opening it.
 *
 * list         backends to choose from, NULL at the end; NULL: those of this build
 * name         "cpu", ...; "auto", NULL or "": the first backend of the list whose device can be
 *              used, or the last one if there is none
 * device       number of the device, for "auto"
 * passed_over  [size] out: the backends that "auto" did not take, and why ("cuda: no driver")
 *
 * Errors (SLUICE_BAD_INPUT): the name is unknown, or this build lacks the backend. */
sluice_status sluice_backend_find(const struct sluice_backend_ops *const *list, const char *name,
                                  int device, const struct sluice_backend_ops **ops,
                                  char *passed_over, size_t size);

/* Finds the number of a strategy by its name; "auto", NULL or "" gives the default. Errors
 * (SLUICE_BAD_INPUT): the name is unknown. */
sluice_status sluice_strategy_find(const char *name, int *strategy);

struct sluice_backend_choice {
    const char *name;        /* "cpu", "cuda", "hip", "auto": see sluice_backend_find */
    const char *strategy;    /* "window", "tiled", "auto": see sluice_strategy_find */
    const char *isa;         /* instruction set ("x86-64-v3"); NULL or "": the best here */
    int real_bytes, threads; /* threads = 0: sluice_processors_most */
    int device;              /* number of the GPU; -1: chosen by `number` */
    int number;              /* of this rank on its host, from 0: rank k takes GPU k, and so on from
                                GPU 0 again where the host has fewer */
    int published, shared_kib; /* as in struct sluice_backend */
    int passes;                /* as there; 0: 8 */
};
/* Finds and opens a backend. */
sluice_status sluice_backend_open(struct sluice_backend *b,
                                  const struct sluice_backend_choice *choice);
void sluice_backend_close(struct sluice_backend *b);
#endif

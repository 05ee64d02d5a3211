/* States for the tests of bins and pairs: particles given by coordinates in double, put on a
 * backend, sorted, and read back. */
#ifndef SLUICE_TESTS_PAIR_STATE_H
#define SLUICE_TESTS_PAIR_STATE_H
#include "backend/backend.h"
#include "kernels/backends/backends.h"
#include "kernels/registry.h"
#include "kernels/types/wcsph_params.h"

/* Particles as given, double, [n][3]. */
struct cloud {
    int64_t n;
    double (*x)[3], (*v)[3];
    double *mass, *density;
    sluice_id *id;
};

struct world {
    struct sluice_backend backend;
    struct sluice_grid grid;
    struct sluice_set set[SLUICE_TYPE_COUNT];  /* in the backend's memory */
    struct sluice_set host[SLUICE_TYPE_COUNT]; /* what world_read() found there: arrays in host
                                                  memory, for field_at() and field_put() */
    int real_bytes;
};

/* A generator with no state but its argument's: the same numbers everywhere. */
double uniform(uint64_t *state); /* in [0, 1) */

void cloud_create(struct cloud *c, int64_t n);
void cloud_destroy(struct cloud *c);
/* n particles: random in the box, masses about 1, densities about +-0.01, velocities about +-1, ids
 * shuffled. */
void cloud_random(struct cloud *c, int64_t n, int dim, const double low[3], const double high[3],
                  uint64_t seed);
/* The number of the fluid, of two, that the particle with this id belongs to. */
uint32_t cloud_phase(sluice_id id);
/* Exchanges particles at random; ids stay with them. */
void cloud_shuffle(struct cloud *c, uint64_t seed);

/* Opens the backend, sorts the clouds (walls may be NULL) on it and reads them back. wall_fields:
 * what the walls have beside position, frame, id and EOS. PREDICTED and EOS are made from the
 * clouds' densities and velocities; accelerations and rates start at fixed functions of the id. */
sluice_status world_open(struct world *w, const struct sluice_backend_choice *choice,
                         const struct sluice_grid_options *options, const struct cloud *fluid,
                         const struct cloud *walls, sluice_fields wall_fields);
void world_close(struct world *w);

/* Waits for the backend and copies both sets to w->host. */
sluice_status world_read(struct world *w);
/* Copies one field of w->host back to the backend. */
sluice_status world_write(struct world *w, enum sluice_type type, enum sluice_field field);

/* Component k of entry i of a field in host memory, as double. */
double field_at(const struct sluice_set *set, enum sluice_field f, int64_t i, int k);
void field_put(struct sluice_set *set, enum sluice_field f, int64_t i, int k, double value);
#endif

/* Lennard-Jones atoms in an open cube, sorted on a backend without a simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"

struct lj_params sluice_bench_lj(double sigma)
{
    return (struct lj_params){.epsilon = 1, .sigma = sigma, .mass = 1, .cutoff = 1};
}

/* Host arrays for a new set. */
struct arrays {
    void *position; /* [n][4], reals */
    uint32_t *frame;
    sluice_id *id;
    int32_t (*index)[3];
};

static sluice_status fill_arrays(struct sluice_bench_set *s, struct arrays *a, const double *x,
                                 int stride, int64_t n)
{
    struct sluice_place place;
    for (int64_t i = 0; i < n; i++) {
        sluice_grid_place(&s->grid, x + i * stride, &place);
        memcpy(a->index[i], place.frame, sizeof a->index[i]);
        a->id[i] = (sluice_id)i;
        for (int c = 0; c < 4; c++)
            sluice_put_real(a->position, s->backend->real_bytes, 4 * i + c,
                            c < 3 ? place.offset[c] : 1);
    }
    SLUICE_TRY(sluice_grid_set_frames(&s->grid, (const int32_t(*)[3])a->index, n));
    for (int64_t i = 0; i < n; i++)
        a->frame[i] = (uint32_t)sluice_grid_find_frame(&s->grid, a->index[i]);
    return SLUICE_OK;
}

sluice_status sluice_bench_set_sort(struct sluice_bench_set *s)
{
    struct sluice_set *const sets[] = {&s->set};
    struct sluice_particle_list gone = {0};
    const sluice_status status = s->backend->ops->bin(s->backend, &s->grid, sets, 1, NULL, &gone);
    SLUICE_TRY(status == SLUICE_OK ? s->backend->ops->sync(s->backend) : status);
    free(gone.particle);
    return SLUICE_OK;
}

static sluice_status upload_and_sort(struct sluice_bench_set *s, const struct arrays *a, int64_t n)
{
    struct sluice_backend *b = s->backend;
    struct sluice_set *set = &s->set;
    set->type = SLUICE_FLUID;
    set->dimension = 3;
    set->real_bytes = b->real_bytes;
    set->moves = SLUICE_FREE;
    set->mass = 1;
    SLUICE_TRY(sluice_set_create(
        b, set,
        SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) | SLUICE_BIT(ACCELERATION), n));
    SLUICE_TRY(b->ops->upload(b, set->field[SLUICE_FIELD_POSITION], a->position,
                              (size_t)(4 * n * b->real_bytes)));
    SLUICE_TRY(
        b->ops->upload(b, set->field[SLUICE_FIELD_FRAME], a->frame, (size_t)n * sizeof *a->frame));
    SLUICE_TRY(b->ops->upload(b, set->field[SLUICE_FIELD_ID], a->id, (size_t)n * sizeof *a->id));
    return sluice_bench_set_sort(s);
}

void sluice_bench_set_destroy(struct sluice_bench_set *s)
{
    if (s->backend)
        sluice_set_destroy(s->backend, &s->set);
    sluice_grid_destroy(&s->grid);
    s->backend = NULL;
}

sluice_status sluice_bench_set_create(struct sluice_bench_set *s, struct sluice_backend *b,
                                      const double *x, int stride, int64_t n, double edge,
                                      double filling)
{
    struct sluice_grid_options o = {
        .dimension = 3, .cutoff = 1, .frame_cutoffs = b->published ? edge : 8};
    struct arrays a = {malloc((size_t)(4 * n * b->real_bytes)), malloc((size_t)n * sizeof *a.frame),
                       malloc((size_t)n * sizeof *a.id), malloc((size_t)n * sizeof *a.index)};
    memset(s, 0, sizeof *s);
    s->backend = b;
    for (int c = 0; c < 3; c++)
        o.high[c] = edge;
    b->ops->bins(b->orders.strategy, SLUICE_PAIR_lj, 3, cbrt(filling), o.bins_per_cutoff);
    const int there = a.position && a.frame && a.id && a.index;
    sluice_status status = there ? sluice_grid_create(&s->grid, &o)
                                 : SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld particles",
                                               (long long)n);
    if (there && status == SLUICE_OK)
        status = fill_arrays(s, &a, x, stride, n);
    if (status == SLUICE_OK)
        status = upload_and_sort(s, &a, n);
    free(a.position);
    free(a.frame);
    free(a.id);
    free(a.index);
    if (status != SLUICE_OK)
        sluice_bench_set_destroy(s);
    return status;
}

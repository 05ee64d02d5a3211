/* The common parts of the tests of the output: a folder of their own, particles and headers with
 * known numbers, and a backend that is plain host memory, so that only the output is under test.
 * */
#ifndef SLUICE_TESTS_T05_FIXTURE_H
#define SLUICE_TESTS_T05_FIXTURE_H
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snapshots/checkpoint.h"
#include "snapshots/snapshot.h"

/* A fresh folder under TMPDIR; fixture_remove takes it away with what is in it. */
__attribute__((unused)) static const char *fixture_folder(void)
{
    static char folder[512];
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/sluice-io-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(folder);
}

__attribute__((unused)) static void fixture_remove(const char *folder)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "# %s could not be removed\n", folder);
}

/* Compares bits, where 0 and -0 differ and a NaN is the same as itself. */
__attribute__((unused)) static int same_bits(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

/* Numbers in [0, 1) that use all bits of a double, the same on every machine. */
__attribute__((unused)) static double fixture_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* n particles, a quarter of them walls. */
__attribute__((unused)) static void fixture_particles(struct sluice_host_particles *p, int64_t n,
                                                      int dimension)
{
    uint64_t state = 42;
    memset(p, 0, sizeof *p);
    if (sluice_host_particles_reserve(p, n) != SLUICE_OK)
        abort();
    p->count = n;
    p->dimension = dimension;
    p->has_density = 1;
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            p->x[i][c] = c < dimension ? fixture_random(&state) : 0;
            p->velocity[i][c] = c < dimension ? 2 * fixture_random(&state) - 1 : 0;
        }
        p->density[i] = 1000 * (1 + 0.01 * fixture_random(&state));
        p->pressure[i] = 5000 * fixture_random(&state);
        p->mass[i] = 0.001 * (1 + fixture_random(&state));
        p->id[i] = (sluice_id)(7 * i + 3);
        p->type[i] = i >= n - n / 4 ? SLUICE_WALL : SLUICE_FLUID;
        p->type_count[p->type[i]]++;
    }
}

__attribute__((unused)) static struct sluice_snapshot_header
fixture_header(int dimension, int precision, int compression)
{
    static const struct sluice_named_real energies[] = {{"kinetic", "J", 1.25},
                                                        {"potential", "J", -3.5}};
    const struct sluice_snapshot_header header = {
        .time = 0.1 + 0.2,
        .dt = 1.0 / 3,
        .step = 123456789012LL,
        .dimension = dimension,
        .low = {-1, 0, 0.5},
        .high = {2, 3, dimension == 3 ? 4.5 : 0.5},
        .periodic = {1, 0, 0},
        .frame_width = {0.25, 0.5, 0.5},
        .spacing = 0.01,
        .smoothing_length = 0.015,
        .rho0 = 1000,
        .sound_speed = 30,
        .gravity = {0, -9.81, 0},
        .kernel = "wendland-c2",
        .eos = "tait",
        .units = "si",
        .energies = energies,
        .energy_count = 2,
        .seed = 5,
        .version = "0.1",
        .revision = "abc",
        .compiler = "gcc",
        .backend = "cpu",
        .device = "x86-64-v3",
        .ranks = 1,
        .config = "title = \"a test\"; # with every byte of this text\n",
        .precision = precision,
        .compression = compression};
    return header;
}

/* --- A backend that is host memory --- */

__attribute__((unused)) static sluice_status host_alloc(struct sluice_backend *b, size_t bytes,
                                                        void **out)
{
    (void)b;
    *out = calloc(1, bytes);
    return *out != NULL ? SLUICE_OK : SLUICE_FAIL(SLUICE_DEVICE, "no memory");
}

__attribute__((unused)) static void host_free(struct sluice_backend *b, void *memory)
{
    (void)b;
    free(memory);
}

__attribute__((unused)) static sluice_status host_copy_in(struct sluice_backend *b, void *to,
                                                          const void *from, size_t bytes)
{
    (void)b;
    memcpy(to, from, bytes);
    return SLUICE_OK;
}

__attribute__((unused)) static sluice_status host_sync(struct sluice_backend *b)
{
    (void)b;
    return SLUICE_OK;
}

__attribute__((unused)) static void host_bins_free(struct sluice_bins **bins)
{
    (void)bins; /* there never are any */
}

static const struct sluice_backend_ops host_ops = {.name = "host",
                                                   .alloc = host_alloc,
                                                   .free = host_free,
                                                   .upload = host_copy_in,
                                                   .download = host_copy_in,
                                                   .sync = host_sync,
                                                   .bins_free = host_bins_free};

/* A grid with a shift, and a fluid and a wall set in it, every state field full of random bits that
 * are finite numbers. */
struct fixture_run {
    struct sluice_backend backend;
    struct sluice_grid grid;
    struct sluice_set set[SLUICE_TYPE_COUNT], *sets[SLUICE_TYPE_COUNT];
};

static const sluice_fields fixture_fluid_fields = SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) |
                                                  SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
                                                  SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) |
                                                  SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) |
                                                  SLUICE_BIT(ACCELERATION) |
                                                  SLUICE_BIT(ACCELERATION_OLD) | SLUICE_BIT(RATE) |
                                                  SLUICE_BIT(RATE_OLD) | SLUICE_BIT(EOS);
static const sluice_fields fixture_wall_fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) |
                                                 SLUICE_BIT(ID) | SLUICE_BIT(EOS);

__attribute__((unused)) static void fixture_run_create(struct fixture_run *run, int dimension,
                                                       int real_bytes, int64_t fluid, int64_t walls,
                                                       int32_t shift)
{
    const struct sluice_grid_options options = {.dimension = dimension,
                                                .cutoff = 0.03,
                                                .low = {-1, 0, 0.5},
                                                .high = {2, 3, 4.5},
                                                .periodic = {1, 0, 0},
                                                .shift = {shift, -shift, 7},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    const int64_t counts[SLUICE_TYPE_COUNT] = {fluid, walls};
    const sluice_fields fields[SLUICE_TYPE_COUNT] = {fixture_fluid_fields, fixture_wall_fields};
    memset(run, 0, sizeof *run);
    run->backend = (struct sluice_backend){
        .ops = &host_ops, .real_bytes = real_bytes, .isa = "test"};
    if (sluice_grid_create(&run->grid, &options) != SLUICE_OK)
        abort();
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        run->set[t] = (struct sluice_set){
            .type = (enum sluice_type)t, .dimension = dimension, .real_bytes = real_bytes};
        run->sets[t] = &run->set[t];
        if (sluice_set_create(&run->backend, &run->set[t], fields[t], counts[t]) != SLUICE_OK)
            abort();
    }
}

__attribute__((unused)) static void fixture_put_real(const struct sluice_set *set, int field,
                                                     int64_t i, double value)
{
    if (set->real_bytes == 8)
        ((double *)set->field[field])[i] = value;
    else if (sluice_field_table[field].type == SLUICE_TYPE_LOW)
        ((int16_t *)set->field[field])[i] = (int16_t)(INT16_MAX * value);
    else
        ((float *)set->field[field])[i] = (float)value;
}

/* Random places in the domain: frames and offsets by the grid itself; every other field of reals
 * random. */
__attribute__((unused)) static void fixture_run_fill(struct fixture_run *run, uint64_t seed)
{
    const int dim = run->grid.dimension;
    const int64_t total = run->set[0].count + run->set[1].count;
    struct sluice_place *place = malloc((size_t)total * sizeof *place);
    int32_t(*occupied)[3] = malloc((size_t)total * sizeof *occupied);
    if (place == NULL || occupied == NULL)
        abort();
    for (int64_t i = 0; i < total; i++) {
        const double x[3] = {-1 + 3 * fixture_random(&seed), 3 * fixture_random(&seed),
                             0.5 + 4 * fixture_random(&seed)};
        sluice_grid_place(&run->grid, x, &place[i]);
        memcpy(occupied[i], place[i].frame, sizeof occupied[i]);
    }
    if (sluice_grid_set_frames(&run->grid, (const int32_t(*)[3])occupied, total) != SLUICE_OK)
        abort();
    static const char is_real[] = {
        [SLUICE_TYPE_REAL] = 1, [SLUICE_TYPE_LOW] = 1, [SLUICE_TYPE_ID] = 0};
    int64_t at = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct sluice_set *set = &run->set[t];
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            for (int64_t i = 0; set->field[f] && is_real[sluice_field_table[f].type] &&
                                i < set->count * sluice_field_components((enum sluice_field)f, dim);
                 i++)
                fixture_put_real(set, f, i, fixture_random(&seed));
        for (int64_t i = 0; i < set->count; i++, at++) {
            for (int c = 0; c < dim; c++)
                fixture_put_real(set, SLUICE_FIELD_POSITION, (dim + 1) * i + c,
                                 place[at].offset[c]);
            ((uint32_t *)set->field[SLUICE_FIELD_FRAME])[i] = (uint32_t)sluice_grid_find_frame(
                &run->grid, place[at].frame);
            ((sluice_id *)set->field[SLUICE_FIELD_ID])[i] = (sluice_id)(at * 5 + 1);
        }
    }
    free(place);
    free(occupied);
}

__attribute__((unused)) static void fixture_run_destroy(struct fixture_run *run)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        sluice_set_destroy(&run->backend, &run->set[t]);
    sluice_grid_destroy(&run->grid);
}
#endif

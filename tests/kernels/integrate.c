/* test: 0.3 s, emulator, tsan-slow */
/* Kicks and drift through the objects that are shipped: compensation, frames, particles that left.
 * Every backend and instruction set of this machine, both precisions. */
#include <float.h>

#include "kernels/types/compensated.h"
#include "support/pair_state.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

/* A world of one frame's width with one particle, at the centre of frame (1, 1), without a force.
 */
static void open_one(struct world *w, const struct variant *on, int real_bytes, double width)
{
    const struct sluice_grid_options options = {.dimension = 2,
                                                .cutoff = width / 8,
                                                .high = {4 * width, 4 * width},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes};
    struct cloud one;
    cloud_create(&one, 1);
    one.x[0][0] = one.x[0][1] = 1.5 * width;
    one.mass[0] = 7;
    if (world_open(w, &choice, &options, &one, NULL, 0) != SLUICE_OK) {
        printf("Bail out! %s: %s\n", on->name, sluice_message());
        exit(1);
    }
    cloud_destroy(&one);
}

static void put(struct world *w, enum sluice_field f, double x, double y)
{
    field_put(&w->host[SLUICE_FLUID], f, 0, 0, x);
    field_put(&w->host[SLUICE_FLUID], f, 0, 1, y);
    world_write(w, SLUICE_FLUID, f);
}

static double get(const struct world *w, enum sluice_field f, int c)
{
    return field_at(&w->host[SLUICE_FLUID], f, 0, c);
}

static void drift(struct world *w, double dt)
{
    if (w->backend.ops->kick_drift(&w->backend, &w->grid, &w->set[SLUICE_FLUID], dt) != SLUICE_OK)
        diag("%s", sluice_message());
}

static const int32_t *frame_of(const struct world *w, int64_t i)
{
    return w->grid.frame[((const uint32_t *)w->host[SLUICE_FLUID].field[SLUICE_FIELD_FRAME])[i]];
}

/* The number of steps of 1e-5: fewer on the emulated device, whose launches are slow. */
static int steps_of(const struct variant *on)
{
    return strcmp(on->backend, "emulated") == 0 ? 4000 : 100000;
}

/* The largest rounding error of that many sums of about `value`: half of the last bit kept of each.
 */
static double lost_most(double value, int real_bytes, int sums)
{
    const double unit = real_bytes == 4 ? exp2(floor(log2(value)) - 23) : 0;
    return sums * unit * 0x1p-17;
}

/* 1e5 drifts of 1e-5 from 1000 move by 1.0; in float without compensation by nothing. */
static void many_small_drifts(const struct variant *on, int real_bytes)
{
    const int steps = steps_of(on);
    struct world w;
    char name[160];
    volatile float naive = 1000;
    open_one(&w, on, real_bytes, 4096);
    ok(w.grid.width[0] == 4096, "a frame 4096 wide");
    put(&w, SLUICE_FIELD_POSITION, 1000, 0);
    put(&w, SLUICE_FIELD_VELOCITY, 1, 0);
    put(&w, SLUICE_FIELD_ACCELERATION, 0, 0);
    for (int n = 0; n < steps; n++) {
        drift(&w, 1e-5);
        naive += 1e-5f;
    }
    world_read(&w);
    snprintf(name, sizeof name, "%.63s, %d bytes: %d drifts of 1e-5 from 1000 move by %g", on->name,
             real_bytes, steps, 1e-5 * steps);
    is_close(get(&w, SLUICE_FIELD_POSITION, 0) - 1000 + get(&w, SLUICE_FIELD_POSITION_LOW, 0),
             1e-5 * steps, 2e-7 + lost_most(1000, real_bytes, steps),
             name); /* 1e-5 itself is rounded to float: 2.5e-8 */
    ok(naive == 1000, "naive float does not move");
    world_close(&w);
}

/* The same for kicks, from rest, where the value is smaller than the increment at first. */
static void many_small_kicks(const struct variant *on, int real_bytes)
{
    const int steps = steps_of(on);
    struct world w;
    char name[160];
    open_one(&w, on, real_bytes, 1);
    put(&w, SLUICE_FIELD_VELOCITY, 1000, 0);
    put(&w, SLUICE_FIELD_ACCELERATION, 2, 2);
    for (int n = 0; n < steps; n++)
        w.backend.ops->kick(&w.backend, &w.set[SLUICE_FLUID], 1e-5);
    world_read(&w);
    snprintf(name, sizeof name, "%.63s, %d bytes: %d kicks of 1e-5", on->name, real_bytes, steps);
    is_close(get(&w, SLUICE_FIELD_VELOCITY, 0) - 1000 + get(&w, SLUICE_FIELD_VELOCITY_LOW, 0),
             1e-5 * steps, 2e-7 + lost_most(1000, real_bytes, steps), name);
    is_close(get(&w, SLUICE_FIELD_VELOCITY, 1) + get(&w, SLUICE_FIELD_VELOCITY_LOW, 1),
             1e-5 * steps, 2e-7 + lost_most(1, real_bytes, steps), "and from rest");
    world_close(&w);
}

/* The rounding residue moves into the next frame, too. It may be more than half a unit of the
 * smaller value there, as one of these two is. */
static void crossing_with_the_lost(const struct variant *on, int real_bytes)
{
    const double unit = real_bytes == 4 ? 0x1p-25 : 0x1p-54; /* of 0.4375; twice that of 0.5625 */
    struct world w;
    open_one(&w, on, real_bytes, 1);
    put(&w, SLUICE_FIELD_POSITION, 0.4375, -0.4375);
    put(&w, SLUICE_FIELD_VELOCITY, 1 + 8 * unit, -1 - 8 * unit);
    put(&w, SLUICE_FIELD_ACCELERATION, 0, 0);
    drift(&w, 0.125);
    world_read(&w);
    for (int c = 0; c < 2; c++) {
        const double side = c == 0 ? 1 : -1, x = get(&w, SLUICE_FIELD_POSITION, c),
                     low = get(&w, SLUICE_FIELD_POSITION_LOW, c);
        ok(side * x + 0.4375 == unit && low == 0,
           "%s, %d bytes: what rounding lost goes into the next frame: %g and %g units", on->name,
           real_bytes, (side * x + 0.4375) / unit, side * low / unit);
    }
    world_close(&w);
}

static void crossing_frames(const struct variant *on, int real_bytes)
{
    struct world w;
    open_one(&w, on, real_bytes, 1);
    put(&w, SLUICE_FIELD_POSITION, 0.4375, -0.4375);
    put(&w, SLUICE_FIELD_VELOCITY, 1, -1);
    put(&w, SLUICE_FIELD_ACCELERATION, 0, 0);
    drift(&w, 0.125);
    world_read(&w);
    ok(frame_of(&w, 0)[0] == 2 && frame_of(&w, 0)[1] == 0,
       "%s: a particle that leaves its frame by a corner is in the next one", on->name);
    ok(get(&w, SLUICE_FIELD_POSITION, 0) == -0.4375 &&
           get(&w, SLUICE_FIELD_POSITION, 1) == 0.4375 && get(&w, SLUICE_FIELD_POSITION, 2) == 7,
       "with its offset from there, exactly, and its mass");
    world_close(&w);

    open_one(&w, on, real_bytes, 1);
    put(&w, SLUICE_FIELD_POSITION, 0.375, 0);
    put(&w, SLUICE_FIELD_VELOCITY, 1, 0);
    put(&w, SLUICE_FIELD_ACCELERATION, 0, 0);
    drift(&w, 0.125);
    world_read(&w);
    ok(get(&w, SLUICE_FIELD_POSITION, 0) == -0.5 && frame_of(&w, 0)[0] == 2,
       "exactly on the border: the upper frame's");
    put(&w, SLUICE_FIELD_POSITION, NAN, 0);
    drift(&w, 0.125);
    world_read(&w);
    ok(isnan(get(&w, SLUICE_FIELD_POSITION, 0) + get(&w, SLUICE_FIELD_POSITION_LOW, 0)) &&
           frame_of(&w, 0)[0] == 2,
       "not a number stays where it is, and what it is");
    world_close(&w);
}

/* One step of n particles in 3-D, each with its own numbers: no particle's step touches another's.
 */
static void many_particles(const struct variant *on, int real_bytes, int64_t n)
{
    const struct sluice_grid_options options = {.dimension = 3,
                                                .cutoff = 0.125,
                                                .high = {3, 3, 3},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes};
    const double dt = 0.0625, e = real_bytes == 4 ? 3e-7 : 1e-15;
    struct cloud cloud;
    struct world w, start;
    cloud_random(&cloud, n, 3, (const double[3]){0.1, 0.1, 0.1}, (const double[3]){2.9, 2.9, 2.9},
                 31);
    if (world_open(&w, &choice, &options, &cloud, NULL, 0) != SLUICE_OK ||
        world_open(&start, &choice, &options, &cloud, NULL, 0) != SLUICE_OK) {
        printf("Bail out! %s: %s\n", on->name, sluice_message());
        exit(1);
    }
    drift(&w, dt);
    w.backend.ops->kick(&w.backend, &w.set[SLUICE_FLUID], dt);
    world_read(&w);
    int64_t wrong = 0, other = 0;
    const struct sluice_set *a = &start.host[SLUICE_FLUID], *b = &w.host[SLUICE_FLUID];
    for (int64_t i = 0; i < n; i++) {
        const int32_t *from = start.grid.frame[((const uint32_t *)a->field[SLUICE_FIELD_FRAME])[i]];
        for (int c = 0; c < 3; c++) {
            const double force = field_at(a, SLUICE_FIELD_ACCELERATION, i, c),
                         v = field_at(a, SLUICE_FIELD_VELOCITY, i, c) + force * dt / 2,
                         x = field_at(a, SLUICE_FIELD_POSITION, i, c) + v * dt +
                             (double)(from[c] - frame_of(&w, i)[c]) * w.grid.width[c];
            wrong += !(fabs(field_at(b, SLUICE_FIELD_VELOCITY, i, c) - v - force * dt / 2) < e);
            wrong += !(fabs(field_at(b, SLUICE_FIELD_POSITION, i, c) - x) < e) || x < -0.5 - e ||
                     x >= 0.5 + e;
        }
        other += ((const sluice_id *)a->field[SLUICE_FIELD_ID])[i] !=
                     ((const sluice_id *)b->field[SLUICE_FIELD_ID])[i] ||
                 field_at(a, SLUICE_FIELD_POSITION, i, 3) !=
                     field_at(b, SLUICE_FIELD_POSITION, i, 3);
    }
    ok(wrong == 0 && other == 0, "%s, %d bytes: a step of %lld particles", on->name, real_bytes,
       (long long)n);
    world_close(&w);
    world_close(&start);
    cloud_destroy(&cloud);
}

/* 16 bits hold what a float's rounding loses to 2^-17 of its unit, of values down to 2^-80. */
static void check_packing(void)
{
    uint64_t seed = 7;
    double worst = 0;
    int marks = 0, other = 0;
    for (int n = 0; n < 2000000; n++) {
        const float value = (float)((uniform(&seed) - 0.5) *
                                    exp2(floor(200 * uniform(&seed)) - 78));
        const double unit = exp2(ilogbf(value) - 23), part = n % 8 == 0   ? 0.5
                                                             : n % 8 == 1 ? -0.5
                                                                          : uniform(&seed) - 0.5;
        const float lost = (float)(part * unit);
        if (fabsf(value) < 0x1p-80f)
            continue;
        const int16_t kept = lost_pack(value, lost);
        worst = fmax(worst, fabs((double)lost_unpack(value, kept) - (double)lost) / unit);
        marks += kept == KEPT_MARK;
        other += lost_pack(value, lost_unpack(value, kept)) != kept;
    }
    ok(worst <= 1.01 * 0x1p-17, "16 bits hold what rounding lost to %g units", worst);
    ok(marks == 0 && other == 0, "none of them is the mark, all are kept again as they are");
    ok(lost_pack(0, 0) == 0 && lost_unpack(0, 0) == 0 && lost_unpack(FLT_MAX, 0) == 0 &&
           isnan(lost_or_nan(1, KEPT_MARK)),
       "nothing lost is 0, a mark is no number");
}

int main(void)
{
    static const int64_t counts[] = {0, 1, 255, 256, 257, 3000};
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            many_small_drifts(&variants[k], real_bytes);
            many_small_kicks(&variants[k], real_bytes);
            crossing_frames(&variants[k], real_bytes);
            crossing_with_the_lost(&variants[k], real_bytes);
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                many_particles(&variants[k], real_bytes, counts[c]);
        }
    check_packing();
    ok(n >= 1, "%d variants ran", n);
    return done_testing();
}

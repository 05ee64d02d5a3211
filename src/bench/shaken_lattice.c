#include "bench/shaken_lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"

enum { NUMBERS = 7, CHECKED = 24 };

void sluice_bench_atoms_destroy(struct sluice_bench_atoms *a)
{
    free(a->at);
    free(a->start);
    memset(a, 0, sizeof *a);
}

/* The cell along an axis, by the device's arithmetic. */
static int cell_along(const struct sluice_bench_atoms *a, double x, int real_bytes)
{
    const int cell = real_bytes == 4 ? (int)((float)x * (float)(1 / a->reach))
                                     : (int)(x * (1 / a->reach));
    return cell < a->box ? cell : a->box - 1;
}

static int64_t cell_of(const struct sluice_bench_atoms *a, const double x[3], int real_bytes)
{
    int64_t cell = 0;
    for (int c = 2; c >= 0; c--)
        cell = cell * a->box + cell_along(a, x[c], real_bytes);
    return cell;
}

/* Particle i of a lattice of `edge` along an edge, shaken by a fifth of its spacing. */
static void place(double at[NUMBERS], int64_t i, int64_t edge, double spacing, int real_bytes)
{
    const int64_t lattice[3] = {i % edge, i / edge % edge, i / (edge * edge)};
    for (int c = 0; c < NUMBERS; c++) {
        const double random = sluice_bench_random((uint64_t)(8 * i + c));
        at[c] = c < 3   ? spacing * ((double)lattice[c] + 0.5 + 0.4 * random)
                : c < 6 ? random
                        : 1 + 0.5 * random;
        if (real_bytes == 4)
            at[c] = (double)(float)at[c];
    }
}

/* Counting sort: counts the particles of each cell, sums the counts, places the particles. */
static void sort_by_cells(struct sluice_bench_atoms *a, int64_t edge, double spacing,
                          int real_bytes)
{
    const int64_t cells = (int64_t)a->box * a->box * a->box;
    double at[NUMBERS];
    for (int64_t i = 0; i < a->n; i++) {
        place(at, i, edge, spacing, real_bytes);
        a->start[cell_of(a, at, real_bytes) + 1]++;
    }
    for (int64_t cell = 0; cell < cells; cell++)
        a->start[cell + 1] += a->start[cell];
    for (int64_t i = 0; i < a->n; i++) {
        place(at, i, edge, spacing, real_bytes);
        memcpy(a->at[a->start[cell_of(a, at, real_bytes)]++], at, sizeof at);
    }
    memmove(a->start + 1, a->start,
            (size_t)cells * sizeof *a->start); /* start[cell] is now the cell's end */
    a->start[0] = 0;
}

sluice_status sluice_bench_atoms_create(struct sluice_bench_atoms *a, long long n, double filling,
                                        double reach, int real_bytes)
{
    const int64_t edge = 4 * (int64_t)fmax(1, rint(cbrt((double)n) / 4));
    const double spacing = 1 / cbrt(filling);
    memset(a, 0, sizeof *a);
    a->n = edge * edge * edge;
    a->edge = (double)edge * spacing;
    a->reach = reach;
    a->filling = filling;
    a->box = (int)fmax(1, floor(a->edge / reach));
    const size_t cells = (size_t)a->box * (size_t)a->box * (size_t)a->box;
    a->at = malloc((size_t)a->n * sizeof *a->at);
    a->start = calloc(cells + 1, sizeof *a->start);
    if (!a->at || !a->start) {
        sluice_bench_atoms_destroy(a);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld particles", n);
    }
    sort_by_cells(a, edge, spacing, real_bytes);
    return SLUICE_OK;
}

/* The force on particle i, summed over all particles; returns the sum of the magnitudes. */
static double sum_plainly(const struct sluice_bench_atoms *a, int64_t i, sluice_bench_force force,
                          const void *params, double sum[3])
{
    double size = 0;
    memset(sum, 0, 3 * sizeof *sum);
    for (int64_t j = 0; j < a->n; j++) {
        double d[3], f[3], r2 = 0;
        for (int c = 0; c < 3; c++) {
            d[c] = a->at[i][c] - a->at[j][c];
            r2 += d[c] * d[c];
        }
        if (j == i || r2 >= 1)
            continue;
        force(a->at[i], a->at[j], d, r2, params, f);
        for (int c = 0; c < 3; c++)
            sum[c] += f[c];
        size += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    return size;
}

/* In a large cube, distances in float are accurate to about 1e-5, and a steep force (r^-13) to
 * thirteen times that. */
sluice_status sluice_bench_atoms_check(const struct sluice_bench_atoms *a, const void *got,
                                       int real_bytes, const sluice_id *of,
                                       sluice_bench_force force, const void *params,
                                       const char *what)
{
    const double tolerance = real_bytes == 4 ? 5e-4 : 1e-9;
    for (int k = 0; k < CHECKED; k++) {
        const int64_t row = (2 * k + 1) * a->n / (2 * CHECKED), i = of ? (int64_t)of[row] : row;
        double want[3];
        const double size = sum_plainly(a, i, force, params, want);
        for (int c = 0; c < 3; c++) {
            const double value = sluice_real_at(got, real_bytes, 3 * row + c);
            SLUICE_CHECK(
                fabs(value - want[c]) <= tolerance * size, SLUICE_FAILED_CHECK,
                "%s: the force on particle %lld is %.9g along axis %d, all pairs in double "
                "make it %.9g; that is a mistake of the program",
                what, (long long)i, value, c, want[c]);
        }
    }
    return SLUICE_OK;
}

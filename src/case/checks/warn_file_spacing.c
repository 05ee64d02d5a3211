/* The distance of a table's particles, beside the spacing of the case.
 *
 * The rows are sorted by x. From some of them the search goes both ways along x, as far as the
 * nearest particle found so far; the median of their distances decides. */
#include <math.h>
#include <stdlib.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "core/vector.h"
#include "core/warnings.h"

enum { SAMPLES = 500, FEW = 20 };
/* Moved fluid is less even than a lattice, and a hexagonal one is 7% wider. */
#define CLOSEST 0.7
#define WIDEST  1.4

static double nearest_of(const double (*x)[3], int64_t count, int64_t i)
{
    double least2 = INFINITY;
    for (int sense = -1; sense <= 1; sense += 2)
        for (int64_t k = i + sense; k >= 0 && k < count; k += sense) {
            const double way[3] = {x[k][0] - x[i][0], x[k][1] - x[i][1], x[k][2] - x[i][2]};
            if (way[0] * way[0] >= least2)
                break;
            least2 = fmin(least2, way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        }
    return sqrt(least2);
}

static double middle_distance(const double (*x)[3], int64_t count)
{
    double distance[SAMPLES];
    const int64_t samples = count < SAMPLES ? count : SAMPLES;
    for (int64_t i = 0; i < samples; i++)
        distance[i] = nearest_of(x, count, i * count / samples);
    qsort(distance, (size_t)samples, sizeof *distance, sluice_by_real);
    return distance[samples / 2];
}

sluice_status sluice_case_warn_file_spacing(struct sluice_case_builder *b)
{
    const double spacing = b->config->spacing;
    double(*x)[3];
    int64_t count = 0;
    if (b->file.is_snapshot || b->config->model != SLUICE_MODEL_WCSPH ||
        b->from_file[SLUICE_FLUID] < FEW)
        return SLUICE_OK;
    SLUICE_ALLOCATE(x, b->from_file[SLUICE_FLUID], "places of a particle file");
    for (int64_t i = 0; i < b->file.count; i++)
        if (b->file.row[i].type == SLUICE_FLUID) {
            for (int a = 0; a < 3; a++)
                x[count][a] = b->file.row[i].x[a];
            count++;
        }
    qsort(x, (size_t)count, sizeof *x, sluice_by_real);
    const double apart = middle_distance((const double(*)[3])x, count);
    free(x);
    if (apart < CLOSEST * spacing || apart > WIDEST * spacing)
        sluice_warn(&b->warnings,
                    "particles: half of the fluid particles of %s are %.4g m or more from the next "
                    "one, the spacing of the case is %.4g m%s: take the spacing that the file was "
                    "made with",
                    b->config->particles, apart, spacing,
                    b->file.has_mass ? "" : ", which sets their mass");
    return SLUICE_OK;
}

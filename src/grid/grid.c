#include "grid/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum { FRAME_INDEX_LIMIT = 1 << 30 };

enum { WIDTH_BITS = 8 };

/* Frames of a periodic axis may be narrower than asked for, down to PERIODIC_LEAST of it. But they
 * keep PERIODIC_CUTOFFS cutoffs: narrower than 4 each step would sort (sim/sort_interval.c). */
#define PERIODIC_LEAST   0.875
#define PERIODIC_CUTOFFS 4.5

/* Rounds x up to WIDTH_BITS significant bits. */
static double round_up(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent); /* x = mantissa 2^exponent, mantissa in [1/2, 1) */
    return ldexp(ceil(ldexp(mantissa, WIDTH_BITS) * (1 - 1e-12)), exponent - WIDTH_BITS);
}

/* Not each number of millions of frames is tried: they differ by a millionth in width. */
static double step_of(double frames)
{
    return fmax(1, floor(1e-6 * frames));
}

/* Chooses the number of frames of a period, and their bins, a power of two a frame. Among the
 * frames near the wanted width it takes those whose bins come nearest to the wanted size. It takes
 * frames narrower than wanted only if a cutoff then spans no more bins. */
static void set_periodic(struct sluice_grid *g, int axis, double length, double least, double bin)
{
    const double narrowest = fmax(PERIODIC_LEAST * least,
                                  fmin(least, PERIODIC_CUTOFFS * g->cutoff));
    double best = INFINITY, fewest = INFINITY;
    for (double frames = fmax(1, floor(length / (2 * least)));
         frames <= fmax(1, floor(length / narrowest)); frames += step_of(frames)) {
        const double width = length / frames, log2_bins = fmax(0, log2(width / bin)),
                     miss = fabs(log2_bins - rint(log2_bins)),
                     bins = ceil(g->cutoff / width * exp2(rint(log2_bins)) * (1 - 1e-9));
        if (miss < best - 1e-9 && (width >= least * (1 - 1e-9) || bins <= fewest)) {
            best = miss;
            fewest = bins;
            g->wrap[axis] = (int32_t)frames;
            g->bins_log2[axis] = (int)rint(log2_bins);
        }
    }
    g->width[axis] = length / g->wrap[axis];
}

static int log2_above(double x)
{
    int exponent = 0;
    while (ldexp(1.0, exponent) < x)
        exponent++;
    return exponent;
}

/* Errors: the frames of an axis would be so many that their indices overflow. */
static sluice_status check_frames(const struct sluice_grid_options *o, int axis, double width)
{
    const double length = o->high[axis] - o->low[axis];
    SLUICE_CHECK(length / width + fabs((double)o->shift[axis]) < FRAME_INDEX_LIMIT,
                 SLUICE_BAD_INPUT,
                 "domain: %.9g along %c makes frame indices beyond %d (a frame is %.9g wide, "
                 "frame_shift %d); make the domain "
                 "or the shift smaller",
                 length, "xyz"[axis], (int)FRAME_INDEX_LIMIT, width, (int)o -> shift[axis]);
    return SLUICE_OK;
}

static sluice_status set_axis(struct sluice_grid *g, const struct sluice_grid_options *o, int axis)
{
    static const char name[3] = {'x', 'y', 'z'};
    const double length = o->high[axis] - o->low[axis];
    const double least = o->frame_cutoffs * o->cutoff, bin = o->cutoff / o->bins_per_cutoff[axis];

    g->shift[axis] = o->shift[axis];
    g->periodic[axis] = o->periodic[axis];
    if (o->periodic[axis]) {
        SLUICE_CHECK(length >= 2 * o->cutoff * (1 - 1e-12), SLUICE_BAD_INPUT,
                     "domain: the period along %c is %.9g, less than two cutoffs (%.9g); make the "
                     "domain longer or the "
                     "smoothing length (or cutoff) smaller",
                     name[axis], length, 2 * o->cutoff);
        SLUICE_TRY(check_frames(o, axis, 2 * least)); /* more could not be counted in time */
        g->first[axis] = o->shift[axis];
        set_periodic(g, axis, length, least, bin);
    } else {
        g->wrap[axis] = 0;
        g->bins_log2[axis] = log2_above(least / bin * (1 - 1e-12));
        g->width[axis] = round_up(ldexp(bin, g->bins_log2[axis]));
    }
    return check_frames(o, axis, g->width[axis]);
}

sluice_status sluice_grid_create(struct sluice_grid *g, const struct sluice_grid_options *o)
{
    memset(g, 0, sizeof *g);
    g->dimension = o->dimension;
    g->cutoff = o->cutoff;
    g->walls = o->walls;
    for (int axis = 0; axis < 3; axis++) {
        g->corner[axis] = o->low[axis];
        g->low[axis] = o->low[axis];
        g->high[axis] = o->high[axis];
        g->width[axis] = 1;
        if (axis < o->dimension)
            SLUICE_TRY(set_axis(g, o, axis));
    }
    return SLUICE_OK;
}

void sluice_grid_destroy(struct sluice_grid *g)
{
    free(g->frame);
    free(g->neighbour);
    g->frame = NULL;
    g->neighbour = NULL;
    g->frame_count = 0;
}

double sluice_grid_narrowest(const struct sluice_grid *g)
{
    double width = g->width[0];
    for (int c = 1; c < g->dimension; c++)
        width = fmin(width, g->width[c]);
    return width;
}

void sluice_grid_set_bins(struct sluice_grid *g, const int log2[3])
{
    memcpy(g->bins_log2, log2, sizeof g->bins_log2);
    g->version++;
}

int sluice_grid_holds(const struct sluice_grid *g, const double x[3])
{
    for (int c = 0; c < g->dimension; c++)
        if (!g->periodic[c] &&
            !(fabs((x[c] - g->corner[c]) / g->width[c]) + fabs((double)g->shift[c]) <
              FRAME_INDEX_LIMIT))
            return 0;
    return 1;
}

void sluice_grid_place_along(const struct sluice_grid *g, int c, double x,
                             struct sluice_place *place)
{
    double u = x - g->corner[c];
    if (g->periodic[c]) {
        const double length = g->wrap[c] * g->width[c];
        u -= length * floor(u / length);
        if (u >= length) /* of a tiny negative u */
            u = 0;
    }
    const double k = floor(u / g->width[c]);
    place->frame[c] = (int32_t)k + g->shift[c];
    place->offset[c] = u - (k + 0.5) * g->width[c];
}

void sluice_grid_place(const struct sluice_grid *g, const double x[3], struct sluice_place *place)
{
    for (int c = 0; c < 3; c++) {
        place->frame[c] = 0;
        place->offset[c] = 0;
        if (c < g->dimension)
            sluice_grid_place_along(g, c, x[c], place);
    }
}

double sluice_grid_centre(const struct sluice_grid *g, int slot, int axis)
{
    return g->corner[axis] +
           ((double)(g->frame[slot][axis] - g->shift[axis]) + 0.5) * g->width[axis];
}

void sluice_grid_coordinates(const struct sluice_grid *g, const struct sluice_place *place,
                             double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = c < g->dimension
                   ? g->corner[c] + ((double)(place->frame[c] - g->shift[c]) + 0.5) * g->width[c] +
                         place->offset[c]
                   : 0;
}

static int compare_frames(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    for (int c = 2; c >= 0; c--)
        if (a[c] != b[c])
            return a[c] < b[c] ? -1 : 1;
    return 0;
}

static void wrap_index(const struct sluice_grid *g, int32_t index[3])
{
    for (int c = 0; c < g->dimension; c++)
        if (g->periodic[c]) {
            int32_t k = (index[c] - g->first[c]) % g->wrap[c];
            index[c] = g->first[c] + (k < 0 ? k + g->wrap[c] : k);
        }
}

int32_t sluice_grid_find_frame(const struct sluice_grid *g, const int32_t index[3])
{
    int32_t key[3] = {index[0], index[1], index[2]};
    wrap_index(g, key);
    const int32_t(*found)[3] = g->frame_count ? bsearch(key, g->frame, (size_t)g->frame_count,
                                                        sizeof *g->frame, compare_frames)
                                              : NULL;
    return found ? (int32_t)(found - (const int32_t(*)[3])g->frame) : -1;
}

/* Sorts and removes repeats; returns how many are left. */
static int64_t unique_frames(int32_t (*frame)[3], int64_t n)
{
    int64_t kept = 0;
    qsort(frame, (size_t)n, sizeof *frame, compare_frames);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || compare_frames(frame[i], frame[kept - 1]) != 0)
            memmove(frame[kept++], frame[i], sizeof *frame);
    return kept;
}

static void relative_frame(const struct sluice_grid *g, const int32_t centre[3], int k,
                           int32_t out[3])
{
    out[0] = centre[0] + k % 3 - 1;
    out[1] = centre[1] + k / 3 % 3 - 1;
    out[2] = centre[2] + k / 9 - 1;
    wrap_index(g, out);
}

sluice_status sluice_grid_set_frames(struct sluice_grid *g, const int32_t (*occupied)[3], int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            SLUICE_CHECK(llabs(occupied[i][c]) < FRAME_INDEX_LIMIT, SLUICE_IO,
                         "a particle has the frame index %d on axis %d, beyond the limit of %d",
                         (int)occupied[i][c], c, (int)FRAME_INDEX_LIMIT);
    const int first = g->dimension == 3 ? 0 : 9,
              last = g->dimension == 3 ? 27 : 18; /* relative frames of a plane in 2-D */
    int32_t(*own)[3];
    SLUICE_ALLOCATE(own, n, "frames");
    if (n > 0)
        memcpy(own, occupied, (size_t)n * sizeof *own);
    n = unique_frames(own, n);

    int32_t(*all)[3] = malloc((size_t)(n ? n : 1) * 27 * sizeof *all);
    int32_t(*neighbour)[27] = NULL;
    int64_t count = 0;
    if (all) {
        for (int64_t i = 0; i < n; i++)
            for (int k = first; k < last; k++)
                relative_frame(g, own[i], k, all[count++]);
        count = unique_frames(all, count);
        neighbour = malloc((size_t)(count ? count : 1) * sizeof *neighbour);
    }
    free(own);
    if (!all || !neighbour) {
        free(all);
        free(neighbour);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for a table of %lld frames",
                           (long long)n * 27);
    }
    free(g->frame);
    free(g->neighbour);
    g->frame = all;
    g->neighbour = neighbour;
    g->frame_count = (int)count;
    g->version++;
    for (int slot = 0; slot < g->frame_count; slot++)
        for (int k = 0; k < 27; k++) {
            int32_t index[3];
            relative_frame(g, g->frame[slot], k, index);
            g->neighbour[slot][k] = k >= first && k < last ? sluice_grid_find_frame(g, index) : -1;
        }
    return SLUICE_OK;
}

sluice_status sluice_grid_keep_frames(struct sluice_grid *g, const uint8_t *keep, int32_t *new_slot)
{
    const int count = g->frame_count;
    int64_t kept = 0;
    int32_t(*old)[3] = malloc(2 * ((size_t)count + 1) * sizeof *old);
    SLUICE_CHECK(old, SLUICE_DEVICE, "no memory for a table of %d frames", count);
    int32_t(*own)[3] = old + count;
    for (int slot = 0; slot < count; slot++) {
        memcpy(old[slot], g->frame[slot], sizeof *old);
        if (keep[slot])
            memcpy(own[kept++], g->frame[slot], sizeof *own);
    }
    const sluice_status status = sluice_grid_set_frames(g, (const int32_t(*)[3])own, kept);
    for (int slot = 0; slot < count && status == SLUICE_OK; slot++)
        new_slot[slot] = sluice_grid_find_frame(g, old[slot]);
    free(old);
    return status;
}

void sluice_grid_level(const struct sluice_grid *g, int64_t count, int log2_bins[3])
{
    int total = 0;
    for (int c = 0; c < 3; c++) {
        log2_bins[c] = c < g->dimension ? g->bins_log2[c] : 0;
        total += log2_bins[c];
    }
    while (total > 0 && (int64_t)1 << total > 4 * count) {
        int most = 0;
        for (int c = 1; c < 3; c++)
            if (log2_bins[c] > log2_bins[most])
                most = c;
        log2_bins[most]--;
        total--;
    }
}

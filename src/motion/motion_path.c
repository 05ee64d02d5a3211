/* The path through the rows of a motion's table: a low-pass filter, and a cubic in each interval.
 * A cubic is stored by the second derivatives at its two ends. */
#include "motion/motion_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "core/allocate.h"

enum { COLUMNS = SLUICE_TRACK_COLUMNS };
static const char *const column_name[COLUMNS] = {"x", "y", "z", "angle"};
static const char *const column_unit[COLUMNS] = {"m", "m", "m", "rad"};

/* How far a path may leave the range of the two rows around it, in the largest step between rows:
 * a sine of seven rows a period stays within it. */
#define OVERSHOOT_MOST 0.2

static double step_of(const struct sluice_track *s, int64_t i)
{
    return s->t[i + 1] - s->t[i];
}

static double slope_of(const struct sluice_track *s, int64_t i, int c)
{
    return (s->value[i + 1][c] - s->value[i][c]) / step_of(s, i);
}

/* --- Filter ------------------------------------------------------------------------------------
 */

/* Row k of the symmetric matrix R + lambda Q^T W^-1 Q, of five diagonals: itself and the two to its
 * right; after solve() those of L and D. */
struct band {
    double d, one, two;
    double gamma[COLUMNS];
};

/* Weight of a row: half of the intervals beside it, s. */
static double weight_of(const struct sluice_track *s, int64_t i)
{
    const double before = i > 0 ? step_of(s, i - 1) : 0;
    return 0.5 * (before + (i + 1 < s->count ? step_of(s, i) : 0));
}

/* Entries of column i of Q, for row i of the table, 0 < i < count - 1, in rows i - 1, i, i + 1. */
static void difference_of(const struct sluice_track *s, int64_t i, double q[3])
{
    q[0] = 1 / step_of(s, i - 1);
    q[2] = 1 / step_of(s, i);
    q[1] = -q[0] - q[2];
}

static void fill(const struct sluice_track *s, double lambda, struct band *a)
{
    for (int64_t i = 1; i < s->count - 1; i++) {
        struct band *row = &a[i - 1];
        const double w = weight_of(s, i), next = weight_of(s, i + 1);
        double q[3], q1[3] = {0}, q2[3] = {0};
        difference_of(s, i, q);
        if (i + 2 < s->count)
            difference_of(s, i + 1, q1);
        if (i + 3 < s->count)
            difference_of(s, i + 2, q2);
        row->d = (step_of(s, i - 1) + step_of(s, i)) / 3 +
                 lambda *
                     (q[0] * q[0] / weight_of(s, i - 1) + q[1] * q[1] / w + q[2] * q[2] / next);
        row->one = step_of(s, i) / 6 + lambda * (q[1] * q1[0] / w + q[2] * q1[1] / next);
        row->two = lambda * q[2] * q2[0] / next;
        for (int c = 0; c < COLUMNS; c++)
            row->gamma[c] = slope_of(s, i, c) - slope_of(s, i - 1, c);
    }
}

/* L D L^T of the band, in place, and the solution of its right sides (Green & Silverman 1994,
 * section 2.6.1). */
static void solve(struct band *a, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const double one = k > 0 ? a[k - 1].one : 0, two = k > 1 ? a[k - 2].two : 0;
        if (k > 1)
            a[k].d -= two * two * a[k - 2].d;
        if (k > 0) {
            a[k].d -= one * one * a[k - 1].d;
            a[k].one -= one * a[k - 1].two * a[k - 1].d;
        }
        a[k].one /= a[k].d;
        a[k].two /= a[k].d;
        for (int c = 0; c < COLUMNS; c++)
            a[k].gamma[c] -= (k > 0 ? one * a[k - 1].gamma[c] : 0) +
                             (k > 1 ? two * a[k - 2].gamma[c] : 0);
    }
    for (int64_t k = n - 1; k >= 0; k--)
        for (int c = 0; c < COLUMNS; c++)
            a[k].gamma[c] = a[k].gamma[c] / a[k].d -
                            (k + 1 < n ? a[k].one * a[k + 1].gamma[c] : 0) -
                            (k + 2 < n ? a[k].two * a[k + 2].gamma[c] : 0);
}

/* How far the filter moves row i: lambda W^-1 Q gamma. */
static double moved_by(const struct sluice_track *s, double lambda, const struct band *a, int64_t i,
                       int c)
{
    double q[3], sum = 0;
    for (int64_t k = i - 1; k <= i + 1; k++)
        if (k > 0 && k < s->count - 1) {
            difference_of(s, k, q);
            sum += q[i - k + 1] * a[k - 1].gamma[c];
        }
    return -lambda / weight_of(s, i) * sum;
}

/* The rows with those of the first 2/frequency seconds once more before them, mirrored in time: a
 * motion begins at rest, but may begin with its largest acceleration. The smoothing spline alone
 * has none at its ends. `before`: how many. */
static sluice_status mirror_start(const struct sluice_track *s, double frequency,
                                  struct sluice_track *m, int64_t *before)
{
    int64_t k = 0;
    while (k < s->count - 1 && s->t[k + 1] - s->t[0] <= 2 / frequency)
        k++;
    *before = k;
    m->count = s->count + k;
    SLUICE_ALLOCATE(m->t, m->count, "filter of a motion");
    SLUICE_ALLOCATE(m->value, m->count, "filter of a motion");
    for (int64_t i = 0; i < m->count; i++) {
        const int64_t from = i < k ? k - i : i - k;
        m->t[i] = i < k ? 2 * s->t[0] - s->t[from] : s->t[from];
        memcpy(m->value[i], s->value[from], sizeof m->value[i]);
    }
    return SLUICE_OK;
}

static sluice_status filter_rows(struct sluice_track *s, double frequency,
                                 const struct sluice_track *m, int64_t before)
{
    const double omega = 2 * acos(-1) * frequency, lambda = 1 / (omega * omega * omega * omega);
    struct band *a;
    SLUICE_ALLOCATE(a, m->count - 2, "filter of a motion");
    fill(m, lambda, a);
    solve(a, m->count - 2);
    for (int64_t i = 0; i < s->count; i++)
        for (int c = 0; c < COLUMNS; c++) {
            const double by = moved_by(m, lambda, a, i + before, c);
            s->value[i][c] += by;
            s->moved[c] = fmax(s->moved[c], fabs(by));
            s->first[c] = i == 0 ? fabs(by) : s->first[c];
            s->mean[c] += fabs(by) / (double)s->count;
        }
    free(a);
    return SLUICE_OK;
}

sluice_status sluice_track_filter(struct sluice_track *s, double frequency)
{
    struct sluice_track m = {0};
    int64_t before;
    if (s->count < 3)
        return SLUICE_OK;
    sluice_status status = mirror_start(s, frequency, &m, &before);
    if (status == SLUICE_OK)
        status = filter_rows(s, frequency, &m, before);
    free(m.t);
    free(m.value);
    return status;
}

/* --- Cubics ------------------------------------------------------------------------------------
 */

/* The cubic spline: a tridiagonal system (Press et al. 2007, section 3.3), for every column. In the
 * first and the last interval the second derivative is constant (parabolic run-out): a path may
 * begin at the crest of a sine. */
static sluice_status make_spline(struct sluice_track *s)
{
    const int64_t n = s->count;
    double *above;
    if (n < 3)
        return SLUICE_OK;
    SLUICE_ALLOCATE(above, (size_t)n, "spline of a motion");
    for (int64_t i = 1; i < n - 1; i++) {
        const double left = step_of(s, i - 1), right = step_of(s, i);
        const double ends = (i == 1 ? left : 0) + (i == n - 2 ? right : 0);
        const double pivot = 2 * (left + right) + ends - (i > 1 ? left * above[i - 1] : 0);
        above[i] = right / pivot;
        for (int c = 0; c < COLUMNS; c++) {
            const double bend = slope_of(s, i, c) - slope_of(s, i - 1, c);
            s->bend[i][0][c] = (6 * bend - (i > 1 ? left * s->bend[i - 1][0][c] : 0)) / pivot;
        }
    }
    for (int64_t i = n - 2; i > 0; i--)
        for (int c = 0; c < COLUMNS; c++)
            s->bend[i][0][c] -= i < n - 2 ? above[i] * s->bend[i + 1][0][c] : 0;
    memcpy(s->bend[0][0], s->bend[1][0], sizeof s->bend[0][0]);
    memcpy(s->bend[n - 1][0], s->bend[n - 2][0], sizeof s->bend[0][0]);
    for (int64_t i = 0; i < n - 1; i++)
        memcpy(s->bend[i][1], s->bend[i + 1][0], sizeof s->bend[i][1]);
    free(above);
    return SLUICE_OK;
}

/* The slope at a row of a path that is monotone wherever the rows are: the weighted harmonic mean
 * of the slopes beside it (Fritsch & Butland 1984, eq. 5, with the weights of Brodlie). */
static double monotone_slope(const struct sluice_track *s, int64_t i, int c)
{
    if (i == 0 || i == s->count - 1)
        return slope_of(s, i ? i - 1 : 0, c);
    const double a = slope_of(s, i - 1, c), b = slope_of(s, i, c);
    const double w = (step_of(s, i - 1) + 2 * step_of(s, i)) /
                     (3 * (step_of(s, i - 1) + step_of(s, i)));
    return a * b > 0 ? a * b / (w * b + (1 - w) * a) : 0;
}

static void make_monotone(struct sluice_track *s)
{
    for (int64_t i = 0; i < s->count - 1; i++)
        for (int c = 0; c < COLUMNS; c++) {
            const double h = step_of(s, i), mean = slope_of(s, i, c);
            const double from = monotone_slope(s, i, c), to = monotone_slope(s, i + 1, c);
            s->bend[i][0][c] = (6 * mean - 4 * from - 2 * to) / h;
            s->bend[i][1][c] = (2 * from + 4 * to - 6 * mean) / h;
        }
}

sluice_status sluice_track_make_path(struct sluice_track *s, int interpolation)
{
    SLUICE_ALLOCATE(s->bend, (size_t)s->count, "path of a motion");
    if (interpolation == SLUICE_INTERPOLATION_SPLINE)
        return make_spline(s);
    if (interpolation == SLUICE_INTERPOLATION_MONOTONE)
        make_monotone(s);
    return SLUICE_OK;
}

/* --- Overshoot ---------------------------------------------------------------------------------
 */

/* How far the cubic of an interval leaves the range of its two rows: its extrema are where the
 * first derivative, a quadratic in u = (t - t_i)/h, is 0. */
static double overshoot_of(const struct sluice_track *s, int64_t i, int c)
{
    const double h = step_of(s, i), m0 = s->bend[i][0][c], m1 = s->bend[i][1][c];
    const double a = 0.5 * (m1 - m0) * h, b = m0 * h,
                 first = slope_of(s, i, c) - (2 * m0 + m1) * h / 6;
    const double root = b * b - 4 * a * first;
    double most = 0;
    for (int side = -1; side <= 1 && root >= 0; side += 2) {
        const double q = -0.5 * (b + copysign(sqrt(root), b));
        const double u = side < 0 ? q / a : first / q;
        if (!(u > 0 && u < 1))
            continue;
        const double by = u * h * (first + u * (0.5 * b + u * a / 3));
        const double way = s->value[i + 1][c] - s->value[i][c];
        most = fmax(most, fmax(by - fmax(way, 0), fmin(way, 0) - by));
    }
    return most;
}

sluice_status sluice_track_check_overshoot(const struct sluice_track *s, const char *path)
{
    for (int c = 0; c < COLUMNS; c++) {
        double largest = 0, most = 0;
        int64_t at = 0;
        for (int64_t i = 0; i < s->count - 1; i++) {
            const double over = overshoot_of(s, i, c);
            largest = fmax(largest, fabs(s->value[i + 1][c] - s->value[i][c]));
            at = over > most ? i : at;
            most = fmax(most, over);
        }
        SLUICE_CHECK(
            most <= OVERSHOOT_MOST * largest, SLUICE_BAD_INPUT,
            "%s:%lld: between this row (t = %.6g) and the next (t = %.6g) the spline "
            "leaves the range of the two rows by %.3g %s in column %s, %.0f%% of the "
            "table's largest step; at most %.0f%% are taken for a path that was meant: add "
            "rows where it turns, or write interpolation = \"monotone\" or \"linear\" in "
            "the motion",
            path, (long long)s->line[at], s->t[at], s->t[at + 1], most, column_unit[c],
            column_name[c], 100 * most / largest, 100 * OVERSHOOT_MOST);
    }
    return SLUICE_OK;
}

sluice_status sluice_track_prepare(struct sluice_track *track, double filter, int interpolation,
                                   const char *path)
{
    if (filter > 0)
        SLUICE_TRY(sluice_track_filter(track, filter));
    SLUICE_TRY(sluice_track_make_path(track, interpolation));
    return sluice_track_check_overshoot(track, path);
}

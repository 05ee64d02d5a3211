#include "snapshots/lj_output.h"

#include <math.h>

#include "core/threads.h"
#include "grid/cell_lists.h"

enum { BLOCK = 1 << 10 }; /* particles that a thread takes at once */

/* u(r) of kernels/pair/pair_lj.h, in double: 4 eps [(s/r)^12 - (s/r)^6] + shift + slope (r - rc).
 * Softening is part of r and rc. */
struct potential {
    double eps4, sigma2, softening2, cutoff2;
    double rc, shift, slope;
};

static struct potential potential_of(const struct lj_params *p)
{
    struct potential u = {.eps4 = 4 * p->epsilon,
                          .sigma2 = p->epsilon > 0 ? p->sigma * p->sigma : 0,
                          .softening2 = p->softening * p->softening,
                          .cutoff2 = p->cutoff * p->cutoff};
    u.rc = sqrt(u.cutoff2 + u.softening2);
    const double s6 = pow(u.sigma2 / (u.rc * u.rc), 3);
    if (p->truncation >= 1) /* shift, force-shift */
        u.shift = -u.eps4 * s6 * (s6 - 1);
    if (p->truncation == 2)
        u.slope = 12 * u.eps4 * s6 * (s6 - 0.5) / u.rc;
    return u;
}

static double energy_at(const struct potential *u, double d2)
{
    const double r2 = d2 + u->softening2, s2 = u->sigma2 / r2, s6 = s2 * s2 * s2;
    const double linear = u->slope != 0 ? u->slope * (sqrt(r2) - u->rc) : 0;
    return u->eps4 * s6 * (s6 - 1) + u->shift + linear;
}

struct sums {
    const struct sluice_cell_lists *lists; /* of all particles, in their order */
    struct potential u;
    double tail, *potential;
};

/* The cell of a place, along periodic axes wrapped. */
static void wrapped_cell(const struct sluice_cell_lists *l, const double x[3], int64_t cell[3])
{
    sluice_cell_lists_cell(l, x, cell);
    for (int a = 0; a < l->dimension; a++)
        if (l->periodic[a])
            cell[a] = (cell[a] % l->cells[a] + l->cells[a]) % l->cells[a];
}

/* The square of the distance of two places, by the nearest periodic image. */
static double distance2(const struct sluice_cell_lists *l, const double a[3], const double b[3])
{
    double d2 = 0;
    for (int c = 0; c < l->dimension; c++) {
        double d = fabs(a[c] - b[c]);
        if (l->periodic[c] && 2 * d > l->length[c])
            d -= l->length[c];
        d2 += d * d;
    }
    return d2;
}

/* The energies of particle i with those of one cell. The list may hold other cells, too. */
static double sum_of_cell(const struct sums *s, int64_t i, const int64_t cell[3])
{
    const struct sluice_cell_lists *l = s->lists;
    double sum = 0;
    for (int64_t k = sluice_cell_lists_first(l, cell); k; k = l->next[k - 1]) {
        const double d2 = distance2(l, l->x[i], l->x[k - 1]);
        int64_t own[3];
        if (d2 >= s->u.cutoff2 || k - 1 == i)
            continue;
        wrapped_cell(l, l->x[k - 1], own);
        if (own[0] == cell[0] && own[1] == cell[1] && own[2] == cell[2])
            sum += energy_at(&s->u, d2);
    }
    return sum;
}

/* The cells around `centre` along an axis, each once: a periodic axis may have only one or two. */
static int cells_along(const struct sluice_cell_lists *l, int axis, int64_t centre, int64_t cell[3])
{
    const int64_t n = l->cells[axis];
    if (axis >= l->dimension || (l->periodic[axis] && n == 1)) {
        cell[0] = centre;
        return 1;
    }
    const int count = l->periodic[axis] && n == 2 ? 2 : 3;
    for (int k = 0; k < count; k++) {
        cell[k] = centre - 1 + k;
        if (l->periodic[axis])
            cell[k] = (cell[k] + n) % n;
    }
    return count;
}

static double energy_of_pairs(const struct sums *s, int64_t i)
{
    int64_t cell[3], along[3][3];
    int n[3];
    double sum = 0;
    wrapped_cell(s->lists, s->lists->x[i], cell);
    for (int a = 0; a < 3; a++)
        n[a] = cells_along(s->lists, a, cell[a], along[a]);
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int64_t at[3] = {along[0][x], along[1][y], along[2][z]};
                sum += sum_of_cell(s, i, at);
            }
    return sum;
}

static void sum_blocks(struct sluice_share *share, void *data)
{
    const struct sums *s = data;
    int64_t first, last;
    while (sluice_share_block(share, s->lists->count, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            s->potential[i] = energy_of_pairs(s, i) / 2 + s->tail;
}

sluice_status sluice_lj_potentials(const struct sluice_lj_output *lj, const struct sluice_grid *g,
                                   struct sluice_threads *team, double (*x)[3], int64_t count,
                                   double *potential)
{
    struct sluice_grid_options options = {.dimension = g->dimension};
    struct sluice_cell_lists lists;
    double volume = 1;
    for (int a = 0; a < g->dimension; a++) {
        options.low[a] = g->low[a];
        options.high[a] = g->high[a];
        options.periodic[a] = g->periodic[a];
        volume *= g->high[a] - g->low[a];
    }
    SLUICE_TRY(sluice_cell_lists_create(&lists, &options, lj->pair.cutoff, count));
    for (int64_t i = 0; i < count; i++)
        sluice_cell_lists_add(&lists, x[i]);
    struct sums s = {.lists = &lists,
                     .u = potential_of(&lj->pair),
                     .tail = lj->tail * (double)count / volume,
                     .potential = potential};
    sluice_threads_run(team, sluice_blocks(count, BLOCK), sum_blocks, &s);
    sluice_cell_lists_destroy(&lists);
    return SLUICE_OK;
}

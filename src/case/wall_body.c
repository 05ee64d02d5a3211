/* Whether a place lies inside walls of particles, at any angle to the lattice. It does within half
 * a spacing of a particle, or of the middle of two particles at most a cell's diagonal apart. So
 * holes between particles are inside, and the surface is half a spacing from the outermost
 * particles:
 *
 *      o   o   o   o        o  wall particles, a spacing apart
 *        h                  h  in a hole
 *      o   o   o   o
 *            f              f  outside: half a spacing or more below the last row */
#include <float.h>
#include <math.h>
#include <string.h>

#include "case/builder.h"

enum { NEAR_MOST = 128 };

/* The largest distance of two particles whose middle is within half a spacing of a place, m. */
static double reach_of(int dimension, double spacing)
{
    return (0.5 + 0.5 * sqrt(dimension)) * spacing;
}

sluice_status sluice_wall_body_create(struct sluice_wall_body *body,
                                      const struct sluice_case_builder *b, int64_t capacity)
{
    *body = (struct sluice_wall_body){.spacing = b->config->spacing};
    for (int a = 0; a < 3; a++) {
        body->low[a] = DBL_MAX;
        body->high[a] = -DBL_MAX;
    }
    return sluice_cell_lists_create(&body->lists, &b->c->grid,
                                    reach_of(b->config->dimension, body->spacing), capacity);
}

void sluice_wall_body_add(struct sluice_wall_body *body, const double x[3])
{
    sluice_cell_lists_add(&body->lists, x);
    for (int a = 0; a < body->lists.dimension; a++) {
        body->low[a] = fmin(body->low[a], x[a]);
        body->high[a] = fmax(body->high[a], x[a]);
    }
}

/* Wall particles within reach of a place. */
struct near {
    int count;
    double way[NEAR_MOST][3]; /* to them, m */
    double least2;            /* distance squared to the nearest, m^2 */
    int64_t nearest;          /* its index */
};

static void add_near(const struct sluice_wall_body *body, int64_t k, const double x[3],
                     struct near *n)
{
    const double reach = reach_of(body->lists.dimension, body->spacing);
    double way[3];
    const double d2 = sluice_cell_lists_way(&body->lists, k, x, way);
    const int nearer = d2 < n->least2;
    if (d2 > reach * reach * (1 + 1e-6) || (n->count == NEAR_MOST && !nearer))
        return;
    memcpy(n->way[n->count < NEAR_MOST ? n->count++ : NEAR_MOST - 1], way, sizeof way);
    if (nearer) {
        n->least2 = d2;
        n->nearest = k;
    }
}

static void find_near(const struct sluice_wall_body *body, const double x[3], struct near *n)
{
    const struct sluice_cell_lists *l = &body->lists;
    const int64_t deep = l->dimension == 3;
    int64_t cell[3], d[3];
    sluice_cell_lists_cell(l, x, cell);
    for (d[2] = -deep; d[2] <= deep; d[2]++)
        for (d[1] = -1; d[1] <= 1; d[1]++)
            for (d[0] = -1; d[0] <= 1; d[0]++) {
                const int64_t at[3] = {cell[0] + d[0], cell[1] + d[1], cell[2] + d[2]};
                for (int64_t k = sluice_cell_lists_first(l, at); k; k = l->next[k - 1])
                    add_near(body, k - 1, x, n);
            }
}

/* Whether two particles are neighbours in a lattice of walls, with the place between them: within
 * half a spacing of their middle. Across a diagonal the limit is 0.3 spacings: it closes the middle
 * of a cell, and fluid may still come near the edge of a corner of walls. */
static int holds_between(const struct sluice_wall_body *body, const double v[3], const double w[3])
{
    const int dimension = body->lists.dimension;
    const double dp2 = body->spacing * body->spacing;
    double apart2 = 0, middle2 = 0;
    for (int a = 0; a < dimension; a++) {
        apart2 += (v[a] - w[a]) * (v[a] - w[a]);
        middle2 += 0.25 * (v[a] + w[a]) * (v[a] + w[a]);
    }
    if (apart2 > dimension * dp2 * (1 + 1e-6))
        return 0;
    return middle2 < (apart2 < 1.2 * dp2 ? 0.25 * (1 - 1e-6) : 0.3 * 0.3) * dp2;
}

int64_t sluice_wall_body_holds(const struct sluice_wall_body *body, const double x[3])
{
    struct near n = {.least2 = DBL_MAX};
    for (int a = 0; a < body->lists.dimension; a++)
        if (!body->lists.periodic[a] &&
            (x[a] < body->low[a] - body->spacing || x[a] > body->high[a] + body->spacing))
            return 0;
    find_near(body, x, &n);
    if (n.count > 0 && n.least2 < 0.25 * body->spacing * body->spacing * (1 - 1e-6))
        return n.nearest + 1;
    for (int i = 0; i < n.count; i++)
        for (int k = 0; k < i; k++)
            if (holds_between(body, n.way[i], n.way[k]))
                return n.nearest + 1;
    return 0;
}

int64_t sluice_wall_body_count_isolated(const struct sluice_wall_body *body)
{
    int64_t isolated = 0;
    for (int64_t k = 0; k < body->lists.count; k++) {
        struct near n = {.least2 = DBL_MAX};
        int others = 0;
        find_near(body, body->lists.x[k], &n); /* also finds particle k */
        for (int i = 0; i < n.count; i++)
            others += n.way[i][0] != 0 || n.way[i][1] != 0 || n.way[i][2] != 0;
        isolated += others == 0;
    }
    return isolated;
}

/* The point of an edge may lie beyond the points of the faces beside it, which turns triangles
 * over. Points of faces are free to move within them: those of such triangles go to the middle of
 * their neighbours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contour/contour_join.h"
#include "core/allocate.h"
#include "core/vector.h"

enum { ROUNDS = 10 };

struct mover {
    const struct sluice_contour *c;
    struct sluice_closed_surface *s;
    const double (*normal)[3];
    double (*sum)[3]; /* [points] of the neighbours */
    int *neighbours;  /* [points] -1: it stays */
};

/* Whether a triangle shows its other side. Beside an edge of the body the normal of the crossing
 * may be that of another face; there the distances tell. */
static int is_turned_over(const struct mover *m, int64_t triangle)
{
    const int32_t *t = m->s->triangle[triangle];
    const double *p = m->s->point[t[0]], *q = m->s->point[t[1]], *r = m->s->point[t[2]],
                 *step = m->c->grid->step;
    const double u[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]},
                 v[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]},
                 across[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                              u[0] * v[1] - u[1] * v[0]};
    const double size = sluice_norm(across), aside = 0.05 * fmin(step[0], fmin(step[1], step[2]));
    double beside[3], way[3];
    if (size < 1e-6 * step[0] * step[0])
        return 0;
    if (m->c->point[t[0]].rank + m->c->point[t[1]].rank + m->c->point[t[2]].rank == 3)
        return sluice_dot(across, m->normal[triangle]) < 0;
    for (int a = 0; a < 3; a++)
        beside[a] = (p[a] + q[a] + r[a]) / 3 + aside * across[a] / size;
    const double d = sluice_solid_union_distance(m->c->grid->u, beside, way);
    return d * sluice_dot(way, across) > 0;
}

/* Marks the points of faces that belong to triangles turned over. Returns how many there are. */
static int64_t mark(const struct mover *m)
{
    int64_t marked = 0;
    for (int64_t i = 0; i < m->s->points; i++)
        m->neighbours[i] = -1;
    for (int64_t i = 0; i < m->s->triangles; i++)
        for (int k = 0; k < 3 && is_turned_over(m, i); k++) {
            const int32_t point = m->s->triangle[i][k];
            if (m->c->point[point].rank > 1 || m->neighbours[point] >= 0)
                continue;
            m->neighbours[point] = 0;
            memset(m->sum[point], 0, sizeof m->sum[point]);
            marked++;
        }
    return marked;
}

/* Each edge is in one triangle from its one end, and in one from its other. */
static void add_neighbours(const struct mover *m)
{
    for (int64_t i = 0; i < 3 * m->s->triangles; i++) {
        const int32_t point = m->s->triangle[i / 3][i % 3],
                      next = m->s->triangle[i / 3][(i + 1) % 3];
        if (m->neighbours[point] < 0)
            continue;
        m->neighbours[point]++;
        for (int a = 0; a < 3; a++)
            m->sum[point][a] += m->s->point[next][a];
    }
}

static void move_points(const struct mover *m)
{
    const double *step = m->c->grid->step, far = fmax(step[0], fmax(step[1], step[2]));
    for (int64_t i = 0; i < m->s->points; i++) {
        double y[3], way[3];
        if (m->neighbours[i] <= 0)
            continue;
        for (int a = 0; a < 3; a++)
            y[a] = m->sum[i][a] / m->neighbours[i];
        if (fabs(sluice_solid_union_distance(m->c->grid->u, y, way)) > far)
            continue;
        for (int a = 0; a < 3; a++)
            m->s->point[i][a] = y[a] + way[a];
    }
}

/* Two points of an edge in the wrong order meet in the middle. */
static void join_points(const struct mover *m)
{
    for (int64_t i = 0; i < m->s->triangles; i++) {
        const int32_t *t = m->s->triangle[i];
        int32_t sharp[3];
        int count = 0;
        double y[3], way[3];
        for (int k = 0; k < 3; k++)
            if (m->c->point[t[k]].rank == 2)
                sharp[count++] = t[k];
        if (count != 2 || !is_turned_over(m, i))
            continue;
        for (int a = 0; a < 3; a++)
            y[a] = (m->s->point[sharp[0]][a] + m->s->point[sharp[1]][a]) / 2;
        sluice_solid_union_distance(m->c->grid->u, y, way);
        for (int a = 0; a < 3; a++)
            m->s->point[sharp[0]][a] = m->s->point[sharp[1]][a] = y[a] + way[a];
    }
}

sluice_status sluice_contour_untangle(const struct sluice_contour *c, const double (*normal)[3],
                                      struct sluice_closed_surface *s)
{
    struct mover m = {.c = c, .s = s, .normal = normal};
    SLUICE_ALLOCATE(m.neighbours, s->points, "points of a surface");
    m.sum = calloc((size_t)s->points, sizeof *m.sum);
    for (int k = 0; k < ROUNDS && m.sum && mark(&m) > 0; k++) {
        add_neighbours(&m);
        move_points(&m);
    }
    if (m.sum)
        join_points(&m);
    const int done = m.sum != NULL;
    free(m.sum);
    free(m.neighbours);
    SLUICE_CHECK(done, SLUICE_DEVICE, "no memory for %lld points of a surface",
                 (long long)s->points);
    return SLUICE_OK;
}

/* Faces of four corners or more. The readers cut each into a fan. A fan of a concave face would lie
 * outside it in parts; such a face is cut by ear clipping instead (Meisters 1975): an ear is a
 * corner whose triangle has no other corner in it.
 *
 * A face is looked at along the axis that its normal is closest to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/mesh_reader.h"

/* Steps of all ears of a file: some seconds. Corners of faces count by their square. */
#define STEPS_MOST 1e9
/* A face is warped if a corner is farther from its plane, in lengths of the face. */
#define WARPED 1e-3

struct face {
    int64_t n;
    int32_t *vertex; /* [n] in order */
    double (*at)[2]; /* [n] seen along the axis, anticlockwise */
    int64_t *previous, *next;
};

/* --- Signs --- */

/* Twice the area of a triangle, positive if anticlockwise, 0 if rounding may have made it. */
static double turn(const double a[2], const double b[2], const double c[2])
{
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]),
                 area = left - right;
    return fabs(area) > 4e-16 * (fabs(left) + fabs(right)) ? area : 0;
}

static int same_place(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Whether p lies in the triangle or on its edges. */
static int holds(const double a[2], const double b[2], const double c[2], const double p[2])
{
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

/* --- The plane of a face --- */

/* Newell's normal: the sum over the edges, twice the area in length. */
static void find_normal(const struct sluice_mesh *m, const struct face *f, double normal[3])
{
    const double *from = m->vertex[f->vertex[0]];
    normal[0] = normal[1] = normal[2] = 0;
    for (int64_t i = 1; i + 1 < f->n; i++) {
        const double *p = m->vertex[f->vertex[i]], *q = m->vertex[f->vertex[i + 1]];
        const double u[3] = {p[0] - from[0], p[1] - from[1], p[2] - from[2]},
                     v[3] = {q[0] - from[0], q[1] - from[1], q[2] - from[2]};
        for (int a = 0; a < 3; a++)
            normal[a] += u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
    }
}

/* Sets the places along the axis of the normal. Returns 0 if the face has no area. */
static int project(const struct sluice_mesh *m, struct face *f, const double normal[3])
{
    int axis = 0;
    for (int a = 1; a < 3; a++)
        if (fabs(normal[a]) > fabs(normal[axis]))
            axis = a;
    const int up = (axis + 1 + (normal[axis] < 0)) % 3, side = 3 - axis - up;
    for (int64_t i = 0; i < f->n; i++) {
        const double *x = m->vertex[f->vertex[i]];
        f->at[i][0] = x[up];
        f->at[i][1] = x[side];
    }
    return normal[axis] != 0;
}

/* How far corners are from the plane through their middle. */
static void measure_warp(struct sluice_mesh *m, const struct face *f, const double normal[3])
{
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] +
                               normal[2] * normal[2]);
    double middle[3] = {0, 0, 0}, off = 0, size2 = 0;
    for (int64_t i = 0; i < f->n; i++)
        for (int a = 0; a < 3; a++)
            middle[a] += m->vertex[f->vertex[i]][a] / (double)f->n;
    for (int64_t i = 0; i < f->n; i++) {
        double along = 0, r2 = 0;
        for (int a = 0; a < 3; a++) {
            const double d = m->vertex[f->vertex[i]][a] - middle[a];
            along += d * normal[a] / length;
            r2 += d * d;
        }
        off = fmax(off, fabs(along));
        size2 = fmax(size2, 4 * r2);
    }
    if (!(off > WARPED * sqrt(size2)))
        return;
    m->warped++;
    if (off > m->warped_by) {
        m->warped_by = off;
        memcpy(m->warped_at, middle, sizeof middle);
    }
}

/* --- Ears --- */

/* The fan is right where no triangle of it is the wrong way round. */
static int fan_fits(const struct face *f)
{
    for (int64_t i = 1; i + 1 < f->n; i++)
        if (turn(f->at[0], f->at[i], f->at[i + 1]) < 0)
            return 0;
    return 1;
}

/* Corners in the same place are those where a bridge to a hole begins: they hide no ear. */
static int is_ear(const struct face *f, int64_t i)
{
    const int64_t before = f->previous[i], after = f->next[i];
    const double *a = f->at[before], *b = f->at[i], *c = f->at[after];
    for (int64_t k = f->next[after]; k != before; k = f->next[k]) {
        const double *p = f->at[k];
        if (!same_place(p, a) && !same_place(p, b) && !same_place(p, c) && holds(a, b, c, p))
            return 0;
    }
    return 1;
}

/* The next ear from corner i on. First those with an area; then corners on a straight line. -1:
 * there is none, as the face crosses itself. */
static int64_t find_ear(const struct face *f, int64_t i, int64_t left, double *steps)
{
    for (int flat = 0; flat < 2; flat++)
        for (int64_t k = 0; k < left; k++, i = f->next[i]) {
            const double area = turn(f->at[f->previous[i]], f->at[i], f->at[f->next[i]]);
            *steps += flat || area <= 0 ? 1 : (double)left;
            if (flat ? area == 0 : area > 0 && is_ear(f, i))
                return i;
            if (*steps > STEPS_MOST)
                return -1;
        }
    return -1;
}

/* Cuts off ear after ear into `triangle`. Returns 0 if that ends early. */
static int clip(struct face *f, int32_t (*triangle)[3], double *steps)
{
    int64_t from = 0;
    for (int64_t i = 0; i < f->n; i++) {
        f->previous[i] = i == 0 ? f->n - 1 : i - 1;
        f->next[i] = i == f->n - 1 ? 0 : i + 1;
    }
    for (int64_t left = f->n; left >= 3; left--) {
        const int64_t i = find_ear(f, from, left, steps);
        if (i < 0)
            return 0;
        const int64_t before = f->previous[i], after = f->next[i];
        int32_t *t = *triangle++;
        t[0] = f->vertex[before];
        t[1] = f->vertex[i];
        t[2] = f->vertex[after];
        f->next[before] = after;
        f->previous[after] = before;
        from = after;
    }
    return 1;
}

/* Compares areas: the triangles of a face that crosses itself do not add up to its own area. */
static int fills(const struct sluice_mesh *m, const struct face *f, const int32_t (*triangle)[3],
                 const double normal[3])
{
    double sum = 0, whole2 = 0;
    for (int64_t i = 0; i + 2 < f->n; i++) {
        struct face one = {.n = 3, .vertex = (int32_t *)triangle[i]};
        double part[3], along = 0;
        find_normal(m, &one, part);
        for (int a = 0; a < 3; a++)
            along += part[a] * normal[a];
        sum += fabs(along);
    }
    for (int a = 0; a < 3; a++)
        whole2 += normal[a] * normal[a];
    return fabs(sum - whole2) <= 1e-6 * whole2;
}

static void cut_face(struct sluice_mesh *m, struct face *f, int32_t (*triangle)[3],
                     int32_t (*cut)[3], double *steps)
{
    double normal[3];
    find_normal(m, f, normal);
    if (!project(m, f, normal))
        return; /* its triangles are flat */
    measure_warp(m, f, normal);
    if (fan_fits(f))
        return;
    if (clip(f, cut, steps) && fills(m, f, (const int32_t(*)[3])cut, normal)) {
        memcpy(triangle, cut, (size_t)(f->n - 2) * sizeof *triangle);
        m->concave++;
        return;
    }
    if (m->crossed++ == 0)
        memcpy(m->crossed_at, m->vertex[f->vertex[0]], sizeof m->crossed_at);
}

sluice_status sluice_mesh_cut_faces(const struct sluice_mesh_reader *r)
{
    struct sluice_mesh *m = r->mesh;
    struct face f = {0};
    int64_t most = 0;
    double steps = 0;
    for (int64_t i = 0; i < r->face_count; i++)
        most = r->face[i].corners > most ? r->face[i].corners : most;
    if (most == 0)
        return SLUICE_OK;
    int32_t(*cut)[3] = calloc((size_t)most, sizeof *cut);
    f.vertex = calloc((size_t)most, sizeof *f.vertex);
    f.at = calloc((size_t)most, sizeof *f.at);
    f.previous = calloc((size_t)most, sizeof *f.previous);
    f.next = calloc((size_t)most, sizeof *f.next);
    const int memory = cut && f.vertex && f.at && f.previous && f.next;
    for (int64_t i = 0; memory && i < r->face_count; i++) {
        int32_t(*fan)[3] = &m->triangle[r->face[i].triangle];
        f.n = r->face[i].corners;
        f.vertex[0] = fan[0][0];
        f.vertex[1] = fan[0][1];
        for (int64_t k = 2; k < f.n; k++)
            f.vertex[k] = fan[k - 2][2];
        cut_face(m, &f, fan, cut, &steps);
    }
    free(cut);
    free(f.vertex);
    free(f.at);
    free(f.previous);
    free(f.next);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for a face of %lld corners", (long long)most);
    return SLUICE_OK;
}

/* The part of a box that some half-spaces have in common is convex. Its faces are polygons: those
 * of the box, cut by the planes, and those of the planes, cut by the box and by each other. Each
 * triangle of them makes a tetrahedron with 0, whose moments are closed forms. Their signs add up
 * to the body, wherever 0 is. */
#include "bodies/cut_box.h"

#include <math.h>
#include <string.h>

#include "core/vector.h"

/* A convex polygon has one corner more for each cut. */
enum { CORNERS = 4 + 6 + SLUICE_CUTS_MOST };

struct polygon {
    int count;
    double corner[CORNERS][3];
};

/* Keeps what lies in a half-space (Sutherland & Hodgman 1974). */
static void clip(struct polygon *p, const struct sluice_half_space *side)
{
    struct polygon kept;
    kept.count = 0;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[(i + 1) % p->count];
        const double at_a = sluice_dot(side->normal, a) + side->offset,
                     at_b = sluice_dot(side->normal, b) + side->offset;
        if (at_a >= 0)
            memcpy(kept.corner[kept.count++], a, sizeof kept.corner[0]);
        if ((at_a >= 0) != (at_b >= 0) && kept.count < CORNERS) {
            const double t = at_a / (at_a - at_b);
            for (int k = 0; k < 3; k++)
                kept.corner[kept.count][k] = a[k] + t * (b[k] - a[k]);
            kept.count++;
        }
        if (kept.count == CORNERS)
            break;
    }
    *p = kept;
}

/* The half-space of the box that ends at its face across an axis. */
static struct sluice_half_space face_of(const double half[3], int axis, int high)
{
    struct sluice_half_space side = {.offset = half[axis]};
    side.normal[axis] = high ? -1 : 1;
    return side;
}

/* Adds the tetrahedra of 0 and the triangles of a polygon, whose outward normal is `out`. */
static void add_tetrahedra(const struct polygon *p, const double out[3], struct sluice_moments *m)
{
    for (int i = 2; i < p->count; i++) {
        const double *a = p->corner[0], *b = p->corner[i - 1], *c = p->corner[i];
        const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                     ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
        const double across[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2],
                                  ab[0] * ac[1] - ab[1] * ac[0]};
        if (sluice_dot(across, out) < 0)
            sluice_moments_add_tetrahedron(m, a, c, b);
        else
            sluice_moments_add_tetrahedron(m, a, b, c);
    }
}

static void add_face_of_box(const double half[3], int axis, int high,
                            const struct sluice_half_space *side, int count,
                            struct sluice_moments *m)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    struct polygon p = {.count = 4};
    double out[3] = {0, 0, 0};
    out[axis] = high ? 1 : -1;
    for (int k = 0; k < 4; k++) {
        p.corner[k][axis] = out[axis] * half[axis];
        p.corner[k][u] = k == 1 || k == 2 ? half[u] : -half[u];
        p.corner[k][v] = k >= 2 ? half[v] : -half[v];
    }
    for (int k = 0; k < count && p.count > 0; k++)
        clip(&p, &side[k]);
    add_tetrahedra(&p, out, m);
}

static void add_face_of_plane(const double half[3], const struct sluice_half_space *side, int count,
                              int plane, struct sluice_moments *m)
{
    const double *n = side[plane].normal, out[3] = {-n[0], -n[1], -n[2]};
    const double far = 2 * (half[0] + half[1] + half[2]);
    const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                      : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                           : 2;
    double u[3] = {0, 0, 0}, v[3];
    u[least] = 1;
    for (int k = 0; k < 3; k++)
        u[k] -= n[least] * n[k];
    const double length = sluice_norm(u);
    for (int k = 0; k < 3; k++)
        u[k] /= length;
    v[0] = n[1] * u[2] - n[2] * u[1];
    v[1] = n[2] * u[0] - n[0] * u[2];
    v[2] = n[0] * u[1] - n[1] * u[0];
    struct polygon p = {.count = 4};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            p.corner[i][k] = -side[plane].offset * n[k] + (i == 1 || i == 2 ? far : -far) * u[k] +
                             (i >= 2 ? far : -far) * v[k];
    for (int k = 0; k < 6 && p.count > 0; k++) {
        const struct sluice_half_space face = face_of(half, k / 2, k % 2);
        clip(&p, &face);
    }
    for (int k = 0; k < count && p.count > 0; k++)
        if (k != plane)
            clip(&p, &side[k]);
    add_tetrahedra(&p, out, m);
}

/* Lists the planes that cut the box. Returns -1 if nothing is left. Two that are the same but for
 * rounding would both have the face that they share. */
static int list_cuts(const double half[3], const struct sluice_half_space *side, int count,
                     struct sluice_half_space cut[SLUICE_CUTS_MOST])
{
    const double rounding = 1e-12 * (half[0] + half[1] + half[2]);
    int cuts = 0;
    for (int k = 0; k < count; k++) {
        const double *n = side[k].normal,
                     reach = fabs(n[0]) * half[0] + fabs(n[1]) * half[1] + fabs(n[2]) * half[2];
        int known = 0;
        if (side[k].offset <= rounding - reach)
            return -1;
        if (side[k].offset >= reach - rounding)
            continue;
        for (int i = 0; i < cuts; i++)
            known |= sluice_dot(n, cut[i].normal) > 1 - 1e-12 &&
                     fabs(side[k].offset - cut[i].offset) < rounding;
        if (!known && cuts < SLUICE_CUTS_MOST)
            cut[cuts++] = side[k];
    }
    return cuts;
}

void sluice_cut_box_moments(int dimension, const double half[3],
                            const struct sluice_half_space *side, int count,
                            struct sluice_moments *m)
{
    const double zero[3] = {0, 0, 0}, wide[3] = {half[0], half[1], dimension == 3 ? half[2] : 0};
    struct sluice_half_space cut[SLUICE_CUTS_MOST];
    const int cuts = list_cuts(wide, side, count, cut);
    memset(m, 0, sizeof *m);
    if (cuts < 0)
        return;
    if (cuts == 0) {
        sluice_moments_of_box(dimension, zero, wide, m);
        return;
    }
    if (dimension == 2) {
        struct polygon p = {.count = 4,
                            .corner = {{-half[0], -half[1], 0},
                                       {half[0], -half[1], 0},
                                       {half[0], half[1], 0},
                                       {-half[0], half[1], 0}}};
        for (int k = 0; k < cuts && p.count > 0; k++)
            clip(&p, &cut[k]);
        for (int i = 0; i < p.count; i++)
            sluice_moments_add_triangle(m, p.corner[i], p.corner[(i + 1) % p.count]);
        return;
    }
    for (int k = 0; k < 6; k++)
        add_face_of_box(half, k / 2, k % 2, cut, cuts, m);
    for (int k = 0; k < cuts; k++)
        add_face_of_plane(half, cut, cuts, k, m);
}

/* The balls that stand for the points of a body: each lies inside the body and touches its surface
 * at the point, on an edge or in a corner its faces beside the point.
 *
 *      +---------            x  a point in a corner
 *      |  ( )                c  the centre of its ball: the nearest to x of all places at least
 *      x---------               a radius deep
 *
 * The nearest surface of another solid is sought from the centre, which is outside that solid as
 * long as the overlap is less than the radius. There it is unique. From a point itself it is not:
 * on the rim of two faces that lie flush upon each other a side is nearer than the face. */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/vector.h"

enum { PLANES = 3 };

/* Planes of the surface near a point: normal . x = place. */
struct planes {
    int count;
    double normal[PLANES][3], place[PLANES];
};

/* Solves m x = b of n equations with a symmetric, positive matrix; 0: it is singular. */
static int solve(int n, double m[PLANES][PLANES], double b[PLANES])
{
    for (int i = 0; i < n; i++) {
        if (!(m[i][i] > 1e-6))
            return 0;
        for (int k = i + 1; k < n; k++) {
            const double factor = m[k][i] / m[i][i];
            for (int j = i; j < n; j++)
                m[k][j] -= factor * m[i][j];
            b[k] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= m[i][j] * b[j];
        b[i] /= m[i][i];
    }
    return 1;
}

/* The place nearest to x that is `radius` beneath all planes. */
static int move_beneath(const struct planes *p, const double x[3], double radius, double centre[3])
{
    double gram[PLANES][PLANES], share[PLANES];
    for (int i = 0; i < p->count; i++) {
        share[i] = p->place[i] - radius - sluice_dot(p->normal[i], x);
        for (int k = 0; k < p->count; k++)
            gram[i][k] = sluice_dot(p->normal[i], p->normal[k]);
    }
    if (!solve(p->count, gram, share))
        return 0;
    memcpy(centre, x, 3 * sizeof centre[0]);
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < 3; a++)
            centre[a] += share[i] * p->normal[i][a];
    return 1;
}

/* The direction into the body, by differences of the distance. */
static int find_inward(const struct sluice_contacts *c, int solid, const double x[3], double h,
                       double inward[3])
{
    double at[3], way[3];
    memcpy(at, x, sizeof at);
    memset(inward, 0, 3 * sizeof inward[0]);
    for (int a = 0; a < c->dimension; a++) {
        at[a] = x[a] + h;
        inward[a] -= sluice_contact_depth(c, solid, at, way);
        at[a] = x[a] - h;
        inward[a] += sluice_contact_depth(c, solid, at, way);
        at[a] = x[a];
    }
    const double length = sluice_norm(inward);
    for (int a = 0; a < 3; a++)
        inward[a] /= length;
    return length > 0.1 * h;
}

/* Adds the planes that the centre is less than a radius beneath, one after the other. */
static int fit_ball(const struct sluice_contacts *c, int solid, const double x[3], double radius,
                    double centre[3])
{
    struct planes p = {0};
    double inward[3], at[3], way[3];
    if (!find_inward(c, solid, x, radius, inward))
        return 0;
    memcpy(centre, x, 3 * sizeof centre[0]);
    while (1) {
        for (int a = 0; a < 3; a++)
            at[a] = centre[a] + (p.count == 0 ? 1 : 0.05) * radius * inward[a];
        const double depth = -sluice_contact_depth(c, solid, at, way);
        if (p.count > 0 && depth > radius * (1 - 1e-6))
            return 1;
        if (!(depth > 0) || p.count == c->dimension)
            return 0;
        const int i = p.count++;
        for (int a = 0; a < 3; a++) {
            p.normal[i][a] = way[a] / depth;
            p.place[i] += p.normal[i][a] * (at[a] + way[a]);
        }
        if (!move_beneath(&p, x, radius, centre))
            return 0;
    }
}

/* A tip may reach beyond its ball by so many spacings. */
static const double beyond_most = 0.11;

double sluice_contact_place_ball(const struct sluice_contacts *c, int solid, const double x[3],
                                 double centre[3])
{
    for (int halves = 0; halves < 6; halves++) {
        const double radius = ldexp(SLUICE_CONTACT_BALL * c->spacing, -halves);
        if (!fit_ball(c, solid, x, radius, centre))
            continue;
        const double to[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
        if (sluice_norm(to) - radius < beyond_most * c->spacing)
            return radius;
    }
    memcpy(centre, x, 3 * sizeof centre[0]);
    return 0;
}

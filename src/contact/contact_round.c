/* Discs, spheres and cylinders. Points on them would make polygons, which do not roll. A circle
 * touches where it is deepest, by the exact distance of the other solid:
 *
 *          ___
 *        /     \         C  its centre
 *       |   C   |        e  a place of contact: nearest to C of all places around it
 *        \  |  /         x  the deepest point of the circle, beneath C towards e
 *     _____\e/_____
 *           x
 *
 * A point of the body's surface that comes near says where to look: e begins at its nearest place,
 * and is improved until the circle's own point above e has e as its nearest one, too. So a disc in
 * a slot touches both edges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

/* Over dp: how near a point lies to a part that it is on; when e is found; how far beyond a point
 * an edge may be that touches between points. How far from the axis of a ring the normal must lean
 * (sine). */
static const double on_part = 0.05, found = 1e-7, reach = 0.75, lean_least = 0.05;
/* Directions have this many cells along an axis: no simple fraction, so that no usual slope lies on
 * the border of two. */
static const double cells_of_direction = 43.7;

/* --- At t = 0 --- */

static int is_round(const struct sluice_contacts *c, int shape)
{
    const int kind = c->geometry->config->shapes[shape].kind;
    return kind == SLUICE_SHAPE_DISC || kind == SLUICE_SHAPE_SPHERE ||
           kind == SLUICE_SHAPE_CYLINDER;
}

static void set_round(const struct sluice_contacts *c, const struct sluice_contact_solid *s,
                      int shape, struct sluice_contact_round *r)
{
    const struct sluice_solid *solid = &c->geometry->solid[shape];
    const struct sluice_shape *own = solid->shape;
    r->is_ring = own->kind == SLUICE_SHAPE_CYLINDER;
    r->radius = own->radius * own->scale;
    r->half = r->is_ring ? own->length / 2 * own->scale : 0;
    r->circles = r->is_ring ? (int)ceil(2 * r->half / c->spacing) + 1 : 1;
    sluice_solid_place(solid, own->centre, r->centre);
    for (int a = 0; a < 3; a++) {
        r->centre[a] = a < c->dimension ? r->centre[a] - s->centre[a] : 0;
        r->axis[a] = r->is_ring ? solid->rotation[a][own->axis] : 0;
    }
}

sluice_status sluice_contact_find_rounds(struct sluice_contacts *c, int body)
{
    struct sluice_contact_solid *s = &c->solid[body];
    int circles = 0;
    SLUICE_ALLOCATE(s->round, s->shapes, "round parts of a body");
    for (int k = 0; k < s->shapes && !s->combined; k++)
        if (is_round(c, s->shape[k])) {
            struct sluice_contact_round *r = &s->round[s->rounds++];
            set_round(c, s, s->shape[k], r);
            r->first = circles;
            circles += r->circles;
        }
    SLUICE_ALLOCATE(s->circle, circles, "round parts of a body");
    s->reach = circles > 0 ? reach * c->spacing : 0;
    for (int k = 0; k < s->rounds; k++)
        for (int i = 0; i < s->round[k].circles; i++) {
            const struct sluice_contact_round *r = &s->round[k];
            struct sluice_contact_circle *o = &s->circle[s->circles++];
            *o = (struct sluice_contact_circle){
                .part = k, .is_ring = r->is_ring, .radius = r->radius};
            const double along = r->is_ring ? r->half * (2.0 * i / (r->circles - 1) - 1) : 0;
            for (int a = 0; a < 3; a++)
                o->centre[a] = r->centre[a] + along * r->axis[a];
            memcpy(o->axis, r->axis, sizeof o->axis);
            o->weight = fmax(1, sqrt(2 * r->radius / c->spacing));
        }
    return SLUICE_OK;
}

/* How far x, from the body's centre, is from the round surface of a part; *along: its axis. */
static double distance_of(const struct sluice_contact_round *r, const double x[3], double *along)
{
    double to[3];
    for (int a = 0; a < 3; a++)
        to[a] = x[a] - r->centre[a];
    *along = sluice_dot(to, r->axis);
    for (int a = 0; a < 3; a++)
        to[a] -= *along * r->axis[a];
    return fabs(sluice_norm(to) - r->radius);
}

/* A point stands for the circle nearest to it. Those on the rim of a cylinder are -2 - (part). */
static int stands_for(const struct sluice_contacts *c, const struct sluice_contact_solid *s,
                      const double x[3])
{
    const double near = on_part * c->spacing;
    for (int k = 0; k < s->rounds; k++) {
        const struct sluice_contact_round *r = &s->round[k];
        double along;
        if (distance_of(r, x, &along) > near || fabs(along) > r->half + near)
            continue;
        if (!r->is_ring)
            return r->first;
        if (fabs(along) > r->half - near)
            return -2 - k;
        return r->first + (int)rint((along / r->half + 1) / 2 * (r->circles - 1));
    }
    return -1;
}

static int is_ball(const struct sluice_contact_solid *s)
{
    return s->shapes == 1 && s->rounds == 1 && !s->round->is_ring;
}

sluice_status sluice_contact_mark_rounds(struct sluice_contacts *c, int body, const double (*x)[3])
{
    struct sluice_contact_solid *s = &c->solid[body];
    struct sluice_contact_tree *t = &s->tree;
    if (s->circles == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(t->round, t->points, "points of a body");
    s->ball = is_ball(s);
    for (int64_t i = 0; i < t->points; i++) {
        double at[3] = {0, 0, 0};
        for (int a = 0; a < c->dimension; a++)
            at[a] = x[t->number[i]][a] - s->centre[a];
        t->round[i] = stands_for(c, s, at);
        s->ball = s->ball && t->round[i] == 0;
    }
    return SLUICE_OK;
}

/* --- Now --- */

/* The circle's overlap is at most its radius less the distance of its centre. */
int sluice_contact_is_far_ball(const struct sluice_contact_view *v)
{
    const double margin = SLUICE_CONTACT_MARGIN * v->c->spacing * (1 + 1e-9);
    double y[3], way[3];
    if (v->item->owner < 0 || !v->c->solid[v->item->owner].ball)
        return 0;
    const struct sluice_contact_circle *o = v->c->solid[v->item->owner].circle;
    sluice_contact_to_other(v, o->centre, y);
    return sluice_contact_distance(v->c, v->item->other, y, way) > o->radius + margin;
}

/* A place in the axes of a body at t = 0: whether it is on one of its round parts. */
static int is_on_round(const struct sluice_contacts *c, int body, const double x[3])
{
    const struct sluice_contact_solid *s = &c->solid[body];
    double from[3], along;
    for (int a = 0; a < 3; a++)
        from[a] = x[a] - s->centre[a];
    for (int k = 0; k < s->rounds; k++)
        if (distance_of(&s->round[k], from, &along) < found * c->spacing &&
            fabs(along) < s->round[k].half + found * c->spacing)
            return 1;
    return 0;
}

int sluice_contact_has_circle(const struct sluice_contact_view *v, int64_t point, const double y[3],
                              const struct sluice_contact_hit *hit)
{
    const struct sluice_contacts *c = v->c;
    const int owner = v->item->owner, other = v->item->other;
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(c, owner);
    double foot[3], own[3];
    if (tree->round && tree->round[point] <= -2) {
        sluice_matrix_transposed_times(v->turn, hit->normal, own);
        const double along = sluice_dot(own, c->solid[owner].round[-2 - tree->round[point]].axis);
        return 1 - along * along > lean_least * lean_least;
    }
    if (other < 0 || c->solid[other].rounds == 0)
        return 0;
    for (int a = 0; a < 3; a++)
        foot[a] = y[a] - hit->distance * hit->normal[a];
    return is_on_round(c, other, foot);
}

/* A circle in the axes of the other solid; `inner`: how far its own point is above the deepest one.
 */
struct circle {
    const struct sluice_contact_circle *at_start;
    double centre[3], axis[3], inner;
};

static void place_vector(const struct sluice_contact_view *v, const double p[3], double y[3])
{
    sluice_matrix_times(v->turn, p, y);
}

static struct circle place_circle(const struct sluice_contact_view *v, int number)
{
    const struct sluice_contact_circle *o = &v->c->solid[v->item->owner].circle[number];
    struct circle out = {.at_start = o, .inner = fmin(o->radius / 2, v->c->spacing)};
    place_vector(v, o->centre, out.centre);
    place_vector(v, o->axis, out.axis);
    for (int a = 0; a < 3; a++)
        out.centre[a] += v->by[a];
    return out;
}

/* The direction from the centre to e, in the plane of a ring. Returns 0 if it has none. */
static int direction_to(const struct circle *o, const double e[3], double u[3])
{
    for (int a = 0; a < 3; a++)
        u[a] = e[a] - o->centre[a];
    const double along = sluice_dot(u, o->axis);
    for (int a = 0; a < 3; a++)
        u[a] -= along * o->axis[a];
    const double length = sluice_norm(u);
    for (int a = 0; a < 3; a++)
        u[a] /= length > 0 ? length : 1;
    return length > 0;
}

/* The place nearest to the circle's point above e. Along a ring's axis e does not count. */
static int improve(const struct sluice_contact_view *v, const struct circle *o, const double e[3],
                   double next[3])
{
    double u[3], y[3], way[3];
    if (!direction_to(o, e, u))
        return 0;
    for (int a = 0; a < 3; a++)
        y[a] = o->centre[a] + (o->at_start->radius - o->inner) * u[a];
    if (!(sluice_contact_distance(v->c, v->item->other, y, way) > 0))
        return 0;
    for (int a = 0; a < 3; a++)
        next[a] = y[a] + way[a];
    return 1;
}

/* Steps contract towards the place by a nearly constant factor, which two of them give (Aitken).
 * Returns 0 if that leads to no place. */
static int find_place(const struct sluice_contact_view *v, const struct circle *o, double e[3])
{
    double one[3], two[3];
    for (int i = 0; i < 6; i++) {
        double first = 0, both = 0, second = 0;
        if (!improve(v, o, e, one))
            return 0;
        for (int a = 0; a < 3; a++)
            first += (one[a] - e[a]) * (one[a] - e[a]);
        if (sqrt(first) < found * v->c->spacing) {
            memcpy(e, one, sizeof one);
            return 1;
        }
        if (!improve(v, o, one, two))
            return 0;
        for (int a = 0; a < 3; a++) {
            both += (one[a] - e[a]) * (two[a] - one[a]);
            second += (two[a] - one[a]) * (two[a] - one[a]);
        }
        const double factor = both / first;
        if (!(factor < 1))
            return 0;
        for (int a = 0; a < 3; a++)
            e[a] = second < first ? one[a] + (two[a] - one[a]) / (1 - factor) : two[a];
    }
    return 0;
}

/* The cell of a direction. */
static int64_t cell_of(const double normal[3])
{
    int64_t cell = 0;
    for (int a = 2; a >= 0; a--)
        cell = 128 * cell + (int64_t)rint(cells_of_direction * normal[a]) + 64;
    return cell;
}

/* Whether the circle's point, in the owner's axes from its centre, is inside another part of it. */
static int is_within_owner(const struct sluice_contact_view *v, const double arm[3])
{
    const struct sluice_contact_solid *s = &v->c->solid[v->item->owner];
    double x[3], way[3];
    if (s->shapes == 1)
        return 0;
    for (int a = 0; a < 3; a++)
        x[a] = s->centre[a] + arm[a];
    return sluice_contact_distance(v->c, v->item->owner, x, way) < -1e-3 * v->c->spacing;
}

static int is_known(const struct sluice_contact_view *v, const struct sluice_contact_buffer *b,
                    int64_t number)
{
    for (int64_t i = v->item->first; i < b->count; i++)
        if (b->touch[i].point == number)
            return 1;
    return 0;
}

/* Between two bodies the points of both count, each with half of k. Where the other one is not
 * round, the circle counts alone. */
static double weight_of(const struct sluice_contact_view *v, const struct circle *o,
                        const double foot[3])
{
    const int other = v->item->other, alone = other >= 0 && !is_on_round(v->c, other, foot);
    return o->at_start->weight * (alone ? 2 : 1);
}

/* Whether a circle already knows the face that a point sees. */
static int is_seen(const struct sluice_contact_view *v, int number, const double normal[3])
{
    return v->seen->circle[number % 3] == number &&
           sluice_dot(v->seen->normal[number % 3], normal) > 1 - 1e-12;
}

static int is_convex_shape(const struct sluice_contacts *c, int shape)
{
    const int kind = c->geometry->config->shapes[shape].kind;
    return is_round(c, shape) || kind == SLUICE_SHAPE_BOX || kind == SLUICE_SHAPE_CONE ||
           kind == SLUICE_SHAPE_HALF_SPACE;
}

int sluice_contact_is_done(const struct sluice_contact_view *v)
{
    const struct sluice_contacts *c = v->c;
    const int other = v->item->other;
    if (v->seen->circle[0] != 0 || v->item->owner < 0 || !is_ball(&c->solid[v->item->owner]))
        return 0;
    if (other >= 0)
        return c->solid[other].shapes == 1 && !c->solid[other].combined &&
               is_convex_shape(c, c->solid[other].shape[0]);
    const struct sluice_contact_wall *w = &c->wall[-1 - other];
    return !w->combined && !c->periodic[0] && !c->periodic[1] && !c->periodic[2] &&
           (w->side >= 0 || is_convex_shape(c, w->shape));
}

/* Whether a normal is opposite to u, in the plane of a ring. It is not where the circle of y
 * crosses the surface. */
static int is_opposite(const struct circle *o, const double u[3], const double normal[3])
{
    const double along = sluice_dot(normal, o->axis);
    return -sluice_dot(u, normal) > sqrt(fmax(0, 1 - along * along)) - 1e-6;
}

/* Finds where a circle touches, from e on: u leads there from its centre. Where it is deeper inside
 * than its own points, its centre looks for the nearest surface. */
static int find_touch(const struct sluice_contact_view *v, struct circle *o, double e[3],
                      double u[3], struct sluice_contact_hit *hit)
{
    const double radius = o->at_start->radius;
    double y[3];
    if (find_place(v, o, e) && direction_to(o, e, u)) {
        for (int a = 0; a < 3; a++)
            y[a] = o->centre[a] + (radius - o->inner) * u[a];
        if (sluice_contact_look(v->c, v->item->other, y, 2 * o->inner, hit) ==
                SLUICE_CONTACT_SEEN &&
            is_opposite(o, u, hit->normal))
            return 1;
    }
    if (sluice_contact_look(v->c, v->item->other, o->centre, 2 * radius, hit) !=
        SLUICE_CONTACT_SEEN)
        return 0;
    for (int a = 0; a < 3; a++) {
        y[a] = o->centre[a] - hit->normal[a];
        e[a] = o->centre[a] - hit->distance * hit->normal[a];
    }
    o->inner = radius;
    return direction_to(o, y, u);
}

static sluice_status test_circle(const struct sluice_contact_view *v, int number,
                                 const double place[3], double *gap,
                                 struct sluice_contact_buffer *b)
{
    struct circle o = place_circle(v, number);
    struct sluice_contact_hit hit;
    double e[3] = {place[0], place[1], place[2]}, u[3], x[3], arm[3];
    if (!find_touch(v, &o, e, u, &hit))
        return SLUICE_OK;
    v->seen->circle[number % 3] = number;
    memcpy(v->seen->normal[number % 3], hit.normal, sizeof hit.normal);
    const double lean = -sluice_dot(u, hit.normal), overlap = o.inner * lean - hit.distance;
    if (lean < lean_least)
        return SLUICE_OK;
    if (-overlap < *gap)
        *gap = overlap > 0 ? 0 : -overlap;
    const int64_t key = sluice_contact_tree_of(v->c, v->item->owner)->points +
                        (int64_t)number * SLUICE_CONTACT_DIRECTIONS + cell_of(hit.normal);
    if (!(overlap > 1e-12 * v->c->spacing) || is_known(v, b, key))
        return SLUICE_OK;
    sluice_matrix_transposed_times(v->turn, u, x);
    for (int a = 0; a < 3; a++)
        arm[a] = o.at_start->centre[a] + o.at_start->radius * x[a];
    if (is_within_owner(v, arm))
        return SLUICE_OK;
    SLUICE_TRY(sluice_contact_add_touch(v, key, arm, &hit, overlap, b));
    b->touch[b->count - 1].weight = weight_of(v, &o, e);
    return SLUICE_OK;
}

sluice_status sluice_contact_test_circles(const struct sluice_contact_view *v, int64_t point,
                                          const double y[3], const struct sluice_contact_hit *hit,
                                          double *gap, struct sluice_contact_buffer *b)
{
    const struct sluice_contact_solid *s = &v->c->solid[v->item->owner];
    const int number = s->tree.round[point];
    const struct sluice_contact_round *r = &s->round[s->circle[number].part];
    double e[3];
    for (int a = 0; a < 3; a++)
        e[a] = y[a] - hit->distance * hit->normal[a];
    for (int k = number - r->is_ring; k <= number + r->is_ring; k++)
        if (k >= r->first && k < r->first + r->circles && !is_seen(v, k, hit->normal))
            SLUICE_TRY(test_circle(v, k, e, gap, b));
    return SLUICE_OK;
}

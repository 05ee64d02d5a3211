/* Which points of a body are inside another solid. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

/* An overlap below this part of dp is none: its force is nothing, and its normal is uncertain. */
static const double least_overlap = 1e-12;
/* The part of the speed along a normal askew below which an edge slides past another. */
static const double sliding = 0.2;

/* --- Walls that move --- */

/* The rotation about the motion's axis, as sluice_motions_carry_back undoes it. */
static void move_wall(const struct sluice_contacts *c, struct sluice_contact_wall *w, double time)
{
    struct sluice_displacement d;
    struct sluice_pose *pose = &w->pose;
    memset(pose, 0, sizeof *pose);
    for (int a = 0; a < 3; a++)
        pose->turn[a][a] = 1;
    if (w->motion < 0)
        return;
    const int axis = c->dimension == 2 ? 2 : c->motions->config->motions[w->motion].axis,
              p = (axis + 1) % 3, q = (axis + 2) % 3;
    sluice_motions_at(c->motions, w->motion, time, &d);
    for (int a = 0; a < 3; a++) {
        pose->centre[a] = w->centre[a] + d.x[a];
        pose->velocity[a] = d.velocity[a];
    }
    pose->spin[axis] = d.spin;
    pose->turn[p][p] = pose->turn[q][q] = cos(d.angle);
    pose->turn[q][p] = sin(d.angle);
    pose->turn[p][q] = -sin(d.angle);
}

/* --- Points of a chunk --- */

/* Whether a ball about y is apart from the box of the other; a periodic wall has none. */
static int is_apart(const struct sluice_contact_view *v, const double y[3], double radius)
{
    const struct sluice_contacts *c = v->c;
    const int other = v->item->other;
    if (other >= 0)
        return sluice_contact_is_beyond(c->dimension, c->solid[other].low, c->solid[other].high, y,
                                        radius);
    const struct sluice_contact_wall *w = &c->wall[-1 - other];
    const struct sluice_solid *solid = &c->geometry->solid[w->shape];
    return w->side < 0 && !c->periodic[0] && !c->periodic[1] && !c->periodic[2] &&
           sluice_contact_is_beyond(c->dimension, solid->low, solid->high, y, radius);
}

/* The face of a point's owner that looks along -normal, from the ball's centre: *out leads out of
 * the owner, in the axes of the other. Returns 0 if the owner is not flat there. */
static int find_own_face(const struct sluice_contact_view *v, int64_t point, const double normal[3],
                         double out[3])
{
    const struct sluice_contacts *c = v->c;
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(c, v->item->owner);
    const double *centre = sluice_contact_centre(c, v->item->owner), r = tree->radius[point];
    double own[3], at[3], way[3], face[3], side[3];
    sluice_matrix_transposed_times(v->turn, normal, own);
    for (int a = 0; a < 3; a++)
        at[a] = centre[a] + tree->point[point][a] - r / 2 * own[a];
    const double depth = -sluice_contact_depth(c, v->item->owner, at, way);
    if (!(r > 0) || !(depth > 0))
        return 0;
    for (int a = 0; a < 3; a++)
        face[a] = way[a] / depth;
    const double along = sluice_dot(face, own);
    for (int a = 0; a < 3; a++)
        side[a] = along * face[a] - own[a];
    const double length = sluice_norm(side);
    for (int a = 0; a < 3; a++)
        at[a] = centre[a] + tree->point[point][a] + (length > 0 ? r * side[a] / length : 0);
    sluice_matrix_times(v->turn, face, out);
    return -sluice_contact_depth(c, v->item->owner, at, way) > r * (1 - 1e-6);
}

/* Two edges meet askew. If one slides past the other along a face, the damper takes its normal. */
static void damp_sliding(const struct sluice_contact_view *v, const double normal[3],
                         const double face[3], struct sluice_contact_touch *t)
{
    const double along = sluice_dot(face, normal), askew = fabs(sluice_dot(t->velocity, t->normal));
    double one[3], world[3];
    for (int k = 0; k < 2; k++) { /* the face, and the one across it */
        for (int a = 0; a < 3; a++)
            one[a] = k == 0 ? face[a] : normal[a] - along * face[a];
        const double length = sluice_norm(one);
        sluice_matrix_times(v->other->turn, one, world);
        if (!(length > 0.01) || fabs(sluice_dot(t->velocity, world)) > sliding * length * askew)
            continue;
        for (int a = 0; a < 3; a++)
            t->damped[a] = world[a] / length;
        return;
    }
}

/* Sets the direction of the damper. At an edge of the other solid the ball of a point on a flat
 * face has a normal askew. A body that slides onto that edge would be braked, so the damper takes
 * the normal of the face. */
static void set_damped(const struct sluice_contact_view *v, int64_t point, const double y[3],
                       const struct sluice_contact_hit *hit, struct sluice_contact_touch *t)
{
    const double beneath = hit->distance + 0.01 * v->c->spacing;
    double at[3], way[3], own[3];
    if (!(hit->distance > 0) || sluice_dot(hit->normal, v->seen->flat) > 1 - 1e-12)
        return;
    for (int a = 0; a < 3; a++)
        at[a] = y[a] - beneath * hit->normal[a];
    const double depth = -sluice_contact_distance(v->c, v->item->other, at, way);
    if (depth > 0 && sluice_dot(way, hit->normal) > depth * (1 - 1e-9)) {
        memcpy(v->seen->flat, hit->normal, sizeof hit->normal);
        return;
    }
    if (find_own_face(v, point, hit->normal, own)) {
        sluice_matrix_times(v->other->turn, own, t->damped);
        for (int a = 0; a < 3; a++)
            t->damped[a] = -t->damped[a];
        return;
    }
    for (int a = 0; a < 3; a++)
        way[a] /= depth > 0 ? depth : 1;
    if (depth > 0)
        damp_sliding(v, hit->normal, way, t);
}

/* Adds the touch of a ball about y. The point of contact is where the ball is deepest. */
static sluice_status add_ball(const struct sluice_contact_view *v, int64_t point, const double y[3],
                              const struct sluice_contact_hit *hit, struct sluice_contact_buffer *b)
{
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(v->c, v->item->owner);
    double arm[3], own[3];
    sluice_matrix_transposed_times(v->turn, hit->normal, own);
    for (int a = 0; a < 3; a++)
        arm[a] = tree->point[point][a] - tree->radius[point] * own[a];
    SLUICE_TRY(
        sluice_contact_add_touch(v, point, arm, hit, tree->radius[point] - hit->distance, b));
    set_damped(v, point, y, hit, &b->touch[b->count - 1]);
    return SLUICE_OK;
}

/* Inside, at a seam: looks from where the owner is, along its own surface's normal. */
static int look_past_seam(const struct sluice_contact_view *v, int64_t point, const double y[3],
                          struct sluice_contact_hit *hit)
{
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(v->c, v->item->owner);
    const double *centre = sluice_contact_centre(v->c, v->item->owner);
    double at[3], way[3], out[3];
    for (int a = 0; a < 3; a++)
        at[a] = centre[a] + tree->point[point][a];
    sluice_contact_depth(v->c, v->item->owner, at, way);
    const double length = sluice_norm(way);
    if (!(length > 0))
        return 0;
    for (int a = 0; a < 3; a++)
        way[a] /= -length;
    sluice_matrix_times(v->turn, way, out);
    return sluice_contact_look_from(v->c, v->item->other, y, out, hit);
}

/* How far beyond its points an owner's circles reach. */
static double reach_of(const struct sluice_contact_view *v)
{
    return v->item->owner >= 0 ? v->c->solid[v->item->owner].reach : 0;
}

/* *gap: of the nearest point so far, m; 0 once one touches. */
static sluice_status test_point(const struct sluice_contact_view *v, int64_t point, double *gap,
                                struct sluice_contact_buffer *b)
{
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(v->c, v->item->owner);
    const double radius = tree->radius[point];
    const int stands = tree->round ? tree->round[point] : -1;
    struct sluice_contact_hit hit;
    double y[3];
    sluice_contact_to_other(v, tree->point[point], y);
    if (is_apart(v, y, radius + fmax(*gap, reach_of(v))))
        return SLUICE_OK;
    const double most = radius - least_overlap * v->c->spacing + (stands >= 0 ? reach_of(v) : 0);
    const enum sluice_contact_sight sight = sluice_contact_look(v->c, v->item->other, y, most,
                                                                &hit);
    if (stands >= 0)
        return sight == SLUICE_CONTACT_NONE
                   ? SLUICE_OK
                   : sluice_contact_test_circles(v, point, y, &hit, gap, b);
    const double overlap = radius - hit.distance;
    if (-overlap < *gap)
        *gap = overlap > 0 ? 0 : -overlap;
    if (sight == SLUICE_CONTACT_NONE)
        return SLUICE_OK;
    if (sight == SLUICE_CONTACT_SEAM && !look_past_seam(v, point, y, &hit))
        return SLUICE_OK;
    return sluice_contact_has_circle(v, point, y, &hit) ? SLUICE_OK
                                                        : add_ball(v, point, y, &hit, b);
}

/* Walks down to the leaves whose balls reach into the other solid, or come nearer to it than any
 * point so far. */
static sluice_status test_chunk(const struct sluice_contact_view *v,
                                struct sluice_contact_buffer *b, double *gap)
{
    const struct sluice_contact_tree *tree = sluice_contact_tree_of(v->c, v->item->owner);
    const int end = tree->node[v->item->chunk].next;
    const double reach = reach_of(v);
    *gap = SLUICE_CONTACT_MARGIN * v->c->spacing;
    if (sluice_contact_is_far_ball(v))
        return SLUICE_OK;
    for (int i = v->item->chunk; i < end && !sluice_contact_is_done(v);) {
        const struct sluice_contact_node *node = &tree->node[i];
        double y[3], way[3];
        sluice_contact_to_other(v, node->centre, y);
        const double most = node->radius + fmax(*gap, reach);
        if (is_apart(v, y, most) || sluice_contact_distance(v->c, v->item->other, y, way) > most) {
            i = node->next;
            continue;
        }
        const int leaf = node->count <= SLUICE_CONTACT_LEAF;
        const int64_t last = node->first + (leaf ? node->count : 0);
        for (int64_t k = node->first; k < last && !sluice_contact_is_done(v); k++)
            SLUICE_TRY(test_point(v, k, gap, b));
        i = leaf ? node->next : i + 1;
    }
    return SLUICE_OK;
}

/* --- All --- */

enum { FEW = 4096 }; /* points that one thread tests before others have woken */

struct work {
    struct sluice_contacts *c;
    const struct sluice_pose *pose;
    atomic_int thread, failed;
};

static void test_items(struct sluice_share *share, void *data)
{
    struct work *w = data;
    struct sluice_contacts *c = w->c;
    const int thread = atomic_fetch_add(&w->thread, 1);
    struct sluice_contact_buffer *b = &c->buffer[thread];
    int64_t i;
    while (sluice_share_next(share, &i)) {
        struct sluice_contact_item *item = &c->item[i];
        struct sluice_contact_view v = sluice_contact_make_view(c, item, w->pose);
        struct sluice_contact_seen seen = {.circle = {-1, -1, -1}};
        v.seen = &seen;
        item->buffer = thread;
        item->first = b->count;
        if (test_chunk(&v, b, &item->gap) != SLUICE_OK)
            atomic_store(&w->failed, 1);
        item->count = b->count - item->first;
    }
}

static void copy_items(struct sluice_share *share, void *data)
{
    const struct work *w = data;
    struct sluice_contacts *c = w->c;
    int64_t i;
    while (sluice_share_next(share, &i)) {
        const struct sluice_contact_item *item = &c->item[i];
        if (item->count > 0)
            memcpy(c->touch + item->target, c->buffer[item->buffer].touch + item->first,
                   (size_t)item->count * sizeof *c->touch);
    }
}

static int is_same(const struct sluice_contact_touch *a, const struct sluice_contact_touch *b)
{
    return a->owner == b->owner && a->other == b->other && a->point == b->point;
}

static int is_one_shift(const double a[3], const double b[3])
{
    return !(a[0] < b[0] || a[0] > b[0] || a[1] < b[1] || a[1] > b[1] || a[2] < b[2] ||
             a[2] > b[2]);
}

/* Removes the touches of circles that an earlier chunk of the same body has found, too. */
static void drop_doubles(struct sluice_contacts *c, const struct sluice_contact_pair *p, int64_t k)
{
    struct sluice_contact_item *item = &c->item[k];
    struct sluice_contact_touch *touch = c->buffer[item->buffer].touch + item->first;
    if (item->owner < 0 || c->solid[item->owner].circles == 0 || item->count == 0)
        return;
    for (int64_t e = p->first_item; e < k; e++) {
        const struct sluice_contact_item *before = &c->item[e];
        const struct sluice_contact_touch *other = c->buffer[before->buffer].touch + before->first;
        int64_t kept = 0;
        if (before->owner != item->owner || before->other != item->other ||
            !is_one_shift(before->shift, item->shift))
            continue;
        for (int64_t i = 0; i < item->count; i++) {
            int double_of = 0;
            for (int64_t j = 0; j < before->count && !double_of; j++)
                double_of = is_same(&touch[i], &other[j]);
            if (!double_of)
                touch[kept++] = touch[i];
        }
        item->count = kept;
    }
}

/* The touches of each item and of each pair follow those of the last one. */
static sluice_status place_touches(struct sluice_contacts *c)
{
    c->touches = 0;
    for (int64_t i = 0; i < c->pairs; i++) {
        struct sluice_contact_pair *p = &c->pair[i];
        p->first = c->touches;
        p->gap = SLUICE_CONTACT_MARGIN * c->spacing;
        for (int64_t k = p->first_item; k < p->first_item + p->items; k++) {
            drop_doubles(c, p, k);
            c->item[k].target = c->touches;
            c->touches += c->item[k].count;
            p->gap = fmin(p->gap, c->item[k].gap);
        }
        p->count = c->touches - p->first;
    }
    SLUICE_CONTACT_ROOM(c->touch, c->touches, c->touch_capacity, "points in contact");
    return SLUICE_OK;
}

static sluice_status make_buffers(struct sluice_contacts *c, int threads)
{
    if (c->buffers < threads) {
        struct sluice_contact_buffer *larger;
        SLUICE_ALLOCATE(larger, threads, "threads");
        if (c->buffers > 0)
            memcpy(larger, c->buffer, (size_t)c->buffers * sizeof *larger);
        free(c->buffer);
        c->buffer = larger;
        c->buffers = threads;
    }
    for (int i = 0; i < c->buffers; i++)
        c->buffer[i].count = 0;
    return SLUICE_OK;
}

static sluice_status check_poses(const struct sluice_contacts *c, const struct sluice_pose *pose)
{
    char title[2 * SLUICE_TEXT_MAX];
    for (int b = 0; b < c->count; b++) {
        double number[sizeof *pose / sizeof(double)];
        int good = 1;
        memcpy(number, &pose[b], sizeof number);
        for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
            good = good && fabs(number[i]) < 1e100;
        SLUICE_CHECK(
            good, SLUICE_BLOW_UP,
            "%s, a body, is at (%g, %g, %g) m with velocity (%g, %g, %g) m/s and spin "
            "(%g, %g, %g) 1/s: its motion is not finite",
            sluice_geometry_title(c->geometry->config, c->solid[b].shape[0], title, sizeof title),
            number[0], number[1], number[2], pose[b].velocity[0], pose[b].velocity[1],
            pose[b].velocity[2], pose[b].spin[0], pose[b].spin[1], pose[b].spin[2]);
    }
    return SLUICE_OK;
}

sluice_status sluice_contact_find_touches(struct sluice_contacts *c, const struct sluice_pose *pose,
                                          double time, struct sluice_threads *team)
{
    struct work work = {.c = c, .pose = pose};
    SLUICE_TRY(check_poses(c, pose));
    for (int b = 0; b < c->count; b++)
        c->solid[b].held = time < c->solid[b].release;
    for (int w = 0; w < c->walls; w++)
        move_wall(c, &c->wall[w], time);
    SLUICE_TRY(sluice_contact_search(c, pose));
    SLUICE_TRY(make_buffers(c, sluice_threads_count(team)));
    sluice_threads_run(c->item_points > FEW ? team : NULL, c->items, test_items, &work);
    SLUICE_CHECK(!work.failed, SLUICE_DEVICE, "no memory for points in contact");
    SLUICE_TRY(place_touches(c));
    sluice_threads_run(c->touches > FEW ? team : NULL, c->items, copy_items, &work);
    return SLUICE_OK;
}

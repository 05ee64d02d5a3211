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

/* y = turn p + by: a point p of the owner, from its centre, in the axes of the other at t = 0. */
struct view {
    const struct sluice_contacts *c;
    const struct sluice_contact_item *item;
    const struct sluice_pose *own, *other;
    double turn[3][3], by[3], centre[3];
};

static struct view make_view(const struct sluice_contacts *c,
                             const struct sluice_contact_item *item, const struct sluice_pose *pose)
{
    struct view v = {.c = c, .item = item, .own = &pose[item->owner]};
    double apart[3];
    v.other = sluice_contact_pose(c, pose, item->other);
    memcpy(v.centre, sluice_contact_centre(c, item->other), sizeof v.centre);
    for (int i = 0; i < 3; i++) {
        apart[i] = v.own->centre[i] + item->shift[i] - v.other->centre[i];
        for (int k = 0; k < 3; k++) {
            v.turn[i][k] = 0;
            for (int j = 0; j < 3; j++)
                v.turn[i][k] += v.other->turn[j][i] * v.own->turn[j][k];
        }
    }
    sluice_matrix_transposed_times(v.other->turn, apart, v.by);
    for (int a = 0; a < 3; a++)
        v.by[a] += v.centre[a];
    return v;
}

static void to_other_axes(const struct view *v, const double p[3], double y[3])
{
    sluice_matrix_times(v->turn, p, y);
    for (int a = 0; a < 3; a++)
        y[a] += v->by[a];
}

/* Whether a ball about y is apart from the box of the other; a periodic wall has none. */
static int is_apart(const struct view *v, const double y[3], double radius)
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

/* The velocity of a solid at `arm` from its centre. */
static void velocity_at(const struct sluice_pose *pose, const double arm[3], double u[3])
{
    sluice_cross(pose->spin, arm, u);
    for (int a = 0; a < 3; a++)
        u[a] += pose->velocity[a];
}

/* Whether the surface that `way` leads to is one, as seen from outside. Where a shape is cut, the
 * surface that it would have without the cut is nearer than the true one. */
static int is_surface(const struct view *v, const double y[3], const double way[3], double distance)
{
    const struct sluice_contacts *c = v->c;
    const int other = v->item->other,
              combined = other >= 0 ? c->solid[other].combined : c->wall[-1 - other].combined;
    double beyond[3], rest[3];
    if (!combined || !(distance > 0))
        return 1;
    for (int a = 0; a < 3; a++)
        beyond[a] = y[a] + way[a] * (1 + 1e-3 * SLUICE_CONTACT_BALL * c->spacing / distance);
    return sluice_contact_distance(c, other, beyond, rest) < 0;
}

/* Adds the touch of a ball about y whose nearest surface is `distance` away in the direction of the
 * normal. The point of contact is where the ball is deepest. */
static sluice_status add_touch(const struct view *v, int64_t point, const double y[3],
                               const double normal[3], double distance,
                               struct sluice_contact_buffer *b)
{
    const struct sluice_contact_tree *tree = &v->c->solid[v->item->owner].tree;
    double arm[3], own[3];
    SLUICE_GROW(b->touch, b->count, b->capacity, "points in contact");
    struct sluice_contact_touch *t = &b->touch[b->count++];
    t->owner = v->item->owner;
    t->other = v->item->other;
    t->point = point;
    t->overlap = tree->radius[point] - distance;
    for (int a = 0; a < 3; a++)
        arm[a] = y[a] - v->centre[a];
    sluice_matrix_times(v->other->turn, normal, t->normal);
    sluice_matrix_times(v->other->turn, arm, t->other_arm);
    sluice_matrix_times(v->own->turn, tree->point[point], t->arm);
    for (int a = 0; a < 3; a++) {
        t->arm[a] -= tree->radius[point] * t->normal[a];
        t->other_arm[a] -= tree->radius[point] * t->normal[a];
    }
    velocity_at(v->own, t->arm, own);
    velocity_at(v->other, t->other_arm, t->carried);
    for (int a = 0; a < 3; a++)
        t->velocity[a] = own[a] - t->carried[a];
    return SLUICE_OK;
}

/* *gap: of the nearest point so far, m; 0 once one touches. */
static sluice_status test_point(const struct view *v, int64_t point, double *gap,
                                struct sluice_contact_buffer *b)
{
    const struct sluice_contact_tree *tree = &v->c->solid[v->item->owner].tree;
    double y[3], way[3], normal[3];
    to_other_axes(v, tree->point[point], y);
    if (is_apart(v, y, tree->radius[point] + *gap))
        return SLUICE_OK;
    const double distance = sluice_contact_distance(v->c, v->item->other, y, way),
                 overlap = tree->radius[point] - distance;
    if (-overlap < *gap)
        *gap = overlap > 0 ? 0 : -overlap;
    if (!(overlap > least_overlap * v->c->spacing) || !is_surface(v, y, way, distance))
        return SLUICE_OK;
    const double length = distance > 0 ? -sluice_norm(way) : sluice_norm(way);
    for (int a = 0; a < 3; a++)
        normal[a] = way[a] / length;
    return fabs(length) > 0 ? add_touch(v, point, y, normal, distance, b) : SLUICE_OK;
}

/* Walks down to the leaves whose balls reach into the other solid, or come nearer to it than any
 * point so far. */
static sluice_status test_chunk(const struct view *v, struct sluice_contact_buffer *b, double *gap)
{
    const struct sluice_contact_tree *tree = &v->c->solid[v->item->owner].tree;
    const int end = tree->node[v->item->chunk].next;
    *gap = SLUICE_CONTACT_MARGIN * v->c->spacing;
    for (int i = v->item->chunk; i < end;) {
        const struct sluice_contact_node *node = &tree->node[i];
        double y[3], way[3];
        to_other_axes(v, node->centre, y);
        if (is_apart(v, y, node->radius + *gap) ||
            sluice_contact_distance(v->c, v->item->other, y, way) > node->radius + *gap) {
            i = node->next;
            continue;
        }
        const int leaf = node->count <= SLUICE_CONTACT_LEAF;
        for (int64_t k = node->first; leaf && k < node->first + node->count; k++)
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
        const struct view v = make_view(c, item, w->pose);
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

/* The touches of each item and of each pair follow those of the last one. */
static sluice_status place_touches(struct sluice_contacts *c)
{
    c->touches = 0;
    for (int64_t i = 0; i < c->pairs; i++) {
        struct sluice_contact_pair *p = &c->pair[i];
        p->first = c->touches;
        p->gap = SLUICE_CONTACT_MARGIN * c->spacing;
        for (int64_t k = p->first_item; k < p->first_item + p->items; k++) {
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

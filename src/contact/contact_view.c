/* One solid as another one sees it. */
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

struct sluice_contact_view sluice_contact_make_view(const struct sluice_contacts *c,
                                                    const struct sluice_contact_item *item,
                                                    const struct sluice_pose *pose)
{
    struct sluice_contact_view v = {
        .c = c, .item = item, .own = sluice_contact_pose(c, pose, item->owner)};
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

void sluice_contact_to_other(const struct sluice_contact_view *v, const double p[3], double y[3])
{
    sluice_matrix_times(v->turn, p, y);
    for (int a = 0; a < 3; a++)
        y[a] += v->by[a];
}

/* The velocity of a solid at `arm` from its centre. */
static void velocity_at(const struct sluice_pose *pose, const double arm[3], double u[3])
{
    sluice_cross(pose->spin, arm, u);
    for (int a = 0; a < 3; a++)
        u[a] += pose->velocity[a];
}

sluice_status sluice_contact_add_touch(const struct sluice_contact_view *v, int64_t point,
                                       const double arm[3], const struct sluice_contact_hit *hit,
                                       double overlap, struct sluice_contact_buffer *b)
{
    double y[3], own[3];
    SLUICE_GROW(b->touch, b->count, b->capacity, "points in contact");
    struct sluice_contact_touch *t = &b->touch[b->count++];
    t->owner = v->item->owner;
    t->other = v->item->other;
    t->point = point;
    t->overlap = overlap;
    t->weight = 1;
    sluice_contact_to_other(v, arm, y);
    for (int a = 0; a < 3; a++)
        y[a] -= v->centre[a];
    sluice_matrix_times(v->other->turn, hit->normal, t->normal);
    sluice_matrix_times(v->other->turn, y, t->other_arm);
    sluice_matrix_times(v->own->turn, arm, t->arm);
    memcpy(t->damped, t->normal, sizeof t->damped);
    velocity_at(v->own, t->arm, own);
    velocity_at(v->other, t->other_arm, t->carried);
    for (int a = 0; a < 3; a++)
        t->velocity[a] = own[a] - t->carried[a];
    return SLUICE_OK;
}

#include "contact/contact.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

/* The sum of one number of all pairs; `offset` in doubles. */
static double sum_of_pairs(const struct sluice_contacts *c, size_t offset)
{
    const double *first = (const double *)(const void *)c->sums;
    return c->pairs > 0
               ? sluice_contact_sum(first + offset, c->pairs, sizeof *c->sums / sizeof(double))
               : 0;
}

/* A body's force and torque from a pair, six numbers; b has the opposite force. */
static void wrench_of(const struct sluice_contact_sums *s, int second, double out[6])
{
    for (int a = 0; a < 3; a++) {
        out[a] = second ? -s->force[a] : s->force[a];
        out[3 + a] = s->torque[second][a];
    }
}

static void sum_bodies(struct sluice_contacts *c)
{
    struct sluice_contact_body_sum *sum = c->body_sum;
    double wrench[6];
    memset(sum, 0, (size_t)c->count * sizeof *sum);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < c->pairs; i++)
            for (int second = 0; second < (c->pair[i].b >= 0 ? 2 : 1); second++) {
                struct sluice_contact_body_sum *b = &sum[second ? c->pair[i].b : c->pair[i].a];
                wrench_of(&c->sums[i], second, wrench);
                for (int k = 0; k < 6; k++)
                    if (pass == 0)
                        b->most[k] = fmax(b->most[k], fabs(wrench[k]));
                    else
                        b->total[k] += sluice_contact_total(b->most[k], wrench[k]);
            }
    for (int b = 0; b < c->count; b++)
        for (int a = 0; a < 3; a++) {
            c->force[b][a] = sluice_contact_value(sum[b].most[a], sum[b].total[a]);
            c->torque[b][a] = sluice_contact_value(sum[b].most[3 + a], sum[b].total[3 + a]);
        }
}

enum { FEW = 256 }; /* touches that one thread solves before others have woken */

struct work {
    struct sluice_contacts *c;
    const struct sluice_pose *pose;
    double dt;
};

static void solve_pairs(struct sluice_share *share, void *data)
{
    const struct work *w = data;
    int64_t i;
    while (sluice_share_next(share, &i))
        sluice_contact_solve_pair(w->c, w->pose, i, w->dt);
}

static sluice_status reserve(struct sluice_contacts *c)
{
    SLUICE_CONTACT_ROOM(c->sums, c->pairs, c->sums_capacity, "pairs of solids");
    SLUICE_CONTACT_ROOM(c->term, c->touches, c->term_capacity, "points in contact");
    SLUICE_CONTACT_ROOM(c->renewed, c->touches, c->renewed_capacity, "points in contact");
    return SLUICE_OK;
}

/* Says which two solids have a force that is not finite. */
static sluice_status check_forces(const struct sluice_contacts *c)
{
    for (int64_t i = 0; i < c->pairs; i++) {
        const double *number = c->sums[i].force;
        char a[2 * SLUICE_TEXT_MAX], b[2 * SLUICE_TEXT_MAX];
        const struct sluice_config *config = c->geometry->config;
        const int other = c->pair[i].b;
        SLUICE_CHECK(isfinite(number[0] + number[1] + number[2]), SLUICE_BLOW_UP,
                     "the contact of %s and %s has a force that is not finite: their overlap is "
                     "too deep; a shorter time step resolves it",
                     sluice_geometry_title(config, c->solid[c->pair[i].a].shape[0], a, sizeof a),
                     sluice_geometry_title(
                         config, other >= 0 ? c->solid[other].shape[0] : c->wall[-1 - other].shape,
                         b, sizeof b));
    }
    return SLUICE_OK;
}

/* The energy of the impact that a touch is part of, over that of the springs of the pair. */
static double impact_energy(const struct sluice_contacts *c, int64_t touch)
{
    const struct sluice_contact_touch *t = &c->touch[touch];
    int64_t pair = 0;
    while (touch >= c->pair[pair].first + c->pair[pair].count)
        pair++;
    const double light = sluice_contact_lightness(c, c->pair[pair].a) +
                         sluice_contact_lightness(c, c->pair[pair].b),
                 closing = fmax(0, -sluice_dot(t->velocity, t->normal)),
                 elastic = c->sums[pair].elastic;
    return light > 0 && elastic > 0 ? 1 + closing * closing / (2 * light) / elastic : INFINITY;
}

static void find_deepest(const struct sluice_contacts *c, const struct sluice_pose *pose,
                         struct sluice_contact_overlap *deepest)
{
    int64_t found = -1;
    *deepest = (struct sluice_contact_overlap){.body = -1, .other = -1, .shape = -1};
    for (int64_t i = 0; i < c->touches; i++)
        if (c->touch[i].overlap > deepest->depth) {
            deepest->depth = c->touch[i].overlap;
            found = i;
        }
    if (found < 0)
        return;
    const struct sluice_contact_touch *t = &c->touch[found];
    const int body = t->owner >= 0 ? t->owner : t->other,
              other = t->owner >= 0 ? t->other : t->owner;
    deepest->body = body;
    deepest->other = other >= 0 ? other : -1;
    deepest->shape = other >= 0 ? -1 : c->wall[-1 - other].shape;
    deepest->energy = impact_energy(c, found);
    for (int a = 0; a < 3; a++)
        deepest->place[a] = sluice_contact_pose(c, pose, t->owner)->centre[a] + t->arm[a];
}

sluice_status sluice_contacts_find(struct sluice_contacts *c, const struct sluice_pose *pose,
                                   double time, double dt, struct sluice_threads *team,
                                   struct sluice_contact_result *result)
{
    struct work work = {c, pose, dt};
    SLUICE_TRY(sluice_contact_find_touches(c, pose, time, team));
    SLUICE_TRY(reserve(c));
    sluice_threads_run(c->touches > FEW ? team : NULL, c->pairs, solve_pairs, &work);
    SLUICE_TRY(check_forces(c));
    sum_bodies(c);
    *result = (struct sluice_contact_result){
        .force = (const double(*)[3])c->force,
        .torque = (const double(*)[3])c->torque,
        .elastic = sum_of_pairs(c, offsetof(struct sluice_contact_sums, elastic) / sizeof(double)),
        .dissipated = sum_of_pairs(c, offsetof(struct sluice_contact_sums, dissipated) /
                                          sizeof(double)),
        .driven = sum_of_pairs(c, offsetof(struct sluice_contact_sums, driven) / sizeof(double)),
        .points = c->touches};
    find_deepest(c, pose, &result->deepest);
    return dt > 0 ? sluice_contact_renew(c, &result->shed) : SLUICE_OK;
}

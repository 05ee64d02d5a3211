#include "bodies/mooring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

static int find_body(const struct sluice_rigid_body *body, int bodies, const char *name)
{
    for (int i = 0; i < bodies && name[0]; i++)
        if (strcmp(body[i].name, name) == 0)
            return i;
    return -1;
}

/* The shift of `way` to that of the nearest periodic image. */
static void shift_to_image(const struct sluice_config *config, const double way[3], double shift[3])
{
    for (int c = 0; c < 3; c++) {
        const double period = c < config->dimension && config->domain.periodic[c]
                                  ? config->domain.max[c] - config->domain.min[c]
                                  : 0;
        shift[c] = period > 0 ? -period * rint((1 - 1e-9) * way[c] / period) : 0;
    }
}

/* The arm of a point, from the image of the centre that is nearest to it. */
static void set_arm(const struct sluice_config *config, const double centre[3],
                    const double point[3], double arm[3])
{
    double shift[3];
    for (int c = 0; c < 3; c++)
        arm[c] = point[c] - centre[c];
    shift_to_image(config, arm, shift);
    for (int c = 0; c < 3; c++)
        arm[c] += shift[c];
}

/* One link of entry i, with its points displaced by `aside` along the hinge's axis. Errors: a
 * spring that pushes, but has no direction. */
static sluice_status add_link(struct sluice_moorings *m, const struct sluice_config *config, int i,
                              const struct sluice_rigid_body *body, const int ends[2], double aside,
                              double fraction)
{
    static const double zero[3] = {0, 0, 0};
    const struct sluice_mooring *e = &config->moorings[i];
    struct sluice_mooring_link *link = &m->link[m->count++];
    const int joint = e->kind == SLUICE_MOORING_HINGE;
    const double size = sluice_norm(e->axis), *first = body[ends[0]].centre,
                 *second = ends[1] < 0 ? zero : body[ends[1]].centre;
    *link = (struct sluice_mooring_link){.mooring = i,
                                         .body = {ends[0], ends[1]},
                                         .stiffness = fraction * e->stiffness,
                                         .damping = fraction * e->damping,
                                         .slack = e->slack,
                                         .joint = joint};
    double at[3], to[3], way[3];
    for (int c = 0; c < 3; c++) {
        at[c] = isfinite(e->at[0]) ? e->at[c] : first[c];
        to[c] = joint ? at[c] : isfinite(e->to[0]) ? e->to[c] : second[c];
    }
    set_arm(config, first, at, link->arm[0]);
    if (ends[1] < 0)
        memcpy(link->arm[1], to, sizeof to);
    else
        set_arm(config, second, to, link->arm[1]);
    for (int c = 0; c < 3; c++) {
        const double move = aside != 0 && size > 0 ? aside * e->axis[c] / size : 0;
        link->arm[0][c] += move;
        link->arm[1][c] += move;
        way[c] = (second[c] + link->arm[1][c]) - (first[c] + link->arm[0][c]);
    }
    shift_to_image(config, way, link->shift);
    for (int c = 0; c < 3; c++)
        way[c] += link->shift[c];
    const double start = sluice_norm(way);
    link->length = joint ? 0 : isfinite(e->length) ? e->length : start;
    SLUICE_CHECK(joint || link->slack || start > 1e-6 * config->spacing || link->length <= start,
                 SLUICE_BAD_INPUT,
                 "%s:%d: moorings: both ends of the spring of '%.60s' begin at one place, so its "
                 "length of %.6g m has no direction to push along: move an end, or give length = "
                 "0.0, or slack = true",
                 e->file, e->line, e->body, link->length);
    return SLUICE_OK;
}

/* --- The longest step --- */

/* Upper bound of 1/m + |arm|^2/I of one end. The trace of the inverse inertia bounds 1/I. */
static double ease_of(const struct sluice_rigid_body *body, const double arm[3])
{
    double inverse[3][3], trace = 0;
    sluice_symmetric_inverse(body->inertia, inverse);
    for (int c = 0; c < 3; c++)
        trace += body->locks & 8u << c ? 0 : inverse[c][c];
    return 1 / body->mass + sluice_dot(arm, arm) * trace;
}

/* The step that all links bear, and the entry that needs it. */
static void find_longest_step(struct sluice_moorings *m, const struct sluice_rigid_body *body)
{
    m->longest_step = INFINITY;
    for (int n = 0; n < m->count; n++) {
        const struct sluice_mooring_link *link = &m->link[n];
        double ease = ease_of(&body[link->body[0]], link->arm[0]);
        ease += link->body[1] < 0 ? 0 : ease_of(&body[link->body[1]], link->arm[1]);
        const double period = 2 * M_PI / sqrt(link->stiffness * ease),
                     decay = 1 / (link->damping * ease), limit = fmin(period / 20, decay / 2);
        if (limit < m->longest_step) {
            m->longest_step = limit;
            m->stiffest = link->mooring;
        }
    }
}

sluice_status sluice_moorings_create(struct sluice_moorings *m, const struct sluice_config *config,
                                     const struct sluice_rigid_body *body, int bodies)
{
    *m = (struct sluice_moorings){.longest_step = INFINITY};
    if (config->mooring_count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(m->link, 2 * config->mooring_count, "moorings");
    for (int i = 0; i < config->mooring_count; i++) {
        const struct sluice_mooring *e = &config->moorings[i];
        const int ends[2] = {find_body(body, bodies, e->body), find_body(body, bodies, e->other)};
        SLUICE_CHECK(ends[0] >= 0, SLUICE_BAD_INPUT, "%s:%d: moorings: no body is named \"%.60s\"",
                     e->file, e->line, e->body);
        SLUICE_CHECK(ends[1] >= 0 || !e->other[0], SLUICE_BAD_INPUT,
                     "%s:%d: moorings: no body is named \"%.60s\"", e->file, e->line, e->other);
        SLUICE_CHECK(ends[0] != ends[1], SLUICE_BAD_INPUT,
                     "%s:%d: moorings: it joins \"%.60s\" with itself", e->file, e->line, e->body);
        if (e->kind == SLUICE_MOORING_HINGE && config->dimension == 3) {
            SLUICE_TRY(add_link(m, config, i, body, ends, e->width / 2, 0.5));
            SLUICE_TRY(add_link(m, config, i, body, ends, -e->width / 2, 0.5));
        } else {
            SLUICE_TRY(add_link(m, config, i, body, ends, 0, 1));
        }
    }
    find_longest_step(m, body);
    return SLUICE_OK;
}

void sluice_moorings_destroy(struct sluice_moorings *m)
{
    free(m->link);
    *m = (struct sluice_moorings){0};
}

/* An end of a link: its arm, place and velocity. */
struct end {
    double arm[3], x[3], v[3];
};

static struct end end_of(const struct sluice_mooring_link *link, int k,
                         const struct sluice_pose *pose)
{
    struct end e;
    memset(&e, 0, sizeof e);
    if (link->body[k] < 0) {
        memcpy(e.x, link->arm[k], sizeof e.x);
        return e;
    }
    const struct sluice_pose *body = &pose[link->body[k]];
    sluice_matrix_times(body->turn, link->arm[k], e.arm);
    memcpy(e.v, body->spin, sizeof e.v);
    sluice_cross(e.v, e.arm, e.v);
    for (int c = 0; c < 3; c++) {
        e.x[c] = body->centre[c] + e.arm[c];
        e.v[c] += body->velocity[c];
    }
    return e;
}

static void add_force(double wrench[6], const double arm[3], const double force[3], double sign)
{
    double torque[3];
    sluice_cross(arm, force, torque);
    for (int c = 0; c < 3; c++) {
        wrench[c] += sign * force[c];
        wrench[3 + c] += sign * torque[c];
    }
}

/* Along a spring that is `longer` than at rest, N; rate: of its length, m/s. */
static double tension_of(const struct sluice_mooring_link *link, double longer, double rate)
{
    const double whole = link->stiffness * longer + link->damping * rate;
    if (link->slack)
        return longer > 0 ? fmax(0, whole) : 0;
    return whole;
}

/* The force of a link on its first body, N. d, u: displacement and velocity to the second point. */
static void pull(struct sluice_moorings *m, struct sluice_mooring_link *link, const double d[3],
                 const double u[3])
{
    double *force = link->force;
    const double l = sluice_norm(d), k = link->stiffness, c = link->damping;
    if (link->joint) {
        for (int a = 0; a < 3; a++)
            force[a] = k * d[a] + c * u[a];
        m->elastic += 0.5 * k * l * l;
        m->dissipated += c * sluice_dot(u, u);
        link->tension = sluice_norm(force);
        return;
    }
    const double longer = l - link->length, rate = l > 0 ? sluice_dot(d, u) / l : 0,
                 tension = tension_of(link, longer, rate);
    for (int a = 0; a < 3; a++)
        force[a] = l > 0 ? tension * d[a] / l : 0;
    link->tension = l > 0 ? tension : 0;
    if (link->slack && longer <= 0)
        return;
    m->elastic += 0.5 * k * longer * longer;
    m->dissipated += (tension - k * longer) * rate;
}

void sluice_moorings_pull(struct sluice_moorings *m, const struct sluice_pose *pose,
                          double (*wrench)[6])
{
    m->elastic = m->dissipated = 0;
    for (int n = 0; n < m->count; n++) {
        struct sluice_mooring_link *link = &m->link[n];
        const struct end a = end_of(link, 0, pose), b = end_of(link, 1, pose);
        double d[3], u[3];
        for (int c = 0; c < 3; c++) {
            d[c] = b.x[c] - a.x[c] + link->shift[c];
            u[c] = b.v[c] - a.v[c];
            link->end[0][c] = a.x[c];
            link->end[1][c] = a.x[c] + d[c];
        }
        pull(m, link, d, u);
        add_force(wrench[link->body[0]], a.arm, link->force, 1);
        if (link->body[1] >= 0)
            add_force(wrench[link->body[1]], b.arm, link->force, -1);
    }
}

/* Bodies that are refused, or warned of: their places, masses, contacts and moorings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/bodies.h"
#include "case/builder.h"
#include "core/allocate.h"
#include "core/vector.h"

/* Overlap of two bodies, or a body and a wall, at the start, in spacings. */
#define OVERLAP_MOST 0.05
#define DENSITY_MOST 1e3  /* of a body in the fluid's, and the other way around */
#define TURN_LEAST   0.01 /* radius of gyration in the body's reach */

/* --- Places --- */

/* The box around the shapes of a body, m. */
static void box_of(const struct sluice_geometry *g, const struct sluice_rigid_body *body,
                   double low[3], double high[3])
{
    for (int a = 0; a < g->dimension; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
        for (int k = 0; k < body->shapes; k++) {
            low[a] = fmin(low[a], g->solid[body->shape[k]].low[a]);
            high[a] = fmax(high[a], g->solid[body->shape[k]].high[a]);
        }
    }
}

static int is_moored(const struct sluice_config *config, const char *name)
{
    for (int i = 0; i < config->mooring_count; i++)
        if (strcmp(config->moorings[i].body, name) == 0 ||
            strcmp(config->moorings[i].other, name) == 0)
            return 1;
    return 0;
}

/* Whether a body may turn about an axis other than this one. */
static int may_tilt(const struct sluice_rigid_body *body, int axis)
{
    return ((~body->locks >> 3) & 7u & ~(1u << axis)) != 0;
}

/* Warns of a body that is longer along a periodic axis than the period, or may turn so: it has no
 * contact with its own image. */
static void warn_of_own_image(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_config *config = b->config;
    double low[3], high[3];
    box_of(&b->c->geometry, body, low, high);
    for (int a = 0; a < config->dimension; a++) {
        const double period = config->domain.max[a] - config->domain.min[a],
                     longest = may_tilt(body, a) ? 2 * body->reach : high[a] - low[a];
        if (!config->domain.periodic[a] || longest <= period * (1 + 1e-9))
            continue;
        sluice_warn(&b->warnings,
                    "%s:%d: bodies: '%.60s' may reach over %.6g m along %c, where the domain "
                    "repeats after %.6g m: it does not touch its own image, but goes through it; "
                    "make the domain longer, or lock the rotations that turn it so",
                    body->entry->file, body->entry->line, body->name, longest, "xyz"[a], period);
        break;
    }
}

static void warn_of_centre(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_body *e = body->entry;
    static const char axes[] = "xyz";
    double low[3], high[3];
    box_of(&b->c->geometry, body, low, high);
    for (int a = 0; a < b->config->dimension; a++)
        if (body->centre[a] < low[a] || body->centre[a] > high[a]) {
            sluice_warn(&b->warnings,
                        "%s:%d: bodies: the centre of '%.60s' has %c = %.6g, but its shapes reach "
                        "from %.6g to %.6g: centre is in the coordinates of the domain, not in "
                        "those of the body",
                        e->file, e->line, body->name, axes[a], body->centre[a], low[a], high[a]);
            return;
        }
}

sluice_status sluice_case_check_body_centre(struct sluice_case_builder *b,
                                            const struct sluice_rigid_body *body)
{
    static const char axes[] = "xyz";
    const struct sluice_config *config = b->config;
    const struct sluice_body *e = body->entry;
    for (int a = 0; a < config->dimension && !is_moored(config, body->name); a++)
        SLUICE_CHECK(config->domain.periodic[a] || body->locks & 1u << a ||
                         (body->centre[a] >= config->domain.min[a] &&
                          body->centre[a] <= config->domain.max[a]),
                     SLUICE_BAD_INPUT,
                     "%s:%d: bodies: the centre of '%.60s' has %c = %.6g, beside the domain, which "
                     "reaches from %.6g to %.6g, and neither a mooring nor locked holds it there: "
                     "%s, or make the domain larger",
                     e->file, e->line, body->name, axes[a], body->centre[a], config->domain.min[a],
                     config->domain.max[a],
                     e->has_centre ? "give centre in the coordinates of the domain"
                                   : "move the body");
    warn_of_centre(b, body);
    return SLUICE_OK;
}

/* --- Extremes --- */

/* Whether a body before this one, of the same entry, had a warning: one line is enough. */
static int has_warning(const struct sluice_case_builder *b, int number,
                       int (*is_wrong)(const struct sluice_case_builder *,
                                       const struct sluice_rigid_body *))
{
    const struct sluice_rigid_body *bodies = b->c->physics.bodies;
    for (int k = number - 1; k >= 0; k--)
        if (bodies[k].entry == bodies[number].entry && is_wrong(b, &bodies[k]))
            return 1;
    return 0;
}

static double density_ratio(const struct sluice_case_builder *b,
                            const struct sluice_rigid_body *body)
{
    return body->mass / (body->volume * b->config->fluid.density);
}

static int is_extreme(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const double ratio = density_ratio(b, body);
    return ratio > DENSITY_MOST || ratio < 1 / DENSITY_MOST;
}

static void warn_of_density(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_body *e = body->entry;
    sluice_warn(&b->warnings,
                "%s:%d: bodies: '%.60s' has a density of %.4g kg/m^3, %.4g times the fluid's: %s "
                "is in %s; is it meant?",
                e->file, e->line, body->name, body->mass / body->volume, density_ratio(b, body),
                e->mass > 0 ? "mass" : "density",
                e->mass <= 0                ? "kg/m^3"
                : b->config->dimension == 2 ? "kg/m"
                                            : "kg");
}

/* The largest radius of gyration about an axis that the body may turn about, m. */
static double gyration_of(const struct sluice_rigid_body *body)
{
    double most = 0;
    for (int a = 0; a < 3; a++)
        most = fmax(most, body->inertia[a][a]);
    return sqrt(most / body->mass);
}

static int turns_wrongly(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const double radius = gyration_of(body);
    (void)b;
    return body->entry->has_inertia &&
           (radius > body->reach * (1 + 1e-6) || radius < TURN_LEAST * body->reach);
}

static void warn_of_inertia(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_body *e = body->entry;
    const double radius = gyration_of(body);
    sluice_warn(&b->warnings,
                "%s:%d: bodies: inertia: that of '%.60s' has a radius of gyration of %.4g m, %s "
                "%.4g m from the centre to its farthest corner: inertia is about the centre of "
                "mass, in %s; is it meant?",
                e->file, e->line, body->name, radius,
                radius > body->reach ? "above the" : "below a hundredth of the", body->reach,
                b->config->dimension == 2 ? "kg m" : "kg m^2");
}

static int never_moves(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    return body->entry->release > 0 && body->entry->release >= b->config->time.end;
}

static void warn_of_release(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_body *e = body->entry;
    sluice_warn(&b->warnings,
                "%s:%d: bodies: release: '%.60s' is held until t = %.6g s, but the run ends at "
                "time.end = %.6g s: it never moves",
                e->file, e->line, body->name, e->release, b->config->time.end);
}

/* --- Bodies with particles --- */

/* Errors: a body without particles, or one shape that later ones cut. */
static sluice_status check_particles(struct sluice_case_builder *b, int number)
{
    const struct sluice_rigid_body *body = &b->c->physics.bodies[number];
    const struct sluice_body *e = body->entry;
    const struct sluice_config *config = b->config;
    const int *list = body->shape, count = body->shapes;
    SLUICE_CHECK(sluice_case_body_particles(b->c, number) > 0, SLUICE_BAD_INPUT,
                 "%s:%d: bodies: '%.60s' has no particles: its shapes are thinner than "
                 "half a spacing (%.6g), or later shapes have taken their place; make them "
                 "thicker, make the spacing smaller, or list them last",
                 e->file, e->line, body->name, config->spacing);
    SLUICE_CHECK(count > 1 || b->c->shapes[list[0]].cut == 0, SLUICE_BAD_INPUT,
                 "%s:%d: geometry: later shapes take the place of %lld particles of the body "
                 "'%.60s', which is whole where it moves: list the body after them",
                 config->shapes[list[0]].file, config->shapes[list[0]].line,
                 (long long)b->c->shapes[list[0]].cut, body->name);
    for (int k = 0; k < count && count > 1; k++)
        if (list[k] < list[count - 1] && b->c->shapes[list[k]].cut > 0)
            sluice_warn(&b->warnings,
                        "%s:%d: geometry: later shapes take the place of %lld particles of this "
                        "part of the body '%.60s': right where they are its other parts, but fluid "
                        "and walls belong before the body",
                        config->shapes[list[k]].file, config->shapes[list[k]].line,
                        (long long)b->c->shapes[list[k]].cut, body->name);
    return SLUICE_OK;
}

sluice_status sluice_case_check_bodies(struct sluice_case_builder *b)
{
    for (int i = 0; i < b->c->physics.body_count; i++) {
        const struct sluice_rigid_body *body = &b->c->physics.bodies[i];
        SLUICE_TRY(check_particles(b, i));
        warn_of_own_image(b, body);
        if (is_extreme(b, body) && !has_warning(b, i, is_extreme))
            warn_of_density(b, body);
        if (turns_wrongly(b, body) && !has_warning(b, i, turns_wrongly))
            warn_of_inertia(b, body);
        if (never_moves(b, body) && !has_warning(b, i, never_moves))
            warn_of_release(b, body);
    }
    return SLUICE_OK;
}

/* The water that a body hits must not be compressed by more than 1%. */
void sluice_case_warn_fast_bodies(struct sluice_case_builder *b)
{
    const double sound = b->c->physics.wcsph.sound_speed;
    const struct sluice_rigid_body *fastest = NULL;
    double most = 0;
    for (int i = 0; i < b->c->physics.body_count; i++) {
        const struct sluice_rigid_body *body = &b->c->physics.bodies[i];
        const double speed = sluice_norm(body->entry->velocity) +
                             sluice_norm(body->entry->spin) * body->reach;
        if (speed > most) {
            most = speed;
            fastest = body;
        }
    }
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): there is a fastest one where most > 0 */
    if (fastest && most > 0.1 * sound)
        sluice_warn(&b->warnings,
                    "fluid.sound_speed: %.6g is below ten times %.6g, the speed of the body "
                    "'%.60s' (%s:%d) at the start; give %.6g or slow the body",
                    sound, most, fastest->name, fastest->entry->file, fastest->entry->line,
                    10 * most);
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
}

/* --- Contacts and moorings --- */

/* The weight that a body presses with on what it lies on, N; in 2-D N/m: the largest along an axis
 * with an end. 0: it never falls, or a mooring may bear it. */
static double load_of(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_config *config = b->config;
    double most = 0, pull[3];
    sluice_motions_largest_pull(&b->c->physics.motions, pull);
    if (never_moves(b, body) || is_moored(config, body->name))
        return 0;
    for (int a = 0; a < config->dimension; a++)
        if (!config->domain.periodic[a] && !(body->locks & 1u << a))
            most = fmax(most, body->mass * pull[a]);
    return most;
}

static sluice_status warn_of_soft_contacts(struct sluice_case_builder *b,
                                           const struct sluice_contacts *contacts)
{
    const struct sluice_physics *p = &b->c->physics;
    double *load;
    SLUICE_ALLOCATE(load, p->body_count, "bodies");
    for (int i = 0; i < p->body_count; i++)
        load[i] = load_of(b, &p->bodies[i]);
    const struct sluice_contact_rest rest = sluice_contacts_rest(contacts, load);
    sluice_bodies_warn_soft(b->config, p->bodies, &rest, &b->warnings);
    free(load);
    return SLUICE_OK;
}

/* Bodies may touch at the start, but not overlap. Notes the impact with the shortest steps. */
static sluice_status check_contacts(struct sluice_case_builder *b)
{
    const struct sluice_physics *p = &b->c->physics;
    struct sluice_contacts *contacts = NULL;
    struct sluice_pose *pose;
    SLUICE_ALLOCATE(pose, p->body_count, "bodies");
    for (int i = 0; i < p->body_count; i++)
        pose[i] = p->bodies[i].start;
    sluice_status status = sluice_bodies_contacts(b->config, p->bodies, p->body_count,
                                                  &b->c->geometry, &p->motions, &contacts);
    if (status == SLUICE_OK)
        b->c->contact.step_at_1 = sluice_contacts_limit(contacts, 1, &b->c->contact.body,
                                                        &b->c->contact.other);
    if (status == SLUICE_OK)
        status = sluice_contacts_check(contacts, pose, OVERLAP_MOST * b->config->spacing, NULL);
    if (status == SLUICE_OK)
        status = warn_of_soft_contacts(b, contacts);
    sluice_contacts_destroy(&contacts);
    free(pose);
    return status;
}

/* A spring whose arm is longer than the body: `at` may be in other coordinates. */
static void warn_far_springs(struct sluice_case_builder *b, const struct sluice_moorings *m)
{
    for (int n = 0; n < m->count; n++)
        for (int k = 0; k < 2 && !m->link[n].joint; k++) {
            const struct sluice_mooring_link *link = &m->link[n];
            const struct sluice_mooring *e = &b->config->moorings[link->mooring];
            const double arm = sluice_norm(link->arm[k]);
            if (link->body[k] < 0)
                continue;
            const struct sluice_rigid_body *body = &b->c->physics.bodies[link->body[k]];
            if (arm > 2 * body->reach)
                sluice_warn(&b->warnings,
                            "%s:%d: moorings: `%s` is %.3g m from the centre of '%.60s', which "
                            "reaches over %.3g m: it pulls by a rigid arm of that length. It is in "
                            "the coordinates of the domain, not in those of the body",
                            e->file, e->line, k == 0 ? "at" : "to", arm, body->name, body->reach);
        }
}

/* Warns of a fixed time step that moorings do not bear. Errors: those of sluice_moorings_create. */
static sluice_status check_moorings(struct sluice_case_builder *b)
{
    static const char *const kind[] = {SLUICE_MOORINGS(SLUICE_CHOICE_WORD)};
    const struct sluice_physics *p = &b->c->physics;
    const double step = b->config->time.step;
    struct sluice_moorings m;
    if (b->config->mooring_count == 0)
        return SLUICE_OK;
    const sluice_status status = sluice_moorings_create(&m, b->config, p->bodies, p->body_count);
    if (status == SLUICE_OK) {
        warn_far_springs(b, &m);
        const struct sluice_mooring *e = &b->config->moorings[m.stiffest];
        if (step > m.longest_step)
            sluice_warn(&b->warnings,
                        "%s:%d: moorings: time.step (%.4g) is %.3g times as long as the %s of "
                        "'%.60s' bears: take %.4g, or 0, which chooses the step, or less stiffness "
                        "and damping",
                        e->file, e->line, step, step / m.longest_step, kind[e->kind], e->body,
                        m.longest_step);
    }
    sluice_moorings_destroy(&m);
    return status;
}

sluice_status sluice_case_check_body_contacts(struct sluice_case_builder *b)
{
    SLUICE_TRY(check_moorings(b));
    return check_contacts(b);
}

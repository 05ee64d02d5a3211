/* The time step that contacts of bodies bear, before a run: at the impact to expect. */
#include <math.h>
#include <stdio.h>

#include "case/builder.h"
#include "contact/contact.h"
#include "core/vector.h"

/* A fluid's step over that of contacts from which on a warning says so. */
#define RATIO_MOST 20
/* An overlap that shifts no face by much, in spacings. */
#define OVERLAP_USUAL 0.25

/* The impact to expect: at the speeds of the start and of motions, or after a fall over the height
 * of the domain. Periodic axes have no height. */
struct impact {
    double speed; /* m/s */
    int falls;
};

static struct impact find_impact(const struct sluice_case *c)
{
    const struct sluice_config *config = c->config;
    double body = 0, wall = 0, fall2 = 0, pull[3];
    sluice_motions_largest_pull(&c->physics.motions, pull);
    for (int i = 0; i < c->physics.body_count; i++) {
        const struct sluice_rigid_body *b = &c->physics.bodies[i];
        body = fmax(body, sluice_norm(b->entry->velocity) + sluice_norm(b->entry->spin) * b->reach);
    }
    for (int i = 0; i < config->motion_count; i++)
        wall = fmax(wall, sluice_case_motion_peaks(c, i).speed);
    for (int a = 0; a < config->dimension; a++)
        if (!config->domain.periodic[a])
            fall2 += 2 * pull[a] * (config->domain.max[a] - config->domain.min[a]);
    const double met = body + fmax(body, wall);
    return (struct impact){fmax(met, sqrt(fall2)), sqrt(fall2) > met};
}

/* Hertz's impact of a given mass and stiffness takes a time that goes with v^(-1/5). */
static double step_at(const struct sluice_case *c, double speed)
{
    return c->contact.step_at_1 * pow(speed, -0.2);
}

static double fluid_step(const struct sluice_case *c)
{
    return c->config->time.cfl * c->physics.wcsph.h / c->physics.wcsph.sound_speed;
}

void sluice_case_print_longer_step(const struct sluice_case *c, double limit, FILE *out)
{
    const double fixed = c->config->time.step, step = fixed > 0 ? fixed : fluid_step(c);
    if (limit < step)
        fprintf(out,
                fixed > 0 ? "; time.step is %.3g times as long"
                          : "; the fluid alone takes steps %.3g times as long",
                step / limit);
}

/* "'high' (a.cfg:12) and 'low' (a.cfg:13)", or "and a wall". */
static void describe(const struct sluice_case *c, char *text, size_t size)
{
    const struct sluice_rigid_body
        *a = &c->physics.bodies[c->contact.body],
        *b = &c->physics.bodies[c->contact.other < 0 ? c->contact.body : c->contact.other];
    if (c->contact.other < 0)
        snprintf(text, size, "'%s' (%s:%d) and a wall", a->name, a->entry->file, a->entry->line);
    else
        snprintf(text, size, "'%s' (%s:%d) and '%s' (%s:%d)", a->name, a->entry->file,
                 a->entry->line, b->name, b->entry->file, b->entry->line);
}

double sluice_case_impact_step(const struct sluice_case *c)
{
    const struct impact impact = find_impact(c);
    return c->physics.body_count == 0 || c->contact.body < 0 || !(impact.speed > 0)
               ? INFINITY
               : step_at(c, impact.speed);
}

void sluice_case_print_contacts(const struct sluice_case *c, FILE *out)
{
    const struct impact impact = find_impact(c);
    const double limit = sluice_case_impact_step(c);
    char who[6 * SLUICE_TEXT_MAX];
    if (isinf(limit))
        return;
    describe(c, who, sizeof who);
    fprintf(out, "  %-18sfor steps up to %.4g%s at an impact of %.3g%s, %s: %s", "contacts", limit,
            sluice_config_unit(c->config, " s"), impact.speed,
            sluice_config_unit(c->config, " m/s"),
            impact.falls ? "after a fall over the domain's height" : "the speed at the start", who);
    sluice_case_print_longer_step(c, limit, out);
    fputc('\n', out);
}

/* Young's modulus of a body, or of walls, Pa. */
static double stiffness_of(const struct sluice_case *c, int body)
{
    return body < 0 ? c->config->contact.material.stiffness
                    : c->physics.bodies[body].entry->material.stiffness;
}

/* Warns of a fixed time step that contacts do not bear at this impact. */
static void warn_of_fixed_step(struct sluice_case_builder *b, const struct impact *impact)
{
    const struct sluice_body *entry = b->c->physics.bodies[b->c->contact.body].entry;
    const double limit = step_at(b->c, impact->speed), step = b->config->time.step;
    char who[6 * SLUICE_TEXT_MAX];
    describe(b->c, who, sizeof who);
    if (step > limit)
        sluice_warn(&b->warnings,
                    "%s:%d: bodies: time.step (%.4g) is %.3g times as long as the contact of %s "
                    "bears at an impact of %.3g m/s: take %.4g, or 0, which chooses the step, or "
                    "less stiffness",
                    entry->file, entry->line, step, step / limit, who, impact->speed, limit);
}

void sluice_case_warn_stiff_contacts(struct sluice_case_builder *b)
{
    const struct sluice_case *c = b->c;
    const struct impact impact = find_impact(c);
    char who[6 * SLUICE_TEXT_MAX], remedy[160] = "";
    if (c->physics.body_count == 0 || c->contact.body < 0 || !(impact.speed > 0))
        return;
    if (b->config->time.step > 0) {
        warn_of_fixed_step(b, &impact);
        return;
    }
    const double limit = step_at(c, impact.speed), ratio = fluid_step(c) / limit,
                 overlap = limit * SLUICE_CONTACT_STEPS * impact.speed / 2.943 / b->config->spacing,
                 softer = pow(overlap / OVERLAP_USUAL, 2.5); /* overlaps go with E^(-2/5) */
    if (ratio <= RATIO_MOST)
        return;
    const double first = stiffness_of(c, c->contact.body),
                 second = stiffness_of(c, c->contact.other);
    describe(c, who, sizeof who);
    if (softer < 1)
        snprintf(remedy, sizeof remedy,
                 "; %.2g and %.2g Pa keep overlaps within a quarter of the spacing, and take steps "
                 "%.2g times shorter",
                 softer * first, softer * second, ratio * pow(softer, 0.4));
    sluice_warn(&b->warnings,
                "%s:%d: bodies: the contact of %s takes steps of %.3g s at an impact of %.3g m/s, "
                "%.3g times shorter than those of the fluid: stiffness is %.3g and %.3g Pa%s",
                c->physics.bodies[c->contact.body].entry->file,
                c->physics.bodies[c->contact.body].entry->line, who, limit, impact.speed, ratio,
                first, second, remedy);
}

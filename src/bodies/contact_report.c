/* Messages about contacts: before a run those that are too soft; in a run that they shorten its
 * steps, and bodies that sink too deep. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies/bodies.h"

/* In spacings. An overlap that shifts no face by much; and one at which a contact does not hold. */
#define OVERLAP_USUAL 0.25
#define OVERLAP_MOST  1.0
/* Of the keys, Pa. */
#define STIFFNESS_MOST 1e14

enum { NAME = 2 * SLUICE_TEXT_MAX + 32, REMEDY = 2 * SLUICE_TEXT_MAX + 200 };

/* "'crate' (a.cfg:12)", or "walls 2 'tank' (a.cfg:9)". */
static void name_solid(const struct sluice_config *config, const struct sluice_rigid_body *body,
                       int number, int shape, char *text)
{
    if (number >= 0)
        snprintf(text, NAME, "'%s' (%s:%d)", body[number].name, body[number].entry->file,
                 body[number].entry->line);
    else if (shape >= 0)
        sluice_geometry_title(config, shape, text, NAME);
    else
        snprintf(text, NAME, "a wall");
}

static void describe_place(const struct sluice_bodies *b, const double x[3], char *text,
                           size_t size)
{
    if (b->config->dimension == 2)
        snprintf(text, size, "(%.6g, %.6g) m", x[0], x[1]);
    else
        snprintf(text, size, "(%.6g, %.6g, %.6g) m", x[0], x[1], x[2]);
}

/* To two digits, up. */
static double round_up(double value)
{
    const double unit = pow(10, floor(log10(value)) - 1);
    return ceil(value / unit * (1 - 1e-9)) * unit;
}

/* The two stiffnesses that make a contact `stiffer` times as stiff, Pa. 1/E is a sum over both
 * solids: a solid that is hard enough, with half of the sum or less, stays as it is. */
static void find_stiffness(const struct sluice_material *const material[2], double stiffer,
                           double wanted[2])
{
    double part[2], share[2];
    for (int i = 0; i < 2; i++) {
        share[i] = 1 - material[i]->poisson * material[i]->poisson;
        part[i] = share[i] / material[i]->stiffness;
    }
    const double sum = (part[0] + part[1]) / stiffer;
    for (int i = 0; i < 2; i++) {
        const double other = part[1 - i];
        wanted[i] = part[i] <= sum / 2 ? material[i]->stiffness
                                       : round_up(share[i] / (sum - fmin(other, sum / 2)));
    }
}

/* The materials of a body and of another, or of walls: other -1. */
struct meeting {
    const struct sluice_body *entry[2]; /* NULL: walls */
    const struct sluice_material *material[2];
};

static struct meeting meet(const struct sluice_config *config, const struct sluice_rigid_body *body,
                           int first, int other)
{
    const struct sluice_body *const second = other < 0 ? NULL : body[other].entry;
    return (struct meeting){
        {body[first].entry, second},
        {&body[first].entry->material, second ? &second->material : &config->contact.material}};
}

/* "bodies.crate.stiffness", or "contact.stiffness". */
static void name_key(const struct meeting *m, int i, char *text, size_t size)
{
    if (m->entry[i])
        snprintf(text, size, "bodies.%s.stiffness", m->entry[i]->name);
    else
        snprintf(text, size, "contact.stiffness");
}

/* "stiffness is 1e+03 and 1e+06 Pa; about bodies.crate.stiffness = 3e+05 would hold it within a
 * quarter of the spacing": a contact that is `stiffer` times as stiff. */
static void describe_stiffness(const struct meeting *m, double stiffer, char *text, size_t size)
{
    char key[SLUICE_TEXT_MAX + 24];
    double wanted[2] = {INFINITY, INFINITY};
    int used = snprintf(text, size, "stiffness is %.3g and %.3g Pa", m->material[0]->stiffness,
                        m->material[1]->stiffness);
    if (isfinite(stiffer))
        find_stiffness(m->material, stiffer, wanted);
    if (!(fmax(wanted[0], wanted[1]) <= STIFFNESS_MOST)) {
        snprintf(text + used, size - (size_t)used,
                 "; no stiffness holds it: it needs a lighter or a slower body");
        return;
    }
    const char *before = "; about ";
    for (int i = 0; i < 2; i++) {
        if (!(wanted[i] > m->material[i]->stiffness) || (i == 1 && m->entry[1] == m->entry[0]))
            continue;
        name_key(m, i, key, sizeof key);
        used += snprintf(text + used, size - (size_t)used, "%s%s = %.2g", before, key, wanted[i]);
        before = " and ";
    }
    snprintf(text + used, size - (size_t)used, " would hold it within a quarter of the spacing");
}

/* An overlap goes with (energy over stiffness)^(2/5). */
static void describe_remedy(const struct sluice_bodies *b, char *text, size_t size)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    const struct meeting m = meet(b->config, b->body, d->body, d->other);
    if (isinf(d->energy)) /* neither gives way */
        snprintf(text, size,
                 "stiffness is %.3g and %.3g Pa; no stiffness keeps them apart: each is a wall, or "
                 "held or locked there",
                 m.material[0]->stiffness, m.material[1]->stiffness);
    else
        describe_stiffness(
            &m, d->energy * pow(d->depth / (OVERLAP_USUAL * b->config->spacing), 2.5), text, size);
}

/* --- Before a run --- */

/* The place of a stiffness in the config. Walls with the default stiffness have none:
 * then the place of the body. */
static void describe_origin(const struct sluice_config *config, const struct meeting *m, int i,
                            char *text, size_t size)
{
    const struct sluice_body *entry = m->entry[i] ? m->entry[i] : m->entry[0];
    const char *walls = sluice_config_where(config, "contact.stiffness");
    if (!m->entry[i] && strcmp(walls, "default") != 0)
        snprintf(text, size, "%s", walls);
    else
        snprintf(text, size, "%s:%d", entry->file, entry->line);
}

void sluice_bodies_warn_soft(const struct sluice_config *config,
                             const struct sluice_rigid_body *body,
                             const struct sluice_contact_rest *rest,
                             struct sluice_warnings *warnings)
{
    const double spacings = rest->at_rest / config->spacing;
    char first[NAME], other[NAME], origin[NAME], key[NAME], remedy[REMEDY];
    if (!(spacings > OVERLAP_MOST))
        return;
    const struct meeting m = meet(config, body, rest->body, rest->other);
    const int softer = m.material[1]->stiffness < m.material[0]->stiffness;
    name_solid(config, body, rest->body, -1, first);
    name_solid(config, body, rest->other, -1, other);
    describe_origin(config, &m, softer, origin, sizeof origin);
    name_key(&m, softer, key, sizeof key);
    /* Under a weight an overlap goes with stiffness^(-2/3). */
    describe_stiffness(&m, pow(rest->let_go / (OVERLAP_USUAL * config->spacing), 1.5), remedy,
                       sizeof remedy);
    sluice_warn(warnings,
                "%s: %s: %.3g Pa is too soft: at rest %s sinks by at least %.3g spacings, %.3g m, "
                "into %s under its weight without buoyancy, and over %g a contact fails; %s",
                origin, key, m.material[softer]->stiffness, first, spacings, rest->at_rest, other,
                OVERLAP_MOST, remedy);
}

/* --- In a run --- */

static void warn_of_sinking(const struct sluice_bodies *b, int64_t step, double time,
                            struct sluice_log *log)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    char body[NAME], other[NAME], place[100], remedy[REMEDY];
    name_solid(b->config, b->body, d->body, -1, body);
    name_solid(b->config, b->body, d->other, d->shape, other);
    describe_place(b, d->place, place, sizeof place);
    describe_remedy(b, remedy, sizeof remedy);
    sluice_log_warning(log,
                       "step %lld, t = %.9g: bodies: %s has sunk by more than a spacing, %.3g m, "
                       "into %s at %s: this contact is too soft to hold it; %s",
                       (long long)step, time, body, d->depth, other, place, remedy);
}

static void warn_of_steps(const struct sluice_bodies *b, int64_t step, double time, double fluid,
                          double contact, const int pair[2], struct sluice_log *log)
{
    char body[NAME], other[NAME];
    name_solid(b->config, b->body, pair[0], -1, body);
    name_solid(b->config, b->body, pair[1], -1, other);
    sluice_log_line(log,
                    "step %lld, t = %.9g: the contact of %s and %s shortens the time step to %.3g "
                    "s; the fluid alone takes up to %.3g s",
                    (long long)step, time, body, other, contact, fluid);
}

void sluice_bodies_watch_contacts(struct sluice_bodies *b, int64_t step, double time, double fluid,
                                  struct sluice_log *log)
{
    int pair[2];
    if (!b->contacts || !(b->deepest.depth > 0))
        return;
    if (!b->warned_of_sinking && b->deepest.depth > OVERLAP_MOST * b->config->spacing) {
        b->warned_of_sinking = 1;
        warn_of_sinking(b, step, time, log);
    }
    if (b->warned_of_steps || b->config->time.step > 0)
        return;
    const double contact = sluice_bodies_contact_step(b, &pair[0], &pair[1]);
    if (!(contact < fluid))
        return;
    b->warned_of_steps = 1;
    warn_of_steps(b, step, time, fluid, contact, pair, log);
}

static void report_overlap(const struct sluice_bodies *b, struct sluice_log *log)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    const double spacings = d->depth / b->config->spacing;
    char body[NAME], other[NAME], place[100], remedy[REMEDY];
    if (!(spacings > OVERLAP_USUAL))
        return;
    name_solid(b->config, b->body, d->body, -1, body);
    name_solid(b->config, b->body, d->other, d->shape, other);
    describe_place(b, d->place, place, sizeof place);
    describe_remedy(b, remedy, sizeof remedy);
    if (spacings > OVERLAP_MOST)
        sluice_log_warning(log,
                           "bodies: a contact failed: %s sank %.3g m, %.3g spacings, into %s at "
                           "%s, so its motion since then is wrong; %s",
                           body, d->depth, spacings, other, place, remedy);
    else
        sluice_log_warning(
            log,
            "bodies: a soft contact: %s sank %.3g m, %.2g of the spacing, into %s at "
            "%s before it was held; %s",
            body, d->depth, spacings, other, place, remedy);
}

void sluice_bodies_report(const struct sluice_bodies *b, struct sluice_log *log)
{
    if (b->count == 0)
        return;
    report_overlap(b, log);
    if (b->unsolved > 0)
        sluice_log_warning(log,
                           "bodies: in %lld steps an acceleration still changed after the last "
                           "round of its solution; a smaller time.cfl would help",
                           (long long)b->unsolved);
    if (b->too_long > 0)
        sluice_log_warning(log,
                           "bodies: in %lld steps time.step was longer than contacts and moorings "
                           "bear, %.3g s: take that, or 0, which chooses the step",
                           (long long)b->too_long, b->least_step);
}

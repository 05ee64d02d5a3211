/* What a run says of contacts: that they shorten its steps, and bodies that sink too deep. */
#include <math.h>
#include <stdio.h>

#include "bodies/bodies.h"

/* In spacings. An overlap that shifts no face by much; and one at which a contact does not hold. */
#define OVERLAP_USUAL 0.25
#define OVERLAP_MOST  1.0
/* Of the keys, Pa. */
#define STIFFNESS_MOST 1e14

enum { NAME = 2 * SLUICE_TEXT_MAX + 32 };

/* "'crate' (a.cfg:12)", or "walls 2 'tank' (a.cfg:9)". */
static void name_solid(const struct sluice_bodies *b, int body, int shape, char *text)
{
    if (body >= 0)
        snprintf(text, NAME, "'%s' (%s:%d)", b->body[body].name, b->body[body].entry->file,
                 b->body[body].entry->line);
    else if (shape >= 0)
        sluice_geometry_title(b->config, shape, text, NAME);
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

/* "stiffness is 1e+06 and 1e+06 Pa; about 3e+09 and 3e+09 Pa would hold it within a quarter of the
 * spacing": an overlap goes with (energy over stiffness)^(2/5). */
static void describe_remedy(const struct sluice_bodies *b, char *text, size_t size)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    const double first = b->body[d->body].entry->material.stiffness,
                 second = d->other < 0 ? b->config->contact.material.stiffness
                                       : b->body[d->other].entry->material.stiffness,
                 stiffer = d->energy * pow(d->depth / (OVERLAP_USUAL * b->config->spacing), 2.5);
    const int used = snprintf(text, size, "stiffness is %.3g and %.3g Pa", first, second);
    if (isinf(d->energy)) /* neither gives way */
        snprintf(text + used, size - (size_t)used,
                 "; no stiffness keeps them apart: each is a wall, or held or locked there");
    else if (isfinite(stiffer) && fmax(first, second) * stiffer <= STIFFNESS_MOST)
        snprintf(text + used, size - (size_t)used,
                 "; about %.1g and %.1g Pa would hold it within a quarter of the spacing",
                 first * stiffer, second * stiffer);
    else
        snprintf(text + used, size - (size_t)used,
                 "; no stiffness holds it: it needs a lighter or a slower body");
}

static void warn_of_sinking(const struct sluice_bodies *b, int64_t step, double time,
                            struct sluice_log *log)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    char body[NAME], other[NAME], place[100], remedy[200];
    name_solid(b, d->body, -1, body);
    name_solid(b, d->other, d->shape, other);
    describe_place(b, d->place, place, sizeof place);
    describe_remedy(b, remedy, sizeof remedy);
    sluice_log_warning(log,
                       "step %lld, t = %.9g: bodies: %s has sunk by more than a spacing, %.3g m, "
                       "into %s at %s: this contact is too soft to hold it; %s",
                       (long long)step, time, body, d->depth, other, place, remedy);
}

static void tell_of_steps(const struct sluice_bodies *b, int64_t step, double time, double fluid,
                          double contact, const int pair[2], struct sluice_log *log)
{
    char body[NAME], other[NAME];
    name_solid(b, pair[0], -1, body);
    name_solid(b, pair[1], -1, other);
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
    if (!b->told_of_sinking && b->deepest.depth > OVERLAP_MOST * b->config->spacing) {
        b->told_of_sinking = 1;
        warn_of_sinking(b, step, time, log);
    }
    if (b->told_of_steps || b->config->time.step > 0)
        return;
    const double contact = sluice_bodies_contact_step(b, &pair[0], &pair[1]);
    if (!(contact < fluid))
        return;
    b->told_of_steps = 1;
    tell_of_steps(b, step, time, fluid, contact, pair, log);
}

static void report_overlap(const struct sluice_bodies *b, struct sluice_log *log)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    const double spacings = d->depth / b->config->spacing;
    char body[NAME], other[NAME], place[100], remedy[200];
    if (!(spacings > OVERLAP_USUAL))
        return;
    name_solid(b, d->body, -1, body);
    name_solid(b, d->other, d->shape, other);
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

/* What a run says of contacts: that they shorten its steps, and bodies that sink too deep. */
#include <math.h>
#include <stdio.h>

#include "bodies/bodies.h"

/* In spacings. An overlap that shifts no face by much; and one at which a contact does not hold. */
#define OVERLAP_USUAL 0.25
#define OVERLAP_MOST  1.0
/* Of the keys, Pa. */
#define STIFFNESS_MOST 1e14

enum { NAME = 2 * SLUICE_TEXT_MAX + 32, REMEDY = 2 * SLUICE_TEXT_MAX + 200 };

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

/* "stiffness is 1e+03 and 1e+06 Pa; about bodies.crate.stiffness = 3e+05 would hold it within a
 * quarter of the spacing": an overlap goes with (energy over stiffness)^(2/5). */
static void describe_remedy(const struct sluice_bodies *b, char *text, size_t size)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    const struct sluice_body *entry[2] = {b->body[d->body].entry,
                                          d->other < 0 ? NULL : b->body[d->other].entry};
    const struct sluice_material *const material[2] = {
        &entry[0]->material, entry[1] ? &entry[1]->material : &b->config->contact.material};
    const double stiffer = d->energy * pow(d->depth / (OVERLAP_USUAL * b->config->spacing), 2.5);
    double wanted[2] = {INFINITY, INFINITY};
    int used = snprintf(text, size, "stiffness is %.3g and %.3g Pa", material[0]->stiffness,
                        material[1]->stiffness);
    if (isfinite(stiffer))
        find_stiffness(material, stiffer, wanted);
    if (isinf(d->energy)) { /* neither gives way */
        snprintf(text + used, size - (size_t)used,
                 "; no stiffness keeps them apart: each is a wall, or held or locked there");
        return;
    }
    if (!(fmax(wanted[0], wanted[1]) <= STIFFNESS_MOST)) {
        snprintf(text + used, size - (size_t)used,
                 "; no stiffness holds it: it needs a lighter or a slower body");
        return;
    }
    const char *before = "; about ";
    for (int i = 0; i < 2; i++) {
        if (!(wanted[i] > material[i]->stiffness) || (i == 1 && entry[1] == entry[0]))
            continue;
        used += entry[i]
                    ? snprintf(text + used, size - (size_t)used, "%sbodies.%s.stiffness = %.2g",
                               before, entry[i]->name, wanted[i])
                    : snprintf(text + used, size - (size_t)used, "%scontact.stiffness = %.2g",
                               before, wanted[i]);
        before = " and ";
    }
    snprintf(text + used, size - (size_t)used, " would hold it within a quarter of the spacing");
}

static void warn_of_sinking(const struct sluice_bodies *b, int64_t step, double time,
                            struct sluice_log *log)
{
    const struct sluice_contact_overlap *d = &b->deepest;
    char body[NAME], other[NAME], place[100], remedy[REMEDY];
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
    char body[NAME], other[NAME], place[100], remedy[REMEDY];
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

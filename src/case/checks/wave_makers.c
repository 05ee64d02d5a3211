/* Wave makers: what `sluice check` says of them, and those that would not do what is meant. */
#include <math.h>

#include "case/builder.h"
#include "kernels/formulas/wave_loss.h"

static const double pi = 3.14159265358979323846;

static void row(FILE *out, const char *name)
{
    fprintf(out, "  %-18s", name);
}

/* Length, speeds and shares of the limits. */
static void print_wave(const struct sluice_case *c, const struct sluice_wave_maker *w, FILE *out)
{
    const struct sluice_wave_settings *s = w->of;
    const double gravity = sluice_wave_gravity(c->config), k = w->kd / s->depth,
                 length = 2 * pi / k, celerity = length / w->period,
                 height = sluice_wave_maker_height(w);
    row(out, "  waves");
    fprintf(out,
            "%s %.6g m, period %.6g s, length %.6g m, celerity %.4g m/s, group velocity %.4g m/s\n",
            s->kind == SLUICE_WAVE_REGULAR     ? "H"
            : s->kind == SLUICE_WAVE_IRREGULAR ? "Hs"
            : s->kind == SLUICE_WAVE_ELEVATION ? "Hm0"
                                               : "twice the crest",
            height, w->period, length, celerity, celerity * sluice_wave_group_share(w->kd));
    row(out, "");
    fprintf(out,
            "kd %.4g, H/L %.3g, H L^2/d^3 %.3g, %.0f%% of the breaking height (Miche 1944), %.0f%% "
            "(McCowan 1894)\n",
            w->kd, height / length, sluice_wave_maker_ursell(w),
            100 * height / s->depth / sluice_wave_miche(w->kd),
            100 * height / s->depth / SLUICE_WAVE_MCCOWAN);
    if (w->steady.k > 0) {
        const double own = 2 * pi / w->steady.k, first = w->steady.amplitude[1];
        row(out, "");
        fprintf(out,
                "in a flume, without mean flow: length %.5g m, celerity %.4g m/s, a1 %.4g m, a2/a1 "
                "%.3g (Rienecker & Fenton 1981)\n",
                own, own / w->period, first, w->steady.amplitude[2] / first);
    }
    row(out, "");
    fprintf(out, "H/dp %.3g, %.3g spacings a length\n", height / c->config->spacing,
            length / c->config->spacing);
    const struct wave_loss loss = wave_loss_of(&c->physics.wcsph, k, s->depth, gravity);
    const double lattice = loss.lattice >= 0 ? loss.lattice : 0,
                 of_length = (loss.viscosity + loss.diffusion + lattice) /
                             sluice_wave_group_share(w->kd);
    row(out, "  loss a length");
    fprintf(out, "%.2g%% of its height%s\n", 100 * of_length,
            loss.lattice >= 0 ? "" : ", without the lattice's part");
}

/* The file that a maker reads. */
static void print_file(const struct sluice_case *c, int motion, const struct sluice_wave_maker *w,
                       FILE *out)
{
    const struct sluice_track *t = w->table;
    const struct sluice_wave_record *r = &w->record;
    if (t->count == 0)
        return;
    const double first = t->t[0], last = t->t[t->count - 1];
    row(out, "  its file");
    fprintf(out, "%s: %lld rows, %.6g to %.6g %s", c->config->motions[motion].table,
            (long long)t->count, first, last, w->of->spectrum == SLUICE_SPECTRUM_FILE ? "Hz" : "s");
    if (w->of->kind == SLUICE_WAVE_PADDLE) {
        fprintf(out, ", from t = %.6g s on\n", w->of->start);
        return;
    }
    if (w->of->kind == SLUICE_WAVE_ELEVATION)
        fprintf(out, ", Hm0 %.4g m, highest wave %.4g m, Tp %.4g s; its mean, %.4g m, is removed",
                r->height, r->highest, r->period, r->mean);
    else
        fprintf(out, ", Tp %.4g s%s", w->period,
                w->of->height > 0 ? "" : "; the height is that of its m0 in the band");
    fputc('\n', out);
    if (w->of->kind == SLUICE_WAVE_ELEVATION && r->rows < t->count) {
        row(out, "");
        fprintf(out, "all this from its first %lld rows, to %.6g s: later ones are not needed\n",
                (long long)r->rows, r->first + r->duration);
    }
    row(out, "");
    fprintf(out, "from %.4g to %.4g Hz; %.2g%% of its m0 is outside and cut", w->low, w->high,
            100 * w->cut);
    if (w->of->kind == SLUICE_WAVE_ELEVATION)
        fprintf(out,
                "; its first row is %.6g m from the paddle at t = %.6g s, the paddle begins "
                "at %.6g s",
                w->of->record_at, w->of->start, w->start);
    fputc('\n', out);
}

static void print_solitary(const struct sluice_case *c, const struct sluice_wave_maker *w,
                           FILE *out)
{
    const double height = sluice_wave_maker_height(w);
    row(out, "  wave");
    fprintf(out,
            "solitary, H %.6g m, H/d %.4g, %.0f%% of the breaking height (McCowan 1894), celerity "
            "%.4g m/s, H/dp %.3g\n",
            height, height / w->of->depth, 100 * height / sluice_wave_maker_breaking(w),
            w->solitary.c, height / c->config->spacing);
}

static void print_paddle(const struct sluice_case *c, int motion, const struct sluice_wave_maker *w,
                         FILE *out)
{
    const struct sluice_paddle_path p = sluice_case_paddle_path(c, motion);
    row(out, "  its paddle");
    fprintf(out, "%s, from %.4g to %.4g m at the surface, to %.4g m/s and %.4g m/s^2",
            w->of->paddle == SLUICE_PADDLE_PISTON ? "piston" : "flap", p.low, p.high, p.speed,
            p.acceleration);
    if (w->of->kind == SLUICE_WAVE_REGULAR)
        fprintf(out, ", of order %lld", w->order);
    if (w->count > 1)
        fprintf(out, "; %lld components", (long long)w->count);
    fputc('\n', out);
    if (w->free > 0) {
        row(out, "");
        fprintf(out, "free second harmonic: order 1 leaves %.2g%% of the waves' amplitude%s\n",
                100 * w->free, w->order == 2 ? ", order 2 none" : "");
    }
}

/* Whether two makers of regular waves differ in their phase alone. */
static int are_alike(const struct sluice_wave_maker *one, const struct sluice_wave_maker *other)
{
    const struct sluice_wave_settings *a = one->of, *b = other->of;
    const double pair[][2] = {{one->period, other->period},
                              {one->ramp, other->ramp},
                              {one->stop, other->stop},
                              {a->hinge, b->hinge},
                              {a->depth, b->depth},
                              {a->height, b->height},
                              {a->gain, b->gain},
                              {a->start, b->start},
                              {a->direction[0], b->direction[0]},
                              {a->direction[1], b->direction[1]}};
    int same = a->kind == SLUICE_WAVE_REGULAR && b->kind == a->kind && b->paddle == a->paddle &&
               one->order == other->order;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        same &= pair[i][0] == pair[i][1];
    return same;
}

/* An earlier wave maker that is alike; -1: none. */
static int find_alike(const struct sluice_case *c, int motion)
{
    const struct sluice_wave_maker *maker = c->physics.motions.maker;
    for (int i = 0; i < motion; i++)
        if (maker[i].of && are_alike(&maker[i], &maker[motion]))
            return i;
    return -1;
}

void sluice_case_print_waves(const struct sluice_case *c, int motion, FILE *out)
{
    const struct sluice_wave_maker *w = &c->physics.motions.maker[motion];
    const int alike = find_alike(c, motion);
    if (alike >= 0) {
        row(out, "  waves");
        fprintf(out, "as those of '%s', phase %.4g rad\n", c->config->motions[alike].name,
                c->config->motions[motion].phase);
        return;
    }
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        print_solitary(c, w, out);
    else if (w->of->kind != SLUICE_WAVE_PADDLE)
        print_wave(c, w, out);
    print_file(c, motion, w, out);
    print_paddle(c, motion, w, out);
    sluice_case_print_arrivals(c, motion, out);
}

/* --- Checks --- */

/* The fraction of the breaking height that gives a warning. */
static const double near = 0.8;
/* The fraction of a record's m0 that may be missed without a warning. */
static const double most_cut = 0.05;

static sluice_status check_place(struct sluice_case_builder *b, int motion)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    const struct sluice_wave_settings *s = &m->wave;
    const int up = b->config->dimension - 1;
    const double floor_at = b->c->fluid_high[up] - s->depth, half = 0.5 * b->config->spacing;
    struct sluice_wave_run r;
    for (int k = 0; k < b->config->shape_count; k++)
        SLUICE_CHECK(b->config->shapes[k].kind != SLUICE_SHAPE_WALLS ||
                         sluice_motions_find(b->config, b->config->shapes[k].motion) != motion,
                     SLUICE_BAD_INPUT,
                     "%s:%d: motions: '%s': carries walls of the domain: a wave maker moves a "
                     "paddle within it; build it as a box",
                     m->file, m->line, m->name);
    SLUICE_CHECK(s->paddle != SLUICE_PADDLE_FLAP ||
                     fabs(m->centre[up] - floor_at - s->hinge) <= half,
                 SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': centre: the hinge is %.6g m above the floor, %.6g m below "
                 "the surface of the water, but hinge = %.6g m: make them agree",
                 m->file, m->line, m->name, m->centre[up] - floor_at, s->depth, s->hinge);
    if (fabs(b->c->fluid_depth - s->depth) > half)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': depth = %.6g m, but the water of the case is %.6g m "
                    "deep: the waves will not be those asked for",
                    m->file, m->line, m->name, s->depth, b->c->fluid_depth);
    const double begin = b->c->physics.motions.maker[motion].start;
    if (begin >= b->config->time.end)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': start: the paddle begins at %.6g s, after time.end: no "
                    "waves",
                    m->file, m->line, m->name, begin);
    if (sluice_case_wave_run(b->c, motion, &r) && r.sense * (r.end - r.face) <= half)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': there is no water in the direction of its waves: give "
                    "direction",
                    m->file, m->line, m->name);
    return SLUICE_OK;
}

static void check_waves(struct sluice_case_builder *b, const struct sluice_motion *m,
                        const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w), most = sluice_wave_maker_breaking(w),
                 high = m->wave.kind == SLUICE_WAVE_IRREGULAR
                            ? 2 * sluice_wave_maker_highest_crest(w)
                        : m->wave.kind == SLUICE_WAVE_ELEVATION
                            ? fabs(m->wave.gain) * w->record.highest
                            : height;
    if (m->wave.kind == SLUICE_WAVE_PADDLE)
        return;
    if (high > near * most)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': %s of %.4g m are %.0f%% of the height at which they "
                    "break, %.4g m: some will break on their way",
                    m->file, m->line, m->name, high > height ? "the highest waves" : "waves", high,
                    100 * high / most, most);
    if (w->order == 1 && w->kd > 0 && sluice_wave_maker_ursell(w) > SLUICE_WAVE_SPLIT)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': H L^2/d^3 = %.4g: such waves are no sines, and the "
                    "paddle moves by the first order; above %.3g crests split on their way",
                    m->file, m->line, m->name, sluice_wave_maker_ursell(w), SLUICE_WAVE_SPLIT);
    if (m->wave.kind != SLUICE_WAVE_ELEVATION && w->count > 1 && w->count < 50)
        sluice_warn(
            &b->warnings,
            "%s:%d: motions: '%s': components = %lld: fewer than 50 make a spectrum of gaps",
            m->file, m->line, m->name, (long long)w->count);
}

/* A record that is not used whole, or not long enough. */
static void check_file(struct sluice_case_builder *b, const struct sluice_motion *m,
                       const struct sluice_wave_maker *w)
{
    const double end = sluice_wave_maker_end(w);
    const int is_record = m->wave.kind == SLUICE_WAVE_ELEVATION ||
                          m->wave.kind == SLUICE_WAVE_PADDLE;
    if (w->cut > most_cut)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': %.2g%% of the m0 of %s is outside of %.4g to %.4g Hz, "
                    "and cut: widen the band by band_low and band_high, or use a finer spacing",
                    m->file, m->line, m->name, 100 * w->cut, m->table, w->low, w->high);
    if (is_record && m->wave.stop == 0 && end < b->config->time.end * (1 - 1e-9))
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': the record of %s ends before time.end = %.6g s: the "
                    "paddle rests from %.4g s on; lower time.end, or add rows",
                    m->file, m->line, m->name, m->table, b->config->time.end, end);
}

/* --- Space for the paddle and the crests --- */

/* Water that does not touch the paddle at the start. */
static void check_gap(struct sluice_case_builder *b, int motion)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    const double dp = b->config->spacing;
    struct sluice_wave_run r;
    if (!sluice_case_wave_run(b->c, motion, &r))
        return;
    const double gap = r.sense > 0 ? b->c->fluid_low[r.axis] - r.face
                                   : r.face - b->c->fluid_high[r.axis];
    if (gap > 0.5 * dp && r.sense * (r.end - r.face) > 0.5 * dp)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': the water begins %.4g m from the paddle, whose face "
                    "is at %c = %.6g: it falls into the gap at the start, and its level sinks; "
                    "let the water begin at %.6g",
                    m->file, m->line, m->name, gap, "xy"[r.axis], r.face, r.face);
}

/* Crests above the domain's top; at a steep wall, which sends them back, they are twice as high. */
static void check_top(struct sluice_case_builder *b, int motion, double crest)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    const int up = b->config->dimension - 1;
    const double still = b->c->fluid_high[up], top = b->config->domain.max[up];
    struct sluice_wave_run r;
    char title[2 * SLUICE_TEXT_MAX];
    if (b->config->domain.periodic[up] || top >= still + 2 * crest)
        return;
    if (top < still + crest)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': the domain ends at %c = %.6g, but crests reach %.4g "
                    "(%.4g m above the water at rest): their water leaves it for good; raise "
                    "domain.max",
                    m->file, m->line, m->name, "xyz"[up], top, still + crest, crest);
    else if (sluice_case_wave_reflection(b->c, motion, &r) && r.is_steep)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': the domain ends at %c = %.6g, but before %s at %c = "
                    "%.6g waves and their echo stand twice as high as a crest, to %.4g (%.4g m "
                    "above the water at rest), and splash higher: such water leaves it for good; "
                    "raise domain.max",
                    m->file, m->line, m->name, "xyz"[up], top,
                    sluice_case_reflector_title(b->c, &r, title, sizeof title), "xy"[r.axis], r.end,
                    still + 2 * crest, 2 * crest);
}

/* Crests above the paddle's top or the domain's. */
static void check_crests(struct sluice_case_builder *b, int motion,
                         const struct sluice_wave_maker *w)
{
    const struct sluice_motion *m = &b->config->motions[motion];
    const int up = b->config->dimension - 1;
    const double still = b->c->fluid_high[up], crest = sluice_wave_maker_second_crest(w);
    double top = -INFINITY;
    for (int s = 0; s < b->config->shape_count && b->c->geometry.solid; s++)
        if (sluice_motions_find(b->config, b->config->shapes[s].motion) == motion)
            top = fmax(top, b->c->geometry.solid[s].high[up]);
    if (m->wave.kind == SLUICE_WAVE_PADDLE)
        return;
    if (isfinite(top) && top < still + crest)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': the paddle ends at %c = %.6g, but crests reach %.4g "
                    "(%.4g m above the water at rest): they run over it; raise its top",
                    m->file, m->line, m->name, "xyz"[up], top, still + crest, crest);
    check_top(b, motion, crest);
}

sluice_status sluice_case_check_wave_makers(struct sluice_case_builder *b)
{
    for (int i = 0; i < b->config->motion_count; i++)
        if (b->config->motions[i].kind == SLUICE_MOTION_WAVE) {
            SLUICE_TRY(check_place(b, i));
            check_waves(b, &b->config->motions[i], &b->c->physics.motions.maker[i]);
            check_file(b, &b->config->motions[i], &b->c->physics.motions.maker[i]);
            check_gap(b, i);
            check_crests(b, i, &b->c->physics.motions.maker[i]);
        }
    return sluice_case_check_gauges(b);
}

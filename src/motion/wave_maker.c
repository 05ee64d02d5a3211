#include "motion/wave_maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "motion/second_order.h"
#include "motion/wave_spectrum.h"

static const double pi = 3.14159265358979323846;

/* Longer waves, over 600 depths, are tides. */
static const double least_kd = 0.01;

/* What the checks need to name. */
struct naming {
    const struct sluice_config *config;
    const struct sluice_motion *m;
};

/* The highest of a thousand waves over Hs (Longuet-Higgins 1952). */
static const double highest_of_thousand = 1.9;

/* --- Checks --- */

static sluice_status check_gravity(const struct naming *n)
{
    const struct sluice_config *c = n->config;
    int down = sluice_wave_gravity(c) > 0;
    for (int a = 0; a < c->dimension - 1; a++)
        down &= c->gravity[a] == 0;
    SLUICE_CHECK(down, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': kind: a wave needs gravity along -%c alone", n->m->file,
                 n->m->line, n->m->name, c->dimension == 2 ? 'y' : 'z');
    return SLUICE_OK;
}

double sluice_wave_maker_breaking(const struct sluice_wave_maker *w)
{
    const double most = w->kd > 0 ? fmin(sluice_wave_miche(w->kd), SLUICE_WAVE_MCCOWAN)
                                  : SLUICE_WAVE_MCCOWAN;
    return most * w->of->depth;
}

double sluice_wave_maker_height(const struct sluice_wave_maker *w)
{
    const double height = fabs(w->of->gain) * w->height;
    return w->of->kind == SLUICE_WAVE_FOCUSED ? 2 * height : height;
}

double sluice_wave_maker_highest_crest(const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w);
    switch (w->of->kind) {
    case SLUICE_WAVE_SOLITARY:
        return height;
    case SLUICE_WAVE_IRREGULAR:
        return 0.5 * highest_of_thousand * height;
    case SLUICE_WAVE_ELEVATION:
        return fabs(w->of->gain) * w->record.crest;
    default:
        return 0.5 * height;
    }
}

double sluice_wave_maker_second_crest(const struct sluice_wave_maker *w)
{
    const double first = sluice_wave_maker_highest_crest(w), d = w->of->depth;
    const int is_linear = w->of->kind == SLUICE_WAVE_REGULAR ||
                          w->of->kind == SLUICE_WAVE_FOCUSED ||
                          w->of->kind == SLUICE_WAVE_IRREGULAR;
    if (w->steady.k > 0)
        return sluice_steady_wave_at(&w->steady, 0);
    return is_linear ? first + d * sluice_wave_second_crest(w->kd, first / d) : first;
}

static sluice_status check_height(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w), most = sluice_wave_maker_breaking(w);
    SLUICE_CHECK(height <= most, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': %s: waves of %.6g m in %.6g m of water break at the "
                 "paddle: at most %.4g m (%s)",
                 n->m->file, n->m->line, n->m->name, n->m->wave.height > 0 ? "height" : "file",
                 height, w->of->depth, most,
                 most < SLUICE_WAVE_MCCOWAN * w->of->depth ? "Miche 1944" : "McCowan 1894");
    return SLUICE_OK;
}

/* The largest displacement of a focused group's paddle during the run, m. */
static double largest_of_path(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double end = fmin(n->config->time.end, w->stop);
    const int64_t samples = sluice_wave_maker_samples(w, end);
    double most = 0, x, v, a;
    for (int64_t i = 0; i <= samples; i++) {
        sluice_wave_maker_at(w, end * (double)i / (double)samples, &x, &v, &a);
        most = fmax(most, fabs(x));
    }
    return most;
}

/* The paddle's largest displacement at the surface, m: of a spectrum and a record that of a
 * thousand waves, whose crest is 0.5 times their height, of 4 standard deviations. */
static double largest_displacement(const struct naming *n, const struct sluice_wave_maker *w)
{
    double square = 0;
    if (w->of->kind == SLUICE_WAVE_REGULAR)
        return fabs(w->component[0].stroke) + hypot(w->second[0], w->second[1]);
    if (w->of->kind == SLUICE_WAVE_FOCUSED)
        return largest_of_path(n, w);
    for (int64_t i = 0; i < w->count; i++)
        square += w->component[i].stroke * w->component[i].stroke;
    return 0.5 * highest_of_thousand * 4 * sqrt(0.5 * square);
}

static sluice_status check_lever(const struct naming *n, const struct sluice_wave_maker *w)
{
    if (w->of->paddle == SLUICE_PADDLE_PISTON)
        return SLUICE_OK;
    const double largest = largest_displacement(n, w);
    SLUICE_CHECK(largest < w->lever, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': hinge: the flap would sway by %.4g m at the surface, %.4g "
                 "m above its hinge: lower the hinge, or the waves",
                 n->m->file, n->m->line, n->m->name, largest, w->lever);
    return SLUICE_OK;
}

static sluice_status check_ramps(const struct naming *n, const struct sluice_wave_maker *w)
{
    SLUICE_CHECK(w->stop >= w->start + 2 * w->ramp, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': stop: %.6g s leaves no time for two ramps of %.6g s after "
                 "start",
                 n->m->file, n->m->line, n->m->name, w->stop, w->ramp);
    return SLUICE_OK;
}

/* A solitary wave of another height has another length and celerity. */
static sluice_status check_solitary(const struct naming *n, const struct sluice_wave_maker *w)
{
    SLUICE_CHECK(w->of->gain == 1, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': gain: %.6g: a solitary wave of %.6g times the height is "
                 "longer or shorter too: leave gain out, set height instead",
                 n->m->file, n->m->line, n->m->name, w->of->gain, w->of->gain);
    return check_height(n, w);
}

double sluice_wave_maker_ursell(const struct sluice_wave_maker *w)
{
    const double length = 2 * pi / w->kd;
    return sluice_wave_maker_height(w) / w->of->depth * length * length;
}

static sluice_status check_order(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double ursell = sluice_wave_maker_ursell(w);
    SLUICE_CHECK(w->order < 2 || w->kd <= SLUICE_SECOND_ORDER_KD, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': order: k d = %.4g is beyond the second order, which "
                 "reaches to %d: a longer period or less depth, or order = 1",
                 n->m->file, n->m->line, n->m->name, w->kd, SLUICE_SECOND_ORDER_KD);
    SLUICE_CHECK(w->order < 2 || ursell <= SLUICE_WAVE_SPLIT, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': order: H L^2/d^3 = %.4g is beyond the second order, which "
                 "reaches to 26.3: lower height or period, or take order = 1",
                 n->m->file, n->m->line, n->m->name, ursell);
    return SLUICE_OK;
}

/* --- Components --- */

static sluice_status check_focus(const struct naming *n, const struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double slowest = sluice_wave_component_speed(&w->component[w->count - 1], s->depth),
                 earliest = s->start + w->ramp + s->focus_at / slowest;
    SLUICE_CHECK(s->focus_time >= earliest, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': focus_time: at %.6g s the slowest waves are not yet %.6g m "
                 "from the paddle: from %.4g s on, or a lower band_high",
                 n->m->file, n->m->line, n->m->name, s->focus_time, s->focus_at, earliest);
    return SLUICE_OK;
}

/* Checks the times of waves whose period is known. */
static sluice_status check_times(const struct naming *n, const struct sluice_wave_maker *w)
{
    SLUICE_CHECK(
        w->kd > least_kd, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': period: waves of %.4g s are %.4g times as long as the water "
        "is deep: at most %.4g times",
        n->m->file, n->m->line, n->m->name, w->period, 2 * pi / w->kd, 2 * pi / least_kd);
    SLUICE_TRY(check_ramps(n, w));
    return check_height(n, w);
}

/* Checks the low end of a band that a file or the user gives. */
static sluice_status check_band(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double g = sluice_wave_gravity(n->config), least = sluice_wave_kd(w->of, g, w->low);
    SLUICE_CHECK(least > least_kd, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': band_low: the waves of %s begin at %.4g Hz, where they are "
                 "%.4g times as long as the water is deep: give a band_low, at least %.3g",
                 n->m->file, n->m->line, n->m->name, n->m->table, w->low, 2 * pi / least,
                 sqrt(g / w->of->depth) * least_kd / (2 * pi) * w->period);
    return SLUICE_OK;
}

/* Whether the second order holds. */
static int in_reach(const struct sluice_wave_maker *w)
{
    return w->kd <= SLUICE_SECOND_ORDER_KD && sluice_wave_maker_ursell(w) <= SLUICE_WAVE_SPLIT;
}

static void add_second_order(struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = w->of;
    const double hinge = s->paddle == SLUICE_PADDLE_PISTON ? -INFINITY : s->hinge / s->depth,
                 amplitude = 0.5 * s->gain * s->height,
                 scale = w->order == 2 ? amplitude * amplitude / s->depth : 0;
    if (w->kd > SLUICE_SECOND_ORDER_KD)
        return;
    const struct sluice_second_order second = sluice_second_order_of(w->kd, hinge);
    w->free = second.free * fabs(amplitude) / s->depth;
    w->second[0] = scale * second.cosine;
    w->second[1] = scale * second.sine;
}

static sluice_status make_regular(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double g = sluice_wave_gravity(n->config);
    w->order = s->order > 0 ? s->order : in_reach(w) ? 2 : 1;
    w->ramp = s->ramp > 0 ? s->ramp : 2 * w->period;
    SLUICE_TRY(check_times(n, w));
    SLUICE_TRY(check_order(n, w));
    w->count = 1;
    SLUICE_ALLOCATE(w->component, w->count, "components of waves");
    w->component[0] = sluice_wave_component_of(s, g, 0.5 * s->height, 2 * pi / w->period,
                                               n->m->phase);
    if (!sluice_steady_wave_of(fabs(s->gain) * s->height, w->period, s->depth, g, &w->steady))
        w->steady.k = 0;
    add_second_order(w);
    return check_lever(n, w);
}

static sluice_status make_spectrum(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    struct sluice_wave_spectrum spectrum;
    SLUICE_TRY(sluice_wave_spectrum_create(&spectrum, n->m, w->table,
                                           w->period > 0 ? 1 / w->period : 0,
                                           sluice_wave_gravity(n->config)));
    if (spectrum.table) {
        w->period = 1 / spectrum.peak;
        w->kd = sluice_wave_kd(s, sluice_wave_gravity(n->config), spectrum.peak);
        w->height = s->height > 0 ? s->height : spectrum.height;
    }
    w->low = spectrum.low;
    w->high = spectrum.high;
    w->cut = spectrum.cut;
    w->ramp = s->ramp > 0 ? s->ramp : 2 * w->period;
    if (spectrum.table)
        SLUICE_TRY(check_band(n, w));
    SLUICE_TRY(check_times(n, w));
    w->count = s->components;
    SLUICE_ALLOCATE(w->component, w->count, "components of waves");
    SLUICE_TRY(sluice_wave_spectrum_make(&spectrum, n->m, w->height, w->component, w->count));
    SLUICE_TRY(check_lever(n, w));
    return s->kind == SLUICE_WAVE_FOCUSED ? check_focus(n, w) : SLUICE_OK;
}

/* --- Records --- */

/* The paddle begins before the record does, by the time that slow waves take, and is done when the
 * fastest of its end are there. */
static sluice_status make_elevation(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    struct sluice_wave_record *r = &w->record;
    SLUICE_TRY(sluice_wave_record_create(r, n->config, n->m, w->table, &w->component, &w->count));
    w->period = r->period;
    w->kd = sluice_wave_kd(s, sluice_wave_gravity(n->config), 1 / r->period);
    w->height = r->height;
    w->ramp = r->ramp;
    w->low = r->low;
    w->high = r->high;
    w->cut = r->cut;
    w->start = s->start - r->lead;
    w->stop = fmin(w->stop, s->start + r->duration - s->record_at / sluice_wave_maker_front(w));
    SLUICE_CHECK(w->start >= 0, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': start: waves of %.3g s, the slowest of the record, take "
                 "%.4g s to its place, %.6g m from the paddle, and would begin before the run: "
                 "start = %.4g or later, or a lower band_high",
                 n->m->file, n->m->line, n->m->name, 1 / r->slow, r->lead, s->record_at,
                 ceil(1000 * r->lead) / 1000);
    SLUICE_TRY(check_band(n, w));
    SLUICE_TRY(check_times(n, w));
    return check_lever(n, w);
}

static double speed_at(const struct sluice_track *s, int64_t row, double lever)
{
    double value[SLUICE_TRACK_COLUMNS], first[SLUICE_TRACK_COLUMNS], unused[SLUICE_TRACK_COLUMNS];
    sluice_track_at(s, s->t[row], value, first, unused);
    return fabs(first[0]) + lever * fabs(first[SLUICE_TRACK_ANGLE]);
}

static sluice_status make_paddle(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_track *s = w->table;
    const double duration = s->t[s->count - 1] - s->t[0];
    double most = 0;
    for (int64_t i = 0; i < s->count; i++)
        most = fmax(most, speed_at(s, i, w->lever));
    w->ramp = w->of->ramp;
    for (int side = 0; side < 2; side++) {
        const int64_t row = side ? s->count - 1 : 0;
        const double speed = speed_at(s, row, w->lever);
        const int late = side && (w->of->start + duration >= n->config->time.end ||
                                  w->stop <= w->of->start + duration);
        SLUICE_CHECK(late || (!side && w->ramp > 0) || speed <= 0.1 * most, SLUICE_BAD_INPUT,
                     "%s:%lld: the paddle %s at %.3g m/s, of %.3g m/s at most: add rows until it "
                     "rests, or give the motion %s",
                     n->m->table, (long long)s->line[row], side ? "ends" : "begins", speed, most,
                     side ? "a stop and a ramp" : "a ramp");
    }
    return check_ramps(n, w);
}

sluice_status sluice_wave_maker_create(struct sluice_wave_maker *w,
                                       const struct sluice_config *config,
                                       const struct sluice_motion *m,
                                       const struct sluice_track *table)
{
    const struct naming n = {config, m};
    const struct sluice_wave_settings *s = &m->wave;
    const double g = sluice_wave_gravity(config);
    memset(w, 0, sizeof *w);
    w->of = s;
    w->table = table;
    w->order = 1;
    w->height = s->height;
    w->start = s->start;
    w->lever = s->depth - s->hinge;
    w->stop = s->stop > 0 ? s->stop : INFINITY;
    SLUICE_TRY(check_gravity(&n));
    w->long_waves = sqrt(g * s->depth);
    if (m->period > 0 || s->length > 0) {
        w->period = m->period > 0
                        ? m->period
                        : 2 * pi /
                              sqrt(2 * pi * g / s->length * tanh(2 * pi * s->depth / s->length));
        w->kd = sluice_wave_number(2 * pi / w->period, s->depth, g);
    }
    switch (s->kind) {
    case SLUICE_WAVE_SOLITARY:
        w->solitary = sluice_solitary_of(s->height, s->depth, g,
                                         s->theory == SLUICE_SOLITARY_BOUSSINESQ);
        return check_solitary(&n, w);
    case SLUICE_WAVE_REGULAR:
        return make_regular(w, &n);
    case SLUICE_WAVE_ELEVATION:
        return make_elevation(w, &n);
    case SLUICE_WAVE_PADDLE:
        return make_paddle(w, &n);
    default:
        return make_spectrum(w, &n);
    }
}

void sluice_wave_maker_destroy(struct sluice_wave_maker *w)
{
    free(w->component);
    memset(w, 0, sizeof *w);
}

/* --- What it makes --- */

double sluice_wave_maker_front(const struct sluice_wave_maker *w)
{
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return w->solitary.c;
    return w->count > 0 ? sluice_wave_component_speed(&w->component[0], w->of->depth)
                        : w->long_waves;
}

double sluice_wave_maker_crest(const struct sluice_wave_maker *w)
{
    const struct sluice_solitary *s = &w->solitary;
    const double half = 0.5 * w->of->gain * sluice_solitary_stroke(s);
    return w->of->start + (SLUICE_SOLITARY_REACH / s->beta - half) / s->c;
}

int64_t sluice_wave_maker_samples(const struct sluice_wave_maker *w, double end)
{
    const int is_record = w->of->kind == SLUICE_WAVE_PADDLE;
    const double most = 1e7 / (double)(w->count > 0 ? w->count : 1),
                 wanted = is_record       ? 8 * (double)w->table->count
                          : w->count == 1 ? 100 * end / w->period
                                          : 40 * w->high * end;
    return (int64_t)fmin(fmax(wanted, 2000), fmax(most, 2000));
}

double sluice_wave_maker_end(const struct sluice_wave_maker *w)
{
    const struct sluice_solitary *s = &w->solitary;
    const struct sluice_track *t = w->table;
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return w->of->start + 2 * SLUICE_SOLITARY_REACH / (s->beta * s->c);
    return w->of->kind == SLUICE_WAVE_PADDLE
               ? fmin(w->stop, w->of->start + t->t[t->count - 1] - t->t[0])
               : w->stop;
}
